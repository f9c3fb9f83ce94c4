"""The confident segment of an ROC curve: where misses and false alarms are not told apart."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Floats, Integers, Places
from rocwise.binary.bands import heights, roc_polyline
from rocwise.binary.roc import curve_points, rates_at
from rocwise.data.float_scores import float_scores, refuse_merged
from rocwise.data.tally import Tally
from rocwise.data.unweighted import refuse_weights
from rocwise.errors import InputError, count_of, shown
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import tango_limits
from rocwise.inputs.coercion import TallyOptions, as_tallies, as_tally, by_group
from rocwise.results import Result, result

Average = Literal["vertical", "threshold"]
AverageInterval = Literal["t", "quantile"]
MOST_THRESHOLDS = 501


@result
class VerticalAverage(Result):
    """Mean TPR of several curves at each FPR, with limits clipped to [0, 1].

    `curves` holds the TPR of each curve on the grid, one per row.
    """

    fpr: Floats
    tpr: Floats
    lower: Floats
    upper: Floats
    curves: Floats
    level: float
    interval: AverageInterval

    def areas(self) -> Floats | None:
        """The area under each of the curves on the grid; None where the grid is not whole."""
        if self.fpr[0] != 0 or self.fpr[-1] != 1:
            return None
        return np.asarray(np.trapezoid(self.curves, self.fpr, axis=1))

    def _sentence(self) -> str:
        whole = self.fpr[0] == 0 and self.fpr[-1] == 1  # else there is no area under the curve
        area = printing.rate(float(np.trapezoid(self.tpr, self.fpr))) if whole else ""
        return (
            f"vertical average of {len(self.curves)} ROC curves{area and f', area {area}'}; "
            f"{printing.percent(self.level)} {self.interval} intervals at each FPR alone"
        )


@result
class ThresholdAverage(Result):
    """Mean FPR and mean TPR of several curves at each threshold, with limits clipped to [0, 1].

    `fpr_half_width` and `tpr_half_width` are the half widths before clipping (t intervals only).
    """

    thresholds: Floats
    fpr: Floats
    tpr: Floats
    fpr_lower: Floats
    fpr_upper: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    fpr_half_width: Floats
    tpr_half_width: Floats
    n_curves: int
    level: float
    interval: AverageInterval

    def _sentence(self) -> str:
        return (
            f"threshold average of {self.n_curves} ROC curves at "
            f"{printing.counted(len(self.thresholds), 'threshold')}; "
            f"{printing.percent(self.level)} {self.interval} intervals for each rate alone"
        )


def average_roc(
    curves: Any,
    *,
    how: Average = "vertical",
    grid: Any = None,
    level: float = 0.95,
    interval: AverageInterval = "t",
) -> VerticalAverage | ThresholdAverage:
    """The average of several ROC curves: of folds, readers or resamples.

    Parameters
    ----------
    curves : list of Tally, list of (y_true, y_score), or Pairs
        At least two curves, without weights.
    how : {"vertical", "threshold"}
        Average TPR at each FPR, or FPR and TPR at each threshold. The second needs scores that
        mean the same in every curve.
    grid : array, optional
        The FPRs (default: 101 from 0 to 1) or the thresholds (default: all scores, or 501 of them).
    level : float, default 0.95
        Confidence level at each place alone; the limits joined are not a band.
    interval : {"t", "quantile"}
        Mean and t interval for independent curves, or quantiles for resampled ones.

    Returns
    -------
    VerticalAverage or ThresholdAverage
        `fpr, tpr, lower, upper`, or `thresholds, fpr, tpr` with limits of both rates.

    Examples
    --------
    >>> import rocwise as rw
    >>> first = rw.tally([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> second = rw.tally([0, 0, 1, 1], [0.2, 0.3, 0.6, 0.7])
    >>> rw.average_roc([first, second], grid=[0, 0.5, 1]).tpr.tolist()
    [0.75, 1.0, 1.0]
    """
    curves = as_tallies(curves)
    checks.one_of(how, "how", get_args(Average))
    checks.one_of(interval, "interval", get_args(AverageInterval))
    level = checks.level(level)
    if len(curves) < 2:
        raise InputError(f"`curves` must hold at least two curves; got {len(curves)}.")
    if any(curve.weighted for curve in curves):
        raise InputError(
            "`curves` must not carry weights: averages of weighted curves are not defined."
        )
    if how == "vertical":
        return _vertical(curves, grid, level, interval)
    return _by_threshold(curves, grid, level, interval)


def _vertical(
    curves: Sequence[Tally], grid: Any, level: float, interval: AverageInterval
) -> VerticalAverage:
    fpr = np.linspace(0.0, 1.0, 101) if grid is None else _numbers(grid)
    if fpr[0] < 0 or fpr[-1] > 1 or not np.all(np.diff(fpr) > 0):
        raise InputError(
            "`grid` must rise, from 0 or more to 1 or less, for how='vertical', where it holds "
            f"false positive rates; got {shown(grid)}."
        )
    rows = np.array([heights(roc_polyline(curve), fpr).right for curve in curves])
    lower, upper, _ = limits(rows, level, interval)
    return VerticalAverage(
        fpr=fpr,
        tpr=rows.mean(axis=0),
        lower=lower,
        upper=upper,
        curves=rows,
        level=level,
        interval=interval,
        origin=curves[0].origin,
    )


def _by_threshold(
    curves: Sequence[Tally], grid: Any, level: float, interval: AverageInterval
) -> ThresholdAverage:
    directions = {curve.direction for curve in curves}
    if len(directions) > 1:
        raise InputError("`curves` must agree on `direction` to be averaged by threshold.")
    thresholds = _pooled_thresholds(curves) if grid is None else _numbers(grid)
    rates = [rates_at(curve, thresholds) for curve in curves]
    fpr, tpr = (np.array(rows) for rows in zip(*rates, strict=True))
    fpr_lower, fpr_upper, fpr_half = limits(fpr, level, interval)
    tpr_lower, tpr_upper, tpr_half = limits(tpr, level, interval)
    return ThresholdAverage(
        thresholds=thresholds,
        fpr=fpr.mean(axis=0),
        tpr=tpr.mean(axis=0),
        fpr_lower=fpr_lower,
        fpr_upper=fpr_upper,
        tpr_lower=tpr_lower,
        tpr_upper=tpr_upper,
        fpr_half_width=fpr_half,
        tpr_half_width=tpr_half,
        n_curves=len(curves),
        level=level,
        interval=interval,
        origin=curves[0].origin,
    )


def limits(rows: Floats, level: float, interval: AverageInterval) -> tuple[Floats, Floats, Floats]:
    """Lower and upper limit of each column, clipped to [0, 1], and the half width before that."""
    if interval == "quantile":
        tail = (1.0 - level) / 2
        lower, upper = np.quantile(rows, [tail, 1.0 - tail], axis=0)
        return lower, upper, (upper - lower) / 2
    from scipy.special import stdtrit

    k = len(rows)
    half = float(stdtrit(k - 1, (1.0 + level) / 2)) * rows.std(axis=0, ddof=1) / np.sqrt(k)
    mean = rows.mean(axis=0)
    return np.clip(mean - half, 0.0, 1.0), np.clip(mean + half, 0.0, 1.0), half


def _pooled_thresholds(curves: Sequence[Tally]) -> Floats:
    """All scores, from the most positive down, thinned out when there are very many."""
    scores = kernels.rising(np.concatenate([float_scores(c.scores, "curves") for c in curves]))
    if len(scores) > MOST_THRESHOLDS:
        scores = scores[np.linspace(0, len(scores) - 1, MOST_THRESHOLDS).round().astype(np.intp)]
    return scores[::-1] if curves[0].direction == "higher" else scores


def _numbers(grid: Any) -> Floats:
    values = checks.numbers(grid, "grid", infinite=True)
    if values.ndim != 1 or not len(values):
        raise InputError(f"`grid` must be a list of numbers; got {shown(grid)}.")
    return values


@result
class ConfidentSegment(Result):
    """The part of a curve where Tango's interval of (FN - FP) / n contains 0.

    `fpr`, `tpr` and `thresholds` are its points, `b` the misses and `c` the false alarms there;
    the arrays that begin with `curve_` hold all points of the curve.
    """

    fpr: Floats
    tpr: Floats
    thresholds: Array
    b: Integers
    c: Integers
    cauc: float
    mean_difference: float | None
    mean_absolute_difference: float | None
    tp_area: float
    fp_area: float
    overlap: float
    level: float
    n_pos: int
    n_neg: int
    curve_fpr: Floats
    curve_tpr: Floats
    curve_thresholds: Array

    def _sentence(self) -> str:
        level = printing.percent(self.level)
        size = self.n_pos + self.n_neg
        if not len(self.fpr):
            return (
                f"no threshold is confident at {level}; {printing.classes(self.n_pos, self.n_neg)}"
            )
        return (
            f"confident segment of {count_of(len(self.fpr), 'threshold')} at {level}, FPR "
            f"{printing.rate(self.fpr[0], size)} to {printing.rate(self.fpr[-1], size)}; "
            f"CAUC {printing.rate(self.cauc, size)}, mean (FN - FP)/n "
            f"{self.mean_difference:.3f}; {printing.classes(self.n_pos, self.n_neg)}"
        )

    @property
    def observed_scores(self) -> Array:
        """The distinct scores, the most positive first."""
        return self.curve_thresholds[1:]

    def _columns(self) -> dict[str, Any]:
        names = ("thresholds", "fpr", "tpr", "b", "c")
        return {name: getattr(self, name) for name in names}

    def intervals(self, rows: Any = slice(None)) -> tuple[Floats, Floats, Floats]:
        """(FN - FP) / n at points of the whole curve, with the limits of Tango's interval."""
        try:
            self.curve_tpr[rows]
        except (IndexError, TypeError, ValueError, OverflowError):
            raise InputError(
                f"`rows` must be row numbers below {len(self.curve_tpr)}, a slice or flags; got "
                f"{shown(rows)}."
            ) from None
        b = self.n_pos * (1 - self.curve_tpr[rows])
        c = self.n_neg * self.curve_fpr[rows]
        b, c = np.rint(b), np.rint(c)
        n = float(self.n_pos + self.n_neg)
        return (b - c) / n, *tango_limits(b, c, n, normal_quantile(self.level))


@by_group
def confident_segment(
    data: Any = None,
    y_score: Any = None,
    *,
    level: float = 0.95,
    **given: Unpack[TallyOptions],
) -> ConfidentSegment:
    """Thresholds at which the numbers of misses and of false alarms do not differ significantly.

    At each point of the curve b = FN and c = FP; the point is confident when Tango's interval
    for (b - c) / n contains 0, which is when (b - c)^2 <= z^2 (b + c). Such points are
    consecutive (Elazmeh, Japkowicz and Matwin 2006; F7.2 to F7.4).

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`. Weights are
        refused.
    level : float, default 0.95
        Confidence level of the intervals.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `direction`,
        `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    ConfidentSegment
        With `fpr`, `tpr`, `thresholds`; `cauc`, the area of the union of the strip under the
        segment (`tp_area`) and the strip to its right (`fp_area`), which share `overlap`;
        `mean_difference`, the mean of (b - c) / n (None for an empty segment), and
        `mean_absolute_difference`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.confident_segment([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7]).cauc.__round__(4)
    0.9167
    """
    tally = as_tally("confident_segment", data, y_score, given)
    z = normal_quantile(checks.level(level))
    refuse_weights(
        tally,
        "confident_segment",
        why="it holds counts of misses against counts of false alarms, case by case",
        instead="use `threshold`, whose `uncertainty` draws rows with their weights and clusters",
    )
    n_pos, n_neg = int(tally.n_pos), int(tally.n_neg)
    refuse_merged(tally)
    fpr, tpr, scores, _ = curve_points(tally)
    thresholds = scores.astype(np.float64, copy=False)
    confident = _confident(tpr, fpr, n_pos, n_neg, z)
    hits, c = _calls(tpr[confident], n_pos), _calls(fpr[confident], n_neg)
    b = n_pos - hits
    difference = b - c
    scale = len(difference) * (n_pos + n_neg)  # sums are whole numbers, divided once
    return ConfidentSegment(
        fpr=fpr[confident],
        tpr=tpr[confident],
        thresholds=thresholds[confident],
        b=b,
        c=c,
        **_areas(fpr[confident], tpr[confident]),
        mean_difference=int(difference.sum()) / scale if scale else None,
        mean_absolute_difference=int(np.abs(difference).sum()) / scale if scale else None,
        level=level,
        n_pos=n_pos,
        n_neg=n_neg,
        curve_fpr=fpr,
        curve_tpr=tpr,
        curve_thresholds=thresholds,
        origin=tally.origin,
    )


def _confident(tpr: Floats, fpr: Floats, n_pos: int, n_neg: int, z: float) -> Places:
    """The points with (b - c)^2 <= z^2 (b + c), which are consecutive.

    Since b - c never grows along the curve, those with |b - c| <= z sqrt(n) lie between two points
    that are found by halving; no other can be confident.
    """

    def calls(some: slice) -> tuple[Integers, Integers]:
        return n_pos - _calls(tpr[some], n_pos), _calls(fpr[some], n_neg)

    def surplus(point: int) -> int:
        misses, alarms = calls(slice(point, point + 1))
        return int(misses[0] - alarms[0])

    reach = z * math.sqrt(n_pos + n_neg) + 1.0
    places = range(len(tpr))
    first = bisect_left(places, -reach, key=lambda point: -surplus(point))
    last = bisect_right(places, reach, key=lambda point: -surplus(point))
    misses, alarms = calls(slice(first, last))
    difference = (misses - alarms).astype(np.float64)
    return first + np.flatnonzero(difference**2 <= z * z * (misses + alarms))


def _calls(rates: Floats, size: int) -> Integers:
    """How many of a class are called positive, from rates."""
    return np.rint(rates * size).astype(np.int64)


def _areas(fpr: Floats, tpr: Floats) -> dict[str, float]:
    """Strips under and beside a segment, what they share, and their union (F7.3)."""
    if len(fpr) < 2:
        return dict.fromkeys(("tp_area", "fp_area", "overlap", "cauc"), 0.0)
    run, rise = np.diff(fpr), np.diff(tpr)
    height, place = (tpr[1:] + tpr[:-1]) / 2, (fpr[1:] + fpr[:-1]) / 2
    under = kernels.dot(run, height)
    beside = kernels.dot(rise, 1 - place)
    overlap = kernels.dot(run, height - tpr[0])
    return {
        "tp_area": under,
        "fp_area": beside,
        "overlap": overlap,
        "cauc": under + beside - overlap,
    }
