"""Scores from 0 to 1, for questions that look at their values and not only at their order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rocwise.arrays import Array, Floats
from rocwise.data.pairs import Pairs
from rocwise.data.smooth_steps import exact_total, in_units
from rocwise.data.tally import Tally
from rocwise.errors import InputError, ScoreRangeError, count_of


def refuse_ranks_only(data: Tally, question: str) -> None:
    """Refuse categories and bins, of which only the order counts."""
    if data.origin.categories:
        raise InputError(
            f"{_named(question)} needs amounts, but `y_score` holds ordered categories, which only "
            "have an order; pass numbers from 0 to 1."
        )
    if data.origin.exact_area:
        itself = "Ask it of the file or frame itself, not of a tally; or round them, to five digits"
        remedy = itself if question == "smooth_roc" else "Round them, to five digits"
        raise InputError(
            f"{_named(question)} needs the scores themselves, but so many of them differ that only "
            f"bins of them fit into `memory_limit`. {remedy} say, so that equal rows can be "
            "counted, or raise `memory_limit` to about 64 bytes for each row."
        )
    if data.error_bound > 0:
        raise InputError(
            f"{_named(question)} needs the scores themselves, but these were binned; "
            "leave `resolution` out."
        )


def unit_scores(data: Tally, question: str, *, rescale: bool = False) -> Floats:
    """Distinct scores from 0 to 1, descending, larger for positives.

    With direction="lower" a score s stands for 1 - s: the probability of the other class.
    """
    refuse_ranks_only(data, question)
    scores = finite_scores(data, question)
    low, high = sorted(scores[[0, -1]].tolist())
    ends = low, high
    if not rescale and not 0 <= ends[0] <= ends[1] <= 1:
        raise ScoreRangeError(_outside(data, scores, question), 0.0, 1.0)
    return in_units(scores, ends if rescale else None, data.direction)


def finite_scores(data: Tally, question: str) -> Floats:
    """Distinct scores as float64; infinite ones have an order but no value."""
    scores = np.asarray(data.scores, dtype=np.float64)
    if not np.isfinite(scores[[0, -1]]).all():
        infinite = ~np.isfinite(scores)
        number = int((data.pos + data.neg)[infinite].sum())
        limit = float(np.finfo(np.float64).max)
        raise ScoreRangeError(
            f"{_named(question)} needs finite scores, but `{{argument}}` has "
            f"{count_of(number, 'infinite value')}; pass probabilities instead of logits.",
            -limit,
            limit,
        )
    return scores


def _outside(data: Tally, scores: Floats, question: str) -> str:
    outside = (scores < 0) | (scores > 1)
    number = int((data.pos + data.neg)[outside].sum())
    return (
        f"{_named(question)} needs scores from 0 to 1, but `{{argument}}` has "
        f"{count_of(number, 'value')} outside, from {scores.min():g} to {scores.max():g}. "
        f"{_remedy(question)}"
    )


def _named(question: str) -> str:
    return question if " " in question else f"`{question}`"


def _remedy(question: str) -> str:
    """Only the smooth curve offers to spread the scores; elsewhere that would make up risks."""
    if question == "smooth_roc":
        return "Pass probabilities, or rescale=True to spread the scores from 0 to 1."
    if question == "the smAUC":
        return (
            "Pass probabilities, or statistic=rw.statistics.SmoothArea(rescale=True) to spread "
            "the scores from 0 to 1."
        )
    return "Pass probabilities."


def of_model(problem: ScoreRangeError, pairs: Pairs, name: str) -> InputError:
    """The same refusal with the model and the first row that is to blame."""
    sign = 1 if pairs.origin.direction == "higher" else -1
    return problem.located(sign * pairs.scores(name), f"scores[{name!r}]")


def class_mean(scores: Floats, counts: Array, total: float) -> float:
    """The mean score of a class, rounded once."""
    return float(exact_total(scores, counts) / Fraction(total))
