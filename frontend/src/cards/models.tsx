// Tables of the models and of their differences.
import { useSignal } from "@preact/signals";
import { cheapest, costAt } from "../analysis/counts";
import { isHidden, modelColor } from "../charts/looks";
import { dashOf } from "../charts/plot";
import type { Comparison, PairRow, Payload } from "../payload";
import type { State } from "../state";
import { formats, say, strings } from "../text/languages";
import { term } from "../text/terms";
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
              <th scope="col" class="number">{`p (${strings.value.auc} = ${f.fixed(0.5, 1)})`}</th>
              <th scope="col" class="number" title={strings.value.leastCostHint}>{strings.value.leastCostColumn}</th>
            </tr>
          </thead>
          <tbody>
            {state.shown.value.map((model) => {
              const n = model.positives + model.negatives;
              const knot = cheapest(model, state.prevalence.value, state.ratio.value);
              const cost = costAt(model, knot, state.prevalence.value, state.ratio.value);
              return (
                <tr key={model.name} data-model={model.name}>
                  <th scope="row">
                    <Swatch slot={model.slot} />
                    <span class="name">{model.name}</span>
                  </th>
                  <td class="number" data-testid="auc" data-value={model.auc.value}>{f.rate(model.auc.value, n)}</td>
                  <td class="number" data-low={model.auc.low} data-high={model.auc.high}>{f.range(model.auc.low, model.auc.high, n)}</td>
                  <td class="number" data-testid="p-chance" data-value={model.auc.p}>{model.auc.p === null ? "–" : f.p(model.auc.p)}</td>
                  <td class="number" data-testid="least-cost-of" data-value={cost}>{f.digits(cost, 3)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="hint">{strings.value.leastCostColumn}: {strings.value.leastCostHint}. {strings.value.auc}: {methodNames(state.models.map((m) => ({ name: m.name, method: m.auc.method })))}. <Hidden state={state} /></p>
      {comparison && <Pairs comparison={comparison} title={strings.value.difference} level={level} n={state.nCases.value} isShown={(name) => state.shown.value.some((model) => model.name === name)} />}
    </Card>
  );
}

interface PairsProps {
  comparison: Comparison;
  title: string;
  level: string;
  n: number;
  pair?: string;
  isShown?: (name: string) => boolean;
  write?: (value: number | null) => string;
}

function Pairs({ comparison, title, level, n, pair = strings.value.pair, isShown = () => true, write = (value) => formats.value.rate(value, n) }: PairsProps) {
  const f = formats.value;
  const rows = comparison.rows.filter((row) => isShown(row.a) && isShown(row.b));
  if (!rows.length) return null;
  return (
    <>
      <h3>{strings.value.pairs}</h3>
      <div class="scroller" tabindex={0} role="region" aria-label={strings.value.pairs}>
        <table data-testid="pairs-table">
          <thead>
            <tr>
              <th scope="col">{pair}</th>
              <th scope="col" class="number">{title}</th>
              <th scope="col" class="number">{limitsOf(comparison, say("interval", { level }))}</th>
              <th scope="col" class="number">{comparison.adjusted ? strings.value.pAdjusted : strings.value.p}</th>
              <td class="no-print" />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => <Pair key={`${row.a} ${row.b}`} row={row} write={write} />)}
          </tbody>
        </table>
      </div>
      <p class="hint">
        {comparison.joint
          ? say("joint", { p: f.pPhrase(comparison.joint.p), method: term(comparison.method) })
          : `${term(comparison.method)}.`}
      </p>
    </>
  );
}

function Pair({ row, write }: { row: PairRow; write: (value: number | null) => string }) {
  const swapped = useSignal(false);
  const f = formats.value;
  const sign = swapped.value ? -1 : 1;
  const [a, b] = swapped.value ? [row.b, row.a] : [row.a, row.b];
  const flip = (value: number | null) => (value === null ? null : value === 0 ? 0 : sign * value);
  const [low, high] = swapped.value ? [flip(row.high), flip(row.low)] : [row.low, row.high];
  return (
    <tr data-a={a} data-b={b}>
      <th scope="row"><span class="name">{a}</span> − <span class="name">{b}</span></th>
      <td class="number" data-testid="difference" data-value={flip(row.difference)}>{write(flip(row.difference))}</td>
      <td class="number">
        <span data-testid="low" data-value={low}>{low === null ? "" : write(low)}</span>
        {low !== null && high !== null && ((low < 0 || high < 0) ? " … " : "–")}
        <span data-testid="high" data-value={high}>{high === null ? "" : write(high)}</span>
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

/** Limits of a difference, and whether they hold for all pairs of models. */
function limitsOf(comparison: Comparison, limits: string): string {
  if (!comparison.adjusted || !limits) return limits;
  return say(comparison.simultaneous ? "allPairs" : "eachPair", { limits });
}

/** The line of a model as it is drawn. */
export function Swatch({ slot }: { slot: number }) {
  return (
    <svg width={30} height={10} aria-hidden="true">
      <line x1={1} x2={29} y1={5} y2={5} class="curve" style={{ stroke: modelColor(slot) }} stroke-dasharray={dashOf(slot)} />
    </svg>
  );
}

/** The methods of intervals; of several each with its models. */
export function methodNames(models: { name: string; method: string | null }[]): string {
  const methods = [...new Set(models.map((model) => model.method))].filter((each) => each !== null);
  const users = (method: string) => models.filter((model) => model.method === method).map((model) => model.name);
  return methods.map((each) => (methods.length > 1 ? `${term(each)}: ${users(each).join(", ")}` : term(each))).join("; ");
}

/** The names of hidden models. */
function Hidden({ state }: { state: State }) {
  const names = state.models.filter((model) => isHidden(model.slot)).map((model) => model.name);
  return names.length ? <span data-testid="hidden-models">{say("hiddenModels", { models: names.join(", ") })}</span> : null;
}

/** Values and differences of models of several classes, ordered classes or forecasts. */
export function OtherModels({ payload }: { payload: Payload }) {
  const f = formats.value;
  const { quantity, models, comparison, n, better, chance } = payload.summary!;
  const level = f.level(payload.settings.level);
  const write = (value: number | null) => (better === "lower" ? f.short(value, 4) : f.rate(value, n));
  const { models: ofModels, model: one, pair, modalities, modality, modalityPair } = strings.value;
  const words = payload.task === "readers" ? { title: modalities, one: modality, pair: modalityPair } : { title: ofModels, one, pair };
  return (
    <Card id="models" title={words.title}>
      <div class="scroller" tabindex={0} role="region" aria-label={words.title}>
        <table data-testid="models-table">
          <thead>
            <tr>
              <th scope="col">{words.one}</th>
              <th scope="col" class="number">{quantity}</th>
              <th scope="col" class="number">{say("interval", { level })}</th>
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <tr key={model.name} data-model={model.name}>
                <th scope="row"><span class="name">{model.name}</span></th>
                <td class="number" data-testid="value" data-value={model.value}>{write(model.value)}</td>
                <td class="number" data-low={model.low} data-high={model.high}>{model.low === null ? "–" : `${write(model.low)}–${write(model.high)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">{quantity}: {methodNames(models)}. {chance !== undefined && say("chanceOf", { quantity, chance: f.rate(chance) })}</p>
      {comparison && <Pairs comparison={comparison} title={say("differenceOf", { quantity })} level={level} n={n} pair={words.pair} write={write} />}
    </Card>
  );
}
