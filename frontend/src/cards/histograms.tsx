// The scores of both classes, one plot for each model, with the threshold of each.
import { ScoreHistogram } from "../charts/histogram";
import type { State } from "../state";
import { say, strings } from "../text/languages";
import { Card, DataTable, Saved } from "./card";

/** The scores of the chosen model, below its curve. */
export function ChosenHistogram({ state }: { state: State }) {
  const model = state.model.value;
  if (!model.histogram) return null;
  return (
    <>
      <h3>{strings.value.scores}: <span class="name">{model.name}</span></h3>
      <Saved name="scores"><ScoreHistogram key={model.name} state={state} model={model} /></Saved>
    </>
  );
}

export function Histograms({ state }: { state: State }) {
  const models = state.shown.value.filter((model) => model.histogram);
  if (!models.length) return null;
  const table = () => {
    const { edges, pos, neg } = (models.find((model) => model === state.model.value) ?? models[0]).histogram!;
    const t = strings.value;
    const inBin = (what: string) => say("inBin", { what });
    const columns = { [`${t.score} min`]: edges.slice(0, -1), [`${t.score} max`]: edges.slice(1), [inBin(t.positives)]: pos, [inBin(t.negatives)]: neg };
    return { title: (models.includes(state.model.value) ? state.model.value : models[0]).name, columns };
  };
  return (
    <Card id="scores" title={strings.value.scores} testid="scores">
      <div class="plots">
        {models.map((model) => (
          <div key={model.name}>
            <h3 class="name">{model.name}</h3>
            <Saved name={`scores-${model.slot + 1}`}><ScoreHistogram state={state} model={model} /></Saved>
          </div>
        ))}
      </div>
      <DataTable name="scores" make={table} />
    </Card>
  );
}
