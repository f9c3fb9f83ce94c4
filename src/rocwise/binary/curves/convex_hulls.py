"""Corners of the convex hull of a ROC curve, as counts."""

from __future__ import annotations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Places
from rocwise.data.tally import Tally


def hull_counts(data: Tally) -> tuple[Places, Array, Array]:
    """Corners of the ROC convex hull, from (0, 0): scores above it, true and false positives."""
    _, tp, fp = data.curve_counts()
    corners = kernels.concave_corners(fp, tp)
    return corners, sums_at(tp, corners), sums_at(fp, corners)


def sums_at(sums: Array, places: Places) -> Array:
    """Cumulated amounts at places of a curve, the first of which is the origin.

    Examples
    --------
    >>> sums_at(np.array([2, 3, 7]), np.array([0, 1, 3])).tolist()
    [0, 2, 7]
    """
    return np.concatenate([[0], sums[places[1:] - 1]])
