// Sections with plots and tables that the library computed.
import { useSignal } from "@preact/signals";
import { PlotView } from "../charts/plot_view";
import type { Layer, PlotSpec, Section } from "../payload";
import type { Strings } from "../text/en";
import { formats, say, strings } from "../text/languages";
import { Card, DataTable, Saved, ValueTable } from "./card";

const OF_MODELS = ["smooth-roc", "confident-segment", "precision-recall", "decision-curve", "calibration"];

/** One plot takes half the width, unless it is the only one in its row. */
export function SectionCards({ sections }: { sections: Section[] }) {
  let half = false;
  return (
    <>
      {sections.map((section, k) => {
        const [single, next] = [section, sections[k + 1]].map((each) => each?.plots.length === 1 && !each.steps);
        const paired = single && (half || next);
        half = paired && !half;
        return <SectionCard key={section.id} section={section} half={paired} />;
      })}
    </>
  );
}

export function SectionCard({ section, half = false }: { section: Section; half?: boolean }) {
  const known = section.id in strings.value;
  const title = known ? strings.value[section.id as keyof Strings] : section.title;
  const steps = section.steps ?? [""];
  const step = useSignal(Math.floor(steps.length / 2));
  const of = <T,>(parts: T[]) => parts.slice((step.value * parts.length) / steps.length, ((step.value + 1) * parts.length) / steps.length);
  const [plots, tables] = [of(section.plots), of(section.tables)];
  return (
    <Card id={section.id} title={title} testid={section.id} className={half ? "half" : plots.length === 1 && tables.length && !section.steps ? "split" : ""}>
      {section.text && <p lang="en">{formats.value.sentence(section.text)}</p>}
      {steps.length > 1 && (
        <label class="entry">
          <span data-testid="step">{say("atTime", { time: steps[step.value] })}</span>
          <input type="range" class="slider" min={0} max={steps.length - 1} step={1} value={step.value} aria-valuetext={steps[step.value]} onInput={(event) => (step.value = Number(event.currentTarget.value))} />
        </label>
      )}
      <div class={plots.length > 1 ? "plots" : ""}>
        {plots.map((plot, k) => (
          <div key={k}>
            <Saved name={`${section.id}${k || ""}`}>
              <PlotView plot={plot} label={plots.length > 1 ? `${title} ${k + 1}` : title} byModel={OF_MODELS.includes(section.id)} />
            </Saved>
            <DataTable name={`${section.id}${k || ""}`} make={() => plotTable(plot)} />
          </div>
        ))}
      </div>
      {tables.length > 0 && <div>{tables.map((table, k) => <ValueTable key={k} table={table} />)}</div>}
    </Card>
  );
}

/** The lines of a plot below each other. */
function plotTable(plot: PlotSpec) {
  const [names, xs, ys]: [string[], number[], number[]] = [[], [], []];
  for (const layer of plot.layers) {
    if (layer.kind === "cells") return cellTable(layer);
    const [x, y] = [layer.x, layer.y ?? layer.upper];
    if (!Array.isArray(x) || !Array.isArray(y) || layer.kind === "mesh") continue;
    x.forEach((value, k) => {
      names.push(layer.label ?? "");
      xs.push(value);
      ys.push(y[k]);
    });
  }
  return { title: "", columns: { "line": names, [plot.x.title]: xs, [plot.y.title || "y"]: ys } };
}

/** The fields of a table of fields, one in a row. */
function cellTable(layer: Layer) {
  const texts = layer.texts as string[][];
  const fields = texts.flatMap((line, row) => line.map((text, column) => ({ row: row + 1, column: column + 1, text: text.replaceAll("\n", " ") })));
  return { title: "", columns: { row: fields.map((each) => each.row), column: fields.map((each) => each.column), text: fields.map((each) => each.text) } };
}
