// A card of the page, buttons that save its plot, and tables of plain values.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { savePng, saveSvg, saveTable } from "../downloads";
import type { PlainTable } from "../payload";
import { formats, say, strings } from "../text/languages";
import { term } from "../text/terms";

interface CardProps {
  id: string;
  title: string;
  children: ComponentChildren;
  testid?: string;
  className?: string;
}

export function Card({ id, title, children, testid, className = "" }: CardProps) {
  return (
    <section class={`card ${className}`} id={id} data-testid={testid} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

interface SavedProps {
  name: string;
  children: ComponentChildren;
  testids?: boolean;
  extra?: ComponentChildren;
}

/** A plot with buttons that save it. */
export function Saved({ name, children, testids, extra }: SavedProps) {
  const holder = useRef<HTMLDivElement>(null);
  const svg = () => holder.current?.querySelector<SVGSVGElement>("svg.chart");
  const act = (how: (svg: SVGSVGElement, name: string) => unknown) => () => {
    const found = svg();
    if (found) void how(found, name);
  };
  return (
    <div class="saved" ref={holder}>
      {children}
      <div class="downloads">
        <button type="button" data-testid={testids ? "download-svg" : undefined} aria-label={say("download", { what: `${name}.svg` })} onClick={act(saveSvg)}>
          {strings.value.svg}
        </button>
        <button type="button" data-testid={testids ? "download-png" : undefined} aria-label={say("download", { what: `${name}.png` })} onClick={act(savePng)}>
          {strings.value.png}
        </button>
        {extra}
      </div>
    </div>
  );
}

const MOST_ROWS = 25;

function cell(name: string, value: unknown): string {
  const f = formats.value;
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value === "Infinity" || value === "-Infinity" ? f.literal(value) : f.sentence(value);
  if (typeof value !== "number") return String(value);
  if (/^p(_|$)|p_value|p_adjusted/.test(name)) return f.p(value);
  const size = Math.abs(value);
  if (size >= 0.01 && size < 1) return f.fixed(value, 3); // proportions below each other
  return Number.isInteger(value) && size >= 2 ? f.count(value) : f.short(value, 3);
}

function evenlySpaced(length: number): number[] {
  const shown = Math.min(length, MOST_ROWS);
  return Array.from({ length: shown }, (_, k) => (shown > 1 ? Math.round((k * (length - 1)) / (shown - 1)) : 0));
}

export function ValueTable({ table }: { table: PlainTable }) {
  const names = Object.keys(table.columns);
  const numeric = (name: string) => (table.columns[name].some((v) => typeof v === "number") ? "number" : "");
  const length = Math.max(0, ...names.map((name) => table.columns[name].length));
  return (
    <div class="scroller" tabindex={0} role="region" aria-label={table.title || strings.value.table}>
      <table>
        {table.title && <caption>{formats.value.sentence(table.title)}</caption>}
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" class={numeric(name)}>{term(name.replaceAll("_", " "))}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {evenlySpaced(length).map((row) => (
            <tr key={row}>
              {names.map((name) => (
                <td key={name} class={numeric(name)}>
                  {cell(name, table.columns[name][row])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {length > MOST_ROWS && (
        <p class="hint">{say("moreRows", { shown: formats.value.count(MOST_ROWS), all: formats.value.count(length) })}</p>
      )}
    </div>
  );
}

/** A table behind a heading, made only when it is opened; with a name, a button saves all of it. */
export function DataTable({ name, make }: { name?: string; make: () => PlainTable }) {
  const open = useSignal(false);
  return (
    <details class="data-table" onToggle={(event) => (open.value = (event.currentTarget as HTMLDetailsElement).open)}>
      <summary>{strings.value.table}</summary>
      {open.value && (
        <>
          <ValueTable table={make()} />
          {name && <button type="button" class="small" aria-label={say("download", { what: `${name}.csv` })} onClick={() => saveTable(make(), name)}>CSV</button>}
        </>
      )}
    </details>
  );
}
