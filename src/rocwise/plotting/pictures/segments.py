"""Pictures of confident segments: on the curve, against the threshold, and among models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocwise import checks, printing
from rocwise.errors import InputError
from rocwise.plotting.layers import PADDED_UNIT, Axis, Band, Layer, Line, Picture, Points
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.confident_segment import ConfidentSegment

MOST_INTERVALS = 1500
MARGIN = 0.04
VIEWS = ("curve", "intervals", "plane")


@picture_of("ConfidentSegment")
def segment_picture(
    segment: ConfidentSegment,
    *,
    name: str | None = None,
    view: Literal["curve", "intervals", "plane"] = "curve",
    axis: AxisWords = "ml",
    chance: bool = True,
) -> Picture:
    """Draw the segment.

    Parameters
    ----------
    segment
        The segment.
    name
        What the legend calls it.
    view
        "curve": the ROC curve with its confident part in bold; "intervals": (FN - FP)/n with its
        interval against the threshold; "plane": the mean difference and the CAUC as a point, to
        compare several models.
    axis, chance
        As for a ROC curve, in the view "curve".
    """
    checks.one_of(view, "view", VIEWS)
    called = name_of(segment, name)
    if view == "intervals":
        return _intervals(segment, called)
    if view == "plane":
        return _plane(segment, called)
    words = f"CAUC {printing.rate(segment.cauc, segment.n_pos + segment.n_neg)}"
    layers: tuple[Layer, ...] = (
        Line(segment.curve_fpr, segment.curve_tpr, muted=True),
        Line(segment.fpr, segment.tpr, label=entry(called, words)),
    )
    return replace(roc_square(layers, axis, chance), caption=(_sentence(segment),))


def _sentence(segment: ConfidentSegment) -> str:
    level = printing.percent(segment.level)
    return f"In colour: thresholds where Tango's {level} interval of (FN − FP)/n contains 0."


def _intervals(segment: ConfidentSegment, called: str | None) -> Picture:
    """Differences and their limits over the threshold."""
    finite = np.flatnonzero(np.isfinite(segment.curve_thresholds))
    if not len(finite):
        raise InputError("`segment` has no finite threshold, so there is no axis to draw it on.")
    spread = np.linspace(0, len(finite) - 1, min(len(finite), MOST_INTERVALS)).round()
    rows = finite[np.unique(spread.astype(np.intp))]
    rows = rows[np.argsort(segment.curve_thresholds[rows], kind="stable")]
    x = segment.curve_thresholds[rows].astype(np.float64)
    difference, low, high = segment.intervals(rows)
    margin = MARGIN * (float(x[-1] - x[0]) or 1.0)
    level = printing.percent(segment.level)
    return Picture(
        layers=(
            Line(np.array([x[0], x[-1]]), np.zeros(2), role="reference"),
            Band(x, low, high),
            Line(x, difference, label=called),
        ),
        x=Axis("Threshold", (float(x[0]) - margin, float(x[-1]) + margin)),
        y=Axis("(FN − FP) / n", (float(low.min()) - MARGIN, float(high.max()) + MARGIN)),
        caption=(f"Shaded: Tango's {level} intervals; confident where they contain 0.",),
        legend_places=("lower right", "upper left", "upper right", "lower left"),
    )


def _plane(segment: ConfidentSegment, called: str | None) -> Picture:
    """One point: how balanced the errors are along the segment, and how much area it has."""
    if segment.mean_difference is None:
        raise InputError("`segment` is empty, so it has no place in this picture.")
    x, y = segment.mean_difference, segment.cauc
    reach = max(abs(x) * 1.5, 0.01)
    layers: tuple[Layer, ...] = (
        Line(np.zeros(2), np.array([0.0, 1.0]), role="reference"),
        Points(np.array([x]), np.array([y]), label=called),
    )
    return Picture(
        layers=layers,
        x=Axis("Mean (FN − FP) / n on the segment (AveD)", (-reach, reach)),
        y=Axis("Area of the confident segment (CAUC)", PADDED_UNIT),
        caption=("Best: high, and near the line of no difference.",),
        legend_places=("lower right", "upper left", "lower left", "upper right"),
    )
