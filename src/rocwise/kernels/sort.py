"""Sorting of scores, all at once or by class, and distinct values."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rocwise.arrays import Array, Codes, Counts, Floats, Mask, Places, Scores, Words
from rocwise.kernels.nan import check_no_nan, raise_nan_found
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.threads import (
    CHUNKS_PER_THREAD,
    STEP_ROWS,
    even_chunks,
    run_tasks,
    thread_limit,
)

_sort = compiled_module("_sort")
FEW_ROWS = 20_000  # that one bucket takes
MANY_ROWS = 400_000  # that are sorted in buckets and by threads
ROWS_PER_BUCKET = 1024
MOST_BUCKETS = 1024
SORTED_ALONE = 2**20  # rows in buckets so short that threads would wait for the interpreter's lock
SAMPLE = 512
ROWS_PER_THREAD = 200_000  # fewer are sorted before a second thread has started


# a score times 2**-510 has a bit to spare, which the class takes: of magnitudes in this range, or 0
LEAST, LIMIT, SCALE = 2.0**-512, 2.0**511, 2.0**-510
ALL_BUT_SIGN = 2**63 - 1


class SortedSample(NamedTuple):
    """Scores of both classes in one ascending array."""

    keys: Counts  # twice a whole number in the order of the scores, plus 1 for a positive
    n_pos: int
    dtype: Any  # of the scores


def sort_sample(mask: Mask, scores: Scores) -> SortedSample | None:
    """Both classes sorted together; None where a score has no key (nan, infinity, 1e200, ...)."""
    check_lengths(mask, scores)
    mask, values = np.ascontiguousarray(mask, np.uint8), np.ascontiguousarray(scores, np.float64)
    keys = np.empty(len(values), np.int64)
    if _sort is None or len(values) < MANY_ROWS:
        fit = (_numpy_tag if _sort is None else _sort.tag)(mask, values, keys) == 0
        keys.sort()
    else:
        fit, bounds = _scattered(_sort.scatter_keys, mask, values, keys)
        chunks = _bucket_chunks(bounds) if len(keys) > SORTED_ALONE else [(0, len(bounds) - 1)]
        run_tasks(lambda *some: _sort_buckets(keys, bounds, *some), chunks)
    keys.setflags(write=False)
    return SortedSample(keys, int(np.count_nonzero(mask)), scores.dtype) if fit else None


def _numpy_tag(mask: Mask, values: Floats, keys: Counts) -> int:
    """Write the keys of the rows; -1 if a score has none."""
    own = values.copy()  # another thread may write to the array
    sizes = np.abs(own)
    if not bool(np.all((sizes < LIMIT) & ((sizes >= LEAST) | (sizes == 0)))):
        return -1
    bits = (own * SCALE + 0.0).view(np.int64)  # 0.0 for -0.0
    keys[:] = 2 * (bits ^ ((bits >> 63) & ALL_BUT_SIGN)) + (mask != 0)
    return 0


def _sort_buckets(keys: Counts, bounds: Counts, first: int, last: int) -> None:
    for start, stop in pairwise(bounds[first : last + 1].tolist()):
        keys[start:stop].sort()


def values_of(keys: Counts) -> Floats:
    """Scores of keys."""
    bits = keys >> 1
    bits ^= (bits >> 63) & ALL_BUT_SIGN
    return bits.view(np.float64) / SCALE


def sort_by_class(mask: Mask, scores: Scores) -> tuple[Scores, Scores]:
    """Scores of the negatives and of the positives, each ascending, with 0.0 for -0.0."""
    sample = sort_sample(mask, scores)
    return _numpy_sort_by_class(mask, scores) if sample is None else classes_of(sample)


def classes_of(sample: SortedSample) -> tuple[Scores, Scores]:
    """Ascending scores of the negatives and of the positives."""
    n_neg = len(sample.keys) - sample.n_pos
    if _sort is None:
        is_positive = sample.keys & 1
        scores = values_of(sample.keys[np.argsort(is_positive, kind="stable")])
    else:
        scores = np.empty(len(sample.keys))
        _sort.split(sample.keys, n_neg, scores)
    scores = scores.astype(sample.dtype, copy=False)
    return scores[:n_neg], scores[n_neg:]


def _numpy_sort_by_class(mask: Mask, scores: Scores) -> tuple[Scores, Scores]:
    is_positive = mask != 0
    classes = scores[~is_positive], scores[is_positive]
    for values in classes:
        check_no_nan(values)
        values.sort()
        values += 0.0  # turns -0.0 into 0.0
    return classes


def argsort(scores: Scores) -> Counts:
    """Rows in ascending order of score; equal scores (0.0 and -0.0 too) keep their order."""
    return sort_rows(np.zeros(len(scores), np.uint8), scores)[0]


def sort_rows(codes: Codes, scores: Scores) -> tuple[Counts, Codes, Floats]:
    """Rows in ascending order of score, stable; their codes (uint8) and their scores."""
    check_lengths(codes, scores)
    codes, values = np.ascontiguousarray(codes, np.uint8), np.ascontiguousarray(scores, np.float64)
    if _sort is None:
        values = values.copy()  # another thread may write to the array
        check_no_nan(values)
        order = np.argsort(values, kind="stable").astype(np.int64, copy=False)
        return order, codes[order], values[order] + 0.0
    order, ranked = np.empty(len(values), np.int64), np.empty(len(values), np.uint8)
    ascending, entries = np.empty(len(values)), sorted_entries(codes, values)
    run_tasks(
        lambda *rows: _sort.unpack(entries, *rows, order, ranked, ascending),
        _row_chunks(len(values)),
    )
    return order, ranked, ascending


def sorted_entries(codes: Codes, values: Floats) -> Words:
    """Entries (key, 256 * row + code) in ascending order of score; keys are equal as scores are."""
    entries = np.empty((len(values), 2), np.uint64)
    if len(values):
        fit, bounds = _scattered(_sort.scatter_rows, codes, values, entries)
        if not fit:
            raise_nan_found(values)
        run_tasks(lambda *some: _sort.sort_entries(entries, bounds, *some), _bucket_chunks(bounds))
    return entries


def check_lengths(codes: Codes, scores: Scores) -> None:
    """An error for labels and scores that are not one for each row."""
    if scores.ndim != 1 or codes.shape != scores.shape:
        raise ValueError(f"labels have shape {codes.shape} but scores have shape {scores.shape}.")


def _scattered(
    scatter: Callable[..., int], codes: Codes, values: Floats, target: Array
) -> tuple[bool, Counts]:
    """Write the rows to buckets of the target: whether all scores were taken, and the bounds."""
    rows = len(values)
    number = max(1, min(MOST_BUCKETS, rows // ROWS_PER_BUCKET)) if rows > FEW_ROWS else 1
    mapping = (*_mapping(values, number), number - 1)
    chunks = list(enumerate(_row_chunks(rows)))
    counts = np.zeros((len(chunks), number), np.int64)
    if number == 1:
        counts[:, 0] = [stop - start for _, (start, stop) in chunks]
    else:
        run_tasks(lambda k, some: _sort.count(values, mapping, *some, counts[k]), chunks)
    ends = counts.T.cumsum().reshape(counts.shape[::-1]).T
    places = np.ascontiguousarray(ends - counts)
    found = run_tasks(
        lambda k, some: scatter(codes, values, mapping, *some, places[k], target), chunks
    )
    changed = not np.array_equal(places, ends)  # by another thread
    return not changed and min(found) == 0, np.concatenate([[0], ends[-1]])


def _mapping(values: Floats, number: int) -> tuple[float, float, bool]:
    """Lowest value, scale and kind (by value, or by bits) of the more even mapping to buckets."""
    if number == 1:
        return 0.0, 0.0, False
    sample = values[np.linspace(0, len(values) - 1, SAMPLE).astype(np.intp)]
    sample = np.sort(sample[np.isfinite(sample)])
    if not len(sample):
        return 0.0, 0.0, False
    found: list[tuple[int, int, float, float]] = []
    for points in (sample, np.array(_sort.keys_of(sample))):
        with np.errstate(over="ignore", divide="ignore"):
            scale = number / (points[-1] - points[0]) if points[-1] > points[0] else 0.0
        usable = 0.0 < scale < np.inf
        places = np.minimum((points - points[0]) * scale, number - 1) if usable else 0 * points
        crowding = int((np.bincount(places.astype(np.intp)) ** 2).sum())
        found.append((crowding, len(found), float(points[0]), float(scale) if usable else 0.0))
    _, kind, low, scale = min(found)
    return low, scale, bool(kind)


def _row_chunks(rows: int) -> list[tuple[int, int]]:
    """Chunks of rows for the threads, and short enough for Ctrl-C."""
    threads = min(thread_limit(), rows // ROWS_PER_THREAD) if rows >= 2 * ROWS_PER_THREAD else 1
    number = CHUNKS_PER_THREAD * threads if threads > 1 else 1
    return even_chunks(rows, max(number, rows // STEP_ROWS))


def _bucket_chunks(bounds: Counts) -> list[tuple[int, int]]:
    """Chunks of buckets with about as many rows each."""
    ends = [stop for _, stop in _row_chunks(int(bounds[-1]))[:-1]]
    return list(pairwise([0, *np.searchsorted(bounds[1:], ends).tolist(), len(bounds) - 1]))


def distinct(values: Array) -> tuple[Array, Places]:
    """`np.unique(values, return_inverse=True)`, faster for numbers."""
    kind = values.dtype.kind if values.ndim == 1 and values.size else ""
    if kind in ("i", "u", "b"):
        low, high = int(values.min()), int(values.max())
        if high - low <= 4 * values.size:
            places = (values.astype(np.int64) if kind != "u" else values) - low
            places = places.astype(np.intp)
            seen = np.bincount(places, minlength=high - low + 1) > 0
            names = (np.flatnonzero(seen) + low).astype(values.dtype)
            return names, (np.cumsum(seen) - 1)[places]
    if values.dtype in (np.float32, np.float64) and kind and not np.isnan(values).any():
        order, _, ascending = sort_rows(np.zeros(len(values), np.uint8), values)
        first = np.concatenate([[True], ascending[1:] != ascending[:-1]])
        codes = np.empty(len(values), np.intp)
        codes[order] = np.cumsum(first.astype(np.intp)) - 1  # of truth values it takes longer
        return values[order[first]], codes
    names, codes = np.unique(values, return_inverse=True)
    return names, codes


def n_distinct(codes: Places) -> int:
    """Number of distinct values of whole numbers from 0 on."""
    return int(np.count_nonzero(np.bincount(codes))) if len(codes) else 0
