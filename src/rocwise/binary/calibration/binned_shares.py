"""Predicted and observed shares in bins: of equal size, of equal width, or isotonic blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Floats, Places
from rocwise.kernels.hulls.isotonic import fit_at
from rocwise.kernels.row_formulas import row_by_row

ROWS_PER_BIN = 16  # with fewer it is quicker to number all rows than to seek where bins begin


class Shares(NamedTuple):
    """Per bin, from the lowest scores up: mean prediction, share of positives, cases."""

    predicted: Floats
    observed: Floats
    cases: Amounts


def binned(scores: Floats, pos: Amounts, neg: Amounts, bins: int, strategy: str) -> Shares:
    """Shares in bins; scores come highest first. Equal scores are never parted."""
    rising, pos, cases = scores[::-1], pos[::-1], _cases(pos, neg)
    if strategy == "uniform":
        return _summed(rising, pos, cases, _firsts(lambda rows: rising[rows], len(cases), bins))
    mass = np.cumsum(cases)

    def middle(rows: Places) -> Floats:
        """Where the cases at these scores lie among all of them, from 0 to 1."""
        return np.asarray((mass[rows] - cases[rows] / 2) / mass[-1])

    first = _firsts(middle, len(cases), bins)
    return _summed(rising, pos, cases, first, room=mass.view(np.float64))


def _cases(pos: Amounts, neg: Amounts) -> Amounts:
    """Of both classes, from the lowest score up."""
    kind = np.result_type(pos, neg)
    return row_by_row(np.add, pos[::-1], neg[::-1], dtype=kind)


def _firsts(place_of: Callable[[Places], Floats], rows: int, bins: int) -> Places:
    """The first row of every bin that has any: places from 0 to 1 never fall from row to row.

    Where rows are many, all bins are sought by halving, side by side.
    """

    def number(some: Places) -> Places:
        return np.minimum((place_of(some) * bins).astype(np.intp), bins - 1)

    if rows <= ROWS_PER_BIN * bins:
        of_all = number(np.arange(rows))
        return np.append(0, np.flatnonzero(of_all[1:] != of_all[:-1]) + 1)
    wanted = np.arange(number(np.array([rows - 1]))[0] + 1)
    low, high = np.zeros(len(wanted), np.intp), np.full(len(wanted), rows - 1)
    for _ in range(rows.bit_length()):
        middle = (low + high) // 2
        before = number(middle) < wanted
        low, high = np.where(before, middle + 1, low), np.where(before, high, middle)
    return np.unique(low)


def isotonic(scores: Floats, pos: Amounts, neg: Amounts) -> Shares:
    """The blocks of the isotonic regression: the edges of the convex hull of the ROC curve."""
    corners = kernels.concave_corners(np.cumsum(neg), np.cumsum(pos))
    first = (len(scores) - corners[1:])[::-1]
    return _summed(scores[::-1], pos[::-1], _cases(pos, neg), first)


def isotonic_at(places: Places, pos: Amounts, neg: Amounts) -> Floats:
    """The isotonic fit at places of the highest-first table, for counts that may be 0 there."""
    return fit_at(places, pos, neg, kernels.concave_corners)


def _summed(
    rising: Floats, pos: Amounts, cases: Amounts, first: Places, room: Floats | None = None
) -> Shares:
    """What bins hold that begin at these rows; products of all rows go to `room`, if there is."""
    count = np.add.reduceat(cases, first)
    predicted = np.add.reduceat(row_by_row(np.multiply, cases, rising, out=room), first) / count
    return Shares(predicted, np.add.reduceat(pos, first) / count, count)


def expected_error(shares: Shares) -> float:
    """ECE: the mean distance of observed and predicted shares over the cases."""
    gaps = np.abs(shares.observed - shares.predicted)
    return kernels.dot(shares.cases, gaps) / float(shares.cases.sum())
