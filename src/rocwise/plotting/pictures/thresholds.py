"""Pictures of a table of thresholds: how measures change as the cut-off moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import InputError, count_of
from rocwise.plotting.layers import PADDED_UNIT, Axis, Line, Picture
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import name_of

if TYPE_CHECKING:
    from rocwise.binary.thresholds_table import ThresholdTable

METRIC_WORDS = {
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "ppv": "Positive predictive value",
    "npv": "Negative predictive value",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced accuracy",
    "f1": "F1",
    "mcc": "Matthews correlation",
    "youden": "Youden index",
    "lr_positive": "Positive likelihood ratio",
    "lr_negative": "Negative likelihood ratio",
    "expected_cost": "Expected cost",
    "tp": "True positives",
    "fp": "False positives",
    "fn": "False negatives",
    "tn": "True negatives",
}
DEFAULT_METRICS = ("sensitivity", "specificity", "ppv", "npv")
MARGIN = 0.03
"""Room left and right of the scores, as a share of their range."""


@picture_of("ThresholdTable")
def threshold_picture(
    table: ThresholdTable,
    *,
    name: str | None = None,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
) -> Picture:
    """Draw chosen columns of the table as steps over the threshold.

    Parameters
    ----------
    table
        The table.
    name
        Put before each entry of the legend.
    metrics
        Columns to draw; one alone also names the axis.
    """
    chosen = _checked_metrics(table, metrics)
    ends = score_ends(table.threshold, "table")
    lines = []
    called = name_of(table, name) if len(chosen) == 1 else name  # once is enough
    for slot, metric in enumerate(chosen):
        x, y = threshold_steps(
            table.threshold, _column(table, metric), table.origin.direction, ends
        )
        lines.append(Line(x, y, slot=slot, label=_label(called, chosen, metric)))
    return Picture(
        layers=tuple(lines),
        x=Axis("Threshold", ends),
        y=Axis(METRIC_WORDS[chosen[0]] if len(chosen) == 1 else "Value", _limits(lines)),
        caption=_gaps(table, chosen),
        legend_places=("lower left", "lower right", "upper left", "upper right", "center right"),
    )


def threshold_steps(
    thresholds: Floats, values: Floats, direction: str, ends: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return the corners of the steps.

    The value of a threshold holds from it down to (up to, where lower scores mean positive)
    the next score, that one left out; the last one holds beyond it as well, because all cases are
    positive there.
    """
    # Turned round, "lower" is "higher": the rule score <= t is the rule -score >= -t.
    sign = -1.0 if direction == "lower" else 1.0
    mild_end, strict_end = sorted((sign * ends[0], sign * ends[1]))
    order = np.argsort(sign * thresholds, kind="stable")
    threshold, value = sign * thresholds[order], values[order]
    finite = np.isfinite(threshold)
    x = np.concatenate(([mild_end], np.repeat(threshold[finite], 2)[:-1]))
    y = np.repeat(value[finite], 2)
    beyond = value[threshold == np.inf]
    if len(beyond):
        x = np.append(x, [x[-1], strict_end])
        y = np.append(y, [beyond[-1], beyond[-1]])
    return sign * x, y


def score_ends(thresholds: Floats, argument: str) -> tuple[float, float]:
    """The limits of an axis of thresholds, the infinite ones left out."""
    finite = thresholds[np.isfinite(thresholds)]
    if len(finite) == 0:
        raise InputError(
            f"`{argument}` has no finite threshold, so there is no axis to draw it on."
        )
    low, high = float(finite.min()), float(finite.max())
    margin = MARGIN * (high - low) or MARGIN * max(abs(low), 1.0)
    return low - margin, high + margin


def _checked_metrics(table: ThresholdTable, metrics: str | Sequence[str]) -> list[str]:
    chosen = [metrics] if isinstance(metrics, str) else list(metrics)
    present = [metric for metric in METRIC_WORDS if getattr(table, metric, None) is not None]
    if not chosen:
        raise InputError(f"`metrics` is empty. Choose from: {', '.join(present)}.")
    for metric in chosen:
        if metric not in present:
            raise InputError(
                f"`metrics` holds {metric!r}, which is not a column of this table. "
                f"Choose from: {', '.join(present)}."
            )
    return chosen


def _column(table: ThresholdTable, metric: str) -> Floats:
    column: Floats = np.ma.filled(np.ma.asarray(getattr(table, metric)).astype(float), np.nan)
    # Nothing undefined or infinite has a place on paper; the caption says how often that is.
    column[~np.isfinite(column)] = np.nan
    return column


def _label(name: str | None, chosen: Sequence[str], metric: str) -> str | None:
    if name is None:
        return METRIC_WORDS[metric] if len(chosen) > 1 else None
    return f"{name}: {METRIC_WORDS[metric]}" if len(chosen) > 1 else name


def _limits(lines: Sequence[Line]) -> tuple[float, float]:
    """Return the unit interval if it holds all values, else as much as they need."""
    values = np.concatenate([line.y for line in lines])
    values = values[np.isfinite(values)]
    low, high = min(0.0, values.min(initial=0.0)), max(1.0, values.max(initial=1.0))
    if (low, high) == (0.0, 1.0):
        return PADDED_UNIT
    margin = MARGIN * (high - low)
    return float(low - margin), float(high + margin)


def _gaps(table: ThresholdTable, chosen: Sequence[str]) -> tuple[str, ...]:
    sentences = []
    for metric in chosen:
        n_missing = int(np.count_nonzero(np.isnan(_column(table, metric))))
        if n_missing:
            where = count_of(n_missing, "threshold")
            sentences.append(f"{METRIC_WORDS[metric]}: undefined or infinite at {where}.")
    return tuple(sentences)
