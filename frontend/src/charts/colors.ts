// Colours of maps: cividis for values, violet to orange for differences (Brewer's PuOr).
export type Color = [number, number, number];

const VALUES = "00224e 123570 3b496c 575d6d 707173 8a8678 a59c74 c3b369 e1cc55 fee838";
const DIFFERENCES = "7f3b08 b35806 e08214 fdb863 fee0b6 f7f7f7 d8daeb b2abd2 8073ac 542788 2d004b";

function colorsOf(text: string): Color[] {
  return text.split(" ").map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)) as Color);
}

const RAMPS = { values: colorsOf(VALUES), differences: colorsOf(DIFFERENCES).reverse() };

/** The colour at a fraction of the ramp: straight lines between the colours that define it. */
export function colorMap(diverging: boolean): (fraction: number) => Color {
  const ramp = diverging ? RAMPS.differences : RAMPS.values;
  return (fraction) => {
    const place = Math.max(0, Math.min(1, fraction || 0)) * (ramp.length - 1);
    const k = Math.min(Math.floor(place), ramp.length - 2);
    return ramp[k].map((from, c) => Math.round(from + (ramp[k + 1][c] - from) * (place - k))) as Color;
  };
}

/** The place of a value between the ends; differences have 0 in the middle. */
export function fractionOf(value: number, low: number, high: number, diverging: boolean): number {
  if (diverging) {
    const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
    return 0.5 + value / most / 2;
  }
  return high > low ? (value - low) / (high - low) : 0;
}

/** An image of a grid of values, as a data URL; the first row is the lowest. */
export function gridImage(values: ArrayLike<number>, columns: number, rows: number, low: number, high: number, diverging: boolean): string {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  if (!context) return "";
  const image = context.createImageData(columns, rows);
  const color = colorMap(diverging);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column];
      const at = 4 * ((rows - 1 - row) * columns + column);
      const [r, g, b] = color(fractionOf(value, low, high, diverging));
      image.data.set([r, g, b, value === null || Number.isNaN(value) ? 0 : 255], at);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL("image/png");
}
