"""Integer sums over rows that were never together in memory: of models, clusters and groups.

Each is made of parts (blocks of rows, of clusters, of groups) and joins by adding up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwise.arrays import Counts
from rocwise.kernels.plain.merging import exact_sum

Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PairSums:
    """Sums of products of the placements of several models on the same rows.

    Placements are doubled, as in `PlacementSums`: `u` of positives, `v` of negatives.

    Examples
    --------
    >>> mask = np.array([0, 1, 1], np.uint8)
    >>> PairSums.of_rows(mask, [np.array([1, 1, 2]), np.array([2, 2, 0])]).uu
    ((5, 2), (2, 4))
    """

    n_pos: int
    n_neg: int
    u: tuple[int, ...]
    v: tuple[int, ...]
    uu: Matrix
    vv: Matrix

    @classmethod
    def of_rows(cls, mask: Any, placements: list[Counts]) -> PairSums:
        """Of some of the rows, with the placements that they have among all rows."""
        positive = np.asarray(mask) == 1
        sums = []
        for own in (positive, ~positive):
            parts = [placed[own] for placed in placements]
            products = tuple(tuple(exact_sum(a, b) for b in parts) for a in parts)
            sums.append((tuple(map(exact_sum, parts)), products))
        (u, uu), (v, vv) = sums
        n_pos = int(np.count_nonzero(positive))
        return cls(n_pos, len(positive) - n_pos, u, v, uu, vv)

    def __add__(self, other: PairSums) -> PairSums:
        return PairSums(
            self.n_pos + other.n_pos,
            self.n_neg + other.n_neg,
            _added(self.u, other.u),
            _added(self.v, other.v),
            tuple(map(_added, self.uu, other.uu)),
            tuple(map(_added, self.vv, other.vv)),
        )


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """Sums over clusters of products of what each cluster holds.

    A cluster has `p` positives, whose placements by each of k models add up to `u`, and `n`
    negatives with `v`.

    Attributes
    ----------
    n_clusters, with_pos, with_neg : int
        Clusters; those with a positive; those with a negative.
    totals : tuple of int
        Sums of p, n, the k of u, the k of v.
    products : tuple of tuples of int
        Sums of the products of every two of them.
    """

    n_clusters: int
    with_pos: int
    with_neg: int
    totals: tuple[int, ...]
    products: Matrix

    @classmethod
    def of_clusters(
        cls, p: Counts, n: Counts, u: Sequence[Counts], v: Sequence[Counts]
    ) -> ClusterSums:
        """Of some of the clusters, each whole; `u` and `v` have one array for each model.

        >>> one, two, none = np.array([1, 1]), np.array([2, 1]), np.array([0, 1])
        >>> ClusterSums.of_clusters(one, none, [two], [none]).products[2][3]
        1
        """
        held = [p, n, *u, *v]
        products = tuple(tuple(exact_sum(one, other) for other in held) for one in held)
        totals = tuple(map(exact_sum, held))
        return cls(len(p), int(np.count_nonzero(p)), int(np.count_nonzero(n)), totals, products)

    @property
    def n_models(self) -> int:
        """Models that placed the rows."""
        return len(self.totals) // 2 - 1

    def only(self, model: int) -> ClusterSums:
        """The sums of one model."""
        kept = [0, 1, 2 + model, 2 + self.n_models + model]
        totals = tuple(self.totals[k] for k in kept)
        products = tuple(tuple(self.products[j][k] for k in kept) for j in kept)
        return replace(self, totals=totals, products=products)

    def moved(self, a: int = 0, b: int = 0) -> tuple[float, float, float]:
        """Sums over clusters of V_a V_b, U_a U_b and U_a V_b.

        V = (M * u - S * p) / (2 * N * M**2) is what a cluster's positives move the area, and
        U = (T * n - N * v) / (2 * N**2 * M) what its negatives do, with M, N, S and T the sums of
        all p, n, u and v; whole numbers until the last step.
        """
        k, of = self.n_models, self.products
        ua, ub, va, vb = 2 + a, 2 + b, 2 + k + a, 2 + k + b
        M, N, Sa, Sb, Ta, Tb = (self.totals[j] for j in (0, 1, ua, ub, va, vb))
        VV = M * M * of[ua][ub] - M * Sb * of[ua][0] - M * Sa * of[ub][0] + Sa * Sb * of[0][0]
        UU = Ta * Tb * of[1][1] - Ta * N * of[1][vb] - N * Tb * of[va][1] + N * N * of[va][vb]
        UV = Ta * M * of[1][ub] - Ta * Sb * of[1][0] - N * M * of[va][ub] + N * Sb * of[va][0]
        return VV / (4 * N**2 * M**4), UU / (4 * N**4 * M**2), UV / (4 * N**3 * M**3)

    def __add__(self, other: ClusterSums) -> ClusterSums:
        return ClusterSums(
            self.n_clusters + other.n_clusters,
            self.with_pos + other.with_pos,
            self.with_neg + other.with_neg,
            _added(self.totals, other.totals),
            tuple(map(_added, self.products, other.products)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class GroupSums:
    """The placement sums of each group of rows, as columns: millions of groups are few arrays.

    Attributes
    ----------
    groups : ndarray
        Names of the groups as the source holds them, sorted.
    columns : dict
        By the names of the fields of `PlacementSums`: int64, or Python integers where one of
        them needs more.
    """

    groups: Any
    columns: dict[str, Any]


def _added(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))
