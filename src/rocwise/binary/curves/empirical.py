"""Curves drawn through every distinct score: ROC, DET and the convex hull."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Unpack

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Floats, Places
from rocwise.binary.curves.convex_hulls import hull_counts
from rocwise.binary.curves.cumulative_sums import of_points
from rocwise.binary.curves.directions import warn_of_direction
from rocwise.binary.curves.kept_data import AboutData
from rocwise.data.float_scores import refuse_merged
from rocwise.data.tally import Tally
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import ASIDE, Result, result

LARGEST_COUNT = 2**63 - 1


@result
class RocCurve(AboutData):
    """An ROC curve: a polyline from (0, 0) to (1, 1); ties are diagonal segments.

    `thresholds[k]` gives the point `(fpr[k], tpr[k])`; a case is called positive when its score
    is at least the threshold. The first threshold lies beyond every score.
    """

    fpr: Floats
    tpr: Floats
    thresholds: Array
    auc: float
    n_pos: float
    n_neg: float
    observed_scores: Array | None = field(default=None, metadata=ASIDE)

    def _sentence(self) -> str:
        return self._described_as("ROC curve")

    def _described_as(self, name: str) -> str:
        return (
            f"{name} with {printing.count(len(self.fpr))} points, "
            f"AUC {printing.rate(self.auc, self.n_pos + self.n_neg)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


@result
class RocHull(RocCurve):
    """The convex hull of an ROC curve: the best that mixing its thresholds can reach."""

    def _sentence(self) -> str:
        return self._described_as("ROC convex hull")


@result
class DetCurve(Result):
    """False negative rate against false positive rate: the two errors that thresholds trade."""

    fpr: Floats
    fnr: Floats
    thresholds: Array
    n_pos: float
    n_neg: float
    observed_scores: Array | None = field(default=None, metadata=ASIDE)

    def equal_rate(self) -> float:
        """The rate at which the curve, straight between its points, has equal errors."""
        apart = self.fpr - self.fnr
        after = int(np.argmax(apart >= 0))
        if after == 0 or apart[after] == 0:
            return float(self.fpr[after])
        share = -apart[after - 1] / (apart[after] - apart[after - 1])
        return float(self.fpr[after - 1] + share * (self.fpr[after] - self.fpr[after - 1]))

    def _sentence(self) -> str:
        nearest = int(np.argmin(np.abs(self.fpr - self.fnr)))
        equal = (self.fpr[nearest] + self.fnr[nearest]) / 2
        return f"DET curve; the two error rates meet near {printing.rate(equal)}"


@by_group
def roc(
    data: Any = None,
    y_score: Any = None,
    *,
    drop_intermediate: bool = False,
    **given: Unpack[TallyOptions],
) -> RocCurve:
    """The empirical ROC curve, one point per distinct score (F1.1).

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    drop_intermediate : bool, default False
        Leave out points on a straight line between their neighbours; the curve is the same.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    RocCurve
        With `fpr`, `tpr`, `thresholds` (the first one beyond every score) and `auc`.

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    tally = as_tally("roc", data, y_score, given)
    dropping = checks.flag(drop_intermediate, "drop_intermediate")
    refuse_merged(tally)
    curve = curve_of(tally, drop_intermediate=dropping)
    warn_of_direction(tally, curve.auc)
    return curve


def curve_of(tally: Tally, *, drop_intermediate: bool = False) -> RocCurve:
    """The ROC curve of a tally, without a word about its direction."""
    points = _corner_points if drop_intermediate else curve_points
    fpr, tpr, thresholds, value = points(tally)
    return RocCurve(
        fpr=fpr,
        tpr=tpr,
        thresholds=thresholds,
        auc=value,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        observed_scores=tally.curve_counts()[0] if drop_intermediate else thresholds[1:],
        data=tally,
        origin=tally.origin,
    )


@by_group
def det(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> DetCurve:
    """The detection error trade-off: false positive against false negative rate.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    DetCurve

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.det([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).fnr.tolist()
    [1.0, 0.5, 0.5, 0.0, 0.0]
    """
    tally = as_tally("det", data, y_score, given)
    refuse_merged(tally)
    scores, tp, fp = tally.curve_counts()
    return DetCurve(
        fpr=_rates(fp, tally.n_neg),
        fnr=of_points(1.0, lambda hits: (tally.n_pos - hits) / tally.n_pos, tp),
        thresholds=_thresholds(scores, tally.direction),
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        observed_scores=scores,
        origin=tally.origin,
    )


@by_group
def hull(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> RocHull:
    """The convex hull of the ROC curve (ROCCH): thresholds that are best for some costs.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    RocHull
        Its corners only, from (0, 0) to (1, 1), with the area under it as `auc`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.hull([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).fpr.tolist()
    [0.0, 0.0, 0.5, 1.0]
    """
    tally = as_tally("hull", data, y_score, given)
    refuse_merged(tally)
    return hull_of(tally)


def hull_of(tally: Tally) -> RocHull:
    """The hull of a tally, whose thresholds may be one float where only rates are asked for."""
    corners, hull_tp, hull_fp = hull_counts(tally)
    x, y = hull_fp.tolist(), hull_tp.tolist()  # Python numbers: counts never overflow
    doubled = sum((x[i + 1] - x[i]) * (y[i + 1] + y[i]) for i in range(len(x) - 1))
    return RocHull(
        fpr=hull_fp / tally.n_neg,
        tpr=hull_tp / tally.n_pos,
        thresholds=_thresholds(tally.scores[corners[1:] - 1], tally.direction),
        auc=doubled / (2 * tally.n_pos * tally.n_neg),
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        observed_scores=tally.scores,
        data=tally,
        origin=tally.origin,
    )


def rates_from_zero(data: Tally) -> tuple[Floats, Floats]:
    """FPR and TPR of every vertex of the curve, the origin first."""
    rates = data.curve_rates()
    if rates is not None:
        return rates[2], rates[1]
    return _rates(data.fp, data.n_neg), _rates(data.tp, data.n_pos)


def curve_points(data: Tally) -> tuple[Floats, Floats, Array, float]:
    """FPR, TPR and threshold of every vertex, the origin first; and the area under them."""
    rates = data.curve_rates()
    if rates is not None:
        thresholds, tpr, fpr, doubled = rates
        return fpr, tpr, thresholds, doubled / (2 * int(data.n_pos) * int(data.n_neg))
    scores, tp, fp = data.curve_counts()
    return (
        _rates(fp, data.n_neg),
        _rates(tp, data.n_pos),
        _thresholds(scores, data.direction),
        area_under(tp, fp, data),
    )


def _corner_points(data: Tally) -> tuple[Floats, Floats, Array, float]:
    """As `curve_points`, for the vertices where the curve changes direction."""
    scores, tp, fp = data.curve_counts()
    kept = _corners(tp, fp)
    return (
        _rates(fp, data.n_neg, kept),
        _rates(tp, data.n_pos, kept),
        _thresholds(scores, data.direction, kept),
        area_under(tp, fp, data),
    )


def area_under(tp: Array, fp: Array, data: Tally) -> float:
    """The area under the curve; without weights the correctly rounded value of 2U / (2PN)."""
    if data.weighted:
        below = np.diff(fp, prepend=0.0)
        heights = tp - np.diff(tp, prepend=0.0) / 2
        area = kernels.dot(below, heights) / (data.n_pos * data.n_neg)
        return min(max(area, 0.0), 1.0)  # rounding may leave the range by a bit
    perfect = 2 * int(data.n_pos) * int(data.n_neg)
    if perfect > LARGEST_COUNT:
        return data.placement_sums.sum_u / perfect
    doubled = int(np.dot(np.diff(fp), tp[1:] + tp[:-1])) + int(fp[0]) * int(tp[0])
    return doubled / perfect


def _rates(counts: Array, total: float, kept: Places | None = None) -> Floats:
    """Rates of cumulative counts, with the point before the first score in front."""
    rates = of_points(0.0, lambda some: some / total, counts)
    return rates if kept is None else rates[kept]


def _thresholds(scores: Array, direction: str, kept: Places | None = None) -> Array:
    """Scores with a threshold beyond all of them in front."""
    dtype = scores.dtype if scores.dtype.kind == "f" else np.float64
    beyond = np.inf if direction == "higher" else -np.inf
    thresholds = of_points(beyond, np.asarray, scores, dtype=dtype)
    return thresholds if kept is None else thresholds[kept]


def _corners(tp: Array, fp: Array) -> Places:
    """Positions (0 = the origin) of the points where the curve changes direction."""
    dy, dx = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
    if dy.dtype.kind == "i" and int(dy.max()) * int(dx.max()) > LARGEST_COUNT:
        dy, dx = dy.astype(object), dx.astype(object)  # Python integers never overflow
    turns = dy[:-1] * dx[1:] != dy[1:] * dx[:-1]
    return np.concatenate([[0], np.flatnonzero(turns) + 1, [len(tp)]])


def rates_at(curve: Tally, thresholds: Floats) -> tuple[Floats, Floats]:
    """FPR and TPR when every score at or beyond the threshold is called positive."""
    sign = 1.0 if curve.direction == "higher" else -1.0
    ascending = -sign * np.asarray(curve.scores, np.float64)
    beyond = np.searchsorted(ascending, -sign * thresholds, side="right")
    fpr, tpr = rates_from_zero(curve)
    return fpr[beyond], tpr[beyond]
