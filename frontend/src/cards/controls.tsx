// The settings: which model, where it is used, what errors cost.
import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { reachingSensitivity, reachingSpecificity } from "../analysis/counts";
import type { State, Theme } from "../state";
import { numberOf, fractionOf } from "../text/formats";
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
      <NumberField label={t.prevalence} testid="prevalence" value={state.prevalence} low={0.0001} high={0.9999} slider={[0.001, 0.999]} fraction hint={`${say("prevalenceHint", { prevalence: formats.value.percent(state.payload.cases.prevalence) })}; ${sameFractions(0.1)}`} />
      <NumberField label={t.costRatio} testid="cost-ratio" value={state.ratio} low={1e-6} high={1e6} slider={[0.01, 1000]} log />
      <NumberField label={t.abstainCost} testid="abstain-cost" value={state.abstainCost} low={0} high={1e6} slider={[0, Math.max(1, state.ratio.value)]} />
      <Targets state={state} />
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
        <button type="button" data-testid="youden" onClick={() => state.moveTo(state.model.value.start)}>{t.youden}</button>
        <button type="button" data-testid="reset" onClick={() => state.reset()}>{t.reset}</button>
      </div>
      <Appearance state={state} />
    </aside>
  );
}

interface TypedProps {
  label: string;
  testid: string;
  value: number | null; // null: nothing is shown until it is typed
  set: (number: number) => void;
  low: number;
  high: number;
  fraction?: boolean;
  hint?: string;
}

/** A number that can be typed; what is out of range stays there, is marked, and is not used. */
function Typed({ label, testid, value, set, low, high, fraction, hint }: TypedProps) {
  const typed = useSignal<{ text: string; before: number | null } | null>(null);
  const f = formats.value;
  const shown = value === null ? "" : String(Number(value.toPrecision(fraction ? 3 : 6))).replace(".", f.decimal);
  const read = fraction ? fractionOf : numberOf;
  const fits = (text: string) => read(text) >= low && read(text) <= high;
  // a number that came from elsewhere replaces what was typed
  const text = typed.value && (value === null || value === typed.value.before || value === read(typed.value.text)) ? typed.value.text : shown;
  const wrong = text !== shown && text !== "" && !fits(text);
  const type = (event: Event) => {
    const { value: text } = event.currentTarget as HTMLInputElement;
    typed.value = { text, before: value };
    if (fits(text)) set(read(text));
  };
  const leave = () => {
    if (value !== null && !wrong) typed.value = null;
  };
  const write = (limit: number) => (fraction ? f.percent(limit, limit > 0 && limit < 1 ? 2 : 0) : f.short(limit, 3));
  return (
    <>
      <label>
        {label}
        <input
          type="text"
          inputmode="decimal"
          data-testid={testid}
          data-value={value}
          value={text}
          autocomplete="off"
          aria-invalid={wrong}
          aria-describedby={`${testid}-hint`}
          onInput={type}
          onChange={leave}
        />
      </label>
      <span class="hint" id={`${testid}-hint`}>
        {wrong ? <span class="wrong" role="alert">{say("outOfRange", { low: write(low), high: write(high) })}</span> : hint}
      </span>
    </>
  );
}

interface NumberFieldProps extends Omit<TypedProps, "value" | "set"> {
  value: Signal<number>;
  slider: [number, number];
  log?: boolean;
}

/** A number that can be typed or slid. */
function NumberField({ value, slider, log, ...typed }: NumberFieldProps) {
  const there = (v: number) => (log ? Math.log10(v) : v);
  const back = (v: number) => (log ? Number(Math.pow(10, v).toPrecision(3)) : Number(v.toPrecision(typed.fraction ? 3 : 4)));
  return (
    <div class="entry">
      <Typed {...typed} value={value.value} set={(number) => (value.value = number)} />
      <input
        type="range"
        class="slider"
        aria-label={typed.label}
        min={there(slider[0])}
        max={there(slider[1])}
        step="any"
        value={there(Math.max(value.value, log ? 1e-9 : -Infinity))}
        onInput={(event) => (value.value = back(Number(event.currentTarget.value)))}
      />
    </div>
  );
}

/** How a fraction may be typed. */
const sameFractions = (fraction: number) => `${formats.value.fixed(fraction, 1)} = ${formats.value.percent(fraction, 0)} = ${100 * fraction}`;

/** Where to go: to a sensitivity or a specificity, to the best point, to the least cost. */
function Targets({ state }: { state: State }) {
  const t = strings.value;
  const model = state.model.value;
  return (
    <div class="targets">
      <div><Typed label={t.target} testid="target-sensitivity" value={null} set={(fraction) => state.moveTo(reachingSensitivity(model, fraction))} low={0} high={1} fraction /></div>
      <div><Typed label={t.targetSpecificity} testid="target-specificity" value={null} set={(fraction) => state.moveTo(reachingSpecificity(model, fraction))} low={0} high={1} fraction /></div>
      <span class="hint">{sameFractions(0.9)}</span>
    </div>
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

/** The settings as a sentence, for print. */
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
