// Common to all charts: width, frame, ticks, axis titles.
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export type Scale = ScaleContinuousNumeric<number, number>;

export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface Box {
  width: number;
  height: number;
  margins: Margins;
}

export const MARGINS: Margins = { top: 14, right: 12, bottom: 48, left: 50 };
export const PAD = 0.015; // beyond 0 and 1, so that nothing at an end is cut in half

export const DASHES = ["", "7 3", "7 3 2 3", "2 2.5", "11 3 2 3 2 3"];

export function dashOf(slot: number): string {
  return DASHES[(slot + Math.floor(slot / DASHES.length)) % DASHES.length];
}

/** The width of an element as it changes; plots are drawn in pixels of the screen. */
export function useWidth(most: number): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(Math.min(most, 480));
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const found = Math.floor(element.clientWidth);
      if (found > 0) setWidth(Math.max(220, Math.min(most, found)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [most]);
  return [ref, width];
}

export function inner(box: Box) {
  const { width, height, margins } = box;
  return {
    left: margins.left,
    right: width - margins.right,
    top: margins.top,
    bottom: height - margins.bottom,
  };
}

export function linear(domain: [number, number], range: [number, number]): Scale {
  return scaleLinear().domain(domain).range(range);
}

export function logarithmic(domain: [number, number], range: [number, number]): Scale {
  return scaleLog().domain(domain).range(range).clamp(true);
}

export interface Tick {
  position: number;
  text: string;
}

/** Ticks of a scale: not more than fit, written by the one formatter; the ends of a tiny range. */
export function ticksOf(scale: Scale, count: number, write: (value: number) => string): Tick[] {
  const [low, high] = scale.domain();
  const positions = Math.abs(high - low) < 1e-300 ? [low, high] : scale.ticks(count);
  return positions.map((position) => ({ position, text: write(position) }));
}

interface FrameProps {
  box: Box;
  x: Scale;
  y: Scale;
  xTicks: Tick[];
  yTicks: Tick[];
  xTitle: string;
  yTitle: string;
  testid?: string;
  bare?: boolean;
}

export function Frame({ box, x, y, xTicks, yTicks, xTitle, yTitle, testid, bare }: FrameProps) {
  const { left, right, top, bottom } = inner(box);
  return (
    <g aria-hidden="true">
      {xTicks.map(({ position, text }) => (
        <g key={`x${position}`} transform={`translate(${x(position)},0)`}>
          {!bare && <line class="grid" y1={top} y2={bottom} />}
          <text class="tick" y={bottom + 16} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
      {yTicks.map(({ position, text }) => (
        <g key={`y${position}`} transform={`translate(0,${y(position)})`}>
          {!bare && <line class="grid" x1={left} x2={right} />}
          <text class="tick" x={left - 7} dy="0.32em" text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {!bare && <rect class="frame" data-testid={testid} x={left} y={top} width={right - left} height={bottom - top} />}
      <text class="axis-title" x={(left + right) / 2} y={box.height - 8} text-anchor="middle">
        {xTitle}
      </text>
      <text class="axis-title" transform={`translate(14,${(top + bottom) / 2}) rotate(-90)`} text-anchor="middle">
        {yTitle}
      </text>
    </g>
  );
}

interface SvgProps {
  box: Box;
  label: string;
  testid?: string;
  children: ComponentChildren;
  interactive?: boolean;
}

/** An svg in pixels of the screen that scales when printed. */
export function Chart({ box, label, testid, children, interactive }: SvgProps) {
  return (
    <svg
      class="chart"
      data-testid={testid}
      role={interactive ? "group" : "img"}
      aria-label={label}
      viewBox={`0 0 ${box.width} ${box.height}`}
      width={box.width}
      height={box.height}
      xmlns="http://www.w3.org/2000/svg"
    >
      {children}
    </svg>
  );
}

/** The path through points, in pixels to a tenth. */
export function pathOf(x: ArrayLike<number>, y: ArrayLike<number>, sx: Scale, sy: Scale): string {
  let path = "";
  let gap = true;
  for (let k = 0; k < x.length; k++) {
    if (x[k] === null || y[k] === null || Number.isNaN(x[k])) {
      gap = true;
      continue;
    }
    path += `${gap ? "M" : "L"}${sx(x[k]).toFixed(1)},${sy(y[k]).toFixed(1)}`;
    gap = false;
  }
  return path;
}

/** The closed path between two lines. */
export function areaOf(
  lower: { x: number[]; y: number[] },
  upper: { x: number[]; y: number[] },
  sx: Scale,
  sy: Scale,
): string {
  const back = { x: [...lower.x].reverse(), y: [...lower.y].reverse() };
  return `${pathOf(upper.x, upper.y, sx, sy)}${pathOf(back.x, back.y, sx, sy).replace("M", "L")}Z`;
}

/** A name that fits, with three dots where it was cut. */
export function shortened(name: string, most: number): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
