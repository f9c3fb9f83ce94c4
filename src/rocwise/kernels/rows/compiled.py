"""Few plain rows in one compiled call, many in three passes: look, spread, and sort or sum."""

from typing import Any, NamedTuple

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
    buckets_for_sums,
    first_places,
    row_parts,
    useful_threads,
)
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.rows.plain import Classes, are_many_plain
from rocwise.kernels.threads import run_parts, steps_between_signals

MOST_SUMMED = 2**20  # rows of a bucket whose sums stay within 64 bits


def many_rows(
    labels: Any, scores: Any, threads: int | None = None, *, summed: bool = False
) -> tuple[Classes, PlacementSums | None] | None:
    """Compiled twin of `rows.plain.many_rows`: threads share rows, then buckets.

    Rows that another thread changes meanwhile are left to others too.

    Examples
    --------
    >>> classes, sums = many_rows(np.arange(5000) % 2, np.arange(5000.0), summed=True)
    >>> sums.sum_u, [values.size for values in classes()]
    (6252500, [2500, 2500])
    """
    if not are_many_plain(labels, scores):
        return None
    size = scores.size
    threads = threads or useful_threads(size)
    buckets = buckets_for_sums(size, scores.dtype) if summed else buckets_for(size)
    spread = _spread(labels, scores, _sorting.plan(scores, buckets), threads)
    if spread is None or spread.n_neg in (0, size):
        return None
    if not summed or spread.largest > MOST_SUMMED:
        if not spread.sort(threads):
            return None
        neg, pos = spread.locked()
        sums = merge_sums(neg, pos, numbers=True, threads=threads) if summed else None
        return (lambda: (neg, pos)), sums
    sums = spread.sum(threads)
    if sums is None:
        return None
    # where codes did for no bucket all were sorted
    return spread.sorted_copy if spread.plan.summed_by_codes else spread.locked, sums


class _SpreadRows(NamedTuple):
    """Scores by class and bucket, in any order there, and the bounds of these."""

    values: Scores
    plan: _sorting.Plan
    bounds: Counts
    together: Counts  # bounds of the buckets if those of both classes were one

    @classmethod
    def of(cls, values: Scores, plan: _sorting.Plan, bounds: Counts) -> "_SpreadRows":
        joint = bounds[: plan.buckets + 1] + bounds[plan.buckets :] - bounds[plan.buckets]
        return cls(values, plan, bounds, joint)

    @property
    def n_neg(self) -> int:
        return int(self.bounds[self.plan.buckets])

    @property
    def largest(self) -> int:
        """Rows of the largest bucket."""
        return int((self.together[1:] - self.together[:-1]).max())

    def sort(self, threads: int) -> bool:
        """Sort the classes of each bucket; False if buckets overlap."""
        return self._each_bucket(None, threads)

    def sum(self, threads: int) -> PlacementSums | None:
        """Sums over all buckets, which are sorted where these need it; None if buckets overlap."""
        sums = np.zeros((self.plan.buckets, 5), np.uint64)
        return _sorting.joined_sums(sums, self.bounds) if self._each_bucket(sums, threads) else None

    def _each_bucket(self, sums: NDArray[np.uint64] | None, threads: int) -> bool:
        """Sort, or sum, each bucket; False if buckets overlap afterwards.

        They do where scores were changed after it had been written down where they go.
        """
        ends = np.empty((self.plan.buckets, 2))

        def take(first: int, last: int) -> None:
            for some in bucket_steps(self.together, first, last):
                _sorting.sum_buckets(self.values, self.plan, self.bounds, *some, sums, ends)

        run_parts(take, bucket_parts(self.together, threads))
        return _sorting.are_in_order(ends)

    def locked(self) -> tuple[Scores, Scores]:
        """The two classes, which nobody can write to from now on."""
        self.values.setflags(write=False)
        return self.values[: self.n_neg], self.values[self.n_neg :]

    def sorted_copy(self) -> tuple[Scores, Scores]:
        """The two classes, sorted; what is here stays as it is, since others may be asking too."""
        copied = self._replace(values=self.values.copy())
        copied.sort(useful_threads(self.values.size))
        return copied.locked()


def _spread(labels: Any, scores: Scores, plan: _sorting.Plan, threads: int) -> _SpreadRows | None:
    """Copy the scores to their class and bucket; None for rows that are not plain."""
    parts = [(part, *rows) for part, rows in enumerate(row_parts(scores.size, threads))]
    counts = np.zeros((len(parts), 2 * plan.buckets), np.int64)
    slots = on_large_pages(scores.size, np.uint16)
    target: Scores = on_large_pages(scores.size, scores.dtype)

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
    return None if any(run_parts(fill, parts)) else _SpreadRows.of(target, plan, bounds)
