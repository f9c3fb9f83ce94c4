// The settings: which model, where it is used, what errors cost.
import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { reaching } from "../analysis/counts";
import type { State, Theme } from "../state";
import { choose, formats, language, LANGUAGES, say, strings } from "../text/languages";
import { bandName } from "./operating_point";

export function Controls({ state, children }: { state: State; children?: ComponentChildren }) {
  const t = strings.value;
  return (
    <aside class="card controls" aria-label={t.controls}>
      <h2>{t.controls}</h2>
      <label>
        {t.model}
        <select data-testid="model-select" value={state.modelName.value} onChange={(event) => (state.modelName.value = event.currentTarget.value)}>
          {state.shown.value.map((model) => (
            <option key={model.name} value={model.name}>{model.name}</option>
          ))}
        </select>
      </label>
      {children}
      <Amount label={t.prevalence} testid="prevalence" value={state.prevalence} low={0.0001} high={0.9999} slider={[0.001, 0.999]} log={false} hint={say("prevalenceHint", { prevalence: formats.value.percent(state.payload.cases.prevalence) })} />
      <Amount label={t.costRatio} testid="cost-ratio" value={state.ratio} low={1e-6} high={1e6} slider={[0.01, 1000]} log />
      <Amount label={t.abstainCost} testid="abstain-cost" value={state.abstainCost} low={0} high={1e6} slider={[0, Math.max(1, state.ratio.value)]} log={false} />
      <Target state={state} />
      <label>
        {t.band}
        <select data-testid="band-select" value={state.band.value} onChange={(event) => (state.band.value = event.currentTarget.value)}>
          <option value="">{t.none}</option>
          {state.payload.settings.band_kinds.map((kind) => (
            <option key={kind} value={kind}>{bandName(kind)}</option>
          ))}
        </select>
      </label>
      <div class="buttons">
        <button type="button" class="main" data-testid="least-cost" onClick={() => state.toLeastCost()}>{t.leastCost}</button>
        <button type="button" data-testid="reset" onClick={() => state.reset()}>{t.reset}</button>
      </div>
      <Appearance state={state} />
    </aside>
  );
}

interface AmountProps {
  label: string;
  testid: string;
  value: Signal<number>;
  low: number;
  high: number;
  slider: [number, number];
  log: boolean;
  hint?: string;
}

/** A number that can be typed or slid; what is not in range is marked and not used. */
function Amount({ label, testid, value, low, high, slider, log, hint }: AmountProps) {
  const wrong = useSignal(false);
  const set = (number: number) => {
    wrong.value = !(number >= low && number <= high);
    if (!wrong.value) value.value = number;
  };
  const there = (v: number) => (log ? Math.log10(v) : v);
  const back = (v: number) => (log ? Number(Math.pow(10, v).toPrecision(3)) : Number(v.toPrecision(4)));
  const typed = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    set(input.value === "" ? NaN : Number(input.value));
  };
  return (
    <div class="amount">
      <label>
        {label}
        <input
          type="number"
          data-testid={testid}
          data-value={value.value}
          value={Number(value.value.toPrecision(6))}
          step="any"
          min={low}
          max={high}
          autocomplete="off"
          aria-invalid={wrong.value}
          onInput={typed}
          onChange={typed}
        />
      </label>
      <input
        type="range"
        class="slider"
        aria-label={label}
        min={there(slider[0])}
        max={there(slider[1])}
        step="any"
        value={there(Math.max(value.value, log ? 1e-9 : -Infinity))}
        onInput={(event) => set(back(Number(event.currentTarget.value)))}
      />
      {hint && <span class="hint">{hint}</span>}
    </div>
  );
}

function Target({ state }: { state: State }) {
  const apply = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    const number = Number(input.value);
    if (input.value !== "" && number >= 0 && number <= 1) state.moveTo(reaching(state.model.value, number));
  };
  return (
    <label>
      {strings.value.target}
      <input type="number" data-testid="target-sensitivity" step="any" min={0} max={1} placeholder={formats.value.fixed(0.9, 1)} autocomplete="off" onInput={apply} />
    </label>
  );
}

const THEMES: Theme[] = ["auto", "dark", "light"];

export function Appearance({ state }: { state: { theme: Signal<Theme> } }) {
  const t = strings.value;
  const names: Record<Theme, string> = { auto: t.themeAuto, dark: t.themeDark, light: t.themeLight };
  const next = THEMES[(THEMES.indexOf(state.theme.value) + 1) % THEMES.length];
  return (
    <div class="appearance">
      <button type="button" class="quiet" data-testid="theme" data-value={state.theme.value} onClick={() => (state.theme.value = next)}>
        {t.theme}: {names[state.theme.value]}
      </button>
      <label class="inline">
        <span class="hidden">{t.language}</span>
        <select data-testid="language" value={language.value} onChange={(event) => choose(event.currentTarget.value)}>
          {Object.entries(LANGUAGES).map(([code, { name }]) => (
            <option key={code} value={code} lang={code}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** What the controls say, for paper. */
export function SettingsSentence({ state }: { state: State }) {
  const f = formats.value;
  const model = state.model.value;
  return (
    <p class="settings-sentence" data-testid="settings-sentence">
      {say("settingsSentence", {
        model: model.name,
        threshold: f.literal(model.texts[state.knot.value]),
        prevalence: f.percent(state.prevalence.value),
        ratio: f.short(state.ratio.value, 4),
        abstain: f.short(state.abstainCost.value, 4),
        band: bandName(state.band.value),
      })}
    </p>
  );
}
