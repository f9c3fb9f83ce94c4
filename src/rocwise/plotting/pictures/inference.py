"""Pictures of comparisons, tests and intervals: estimates on rows, the null as a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.plotting.layers import Axis, Label, Layer, Line, Picture, Points, Tick, Whiskers
from rocwise.plotting.pictures.forests import MARGIN
from rocwise.plotting.pictures.histograms import histogram
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.pictures.roc_details import part_layer
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import entry, name_of, true_minus, with_capitals

if TYPE_CHECKING:
    from rocwise.binary.auc import AucIntervals, StepArea
    from rocwise.binary.auc_tests import AucTest
    from rocwise.binary.bootstrap import BootstrapResult
    from rocwise.binary.feature_ranking import FeatureRanking
    from rocwise.binary.reported_points import SignalDetection
    from rocwise.inference.comparison import Comparison, ModelComparison
    from rocwise.results import Interval


class Row(NamedTuple):
    """One estimate: what it is called, its value, its limits if it has any, words at the right."""

    name: str
    value: float
    limits: tuple[float, float] | None
    words: str


@picture_of("Comparison")
def comparison_picture(comparison: Comparison, *, name: str | None = None) -> Picture:
    """Draw every difference with its interval, and the line of no difference.

    Parameters
    ----------
    comparison
        Two or more models compared.
    name
        What the row is called, with two models.
    """
    caption = f"{comparison.method}."
    if comparison.pairwise is not None:
        equal = p_words(comparison.p_value)
        caption = f"{comparison.method}; all equal: {equal}; p of pairs adjusted by Holm."
    rows = difference_rows(comparison, name)
    return forest(rows, difference_title(comparison, rows), null=0.0, caption=caption)


def difference_title(comparison: ModelComparison, rows: Sequence[Row]) -> str:
    """What the axis shows, and the level of the intervals where there are any."""
    title = f"Difference in {comparison.quantity}"
    if not any(row.limits for row in rows):
        return title
    interval = comparison.interval
    level = getattr(comparison, "level", 0.95) if interval is None else interval.level
    return f"{title} ({printing.percent(level)} CI)"


def difference_rows(comparison: ModelComparison, name: str | None) -> list[Row]:
    """The difference of two models, or those of all pairs with their adjusted p values."""
    columns = comparison.pairwise
    if columns is None:
        first, second = comparison.estimates
        interval = comparison.interval
        limits = None if interval is None else (interval.low, interval.high)
        called = name or f"{first} − {second}"
        value, p_value = comparison.difference or 0.0, comparison.p_value
        return [Row(called, value, limits, _difference_words(comparison, value, p_value))]
    rows = []
    for k in range(len(columns["first"])):
        called = f"{columns['first'][k]} − {columns['second'][k]}"
        value, low, high = (columns[each][k] for each in ("difference", "low", "high"))
        limits = None if low is None else (float(low), float(high))
        words = _difference_words(comparison, float(value), columns["p_adjusted"][k])
        rows.append(Row(called, float(value), limits, words))
    return rows


def _difference_words(comparison: ModelComparison, value: float, p_value: float | None) -> str:
    """A difference and its p value; the limits are drawn."""
    digits = getattr(comparison, "digits", None)
    shown = f"{value:.3g}" if digits is None else f"{value:.{digits}f}"
    return f"{shown}, {p_words(p_value)}"


def p_words(p_value: float | None) -> str:
    """A p value at the right of its row."""
    return "no p value" if p_value is None else printing.p_value(float(p_value))


@picture_of("AucIntervals")
def intervals_picture(intervals: AucIntervals, *, name: str | None = None) -> Picture:
    """Draw the interval of every method, one below the other.

    Parameters
    ----------
    intervals
        One area with all its intervals.
    name
        What the model is called.
    """
    rows = [
        Row(
            f"{method} *" if method == intervals.recommended else str(method),
            intervals.value,
            (float(low), float(high)),
            f"{low:.3f} to {high:.3f}",
        )
        for method, low, high in zip(intervals.method, intervals.low, intervals.high, strict=True)
    ]
    of_model = "" if name is None else f" of {name}"
    title = f"AUC{of_model} ({printing.percent(intervals.level)} CI)"
    return forest(rows, title, null=None, caption=f"* {intervals.advice}")


@picture_of("AucTest", together={"view": "row"})
def test_picture(
    test: AucTest, *, name: str | None = None, view: Literal["curve", "row"] = "curve"
) -> Picture:
    """Draw the curve of the area that was tested; several as rows beside their null values.

    Parameters
    ----------
    test
        One area tested.
    name
        What curve or row is called.
    view
        "curve" or "row".
    """
    method = f"{test.alternative}, {with_capitals(test.method)}"
    if view == "curve" and test.data is not None:
        n = test.n_pos + test.n_neg
        words = f"AUC {printing.rate(test.value, n)}, {printing.p_value(test.p_value)}"
        line = Line(*test.curve(), label=entry(name_of(test, name), words))
        caption = f"Tested against {test.null:g}: {method}."
        return replace(roc_square((line,), "ml", chance=True), caption=(caption,))
    row = Row(name or "", test.value, None, printing.p_value(test.p_value))
    caption = f"Dashed: {test.null:g}, the null hypothesis; {method}."
    return forest([row], "AUC", null=test.null, caption=caption)


@picture_of("StepArea", together={"view": "row"})
def step_area_picture(
    area: StepArea, *, name: str | None = None, view: Literal["curve", "row"] = "curve"
) -> Picture:
    """Draw the area under the curve; several as rows of shares of the perfect area.

    Parameters
    ----------
    area
        Komarek's step area.
    name
        What curve or row is called.
    view
        "curve" or "row".
    """
    words = f"{printing.count(area.area)} of {printing.count(area.perfect_area)}"
    if view == "curve" and area.data is not None:
        label = entry(name_of(area, name), f"step area {area.value:.3f}: {words} squares")
        layers = (part_layer(area, (0.0, 1.0), "fpr", None), Line(*area.curve(), label=label))
        return replace(roc_square(layers, "ml", chance=True), caption=(_ties(area),))
    row = Row(name or "", area.value, None, words)
    return forest([row], "Step area", null=0.5, caption=_ties(area))


def _ties(area: StepArea) -> str:
    """How tied scores were counted, as a sentence."""
    ways = {
        "simultaneous": "Tied scores are stepped over together.",
        "optimistic": "Of tied scores the positives come first.",
        "pessimistic": "Of tied scores the negatives come first.",
    }
    return ways[area.ties]


@picture_of("Interval")
def interval_picture(interval: Interval, *, name: str | None = None) -> Picture:
    """Draw the interval, with its mean where it has one.

    Parameters
    ----------
    interval
        A confidence interval.
    name
        What the row is called.
    """
    low, high = interval.low, interval.high
    middle = (low + high) / 2 if interval.mean is None else interval.mean
    row = Row(name or "", middle, (low, high), f"{low:.3f} to {high:.3f}")
    title = f"Estimate ({printing.percent(interval.level)} CI)"
    return forest([row], title, null=None, caption=f"{interval.method}." if interval.method else "")


@picture_of("BootstrapResult")
def bootstrap_picture(result: BootstrapResult, *, name: str | None = None) -> Picture:
    """Draw a histogram of the replicates, the estimate and its interval.

    Parameters
    ----------
    result
        A statistic with its replicates.
    name
        What the model is called.
    """
    values = result.replicates
    low, high = result.interval.low, result.interval.high
    reach = [float(values.min()), float(values.max()), low, high, result.value]
    margin = MARGIN * (max(reach) - min(reach)) or MARGIN
    of_model = "" if name is None else f" of {name}"
    seed = f"{printing.count(len(values))} resamples, seed {result.seed}."
    bars = histogram(values)
    top = float(bars.upper.max())
    return Picture(
        layers=(
            Line(np.full(2, result.value), np.array([0.0, 1.2 * top]), role="reference"),
            bars,
            Whiskers(np.array([low]), np.array([high]), np.array([1.1 * top])),
            Points(np.array([result.value]), np.array([1.1 * top])),
        ),
        x=Axis(f"{result.statistic}{of_model}", (min(reach) - margin, max(reach) + margin)),
        y=Axis("Share of resamples", (0.0, 1.2 * top)),
        caption=(f"Dashed: the estimate. Bar: {result.interval!r}. {seed}",),
    )


@picture_of("FeatureRanking")
def ranking_picture(ranking: FeatureRanking, *, name: str | None = None, most: int = 20) -> Picture:
    """Draw the predicted AUC of the leading features with their intervals.

    Parameters
    ----------
    ranking
        Features in order.
    name
        What the table of features is called.
    most
        How many to draw at most, the best first.
    """
    rows = [
        Row(
            str(ranking.feature[k]),
            float(ranking.predicted_auc[k]),
            (float(ranking.predicted_auc_low[k]), float(ranking.predicted_auc_high[k])),
            f"empirical {ranking.auc[k]:.3f}",
        )
        for k in range(min(most, len(ranking.feature)))
    ]
    title = f"Predicted AUC ({printing.percent(ranking.level)} CI)"
    of_table = "" if name is None else f" of {name}"
    drawn = f"{len(rows)} of {len(ranking.feature)} features{of_table}."
    return forest(rows, title, null=0.5, caption=drawn)


@picture_of("SignalDetection")
def signal_picture(signal: SignalDetection, *, name: str | None = None) -> Picture:
    """Draw the operating point in ROC space, with d' beside it.

    Parameters
    ----------
    signal
        Indices of one operating point.
    name
        What the point is called.
    """
    words = f"d' = {signal.d_prime:.2f}" if name is None else f"{name}: d' = {signal.d_prime:.2f}"
    place = np.array([signal.fpr]), np.array([signal.tpr])
    ends = np.array([0.0, 1.0])
    x, y = signal.curve()
    layers: list[Layer] = [Line(ends, ends, role="reference")]
    if x:
        layers.append(Line(np.array(x), np.array(y), role="hull"))
    layers += [Points(*place), Label(signal.fpr, signal.tpr, words)]
    equal = "Line: the same d' at other criteria, both classes normal and equally wide."
    return Picture(
        layers=tuple(layers),
        x=Axis("False alarm rate", (-0.015, 1.015)),
        y=Axis("Hit rate", (-0.015, 1.015)),
        square=True,
        caption=(equal,) if x else (),
    )


def share_steps(values: Floats, ends: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
    """The corners of the steps by which the share of values at most x rises, between two ends.

    >>> [corners.tolist() for corners in share_steps(np.array([3.0, 1.0]))]
    [[1.0, 1.0, 3.0, 3.0], [0.0, 0.5, 0.5, 1.0]]
    """
    x = np.repeat(np.sort(values), 2)
    y = np.repeat(np.arange(len(values) + 1) / len(values), 2)
    if ends is None:
        return x, y[1:-1]
    return np.concatenate(([ends[0]], x, [ends[1]])), y


def forest(rows: Sequence[Row], title: str, *, null: float | None, caption: str) -> Picture:
    """Rows from top to bottom, the null as a dashed line; a caption starts with a capital."""
    places = np.arange(len(rows), dtype=np.float64)[::-1]
    reach = [value for row in rows for value in (row.value, *(row.limits or ()))]
    layers: list[Layer] = []
    if null is not None:
        reach.append(null)
        ends = np.array([-0.5, len(rows) - 0.5])
        layers.append(Line(np.full(2, null), ends, role="reference"))
    limited = [(row.limits, place) for row, place in zip(rows, places, strict=True) if row.limits]
    if limited:
        lows, highs = (np.array([limits[end] for limits, _ in limited]) for end in (0, 1))
        layers.append(Whiskers(lows, highs, np.array([place for _, place in limited])))
    layers.append(Points(np.array([row.value for row in rows]), places))
    margin = MARGIN * (max(reach) - min(reach)) or MARGIN
    named = list(zip(rows, places, strict=True))
    return Picture(
        layers=tuple(layers),
        x=Axis(title, (min(reach) - margin, max(reach) + margin)),
        y=Axis(
            "",
            (-0.5, len(rows) - 0.5),
            ticks=tuple(Tick(float(place), row.name) for row, place in named),
        ),
        right_ticks=tuple(Tick(float(place), true_minus(row.words)) for row, place in named),
        caption=(caption[0].upper() + caption[1:],) if caption else (),
        rows=len(rows),
    )
