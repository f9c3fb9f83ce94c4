"""Samples from populations with known true values.

Unless stated otherwise negatives are N(0, 1) and positives N(shift, sd**2), with the shift of the
given AUC.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[Any]
Rng = np.random.Generator
Sample = tuple[Array, Array]  # labels and scores
NORMAL = NormalDist()
STEEPNESS = 1.5  # of the log sampling probability over the score


def labels(n_pos: int, n_neg: int) -> Array:
    """Positives first."""
    return np.repeat([1, 0], [n_pos, n_neg])


def shift_of(auc: float, sd: float = 1.0) -> float:
    """Mean of the positives for an AUC."""
    return math.sqrt(1 + sd**2) * NORMAL.inv_cdf(auc)


def one_model(rng: Rng, n_pos: int, n_neg: int, auc: float, sd: float = 1.0) -> tuple[Array, Array]:
    """Labels and scores of one model."""
    y = labels(n_pos, n_neg)
    noise = rng.normal(size=len(y))
    return y, np.where(y == 1, shift_of(auc, sd) + sd * noise, noise)


def correlated_models(
    rng: Rng, n_pos: int, n_neg: int, aucs: tuple[float, ...], correlation: float
) -> tuple[Array, dict[str, Array]]:
    """Labels and scores of models with a common pairwise correlation."""
    y = labels(n_pos, n_neg)
    shared = math.sqrt(correlation) * rng.normal(size=len(y))
    own = math.sqrt(1 - correlation)
    return y, {
        f"model {k}": shared + own * rng.normal(size=len(y)) + shift_of(auc) * y
        for k, auc in enumerate(aucs)
    }


def ratings(scores: Array, count: int = 5) -> Array:
    """Scores in ordered categories (ties)."""
    return np.searchsorted(np.linspace(-1, 2.5, count - 1), scores).astype(float)


def auc_of_ratings(auc: float, count: int = 5) -> float:
    """AUC of the ordered categories: P(positive above) + P(tie) / 2."""
    edges = np.linspace(-1, 2.5, count - 1)
    neg = np.diff(special.ndtr(np.concatenate([[-np.inf], edges, [np.inf]])))
    pos = np.diff(special.ndtr(np.concatenate([[-np.inf], edges, [np.inf]]) - shift_of(auc)))
    below = np.cumsum(neg) - neg
    return float(pos @ (below + neg / 2))


def one_class_clusters(
    rng: Rng, n_pos: int, n_neg: int, size: int, models: int, auc: float
) -> tuple[Array, list[Array], Array]:
    """Labels, scores and clusters of one class; half of the variance is within clusters."""
    groups = np.repeat(np.arange(n_pos + n_neg), size)
    y = np.repeat(labels(n_pos, n_neg), size)
    scores = []
    for _ in range(models):
        shared = rng.normal(size=n_pos + n_neg)[groups]
        noise = (shared + rng.normal(size=len(y))) / math.sqrt(2)
        scores.append(noise + shift_of(auc) * y)
    return y, scores, groups


def sampled_by_score(
    rng: Rng, n_pos: int, n_neg: int, auc: float, heaviest: float
) -> tuple[Array, Array, Array]:
    """Labels, scores and inverse probability weights; high scores are sampled more often."""
    y = labels(n_pos, n_neg)
    found = []
    for shift, n in ((shift_of(auc), n_pos), (0.0, n_neg)):
        accepted = np.empty(0)
        while len(accepted) < n:
            candidates = rng.normal(size=8 * n) + shift
            accepted = np.append(
                accepted, candidates[rng.random(8 * n) < sampling_probability(candidates, heaviest)]
            )
        found.append(accepted[:n])
    scores = np.concatenate(found)
    return y, scores, 1 / sampling_probability(scores, heaviest)


def sampling_probability(scores: Array, heaviest: float) -> Array:
    """Sampling probability."""
    return np.clip(np.exp(STEEPNESS * (scores - 1.5)), 1 / heaviest, 1)


def calibrated(rng: Rng, n_groups: int, size: int) -> tuple[Array, Array, Array]:
    """Outcomes, calibrated probabilities and clusters; outcomes of a cluster are correlated."""
    groups = np.repeat(np.arange(n_groups), size)
    shared = rng.normal(size=(2, n_groups))[:, groups]
    own = rng.normal(size=(2, len(groups)))
    p = special.expit((shared[0] + own[0]) / math.sqrt(2))
    outcome = special.ndtr(math.sqrt(0.2) * shared[1] + math.sqrt(0.8) * own[1])
    return (outcome < p).astype(int), p, groups


def out_of_fold(rng: Rng, n: int, n_folds: int) -> tuple[Array, Array, Array, float]:
    """Labels, out-of-fold scores of linear discriminants, folds, and the mean true AUC."""
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 5)) + 0.5 * y[:, None]
    folds = rng.permutation(np.arange(n) // 2 % n_folds)[np.argsort(np.argsort(y))]
    scores, aucs = np.empty(n), []
    for fold in range(n_folds):
        train = folds != fold
        means = np.stack([X[train & (y == k)].mean(axis=0) for k in (0, 1)])
        centred = X[train] - means[y[train]]
        w = np.linalg.solve(centred.T @ centred, means[1] - means[0])
        scores[~train] = X[~train] @ w
        aucs.append(NORMAL.cdf(0.5 * w.sum() / math.sqrt(2 * w @ w)))
    return y, scores, folds, float(np.mean(aucs))


def classes(rng: Rng, sizes: tuple[int, ...], gap: float) -> tuple[Array, Array]:
    """Labels, and one score for each class that is higher for the true class."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    return y, rng.normal(size=(len(y), len(sizes))) + gap * np.eye(len(sizes))[y]


@cache
def volume(gap: float) -> float:
    """Volume under the surface of three normal classes `gap` apart."""
    x = np.linspace(-9, 9, 20_001)
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    return float(np.trapezoid(special.ndtr(x + gap) * special.ndtr(gap - x) * density, x))


@cache
def average_precision(auc: float, prevalence: float) -> float:
    """Average precision: the mean precision at the scores of positives."""
    shift = shift_of(auc)
    x = np.linspace(shift - 9, shift + 9, 20_001)
    density = np.exp(-((x - shift) ** 2) / 2) / math.sqrt(2 * math.pi)
    tp, fp = prevalence * special.ndtr(shift - x), (1 - prevalence) * special.ndtr(-x)
    return float(np.trapezoid(density * tp / (tp + fp), x))


def measures(sensitivity: float, specificity: float, prevalence: float) -> dict[str, float]:
    """Measures at an operating point."""
    tp, fn = prevalence * sensitivity, prevalence * (1 - sensitivity)
    tn, fp = (1 - prevalence) * specificity, (1 - prevalence) * (1 - specificity)
    return {
        "sensitivity": sensitivity,
        "specificity": specificity,
        "ppv": tp / (tp + fp),
        "npv": tn / (tn + fn),
        "accuracy": tp + tn,
        "f1": 2 * tp / (2 * tp + fp + fn),
        "lr_positive": sensitivity / (1 - specificity),
        "lr_negative": (1 - sensitivity) / specificity,
    }


def autoregressive(rng: Rng, n: int, coefficient: float) -> Array:
    """A stationary first-order autoregressive series."""
    noise = rng.normal(size=n + 100)
    found = np.empty(n + 100)
    found[0] = noise[0]
    for k in range(1, n + 100):
        found[k] = coefficient * found[k - 1] + noise[k]
    return found[100:]
