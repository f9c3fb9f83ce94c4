"""Bootstrap bands of cost and decision curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Places
from rocwise.binary.bootstrap import replicates, resampling_words
from rocwise.binary.roc import sums_from_zero
from rocwise.binary.statistics import AnyStatistic, of_counts
from rocwise.binary.unit_scores import unit_scores
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.kernels.resample import Reader
from rocwise.kernels.row_formulas import STEP
from rocwise.progress import Report
from rocwise.results import Result, result

USUAL_THRESHOLDS = np.arange(1, 100) / 100


@dataclass(frozen=True, eq=False)
class LeastCosts:
    """The least normalized cost at several probability costs, for resampled curves."""

    grid: Floats

    @property
    def name(self) -> str:
        """What the numbers are called."""
        return "normalised expected cost"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One row of costs per curve; the best threshold is found anew in each."""
        fnr = 1 - tpr
        costs = [(fnr * pc + fpr * (1 - pc)).min(axis=1) for pc in self.grid.tolist()]
        return np.stack(costs, axis=1)

    def of_cases(self, data: Tally) -> Floats:
        """The costs of the data itself, whose cases are counted already: some points at a time."""
        none = np.zeros((1, 1))
        least = self.of_curves(none, none, none)
        for first in range(0, len(data), STEP):
            some = slice(first, first + STEP)
            fpr, tpr = (sums[None, some] / float(sums[-1]) for sums in (data.fp, data.tp))
            least = np.minimum(least, self.of_curves(fpr, tpr, none))
        return np.asarray(least[0])

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code, on the convex hull of each curve."""
        return Reader("cost-grid", self.grid, width=len(self.grid), finished=np.copy)


@dataclass(frozen=True, eq=False)
class NetBenefit:
    """The net benefit at several thresholds, for resampled counts."""

    thresholds: Floats
    prevalence: float | None = None

    @property
    def name(self) -> str:
        """What the numbers are called."""
        return "net benefit"

    def of_counts(self, data: Tally) -> Callable[[Array, Array], Floats]:
        """One row of net benefits per row of counts."""
        called = self._called(data)

        def benefits(pos: Array, neg: Array) -> Floats:
            n_pos, n_neg = pos.sum(axis=1), neg.sum(axis=1)
            tpr, fpr = (
                sums_from_zero(counts)[:, called] / total[:, None]
                for counts, total in ((pos, n_pos), (neg, n_neg))
            )
            return self._benefits(tpr, fpr, n_pos, n_neg)

        return benefits

    def of_cases(self, data: Tally) -> Floats:
        """The net benefits of the data itself, whose cases are counted already."""
        called = self._called(data)
        n_pos, n_neg = np.array([data.n_pos]), np.array([data.n_neg])
        tpr, fpr = (
            np.where(called > 0, sums[called - 1], 0)[None, :] / total
            for sums, total in ((data.tp, n_pos), (data.fp, n_neg))
        )
        return np.asarray(self._benefits(tpr, fpr, n_pos, n_neg)[0])

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code, which reads both rates."""
        called = self._called(data).astype(np.float64)
        k = len(called)

        def finished(read: Floats) -> Floats:
            return self._benefits(read[:, :k], read[:, k:-2], read[:, -2], read[:, -1])

        return Reader("vertices", called, width=2 * k + 2, finished=finished)

    def _called(self, data: Tally) -> Places:
        """How many distinct scores reach each threshold."""
        scores = unit_scores(data, "decision_curve")
        return np.asarray(len(scores) - np.searchsorted(scores[::-1], self.thresholds))

    def _benefits(self, tpr: Floats, fpr: Floats, n_pos: Array, n_neg: Array) -> Floats:
        odds = self.thresholds / (1 - self.thresholds)
        share = n_pos / (n_pos + n_neg) if self.prevalence is None else self.prevalence
        share = np.broadcast_to(share, n_pos.shape)[:, None]
        return np.asarray(share * tpr - (1 - share) * odds * fpr)


@dataclass(frozen=True, eq=False)
class GridStatistic:
    """A statistic that is read off at several places of an axis, and what the axis is called."""

    statistic: AnyStatistic
    x: Floats
    x_name: str

    def of(self, data: Tally) -> Floats:
        """The statistic of the data itself, at every place."""
        if isinstance(self.statistic, LeastCosts):
            return self.statistic.of_cases(data)
        if isinstance(self.statistic, NetBenefit) and not data.weighted:
            return self.statistic.of_cases(data)
        read = of_counts(data, self.statistic)
        return np.asarray(read(data.pos[None, :], data.neg[None, :])[0])


def cost_statistic(grid: int) -> GridStatistic:
    """Least costs at equally spaced probability costs."""
    places = np.linspace(0, 1, checks.whole(grid, "grid", at_least=2, at_most=checks.LARGEST_GRID))
    return GridStatistic(LeastCosts(places), places, "probability cost")


def benefit_statistic(thresholds: Any, prevalence: float | None) -> GridStatistic:
    """Net benefits at threshold probabilities."""
    share = None if prevalence is None else checks.share(prevalence)
    places = checked_thresholds(thresholds)
    return GridStatistic(NetBenefit(places, share), places, "threshold probability")


def checked_thresholds(thresholds: Any) -> Floats:
    """Rising threshold probabilities from 0 to below 1."""
    if thresholds is None:
        return USUAL_THRESHOLDS
    places = np.atleast_1d(checks.rates(thresholds, "thresholds", most=1))
    if not len(places) or np.any(np.diff(places) <= 0) or places[-1] >= 1:
        raise InputError("`thresholds` must be rising probabilities below 1, at least one of them.")
    return places


@result
class CurveBand(Result):
    """A curve with pointwise limits: what a `CostBand` and a `DecisionBand` have in common.

    `x` and `value` are the two axes of the curve, whatever they are called in the band.
    """

    x_name: ClassVar[str]
    quantity: ClassVar[str]
    axes: ClassVar[tuple[str, str]]
    lower: Floats
    upper: Floats
    level: float
    n_resamples: int
    seed: int
    method: str = "bootstrap percentile"

    @property
    def x(self) -> Floats:
        """The values at which the curve was resampled."""
        return np.asarray(getattr(self, self.axes[0]))

    @property
    def value(self) -> Floats:
        """The curve itself at these places."""
        return np.asarray(getattr(self, self.axes[1]))

    def _columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in (*self.axes, "lower", "upper")}

    def _sentence(self) -> str:
        return (
            f"{self.quantity} at {printing.counted(len(self.x), 'value')} of the {self.x_name} "
            f"with pointwise {printing.percent(self.level)} limits ({self.method}); "
            f"{printing.count(self.n_resamples)} resamples, seed {self.seed}"
        )


@result
class CostBand(CurveBand):
    """A cost curve at equally spaced probability costs, with pointwise limits."""

    x_name = "probability cost"
    quantity = "normalised expected cost"
    axes: ClassVar[tuple[str, str]] = ("probability_cost", "cost")
    probability_cost: Floats
    cost: Floats


@result
class DecisionBand(CurveBand):
    """A decision curve at its thresholds, with pointwise limits."""

    x_name = "threshold probability"
    quantity = "net benefit"
    axes: ClassVar[tuple[str, str]] = ("thresholds", "net_benefit")
    thresholds: Floats
    net_benefit: Floats
    treat_all: Floats | None = None


def band_fields(
    data: Tally,
    statistic: GridStatistic,
    *,
    level: float,
    n_resamples: int,
    rng: Any,
    progress: bool | Report | None,
) -> dict[str, Any]:
    """The fields that all bands of curves have, by the bootstrap."""
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=len(statistic.x))
    seed = checks.seed(rng)
    drawn = replicates(
        data,
        statistic.statistic,
        n_resamples=n_resamples,
        seed=seed,
        progress=progress,
    )
    lower, upper = pointwise_limits(drawn, level)
    return {
        "lower": lower,
        "upper": upper,
        "level": level,
        "n_resamples": len(drawn),
        "seed": seed,
        "method": resampling_words(data, "bootstrap percentile"),
        "origin": data.origin,
    }


def pointwise_limits(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    """Pointwise quantiles that leave equal tails."""
    tail = (1 - level) / 2
    lower, upper = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return lower, upper
