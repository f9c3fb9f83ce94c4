"""Measures of ordered normal classes and of random rankings: expected and simulated values."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import rocwise as rw

MEASURES = ("volume", "consecutive", "pairwise")
ROWS, RUNS = 100, 20
Floats = NDArray[np.float64]


def expected(r: int, d: float) -> dict[str, float]:
    """Expected values of the measures for classes k ~ N(k d, 1) of equal size."""
    areas = {
        (low, high): float(ndtr((high - low) * d / np.sqrt(2)))
        for low, high in combinations(range(r), 2)
    }
    cuts = []
    for cut in range(1, r):
        pairs = [areas[low, high] for low in range(cut) for high in range(cut, r)]
        cuts.append(np.mean(pairs))
    return {
        "volume": _expected_volume(r, d),
        "consecutive": float(np.mean(cuts)),
        "pairwise": float(np.mean(list(areas.values()))),
    }


def _expected_volume(r: int, d: float, steps: int = 40_001) -> float:
    """P(X_1 < ... < X_r) by one cumulative (trapezoidal) integral per class."""
    x = np.linspace(-9.0, (r - 1) * d + 9.0, steps)
    inner = np.ones(steps)
    for k in range(r):
        density = np.exp(-0.5 * (x - k * d) ** 2) / np.sqrt(2 * np.pi) * inner
        inner = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2 * (x[1] - x[0]))])
    return float(inner[-1])


def simulated(r: int, d: float, *, runs: int = RUNS, seed: int = 1) -> Floats:
    """The measures in each run, (runs, measures)."""
    rng = np.random.default_rng([seed, r, round(100 * d)])
    y = np.repeat(np.arange(r), ROWS)
    results = []
    for _ in range(runs):
        f = y * d + rng.normal(size=len(y))
        results.append([rw.ordinal.auc(y, f, measure=name).value for name in MEASURES])
    return np.array(results)


def random_rankings(rankings: int, seed: int) -> Floats:
    """The three measures and the mean over pairs of observations, of random rankings."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(4), 50)
    results = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)  # some are below by chance
        for _ in range(rankings):
            f = rng.permutation(len(y))
            results.append([rw.ordinal.auc(y, f, measure=m).value for m in (*MEASURES, "pairs")])
    return np.array(results)
