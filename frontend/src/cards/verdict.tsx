// The result in one sentence, the data, and warnings.
import type { Note, Payload } from "../payload";
import type { State } from "../state";
import type { Strings } from "../text/en";
import { formats, say, strings } from "../text/languages";
import { rowsOf, sampleOf } from "./methods";
import type { Comparison, PairRow } from "../payload";

export function Header({ payload, state }: { payload: Payload; state: State | null }) {
  const f = formats.value;
  const cases = payload.cases;
  return (
    <header class="card">
      <p class="title">{payload.title || strings.value.title}</p>
      <h1 data-testid="verdict" class="verdict">{state ? verdict(state) : otherVerdict(payload)}</h1>
      {!state && <p class="subtitle">{rowsText(payload)} · {f.date(payload.created)}</p>}
      {state && (
        <p class="subtitle">
          {[sampleOf(payload), `${strings.value.prevalence} ${f.percent(cases.prevalence)}`, f.date(payload.created)].join(" · ")}
        </p>
      )}
      {payload.notes.length > 0 && (
        <div class="notes" role="note" aria-label={strings.value.notes}>
          <ul>
            {payload.notes.map((note, k) => (
              <li key={k}>{noteText(note)}</li>
            ))}
          </ul>
        </div>
      )}
    </header>
  );
}

function noteText(note: Note): string {
  const f = formats.value;
  if (!(note.code in strings.value)) return note.code;
  return say(note.code as keyof Strings, {
    n: f.count(note.n ?? 0),
    model: note.model ?? "",
    tied: f.percent(note.tied ?? 0),
    how: note.how ?? "",
  });
}

/** The best model, and whether it is shown to be better than the next. */
export function verdict(state: State): string {
  const f = formats.value;
  const order = [...state.shown.value].sort((a, b) => b.auc.value - a.auc.value);
  const [best, next] = order;
  const n = best.positives + best.negatives;
  const common = { auc: f.rate(best.auc.value, n), range: f.range(best.auc.low, best.auc.high, n) };
  const chance = best.auc.low <= 0.5 ? ` ${strings.value.verdictChance}` : "";
  const row = next && state.payload.comparison?.rows.find((r) => [r.a, r.b].includes(best.name) && [r.a, r.b].includes(next.name));
  if (!next || !row) return say("verdictOne", { model: best.name, ...common }) + chance;
  const sign = row.a === best.name ? 1 : -1;
  const limits = [row.low, row.high].map((v) => (v === null ? null : sign * v));
  const [low, high] = sign > 0 ? limits : [limits[1], limits[0]];
  const clear = row.p < 1 - state.payload.settings.level;
  return (
    say(clear ? "verdictBetter" : "verdictUnclear", {
      best: best.name,
      other: next.name,
      ...common,
      difference: f.rate(sign * row.difference, n),
      detail: detailOf(state.payload, state.payload.comparison!, row, low === null ? "" : f.range(low, high, n)),
    }) + chance
  );
}

/** Interval and p value of a difference, and for how many comparisons they hold. */
function detailOf(payload: Payload, { adjusted, simultaneous, rows }: Comparison, row: PairRow, limits: string): string {
  const f = formats.value;
  const known = limits && (simultaneous || !adjusted);
  const interval = known && `${say("interval", { level: f.level(payload.settings.level) })} ${limits}`;
  const family = adjusted && say("adjustedFor", { n: f.count(rows.length) });
  return [interval, f.pPhrase(row.p), family].filter(Boolean).join(", ");
}

function rowsText(payload: Payload): string {
  const { n, classes } = payload.summary!;
  return classes ? say("subtitleClasses", { n: formats.value.count(n), k: classes.length, classes: classes.join(", ") }) : rowsOf(payload);
}

/** The same of several classes, ordered classes and forecasts. */
export function otherVerdict(payload: Payload): string {
  const f = formats.value;
  const { quantity, models, comparison, n, better } = payload.summary!;
  const lower = better === "lower";
  const write = (value: number) => (lower ? f.short(value, 3) : f.rate(value, n));
  const limits = (low: number | null, high: number | null) =>
    low === null || high === null ? [] : [`${write(low)}${Math.min(low, high) < 0 ? " … " : "–"}${write(high)}`];
  const [best, next] = [...models].sort((a, b) => (lower ? a.value - b.value : b.value - a.value));
  const value = [write(best.value), ...limits(best.low, best.high).map((range) => `(${range})`)].join(" ");
  const row = next && comparison?.rows.find((r) => [r.a, r.b].includes(best.name) && [r.a, r.b].includes(next.name));
  if (!next || !row) return say("otherOne", { model: best.name, quantity, value });
  // the gain of the better one, whether large or small values are good
  const sign = (row.a === best.name ? 1 : -1) * (lower ? -1 : 1);
  const [low, high] = [row.low, row.high].map((v) => (v === null ? null : sign * v)).sort((a, b) => (a ?? 0) - (b ?? 0));
  return say(row.p < 1 - payload.settings.level ? "otherBetter" : "otherUnclear", {
    best: best.name,
    other: next.name,
    quantity,
    value,
    difference: write(sign * row.difference),
    detail: detailOf(payload, comparison!, row, limits(low, high).join()),
  });
}
