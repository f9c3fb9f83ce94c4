// Arithmetic on the counts of a knot: rates, predictive values, costs, and the cheapest knot.
import type { Model } from "./models";

export interface Matrix {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
}

export function matrixAt(model: Model, knot: number): Matrix {
  const tp = model.tp[knot];
  const fp = model.fp[knot];
  return { tp, fp, fn: model.positives - tp, tn: model.negatives - fp };
}

export const sensitivity = (m: Matrix) => m.tp / (m.tp + m.fn);
export const specificity = (m: Matrix) => m.tn / (m.fp + m.tn);

/** Bayes' predictive values at a prevalence; null where nothing is called so. */
export function predictiveValues(sens: number, spec: number, prevalence: number) {
  const hits = prevalence * sens;
  const alarms = (1 - prevalence) * (1 - spec);
  const rejections = (1 - prevalence) * spec;
  const misses = prevalence * (1 - sens);
  return {
    ppv: hits + alarms > 0 ? hits / (hits + alarms) : null,
    npv: rejections + misses > 0 ? rejections / (rejections + misses) : null,
  };
}

/** Cost per case in false alarms, when one miss costs `ratio` of them. */
export function expectedCost(sens: number, spec: number, prevalence: number, ratio: number): number {
  return prevalence * ratio * (1 - sens) + (1 - prevalence) * (1 - spec);
}

export function costAt(model: Model, knot: number, prevalence: number, ratio: number): number {
  const m = matrixAt(model, knot);
  return expectedCost(sensitivity(m), specificity(m), prevalence, ratio);
}

/** The cheapest knot; of several the one with the fewest alarms. */
export function cheapest(model: Model, prevalence: number, ratio: number): number {
  let best = 0;
  let least = Infinity;
  for (let knot = 0; knot < model.tp.length; knot++) {
    const cost = costAt(model, knot, prevalence, ratio);
    if (cost < least) {
      least = cost;
      best = knot;
    }
  }
  return best;
}

const SLACK = 1e-12; // of a rate that meets its target: 1 - 0.8 is not exactly 0.2

/** The knot of the fewest false alarms with at least this sensitivity, then of the most hits. */
export function reachingSensitivity(model: Model, target: number): number {
  const first = model.tp.findIndex((tp) => tp / model.positives >= target - SLACK);
  return model.fp.lastIndexOf(model.fp[first]);
}

/** The knot of the most hits with at least this specificity, then of the fewest false alarms. */
export function reachingSpecificity(model: Model, target: number): number {
  const within = model.fp.filter((fp) => fp / model.negatives <= 1 - target + SLACK);
  return model.tp.indexOf(model.tp[within.length - 1]);
}

/** Whole numbers with a given sum, nearest to the proportions; the largest remainders are rounded up. */
export function largestRemainder(proportions: number[], total: number): number[] {
  const sum = proportions.reduce((a, b) => a + b, 0);
  const exact = proportions.map((proportion) => (proportion / sum) * total);
  const whole = exact.map(Math.floor);
  const left = total - whole.reduce((a, b) => a + b, 0);
  const order = exact.map((value, place) => ({ rest: value - whole[place], place }));
  order.sort((a, b) => b.rest - a.rest || a.place - b.place);
  for (let k = 0; k < left; k++) whole[order[k].place] += 1;
  return whole;
}

/** Of 1,000 cases at a prevalence: tp, fp, fn, tn, exact and as whole numbers. */
export function perThousand(sens: number, spec: number, prevalence: number) {
  const proportions = [
    prevalence * sens,
    (1 - prevalence) * (1 - spec),
    prevalence * (1 - sens),
    (1 - prevalence) * spec,
  ];
  const [tp, fp, fn, tn] = largestRemainder(proportions, 1000);
  return { exact: proportions.map((proportion) => 1000 * proportion), whole: { tp, fp, fn, tn } };
}

/** The knot nearest to a place of the plot; distances are scaled to pixels by the caller. */
export function nearestKnot(
  model: Model,
  x: (fpr: number) => number,
  y: (tpr: number) => number,
  px: number,
  py: number,
): { knot: number; distance: number } {
  let knot = 0;
  let least = Infinity;
  for (let k = 0; k < model.tp.length; k++) {
    const dx = x(model.fp[k] / model.negatives) - px;
    const dy = y(model.tp[k] / model.positives) - py;
    const square = dx * dx + dy * dy;
    if (square < least) {
      least = square;
      knot = k;
    }
  }
  return { knot, distance: Math.sqrt(least) };
}

/** The knot with this threshold, or the last one before it. */
export function knotOfThreshold(model: Model, threshold: number | null): number {
  if (threshold === null) return 0;
  const beyond = model.lower
    ? model.thresholds.findIndex((t) => t > threshold)
    : model.thresholds.findIndex((t) => t < threshold);
  return beyond < 0 ? model.thresholds.length - 1 : Math.max(beyond - 1, 0);
}
