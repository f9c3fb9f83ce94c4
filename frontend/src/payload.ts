// What the page is given; src/rocwise/reporting/README.md describes it.

export interface Area {
  value: number;
  standard_error: number | null;
  low: number;
  high: number;
  p: number | null; // of the test against 0.5
  level: number;
  method: string;
}

/** Lower and upper limits of a measure at each knot; null is no limit or an infinite one. */
export type KnotLimits = [low: (number | null)[], high: (number | null)[]];

export interface PlainLine {
  x: number[];
  y: number[];
}

export interface PlainBand {
  level: number;
  area: number;
  n_resamples: number | null; // null: none were drawn
  seed: number | null;
  lower: PlainLine;
  upper: PlainLine;
}

export interface Histogram {
  edges: number[];
  pos: number[];
  neg: number[];
}

export interface PlainModel {
  name: string;
  direction: "higher" | "lower";
  categories: string[];
  n_pos: number;
  n_neg: number;
  effective: [n_pos: number, n_neg: number]; // sample sizes
  auc: Area;
  knots: { threshold: (number | string | null)[]; tp: number[]; fp: number[] };
  limits: Record<string, KnotLimits> | null; // of clusters
  path: PlainLine;
  bands: Record<string, PlainBand>;
  histogram: Histogram | null;
  start: number;
}

export interface PairRow {
  a: string;
  b: string;
  difference: number;
  low: number | null;
  high: number | null;
  p: number;
}

export interface Comparison {
  method: string;
  adjusted: string | null;
  simultaneous: boolean;
  joint: { p: number } | null;
  rows: PairRow[];
}

export interface Layer {
  kind: "line" | "band" | "points" | "whiskers" | "label" | "mesh" | "cells";
  label: string | null;
  slot: number;
  color: string | null;
  muted: boolean;
  [key: string]: unknown;
}

export interface Axis {
  title: string;
  limits: [number, number];
  scale: "linear" | "log" | "probit";
  ticks: { position: number; text: string }[] | null;
}

export interface PlotSpec {
  layers: Layer[];
  x: Axis;
  y: Axis;
  title: string | null;
  caption: string[];
  square: boolean;
  right_ticks: { position: number; text: string }[];
  rows: number | null;
  projection: "plane" | "3d";
  bare?: boolean; // no graph: no grid and no frame
}

export interface PlainTable {
  title: string;
  columns: Record<string, (number | string | null)[]>;
}

export interface Section {
  id: string;
  title: string;
  text: string;
  plots: PlotSpec[];
  tables: PlainTable[];
  steps?: string[]; // times: each has as many of the plots and tables; one time is shown
}

export interface Note {
  code: string;
  n?: number;
  model?: string;
  tied?: number;
  how?: string;
}

/** Results of models for other tasks than two classes. */
export interface Summary {
  quantity: string;
  better: "higher" | "lower";
  models: { name: string; value: number; low: number | null; high: number | null; method: string | null }[];
  comparison: Comparison | null;
  n: number;
  classes?: string[];
  chance?: number;
}

export interface StartState {
  model: string;
  thresholds: Record<string, number | null>;
  prevalence: number;
  cost_ratio: number;
  abstain_cost: number;
  band: string;
  theme: "auto" | "light" | "dark";
  hidden?: string[];
  colors?: Record<string, number>; // places in the palette
}

export interface Payload {
  kind: string;
  schema: number;
  rocwise: string;
  mode: "report" | "studio";
  task: "binary" | "multiclass" | "ordinal" | "regression" | "readers" | "survival";
  title: string | null;
  created: string;
  versions: Record<string, string>;
  id?: string; // of the data that a studio shows
  language: string | null;
  notes: Note[];
  omitted: { section: string; model: string; why: string }[];
  sections: Section[];
  methods: { references: string[] };
  summary?: Summary; // of the other tasks
  // of task "binary"
  cases: { n_pos: number; n_neg: number; prevalence: number; rows: number | null; clusters: number | null; weighted: boolean; paired: boolean };
  models: PlainModel[];
  comparison: Comparison | null;
  settings: {
    level: number;
    seed: number | null;
    n_resamples: number;
    limit_resamples: number; // of clusters
    min_cell: number;
    max_knots: number | null;
    band_kinds: string[];
  };
  state: StartState;
}

/** The payload that lies in the page. */
export function embedded(id = "rocwise-data"): Payload {
  const element = document.getElementById(id);
  return JSON.parse(element?.textContent ?? "{}") as Payload;
}
