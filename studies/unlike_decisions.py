"""Thresholds, windows and bands of weighted and clustered rows: how often they hold the truth.

``python -m studies.unlike_decisions`` counts what is missing and writes two tables of
`docs/guide/weights-and-clusters.md` (a minute of one core).
Populations are those of `unlike_rows`; errors of both kinds cost 1, no decision 0.3.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

import rocwise as rw

from .cells import Records
from .study import Asked, Study, crossed, hits_part, run
from .unlike_rows import (
    CLUSTER_SPREAD,
    CLUSTERS,
    EASY,
    HARD,
    ROWS,
    SHIFT,
    clustered,
    weighted,
)

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


def population(*size: int) -> tuple[Make, Densities]:
    """How rows are drawn, and their densities: clusters by number and size, or weighted rows."""
    if len(size) == 2:
        return lambda rng: clustered(rng, *size), densities_of_clusters()
    return lambda rng: weighted(rng, *size), densities_of_weights()


def held_by_intervals(*asked: int) -> Asked:
    """In how many samples the interval holds the truth."""
    *size, samples = asked
    make, densities = population(*size)
    truth = truth_of(densities)
    hits = dict.fromkeys(truth, 0)
    for seed in range(samples):
        found = intervals(make(np.random.default_rng([seed, 3])), seed)
        for name, true in truth.items():
            hits[name] += found[name].low <= true <= found[name].high
    return {name.replace("_", " "): (samples, int(hit)) for name, hit in hits.items()}


def held_by_bands(*asked: int) -> Asked:
    """In how many samples the band holds the whole true curve."""
    *size, samples = asked
    make, densities = population(*size)
    truth = curve_of(densities)
    hits = {
        name: 0
        for kind in KINDS
        for name in (f"`{kind}`", f"`{kind}`, ignoring weights and clusters")
    }
    for seed in range(samples):
        data = make(np.random.default_rng([seed, 4]))
        for kind in KINDS:
            for name, said in (
                (f"`{kind}`", described(data)),
                (f"`{kind}`, ignoring weights and clusters", {}),
            ):
                options = {"kind": kind, "level": LEVEL, "n_resamples": RESAMPLES, "rng": seed}
                hits[name] += rw.band(data["y"], data["s"], **said, **options).contains(truth)
    return {name: (samples, int(hit)) for name, hit in hits.items()}


def tables(records: Records) -> dict[str, str]:
    """Both tables by their marks."""
    heads = [f"{n} x {size}" for n, size in CLUSTERS] + [f"{n} rows" for n in ROWS]
    titles = {
        "decisions": "coverage of 95% intervals, %",
        "bands": "coverage of 90% bands, %",
    }
    return {f"weighted {k}": crossed(title, heads, records[k]) for k, title in titles.items()}


PLACES = [*CLUSTERS, *((n,) for n in ROWS)]
STUDY = Study(
    "unlike_decisions",
    (
        hits_part("decisions", PLACES, held_by_intervals, samples=80, few=2),
        hits_part("bands", PLACES, held_by_bands, samples=80, few=2),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
