"""Exact sums over sorted runs of rows, one range of scores, clusters or groups at a time.

The placement of a row is computed in its range of scores and moves to its range of clusters.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Mask, Scores
from rocwise.data import range_states
from rocwise.data.smooth_steps import SmoothPlan
from rocwise.data.summed_rows import ClusterSums, GroupSums, GroupTables
from rocwise.engines.out_of_core.sorted_runs import (
    Range,
    SortedColumn,
    SortedRuns,
    map_tasks,
    ranges_of,
)
from rocwise.kernels import PlacementSums
from rocwise.progress import Report

NEG, POS = 0, 1
FIELDS = PlacementSums._fields
Table = tuple[Counts, Scores, Counts, Counts]  # number of bins of each group, and `GroupTables`
MOST_ROWS = 2**20  # of a group whose squared placements add up within 64 bits


def state_of_runs(
    runs: SortedRuns,
    bins: int,
    rows_at_once: int,
    report: Report,
    smooth: SmoothPlan | None = None,
) -> range_states.RangeState:
    """The state of all rows of runs whose columns are negatives and positives."""
    columns = [run[k] for k in (NEG, POS) for run in runs.runs]
    ranges = ranges_of(columns, rows_at_once)
    sizes = [found.size for found in ranges]
    total = sum(sizes)
    below = np.cumsum([0, *sizes]).tolist()
    settled = None if smooth is None else _settled(columns, smooth, rows_at_once)

    def state(number: int) -> range_states.RangeState:
        found, plan = ranges[number], range_states.BinPlan(bins, total, below[number])
        classes = found.spans[: len(runs.runs)], found.spans[len(runs.runs) :]
        if found.value is not None:
            n_neg, n_pos = (sum(stop - start for start, stop in spans) for spans in classes)
            return range_states.tied_state(float(found.value), n_pos, n_neg, plan, settled)
        parts = [column.part(*span) for column, span in zip(columns, found.spans, strict=True)]
        n_neg = sum(stop - start for start, stop in classes[NEG])
        mask = np.repeat(np.array([0, 1], np.uint8), [n_neg, found.size - n_neg])
        scores = np.concatenate([part for part in parts if len(part)])
        del parts
        return range_states.sorted_state(*kernels.sort_by_class(mask, scores), plan, settled)

    return range_states.joined(map_tasks(state, range(len(ranges)), sizes=sizes, report=report))


def _settled(columns: list[SortedColumn], smooth: SmoothPlan, rows_at_once: int) -> SmoothPlan:
    """The plan of a smooth curve with its ends and its midpoint, from all scores."""
    filled = [column for column in columns if column.size]
    lowest = min(float(column.part(0, 1)[0]) for column in filled)
    highest = max(float(column.part(column.size - 1, column.size)[0]) for column in filled)
    plan = smooth.within(lowest, highest)

    def total(piece: tuple[SortedColumn, int]) -> Fraction:
        column, start = piece
        return plan.total(column.part(start, min(start + rows_at_once, column.size)))

    def class_total(own: list[SortedColumn]) -> Fraction:
        pieces = [
            (column, start) for column in own for start in range(0, column.size, rows_at_once)
        ]
        return sum(map_tasks(total, pieces), Fraction(0))

    half = len(columns) // 2
    negatives, positives = columns[:half], columns[half:]
    sizes = tuple(sum(column.size for column in own) for own in (negatives, positives))
    return plan.settled(
        lambda: (class_total(negatives), class_total(positives)), (sizes[NEG], sizes[POS])
    )


def _placed_rows(runs: SortedRuns, rows_at_once: int) -> Iterator[tuple[Counts, Mask, Counts]]:
    """Clusters, classes and placements; `runs` have scores, and 2 * cluster + class."""
    pos_below = neg_below = 0
    for found in ranges_of([run[0] for run in runs.runs], rows_at_once):
        if found.value is None:
            scores, codes = runs.columns(found)
            mask = (codes & 1).astype(np.uint8)
            inside = kernels.placements(mask, scores)
            yield codes >> 1, mask, inside + np.where(mask, 2 * neg_below, 2 * pos_below)
            p = int(np.count_nonzero(mask))
        else:
            p = sum(int(np.count_nonzero(codes & 1)) for _, codes in runs.parts(found))
            n = found.size - p
            for _, codes in runs.parts(found):
                mask = (codes & 1).astype(np.uint8)
                yield codes >> 1, mask, np.where(mask, 2 * neg_below + n, 2 * pos_below + p)
        pos_below, neg_below = pos_below + p, neg_below + found.size - p


def cluster_sums(
    models: list[SortedRuns], rows_at_once: int, by_cluster: SortedRuns
) -> ClusterSums:
    """Sums over clusters, whose totals by model and class `by_cluster` has room for."""
    for model, runs in enumerate(models):
        for clusters, mask, placed in _placed_rows(runs, rows_at_once):
            keys, *totals = _totals(2 * clusters + mask, placed)
            by_cluster.add(keys >> 1, (2 * model + (keys & 1)).astype(np.uint8), *totals)
        runs.clear()
    ranges = ranges_of([run[0] for run in by_cluster.runs], rows_at_once)
    parts = (_complete_clusters(len(models), *by_cluster.columns(found)) for found in ranges)
    return reduce(ClusterSums.__add__, parts)


def _totals(keys: Counts, placed: Counts) -> tuple[Counts, Array, Counts]:
    """Distinct keys, ascending, with the number of their rows and the sum of their placements."""
    order = np.argsort(keys, kind="stable")
    keys, placed = keys[order], placed[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    sizes = np.diff(np.append(first, len(keys))).astype(np.int32)
    return keys[first], sizes, np.add.reduceat(placed, first)


def _complete_clusters(
    n_models: int, clusters: Counts, kinds: Array, sizes: Array, placed: Counts
) -> ClusterSums:
    """Sums over clusters of which all totals are here."""
    found, of_cluster = np.unique(clusters, return_inverse=True)

    def column(kind: int, values: Array) -> Counts:
        own = kinds == kind
        total = np.zeros(len(found), np.int64)
        np.add.at(total, of_cluster[own], values[own])
        return total

    u, v = ([column(2 * k + label, placed) for k in range(n_models)] for label in (POS, NEG))
    return ClusterSums.of_clusters(column(POS, sizes), column(NEG, sizes), u, v)


def group_sums(runs: SortedRuns, rows_at_once: int, inner: SortedRuns, bins: int) -> GroupSums:
    """The sums of each group, with tables of so many bins; `inner` is room for one large group."""
    names, columns, tables = [], [], []
    for found in ranges_of([run[0] for run in runs.runs], rows_at_once):
        if found.value is None or found.size <= rows_at_once:
            groups, mask, scores = runs.columns(found)
            own, sums, table = _sums_by_group(groups, mask, scores, bins)
        else:
            own = np.array([found.value])
            sums, table = _large_group(runs, found, rows_at_once, inner, bins)
        names.append(own)
        columns.append(sums)
        tables.append(table)
    whole = [_narrow(np.concatenate(parts)) for parts in zip(*columns, strict=True)]
    joined = GroupTables(*(np.concatenate(parts) for parts in zip(*tables, strict=True)))
    starts = np.append(0, np.cumsum(joined.starts))
    return GroupSums(
        np.concatenate(names),
        dict(zip(FIELDS, whole, strict=True)),
        replace(joined, starts=starts) if bins else None,
    )


def _narrow(column: Array) -> Array:
    """64-bit integers where all fit, else Python's own."""
    if column.dtype == object and max(column) < 2**63:
        return column.astype(np.int64)
    return column


def _large_group(
    runs: SortedRuns, found: Range, rows_at_once: int, inner: SortedRuns, bins: int
) -> tuple[list[Array], Table]:
    """The sums and the table of one group of any size."""
    for _, mask, scores in runs.parts(found):
        inner.add(*kernels.sort_by_class(mask, scores))
    state = state_of_runs(inner, max(bins, 1), rows_at_once, lambda _done: None)
    inner.clear()
    kept = slice(None, None, -1) if bins else slice(0)
    table = state.scores[kept], state.pos[kept], state.neg[kept]
    sums = [np.array([value], dtype=object) for value in state.sums]
    return sums, (np.array([len(table[0])]), *table)


def _sums_by_group(
    groups: Counts, mask: Mask, scores: Scores, bins: int
) -> tuple[Array, list[Array], Table]:
    """Distinct groups, ascending, the placement sums of each as columns, and their tables."""
    order = np.lexsort((scores, groups))
    groups, positive, scores = groups[order], mask[order].astype(np.int64), scores[order]
    new_group = np.concatenate([[True], groups[1:] != groups[:-1]])
    new_score = new_group | np.concatenate([[True], scores[1:] != scores[:-1]])
    first, tie = np.flatnonzero(new_group), np.flatnonzero(new_score)
    pos, neg = np.add.reduceat(positive, tie), np.add.reduceat(1 - positive, tie)
    starts = np.searchsorted(tie, first)
    table = _bins_by_group(scores[tie], pos, neg, starts, bins)
    return groups[first], table_sums_by_group(pos, neg, starts), table


def _bins_by_group(scores: Scores, pos: Counts, neg: Counts, starts: Array, bins: int) -> Table:
    """The bins that `data.range_states.binned` makes of each group, from its rising scores."""
    if not bins:
        none = np.empty(0, np.int64)
        return np.zeros(len(starts), np.int64), np.empty(0), none, none
    total = np.add.reduceat(pos + neg, starts)
    lengths = np.diff(np.append(starts, len(pos)))
    behind = np.repeat(np.cumsum(total), lengths)
    above = behind - np.cumsum(pos + neg)  # rows with higher scores
    at_least = above + pos + neg
    of_group = np.repeat(total, lengths)
    ends = at_least * bins // of_group > above * bins // of_group
    first = np.flatnonzero(ends)
    sizes = np.add.reduceat(ends.astype(np.int64), starts)
    return sizes, scores[first], np.add.reduceat(pos, first), np.add.reduceat(neg, first)


def table_sums_by_group(pos: Counts, neg: Counts, starts: Array) -> list[Array]:
    """Placement sums of groups of tied scores, rising by group and score, from `starts` on."""
    sizes = np.add.reduceat(pos + neg, starts)
    lengths = np.diff(np.append(starts, len(pos)))
    u, v = (_doubled_below(counts, starts, lengths) for counts in (neg, pos))
    columns = [(pos,), (neg,), (pos, u), (pos, u, u), (neg, v), (neg, v, v), (pos, neg)]
    sums = [np.add.reduceat(reduce(np.multiply, each), starts) for each in columns]
    large = np.flatnonzero(sizes > MOST_ROWS).tolist()
    if large:
        sums = [column.astype(object) for column in sums]
        for k in large:
            own = slice(int(starts[k]), int(starts[k] + lengths[k]))
            for column, value in zip(
                sums, kernels.table_sums(pos[own][::-1], neg[own][::-1]), strict=True
            ):
                column[k] = value
    return sums


def _doubled_below(counts: Counts, starts: Array, lengths: Array) -> Counts:
    """Twice the rows below each tied score within its group, plus those tied."""
    upto = np.cumsum(counts)
    base = np.repeat(upto[starts] - counts[starts], lengths)
    return np.asarray(2 * (upto - base) - counts)
