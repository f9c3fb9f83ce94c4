// Downloads: plots, curves, all data.
import { MEASURES } from "./analysis/intervals";
import type { PlainTable } from "./payload";
import type { State } from "./state";

const PAINTED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "fill-opacity", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "visibility", "display", "paint-order", "stroke-linejoin", "stroke-linecap", "image-rendering"];

/** The plot as it looks, without references to styles of the page. */
export function standaloneSvg(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  originals.forEach((original, k) => {
    const style = getComputedStyle(original);
    const clone = copies[k];
    clone.removeAttribute("style");
    clone.removeAttribute("class");
    if (original.closest("defs, clipPath")) return;
    for (const name of PAINTED) {
      const value = style.getPropertyValue(name);
      if (value) clone.setAttribute(name, value);
    }
    for (const name of [...clone.getAttributeNames()]) {
      if (/^(data-|aria-|role|tabindex)/.test(name)) clone.removeAttribute(name);
    }
  });
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(svg.closest(".card") ?? document.body).backgroundColor);
  copy.insertBefore(ground, copy.firstChild);
  copy.querySelectorAll(".hit, .focus-ring").forEach((each) => each.remove());
  return new XMLSerializer().serializeToString(copy);
}

export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveSvg(svg: SVGSVGElement, name: string): void {
  save(`${name}.svg`, new Blob([standaloneSvg(svg)], { type: "image/svg+xml" }));
}

/** Three pixels for each of the screen: enough for print. */
export async function savePng(svg: SVGSVGElement, name: string, scale = 3): Promise<void> {
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  const text = standaloneSvg(svg);
  await new Promise((done, failed) => {
    image.onload = done;
    image.onerror = failed;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) save(`${name}.png`, blob);
}

function quoted(text: string): string {
  // a name that a spreadsheet would take for a formula is kept as text
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** All knots of all models with the measures at the chosen prevalence, always with a decimal point. */
export function curvesCsv(state: Pick<State, "models" | "measuresOf">): string {
  const measured = MEASURES.flatMap((name) => [name, `${name}_low`, `${name}_high`]);
  const lines = [`model,threshold,fpr,tpr,tp,fp,fn,tn,${measured}`];
  for (const model of state.models) {
    for (let k = 0; k < model.tp.length; k++) {
      const [tp, fp] = [model.tp[k], model.fp[k]];
      const threshold = model.texts[k].replace("Infinity", "inf");
      const cells = [quoted(model.name), model.categories.length ? quoted(threshold) : threshold, fp / model.negatives, tp / model.positives, tp, fp, model.positives - tp, model.negatives - fp];
      const measures = Object.values(state.measuresOf(model, k)).flatMap(({ value, limits }) => [value, ...(limits ?? ["", ""])]);
      lines.push([...cells, ...measures.map((each) => (each === Infinity ? "inf" : each))].join(","));
    }
  }
  return `${lines.join("\n")}\n`;
}

/** A table with all its rows, always with a decimal point. */
export function tableCsv({ columns }: PlainTable): string {
  const names = Object.keys(columns);
  const length = Math.max(0, ...names.map((name) => columns[name].length));
  const cell = (value: number | string | null | undefined) => (typeof value === "string" ? quoted(value) : String(value ?? ""));
  const rows = Array.from({ length }, (_, k) => names.map((name) => cell(columns[name][k])).join(","));
  return [names.map((name) => quoted(name.trim())).join(","), ...rows, ""].join("\n");
}

export function saveTable(table: PlainTable, name: string): void {
  save(`${name}.csv`, new Blob([tableCsv(table)], { type: "text/csv" }));
}

export function saveCsv(state: State, name: string): void {
  save(`${name}.csv`, new Blob([curvesCsv(state)], { type: "text/csv" }));
}

export function saveJson(content: unknown, name: string): void {
  save(`${name}.json`, new Blob([JSON.stringify(content, null, 1)], { type: "application/json" }));
}
