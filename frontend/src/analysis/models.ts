// A model as the page works with it: knots with their counts, and the vertices of the hull.
import type { Area, Histogram, KnotLimits, PlainBand, PlainLine, PlainModel } from "../payload";

export interface Model {
  name: string;
  slot: number;
  lower: boolean; // lower scores mean positive
  positives: number;
  negatives: number;
  effective: [n_pos: number, n_neg: number];
  limits: Record<string, KnotLimits> | null;
  auc: Area;
  thresholds: number[];
  texts: string[]; // the thresholds as they are printed, with a decimal point
  tp: number[];
  fp: number[];
  hull: number[]; // places of the hull's vertices among the knots
  path: PlainLine;
  bands: Record<string, PlainBand>;
  histogram: Histogram | null;
  categories: string[];
  start: number;
}

export function modelOf(plain: PlainModel, slot: number): Model {
  const tp = summed(plain.knots.tp, plain.n_pos);
  const fp = summed(plain.knots.fp, plain.n_neg);
  const far = plain.direction === "lower" ? -Infinity : Infinity;
  const thresholds = plain.knots.threshold.map((t) => (t === null ? far : Number(t)));
  const texts = plain.knots.threshold.map((t) =>
    t === null ? String(far) : plain.categories.length ? plain.categories[Number(t)] : String(t),
  );
  return {
    name: plain.name,
    slot,
    lower: plain.direction === "lower",
    positives: plain.n_pos,
    negatives: plain.n_neg,
    effective: plain.effective,
    limits: plain.limits,
    auc: plain.auc,
    thresholds,
    texts,
    tp,
    fp,
    hull: hullPlaces(fp, tp),
    path: plain.path,
    bands: plain.bands,
    histogram: plain.histogram,
    categories: plain.categories,
    start: plain.start,
  };
}

/** Sums from the first on; of weights, rounding must not keep the last one from the total. */
export function summed(steps: number[], total: number): number[] {
  let sum = 0;
  return steps.map((step) => (Math.abs((sum += step) - total) < 1e-11 * total ? total : sum));
}

/** Places of the corners of the least concave curve above the points; x and y both rise. */
export function hullPlaces(x: number[], y: number[]): number[] {
  const chain: number[] = [];
  for (let place = 0; place < x.length; place++) {
    while (chain.length >= 2) {
      const a = chain[chain.length - 2];
      const b = chain[chain.length - 1];
      if ((y[b] - y[a]) * (x[place] - x[b]) > (y[place] - y[b]) * (x[b] - x[a])) break;
      chain.pop();
    }
    chain.push(place);
  }
  return chain;
}
