"""Statistics that depend on how many cases are positive, in a form that resampled counts answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Amounts, Array, Floats
from rocwise.binary.roc import sums_from_zero
from rocwise.data.tally import Tally

Steps = Literal["step", "davis-goadrich"]
ROUNDING = 1e-12  # a recall this close below the one asked for reaches it


@dataclass(frozen=True, slots=True)
class AveragePrecision:
    """The mean precision at the scores of the positives: the area below the steps of the curve.

    `prevalence` is the share of positives that precision is for, that of the data without it;
    with interpolation="davis-goadrich" thresholds between two scores are mixed, as the ROC curve
    mixes them, and the curve between two points is no step but an arc.

    Examples
    --------
    >>> import rocwise as rw
    >>> mean = rw.statistics.AveragePrecision()
    >>> round(rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=mean, rng=1).value, 4)
    0.8333
    """

    prevalence: float | None = None
    interpolation: Steps = "step"

    def __post_init__(self) -> None:
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", checks.share(self.prevalence))
        checks.one_of(self.interpolation, "interpolation", ("step", "davis-goadrich"))

    @property
    def name(self) -> str:
        """What the number is called."""
        kind = "average precision" if self.interpolation == "step" else "precision-recall area"
        return kind if self.prevalence is None else f"{kind} at prevalence {self.prevalence:g}"

    def of_counts(self, data: Tally) -> Callable[[Amounts, Amounts], Floats]:
        """One mean per row of counts."""
        odds = negative_odds(data, self.prevalence)
        area = step_areas if self.interpolation == "step" else arc_areas

        def means(pos: Amounts, neg: Amounts) -> Floats:
            false = shares_from_zero(neg)
            false *= odds
            return area(shares_from_zero(pos), false)

        return means

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code."""
        arcs = self.interpolation != "step"
        told = np.array([arcs, negative_odds(data, self.prevalence)])
        return kernels.Reader("average-precision", told)


@dataclass(frozen=True, slots=True)
class PrecisionAt:
    """Precision at the strictest threshold whose recall is at least the one given.

    Examples
    --------
    >>> import rocwise as rw
    >>> at_half = rw.statistics.PrecisionAt(recall=1.0)
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=at_half, n_resamples=50, rng=1).value
    0.6666666666666666
    """

    recall: float
    prevalence: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "recall", checks.rate(self.recall, "recall"))
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", checks.share(self.prevalence))

    @property
    def name(self) -> str:
        """What the number is called."""
        words = f"precision at recall {self.recall:g}"
        return words if self.prevalence is None else f"{words}, prevalence {self.prevalence:g}"

    def of_counts(self, data: Tally) -> Callable[[Amounts, Amounts], Floats]:
        """One precision per row of counts."""
        odds = negative_odds(data, self.prevalence)
        wanted = np.array([self.recall])

        def precisions(pos: Amounts, neg: Amounts) -> Floats:
            hits, false = rates_at_recalls(
                shares_from_zero(pos), odds * shares_from_zero(neg), wanted
            )
            return np.asarray((hits / (hits + false))[:, 0])

        return precisions

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code."""
        wanted = max(self.recall - ROUNDING, 1e-300)
        return kernels.Reader(
            "precision-at", np.array([wanted, negative_odds(data, self.prevalence)])
        )


def shares_from_zero(counts: Amounts) -> Floats:
    """Cumulative shares of their sum along the last axis, with a 0 in front."""
    sums: Floats = sums_from_zero(counts)
    sums /= sums[..., -1:].copy()
    return sums


def negative_odds(data: Tally, prevalence: float | None) -> float:
    """Negatives per positive: precision is TPR / (TPR + odds * FPR)."""
    if prevalence is None:
        return float(data.n_neg / data.n_pos)
    return (1 - prevalence) / prevalence


def step_areas(tpr: Floats, false: Floats) -> Floats:
    """Sums of precision times the step in recall, one per row; `false` is odds times FPR."""
    called = tpr[..., 1:] + false[..., 1:]
    shares = np.divide(tpr[..., 1:], called, out=called, where=called > 0)  # 0 where none is called
    shares *= np.diff(tpr, axis=-1)
    return np.asarray(shares.sum(axis=-1))


def arc_areas(tpr: Floats, false: Floats) -> Floats:
    """Areas below the curve whose points between two scores mix their thresholds.

    Along such a mixture t = tpr rises by dt while f = false rises by df, in proportion, and the
    integral of t / (t + f) over t has a closed form in the slope s = df / dt.
    """
    t0, t1, f0, f1 = tpr[..., :-1], tpr[..., 1:], false[..., :-1], false[..., 1:]
    dt = t1 - t0
    slope = np.divide(f1 - f0, dt, out=np.zeros_like(dt), where=dt > 0)
    offset = f0 - slope * t0  # t + f = (1 + slope) t + offset
    scale = 1 + slope
    low, high = np.maximum(t0 + f0, 1e-300), np.maximum(t1 + f1, 1e-300)
    curved = (np.abs(offset) > 1e-15) & (dt > 0)
    bend = np.where(curved, offset * np.log(high / low), 0.0)
    return np.asarray(((dt - bend / scale) / scale).sum(axis=-1))


def rates_at_recalls(tpr: Floats, false: Floats, recalls: Array) -> tuple[Floats, Floats]:
    """Both rates at the first point of each row that reaches each recall and has called anybody."""
    wanted = np.maximum(recalls - ROUNDING, 1e-300)
    places = np.stack([np.searchsorted(row, wanted) for row in tpr])
    return np.take_along_axis(tpr, places, axis=1), np.take_along_axis(false, places, axis=1)
