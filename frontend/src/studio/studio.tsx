// The studio: the report's cards in tabs, with a file above, pins beside and work below them.
import { useEffect } from "preact/hooks";
import { Controls } from "../cards/controls";
import { Abstention, Costs } from "../cards/costs";
import { Data, Methods } from "../cards/methods";
import { Models } from "../cards/models";
import { OperatingPoint } from "../cards/operating_point";
import { SectionCard } from "../cards/sections";
import { Header } from "../cards/verdict";
import { followTheme } from "../page";
import type { State } from "../state";
import { JobBar } from "./job_bar";
import { PinnedPoints } from "./pins";
import { state, tab } from "./store";
import { words } from "./text";
import { TopBar } from "./top_bar";

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
  return (
    <div class="studio">
      <TopBar />
      <main class="studio-main">
        {now ? <Loaded key={now.payload.hash} state={now} /> : <p class="card empty" data-testid="empty">{words.value.empty}</p>}
      </main>
      <JobBar />
    </div>
  );
}

function Loaded({ state }: { state: State }) {
  useEffect(() => followTheme(state.theme), [state]);
  return (
    <>
      <div class="left-rail"><Controls state={state} /></div>
      <div class="middle">
        <Header payload={state.payload} state={state} />
        <Tabs />
        <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab.value}`} class="panel">
          <Panel state={state} shown={tab.value as Tab} />
        </div>
      </div>
      <div class="right-rail"><PinnedPoints state={state} /></div>
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
  const further = sections.map((section) => <SectionCard key={section.id} section={section} />);
  if (shown === "costs") return <><Costs state={state} />{further}</>;
  if (shown === "abstain") return <><Abstention state={state} />{further}</>;
  if (shown === "compare") return <><Models state={state} />{further}</>;
  if (shown === "uncertainty") {
    return (
      <>
        {further}
        <Methods payload={state.payload} />
        <Data payload={state.payload} state={state} />
      </>
    );
  }
  return <><OperatingPoint state={state} /><Models state={state} /></>;
}
