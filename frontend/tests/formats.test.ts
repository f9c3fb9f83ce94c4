import { describe, expect, it } from "vitest";
import { de } from "../src/text/de";
import { en } from "../src/text/en";
import { es } from "../src/text/es";
import { filled, Formats } from "../src/text/formats";
import { fr } from "../src/text/fr";
import { pickLocale } from "../src/text/languages";
import { zh } from "../src/text/zh";

const english = new Formats("en");
const german = new Formats("de-DE");

describe("numbers", () => {
  it("gives rates three decimals, two when few cases support them", () => {
    expect(english.rate(0.73136)).toBe("0.731");
    expect(english.rate(0.73136, 40)).toBe("0.73");
    expect(german.rate(0.73136)).toBe("0,731");
    expect(english.rate(null)).toBe("–");
  });
  it("never writes a p value of 0", () => {
    expect(english.p(0)).toBe("< 0.001");
    expect(english.p(0.000999)).toBe("< 0.001");
    expect(english.p(0.001)).toBe("0.001");
    expect(german.pPhrase(0.0271757)).toBe("p\u00a0=\u00a00,027");
    expect(german.pPhrase(1e-300)).toBe("p\u00a0<\u00a00,001");
  });
  it("uses a true minus, and no minus for zero", () => {
    expect(english.rate(-0.0524)).toBe("−0.052");
    expect(english.fixed(-0, 1)).toBe("0.0");
  });
  it("groups counts, and keeps a little of a weight", () => {
    expect(english.count(90212)).toBe("90,212");
    expect(german.count(90212)).toBe("90.212");
    expect(english.count(12.254)).toBe("12.25");
  });
  it("shortens without losing size", () => {
    expect(english.short(0.05682, 3)).toBe("0.0568");
    expect(english.short(1234.5, 3)).toBe("1,230");
    expect(english.short(Infinity)).toBe("∞");
    expect(german.short(1.5e-9)).toBe("1,5e−9");
    expect(english.digits(0.073, 3)).toBe("0.0730");
  });
  it("separates a range by a dash unless there is a minus in it", () => {
    expect(english.range(0.9052, 0.9111)).toBe("0.905–0.911");
    expect(english.range(-0.01, 0.02)).toBe("−0.010\u00a0…\u00a00.020");
  });
});

describe("texts that hold numbers", () => {
  it("keeps every digit of a threshold", () => {
    expect(german.literal("0.30000000000000004")).toBe("0,30000000000000004");
    expect(german.literal("-1.5e-7")).toBe("−1,5e−7");
    expect(german.literal("Infinity")).toBe("∞");
    expect(german.literal("grade 1.5")).toBe("grade 1.5");
  });
  it("changes numbers in sentences, but no versions", () => {
    expect(german.sentence("AUC 0.908 of 9,788 cases, rocwise 0.1.0.")).toBe("AUC 0,908 of 9.788 cases, rocwise 0.1.0.");
    expect(english.sentence("from -0.05 to 2-3 (-1)")).toBe("from −0.05 to 2-3 (−1)");
  });
  it("fills places and leaves unknown ones", () => {
    expect(filled("{a} and {b}", { a: 1 })).toBe("1 and {b}");
    expect(filled("{a}", { a: "{a} $& $1" })).toBe("{a} $& $1");
  });
  it("writes dates in words, without dots between digits", () => {
    expect(german.date("2026-11-05")).toBe("5. November 2026");
  });
});

describe("languages", () => {
  const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([each]) => each).sort();
  it.each([["de", de], ["fr", fr], ["es", es], ["zh", zh]])("%s has every text with the same places", (_, strings) => {
    expect(Object.keys(strings)).toEqual(Object.keys(en));
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      expect([key, places(strings[key])]).toEqual([key, places(en[key])]);
    }
  });
  it("takes the first of the reader's languages that there is", () => {
    expect(pickLocale(["it-IT", "de-CH", "en"])).toBe("de-CH");
    expect(pickLocale(["it"])).toBe("en");
  });
});
