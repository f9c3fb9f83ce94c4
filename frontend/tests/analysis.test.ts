import { describe, expect, it } from "vitest";
import { bestWindow, hullWeights, surface } from "../src/analysis/abstention";
import { costLine, heightAt, lowerEnvelope, probabilityCost, winners } from "../src/analysis/cost_curves";
import { cheapest, costAt, expectedCost, knotOfThreshold, largestRemainder, matrixAt, nearestKnot, perThousand, predictiveValues, reachingSensitivity, reachingSpecificity } from "../src/analysis/counts";
import { MEASURES, measuresAt, normalQuantile, predictiveLimits, ratioLimits, wilson } from "../src/analysis/intervals";
import { hullPlaces, modelOf, type Model } from "../src/analysis/models";
import { curvesCsv } from "../src/downloads";
import type { PlainModel } from "../src/payload";
import { numberOf, fractionOf } from "../src/text/formats";

/** Rows of labels and scores become the payload of a model, each distinct score a knot. */
function model(labels: number[], scores: number[], name = "m"): Model {
  const distinct = [...new Set(scores)].sort((a, b) => b - a);
  const steps = (label: number) => distinct.map((s) => scores.filter((each, k) => each === s && labels[k] === label).length);
  const n_pos = labels.filter((y) => y === 1).length;
  const plain: PlainModel = {
    name,
    direction: "higher",
    categories: [],
    n_pos,
    n_neg: labels.length - n_pos,
    effective: [n_pos, labels.length - n_pos],
    auc: { value: 0.5, standard_error: null, low: 0, high: 1, p: null, level: 0.95, method: "" },
    limits: null,
    knots: { threshold: [null, ...distinct], tp: [0, ...steps(1)], fp: [0, ...steps(0)] },
    path: { x: [], y: [] },
    bands: {},
    histogram: null,
    start: 0,
  };
  return modelOf(plain, 0);
}

const Y = [0, 0, 1, 0, 1, 0, 1, 1];
const S = [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8];
const friedel = model(Y, S);

describe("counts", () => {
  it("recount the rows", () => {
    friedel.thresholds.forEach((t, knot) => {
      const called = S.map((s) => s >= t);
      const m = matrixAt(friedel, knot);
      expect(m.tp).toBe(called.filter((c, k) => c && Y[k] === 1).length);
      expect(m.fp).toBe(called.filter((c, k) => c && Y[k] === 0).length);
      expect([m.tp + m.fn, m.fp + m.tn]).toEqual([4, 4]);
    });
  });
  it("give Bayes' predictive values", () => {
    const { ppv, npv } = predictiveValues(0.9, 0.8, 0.1);
    expect(ppv).toBeCloseTo(0.09 / 0.27, 12);
    expect(npv).toBeCloseTo(0.72 / 0.73, 12);
    expect(predictiveValues(0, 1, 0.1).ppv).toBeNull();
    expect(predictiveValues(1, 0, 0.1).npv).toBeNull();
  });
  it("cost what misses and false alarms cost", () => {
    expect(expectedCost(0.75, 0.5, 0.2, 10)).toBeCloseTo(0.2 * 10 * 0.25 + 0.8 * 0.5, 12);
  });
  it("find the cheapest of all knots, the strictest of several", () => {
    for (const prevalence of [0.05, 0.3, 0.5, 0.9]) {
      for (const ratio of [0.1, 1, 3, 20]) {
        const best = cheapest(friedel, prevalence, ratio);
        const costs = friedel.tp.map((_, k) => costAt(friedel, k, prevalence, ratio));
        expect(best).toBe(costs.indexOf(Math.min(...costs)));
      }
    }
  });
  it("reach a sensitivity with the fewest false alarms", () => {
    expect(friedel.tp[reachingSensitivity(friedel, 0.75)]).toBe(3);
    expect(friedel.fp[reachingSensitivity(friedel, 0)]).toBe(0);
    expect(friedel.tp[reachingSensitivity(friedel, 1)]).toBe(4);
    expect(friedel.tp[reachingSensitivity(model([1, 1, 0], [3, 2, 1]), 0.5)]).toBe(2); // no further alarm
  });
  it("reach a specificity with the most hits", () => {
    for (const [target, fp] of [[1, 0], [0.75, 1], [0.6, 1], [0, 4]]) {
      const knot = reachingSpecificity(friedel, target);
      expect(friedel.tp[knot]).toBe(Math.max(...friedel.tp.filter((_, k) => friedel.fp[k] <= fp)));
      expect(friedel.tp[knot - 1] ?? -1).toBeLessThan(friedel.tp[knot]);
    }
  });
  it("round to a given sum", () => {
    expect(largestRemainder([1, 1, 1], 100)).toEqual([34, 33, 33]);
    for (const prevalence of [0.001, 0.0979, 0.5, 0.9999]) {
      const { tp, fp, fn, tn } = perThousand(0.8115, 0.8461, prevalence).whole;
      expect(tp + fp + fn + tn).toBe(1000);
    }
  });
  it("find knots by place and by threshold", () => {
    expect(nearestKnot(friedel, (v) => v * 100, (v) => 100 - v * 100, 0, 100).knot).toBe(0);
    expect(nearestKnot(friedel, (v) => v * 100, (v) => 100 - v * 100, 0, 74)).toEqual({ knot: 1, distance: 1 });
    friedel.thresholds.forEach((t, k) => expect(knotOfThreshold(friedel, t)).toBe(k));
    expect(knotOfThreshold(friedel, null)).toBe(0);
    expect(friedel.thresholds[knotOfThreshold(friedel, 0.2)]).toBe(0.3);
    expect(knotOfThreshold(friedel, -5)).toBe(friedel.tp.length - 1);
  });
});

describe("intervals", () => {
  it("know the normal distribution", () => {
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 7);
    expect(normalQuantile(0.0005)).toBeCloseTo(-3.290526731491926, 7);
    expect(normalQuantile(0.5)).toBe(0);
  });
  const plain = { clusters: null };
  it("are Wilson's for rates, and for predictive values that are counted", () => {
    const found = measuresAt(friedel, 3, 0.5, 0.95, plain); // 3 hits, 1 false alarm
    const [low, high] = found.ppv.limits!;
    expect(found.ppv.value).toBeCloseTo(0.75, 12);
    expect(low).toBeCloseTo(0.3006, 4); // as rocwise.inference.proportions has it
    expect(high).toBeCloseTo(0.9544, 4);
    expect(wilson(0, 10, 1.96)[0]).toBe(0);
    expect(wilson(1, 10, 1.96)[1]).toBe(1);
  });
  it("of likelihood ratios are those of the worked example", () => {
    // sensitivity 90/100, specificity 80/100: log LR+ has variance 1/90 - 1/100 + 1/20 - 1/100
    const [low, high] = ratioLimits(0.9, 0.2, 100, 100, 1.96);
    const half = 1.96 * Math.sqrt(1 / 90 - 0.01 + 1 / 20 - 0.01);
    expect(low).toBeCloseTo(4.5 * Math.exp(-half), 12);
    expect(high).toBeCloseTo(4.5 * Math.exp(half), 12);
    // Bayes' rule on the odds: Mercaldo's limits at a prevalence of one half are LR / (1 + LR)
    expect(predictiveLimits(0.9, 0.8, 0.5, 100, 100, 1.96)[1]).toBeCloseTo(high / (1 + high), 12);
  });
  it("stay valid with empty cells", () => {
    const separated = model([...Array(10).fill(0), ...Array(10).fill(1)], [...Array(20).keys()]);
    const { lr_positive, lr_negative } = measuresAt(separated, 10, 0.5, 0.95, plain);
    expect(lr_positive.value).toBe(Infinity);
    expect(lr_positive.limits![0]).toBeGreaterThan(1);
    expect(lr_positive.limits![1]).toBe(Infinity);
    expect(lr_negative.limits![0]).toBe(0);
    const origin = measuresAt(separated, 0, 0.5, 0.95, plain);
    expect([origin.ppv, origin.lr_positive]).toEqual([{ value: null, limits: null }, { value: null, limits: null }]);
  });
  it("of clusters are those of the library, and none where it has none", () => {
    const limits = { ppv: [[0.1], [0.9]], ppv_given: [[0.2], [0.8]], sensitivity: [[0.1], [null]] } as unknown as Model["limits"];
    const clustered = { ...friedel, limits: { ...Object.fromEntries([...MEASURES, "npv_given"].map((name) => [name, [[0], [1]]])), ...limits } as Model["limits"] };
    const at = (prevalence: number, of = clustered) => measuresAt({ ...of, tp: [2], fp: [1] }, 0, prevalence, 0.95, { clusters: 7 });
    expect(at(0.5).ppv.limits).toEqual([0.1, 0.9]); // with the prevalence estimated
    expect(at(0.1).ppv.limits![1]).toBeCloseTo(4 / 9 / (1 + 4 / 9), 12); // the odds, one ninth
    expect(at(0.5, friedel).ppv.limits).toBeNull();
  });
});

describe("typed numbers", () => {
  it("are fractions with a point, a comma, or as per cent", () => {
    for (const text of ["0.1", "0,1", "10%", "10 %", " 10"]) expect(fractionOf(text)).toBeCloseTo(0.1, 12);
    expect([fractionOf("1"), fractionOf("1%"), fractionOf("100")]).toEqual([1, 0.01, 1]);
    for (const text of ["", "%", "x", "1e", "1 0"]) expect(fractionOf(text)).toBeNaN();
    expect([numberOf("2,5"), numberOf(" ")]).toEqual([2.5, NaN]);
  });
});

describe("hull and cost curve", () => {
  it("has the corners of the concave curve", () => {
    expect(hullPlaces([0, 0, 1, 1, 2], [0, 1, 1, 2, 2])).toEqual([0, 1, 3, 4]);
  });
  it("is the least of all lines everywhere", () => {
    const envelope = lowerEnvelope(friedel);
    for (let x = 0.01; x < 1; x += 0.01) {
      const lines = friedel.tp.map((_, k) => {
        const [a, b] = costLine(friedel, k);
        return a.y * (1 - x) + b.y * x;
      });
      expect(heightAt(envelope, x)).toBeCloseTo(Math.min(...lines), 12);
    }
  });
  it("puts costs and prevalence on one axis", () => {
    expect(probabilityCost(0.1, 9)).toBeCloseTo(0.5, 12);
  });
  it("knows who wins where", () => {
    const perfect = model([0, 0, 1, 1], [1, 2, 3, 4]);
    const useless = model([0, 1, 0, 1], [1, 1, 2, 2]);
    const regions = winners([useless, perfect].map(lowerEnvelope));
    expect(regions).toEqual([{ from: 0, to: 1, winner: 1 }]);
    expect(winners([lowerEnvelope(useless)]).every((r) => r.winner === -1)).toBe(true);
  });
});

describe("abstention", () => {
  /** Every pair of thresholds, brute force. */
  function least(m: Model, prevalence: number, mu: number, nu: number): number {
    let best = Infinity;
    for (let high = 0; high < m.tp.length; high++) {
      for (let low = high; low < m.tp.length; low++) {
        const missed = (prevalence * (m.positives - m.tp[low])) / m.positives;
        const alarms = ((1 - prevalence) * m.fp[high]) / m.negatives;
        const undecided = (prevalence * (m.tp[low] - m.tp[high])) / m.positives + ((1 - prevalence) * (m.fp[low] - m.fp[high])) / m.negatives;
        best = Math.min(best, missed + mu * alarms + nu * undecided);
      }
    }
    return best;
  }
  it("is the cheapest of all windows", () => {
    for (const prevalence of [0.1, 0.5, 0.8]) {
      const hull = hullWeights(friedel, prevalence);
      for (const mu of [0, 0.1, 0.35, 0.5, 1, 3]) {
        for (const nu of [0, 0.05, 0.2, 0.3, 0.5, 0.9]) {
          expect(bestWindow(hull, mu, nu).cost).toBeCloseTo(least(friedel, prevalence, mu, nu), 12);
        }
      }
    }
  });
  it("has the value of the library's example", () => {
    // rw.abstention_surface(y, score).cost[50, 20] is 0.1125
    expect(bestWindow(hullWeights(friedel, 0.5), 0.5, 0.2).cost).toBeCloseTo(0.1125, 12);
  });
  it("never pays above its line", () => {
    const hull = hullWeights(friedel, 0.5);
    for (const mu of [0.2, 0.5, 1]) expect(bestWindow(hull, mu, mu / (1 + mu) + 1e-9).rate).toBe(0);
  });
  it("fills a map", () => {
    const map = surface(friedel, 0.5, "difference", friedel, 11);
    expect(map.values).toHaveLength(121);
    expect([map.low, map.high]).toEqual([0, 0]);
    expect(surface(friedel, 0.5, "cost", null, 101).values[20 * 101 + 50]).toBeCloseTo(0.1125, 12);
  });
});

describe("the CSV file", () => {
  it("has a decimal point, all knots, and names that no spreadsheet computes", () => {
    const own = model(Y, S, '=1+1,"x"');
    const measuresOf = (each: Model, knot: number) => measuresAt(each, knot, 0.5, 0.95, { clusters: null });
    const lines = curvesCsv({ models: [own], measuresOf }).trim().split("\n");
    expect(lines[0]).toContain("model,threshold,fpr,tpr,tp,fp,fn,tn,sensitivity,sensitivity_low,sensitivity_high,");
    expect(lines).toHaveLength(friedel.tp.length + 1);
    expect(lines[1]).toContain(`"'=1+1,""x""",inf,0,0,0,0,4,4,0,0,`);
    expect(lines[2]).toContain(`"'=1+1,""x""",0.8,0,0.25,1,0,3,4,0.25,`);
  });
});
