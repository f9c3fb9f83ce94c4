"""Losses of forecasts, swapped between two models or drawn anew: numpy twins."""

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Halfwords, Ranks, Signs
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.blocks import counts_of_rows
from rocwise.kernels.plain.resampling import POSITIVE, row_counts

LANES = 16  # lines of signs that a line of words holds; `compiled/lanes.h` has it too
FROM = 16_384  # rows from which on moments are of rows drawn by blocks


def signed_sums(octets: Codes, values: Floats) -> Floats:
    """Sum of the values with the signs of each line: a bit each, set for plus, the highest first.

    Examples
    --------
    >>> signed_sums(np.array([[0b10000000], [0b11000000]], np.uint8), np.array([3.0, 1.0])).tolist()
    [2.0, 4.0]
    """
    refuse_nan(values, what="the values")
    refuse_other_octets(octets, len(values))
    signs = np.unpackbits(octets, axis=1, count=len(values)).view(np.int8)
    return np.asarray((2 * signs - 1) @ values, np.float64)


def refuse_other_octets(octets: Codes, values: int) -> None:
    """Refuse lines that have not a bit for each value.

    Examples
    --------
    >>> refuse_other_octets(np.zeros((5, 2), np.uint8), 9)
    """
    if octets.ndim != 2 or octets.shape[1] != -(-values // 8) or octets.dtype != np.uint8:
        raise ValueError(
            f"`octets` must be uint8 lines with a bit for each of {values} values; got "
            f"{octets.dtype} {octets.shape}."
        )


def largest_heights(signs: Signs, rows: Ranks, steps: Signs, ends: Codes) -> Counts:
    """Largest |running sum of signs[rows] * steps| where `ends` is 1, for each line of signs.

    Examples
    --------
    >>> up, down = np.array([1, 1], np.int8), np.array([[1, -1]], np.int8)
    >>> largest_heights(down, np.array([0, 1], np.int32), up, np.array([1, 1], np.uint8)).tolist()
    [1]
    """
    heights = np.cumsum(signs[:, rows] * steps, axis=1, dtype=np.int32)
    return np.asarray(np.abs(heights[:, np.flatnonzero(ends)]).max(axis=1), np.int64)


def swapped_heights(words: Halfwords, rows: Ranks, steps: Signs, ends: Codes) -> Counts:
    """The same for the 16 lines of signs in each line of words, a bit each, which is set for minus.

    Examples
    --------
    >>> up, words = np.array([1, 1], np.int8), np.array([[0, 1]], np.uint16)
    >>> told = words, np.array([0, 1], np.int32), up, np.array([1, 1], np.uint8)
    >>> swapped_heights(*told)[:2].tolist()
    [1, 2]
    """
    bits = (words[:, None, :] >> np.arange(LANES, dtype=np.uint16)[:, None]) & np.uint16(1)
    signs = (1 - 2 * bits.astype(np.int8)).reshape(-1, words.shape[1])
    return largest_heights(signs, rows, steps, ends)


def drawn_moments(drawn: Counts, values: Floats) -> tuple[Floats, Floats]:
    """Mean of the values drawn in each line, and the standard error of that mean.

    Examples
    --------
    >>> drawn_moments(np.array([[0, 1, 1, 0]]), np.array([1.0, 3.0]))
    (array([2.]), array([0.5]))
    """
    refuse_nan(values, what="the values")
    held = values[drawn]
    means = held.mean(axis=1)
    spreads = np.sqrt(np.mean((held - means[:, None]) ** 2, axis=1) / drawn.shape[1])
    return means, spreads


def resample_moments(values: Floats, seed: int, first: int, last: int) -> tuple[Floats, Floats]:
    """The same of resamples of all values, drawn as rows of a class: mean and standard error.

    Many rows are drawn by blocks: how many in each, then which, so that few random numbers and
    few places of memory are looked at.

    Examples
    --------
    >>> resample_moments(np.array([2.0, 2.0]), 1, 0, 1)
    (array([2.]), array([0.]))
    """
    refuse_nan(values, what="the values")
    single = np.array([len(values)])
    tables.check_replicates(single, single, seed, first, last)
    centre = float(np.mean(values))
    centred = values - centre
    means, spreads = np.empty(last - first), np.empty(last - first)
    for start, stop in tables.chunks(first, last, len(values)):
        times = _times(seed, start, stop, len(values)).astype(np.float64)
        mean = np.einsum("ij,j->i", times, centred) / len(values)
        squares = np.einsum("ij,j->i", times, centred**2) / len(values)
        means[start - first : stop - first] = mean + centre
        variances = np.maximum(squares - mean**2, 0.0)
        spreads[start - first : stop - first] = np.sqrt(variances / len(values))
    return means, spreads


def _times(seed: int, first: int, last: int, rows: int) -> Counts:
    """How often each row is drawn."""
    if rows < FROM:
        return np.asarray(row_counts(seed, first, last, POSITIVE, rows), np.int64)
    return counts_of_rows(seed, first, last, rows)


def largest_distances(counts: Counts, seed: int, first: int, last: int) -> Counts:
    """Largest distance, in rows, of resampled distributions from that of the data.

    `counts` has the rows at each distinct value, in ascending order.

    Examples
    --------
    >>> largest_distances(np.array([4]), 1, 0, 2).tolist()
    [0, 0]
    """
    tables.check_replicates(counts, counts, seed, first, last)
    upto = np.cumsum(counts)
    found = np.empty(last - first, np.int64)
    for start, stop in tables.chunks(first, last, int(upto[-1])):
        above = tables.cumulative(row_counts(seed, start, stop, POSITIVE, int(upto[-1])))
        found[start - first : stop - first] = np.abs(above[:, upto] - upto).max(axis=1)
    return found
