"""Intervals of any statistic from its resamples: BCa, and the studentised bootstrap-t."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Floats
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.intervals import bca_limits, deviation, rounding_of

BootstrapMethod = Literal["percentile", "bca", "bootstrap-t"]
BOOTSTRAP_METHODS: tuple[str, ...] = get_args(BootstrapMethod)
Reading = Callable[[Array, Array], Floats]  # a statistic of counts, one resample per row
MOST_BLOCKS = 200  # of cases left out together, where there are more distinct scores
INNER = 50  # resamples of a resample, for its standard error


def refuse_unlike_rows(data: Tally, method: str) -> None:
    """Both methods take cases for independent and alike."""
    if data.rows is not None:
        what = "clusters" if data.clustered else "weights"
        raise InputError(f"method={method!r} has no version with {what}; use method='percentile'.")


def bca_of(
    data: Tally, reading: Reading, value: float, values: Floats, level: float, seed: int
) -> tuple[float, float]:
    """BCa limits of any statistic, its acceleration by leaving out cases or blocks of them."""
    return bca_limits(values, value, acceleration_of(data, reading, value, seed), level)


def acceleration_of(data: Tally, reading: Reading, value: float, seed: int) -> float:
    """BCa's acceleration from the influence of every case, or of blocks, of both classes.

    Sums of the influences of blocks have the same second and third moments, all together, as those
    of single cases.
    """
    influences = []
    for label, counts in ((1, data.pos), (0, data.neg)):
        size = int(counts.sum())
        left_out, times = _left_out(counts, np.random.default_rng([seed, label]))
        rest = counts[None, :] - left_out
        other = np.broadcast_to(data.neg if label else data.pos, rest.shape)
        found = reading(rest, other) if label else reading(other, rest)
        moved = (size - left_out.sum(axis=1)) * (value - found) / size
        influences.append((times, moved - kernels.dot(times, moved) / times.sum()))
    largest = max(float(np.abs(moved).max()) for _, moved in influences)
    if largest == 0:
        return 0.0
    exponent = math.frexp(largest)[1]  # the unit makes no difference, but cubes might overflow
    scaled = [(times, np.ldexp(moved, -exponent)) for times, moved in influences]
    cubes, squares = (sum(kernels.dot(times, moved**k) for times, moved in scaled) for k in (3, 2))
    return float(cubes / (6 * squares**1.5))


def _left_out(counts: Counts, rng: np.random.Generator) -> tuple[Counts, Counts]:
    """Rows of counts to leave out, and how many such rows each stands for."""
    present = np.flatnonzero(counts)
    size = int(counts.sum())
    if size < 2:
        return np.zeros((1, len(counts)), np.int64), np.ones(1, np.int64)
    if len(present) <= MOST_BLOCKS:
        rows = np.zeros((len(present), len(counts)), np.int64)
        rows[np.arange(len(present)), present] = 1
        return rows, counts[present]
    rows = np.zeros((MOST_BLOCKS, len(counts)), np.int64)
    cases = np.repeat(present, counts[present])
    np.add.at(rows, (rng.permutation(size) % MOST_BLOCKS, cases), 1)
    return rows, np.ones(MOST_BLOCKS, np.int64)


def bootstrap_t_of(
    data: Tally,
    reading: Reading,
    value: float,
    values: Floats,
    level: float,
    seed: int,
    *,
    is_share: bool,
) -> tuple[float, float]:
    """Limits from the distribution of (resampled value - value) / its own standard error.

    The error of a resample is that of resamples of it. Shares between 0 and 1 are taken on the
    scale of the arcsine of their root, which keeps the limits in their range.
    """
    turn, back = (_arcsine, _share) if is_share else (_same, _same)
    ratios, silent = np.empty(len(values)), 0
    no_spread = rounding_of(values)
    turned = turn(values)
    centre = float(turn(np.array([value]))[0])
    for draw in range(len(values)):
        pos, neg = kernels.resample_counts(data.pos, data.neg, seed, draw, draw + 1)
        own = int(np.random.SeedSequence([seed, draw]).generate_state(1, np.uint64)[0] >> 1)
        inner = reading(*kernels.resample_counts(pos[0], neg[0], own, 0, INNER))
        # looked at before they are turned: near 1 the arcsine makes 1e-8 of a rounding error
        is_silent = not np.ptp(inner) > no_spread
        silent += is_silent
        error = deviation(turn(inner))
        ratios[draw] = 0.0 if is_silent else (float(turned[draw]) - centre) / error
    tail = (1 - level) / 2
    if silent > tail * len(values):  # ratios that nobody knows would decide the limits
        raise InputError(
            f"method='bootstrap-t' is undefined here: {silent:,} of {len(values):,} resamples show "
            "no spread of their own. Use method='percentile'."
        )
    low, high = np.quantile(ratios, [tail, 1 - tail], method="inverted_cdf")
    spread = deviation(turned)
    found = back(np.array([centre - high * spread, centre - low * spread]))
    return float(found[0]), float(found[1])


def _same(values: Floats) -> Floats:
    return values


def _arcsine(values: Floats) -> Floats:
    return np.asarray(np.arcsin(np.sqrt(np.clip(values, 0.0, 1.0))))


def _share(angles: Floats) -> Floats:
    return np.asarray(np.sin(np.clip(angles, 0.0, np.pi / 2)) ** 2)
