import { beforeEach, describe, expect, it } from "vitest";
import { isHidden, modelColor } from "../src/charts/looks";
import type { Payload } from "../src/payload";
import { State } from "../src/state";

const model = (name: string) => ({ name, direction: "higher", categories: [], n_pos: 2, n_neg: 2, auc: { value: 0.5 }, knots: { threshold: [null, 1, 0], tp: [0, 1, 1], fp: [0, 1, 1] }, path: { x: [], y: [] }, bands: {}, histogram: null, start: 1 });
const stateOf = (names: string[], looks = {}) =>
  new State({ models: names.map(model), state: { model: names[0], thresholds: {}, prevalence: 0.5, cost_ratio: 1, abstain_cost: 0, band: "", theme: "auto", ...looks }, cases: { prevalence: 0.5 } } as unknown as Payload);

describe("how models look", () => {
  let state: State;
  beforeEach(() => {
    state = stateOf(["a", "b", "c"]);
  });
  it("hides models but the last, and chooses one that is shown", () => {
    state.toggle(state.models[0]);
    expect(state.shown.value.map((each) => each.name)).toEqual(["b", "c"]);
    expect(state.modelName.value).toBe("b");
    state.toggle(state.models[1]);
    state.toggle(state.models[2]);
    expect(state.shown.value.map((each) => each.name)).toEqual(["c"]);
    state.toggle(state.models[0]);
    expect(isHidden(0)).toBe(false);
  });
  it("goes through the five colours and comes back", () => {
    const seen = Array.from({ length: 5 }, () => {
      state.recolor(state.models[1]);
      return modelColor(1);
    });
    expect(seen).toEqual(["var(--c2)", "var(--c3)", "var(--c4)", "var(--c0)", "var(--c1)"]);
  });
  it("is grey beyond five models until a colour is picked", () => {
    const many = stateOf([..."abcdefg"]);
    expect(modelColor(6)).toBe("var(--muted)");
    many.recolor(many.models[6]);
    expect(modelColor(6)).toBe("var(--c0)");
  });
  it("is part of the state that is saved", () => {
    state.toggle(state.models[2]);
    state.recolor(state.models[0]);
    const saved = state.snapshot();
    expect([saved.hidden, saved.colors]).toEqual([["c"], { a: 1 }]);
    const again = stateOf(["a", "b", "c"], saved);
    expect([again.snapshot().hidden, modelColor(0)]).toEqual([["c"], "var(--c1)"]);
    stateOf(["a"], { hidden: ["a"] });
    expect(isHidden(0)).toBe(false);
  });
});
