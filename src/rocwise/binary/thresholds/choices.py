"""Choosing among thresholds: the best value, and how thresholds that are equally good are told."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.binary.curves.cumulative_sums import of_points
from rocwise.binary.thresholds.confusion_cells import Cells, cells_of
from rocwise.binary.thresholds.rules import NOISE, Rule, RuleTerms, Ties
from rocwise.errors import InputError
from rocwise.kernels.row_formulas import STEP, parts_of_rows, row_by_row
from rocwise.kernels.threads import run_parts
from rocwise.primitives.tallies import Tally

NOWHERE = -1


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


def candidate_thresholds(data: Tally, chosen: Flags | None = None) -> Array:
    """A threshold beyond every score, then the distinct scores, the strictest first; or some."""
    scores, first = data.scores, True
    if chosen is not None:
        scores, first = scores[chosen[1:]], bool(chosen[0])
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
    limit, own = rule.limit, rule is terms.own  # one of the user's may look at all thresholds
    values = (
        rule.measure(cells, terms) if own else _of_each(cells, lambda c: rule.measure(c, terms))
    )
    score = -values if rule.smallest else values
    allowed = ~np.isnan(score)
    if limit is not None:
        allowed &= _of_each(cells, lambda c: limit.met(c, terms), np.bool_)
    equal = _largest(score, allowed)
    if limit is not None or rule.may_be_beaten:
        equal = _largest(_of_each(cells, lambda c: c.tpr + c.tnr), equal)
    return Choice(_settled(equal, ties), equal, values)


def _of_each(
    cells: Cells, formula: Callable[[Cells], Array], dtype: DTypeLike = np.float64
) -> Array:
    """What a formula of single thresholds makes of them, without the rates of all at once."""
    if cells.hits.ndim != 1:
        return formula(cells)
    return row_by_row(
        lambda hits, alarms: formula(replace(cells, hits=hits, alarms=alarms)),
        cells.hits,
        cells.alarms,
        dtype=dtype,
    )


def _largest(score: Floats, allowed: Flags) -> Flags:
    """Where the score is largest among the allowed, up to rounding."""
    if score.ndim == 1 and len(score) > STEP:
        return _largest_of_many(score, allowed)
    finite = allowed & np.isfinite(score)
    size = np.abs(score).max(axis=-1, keepdims=True, where=finite, initial=0.0)
    held = np.where(allowed, score, -np.inf)
    best = held.max(axis=-1, keepdims=True)
    return np.asarray(allowed & (held >= best - NOISE * size))


def _largest_of_many(score: Floats, allowed: Flags) -> Flags:
    """The same for one curve, some thousand thresholds at a time."""

    def look(start: int, stop: int) -> tuple[float, float]:
        best, size = -math.inf, 0.0
        for first in range(start, stop, STEP):
            some = slice(first, min(first + STEP, stop))
            held = score[some][allowed[some]]
            best = max(best, float(held.max(initial=-np.inf)))
            size = max(size, float(np.abs(held).max(where=np.isfinite(held), initial=0.0)))
        return best, size

    found = run_parts(look, parts_of_rows(len(score)))
    least = max(best for best, _ in found) - NOISE * max(size for _, size in found)
    return row_by_row(lambda held, own: own & (held >= least), score, allowed, dtype=np.bool_)


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
