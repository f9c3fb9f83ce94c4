// How models look: the colour that was picked for each, and which are hidden.
import { signal } from "@preact/signals";

export const MOST_COLORS = 5;

export interface Look {
  color: number | null; // a place in the palette; null for the model's own
  hidden: boolean;
}

/** By the slot of the model; empty where slots are no models. A page has one set of models. */
export const looks = signal<Look[]>([]);

export function isHidden(slot: number): boolean {
  return looks.value[slot]?.hidden ?? false;
}

/** Where in the palette a model is; null for grey: beyond five models only picked ones have one. */
export function placeInPalette(slot: number): number | null {
  const picked = looks.value[slot]?.color ?? null;
  if (picked !== null) return picked;
  return slot < MOST_COLORS ? slot : null;
}

export function modelColor(slot: number): string {
  const place = placeInPalette(slot);
  return place === null ? "var(--muted)" : `var(--c${place % MOST_COLORS})`;
}
