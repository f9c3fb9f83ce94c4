// In place of d3-interpolate, 16 kB of which is colours: scales here lead from numbers to numbers.
export function interpolateNumber(from: number, to: number): (fraction: number) => number {
  return (fraction) => from * (1 - fraction) + to * fraction;
}

export function interpolateRound(from: number, to: number): (fraction: number) => number {
  return (fraction) => Math.round(from * (1 - fraction) + to * fraction);
}

export const interpolate = interpolateNumber;

/** Several numbers one after the other, with equal distances. */
export function piecewise(values: number[]): (fraction: number) => number {
  const last = values.length - 1;
  return (fraction) => {
    const place = Math.max(0, Math.min(last - 1, Math.floor(fraction * last)));
    return interpolateNumber(values[place], values[place + 1])(fraction * last - place);
  };
}
