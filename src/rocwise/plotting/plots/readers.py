"""Plots of reader studies: curves of readers, their differences, plans, and FROC curves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from rocwise import checks, printing
from rocwise.errors import InputError
from rocwise.plotting import forms, words
from rocwise.plotting.plots.intervals import p_value_text
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    Axis,
    AxisWords,
    Band,
    Layer,
    Line,
    Name,
    PlotSpec,
    Points,
    Tick,
    marker,
    padded,
    reference,
)
from rocwise.plotting.theme import COLORS

if TYPE_CHECKING:
    from rocwise.readers.comparison import ReaderComparison
    from rocwise.readers.localization import FrocCurve
    from rocwise.readers.study_plans import ReaderPlan

ReaderView: TypeAlias = Literal["curves", "readers", "slopes"]
FALSE_MARKS, LESIONS = "False positives per case", "Lesion sensitivity"
BEYOND = 1.05  # the proportion of an axis of false marks beyond the last point of a curve


@plot_of("ReaderComparison")
def readers_plot(
    result: ReaderComparison,
    *,
    name: Name = None,
    view: ReaderView = "curves",
    axis: AxisWords = "ml",
    chance: bool = True,
) -> PlotSpec:
    """Curves of the readers with their averages; "readers": a forest of their differences.

    `view` "slopes" has one line for each reader from the first modality to the second.
    """
    checks.one_of(view, "view", ("curves", "readers", "slopes"))
    if view == "readers":
        return _forest(result, name)
    return _slopes(result, name) if view == "slopes" else _curves(result, name, axis, chance)


def _curves(result: ReaderComparison, name: Name, axis: AxisWords, chance: bool) -> PlotSpec:
    thin: list[Layer] = []
    thick: list[Layer] = []
    far = 0.0
    for slot, (side, curves) in enumerate(result.curves().items()):
        for reader, (x, y) in curves.items():
            far = max(far, float(x[-1]))
            if reader == "average" or side == result.ai:
                label = words.entry(words.entry(name, side), _estimate_words(result, side))
                thick.append(Line(x, y, label=label, slot=slot))
            else:
                pale: Any = {"color": _pale(slot), "muted": True, "slot": slot}
                thin.append(Line(x, y, label=None if thin else "readers", **pale))
    caption = "Thick: vertical average of the readers."
    if not result.localized:
        return forms.roc_square((*thin, *thick), axis, chance, caption)
    return _froc_chart((*thin, *thick), far, caption)


def _pale(slot: int) -> str:
    """The color of a slot, halfway to white."""
    color = COLORS[slot % len(COLORS)]
    parts = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{(part + 255) // 2:02X}" for part in parts)


def _estimate_words(result: ReaderComparison, side: str) -> str:
    text, interval = f"{result.estimates[side]:.3f}", (result.intervals or {}).get(side)
    return text if interval is None else f"{text} ({_limits(*interval)})"


def _limits(low: float, high: float) -> str:
    return f"{low:.3f} to {high:.3f}"


def _forest(result: ReaderComparison, name: Name) -> PlotSpec:
    """The difference of each reader, and the mean of all at the bottom."""
    if result.difference is None or result.differences is None:
        raise InputError(
            "view='readers' draws the readers' differences of two modalities, or from `ai`; choose "
            "two: modalities=[...]."
        )
    keys = ("reader", "difference", "low", "high", "p_value")
    columns = (result.differences[key] for key in keys)
    rows = [
        forms.Row(str(reader), float(value), (float(low), float(high)), _row_text(value, p))
        for reader, value, low, high, p in zip(*columns, strict=True)
    ]
    assert result.interval is not None
    mean = f"{words.entry(name, 'mean')} ({result.n_readers})"
    text = _row_text(result.difference, result.p_value)
    rows.append(forms.Row(mean, result.difference, tuple(result.interval), text))
    title = f"{' − '.join(result.estimates)}, {result.quantity}"
    claim = f", p{result._claim()}" if result._claim() else ""
    caption = f"Mean: {result.method}{claim}. Readers: normal, cases alone."
    margins = [] if result.margin is None else [-result.margin]
    margins += [-end for end in margins if result.alternative == "equivalent"]
    how: Any = {"level": result.level, "null": 0.0, "caption": caption, "include": margins}
    spec = forms.forest(rows, title, **how)
    limits = [
        reference([end] * 2, spec.y.limits, slot=1, label=words.true_minus(f"margin {end:g}"))
        for end in margins
    ]
    return replace(spec, layers=(*limits, *spec.layers))


def _row_text(value: float, p_value: float | None) -> str:
    return f"{value:.3f}, {p_value_text(p_value)}"


def _slopes(result: ReaderComparison, name: Name) -> PlotSpec:
    """The estimates of each reader in both modalities."""
    sides = list(result.estimates)
    columns = zip(
        *(result.by_reader[key] for key in ("reader", "modality", "estimate")), strict=True
    )
    found = {(str(reader), str(modality)): float(value) for reader, modality, value in columns}
    pairs = [
        (found[reader, sides[0]], found[reader, sides[1]])
        for reader, modality in found
        if len(sides) == 2 and modality == sides[0] and (reader, sides[1]) in found
    ]
    if not pairs:
        raise InputError("view='slopes' draws two modalities that the same readers have read.")
    ends = np.array([0.0, 1.0])
    lines: list[Layer] = [Line(ends, np.array(each), color=_pale(0), muted=True) for each in pairs]
    means = np.array([result.estimates[side] for side in sides])
    values = [value for pair in pairs for value in pair]
    label = words.entry(name, f"mean of {result.n_readers} readers")
    layers = (*lines, Line(ends, means, label=label), Points(ends, means))
    x = Axis("", (-0.25, 1.25), ticks=tuple(map(Tick, (0.0, 1.0), sides)))
    return forms.chart(layers, x, Axis(result.quantity, padded([*values, *means])))


@plot_of("FrocCurve")
def froc_plot(result: FrocCurve, *, name: Name = None) -> PlotSpec:
    """The FROC curve with the figure of merit, and sensitivities with their intervals."""
    text = f"{result.quantity} {result.value:.3f} ({_limits(*result.interval)})"
    far, band = float(result.nlf[-1]), result.band
    level = printing.percent(result.level)
    layers: list[Layer] = [
        Band(band["false_positives"], band["low"], band["high"], label=f"{level} CI")
    ]
    layers.append(Line(result.nlf, result.llf, label=words.entry(name, text)))
    return _froc_chart(layers, far, f"{level} CI at each point, by bootstrap of cases.")


def _froc_chart(layers: Any, far: float, caption: str) -> PlotSpec:
    across = Axis(FALSE_MARKS, (0.0, BEYOND * far or 1.0))
    return forms.chart(layers, across, LESIONS, caption)


@plot_of("ReaderPlan")
def reader_plan_plot(plan: ReaderPlan, *, name: Name = None) -> PlotSpec:
    """Power over the number of positives, a line for each number of readers; a point: the plan."""
    curves = plan.curves()
    layers: list[Layer] = []
    for slot, readers in enumerate(np.unique(curves["n_readers"]).tolist()):
        own = curves["n_readers"] == readers
        label = words.entry(name, f"{readers} readers")
        layers.append(Line(curves["n_pos"][own], curves["power"][own], label=label, slot=slot))
        if readers == plan.n_readers:
            layers.append(marker(float(plan.n_pos), plan.achieved_power, slot=slot))
    most = float(curves["n_pos"].max())
    target = reference((0.0, most), (plan.power, plan.power))
    across = Axis("Positives", (0.0, most))
    return forms.chart((target, *layers), across, "Power", f"Dashed: {plan.power:g}.")
