"""Moments of resampled losses, and running sums of signed steps for sign-flip tests."""

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Ranks, Signs
from rocwise.kernels.resample import Units, multiplicities
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.threads import even_chunks, run_tasks, thread_limit

_losses = compiled_module("_losses")
STEPS_PER_THREAD = 1_000_000


def largest_heights(signs: Signs, rows: Ranks, steps: Signs, ends: Codes) -> Counts:
    """Largest |running sum of signs[rows] * steps| where `ends` is 1, for each line of signs."""
    if signs.ndim != 2 or not 0 <= rows.min() <= rows.max() < signs.shape[1]:
        raise ValueError(f"`signs` must be lines with an entry for each row; got {signs.shape}.")
    if not rows.shape == steps.shape == ends.shape:
        raise ValueError("`rows`, `steps` and `ends` must have one entry for each event.")
    if _losses is None:
        heights = np.cumsum(signs[:, rows] * steps, axis=1, dtype=np.int32)
        return np.asarray(np.abs(heights[:, np.flatnonzero(ends)]).max(axis=1), np.int64)
    signs = np.ascontiguousarray(signs, np.int8)
    events = (
        np.ascontiguousarray(rows, np.int32),
        np.ascontiguousarray(steps, np.int8),
        np.ascontiguousarray(ends, np.uint8),
    )
    result = np.empty(len(signs), np.int64)
    threads = min(thread_limit(), 1 + len(signs) * len(rows) // STEPS_PER_THREAD)
    parts = even_chunks(len(signs), threads)
    run_tasks(_losses.largest_heights, [(signs[a:b], *events, result[a:b]) for a, b in parts])
    return result


def resampled_means(values: Floats, seed: int, first: int, last: int) -> tuple[Floats, Floats]:
    """Means of the values in resamples of all rows, and their standard errors."""
    n, center = len(values), float(np.mean(values))
    centered = np.asarray(values - center, np.float64)  # squares of what is far from 0 would cancel
    if _losses is None:
        times = multiplicities(Units(np.array([n])), seed, first, last).astype(np.float64)
        means, squares = (times @ np.stack([centered, centered**2], axis=1)).T / n
        return means + center, np.sqrt(np.maximum(squares - means**2, 0.0) / n)
    means, errors = np.empty(last - first), np.empty(last - first)
    threads = min(thread_limit(), 1 + n * (last - first) // STEPS_PER_THREAD)
    run_tasks(
        _losses.resampled_means,
        [
            (seed, first + a, first + b, centered, means[a:b], errors[a:b])
            for a, b in even_chunks(last - first, threads)
        ],
    )
    return means + center, errors
