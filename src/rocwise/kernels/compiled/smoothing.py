"""Sums for the smooth ROC curve from two sorted classes, with the compiled loops."""

import numpy as np

from rocwise.arrays import Integers, Scores
from rocwise.kernels.compiled import _smoothing
from rocwise.kernels.compiled.scanning import first_nan
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain import smoothing
from rocwise.kernels.threads import heard

LIMBS = 4


def exact_sum(scores: Scores, counts: Integers | None = None) -> tuple[int, int]:
    """Compiled twin of `plain_smoothing.exact_sum`.

    Examples
    --------
    >>> numerator, denominator = exact_sum(np.array([0.5, 0.25]))
    >>> numerator / denominator
    0.75
    """
    if counts is None:
        read = np.ascontiguousarray(scores, dtype=_kind(scores))
        found = heard(_smoothing.limbs, read, rows=read.size)
        if found is not None:
            numerator = 0
            for limb in found:
                numerator = (numerator << smoothing.BITS) + limb
            return numerator, 1 << (smoothing.BITS * LIMBS)
    # counts, or scores below 2**-67, or such as are refused
    return smoothing.exact_sum(scores, counts)


def smooth_sums(
    neg: Scores, pos: Scores, midpoint: float, units: tuple[Scores, Scores] | None = None
) -> tuple[float, float, float]:
    """Compiled twin of `plain_smoothing.smooth_sums`.

    Examples
    --------
    >>> smooth_sums(np.array([0.25]), np.array([0.75]), 0.5)
    (1.0, 1.0, 0.75)
    """
    columns = (neg, pos) if units is None else (neg, pos, *units)
    refuse_nan(midpoint, what="the midpoint")
    kind = _kind(*columns)
    negatives, positives, *given = (np.ascontiguousarray(part, dtype=kind) for part in columns)
    for part in (negatives, positives, *given):
        if first_nan(part) >= 0:
            refuse_nan(part)
    of_neg, of_pos = given or (negatives, positives)
    rows = negatives.size + positives.size
    return heard(_smoothing.sums, negatives, positives, of_neg, of_pos, midpoint, rows=rows)


def _kind(*columns: Scores) -> type[np.floating]:
    """The type that the compiled loops read: float32 as it is, everything else as float64."""
    return np.float32 if all(column.dtype == np.float32 for column in columns) else np.float64
