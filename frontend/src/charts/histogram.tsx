// Scores of both classes, with the threshold.
import { useMemo } from "preact/hooks";
import type { Model } from "../analysis/models";
import type { Histogram } from "../payload";
import type { State } from "../state";
import { formats, strings } from "../text/languages";
import { Chart, Frame, inner, linear, pathOf, ticksOf, useWidth, type Box, type Scale } from "./plot";

export function ScoreHistogram({ state, model }: { state: State; model: Model }) {
  const [ref, width] = useWidth(560);
  const bars = model.histogram;
  const drawn = useMemo(() => bars && drawing(bars, width), [bars, width]);
  if (!bars || !drawn) return null;
  const { box, x, y, steps } = drawn;
  const f = formats.value;
  const ticks = model.categories.length
    ? model.categories.map((text, position) => ({ position, text }))
    : ticksOf(x, width < 380 ? 4 : 6, (v) => f.short(v, 4));
  return (
    <div class="plot-holder" ref={ref}>
      <Chart box={box} label={`${strings.value.scores}: ${model.name}`} testid="histogram">
        <Frame box={box} x={x} y={y} xTicks={ticks} yTicks={ticksOf(y, 3, (v) => f.percent(v, 0))} xTitle={strings.value.score} yTitle={strings.value.proportionOfClass} />
        <path class="negatives" d={steps.neg} />
        <path class="positives" d={steps.pos} />
        <ThresholdLine state={state} model={model} x={x} box={box} />
        <g class="legend" aria-hidden="true" transform={`translate(${box.margins.left},14)`}>
          <rect class="negatives" y={-9} width={14} height={10} />
          <text class="legend-text" x={20}>{strings.value.negatives}</text>
          <rect class="positives" x={110} y={-9} width={14} height={10} />
          <text class="legend-text" x={130}>{strings.value.positives}</text>
        </g>
      </Chart>
    </div>
  );
}

function drawing(bars: Histogram, width: number) {
  const box: Box = { width, height: 204, margins: { top: 24, right: 12, bottom: 44, left: 60 } };
  const { left, right, top, bottom } = inner(box);
  const total = (values: number[]) => values.reduce((a, b) => a + b, 0) || 1;
  const proportions = { pos: bars.pos.map((v) => v / total(bars.pos)), neg: bars.neg.map((v) => v / total(bars.neg)) };
  const x = linear([bars.edges[0], bars.edges[bars.edges.length - 1]], [left, right]);
  const y = linear([0, 1.05 * Math.max(...proportions.pos, ...proportions.neg)], [bottom, top]);
  return { box, x, y, steps: { pos: outline(bars.edges, proportions.pos, x, y), neg: outline(bars.edges, proportions.neg, x, y) } };
}

function outline(edges: number[], heights: number[], x: Scale, y: Scale): string {
  const xs = [edges[0]];
  const ys = [0];
  heights.forEach((height, k) => {
    xs.push(edges[k], edges[k + 1]);
    ys.push(height, height);
  });
  xs.push(edges[edges.length - 1]);
  ys.push(0);
  return `${pathOf(xs, ys, x, y)}Z`;
}

function ThresholdLine({ state, model, x, box }: { state: State; model: Model; x: Scale; box: Box }) {
  const { edges } = model.histogram!;
  const half = edges[1] - edges[0] === 1 && Math.abs(edges[0] % 1) === 0.5 ? 0.5 : 0; // bars around whole numbers
  const threshold = model.thresholds[state.knots.value[model.name]] + (model.lower ? half : -half);
  const { left, right, top, bottom } = inner(box);
  const place = Math.max(left, Math.min(right, Number.isFinite(threshold) ? x(threshold) : threshold > 0 ? right : left));
  return <line class="threshold-line" x1={place} x2={place} y1={top} y2={bottom} />;
}
