"""Rows that are equal in all that is looked at: counts of them are drawn, not every row.

Rows of one class, weight and score of every model are exchangeable, so a resample within classes
is a multinomial draw of how many of each kind there are, whatever the number of rows. Kinds of few
rows are drawn row by row all the same, which is quicker than a binomial number for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Flags, Floats, Places
from rocwise.data.tally_rows import TallyRows
from rocwise.kernels.distinct_values import distinct
from rocwise.kernels.resampling_tables import (
    ROWS_PER_GROUP,
    ROWS_TO_BEGIN,
    SignedRows,
    amounts_of_units,
    unit_sums,
)

FEW_ROWS = 4  # of a kind, up to which they are drawn row by row
COST_OF_ROW = 3  # of one of these, where one in the loop over all rows costs 1
SAMPLE = 4096  # rows that tell whether it is worth looking for equal ones
MOSTLY_UNLIKE = 0.9  # share of distinct values in the sample beyond which it is not
LARGEST_WHOLE = 2**31


class EqualRows(NamedTuple):
    """One row of every kind, and how many rows there are of it."""

    firsts: Places
    counts: Counts


def equal_rows(columns: Sequence[Array]) -> EqualRows | None:
    """Kinds of rows that agree in all columns; None where drawing every row is quicker.

    Examples
    --------
    >>> equal_rows([np.zeros(50), np.arange(50) % 2]) is None
    True
    >>> found = equal_rows([np.zeros(50_000), np.arange(50_000) % 2])
    >>> found.firsts.tolist(), found.counts.tolist()
    ([0, 1], [25000, 25000])
    """
    rows = len(columns[0])
    if rows <= ROWS_TO_BEGIN or any(map(_mostly_unlike, columns)):
        return None
    kinds = distinct(_whole(columns[0]))[1]
    for column in columns[1:]:
        names, codes = distinct(_whole(column))
        kinds = distinct(kinds * len(names) + codes)[1]
    counts = np.bincount(kinds)
    if not draws_kinds(counts):
        return None
    firsts = np.empty(len(counts), np.intp)
    firsts[kinds[::-1]] = np.arange(rows - 1, -1, -1)  # of equal ones the first stays
    return EqualRows(firsts, counts)


def draws_kinds(counts: Counts) -> bool:
    """Whether drawing how many rows of each kind there are takes less than drawing every row."""
    few = counts <= FEW_ROWS
    cost = ROWS_PER_GROUP * np.count_nonzero(~few) + COST_OF_ROW * counts[few].sum()
    return bool(ROWS_TO_BEGIN + cost < counts.sum())


def counted_rows(rows: TallyRows) -> TallyRows:
    """The same rows, equal ones counted where resamples are quicker for it."""
    if rows.clusters is not None or rows.counts is not None:
        return rows
    places = np.repeat(np.arange(len(rows.starts)), np.diff(rows.starts, append=len(rows)))
    weights = [] if rows.weights is None else [rows.weights]
    found = equal_rows([places, rows.positive.view(np.uint8), *weights])
    if found is None:
        return rows
    firsts = found.firsts
    starts = np.searchsorted(places[firsts], np.arange(len(rows.starts)))
    held = None if rows.weights is None else rows.weights[firsts]
    return TallyRows(rows.positive[firsts], starts, held, found.counts)


def rows_of_counts(pos: Counts, neg: Counts) -> TallyRows:
    """One row for each class at each score, which stands for all that are there.

    Examples
    --------
    >>> rows = rows_of_counts(np.array([5, 0]), np.array([7, 9]))
    >>> rows.counts.tolist(), rows.positive.tolist(), rows.starts.tolist()
    ([5, 7, 9], [True, False, False], [0, 2])
    """
    counts = np.column_stack([pos, neg])
    there = counts > 0
    positive = np.broadcast_to([True, False], counts.shape)[there]
    starts = np.cumsum(there.sum(axis=1)) - there.sum(axis=1)
    return TallyRows(positive, starts, counts=counts[there])


def drawn_kinds(counts: Counts, positive: Flags, seed: int) -> Callable[[int, int], Counts]:
    """How many rows of each kind the replicates first..last have, each class drawn by itself."""
    classes = [_OneClass(np.flatnonzero(own), counts) for own in (positive, ~positive)]

    def draw(first: int, last: int) -> Counts:
        from numpy.random import Generator, Philox

        drawn = np.zeros((last - first, len(counts)), np.int64)
        for line, replicate in zip(drawn, range(first, last), strict=True):
            generator = Generator(Philox(key=seed + (replicate << 64)))
            for one in classes:
                one.draw(generator, line)
        return drawn

    return draw


class _OneClass:
    """Kinds of one class: those of many rows have a share each, the rows of others one together."""

    def __init__(self, kinds: Places, counts: Counts) -> None:
        few = counts[kinds] <= FEW_ROWS
        self.many = kinds[~few]
        self.rows = np.repeat(kinds[few], counts[kinds[few]])
        self.size = int(counts[kinds].sum())
        # the last of them is given what rounding has left over: it must be there to be drawn
        self.shares = (
            np.append(counts[self.many], [len(self.rows)] * bool(len(self.rows))) / self.size
        )

    def draw(self, generator: np.random.Generator, line: Counts) -> None:
        """Add one resample of the class to a line of counts."""
        drawn = generator.multinomial(self.size, self.shares)
        line[self.many] = drawn[: len(self.many)]
        if len(self.rows) and drawn[-1]:
            places = generator.integers(len(self.rows), size=drawn[-1])
            line += np.bincount(self.rows[places], minlength=len(line))


def rows_read(
    rows: SignedRows, held: Floats, formula: kernels.Formula, reader: kernels.Reader | None
) -> Callable[[Counts], Floats]:
    """A statistic as a function of how often each unit is there, (replicates, units).

    Rows of one cluster that share class and score are added up once, where they are many.
    """
    sums = unit_sums(rows)
    if sums is None:
        return lambda times: kernels.read_rows(rows, times, held, formula, reader)
    return lambda times: kernels.read_amounts(*amounts_of_units(sums, times), held, formula, reader)


def _mostly_unlike(column: Array) -> bool:
    some = column[:: -(-len(column) // SAMPLE)]
    return len(np.unique(some)) > MOSTLY_UNLIKE * len(some)


def _whole(column: Array) -> Array:
    """Floats that are small whole numbers as such: they are told apart without a sort."""
    if column.dtype.kind != "f" or not np.abs(column).max() < LARGEST_WHOLE:
        return column
    whole = column.astype(np.intp)
    return whole if np.array_equal(whole, column) else column
