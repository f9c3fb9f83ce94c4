"""How often intervals of weighted and clustered rows hold the truth, and tests over folds reject.

``python -m studies.unlike_rows`` counts what is missing and writes three tables of
`docs/guide/weights-and-clusters.md` (a minute or two of one core).

Clusters: a cluster has an effect of its own on the scores of its members, of which nine in ten are
of one class.
Weights: of a population in which one case in five is hard to tell, hard cases are sampled four
times as often as others, and every row weighs the reciprocal.
Folds: two linear discriminants on different features, equally good in expectation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

import rocwise as rw

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Hits, Study, crossed, hits_part, run

NORMAL = NormalDist()
SHIFT, EASY, HARD = 1.0, 2.0, 0.2  # how far apart the classes are: clusters, easy and hard cases
CLUSTER_SPREAD = 0.8
CLUSTERS, ROWS = ((20, 5), (50, 4), (200, 3)), (60, 200, 600)
FOLDS = ((60, 5), (200, 5), (200, 10))  # rows and folds
Intervals = dict[str, tuple[float, float]]


def clustered(rng: np.random.Generator, n_clusters: int, size: int) -> dict[str, Any]:
    """Clusters of rows whose scores share an effect, and nine of ten of which share their class."""
    groups = np.repeat(np.arange(n_clusters), size)
    y = rng.permutation(np.arange(n_clusters) % 2)[groups] ^ (rng.random(len(groups)) < 0.1)
    effect = CLUSTER_SPREAD * rng.normal(size=n_clusters)[groups]
    return {"y": y, "s": SHIFT * y + effect + rng.normal(size=len(groups)), "groups": groups}


def area_of_clusters() -> float:
    """The true area: scores of two rows of different clusters."""
    return NORMAL.cdf(SHIFT / np.sqrt(2 * (1 + CLUSTER_SPREAD**2)))


def weighted(rng: np.random.Generator, n: int) -> dict[str, Any]:
    """Rows of which hard cases are four times too many, with weights that mend it."""
    hard = rng.random(n) < 0.5  # 1/5 of the population, 4 times as likely to be sampled
    y = rng.integers(0, 2, n)
    s = np.where(hard, HARD, EASY) * y + rng.normal(size=n)
    return {"y": y, "s": s, "weights": np.where(hard, 0.25, 1.0)}


def area_of_weights() -> float:
    """The true area of the population: a positive against a negative, whose score is normal."""
    easy, hard = (NORMAL.cdf(shift / np.sqrt(2)) for shift in (EASY, HARD))
    return 0.8 * easy + 0.2 * hard


def cluster_intervals(data: dict[str, Any], seed: int) -> Intervals:
    """Intervals of the area, with and without the clusters."""
    rows, groups = (data["y"], data["s"]), data["groups"]
    drawn = {"n_resamples": 500, "rng": seed}
    with_clusters = rw.ordinal.auc(*rows, groups=groups, method="delong").interval
    return {
        "ignoring the clusters": _ends(rw.auc(*rows, method="delong").interval),
        "`auc`, default": _ends(rw.auc(*rows, groups=groups).interval),
        "cluster-robust DeLong": _ends(rw.auc(*rows, groups=groups, method="delong").interval),
        "bootstrap of clusters": _ends(rw.bootstrap(*rows, groups=groups, **drawn).interval),
        "`ordinal.auc`, DeLong": _ends(with_clusters),
    }


def weight_intervals(data: dict[str, Any], seed: int) -> Intervals:
    """Intervals of the area, with and without the weights."""
    rows, weights = (data["y"], data["s"]), data["weights"]
    drawn = {"n_resamples": 500, "rng": seed}
    held = rw.bootstrap(*rows, sample_weight=weights, **drawn).interval
    table = np.column_stack([-rows[1], rows[1]])
    several = rw.multiclass.auc(rows[0], table, sample_weight=weights, method="delong")
    return {
        "weights ignored": _ends(rw.auc(*rows, method="delong").interval),
        "`auc`, default": _ends(rw.auc(*rows, sample_weight=weights).interval),
        "weighted DeLong": _ends(rw.auc(*rows, sample_weight=weights, method="delong").interval),
        "bootstrap of weighted rows": _ends(held),
        "`multiclass.auc`, DeLong": _ends(several.interval),
    }


def _ends(interval: Any) -> tuple[float, float]:
    return interval.low, interval.high


def coverage(
    make: Callable[[np.random.Generator], dict[str, Any]],
    ask: Callable[[dict[str, Any], int], Intervals],
    truth: float,
    samples: int,
) -> Asked:
    """In how many samples the interval holds the truth."""
    hits: dict[str, list[bool]] = {}
    for seed in range(samples):
        for name, (low, high) in ask(make(np.random.default_rng([seed, 1])), seed).items():
            hits.setdefault(name, []).append(low <= truth <= high)
    return {name: (samples, sum(each)) for name, each in hits.items()}


def held_by_clusters(n_clusters: int, size: int, samples: int) -> Asked:
    """Clusters of so many rows."""
    truth = area_of_clusters()
    return coverage(lambda rng: clustered(rng, n_clusters, size), cluster_intervals, truth, samples)


def held_by_weights(n: int, samples: int) -> Asked:
    """So many rows with weights."""
    return coverage(lambda rng: weighted(rng, n), weight_intervals, area_of_weights(), samples)


def fold_tests(n: int, n_folds: int, samples: int) -> Asked:
    """Rejections at 5%, and intervals that hold the difference of the trained models.

    Both discriminants see five features, and the features of both are equally good.
    """
    found: dict[str, list[bool]] = {}
    for seed in range(samples):
        rng = np.random.default_rng([seed, 2])
        y = rng.permutation(np.arange(n) % 2)
        X = rng.normal(size=(n, 10)) + 0.35 * y[:, None]
        folds = rng.permutation(np.arange(n) // 2 % n_folds)[np.argsort(np.argsort(y))]
        scores, true = _discriminants(X, y, folds, n_folds)
        for name, result in _compared(y, scores, folds):
            inside = result.interval.low <= true <= result.interval.high
            place = f"{name}, {n} rows, {n_folds} folds"
            found.setdefault(f"{place}: rejects", []).append(result.p_value < 0.05)
            found.setdefault(f"{place}: holds", []).append(inside)
    return {question: (samples, int(sum(each))) for question, each in found.items()}


def _compared(y: Any, scores: dict[str, Any], folds: Any) -> Iterator[tuple[str, Any]]:
    yield "corrected t", rw.compare(y, scores, folds=folds)
    yield "influence", rw.compare(y, scores, folds=folds, method="influence")
    yield "pooled DeLong", rw.compare(y, scores, folds=folds, method="delong")


def _discriminants(X: Any, y: Any, folds: Any, n_folds: int) -> tuple[dict[str, Any], float]:
    """Out-of-fold scores of both, and the mean difference of the areas that their models have."""
    scores = {"first": np.empty(len(y)), "second": np.empty(len(y))}
    gaps = []
    for fold in range(n_folds):
        train, areas = folds != fold, []
        for name, columns in (("first", slice(0, 5)), ("second", slice(5, 10))):
            part = X[train, columns]
            means = [part[y[train] == k].mean(axis=0) for k in (0, 1)]
            centred = part - np.stack(means)[y[train]]
            w = np.linalg.solve(centred.T @ centred, means[1] - means[0])
            scores[name][~train] = X[~train, columns] @ w
            areas.append(NORMAL.cdf(0.35 * w.sum() / np.sqrt(2 * w @ w)))
        gaps.append(areas[0] - areas[1])
    return scores, float(np.mean(gaps))


def fold_table(counts: Sequence[Hits]) -> str:
    """One row for each test, rows and folds."""
    heads = ["test, rows and folds", "type I error for equally good learning algorithms, %"]
    heads += ["coverage of the difference between the fitted models, %"]
    pairs = zip(counts[::2], counts[1::2], strict=True)
    rows = [[one.question.split(":")[0], one.percent, other.percent] for one, other in pairs]
    return markdown(heads, rows)


def tables(records: Records) -> dict[str, str]:
    """The three tables by their marks."""
    title = "coverage of 95% intervals, %"
    clusters = [f"{n} x {size}" for n, size in CLUSTERS]
    return {
        "clustered data": crossed(f"{title}, clusters x rows", clusters, records["clusters"]),
        "weighted data": crossed(f"{title}, rows", [*map(str, ROWS)], records["weights"]),
        "comparisons over folds": fold_table(records["folds"]),
    }


STUDY = Study(
    "unlike_rows",
    (
        hits_part("clusters", CLUSTERS, held_by_clusters, samples=300, few=2),
        hits_part("weights", [(n,) for n in ROWS], held_by_weights, samples=300, few=2),
        hits_part("folds", FOLDS, fold_tests, samples=300, few=2),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
