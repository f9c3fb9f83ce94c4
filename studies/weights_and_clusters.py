"""Coverage with sample weights and clustered data: AUC, thresholds, reject regions and bands.

Clusters: the scores of a cluster share an effect, and nine in ten members share a class. Weights:
one case in five is difficult; difficult cases are sampled four times as often and have a quarter of
the weight. False positives and false negatives cost 1, abstention 0.3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import rocwise as rw

from .populations import NORMAL
from .simulation import Counts, Records, Study, markdown, proportions, rows_by_quantity

SHIFT, EASY, DIFFICULT = 1.0, 2.0, 0.2  # distance of the classes: clusters, easy, difficult cases
CLUSTER_SD = 0.8
CLUSTERS, ROWS = ((20, 5), (50, 4), (200, 3)), (60, 200, 600)
COSTS = rw.Costs(fp=1, fn=1, abstain=0.3)
LEVEL = 0.9  # of bands
FPR = np.linspace(0.0, 1.0, 1001)
X = np.linspace(-8.0, 10.0, 18001)
Densities = tuple[np.ndarray, np.ndarray]  # of negatives and positives at X
Data = dict[str, Any]  # y_true, y_score, and groups or sample_weight


def clustered(rng: np.random.Generator, n_clusters: int, size: int) -> Data:
    """Clusters with a common effect."""
    groups = np.repeat(np.arange(n_clusters), size)
    y = rng.permutation(np.arange(n_clusters) % 2)[groups] ^ (rng.random(len(groups)) < 0.1)
    effect = CLUSTER_SD * rng.normal(size=n_clusters)[groups]
    score = SHIFT * y + effect + rng.normal(size=len(groups))
    return {"y_true": y, "y_score": score, "groups": groups}


def weighted(rng: np.random.Generator, n: int) -> Data:
    """A sample with too many difficult cases, and the weights that correct for it."""
    difficult = rng.random(n) < 0.5  # 1/5 of the population, four times as likely
    y = rng.integers(0, 2, n)
    score = np.where(difficult, DIFFICULT, EASY) * y + rng.normal(size=n)
    return {"y_true": y, "y_score": score, "sample_weight": np.where(difficult, 0.25, 1.0)}


def _normal(mean: float, variance: float = 1.0) -> np.ndarray:
    return np.exp(-((X - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)


def population(*size: int) -> tuple[Callable[[np.random.Generator], Data], Densities, float]:
    """Sampling function, densities and true AUC: of clusters by number and size, or of n rows."""
    if len(size) == 2:
        variance = 1 + CLUSTER_SD**2
        auc = NORMAL.cdf(SHIFT / np.sqrt(2 * variance))
        densities = _normal(0.0, variance), _normal(SHIFT, variance)
        return lambda rng: clustered(rng, *size), densities, auc
    easy, difficult = (NORMAL.cdf(shift / np.sqrt(2)) for shift in (EASY, DIFFICULT))
    densities = _normal(0.0), 0.8 * _normal(EASY) + 0.2 * _normal(DIFFICULT)
    return lambda rng: weighted(rng, *size), densities, 0.8 * easy + 0.2 * difficult


def aucs(*design: int) -> Counts:
    """Intervals of the AUC, with and without the clusters or weights."""
    *size, samples = design
    sample, _, truth = population(*size)
    found = Counts()
    for seed in range(samples):
        data = sample(np.random.default_rng([seed, 1]))
        rows = {"y_true": data["y_true"], "y_score": data["y_score"]}
        bootstrap = {"n_resamples": 500, "rng": seed}
        if "groups" in data:
            results = {
                "ignoring the clusters": rw.auc(**rows, method="delong"),
                "`auc`, default": rw.auc(**data),
                "cluster-robust DeLong": rw.auc(**data, method="delong"),
                "bootstrap of clusters": rw.bootstrap(**data, **bootstrap),
                "`ordinal.auc`, DeLong": rw.ordinal.auc(**data, method="delong"),
            }
        else:
            table = np.column_stack([-data["y_score"], data["y_score"]])
            results = {
                "weights ignored": rw.auc(**rows, method="delong"),
                "`auc`, default": rw.auc(**data),
                "weighted DeLong": rw.auc(**data, method="delong"),
                "bootstrap of weighted rows": rw.bootstrap(**data, **bootstrap),
                "`multiclass.auc`, DeLong": rw.multiclass.auc(
                    **data | {"y_score": table}, method="delong"
                ),
            }
        for name, result in results.items():
            found.add(name, result.interval.low <= truth <= result.interval.high)
    return found


def true_decisions(densities: Densities) -> dict[str, float]:
    """Best threshold, reject region of lowest cost and its cost at a prevalence of one half."""
    negative, positive = densities
    risk = positive / (positive + negative)
    least = np.minimum(np.minimum(risk, 1 - risk), COSTS.abstain)
    return {
        "threshold": float(X[np.searchsorted(risk, 0.5)]),
        "lower": float(X[np.searchsorted(risk, 0.3)]),
        "upper": float(X[np.searchsorted(risk, 0.7)]),
        "expected cost": float((least * (positive + negative) / 2).sum() * (X[1] - X[0])),
    }


def decisions(*design: int) -> Counts:
    """Intervals of a threshold, of the ends of a reject region and of its cost."""
    *size, samples = design
    sample, densities, _ = population(*size)
    found, truth = Counts(), true_decisions(densities)
    for seed in range(samples):
        data = rw.tally(**sample(np.random.default_rng([seed, 3])))
        bootstrap = {"n_resamples": 200, "rng": seed}
        chosen = rw.threshold(data, costs=rw.Costs(fp=1, fn=1), prevalence=0.5)
        region = rw.abstain(data, costs=COSTS, prevalence=0.5).uncertainty(**bootstrap)
        intervals = {
            "threshold": chosen.uncertainty(**bootstrap).interval,
            "lower": region.lower,
            "upper": region.upper,
            "expected cost": region.expected_cost,
        }
        for name, interval in intervals.items():
            found.add(name, interval.low <= truth[name] <= interval.high)
    return found


def true_curve(densities: Densities) -> tuple[np.ndarray, np.ndarray]:
    """The true ROC curve."""
    negative, positive = (np.cumsum(each[::-1]) * (X[1] - X[0]) for each in densities)
    tpr = np.interp(FPR, negative / negative[-1], positive / positive[-1])
    return FPR, np.concatenate([[0.0], tpr[1:-1], [1.0]])


def bands(*design: int) -> Counts:
    """Bands of the whole curve, with and without the clusters or weights."""
    *size, samples = design
    sample, densities, _ = population(*size)
    found, truth = Counts(), true_curve(densities)
    for seed in range(samples):
        data = sample(np.random.default_rng([seed, 4]))
        rows = {"y_true": data["y_true"], "y_score": data["y_score"]}
        for kind in ("simultaneous", "fixed-width"):
            options = {"kind": kind, "level": LEVEL, "n_resamples": 200, "rng": seed}
            names = f"`{kind}`", f"`{kind}`, ignoring weights and clusters"
            for name, given in zip(names, (data, rows), strict=True):
                found.add(name, rw.band(**given, **options).contains(truth))
    return found


def tables(records: Records) -> dict[str, str]:
    """A row for each quantity or method, a column for each design."""
    clusters, rows = [f"{n} x {size}" for n, size in CLUSTERS], [*map(str, ROWS)]
    both, title = [*clusters, *(f"{n} rows" for n in ROWS)], "coverage of 95% intervals, %"
    heads = {
        "clusters": ("clustered data", [f"{title}, clusters x rows", *clusters]),
        "weights": ("weighted data", [f"{title}, rows", *rows]),
        "decisions": ("weighted decisions", [title, *both]),
        "bands": ("weighted bands", ["coverage of 90% bands, %", *both]),
    }
    return {
        name: markdown(head, rows_by_quantity(records[part]))
        for part, (name, head) in heads.items()
    }


SETTINGS = [*CLUSTERS, *((n,) for n in ROWS)]
STUDY = Study(
    "weights_and_clusters",
    (
        proportions("clusters", CLUSTERS, aucs, samples=300, few=2),
        proportions("weights", [(n,) for n in ROWS], aucs, samples=300, few=2),
        proportions("decisions", SETTINGS, decisions, samples=80, few=2),
        proportions("bands", SETTINGS, bands, samples=80, few=2),
    ),
    tables,
)
