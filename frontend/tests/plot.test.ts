import { describe, expect, it } from "vitest";
import { colorMap, fractionOf } from "../src/charts/colors";
import { areaOf, dashOf, linear, logarithmic, pathOf, shortened, ticksOf } from "../src/charts/plot";

describe("scales", () => {
  it("are straight, or logarithmic and clamped", () => {
    const x = linear([-0.015, 1.015], [54, 468]);
    expect(x(0.5)).toBeCloseTo(261, 9);
    const log = logarithmic([1e-4, 1], [0, 400]);
    expect(log(0.01)).toBeCloseTo(200, 9);
    expect(log(1e-9)).toBe(0);
  });
  it("have ticks in words of the formatter", () => {
    expect(ticksOf(linear([0, 1], [0, 1]), 5, (v) => `${v}!`).map((t) => t.text)).toEqual(["0!", "0.2!", "0.4!", "0.6!", "0.8!", "1!"]);
  });
});

describe("paths", () => {
  const x = linear([0, 1], [0, 100]);
  const y = linear([0, 1], [100, 0]);
  it("go through the points, with gaps", () => {
    expect(pathOf([0, 0.5, 1], [0, 0.5, 1], x, y)).toBe("M0.0,100.0L50.0,50.0L100.0,0.0");
    expect(pathOf([0, NaN, 1], [0, 0, 1], x, y)).toBe("M0.0,100.0M100.0,0.0");
  });
  it("close bands", () => {
    const d = areaOf({ x: [0, 1], y: [0, 0] }, { x: [0, 1], y: [1, 1] }, x, y);
    expect(d).toBe("M0.0,0.0L100.0,0.0L100.0,100.0L0.0,100.0Z");
  });
  it("differ in dashes when colours come again", () => {
    expect(dashOf(0)).not.toBe(dashOf(5));
  });
  it("cut long names", () => {
    expect(shortened("abcdef", 4)).toBe("abc…");
  });
});

describe("colours", () => {
  it("run from dark to light, and part at zero", () => {
    expect(colorMap(false)(0)).toEqual([0, 34, 78]);
    expect(colorMap(false)(1)).toEqual([254, 232, 56]);
    expect(colorMap(true)(0.5)).toEqual([247, 247, 247]);
    expect(fractionOf(0, -1, 4, true)).toBe(0.5);
    expect(fractionOf(3, 1, 5, false)).toBe(0.5);
    expect(fractionOf(1, 1, 1, false)).toBe(0);
  });
});
