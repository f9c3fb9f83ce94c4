"""Cost and decision curves at fixed values of their axis, and bootstrap bands of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Places
from rocwise.binary.bootstrap import replicates, resampling_words
from rocwise.binary.roc import hull_counts, sums_from_zero
from rocwise.binary.unit_scores import unit_scores
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.resampling import percentile_limits
from rocwise.kernels.resample import Reader
from rocwise.progress import Report
from rocwise.results import Resampled, result

DEFAULT_THRESHOLDS = np.arange(1, 100) / 100


@dataclass(frozen=True, eq=False)
class LeastCosts:
    """The least normalized cost at the probability costs `x`."""

    name: ClassVar[str] = "normalized expected cost"
    x_name: ClassVar[str] = "probability cost"
    x: Floats

    @classmethod
    def on_grid(cls, grid: int) -> "LeastCosts":
        """At equally spaced probability costs."""
        size = checks.whole(grid, "grid", at_least=2, at_most=checks.LARGEST_GRID)
        return cls(np.linspace(0, 1, size))

    def of(self, data: Tally) -> Floats:
        """The costs of the data, at each value of `x`."""
        _, tp, fp = hull_counts(data)
        rates = (fp / data.n_neg)[None, :], (tp / data.n_pos)[None, :]
        return np.asarray(self.of_curves(*rates, rates[0])[0])

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One row of costs per curve; the best threshold is found for each."""
        fnr = 1 - tpr
        costs = [(fnr * pc + fpr * (1 - pc)).min(axis=1) for pc in self.x.tolist()]
        return np.stack(costs, axis=1)

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code, on the convex hull of each curve."""
        return Reader("cost-grid", self.x, width=len(self.x), finished=np.copy)


@dataclass(frozen=True, eq=False)
class NetBenefit:
    """The net benefit at the threshold probabilities `x`."""

    name: ClassVar[str] = "net benefit"
    x_name: ClassVar[str] = "threshold probability"
    x: Floats
    prevalence: float | None = None

    @classmethod
    def at_thresholds(cls, thresholds: Any, prevalence: float | None) -> "NetBenefit":
        """At increasing threshold probabilities from 0 to below 1; by default 0.01 to 0.99."""
        p = None if prevalence is None else checks.prevalence(prevalence)
        if thresholds is None:
            return cls(DEFAULT_THRESHOLDS, p)
        x = np.atleast_1d(checks.rates(thresholds, "thresholds", most=1))
        if not len(x) or np.any(np.diff(x) <= 0) or x[-1] >= 1:
            raise InputError(
                "`thresholds` must be rising probabilities below 1, at least one of them."
            )
        return cls(x, p)

    def of(self, data: Tally) -> Floats:
        """The net benefits of the data, at each value of `x`."""
        return np.asarray(self.of_counts(data)(data.pos[None, :], data.neg[None, :])[0])

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
        return np.asarray(len(scores) - np.searchsorted(scores[::-1], self.x))

    def _benefits(self, tpr: Floats, fpr: Floats, n_pos: Array, n_neg: Array) -> Floats:
        odds = self.x / (1 - self.x)
        p = n_pos / (n_pos + n_neg) if self.prevalence is None else self.prevalence
        p = np.broadcast_to(p, n_pos.shape)[:, None]
        return np.asarray(p * tpr - (1 - p) * odds * fpr)


@result
class CurveBand(Resampled):
    """A curve with pointwise limits; `x` and `value` are its two axes."""

    x_name: ClassVar[str]
    quantity: ClassVar[str]
    axes: ClassVar[tuple[str, str]]
    lower: Floats
    upper: Floats
    level: float
    method: str = "bootstrap percentile"

    @property
    def x(self) -> Floats:
        """The values at which the curve was resampled."""
        return np.asarray(getattr(self, self.axes[0]))

    @property
    def value(self) -> Floats:
        """The curve at these values."""
        return np.asarray(getattr(self, self.axes[1]))

    def _columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in (*self.axes, "lower", "upper")}

    def _sentence(self) -> str:
        return (
            f"{self.quantity} at {printing.counted(len(self.x), 'value')} of the {self.x_name} "
            f"with pointwise {printing.percent(self.level)} limits ({self.method})"
            f"{self._draw_words()}"
        )


@result
class CostBand(CurveBand):
    """A cost curve at equally spaced probability costs, with pointwise limits."""

    x_name: ClassVar[str] = LeastCosts.x_name
    quantity: ClassVar[str] = LeastCosts.name
    axes: ClassVar[tuple[str, str]] = ("probability_cost", "cost")
    probability_cost: Floats
    cost: Floats


@result
class DecisionBand(CurveBand):
    """A decision curve at its thresholds, with pointwise limits."""

    x_name: ClassVar[str] = NetBenefit.x_name
    quantity: ClassVar[str] = NetBenefit.name
    axes: ClassVar[tuple[str, str]] = ("thresholds", "net_benefit")
    thresholds: Floats
    net_benefit: Floats
    treat_all: Floats | None = None


def band_fields(
    data: Tally,
    statistic: LeastCosts | NetBenefit,
    *,
    level: float,
    n_resamples: int,
    rng: Any,
    progress: bool | Report | None,
) -> dict[str, Any]:
    """The fields that all bands of curves have, by bootstrap."""
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=len(statistic.x))
    seed = checks.seed(rng)
    drawn = replicates(data, statistic, n_resamples=n_resamples, seed=seed, progress=progress)
    lower, upper = percentile_limits(drawn, level)
    return {
        "lower": lower,
        "upper": upper,
        "level": level,
        "n_resamples": len(drawn),
        "seed": seed,
        "method": resampling_words(data, "bootstrap percentile"),
        "origin": data.origin,
    }
