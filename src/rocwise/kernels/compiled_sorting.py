"""Sorting with the compiled loops: one spread over buckets, then every bucket on its own.

Threads share the rows while spreading and the buckets while sorting. Rows keep their order
within a bucket whatever the number of threads, so the answers never depend on it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise.kernels import _sorting
from rocwise.kernels.threads import available_threads, even_parts, run_parts

Scores = NDArray[np.floating]
Mask = NDArray[np.uint8]
Counts = NDArray[np.int64]

ROWS_PER_BUCKET = 1024
MOST_BUCKETS = 1024
ROWS_PER_THREAD = 50_000


def sort_classes(mask: Mask, scores: Scores, threads: int | None = None) -> tuple[Scores, Scores]:
    """Compiled twin of `plain_sorting.sort_classes`."""
    mask, scores = _readable(mask, scores)
    threads = threads or _useful_threads(scores.size)
    plan, counts, parts = _spread_plan(mask, scores, threads)
    ends = np.cumsum(counts.T).reshape(counts.T.shape)
    places = np.ascontiguousarray((ends - counts.T).T)
    target = np.empty_like(scores)
    run_parts(
        _sorting.spread,
        [(mask, scores, plan, *rows, places[part], target) for part, rows in enumerate(parts)],
    )
    bounds = np.append(0, ends[:, -1])
    run_parts(
        _sorting.sort_buckets, [(target, bounds, *some) for some in _bucket_parts(bounds, threads)]
    )
    n_neg = bounds[plan.buckets]
    return target[:n_neg], target[n_neg:]


def argsort(scores: Scores, threads: int | None = None) -> Counts:
    """Compiled twin of `plain_sorting.argsort`."""
    mask, scores = _readable(np.zeros(scores.size, np.uint8), scores)
    threads = threads or _useful_threads(scores.size)
    entries, bounds, _ = _keyed_buckets(mask, scores, threads)
    order = np.empty(scores.size, np.int64)
    wide = scores.dtype == np.float64
    run_parts(
        _sorting.order_buckets,
        [(entries, bounds, *some, wide, order) for some in _bucket_parts(bounds, threads)],
    )
    return order


def placements(mask: Mask, scores: Scores, threads: int | None = None) -> Counts:
    """Compiled twin of `plain_sorting.placements`."""
    mask, scores = _readable(mask, scores)
    threads = threads or _useful_threads(scores.size)
    entries, bounds, pos_below = _keyed_buckets(mask, scores, threads)
    result = np.empty(scores.size, np.int64)
    wide = scores.dtype == np.float64
    run_parts(
        _sorting.place_buckets,
        [
            (entries, bounds, first, last, wide, pos_below[first], result)
            for first, last in _bucket_parts(bounds, threads)
        ],
    )
    return result


def _readable(mask: Mask, scores: Scores) -> tuple[Mask, Scores]:
    """Arrays as the compiled loops read them: checked here, since the loops trust their input."""
    if scores.ndim != 1 or mask.shape != scores.shape:
        raise ValueError(f"`mask` has shape {mask.shape} but `scores` has shape {scores.shape}.")
    fits_four_bytes = scores.dtype == np.float32 and scores.size < 2**31
    dtype = np.float32 if fits_four_bytes else np.float64
    return np.ascontiguousarray(mask, np.uint8), np.ascontiguousarray(scores, dtype)


def _keyed_buckets(mask: Mask, scores: Scores, threads: int) -> tuple[Any, Counts, Counts]:
    """Entries (value, row, class) by bucket, the buckets' bounds, and positives before each."""
    plan, counts, parts = _spread_plan(mask, scores, threads)
    by_class = counts.reshape(len(parts), 2, plan.buckets)
    rows_of = by_class.sum(axis=1).T
    ends = np.cumsum(rows_of).reshape(rows_of.shape)
    places = np.ascontiguousarray((ends - rows_of).T)
    entries = np.empty(2 * scores.size, scores.dtype)
    run_parts(
        _sorting.spread_keyed,
        [(mask, scores, plan, *rows, places[part], entries) for part, rows in enumerate(parts)],
    )
    pos_below = np.append(0, np.cumsum(by_class[:, 1].sum(axis=0)))
    return entries, np.append(0, ends[:, -1]), pos_below


def _useful_threads(rows: int) -> int:
    return max(1, min(available_threads(), rows // ROWS_PER_THREAD))


def _spread_plan(
    mask: Mask, scores: Scores, threads: int
) -> tuple[Any, Counts, list[tuple[int, int]]]:
    """Plan of the first pass, rows per part, class and bucket, and the parts themselves."""
    parts = even_parts(scores.size, threads)
    ends = run_parts(_sorting.extent, [(scores, *rows) for rows in parts])
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    buckets = min(max(scores.size // ROWS_PER_BUCKET, 1), MOST_BUCKETS)
    plan = _sorting.plan(scores, low, high, buckets)
    counts = np.zeros((len(parts), 2 * buckets), np.int64)
    run_parts(
        _sorting.count,
        [(mask, scores, plan, *rows, counts[part]) for part, rows in enumerate(parts)],
    )
    return plan, counts, parts


def _bucket_parts(bounds: Counts, threads: int) -> list[tuple[int, int]]:
    """Cut the buckets into consecutive runs that hold about the same number of rows."""
    wanted = [bounds[-1] * part // threads for part in range(1, threads)]
    cuts = [0, *np.searchsorted(bounds[1:], wanted).tolist(), bounds.size - 1]
    return list(zip(cuts[:-1], cuts[1:], strict=True))
