"""Pairs whose rows were never in memory: tallies of the models, and sums over the rows of all.

Enough for areas, their covariances and DeLong's tests; whatever needs the rows says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.data.mergeable.clustered_sums import NONE
from rocwise.data.mergeable.exact_sums import ClusterSums, PairSums
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.results import Origin


class SummedPairs(Pairs):
    """Models on the same rows, of which only sums are known.

    Attributes
    ----------
    sums : PairSums, ClusterSums or None
        Products of placements of the models, row by row or cluster by cluster; None for one model
        without clusters.
    """

    sums: PairSums | ClusterSums | None

    def __init__(
        self,
        tallies: Mapping[str, Tally],
        *,
        sums: PairSums | ClusterSums | None = None,
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

    def _made_of(self) -> dict[str, Any]:
        return {
            "tallies": self._tallies,
            "sums": self.sums,
            "origin": self.origin,
        }

    def tally(self, name: str) -> Tally:
        """The tally of one model."""
        if name not in self._tallies:
            self._refuse()
        return self._tallies[name]

    def covariance_roots(self) -> tuple[Floats, Floats, Floats]:
        """Areas, and two small matrices whose products with themselves are those of influences.

        Influences of positives are (u / 2N - A) / M, so that their products add up to
        (M * sum(u_a * u_b) - sum(u_a) * sum(u_b)) / (4 * N**2 * M**3), in whole numbers until
        the last step; negatives likewise.
        """
        sums = self.sums
        if sums is None:
            self._refuse()
        if isinstance(sums, ClusterSums):
            return _clustered_roots(sums)
        M, N = sums.n_pos, sums.n_neg
        areas = np.array([u / (2 * M * N) for u in sums.u])
        return areas, _root(sums.uu, sums.u, M, N), _root(sums.vv, sums.v, N, M)

    def cluster_counts(self) -> tuple[int, int, int]:
        """Clusters with a positive, with a negative, and all."""
        assert isinstance(self.sums, ClusterSums)
        return self.sums.with_pos, self.sums.with_neg, self.sums.n_clusters

    def _refuse(self) -> NoReturn:
        raise InputError(
            "this needs the rows of all models in memory, and `memory_limit` is too small for "
            "them. Raise it, take a sample of the rows, or ask for DeLong's method and whole areas."
        )

    @property
    def mask(self) -> Any:  # type: ignore[override]
        """Not known."""
        self._refuse()

    @property
    def placements(self) -> Any:
        """Not known."""
        self._refuse()

    def scores(self, name: str) -> Any:
        """Not known."""
        self._refuse()

    def rows(self, places: Places) -> Pairs:
        """Not known."""
        self._refuse()

    def select(self, names: Sequence[str]) -> Pairs:
        """One of one model; nothing else is known."""
        if list(names) != list(self.names):
            self._refuse()
        return self

    def __len__(self) -> int:
        return self.n_pos + self.n_neg


def _root(products: Sequence[Sequence[int]], sums: Sequence[int], own: int, other: int) -> Floats:
    """A matrix that times its transpose is that of the centred products."""
    scale = 4 * other**2 * own**3
    k = range(len(sums))
    return _rooted([[(own * products[a][b] - sums[a] * sums[b]) / scale for b in k] for a in k])


def _clustered_roots(sums: ClusterSums) -> tuple[Floats, Floats, Floats]:
    """Areas, and what stands for the sums V and U of each cluster: their products are the same."""
    k = range(sums.n_models)
    M, N, *placed = sums.totals
    areas = np.array([placed[a] / (2 * M * N) for a in k])
    VV, UU, UV = np.array([[sums.moved(a, b) for b in k] for a in k]).transpose(2, 0, 1)
    both = _rooted(np.block([[VV, UV.T], [UV, UU]]))
    return areas, both[: sums.n_models], both[sums.n_models :]


def _rooted(products: Any) -> Floats:
    """A matrix that times its transpose is this one."""
    centred = np.asarray(products)
    if len(centred) == 1:
        return np.asarray(np.sqrt(centred))
    values, vectors = np.linalg.eigh(centred)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
