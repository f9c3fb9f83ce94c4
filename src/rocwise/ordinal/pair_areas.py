"""Averages of two-class areas over ordered classes (Waegeman, De Baets and Boullart, 2006).

Each measure is a weighted sum of the areas of all pairs of classes, a lower and a higher one.
"""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Floats
from rocwise.data.rankings import Ranking, placements


def pair_weights(measure: str, sizes: Floats) -> Floats:
    """Weight of each pair (lower, higher) of classes; they sum to 1 (B4, B5, B7)."""
    r = len(sizes)
    weights = np.zeros((r, r))
    upper = np.triu_indices(r, 1)
    if measure == "pairwise":
        weights[upper] = 2 / (r * (r - 1))
        return weights
    products = np.outer(sizes, sizes)
    if measure == "pairs":
        weights[upper] = products[upper] / products[upper].sum()
        return weights
    # consecutive: cut after each class; the pairs on both sides share one area
    below = np.cumsum(sizes)[:-1]
    per_cut = 1 / (below * (sizes.sum() - below))
    reach = np.concatenate([[0.0], np.cumsum(per_cut)])
    for i, j in zip(*upper, strict=True):
        weights[i, j] = products[i, j] / (r - 1) * (reach[j] - reach[i])
    return weights


def pair_areas(ranking: Ranking, ties: str) -> Floats:
    """Area of every pair: entry (i, j), i < j, is P(score of i < score of j), ties by credit."""
    counts = ranking.counts.astype(np.float64)  # whole numbers: exact up to 2**53 pairs
    half = counts if ties == "credit" else 0.0
    doubled_below = 2 * (np.cumsum(counts, axis=0) - counts) + half
    doubled = doubled_below.T @ counts
    return np.asarray(doubled / (2 * np.outer(ranking.sizes, ranking.sizes)))


def average_area(ranking: Ranking, measure: str, ties: str) -> float:
    """The measure."""
    weights = pair_weights(measure, ranking.sizes)
    total = float((weights * pair_areas(ranking, ties)).sum())
    return min(max(total, 0.0), 1.0)  # rounding may leave the range by a bit


def row_parts(ranking: Ranking, measure: str, ties: str) -> Floats:
    """For each row the weighted mean credit of its pairs: V of DeLong, weights taken as fixed.

    Rows of class k see lower classes below them and higher ones above; the mean of V over a class
    is the part of the measure that its pairs carry.
    """
    weights = pair_weights(measure, ranking.sizes)
    below, above = placements(ranking, ties)
    # column k: what a row of class k would see at each score
    seen = below @ weights + above @ weights.T
    return np.asarray(seen[ranking.group, ranking.codes])
