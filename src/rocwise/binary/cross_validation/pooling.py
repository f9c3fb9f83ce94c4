"""May the scores of different folds be pooled? Each fold has a model, and a scale, of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Codes, Floats, Places
from rocwise.kernels import PlacementSums


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


def pooling_gap(
    mask: Codes, scores: Floats, folds: Places, mean: float, sums: PlacementSums | None = None
) -> PoolingGap:
    """Pooled AUC and its gap to `mean`, the mean of the folds' AUCs; `sums` if they are known."""
    sums = pooled_sums(mask, scores) if sums is None else sums
    M, N = sums.n_pos, sums.n_neg
    A = sums.sum_u / (2 * M * N)
    # sums of squared deviations of row and column means of the pairs, as in DeLong's variance
    SM = (M * sums.sum_u2 - sums.sum_u**2) / (4 * N * N * M)
    SN = (N * sums.sum_v2 - sums.sum_v**2) / (4 * M * M * N)
    R = max(M * N * A * (1 - A) - sums.ties / 4 - N * SM - M * SN, 0.0)
    n, m = kernels.cluster_members(mask == 1, folds, int(folds.max()) + 1)
    return PoolingGap(A, A - mean, float(np.sqrt(permutation_variance(SM, SN, R, m, n))))


def pooled_sums(mask: Codes, scores: Floats) -> PlacementSums:
    """What the scores of all folds together say of the order of the classes."""
    return kernels.merge_sums(*kernels.sort_classes(mask, scores))


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
