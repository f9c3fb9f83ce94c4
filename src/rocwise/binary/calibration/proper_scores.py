"""Brier's score with its parts, and the log loss."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Floats
from rocwise.binary.areas.margin_areas import squared_errors
from rocwise.binary.curves.convex_hulls import sums_at
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


def brier_parts(scores: Floats, pos: Amounts, neg: Amounts) -> BrierParts:
    """Of distinct scores, the highest first, with the positives and negatives at each."""
    total = float(pos.sum() + neg.sum())
    value = squared_errors(scores, pos, neg) / total
    tp, fp = np.cumsum(pos), np.cumsum(neg)
    corners = kernels.concave_corners(fp, tp)  # blocks of the isotonic fit are the hull's edges
    hits, alarms = (np.diff(sums_at(sums, corners)).astype(np.float64) for sums in (tp, fp))
    recalibrated = float((hits * alarms / (hits + alarms)).sum()) / total
    share = float(pos.sum()) / total
    uncertainty = share * (1 - share)
    return BrierParts(
        value,
        max(value - recalibrated, 0.0),
        max(uncertainty - recalibrated, 0.0),
        uncertainty,
    )


def log_loss(scores: Floats, pos: Amounts, neg: Amounts) -> float:
    """Mean of -log(probability given to what happened); infinite where that was 0.

    >>> round(log_loss(np.array([0.8, 0.4]), np.array([1, 0]), np.array([0, 1])), 6)
    0.366985
    """

    def add(some: Floats, hits: Amounts, misses: Amounts) -> tuple[float]:
        if np.any(hits[some == 0] > 0) or np.any(misses[some == 1] > 0):
            return (math.inf,)
        logs = np.log(np.clip(some, 1e-300, None)), np.log(np.clip(1 - some, 1e-300, None))
        return (-(kernels.dot(hits, logs[0]) + kernels.dot(misses, logs[1])),)

    return sums_of_rows(add, scores, pos, neg)[0] / float(pos.sum() + neg.sum())
