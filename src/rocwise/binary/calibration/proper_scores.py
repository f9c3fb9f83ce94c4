"""Brier's score with its parts, and the log loss."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from operator import neg as negative
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Floats
from rocwise.binary.roc import sums_at
from rocwise.binary.scored_auc import squared_errors
from rocwise.kernels.row_formulas import sums_of_rows


class BrierParts(NamedTuple):
    """Brier's score = miscalibration - discrimination + uncertainty.

    With the isotonic recalibration, the best that keeps the order of the scores
    (Dimitriadis, Gneiting and Jordan, PNAS 118, 2021): `miscalibration` is what it gains,
    `discrimination` what it gains over the same probability for all, `uncertainty` the score of
    the latter. None of the three is negative.
    """

    value: float
    miscalibration: float
    discrimination: float
    uncertainty: float


def brier_parts(
    scores: Floats, pos: Amounts, neg: Amounts, sums: tuple[Amounts, Amounts] | None = None
) -> BrierParts:
    """Of distinct scores, the highest first, with the positives and negatives at each.

    `sums` are those at or beyond each score, where they are known.
    """
    tp, fp = (np.cumsum(pos), np.cumsum(neg)) if sums is None else sums
    n_pos, total = float(tp[-1]), float(tp[-1] + fp[-1])
    value = squared_errors(scores, pos, neg) / total
    corners = kernels.concave_corners(fp, tp)  # blocks of the isotonic fit are the hull's edges
    hits, alarms = (np.diff(sums_at(each, corners)).astype(np.float64) for each in (tp, fp))
    recalibrated = float((hits * alarms / (hits + alarms)).sum()) / total
    share = n_pos / total
    uncertainty = share * (1 - share)
    return BrierParts(
        value,
        max(value - recalibrated, 0.0),
        max(uncertainty - recalibrated, 0.0),
        uncertainty,
    )


def log_loss(scores: Floats, pos: Amounts, neg: Amounts) -> float:
    """Mean of -log(probability given to what happened); infinite where that was 0.

    Of scores that never rise: those of 1 come first, those of 0 last. There may be several of 1,
    where 1 - s was taken of distinct s.

    >>> round(log_loss(np.array([0.8, 0.4]), np.array([1, 0]), np.array([0, 1])), 6)
    0.366985
    """
    ones = bisect_right(scores, -1.0, key=negative)
    zeros = bisect_left(scores, 0.0, key=negative)
    if neg[:ones].any() or pos[zeros:].any():
        return math.inf

    def add(some: Floats, hits: Amounts, misses: Amounts) -> tuple[float]:
        sure, rest = np.maximum(some, 1e-300), np.maximum(1 - some, 1e-300)
        np.log(sure, out=sure)
        np.log(rest, out=rest)
        return (-(kernels.dot(hits, sure) + kernels.dot(misses, rest)),)

    return sums_of_rows(add, scores, pos, neg)[0] / float(pos.sum() + neg.sum())
