"""Losses of forecasts with the compiled loops, lines shared out among the threads."""

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Halfwords, Ranks, Signs
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled import _losses
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.losses import LANES, refuse_other_octets
from rocwise.kernels.threads import run_parts


def signed_sums(octets: Codes, values: Floats, threads: int | None = None) -> Floats:
    """Compiled twin of `plain.losses.signed_sums`.

    Examples
    --------
    >>> signed_sums(np.array([[0b10000000], [0b11000000]], np.uint8), np.array([3.0, 1.0])).tolist()
    [2.0, 4.0]
    """
    refuse_nan(values, what="the values")
    refuse_other_octets(octets, len(values))
    octets, values = np.ascontiguousarray(octets), np.ascontiguousarray(values, np.float64)
    result = np.empty(len(octets))
    parts = replicate_parts(len(values), result, threads)
    run_parts(_losses.signed_sums, [(octets[a:b], values, result[a:b]) for a, b in parts])
    return result


def largest_heights(
    signs: Signs, rows: Ranks, steps: Signs, ends: Codes, threads: int | None = None
) -> Counts:
    """Compiled twin of `plain.losses.largest_heights`.

    Examples
    --------
    >>> up, down = np.array([1, 1], np.int8), np.array([[1, -1]], np.int8)
    >>> largest_heights(down, np.array([0, 1], np.int32), up, np.array([1, 1], np.uint8)).tolist()
    [1]
    """
    _refuse_other_shapes(signs, int(rows.max()) + 1)
    signs, told = np.ascontiguousarray(signs), _checked_events(rows, steps, ends)
    result = np.empty(len(signs), np.int64)
    parts = replicate_parts(len(rows), result, threads)
    run_parts(_losses.largest_heights, [(signs[a:b], *told, result[a:b]) for a, b in parts])
    return result


def swapped_heights(
    words: Halfwords, rows: Ranks, steps: Signs, ends: Codes, threads: int | None = None
) -> Counts:
    """Compiled twin of `plain.losses.swapped_heights`.

    Examples
    --------
    >>> up, words = np.array([1, 1], np.int8), np.array([[0, 1]], np.uint16)
    >>> told = words, np.array([0, 1], np.int32), up, np.array([1, 1], np.uint8)
    >>> swapped_heights(*told)[:2].tolist()
    [1, 2]
    """
    if words.dtype != np.uint16 or words.ndim != 2 or words.shape[1] <= int(rows.max()):
        raise ValueError(f"`words` must be uint16 lines of {int(rows.max()) + 1} or more.")
    words, told = np.ascontiguousarray(words), _checked_events(rows, steps, ends)
    result = np.empty((len(words), LANES), np.int64)
    parts = replicate_parts(LANES * len(rows), result, threads)
    run_parts(_losses.highest_of_words, [(words[a:b], *told, result[a:b]) for a, b in parts])
    return result.ravel()


def _checked_events(rows: Ranks, steps: Signs, ends: Codes) -> tuple[Ranks, Signs, Codes]:
    """Events as the loops read them."""
    if not rows.shape == steps.shape == ends.shape or rows.min() < 0:
        raise ValueError("`rows`, `steps` and `ends` must have one entry for each event.")
    return (
        np.ascontiguousarray(rows, np.int32),
        np.ascontiguousarray(steps, np.int8),
        np.ascontiguousarray(ends, np.uint8),
    )


def drawn_moments(
    drawn: Counts, values: Floats, threads: int | None = None
) -> tuple[Floats, Floats]:
    """Compiled twin of `plain.losses.drawn_moments`.

    Examples
    --------
    >>> drawn_moments(np.array([[0, 1, 1, 0]]), np.array([1.0, 3.0]))
    (array([2.]), array([0.5]))
    """
    refuse_nan(values, what="the values")
    if drawn.ndim != 2 or (drawn.size and not 0 <= drawn.min() <= drawn.max() < len(values)):
        raise ValueError(f"`drawn` must hold places from 0 to {len(values) - 1}, in lines.")
    drawn, values = np.ascontiguousarray(drawn, np.int64), np.ascontiguousarray(values, np.float64)
    means, spreads = np.empty(len(drawn)), np.empty(len(drawn))
    parts = replicate_parts(drawn.shape[1], means, threads)
    run_parts(
        _losses.drawn_moments, [(drawn[a:b], values, means[a:b], spreads[a:b]) for a, b in parts]
    )
    return means, spreads


def resample_moments(
    values: Floats, seed: int, first: int, last: int, threads: int | None = None
) -> tuple[Floats, Floats]:
    """Compiled twin of `plain.losses.resample_moments`.

    Examples
    --------
    >>> resample_moments(np.array([2.0, 2.0]), 1, 0, 1)
    (array([2.]), array([0.]))
    """
    refuse_nan(values, what="the values")
    single = np.array([len(values)])
    tables.check_replicates(single, single, seed, first, last)
    centre = float(np.mean(values))  # squares of what is far from 0 would cancel
    centred = np.asarray(values - centre, np.float64)
    means, spreads = np.empty(last - first), np.empty(last - first)
    parts = replicate_parts(len(values), means, threads)
    run_parts(
        _losses.resampled_moments,
        [(seed, first + a, first + b, centred, means[a:b], spreads[a:b]) for a, b in parts],
    )
    return means + centre, spreads


def largest_distances(
    counts: Counts, seed: int, first: int, last: int, threads: int | None = None
) -> Counts:
    """Compiled twin of `plain.losses.largest_distances`.

    Examples
    --------
    >>> largest_distances(np.array([4]), 1, 0, 2).tolist()
    [0, 0]
    """
    tables.check_replicates(counts, counts, seed, first, last)
    upto = np.cumsum(counts)
    result = np.empty(last - first, np.int64)
    parts = replicate_parts(int(upto[-1]), result, threads)
    run_parts(
        _losses.largest_distances,
        [(seed, first + a, first + b, upto, result[a:b]) for a, b in parts],
    )
    return result


def _refuse_other_shapes(signs: Signs, rows: int) -> None:
    if signs.ndim != 2 or signs.shape[-1] < rows or signs.dtype != np.int8:
        raise ValueError(f"`signs` must be int8 lines of {rows}; got {signs.dtype} {signs.shape}.")
