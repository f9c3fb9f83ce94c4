"""Choosing among thresholds: the best value, and how thresholds that are equally good are told."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.binary.roc import of_points
from rocwise.binary.thresholds.confusion_cells import Cells, cells_of
from rocwise.binary.thresholds.rules import NOISE, Rule, RuleTerms, Ties
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.kernels.row_formulas import STEP, parts_of_rows
from rocwise.kernels.threads import run_parts

Score = Callable[[Array, Array], Floats]
NOWHERE = -1
STRETCH = 64  # candidates that are passed over together
CLEARLY = 1e-9  # more than all rounding, as a share of the largest score


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Where the rule points to, per row of thresholds.

    Attributes
    ----------
    place
        Position of the threshold, 0 being "nobody is positive"; -1 where none meets the limit.
    equal
        Which thresholds are as good as that one.
    values
        The measure at every threshold, nan where undefined.
    """

    place: Places
    equal: Flags
    values: Floats


@dataclass(frozen=True, slots=True, eq=False)
class CurveChoice:
    """Where the rule points to on one curve, and which places are as good; NOWHERE and none."""

    place: int
    equal: Places


def candidate_thresholds(data: Tally, places: Places | None = None) -> Array:
    """A threshold beyond every score, then the distinct scores, the strictest first; or some."""
    scores, first = data.scores, True
    if places is not None:
        scores, first = scores[places[places > 0] - 1], 0 in places[:1]
    if scores.dtype.kind != "f":  # integers that a float would merge
        scores = scores.astype(object)
    nobody = np.array([beyond(data)] * first, dtype=scores.dtype)
    return np.concatenate([nobody, scores])


def beyond(data: Tally) -> float:
    """The threshold that calls nobody positive."""
    return np.inf if data.direction == "higher" else -np.inf


def candidate_cells(data: Tally, prevalence: float | None) -> Cells:
    """Outcomes at "nobody is positive" and at every distinct score, the strictest first."""
    tp, fp = (of_points(0.0, np.asarray, counts) for counts in (data.tp, data.fp))
    return cells_of(tp, fp, data.n_pos, data.n_neg, prevalence)


def choose(cells: Cells, rule: Rule, terms: RuleTerms, ties: Ties) -> Choice:
    """The best threshold along the last axis of the cells.

    Values that differ by rounding only count as equal. Where a threshold could be among them
    that another one beats in both rates (with a limit, or by a minimum of two rates), equals are
    first told apart by sensitivity plus specificity; what is still equal is settled by `ties`.
    """
    values = rule.measure(cells, terms)
    score = -values if rule.smallest else values
    allowed = ~np.isnan(score)
    if rule.limit is not None:
        allowed &= rule.limit.met(cells, terms)
    equal = _largest(score, allowed)
    if rule.limit is not None or rule.may_be_beaten:
        equal = _largest(cells.tpr + cells.tnr, equal)
    return Choice(_settled(equal, ties), equal, values)


def choose_on_curve(data: Tally, rule: Rule, terms: RuleTerms, ties: Ties) -> CurveChoice:
    """What `choose` finds among the candidates of a tally, to the last bit."""
    if rule is terms.own:  # which may look at all thresholds
        values = rule.measure(candidate_cells(data, terms.prevalence), terms)
        equal = np.flatnonzero(_largest(values, ~np.isnan(values)))
    else:
        equal = _best_places(data, _score_of(data, rule, terms), rule.rises)
    if len(equal) and (rule.limit is not None or rule.may_be_beaten):
        cells = cells_of(*_called_at(data, equal), data.n_pos, data.n_neg, terms.prevalence)
        equal = equal[_largest(cells.tpr + cells.tnr, np.ones(len(equal), np.bool_))]
    if not len(equal):
        return CurveChoice(NOWHERE, equal)
    return CurveChoice(int(equal[_settled_among(len(equal), ties)]), equal)


def _score_of(data: Tally, rule: Rule, terms: RuleTerms) -> Score:
    """What makes, of true and false positives, what is to be large; nan where not allowed."""

    def score(tp: Array, fp: Array) -> Floats:
        cells = cells_of(tp, fp, data.n_pos, data.n_neg, terms.prevalence)
        values = rule.measure(cells, terms)
        if rule.smallest:
            values = -values
        if rule.limit is not None:
            values = np.where(rule.limit.met(cells, terms), values, np.nan)
        return values

    return score


def _best_places(data: Tally, score: Score, rises: bool) -> Places:
    """Where the score is largest, up to rounding, on one curve."""
    points = len(data) + 1
    if rises and points > STEP:
        return _best_of_stretches(data, score)

    def look(start: int, stop: int) -> list[tuple[float, float, int]]:
        firsts = range(start, stop, STEP)
        return [
            (*_extent(score(*_called_between(data, k, min(k + STEP, stop)))), k) for k in firsts
        ]

    steps = [step for part in run_parts(look, parts_of_rows(points)) for step in part]
    least = max(best for best, _, _ in steps) - NOISE * max(size for _, size, _ in steps)
    ends = [*(first for _, _, first in steps[1:]), points]
    where = [
        first + np.flatnonzero(score(*_called_between(data, first, end)) >= least)
        for (best, _, first), end in zip(steps, ends, strict=True)
        if best >= least
    ]
    return np.concatenate(where) if where else np.empty(0, np.intp)


def _best_of_stretches(data: Tally, score: Score) -> Places:
    """The same where true positives raise the score and false ones lower it.

    No place of a stretch has a larger score than the true positives of its end with the false
    ones of its start, nor a smaller one than the other way round: most are not looked at.
    """
    cuts = np.append(np.arange(0, len(data), STRETCH), len(data))
    tp, fp = _called_at(data, cuts)
    best, size = _extent(score(tp, fp))
    high, low = score(tp[1:], fp[:-1]), score(tp[:-1], fp[1:])
    largest = np.maximum(np.abs(high), np.abs(low))

    def of_stretches(chosen: Flags) -> tuple[Places, Floats]:
        some = np.unique(np.add.outer(cuts[:-1][chosen], np.arange(STRETCH + 1)))
        places = some[some <= len(data)]
        return places, score(*_called_at(data, places))

    if (beyond_size := largest * (1 + CLEARLY) > size).any():
        size = max(size, _extent(of_stretches(beyond_size)[1])[1])
    places, scores = of_stretches(high + CLEARLY * size >= best)
    best = max(best, float(scores.max()))
    return places[scores >= best - NOISE * size]


def _called_between(data: Tally, start: int, stop: int) -> tuple[Array, Array]:
    """True and false positives at a run of candidates, place 0 being "nobody is positive"."""
    before = slice(max(start - 1, 0), stop - 1)
    tp, fp = data.tp[before], data.fp[before]
    return (tp, fp) if start else (np.append(0, tp), np.append(0, fp))


def _called_at(data: Tally, places: Places) -> tuple[Array, Array]:
    """The same at any candidates."""
    tp, fp = (np.where(places > 0, sums[places - 1], 0) for sums in (data.tp, data.fp))
    return tp, fp


def _extent(score: Floats) -> tuple[float, float]:
    """The largest of some scores, and how far finite ones are from 0; nan is none of them."""
    size = float(np.abs(score).max())
    if math.isfinite(size):
        return float(score.max()), size
    held = score[~np.isnan(score)]
    size = float(np.abs(held).max(where=np.isfinite(held), initial=0.0))
    return float(held.max(initial=-np.inf)), size


def _largest(score: Floats, allowed: Flags) -> Flags:
    """Where the score is largest among the allowed, up to rounding."""
    finite = allowed & np.isfinite(score)
    size = np.abs(score).max(axis=-1, keepdims=True, where=finite, initial=0.0)
    held = np.where(allowed, score, -np.inf)
    best = held.max(axis=-1, keepdims=True)
    return np.asarray(allowed & (held >= best - NOISE * size))


def _settled_among(number: int, ties: Ties) -> int:
    """Which of so many equals: the first (strictest), the last (mildest) or the middle one."""
    return {"strict": 0, "mild": number - 1, "middle": (number + 1) // 2 - 1}[ties]


def _settled(equal: Flags, ties: Ties) -> Places:
    """One of the equals: the first (strictest), the last (mildest) or the middle one."""
    if ties == "strict":
        place = np.argmax(equal, axis=-1)
    elif ties == "mild":
        place = equal.shape[-1] - 1 - np.argmax(equal[..., ::-1], axis=-1)
    else:
        rank = np.cumsum(equal, axis=-1)
        middle = (rank[..., -1:] + 1) // 2  # of an even number, the stricter of the two
        place = np.argmax(rank == middle, axis=-1)
    return np.where(equal.any(axis=-1), place, NOWHERE)


def refuse_unattainable(cells: Cells, rule: Rule, terms: RuleTerms) -> InputError:
    """The sentence for a limit that no threshold meets, with the nearest that one does."""
    if rule.limit is None:
        return InputError(
            f"rule={rule.name!r} has no value at any threshold: all scores are equal, so nobody "
            "can be called positive while another is called negative."
        )
    reached = rule.limit.of(cells, terms)
    defined = reached[~np.isnan(reached)]
    if rule.limit.at_most:
        extreme, word = float(defined.min()), "smallest"
    else:
        extreme, word = float(defined.max()), "largest"
    return InputError(
        f"no threshold reaches `constraint` {terms.constraint:g} for rule={rule.name!r}: the "
        f"{word} attainable {rule.limit.name} is {_towards(extreme, rule.limit.at_most)}."
    )


def _towards(value: float, upwards: bool) -> str:
    """The value in four decimals, rounded to the side on which it is attainable."""
    if math.isinf(value) or float(f"{value:.4g}") == value:
        return f"{value:g}"
    size = 10.0 ** (math.floor(math.log10(abs(value))) - 4)
    return f"{(math.ceil if upwards else math.floor)(value / size) * size:.5g}"


def scalar(value: Any) -> float | None:
    """A number, or None where it is undefined."""
    number = float(value)
    return None if np.isnan(number) else number
