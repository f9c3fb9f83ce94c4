"""The interval of an area over a REC curve: of a mean of losses that are never negative."""

from __future__ import annotations

import math

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.results import Interval

METHOD = "t on the log scale"


def mean_interval(
    losses: Floats, weights: Floats | None, mean: float, level: float, block: int
) -> Interval | None:
    """Limits mean * exp(± t se / mean), which are positive and longer upwards, as losses are.

    None where the sample shows no spread. Rows in their order may depend on each other over
    `block` of them; the standard error is then that of overlapping means of so many rows.
    """
    level, n = checks.level(level), len(losses)
    block = checks.whole(block, "block", at_most=max(n // 2, 1))
    if block > 1 and weights is not None:
        raise InputError("`block` is for rows in their order; it does not go with weights.")
    error, df = _independent(losses, weights, mean) if block == 1 else _serial(losses, mean, block)
    if not mean > 0 or not error > 0:
        return None
    from scipy.stats import t

    reach = float(t.ppf((1 + level) / 2, df)) * error / mean
    words = f"{METHOD}, for {f'series, blocks of {block}' if block > 1 else 'independent errors'}"
    low, high = mean * math.exp(-reach), mean * math.exp(min(reach, 700.0))
    return Interval(low, high, level, words)


def _independent(losses: Floats, weights: Floats | None, mean: float) -> tuple[float, float]:
    """Standard error of the mean, and its degrees of freedom; rows are what was sampled."""
    held = np.ones(len(losses)) if weights is None else np.asarray(weights, np.float64)
    held, losses = held[held > 0], losses[held > 0]
    n = len(losses)
    if n < 2:
        return 0.0, 1.0
    scale = float(losses.max()) or 1.0
    parts = held / held.sum() * ((losses - mean) / scale)
    return scale * math.sqrt(n / (n - 1) * kernels.dot(parts, parts)), n - 1.0


def _serial(losses: Floats, mean: float, block: int) -> tuple[float, float]:
    """The same for a stationary series, by overlapping means of `block` rows (Meketon, Schmeiser).

    They have 3/2 of the degrees of freedom of means that do not overlap.
    """
    n = len(losses)
    scale = float(losses.max()) or 1.0
    sums = np.concatenate([[0.0], np.cumsum(losses / scale)])
    gaps = (sums[block:] - sums[:-block]) / block - mean / scale
    variance = block / ((n - block + 1) * (n - block)) * kernels.dot(gaps, gaps)
    return scale * math.sqrt(variance), max(1.5 * (n / block - 1), 1.0)
