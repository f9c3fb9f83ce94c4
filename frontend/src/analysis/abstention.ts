// The cheapest window of scores to leave undecided. Its two thresholds are vertices of the hull.
import type { Model } from "./models";

const TIED = 1e-12;

export interface HullWeights {
  missed: number[]; // proportion of cases that are positives below each vertex, false positives falling
  cleared: number[]; // negatives below each vertex
  slopes: number[]; // missed over cleared weight between neighbours; rising
  knots: number[];
}

export interface Window {
  low: number; // knot: negative below its threshold
  high: number; // knot: positive from its threshold on
  cost: number; // a false negative costs 1
  rate: number; // proportion of cases undecided
}

/** The vertices from 'call nothing negative' to 'call everything negative'. */
export function hullWeights(model: Model, prevalence: number): HullWeights {
  const knots = [...model.hull].reverse();
  const missed = knots.map((k) => (prevalence * (model.positives - model.tp[k])) / model.positives);
  const cleared = knots.map(
    (k) => ((1 - prevalence) * (model.negatives - model.fp[k])) / model.negatives,
  );
  const slopes: number[] = [];
  for (let v = 1; v < knots.length; v++) {
    const dy = model.tp[knots[v - 1]] - model.tp[knots[v]];
    const dx = model.fp[knots[v - 1]] - model.fp[knots[v]];
    const odds = prevalence / (1 - prevalence);
    const scale = (model.negatives / model.positives) * odds;
    slopes.push(dx === 0 ? Infinity : dy === 0 ? 0 : (dy / dx) * scale);
  }
  return { missed, cleared, slopes, knots };
}

function firstAtLeast(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstAbove(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The best window when a false negative costs 1, a false alarm `mu` and abstaining `nu`. */
export function bestWindow(hull: HullWeights, mu: number, nu: number): Window {
  let low = firstAtLeast(hull.slopes, mu * (1 - TIED));
  let high = low;
  if (nu * (1 + mu) < mu * (1 - TIED)) {
    const below = firstAbove(hull.slopes, (nu / (1 - nu)) * (1 + TIED));
    const above = firstAtLeast(hull.slopes, (nu > 0 ? (mu - nu) / nu : Infinity) * (1 - TIED));
    if (below <= above) [low, high] = [below, above];
  }
  const last = hull.cleared.length - 1;
  const weight = (v: number) => hull.missed[v] + hull.cleared[v];
  const rate = weight(high) - weight(low);
  const alarms = hull.cleared[last] - hull.cleared[high];
  const cost = hull.missed[low] + mu * alarms + nu * rate;
  return { low: hull.knots[low], high: hull.knots[high], cost, rate };
}

export type Shown = "cost" | "rate" | "lower" | "upper" | "difference";

export interface Surface {
  size: number; // points per axis
  values: number[]; // row by row: nu rises with the rows, mu with the columns
  low: number;
  high: number;
}

/** Values over the unit square of costs; thresholds as proportions of the model's knots. */
export function surface(
  model: Model,
  prevalence: number,
  shown: Shown,
  other: Model | null,
  size: number,
): Surface {
  const hull = hullWeights(model, prevalence);
  const others = shown === "difference" && other ? hullWeights(other, prevalence) : null;
  const values: number[] = [];
  let low = Infinity;
  let high = -Infinity;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const mu = column / (size - 1);
      const nu = row / (size - 1);
      const window = bestWindow(hull, mu, nu);
      const value = others
        ? window.cost - bestWindow(others, mu, nu).cost
        : shown === "rate"
          ? window.rate
          : shown === "lower" || shown === "upper"
            ? finite(model, shown === "lower" ? window.low : window.high)
            : window.cost;
      values.push(value);
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return { size, values, low, high };
}

/** The threshold of a knot, that of the nearest one where it is infinite. */
function finite(model: Model, knot: number): number {
  for (let k = knot; k < model.thresholds.length; k++) {
    if (Number.isFinite(model.thresholds[k])) return model.thresholds[k];
  }
  return 0;
}
