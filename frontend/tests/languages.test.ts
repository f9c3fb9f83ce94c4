import { afterEach, describe, expect, it } from "vitest";
import { otherVerdict } from "../src/cards/verdict";
import { tableCsv } from "../src/downloads";
import type { Payload } from "../src/payload";
import { choose } from "../src/text/languages";
import { languageOf, term, translated } from "../src/text/terms";

afterEach(() => choose("en"));

describe("words that the library writes", () => {
  it("stay as they are in English, with its numbers", () => {
    choose("en");
    expect(term("Intervals: DeLong. Dashed: 0.167, by chance.")).toBe("Intervals: DeLong. Dashed: 0.167, by chance.");
  });
  it("are translated with what stands in them", () => {
    choose("de");
    expect(term("Recall")).toBe("Trefferquote");
    expect(term("Midpoint of my {model}: 0.955.")).toBe("Mittelpunkt von my {model}: 0,955.");
    expect(term("0, AUC 0.826 (95 % CI 0.774 to 0.878)", true)).toBe("0, AUC 0,826 (95 %-KI 0,774 bis 0,878)");
    expect(term("Interval: Wilson (effective n). Dashed: 0.167, by chance.")).toBe("Intervall: Wilson mit wirksamer Größe. Gestrichelt: 0,167, durch Zufall.");
    expect(term("sign-flip test, 10,000 random flips")).toBe("Vorzeichenwechseltest, 10.000 zufällige Wechsel");
    expect(term("paired cluster-robust DeLong, t distribution, Hotelling's F")).toBe("DeLong gepaart für Gruppen, t-Verteilung, Hotellings F");
    expect(term("paired DeLong, t distribution, Hotelling's F")).toBe("DeLong gepaart, t-Verteilung, Hotellings F");
  });
  it("leaves names alone, also those that mean something", () => {
    choose("fr");
    expect(term("Recall", true)).toBe("Recall");
    expect(term("bias, AP 0.5", true)).toBe("bias, AP 0,5");
    expect(translated("nothing known")).toBeNull();
    expect(languageOf("nothing known")).toBe("en");
    expect(languageOf("0.25")).toBeUndefined();
  });
});

describe("the verdict on other tasks", () => {
  const payload = (better: "higher" | "lower", p: number) =>
    ({
      settings: { level: 0.95 },
      summary: {
        quantity: "AOC",
        better,
        n: 500,
        models: [
          { name: "a", value: 0.5, low: 0.4, high: 0.6, method: "t" },
          { name: "b", value: 0.7, low: null, high: null, method: null },
        ],
        comparison: { method: "sign-flip test", adjusted: null, simultaneous: false, joint: null, rows: [{ a: "a", b: "b", difference: -0.2, low: -0.3, high: -0.1, p }] },
      },
    }) as unknown as Payload;
  it("takes the model with the smaller error, and says its gain", () => {
    expect(otherVerdict(payload("lower", 0.01))).toBe("a does best: AOC 0.5 (0.4–0.6); better than b by 0.2 (95% CI 0.1–0.3, p\u00a0=\u00a00.010).");
  });
  it("takes the larger value where that is better, and says when it is not shown", () => {
    expect(otherVerdict(payload("higher", 0.4))).toBe("b does best: AOC 0.700; not shown to be better than a (difference 0.200, 95% CI 0.100–0.300, p\u00a0=\u00a00.400).");
  });
  it("labels adjusted p values and their limits", () => {
    const several = payload("lower", 0.01);
    const rows = Array(3).fill(several.summary!.comparison!.rows[0]);
    Object.assign(several.summary!.comparison!, { rows, adjusted: "Holm", simultaneous: true });
    expect(otherVerdict(several)).toContain("(95% CI 0.1–0.3, p\u00a0=\u00a00.010, adjusted for 3 comparisons)");
    several.summary!.comparison!.simultaneous = false;
    expect(otherVerdict(several)).toContain("(p\u00a0=\u00a00.010, adjusted for 3 comparisons)");
  });
});

describe("tables as CSV", () => {
  it("has every row, a decimal point, and no formulas", () => {
    choose("de");
    expect(tableCsv({ title: "", columns: { "a b": [0.5, null], name: ["=1+1", 'x "y", z'] } })).toBe('a b,name\n0.5,\'=1+1\n,"x ""y"", z"\n');
  });
});
