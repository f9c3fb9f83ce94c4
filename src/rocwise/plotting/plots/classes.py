"""Plots of ordered classes: measures, cuts, orders, and sections of the ROC surface."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.plots.curves import roc_square
from rocwise.plotting.plots.decisions import table_plot
from rocwise.plotting.plots.intervals import Row, forest
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    PADDED_UNIT,
    Axis,
    AxisWords,
    Cells,
    Label,
    Layer,
    Line,
    Mesh,
    PlotSpec,
    Points,
    Side,
    Tick,
    Whiskers,
    auc_words,
    entry,
    name_of,
)
from rocwise.plotting.spec import Band as BandLayer
from rocwise.plotting.theme import TEXT_COLOR
from rocwise.plotting.threshold_marks import share_steps

if TYPE_CHECKING:
    from rocwise.multiclass.class_areas import MulticlassAuc
    from rocwise.multiclass.class_trees import ClassSplit, MetaClass
    from rocwise.multiclass.curves import MulticlassRoc
    from rocwise.multiclass.hypervolumes import Hum
    from rocwise.multiclass.weights import ClassWeights, UncertainClassWeights
    from rocwise.ordinal.cut_points import OrdinalThresholds
    from rocwise.ordinal.measures import OrdinalAuc
    from rocwise.ordinal.null_tests import OrdinalTest
    from rocwise.ordinal.surfaces import ClassOrder, RocSurface


SHORT = {
    "hand-till": "Hand-Till M",
    "ovr": "mean of one-vs-rest",
    "ovr-weighted": "weighted one-vs-rest",
    "ovo-weighted": "weighted one-vs-one",
}
MOST_PAIRS = 15


@plot_of("MulticlassAuc")
def multiclass_auc_plot(answer: MulticlassAuc, *, name: str | None = None) -> PlotSpec:
    """Draw the average with its interval, and below it the areas it is made of.

    Parameters
    ----------
    answer
        The average.
    name
        What its row is called.
    """
    n = sum(answer.sizes)
    words, limits, caption = printing.rate(answer.value, n), None, "Dashed: chance."
    if answer.has_interval:
        limits = (answer.interval.low, answer.interval.high)
        words = f"{words} ({printing.rate(limits[0], n)} to {printing.rate(limits[1], n)})"
        caption = f"{printing.percent(answer.level)} CI by {answer.interval.method}. {caption}"
    rows = [Row(name or SHORT[answer.average], answer.value, limits, words)]
    if answer.average.startswith("ovr"):
        found = answer.per_class_table()
        for label, area, low, high in zip(
            *(found[name] for name in ("class", "auc", "low", "high")), strict=True
        ):
            ends = f"({printing.rate(low, n)} to {printing.rate(high, n)})"
            words = f"{printing.rate(area, n)} {ends}"
            rows.append(Row(f"{label} v rest", float(area), (float(low), float(high)), words))
        return forest(rows, "AUC", null=0.5, caption=caption)
    table = answer._columns()
    pairs = [
        Row(f"{first} v {second}", float(area), None, printing.rate(area, n))
        for first, second, area in zip(table["first"], table["second"], table["auc"], strict=True)
        if not np.isnan(area)
    ]
    if len(pairs) > MOST_PAIRS:
        pairs = sorted(pairs, key=lambda row: row.value)[:MOST_PAIRS]
        caption = f"The {MOST_PAIRS} pairs with the smallest areas. {caption}"
    return forest([*rows, *pairs], "AUC", null=0.5, caption=caption)


@plot_of("Hum")
def hum_plot(answer: Hum, *, name: str | None = None) -> PlotSpec:
    """Draw the hypervolume and its level by chance; the interval is that of the draws.

    Parameters
    ----------
    answer
        The hypervolume.
    name
        What the row is called.
    """
    interval = answer.interval
    limits = None if interval is None else (interval.low, interval.high)
    words, title = f"{answer.value:.3f}", "HUM"
    if interval is not None:
        words += f" ({interval.low:.3f} to {interval.high:.3f})"
        title += f" ({printing.percent(interval.level)} CI)"
    row = Row(name or "HUM", answer.value, limits, words)
    caption = f"Rule {answer.rule}. Dashed: {answer.chance:.3g}, by chance."
    return forest([row], title, null=answer.chance, caption=caption)


@plot_of("MulticlassRoc")
def multiclass_roc_plot(
    answer: MulticlassRoc,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    bands: bool = True,
) -> PlotSpec:
    """Draw the curve of every class against the rest in one square.

    Parameters
    ----------
    answer
        One-vs-rest curves.
    name
        Put in front of the classes in the legend.
    axis
        "ml" for true and false positive rate, "clinical" for sensitivity and 1 − specificity.
    chance
        Whether to draw the diagonal of a worthless score.
    bands
        Whether to draw the bands, where there are any.
    """
    layers: list[Layer] = []
    alone = len(answer.curves) == 1
    for slot, label in enumerate(answer.curves):
        if bands and answer.bands is not None:
            band = answer.bands[label]
            layers.append(BandLayer(band.fpr, band.lower, band.upper, slot=slot))
    for slot, (label, curve) in enumerate(answer.curves.items()):
        called = label if name is None else f"{name} {label}"
        words = None if alone else entry(called, auc_words(answer.areas[label]))
        layers.append(Line(curve.fpr, curve.tpr, label=words, slot=slot))
    spec = roc_square(tuple(layers), axis, chance)
    if alone:  # a panel among others: the area is written into it, its title names the class
        (area,) = answer.areas.values()
        text = auc_words(area).replace(" (", "\n").rstrip(")")
        corner = Label(1.0, 0.0, text, side="above-left", color=TEXT_COLOR)
        return replace(spec, layers=(*spec.layers, corner))
    sentence = "Each class against the rest."
    if bands and answer.bands is not None:
        kinds = " or ".join(sorted({band.kind for band in answer.bands.values()}))
        sentence += f" Bands: {printing.percent(answer.level)} {kinds}, each class by itself."
    return replace(spec, caption=(sentence,))


MARGIN = 0.06
HEAD = 0.05
"""Room for the legend above the rows, as a share of theirs."""


@plot_of("ClassWeights")
def class_weights_plot(
    found: ClassWeights, *, name: str | None = None, class_names: list[str] | None = None
) -> PlotSpec:
    """Draw what the rows of each class cost, with equal weights and with those found.

    Parameters
    ----------
    found
        The weights.
    name
        What the weights are called in the legend.
    class_names
        Names of the classes in place of their own.
    """
    m = len(found.weights)
    rows = np.arange(m - 1, -1, -1, dtype=np.float64)
    before, after = found.class_costs()
    top = float(max(before.max(), after.max())) or 1.0
    relative = found.weights
    if class_names is None and found.named:
        class_names = list(found.names)
    plain = "the largest confidence" if found.method == "cost-columns" else "equal weights"
    return PlotSpec(
        layers=(
            Whiskers(np.minimum(before, after), np.maximum(before, after), rows, muted=True),
            Points(before, rows, label=plain.removeprefix("the ").capitalize(), muted=True),
            Points(after, rows, label=name or "Class weights"),
        ),
        x=Axis("Expected cost from this class, per case", (-MARGIN * top, (1 + MARGIN) * top)),
        y=Axis("", (-0.5, (1 + HEAD) * m), ticks=_class_ticks(rows, relative, class_names)),
        caption=(
            f"All classes together: {found.cost:.4g} per case; "
            f"{found.baseline_cost:.4g} with {plain} ({found.method}).",
        ),
        legend_places=("upper right", "upper left"),
    )


def _class_ticks(rows: Floats, weights: Floats, names: list[str] | None) -> tuple[Tick, ...]:
    """The classes with their weights, the largest of which is 1."""
    words = [f"class {k}" for k in range(len(rows))] if names is None else names
    if len(words) != len(rows):
        raise InputError(
            f"`class_names` must name each of {len(rows)} classes; got {len(words)} names."
        )
    return tuple(
        Tick(float(row), f"{word} (weight {weight:.2g})")
        for row, word, weight in zip(rows, words, weights, strict=True)
    )


@plot_of("MetaClass")
def tree_plot(tree: MetaClass, *, name: str | None = None) -> PlotSpec:
    """Draw the tree: left when the confidences of the left classes are large enough.

    Parameters
    ----------
    tree
        The tree.
    name
        Title of the plot.
    """
    layers: list[Layer] = []
    n_leaves = len(tree.prior)
    depth = _grow(tree.root, tree.names, 0.0, 0, "above-right", layers)[1]
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("", (-0.6, n_leaves - 0.4), ticks=()),
        y=Axis("", (-depth - 0.6, 0.7), ticks=()),
        title=name,
        bare=True,
        caption=(
            "Left where confidence in the classes on the left, over that in those on the right, "
            "reaches the number at the split.",
            f"Expected cost {tree.cost:.4g} per case.",
        ),
    )


def _grow(
    split: ClassSplit,
    names: tuple[str, ...],
    first: float,
    depth: int,
    side: Side,
    layers: list[Layer],
) -> tuple[float, int]:
    """Add a split and all below it from the leaf place `first`; its place and the depth below."""
    places, deepest, start = [], depth + 1, first
    ways: tuple[tuple[ClassSplit | None, tuple[int, ...], Side], ...] = (
        (split.left, split.left_classes, "above-left"),
        (split.right, split.right_classes, "above-right"),
    )
    for part, classes, outside in ways:
        if part is None:
            place = start
            layers.append(Points(np.array([place]), np.array([-depth - 1.0])))
            layers.append(Label(place, -depth - 1.0, names[classes[0]], side="below-right"))
        else:
            place, below = _grow(part, names, start, depth + 1, outside, layers)
            deepest = max(deepest, below)
        start += len(classes)
        places.append(place)
    middle = sum(places) / 2
    for place in places:
        x, y = np.array([middle, place]), np.array([-float(depth), -depth - 1.0])
        layers.insert(0, Line(x, y, role="reference"))
    layers.append(Label(middle, -float(depth), f"≥ {_short(split.threshold)}", side=side))
    return middle, deepest


def _short(number: float) -> str:
    return f"{number:,.0f}" if 1e3 <= number < 1e15 else f"{number:.4g}"


@plot_of("UncertainClassWeights")
def regret_plot(found: UncertainClassWeights, *, name: str | None = None) -> PlotSpec:
    """Draw how many cost matrices leave at most so much regret.

    Parameters
    ----------
    found
        The weights and their regrets.
    name
        Entry in the legend.
    """
    top = found.largest_regret or 1.0
    edge = top * (1 + MARGIN)
    return PlotSpec(
        layers=(
            Line(*share_steps(found.regrets, ends=(0.0, edge)), label=name or found.criterion),
        ),
        x=Axis("Regret: cost above the least for this cost matrix", (0.0, edge)),
        y=Axis("Share of cost matrices", PADDED_UNIT),
        caption=(
            f"{len(found.regrets)} cost matrices; regret {found.expected_regret:.3g} on average, "
            f"{found.largest_regret:.3g} at worst; mean cost {found.cost:.4g}.",
        ),
        legend_places=("lower right", "upper left"),
    )


MOST_ORDERS = 12
SECTIONS = (0.0, 0.5, 0.75, 0.9)
STEPS = 100  # of a map along each axis


@plot_of("OrdinalAuc")
def ordinal_auc_plot(answer: OrdinalAuc, *, name: str | None = None) -> PlotSpec:
    """Draw the measure with its interval, and its level by chance.

    Parameters
    ----------
    answer
        The measure.
    name
        What the row is called.
    """
    n = sum(answer.sizes)
    words, limits = printing.rate(answer.value, n), None
    caption = f"Dashed: {answer.chance:.3g}, by chance."
    if answer.has_interval:
        low, high = answer.interval
        limits = (low, high)
        words = f"{words} ({printing.rate(low, n)} to {printing.rate(high, n)})"
        caption = f"Intervals: {answer.interval.method}. {caption}"
    title = {"volume": "VUS", "consecutive": "Mean AUC of cuts", "pairwise": "Mean pairwise AUC"}
    axis = title.get(answer.measure, "Share of pairs in order")
    row = Row(name_of(answer, name) or axis, answer.value, limits, words)
    level = f" ({printing.percent(answer.level)} CI)" if answer.has_interval else ""
    return forest([row], f"{axis}{level}", null=answer.chance, caption=caption)


@plot_of("OrdinalTest")
def ordinal_test_plot(test: OrdinalTest, *, name: str | None = None) -> PlotSpec:
    """Draw the measure beside its level by chance, with the range that chance makes likely.

    Parameters
    ----------
    test
        The measure held against chance.
    name
        What the row is called.
    """
    rows = [
        Row(name or "observed", test.value, None, printing.p_value(test.p_value)),
        Row("by chance", test.chance, test.chance_range, "95 %"),
    ]
    caption = f"{test.alternative.capitalize()} test; z = {test.statistic:.2f}."
    return forest(rows, "VUS" if test.measure == "volume" else "AUC", null=None, caption=caption)


@plot_of("OrdinalThresholds")
def thresholds_plot(cuts: OrdinalThresholds, *, name: str | None = None) -> PlotSpec:
    """Draw what each true class is called, as a table.

    Parameters
    ----------
    cuts
        Cuts between ordered classes.
    name
        Part of the caption.
    """
    texts = tuple(
        tuple(
            f"{printing.count(int(count))}\n{printing.percent(round(float(rate), 3))}"
            for count, rate in zip(counts, rates, strict=True)
        )
        for counts, rates in zip(cuts.confusion, cuts.rates, strict=True)
    )
    sign = "≤" if cuts.origin.direction == "lower" else "≥"
    starts = [
        str(label) if k == 0 else f"{label}\n({sign} {cuts.printed[k - 1]})".replace("-", "−")
        for k, label in enumerate(cuts.labels)
    ]
    of_score = "" if name is None else f" of {name}"
    return table_plot(
        Cells(cuts.rates, texts),
        rows=[str(label) for label in cuts.labels],
        columns=starts,
        caption=(f"Expected cost{of_score} {cuts.cost:.4g} per case; shares of the true class.",),
    )


@plot_of("ClassOrder")
def class_order_plot(found: ClassOrder, *, name: str | None = None) -> PlotSpec:
    """Draw the volume of the best orders of the classes, at most twelve.

    Parameters
    ----------
    found
        All orders.
    name
        Part of the caption.
    """
    ranked = np.argsort(-found.volumes, kind="stable")[:MOST_ORDERS]
    rows = [
        Row(
            " < ".join(map(str, found.orders[k].tolist())),
            float(found.volumes[k]),
            None,
            f"{found.volumes[k]:.3f}",
        )
        for k in ranked
    ]
    of_score = "" if name is None else f" of {name}"
    caption = f"{len(rows)} of {len(found.volumes)} orders{of_score}. Dashed: chance."
    return forest(rows, "VUS", null=found.chance, caption=caption)


@plot_of("RocSurface")
def surface_plot(
    surface: RocSurface,
    *,
    name: str | None = None,
    kind: Literal["sections", "map", "3d"] = "sections",
    sections: tuple[float, ...] = SECTIONS,
    chance: bool = True,
) -> PlotSpec:
    """Draw the best rate of the middle class over the rates of the other two.

    Parameters
    ----------
    surface
        The surface.
    name
        Put in front of the sections in the legend.
    kind
        "sections" at some rates of the highest class, "map" of heights, or "3d".
    sections
        Rates of the highest class that must be reached.
    chance
        Whether to draw the section of a worthless score at rate 0.
    """
    checks.one_of(kind, "kind", ("sections", "map", "3d"))
    low, middle, high = (str(label) for label in surface.labels)
    height = f"Largest share of {middle} called right"
    n = sum(surface.sizes)
    spec = PlotSpec(
        layers=(),
        x=Axis(f"Share of {low} called right", PADDED_UNIT),
        y=Axis(height, PADDED_UNIT),
        square=True,
        caption=(f"Volume under the surface {printing.rate(surface.volume, n)}; chance 0.167.",),
        legend_places=("lower left", "upper right"),
    )
    if kind != "sections":
        grid = np.linspace(0.0, 1.0, STEPS + 1)
        heights = surface.height(grid[None, :], grid[:, None])
        mesh = Mesh(grid, grid, heights, height, levels=(0.25, 0.5, 0.75))
        return replace(
            spec,
            layers=(mesh,),
            x=replace(spec.x, limits=(0.0, 1.0)),
            y=Axis(f"Share of {high} called right", (0.0, 1.0)),
            projection="3d" if kind == "3d" else "plane",
            azimuth=40.0,
        )
    layers: list[Layer] = []
    if chance:
        layers.append(Line(np.array([0.0, 1.0]), np.array([1.0, 0.0]), role="reference"))
    for slot, rate in enumerate(sections):
        wanted = checks.rate(rate, "sections")
        label = f"{printing.percent(wanted)} or more of {high}" if wanted else f"any rate of {high}"
        x_places, y_places = _section(surface, wanted)
        layers.append(Line(x_places, y_places, label=entry(name, label), slot=slot))
    sentence = (f"Dashed: chance at any rate of {high}.",) if chance else ()
    return replace(spec, layers=tuple(layers), caption=(*spec.caption, *sentence))


def _section(surface: RocSurface, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """The staircase of one section: the height holds up to its rate and falls beyond it."""
    steps, heights = surface.section(rate)
    x = np.repeat(steps, 2)[:-1]
    y = np.repeat(heights, 2)[1:]
    return np.append(x, steps[-1]), np.append(y, 0.0)
