// What the studio shows, and how it follows the server.
import { batch, computed, effect, signal } from "@preact/signals";
import { knotOfThreshold } from "../analysis/counts";
import { theme } from "../page";
import type { Payload, StartState } from "../payload";
import { State } from "../state";
import { language } from "../text/languages";
import * as api from "./api";
import type { Choice, Job, Pin, Problem, Session, View } from "./api";

const POLL = 150; // milliseconds between two looks at a job

export const session = signal<Session | null>(null);
export const state = signal<State | null>(null);
export const problem = signal<Problem | null>(null);
export const job = signal<Job | null>(null);
export const reading = signal(false);
export const pins = signal<Pin[]>([]);
export const tab = signal("curve");
export const columnsOpen = signal(true); // until they are loaded, or when a message is about them
export const form = signal<Choice | null>(null);
export const news = signal(""); // the kind of the last job whose result has not been viewed

export const isEmpty = computed(() => !session.value?.source && !session.value?.payload);
export const running = computed(() => job.value?.state === "running" || job.value?.state === "queued");

/** Restore a saved state. */
export function restore(into: State, from: StartState): void {
  if (into.models.some((model) => model.name === from.model)) into.modelName.value = from.model;
  const knots = { ...into.knots.value };
  for (const model of into.models) {
    if (Object.hasOwn(from.thresholds, model.name)) knots[model.name] = knotOfThreshold(model, from.thresholds[model.name]);
  }
  into.knots.value = knots;
  into.prevalence.value = from.prevalence;
  into.ratio.value = from.cost_ratio;
  into.abstainCost.value = from.abstain_cost;
  if (from.band === "" || into.payload.settings.band_kinds.includes(from.band)) into.band.value = from.band;
  into.theme.value = from.theme;
  into.lookLike(from);
}

export function view(): View | null {
  const chosen = language.value;
  if (state.value) return { state: state.value.snapshot(), pins: pins.value, tab: tab.value, language: chosen };
  return session.value?.payload ? { state: { theme: theme.value }, pins: [], tab: tab.value, language: chosen } : null;
}

/** Call a model otherwise; everything the reader did stays, under the new name. */
export async function rename(place: number, name: string): Promise<void> {
  problem.value = null;
  const before = session.value?.payload;
  const old = before && namesOf(before)[place];
  if (!before || old === undefined || name.trim() === old) return;
  const found = await attempt(() => api.sendName(place, name));
  if (!found?.payload) return;
  const now = namesOf(found.payload)[place];
  const changed = (each: string) => (each === old ? now : each);
  const keys = <T>(record: Record<string, T>) => Object.fromEntries(Object.entries(record).map(([key, value]) => [changed(key), value]));
  const was = state.value?.snapshot();
  batch(() => {
    session.value = found;
    if (!was) return;
    const next = new State(found.payload!);
    restore(next, { ...was, model: changed(was.model), thresholds: keys(was.thresholds), hidden: was.hidden?.map(changed), colors: keys(was.colors ?? {}) });
    pins.value = pins.value.map((pin) => ({ ...pin, model: changed(pin.model) }));
    state.value = next;
  });
}

/** The models in their order, whatever they do. */
export function namesOf(payload: Payload): string[] {
  return (payload.summary?.models ?? payload.models).map((model) => model.name);
}

function firstForm(found: Session): Choice | null {
  const source = found.source;
  if (!source || source.form !== "file") return null;
  const known = found.choice && found.loaded === source.name ? found.choice : source.guess;
  return {
    label: known?.label ?? "",
    task: known?.task ?? "binary",
    order: known?.order ?? [],
    scores: known?.scores ?? [],
    positive: known?.positive ?? null,
    time: known?.time ?? null,
    censored: known?.censored ?? null,
    direction: found.choice?.direction ?? "higher",
    missing: found.choice?.missing ?? "raise",
    weight: found.choice?.weight ?? null,
    group: found.choice?.group ?? null,
  };
}

/** Show what the server has; a reader who is somewhere stays there unless the data is new. */
function show(found: Session, fresh: boolean): void {
  batch(() => {
    const seen = fresh ? (found.view?.state ?? null) : (state.value?.snapshot() ?? null);
    const before = seen && "model" in seen ? (seen as StartState) : null;
    session.value = found;
    if (found.payload && found.payload.task !== "binary") {
      state.value = null;
      pins.value = [];
      if (seen) theme.value = seen.theme;
    } else if (found.payload) {
      const next = new State(found.payload);
      if (before) restore(next, before);
      if (fresh) {
        pins.value = (found.view?.pins ?? []).filter((pin) => next.models.some((model) => model.name === pin.model));
        tab.value = found.view?.tab ?? "curve";
      }
      state.value = next;
    }
  });
}

export async function begin(): Promise<void> {
  const found = await attempt(api.getSession);
  if (!found) return;
  form.value = firstForm(found);
  problem.value = found.error;
  columnsOpen.value = !found.payload;
  show({ ...found, view: remembered(found) ?? found.view }, true);
  if (found.reading && !over(found.reading)) await finishReading(found.reading);
  if (found.job) {
    job.value = found.job;
    if (!over(found.job)) void watch(found.job);
  }
}

const over = (each: Job) => each.state !== "running" && each.state !== "queued";

async function attempt<T>(what: () => Promise<T>): Promise<T | null> {
  try {
    return await what();
  } catch (reason) {
    if (!(reason instanceof api.ServerError)) throw reason;
    problem.value = reason.problem;
    return null;
  }
}

const pause = () => new Promise((done) => setTimeout(done, POLL));

/** Wait for the end of a job, looking at it now and then. */
async function ended(started: Job, tell: (each: Job) => void = () => undefined): Promise<Job | null> {
  let seen: Job | null = started;
  while (seen && !over(seen)) {
    await pause();
    seen = await attempt(() => api.getJob(started.id));
    if (seen) tell(seen);
  }
  return seen;
}

async function finishReading(started: Job): Promise<void> {
  reading.value = true;
  const last = await ended(started);
  const found = last && (await attempt(api.getSession));
  reading.value = false;
  if (!last || !found) return;
  if (started.kind === "inspect" && found.reading && !over(found.reading)) return finishReading(found.reading);
  problem.value = last.state === "failed" ? last.error : found.error;
  if (!form.value) form.value = firstForm(found);
  if (last.state === "done") {
    job.value = found.job;
    news.value = "";
    columnsOpen.value = false;
    show(found, true);
  } else session.value = { ...found, payload: session.value?.payload ?? found.payload };
}

/** Upload a file unless it is too large, then read its columns where the choice is clear. */
export async function takeFile(file: File): Promise<void> {
  problem.value = null;
  const largest = session.value?.largest ?? Infinity;
  if (file.size > largest) {
    problem.value = { field: "file", text: `too-large:${file.name}:${file.size}:${largest}` };
    return;
  }
  reading.value = true;
  const found = await attempt(() => api.sendFile(file));
  reading.value = false;
  if (!found || !session.value) return;
  session.value = { ...session.value, source: found.source, error: found.error };
  columnsOpen.value = true;
  form.value = firstForm({ ...found, choice: null });
  problem.value = found.error;
  if (!found.error && form.value) await applyColumns();
}

export async function applyColumns(): Promise<void> {
  if (form.value) await read(() => api.sendColumns(form.value!));
}

async function read(start: () => Promise<Job>): Promise<void> {
  problem.value = null;
  reading.value = true;
  const started = await attempt(start);
  reading.value = false;
  if (started) await finishReading(started);
}

export async function takeExample(): Promise<void> {
  form.value = null;
  await read(api.loadExample);
}

async function watch(started: Job): Promise<void> {
  const last = await ended(started, (seen) => {
    if (job.value?.id === seen.id && !over(seen)) job.value = seen;
  });
  if (!last || job.value?.id !== last.id) return;
  if (last.state === "done") {
    const found = await attempt(api.getSession);
    if (found) {
      show(found, false);
      if (last.kind === "bands" && state.value) state.value.band.value = found.payload?.state.band ?? "";
      else news.value = last.kind;
    }
  }
  if (last.state === "failed" && last.error) problem.value = { ...last.error, field: "job" };
  job.value = last;
}

export async function startJob(options: Record<string, unknown>): Promise<void> {
  problem.value = null;
  news.value = "";
  const before = job.value;
  job.value = { id: 0, kind: String(options.kind), state: "running", progress: 0, error: null };
  while (reading.value) await pause(); // a job is of the data that are being read
  const prevalence = state.value?.prevalence.value;
  const started = await attempt(() => api.startJob({ ...options, prevalence }));
  if (!started) {
    job.value = before;
    return;
  }
  job.value = { ...started, state: "running" };
  void watch(started);
}

export async function cancelJob(): Promise<void> {
  const current = job.value;
  if (current?.id) await attempt(() => api.cancelJob(current.id));
}

const MEMORY = "rocwise-view"; // of this tab

/** What this tab showed when it was left, if it is about the same data: newer than the server's. */
function remembered(found: Session): View | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(MEMORY) ?? "null") as { id: string; view: View } | null;
    return kept && kept.id === found.payload?.id ? kept.view : null;
  } catch {
    return null;
  }
}

function remember(now: View): void {
  try {
    sessionStorage.setItem(MEMORY, JSON.stringify({ id: session.value?.payload?.id, view: now }));
  } catch {
    // without storage the server's copy must do
  }
}

/** Keep the view on the server a moment after it changed, and at once when the page is left. */
export function keepFollowing(): void {
  let timer = 0;
  let first = true;
  effect(() => {
    const now = view();
    if (!now) return;
    if (first) {
      first = false;
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(() => api.keepView(now), 150) as unknown as number;
  });
  addEventListener("pagehide", () => {
    const now = view();
    if (!now) return;
    remember(now);
    api.keepView(now, true);
  });
}
