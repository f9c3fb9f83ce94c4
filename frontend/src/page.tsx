// The whole page, for a report and for the studio.
import { effect, signal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Appearance, Controls, SettingsSentence } from "./cards/controls";
import { Abstention, Costs } from "./cards/costs";
import { Data, Methods } from "./cards/methods";
import { Histograms } from "./cards/histograms";
import { ModelList } from "./cards/model_list";
import { Models, OtherModels } from "./cards/models";
import { OperatingPoint } from "./cards/operating_point";
import { SectionCards } from "./cards/sections";
import { Header } from "./cards/verdict";
import type { Payload } from "./payload";
import type { State, Theme } from "./state";
import { strings } from "./text/languages";

/** Light or dark, as chosen; nothing is set while the system decides. */
export function followTheme(theme: Signal<Theme>): () => void {
  return effect(() => {
    if (theme.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
}

/** Tables behind headings are part of what is printed. */
export function openForPrint(): void {
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>("details:not(.data-table)")) details.open = true;
  });
}

export function BinaryPage({ state }: { state: State }) {
  const { payload } = state;
  useEffect(() => followTheme(state.theme), [state]);
  return (
    <div class="page">
      <main>
        <div class="top">
          <Header payload={payload} state={state} />
          <SettingsSentence state={state} />
          <Models state={state} />
          <OperatingPoint state={state} />
        </div>
        <div class="rail">
          <Controls state={state}><ModelList state={state} /></Controls>
        </div>
        <div class="rest">
          <Histograms state={state} />
          <Costs state={state} />
          <Abstention state={state} />
          <SectionCards sections={payload.sections} />
          <Methods payload={payload} />
          <Data payload={payload} state={state} />
        </div>
      </main>
    </div>
  );
}

export const theme = signal<Theme>("auto");

/** Several classes, ordered classes, forecasts: words, plots and tables. */
export function SectionsPage({ payload }: { payload: Payload }) {
  useEffect(() => followTheme(theme), []);
  return (
    <div class="page">
      <main>
        <div class="top">
          <Header payload={payload} state={null} />
          <OtherModels payload={payload} />
        </div>
        <div class="rail">
          <aside class="card controls" aria-label={strings.value.controls}>
            <h2>{strings.value.controls}</h2>
            <Appearance state={{ theme }} />
          </aside>
        </div>
        <div class="rest">
          <SectionCards sections={payload.sections} />
          <Methods payload={payload} />
          <Data payload={payload} state={null} />
        </div>
      </main>
    </div>
  );
}
