"""Plots of censored outcomes: AUC over time, ROC curves at horizons, calibration by a horizon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.arrays import Places
from rocwise.plotting import forms, words
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    Axis,
    Band,
    Layer,
    Line,
    Name,
    PlotSpec,
    Points,
    padded,
    reference,
)

if TYPE_CHECKING:
    from rocwise.survival.areas import SurvivalAuc
    from rocwise.survival.concordance_indices import Concordance
    from rocwise.survival.predicted_risks import SurvivalCalibration

COLUMNS_AT_RISK = 6  # of the table of numbers at risk
FEW = 12  # times that are marked


@plot_of("SurvivalAuc")
def survival_auc_plot(result: SurvivalAuc, *, name: Name = None, chance: bool = True) -> PlotSpec:
    """The AUC over time with its limits, and below the numbers of cases and of rows at risk.

    With a simultaneous band this is the area, and the pointwise limits are lines within it. A
    single time is a row of a forest plot.
    """
    called = words.name_of(result, name)
    kind = "by" if result.estimand == "cumulative" else "at"
    level = printing.percent(result.level)
    if len(result.times) == 1:
        limits = (float(result.low[0]), float(result.high[0]))
        n = float(result.n_cases[0] + result.n_controls[0])
        row = forms.estimate_row(called or "", float(result.value[0]), *limits, n=n)
        title = f"AUC {kind} t = {result.times[0]:g}"
        null = 0.5 if chance else None
        return forms.forest([row], title, level=result.level, null=null, include=(0.5, 1.0))
    order = np.argsort(result.times)
    times, value = result.times[order], result.value[order]
    low, high = result.low[order], result.high[order]
    if result.band_low is None or result.band_high is None:
        layers: list[Layer] = [Band(times, low, high, label=f"{level} CI")]
        caption = f"Pointwise {level} limits."
    else:
        layers = [
            Band(times, result.band_low[order], result.band_high[order], label=f"{level} band")
        ]
        layers += [Line(times, low, muted=True), Line(times, high, muted=True)]
        caption = f"Area: simultaneous {level} band; gray lines: pointwise {level} limits."
    layers.append(Line(times, value, label=called))
    if len(times) <= FEW:
        layers.append(Points(times, value))
    ends = (float(np.min(low)), float(np.max(high)), 0.5 if chance else float(low[0]))
    y = Axis(f"AUC {kind} time t", (max(min(ends) - 0.03, -0.015), 1.015))
    x = Axis("Time t", padded(times))
    if chance:
        layers.insert(0, reference(x.limits, (0.5, 0.5)))
    return forms.chart(layers, x, y, caption, table=_numbers(result, order))


def _numbers(result: SurvivalAuc, order: Places) -> tuple[tuple[str, ...], ...]:
    """Cases and rows followed beyond some of the times, as rows of text."""
    some = order[np.unique(np.linspace(0, len(order) - 1, COLUMNS_AT_RISK).round().astype(int))]
    columns = (("time", result.times), ("cases", result.n_cases), ("at risk", result.n_controls))
    return tuple(
        (title, *(f"{x:.3g}" if title == "time" else printing.count(x) for x in values[some]))
        for title, values in columns
    )


@plot_of("SurvivalCalibration")
def survival_calibration_plot(result: SurvivalCalibration, *, name: Name = None) -> PlotSpec:
    """Observed incidence over predicted risk in groups, with limits."""
    slope = "" if result.slope is None else f", slope {result.slope:.2f}"
    label = words.entry_of(result, name, f"O/E {result.ratio:.2f}{slope}")
    layers: list[Layer] = [reference(forms.UNIT, forms.UNIT, label="ideal")]
    level = printing.percent(result.level)
    layers.append(Band(result.predicted, result.low, result.high, label=f"{level} CI"))
    layers += [Line(result.predicted, result.observed, label=label)]
    layers.append(Points(result.predicted, result.observed))
    caption = (
        f"{len(result.predicted)} groups of about equal size; observed: Aalen-Johansen, "
        f"{level} limits."
    )
    x, y = f"Predicted risk by t = {result.time:g}", f"Incidence by t = {result.time:g}"
    places = ("upper left", "lower right")
    return forms.chart(layers, x, y, caption, square=True, legend_places=places)


@plot_of("Concordance")
def concordance_plot(result: Concordance, *, name: Name = None, chance: bool = True) -> PlotSpec:
    """A row of a forest plot."""
    called = words.name_of(result, name) or ""
    row = forms.estimate_row(called, result.value, *result.interval, n=result.n)
    title = f"Concordance ({result.estimand.capitalize()})"
    null = 0.5 if chance else None
    return forms.forest([row], title, level=result.interval.level, null=null)
