// The measures at a knot with the intervals of the library's `at` for a fixed threshold.
import { matrixAt, predictiveValues, sensitivity, specificity } from "./counts";
import type { Model } from "./models";

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

/** Wilson's score interval of a proportion of n. */
export function wilson(proportion: number, n: number, z: number): Limits {
  const scale = 1 + (z * z) / n;
  const middle = (proportion + (z * z) / (2 * n)) / scale;
  const half = (z * Math.sqrt((proportion * (1 - proportion)) / n + (z * z) / (4 * n * n))) / scale;
  return [proportion === 0 ? 0 : middle - half, proportion === 1 ? 1 : middle + half];
}

const logit = (proportion: number) => Math.log(proportion / (1 - proportion));
const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/**
 * Logit limits of the predictive value of a class with a given prevalence (Mercaldo, Lau and Zhou
 * 2007): `hit` is the proportion of its n1 cases that are classified correctly, `rejected` that of the n0 others.
 */
export function predictiveLimits(hit: number, rejected: number, prevalence: number, n1: number, n0: number, z: number): Limits {
  const empty = Math.min(hit, 1 - hit, rejected, 1 - rejected) === 0;
  const add = empty ? (z * z) / 2 : 0;
  const [m1, m0] = [n1 + 2 * add, n0 + 2 * add];
  const [x, y] = [(hit * n1 + add) / m1, (rejected * n0 + add) / m0];
  const center = Math.log(x / (1 - y)) + logit(prevalence);
  const reach = z * Math.sqrt((1 - x) / (x * m1) + y / ((1 - y) * m0));
  return [logistic(center - reach), logistic(center + reach)];
}

/** Limits of a ratio of two proportions on a log scale (Simel, Samsa and Matchar 1991). */
export function ratioLimits(top: number, bottom: number, n1: number, n0: number, z: number): Limits {
  const add = Math.min(top * n1, (1 - top) * n1, bottom * n0, (1 - bottom) * n0) < 0.5 ? 0.5 : 0;
  const [m1, m0] = [n1 + 2 * add, n0 + 2 * add];
  const [x, y] = [(top * n1 + add) / m1, (bottom * n0 + add) / m0];
  const reach = z * Math.sqrt((1 - x) / (x * m1) + (1 - y) / (y * m0));
  return [top === 0 ? 0 : (x / y) * Math.exp(-reach), bottom === 0 ? Infinity : (x / y) * Math.exp(reach)];
}

export const MEASURES = ["sensitivity", "specificity", "ppv", "npv", "lr_positive", "lr_negative"] as const;

export interface Measure {
  value: number | null; // null where it is not defined
  limits: Limits | null;
}

export type Measures = Record<(typeof MEASURES)[number], Measure>;

/** The measures of a model at a knot; `design`: clusters of its cases. */
export function measuresAt(model: Model, knot: number, prevalence: number, level: number, design: { clusters: number | null }): Measures {
  const m = matrixAt(model, knot);
  const [sens, spec] = [sensitivity(m), specificity(m)];
  const own = model.positives / (model.positives + model.negatives);
  const ratio = (top: number, bottom: number) => (bottom > 0 ? top / bottom : top > 0 ? Infinity : null);
  const values = { sensitivity: sens, specificity: spec, ...predictiveValues(sens, spec, prevalence), lr_positive: ratio(sens, 1 - spec), lr_negative: ratio(1 - sens, spec) };
  const z = criticalValue(level);
  const [n1, n0] = model.effective;
  const counted = prevalence === own;
  const [w1, w0] = [model.positives / n1, model.negatives / n0]; // weights of effective cases
  const predictive = (hits: number, misses: number, worth: number, other: number): Limits =>
    wilson(hits / (hits + misses), (hits + misses) ** 2 / (worth * misses + other * hits), z);
  const limits: Record<string, () => Limits> = {
    sensitivity: () => wilson(sens, n1, z),
    specificity: () => wilson(spec, n0, z),
    ppv: () => (counted ? predictive(m.tp, m.fp, w1, w0) : predictiveLimits(sens, spec, prevalence, n1, n0, z)),
    npv: () => (counted ? predictive(m.tn, m.fn, w0, w1) : predictiveLimits(spec, sens, 1 - prevalence, n0, n1, z)),
    lr_positive: () => ratioLimits(sens, 1 - spec, n1, n0, z),
    lr_negative: () => ratioLimits(1 - sens, spec, n1, n0, z),
  };
  const resampled = (name: string): Limits | null => {
    if (!model.limits) return null;
    const sign = prevalence === own ? 0 : name === "ppv" ? 1 : name === "npv" ? -1 : 0;
    const [low, high] = model.limits[sign ? `${name}_given` : name].map((each) => each[knot] ?? Infinity);
    const shift = sign * (logit(prevalence) - logit(own)); // of odds at a given prevalence
    return sign ? [logistic(logit(low) + shift), logistic(logit(high) + shift)] : [low, high];
  };
  const found = MEASURES.map((name): [string, Measure] => {
    const value = values[name];
    const range = value === null ? null : design.clusters === null ? limits[name]() : resampled(name);
    return [name, { value, limits: range && [Math.min(range[0], value!), Math.max(range[1], value!)] }];
  });
  return Object.fromEntries(found) as Measures;
}
