// The paragraph for a paper, and what the report is made of.
import { useSignal } from "@preact/signals";
import type { Comparison, Payload } from "../payload";
import { saveJson } from "../downloads";
import type { State } from "../state";
import { formats, language, say, strings } from "../text/languages";
import { term } from "../text/terms";
import { Card } from "./card";
import { methodNames } from "./models";
import { bandName } from "./operating_point";

/** Which cases these are: how many rows, of which weights, in how many clusters; or those of each model. */
export function sampleOf({ cases, models }: Payload): string {
  const f = formats.value;
  const { rows, weighted, clusters, paired } = cases;
  const counts = ({ n_pos, n_neg }: { n_pos: number; n_neg: number }) => ({ rows: f.count(rows ?? 0), n: f.count(n_pos + n_neg), pos: f.count(n_pos), neg: f.count(n_neg) });
  if (!paired && models.length > 1 && !weighted && clusters === null) return models.map((model) => `${model.name}: ${say("methodsCases", counts(model))}`).join("; ");
  const sample = say(weighted ? "methodsWeighted" : "methodsCases", counts(cases));
  return clusters === null ? sample : say("methodsClusters", { sample, n: f.count(clusters) });
}

/** How many rows, or readings of a reader study. */
export function rowsOf({ task, summary }: Payload): string {
  return say(task === "readers" ? "subtitleReadings" : "subtitleRows", { n: formats.value.count(summary!.n) });
}

export function methodsText(payload: Payload): string {
  const f = formats.value;
  if (payload.summary) return otherMethods(payload);
  const { cases, comparison, models, settings } = payload;
  const counted = say("ratesCounted") + (cases.weighted ? say("ratesWeighted") : "");
  const resampled = say("ratesClustered", { seed: settings.seed ?? "", n: f.count(settings.limit_resamples) });
  return say("methodsText", {
    software: software(payload),
    sample: sampleOf(payload),
    level: f.level(settings.level),
    aucMethod: methodNames(models.map(({ name, auc }) => ({ name, method: auc.method }))),
    rates: cases.clusters === null ? counted : models.every((model) => model.limits) ? resampled : "",
    compared: compared(payload, comparison),
    bands: bandsText(payload),
  });
}

/** How each band was computed, with one sentence for those of the same resamples. */
function bandsText({ cases, models, settings }: Payload): string {
  const kinds = new Map<string, string[]>();
  for (const kind of settings.band_kinds) {
    const band = models.find((model) => kind in model.bands)?.bands[kind];
    if (!band) continue;
    const resampled = cases.clusters === null ? "methodsResampled" : "methodsResampledClusters";
    const how = band.n_resamples === null ? strings.value.methodsExact : say(resampled, { n: formats.value.count(band.n_resamples), seed: band.seed ?? "" });
    kinds.set(how, [...(kinds.get(how) ?? []), bandName(kind)]);
  }
  return [...kinds].map(([how, names]) => say("methodsBands", { kinds: names.join(", "), how })).join("");
}

function software({ rocwise, versions }: Payload): string {
  const others = Object.entries(versions).map((each) => each.join(" "));
  return `rocwise ${rocwise} (${others.join(", ")})`;
}

function otherMethods(payload: Payload): string {
  const f = formats.value;
  const { summary, settings } = payload;
  const { quantity, models, comparison } = summary!;
  return say("methodsOther", {
    software: software(payload),
    sample: rowsOf(payload),
    quantity,
    level: f.level(settings.level),
    method: methodNames(models),
    compared: compared(payload, comparison),
    seed: settings.seed === null ? "" : say("methodsSeed", { seed: settings.seed }),
  });
}

function compared({ task }: Payload, comparison: Comparison | null): string {
  if (!comparison) return "";
  const adjusted = comparison.simultaneous ? strings.value.methodsHolmBonferroni : strings.value.methodsHolm;
  return say(task === "readers" ? "methodsModalities" : "methodsCompared", { method: term(comparison.method), holm: comparison.adjusted ? adjusted : "" });
}

export function Methods({ payload }: { payload: Payload }) {
  const copied = useSignal(false);
  const text = methodsText(payload);
  const references = payload.methods.references;
  const copy = async () => {
    const all = [text, "", ...references.map((each, k) => `${k + 1}. ${each}.`)].join("\n");
    copied.value = await copyText(all);
  };
  return (
    <Card id="methods" title={strings.value.methods} testid="methods">
      <p>{text}</p>
      {references.length > 0 && (
        <>
          <h3>{strings.value.references}</h3>
          <ol class="references" lang="en">
            {references.map((each) => <li key={each}>{each}.</li>)}
          </ol>
        </>
      )}
      <div class="buttons no-print">
        <button type="button" data-testid="copy-methods" onClick={copy}>{copied.value ? strings.value.copied : strings.value.copy}</button>
      </div>
    </Card>
  );
}

/** Pages opened from a file have no clipboard of the newer kind. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

export function Data({ payload, state }: { payload: Payload; state: State | null }) {
  const f = formats.value;
  const knots = Math.max(0, ...(state?.models ?? []).map((model) => model.tp.length));
  return (
    <Card id="data" title={strings.value.data}>
      <div class="buttons no-print">
        <button type="button" data-testid="download-json" onClick={() => saveJson(state ? { ...payload, state: state.snapshot() } : payload, "report")}>{strings.value.jsonAll}</button>
      </div>
      {payload.omitted.length > 0 && (
        <details>
          <summary>{strings.value.omitted}</summary>
          <ul lang="en">
            {payload.omitted.map((each, k) => (
              <li key={k}>{each.section}{each.model && `, ${each.model}`}: {f.sentence(each.why)}</li>
            ))}
          </ul>
          {language.value !== "en" && <p class="hint">{strings.value.englishParts}</p>}
        </details>
      )}
      <details open>
        <summary>{strings.value.about}</summary>
        <p>
          {say("aboutText", { date: f.date(payload.created), software: software(payload) })}{" "}
          {state && say("aboutKnots", { knots: f.count(knots) })}{" "}
          {state && payload.settings.min_cell === 1 && strings.value.aboutSingle}
        </p>
      </details>
    </Card>
  );
}
