"""Thresholds, windows and bands of weighted and clustered rows: how often they hold the truth.

``python -m studies.unlike_decisions`` prints two tables of
`docs/explanation/weights-and-clusters.md` (four minutes of one core); ``--samples 20`` tries them.
Populations are those of `unlike_rows`; errors of both kinds cost 1, no decision 0.3.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

import rocwise as rw

from .unlike_rows import CLUSTER_SPREAD, EASY, HARD, SHIFT, clustered, row, weighted

NORMAL = NormalDist()
COSTS = rw.Costs(fp=1, fn=1, abstain=0.3)
RESAMPLES = 200
LEVEL = 0.9  # of bands
KINDS = ("simultaneous", "fixed-width")
FPR = np.linspace(0.0, 1.0, 1001)
X = np.linspace(-8.0, 10.0, 18001)
Densities = tuple[np.ndarray, np.ndarray]
Truth = dict[str, float]


def _normal(x: np.ndarray, mean: float, variance: float = 1.0) -> np.ndarray:
    return np.exp(-((x - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)


def densities_of_clusters() -> Densities:
    """Of the scores of negatives and positives."""
    variance = 1 + CLUSTER_SPREAD**2
    return _normal(X, 0.0, variance), _normal(X, SHIFT, variance)


def densities_of_weights() -> Densities:
    """The same for the population that weights stand for."""
    return _normal(X, 0.0), 0.8 * _normal(X, EASY) + 0.2 * _normal(X, HARD)


def truth_of(densities: Densities) -> Truth:
    """The best threshold, the window of least cost and its cost, half of the cases positive."""
    negative, positive = densities
    share = positive / (positive + negative)
    least = np.minimum(np.minimum(share, 1 - share), COSTS.abstain)
    step = X[1] - X[0]
    return {
        "threshold": float(X[np.searchsorted(share, 0.5)]),
        "lower": float(X[np.searchsorted(share, 0.3)]),
        "upper": float(X[np.searchsorted(share, 0.7)]),
        "expected_cost": float((least * (positive + negative) / 2).sum() * step),
    }


def curve_of(densities: Densities) -> tuple[np.ndarray, np.ndarray]:
    """The true curve at many rates."""
    negative, positive = (np.cumsum(each[::-1]) * (X[1] - X[0]) for each in densities)
    tpr = np.interp(FPR, negative / negative[-1], positive / positive[-1])
    return FPR, np.concatenate([[0.0], tpr[1:-1], [1.0]])


def described(data: dict[str, Any]) -> dict[str, Any]:
    """Rows with what is said about them, as arguments."""
    named = {"groups": data.get("groups"), "sample_weight": data.get("weights")}
    return {name: values for name, values in named.items() if values is not None}


def intervals(data: dict[str, Any], seed: int) -> dict[str, Any]:
    """Of the threshold, the ends of the window, and its cost."""
    drawn = {"n_resamples": RESAMPLES, "rng": seed}
    tally = rw.tally(data["y"], data["s"], **described(data))
    chosen = rw.threshold(tally, costs=rw.Costs(fp=1, fn=1), prevalence=0.5)
    window = rw.abstain(tally, costs=COSTS, prevalence=0.5).uncertainty(**drawn)
    return {
        "threshold": chosen.uncertainty(**drawn).interval,
        "lower": window.lower,
        "upper": window.upper,
        "expected_cost": window.expected_cost,
    }


Make = Callable[[np.random.Generator], dict[str, Any]]


def held_by_intervals(make: Make, truth: Truth, samples: int) -> dict[str, float]:
    """Share of the samples whose interval holds the truth."""
    hits = dict.fromkeys(truth, 0)
    for seed in range(samples):
        found = intervals(make(np.random.default_rng([seed, 3])), seed)
        for name, true in truth.items():
            hits[name] += found[name].low <= true <= found[name].high
    return {name: hit / samples for name, hit in hits.items()}


def held_by_bands(make: Make, truth: Any, samples: int) -> dict[str, float]:
    """Share of the samples whose band holds the whole true curve."""
    hits = {name: 0 for kind in KINDS for name in (f"`{kind}`", f"`{kind}`, rows taken for alike")}
    for seed in range(samples):
        data = make(np.random.default_rng([seed, 4]))
        for kind in KINDS:
            for name, said in (
                (f"`{kind}`", described(data)),
                (f"`{kind}`, rows taken for alike", {}),
            ):
                options = {"kind": kind, "level": LEVEL, "n_resamples": RESAMPLES, "rng": seed}
                hits[name] += rw.band(data["y"], data["s"], **said, **options).contains(truth)
    return {name: hit / samples for name, hit in hits.items()}


def main(samples: int) -> None:
    """Print the tables."""
    clusters = [
        lambda rng, size=size: clustered(rng, *size) for size in ((20, 5), (50, 4), (200, 3))
    ]
    rows = [lambda rng, n=n: weighted(rng, n) for n in (60, 200, 600)]
    asked: list[tuple[Callable[..., dict[str, float]], Callable[[Densities], Any], str]] = [
        (held_by_intervals, truth_of, "% of 95 % intervals that hold the truth"),
        (held_by_bands, curve_of, "% of 90 % bands that hold the true curve"),
    ]
    for count, known, title in asked:
        print(f"\n| {title} | 20 x 5 | 50 x 4 | 200 x 3 | 60 rows | 200 rows | 600 rows |")
        print(f"|---|{'---|' * 6}")
        columns = [count(make, known(densities_of_clusters()), samples) for make in clusters]
        columns += [count(make, known(densities_of_weights()), samples) for make in rows]
        for name in columns[0]:
            print(row(name.replace("_", " "), [column[name] for column in columns], samples))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=300)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.RocwiseWarning)
        main(parser.parse_args().samples)
