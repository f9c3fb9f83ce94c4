"""Plots of several classes, unordered and ordered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocwise import checks, printing
from rocwise.errors import InputError
from rocwise.plotting import forms, spec, words
from rocwise.plotting.registry import plot_of
from rocwise.plotting.theme import TEXT_COLOR

if TYPE_CHECKING:
    from rocwise.multiclass.class_areas import MulticlassAuc
    from rocwise.multiclass.class_trees import ClassSplit, MetaClass
    from rocwise.multiclass.curves import MulticlassRoc
    from rocwise.multiclass.hypervolumes import Hum
    from rocwise.multiclass.weights import ClassWeights, UncertainClassWeights
    from rocwise.ordinal.cut_points import OrdinalThresholds
    from rocwise.ordinal.measures import OrdinalAuc, OrdinalTest
    from rocwise.ordinal.surfaces import ClassOrder, RocSurface


AVERAGES = {
    "hand-till": "Hand-Till M",
    "ovr": "mean of one-vs-rest",
    "ovr-weighted": "weighted one-vs-rest",
    "ovo-weighted": "weighted one-vs-one",
}
MOST_PAIRS = 15


@plot_of("MulticlassAuc")
def multiclass_auc_plot(result: MulticlassAuc, *, name: spec.Name = None) -> spec.PlotSpec:
    """The average with its interval, and below it the AUCs of the classes or pairs."""
    n = sum(result.sizes)
    called, caption = name or AVERAGES[result.average], "Dashed: chance."
    interval, level = (result.interval, result.level) if result.has_interval else ((), None)
    rows = [forms.estimate_row(called, result.value, *interval, n=n)]
    if result.has_interval:
        caption = f"{printing.percent(result.level)} CI by {result.interval.method}. {caption}"
    if result.average.startswith("ovr"):
        found = result.per_class_table()
        columns = (found[column] for column in ("class", "auc", "low", "high"))
        for label, *values in zip(*columns, strict=True):
            rows.append(forms.estimate_row(f"{label} v rest", *values, n=n))
        return forms.forest(rows, "AUC", level=level, null=0.5, caption=caption)
    columns = (result._columns()[column] for column in ("first", "second", "auc"))
    areas = {(a, b): area for a, b, area in zip(*columns, strict=True) if not np.isnan(area)}
    if len(areas) > MOST_PAIRS:
        areas = dict(sorted(areas.items(), key=lambda pair: pair[1])[:MOST_PAIRS])
        caption = f"The {MOST_PAIRS} pairs with the smallest areas. {caption}"
        known = {}
    else:
        known = result.pairwise_intervals() if result.has_interval else {}
    pairs = [
        forms.estimate_row(f"{a} v {b}", area, *known.get((a, b), ()), n=n)
        for (a, b), area in areas.items()
    ]
    return forms.forest([*rows, *pairs], "AUC", level=level, null=0.5, caption=caption)


@plot_of("Hum")
def hum_plot(result: Hum, *, name: spec.Name = None) -> spec.PlotSpec:
    """The hypervolume, its interval where it is estimated from tuples, and its value by chance."""
    caption = f"Rule {result.rule}. Dashed: {result.chance:.3g}, by chance."
    return forms.one_row(result, name or "HUM", "HUM", null=result.chance, caption=caption)


@plot_of("MulticlassRoc")
def multiclass_roc_plot(
    result: MulticlassRoc,
    *,
    name: spec.Name = None,
    axis: spec.AxisWords = "ml",
    chance: bool = True,
    bands: bool = True,
) -> spec.PlotSpec:
    """The curve of every class against the rest, with `bands` where there are any."""
    drawn = result.bands if bands and result.bands is not None else {}
    layers: list[spec.Layer] = [
        spec.Band(drawn[label].fpr, drawn[label].lower, drawn[label].upper, slot=slot)
        for slot, label in enumerate(result.curves)
        if drawn
    ]
    alone = len(result.curves) == 1
    for slot, (label, curve) in enumerate(result.curves.items()):
        called = label if name is None else f"{name} {label}"
        text = words.auc_words(result.areas[label])
        legend = None if alone else words.entry(called, text)
        layers.append(spec.Line(curve.fpr, curve.tpr, label=legend, slot=slot))
    if alone:  # a panel, whose title is the class
        corner = text.replace(" (", "\n").rstrip(")")
        layers.append(spec.Label(1.0, 0.0, corner, side="above-left", color=TEXT_COLOR))
        return forms.roc_square(layers, axis, chance)
    caption = "Each class against the rest."
    if drawn:
        kinds = " or ".join(sorted({band.kind for band in drawn.values()}))
        bands_words = f"{printing.percent(result.level)} {kinds}"
        layers.append(spec.band_entry(f"{bands_words} band"))
        caption += f" Bands: {bands_words}, each class by itself."
    return forms.roc_square(layers, axis, chance, caption)


MARGIN = 0.06
LEGEND_ROOM = 0.05  # room for the legend above the rows, as a fraction of theirs


@plot_of("ClassWeights")
def class_weights_plot(
    found: ClassWeights, *, name: spec.Name = None, class_names: list[str] | None = None
) -> spec.PlotSpec:
    """The cost of each class with equal weights and with those found."""
    m = len(found.weights)
    if class_names is None:
        class_names = list(found.names) if found.named else [f"class {k}" for k in range(m)]
    if len(class_names) != m:
        raise InputError(
            f"`class_names` must name each of {m} classes; got {len(class_names)} names."
        )
    before, after = found.class_costs()
    top = float(max(before.max(), after.max())) or 1.0
    heights = np.arange(m, dtype=np.float64)[::-1]
    altered = found.method.startswith("cost-")  # "cost-columns", "cost-rows"
    plain = "largest confidence" if altered else "equal weights"
    weights = zip(class_names, found.weights, strict=True)
    y = spec.list_axis("", [f"{word} (weight {w:.2g})" for word, w in weights], downwards=True)
    article = "the " if altered else ""
    layers = (
        spec.Whiskers(np.minimum(before, after), np.maximum(before, after), heights, muted=True),
        spec.Points(before, heights, label=plain.capitalize(), muted=True),
        spec.Points(after, heights, label=name or "Class weights"),
    )
    caption = (
        f"Contribution of each class; all together {found.cost:.4g} per case, "
        f"{found.baseline_cost:.4g} with {article}{plain} ({found.method})."
    )
    x = spec.Axis("Expected cost per case", (-MARGIN * top, (1 + MARGIN) * top))
    y = replace(y, limits=(-0.5, (1 + LEGEND_ROOM) * m))
    return forms.chart(layers, x, y, caption, legend_places=forms.UPPER)


@plot_of("UncertainClassWeights")
def regret_plot(found: UncertainClassWeights, *, name: spec.Name = None) -> spec.PlotSpec:
    """The empirical distribution of the regret over cost matrices."""
    edge = (found.largest_regret or 1.0) * (1 + MARGIN)
    steps = forms.ecdf_steps(found.regrets, ends=(0.0, edge))
    return forms.chart(
        (spec.Line(*steps, label=name),),
        spec.Axis("Regret (cost above the least)", (0.0, edge)),
        "Proportion of cost matrices",
        f"{len(found.regrets)} cost matrices (criterion: {found.criterion}); regret "
        f"{found.expected_regret:.3g} on average, {found.largest_regret:.3g} at worst; "
        f"mean cost {found.cost:.4g}.",
    )


@plot_of("MetaClass")
def tree_plot(tree: MetaClass, *, name: spec.Name = None) -> spec.PlotSpec:
    """The tree of splits, with their thresholds and the classes at the leaves."""
    layers: list[spec.Layer] = []
    depth = _add_split(tree.root, tree.names, 0.0, 0, "above-right", layers)[1]
    return forms.chart(
        layers,
        spec.Axis("", (-0.6, len(tree.prior) - 0.4), ticks=()),
        spec.Axis("", (-depth - 0.6, 0.7), ticks=()),
        "Left where confidence in the classes on the left, over that in those on the right, "
        "reaches the number at the split.",
        f"Expected cost {tree.cost:.4g} per case.",
        title=name,
        bare=True,
    )


def _add_split(
    split: ClassSplit,
    names: tuple[str, ...],
    first: float,
    depth: int,
    side: spec.Side,
    layers: list[spec.Layer],
) -> tuple[float, int]:
    """Add a split and all below it, from the leaf number `first`; its x and the depth below."""
    ends, deepest = [], depth + 1
    branches: tuple[tuple[ClassSplit | None, tuple[int, ...], spec.Side], ...] = (
        (split.left, split.left_classes, "above-left"),
        (split.right, split.right_classes, "above-right"),
    )
    for branch, classes, outside in branches:
        if branch is None:
            x, y = first, -depth - 1.0
            layers += [spec.marker(x, y), spec.Label(x, y, names[classes[0]])]
        else:
            x, below = _add_split(branch, names, first, depth + 1, outside, layers)
            deepest = max(deepest, below)
        first += len(classes)
        ends.append(x)
    middle = sum(ends) / 2
    for x in ends:
        layers.insert(0, spec.reference((middle, x), (-depth, -depth - 1)))
    value = split.threshold
    text = f"{value:,.0f}" if 1e3 <= value < 1e15 else f"{value:.4g}"
    layers.append(spec.Label(middle, -float(depth), f"≥ {text}", side=side))
    return middle, deepest


ORDINAL_TITLES = {
    "volume": "VUS",
    "consecutive": "Mean AUC of cuts",
    "pairwise": "Mean pairwise AUC",
}
MOST_ORDERS = 12


@plot_of("OrdinalAuc")
def ordinal_auc_plot(result: OrdinalAuc, *, name: spec.Name = None) -> spec.PlotSpec:
    """The measure with its interval, and its value by chance."""
    title = ORDINAL_TITLES.get(result.measure, "Proportion of pairs in order")
    called, caption = words.name_of(result, name), f"Dashed: {result.chance:.3g}, by chance."
    form: Any = {"n": sum(result.sizes), "null": result.chance, "caption": caption}
    return forms.one_row(result, called or title, title, **form)


@plot_of("OrdinalTest")
def ordinal_test_plot(test: OrdinalTest, *, name: spec.Name = None) -> spec.PlotSpec:
    """The measure, and its value by chance with the range of 95% under the null hypothesis."""
    rows = [
        forms.Row(name or "observed", test.value, None, printing.p_value(test.p_value)),
        forms.Row("by chance", test.chance, test.chance_range, "95%"),
    ]
    caption = f"{test.alternative.capitalize()} test; z = {test.statistic:.2f}."
    return forms.forest(rows, "VUS" if test.measure == "volume" else "AUC", caption=caption)


@plot_of("OrdinalThresholds")
def thresholds_plot(cuts: OrdinalThresholds, *, name: spec.Name = None) -> spec.PlotSpec:
    """The confusion matrix of the classes."""
    cells = (cuts.confusion.astype(int), cuts.rates, np.full(cuts.rates.shape, ""))
    classes = [str(label) for label in cuts.labels]
    sign = "≤" if cuts.origin.direction == "lower" else "≥"
    thresholds = ["", *(f"\n({sign} {words.true_minus(text)})" for text in cuts.printed)]
    columns = [f"{label}{text}" for label, text in zip(classes, thresholds, strict=True)]
    caption = (
        f"Expected cost{words.of(name)} {cuts.cost:.4g} per case; proportions of the true class."
    )
    return forms.confusion_plot(cells, classes, columns, caption)


@plot_of("ClassOrder")
def class_order_plot(found: ClassOrder, *, name: spec.Name = None) -> spec.PlotSpec:
    """The volume of the best orders of the classes, at most twelve."""
    best = np.argsort(-found.volumes, kind="stable")[:MOST_ORDERS]
    rows = []
    for order, volume in zip(found.orders[best].tolist(), found.volumes[best], strict=True):
        called = " < ".join(map(str, order))
        rows.append(forms.Row(called, float(volume), None, f"{volume:.3f}"))
    caption = f"{len(rows)} of {len(found.volumes)} orders{words.of(name)}. Dashed: chance."
    return forms.forest(rows, "VUS", null=found.chance, caption=caption)


SECTIONS = (0.0, 0.5, 0.75, 0.9)
MESH_STEPS = 100


@plot_of("RocSurface")
def surface_plot(
    surface: RocSurface,
    *,
    name: spec.Name = None,
    kind: Literal["sections", "map", "3d"] = "sections",
    sections: tuple[float, ...] = SECTIONS,
    chance: bool = True,
) -> spec.PlotSpec:
    """The best rate of the middle class over the rates of the other two.

    "sections" at some rates of the highest class (`sections`), a heat "map", or "3d".
    """
    checks.one_of(kind, "kind", ("sections", "map", "3d"))
    low, middle, high = (str(label) for label in surface.labels)
    x, height = f"Correct rate, class {low}", f"Largest correct rate, class {middle}"
    volume = printing.rate(surface.volume, sum(surface.sizes))
    caption = [f"Volume under the surface {volume}; chance 0.167."]
    form: Any = {"square": True, "legend_places": ("lower left", "upper right")}
    if kind != "sections":
        grid = np.linspace(0.0, 1.0, MESH_STEPS + 1)
        heights = surface.height(grid[None, :], grid[:, None])
        mesh = spec.Mesh(grid, grid, heights, height, levels=(0.25, 0.5, 0.75))
        y = spec.Axis(f"Correct rate, class {high}", (0.0, 1.0))
        form |= {"projection": "3d" if kind == "3d" else "plane", "azimuth": 40.0}
        return forms.chart((mesh,), spec.Axis(x, (0.0, 1.0)), y, *caption, **form)
    layers: list[spec.Layer] = [spec.reference(forms.UNIT, forms.UNIT[::-1])] if chance else []
    for slot, rate in enumerate(sections):
        wanted = checks.rate(rate, "sections")
        steps, heights = surface.section(wanted)
        corners = np.repeat(steps, 2), np.append(np.repeat(heights, 2)[1:], 0.0)
        least = f"≥ {printing.percent(wanted)} correct" if wanted else "any rate"
        label = words.entry(name, f"class {high}: {least}")
        layers.append(spec.Line(*corners, label=label, slot=slot))
    if chance:
        caption.append(f"Dashed: chance at any rate of class {high}.")
    return forms.chart(layers, x, height, *caption, **form)
