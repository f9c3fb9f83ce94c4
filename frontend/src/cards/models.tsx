// Tables of the models and of their differences.
import { useSignal } from "@preact/signals";
import { cheapest, costAt } from "../analysis/counts";
import { colorOf, dashOf } from "../charts/plot";
import { MOST_COLORS } from "../charts/roc";
import type { Comparison, PairRow } from "../payload";
import type { State } from "../state";
import { formats, say, strings } from "../text/languages";
import { Card } from "./card";

export function Models({ state }: { state: State }) {
  const f = formats.value;
  const comparison = state.payload.comparison;
  const level = f.level(state.payload.settings.level);
  return (
    <Card id="models" title={strings.value.models}>
      <div class="scroller" tabindex={0} role="region" aria-label={strings.value.models}>
        <table data-testid="models-table">
          <thead>
            <tr>
              <th scope="col">{strings.value.model}</th>
              <th scope="col" class="number">{strings.value.auc}</th>
              <th scope="col" class="number">{say("interval", { level })}</th>
              <th scope="col" class="number" title={strings.value.leastCostHint}>{strings.value.leastCostColumn}</th>
            </tr>
          </thead>
          <tbody>
            {state.models.map((model) => {
              const n = model.positives + model.negatives;
              const knot = cheapest(model, state.prevalence.value, state.ratio.value);
              const cost = costAt(model, knot, state.prevalence.value, state.ratio.value);
              return (
                <tr key={model.name} data-model={model.name}>
                  <th scope="row">
                    <svg width={30} height={10} aria-hidden="true">
                      <line x1={1} x2={29} y1={5} y2={5} class="curve" style={{ stroke: colorOf(model.slot, model.slot >= MOST_COLORS) }} stroke-dasharray={dashOf(model.slot)} />
                    </svg>
                    <span class="name">{model.name}</span>
                  </th>
                  <td class="number" data-testid="auc" data-value={model.auc.value}>{f.rate(model.auc.value, n)}</td>
                  <td class="number" data-low={model.auc.low} data-high={model.auc.high}>{f.range(model.auc.low, model.auc.high, n)}</td>
                  <td class="number" data-testid="least-cost-of" data-value={cost}>{f.digits(cost, 3)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="hint">{strings.value.leastCostColumn}: {strings.value.leastCostHint}. {strings.value.auc}: {[...new Set(state.models.map((m) => m.auc.method))].join(", ")}.</p>
      {comparison && <Pairs comparison={comparison} state={state} />}
    </Card>
  );
}

function Pairs({ comparison, state }: { comparison: Comparison; state: State }) {
  const f = formats.value;
  const level = f.level(state.payload.settings.level);
  return (
    <>
      <h3>{strings.value.pairs}</h3>
      <div class="scroller" tabindex={0} role="region" aria-label={strings.value.pairs}>
        <table data-testid="pairs-table">
          <thead>
            <tr>
              <th scope="col">{strings.value.pair}</th>
              <th scope="col" class="number">{strings.value.difference}</th>
              <th scope="col" class="number">{say("interval", { level })}</th>
              <th scope="col" class="number">{comparison.adjusted ? strings.value.pAdjusted : strings.value.p}</th>
              <td class="no-print" />
            </tr>
          </thead>
          <tbody>
            {comparison.rows.map((row) => (
              <Pair key={`${row.a} ${row.b}`} row={row} n={state.nCases.value} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">
        {comparison.joint
          ? say("joint", { p: f.pPhrase(comparison.joint.p), method: comparison.method })
          : `${comparison.method}.`}
      </p>
    </>
  );
}

function Pair({ row, n }: { row: PairRow; n: number }) {
  const swapped = useSignal(false);
  const f = formats.value;
  const sign = swapped.value ? -1 : 1;
  const [a, b] = swapped.value ? [row.b, row.a] : [row.a, row.b];
  const flip = (value: number | null) => (value === null ? null : value === 0 ? 0 : sign * value);
  const [low, high] = swapped.value ? [flip(row.high), flip(row.low)] : [row.low, row.high];
  return (
    <tr data-a={a} data-b={b}>
      <th scope="row"><span class="name">{a}</span> − <span class="name">{b}</span></th>
      <td class="number" data-testid="difference" data-value={flip(row.difference)}>{f.rate(flip(row.difference), n)}</td>
      <td class="number">
        <span data-testid="low" data-value={low}>{f.rate(low, n)}</span>
        {(low ?? 0) < 0 ? " … " : "–"}
        <span data-testid="high" data-value={high}>{f.rate(high, n)}</span>
      </td>
      <td class="number" data-testid="p" data-value={row.p}>{f.p(row.p)}</td>
      <td class="no-print">
        <button type="button" class="quiet" data-testid="swap" aria-label={say("swapLabel", { a, b })} onClick={() => (swapped.value = !swapped.value)}>
          ⇄
        </button>
      </td>
    </tr>
  );
}
