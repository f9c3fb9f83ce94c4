"""May the scores of different folds be pooled? Each fold has a model, and a scale, of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Codes, Floats, Places


@dataclass(frozen=True, slots=True)
class PoolingGap:
    """How far the AUC of all scores together lies from the mean of the folds' AUCs.

    Attributes
    ----------
    pooled
        AUC over all pairs, those from different folds included.
    gap
        `pooled` minus the mean of the folds.
    standard_deviation
        Of the gap if the scores do not know their fold: over all ways to deal the cases of each
        class to the folds.
    """

    pooled: float
    gap: float
    standard_deviation: float


def pooling_gap(mask: Codes, scores: Floats, folds: Places, mean: float) -> PoolingGap:
    """Pooled AUC and its gap to `mean`, the mean of the folds' AUCs."""
    positive = mask == 1
    M, N = int(positive.sum()), int((~positive).sum())
    doubled = kernels.placements(mask, scores)
    placed = doubled[positive]
    A = int(placed.sum()) / (2 * M * N)
    of_positives = placed / (2 * N) - A
    of_negatives = 1 - doubled[~positive] / (2 * M) - A
    SM, SN = (kernels.dot(moved, moved) for moved in (of_positives, of_negatives))
    R = max(M * N * A * (1 - A) - _tied_pairs(mask, scores) / 4 - N * SM - M * SN, 0.0)
    variance = permutation_variance(
        SM, SN, R, np.bincount(folds[positive]), np.bincount(folds[~positive])
    )
    return PoolingGap(A, A - mean, float(np.sqrt(variance)))


def permutation_variance(SM: float, SN: float, R: float, m: Places, n: Places) -> float:
    """Variance of the mean of the folds' AUCs when cases are dealt to the folds by chance.

    The mean is sum_ij c_ij psi_ij with c_ij = 1/(K m_v n_v) for pairs within fold v. Splitting
    psi into positives, negatives and the rest (sums of squares SM, SN, R), and permuting the
    positives and the negatives, each part adds its own sum of squares times that of the weights.
    """
    K, M, N = len(m), int(m.sum()), int(n.sum())
    of_rows, of_columns = (1 / (K * K * m)).sum(), (1 / (K * K * n)).sum()
    inside = (1 / (K * K * m * n)).sum() - of_rows / N - of_columns / M + 1 / (M * N)
    return float(
        SM * (of_rows - 1 / M) / (M - 1)
        + SN * (of_columns - 1 / N) / (N - 1)
        + R * inside / ((M - 1) * (N - 1))
    )


def _tied_pairs(mask: Codes, scores: Floats) -> int:
    return kernels.merge_sums(*kernels.sort_classes(mask, scores)).ties
