"""Predicted and observed shares in bins: of equal size, of equal width, or isotonic blocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Floats, Places
from rocwise.kernels.hulls.isotonic import fit_at
from rocwise.kernels.row_formulas import row_by_row


class Shares(NamedTuple):
    """Per bin, from the lowest scores up: mean prediction, share of positives, cases."""

    predicted: Floats
    observed: Floats
    cases: Amounts


def binned(scores: Floats, pos: Amounts, neg: Amounts, bins: int, strategy: str) -> Shares:
    """Shares in bins; scores come highest first. Equal scores are never parted."""
    rising, pos, cases = scores[::-1], pos[::-1], _cases(pos, neg)
    if strategy == "uniform":
        number = row_by_row(lambda some: _numbered(some, bins), rising, dtype=np.intp)
    else:
        mass = np.cumsum(cases)
        total = mass[-1]

        def number_of(until: Amounts, own: Amounts) -> Places:
            return _numbered((until - own / 2) / total, bins)

        number = row_by_row(number_of, mass, cases, dtype=np.intp)
    first = np.append(0, np.flatnonzero(number[1:] != number[:-1]) + 1)
    return _summed(rising, pos, cases, first)


def _cases(pos: Amounts, neg: Amounts) -> Amounts:
    """Of both classes, from the lowest score up."""
    kind = np.result_type(pos, neg)
    return row_by_row(np.add, pos[::-1], neg[::-1], dtype=kind)


def _numbered(middle: Floats, bins: int) -> Places:
    """The number of the bin of each place from 0 to 1."""
    return np.minimum((middle * bins).astype(np.intp), bins - 1)


def isotonic(scores: Floats, pos: Amounts, neg: Amounts) -> Shares:
    """The blocks of the isotonic regression: the edges of the convex hull of the ROC curve."""
    corners = kernels.concave_corners(np.cumsum(neg), np.cumsum(pos))
    first = (len(scores) - corners[1:])[::-1]
    return _summed(scores[::-1], pos[::-1], _cases(pos, neg), first)


def isotonic_at(places: Places, pos: Amounts, neg: Amounts) -> Floats:
    """The isotonic fit at places of the highest-first table, for counts that may be 0 there."""
    return fit_at(places, pos, neg, kernels.concave_corners)


def _summed(rising: Floats, pos: Amounts, cases: Amounts, first: Places) -> Shares:
    count = np.add.reduceat(cases, first)
    predicted = np.add.reduceat(row_by_row(np.multiply, cases, rising), first) / count
    return Shares(predicted, np.add.reduceat(pos, first) / count, count)


def expected_error(shares: Shares) -> float:
    """ECE: the mean distance of observed and predicted shares over the cases."""
    gaps = np.abs(shares.observed - shares.predicted)
    return kernels.dot(shares.cases, gaps) / float(shares.cases.sum())
