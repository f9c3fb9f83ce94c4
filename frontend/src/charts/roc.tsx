// The ROC curve with the point that can be dragged.
import { useSignal, useComputed } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { nearestKnot } from "../analysis/counts";
import type { Model } from "../analysis/models";
import type { State } from "../state";
import { formats, say, strings } from "../text/languages";
import { MOST_COLORS, modelColor, placeInPalette } from "./looks";
import { areaOf, Chart, dashOf, Frame, inner, linear, logarithmic, MARGINS, PAD, pathOf, type Box, type Scale, shortened, ticksOf, useWidth } from "./plot";

interface Scales {
  box: Box;
  x: Scale;
  y: Scale;
}

function scalesOf(width: number, log: boolean, smallest: number): Scales {
  const [m, side] = [MARGINS, width - MARGINS.left - MARGINS.right];
  const box = { width, height: side + m.top + m.bottom, margins: m };
  const { left, right, top, bottom } = inner(box);
  const x = log
    ? logarithmic([smallest, 1.03], [left, right])
    : linear([-PAD, 1 + PAD], [left, right]);
  return { box, x, y: linear([-PAD, 1 + PAD], [bottom, top]) };
}

/** Threshold of a knot as the reader writes it. */
export function thresholdText(model: Model, knot: number): string {
  return formats.value.literal(model.texts[knot]);
}

export function valueText(model: Model, knot: number): string {
  const n = model.positives + model.negatives;
  return say("valueText", {
    threshold: thresholdText(model, knot),
    sensitivity: formats.value.rate(model.tp[knot] / model.positives, n),
    specificity: formats.value.rate(1 - model.fp[knot] / model.negatives, n),
  });
}

export function RocPlot({ state }: { state: State }) {
  const [ref, width] = useWidth(560);
  const log = state.logAxis.value;
  const scales = useMemo(() => {
    const most = Math.max(...state.models.map((model) => model.negatives));
    return scalesOf(width, log, Math.max(1 / most, 1e-7));
  }, [width, log]);
  const hovered = useSignal<{ model: Model; knot: number } | null>(null);
  const hover = (event: PointerEvent) => {
    const svg = (event.currentTarget as Element).querySelector("svg.chart")!;
    hovered.value = event.buttons ? null : nearest(state.shown.value, scales, ...placeIn(svg, scales.box, event));
  };
  return (
    <div class="plot-holder" ref={ref} onPointerMove={hover} onPointerLeave={() => (hovered.value = null)}>
      <Chart box={scales.box} label={strings.value.roc} testid="roc-plot" interactive>
        <Curves state={state} scales={scales} log={log} />
        {!log && <IsoCost state={state} scales={scales} />}
        <Legend state={state} scales={scales} log={log} />
        <Surface state={state} scales={scales} />
        <PointBox state={state} scales={scales} />
        <Point state={state} scales={scales} />
        <Ring hovered={hovered} scales={scales} />
      </Chart>
      <Tooltip hovered={hovered} scales={scales} />
    </div>
  );
}

function Curves({ state, scales, log }: { state: State; scales: Scales; log: boolean }) {
  const { box, x, y } = scales;
  const f = formats.value;
  const band = state.band.value;
  const selected = state.modelName.value;
  const count = box.width < 380 ? 4 : 6;
  const write = (value: number) => (log ? f.short(value, 2) : f.fixed(value, 1));
  const xTicks = log
    ? [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1]
        .filter((t) => t >= x.domain()[0])
        .map((position) => ({ position, text: f.short(position, 1) }))
    : ticksOf(x, count, write).filter((t) => t.position >= 0 && t.position <= 1);
  const yTicks = ticksOf(y, count, (v) => f.fixed(v, 1)).filter((t) => t.position >= 0 && t.position <= 1);
  const clipped = (line: { x: number[]; y: number[] }) => ({
    x: log ? line.x.map((v) => Math.max(v, x.domain()[0])) : line.x,
    y: line.y,
  });
  const diagonal = log
    ? Array.from({ length: 81 }, (_, k) => Math.pow(10, Math.log10(x.domain()[0]) * (1 - k / 80)))
    : [0, 1];
  return (
    <>
      <Frame box={box} x={x} y={y} xTicks={xTicks} yTicks={yTicks} xTitle={strings.value.fpr} yTitle={strings.value.tpr} testid="roc-frame" />
      <path class="reference" d={pathOf(diagonal, diagonal, x, y)} />
      {state.shown.value.map((model) => {
        const area = model.bands[band];
        if (!area || placeInPalette(model.slot) === null) return null;
        return <path key={model.name} class="band" style={{ fill: modelColor(model.slot) }} d={areaOf(clipped(area.lower), clipped(area.upper), x, y)} />;
      })}
      {state.shown.value.map((model) => (
        <path
          key={model.name}
          class={model.name === selected ? "curve selected" : "curve"}
          data-model={model.name}
          style={{ stroke: modelColor(model.slot) }}
          stroke-dasharray={dashOf(model.slot)}
          d={pathOf(clipped(model.path).x, model.path.y, x, y)}
        />
      ))}
    </>
  );
}

function Legend({ state, scales, log }: { state: State; scales: Scales; log: boolean }) {
  const { right, bottom } = inner(scales.box);
  const narrow = scales.box.width < 400;
  const coloured = state.shown.value.filter((model) => placeInPalette(model.slot) !== null);
  const shown = coloured.slice(0, MOST_COLORS);
  const f = formats.value;
  const lines = shown.map((model) => {
    const area = `${f.rate(model.auc.value, model.positives + model.negatives)}`;
    const limits = narrow ? "" : ` (${f.range(model.auc.low, model.auc.high, model.positives + model.negatives)})`;
    const key = <line x2={26} class="curve" style={{ stroke: modelColor(model.slot) }} stroke-dasharray={dashOf(model.slot)} />;
    return { key, text: `${shortened(model.name, narrow ? 14 : 22)}, AUC ${area}${limits}` };
  });
  const t = strings.value;
  if (!log) lines.push({ key: <line x2={26} class="iso-cost" />, text: t.equalCost });
  if (state.measures.value.sensitivity.limits) lines.push({ key: <rect class="point-box" x={4} y={-5} width={18} height={10} />, text: say("interval", { level: f.level(state.payload.settings.level) }) });
  const longest = Math.max(...lines.map((line) => line.text.length));
  const left = right - 46 - longest * 6;
  return (
    <g class="legend" aria-hidden="true">
      <rect class="legend-ground" x={left - 6} y={bottom - 26 - (lines.length - 1) * 17} width={right - left + 2} height={lines.length * 17 + 6} rx={4} />
      {lines.map(({ key, text }, k) => {
        const y = bottom - 14 - (lines.length - 1 - k) * 17;
        return (
          <g key={k} transform={`translate(${left},${y})`}>
            {key}
            <text x={32} dy="0.34em" class="legend-text">
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Points of equal cost: through the chosen one, from edge to edge of the frame. */
function IsoCost({ state, scales }: { state: State; scales: Scales }) {
  const { x, y } = scales;
  const fpr = 1 - state.specificity.value;
  const tpr = state.sensitivity.value;
  const pi = state.prevalence.value;
  const slope = (1 - pi) / (pi * state.ratio.value);
  const at = (f: number) => tpr + slope * (f - fpr);
  const [low, high] = [-PAD, 1 + PAD];
  const from = at(low) >= low ? low : fpr + (low - tpr) / slope;
  const to = at(high) <= high ? high : fpr + (high - tpr) / slope;
  return <line class="iso-cost" data-testid="iso-cost" data-slope={slope} x1={x(from)} y1={y(at(from))} x2={x(to)} y2={y(at(to))} />;
}

type Hovered = ReturnType<typeof useSignal<{ model: Model; knot: number } | null>>;

/** Where the pointer is, in the units of the plot. */
function placeIn(svg: Element, box: Box, event: MouseEvent): [number, number] {
  const bounds = svg.getBoundingClientRect();
  const scale = box.width / bounds.width;
  return [(event.clientX - bounds.left) * scale, (event.clientY - bounds.top) * scale];
}

/** The knot of any model that is nearest to a place inside the frame. */
function nearest(models: Model[], { x, y, box }: Scales, px: number, py: number): { model: Model; knot: number } | null {
  const { left, right, top, bottom } = inner(box);
  if (px < left - 8 || px > right + 8 || py < top - 8 || py > bottom + 8) return null;
  let best: { model: Model; knot: number } | null = null;
  let least = Infinity;
  for (const model of models) {
    const { knot, distance } = nearestKnot(model, x, y, px, py);
    if (distance < least) [least, best] = [distance, { model, knot }];
  }
  return best;
}

/** The ground: a click on it brings the point there. */
function Surface({ state, scales }: { state: State; scales: Scales }) {
  const { x, y, box } = scales;
  const { left, right, top, bottom } = inner(box);
  const set = (event: MouseEvent) => {
    const [px, py] = placeIn((event.currentTarget as SVGElement).ownerSVGElement!, box, event);
    state.moveTo(nearestKnot(state.model.value, x, y, px, py).knot);
  };
  return <rect class="surface" x={left - 6} y={top - 6} width={right - left + 12} height={bottom - top + 12} onClick={set} />;
}

/** The intervals of both rates, as a box around the point. */
function PointBox({ state, scales }: { state: State; scales: Scales }) {
  const { x, y } = scales;
  const { sensitivity, specificity } = state.measures.value;
  if (!sensitivity.limits || !specificity.limits) return null;
  const [sLow, sHigh] = sensitivity.limits;
  const [fHigh, fLow] = specificity.limits.map((limit) => 1 - limit);
  const left = x(Math.max(fLow, x.domain()[0]));
  return <rect class="point-box" x={left} y={y(sHigh)} width={Math.max(x(fHigh) - left, 0)} height={Math.max(y(sLow) - y(sHigh), 0)} />;
}

function Point({ state, scales }: { state: State; scales: Scales }) {
  const dragging = useRef(false);
  const { x, y, box } = scales;
  const model = state.model.value;
  const knot = state.knot.value;
  const px = x(Math.max(model.fp[knot] / model.negatives, x.domain()[0]));
  const py = y(model.tp[knot] / model.positives);
  const drag = (event: PointerEvent) => {
    if (!dragging.current) return;
    const [px, py] = placeIn((event.currentTarget as SVGElement).ownerSVGElement!, box, event);
    state.moveTo(nearestKnot(model, x, y, px, py).knot);
  };
  const press = (event: PointerEvent) => {
    dragging.current = true;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    (event.currentTarget as SVGGElement).focus();
    event.preventDefault();
  };
  const key = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const last = model.tp.length - 1;
    state.moveTo(step === Infinity ? last : step === -Infinity ? 0 : knot + step);
    const point = event.currentTarget as SVGGElement;
    requestAnimationFrame(() => point.scrollIntoView({ block: "nearest" }));
  };
  return (
    <g
      class="point"
      data-testid="operating-point"
      role="slider"
      tabindex={0}
      aria-label={say("point", { model: model.name })}
      aria-valuemin={0}
      aria-valuemax={model.tp.length - 1}
      aria-valuenow={knot}
      aria-valuetext={valueText(model, knot)}
      aria-orientation="horizontal"
      data-value={knot}
      transform={`translate(${px},${py})`}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={() => (dragging.current = false)}
      onPointerCancel={() => (dragging.current = false)}
      onKeyDown={key}
    >
      <circle class="focus-ring" r={12} />
      <circle class="hit" r={18} />
      <circle class="dot" r={7} style={{ fill: modelColor(model.slot) }} />
    </g>
  );
}

function Ring({ hovered, scales }: { hovered: Hovered; scales: Scales }) {
  const found = hovered.value;
  if (!found) return null;
  const { model, knot } = found;
  const px = scales.x(Math.max(model.fp[knot] / model.negatives, scales.x.domain()[0]));
  return <circle class="ring" cx={px} cy={scales.y(model.tp[knot] / model.positives)} r={5} />;
}

function Tooltip({ hovered, scales }: { hovered: Hovered; scales: Scales }) {
  const position = useComputed(() => {
    const found = hovered.value;
    if (!found) return null;
    const px = scales.x(Math.max(found.model.fp[found.knot] / found.model.negatives, scales.x.domain()[0]));
    return [px, scales.y(found.model.tp[found.knot] / found.model.positives)];
  });
  const found = hovered.value;
  if (!found || !position.value) return null;
  const { model, knot } = found;
  const n = model.positives + model.negatives;
  const [sens, spec] = [model.tp[knot] / model.positives, 1 - model.fp[knot] / model.negatives];
  const [px, py] = position.value;
  const f = formats.value;
  const side = px > scales.box.width / 2 ? { right: `${scales.box.width - px + 14}px` } : { left: `${px + 14}px` };
  return (
    <div
      class="tooltip"
      data-testid="tooltip"
      role="status"
      data-model={model.name}
      data-threshold={model.thresholds[knot]}
      data-sensitivity={sens}
      data-specificity={spec}
      style={{ ...side, top: `${Math.max(py - 10, 4)}px` }}
    >
      <strong>{shortened(model.name, 40)}</strong>
      <span>{strings.value.threshold} {thresholdText(model, knot)}</span>
      <span>{strings.value.sensitivity} {f.rate(sens, n)}</span>
      <span>{strings.value.specificity} {f.rate(spec, n)}</span>
      <span>{strings.value.tp} {f.count(model.tp[knot])}, {strings.value.fp} {f.count(model.fp[knot])}</span>
    </div>
  );
}
