"""Clusters of rows that were never in memory: sums over them in place of the rows of a tally."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocwise.data.mergeable.exact_sums import ClusterSums
from rocwise.data.tally_rows import TallyRows
from rocwise.errors import InputError
from rocwise.kernels import PlacementSums

NONE = np.empty(0, np.intp)
NONE.flags.writeable = False


class ClusteredSums(TallyRows):
    """What clusters add to the variance of an area; there are no rows to draw or to regroup.

    Attributes
    ----------
    sums : ClusterSums
        Sums of products over clusters, of one model.
    placed : PlacementSums
        Of all rows.
    """

    __slots__ = ("placed", "sums")
    placed: PlacementSums
    sums: ClusterSums

    def __init__(self, sums: ClusterSums, placed: PlacementSums) -> None:
        object.__setattr__(self, "sums", sums)
        object.__setattr__(self, "placed", placed)

    def __reduce__(self) -> Any:
        return ClusteredSums, (self.sums, self.placed)

    def products(self) -> tuple[float, float, float]:
        """Sums over clusters of V squared, U squared, and U V."""
        return self.sums.moved()

    def __len__(self) -> int:
        return self.placed.n_pos + self.placed.n_neg

    @property
    def n_rows(self) -> int:
        """Rows of the user's data."""
        return len(self)

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return self.sums.n_clusters

    def effective_sizes(self) -> tuple[float, float]:
        """Clusters with a positive, and with a negative."""
        return float(self.sums.with_pos), float(self.sums.with_neg)

    @property
    def clusters(self) -> Any:
        """Not None, since there are some."""
        return NONE

    def _refuse(self, *_given: Any) -> NoReturn:
        raise InputError(
            "this needs the clustered rows in memory, and `memory_limit` is too small for them. "
            "Raise it, or ask for the whole area by DeLong's method."
        )

    if not TYPE_CHECKING:  # their types are those of the rows that are not here
        amounts = left_out = joined = _refuse
        positive = starts = weights = counts = property(_refuse)
