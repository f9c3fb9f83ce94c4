// Any plot of the library: lines, bands, points, whiskers, labels, maps.
import { useMemo } from "preact/hooks";
import { normalQuantile } from "../analysis/intervals";
import type { Axis, Layer, PlotSpec } from "../payload";
import { formats } from "../text/languages";
import { languageOf, term } from "../text/terms";
import { gridImage } from "./colors";
import { isHidden, modelColor } from "./looks";
import { areaOf, Chart, dashOf, Frame, inner, linear, logarithmic, pathOf, shortened, ticksOf, useWidth, type Box, type Scale } from "./plot";

interface Lined extends Layer {
  x: number[];
  y: number[];
  lower: number[];
  upper: number[];
  low: number[];
  high: number[];
  role?: "model" | "hull" | "reference";
  text: string;
  side: string;
  values: number[][];
  title: string;
  diverging: boolean;
}

function probit(limits: [number, number], range: [number, number]): Scale {
  const base = linear([normalQuantile(limits[0]), normalQuantile(limits[1])], range);
  const scale = (value: number) => base(normalQuantile(Math.max(1e-6, Math.min(1 - 1e-6, value))));
  const ticks = () => [0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99].filter((v) => v > limits[0] && v < limits[1]);
  return Object.assign(scale, { ticks, domain: () => limits, range: () => range }) as unknown as Scale;
}

function scaleOf(axis: Axis, range: [number, number]): Scale {
  if (axis.scale === "log") return logarithmic(axis.limits, range);
  if (axis.scale === "probit") return probit(axis.limits, range);
  return linear(axis.limits, range);
}

/** Ticks of the plot, whose text the library wrote, or those of the scale. */
function ticks(axis: Axis, scale: Scale, count: number) {
  const f = formats.value;
  const [low, high] = [Math.min(...axis.limits), Math.max(...axis.limits)];
  const padded = Math.abs(low + 0.015) < 1e-9 && Math.abs(high - 1.015) < 1e-9;
  if (axis.ticks) return axis.ticks.map((t) => ({ position: t.position, text: f.literal(term(t.text, true)) }));
  return ticksOf(scale, count, (v) => f.short(v, 4)).filter((t) => !padded || (t.position >= 0 && t.position <= 1));
}

/** The colour of a layer; of a model as it was picked, where slots are models. */
function strokeOf(layer: Lined, byModel: boolean): string {
  if (layer.role === "reference") return "var(--muted)";
  if (layer.color || layer.muted) return layer.color ?? "var(--muted)";
  return byModel ? modelColor(layer.slot) : `var(--c${layer.slot % 5})`;
}

/** A band without points is the legend entry of the bands of several models. */
function isEntry(layer: Lined): boolean {
  return layer.kind === "band" && !layer.x.length;
}

interface ViewProps {
  plot: PlotSpec;
  label: string;
  byModel?: boolean; // the slots of the layers are those of the models
}

function referenceDash(slot: number): string {
  return slot % 2 ? "1 3" : "3 3";
}

export function PlotView({ plot, label, byModel = false }: ViewProps) {
  const map = plot.layers.find((layer) => layer.kind === "mesh") as Lined | undefined;
  const square = plot.square || map !== undefined;
  const [ref, width] = useWidth(square ? 480 : 620);
  const rows = plot.rows;
  const widest = rows && plot.y.ticks ? Math.max(...plot.y.ticks.map((t) => t.text.length)) : 0;
  const tall = scaleOf(plot.y, [1, 0]);
  const longest = rows ? 0 : Math.max(0, ...ticks(plot.y, tall, 5).map((t) => t.text.length));
  const longestRight = Math.max(0, ...plot.right_ticks.map((t) => term(t.text, true).length));
  const margins = {
    top: 10,
    right: longestRight ? Math.min(12 + longestRight * 6.6, width * 0.5) : map ? 20 : 12,
    bottom: 46,
    left: Math.min(Math.max(54, 20 + widest * 6.2, 30 + longest * 7), width * 0.4),
  };
  const side = width - margins.left - margins.right;
  const height = rows ? rows * 26 + 76 : square ? side + 56 : Math.max(240, Math.min(340, width * 0.58));
  const box: Box = { width, height, margins };
  const { left, right, top, bottom } = inner(box);
  const x = scaleOf(plot.x, [left, right]);
  const y = scaleOf(plot.y, [bottom, top]);
  const f = formats.value;
  const ofAll = (layer: Lined) => layer.role === "reference" || isEntry(layer);
  const layers = (plot.layers as Lined[]).filter((layer) => !byModel || ofAll(layer) || !isHidden(layer.slot));
  return (
    <figure>
      {plot.title && <figcaption class="plot-title">{f.sentence(plot.title)}</figcaption>}
      <div class="plot-holder" ref={ref}>
        <Chart box={box} label={label}>
          {map && <MapLayer layer={map} x={x} y={y} />}
          <Frame box={box} x={x} y={y} xTicks={ticks(plot.x, x, Math.max(2, Math.min(7, Math.floor(side / 60))))} yTicks={ticks(plot.y, y, 5)} xTitle={term(plot.x.title)} yTitle={rows ? "" : term(plot.y.title)} bare={plot.bare} />
          <clipPath id={`clip-${label.length}-${layers.length}`}>
            <rect x={left - 1} y={top - 1} width={right - left + 2} height={bottom - top + 2} />
          </clipPath>
          <g clip-path={`url(#clip-${label.length}-${layers.length})`}>
            {layers.map((layer, k) => (
              <LayerView key={k} layer={layer} x={x} y={y} stroke={strokeOf(layer, byModel)} />
            ))}
          </g>
          {placedLabels(layers.filter((layer) => layer.kind === "label").slice(0, 14), x, y).map((each, k) => (
            <text key={k} class="point-label" x={each.x} y={each.y} text-anchor={each.anchor}>{each.text}</text>
          ))}
          {plot.right_ticks.map((t) => (
            <text key={t.position} class="tick" x={right + 8} y={y(t.position)} dy="0.32em">{term(t.text, true)}</text>
          ))}
        </Chart>
      </div>
      <PlotLegend layers={layers} byModel={byModel} />
      {plot.caption.length > 0 && (
        <figcaption class="caption">
          {plot.caption.map((sentence) => <span key={sentence} lang={languageOf(sentence)}>{term(sentence)} </span>)}
        </figcaption>
      )}
    </figure>
  );
}

function PlotLegend({ layers, byModel }: { layers: Lined[]; byModel: boolean }) {
  const named = layers
    .filter((layer) => layer.label && layer.kind !== "label" && layer.kind !== "mesh")
    .filter((layer, k, all) => layer.role !== "reference" || all.findIndex((each) => each.label === layer.label) === k);
  if (!named.length) return null;
  return (
    <ul class="plot-legend">
      {named.map((layer, k) => (
        <li key={k}>
          <svg width={28} height={10} aria-hidden="true">
            {layer.kind === "points" ? (
              <circle cx={14} cy={5} r={3.5} style={{ fill: strokeOf(layer, byModel) }} />
            ) : layer.kind === "band" ? (
              <rect class="band" x={1} width={26} height={10} style={{ fill: strokeOf(layer, byModel) }} />
            ) : (
              <line x1={1} x2={27} y1={5} y2={5} class={layer.role === "reference" ? "reference" : "curve"} style={{ stroke: strokeOf(layer, byModel) }} stroke-dasharray={layer.role === "reference" ? referenceDash(layer.slot) : dashOf(layer.slot)} />
            )}
          </svg>
          {shortened(term(layer.label ?? "", layer.role !== "reference"), 60)}
        </li>
      ))}
    </ul>
  );
}

function LayerView({ layer, x, y, stroke }: { layer: Lined; x: Scale; y: Scale; stroke: string }) {
  switch (layer.kind) {
    case "line":
      return <path class={layer.role === "reference" ? "reference" : layer.role === "hull" ? "curve thin" : "curve"} style={{ stroke }} stroke-dasharray={layer.role === "reference" ? referenceDash(layer.slot) : dashOf(layer.slot)} d={pathOf(layer.x, layer.y, x, y)} />;
    case "band":
      return isEntry(layer) ? null : <path class="band" style={{ fill: stroke }} d={areaOf({ x: layer.x, y: layer.lower }, { x: layer.x, y: layer.upper }, x, y)} />;
    case "points":
      return (
        <>
          {layer.x.map((px, k) => (
            <circle key={k} cx={x(px)} cy={y(layer.y[k])} r={layer.x.length > 60 ? 1.8 : 3.5} style={{ fill: stroke }} />
          ))}
        </>
      );
    case "whiskers":
      return (
        <>
          {layer.y.map((py, k) => (
            <path key={k} class="curve" style={{ stroke }} d={`M${x(layer.low[k])},${y(py) - 4}v8m0,-4H${x(layer.high[k])}m0,-4v8`} />
          ))}
        </>
      );
    case "cells":
      return <Cells layer={layer} x={x} y={y} />;
    default:
      return null;
  }
}

/** A table of shaded cells with words in them. */
function Cells({ layer, x, y }: { layer: Lined; x: Scale; y: Scale }) {
  const f = formats.value;
  const { shades, texts } = layer as unknown as { shades: number[][]; texts: string[][] };
  const [width, height] = [x(1) - x(0), y(0) - y(1)];
  return (
    <>
      {texts.map((line, row) =>
        line.map((text, column) => {
          const [left, top] = [x(column - 0.5), y(texts.length - 0.5 - row)];
          const words = text.split("\n");
          return (
            <g key={`${row} ${column}`} transform={`translate(${left},${top})`}>
              <rect class="field" x={1} y={1} width={Math.max(width - 2, 1)} height={Math.max(height - 2, 1)} rx={3} style={{ fillOpacity: 0.06 + 0.44 * shades[row][column] }} />
              {words.map((word, k) => (
                <text key={k} class={k ? "tick" : "cell-text"} x={width / 2} y={height / 2 + (k - (words.length - 1) / 2) * 17} dy="0.34em" text-anchor="middle">{f.sentence(word)}</text>
              ))}
            </g>
          );
        }),
      )}
    </>
  );
}

/** Texts next to their points, farther away where they would overlap. */
function placedLabels(labels: Lined[], x: Scale, y: Scale) {
  const boxes: number[][] = [];
  return labels.map((layer) => {
    const at = layer as unknown as { x: number; y: number };
    const text = formats.value.literal(formats.value.sentence(layer.text));
    const side = layer.side.endsWith("left") ? -1 : 1;
    const start = x(at.x) + 7 * side;
    const ends = [Math.min(start, start + 7 * side * text.length), Math.max(start, start + 7 * side * text.length)];
    const free = (base: number) => boxes.every(([left, right, other]) => right < ends[0] || left > ends[1] || Math.abs(other - base) > 13);
    const up = layer.side.startsWith("above") ? -1 : 1;
    const places = [0, 1, 2, 3].map((step) => y(at.y) + (up < 0 ? -7 : 15) + up * 14 * step);
    const base = places.find(free) ?? places[0];
    boxes.push([...ends, base]);
    return { x: start, y: base, text, anchor: side < 0 ? "end" : "start" } as const;
  });
}

function MapLayer({ layer, x, y }: { layer: Lined; x: Scale; y: Scale }) {
  const flat = layer.values.flat();
  const known = flat.filter((v) => v !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const rows = layer.y.length;
  const columns = layer.x.length;
  const image = useMemo(() => gridImage(flat, columns, rows, low, high, layer.diverging), [layer]);
  const [x0, x1] = [x(layer.x[0]), x(layer.x[columns - 1])];
  const [y0, y1] = [y(layer.y[0]), y(layer.y[rows - 1])];
  return <image href={image} x={x0} y={y1} width={x1 - x0} height={y0 - y1} preserveAspectRatio="none" class="pixels" />;
}
