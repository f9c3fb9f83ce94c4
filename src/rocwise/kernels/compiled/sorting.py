"""Sorting with the compiled loops: one spread over buckets, then every bucket on its own.

Threads share the rows while spreading and the buckets while sorting, a part at a time. Rows keep
their order within a bucket whatever the number of parts, so the answers never depend on it.
"""

from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from time import get_clock_info, perf_counter, thread_time
from typing import Any, NamedTuple

import numpy as np

from rocwise.arrays import Counts, Mask, Scores
from rocwise.kernels.compiled import _sorting
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.no_nan import refuse_changes, refuse_found
from rocwise.kernels.plain.sorting import place_for_placements
from rocwise.kernels.threads import (
    STEP_ROWS,
    run_parts,
    shrinking_pieces,
    steps_between_signals,
    thread_limit,
)

FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)  # compared sooner than the types
UINT8 = np.dtype(np.uint8)
ROWS_OF_ONE_BUCKET = 4096  # so few rows stay in a near cache anyway: spread them once only
ROWS_PER_BUCKET = 1024
ENOUGH_BUCKETS = 256  # more of them are used from ROWS_OF_ONE_BUCKET rows in each on
ROWS_FOR_NUMPY = 32768  # of a bucket that numpy sorts: it moves less than the sort by keys
ROWS_FOR_CODES = 16384  # of both classes, of which two in 31 bits rarely meet
MOST_BUCKETS = 1024
TRIED_ROWS, TRIALS = 2048, 8  # of both sorts, 0.4 ms where they take 10 and 20 microseconds
LONGEST_RACE = 8e-4  # seconds, after which two trials of each are enough
FINE_CLOCK = 1e-6
GOLDEN_RATIO = (1 + 5**0.5) / 2  # multiples of it, less their whole part, are in no order
ROWS_OF_LAST_PART = 2**15  # a tenth of a millisecond or two
SHARE_OF_PART = 3 / 4  # few parts, since each is begun with the interpreter's lock
ROWS_PER_THREAD = 200_000  # fewer are sorted before a second thread has started


class _Spread(NamedTuple):
    """What the first pass needs: a plan, the rows of each part, and who goes where."""

    plan: _sorting.Plan
    parts: list[tuple[int, int]]
    counts: Counts  # rows per part, class and bucket


def sort_classes(mask: Mask, scores: Scores, threads: int | None = None) -> tuple[Scores, Scores]:
    """Compiled twin of `plain_sorting.sort_classes`.

    Examples
    --------
    >>> neg, pos = sort_classes(np.array([1, 0], np.uint8), np.array([3.0, 2.0]))
    >>> neg.tolist(), pos.tolist()
    ([2.0], [3.0])
    """
    mask, scores = readable(mask, scores)
    if scores.size <= ROWS_OF_ONE_BUCKET:
        return _few_classes(mask, scores)
    threads = threads or useful_threads(scores.size)
    spread = _first_pass(mask, scores, threads, buckets_for(scores.size))
    counted = spread.counts.reshape(len(spread.parts), -1)
    places, bounds = first_places(counted.T)
    ends = places + counted
    target = np.empty_like(scores)

    def fill(part: int, start: int, stop: int) -> None:
        for rows in steps_between_signals(start, stop):
            if _sorting.spread(mask, scores, spread.plan, *rows, places[part], target):
                refuse_found(scores[slice(*rows)], rows[0])

    def sort(first: int, last: int) -> None:
        for some in bucket_steps(bounds, first, last):
            _sorting.sort_buckets(target, spread.plan, bounds, *some)

    run_parts(fill, [(part, *rows) for part, rows in enumerate(spread.parts)])
    refuse_changes(places, ends)
    run_parts(sort, bucket_parts(bounds, threads))
    n_neg = bounds[spread.plan.buckets]
    return target[:n_neg], target[n_neg:]


def _few_classes(mask: Mask, scores: Scores) -> tuple[Scores, Scores]:
    """The same for rows that are sorted before anything could be shared out."""
    target = np.empty(scores.size, scores.dtype)
    n_neg = _sorting.sort_few(mask, scores, target)
    if n_neg < 0:
        refuse_found(scores, 0)
    return target[:n_neg], target[n_neg:]


def argsort(scores: Scores, threads: int | None = None) -> Counts:
    """Compiled twin of `plain_sorting.argsort`.

    Examples
    --------
    >>> argsort(np.array([0.5, 0.1, 0.5])).tolist()
    [1, 0, 2]
    """
    mask, scores = readable(np.zeros(scores.size, np.uint8), scores)
    return ordered_entries(mask, scores, threads or useful_threads(scores.size))[0]


def placements(
    mask: Mask, scores: Scores, *, out: Counts | None = None, threads: int | None = None
) -> Counts:
    """Compiled twin of `plain_sorting.placements`.

    Examples
    --------
    >>> placements(np.array([0, 1, 1], np.uint8), np.array([0.5, 0.5, 0.9])).tolist()
    [1, 1, 2]
    """
    mask, scores = readable(mask, scores)
    threads = threads or useful_threads(scores.size)
    spread = _first_pass(mask, scores, threads)
    entries, bounds = _keyed_entries(mask, scores, spread)
    pos_below = np.cumsum(spread.counts[:, 1].sum(axis=0)) if spread.plan.buckets > 1 else [0]
    result = place_for_placements(scores.size, out)

    def place(first: int, last: int) -> None:
        for start, stop in bucket_steps(bounds, first, last):
            below = pos_below[start - 1] if start else 0
            _sorting.place_buckets(entries, spread.plan, bounds, start, stop, below, result)

    run_parts(place, bucket_parts(bounds, threads))
    return result


def readable(mask: Mask, scores: Scores) -> tuple[Mask, Scores]:
    """Arrays as the compiled loops read them: checked here, since the loops trust their shapes.

    They are not copied: the loops read each score once and find nan, and changes by another
    thread, on their way.
    """
    if scores.ndim != 1 or mask.shape != scores.shape:
        raise ValueError(f"`mask` has shape {mask.shape} but `scores` has shape {scores.shape}.")
    # rows and class of float32 scores share four bytes
    short = scores.dtype == FLOAT32 and scores.size < 2**31
    dtype = FLOAT32 if short else FLOAT64
    return np.ascontiguousarray(mask, UINT8), np.ascontiguousarray(scores, dtype)


def useful_threads(rows: int) -> int:
    """Threads that have enough rows each to be worth starting."""
    if rows < 2 * ROWS_PER_THREAD:
        return 1
    return min(thread_limit(), rows // ROWS_PER_THREAD)


def ordered_entries(mask: Mask, scores: Scores, threads: int) -> tuple[Counts, Scores]:
    """Row numbers by rising score, and the sorted entries (value, row, class) as a raw buffer."""
    spread = _first_pass(mask, scores, threads)
    entries, bounds = _keyed_entries(mask, scores, spread)
    order = np.empty(scores.size, np.int64)

    def sort(first: int, last: int) -> None:
        for some in bucket_steps(bounds, first, last):
            _sorting.order_buckets(entries, spread.plan, bounds, *some, order)

    run_parts(sort, bucket_parts(bounds, threads))
    return order, entries


def buckets_for(rows: int) -> int:
    """How many buckets plain scores go to: few while a bucket stays in a near cache."""
    return _buckets_of(rows, ROWS_FOR_NUMPY if numpy_is_quicker() else ROWS_OF_ONE_BUCKET)


def buckets_for_sums(rows: int, dtype: np.dtype[Any]) -> int:
    """The same for scores that are only to be summed: codes of the wider ones must not meet."""
    if not codes_are_quicker():
        return buckets_for(rows)
    return _buckets_of(rows, ROWS_FOR_NUMPY if dtype == FLOAT32 else ROWS_FOR_CODES)


def _buckets_of(rows: int, most_rows: int) -> int:
    buckets = min(rows // ROWS_PER_BUCKET, max(ENOUGH_BUCKETS, rows // most_rows))
    return min(buckets, MOST_BUCKETS)


@cache
def numpy_is_quicker() -> bool:
    """Let numpy sort the buckets where it takes less time than the sort by keys; whether it does.

    That depends on the processor, so both are measured once. The sorted scores are the same.
    """
    values, plan, bounds = _tried_rows()

    def sort(lent: bool) -> Callable[[], object] | None:
        if _sorting.lend(lent) != lent:
            return None
        return partial(_sorting.sort_buckets, values.copy(), plan, bounds, 0, 1)

    return _sorting.lend(_is_quicker(sort))


@cache
def codes_are_quicker() -> bool:
    """Let buckets be summed by codes where numpy sorts these sooner than scores; whether it does.

    The sums are the same.
    """
    numpy_is_quicker()
    values, plan, bounds = _tried_rows()
    codes = (values * 2.0**32).astype(np.uint32)

    def sort(coded: bool) -> Callable[[], object]:
        if coded:
            return codes.copy().sort
        return partial(_sorting.sort_buckets, values.copy(), plan, bounds, 0, 1)

    return _sorting.lend_codes(_is_quicker(sort))


def _tried_rows() -> tuple[Scores, _sorting.Plan, Counts]:
    """A bucket of scores in no order, for races."""
    values = np.arange(TRIED_ROWS) * GOLDEN_RATIO % 1.0
    return values, _sorting.plan(values, 1), np.array([0, TRIED_ROWS], np.int64)


def _is_quicker(prepared: Callable[[bool], Callable[[], object] | None]) -> bool:
    """Whether what is prepared for True takes less time than that for False; None never does.

    They are measured in turns and by the processor's time: a moment in which others are busy slows
    down both, and the best of many is of another one.
    """
    clock = thread_time if get_clock_info("thread_time").resolution < FINE_CLOCK else perf_counter
    took, started = {True: np.inf, False: np.inf}, clock()
    for trial in range(TRIALS):
        for which in (True, False):
            run = prepared(which)
            if run is not None:
                begun = clock()
                run()
                took[which] = min(took[which], clock() - begun)
        if trial and clock() - started > LONGEST_RACE:
            break
    return bool(took[True] < took[False])


def _first_pass(mask: Mask, scores: Scores, threads: int, buckets: int | None = None) -> _Spread:
    """Plan the buckets and count the rows that each part will send to each."""
    rows = scores.size
    if rows <= ROWS_OF_ONE_BUCKET:
        n_pos = np.count_nonzero(mask)
        return _Spread(
            _sorting.plan(scores, 1), [(0, rows)], np.array([[[rows - n_pos], [n_pos]]], np.int64)
        )
    parts = row_parts(rows, threads)
    buckets = rows // ROWS_PER_BUCKET if buckets is None else buckets
    plan = _sorting.plan(scores, min(buckets, MOST_BUCKETS))
    counts = np.zeros((len(parts), 2, plan.buckets), np.int64)

    def count(part: int, start: int, stop: int) -> None:
        for some in steps_between_signals(start, stop):
            _sorting.count(mask, scores, plan, *some, counts[part])

    run_parts(count, [(part, *some) for part, some in enumerate(parts)])
    return _Spread(plan, parts, counts)


def first_places(rows_of: Counts) -> tuple[Counts, Counts]:
    """First free place of each (part, slot), and the bounds of the slots.

    `rows_of` has a row per slot and a column per part: within a slot the parts follow each other.
    """
    ends = rows_of.cumsum().reshape(rows_of.shape)
    bounds = np.zeros(rows_of.shape[0] + 1, np.int64)
    bounds[1:] = ends[:, -1]
    return np.ascontiguousarray((ends - rows_of).T), bounds


def _keyed_entries(mask: Mask, scores: Scores, spread: _Spread) -> tuple[Scores, Counts]:
    """Entries (value, row, class) by bucket, as a raw buffer, and the bounds of the buckets."""
    counted = spread.counts.sum(axis=1)
    places, bounds = first_places(counted.T)
    ends = places + counted
    entries = on_large_pages(2 * scores.size, scores.dtype)

    def fill(part: int, start: int, stop: int) -> None:
        for rows in steps_between_signals(start, stop):
            if _sorting.spread_keyed(mask, scores, spread.plan, *rows, places[part], entries):
                refuse_found(scores[slice(*rows)], rows[0])

    run_parts(fill, [(part, *rows) for part, rows in enumerate(spread.parts)])
    refuse_changes(places, ends)
    return entries, bounds


def bucket_steps(bounds: Counts, first: int, last: int) -> list[tuple[int, int]]:
    """Cut a run of buckets so that the interpreter is asked for signals now and then."""
    rows = int(bounds[last] - bounds[first])
    if rows <= STEP_ROWS:
        return [(first, last)]
    wanted = np.arange(bounds[first] + STEP_ROWS, bounds[last], STEP_ROWS)
    inner = first + np.searchsorted(bounds[first + 1 : last], wanted) + 1
    cuts = np.unique(np.concatenate([[first], inner, [last]])).tolist()
    return list(pairwise(cuts))


def bucket_parts(bounds: Counts, threads: int) -> list[tuple[int, int]]:
    """Cut the buckets into consecutive runs that hold fewer rows the later they are taken."""
    wanted = [end for _, end in row_parts(int(bounds[-1]), threads)[:-1]]
    cuts = [0, *np.searchsorted(bounds[1:], wanted).tolist(), bounds.size - 1]
    return list(pairwise(cuts))


def row_parts(rows: int, threads: int) -> list[tuple[int, int]]:
    """Cut the rows into runs that get shorter: nobody waits long for whoever takes the last."""
    return shrinking_pieces(rows, threads, ROWS_OF_LAST_PART, SHARE_OF_PART)
