// Requests to the server.
import type { Payload, StartState } from "../payload";

export interface Problem {
  field: string;
  text: string;
}

export interface Column {
  name: string;
  kind: "numbers" | "text";
  distinct: number;
  values: string[];
  task: Task; // of such a label
  unfit: Reason | null; // why it is not chosen as scores
}

export type Reason = "constant" | "identifier" | "role" | "outcome" | "many" | "text" | "unnamed";

export type Task = "binary" | "multiclass" | "ordinal" | "regression" | "survival";

export interface Choice {
  label: string;
  task: Task;
  order: string[]; // of ordered classes, the lowest first
  scores: string[];
  positive: string | null;
  direction: "higher" | "lower";
  missing: "raise" | "drop";
  weight: string | null;
  group: string | null;
  time?: string | null; // of censored outcomes, whose label is the event
  censored?: string | null; // the code of rows without an event
}

export interface Source {
  form: "file" | "example" | "kept";
  name: string;
  size: number | null;
  columns: Column[];
  guess: (Partial<Choice> & { error: Problem | null; left_out?: { name: string; why: Reason }[] }) | null;
}

export interface Job {
  id: number;
  kind: string;
  state: "queued" | "running" | "done" | "cancelled" | "failed";
  progress: number;
  error: Problem | null;
}

export interface Pin {
  pin: string;
  model: string;
  knot: number;
}

export interface View {
  state: StartState | { theme: StartState["theme"] };
  pins: Pin[];
  tab: string;
  language?: string;
}

export interface Session {
  source: Source | null;
  loaded: string | null;
  choice: Choice | null;
  payload: Payload | null;
  view: View | null;
  error: Problem | null;
  revision: number;
  job: Job | null;
  reading: Job | null;
  largest: number;
  bands: string[];
}

/** An error that the server returned, with the field that it is about. */
export class ServerError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.text);
  }
}

const TOKEN = "rocwise-token"; // in the storage of this tab and port, which no other server receives
let token = "";

const tokenOf = ({ hash }: Location) => hash.match(/^#([\w-]{32})$/)?.[1];

/** The token of the address, where the browser sends it to no server; later that of this tab. */
export function takeToken(): void {
  const given = tokenOf(location);
  try {
    if (given) sessionStorage.setItem(TOKEN, given);
    token = given ?? sessionStorage.getItem(TOKEN) ?? "";
  } catch {
    token = given ?? ""; // without storage until the page is loaded again
  }
  history.replaceState(null, "", "/");
  addEventListener("hashchange", () => tokenOf(location) && location.reload()); // of another studio
}

const withToken = (init: RequestInit): RequestInit => ({
  ...init,
  credentials: "omit",
  headers: { ...init.headers, "X-Rocwise-Token": token },
});

async function checked(response: Response, field: string): Promise<Response> {
  if (response.ok) return response;
  if (response.status === 403) throw new ServerError({ field, text: "no-token" });
  let problem: Problem = { field, text: `${response.status} ${response.statusText}` };
  const text = await response.text();
  try {
    problem = (JSON.parse(text) as { error: Problem }).error ?? problem;
  } catch {
    if (text) problem = { field, text };
  }
  throw new ServerError(problem);
}

async function request(path: string, init: RequestInit, field: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, withToken(init));
  } catch {
    throw new ServerError({ field, text: "no-server" });
  }
  return checked(response, field);
}

const sent = (body: unknown): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json" },
});

async function json<T>(path: string, init: RequestInit, field: string): Promise<T> {
  return (await (await request(path, init, field)).json()) as T;
}

export const getSession = () => json<Session>("/api/session", {}, "file");
export const sendFile = (file: File) =>
  json<Session>(`/api/file?name=${encodeURIComponent(file.name)}`, { method: "PUT", body: file }, "file");
export const sendColumns = (choice: Choice) => json<Job>("/api/columns", sent(choice), "columns");
export const loadExample = () => json<Job>("/api/example", sent({}), "file");
export const sendName = (place: number, name: string) => json<Session>("/api/names", sent({ place, name }), "names");
export const startJob = (options: Record<string, unknown>) => json<Job>("/api/jobs", sent(options), "job");
export const getJob = (id: number) => json<Job>(`/api/jobs/${id}`, {}, "job");
export const cancelJob = (id: number) => json<Job>(`/api/jobs/${id}`, { method: "DELETE" }, "job");
export const getPython = (view: View) => json<{ code: string }>("/api/python", sent(view), "page");
export const getReport = async (view: unknown) => (await request("/api/report", sent(view), "page")).blob();

/** Where the reader is, for a page that is loaded again; also while this one is being left. */
export function keepView(view: View, leaving = false): void {
  const body = JSON.stringify(view);
  // no beacon: it would come without the token
  void fetch("/api/view", withToken({ method: "PUT", body, keepalive: leaving })).catch(() => undefined);
}
