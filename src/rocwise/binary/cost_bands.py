"""Bootstrap bands of cost and decision curves, and of the difference of two models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, printing
from rocwise.binary.benefits import NetBenefit, checked_thresholds
from rocwise.binary.costs import cost_curve, refuse_weights
from rocwise.binary.paired_resampling import paired_replicates
from rocwise.binary.resampling import AnyStatistic, of_counts, replicates
from rocwise.errors import InputError
from rocwise.pairs import Pairs
from rocwise.progress import Report
from rocwise.results import Result
from rocwise.tallies import Tally

Floats = NDArray[np.float64]
Range = tuple[float, float, str]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
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


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CurveDifference(Result):
    """First minus second model, with pointwise limits, and who wins where.

    `wins` holds (from, to, name) for every range in which one model does better; `certain` the
    ranges in which the limits leave no doubt.
    """

    quantity: str
    x_name: str
    names: tuple[str, str]
    x: Floats
    difference: Floats
    lower: Floats
    upper: Floats
    wins: tuple[Range, ...]
    certain: tuple[Range, ...]
    level: float
    n_resamples: int
    seed: int

    def _columns(self) -> dict[str, Any]:
        names = ("x", "difference", "lower", "upper")
        return {name: getattr(self, name) for name in names}

    def _sentence(self) -> str:
        return (
            f"{self.quantity} of {self.names[0]} minus {self.names[1]}: "
            f"{_ranges_in_words(self.wins, 'no difference')}; beyond doubt (pointwise "
            f"{printing.percent(self.level)}): {_ranges_in_words(self.certain, 'nowhere')}"
        )


def _ranges_in_words(ranges: tuple[Range, ...], nothing: str) -> str:
    words = [f"{name} wins from {low:.3g} to {high:.3g}" for low, high, name in ranges]
    return ", ".join(words) or nothing


@dataclass(frozen=True, eq=False)
class LeastCosts:
    """The least normalised cost at several probability costs, for resampled curves."""

    grid: Floats

    @property
    def name(self) -> str:
        """What the numbers are called."""
        return "normalised expected cost"

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: NDArray[Any]) -> Floats:
        """One row of costs per curve; the best threshold is found anew in each."""
        fnr = 1 - tpr
        costs = [(fnr * pc + fpr * (1 - pc)).min(axis=1) for pc in self.grid.tolist()]
        return np.stack(costs, axis=1)


def cost_band(
    data: Tally,
    *,
    grid: int = 101,
    level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> CurveBand:
    """Pointwise bootstrap limits of a cost curve.

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases, without weights.
    grid : int, default 101
        Number of probability costs from 0 to 1.
    level, n_resamples, rng, progress
        As for `bootstrap`; the best threshold is found anew in every resample.

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
    places = np.linspace(0, 1, checks.whole(grid, "grid", at_least=2))
    statistic = LeastCosts(places)
    return _band(data, statistic, places, "probability cost", level, n_resamples, rng, progress)


def decision_band(
    data: Tally,
    *,
    thresholds: Any = None,
    prevalence: float | None = None,
    level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> CurveBand:
    """Pointwise bootstrap limits of a decision curve.

    Parameters
    ----------
    data, thresholds, prevalence
        As for `decision_curve`.
    level, n_resamples, rng, progress
        As for `bootstrap`; the share of positives stays that of the data.

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
    statistic = _net_benefit(thresholds, prevalence)
    places = statistic.thresholds
    return _band(
        data, statistic, places, "threshold probability", level, n_resamples, rng, progress
    )


def _net_benefit(thresholds: Any, prevalence: float | None) -> NetBenefit:
    share = None if prevalence is None else checks.fraction(prevalence, "prevalence")
    return NetBenefit(checked_thresholds(thresholds), share)


def _band(
    data: Tally,
    statistic: AnyStatistic,
    places: Floats,
    x_name: str,
    level: float,
    n_resamples: int,
    rng: Any,
    progress: bool | Report | None,
) -> CurveBand:
    checks.fraction(level, "level")
    seed = checks.seed(rng)
    refuse_weights(data, f"the band of the {statistic.name}")
    drawn = replicates(data, statistic, n_resamples=n_resamples, seed=seed, progress=progress)
    lower, upper = _limits(drawn, level)
    return CurveBand(
        quantity=statistic.name,
        x_name=x_name,
        x=places,
        value=_of_data(data, statistic),
        lower=lower,
        upper=upper,
        level=level,
        n_resamples=len(drawn),
        seed=seed,
        origin=data.origin,
    )


def _of_data(data: Tally, statistic: AnyStatistic) -> Floats:
    return np.asarray(of_counts(data, statistic)(data.pos[None, :], data.neg[None, :])[0])


def _limits(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    tail = (1 - level) / 2
    lower, upper = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return lower, upper


def compare_costs(
    data: Pairs,
    *,
    grid: int = 101,
    level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> CurveDifference:
    """Where which of two models is cheaper: the difference of their cost curves.

    Parameters
    ----------
    data : Pairs, or y_true and a dict of two models' scores
        Both models on the same rows, without weights and groups.
    grid, level, n_resamples, rng, progress
        As for `cost_band`; rows are drawn for both models together.

    Returns
    -------
    CurveDifference
        With `x`, `difference` (first minus second: negative where the first is cheaper), `lower`,
        `upper`, `wins` (exact ranges) and `certain`.

    Examples
    --------
    >>> import rocwise as rw
    >>> scores = {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.1, 0.3, 0.2, 0.4]}
    >>> rw.compare_costs([0, 0, 1, 1], scores, n_resamples=50, rng=1).wins
    ((0.0, 1.0, 'a'),)
    """
    places = np.linspace(0, 1, checks.whole(grid, "grid", at_least=2))
    answer = _compared(
        data, LeastCosts(places), places, "probability cost", level, n_resamples, rng, progress
    )
    curves = [cost_curve(data.tally(name)) for name in data.names]
    knots = np.union1d(*(curve.probability_cost for curve in curves))
    gap = curves[0].at(knots) - curves[1].at(knots)
    return _judged(answer, knots, gap, smaller_wins=True)


def compare_decisions(
    data: Pairs,
    *,
    thresholds: Any = None,
    prevalence: float | None = None,
    level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> CurveDifference:
    """Where which of two models has the larger net benefit.

    Parameters
    ----------
    data : Pairs, or y_true and a dict of two models' scores
        Both models on the same rows, without weights and groups.
    thresholds, prevalence, level, n_resamples, rng, progress
        As for `decision_band`; rows are drawn for both models together.

    Returns
    -------
    CurveDifference
        With `x`, `difference` (first minus second: positive where the first does better),
        `lower`, `upper`, and the ranges `wins` and `certain`, between the thresholds given.

    Examples
    --------
    >>> import rocwise as rw
    >>> scores = {"a": [0.1, 0.2, 0.6, 0.7], "b": [0.1, 0.6, 0.2, 0.7]}
    >>> rw.compare_decisions([0, 0, 1, 1], scores, thresholds=[0.3, 0.5], rng=1).wins
    ((0.3, 0.5, 'a'),)
    """
    statistic = _net_benefit(thresholds, prevalence)
    places = statistic.thresholds
    answer = _compared(
        data, statistic, places, "threshold probability", level, n_resamples, rng, progress
    )
    return _judged(answer, places, answer["difference"], smaller_wins=False)


def _compared(
    data: Pairs,
    statistic: AnyStatistic,
    places: Floats,
    x_name: str,
    level: float,
    n_resamples: int,
    rng: Any,
    progress: bool | Report | None,
) -> dict[str, Any]:
    """The fields of a difference, without who wins."""
    if len(data.names) != 2:
        raise InputError(
            f"two models are compared at a time; got {len(data.names)}. "
            "Use pairs.select([first, second])."
        )
    if data.weights is not None or data.groups is not None:
        raise InputError("weights and groups are not supported by this comparison; leave them out.")
    checks.fraction(level, "level")
    checks.whole(n_resamples, "n_resamples", at_least=2)
    seed = checks.seed(rng)
    drawn = paired_replicates(data, statistic, n_resamples, seed, progress)
    lower, upper = _limits(drawn[:, 0] - drawn[:, 1], level)
    first, second = (_of_data(data.tally(name), statistic) for name in data.names)
    return {
        "quantity": statistic.name,
        "x_name": x_name,
        "names": data.names,
        "x": places,
        "difference": first - second,
        "lower": lower,
        "upper": upper,
        "level": level,
        "n_resamples": len(drawn),
        "seed": seed,
        "origin": data.origin,
    }


def _judged(
    answer: dict[str, Any], knots: Floats, gap: Floats, *, smaller_wins: bool
) -> CurveDifference:
    lower, upper = answer["lower"], answer["upper"]
    doubtless = np.where(lower > 0, lower, np.where(upper < 0, upper, 0.0))
    names = answer["names"] if not smaller_wins else answer["names"][::-1]
    return CurveDifference(
        **answer,
        wins=winning_ranges(knots, gap, names),
        certain=certain_ranges(answer["x"], doubtless, names),
    )


def winning_ranges(knots: Floats, gap: Floats, names: tuple[str, str]) -> tuple[Range, ...]:
    """Ranges where straight lines through (knots, gap) are above 0 (first name) or below.

    >>> winning_ranges(np.array([0.0, 1.0]), np.array([-1.0, 1.0]), ("a", "b"))
    ((0.0, 0.5, 'b'), (0.5, 1.0, 'a'))
    """
    gap = np.where(np.abs(gap) < 1e-12, 0.0, gap)
    crossed = np.flatnonzero(gap[:-1] * gap[1:] < 0)
    share = gap[crossed] / (gap[crossed] - gap[crossed + 1])
    between = knots[crossed] + share * (knots[crossed + 1] - knots[crossed])
    x = np.insert(knots, crossed + 1, between)
    d = np.insert(gap, crossed + 1, 0.0)
    signs = np.sign(d[:-1] + d[1:])
    return _joined(x[:-1], x[1:], signs, names)


def certain_ranges(x: Floats, doubtless: Floats, names: tuple[str, str]) -> tuple[Range, ...]:
    """Runs of neighbouring places where the limits are on one side of 0."""
    signs = np.sign(doubtless)
    return _joined(x, x, signs, names)


def _joined(low: Floats, high: Floats, signs: Floats, names: tuple[str, str]) -> tuple[Range, ...]:
    """Neighbouring pieces of one sign as one range."""
    ranges: list[Range] = []
    previous = 0.0
    for start, end, sign in zip(low.tolist(), high.tolist(), signs.tolist(), strict=True):
        if sign:
            name = names[0] if sign > 0 else names[1]
            if sign == previous:
                ranges[-1] = (ranges[-1][0], end, name)
            else:
                ranges.append((start, end, name))
        previous = sign
    return tuple(ranges)
