"""Covariances, intervals and simultaneous tests of estimates from the influence values of rows."""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Flags, Floats
from rocwise.data.follow_ups import Controls, FollowUp
from rocwise.data.tally import effective_number
from rocwise.errors import InputError
from rocwise.inference.effective_sizes import NO_VARIANCE
from rocwise.inference.intervals import (
    logit_limits,
    newcombe_interval,
    normal_quantile,
)
from rocwise.inference.resampling import draws_of
from rocwise.inference.significance import NORMAL, Reference
from rocwise.inference.variance import covariance
from rocwise.kernels.resample import Units
from rocwise.progress import Report
from rocwise.results import Interval, ModelResults, Result

ResultT = TypeVar("ResultT")
FEWEST = 10  # cases, controls and events without a warning
ENOUGH = 30  # rows of a class from which on differences are referred to the normal
NO_ERRORS = "Wilson, no errors"
ROUNDING = 1e-9  # of limits, and of effective numbers of rows
DRAWS_AT_ONCE = 2**20
SAME_RANK = 1e-10  # of eigenvalues


class CensoredResult(Result):
    """A result about censored outcomes."""

    _larger = "an earlier event"


def covariance_of(f: FollowUp, U: Floats) -> Floats:
    """Covariance matrix (F8.8) of estimates with influence values U, (estimates, rows).

    U_k is the derivative of the estimate by the weight a_k, so that the variance is
    g / (g - 1) times the sum over clusters of (the sum of a_k U_k)^2, of g rows or clusters.
    """
    moved = np.atleast_2d(U) * (float(len(f)) if f.weights is None else len(f) * f.weights)
    return covariance([moved], clusters=None if f.clusters is None else [f.clusters]).total


def effective_rows(f: FollowUp, masses: Floats) -> float:
    """Kish's effective number of rows with these weights, and at most their clusters."""
    size = effective_number(float(masses.sum()), float(np.einsum("i,i", masses, masses)))
    if f.clusters is None:
        return size
    return min(size, float(kernels.n_distinct(f.clusters[masses > 0])))


def standard_error(f: FollowUp, U: Floats) -> float:
    """Standard error of one estimate; 0 where it is rounding."""
    variance = float(covariance_of(f, U)[0, 0])
    return math.sqrt(variance) if variance > NO_VARIANCE else 0.0


def reference_of(size: float, enough: float = FEWEST) -> Reference:
    """Student's t where the smaller class has few effective rows; normal where 0: unknown."""
    return Reference(max(size - 1, 1.0)) if 0.0 < size < enough else NORMAL


def unit_interval(
    value: float, error: float, sizes: tuple[float, float], level: float, method: str = "logit"
) -> Interval:
    """Interval of an area or a rate (F8.17); `sizes` are the effective numbers of both classes.

    Student's t takes the place of the normal distribution where a class has few rows. Without
    variance it is a score interval: Wilson's of as many cases as the smaller class has where the
    value is 0 or 1, otherwise Newcombe's.
    """
    if min(sizes) <= 1.0 or (error == 0.0 and 0.0 < value < 1.0):
        return newcombe_interval(value, *sizes, level)
    n = min(sizes)
    if error == 0.0 or not 0.0 < value < 1.0:
        edge = n / (n + normal_quantile(level) ** 2)
        return Interval(*((edge, 1.0) if value >= 0.5 else (0.0, 1.0 - edge)), level, NO_ERRORS)
    reach = reference_of(n).quantile(level) * error
    if method == "logit":
        return Interval(*logit_limits(value, reach), level, "logit")
    return Interval(max(value - reach, 0.0), min(value + reach, 1.0), level, "Wald")


def maxima(covariances: Floats, n_resamples: int, seed: int) -> Floats:
    """Draws of max |Z_k|, Z normal with the correlations of a covariance matrix (F8.18).

    Estimates without variance are left out.
    """
    variances = np.diag(covariances)
    kept = variances > NO_VARIANCE
    if not kept.any():
        return np.zeros(n_resamples)
    errors = np.sqrt(variances[kept])
    R = covariances[np.ix_(kept, kept)] / np.outer(errors, errors)
    values, vectors = np.linalg.eigh(R)
    some = values > SAME_RANK * values[-1]
    root = vectors[:, some] * np.sqrt(values[some])
    rng = np.random.default_rng(seed)
    step = max(1, DRAWS_AT_ONCE // len(R))
    found = [
        np.abs(rng.standard_normal((min(step, n_resamples - b), root.shape[1])) @ root.T).max(
            axis=1
        )
        for b in range(0, n_resamples, step)
    ]
    return np.concatenate(found)


def critical_value(covariances: Floats, level: float, n_resamples: int, seed: int) -> float:
    """The c with P(max |Z_k| <= c) = level (F8.18)."""
    if np.count_nonzero(np.diag(covariances) > NO_VARIANCE) <= 1:
        return normal_quantile(level)
    return float(np.quantile(maxima(covariances, n_resamples, seed), level))


def resampled_limits(
    f: FollowUp,
    times: Floats,
    controls: Controls,
    measured: Callable[[FollowUp], Any],
    known: tuple[Floats, Floats, Floats],
    level: float,
    *,
    seed: int,
    n_resamples: int,
    progress: bool | Report | None,
) -> tuple[Floats, Floats, Floats, Flags]:
    """Standard errors and percentile limits of statistics at horizons by resampling (F8.19).

    Rows, or whole clusters, are not sorted again: they get weights. Resamples without a case by the
    first horizon or a control at the last are drawn again. Statistics without variance, by the last
    value, have the `known` errors and limits.
    """
    members = f.order if f.clusters is None else f.clusters
    n_units = int(members.max()) + 1
    classes = np.zeros((2, n_units), np.bool_)
    classes[0, members[f.horizon(float(times.min())).case]] = True
    classes[1, members[f.horizon(float(times.max())).controls(controls)]] = True
    for name in f.names:
        f.rank(name)  # once for all resamples
    draws = draws_of(
        lambda own: measured(f.reweighted(own * f.a)),
        Units(np.array([n_units]), classes),
        members,
        n_resamples=n_resamples,
        seed=seed,
        cells=len(f) * len(times),
        progress=progress,
        title="bootstrap",
    )
    tail = (1 - level) / 2  # of the resamples in which a statistic is defined
    low, high = np.nanquantile(draws, [tail, 1 - tail], axis=0)
    found = np.nanstd(draws, axis=0, ddof=1), low, high
    wide = high - low > ROUNDING
    errors, low, high = (np.where(wide, *both) for both in zip(found, known, strict=True))
    return errors, low, high, wide


def by_score(f: FollowUp, compute: Callable[[str], ResultT]) -> ResultT | ModelResults[ResultT]:
    """The result of the only score, or one for each."""
    found = {name: compute(name) for name in f.names}
    return found[f.names[0]] if len(found) == 1 else ModelResults(results=found, origin=f.origin)


def checked_times(times: Any, function: str) -> Floats:
    """Horizons: finite numbers above 0, none of them twice."""
    if times is None:
        raise InputError(f"`{function}` needs `times`, one horizon or several.")
    found = np.atleast_1d(checks.numbers(times, "times", most=1))
    if not len(found):
        raise InputError("`times` is empty; at least one horizon is needed.")
    if found.min() <= 0:
        raise InputError(f"`times` must be above 0; got {found.min():g}.")
    values, counts = np.unique(found, return_counts=True)
    if counts.max() > 1:
        raise InputError(f"`times` has {values[counts > 1][0]:g} more than once.")
    return found
