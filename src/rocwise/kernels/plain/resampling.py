"""Draws of rows by splitmix64, for the numpy twins of kernels that draw rows themselves.

The generator is started from a key of (seed, replicate, class); a draw takes the upper 64 bits of
(random number) * (number of rows), which favours no row by more than 2**-32.
"""

import numpy as np

from rocwise.arrays import Counts, Floats, Words
from rocwise.kernels import resampling_tables as tables

NEGATIVE, POSITIVE = 0, 1
_STEP = 0x9E3779B97F4A7C15
_ALL_BITS = 2**64 - 1


def row_counts(seed: int, first: int, last: int, kind: int, size: int) -> Counts:
    """How often each of the `size` rows of a class is drawn: (replicate, row).

    Examples
    --------
    >>> row_counts(7, 0, 2, POSITIVE, 5).sum(axis=1).tolist()
    [5, 5]
    """
    replicates = last - first
    steps = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(_STEP)
    keys = stream_keys(seed, first, last, kind)
    rows = _scale(_mix(keys[:, None] + steps), size).view(np.int64)
    rows += np.arange(replicates, dtype=np.int64)[:, None] * size
    counted = np.bincount(rows.ravel(), minlength=replicates * size)
    return counted.astype(np.int64, copy=False).reshape(replicates, size)


def class_times(members: Counts, sizes: Counts, seed: int, replicate: int) -> Floats:
    """How often each row is drawn when every class draws as many of its own rows as it has.

    `members` holds the rows of the first class, then of the second, and so on, `sizes` how many
    rows each class has.

    Examples
    --------
    >>> class_times(np.array([0, 2, 1]), np.array([2, 1]), 7, 0).tolist()
    [2.0, 1.0, 0.0]
    """
    tables.check_members(members, sizes, seed, replicate)
    times = np.zeros(len(members))
    key = stream_keys(seed, replicate, replicate + 1, POSITIVE)
    start = 0
    for size in sizes.tolist():
        steps = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(_STEP)
        rows = _scale(_mix(key + steps), size).view(np.int64)
        times[members[start : start + size]] = np.bincount(rows, minlength=size)
        key, start = key + np.uint64(size * _STEP & _ALL_BITS), start + size
    return times


def stream_keys(seed: int, first: int, last: int, kind: int) -> Words:
    """Where the generator of one class starts in each replicate.

    Examples
    --------
    >>> stream_keys(1, 2, 3, POSITIVE) != stream_keys(2, 1, 2, POSITIVE)
    array([ True])
    """
    start = _mix(np.array([(seed + _STEP) & _ALL_BITS], np.uint64))
    numbers = 2 * np.arange(first, last, dtype=np.uint64) + np.uint64(kind + 1)
    return _mix(start + numbers * np.uint64(_STEP))


def _mix(state: Words) -> Words:
    """Scramble the states in place; their upper and lower bits come to depend on each other."""
    shifted = state >> np.uint64(30)
    state ^= shifted
    state *= np.uint64(0xBF58476D1CE4E5B9)
    state ^= np.right_shift(state, np.uint64(27), out=shifted)
    state *= np.uint64(0x94D049BB133111EB)
    state ^= np.right_shift(state, np.uint64(31), out=shifted)
    return state


def _scale(words: Words, size: int) -> Words:
    """Upper 64 bits of words * size, in place; for size < 2**32 nothing leaves 64 bits."""
    half, factor = np.uint64(32), np.uint64(size)
    carried = words & np.uint64(0xFFFFFFFF)
    carried *= factor
    carried >>= half
    words >>= half
    words *= factor
    words += carried
    words >>= half
    return words


def row_amounts(rows: tables.SignedRows, times: Counts | Floats) -> tuple[Floats, Floats]:
    """Positives and negatives at each score where unit u is there times[b, u] times.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False, True]), np.array([0, 2]), None, None)
    >>> [part.tolist() for part in row_amounts(rows, np.array([[1, 2, 3]]))]
    [[[1.0, 3.0]], [[2.0, 0.0]]]
    """
    tables.check_times(rows, times)
    held = times[:, rows.units] * rows.weights
    pos, neg = (
        np.add.reduceat(np.maximum(part, 0.0), rows.starts[:-1], axis=1) for part in (held, -held)
    )
    return pos, neg
