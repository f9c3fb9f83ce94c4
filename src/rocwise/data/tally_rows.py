"""The rows behind a tally, where they are not all alike: with weights, or in clusters.

Values need no more than the table. Resampling does: it draws rows, each with its weight, or whole
clusters of them, and the table no longer knows which weight was whose.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Flags, Floats, Places
from rocwise.results import read_only


@dataclass(frozen=True, slots=True, eq=False)
class TallyRows:
    """Rows from the most positive score down; rows of weight 0 are none.

    Attributes
    ----------
    positive : ndarray of bool
        Whether each row is positive.
    starts : ndarray of int
        Where each distinct score starts.
    weights : ndarray of float or None
        Weight of each row; None: 1 each.
    counts : ndarray of int or None
        How many rows of the user's data each stands for; None: one each.
    clusters : ndarray of int or None
        Number of the cluster of each row, from 0 in the order of their first rows.
    n_clusters : int or None
        How many clusters there are; None without clusters.

    Examples
    --------
    >>> rows = TallyRows(np.array([True, False, True]), np.array([0, 2]), np.array([2.0, 1.0, 3.0]))
    >>> len(rows), rows.effective_sizes()
    (3, (1.9230769230769231, 1.0))
    """

    positive: Flags
    starts: Places
    weights: Floats | None = None
    counts: Counts | None = None
    clusters: Places | None = None
    n_clusters: int | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("positive", "starts", "weights", "counts", "clusters"):
            array = getattr(self, name)
            if array is not None:
                object.__setattr__(self, name, read_only(array))
        number = None if self.clusters is None else int(self.clusters.max()) + 1
        object.__setattr__(self, "n_clusters", number)

    def __len__(self) -> int:
        return len(self.positive)

    @property
    def n_rows(self) -> int:
        """Rows of the user's data."""
        return len(self) if self.counts is None else int(self.counts.sum())

    def effective_sizes(self) -> tuple[float, float]:
        """How many equal, independent rows of each class would be as informative, at most.

        Kish's (sum w)^2 / sum w^2, and no more than there are clusters with rows of the class.
        """
        found = []
        for own in (self.positive, ~self.positive):
            size = float(np.count_nonzero(own) if self.counts is None else self.counts[own].sum())
            if self.weights is not None:
                weights = self.weights[own]
                held = weights if self.counts is None else self.counts[own] * weights
                size = float(held.sum()) ** 2 / float((held * weights).sum())
            found.append(size)
        if self.clusters is not None:
            found = [min(pair) for pair in zip(found, self.clusters_by_class(), strict=True)]
        return found[0], found[1]

    def clusters_by_class(self) -> tuple[float, float]:
        """How many clusters have positive rows, and how many negative ones."""
        assert self.clusters is not None and self.n_clusters is not None
        classes = self.positive, ~self.positive
        with_pos, with_neg = (kernels.numbers_used(self.clusters[own]) for own in classes)
        return float(with_pos), float(with_neg)

    def joined(self, firsts: Places) -> TallyRows:
        """The same rows when distinct scores are joined, each join starting at one of `firsts`."""
        return TallyRows(
            self.positive, self.starts[firsts], self.weights, self.counts, self.clusters
        )


def tally_rows(
    positive: Flags,
    starts: Places,
    *,
    weights: Floats | None = None,
    counts: Counts | None = None,
    clusters: Places | None = None,
) -> TallyRows:
    """From rows in the order of a tally, and where each distinct score starts."""
    if weights is not None and weights.min() == 0:
        kept = weights > 0
        new_score = np.zeros(len(positive), np.bool_)
        new_score[starts] = True
        scores = np.cumsum(new_score)[kept]
        starts = starts_of(np.concatenate([[True], scores[1:] != scores[:-1]]))
        positive, weights = positive[kept], weights[kept]
        counts = None if counts is None else counts[kept]
        clusters = None if clusters is None else clusters[kept]
    return TallyRows(positive, starts, weights, counts, numbered(clusters))


def starts_of(new_score: Flags) -> Places:
    """Where marks are; every row is marked where scores are continuous."""
    return np.arange(len(new_score)) if new_score.all() else np.flatnonzero(new_score)


def numbered(clusters: Array | None) -> Places | None:
    """Clusters numbered from 0 in the order of their first rows.

    >>> numbered(np.array([7, 3, 7])).tolist()
    [0, 1, 0]
    """
    if clusters is None:
        return None
    codes, n_codes = kernels.small_codes(clusters)
    first = np.full(n_codes, len(codes), np.intp)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # of equal codes the last one stays
    number = np.empty(n_codes, np.intp)
    number[np.argsort(first, kind="stable")] = np.arange(n_codes)
    return np.asarray(number[codes])
