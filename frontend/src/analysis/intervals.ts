// Intervals of what is read off at a knot: Wilson's for shares, on a log scale for ratios.
import type { Matrix } from "./counts";

export type Limits = [number, number];

/** The standard normal quantile, by Acklam's rational approximation (relative error below 2e-9). */
export function normalQuantile(p: number): number {
  const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
  const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
  const horner = (k: number[], x: number) => k.reduce((sum, each) => sum * x + each, 0);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return horner(c, q) / (horner(d, q) * q + 1);
  }
  if (p > 1 - 0.02425) return -normalQuantile(1 - p);
  const q = p - 0.5;
  return (horner(a, q * q) * q) / (horner(b, q * q) * q * q + 1);
}

export const criticalValue = (level: number) => normalQuantile((1 + level) / 2);

/** Wilson's score limits of k among n. */
export function wilson(k: number, n: number, level: number): Limits {
  const z = criticalValue(level);
  const share = k / n;
  const scale = 1 + (z * z) / n;
  const middle = (share + (z * z) / (2 * n)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / scale;
  return [k === 0 ? 0 : middle - half, k === n ? 1 : middle + half];
}

export interface Ratio {
  value: number | null;
  limits: Limits | null;
}

/**
 * A ratio of two shares with limits on a log scale (Simel and others, 1991). With an empty cell the
 * limits come from counts to each of which one half was added.
 */
export function ratioOfShares(k1: number, n1: number, k2: number, n2: number, level: number): Ratio {
  const value = k2 > 0 ? k1 / n1 / (k2 / n2) : k1 > 0 ? Infinity : null;
  const add = k1 === 0 || k2 === 0 || k1 === n1 || k2 === n2 ? 0.5 : 0;
  const [a, b, m, n] = [k1 + add, k2 + add, n1 + 2 * add, n2 + 2 * add];
  const centre = Math.log(a / m / (b / n));
  const half = criticalValue(level) * Math.sqrt(1 / a - 1 / m + 1 / b - 1 / n);
  const limits: Limits = [Math.exp(centre - half), Math.exp(centre + half)];
  if (k1 === 0) limits[0] = 0;
  if (k2 === 0) limits[1] = Infinity;
  return { value, limits };
}

export function likelihoodRatios(m: Matrix, level: number) {
  const positives = m.tp + m.fn;
  const negatives = m.fp + m.tn;
  return {
    positive: ratioOfShares(m.tp, positives, m.fp, negatives, level),
    negative: ratioOfShares(m.fn, positives, m.tn, negatives, level),
  };
}

/** Limits of a predictive value at a known prevalence: Bayes' rule applied to those of the ratio. */
export function predictiveLimits(odds: number, ratio: Ratio): Limits | null {
  if (!ratio.limits) return null;
  const share = (r: number) => (r === Infinity ? 1 : (odds * r) / (1 + odds * r));
  return [share(ratio.limits[0]), share(ratio.limits[1])];
}
