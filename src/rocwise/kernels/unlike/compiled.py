"""Rows with weights, or in clusters, by the compiled loops: threads share the rows."""

import numpy as np

from rocwise.arrays import Amounts, Array, Counts, Flags, Floats, Mask, Places, Scores
from rocwise.kernels.compiled import _unlike
from rocwise.kernels.compiled.sorting import ordered_entries, readable, useful_threads
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.row_formulas import parts_of_rows, row_by_row
from rocwise.kernels.threads import heard, run_parts, steps_between_signals
from rocwise.kernels.unlike.plain import (
    FallingRows,
    blocks_of_sums,
    check_columns,
    refuse_codes,
)


def falling_rows(mask: Mask, scores: Scores, columns: tuple[Array, ...]) -> FallingRows:
    """Compiled twin of `plain.falling_rows`."""
    check_columns(mask, scores, columns)
    mask, scores = readable(mask, scores)
    rows = scores.size
    order, entries = ordered_entries(mask, scores, useful_threads(rows))
    positive, new_score = np.empty(rows, np.bool_), np.empty(rows, np.bool_)
    falling = on_large_pages(rows, scores.dtype)
    taken = tuple(on_large_pages(rows, column.dtype) for column in columns)
    given = [np.ascontiguousarray(column) for column in columns]

    def write(start: int, stop: int) -> None:
        for some in steps_between_signals(start, stop):
            _unlike.name_falling(entries, *some, positive, new_score, falling)
            for column, target in zip(given, taken, strict=True):
                _unlike.take_falling(order, *some, column, target)

    run_parts(write, far_apart(parts_of_rows(rows)))
    return FallingRows(positive, new_score, falling, taken)


def by_class(positive: Flags, amounts: Amounts) -> tuple[Amounts, Amounts]:
    """Compiled twin of `plain.by_class`."""
    check_columns(positive, amounts, (amounts,))
    rows = len(amounts)
    flags, given = np.ascontiguousarray(positive, np.bool_), np.ascontiguousarray(amounts)
    pos, neg = (on_large_pages(rows, amounts.dtype) for _ in range(2))

    def write(start: int, stop: int) -> None:
        for some in steps_between_signals(start, stop):
            _unlike.by_class(flags, given, *some, pos, neg)

    run_parts(write, far_apart(parts_of_rows(rows)))
    return pos, neg


def whole_influences(
    sums: Amounts, amounts: Amounts, total: float, area: float, noise: float, *, beyond: bool
) -> Floats:
    """Compiled twin of `plain.whole_influences`."""
    check_columns(sums, amounts, (sums, amounts))
    kind = np.float64 if "f" in (sums.dtype.kind, amounts.dtype.kind) else np.int64
    given = np.ascontiguousarray(sums, kind), np.ascontiguousarray(amounts, kind)
    influences = np.empty(len(sums))
    _unlike.whole_influences(*given, total, area, noise, beyond, influences)
    return influences


def numbered_in_order(codes: Places, n_codes: int) -> Places:
    """Compiled twin of `plain.numbered_in_order`."""
    given, numbers = np.ascontiguousarray(codes, np.int64), on_large_pages(len(codes), np.int64)
    rank = np.full(n_codes, -1, np.int64)
    known = heard(_unlike.number_in_order, given, rank, numbers, rows=len(codes))
    rest = given[known:]
    if known < 0 or int(rest.view(np.uint64).max(initial=0)) >= max(n_codes, 1):
        refuse_codes(n_codes)
    row_by_row(lambda some: rank[some], rest, out=numbers[known:])
    return numbers.astype(np.intp, copy=False)


def cluster_members(positive: Flags, clusters: Places, n_clusters: int) -> Counts:
    """Compiled twin of `plain.cluster_members`."""
    check_columns(positive, clusters, (clusters,))
    flags, numbers = _as_read(positive, clusters)
    parts = blocks_of_sums(len(flags), n_clusters)
    counts = np.zeros((len(parts), 2, n_clusters), np.int64)

    def count(part: int, start: int, stop: int) -> bool:
        return any(
            _unlike.cluster_members(flags, numbers, *some, counts[part])
            for some in steps_between_signals(start, stop)
        )

    if any(run_parts(count, [(part, *rows) for part, rows in enumerate(parts)])):
        refuse_codes(n_clusters)
    return np.asarray(counts.sum(axis=0))


def cluster_sums(
    positive: Flags,
    starts: Places,
    clusters: Places,
    n_clusters: int,
    held: Floats | None,
    moved: tuple[Floats, Floats],
) -> Floats:
    """Compiled twin of `plain.cluster_sums`."""
    check_columns(positive, clusters, (clusters,))
    flags, numbers = _as_read(positive, clusters)
    amounts = None if held is None else np.ascontiguousarray(held, np.float64)
    firsts = np.ascontiguousarray(starts, np.int64)
    of_negatives, of_positives = (np.ascontiguousarray(each, np.float64) for each in moved)
    check_columns(firsts, firsts, (of_negatives, of_positives))
    parts = blocks_of_sums(len(flags), n_clusters)
    sums = np.zeros((len(parts), 2, n_clusters))

    def add(part: int, start: int, stop: int) -> bool:
        beyond = False
        for some in steps_between_signals(start, stop):
            score = int(np.searchsorted(firsts, some[0], side="right")) - 1
            given = flags, firsts, score, numbers, amounts, of_negatives, of_positives
            beyond |= _unlike.cluster_sums(*given, *some, sums[part])
        return beyond

    if any(run_parts(add, [(part, *rows) for part, rows in enumerate(parts)])):
        refuse_codes(n_clusters)
    summed = np.zeros((2, n_clusters))
    for each in sums:  # one after the other, as the twin does
        summed += each
    return summed


def _as_read(positive: Flags, clusters: Places) -> tuple[Flags, Counts]:
    return np.ascontiguousarray(positive, np.bool_), np.ascontiguousarray(clusters, np.int64)
