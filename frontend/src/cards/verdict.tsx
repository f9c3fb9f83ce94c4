// What the report says in one sentence, about which data, and what to beware of.
import type { Note, Payload } from "../payload";
import type { State } from "../state";
import type { Strings } from "../text/en";
import { formats, say, strings } from "../text/languages";

export function Header({ payload, state }: { payload: Payload; state: State | null }) {
  const f = formats.value;
  const cases = payload.cases;
  return (
    <header class="card">
      <p class="title">{payload.title || strings.value.title}</p>
      <h1 data-testid="verdict" class="verdict" lang={state ? undefined : "en"}>
        {state ? verdict(state) : f.sentence(payload.verdict ?? strings.value.title)}
      </h1>
      {state && (
        <p class="subtitle">
          {say("subtitle", {
            n: f.count(cases.n_pos + cases.n_neg),
            pos: f.count(cases.n_pos),
            neg: f.count(cases.n_neg),
            prevalence: f.percent(cases.prevalence),
          })}
          {" · "}
          {f.date(payload.created)}
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
    share: f.percent(note.share ?? 0),
  });
}

/** The best model, and whether it is shown to be better than the next. */
export function verdict(state: State): string {
  const f = formats.value;
  const order = [...state.models].sort((a, b) => b.auc.value - a.auc.value);
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
      differenceRange: f.range(low, high, n),
      method: state.payload.comparison!.method,
      p: f.pPhrase(row.p),
    }) + chance
  );
}
