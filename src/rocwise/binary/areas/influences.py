"""How much every row moves the areas of several models on the same rows.

The influence of a row is the centred mean of its comparisons with the other class, times its
weight over the class's total. Sums of their squares and products are DeLong's variances and
covariances; summed within clusters first, they are Obuchowski's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Codes, Floats, Places, Scores
from rocwise.data.mergeable.summed_pairs import SummedPairs
from rocwise.data.pairs import Pairs
from rocwise.errors import InputError
from rocwise.inference.class_spreads import CovarianceByClass
from rocwise.kernels.row_formulas import run_models


@dataclass(frozen=True, eq=False, slots=True)
class Influences:
    """Areas of k models, and the influence of every positive (k, M) and negative (k, N) row."""

    areas: Floats
    positives: Floats
    negatives: Floats


def influences(pairs: Pairs) -> Influences:
    """Areas and influences of all models."""
    if isinstance(pairs, SummedPairs):  # the rows were never here
        return Influences(*pairs.covariance_roots())
    if pairs.weights is None:
        return Influences(*kernels.placement_influences(pairs.placements, pairs.mask))
    rows = [_weighted(pairs.mask, pairs.scores(name), pairs.weights) for name in pairs.names]
    return Influences(
        np.array([row[0] for row in rows]),
        np.stack([row[1] for row in rows]),
        np.stack([row[2] for row in rows]),
    )


def _weighted(mask: Codes, scores: Scores, weights: Floats) -> tuple[float, Floats, Floats]:
    """Area and influences of one model with weights."""
    positive = mask == 1
    area, centred = weighted_placements(mask, scores, weights)
    moved = [weights[own] * centred[own] / weights[own].sum() for own in (positive, ~positive)]
    return area, moved[0], moved[1]


def weighted_placements(mask: Codes, scores: Scores, weights: Floats) -> tuple[float, Floats]:
    """Area with weights and, per row, its share of well-ordered pairs less the area.

    >>> area, centred = weighted_placements(
    ...     np.array([0, 0, 1]), np.array([1.0, 3.0, 2.0]), np.array([3.0, 1.0, 2.0])
    ... )
    >>> area, centred.tolist()
    (0.75, [0.25, -0.75, 0.0])
    """
    order = kernels.argsort(scores)
    ranked, weight = scores[order], weights[order]
    new = np.concatenate([[True], ranked[1:] != ranked[:-1]])
    first, group = np.flatnonzero(new), np.cumsum(new) - 1
    shares = np.empty(len(scores))
    for label in (0, 1):
        mass = np.add.reduceat(np.where(mask[order] == label, weight, 0.0), first)
        below = np.empty(len(scores))
        below[order] = ((np.cumsum(mass) - mass / 2) / mass.sum())[group]
        other = mask != label
        shares[other] = below[other] if label == 0 else 1 - below[other]
    w_pos = weights[mask == 1]
    area = min(
        kernels.dot(w_pos, shares[mask == 1]) / float(w_pos.sum()), 1.0
    )  # weights are rounded
    return area, shares - area


def covariance(pairs: Pairs, found: Influences) -> Floats:
    """DeLong's covariance matrix of the areas; cluster-robust when the pairs have groups."""
    return covariance_by_class(pairs, found).total


def covariance_by_class(pairs: Pairs, found: Influences) -> CovarianceByClass:
    """DeLong's covariance matrix of the areas and its parts.

    Independent rows: the two classes add, each with n / (n - 1) (F2.1), where n is Kish's
    effective number when there are weights. Clusters (Obuchowski 1997): influences are summed
    within clusters, and the two classes of one cluster covary.
    """
    if pairs.groups is not None:
        return _clustered(pairs, found)
    for count, name in ((pairs.n_pos, "positive"), (pairs.n_neg, "negative")):
        if count < 2:
            raise InputError(f"method='delong' needs at least two {name}s; got {count}.")
    n_pos, n_neg = (_effective(pairs, label) for label in (1, 0))
    squares = squared_influences(found)
    parts = n_pos / (n_pos - 1) * squares[0], n_neg / (n_neg - 1) * squares[1]
    return CovarianceByClass(parts[0] + parts[1], parts, (n_pos, n_neg))


def squared_influences(found: Influences) -> tuple[Floats, Floats]:
    """Sums of squares and products of the influences of all models: of positives, of negatives."""
    of_positives, of_negatives = run_models(
        lambda moved: np.dot(moved, moved.T),  # unlike `@` it lets another thread work meanwhile
        [(found.positives,), (found.negatives,)],
        rows=found.positives.shape[1],
    )
    return of_positives, of_negatives


def _effective(pairs: Pairs, label: int) -> float:
    if pairs.weights is None:
        return float(pairs.n_pos if label else pairs.n_neg)
    weights = pairs.weights[pairs.mask == label]
    return float(weights.sum() ** 2) / kernels.dot(weights, weights)


def _clustered(pairs: Pairs, found: Influences) -> CovarianceByClass:
    assert pairs.groups is not None
    if isinstance(pairs, SummedPairs):  # what clusters move was summed where the rows are
        V, U = found.positives, found.negatives
        I10, I01, n_groups = pairs.cluster_counts()
    else:
        positive = pairs.mask == 1
        n_groups = int(pairs.groups.max()) + 1
        V = _summed(found.positives, pairs.groups[positive], n_groups)
        U = _summed(found.negatives, pairs.groups[~positive], n_groups)
        I10 = kernels.numbers_used(pairs.groups[positive])
        I01 = kernels.numbers_used(pairs.groups[~positive])
    for count, name in ((I10, "a positive"), (I01, "a negative")):
        if count < 2:
            raise InputError(
                f"`groups` has {count} cluster with {name} row; at least two are needed."
            )
    parts = I10 / (I10 - 1) * (V @ V.T), I01 / (I01 - 1) * (U @ U.T)
    shared = n_groups / (n_groups - 1) * (U @ V.T + V @ U.T)
    sizes = min(float(I10), _effective(pairs, 1)), min(float(I01), _effective(pairs, 0))
    return CovarianceByClass(parts[0] + parts[1] + shared, parts, sizes)


def _summed(rows: Floats, groups: Places, n_groups: int) -> Floats:
    return np.stack([np.bincount(groups, weights=row, minlength=n_groups) for row in rows])
