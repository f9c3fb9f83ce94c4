"""Scores from 0 to 1, for functions that use their values and not only their ranks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rocwise.arrays import Array, Floats
from rocwise.data.pairs import Pairs
from rocwise.data.smooth_steps import exact_total, in_units
from rocwise.data.tally import Tally
from rocwise.errors import InputError, ScoreRangeError, count_of


def check_score_values(data: Tally, caller: str) -> None:
    """Raise for categories and bins, which have ranks but no values."""
    if data.origin.categories:
        raise InputError(
            f"{_named(caller)} needs numeric scores, but `y_score` has ordered categories; "
            "pass numbers from 0 to 1."
        )
    if data.origin.exact_area:
        itself = "Pass the file or frame itself, not a tally; or round them, to five digits"
        remedy = itself if caller == "smooth_roc" else "Round them, to five digits"
        raise InputError(
            f"{_named(caller)} needs the scores themselves, but so many of them differ that only "
            f"bins of them fit into `memory_limit`. {remedy} say, so that equal rows can be "
            "counted, or raise `memory_limit` to about 64 bytes for each row."
        )
    if data.error_bound > 0:
        raise InputError(
            f"{_named(caller)} needs the scores themselves, but these were binned; "
            "leave `resolution` out."
        )


def unit_scores(data: Tally, caller: str, *, rescale: bool = False) -> Floats:
    """Distinct scores from 0 to 1, descending, larger for positives.

    With direction="lower" a score s stands for 1 - s: the probability of the other class.
    """
    check_score_values(data, caller)
    scores = finite_scores(data, caller)
    low, high = sorted(scores[[0, -1]].tolist())
    ends = low, high
    if not rescale and not 0 <= ends[0] <= ends[1] <= 1:
        raise ScoreRangeError(_outside(data, scores, caller), 0.0, 1.0)
    return in_units(scores, ends if rescale else None, data.direction)


def finite_scores(data: Tally, caller: str) -> Floats:
    """Distinct scores as float64; infinite ones have an order but no value."""
    scores = np.asarray(data.scores, dtype=np.float64)
    if not np.isfinite(scores[[0, -1]]).all():
        infinite = ~np.isfinite(scores)
        number = int((data.pos + data.neg)[infinite].sum())
        limit = float(np.finfo(np.float64).max)
        raise ScoreRangeError(
            f"{_named(caller)} needs finite scores, but `{{argument}}` has "
            f"{count_of(number, 'infinite value')}; pass probabilities instead of logits.",
            -limit,
            limit,
        )
    return scores


def _outside(data: Tally, scores: Floats, caller: str) -> str:
    outside = (scores < 0) | (scores > 1)
    number = int((data.pos + data.neg)[outside].sum())
    return (
        f"{_named(caller)} needs scores from 0 to 1, but `{{argument}}` has "
        f"{count_of(number, 'value')} outside, from {scores.min():g} to {scores.max():g}. "
        f"{_remedy(caller)}"
    )


def _named(caller: str) -> str:
    return caller if " " in caller else f"`{caller}`"


def _remedy(caller: str) -> str:
    """Only the smooth curve offers to rescale scores; elsewhere that would invent risks."""
    if caller == "smooth_roc":
        return "Pass probabilities, or rescale=True to map the scores to 0 to 1."
    if caller == "the smAUC":
        return (
            "Pass probabilities, or statistic=rw.statistics.SmoothArea(rescale=True) to map "
            "the scores to 0 to 1."
        )
    return "Pass probabilities."


def of_model(problem: ScoreRangeError, pairs: Pairs, name: str) -> InputError:
    """The same error with the model and the first row that caused it."""
    sign = 1 if pairs.origin.direction == "higher" else -1
    return problem.located(sign * pairs.scores(name), f"scores[{name!r}]")


def class_mean(scores: Floats, counts: Array, total: float) -> float:
    """The mean score of a class, rounded once."""
    return float(exact_total(scores, counts) / Fraction(total))
