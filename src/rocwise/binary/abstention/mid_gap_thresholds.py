"""Thresholds in the middle of a gap between two scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.kernels.row_formulas import STEP


def mid_gap_thresholds(data: Tally, alarms: Places, question: str) -> tuple[Floats, Floats]:
    """Thresholds below the first `alarms` scores: for the positive and the negative side.

    They differ only where two scores are neighbouring floats with nothing between: the threshold
    of the positive side then is the score above, that of the negative side the score below.
    Infinite thresholds lie beyond every score, also beyond infinite ones. Thresholds of float32
    scores are float32, since numpy rounds others to it before they are compared.
    """
    kind, size = np.float32 if data.scores.dtype == np.float32 else np.float64, len(data)
    beyond = np.inf if data.direction == "higher" else -np.inf
    above = np.where(alarms > 0, _scores_at(data, alarms - 1), beyond)
    below = np.where(alarms < size, _scores_at(data, np.minimum(alarms, size - 1)), -beyond)
    inner = (alarms > 0) & (alarms < size)
    middle = np.where(inner, 0.0, np.where(alarms > 0, -beyond, beyond))
    middle[inner] = _between(above[inner], below[inner], kind)
    merged = inner & ((above == below) | np.isinf(middle))
    if merged.any():
        raise InputError(
            f"`{question}` needs scores that differ as floats, but two of `y_score` are both "
            f"{above[merged][0]:g}; subtract a constant from the scores."
        )
    onto_below, onto_above = inner & (middle == below), inner & (middle == above)
    return np.where(onto_below, above, middle), np.where(onto_above, below, middle)


def refuse_equal_neighbours(data: Tally, question: str) -> None:
    """Refuse scores of which two have no threshold between them, some thousand at a time."""
    for start in range(len(data), -1, -STEP):
        mid_gap_thresholds(data, np.arange(start, max(start - STEP, -1), -1), question)


def _scores_at(data: Tally, places: Places) -> Floats:
    return np.asarray(data.scores[places], np.float64)


def _between(one: Floats, other: Floats, kind: type[np.floating[Any]]) -> Floats:
    """Middles of pairs of scores; by an infinite score the first float beyond the finite one.

    Rounding to `kind` keeps the order, so a middle may fall onto a score but never beyond it.
    """
    first, second = np.isinf(one), np.isinf(other)
    with np.errstate(invalid="ignore", over="ignore"):
        middle = (one / 2 + other / 2).astype(kind)  # halves first: no overflow
        one, other = one.astype(kind), other.astype(kind)
        middle[second] = np.nextafter(one[second], other[second])
        middle[first] = np.nextafter(other[first], one[first])
    middle[first & second & (one != other)] = 0.0
    return middle.astype(np.float64)
