"""Numbers read off an ROC curve, in a form that many resampled curves can answer at once.

Each statistic takes matrices of cumulative counts, one resampled curve per row, with the origin
as the first column, and returns one number per row. Its `reader` says the same to compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Array, Counts, Floats
from rocwise.binary.partial_area import WHOLE, Part, chosen_part, partial_area
from rocwise.binary.resampling.by_blocks import BestVertices
from rocwise.costs import Costs, checked_costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, shown


@runtime_checkable
class Statistic(Protocol):
    """A number read off a curve; any object with these two is one."""

    @property
    def name(self) -> str:
        """What the number is called."""
        ...

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One number per row of `fpr` and `tpr`."""
        ...


@dataclass(frozen=True, slots=True)
class Area:
    """The area under the curve, AUC; `PartialArea` is that of a part.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=rw.statistics.Area(), rng=1).value
    0.75
    """

    part: Part = WHOLE

    @property
    def name(self) -> str:
        """What the number is called."""
        return "AUC" if self.part.is_whole else f"partial AUC over {self.part}"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One area per curve."""
        if self.part.is_whole:
            heights = tpr[:, 1:] + tpr[:, :-1]
            heights /= 2
            return np.asarray(np.einsum("ij,ij->i", np.diff(fpr, axis=1), heights))
        return np.array([partial_area(f, t, self.part) for f, t in zip(fpr, tpr, strict=True)])

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code."""
        if self.part.is_whole:
            return kernels.Reader("area", np.empty(0))
        return kernels.Reader(
            "part", np.array([self.part.axis == "tpr", self.part.low, self.part.high])
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialArea:
    """The area under the part of the curve that the options of `auc` name.

    Examples
    --------
    >>> import rocwise as rw
    >>> early = rw.statistics.PartialArea(max_fpr=0.5, standardize=True)
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=early, n_resamples=50, rng=1).value
    0.6666666666666666
    """

    max_fpr: float | None = None
    fpr_range: tuple[float, float] | None = None
    tpr_range: tuple[float, float] | None = None
    standardize: bool = False

    def __post_init__(self) -> None:
        checks.flag(self.standardize, "standardize")
        if self.part is WHOLE:
            raise InputError(
                "`PartialArea` needs the part: one of `max_fpr`, `fpr_range` and `tpr_range`; for "
                "the whole area use statistic='auc'."
            )

    @property
    def part(self) -> Part:
        """The range of one of the two rates."""
        return chosen_part(self.max_fpr, self.fpr_range, self.tpr_range)

    @property
    def name(self) -> str:
        """What the number is called."""
        return f"{'standardised ' if self.standardize else ''}{Area(self.part).name}"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One area per curve."""
        part = self.part
        areas = Area(part).of_curves(fpr, tpr, thresholds)
        return np.array([part.standardized(area) for area in areas]) if self.standardize else areas

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code."""
        part, reader = self.part, Area(self.part).reader(data)
        if not self.standardize:
            return reader
        return reader._replace(
            finished=lambda read: np.array([part.standardized(area) for area in read[:, 0]])
        )


@dataclass(frozen=True, slots=True)
class SensitivityAt:
    """Sensitivity where the curve has a given specificity (the largest, on a vertical part).

    Examples
    --------
    >>> import rocwise as rw
    >>> at_half = rw.statistics.SensitivityAt(specificity=0.5)
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=at_half, n_resamples=50, rng=1).value
    1.0
    """

    specificity: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "specificity", checks.rate(self.specificity, "specificity"))

    @property
    def name(self) -> str:
        """What the number is called."""
        return f"sensitivity at specificity {self.specificity:g}"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One sensitivity per curve."""
        return heights_at(fpr, tpr, 1.0 - self.specificity)

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code."""
        return kernels.Reader("height", np.array([0.0, 1.0 - self.specificity]))


@dataclass(frozen=True, slots=True)
class SpecificityAt:
    """Specificity where the curve has a given sensitivity (the largest, on a horizontal part).

    Examples
    --------
    >>> import rocwise as rw
    >>> at_half = rw.statistics.SpecificityAt(sensitivity=0.5)
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=at_half, n_resamples=50, rng=1).value
    1.0
    """

    sensitivity: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "sensitivity", checks.rate(self.sensitivity, "sensitivity"))

    @property
    def name(self) -> str:
        """What the number is called."""
        return f"specificity at sensitivity {self.sensitivity:g}"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One specificity per curve: the mirrored curve read at 1 - sensitivity."""
        return heights_at(1 - tpr[:, ::-1], 1 - fpr[:, ::-1], 1.0 - self.sensitivity)

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code."""
        return kernels.Reader("height", np.array([1.0, 1.0 - self.sensitivity]))


@dataclass(frozen=True, slots=True)
class YoudenThreshold:
    """The threshold with the largest sensitivity + specificity; the highest one among equals.

    Examples
    --------
    >>> import rocwise as rw
    >>> best = rw.statistics.YoudenThreshold()
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=best, n_resamples=50, rng=1).value
    4.0
    """

    @property
    def name(self) -> str:
        """What the number is called."""
        return "Youden threshold"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One threshold per curve, among the observed scores."""
        gaps = tpr[:, 1:] - fpr[:, 1:]
        best = np.argmax(np.round(gaps, 12, out=gaps), axis=1)
        return np.asarray(thresholds[1:][best], dtype=np.float64)

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code, which gives the place of the threshold."""
        scores = np.asarray(data.scores, dtype=np.float64)
        return kernels.Reader(
            "youden", np.empty(0), finished=lambda read: scores[read[:, 0].astype(np.intp) - 1]
        )

    def best_vertices(self, data: Tally) -> BestVertices:
        """The same of resamples by blocks."""
        scores = np.asarray(data.scores, dtype=np.float64)
        return BestVertices(np.ones((1, 2)), False, lambda place, *_: scores[place[:, 0] - 1])


@dataclass(frozen=True, slots=True)
class EqualErrorRate:
    """The error rate where the curve has as large a share of false alarms as of misses.

    Examples
    --------
    >>> import rocwise as rw
    >>> equal = rw.statistics.EqualErrorRate()
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=equal, n_resamples=50, rng=1).value
    0.5
    """

    @property
    def name(self) -> str:
        """What the number is called."""
        return "equal error rate"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One rate per curve: where its polyline crosses the other diagonal."""
        gap = fpr + tpr - 1
        after = np.maximum(np.argmax(gap >= 0, axis=1), 1)
        rows = np.arange(len(fpr))
        g0, g1 = gap[rows, after - 1], gap[rows, after]
        share = np.divide(-g0, g1 - g0, out=np.zeros_like(g0), where=g1 > g0)
        low = fpr[rows, after - 1]
        return np.asarray(low + share * (fpr[rows, after] - low))

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code."""
        return kernels.Reader("equal-errors", np.empty(0))


@dataclass(frozen=True, slots=True)
class LeastCost:
    """The least expected cost per case that any threshold reaches.

    Examples
    --------
    >>> import rocwise as rw
    >>> least = rw.statistics.LeastCost(rw.Costs(fp=1, fn=5), prevalence=0.1)
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=least, n_resamples=50, rng=1).value
    0.25
    """

    costs: Costs
    prevalence: float

    def __post_init__(self) -> None:
        checked_costs(self.costs)
        object.__setattr__(self, "prevalence", checks.rate(self.prevalence, "prevalence"))

    @property
    def name(self) -> str:
        """What the number is called."""
        return "least expected cost"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One cost per curve."""
        c, share = self.costs, self.prevalence
        of_positives = share * (c.fn + (c.tp - c.fn) * tpr)
        of_negatives = (1 - share) * (c.tn + (c.fp - c.tn) * fpr)
        return np.asarray((of_positives + of_negatives).min(axis=1))

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code."""
        c, share = self.costs, self.prevalence
        told = [share, c.fn, c.tp - c.fn, 1 - share, c.tn, c.fp - c.tn]
        return kernels.Reader("least-cost", np.array(told, dtype=np.float64))

    def best_vertices(self, data: Tally) -> BestVertices | None:
        """The same of resamples by blocks, unless errors cost nothing at this prevalence."""
        c, share = self.costs, self.prevalence
        gains = np.array([[share * (c.fn - c.tp), (1 - share) * (c.fp - c.tn)]])
        if gains.max() == 0:
            return None

        def costs(_: Counts, tpr: Floats, fpr: Floats) -> Floats:
            of_positives = share * (c.fn + (c.tp - c.fn) * tpr)
            return np.asarray((of_positives + (1 - share) * (c.tn + (c.fp - c.tn) * fpr))[:, 0])

        return BestVertices(gains / gains.max(), True, costs)


@dataclass(frozen=True, slots=True)
class OwnStatistic:
    """A function of the user's: (fpr, tpr, thresholds) of one curve to a number."""

    function: Callable[[Floats, Floats, Array], float]

    @property
    def name(self) -> str:
        """What the number is called."""
        return getattr(self.function, "__name__", "statistic")

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One number per curve."""
        rows = zip(fpr, tpr, strict=True)
        return np.array([self._number(f, t, thresholds) for f, t in rows])

    def _number(self, fpr: Floats, tpr: Floats, thresholds: Array) -> float:
        found = self.function(fpr, tpr, thresholds)
        try:
            return float("no number" if isinstance(found, (str, bytes)) else found)
        except (TypeError, ValueError):
            raise InputError(
                f"`statistic` {self.name} must give a number for every curve; got {shown(found)}."
            ) from None


READ_OFF_RATES = (Area, PartialArea, SensitivityAt, SpecificityAt, EqualErrorRate, LeastCost)


def heights_at(fpr: Floats, tpr: Floats, at: float) -> Floats:
    """TPR of each curve at one FPR: linear between points, the top of a vertical part.

    An FPR within 1e-12 of a vertical part counts as on it: 1 - 0.8 is not exactly 0.2.
    """
    above = np.count_nonzero(fpr <= at + 1e-12, axis=1)
    right = np.minimum(above, fpr.shape[1] - 1)
    rows = np.arange(len(fpr))
    x0, y0 = fpr[rows, above - 1], tpr[rows, above - 1]
    x1, y1 = fpr[rows, right], tpr[rows, right]
    run = x1 - x0
    share = np.divide(at - x0, run, out=np.zeros_like(run), where=run > 0)
    return np.asarray(y0 + np.clip(share, 0.0, 1.0) * (y1 - y0))
