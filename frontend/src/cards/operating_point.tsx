// The ROC card: the curve, and what the chosen threshold does.
import { matrixAt, perThousand } from "../analysis/counts";
import { MEASURES } from "../analysis/intervals";
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
                <button type="button" data-testid="download-csv" aria-label={say("download", { what: "roc.csv" })} onClick={() => saveCsv(state, name)}>
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
      <DataTable make={() => knotTable(state)} />
    </Card>
  );
}

function knotTable(state: State) {
  const model = state.model.value;
  const matrices = model.tp.map((_, k) => matrixAt(model, k));
  const measures = model.tp.map((_, k) => state.measuresOf(model, k));
  const counts = (["tp", "fp", "fn", "tn"] as const).map((name) => [name.toUpperCase(), matrices.map((m) => m[name])]);
  const rates = MEASURES.map((name) => [measureTitles()[name], measures.map((each) => each[name].value)]);
  return { title: model.name, columns: { [strings.value.threshold]: model.texts, ...Object.fromEntries([...counts, ...rates]) } };
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
  const n = state.nCases.value;
  const titles = measureTitles();
  return (
    <table class="rates">
      <caption>{t.rates} ({say("interval", { level: f.level(state.payload.settings.level) })})</caption>
      <tbody>
        {MEASURES.map((name) => {
          const { value, limits } = state.measures.value[name];
          const write = (v: number | null) => (v !== null && name.startsWith("lr") ? f.digits(v, 3) : f.rate(v, n));
          return (
            <tr key={name}>
              <th scope="row">{titles[name]}</th>
              <td class="number" data-testid={name.replace("_", "-")} data-value={value}>{write(value)}</td>
              <td class="number range" data-low={limits?.[0]} data-high={limits?.[1]}>{limits && `${write(limits[0])}–${write(limits[1])}`}</td>
            </tr>
          );
        })}
        <tr>
          <th scope="row">{t.expectedCost}</th>
          <td class="number" data-testid="expected-cost" data-value={state.cost.value}>{f.digits(state.cost.value, 3)}</td>
          <td class="range number">{t.costUnit}</td>
        </tr>
      </tbody>
    </table>
  );
}

export function measureTitles(): Record<(typeof MEASURES)[number], string> {
  const t = strings.value;
  return { sensitivity: t.sensitivity, specificity: t.specificity, ppv: t.ppv, npv: t.npv, lr_positive: t.lrPositive, lr_negative: t.lrNegative };
}
