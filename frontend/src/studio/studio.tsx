// The studio: the report's cards in tabs, with the file above, pins at the side and jobs below them.
import { useEffect } from "preact/hooks";
import { Appearance, Controls } from "../cards/controls";
import { Abstention, Costs } from "../cards/costs";
import { Data, Methods } from "../cards/methods";
import { ChosenHistogram, Histograms } from "../cards/histograms";
import { ModelList, NameField } from "../cards/model_list";
import { Models, OtherModels } from "../cards/models";
import { Card } from "../cards/card";
import { OperatingPoint } from "../cards/operating_point";
import { SectionCards } from "../cards/sections";
import { Header } from "../cards/verdict";
import { followTheme, theme } from "../page";
import type { Payload } from "../payload";
import type { State } from "../state";
import { strings } from "../text/languages";
import { FieldError } from "./field_error";
import { JobBar } from "./job_bar";
import { PinnedPoints } from "./pins";
import { isEmpty, namesOf, rename, running, session, startJob, state, tab } from "./store";
import { words } from "./text";
import { DropZone, ExampleButton, TopBar } from "./top_bar";

const THRESHOLD = "threshold-uncertainty";
const TABS = ["curve", "costs", "abstain", "compare", "uncertainty"] as const;
type Tab = (typeof TABS)[number];
const PLACE: Record<string, Tab> = {
  "decision-curve": "costs",
  "abstention-surface": "abstain",
  "test-permutation-monte-carlo": "compare",
  "test-venkatraman": "compare",
  "precision-recall": "compare",
  "smooth-roc": "compare",
};

export function Studio() {
  const now = state.value;
  const payload = session.value?.payload;
  const other = payload && payload.task !== "binary" ? payload : null;
  return (
    <div class="studio">
      {now && <a class="skip" href="#roc" data-testid="skip" onClick={toPoint}>{words.value.skip}</a>}
      <TopBar />
      <main class="studio-main">
        {now ? <Loaded key={now.payload.id} state={now} /> : other ? <OtherLoaded key={other.id} payload={other} /> : isEmpty.value && <Start />}
      </main>
      <JobBar />
    </div>
  );
}

function toPoint(event: Event): void {
  event.preventDefault();
  tab.value = "curve";
  requestAnimationFrame(() => document.querySelector<SVGElement>("[data-testid=operating-point]")?.focus());
}

/** What the studio does, where a file is dropped, and the example. */
function Start() {
  const t = words.value;
  return (
    <section class="card empty" data-testid="empty">
      <h1>{t.startTitle}</h1>
      <p>{t.startText}</p>
      <DropZone />
      <p class="hint">{t.startExample} <ExampleButton /></p>
    </section>
  );
}

function Loaded({ state }: { state: State }) {
  useEffect(() => followTheme(state.theme), [state]);
  return (
    <>
      <div class="middle">
        <Header payload={state.payload} state={state} />
        <Tabs />
        <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab.value}`} class="panel">
          <Panel state={state} shown={tab.value as Tab} />
        </div>
      </div>
      <div class="left-rail">
        <Controls state={state}>
          <ModelList state={state} rename={(place, name) => void rename(place, name)} />
          <FieldError fields={["names"]} />
        </Controls>
      </div>
      <div class="right-rail"><PinnedPoints state={state} /></div>
    </>
  );
}

/** Several classes, ordered classes, forecasts: the report's cards, and names that can be changed. */
function OtherLoaded({ payload }: { payload: Payload }) {
  useEffect(() => followTheme(theme), []);
  return (
    <>
      <div class="left-rail">
        <aside class="card controls" aria-label={strings.value.controls}>
          <h2>{strings.value.controls}</h2>
          <fieldset class="model-list">
            <legend>{strings.value.models}</legend>
            {namesOf(payload).map((name, place) => <div key={place} class="model-row"><NameField name={name} place={place} rename={(k, to) => void rename(k, to)} /></div>)}
          </fieldset>
          <FieldError fields={["names"]} />
          <Appearance state={{ theme }} />
        </aside>
      </div>
      <div class="middle wide-middle">
        <Header payload={payload} state={null} />
        <OtherModels payload={payload} />
        <div class="rest">
          <SectionCards sections={payload.sections} />
          <Methods payload={payload} />
          <Data payload={payload} state={null} />
        </div>
      </div>
    </>
  );
}

function Tabs() {
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const place = (TABS.indexOf(tab.value as Tab) + step + TABS.length) % TABS.length;
    tab.value = TABS[place];
    document.getElementById(`tab-${TABS[place]}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={words.value.studio} onKeyDown={move}>
      {TABS.map((each) => (
        <button key={each} type="button" role="tab" id={`tab-${each}`} data-testid={`tab-${each}`} aria-selected={tab.value === each} aria-controls="tab-panel" tabindex={tab.value === each ? 0 : -1} onClick={() => (tab.value = each)}>
          {words.value[each]}
        </button>
      ))}
    </div>
  );
}

function Panel({ state, shown }: { state: State; shown: Tab }) {
  const sections = state.payload.sections.filter((section) => (PLACE[section.id] ?? "uncertainty") === shown);
  const chosen = sections.findIndex((section) => section.id === THRESHOLD); // the first of its tab
  if (chosen > 0) sections.unshift(...sections.splice(chosen, 1));
  const further = <SectionCards sections={sections} />;
  if (shown === "costs") return <><Costs state={state} />{further}</>;
  if (shown === "abstain") return <><Abstention state={state} />{further}</>;
  if (shown === "compare") return <><Models state={state} /><Histograms state={state} />{further}</>;
  if (shown === "uncertainty") {
    return (
      <>
        {chosen < 0 && (
          <Card id={THRESHOLD} title={strings.value[THRESHOLD]}>
            <p>{words.value.thresholdHint}</p>
            <button type="button" class="main" data-testid="compute-threshold" disabled={running.value} onClick={() => void startJob({ kind: "threshold", resamples: 1000, seed: 0 })}>{words.value.work}</button>
          </Card>
        )}
        {further}
        <Methods payload={state.payload} />
        <Data payload={state.payload} state={state} />
      </>
    );
  }
  return <><OperatingPoint state={state} below={<ChosenHistogram state={state} />} /><Models state={state} /></>;
}
