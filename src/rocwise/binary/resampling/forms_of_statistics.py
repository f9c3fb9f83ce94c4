"""The forms of a statistic: by name, of the data, as a formula of counts, as a compiled reader."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Array, Floats
from rocwise.binary.resampling.curve_statistics import (
    READ_OFF_RATES,
    Area,
    EqualErrorRate,
    OwnStatistic,
    Statistic,
    YoudenThreshold,
)
from rocwise.binary.resampling.precision_statistics import AveragePrecision
from rocwise.binary.resampling.score_statistics import ScoreStatistic, SmoothArea
from rocwise.binary.roc import cumulative_rates, roc_rates
from rocwise.data.tally import Tally
from rocwise.errors import InputError, listed, shown

StatisticName = Literal[
    "auc",
    "smooth-auc",
    "youden-threshold",
    "average-precision",
    "precision-recall-area",
    "equal-error-rate",
]
AnyStatistic = Statistic | ScoreStatistic
BY_NAME: dict[StatisticName, AnyStatistic] = {
    "auc": Area(),
    "smooth-auc": SmoothArea(),
    "youden-threshold": YoudenThreshold(),
    "average-precision": AveragePrecision(),
    "precision-recall-area": AveragePrecision(interpolation="davis-goadrich"),
    "equal-error-rate": EqualErrorRate(),
}


def named_statistic(statistic: Any) -> AnyStatistic:
    """The statistic object for a name, an object or a function."""
    if isinstance(statistic, str):
        known = {str(name): found for name, found in BY_NAME.items()}
        return known[checks.one_of(statistic, "statistic", tuple(known))]
    if isinstance(statistic, type):
        raise InputError(
            f"`statistic` must be an object, not the class {statistic.__name__}; "
            "pass for example rw.statistics.SensitivityAt(specificity=0.9)."
        )
    if isinstance(statistic, (Statistic, ScoreStatistic)):
        return statistic
    if callable(statistic):
        return OwnStatistic(statistic)
    raise InputError(
        f"`statistic` must be one of {listed(BY_NAME)}, an object of rw.statistics, or a function "
        f"of (fpr, tpr, thresholds); got {shown(statistic)}."
    )


def evaluated(data: Tally, statistic: AnyStatistic) -> float:
    """The statistic of the data itself, with the warnings it has about them."""
    if isinstance(statistic, SmoothArea):
        statistic.warn_about(data)
    if isinstance(statistic, ScoreStatistic):
        # a statistic of the user's own may multiply counts
        narrow = isinstance(statistic, (SmoothArea, AveragePrecision))
        pos, neg = data.narrow_counts() if narrow else (data.pos, data.neg)
        return float(statistic.of_counts(data)(pos[None, :], neg[None, :])[0])
    fpr, tpr = (rates[None, :] for rates in roc_rates(data))
    return float(statistic.of_curves(fpr, tpr, _thresholds(data, statistic))[0])


def of_counts(data: Tally, statistic: AnyStatistic) -> Callable[[Array, Array], Floats]:
    """The statistic as a function of counts at the scores of the data, one resample per row."""
    if isinstance(statistic, ScoreStatistic):
        return statistic.of_counts(data)
    thresholds = cache(lambda: _thresholds(data, statistic))  # compiled code asks for none

    def values(pos: Array, neg: Array) -> Floats:
        return statistic.of_curves(cumulative_rates(neg), cumulative_rates(pos), thresholds())

    return values


def _thresholds(data: Tally, statistic: Statistic) -> Array:
    """Those of the points of a curve; none for a statistic that looks at the rates alone."""
    if type(statistic) in READ_OFF_RATES:  # one derived from them may look at more
        return np.empty(0)
    return np.concatenate([[np.inf if data.direction == "higher" else -np.inf], data.scores])


def reader_of(data: Tally, statistic: AnyStatistic) -> kernels.Reader | None:
    """What compiled code needs to read the statistic; None for a user's own, and a few others."""
    own = type(statistic)
    if not own.__module__.startswith("rocwise.") or not hasattr(own, "reader"):
        return None
    found: kernels.Reader | None = own.reader(statistic, data)
    return found


def formula_and_reader(
    data: Tally, statistic: AnyStatistic
) -> tuple[kernels.Formula, kernels.Reader | None]:
    """The statistic as a function of counts, and as what compiled code reads: of one column.

    Scores of single precision would else be held twice as numbers from 0 to 1.
    """
    reader = reader_of(data, statistic)
    if isinstance(statistic, SmoothArea) and reader is not None and reader.scores is not None:
        return statistic.of_scores(reader.scores), reader
    return of_counts(data, statistic), reader
