"""Rows of groups by the compiled loops: threads share the rows, and count before they write."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from rocwise.arrays import Counts, Floats, Mask, Places
from rocwise.kernels.compiled import _grouping, _sorting
from rocwise.kernels.compiled.sorting import (
    ROWS_FOR_NUMPY,
    bucket_steps,
    first_places,
    numpy_is_quicker,
)
from rocwise.kernels.distinct_values import ascending
from rocwise.kernels.groups.plain import GroupCurves, GroupedScores, other_codes, unlike_lengths
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.no_nan import refuse_changes, refuse_found
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import heard, run_parts, steps_between_signals

Parts = list[tuple[int, int]]


def rows_by_group(codes: Places, groups: int) -> tuple[Counts, Counts]:
    """Compiled twin of `plain.rows_by_group`.

    Examples
    --------
    >>> rows, bounds = rows_by_group(np.array([1, 0, 1]), 2)
    >>> rows.tolist(), bounds.tolist()
    ([1, 0, 2], [0, 1, 3])
    """
    codes = np.ascontiguousarray(codes, np.int64)
    order = on_large_pages(codes.size, np.int64)

    def count(counts: Counts, start: int, stop: int) -> bool:
        return _grouping.count(codes, start, stop, counts)

    def place(places: Counts, start: int, stop: int) -> None:
        _grouping.place(codes, start, stop, places, order)

    parts, counts = _counted(codes, count, groups, groups)
    return order, _placed(parts, counts, place)


def class_sizes(codes: Places, mask: Mask, groups: int) -> Counts:
    """Compiled twin of `plain.class_sizes`."""
    if len(codes) != len(mask):
        raise unlike_lengths(codes, mask)
    counts = _classes_counted(*_as_read(codes, mask), groups)[1]
    return np.asarray(counts.sum(axis=0).reshape(groups, 2))


def grouped_scores(codes: Places, mask: Mask, scores: Floats, groups: int) -> GroupedScores:
    """Compiled twin of `plain.grouped_scores`."""
    if len(codes) != len(mask) or len(codes) != len(scores):
        raise unlike_lengths(codes, mask, scores)
    codes, mask = _as_read(codes, mask)
    scores = np.ascontiguousarray(scores, np.float64)
    values = on_large_pages(codes.size)

    def place(places: Counts, start: int, stop: int) -> None:
        if _grouping.place_scores(codes, mask, scores, start, stop, places, values) < stop - start:
            refuse_found(scores[start:stop], start)

    parts, counts = _classes_counted(codes, mask, groups)
    return GroupedScores(values, _placed(parts, counts, place))


def group_curves(held: GroupedScores, first: int, last: int) -> GroupCurves:
    """Compiled twin of `plain.group_curves`."""
    values, bounds = held
    _sort_slots(values, bounds, 2 * first, 2 * last)
    points = int(bounds[2 * last] - bounds[2 * first]) + last - first
    scores, tp, fp = np.empty(points), np.empty(points, np.int64), np.empty(points, np.int64)
    starts = np.empty(last - first, np.int64)
    columns = scores, tp, fp
    made = heard(_grouping.merge_groups, values, bounds, first, last, *columns, starts, rows=points)
    return GroupCurves(scores[:made], tp[:made], fp[:made], starts)


def _sort_slots(values: Floats, bounds: Counts, first: int, last: int) -> None:
    """Sort some slots: long ones as other columns are, short ones all in one call."""
    numpy_is_quicker()  # decides who sorts short ones
    plan = _sorting.plan(values, 1)
    long_ones = first + np.flatnonzero(np.diff(bounds[first : last + 1]) > ROWS_FOR_NUMPY)
    for slot in long_ones.tolist():
        own = values[bounds[slot] : bounds[slot + 1]]
        own[:] = ascending(own)
    for before, stop in pairwise([first - 1, *long_ones.tolist(), last]):
        for some in bucket_steps(bounds, before + 1, stop):
            _sorting.sort_buckets(values, plan, bounds, *some)


def _as_read(codes: Places, mask: Mask) -> tuple[Counts, Mask]:
    return np.ascontiguousarray(codes, np.int64), np.ascontiguousarray(mask, np.uint8)


def _classes_counted(codes: Counts, mask: Mask, groups: int) -> tuple[Parts, Counts]:
    """Parts of the rows, and for each of them the rows of each group and class."""

    def count(counts: Counts, start: int, stop: int) -> bool:
        return _grouping.count_classes(codes, mask, start, stop, counts)

    return _counted(codes, count, groups, 2 * groups)


def _counted(
    codes: Counts, count: Callable[[Counts, int, int], bool], groups: int, slots: int
) -> tuple[Parts, Counts]:
    """Parts of the rows, and how many rows of each go to each slot."""
    if codes.ndim != 1:
        raise other_codes(groups)
    parts = parts_of_rows(codes.size)
    if len(parts) * slots > codes.size:  # to count each part would take longer than to write
        parts = [(0, codes.size)]
    counts = np.zeros((len(parts), slots), np.int64)

    def count_part(part: int, start: int, stop: int) -> bool:
        return all(count(counts[part], *some) for some in steps_between_signals(start, stop))

    if not all(run_parts(count_part, [(part, *some) for part, some in enumerate(parts)])):
        raise other_codes(groups)
    return parts, counts


def _placed(parts: Parts, counts: Counts, place: Callable[[Counts, int, int], None]) -> Counts:
    """Write the rows of all parts where their slots are; the bounds of the slots."""
    places, bounds = first_places(counts.T)
    ends = places + counts

    def place_part(part: int, start: int, stop: int) -> None:
        for some in steps_between_signals(start, stop):
            place(places[part], *some)

    # neighbouring parts write side by side in every slot
    run_parts(place_part, far_apart((part, *some) for part, some in enumerate(parts)))
    refuse_changes(places, ends)
    return bounds
