// Which models are shown, in which colours, and under which names.
import { isHidden } from "../charts/looks";
import type { Model } from "../analysis/models";
import type { State } from "../state";
import { say, strings } from "../text/languages";
import { Swatch } from "./models";

type Rename = (place: number, name: string) => void;

/** An eye, a colour, and, where there is someone to rename them, a field for the name. */
export function ModelList({ state, rename }: { state: State; rename?: Rename }) {
  if (state.models.length < 2 && !rename) return null;
  return (
    <fieldset class="model-list">
      <legend>{strings.value.lookOf}</legend>
      {state.models.map((model) => <Row key={model.slot} state={state} model={model} rename={rename} />)}
    </fieldset>
  );
}

function Row({ state, model, rename }: { state: State; model: Model; rename?: Rename }) {
  const { name, slot } = model;
  const hidden = isHidden(slot);
  const only = !hidden && state.shown.value.length === 1;
  return (
    <div class={hidden ? "model-row off" : "model-row"} data-testid="model-row" data-model={name}>
      <button type="button" class="quiet icon" data-testid="model-visible" aria-pressed={!hidden} disabled={only} aria-label={say(hidden ? "showModel" : "hideModel", { model: name })} title={say(hidden ? "showModel" : "hideModel", { model: name })} onClick={() => state.toggle(model)}>
        <Eye open={!hidden} />
      </button>
      <button type="button" class="quiet icon" data-testid="model-color" aria-label={say("colorModel", { model: name })} title={say("colorModel", { model: name })} onClick={() => state.recolor(model)}>
        <Swatch slot={slot} />
      </button>
      {rename ? <NameField name={name} place={slot} rename={rename} /> : <span class="name">{name}</span>}
    </div>
  );
}

/** A name that counts when the field is left or Enter is pressed; Escape brings the old one back. */
export function NameField({ name, place, rename, wrong = false }: { name: string; place: number; rename: Rename; wrong?: boolean }) {
  const leave = (event: KeyboardEvent) => {
    const field = event.currentTarget as HTMLInputElement;
    if (event.key === "Escape") field.value = name;
    if (event.key === "Escape" || event.key === "Enter") field.blur();
  };
  return <input type="text" class="name-field" data-testid="model-name" value={name} title={name} maxLength={120} autocomplete="off" spellcheck={false} aria-invalid={wrong} aria-label={`${strings.value.model}: ${name}`} onKeyDown={leave} onChange={(event) => rename(place, event.currentTarget.value)} />;
}

function Eye({ open }: { open: boolean }) {
  return (
    <svg width={18} height={14} viewBox="0 0 18 14" aria-hidden="true" class="eye">
      <path d="M1 7C3 3.5 5.8 1.8 9 1.8S15 3.5 17 7c-2 3.5-4.8 5.2-8 5.2S3 10.5 1 7Z" />
      {open ? <circle cx={9} cy={7} r={2.6} /> : <path d="M3 13 15 1" />}
    </svg>
  );
}
