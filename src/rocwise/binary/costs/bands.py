"""Bootstrap bands of cost and decision curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.costs.decision_curves import NetBenefit, checked_thresholds
from rocwise.binary.resampling.replicates import AnyStatistic, of_counts, replicates
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.primitives.tallies import Tally, refuse_weights
from rocwise.progress import Report
from rocwise.results import Result, result


@result
class CurveBand(Result):
    """A curve with pointwise limits: `quantity` over `x_name`."""

    quantity: str
    x_name: str
    x: Floats
    value: Floats
    lower: Floats
    upper: Floats
    level: float
    n_resamples: int
    seed: int

    def _sentence(self) -> str:
        return (
            f"{self.quantity} at {len(self.x)} values of the {self.x_name} with pointwise "
            f"{printing.percent(self.level)} limits; {printing.count(self.n_resamples)} resamples, "
            f"seed {self.seed}"
        )


@dataclass(frozen=True, eq=False)
class LeastCosts:
    """The least normalised cost at several probability costs, for resampled curves."""

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


@dataclass(frozen=True, eq=False)
class Sweep:
    """A quantity that is read off at several places, and what the places are called."""

    statistic: AnyStatistic
    x: Floats
    x_name: str

    def of(self, data: Tally) -> Floats:
        """The quantity of the data itself, at every place."""
        read = of_counts(data, self.statistic)
        return np.asarray(read(data.pos[None, :], data.neg[None, :])[0])

    def words(self) -> dict[str, Any]:
        """What a result says about it."""
        return {"quantity": self.statistic.name, "x_name": self.x_name, "x": self.x}


def cost_sweep(grid: int) -> Sweep:
    """Least costs at equally spaced probability costs."""
    places = np.linspace(0, 1, checks.whole(grid, "grid", at_least=2))
    return Sweep(LeastCosts(places), places, "probability cost")


def benefit_sweep(thresholds: Any, prevalence: float | None) -> Sweep:
    """Net benefits at threshold probabilities."""
    share = None if prevalence is None else checks.fraction(prevalence, "prevalence")
    places = checked_thresholds(thresholds)
    return Sweep(NetBenefit(places, share), places, "threshold probability")


@by_group
def cost_band(
    data: Any = None,
    y_score: Any = None,
    *,
    grid: int = 101,
    level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[TallyOptions],
) -> CurveBand:
    """Pointwise bootstrap limits of a cost curve.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
        The scored cases, without weights.
    grid : int, default 101
        Number of probability costs from 0 to 1.
    level, n_resamples, rng, progress
        As for `bootstrap`; the best threshold is found anew in every resample.

    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    CurveBand
        With `x`, `value`, `lower`, `upper`.

    Examples
    --------
    >>> import rocwise as rw
    >>> band = rw.cost_band([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], n_resamples=50, rng=1)
    >>> bool((band.lower <= band.upper).all())
    True
    """
    tally = as_tally("cost_band", data, y_score, given)
    return _band(tally, cost_sweep(grid), level, n_resamples, rng, progress)


@by_group
def decision_band(
    data: Any = None,
    y_score: Any = None,
    *,
    thresholds: Any = None,
    prevalence: float | None = None,
    level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[TallyOptions],
) -> CurveBand:
    """Pointwise bootstrap limits of a decision curve.

    Parameters
    ----------
    data, thresholds, prevalence
        As for `decision_curve`.
    level, n_resamples, rng, progress
        As for `bootstrap`; the share of positives stays that of the data.

    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    CurveBand
        With `x`, `value`, `lower`, `upper`.

    Examples
    --------
    >>> import rocwise as rw
    >>> band = rw.decision_band([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], n_resamples=50, rng=1)
    >>> bool((band.lower <= band.upper).all())
    True
    """
    tally = as_tally("decision_band", data, y_score, given)
    sweep = benefit_sweep(thresholds, prevalence)
    return _band(tally, sweep, level, n_resamples, rng, progress)


def _band(
    data: Tally,
    sweep: Sweep,
    level: float,
    n_resamples: int,
    rng: Any,
    progress: bool | Report | None,
) -> CurveBand:
    checks.fraction(level, "level")
    checks.whole(n_resamples, "n_resamples", at_least=2)
    seed = checks.seed(rng)
    refuse_weights(data, f"the band of the {sweep.statistic.name}")
    drawn = replicates(data, sweep.statistic, n_resamples=n_resamples, seed=seed, progress=progress)
    lower, upper = limits(drawn, level)
    return CurveBand(
        **sweep.words(),
        value=sweep.of(data),
        lower=lower,
        upper=upper,
        level=level,
        n_resamples=len(drawn),
        seed=seed,
        origin=data.origin,
    )


def limits(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    """Pointwise quantiles that leave equal tails."""
    tail = (1 - level) / 2
    lower, upper = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return lower, upper
