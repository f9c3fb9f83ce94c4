// In place of d3-interpolate, 16 kB of which is colours: scales here lead from numbers to numbers.
export function interpolateNumber(from: number, to: number): (share: number) => number {
  return (share) => from * (1 - share) + to * share;
}

export function interpolateRound(from: number, to: number): (share: number) => number {
  return (share) => Math.round(from * (1 - share) + to * share);
}

export const interpolate = interpolateNumber;

/** Several numbers one after the other, with equal distances. */
export function piecewise(values: number[]): (share: number) => number {
  const last = values.length - 1;
  return (share) => {
    const place = Math.max(0, Math.min(last - 1, Math.floor(share * last)));
    return interpolateNumber(values[place], values[place + 1])(share * last - place);
  };
}
