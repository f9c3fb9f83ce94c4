// Cost curve and abstention.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { bestWindow, hullWeights, surface, type Shown } from "../analysis/abstention";
import { lowerEnvelope } from "../analysis/cost_curves";
import { AbstentionMap, GRID } from "../charts/abstention_map";
import { CostCurve } from "../charts/cost_curve";
import { thresholdText } from "../charts/roc";
import { Surface3d } from "../charts/surface_3d";
import type { State } from "../state";
import { formats, say, strings } from "../text/languages";
import { Card, DataTable, Saved } from "./card";

export function Costs({ state }: { state: State }) {
  const table = () => {
    const points = lowerEnvelope(state.model.value);
    return {
      title: state.model.value.name,
      columns: {
        [strings.value.probabilityCost]: points.map((p) => p.x),
        [strings.value.normalisedCost]: points.map((p) => p.y),
      },
    };
  };
  return (
    <Card id="cost-curve" title={strings.value.costCurve}>
      <Saved name="cost-curve"><CostCurve state={state} /></Saved>
      <p class="hint">{strings.value.costHint}</p>
      <DataTable name="cost-curve" make={table} />
    </Card>
  );
}

export function Abstention({ state }: { state: State }) {
  const shown = useSignal<Shown>("cost");
  const solid = useSignal(false);
  const model = state.model.value;
  const others = state.shown.value.filter((each) => each !== model);
  const compared = useSignal("");
  const other = others.find((each) => each.name === compared.value) ?? others[0] ?? null;
  const kind = shown.value === "difference" && !other ? "cost" : shown.value;
  const prevalence = state.prevalence.value;
  const values = useMemo(() => surface(model, prevalence, kind, other, GRID), [model, prevalence, kind, other]);
  const t = strings.value;
  const titles: Record<Shown, string> = {
    cost: t.mapCost,
    rate: t.mapRate,
    lower: t.mapLower,
    upper: t.mapUpper,
    difference: other ? say("mapDifference", { model: model.name, other: other.name }) : "",
  };
  const diverging = kind === "difference";
  const kinds = (Object.keys(titles) as Shown[]).filter((each) => each !== "difference" || other);
  return (
    <Card id="abstention" title={t.abstention}>
      <WindowSentence state={state} />
      <div class="buttons no-print" role="group" aria-label={t.abstention}>
        {kinds.map((each) => (
          <button key={each} type="button" aria-pressed={each === kind} data-testid={`map-${each}`} onClick={() => (shown.value = each)}>
            {each === "difference" ? t.mapDifferenceShort : titles[each]}
          </button>
        ))}
        {diverging && others.length > 1 && (
          <select aria-label={t.model} value={other?.name} onChange={(event) => (compared.value = event.currentTarget.value)}>
            {others.map((each) => <option key={each.name} value={each.name}>{each.name}</option>)}
          </select>
        )}
        <button type="button" data-testid="abstention-3d" aria-pressed={solid.value} onClick={() => (solid.value = !solid.value)}>{t.show3d}</button>
      </div>
      <div class={solid.value ? "screen-hidden" : ""}>
        <Saved name="abstention">
          <AbstentionMap state={state} surface={values} diverging={diverging} title={titles[kind]} />
        </Saved>
      </div>
      {solid.value && <Surface3d surface={values} diverging={diverging} title={titles[kind]} />}
      <p class="hint">
        {state.ratio.value < 1 && `${t.outside} `}
        {t.neverLine}.
      </p>
    </Card>
  );
}

function WindowSentence({ state }: { state: State }) {
  const f = formats.value;
  const model = state.model.value;
  const ratio = state.ratio.value;
  const hull = useMemo(() => hullWeights(model, state.prevalence.value), [model, state.prevalence.value]);
  const window = bestWindow(hull, 1 / ratio, state.abstainCost.value / ratio);
  const single = bestWindow(hull, 1 / ratio, 1e9);
  if (!(window.rate > 0)) return <p data-testid="window">{strings.value.abstentionNever}</p>;
  const rule = say(model.lower ? "windowLower" : "windowHigher", { high: thresholdText(model, window.high), low: thresholdText(model, window.low) });
  return (
    <p data-testid="window" data-value={window.cost * ratio} data-rate={window.rate}>
      {say("abstentionRule", { model: model.name, rule, rate: f.percent(window.rate), cost: f.digits(window.cost * ratio, 3), single: f.digits(single.cost * ratio, 3) })}
    </p>
  );
}
