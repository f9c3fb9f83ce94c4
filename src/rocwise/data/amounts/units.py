"""Scores on the scale from 0 to 1."""

from __future__ import annotations

from rocwise.arrays import Floats
from rocwise.errors import InputError


def in_units(scores: Floats, ends: tuple[float, float] | None, direction: str) -> Floats:
    """Scores spread from 0 to 1 between the ends, if any; turned where lower means positive.

    >>> import numpy as np
    >>> in_units(np.array([2.0, 3.0]), (1.0, 5.0), "lower").tolist()
    [0.75, 0.5]
    """
    if ends is not None:
        low, high = ends
        if low == high:
            raise InputError(
                f"`y_score` has one value only ({low:g}), which rescale=True cannot spread "
                "from 0 to 1."
            )
        scores = scores / 2 - low / 2  # halves, since the range itself may overflow
        scores = scores / (high / 2 - low / 2)
    return scores if direction == "higher" else 1.0 - scores
