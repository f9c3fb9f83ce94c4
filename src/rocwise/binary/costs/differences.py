"""Where which of two models is cheaper, or has the larger net benefit, with bootstrap limits."""

from __future__ import annotations

from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.costs.bands import pointwise_limits
from rocwise.binary.costs.cost_curves import cost_curve
from rocwise.binary.costs.grid_statistics import (
    GridStatistic,
    benefit_statistic,
    cost_statistic,
)
from rocwise.binary.costs.winning_ranges import (
    Range,
    benefit_ranges,
    joined,
    rounded,
    winning_ranges,
)
from rocwise.binary.resampling.paired import paired_replicates
from rocwise.binary.unit_scores import of_model
from rocwise.data.pairs import Pairs
from rocwise.errors import InputError, ScoreRangeError, count_of
from rocwise.inputs.coercion import PairOptions, as_pairs, options_shown
from rocwise.progress import Report
from rocwise.results import Result, result

CurveKind = Literal["cost", "decision"]
MOST_RANGES = 8  # that a sentence tells


@result
class CurveDifference(Result):
    """First minus second model at the places `x`, with pointwise limits, and who wins where.

    `wins` holds (from, to, name) for every range in which one model does better; `certain` the
    ranges in which the limits leave no doubt.
    """

    curve: CurveKind
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
            f"{_ranges_in_words(self.wins, 'no difference')}; significant (pointwise "
            f"{printing.percent(self.level)}): {_ranges_in_words(self.certain, 'nowhere')}"
        )


def _ranges_in_words(ranges: tuple[Range, ...], nothing: str) -> str:
    """The widest ranges in their order, and how many narrower ones there are."""
    widths = [high - low for low, high, _ in ranges]
    narrowest = sorted(widths, reverse=True)[:MOST_RANGES][-1] if ranges else 0.0
    told = [span for span, width in zip(ranges, widths, strict=True) if width >= narrowest]
    words = [f"{name} wins from {low:.3g} to {high:.3g}" for low, high, name in told]
    if len(told) < len(ranges):
        words.append(f"and {count_of(len(ranges) - len(told), 'narrower range')}")
    return ", ".join(words) or nothing


@options_shown(PairOptions)
def compare_curves(
    data: Any = None,
    scores: Any = None,
    *,
    curve: CurveKind = "cost",
    grid: int | None = None,
    thresholds: Any = None,
    prevalence: float | None = None,
    level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[PairOptions],
) -> CurveDifference:
    """Where which of two models is cheaper, or has the larger net benefit.

    Parameters
    ----------
    data, scores
        Pairs; or y_true and a dict of two models' scores; or a frame or path with `label=` and
        the names of the two columns. Rows with weights bring them, clusters are drawn whole.
    curve : {"cost", "decision"}
        The curves to compare: `cost_curve` or `decision_curve`.
    grid : int, optional
        With "cost": number of probability costs from 0 to 1, 101 without it.
    thresholds, prevalence : optional
        With "decision": as for `decision_curve`.
    level, n_resamples, rng, progress
        As for `bootstrap`; rows are drawn for both models together.
    **given
        More about rows, a frame or a file (`label`, `pos_label`, `direction`, ...): see `pair`.

    Returns
    -------
    CurveDifference
        With `x`, `difference` (first minus second), `lower`, `upper`, and the ranges `wins`
        (exact, also where net benefit jumps between the thresholds) and `certain`.

    Examples
    --------
    >>> import rocwise as rw
    >>> scores = {"a": [0.1, 0.2, 0.6, 0.7], "b": [0.1, 0.6, 0.2, 0.7]}
    >>> rw.compare_curves([0, 0, 1, 1], scores, n_resamples=50, rng=1).wins
    ((0.0, 1.0, 'a'),)
    >>> rw.compare_curves(
    ...     [0, 0, 1, 1], scores, curve="decision", thresholds=[0.3, 0.5], rng=1
    ... ).wins
    ((0.3, 0.5, 'a'),)
    """
    pairs = as_pairs("compare_curves", data, scores, given)
    checks.one_of(curve, "curve", get_args(CurveKind))
    of_other = (
        {"grid": grid}
        if curve == "decision"
        else {"thresholds": thresholds, "prevalence": prevalence}
    )
    for name, value in of_other.items():
        if value is not None:
            raise InputError(f"`{name}` has no meaning with curve={curve!r}; leave it out.")
    if curve == "decision":
        statistic = benefit_statistic(thresholds, prevalence)
    else:
        statistic = cost_statistic(101 if grid is None else grid)
    fields = _compared(pairs, statistic, level, n_resamples, rng, progress)
    if curve == "decision":
        better_above_0 = pairs.names
        wins = _benefit_wins(pairs, statistic, fields["difference"], prevalence)
    else:
        better_above_0 = pairs.names[::-1]  # the first model costs more
        wins = _cost_wins(pairs)
    doubtless = np.where(fields["lower"] > 0, 1.0, np.where(fields["upper"] < 0, -1.0, 0.0))
    certain = joined(statistic.x, statistic.x, doubtless, better_above_0)
    return CurveDifference(curve=curve, wins=wins, certain=certain, **fields)


def _compared(
    data: Pairs,
    statistic: GridStatistic,
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
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=2 * len(statistic.x))
    seed = checks.seed(rng)
    first, second = (_of_model(statistic, data, name) for name in data.names)
    joined = statistic.pairs_drawn_from(data)
    drawn = paired_replicates(joined, statistic.statistic, n_resamples, seed, progress)
    lower, upper = pointwise_limits(drawn[:, 0] - drawn[:, 1], level)
    return {
        "quantity": statistic.statistic.name,
        "x_name": statistic.x_name,
        "x": statistic.x,
        "names": data.names,
        "difference": first - second,
        "lower": lower,
        "upper": upper,
        "level": level,
        "n_resamples": len(drawn),
        "seed": seed,
        "origin": data.origin,
    }


def _of_model(statistic: GridStatistic, data: Pairs, name: str) -> Floats:
    """The statistic of one model; a refusal of its scores names the model and the row."""
    try:
        return statistic.of(data.tally(name).for_once())
    except ScoreRangeError as problem:
        raise of_model(problem, data, name) from None


def _cost_wins(pairs: Pairs) -> tuple[Range, ...]:
    """Where the cost curves differ, between the vertices of either."""
    curves = [cost_curve(pairs.tally(name).for_once()) for name in pairs.names]
    knots = np.union1d(*(curve.probability_cost for curve in curves))
    gap = curves[0].at(knots) - curves[1].at(knots)
    return winning_ranges(knots, gap, pairs.names[::-1])


def _benefit_wins(
    pairs: Pairs, statistic: GridStatistic, difference: Floats, prevalence: float | None
) -> tuple[Range, ...]:
    """Where the net benefits differ, between the lowest and the highest threshold."""
    x = statistic.x
    if len(x) == 1:
        return joined(x, x, np.sign(rounded(difference)), pairs.names)
    first, second = (pairs.tally(name) for name in pairs.names)
    share = first.n_pos / (first.n_pos + first.n_neg) if prevalence is None else float(prevalence)
    return benefit_ranges(first, second, share, (float(x[0]), float(x[-1])), pairs.names)
