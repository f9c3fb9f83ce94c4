// The one place where numbers become text: grouping, decimal sign and minus of the reader's locale.

export class Formats {
  readonly decimal: string;
  private readonly cache = new Map<string, Intl.NumberFormat>();

  constructor(readonly locale: string) {
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
    this.decimal = parts.find((part) => part.type === "decimal")?.value ?? ".";
  }

  private write(value: number, options: Intl.NumberFormatOptions): string {
    const key = JSON.stringify(options);
    let format = this.cache.get(key);
    if (!format) this.cache.set(key, (format = new Intl.NumberFormat(this.locale, options)));
    if (value === Infinity) return "∞";
    if (value === -Infinity) return "−∞";
    return format.format(value === 0 ? 0 : value).replace("-", "−");
  }

  fixed(value: number, digits: number): string {
    return this.write(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }

  /** A rate or an area: three decimals, two when fewer than 100 cases support it. */
  rate(value: number | null, n = Infinity): string {
    return value === null ? "–" : this.fixed(value, n < 100 ? 2 : 3);
  }

  /** A few digits that matter, for costs, ratios and ticks. */
  short(value: number | null, digits = 3): string {
    if (value === null) return "–";
    const rounded = Number.isFinite(value) ? Number(value.toPrecision(digits)) : value;
    if (rounded !== 0 && (Math.abs(rounded) < 1e-5 || Math.abs(rounded) >= 1e15)) {
      return this.literal(rounded.toExponential());
    }
    return this.write(rounded, { maximumSignificantDigits: digits });
  }

  /** A number of significant digits, trailing zeros included: numbers below each other. */
  digits(value: number, digits: number): string {
    if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6)) return this.short(value, digits);
    return this.write(value, { minimumSignificantDigits: digits, maximumSignificantDigits: digits });
  }

  percent(value: number, digits = 1): string {
    return this.write(value, {
      style: "percent",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }

  /** A confidence level: 95 %, 99.9 %. */
  level(value: number): string {
    return this.write(value, { style: "percent", maximumFractionDigits: 3 });
  }

  /** A count; sums of weights keep a little of their fraction. */
  count(value: number): string {
    const whole = Number.isInteger(value) || Math.abs(value) >= 1e6;
    return this.write(value, { maximumFractionDigits: whole ? 0 : 2 });
  }

  /** A p value; never 0. */
  p(value: number): string {
    return value < 0.001 ? `< ${this.fixed(0.001, 3)}` : this.fixed(value, 3);
  }

  /** The same, for a sentence, in one line. */
  pPhrase(value: number): string {
    return (value < 0.001 ? `p ${this.p(value)}` : `p = ${this.p(value)}`).replaceAll(" ", "\u00a0");
  }

  range(low: number | null, high: number | null, n = Infinity, to = "–"): string {
    const dash = to === "–" && ((low ?? 0) < 0 || (high ?? 0) < 0) ? "\u00a0…\u00a0" : to;
    return `${this.rate(low, n)}${dash}${this.rate(high, n)}`;
  }

  /** A number that came as text keeps every digit; only its decimal sign changes. */
  literal(text: string): string {
    if (text === "Infinity" || text === "inf") return "∞";
    if (text === "-Infinity" || text === "-inf") return "−∞";
    return /^-?\d/.test(text) ? text.replace(".", this.decimal).replace(/-/g, "−") : text;
  }

  /** Sentences of the library: numbers with a decimal point, but no versions such as 0.1.0. */
  sentence(text: string): string {
    text = text.replace(/(^|[\s(])-(?=\d)/g, "$1−");
    if (this.decimal === ".") return text;
    const number = /(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\d|\.\d)/g;
    return text.replace(number, (_, whole: string, rest = "") => {
      const front = whole.includes(",") ? this.count(Number(whole.replaceAll(",", ""))) : whole;
      return front + rest.replace(".", this.decimal);
    });
  }

  date(iso: string): string {
    const [year, month, day] = iso.split("-").map(Number);
    const options: Intl.DateTimeFormatOptions = { dateStyle: "long", timeZone: "UTC" };
    return new Intl.DateTimeFormat(this.locale, options).format(Date.UTC(year, month - 1, day));
  }
}

/** Fills `{name}` in a text. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? String(values[name]) : whole,
  );
}

/** A number as it is typed, with a point or a comma; NaN where it is none. */
export function numberOf(text: string): number {
  return text.trim() === "" ? NaN : Number(text.replace(",", "."));
}

/** A fraction as it is typed: 0.1, 10% and 10 are the same. */
export function fractionOf(text: string): number {
  const percent = /%\s*$/.test(text);
  const value = numberOf(text.replace(/%\s*$/, ""));
  return percent || value > 1 ? value / 100 : value;
}
