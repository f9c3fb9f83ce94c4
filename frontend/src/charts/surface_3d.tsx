// A surface over the unit square on a plain canvas, drawn from back to front; no WebGL.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Surface } from "../analysis/abstention";
import { formats, strings } from "../text/languages";
import { colorMap, fractionOf } from "./colors";
import { useWidth } from "./plot";

interface Props {
  surface: Surface;
  diverging: boolean;
  title: string;
}

const STEPS = 40; // patches along each axis

export function Surface3d({ surface, diverging, title }: Props) {
  const [ref, width] = useWidth(520);
  const canvas = useRef<HTMLCanvasElement>(null);
  const turn = useSignal(-0.9);
  const tilt = useSignal(0.55);
  const dragged = useRef<[number, number] | null>(null);
  const height = Math.round(width * 0.8);
  useEffect(() => {
    if (canvas.current) draw(canvas.current, surface, diverging, title, turn.value, tilt.value, width, height);
  }, [surface, diverging, title, turn.value, tilt.value, width]);
  const move = (event: PointerEvent) => {
    if (!dragged.current) return;
    turn.value += (event.clientX - dragged.current[0]) / 120;
    tilt.value = Math.max(0.1, Math.min(1.5, tilt.value + (event.clientY - dragged.current[1]) / 160));
    dragged.current = [event.clientX, event.clientY];
  };
  const key = (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08] };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    turn.value += step[0];
    tilt.value = Math.max(0.1, Math.min(1.5, tilt.value + step[1]));
  };
  return (
    <div class="plot-holder surface-3d" ref={ref}>
      <canvas
        ref={canvas}
        data-testid="abstention-surface"
        role="img"
        tabindex={0}
        aria-label={`${strings.value.show3d}: ${title}. ${strings.value.turnHint}`}
        style={{ width: `${width}px`, height: `${height}px` }}
        onPointerDown={(event) => {
          dragged.current = [event.clientX, event.clientY];
          (event.currentTarget as Element).setPointerCapture(event.pointerId);
        }}
        onPointerMove={move}
        onPointerUp={() => (dragged.current = null)}
        onKeyDown={key}
      />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, surface: Surface, diverging: boolean, title: string, turn: number, tilt: number, width: number, height: number) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(ratio, ratio);
  const span = surface.high - surface.low || 1;
  const size = width * 0.5;
  const project = (mu: number, nu: number, z: number): [number, number, number] => {
    const [x, y] = [mu - 0.5, nu - 0.5];
    const across = x * Math.cos(turn) - y * Math.sin(turn);
    const deep = x * Math.sin(turn) + y * Math.cos(turn);
    const up = (z - 0.5) * 0.7;
    return [width / 2 + across * size, height * 0.5 - (deep * Math.sin(tilt) + up * Math.cos(tilt)) * size, deep];
  };
  const value = (i: number, j: number) => {
    const at = (k: number) => Math.round((k / STEPS) * (surface.size - 1));
    return surface.values[at(j) * surface.size + at(i)];
  };
  const color = colorMap(diverging);
  const patches: { deep: number; corners: [number, number, number][]; fraction: number }[] = [];
  for (let i = 0; i < STEPS; i++) {
    for (let j = 0; j < STEPS; j++) {
      const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(([a, b]) => project(a / STEPS, b / STEPS, (value(a, b) - surface.low) / span));
      const deep = corners.reduce((sum, corner) => sum + corner[2], 0);
      patches.push({ deep, corners, fraction: fractionOf(value(i, j), surface.low, surface.high, diverging) });
    }
  }
  const style = getComputedStyle(canvas);
  context.lineJoin = "round";
  floor(context, project, style.getPropertyValue("--grid"));
  patches.sort((a, b) => b.deep - a.deep);
  for (const { corners, fraction } of patches) {
    const [r, g, b] = color(fraction);
    context.fillStyle = `rgb(${r},${g},${b})`;
    context.strokeStyle = `rgba(${r * 0.75},${g * 0.75},${b * 0.75},0.8)`;
    context.lineWidth = 0.5;
    context.beginPath();
    corners.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fill();
    context.stroke();
  }
  labels(context, project, surface, title, style);
}

type Project = (mu: number, nu: number, z: number) => [number, number, number];

function floor(context: CanvasRenderingContext2D, project: Project, color: string) {
  context.strokeStyle = color;
  context.lineWidth = 1;
  for (let k = 0; k <= 5; k++) {
    for (const [from, to] of [[project(k / 5, 0, 0), project(k / 5, 1, 0)], [project(0, k / 5, 0), project(1, k / 5, 0)]]) {
      context.beginPath();
      context.moveTo(from[0], from[1]);
      context.lineTo(to[0], to[1]);
      context.stroke();
    }
  }
}

function labels(context: CanvasRenderingContext2D, project: Project, surface: Surface, title: string, style: CSSStyleDeclaration) {
  const f = formats.value;
  context.fillStyle = style.getPropertyValue("--text");
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "center";
  const write = (text: string, mu: number, nu: number) => {
    const [x, y] = project(mu, nu, 0);
    context.fillText(text, x, y + 4);
  };
  const sides = [[0.5, -0.16], [0.5, 1.16]].map(([a, b]) => project(a, b, 0));
  const front = sides[0][2] < sides[1][2] ? -0.16 : 1.16; // labels are in front of the surface
  const lefts = [[-0.16, 0.5], [1.16, 0.5]].map(([a, b]) => project(a, b, 0));
  const near = lefts[0][2] < lefts[1][2] ? -0.16 : 1.16;
  write("μ", 0.5, front * 1.05);
  write("ν", near * 1.05, 0.5);
  for (const t of [0, 0.5, 1]) {
    write(f.fixed(t, 1), t, front < 0 ? -0.07 : 1.07);
    write(f.fixed(t, 1), near < 0 ? -0.07 : 1.07, t);
  }
  context.textAlign = "left";
  context.fillText(`${title}: ${f.short(surface.low, 3)} … ${f.short(surface.high, 3)}`, 8, 16);
}
