"""Sums for the smooth ROC curve from two sorted classes, with the compiled loops."""

import numpy as np
from numpy.typing import NDArray

from rocwise.kernels import _smoothing, plain_smoothing

Scores = NDArray[np.float64]
LIMBS = 4


def exact_sum(scores: Scores, counts: NDArray[np.int64] | None = None) -> tuple[int, int]:
    """Compiled twin of `plain_smoothing.exact_sum`.

    Examples
    --------
    >>> numerator, denominator = exact_sum(np.array([0.5, 0.25]))
    >>> numerator / denominator
    0.75
    """
    if counts is None:
        found = _smoothing.limbs(np.ascontiguousarray(scores, dtype=np.float64))
        if found is not None:
            numerator = 0
            for limb in found:
                numerator = (numerator << plain_smoothing.BITS) + limb
            return numerator, 1 << (plain_smoothing.BITS * LIMBS)
    return plain_smoothing.exact_sum(scores, counts)  # scores below 2**-67, or counts


def smooth_sums(neg: Scores, pos: Scores, midpoint: float) -> tuple[float, float, float]:
    """Compiled twin of `plain_smoothing.smooth_sums`.

    Examples
    --------
    >>> smooth_sums(np.array([0.25]), np.array([0.75]), 0.5)
    (1.0, 1.0, 0.75)
    """
    negatives, positives = (np.ascontiguousarray(part, dtype=np.float64) for part in (neg, pos))
    return _smoothing.sums(negatives, positives, midpoint)
