"""Where which of two models is cheaper, or has the larger net benefit, with bootstrap limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.costs.bands import Sweep, benefit_sweep, cost_sweep, limits
from rocwise.binary.costs.cost_curves import cost_curve
from rocwise.binary.resampling.paired import paired_replicates
from rocwise.binary.unit_scores import of_model, unit_scores
from rocwise.errors import InputError, ScoreRangeError, count_of
from rocwise.primitives.pairs import Pairs
from rocwise.primitives.tallies import Tally
from rocwise.progress import Report
from rocwise.results import Result, result

Range = tuple[float, float, str]
MOST_RANGES = 8  # that a sentence tells


@result
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
    """The widest ranges in their order, and how many narrower ones there are."""
    widths = [high - low for low, high, _ in ranges]
    narrowest = sorted(widths, reverse=True)[:MOST_RANGES][-1] if ranges else 0.0
    told = [span for span, width in zip(ranges, widths, strict=True) if width >= narrowest]
    words = [f"{name} wins from {low:.3g} to {high:.3g}" for low, high, name in told]
    if len(told) < len(ranges):
        words.append(f"and {count_of(len(ranges) - len(told), 'narrower range')}")
    return ", ".join(words) or nothing


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
    fields = _compared(data, cost_sweep(grid), level, n_resamples, rng, progress)
    curves = [cost_curve(data.tally(name)) for name in data.names]
    knots = np.union1d(*(curve.probability_cost for curve in curves))
    gap = curves[0].at(knots) - curves[1].at(knots)
    cheaper_first = data.names[::-1]  # the gap is above 0 where the first model costs more
    return _judged(fields, winning_ranges(knots, gap, cheaper_first), cheaper_first)


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
        `lower`, `upper` at the thresholds given, and the ranges `wins` and `certain` between the
        lowest and the highest of them. Net benefit jumps where a score is reached; `wins` knows
        every such place.

    Examples
    --------
    >>> import rocwise as rw
    >>> scores = {"a": [0.1, 0.2, 0.6, 0.7], "b": [0.1, 0.6, 0.2, 0.7]}
    >>> rw.compare_decisions([0, 0, 1, 1], scores, thresholds=[0.3, 0.5], rng=1).wins
    ((0.3, 0.5, 'a'),)
    """
    sweep = benefit_sweep(thresholds, prevalence)
    fields = _compared(data, sweep, level, n_resamples, rng, progress)
    share = data.n_pos / len(data) if prevalence is None else float(prevalence)
    if len(sweep.x) == 1:
        signs = np.sign(_rounded(fields["difference"]))
        return _judged(fields, _joined(sweep.x, sweep.x, signs, data.names), data.names)
    first, second = (data.tally(name) for name in data.names)
    wins = benefit_ranges(first, second, share, (float(sweep.x[0]), float(sweep.x[-1])), data.names)
    return _judged(fields, wins, data.names)


def _compared(
    data: Pairs,
    sweep: Sweep,
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
    first, second = (_swept(sweep, data, name) for name in data.names)
    drawn = paired_replicates(data, sweep.statistic, n_resamples, seed, progress)
    lower, upper = limits(drawn[:, 0] - drawn[:, 1], level)
    return sweep.words() | {
        "names": data.names,
        "difference": first - second,
        "lower": lower,
        "upper": upper,
        "level": level,
        "n_resamples": len(drawn),
        "seed": seed,
        "origin": data.origin,
    }


def _swept(sweep: Sweep, data: Pairs, name: str) -> Floats:
    """The quantity of one model; a refusal of its scores names the model and the row."""
    try:
        return sweep.of(data.tally(name))
    except ScoreRangeError as problem:
        raise of_model(problem, data, name) from None


def _judged(
    fields: dict[str, Any], wins: tuple[Range, ...], names: tuple[str, ...]
) -> CurveDifference:
    """The answer; `names` has first the model that does better where the difference is positive."""
    lower, upper, x = fields["lower"], fields["upper"], fields["x"]
    doubtless = np.where(lower > 0, 1.0, np.where(upper < 0, -1.0, 0.0))
    return CurveDifference(**fields, wins=wins, certain=_joined(x, x, doubtless, names))


def winning_ranges(knots: Floats, gap: Floats, names: tuple[str, ...]) -> tuple[Range, ...]:
    """Ranges where straight lines through (knots, gap) are above 0 (first name) or below.

    >>> winning_ranges(np.array([0.0, 1.0]), np.array([-1.0, 1.0]), ("a", "b"))
    ((0.0, 0.5, 'b'), (0.5, 1.0, 'a'))
    """
    gap = _rounded(gap)
    crossed = np.flatnonzero(gap[:-1] * gap[1:] < 0)
    share = gap[crossed] / (gap[crossed] - gap[crossed + 1])
    between = knots[crossed] + share * (knots[crossed + 1] - knots[crossed])
    x = np.insert(knots, crossed + 1, between)
    d = np.insert(gap, crossed + 1, 0.0)
    signs = np.sign(d[:-1] + d[1:])
    return _joined(x[:-1], x[1:], signs, names)


def benefit_ranges(
    first: Tally, second: Tally, share: float, ends: tuple[float, float], names: tuple[str, ...]
) -> tuple[Range, ...]:
    """Ranges of threshold probabilities with different net benefits, exactly.

    Between two neighbouring scores of either model nobody changes sides, so the difference is
    share * d_tpr - (1 - share) * odds(t) * d_fpr with constant d_tpr and d_fpr: it changes its
    sign at most once there, where the odds are share * d_tpr / ((1 - share) * d_fpr).
    """
    low, high = ends
    scores = [unit_scores(data, "compare_decisions") for data in (first, second)]
    inner = np.unique(np.concatenate(scores))
    edges = np.concatenate([[low], inner[(inner > low) & (inner < high)], [high]])
    starts, stops = edges[:-1], edges[1:]
    (tpr_1, fpr_1), (tpr_2, fpr_2) = (  # a piece includes the score at its upper end
        _rates_at(data, values, stops) for data, values in zip((first, second), scores, strict=True)
    )
    gain, harm = share * (tpr_1 - tpr_2), (1 - share) * (fpr_1 - fpr_2)
    odds = np.divide(gain, harm, out=np.zeros_like(gain), where=harm != 0)
    turns = np.divide(odds, 1 + odds, out=np.zeros_like(odds), where=odds > 0)
    turns = np.clip(turns, starts, stops)
    pieces = []
    for left, right in ((starts, turns), (turns, stops)):
        middle = (left + right) / 2
        pieces.append((left, right, np.sign(_rounded(gain - harm * middle / (1 - middle)))))
    left, right, signs = (np.stack(parts, axis=1).ravel() for parts in zip(*pieces, strict=True))
    real = right > left
    return _joined(left[real], right[real], signs[real], names)


def _rates_at(data: Tally, scores: Floats, thresholds: Floats) -> tuple[Floats, Floats]:
    """TPR and FPR of calling positive what reaches each threshold."""
    called = np.searchsorted(-scores, -thresholds, side="right")
    tp, fp = (np.concatenate([[0], counts])[called] for counts in (data.tp, data.fp))
    return tp / data.n_pos, fp / data.n_neg


def _rounded(gap: Floats) -> Floats:
    """Differences of rounding count as none."""
    return np.where(np.abs(gap) < 1e-12, 0.0, gap)


def _joined(low: Floats, high: Floats, signs: Floats, names: tuple[str, ...]) -> tuple[Range, ...]:
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
