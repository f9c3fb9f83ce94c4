// Cost curves: the least normalised cost over all class proportions and costs (Drummond and Holte).
import type { Model } from "./models";

export interface CostPoint {
  x: number; // probability cost of the positives
  y: number; // normalised expected cost
}

/** The place of a prevalence and a cost ratio on the axis. */
export function probabilityCost(prevalence: number, ratio: number): number {
  return (prevalence * ratio) / (prevalence * ratio + 1 - prevalence);
}

/** The line of one knot: cost FPR where all are negative, FNR where all are positive. */
export function costLine(model: Model, knot: number): [CostPoint, CostPoint] {
  return [
    { x: 0, y: model.fp[knot] / model.negatives },
    { x: 1, y: 1 - model.tp[knot] / model.positives },
  ];
}

/** Vertices of the lower envelope of all knots, from 0 to 1. */
export function lowerEnvelope(model: Model): CostPoint[] {
  const fpr = model.hull.map((k) => model.fp[k] / model.negatives);
  const fnr = model.hull.map((k) => 1 - model.tp[k] / model.positives);
  const points: CostPoint[] = [{ x: 0, y: 0 }];
  for (let v = 1; v < fpr.length; v++) {
    // where two neighbouring lines meet: x (fnr1 - fnr0) + (1 - x)(fpr1 - fpr0) = 0
    const rise = fpr[v] - fpr[v - 1];
    const fall = fnr[v - 1] - fnr[v];
    const x = rise / (rise + fall);
    points.push({ x, y: fpr[v] * (1 - x) + fnr[v] * x });
  }
  points.push({ x: 1, y: 0 });
  return points.filter((p, k) => k === 0 || p.x > points[k - 1].x || p.y !== points[k - 1].y);
}

/** The height of an envelope at x. */
export function heightAt(points: CostPoint[], x: number): number {
  const k = points.findIndex((p) => p.x >= x);
  if (k <= 0) return points[Math.max(k, 0)].y;
  const [a, b] = [points[k - 1], points[k]];
  return a.x === b.x ? Math.min(a.y, b.y) : a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
}

export interface Region {
  from: number;
  to: number;
  winner: number; // place in the list of models; -1: none is better than a trivial classifier
}

/** Which model costs least where, found on a fine grid. */
export function winners(envelopes: CostPoint[][], steps = 1000): Region[] {
  const regions: Region[] = [];
  for (let k = 0; k < steps; k++) {
    const x = (k + 0.5) / steps;
    const heights = envelopes.map((envelope) => heightAt(envelope, x));
    const least = Math.min(...heights);
    const trivial = Math.min(x, 1 - x);
    const winner = least < trivial - 1e-9 ? heights.indexOf(least) : -1;
    const last = regions[regions.length - 1];
    if (last && last.winner === winner) last.to = (k + 1) / steps;
    else regions.push({ from: k / steps, to: (k + 1) / steps, winner });
  }
  return regions;
}
