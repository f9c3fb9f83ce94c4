"""Statistics of resampled curves by their numpy formulas, in chunks that stay in a cache."""

import numpy as np

from rocwise.arrays import Amounts, Codes, Counts, Floats, Scores
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.plain.resampling import (
    NEGATIVE,
    POSITIVE,
    resample_counts,
    row_amounts,
    row_counts,
)
from rocwise.kernels.plain.sorting import argsort
from rocwise.kernels.readers import Choice, Formula, Order, Reader, order_of
from rocwise.kernels.row_formulas import STEP


def resample_readings(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    formula: Formula,
    reader: Reader | None,  # noqa: ARG001 - as the compiled twin
    threads: int | None = None,  # noqa: ARG001
) -> Floats:
    """A statistic of the stratified replicates first..last of a table of counts.

    Examples
    --------
    >>> pos, neg = np.array([2, 0]), np.array([0, 3])
    >>> resample_readings(pos, neg, 7, 0, 2, lambda p, n: (p * n).sum(axis=1), None).tolist()
    [0, 0]
    """
    parts = [
        formula(*resample_counts(pos, neg, seed, start, stop))
        for start, stop in tables.chunks(first, last, pos.size)
    ]
    return np.concatenate(parts)


def read_amounts(
    pos: Amounts,
    neg: Amounts,
    held: Floats,  # noqa: ARG001 - as the compiled twin
    formula: Formula,
    reader: Reader | None,  # noqa: ARG001
) -> Floats:
    """A statistic of given amounts per score, one line per resample.

    `held` has the cumulative amounts of the data, from 0: (2, scores + 1).

    Examples
    --------
    >>> drawn = np.array([[2.0, 0.0]])
    >>> read_amounts(drawn, drawn, np.zeros((2, 3)), lambda p, n: p[:, 0], None).tolist()
    [2.0]
    """
    return formula(pos, neg)


def read_rows(
    rows: tables.SignedRows,
    times: Counts,
    held: Floats,
    formula: Formula,
    reader: Reader | None,
) -> Floats:
    """A statistic of rows whose unit u is there times[b, u] times, one line per resample.

    `held` has the cumulative amounts of the data, from 0: (2, scores + 1).

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> read_rows(rows, np.array([[2, 3]]), np.zeros((2, 3)), lambda p, n: p[:, 0], None).tolist()
    [2.0]
    """
    return read_amounts(*row_amounts(rows, times), held, formula, reader)


def choose_rows(
    rows: tables.SignedRows,
    times: Counts,
    chosen: Choice,
    told: Floats | None,  # noqa: ARG001 - as the compiled twin
) -> tuple[Counts, Floats]:
    """Places that are chosen on curves of rows, and what was left out of each.

    Of rows that are there 0 times: positives and negatives above the place, then all of them.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> choose_rows(rows, np.array([[1, 0]]), lambda tp, fp: np.array([1]), None)
    (array([1]), array([[0., 0., 0., 1.]]))
    """
    there, absent = (
        [tables.cumulative(part, np.float64) for part in row_amounts(rows, each)]
        for each in (times, (times == 0).astype(np.int64))
    )
    places = chosen(*there)
    above = np.maximum(places, 0)[:, None]
    left = [np.take_along_axis(part, above, 1)[:, 0] for part in absent]
    return places, np.stack([*left, *(part[:, -1] for part in absent)], axis=1)


def resample_paired_readings(
    mask: Codes,
    orders: list[Order],
    seed: int,
    first: int,
    last: int,
    formulas: list[Formula],
    readers: list[Reader] | None,  # noqa: ARG001 - as the compiled twin
    threads: int | None = None,  # noqa: ARG001
) -> Floats:
    """A statistic of several models on the same drawn rows: (replicate, model, ...).

    Examples
    --------
    >>> mask = np.array([0, 1, 1], np.uint8)
    >>> order = paired_order(mask, np.array([0.1, 0.2, 0.3]))
    >>> above = lambda pos, neg: pos[:, 0]
    >>> resample_paired_readings(mask, [order], 7, 0, 1, [above], None).shape
    (1, 1)
    """
    n_pos = int(np.count_nonzero(mask))
    n_neg = len(mask) - n_pos
    tables.check_replicates(np.array([n_pos]), np.array([n_neg]), seed, first, last)
    parts = []
    for start, stop in tables.chunks(first, last, len(mask)):
        drawn = (
            row_counts(seed, start, stop, NEGATIVE, n_neg),
            row_counts(seed, start, stop, POSITIVE, n_pos),
        )
        found = [
            formula(*_per_score(drawn, order))
            for formula, order in zip(formulas, orders, strict=True)
        ]
        parts.append(np.stack(found, axis=1))
    return np.concatenate(parts)


def paired_order(mask: Codes, scores: Scores) -> Order:
    """The rows of one model from its highest score down.

    Examples
    --------
    >>> paired_order(np.array([0, 1], np.uint8), np.array([0.1, 0.2])).codes.tolist()
    [1, 0]
    """
    return order_of(mask, scores, argsort)


def _per_score(drawn: tuple[Counts, Counts], order: Order) -> tuple[Counts, Counts]:
    """Positives and negatives drawn at each score: (replicate, score)."""
    starts = np.flatnonzero(np.append(1, order.ends[:-1]))
    found = []
    for own in (POSITIVE, NEGATIVE):
        held = np.zeros((len(drawn[0]), len(order.codes)), np.int64)
        for first in range(0, len(order.codes), STEP):  # their places are three more columns
            codes = order.codes[first : first + STEP]
            rows = np.flatnonzero(codes & 1 == own)
            held[:, first + rows] = drawn[own][:, codes[rows] >> 1]
        found.append(np.add.reduceat(held, starts, axis=1))
    return found[0], found[1]


def resample_curves(
    pos: Counts, neg: Counts, seed: int, first: int, last: int
) -> tuple[Floats, Floats]:
    """True and false positives above each place of the replicates: (replicate, place).

    Rows are drawn whatever the ties; `resample_left_out` tells of the same draws.

    Examples
    --------
    >>> tp, fp = resample_curves(np.array([1, 2]), np.array([2, 1]), 7, 0, 3)
    >>> tp[:, -1].tolist(), fp[:, 0].tolist()
    ([3.0, 3.0, 3.0], [0.0, 0.0, 0.0])
    """
    tables.check_replicates(pos, neg, seed, first, last, one_by_one=True)
    found = []
    for kind, counts in ((POSITIVE, pos), (NEGATIVE, neg)):
        ranks = tables.cumulative(counts)
        above = tables.cumulative(row_counts(seed, first, last, kind, int(ranks[-1])))
        found.append(above[:, ranks].astype(np.float64))
    return found[0], found[1]


def resample_left_out(
    pos: Counts, neg: Counts, seed: int, first: int, last: int, places: Counts
) -> Counts:
    """Rows that each replicate left out: positives, negatives above its place, and in all.

    Examples
    --------
    >>> resample_left_out(np.array([1, 0]), np.array([0, 1]), 7, 0, 1, np.array([1])).tolist()
    [[0, 0, 0, 0]]
    """
    tables.check_replicates(pos, neg, seed, first, last, one_by_one=True)
    result = np.empty((last - first, 4), np.int64)
    for column, kind, counts in ((0, POSITIVE, pos), (1, NEGATIVE, neg)):
        ranks = tables.cumulative(counts)
        absent = tables.cumulative(row_counts(seed, first, last, kind, int(ranks[-1])) == 0)
        result[:, column] = np.take_along_axis(absent, ranks[places][:, None], axis=1)[:, 0]
        result[:, column + 2] = absent[:, -1]
    return result


def resample_thresholds(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    chosen: Choice,
    told: Floats | None,  # noqa: ARG001 - as the compiled twin
    threads: int | None = None,  # noqa: ARG001
) -> tuple[Counts, Counts]:
    """Places that a rule chooses on replicates, and rows left out as by `resample_left_out`.

    `chosen` finds the place of every line of true and false positives, -1 where there is none;
    `told` says the same to compiled code, None where that does not know the rule.

    Examples
    --------
    >>> pos, neg = np.array([1, 0]), np.array([0, 1])
    >>> resample_thresholds(pos, neg, 7, 0, 1, lambda tp, fp: (tp - fp).argmax(axis=1), None)
    (array([1]), array([[0, 0, 0, 0]]))
    """
    parts = [
        chosen(*resample_curves(pos, neg, seed, start, stop))
        for start, stop in tables.chunks(first, last, 2 * pos.size)
    ]
    places = np.concatenate(parts)
    above = np.maximum(places, 0)
    return places, resample_left_out(pos, neg, seed, first, last, above)
