"""Tests of the mean or median difference between the losses of two forecasters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.progress import Report
from rocwise.regression.rec_curves.losses import chain_starts

NO_SPREAD = 1e-12  # a variance this small beside that of single rows is rounding
CHUNK = 2_000_000  # rows drawn at a time, where what was drawn is stored
ROWS_AT_ONCE = 64_000_000  # elsewhere: a tenth of a second, several parts for each thread


@dataclass(frozen=True, slots=True)
class LossTest:
    """What a test of differences found; None where it is undefined, with the reason in `note`."""

    statistic: float | None
    p_value: float | None
    standard_error: float | None = None
    reach: float | None = None
    note: str | None = None


def signed_rank(differences: Floats, near: float) -> LossTest:
    """Wilcoxon's signed-rank test, rows without a difference left out."""
    from scipy.stats import wilcoxon

    if not differences.any():
        return LossTest(0.0, 1.0, note="all differences are 0")
    found = wilcoxon(_equal_made_identical(differences, near), zero_method="wilcox")
    return LossTest(float(found.statistic), float(found.pvalue))


def _equal_made_identical(differences: Floats, near: float) -> Floats:
    """0.3 - 0.2 and 0.2 - 0.1 must be tied: sizes that differ by rounding become one."""
    sizes = np.abs(differences)
    order = kernels.argsort(sizes)
    starts = chain_starts(sizes[order], near)
    merged = np.empty_like(sizes)
    merged[order] = sizes[order][starts][np.cumsum(starts) - 1]
    return np.copysign(merged, differences)


def diebold_mariano(differences: Floats, *, horizon: int, level: float, near: float) -> LossTest:
    """Diebold and Mariano's test in the form of Harvey, Leybourne and Newbold (1997) (C7)."""
    from scipy.special import stdtr, stdtrit

    n, h = len(differences), horizon
    if n < 2:
        raise InputError("`method` 'diebold-mariano' needs at least 2 rows; got 1.")
    if h >= n:
        raise InputError(f"`horizon` must be smaller than the {n} rows; got {shown(h)}.")
    mean = float(np.mean(differences))
    variance, single = _long_run_variance(differences - mean, h)
    if single <= near**2 or variance <= NO_SPREAD * single / n:
        return LossTest(None, None, note=_why_no_variance(single <= near**2, h, n))
    correction = (n + 1 - 2 * h + h * (h - 1) / n) / n
    error = math.sqrt(variance / correction)
    t = mean / error
    p = min(1.0, 2.0 * float(stdtr(n - 1, -abs(t))))
    return LossTest(t, p, error, float(stdtrit(n - 1, (1 + level) / 2)) * error)


def _long_run_variance(centred: Floats, h: int) -> tuple[float, float]:
    """Variance of the mean from autocovariances up to h - 1, and the variance of single rows."""
    n = len(centred)
    lags = [kernels.dot(centred[k:], centred[: n - k]) / n for k in range(h)]
    return (lags[0] + 2 * math.fsum(lags[1:])) / n, lags[0]


def _why_no_variance(constant: bool, h: int, n: int) -> str:
    if constant:
        return "no p value: the difference is the same on every row, so it has no spread"
    return (
        "no p value: the estimated long-run variance of the differences is not positive "
        f"(horizon {h}, {n} rows); take method='block-bootstrap' or a smaller horizon"
    )


def block_length(n: int, horizon: int) -> int:
    """Rows per block when none is given: the cube root of n, and at least the horizon."""
    n = checks.whole(n, "n", at_most=2**53)
    horizon = checks.whole(horizon, "horizon", at_most=2**53)
    return min(n, max(horizon, math.ceil(math.cbrt(n))))


def studentised_bootstrap(
    differences: Floats,
    *,
    block: int,
    level: float,
    near: float,
    n_resamples: int,
    seed: int,
    report: Report,
) -> LossTest:
    """Bootstrap of the mean difference in units of its own standard error, in circular blocks.

    With blocks of one row this is the bootstrap-t of independent rows.
    """
    n = len(differences)
    means = circular_block_means(differences, block)
    mean = float(np.mean(differences))
    error = float(np.sqrt(np.mean((means - mean) ** 2) * block / n))
    if error <= near:
        return LossTest(None, None, note=_why_no_variance(True, 1, n))
    n_blocks = math.ceil(n / block)
    sizes = []
    generator = np.random.default_rng(seed)
    at_once = max(1, (CHUNK if block > 1 else ROWS_AT_ONCE) // n_blocks)
    for start in range(0, n_resamples, at_once):
        count = min(at_once, n_resamples - start)
        if block == 1:
            centre, spread = kernels.resample_moments(means, seed, start, start + count)
        else:
            drawn = generator.integers(0, n, size=(count, n_blocks))
            centre, spread = kernels.drawn_moments(drawn, means)
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.abs(centre - mean) / spread
        # a resample of one value only says nothing about its own error: the widest answer
        sizes.append(np.where(spread > near, size, np.inf))
        report((start + count) / n_resamples)
    sorted_sizes = np.sort(np.concatenate(sizes))
    t = mean / error
    reached = n_resamples - int(np.searchsorted(sorted_sizes, abs(t) * (1 - 1e-12)))
    place = min(n_resamples - 1, math.ceil(level * (n_resamples + 1)) - 1)
    reach = float(sorted_sizes[place]) * error
    p = (reached + 1) / (n_resamples + 1)
    return LossTest(t, p, error, reach if math.isfinite(reach) else None)


def circular_block_means(values: Floats, block: int) -> Floats:
    """The mean of each run of `block` rows, the first rows following the last."""
    around = np.concatenate([values, values[: block - 1]])
    sums = np.cumsum(np.concatenate([[0.0], around]))
    return np.asarray((sums[block:] - sums[:-block]) / block)
