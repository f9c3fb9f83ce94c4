"""Scores as floating-point numbers, refused where two of them would become one."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise.arrays import Array, Floats
from rocwise.errors import InputError

LARGEST_EXACT_INTEGER = 2**53


def float_scores(scores: Array, argument: str = "y_score") -> Floats:
    """Scores as float64, which hold whole numbers up to 2**53 and a part of those beyond.

    Examples
    --------
    >>> import numpy as np
    >>> float_scores(np.array([2**60, 2**60 + 512])).tolist()
    [1.152921504606847e+18, 1.1529215046068475e+18]
    """
    floats = np.asarray(scores, dtype=np.float64)
    if _may_merge(scores) and len(np.unique(floats)) < len(np.unique(scores)):
        raise InputError(
            f"`{argument}` holds whole numbers above 2**53 that floating-point numbers cannot tell "
            "apart, and thresholds are such numbers. Subtract one number from all of them, or pass "
            "their ranks, e.g. scipy.stats.rankdata(...)."
        )
    return floats


def _may_merge(scores: Any) -> bool:
    """Whether the type holds more digits than float64, and the values need them."""
    values = np.asarray(scores)
    if not values.size or values.dtype.itemsize < 8 or values.dtype.kind not in "iufO":
        return False
    if values.dtype.kind == "f" and values.dtype.itemsize == 8:
        return False
    return bool(values.dtype.kind == "f") or max(abs(int(values.min())), abs(int(values.max()))) > (
        LARGEST_EXACT_INTEGER
    )


def refuse_merged(tally: Any) -> None:
    """Refuse a tally whose thresholds, as floats, would not recount."""
    if tally.oriented_classes is None:
        float_scores(tally.scores)
