// Operating points that are kept, side by side with the present one.
import { costAt, matrixAt } from "../analysis/counts";
import { MEASURES } from "../analysis/intervals";
import { measureTitles } from "../cards/operating_point";
import { thresholdText } from "../charts/roc";
import type { State } from "../state";
import { formats, strings } from "../text/languages";
import type { Pin } from "./api";
import { pins } from "./store";
import { tell, words } from "./text";

const MOST = 6;

function free(): string {
  const used = new Set(pins.value.map((pin) => pin.pin));
  return [..."ABCDEF"].find((letter) => !used.has(letter)) ?? "";
}

function figures(state: State, pin: Pin) {
  const model = state.models.find((each) => each.name === pin.model) ?? state.models[0];
  const matrix = matrixAt(model, Math.min(pin.knot, model.tp.length - 1));
  const cost = costAt(model, Math.min(pin.knot, model.tp.length - 1), state.prevalence.value, state.ratio.value);
  const measures = state.measuresOf(model, Math.min(pin.knot, model.tp.length - 1));
  const values = Object.fromEntries(MEASURES.map((name) => [name, measures[name].value])) as Record<(typeof MEASURES)[number], number | null>;
  return { model, threshold: thresholdText(model, pin.knot), ...matrix, ...values, cost };
}

export function PinnedPoints({ state }: { state: State }) {
  const t = words.value;
  const here: Pin = { pin: "", model: state.model.value.name, knot: state.knot.value };
  const add = () => {
    if (pins.value.length < MOST) pins.value = [...pins.value, { ...here, pin: free() }];
  };
  return (
    <section class="card pins" aria-label={t.pins}>
      <h2>{t.pins}</h2>
      <button type="button" data-testid="pin" disabled={pins.value.length >= MOST} onClick={add}>{t.pin}</button>
      {pins.value.length === 0 ? <p class="hint">{t.pinsHint}</p> : <PinTable state={state} here={here} />}
    </section>
  );
}

/** The difference of two measures; null where one of them is not finite. */
function gap(a: number | null, b: number | null): number | null {
  return a === null || b === null || !Number.isFinite(b - a) ? null : b - a;
}

function PinTable({ state, here }: { state: State; here: Pin }) {
  const t = words.value;
  const f = formats.value;
  const kept = pins.value;
  const columns = [here, ...kept].map((pin) => figures(state, pin));
  const [a, b] = kept.length > 1 ? [columns[1], columns[2]] : [columns[1], columns[0]];
  const difference = kept.length > 1 ? `${kept[1].pin} − ${kept[0].pin}` : `${t.now} − ${kept[0].pin}`;
  const go = (pin: Pin) => {
    state.modelName.value = pin.model;
    state.moveTo(pin.knot);
  };
  const n = state.nCases.value;
  const titles: Record<string, string> = { ...measureTitles(), ppv: "PPV", npv: "NPV", lr_positive: "LR+", lr_negative: "LR−" }; // little room
  const rows: [string, "tp" | "fp" | "fn" | "tn" | "cost" | (typeof MEASURES)[number], (v: number) => string][] = [
    ["TP", "tp", (v) => f.count(v)],
    ["FP", "fp", (v) => f.count(v)],
    ["FN", "fn", (v) => f.count(v)],
    ["TN", "tn", (v) => f.count(v)],
    ...MEASURES.map((name): [string, typeof name, (v: number) => string] => [titles[name], name, (v) => (name.startsWith("lr") ? f.digits(v, 3) : f.rate(v, n))]),
    [t.cost, "cost", (v) => f.short(v, 3)],
  ];
  return (
    <>
      <ul class="pin-list">
        {kept.map((pin, k) => (
          <li key={pin.pin} data-testid="pinned" data-pin={pin.pin} data-model={pin.model}>
            <button type="button" class="pin-name" aria-label={tell("go", { pin: pin.pin })} onClick={() => go(pin)}>{pin.pin}</button>
            <span class="name">{pin.model}, {columns[k + 1].threshold}</span>
            <button type="button" class="quiet" aria-label={tell("remove", { pin: pin.pin })} onClick={() => (pins.value = kept.filter((each) => each !== pin))}>×</button>
          </li>
        ))}
      </ul>
      <div class="scroller" tabindex={0} role="region" aria-label={t.pins}>
        <table class="pin-table">
          <thead>
            <tr>
              <td />
              <th scope="col" class="number">{t.now}</th>
              {kept.map((pin) => <th key={pin.pin} scope="col" class="number">{pin.pin}</th>)}
              <th scope="col" class="number">{difference}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, key, write]) => (
              <tr key={key}>
                <th scope="row" title={measureTitles()[key as "ppv"] ?? strings.value[key as "tp"]}>{label}</th>
                {columns.map((column, k) => <td key={k} class="number" data-value={column[key]}>{column[key] === null ? "–" : write(column[key]!)}</td>)}
                <td class="number" data-testid={`pin-difference-${key}`} data-value={gap(a[key], b[key])}>{gap(a[key], b[key]) === null ? "–" : `${gap(a[key], b[key])! > 0 ? "+" : ""}${write(gap(a[key], b[key])!)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
