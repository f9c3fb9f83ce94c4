"""Bootstrap bands of cost and decision curves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.costs.grid_statistics import GridStatistic
from rocwise.binary.resampling.draws import resampling_words
from rocwise.binary.resampling.replicates import replicates
from rocwise.data.tally import Tally
from rocwise.progress import Report
from rocwise.results import Result, result


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
        """The places at which the curve was resampled."""
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
        statistic.drawn_from(data),
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
