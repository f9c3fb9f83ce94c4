"""Statistics of an ROC curve, evaluated on the data and on many resampled curves at once.

A statistic has a `name` and `of_curves(fpr, tpr, thresholds)`: matrices with one curve per row,
from (0, 0). One that needs the scores or the class sizes has `of_counts(data)` in its place. An
optional `reader` names the same statistic in compiled code.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Floats, Weights
from rocwise.binary import smooth_roc
from rocwise.binary.partial_area import WHOLE, Part, chosen_part, partial_area
from rocwise.binary.roc import cumulative_rates, roc_rates, thresholds_of
from rocwise.binary.unit_scores import unit_scores
from rocwise.costs import Costs, checked_costs
from rocwise.data.smooth_steps import increments
from rocwise.data.tally import Tally
from rocwise.errors import InputError, listed, shown
from rocwise.kernels.resample import Formula, Reader

Steps = Literal["step", "davis-goadrich"]
StatisticName = Literal[
    "auc",
    "smooth-auc",
    "youden-threshold",
    "average-precision",
    "precision-recall-area",
    "equal-error-rate",
]
ROUNDING = 1e-12  # a rate this close below a limit reaches it


@runtime_checkable
class Statistic(Protocol):
    """A number read off a curve; any object with these two is one."""

    @property
    def name(self) -> str:
        """Name of the statistic."""
        ...

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One number per row of `fpr` and `tpr`."""
        ...


@runtime_checkable
class ScoreStatistic(Protocol):
    """A number that depends on the scores, not only on the curve."""

    @property
    def name(self) -> str:
        """Name of the statistic."""
        ...

    def of_counts(self, data: Tally) -> Formula:
        """A function of counts of positives and negatives at the scores of `data`.

        Each row of the counts is one resample; the function gives one number per row.
        """
        ...


AnyStatistic = Statistic | ScoreStatistic


@dataclass(frozen=True, slots=True)
class Area:
    """The area under the curve, AUC; `PartialArea` is that of a part.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=rw.statistics.Area(), rng=1).value
    0.75
    """

    is_proportion: ClassVar[bool] = True
    part: Part = WHOLE

    @property
    def name(self) -> str:
        """Name of the statistic."""
        return "AUC" if self.part.is_whole else f"partial AUC over {self.part}"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One area per curve."""
        if self.part.is_whole:
            heights = (tpr[:, 1:] + tpr[:, :-1]) / 2
            return np.asarray(np.einsum("ij,ij->i", np.diff(fpr, axis=1), heights))
        return np.array([partial_area(f, t, self.part) for f, t in zip(fpr, tpr, strict=True)])

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code."""
        if self.part.is_whole:
            return Reader("area", np.empty(0))
        return Reader("part", np.array([self.part.axis == "tpr", self.part.low, self.part.high]))


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
                "the full AUC use statistic='auc'."
            )

    @property
    def part(self) -> Part:
        """The range of one of the two rates."""
        return chosen_part(self.max_fpr, self.fpr_range, self.tpr_range)

    @property
    def name(self) -> str:
        """Name of the statistic."""
        return f"{'standardized ' if self.standardize else ''}{Area(self.part).name}"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One area per curve."""
        part = self.part
        areas = Area(part).of_curves(fpr, tpr, thresholds)
        return np.array([part.standardized(area) for area in areas]) if self.standardize else areas

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code."""
        part, reader = self.part, Area(self.part).reader(data)
        if not self.standardize:
            return reader
        return reader._replace(
            finished=lambda read: np.array([part.standardized(area) for area in read[:, 0]])
        )


POINT_OF_CURVE = "point of the ROC curve with exactly {}"  # what is measured at a given rate


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

    is_proportion: ClassVar[bool] = True
    estimand: ClassVar[str] = POINT_OF_CURVE.format("this specificity")
    specificity: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "specificity", checks.rate(self.specificity, "specificity"))

    @property
    def name(self) -> str:
        """Name of the statistic."""
        return f"sensitivity at specificity {self.specificity:g}"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One sensitivity per curve."""
        return heights_at(fpr, tpr, 1.0 - self.specificity)

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code."""
        return Reader("sensitivity", np.array([1.0 - self.specificity]))


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

    is_proportion: ClassVar[bool] = True
    estimand: ClassVar[str] = POINT_OF_CURVE.format("this sensitivity")
    sensitivity: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "sensitivity", checks.rate(self.sensitivity, "sensitivity"))

    @property
    def name(self) -> str:
        """Name of the statistic."""
        return f"specificity at sensitivity {self.sensitivity:g}"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One specificity per curve: the mirrored curve read at 1 - sensitivity."""
        return heights_at(1 - tpr[:, ::-1], 1 - fpr[:, ::-1], 1.0 - self.sensitivity)

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code."""
        return Reader("specificity", np.array([self.sensitivity]))


@dataclass(frozen=True, slots=True)
class YoudenThreshold:
    """The threshold with the largest sensitivity + specificity; the highest one among equals.

    Its bootstrap intervals are too short in small samples; ``threshold(...).uncertainty()`` smooths
    the scores.

    Examples
    --------
    >>> import rocwise as rw
    >>> best = rw.statistics.YoudenThreshold()
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=best, n_resamples=50, rng=1).value
    4.0
    """

    name: ClassVar[str] = "Youden threshold"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One threshold per curve, among the observed scores."""
        gaps = tpr[:, 1:] - fpr[:, 1:]
        best = np.argmax(np.round(gaps, 12, out=gaps), axis=1)
        return np.asarray(thresholds[1:][best], dtype=np.float64)

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code, which gives the place of the threshold."""
        scores = np.asarray(data.scores, dtype=np.float64)
        return Reader(
            "youden", np.empty(0), finished=lambda read: scores[read[:, 0].astype(np.intp) - 1]
        )


@dataclass(frozen=True, slots=True)
class EqualErrorRate:
    """The error rate where FPR and 1 - TPR are equal.

    Examples
    --------
    >>> import rocwise as rw
    >>> equal = rw.statistics.EqualErrorRate()
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=equal, n_resamples=50, rng=1).value
    0.5
    """

    name: ClassVar[str] = "equal error rate"
    is_proportion: ClassVar[bool] = True

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One rate per curve: where its polyline crosses the other diagonal."""
        gap = fpr + tpr - 1
        after = np.maximum(np.argmax(gap >= 0, axis=1), 1)
        rows = np.arange(len(fpr))
        g0, g1 = gap[rows, after - 1], gap[rows, after]
        fraction = np.divide(-g0, g1 - g0, out=np.zeros_like(g0), where=g1 > g0)
        low = fpr[rows, after - 1]
        return np.asarray(low + fraction * (fpr[rows, after] - low))

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code."""
        return Reader("equal-errors", np.empty(0))


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

    name: ClassVar[str] = "least expected cost"
    costs: Costs
    prevalence: float

    def __post_init__(self) -> None:
        checked_costs(self.costs)
        object.__setattr__(self, "prevalence", checks.rate(self.prevalence, "prevalence"))

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One cost per curve."""
        c, p = self.costs, self.prevalence
        of_positives = p * (c.fn + (c.tp - c.fn) * tpr)
        of_negatives = (1 - p) * (c.tn + (c.fp - c.tn) * fpr)
        return np.asarray((of_positives + of_negatives).min(axis=1))

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code."""
        c, p = self.costs, self.prevalence
        numbers = [p, c.fn, c.tp - c.fn, 1 - p, c.tn, c.fp - c.tn]
        return Reader("least-cost", np.array(numbers, dtype=np.float64))


@dataclass(frozen=True, slots=True)
class AveragePrecision:
    """The mean precision at the scores of the positives: the area below the steps of the curve.

    `prevalence` is the prevalence for the precision, by default that of the data;
    with interpolation="davis-goadrich" thresholds between two scores are mixed, as the ROC curve
    mixes them, and the curve between two points is no step but an arc.

    Examples
    --------
    >>> import rocwise as rw
    >>> mean = rw.statistics.AveragePrecision()
    >>> round(rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=mean, rng=1).value, 4)
    0.8333
    """

    is_proportion: ClassVar[bool] = True
    prevalence: float | None = None
    interpolation: Steps = "step"

    def __post_init__(self) -> None:
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", checks.prevalence(self.prevalence))
        checks.one_of(self.interpolation, "interpolation", ("step", "davis-goadrich"))

    @property
    def name(self) -> str:
        """Name of the statistic."""
        kind = "average precision" if self.interpolation == "step" else "precision-recall area"
        return kind if self.prevalence is None else f"{kind} at prevalence {self.prevalence:g}"

    def of_counts(self, data: Tally) -> Formula:
        """One mean per row of counts."""
        odds = negative_odds(data, self.prevalence)
        area = step_areas if self.interpolation == "step" else arc_areas

        def means(pos: Weights, neg: Weights) -> Floats:
            return area(cumulative_rates(pos), odds * cumulative_rates(neg))

        return means

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code."""
        arcs = self.interpolation != "step"
        odds = negative_odds(data, self.prevalence)
        return Reader("average-precision", np.array([arcs, odds], dtype=np.float64))


@dataclass(frozen=True, slots=True)
class PrecisionAt:
    """Precision at the highest threshold whose recall is at least the one given.

    Examples
    --------
    >>> import rocwise as rw
    >>> at_half = rw.statistics.PrecisionAt(recall=1.0)
    >>> rw.bootstrap([0, 0, 1, 1], [1, 3, 2, 4], statistic=at_half, n_resamples=50, rng=1).value
    0.6666666666666666
    """

    is_proportion: ClassVar[bool] = True
    recall: float
    prevalence: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "recall", checks.rate(self.recall, "recall"))
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", checks.prevalence(self.prevalence))

    @property
    def name(self) -> str:
        """Name of the statistic."""
        words = f"precision at recall {self.recall:g}"
        return words if self.prevalence is None else f"{words}, prevalence {self.prevalence:g}"

    def of_counts(self, data: Tally) -> Formula:
        """One precision per row of counts."""
        odds = negative_odds(data, self.prevalence)
        wanted = np.array([self.recall])

        def precisions(pos: Weights, neg: Weights) -> Floats:
            tpr, false = cumulative_rates(pos), odds * cumulative_rates(neg)
            hits, false = rates_at_recalls(tpr, false, wanted)
            return np.asarray((hits / (hits + false))[:, 0])

        return precisions

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code."""
        wanted = max(self.recall - ROUNDING, 1e-300)
        return Reader("precision", np.array([wanted, negative_odds(data, self.prevalence)]))


@dataclass(frozen=True, slots=True)
class SmoothArea:
    """The area under the smooth ROC curve, smAUC; the midpoint is recomputed in every resample.

    Examples
    --------
    >>> import rocwise as rw
    >>> smooth = rw.statistics.SmoothArea(rescale=True)
    >>> found = rw.bootstrap([0, 1, 0, 1], [1, 3, 2, 4], statistic=smooth, n_resamples=50, rng=1)
    >>> round(found.value, 3)
    0.917
    """

    name: ClassVar[str] = "smAUC"
    midpoint: smooth_roc.Midpoint | float = "estimated"
    rescale: bool = False

    def __post_init__(self) -> None:
        checks.flag(self.rescale, "rescale")
        smooth_roc.checked_midpoint(self.midpoint)

    def of_counts(self, data: Tally) -> Formula:
        """One area per row of counts."""
        scores = unit_scores(data, "the smAUC", rescale=self.rescale)

        def areas(pos: Weights, neg: Weights) -> Floats:
            middles = self._midpoints(scores, pos, neg)[:, None]
            dx, dy = increments(scores, pos, neg, middles)
            heights = np.cumsum(dy, axis=1)
            alpha_v, alpha_h = heights[:, -1].copy(), dx.sum(axis=1)
            smooth_roc.check_not_degenerate(float(alpha_v.min()), float(alpha_h.min()))
            heights -= dy / 2
            return np.asarray(np.einsum("ij,ij->i", dx, heights) / (alpha_v * alpha_h))

        return areas

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code, but for resamples whose midpoint is close to a score."""
        scores = unit_scores(data, "the smAUC", rescale=self.rescale)
        ways = {"calibrated": (0.0, 0.5), "estimated": (1.0, 0.0), "class-means": (2.0, 0.0)}
        numbers = ways[self.midpoint] if isinstance(self.midpoint, str) else (0.0, self.midpoint)
        return Reader("smooth", np.array(numbers), np.asarray(scores, np.float64))

    def _midpoints(self, scores: Floats, pos: Weights, neg: Weights) -> Floats:
        if self.midpoint not in ("estimated", "class-means"):
            return np.full(len(pos), 0.5 if self.midpoint == "calibrated" else self.midpoint)
        of_pos, of_neg = pos.sum(axis=1), neg.sum(axis=1)
        if self.midpoint == "estimated":
            middles = np.add(pos, neg, dtype=np.float64) @ scores / (2 * of_pos)
        else:
            middles = (pos @ scores / of_pos + neg @ scores / of_neg) / 2
        # where a score may be equal to the midpoint, the last digit decides: sum exactly
        rising = scores[::-1]
        above = np.searchsorted(rising, middles)
        nearest = [rising[np.clip(k, 0, len(rising) - 1)] for k in (above - 1, above)]
        near = np.min(np.abs(np.array(nearest) - middles), axis=0) < 1e-9
        for row in np.flatnonzero(near):
            middles[row] = smooth_roc.midpoint_of_table(scores, pos[row], neg[row], self.midpoint)
        return np.asarray(middles)


@dataclass(frozen=True, slots=True)
class OwnStatistic:
    """A function of the user's: (fpr, tpr, thresholds) of one curve to a number."""

    function: Callable[[Floats, Floats, Array], float]

    @property
    def name(self) -> str:
        """Name of the statistic."""
        return getattr(self.function, "__name__", "statistic")

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One number per curve."""
        numbers = np.empty(len(fpr))
        for row, curve in enumerate(zip(fpr, tpr, strict=True)):
            found = self.function(*curve, thresholds)
            try:
                numbers[row] = float("no number" if isinstance(found, (str, bytes)) else found)
            except (TypeError, ValueError):
                raise InputError(
                    f"`statistic` {self.name} must give a number for every curve; "
                    f"got {shown(found)}."
                ) from None
        return numbers


BY_NAME: dict[str, AnyStatistic] = {
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
        return BY_NAME[checks.one_of(statistic, "statistic", tuple(BY_NAME))]
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
    if isinstance(statistic, SmoothArea):  # for the data, not for every resample
        scores = unit_scores(data, "the smAUC", rescale=statistic.rescale)
        middle = smooth_roc.midpoint_of_table(scores, data.pos, data.neg, statistic.midpoint)
        smooth_roc.warn_of_midpoint(data, middle, rescale=statistic.rescale)
    if isinstance(statistic, ScoreStatistic):
        return float(statistic.of_counts(data)(data.pos[None, :], data.neg[None, :])[0])
    fpr, tpr = roc_rates(data)
    thresholds = thresholds_of(data.scores, data.direction)
    return float(statistic.of_curves(fpr[None, :], tpr[None, :], thresholds)[0])


def of_counts(data: Tally, statistic: AnyStatistic) -> Formula:
    """The statistic as a function of counts at the scores of the data, one resample per row."""
    if isinstance(statistic, ScoreStatistic):
        return statistic.of_counts(data)
    thresholds = cache(lambda: thresholds_of(data.scores, data.direction))

    def values(pos: Weights, neg: Weights) -> Floats:
        return statistic.of_curves(cumulative_rates(neg), cumulative_rates(pos), thresholds())

    return values


def reader_of(data: Tally, statistic: AnyStatistic) -> Reader | None:
    """The statistic in compiled code; None for a user's own, and a few others."""
    own = type(statistic)
    if not own.__module__.startswith("rocwise.") or not hasattr(own, "reader"):
        return None
    found: Reader | None = own.reader(statistic, data)
    return found


def heights_at(fpr: Floats, tpr: Floats, at: float) -> Floats:
    """TPR of each curve at one FPR: linear between points, the top of a vertical part."""
    above = np.count_nonzero(fpr <= at + ROUNDING, axis=1)
    right = np.minimum(above, fpr.shape[1] - 1)
    rows = np.arange(len(fpr))
    x0, y0 = fpr[rows, above - 1], tpr[rows, above - 1]
    x1, y1 = fpr[rows, right], tpr[rows, right]
    run = x1 - x0
    fraction = np.divide(at - x0, run, out=np.zeros_like(run), where=run > 0)
    return np.asarray(y0 + np.clip(fraction, 0.0, 1.0) * (y1 - y0))


def negative_odds(data: Tally, prevalence: float | None) -> float:
    """Negatives per positive: precision is TPR / (TPR + odds * FPR)."""
    if prevalence is None:
        return float(data.n_neg / data.n_pos)
    return (1 - prevalence) / prevalence


def step_areas(tpr: Floats, false: Floats) -> Floats:
    """Sums of precision times the step in recall, one per row; `false` is odds times FPR."""
    called = tpr[..., 1:] + false[..., 1:]
    terms = np.divide(tpr[..., 1:], called, out=called, where=called > 0)  # 0 where none is called
    terms *= np.diff(tpr, axis=-1)
    return np.asarray(terms.sum(axis=-1))


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
    """Both rates at the first point of each row with each recall and a positive prediction."""
    wanted = np.maximum(recalls - ROUNDING, 1e-300)
    places = np.stack([np.searchsorted(row, wanted) for row in tpr])
    return np.take_along_axis(tpr, places, axis=1), np.take_along_axis(false, places, axis=1)
