"""Local linear regression of the labels on the predicted probabilities (loess, one pass)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Amounts, Floats
from rocwise.binary.calibration.binned_shares import binned
from rocwise.inference.intervals.interval_limits import normal_quantile

SPAN = 0.75  # share of the cases that each local fit looks at
GRID = 50
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
    rows = np.stack([_smoother_row(x, shares.predicted, shares.cases) for x in grid])
    fit = np.clip(rows @ shares.observed, 0.0, 1.0)
    at_scores = np.interp(shares.predicted, grid, fit)
    spread = at_scores * (1 - at_scores) / shares.cases
    reach = normal_quantile(level) * np.sqrt((rows**2) @ spread)
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


def _smoother_row(x: float, at: Floats, count: Amounts) -> Floats:
    """Weights by which the shares at all scores enter the fit at x."""
    distance = np.abs(at - x)
    order = np.argsort(distance)
    enough = np.searchsorted(np.cumsum(count[order]), SPAN * count.sum())
    width = max(float(distance[order[min(enough, len(at) - 1)]]) * (1 + 1e-9), 1e-12)
    kernel = count * np.maximum(1 - (distance / width) ** 3, 0.0) ** 3
    total = kernel.sum()
    centre = float(kernel @ at / total)
    spread = float(kernel @ (at - centre) ** 2)
    row = kernel / total
    if spread > 1e-12 * total:
        row = row + (x - centre) * kernel * (at - centre) / spread
    return np.asarray(row)
