"""Sums over rows of the placements that several columns of scores give to each of them.

A row's placement is known once its range of scores is sorted; from there it travels, with the
number of the row or of its cluster, to the block of rows (of clusters) that it belongs to. No
step holds more than a range or a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Mask
from rocwise.data.mergeable.exact_sums import ClusterSums, PairSums
from rocwise.engines.ranges.range_sums import cut_values
from rocwise.engines.ranges.sorted_runs import SortedRuns

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


def add_sorted(models: list[SortedRuns], scores: Sequence[Array], codes: Counts) -> None:
    """Keep what each model says of some rows, in the order of its scores."""
    for runs, score in zip(models, scores, strict=True):
        order = kernels.argsort(score)
        runs.add(score[order], codes[order])


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


def cluster_sums(
    models: list[SortedRuns], rows_at_once: int, by_cluster: SortedRuns
) -> ClusterSums:
    """Sums over clusters; `models` have scores, and cluster numbers with the class as last bit.

    `by_cluster` is where what a cluster has in one range waits for its other ranges and models.
    """
    for model, runs in enumerate(models):

        def take(clusters: Counts, mask: Mask, u: Counts, model: int = model) -> None:
            positive = mask.astype(np.int64)
            columns = positive, 1 - positive, positive * u, (1 - positive) * u
            keys, *held = _added_up(clusters, *columns)
            by_cluster.add(keys, np.full(len(keys), model, np.int32), *held)

        place_rows(runs, rows_at_once, take)
        runs.clear()
    found = (joined_parts(by_cluster, part) for part in key_ranges(by_cluster, rows_at_once))
    return reduce(ClusterSums.__add__, (_whole_clusters(len(models), *part) for part in found))


def _whole_clusters(n_models: int, keys: Counts, models: Array, *columns: Counts) -> ClusterSums:
    """Sums over some clusters, of which all parts are here; every model has all of them."""
    parts = []
    for model in range(n_models):
        own = models == model
        parts.append(_added_up(keys[own], *(column[own] for column in columns)))
    _, p, n, *_ = parts[0]
    return ClusterSums.of_clusters(p, n, [part[3] for part in parts], [part[4] for part in parts])


def _added_up(keys: Counts, *columns: Counts) -> list[Counts]:
    """Distinct keys, ascending, and the sums of each column for each."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return [ordered[first], *(np.add.reduceat(column[order], first) for column in columns)]
