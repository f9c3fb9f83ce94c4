// Operating points that are kept, side by side with the present one.
import { costAt, matrixAt, sensitivity, specificity } from "../analysis/counts";
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
  return { model, threshold: thresholdText(model, pin.knot), ...matrix, sensitivity: sensitivity(matrix), specificity: specificity(matrix), cost };
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
  const rows: [string, "tp" | "fp" | "fn" | "tn" | "sensitivity" | "specificity" | "cost", (v: number) => string][] = [
    ["TP", "tp", (v) => f.count(v)],
    ["FP", "fp", (v) => f.count(v)],
    ["FN", "fn", (v) => f.count(v)],
    ["TN", "tn", (v) => f.count(v)],
    [strings.value.sensitivity, "sensitivity", (v) => f.rate(v, n)],
    [strings.value.specificity, "specificity", (v) => f.rate(v, n)],
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
                <th scope="row" title={key in strings.value ? strings.value[key as "tp"] : undefined}>{label}</th>
                {columns.map((column, k) => <td key={k} class="number">{write(column[key])}</td>)}
                <td class="number" data-testid={`pin-difference-${key}`} data-value={b[key] - a[key]}>{b[key] > a[key] ? "+" : ""}{write(b[key] - a[key])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
