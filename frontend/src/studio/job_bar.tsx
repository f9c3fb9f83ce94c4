// Work that takes a while: what, how much, how far.
import { signal } from "@preact/signals";
import { bandName } from "../cards/operating_point";
import { formats, strings } from "../text/languages";
import { FieldError, isWrong } from "./field_error";
import { cancelJob, job, news, running, session, startJob, state, tab } from "./store";
import { tell, words } from "./text";

const KINDS = ["bands", "threshold", "intervals", "permutation", "venkatraman", "surface", "containment"] as const;
type Kind = (typeof KINDS)[number];
const PLACE: Record<Kind, string> = { bands: "curve", threshold: "uncertainty", intervals: "uncertainty", permutation: "compare", venkatraman: "compare", surface: "abstain", containment: "uncertainty" };
const SECTION = { threshold: "threshold-uncertainty", intervals: "auc-intervals", permutation: "test-permutation-monte-carlo", venkatraman: "test-venkatraman", surface: "abstention-surface", containment: "band-containment" } as const;
const PAIRED: Kind[] = ["permutation", "venkatraman"];

/** The name of a job: the title of its section. */
function titleOf(each: Kind): string {
  return each === "bands" ? words.value.bands : strings.value[SECTION[each]];
}

const kind = signal<Kind>("bands");
const band = signal("simultaneous");
const resamples = signal(400);
const seed = signal(0);

export function JobBar() {
  const t = words.value;
  const several = (state.value?.models.length ?? 0) > 1;
  const start = (event: Event) => {
    event.preventDefault();
    void startJob({ kind: kind.value, band: band.value, resamples: resamples.value, seed: seed.value });
  };
  const number = (target: typeof resamples) => (event: Event) => (target.value = Number((event.currentTarget as HTMLInputElement).value));
  return (
    <form class="job-bar" hidden={!session.value?.payload} aria-label={t.work} onSubmit={start} noValidate>
      <label>
        {t.work}
        <select data-testid="job-kind" value={kind.value} onChange={(event) => (kind.value = event.currentTarget.value as Kind)}>
          {KINDS.map((each) => <option key={each} value={each} disabled={PAIRED.includes(each) && !several}>{titleOf(each)}</option>)}
        </select>
      </label>
      {(kind.value === "bands" || kind.value === "containment") && (
        <label>
          {t.band}
          <select data-testid="job-band" value={band.value} onChange={(event) => (band.value = event.currentTarget.value)}>
            {(session.value?.bands ?? ["simultaneous"]).map((each) => <option key={each} value={each}>{bandName(each)}</option>)}
          </select>
        </label>
      )}
      <label class="short">
        {t.resamples}
        <input type="number" step="any" min={1} data-testid="job-resamples" data-value={resamples.value} value={resamples.value} aria-invalid={isWrong("resamples")} onInput={number(resamples)} />
      </label>
      <label class="short">
        {t.seed}
        <input type="number" step="any" min={0} data-testid="job-seed" data-value={seed.value} value={seed.value} aria-invalid={isWrong("seed")} onInput={number(seed)} />
      </label>
      <button type="submit" class="main" data-testid="job-start" disabled={!state.value || running.value}>{t.start}</button>
      <button type="button" data-testid="job-cancel" disabled={!running.value || !job.value?.id} onClick={() => void cancelJob()}>{t.cancel}</button>
      <Progress />
      {session.value?.payload && !state.value && <p class="hint">{t.twoClasses}</p>}
      <FieldError fields={["job", "resamples", "seed"]} />
    </form>
  );
}

function Progress() {
  const t = words.value;
  const now = job.value;
  const shown = now ? (now.state === "queued" ? "running" : now.state) : "idle";
  const fraction = now?.progress ?? 0;
  const what = now ? titleOf(now.kind as Kind) : "";
  const text = now ? tell(shown as "running", { what, fraction: formats.value.percent(fraction, 0) }) : t.idle;
  return (
    <div class="progress-holder">
      <div
        class="progress"
        role="progressbar"
        data-testid="job-progress"
        data-state={shown}
        data-value={fraction}
        aria-label={what || t.work}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * fraction)}
        aria-valuetext={text}
      >
        <div class="progress-done" style={{ width: `${100 * fraction}%` }} />
      </div>
      <span class="hint">{text}</span>
      {news.value && tab.value !== PLACE[news.value as Kind] && (
        <button type="button" class="quiet" data-testid="job-look" onClick={() => (tab.value = PLACE[news.value as Kind])}>{t.look}</button>
      )}
    </div>
  );
}
