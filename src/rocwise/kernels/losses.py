"""Running sums of signed steps, for sign-flip tests of losses."""

import numpy as np

from rocwise.arrays import Codes, Counts, Ranks, Signs
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.threads import even_parts, run_parts, thread_limit

_losses = compiled_module("_losses")
STEPS_PER_THREAD = 1_000_000


def largest_heights(signs: Signs, rows: Ranks, steps: Signs, ends: Codes) -> Counts:
    """Largest |running sum of signs[rows] * steps| where `ends` is 1, for each line of signs.

    Examples
    --------
    >>> up, down = np.array([1, 1], np.int8), np.array([[1, -1]], np.int8)
    >>> largest_heights(down, np.array([0, 1], np.int32), up, np.array([1, 1], np.uint8)).tolist()
    [1]
    """
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
    parts = even_parts(len(signs), threads)
    run_parts(_losses.largest_heights, [(signs[a:b], *events, result[a:b]) for a, b in parts])
    return result
