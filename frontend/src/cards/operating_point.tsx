// The ROC card: the curve, and what the chosen threshold does.
import { perThousand, predictiveValues } from "../analysis/counts";
import { likelihoodRatios, predictiveLimits, wilson, type Limits, type Ratio } from "../analysis/intervals";
import { RocPlot, thresholdText } from "../charts/roc";
import { saveCsv } from "../downloads";
import type { ComponentChildren } from "preact";
import type { State } from "../state";
import { formats, say, strings } from "../text/languages";
import { Card, DataTable, Saved } from "./card";

export function OperatingPoint({ state, below }: { state: State; below?: ComponentChildren }) {
  const name = "roc";
  return (
    <Card id="roc" title={strings.value.roc} className="roc-card">
      <div class="columns">
        <div>
          <Saved
            name={name}
            testids
            extra={
              <>
                <button type="button" data-testid="download-csv" aria-label={say("download", { what: "roc.csv" })} onClick={() => saveCsv(state.models, name)}>
                  CSV
                </button>
                <label class="check">
                  <input type="checkbox" checked={state.logAxis.value} onChange={(event) => (state.logAxis.value = event.currentTarget.checked)} />
                  {strings.value.logAxis}
                </label>
              </>
            }
          >
            <RocPlot state={state} />
          </Saved>
          <p class="hint">
            <span class="no-print">{strings.value.dragHint} </span>
            <BandSentence state={state} /> {strings.value.tieHint}
          </p>
          {below}
        </div>
        <div>
          <Threshold state={state} />
          <Counts state={state} />
          <PerThousand state={state} />
          <Rates state={state} />
        </div>
      </div>
      <DataTable name="operating-points" make={() => knotTable(state)} />
    </Card>
  );
}

function knotTable(state: State) {
  const model = state.model.value;
  const all = model.tp.map((_, k) => k);
  return {
    title: model.name,
    columns: {
      [strings.value.threshold]: all.map((k) => model.texts[k]),
      TP: model.tp,
      FP: model.fp,
      [strings.value.sensitivity]: all.map((k) => model.tp[k] / model.positives),
      [strings.value.specificity]: all.map((k) => 1 - model.fp[k] / model.negatives),
    },
  };
}

export function bandName(kind: string): string {
  if (kind === "simultaneous") return strings.value.bandSimultaneous;
  if (kind === "pointwise") return strings.value.bandPointwise;
  return kind || strings.value.none;
}

function BandSentence({ state }: { state: State }) {
  const band = state.model.value.bands[state.band.value];
  if (!band) return null;
  const f = formats.value;
  return <>{say("halfWidth", { kind: bandName(state.band.value), level: f.level(band.level), width: f.short(band.area / 2, 2) })}</>;
}

function Threshold({ state }: { state: State }) {
  const model = state.model.value;
  const text = thresholdText(model, state.knot.value);
  const value = model.thresholds[state.knot.value];
  return (
    <p class="threshold" aria-live="off">
      <span class="label">{strings.value.threshold}</span>{" "}
      <strong data-testid="threshold" data-value={String(value)}>{text}</strong>
      <span class="rule">{say(model.lower ? "ruleLower" : "ruleHigher", { threshold: text })}</span>
    </p>
  );
}

interface Cells {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
}

function MatrixTable({ title, shown, exact, testids, testid }: { title: string; shown: Cells; exact: Cells; testids: boolean; testid?: string }) {
  const f = formats.value;
  const t = strings.value;
  const one = (key: keyof Cells, good: boolean) => (
    <td class={good ? "cell good" : "cell bad"}>
      <span class="big" data-testid={testids ? key : undefined} data-value={exact[key]}>{f.count(shown[key])}</span>
      <span class="what">{t[key]}</span>
    </td>
  );
  return (
    <table class="matrix" data-testid={testid}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t.actualPositive}</th>
          <th scope="col">{t.actualNegative}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t.calledPositive}</th>
          {one("tp", true)}
          {one("fp", false)}
        </tr>
        <tr>
          <th scope="row">{t.calledNegative}</th>
          {one("fn", false)}
          {one("tn", true)}
        </tr>
      </tbody>
    </table>
  );
}

function Counts({ state }: { state: State }) {
  const matrix = state.matrix.value;
  return <MatrixTable title={strings.value.counts} shown={matrix} exact={matrix} testids />;
}

function PerThousand({ state }: { state: State }) {
  const found = perThousand(state.sensitivity.value, state.specificity.value, state.prevalence.value);
  const [tp, fp, fn, tn] = found.exact;
  const title = say("perThousand", { prevalence: formats.value.percent(state.prevalence.value) });
  return <MatrixTable title={title} shown={found.whole} exact={{ tp, fp, fn, tn }} testids={false} testid="per-1000" />;
}

function Rates({ state }: { state: State }) {
  const f = formats.value;
  const t = strings.value;
  const m = state.matrix.value;
  const n = state.nCases.value;
  const level = state.payload.settings.level;
  const plain = !state.payload.cases.weighted;
  const [sens, spec, pi] = [state.sensitivity.value, state.specificity.value, state.prevalence.value];
  const { ppv, npv } = predictiveValues(sens, spec, pi);
  const ratios = likelihoodRatios(m, level);
  const inverted: Ratio = { value: null, limits: ratios.negative.limits && [1 / ratios.negative.limits[1], 1 / ratios.negative.limits[0]] };
  const limits = (pair: Limits | null, value: number | null, write: (v: number) => string) =>
    plain && pair && value !== null ? `${write(pair[0])}–${write(pair[1])}` : "";
  const rate = (v: number) => f.rate(v, n);
  const short = (v: number) => f.short(v, 3);
  const rows: [string, string, number | null, string, string][] = [
    [t.sensitivity, "sensitivity", sens, rate(sens), limits(wilson(m.tp, m.tp + m.fn, level), sens, rate)],
    [t.specificity, "specificity", spec, rate(spec), limits(wilson(m.tn, m.fp + m.tn, level), spec, rate)],
    [t.ppv, "ppv", ppv, f.rate(ppv, n), limits(predictiveLimits(pi / (1 - pi), ratios.positive), ppv, rate)],
    [t.npv, "npv", npv, f.rate(npv, n), limits(predictiveLimits((1 - pi) / pi, inverted), npv, rate)],
    [t.lrPositive, "lr-positive", ratios.positive.value, f.short(ratios.positive.value, 3), limits(ratios.positive.limits, ratios.positive.value, short)],
    [t.lrNegative, "lr-negative", ratios.negative.value, f.short(ratios.negative.value, 3), limits(ratios.negative.limits, ratios.negative.value, short)],
  ];
  return (
    <table class="rates">
      <caption>{t.rates}</caption>
      <tbody>
        {rows.map(([label, testid, value, text, range]) => (
          <tr key={testid}>
            <th scope="row">{label}</th>
            <td class="number" data-testid={testid} data-value={value}>{text}</td>
            <td class="number range">{range}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">{t.expectedCost}</th>
          <td class="number" data-testid="expected-cost" data-value={state.cost.value}>{f.digits(state.cost.value, 3)}</td>
          <td class="range number">{t.costUnit}</td>
        </tr>
      </tbody>
    </table>
  );
}
