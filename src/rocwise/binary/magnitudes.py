"""Scores as amounts: what the questions need that look at values and not only at their order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import kernels
from rocwise.errors import InputError, count_of
from rocwise.tallies import Tally

Floats = NDArray[np.float64]


class ScoreRangeError(InputError):
    """Scores outside the range that a question needs; `low` and `high` are its ends."""

    def __init__(self, message: str, low: float, high: float) -> None:
        super().__init__(message)
        self.low, self.high = low, high


def refuse_without_magnitudes(data: Tally, question: str) -> None:
    """Weights, categories and bins have no magnitudes to look at."""
    if data.weighted:
        raise InputError(f"weights are not supported by `{question}`; leave `sample_weight` out.")
    if data.origin.categories:
        raise InputError(
            f"`{question}` needs amounts, but `y_score` holds ordered categories, which only "
            "have an order; pass numbers from 0 to 1."
        )
    if data.error_bound > 0:
        raise InputError(
            f"`{question}` needs the scores themselves, but these were binned; "
            "leave `resolution` out."
        )


def unit_scores(data: Tally, question: str, *, rescale: bool = False) -> Floats:
    """Distinct scores from 0 to 1, descending, larger for positives.

    With direction="lower" a score s stands for 1 - s: the probability of the other class.
    """
    refuse_without_magnitudes(data, question)
    scores = finite_scores(data, question)
    if rescale:
        low, high = float(scores.min()), float(scores.max())
        if low == high:
            raise InputError(
                f"`y_score` has one value only ({low:g}), which rescale=True cannot spread "
                "from 0 to 1."
            )
        scores = scores / 2 - low / 2  # halves, since the range itself may overflow
        scores = scores / (high / 2 - low / 2)
    elif scores[0] > 1 or scores[-1] < 0 or scores[0] < 0 or scores[-1] > 1:
        raise ScoreRangeError(_outside(data, scores, question), 0.0, 1.0)
    return scores if data.direction == "higher" else 1.0 - scores


def finite_scores(data: Tally, question: str) -> Floats:
    """Distinct scores as float64; infinite ones have an order but no magnitude."""
    scores = np.asarray(data.scores, dtype=np.float64)
    if not np.isfinite(scores[[0, -1]]).all():
        infinite = ~np.isfinite(scores)
        number = int((data.pos + data.neg)[infinite].sum())
        limit = float(np.finfo(np.float64).max)
        raise ScoreRangeError(
            f"`{question}` needs finite scores, but `y_score` has "
            f"{count_of(number, 'infinite value')}; pass probabilities instead of logits.",
            -limit,
            limit,
        )
    return scores


def _outside(data: Tally, scores: Floats, question: str) -> str:
    outside = (scores < 0) | (scores > 1)
    number = int((data.pos + data.neg)[outside].sum())
    return (
        f"`{question}` needs scores from 0 to 1, but `y_score` has "
        f"{count_of(number, 'value')} outside, from {scores.min():g} to {scores.max():g}. "
        "Pass probabilities, or rescale the scores from 0 to 1 (`smooth_roc` does with "
        "rescale=True)."
    )


def with_row(problem: ScoreRangeError, y_score: Any) -> InputError:
    """The same refusal with the first row that is to blame."""
    try:
        values = np.asarray(y_score, dtype=np.float64)
    except (TypeError, ValueError):
        return problem
    bad = np.flatnonzero((values < problem.low) | (values > problem.high))
    if not len(bad):
        return problem
    row = int(bad[0])
    return InputError(f"{problem} The first is {values[row]:g} at row {row}.")


def class_mean(scores: Floats, counts: NDArray[Any], total: float) -> float:
    """The mean score of a class, correctly rounded, so that row order never decides."""
    numerator, denominator = kernels.exact_sum(scores, np.asarray(counts, dtype=np.int64))
    return numerator / (denominator * int(total))
