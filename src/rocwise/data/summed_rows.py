"""Rows that were never in memory: exact sums over them in place of rows.

Sums over parts of the rows add up, so that files, threads and machines each sum their own part.
They suffice for AUCs, their covariances and DeLong's tests; everything else raises an error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocwise.arrays import Counts, Floats, Scores
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally, TallyRows
from rocwise.errors import InputError, MemoryLimitError
from rocwise.kernels import PlacementSums
from rocwise.kernels.ranks import exact_sum
from rocwise.results import Origin

NONE = np.empty(0, np.intp)
NONE.flags.writeable = False


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """Sums over clusters of products of their totals.

    A cluster has `p` positives, whose doubled placements by each of k models add up to `u`, and
    `n` negatives with `v`. Independent rows are clusters of one row each.
    """

    n_clusters: int  # clusters; those with a positive; those with a negative
    with_pos: int
    with_neg: int
    totals: tuple[int, ...]  # sums of p, n, the k of u, the k of v
    products: tuple[tuple[int, ...], ...]  # sums of the products of every two of them

    @classmethod
    def of_clusters(
        cls, p: Counts, n: Counts, u: Sequence[Counts], v: Sequence[Counts]
    ) -> "ClusterSums":
        """Of some of the clusters, each complete; `u` and `v` have one array for each model."""
        columns = [p, n, *u, *v]
        products = [[0] * len(columns) for _ in columns]
        for j, one in enumerate(columns):
            for k, other in enumerate(columns[: j + 1]):
                products[j][k] = products[k][j] = exact_sum(one, other)
        totals = tuple(map(exact_sum, columns))
        with_pos, with_neg = int(np.count_nonzero(p)), int(np.count_nonzero(n))
        return cls(len(p), with_pos, with_neg, totals, tuple(map(tuple, products)))

    @classmethod
    def of_rows(cls, mask: Any, placements: Sequence[Counts]) -> "ClusterSums":
        """Of independent rows, with the placement of each by every model."""
        p = np.asarray(mask).astype(np.int64)
        n = 1 - p
        return cls.of_clusters(p, n, [p * u for u in placements], [n * u for u in placements])

    @property
    def n_models(self) -> int:
        """Number of models."""
        return len(self.totals) // 2 - 1

    def only(self, model: int) -> "ClusterSums":
        """The sums of one model."""
        kept = [0, 1, 2 + model, 2 + self.n_models + model]
        totals = tuple(self.totals[k] for k in kept)
        products = tuple(tuple(self.products[j][k] for k in kept) for j in kept)
        return replace(self, totals=totals, products=products)

    def influence_products(self, a: int = 0, b: int = 0) -> tuple[float, float, float]:
        """Sums over clusters of V_a V_b, U_a U_b and U_a V_b.

        V = (M * u - S * p) / (2 * N * M**2) is the influence of a cluster's positives on the AUC,
        and U = (T * n - N * v) / (2 * N**2 * M) that of its negatives, with M, N, S and T the sums
        of all p, n, u and v; integers until the last step.
        """
        k, of = self.n_models, self.products
        ua, ub, va, vb = 2 + a, 2 + b, 2 + k + a, 2 + k + b
        M, N, Sa, Sb, Ta, Tb = (self.totals[j] for j in (0, 1, ua, ub, va, vb))
        VV = M * M * of[ua][ub] - M * Sb * of[ua][0] - M * Sa * of[ub][0] + Sa * Sb * of[0][0]
        UU = Ta * Tb * of[1][1] - Ta * N * of[1][vb] - N * Tb * of[va][1] + N * N * of[va][vb]
        UV = Ta * M * of[1][ub] - Ta * Sb * of[1][0] - N * M * of[va][ub] + N * Sb * of[va][0]
        return VV / (4 * N**2 * M**4), UU / (4 * N**4 * M**2), UV / (4 * N**3 * M**3)

    def __add__(self, other: "ClusterSums") -> "ClusterSums":
        return ClusterSums(
            self.n_clusters + other.n_clusters,
            self.with_pos + other.with_pos,
            self.with_neg + other.with_neg,
            _added(self.totals, other.totals),
            tuple(map(_added, self.products, other.products)),
        )


def _added(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class GroupTables:
    """Bins of the scores of each group: those of group k from `starts[k]` to `starts[k + 1]`."""

    starts: Counts
    scores: Scores  # lowest score of each bin, oriented, rising within a group
    pos: Counts
    neg: Counts


@dataclass(frozen=True, slots=True, eq=False)
class GroupSums:
    """The placement sums of each group of rows, as columns."""

    groups: Any  # names of the groups as in the source, sorted
    columns: dict[str, Any]  # the fields of `PlacementSums`, int64 or Python integers
    tables: GroupTables | None = None  # None: there is no room for bins of so many groups


class SummedTally(Tally):
    """One model of which only sums are known: the AUC and its variance, but no curve."""

    if not TYPE_CHECKING:

        @property
        def _curve(self) -> NoReturn:
            raise MemoryLimitError(
                "this needs the ROC curve of each group, and only sums for the full AUC are kept "
                "of this many groups and rows. Raise `memory_limit`, round the scores so that "
                "equal rows can be counted, or call the function for the rows of one group."
            )


class ClusteredSums(TallyRows):
    """Clusters of one model in place of the rows of a tally; there are no rows to resample."""

    __slots__ = ("placed", "sums")
    placed: PlacementSums  # of all rows
    sums: ClusterSums  # of one model

    def __init__(self, sums: ClusterSums, placed: PlacementSums) -> None:
        object.__setattr__(self, "sums", sums)
        object.__setattr__(self, "placed", placed)

    def __reduce__(self) -> Any:
        return ClusteredSums, (self.sums, self.placed)

    def products(self) -> tuple[float, float, float]:
        """Sums over clusters of V squared, U squared, and U V."""
        return self.sums.influence_products()

    def __len__(self) -> int:
        return self.placed.n_pos + self.placed.n_neg

    @property
    def n_rows(self) -> int:
        """Rows of the user's data."""
        return len(self)

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return self.sums.n_clusters

    def effective_sizes(self) -> tuple[float, float]:
        """Clusters with a positive, and with a negative."""
        return float(self.sums.with_pos), float(self.sums.with_neg)

    @property
    def clusters(self) -> Any:
        """Not None: the rows are clustered."""
        return NONE

    def _raise(self, *_given: Any) -> NoReturn:
        raise InputError(
            "this needs the clustered rows in memory, and `memory_limit` is too small for them. "
            "Raise it, or use DeLong's method for the full AUC."
        )

    if not TYPE_CHECKING:  # their types are those of the rows that are not here
        weights_by_class = left_out = joined = _raise
        positive = starts = weights = counts = property(_raise)


class SummedPairs(Pairs):
    """Models on the same rows, of which only sums are known."""

    sums: ClusterSums | None  # over clusters or rows; None: one model without clusters

    def __init__(
        self,
        tallies: Mapping[str, Tally],
        *,
        sums: ClusterSums | None = None,
        origin: Origin | None = None,
    ) -> None:
        first = next(iter(tallies.values()))
        self._set(
            names=tuple(tallies),
            groups=NONE if first.clustered else None,
            weights=None,
            origin=origin or first.origin,
            sums=sums,
            n_pos=int(first.n_pos),
            n_neg=int(first.n_neg),
            _tallies=dict(tallies),
        )

    def tally(self, name: str) -> Tally:
        """The tally of one model."""
        if name not in self._tallies:
            self._raise()
        return self._tallies[name]

    def influence_products(self) -> tuple[Floats, Floats, Floats, Floats]:
        """AUCs, and sums of the products V V', U U' and U V' of influences on them."""
        sums = self.sums
        if sums is None:
            self._raise()
        k = range(sums.n_models)
        M, N, *placed = sums.totals
        areas = np.array([placed[a] / (2 * M * N) for a in k])
        products = np.array([[sums.influence_products(a, b) for b in k] for a in k])
        VV, UU, UV = products.transpose(2, 0, 1)
        return areas, VV, UU, UV

    def cluster_counts(self) -> tuple[int, int, int]:
        """Clusters with a positive, with a negative, and all."""
        assert self.sums is not None
        return self.sums.with_pos, self.sums.with_neg, self.sums.n_clusters

    def _raise(self) -> NoReturn:
        raise InputError(
            "this needs the rows of all models in memory, and `memory_limit` is too small for "
            "them. Raise it, take a sample of the rows, or use DeLong's method for full AUCs."
        )

    if not TYPE_CHECKING:  # their types are those of the rows that are not here
        scores = rows = lambda self, _given: self._raise()
        mask = placements = property(_raise)

    def select(self, names: Sequence[str]) -> Pairs:
        """All models; an error for others."""
        if list(names) != list(self.names):
            self._raise()
        return self

    def __len__(self) -> int:
        return self.n_pos + self.n_neg
