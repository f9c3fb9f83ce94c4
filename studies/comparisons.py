"""Type I error of comparisons: Venkatraman's test, influence functions, cross-validation folds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np

import rocwise as rw

from .simulation import Counts, Proportion, Records, Study, markdown, proportions, rows_by_name

NORMAL = NormalDist()
LEVEL = 0.05


# Venkatraman's test with a marker in a few categories. Both markers have the same true curve: one
# is categorical, the other has the same distribution of categories and is uniform within each.

CATEGORIES = list(product((60, 200), (2, 3, 5, 10, 20)))  # observations, categories
TIES = ("midrank", "random")
PERMUTATIONS = 399


def two_markers(rng: np.random.Generator, n: int, levels: int) -> tuple[np.ndarray, ...]:
    """Labels, a continuous marker and a categorical one with the same (interpolated) curve."""
    y = (np.arange(n) < n // 2).astype(np.uint8)
    shared = rng.normal(size=n)
    edges = np.linspace(-1.5, 2.5, levels - 1)
    coarse, base = (
        np.digitize(y + 0.7 * shared + 0.7 * rng.normal(size=n), edges) for _ in range(2)
    )
    return y, base + rng.random(n), coarse.astype(float)


def coarse_markers(n: int, levels: int, samples: int) -> Counts:
    """Rejections by the treatment of ties, on the same samples."""
    found = Counts()
    for ties in TIES:
        rng = np.random.default_rng([n, levels])
        for sample in range(samples):
            y, fine, coarse = two_markers(rng, n, levels)
            options = {"ties": ties, "n_resamples": PERMUTATIONS, "rng": sample}
            markers = {"fine": fine, "coarse": coarse}
            result = rw.compare(y, markers, method="venkatraman", **options)
            found.add(ties, result.p_value <= LEVEL)
    return found


# Influence functions. Two models have equal curves and correlated scores.

SIZES = (300, 1_000, 3_000)
MAX_FPR = 0.1
POINT_SIZES = (100, 300, 1_000)
SHIFTS = {"calibrated": -1.1, "too low": -2.5, "too high": 0.5}  # of the logits


def partial_auc(n: int, samples: int) -> Counts:
    """Comparisons of partial AUCs with n negatives in the range and n positives."""
    rng, found = np.random.default_rng([7, n]), Counts()
    y = np.repeat([0, 1], [round(n / MAX_FPR), n])
    for _ in range(samples):
        shared = rng.normal(size=len(y))
        models = {name: shared + rng.normal(size=len(y)) + 1.5 * y for name in ("a", "b")}
        result = rw.compare(y, models, max_fpr=MAX_FPR, method="influence")
        found.add(f"{n:,}", result.p_value < LEVEL)
    return found


def smooth_auc(shift: str, n: int, samples: int) -> Counts:
    """Comparisons of the smAUC with n observations in each class, midpoint at, below, above 0.5."""
    rng, found = np.random.default_rng([11, n, list(SHIFTS).index(shift)]), Counts()
    y = np.repeat([0, 1], n)
    for _ in range(samples):
        shared = rng.normal(size=len(y)) + 1.5 * y
        logits = [1.5 * (shared + rng.normal(size=len(y))) + SHIFTS[shift] for _ in range(2)]
        models = {name: 1 / (1 + np.exp(-each)) for name, each in zip("ab", logits, strict=True)}
        result = rw.compare(y, models, statistic="smooth-auc", method="influence")
        found.add(f"{shift}, {n:,}", result.p_value < LEVEL)
    return found


def operating_points(given: str, n: int, samples: int) -> Counts:
    """Comparisons at a rate of 0.9 with n observations, a tenth of their class, beyond it."""
    rng, found = np.random.default_rng([13, n, len(given)]), Counts()
    y = np.repeat([0, 1], (10 * n, 2 * n) if given == "at_specificity" else (2 * n, 10 * n))
    for _ in range(samples):
        shared = rng.normal(size=len(y)) + 1.5 * y
        models = {name: shared + rng.normal(size=len(y)) for name in ("a", "b")}
        rate: dict[str, Any] = {given: 0.9}
        result = rw.compare(y, models, method="influence", **rate)
        found.add(f"{given}, {n:,}", result.p_value < LEVEL)
    return found


# Folds. Two linear discriminants use five features each, which are equally informative.

FOLDS = ((60, 5), (200, 5), (200, 10))  # observations and folds
FOLD_TESTS = {
    "corrected t": {},
    "influence": {"method": "influence"},
    "pooled DeLong": {"method": "delong"},
}


def folds(n: int, n_folds: int, samples: int) -> Counts:
    """Rejections, and coverage of the AUC difference of the fitted models."""
    found = Counts()
    for seed in range(samples):
        rng = np.random.default_rng([seed, 2])
        y = rng.permutation(np.arange(n) % 2)
        X = rng.normal(size=(n, 10)) + 0.35 * y[:, None]
        fold = rng.permutation(np.arange(n) // 2 % n_folds)[np.argsort(np.argsort(y))]
        scores, true = _discriminants(X, y, fold, n_folds)
        for name, options in FOLD_TESTS.items():
            result = rw.compare(y, scores, folds=fold, **options)
            place = f"{name}, {n} rows, {n_folds} folds"
            found.add(f"{place}: rejects", result.p_value < LEVEL)
            found.add(f"{place}: covers", result.interval.low <= true <= result.interval.high)
    return found


def _discriminants(X: Any, y: Any, fold: Any, n_folds: int) -> tuple[dict[str, Any], float]:
    """Out-of-fold scores of both, and the mean difference of the true AUCs of their models."""
    scores = {"first": np.empty(len(y)), "second": np.empty(len(y))}
    differences = []
    for number in range(n_folds):
        train, aucs = fold != number, []
        for name, columns in (("first", slice(0, 5)), ("second", slice(5, 10))):
            part = X[train, columns]
            means = [part[y[train] == k].mean(axis=0) for k in (0, 1)]
            centered = part - np.stack(means)[y[train]]
            w = np.linalg.solve(centered.T @ centered, means[1] - means[0])
            scores[name][~train] = X[~train, columns] @ w
            aucs.append(NORMAL.cdf(0.35 * w.sum() / np.sqrt(2 * w @ w)))
        differences.append(aucs[0] - aucs[1])
    return scores, float(np.mean(differences))


def _rejections(heads: Sequence[str], records: Sequence[Proportion], form: str = "{}") -> str:
    rows = []
    for one in records:
        first, *rest = one.quantity.split(", ")
        rows.append(
            [form.format(first), *rest, f"{100 * one.value:.1f}%", f"{100 * one.error:.1f}%"]
        )
    return markdown([*heads, "rejected at 5%", "standard error"], rows)


def tables(records: Records) -> dict[str, str]:
    """Type I error by test."""
    tests = [one.quantity.split(":")[0] for one in records["folds"][::2]]
    return {
        "coarse markers": markdown(
            ["n", "levels", *TIES], rows_by_name(CATEGORIES, records["coarse_markers"], "%")
        ),
        "partial comparisons": _rejections(["cases within the range"], records["partial_auc"]),
        "smooth comparisons": _rejections(
            ["scores", "cases of either class"], records["smooth_auc"]
        ),
        "point comparisons": _rejections(
            ["compared", "cases beyond the given rate"], records["operating_points"], "`{}=0.9`"
        ),
        "comparisons over folds": markdown(
            [
                "test, rows and folds",
                "type I error for equally good learning algorithms, %",
                "coverage of the difference between the fitted models, %",
            ],
            rows_by_name([(test,) for test in tests], records["folds"]),
        ),
    }


POINTS = list(product(("at_specificity", "at_sensitivity"), POINT_SIZES))
STUDY = Study(
    "comparisons",
    (
        proportions("coarse_markers", CATEGORIES, coarse_markers, samples=500, few=3),
        proportions("partial_auc", [(n,) for n in SIZES], partial_auc, samples=4000, few=3),
        proportions("smooth_auc", list(product(SHIFTS, SIZES)), smooth_auc, samples=2000, few=3),
        proportions("operating_points", POINTS, operating_points, samples=2000, few=3),
        proportions("folds", FOLDS, folds, samples=300, few=2),
    ),
    tables,
)
