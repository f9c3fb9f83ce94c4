"""Counts of scores in cells that never overlap halfway, so that two lots of them can be joined.

A cell is all floats whose order-preserving 64 bits agree but for the last `shift` ones. Of two
cells one contains the other, or they are apart. With shift 0 a cell is one score: as long as there
is room nothing is lost; when there is none, neighbours with few rows share a larger cell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Array, Codes, Counts, Floats, Words
from rocwise.kernels.plain.merging import exact_sum

SIGN = np.uint64(1 << 63)
BITS = 64


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCells:
    """Cells in rising order.

    Attributes
    ----------
    lowest, highest : ndarray
        The least and the largest score that came into each cell.
    shifts : ndarray of uint8
        How many of the last bits may differ within each.
    pos, neg : ndarray of int64
        Positives and negatives in each.

    Examples
    --------
    >>> one = np.ones(3, np.int64)
    >>> cells = cells_of(np.array([0.5, 0.6, 9.0]), one, 2 * one)
    >>> len(joined_cells(cells, cells)), int(joined_cells(cells, cells).neg.sum())
    (3, 12)
    >>> fewer = within(cells, 2)
    >>> fewer.lowest.tolist(), fewer.highest.tolist(), fewer.mixed_pairs()
    ([0.5, 9.0], [0.6, 9.0], 8)
    """

    lowest: Floats
    highest: Floats
    shifts: Codes
    pos: Counts
    neg: Counts

    def __len__(self) -> int:
        return len(self.lowest)

    def mixed_pairs(self) -> int:
        """Pairs of a positive and a negative in one cell whose order may be unknown."""
        unsure = self.lowest < self.highest
        return exact_sum(self.pos[unsure], self.neg[unsure])


def cells_of(scores: Floats, pos: Counts, neg: Counts) -> ScoreCells:
    """Of distinct scores in rising order, one cell each."""
    return ScoreCells(scores, scores, np.zeros(len(scores), np.uint8), pos, neg)


def joined_cells(one: ScoreCells, other: ScoreCells) -> ScoreCells:
    """The cells of both; what lies in a larger cell of the other comes into it."""
    if not len(one) or not len(other):
        return one if len(one) else other
    columns = [np.concatenate(pair) for pair in zip(_columns(one), _columns(other), strict=True)]
    starts, ends = _reaches(columns[0], columns[2])
    order = np.lexsort((BITS - columns[2].astype(np.int64), starts))
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    first = np.flatnonzero(np.concatenate([[True], starts[1:] > ends[:-1]]))
    return _merged([column[order] for column in columns], first)


def are_apart(cells: ScoreCells) -> bool:
    """Whether no cell reaches into another; they must be in rising order."""
    starts, ends = _reaches(cells.lowest, cells.shifts)
    last, _ = _reaches(cells.highest, cells.shifts)
    return bool(np.all(starts == last)) and bool(np.all(starts[1:] > ends[:-1]))


def within(cells: ScoreCells, room: int) -> ScoreCells:
    """At most `room` cells: neighbours share one as long as it holds no more than some rows."""
    total = int(cells.pos.sum() + cells.neg.sum())
    most = max(1, total // room)
    while len(cells) > room:
        step = 4 if len(cells) > 8 * room else 1  # in a hurry
        cells = _shared(cells, most, step)
        most += most // 2 + 1
    return cells


def _shared(cells: ScoreCells, most: int, step: int) -> ScoreCells:
    """Let cells share larger ones that hold at most `most` rows, the smallest such first."""
    for shift in range(step, BITS + 1, step):
        if len(cells) < 2:
            break
        starts, _ = _reaches(cells.lowest, np.full(len(cells), shift, np.uint8))
        new = np.concatenate([[True], starts[1:] != starts[:-1]])
        first = np.flatnonzero(new)
        rows = np.add.reduceat(cells.pos + cells.neg, first)
        sizes = np.diff(np.append(first, len(cells)))
        joins = (sizes > 1) & (rows <= most)
        if not joins.any():
            continue
        member = np.repeat(joins, sizes)
        starts_cell = new | ~member
        cells = _merged(list(_columns(cells)), np.flatnonzero(starts_cell), shift)
    return cells


def _merged(columns: list[Array], first: Array, shift: int | None = None) -> ScoreCells:
    """Cells that begin at `first`; those of several take the largest shift, or the one given."""
    lowest, highest, shifts, pos, neg = columns
    several = np.diff(np.append(first, len(lowest))) > 1
    wide = np.maximum.reduceat(shifts, first)
    if shift is not None:
        wide = np.where(several, np.uint8(shift), wide).astype(np.uint8)
    return ScoreCells(
        np.minimum.reduceat(lowest, first),
        np.maximum.reduceat(highest, first),
        wide,
        np.add.reduceat(pos, first),
        np.add.reduceat(neg, first),
    )


def _columns(cells: ScoreCells) -> tuple[Array, ...]:
    return cells.lowest, cells.highest, cells.shifts, cells.pos, cells.neg


def _reaches(scores: Floats, shifts: Codes) -> tuple[Words, Words]:
    """The first and the last key of the cells with these shifts around scores."""
    keys = ordered_keys(scores)
    below = np.minimum(shifts, BITS - 1).astype(np.uint64)
    inner = (np.uint64(1) << below) - np.uint64(1)
    inner[shifts == BITS] = np.uint64(2**64 - 1)
    return keys & ~inner, keys | inner


def ordered_keys(scores: Floats) -> Words:
    """Bits of floats as integers in the same order.

    >>> keys = ordered_keys(np.array([-np.inf, -1.0, 0.0, 5e-324, 1.0, np.inf]))
    >>> bool(np.all(keys[1:] > keys[:-1]))
    True
    """
    bits = np.ascontiguousarray(scores, np.float64).view(np.uint64)
    return np.where(bits & SIGN, ~bits, bits | SIGN)
