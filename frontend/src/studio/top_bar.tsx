// The file, and what can be taken away: the report and the code.
import { signal } from "@preact/signals";
import { matrixAt } from "../analysis/counts";
import { save } from "../downloads";
import * as api from "./api";
import { Columns, LeftOut } from "./columns";
import { FieldError, megabytes } from "./field_error";
import { isEmpty, pins, problem, reading, session, state, takeExample, takeFile, view } from "./store";
import { tell, words } from "./text";

const code = signal("");
const copied = signal(false);
const over = signal(false);

async function attempt(what: () => Promise<void>): Promise<void> {
  try {
    await what();
  } catch (reason) {
    if (!(reason instanceof api.ServerError)) throw reason;
    problem.value = reason.problem;
  }
}

/** Pins with their counts, for the table of the saved report. */
function plainPins() {
  return pins.value.flatMap((pin) => {
    const model = state.value?.models.find((each) => each.name === pin.model);
    if (!model) return [];
    const measures = Object.entries(state.value!.measuresOf(model, pin.knot)).map(([name, { value }]) => [name, value === Infinity ? null : value]);
    return [{ ...pin, threshold: model.texts[pin.knot], ...matrixAt(model, pin.knot), ...Object.fromEntries(measures) }];
  });
}

const saveReport = () =>
  attempt(async () => {
    const now = view();
    if (now) save("report.html", await api.getReport({ ...now, pins: plainPins() }));
  });

const showPython = () =>
  attempt(async () => {
    const now = view();
    if (!now) return;
    code.value = (await api.getPython(now)).code;
    copied.value = await navigator.clipboard.writeText(code.value).then(() => true, () => false);
  });

export function TopBar() {
  const t = words.value;
  const loaded = session.value?.loaded;
  return (
    <header class="card top-bar">
      <div class="bar-line">
        <p class="brand">{t.studio}</p>
        <span class="loaded" data-testid="loaded">{loaded}</span>
        <span class="busy" role="status" data-testid="reading">{reading.value ? t.reading : ""}</span>
        <span class="spring" />
        {!isEmpty.value && <DropZone />}
        {!isEmpty.value && <ExampleButton />}
        <button type="button" data-testid="copy-python" disabled={!session.value?.payload} onClick={() => void showPython()}>{t.python}</button>
        <button type="button" class="main" data-testid="save-report" disabled={!session.value?.payload} onClick={() => void saveReport()}>{t.save}</button>
      </div>
      <FieldError fields={["page"]} />
      <Columns />
      <LeftOut />
      {code.value && (
        <section class="python" aria-label={t.pythonTitle}>
          <div class="bar-line">
            <strong>{t.pythonTitle}</strong>
            <span class="hint" role="status">{copied.value ? t.copied : ""}</span>
            <span class="spring" />
            <button type="button" class="quiet" onClick={() => (code.value = "")}>{t.close}</button>
          </div>
          <pre tabindex={0} data-testid="python-code">{code.value}</pre>
        </section>
      )}
    </header>
  );
}

export function ExampleButton() {
  return <button type="button" data-testid="example" onClick={() => void takeExample()}>{words.value.example}</button>;
}

/** Where a file is dropped or chosen; small where one is there already. */
export function DropZone() {
  const t = words.value;
  const chosen = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void takeFile(file);
    input.value = ""; // the same file may be chosen again after it was mended
  };
  return (
    <div class="field drop-field">
      <label class={`drop${over.value ? " over" : ""}${isEmpty.value ? "" : " compact"}`} data-testid="drop-file">
        <input type="file" class="hidden" accept=".csv,.tsv,.txt,.gz,.zst,.xlsx,.parquet,.pq" onChange={chosen} aria-describedby="drop-hint" />
        <span>{t.drop}</span>
        <span class="hint" id="drop-hint">{tell("dropHint", { size: megabytes(session.value?.largest ?? 0) })}</span>
      </label>
      <FieldError fields={["file"]} />
    </div>
  );
}

/** A file may be dropped anywhere on the page. */
export function catchDrops(): void {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    over.value = true;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) over.value = false;
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    over.value = false;
    const file = event.dataTransfer?.files[0];
    if (file) void takeFile(file);
  });
}
