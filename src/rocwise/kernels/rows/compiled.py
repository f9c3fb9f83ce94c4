"""Few plain rows in one compiled call, many in three passes: look, spread, sort and sum."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Counts, Scores
from rocwise.kernels.compiled import _sorting
from rocwise.kernels.compiled._sorting import few_rows as few_rows
from rocwise.kernels.compiled.merging import merge_sums
from rocwise.kernels.compiled.sorting import (
    bucket_parts,
    bucket_steps,
    buckets_for,
    first_places,
    row_parts,
    useful_threads,
)
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.rows.plain import are_many_plain
from rocwise.kernels.threads import run_parts, steps_between_signals

MOST_SUMMED = 2**20  # rows of a bucket whose sums stay within 64 bits


def many_rows(
    labels: Any, scores: Any, threads: int | None = None, *, summed: bool = True
) -> tuple[Scores, Scores, PlacementSums | None] | None:
    """Compiled twin of `rows.plain.many_rows`: threads share rows, then buckets.

    Rows that another thread changes meanwhile are left to others too.

    Examples
    --------
    >>> neg, pos, sums = many_rows(np.arange(5000) % 2, np.arange(5000.0))
    >>> neg.size, pos.size, sums.sum_u
    (2500, 2500, 6252500)
    """
    if not are_many_plain(labels, scores):
        return None
    threads = threads or useful_threads(scores.size)
    plan = _sorting.plan(scores, buckets_for(scores.size))
    spread = _spread(labels, scores, plan, threads)
    if spread is None:
        return None
    values, bounds = spread
    n_neg = int(bounds[plan.buckets])
    if n_neg in (0, values.size):
        return None
    sums = np.zeros((plan.buckets, 5), np.uint64) if summed else None
    if not _sort_and_sum(values, plan, bounds, sums, threads):
        return None
    values.setflags(write=False)
    neg, pos = values[:n_neg], values[n_neg:]
    if sums is None:
        return neg, pos, None
    if np.diff(_together(bounds)).max() > MOST_SUMMED:
        return neg, pos, merge_sums(neg, pos, numbers=True, threads=threads)
    return neg, pos, _sorting.joined_sums(sums, bounds)


def _spread(
    labels: Any, scores: Scores, plan: _sorting.Plan, threads: int
) -> tuple[Scores, Counts] | None:
    """Scores by class and bucket, and the bounds of these; None for rows that are not plain."""
    parts = [(part, *rows) for part, rows in enumerate(row_parts(scores.size, threads))]
    counts = np.zeros((len(parts), 2 * plan.buckets), np.int64)
    slots, target = np.empty(scores.size, np.uint16), np.empty_like(scores)

    def mark(part: int, start: int, stop: int) -> bool:
        return any(
            _sorting.mark_slots(labels, scores, plan, *rows, slots, counts[part])
            for rows in steps_between_signals(start, stop)
        )

    def fill(part: int, start: int, stop: int) -> bool:
        return any(
            _sorting.fill_slots(slots, scores, *rows, places[part], target)
            for rows in steps_between_signals(start, stop)
        )

    if any(run_parts(mark, parts)):
        return None
    places, bounds = first_places(counts.T)
    return None if any(run_parts(fill, parts)) else (target, bounds)


def _sort_and_sum(
    values: Scores,
    plan: _sorting.Plan,
    bounds: Counts,
    sums: NDArray[np.uint64] | None,
    threads: int,
) -> bool:
    """Sort the classes of each bucket and fill its sums; False if buckets overlap afterwards.

    They do where scores were changed after it had been written down where they go.
    """
    ends = np.tile([np.inf, -np.inf], (plan.buckets, 1))  # of buckets without rows
    together = _together(bounds)

    def sort(first: int, last: int) -> None:
        for some in bucket_steps(together, first, last):
            _sorting.sum_buckets(values, plan, bounds, *some, sums, ends)

    run_parts(sort, bucket_parts(together, threads))
    used = ends[np.diff(together) > 0]
    return bool((used[1:, 0] > used[:-1, 1]).all())


def _together(bounds: Counts) -> Counts:
    """Bounds of the buckets if those of both classes were one, from bounds of first one class."""
    buckets = bounds.size // 2
    joint: Counts = bounds[: buckets + 1] + bounds[buckets:] - bounds[buckets]
    return joint
