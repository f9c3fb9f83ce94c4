"""The AUC by cross-validation: per fold, pooled, and three intervals side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Floats, Mask, Places
from rocwise.binary.cross_validation.fold_intervals import REPEATED_AS_INDEPENDENT, fold_interval
from rocwise.binary.cross_validation.pooling import PoolingGap, pooling_gap
from rocwise.errors import InputError, MisuseWarning, count_of, warn
from rocwise.inference.interval_limits import newcombe_limits, wald_interval, within_unit
from rocwise.inputs.coercion import Direction, Missing
from rocwise.inputs.folds import OutOfFoldScores, as_out_of_fold_scores
from rocwise.results import Interval, Result, result

Method = Literal["corrected-t", "influence", "t"]
CLEAR_GAP = 4.0
"""Standard deviations beyond which a gap between pooled and averaged AUC is not chance."""
LARGE_GAP = 1.0
"""Standard errors of the AUC beyond which such a gap matters."""


@result
class CrossValidatedAuc(Result):
    """Mean AUC of the folds with its intervals, and the pooled AUC beside it."""

    value: float
    pooled: float
    interval: Interval
    intervals: dict[str, Interval]
    standard_error: float
    fold_values: Floats
    n_pos: int
    n_neg: int
    n_folds: int
    n_repeats: int
    method: Method

    def __float__(self) -> float:
        return self.value

    def _sentence(self) -> str:
        n = self.n_pos + self.n_neg
        low, high = printing.rate(self.interval.low, n), printing.rate(self.interval.high, n)
        repeats = f" x {self.n_repeats} repeats" if self.n_repeats > 1 else ""
        return (
            f"cross-validated AUC {printing.rate(self.value, n)} "
            f"({printing.percent(self.interval.level)} CI {low} to {high}, "
            f"{self.interval.method}); {count_of(self.n_folds, 'fold')}{repeats}, "
            f"{printing.classes(self.n_pos, self.n_neg)}; pooled {printing.rate(self.pooled, n)}"
        )

    def _columns(self) -> dict[str, Any]:
        rows = self.intervals
        return {
            "method": list(rows),
            "value": [self.value] * len(rows),
            "low": [interval.low for interval in rows.values()],
            "high": [interval.high for interval in rows.values()],
            "level": [interval.level for interval in rows.values()],
        }


@dataclass(frozen=True, slots=True)
class _FoldAreas:
    """AUCs of the folds of one repeat, and how much every row moves their mean."""

    values: Floats
    influences: Floats


def cross_validated_auc(
    y_true: Any,
    y_score: Any,
    folds: Any = None,
    *,
    X: Any = None,
    level: float = 0.95,
    method: Method = "corrected-t",
    pos_label: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
) -> CrossValidatedAuc:
    """AUC by cross-validation: the mean over folds, three intervals, and the pooled AUC.

    Parameters
    ----------
    y_true : array-like
        Labels, as in `tally`.
    y_score : array-like, or dict
        Out-of-fold scores, as from scikit-learn's `cross_val_predict`; for repeated
        cross-validation one column per repeat. Or the dict from `cross_validate` with
        ``return_estimator=True, return_indices=True``.
    folds : array-like, or list of (train, test)
        Fold of each row (one column per repeat), or the splits, as from ``cv.split(X, y)``.
    X : optional
        With the dict: the features that were cross-validated.
    level : float, default 0.95
        Confidence level.
    method : {"corrected-t", "influence", "t"}
        Which of the `intervals` is `interval`: Nadeau & Bengio's, that of LeDell, Petersen &
        van der Laan (2015), or Student's, which takes the folds for independent.
    pos_label, direction, missing
        As in `tally`.

    Returns
    -------
    CrossValidatedAuc
        With `value`, `interval`, `intervals`, `pooled`, `fold_values`, `standard_error`.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, folds = [0, 0, 1, 1, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> rw.cross_validated_auc(y_true, [1, 3, 2, 4, 1, 2, 3, 4], folds).fold_values.tolist()
    [0.75, 1.0]
    """
    rows = as_out_of_fold_scores(
        *(y_true, y_score, folds), X=X, pos_label=pos_label, direction=direction, missing=missing
    )
    level = checks.level(level)
    checks.one_of(method, "method", get_args(Method))
    repeats = _repeat_areas(rows)
    values = np.concatenate([repeat.values for repeat in repeats])
    value = float(values.mean())
    # The mean over repeats moves with a case as the mean of what it moves in each repeat.
    influence = np.mean([repeat.influences for repeat in repeats], axis=0)
    error = math.sqrt(float(influence @ influence))
    n_pos = int(rows.mask.sum())
    sizes = n_pos, len(rows.mask) - n_pos
    n_folds = _common_number([len(repeat.values) for repeat in repeats])
    intervals = {
        "corrected-t": _fold_interval(values, sizes, level, 1 / n_folds),
        "influence": _influence_interval(value, error, sizes, level),
        "t": _fold_interval(values, sizes, level, None),
    }
    gaps = _pooling_gaps(rows, repeats)
    _warn_of_pooling(gaps, error)
    if method == "t" and len(repeats) > 1:
        remedy = "method='corrected-t' or 'influence'"
        warn(REPEATED_AS_INDEPENDENT.format(repeats=len(repeats), remedy=remedy), MisuseWarning)
    return CrossValidatedAuc(
        value=value,
        pooled=float(np.mean([gap.pooled for gap in gaps])),
        interval=intervals[method],
        intervals=intervals,
        standard_error=error,
        fold_values=values,
        n_pos=sizes[0],
        n_neg=sizes[1],
        n_folds=n_folds,
        n_repeats=len(repeats),
        method=method,
        origin=rows.origin,
    )


def _repeat_areas(rows: OutOfFoldScores) -> list[_FoldAreas]:
    return [
        _fold_areas(rows.mask, scores, folds, names)
        for scores, folds, names in zip(rows.scores, rows.folds, rows.fold_names, strict=True)
    ]


def _pooling_gaps(rows: OutOfFoldScores, repeats: Sequence[_FoldAreas]) -> list[PoolingGap]:
    return [
        pooling_gap(rows.mask, scores, folds, float(repeat.values.mean()))
        for scores, folds, repeat in zip(rows.scores, rows.folds, repeats, strict=True)
    ]


def _fold_areas(mask: Mask, scores: Floats, folds: Places, names: Sequence[str]) -> _FoldAreas:
    """AUC of every fold, and influences after LeDell, Petersen & van der Laan (2015).

    Their variance is mean_v mean_{i in v} IC_i^2 / n, where IC_i is the share of the other class
    (in the fold) on the right side of case i, less the fold's AUC, over the share of the case's
    class in all data. The influences returned are scaled so that their squares add up to it.
    """
    n, K = len(mask), len(names)
    if K < 2:
        raise InputError("`folds` must name at least two folds; got one.")
    share = np.where(mask == 1, mask.mean(), 1 - mask.mean())
    values, influences = np.empty(K), np.empty(n)
    for v in range(K):
        rows = np.flatnonzero(folds == v)
        area, centred = _area_and_placements(mask[rows], scores[rows], names[v])
        values[v] = area
        influences[rows] = centred / share[rows] / math.sqrt(n * K * len(rows))
    return _FoldAreas(values, influences)


def _area_and_placements(mask: Mask, scores: Floats, name: str) -> tuple[float, Floats]:
    """AUC of one fold and, per case, its share of well-ordered pairs less the AUC."""
    positive = mask == 1
    M = int(positive.sum())
    N = len(mask) - M
    if min(M, N) == 0:
        absent = "positive" if M == 0 else "negative"
        raise InputError(
            f"`folds`: fold {name} has no {absent} case ({printing.classes(M, N)}), so its AUC is "
            "undefined. Make the folds stratified, so that each has both classes."
        )
    doubled = kernels.placements(mask, scores)
    area = int(doubled[positive].sum()) / (2 * M * N)
    shares = np.where(positive, doubled / (2 * N), 1 - doubled / (2 * M))
    return area, shares - area


def _common_number(n_folds: Sequence[int]) -> int:
    """The number of folds of every repeat."""
    for repeat, number in enumerate(n_folds):
        if number != n_folds[0]:
            raise InputError(
                f"`folds` has {n_folds[0]} folds in repeat 0 but {number} in repeat {repeat}; "
                "all repeats must have the same number."
            )
    return n_folds[0]


def _fold_interval(
    values: Floats, sizes: tuple[int, int], level: float, test_fraction: float | None
) -> Interval:
    """The t interval; Newcombe's where all folds agree, as when all separate fully."""
    if values.min() == values.max():
        return _newcombe(float(values[0]), sizes, level)
    return within_unit(fold_interval(values, level, test_fraction), float(values.mean()))


def _influence_interval(
    value: float, error: float, sizes: tuple[int, int], level: float
) -> Interval:
    """Wald interval, never beyond 0 or 1; Newcombe's where the folds give no variance."""
    if error == 0.0:
        return _newcombe(value, sizes, level)
    limits = wald_interval(value, error, level, "influence function", (-math.inf, math.inf))
    return within_unit(replace(limits, mean=value), value)


def _newcombe(value: float, sizes: tuple[int, int], level: float) -> Interval:
    return Interval(*newcombe_limits(value, *sizes, level), level, "Newcombe score", value)


def _warn_of_pooling(gaps: Sequence[PoolingGap], error: float) -> None:
    """Warn when the scores of different folds are clearly not on one scale."""
    gap = float(np.mean([each.gap for each in gaps]))
    chance = float(np.mean([each.standard_deviation for each in gaps]))
    if abs(gap) <= max(CLEAR_GAP * chance, LARGE_GAP * error):
        return
    pooled = float(np.mean([each.pooled for each in gaps]))
    warn(
        f"the pooled AUC is {pooled:.3f}, but the folds' AUCs average {pooled - gap:.3f}: scores "
        "of different folds are not on one scale (each fold has its own model), so that pairs "
        "from different folds mean little. Use the average, and do not pool the scores.",
        MisuseWarning,
    )
