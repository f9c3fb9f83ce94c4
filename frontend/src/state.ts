// Everything that the reader can change, and what follows from it at once.
import { computed, signal } from "@preact/signals";
import { measuresAt, type Measures } from "./analysis/intervals";
import { cheapest, costAt, knotOfThreshold, matrixAt, sensitivity, specificity } from "./analysis/counts";
import { modelOf, type Model } from "./analysis/models";
import { isHidden, looks, MOST_COLORS, placeInPalette } from "./charts/looks";
import type { Payload, StartState } from "./payload";

export type Theme = "auto" | "light" | "dark";

export class State {
  readonly models: Model[];
  readonly modelName;
  readonly knots;
  readonly prevalence;
  readonly ratio;
  readonly abstainCost;
  readonly band;
  readonly theme;
  readonly logAxis = signal(false);

  constructor(readonly payload: Payload) {
    const start = payload.state;
    this.models = payload.models.map(modelOf);
    this.modelName = signal(start.model);
    this.knots = signal(this.startKnots());
    this.prevalence = signal(start.prevalence);
    this.ratio = signal(start.cost_ratio);
    this.abstainCost = signal(start.abstain_cost);
    this.band = signal(start.band);
    this.theme = signal<Theme>(start.theme);
    this.lookLike(start);
  }

  /** Colours and hidden models of a saved state; at least one model is shown. */
  lookLike({ hidden = [], colors = {} }: Pick<StartState, "hidden" | "colors">): void {
    const some = this.models.some((model) => !hidden.includes(model.name));
    looks.value = this.models.map(({ name }) => ({ color: Object.hasOwn(colors, name) ? colors[name] : null, hidden: some && hidden.includes(name) }));
  }

  private startKnots(): Record<string, number> {
    const given = this.payload.state.thresholds;
    const entries = this.models.map((model) => {
      const knot = Object.hasOwn(given, model.name) ? knotOfThreshold(model, given[model.name]) : model.start;
      return [model.name, knot];
    });
    return Object.fromEntries(entries);
  }

  readonly model = computed(
    () => this.models.find((model) => model.name === this.modelName.value) ?? this.models[0],
  );
  readonly shown = computed(() => this.models.filter((model) => !isHidden(model.slot)));
  readonly knot = computed(() => this.knots.value[this.model.value.name]);
  readonly matrix = computed(() => matrixAt(this.model.value, this.knot.value));
  readonly sensitivity = computed(() => sensitivity(this.matrix.value));
  readonly specificity = computed(() => specificity(this.matrix.value));
  readonly measures = computed(() => this.measuresOf(this.model.value, this.knot.value));
  readonly cost = computed(() =>
    costAt(this.model.value, this.knot.value, this.prevalence.value, this.ratio.value),
  );
  readonly nCases = computed(() => this.model.value.positives + this.model.value.negatives);

  measuresOf(model: Model, knot: number): Measures {
    return measuresAt(model, knot, this.prevalence.value, this.payload.settings.level, this.payload.cases);
  }

  /** Hide a model or show it again; the last one stays, and one that is shown is chosen. */
  toggle(model: Model): void {
    const last = this.shown.value.length === 1 && this.shown.value[0] === model;
    if (last) return;
    looks.value = looks.value.map((look, slot) => (slot === model.slot ? { ...look, hidden: !look.hidden } : look));
    if (isHidden(this.model.value.slot)) this.modelName.value = this.shown.value[0].name;
  }

  /** The next colour of the palette: one of those that can be distinguished on light and dark. */
  recolor(model: Model): void {
    const color = ((placeInPalette(model.slot) ?? -1) + 1) % MOST_COLORS;
    looks.value = looks.value.map((look, slot) => (slot === model.slot ? { ...look, color } : look));
  }

  moveTo(knot: number): void {
    const model = this.model.value;
    const kept = Math.max(0, Math.min(knot, model.tp.length - 1));
    if (kept !== this.knot.value) this.knots.value = { ...this.knots.value, [model.name]: kept };
  }

  toLeastCost(): void {
    this.moveTo(cheapest(this.model.value, this.prevalence.value, this.ratio.value));
  }

  /** Prevalence and costs as they came, and every point where it began. */
  reset(): void {
    const start = this.payload.state;
    this.prevalence.value = this.payload.cases.prevalence;
    this.ratio.value = start.cost_ratio;
    this.abstainCost.value = start.abstain_cost;
    this.knots.value = this.startKnots();
  }

  /** The present state, in the form of `payload.state`; a saved report starts with it. */
  snapshot(): StartState {
    const thresholds = this.models.map((model) => {
      const threshold = model.thresholds[this.knots.value[model.name]];
      return [model.name, Number.isFinite(threshold) ? threshold : null];
    });
    return {
      model: this.modelName.value,
      thresholds: Object.fromEntries(thresholds),
      prevalence: this.prevalence.value,
      cost_ratio: this.ratio.value,
      abstain_cost: this.abstainCost.value,
      band: this.band.value,
      theme: this.theme.value,
      hidden: this.models.filter((model) => isHidden(model.slot)).map((model) => model.name),
      colors: Object.fromEntries(this.models.flatMap(({ name, slot }) => (looks.value[slot].color === null ? [] : [[name, looks.value[slot].color!]]))),
    };
  }
}
