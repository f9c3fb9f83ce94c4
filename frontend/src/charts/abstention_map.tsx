// The least cost over all costs of errors and of abstaining: a map, and in three dimensions.
import { contours } from "d3-contour";
import { useMemo } from "preact/hooks";
import type { Surface } from "../analysis/abstention";
import type { State } from "../state";
import { formats, strings } from "../text/languages";
import { gridImage } from "./colors";
import { Chart, Frame, inner, linear, MARGINS, ticksOf, useWidth, type Box, type Scale } from "./plot";

export const GRID = 81;

interface Props {
  state: State;
  surface: Surface;
  diverging: boolean;
  title: string;
}

export function AbstentionMap({ state, surface, diverging, title }: Props) {
  const [ref, width] = useWidth(520);
  const bar = 64; // room for the colour bar
  const m = { ...MARGINS, right: bar + 12 };
  const side = width - m.left - m.right;
  const box: Box = { width, height: side + m.top + m.bottom, margins: m };
  const { left, right, top, bottom } = inner(box);
  const x = linear([0, 1], [left, right]);
  const y = linear([0, 1], [bottom, top]);
  const f = formats.value;
  const image = useMemo(() => gridImage(surface.values, surface.size, surface.size, surface.low, surface.high, diverging), [surface, diverging]);
  const ticks = (scale: Scale) => ticksOf(scale, width < 400 ? 3 : 5, (v) => f.fixed(v, 1));
  const cell = side / (surface.size - 1) / 2; // values are at the corners: half a cell beyond
  return (
    <div class="plot-holder" ref={ref}>
      <Chart box={box} label={`${strings.value.abstention}: ${title}`} testid="abstention-map">
        <defs>
          <clipPath id="map-clip">
            <rect x={left} y={top} width={right - left} height={bottom - top} />
          </clipPath>
        </defs>
        <image href={image} x={left - cell} y={top - cell} width={side + 2 * cell} height={side + 2 * cell} preserveAspectRatio="none" clip-path="url(#map-clip)" />
        <Frame box={box} x={x} y={y} xTicks={ticks(x)} yTicks={ticks(y)} xTitle={strings.value.mu} yTitle={strings.value.nu} />
        <Contours surface={surface} x={x} y={y} />
        <NeverLine x={x} y={y} />
        <Marker state={state} x={x} y={y} />
        <ColorBar box={box} surface={surface} diverging={diverging} title={title} />
      </Chart>
    </div>
  );
}

function levelsOf(surface: Surface): number[] {
  if (!(surface.high > surface.low)) return [];
  return linear([surface.low, surface.high], [0, 1]).ticks(7).filter((v) => v > surface.low && v < surface.high);
}

function Contours({ surface, x, y }: { surface: Surface; x: Scale; y: Scale }) {
  const f = formats.value;
  const lines = useMemo(() => {
    const make = contours().size([surface.size, surface.size]).smooth(true);
    const place = (v: number) => (v - 0.5) / (surface.size - 1);
    return levelsOf(surface).map((level) => {
      const rings = make.contour(surface.values, level).coordinates.flat();
      const inside = ([a, b]: number[]) => a > 0.6 && b > 0.6 && a < surface.size - 0.6 && b < surface.size - 0.6;
      let d = "";
      let label: number[] | null = null;
      for (const ring of rings) {
        let open = false;
        ring.forEach((point) => {
          if (!inside(point)) {
            open = false;
            return;
          }
          d += `${open ? "L" : "M"}${x(place(point[0])).toFixed(1)},${y(place(point[1])).toFixed(1)}`;
          open = true;
          const middle = surface.size * 0.72; // labels are where lines are far from each other
          const near = (p: number[]) => Math.min(Math.abs(p[0] - middle), Math.abs(p[1] - middle));
          if (!label || near(point) < near(label)) label = point;
        });
      }
      return { level, d, label: label ? [x(place(label[0])), y(place(label[1]))] : null };
    });
  }, [surface, x.range()[1]]);
  const written: number[][] = [];
  for (const { label } of lines) {
    const free = label && written.every(([a, b]) => Math.abs(a - label[0]) > 46 || Math.abs(b - label[1]) > 15);
    if (label && free) written.push(label);
  }
  return (
    <g aria-hidden="true">
      {lines.map(({ level, d, label }) => (
        <g key={level}>
          <path class="contour" d={d} />
          {label && written.includes(label) && <text class="contour-label" x={label[0]} y={label[1]} text-anchor="middle" dy="0.34em">{f.short(level, 3)}</text>}
        </g>
      ))}
    </g>
  );
}

function NeverLine({ x, y }: { x: Scale; y: Scale }) {
  const mus = Array.from({ length: 41 }, (_, k) => k / 40);
  const d = mus.map((mu, k) => `${k ? "L" : "M"}${x(mu).toFixed(1)},${y(mu / (1 + mu)).toFixed(1)}`).join("");
  return (
    <path class="never" d={d}>
      <title>{strings.value.neverLine}</title>
    </path>
  );
}

function Marker({ state, x, y }: { state: State; x: Scale; y: Scale }) {
  const mu = 1 / state.ratio.value;
  const nu = state.abstainCost.value / state.ratio.value;
  if (!(mu <= 1 && nu <= 1)) return null;
  return <circle class="map-marker" cx={x(mu)} cy={y(nu)} r={6} data-mu={mu} data-nu={nu} />;
}

function ColorBar({ box, surface, diverging, title }: { box: Box; surface: Surface; diverging: boolean; title: string }) {
  const { right, top, bottom } = inner(box);
  const f = formats.value;
  const most = Math.max(Math.abs(surface.low), Math.abs(surface.high));
  const [low, high] = diverging ? [-most, most] : [surface.low, surface.high];
  const image = useMemo(() => gridImage(Array.from({ length: 64 }, (_, k) => low + ((high - low) * k) / 63), 1, 64, low, high, diverging), [low, high, diverging]);
  const scale = linear([low, high], [bottom, top]);
  return (
    <g aria-hidden="true">
      <image href={image} x={right + 14} y={top} width={12} height={bottom - top} preserveAspectRatio="none" />
      {scale.ticks(5).map((v) => (
        <text key={v} class="tick" x={right + 31} y={scale(v)} dy="0.32em">{f.short(v, 3)}</text>
      ))}
      <text class="axis-title" transform={`translate(${box.width - 4},${(top + bottom) / 2}) rotate(-90)`} text-anchor="middle">{title}</text>
    </g>
  );
}
