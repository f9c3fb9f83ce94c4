"""Placement sums within each of many groups of rows, a range of groups at a time."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Mask, Scores
from rocwise.data.mergeable.range_states import BinPlan, range_state
from rocwise.engines.ranges.range_sums import state_of_runs
from rocwise.engines.ranges.row_placements import KeyRange, joined_parts, key_ranges, parts_of
from rocwise.engines.ranges.sorted_runs import SortedRuns
from rocwise.kernels import PlacementSums
from rocwise.kernels.plain.merging import exact_sum

FIELDS = PlacementSums._fields
MOST_ROWS = 2**20  # of a group whose squared placements add up within 64 bits


def add_rows(runs: SortedRuns, groups: Counts, mask: Mask, scores: Scores) -> None:
    """Keep rows, those of one group together."""
    order = np.argsort(groups, kind="stable")
    runs.add(groups[order], mask[order], scores[order])


def group_sums(
    runs: SortedRuns, rows_at_once: int, inner: SortedRuns
) -> tuple[Array, dict[str, Any]]:
    """Groups, ascending, and columns of their sums; `inner` is room for a single large group."""
    names, columns = [], []
    for found in key_ranges(runs, rows_at_once):
        if found.tied:
            group, sums = _one_group(runs, found, rows_at_once, inner)
            names.append(np.array([group]))
            columns.append([np.array([value], dtype=object) for value in sums])
        else:
            groups, mask, scores = joined_parts(runs, found)
            own, sums_of = sums_by_group(groups, mask, scores)
            names.append(own)
            columns.append(sums_of)
    joined = [_narrow(np.concatenate(parts)) for parts in zip(*columns, strict=True)]
    return np.concatenate(names), dict(zip(FIELDS, joined, strict=True))


def _narrow(column: Array) -> Array:
    """64-bit integers where all fit, else Python's own."""
    if column.dtype == object and max(column) < 2**63:
        return column.astype(np.int64)
    return column


def _one_group(
    runs: SortedRuns, found: KeyRange, rows_at_once: int, inner: SortedRuns
) -> tuple[Any, PlacementSums]:
    """The sums of a group that fills a range by itself, however large it is."""
    parts = parts_of(runs, found)
    size = sum(stop - start for start, stop in found.places)
    if size <= rows_at_once:
        groups, mask, scores = joined_parts(runs, found)
        return groups[0], range_state(mask, scores, BinPlan(1, size)).sums
    group = None
    for groups, mask, scores in parts:
        group = groups[0]
        inner.add(*kernels.sort_classes(mask, scores))
    sums = state_of_runs(inner, 1, rows_at_once, lambda _done: None).sums
    inner.clear()
    return group, sums


def sums_by_group(groups: Counts, mask: Mask, scores: Scores) -> tuple[Array, list[Array]]:
    """Distinct groups, ascending, and the seven sums of each as columns.

    >>> groups = np.array([0, 0, 1, 1, 1])
    >>> names, sums = sums_by_group(
    ...     groups, np.array([0, 1, 1, 0, 1], np.uint8), np.array([1.0, 2.0, 5.0, 5.0, 4.0])
    ... )
    >>> names.tolist(), sums[2].tolist()
    ([0, 1], [2, 1])
    """
    order = np.lexsort((scores, groups))
    groups, positive, scores = groups[order], mask[order].astype(np.int64), scores[order]
    new_group = np.concatenate([[True], groups[1:] != groups[:-1]])
    new_score = new_group | np.concatenate([[True], scores[1:] != scores[:-1]])
    first, tie = np.flatnonzero(new_group), np.flatnonzero(new_score)
    p, q = np.add.reduceat(positive, tie), np.add.reduceat(1 - positive, tie)
    of_group = np.searchsorted(tie, first)  # the first tie of each group
    lengths = np.diff(np.append(of_group, len(tie)))
    u = _doubled_below(q, of_group, lengths)
    v = _doubled_below(p, of_group, lengths)
    columns = [(p,), (q,), (p, u), (p, u, u), (q, v), (q, v, v), (p, q)]
    if int(np.diff(np.append(first, len(groups))).max()) <= MOST_ROWS:
        sums = [np.add.reduceat(reduce(np.multiply, c), of_group) for c in columns]
    else:
        sums = [_exact(c, of_group) for c in columns]
    return groups[first], sums


def _doubled_below(counts: Counts, first: Array, lengths: Array) -> Counts:
    """Twice the rows below each tie within its group, plus those tied."""
    upto = np.cumsum(counts)
    base = np.repeat(upto[first] - counts[first], lengths)
    return np.asarray(2 * (upto - base) - counts)


def _exact(factors: tuple[Counts, ...], first: Array) -> Array:
    """Sums of products by group as Python integers."""
    split = zip(*(np.split(factor, first[1:]) for factor in factors), strict=True)
    found = np.empty(len(first), dtype=object)
    found[:] = [exact_sum(*parts) for parts in split]
    return found
