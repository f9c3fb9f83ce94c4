// Cost curves of all models, the current setting, and which model is cheapest where.
import { useMemo } from "preact/hooks";
import { costLine, lowerEnvelope, probabilityCost, winners } from "../analysis/cost_curves";
import type { State } from "../state";
import { formats, strings } from "../text/languages";
import { Chart, dashOf, Frame, inner, linear, PAD, pathOf, ticksOf, useWidth, type Box, type Scale } from "./plot";
import { modelColor } from "./looks";

export function CostCurve({ state }: { state: State }) {
  const [ref, width] = useWidth(780);
  const box: Box = { width, height: Math.max(260, Math.min(380, width * 0.6)), margins: { top: 10, right: 12, bottom: 62, left: 54 } };
  const { left, right, top, bottom } = inner(box);
  const models = state.shown.value;
  const envelopes = useMemo(() => models.map(lowerEnvelope), [models]);
  const regions = useMemo(() => winners(envelopes), [envelopes]);
  const tallest = useMemo(() => Math.max(0.1, ...envelopes.flat().map((p) => p.y)), [envelopes]);
  const x = linear([-PAD, 1 + PAD], [left, right]);
  const y = linear([-PAD * 0.5, Math.min(0.5, 1.25 * tallest) + PAD], [bottom, top]);
  const f = formats.value;
  const count = width < 400 ? 4 : 6;
  const unit = (t: { position: number }) => t.position >= 0 && t.position <= 1;
  const cap = y.domain()[1];
  return (
    <div class="plot-holder" ref={ref}>
      <Chart box={box} label={strings.value.costCurve} testid="cost-curve">
        <Frame box={box} x={x} y={y} xTicks={ticksOf(x, count, (v) => f.fixed(v, 1)).filter(unit)} yTicks={ticksOf(y, 5, (v) => f.short(v, 3)).filter(unit)} xTitle={strings.value.probabilityCost} yTitle={strings.value.normalisedCost} />
        <path class="triangle" d={pathOf([0, cap, 1 - cap, 1], [0, cap, cap, 0], x, y)} />
        {envelopes.map((points, k) => (
          <path
            key={models[k].name}
            class={models[k].name === state.modelName.value ? "curve selected" : "curve"}
            data-model={models[k].name}
            style={{ stroke: modelColor(models[k].slot) }}
            stroke-dasharray={dashOf(models[k].slot)}
            d={pathOf(points.map((p) => p.x), points.map((p) => p.y), x, y)}
          />
        ))}
        {regions.map((region) => (
          <rect
            key={region.from}
            x={x(region.from)}
            y={bottom + 24}
            width={Math.max(x(region.to) - x(region.from), 0.5)}
            height={7}
            style={{ fill: region.winner < 0 ? "var(--grid)" : modelColor(models[region.winner].slot) }}
          >
            <title>{region.winner < 0 ? strings.value.trivial : models[region.winner].name}</title>
          </rect>
        ))}
        <Chosen state={state} x={x} y={y} box={box} />
      </Chart>
    </div>
  );
}

function Chosen({ state, x, y, box }: { state: State; x: Scale; y: Scale; box: Box }) {
  const { top, bottom } = inner(box);
  const at = probabilityCost(state.prevalence.value, state.ratio.value);
  const [a, b] = costLine(state.model.value, state.knot.value);
  const cap = y.domain()[1];
  // the line may leave the frame: draw the part of it that is inside
  const cut = (x0: number, y0: number, x1: number, y1: number) => (y0 <= cap ? [x0, y0] : [x0 + ((cap - y0) * (x1 - x0)) / (y1 - y0), cap]);
  const from = cut(a.x, a.y, b.x, b.y);
  const to = cut(b.x, b.y, a.x, a.y);
  const visible = Math.min(a.y, b.y) <= cap;
  const height = a.y + (b.y - a.y) * at;
  return (
    <>
      <line class="threshold-line" x1={x(at)} x2={x(at)} y1={top} y2={bottom} />
      {visible && <line class="chosen-line" x1={x(from[0])} y1={y(from[1])} x2={x(to[0])} y2={y(to[1])} />}
      {height <= cap && <circle class="dot" cx={x(at)} cy={y(height)} r={5} style={{ fill: modelColor(state.model.value.slot) }} />}
    </>
  );
}
