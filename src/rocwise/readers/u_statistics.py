"""Sums of products of kernels of two AUCs, their covariances, and AUCs pooled over readings.

The variances of pooled AUCs by U-statistics (Gallas et al. 2009) need no design: readers may read
any cases in any modality.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.binary.influence import kernel_products
from rocwise.data.readings import Readings
from rocwise.readers.mean_of_readers import Mean, Side


@dataclass(frozen=True, eq=False)
class PairSums:
    """Sums of products of the kernels of two cells, over pairs that each has read.

    `sums` and `counts` are (4, cells, cells): the same pair of cases, the same positive, the same
    negative, any two pairs.
    """

    areas: Floats  # of the cells
    sums: Floats
    counts: Floats

    @classmethod
    def of(cls, data: Readings) -> "PairSums":
        """From readings of cells with two cases of each class."""
        truth, read = data.truth, data.read
        # positives below and negatives above all others where not read: no kernel counts them
        scores = np.broadcast_to(np.where(truth, -1, read.size), read.shape).copy()
        scores[read] = np.unique(np.concatenate(data.found), return_inverse=True)[1]
        mask = truth.view(np.uint8)
        placed = np.stack([kernels.placements(mask, row) for row in scores])
        of_pos, of_neg = placed[:, truth] / 2, np.count_nonzero(truth) - placed[:, ~truth] / 2
        won, (M, N) = of_pos.sum(axis=1), data.sizes().T.astype(np.float64)
        m, n = (
            own @ own.T for own in (read[:, side].astype(np.float64) for side in (truth, ~truth))
        )
        sums = [kernel_products(mask, placed), of_pos @ of_pos.T, of_neg @ of_neg.T]
        counts = [m * n, m * np.outer(N, N), n * np.outer(M, M), np.outer(N * M, N * M)]
        return cls(won / (N * M), np.stack([*sums, np.outer(won, won)]), np.stack(counts))

    def disjoint(self) -> tuple[Floats, Floats]:
        """The same of pairs that share nothing more."""
        found = []
        for s1, s2, s3, s4 in (self.sums, self.counts):
            found.append(np.stack([s1, s2 - s1, s3 - s1, s4 - s2 - s3 + s1]))
        return found[0], found[1]

    def covariance(self, method: str) -> Floats:
        """The unbiased covariance of areas, or that of infinitely many stratified resamples."""
        (s1, s2, s3, s4), (n1, n2, n3, n4) = self.sums, self.counts
        if method == "unbiased":
            sums, counts = (each[3] for each in self.disjoint())
            return np.where(counts > 0, s4 / n4 - _ratios(sums, counts), 0.0)
        N, M = n2[0, 0] / n1[0, 0], n3[0, 0] / n1[0, 0]
        mean = s1 + (N - 1) / N * s2 + (M - 1) / M * s3 + (N - 1) * (M - 1) / (N * M) * s4
        return np.asarray(mean / (N * M) ** 2 - s4 / n4)


def _ratios(sums: Floats, counts: Floats) -> Floats:
    return np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)


def moments(sums: PairSums, first: Side, second: Side) -> tuple[Floats, Floats, Floats]:
    """M1..M8 of the cells of two modalities (or one twice), biased from all pairs, and c1..c8."""
    same = first.readers[:, None] == second.readers

    def split(each: Floats, rest: Floats) -> Floats:
        own = each[:, first.cells[:, None], second.cells]
        return np.concatenate([(own * same).sum(axis=(1, 2)), (own * rest).sum(axis=(1, 2))])

    disjoint, counted = (split(each, ~same) for each in sums.disjoint())
    whole, n_whole = (split(each, np.ones_like(same)) for each in (sums.sums, sums.counts))
    coefficients = counted / n_whole[7]
    coefficients[7] -= 1
    return _ratios(disjoint, counted), _ratios(whole, n_whole), coefficients


def pooled_mean(sums: PairSums, groups: Sequence[Side], method: str) -> Mean:
    """The pooled AUC of one modality, or the difference of two, with the df of Gallas (BDG)."""
    terms = [(1.0, moments(sums, own, own)) for own in groups]
    terms += [(-2.0, moments(sums, *pair)) for pair in combinations(groups, 2)]
    variance, g, parts = 0.0, np.zeros(3), np.zeros(3)
    for sign, (unbiased, plugged_in, c) in terms:
        variance += sign * float(c @ (plugged_in if method == "mle" else unbiased))
        # of the same negative, the same positive, the same reader
        own = np.array([c[[0, 2, 4, 6]].sum(), c[[0, 1, 4, 5]].sum(), c[:4].sum()])
        g += sign * (plugged_in[[6, 5, 3]] - plugged_in[7]) * (own > 0)
        parts = np.maximum(parts, own if sign > 0 else 0.0)
    pairs = [np.sqrt(np.diagonal(sums.counts[3])[own.cells]) for own in groups]
    means = [
        float(sums.areas[own.cells] @ n / n.sum()) for own, n in zip(groups, pairs, strict=True)
    ]
    f = np.maximum(np.round(1 / parts - 1), 1.0)
    squares = float((g**2 / f**3).sum())
    df = max(variance**2 / squares, float(f.min())) if squares > 0 else math.inf
    return Mean(means[0] - sum(means[1:]), variance, df, variance)
