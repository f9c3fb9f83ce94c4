"""Integer sums over rows that were never together in memory: of models, clusters and groups.

Each is made of parts (blocks of rows, of clusters, of groups) and joins by adding up.
"""

from __future__ import annotations

from dataclasses import dataclass
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

    A cluster has `p` positives with placements that add up to `u`, and `n` negatives with `v`.

    Attributes
    ----------
    n_clusters, with_pos, with_neg : int
        Clusters; those with a positive; those with a negative.
    uu, up, pp, vv, vn, nn, uv, un, pv, pn : int
        Sums of products over clusters.
    """

    n_clusters: int = 0
    with_pos: int = 0
    with_neg: int = 0
    uu: int = 0
    up: int = 0
    pp: int = 0
    vv: int = 0
    vn: int = 0
    nn: int = 0
    uv: int = 0
    un: int = 0
    pv: int = 0
    pn: int = 0

    @classmethod
    def of_clusters(cls, p: Counts, u: Counts, n: Counts, v: Counts) -> ClusterSums:
        """Of some of the clusters, each whole.

        >>> ClusterSums.of_clusters(*(np.array([k, 1]) for k in (1, 2, 0, 0))).uv
        1
        """
        held = {"p": p, "u": u, "n": n, "v": v}
        products = {
            a + b: exact_sum(held[a], held[b])
            for a, b in ("uu", "up", "pp", "vv", "vn", "nn", "uv", "un", "pv", "pn")
        }
        return cls(len(p), int(np.count_nonzero(p)), int(np.count_nonzero(n)), **products)

    def __add__(self, other: ClusterSums) -> ClusterSums:
        return ClusterSums(*(getattr(self, k) + getattr(other, k) for k in self.__slots__))


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
