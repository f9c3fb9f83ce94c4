"""Local linear regression of the labels on the predicted probabilities (loess, one pass)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Amounts, Floats
from rocwise.binary.calibration.binned_shares import binned
from rocwise.inference.intervals import normal_quantile

SPAN = 0.75  # share of the cases that each local fit looks at
GRID = 50
TOGETHER = 5  # places of the grid: weights of all scores stay in a near cache
MOST_SCORES = 2000  # more distinct ones are joined first; the fit does not see so far


class LocalFit(NamedTuple):
    """The fit with its limits over a grid of predictions, and at the scores for the mean error."""

    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    cases: Amounts
    mean_error: float


def local_fit(scores: Floats, pos: Amounts, neg: Amounts, level: float) -> LocalFit:
    """Tricube weights over the nearest cases, with limits by the sandwich of binomial variances."""
    size = len(scores) if len(scores) <= MOST_SCORES else MOST_SCORES
    shares = binned(scores, pos, neg, size, "quantile")
    grid = np.unique(np.linspace(shares.predicted[0], shares.predicted[-1], GRID))
    cases = shares.cases.astype(np.float64)
    widths = _widths(grid, shares.predicted, cases)
    rows = np.empty((len(grid), len(cases)))
    for first in range(0, len(grid), TOGETHER):
        some = slice(first, first + TOGETHER)
        rows[some] = _smoother_rows(grid[some], widths[some], shares.predicted, cases)
    fit = np.clip(np.einsum("ij,j->i", rows, shares.observed), 0.0, 1.0)
    at_scores = np.interp(shares.predicted, grid, fit)
    spread = at_scores * (1 - at_scores) / shares.cases
    reach = normal_quantile(level) * np.sqrt(np.einsum("ij,ij,j->i", rows, rows, spread))
    nearest = np.searchsorted((grid[1:] + grid[:-1]) / 2, shares.predicted)
    count = np.bincount(nearest, weights=shares.cases, minlength=len(grid))
    whole = count.astype(np.int64) if shares.cases.dtype.kind == "i" else count
    gaps = np.abs(at_scores - shares.predicted)
    return LocalFit(
        grid,
        fit,
        np.clip(fit - reach, 0.0, 1.0),
        np.clip(fit + reach, 0.0, 1.0),
        whole,
        float(shares.cases @ gaps / shares.cases.sum()),
    )


def _smoother_rows(grid: Floats, widths: Floats, at: Floats, cases: Floats) -> Floats:
    """Weights by which the shares at all scores enter the fit at each place of a grid."""
    distance = np.abs(at - grid[:, None])
    distance /= widths[:, None]
    near = distance * distance
    near *= distance
    np.maximum(np.subtract(1.0, near, out=near), 0.0, out=near)
    kernel = np.multiply(cases, near, out=distance)
    kernel *= near
    kernel *= near
    total = kernel.sum(axis=1)
    centre = np.einsum("ij,j->i", kernel, at) / total
    away = np.subtract(at, centre[:, None], out=near)
    leaning = kernel * away
    spread = np.einsum("ij,ij->i", leaning, away)
    slope = np.zeros(len(grid))
    np.divide(total * (grid - centre), spread, out=slope, where=spread > 1e-12 * total)
    leaning *= slope[:, None]
    kernel += leaning
    kernel /= total[:, None]
    return np.asarray(kernel)


def _widths(grid: Floats, at: Floats, cases: Floats) -> Floats:
    """How far the nearest cases reach that the local fit at each place of the grid looks at.

    They lie between two of the rising scores: of all shortest stretches that hold enough of them,
    the one that reaches least far.
    """
    held = np.cumsum(cases)
    last = np.searchsorted(held, np.append(0.0, held[:-1]) + SPAN * held[-1])
    first = np.flatnonzero(last < len(held))
    ends = np.abs(at[[first, last[first]]] - grid[:, None, None])
    nearest: Floats = ends.max(axis=1).min(axis=1)
    return np.maximum(nearest * (1 + 1e-9), 1e-12)
