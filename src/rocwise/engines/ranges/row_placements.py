"""Sums over rows of the placements that several columns of scores give to each of them.

A row's placement is known once its range of scores is sorted; from there it travels, with the
number of the row or of its cluster, to the block of rows (of clusters) that it belongs to. No
step holds more than a range or a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Mask
from rocwise.engines.ranges.range_sums import cut_values
from rocwise.engines.ranges.sorted_runs import SortedRuns
from rocwise.primitives.mergeable.exact_sums import ClusterSums, PairSums

Take = Callable[[Counts, Mask, Counts], None]  # keys of rows, whether positive, placements


class KeyRange(NamedTuple):
    """Rows between two values of the first column, or at one: where they are in each run."""

    tied: bool
    places: list[tuple[int, int]]


def key_ranges(runs: SortedRuns, rows_at_once: int) -> list[KeyRange]:
    """Ranges of about so many rows in rising order; rows at a cut value are a range of theirs."""
    cuts = cut_values([run[0] for run in runs.runs], rows_at_once)
    places = []
    for run in runs.runs:
        inner = [run[0].place(value, side) for value in cuts for side in ("left", "right")]
        places.append(list(pairwise([0, *inner, run[0].size])))
    ranges = [
        KeyRange(bool(number % 2), [of_run[number] for of_run in places])
        for number in range(2 * len(cuts) + 1)
    ]
    return [found for found in ranges if any(stop > start for start, stop in found.places)]


def parts_of(runs: SortedRuns, found: KeyRange) -> Iterator[list[Array]]:
    """The columns of a range, run by run."""
    for run, (start, stop) in zip(runs.runs, found.places, strict=True):
        if stop > start:
            yield [column.part(start, stop) for column in run]


def joined_parts(runs: SortedRuns, found: KeyRange) -> list[Array]:
    """The columns of a range."""
    return [np.concatenate(columns) for columns in zip(*parts_of(runs, found), strict=True)]


def place_rows(runs: SortedRuns, rows_at_once: int, take: Take) -> None:
    """Find the placement of every row; `runs` have scores, and keys with the class as last bit."""
    pos_below = neg_below = 0
    for found in key_ranges(runs, rows_at_once):
        if found.tied:
            p, q = _tied_rows(runs, found)
            for _, codes in parts_of(runs, found):
                mask = (codes & 1).astype(np.uint8)
                take(codes >> 1, mask, np.where(mask, 2 * neg_below + q, 2 * pos_below + p))
        else:
            scores, codes = joined_parts(runs, found)
            mask = (codes & 1).astype(np.uint8)
            inside = kernels.placements(mask, scores)
            take(codes >> 1, mask, inside + np.where(mask, 2 * neg_below, 2 * pos_below))
            p = int(np.count_nonzero(mask))
            q = len(mask) - p
        pos_below, neg_below = pos_below + p, neg_below + q


def _tied_rows(runs: SortedRuns, found: KeyRange) -> tuple[int, int]:
    """Positives and negatives of a range."""
    counted = [(int(np.count_nonzero(codes & 1)), len(codes)) for _, codes in parts_of(runs, found)]
    p = sum(pos for pos, _ in counted)
    return p, sum(size for _, size in counted) - p


def pair_sums(
    models: list[SortedRuns], rows_at_once: int, by_row: list[SortedRuns], block_rows: int
) -> PairSums:
    """Sums of products of the placements of several models.

    `models` have scores and row codes for each; `by_row` is where placements wait for the others,
    which meet in blocks of `block_rows` rows.
    """
    for runs, placed in zip(models, by_row, strict=True):

        def take(rows: Counts, mask: Mask, u: Counts, placed: SortedRuns = placed) -> None:
            order = np.argsort(rows)
            placed.add((2 * rows + mask)[order], u[order])

        place_rows(runs, rows_at_once, take)
        runs.clear()
    last = max(int(run[0].part(run[0].size - 1, run[0].size)[0]) for run in by_row[0].runs)
    blocks = pairwise(range(0, last + 2 * block_rows, 2 * block_rows))
    found = (_block(by_row, start, stop) for start, stop in blocks)
    return reduce(PairSums.__add__, (sums for sums in found if sums is not None))


def _block(by_row: list[SortedRuns], start: int, stop: int) -> PairSums | None:
    """Sums over the rows of one block of codes."""
    columns = []
    mask = np.empty(0, np.uint8)
    for placed in by_row:
        ends = [(run[0].place(start, "left"), run[0].place(stop, "left")) for run in placed.runs]
        if all(first == last for first, last in ends):
            return None
        codes, u = joined_parts(placed, KeyRange(False, ends))
        order = np.argsort(codes)
        columns.append(u[order])
        mask = (codes[order] & 1).astype(np.uint8)  # the same for all models
    return PairSums.of_rows(mask, columns)


def cluster_sums(runs: SortedRuns, rows_at_once: int, by_cluster: SortedRuns) -> ClusterSums:
    """Sums over clusters; `runs` have scores, and numbers of clusters with the class as last bit.

    `by_cluster` is where what a cluster has in one range waits for its other ranges.
    """

    def take(clusters: Counts, mask: Mask, u: Counts) -> None:
        by_cluster.add(*_per_cluster(clusters, mask, u, 1 - mask, u))

    place_rows(runs, rows_at_once, take)
    runs.clear()
    total = ClusterSums()
    for found in key_ranges(by_cluster, rows_at_once):
        keys, p, u, n, v = joined_parts(by_cluster, found)
        held = _added_up(keys, p, u, n, v)
        total += ClusterSums.of_clusters(*held[1:])
    return total


def _per_cluster(clusters: Counts, mask: Mask, u: Counts, other: Mask, v: Counts) -> list[Counts]:
    positive, negative = mask.astype(np.int64), other.astype(np.int64)
    return _added_up(clusters, positive, positive * u, negative, negative * v)


def _added_up(keys: Counts, *columns: Counts) -> list[Counts]:
    """Distinct keys, ascending, and the sums of each column for each."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return [ordered[first], *(np.add.reduceat(column[order], first) for column in columns)]
