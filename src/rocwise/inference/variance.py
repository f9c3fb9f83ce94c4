"""Variances of measures over classes: the whole, and what every class has of it.

Measures are sums of one part from every row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Codes, Floats, Places
from rocwise.data.rankings import rows_of
from rocwise.inference.effective_sizes import SizedArea, sized_area

ROUNDING = 1e-9  # of effective numbers of rows


class SpreadByClass(NamedTuple):
    """The variance of one measure, what each class has of it, and their numbers of cases.

    Of two classes the first are positives. With clusters the parts need not add up to the variance.
    `leverages` are those of `leverages_of` for an average of areas, None for other measures.
    """

    variance: float
    parts: tuple[float, ...]
    sizes: tuple[float, ...]
    leverages: tuple[float, ...] | None = None

    def by_class(self) -> list[tuple[float, float]]:
        """Variance and number of cases of each class."""
        return [*zip(self.parts, self.sizes)]  # noqa: B905  # as many as there are classes

    @property
    def smallest(self) -> float:
        """Cases of the smallest class."""
        return min(self.sizes)

    def as_share(self, value: float) -> SizedArea:
        """The measure as a proportion of so many comparisons, from what its cases are worth.

        A measure varies at most like a share of as many independent chains as the smallest class
        has cases. An average of areas varies less, for every class moves only its own part: at
        most like a share of 1 / sum(leverage / cases). Those parts are seen in as many cases as
        Satterthwaite's formula counts. Both are the cases of all classes together where classes
        are alike; the constants of `sized_area` hold for them (docs/explanation/ordinal-measures).
        """
        largest = shown = self.smallest
        if self.leverages is not None:
            own = np.array(self.leverages) / np.array(self.sizes)  # variances, up to a factor
            largest = 1 / float(own.sum())
            shown = float(own.sum()) ** 2 / float((own**2 / np.array(self.sizes)).sum())
        return sized_area(value, max(self.variance, 0.0), self.by_class(), largest, shown)


@dataclass(frozen=True, eq=False, slots=True)
class CovarianceByClass:
    """Covariance matrix of measures, what each class has of it, and their numbers of cases.

    Cases are effective ones with weights, clusters with groups. The classes of a cluster covary,
    so that with groups the parts are not the whole.
    """

    total: Floats
    parts: tuple[Floats, ...]
    sizes: tuple[float, ...]
    leverages: tuple[float, ...] | None = None

    def spread(self, k: int) -> SpreadByClass:
        """The variance of one of the measures."""
        parts = tuple(float(part[k, k]) for part in self.parts)
        return SpreadByClass(float(self.total[k, k]), parts, self.sizes, self.leverages)

    @property
    def spreads(self) -> tuple[SpreadByClass, ...]:
        """The variance of every measure."""
        return tuple(self.spread(k) for k in range(len(self.total)))


def spread_of_parts(
    parts: Floats,
    codes: Codes,
    sizes: Floats,
    weights: Floats | None = None,
    clusters: Places | None = None,
    *,
    averaged: Floats | None = None,
) -> CovarianceByClass:
    """Covariance matrix (B12) of several measures from their parts, one row per measure.

    With weights or clusters it is that of `_spread_of_units`. `averaged` are the weights of the
    areas whose average the measures are, see `leverages_of`; classes must not covary.
    """
    apart = clusters is None or _holds_one_class(clusters, codes)
    leverages = leverages_of(averaged) if averaged is not None and apart else None
    if weights is not None or clusters is not None:
        found = _spread_of_units(parts, codes, sizes, weights, clusters)
        return replace(found, leverages=leverages)
    by_class = []
    for k, size in enumerate(sizes):
        centred = parts.take(rows_of(codes, k), axis=1)
        centred -= centred.mean(axis=1, keepdims=True)
        by_class.append(products(centred, centred) / (size - 1) / size)
    total = np.asarray(sum(by_class))
    return CovarianceByClass(total, tuple(by_class), tuple(sizes.tolist()), leverages)


def _holds_one_class(clusters: Places, codes: Codes) -> bool:
    """Whether every cluster has rows of one class alone, so that classes do not covary."""
    found = np.empty(int(clusters.max()) + 1, codes.dtype)
    found[clusters] = codes
    return bool((found[clusters] == codes).all())


def leverages_of(weights: Floats) -> tuple[float, ...] | None:
    """How much of the largest variance of an average of areas the cases of each class have.

    Entry (i, j) of `weights` is that of the area of class i over class j. The area of a pair
    varies with the cases of both classes, each half of it; those of one class move all areas that
    have it on one side together. Two classes have one area, which either may move alone: None.

    >>> leverages_of(np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]) / 6) == (1 / 9,) * 3
    True
    """
    if len(weights) < 3:
        return None
    halves = (weights.sum(axis=0) ** 2 + weights.sum(axis=1) ** 2) / 2
    return tuple(halves.tolist())


def _spread_of_units(
    parts: Floats,
    codes: Codes,
    sizes: Floats,
    weights: Floats | None,
    clusters: Places | None,
) -> CovarianceByClass:
    """The same for rows that stand for more than one case, or that are not independent.

    A row moves a measure by w (V - mean of V) / W, with W the weight of its class; rows of one
    cluster move it together. With S_k the sums of these over the members of class k in each
    cluster, the covariance is the sum over classes k, l of f_kl S_k S_l', where f_kk = I_k / (I_k
    - 1) with I_k clusters that hold class k, and f_kl = I / (I - 1) with I clusters: for two
    classes the cluster-robust variance of the AUC, for clusters of one row (B12). Without
    clusters I_k is Kish's effective number of rows.
    """
    n_units = len(codes) if clusters is None else int(clusters.max()) + 1
    sums, by_class, numbers = [], [], []
    for k, size in enumerate(sizes):
        rows = rows_of(codes, k)
        held = np.ones(len(rows)) if weights is None else weights[rows]
        units = rows if clusters is None else clusters[rows]
        first = _moved(parts.take(rows, axis=1), held / size, units, n_units)
        effective = float(held.sum()) ** 2 / kernels.dot(held, held)  # Kish's number of rows
        members = effective if clusters is None else float(kernels.numbers_used(units))
        members = max(members, 1 + ROUNDING)  # one row that has all the weight shows no spread
        sums.append(first)
        by_class.append(members / (members - 1) * products(first, first))
        numbers.append(min(members, effective))
    total = sum(by_class)
    if clusters is not None:
        for k, first in enumerate(sums):
            for second in sums[:k]:
                cross = products(first, second)
                total = total + n_units / (n_units - 1) * (cross + cross.T)
    return CovarianceByClass(np.asarray(total), tuple(by_class), tuple(numbers))


def _moved(parts: Floats, shares: Floats, units: Places, n_units: int) -> Floats:
    """How much the rows of one class in each unit move every measure."""
    moved = np.empty((len(parts), n_units))
    for row, each in enumerate(parts):
        centred = each - kernels.dot(each, shares)
        moved[row] = np.bincount(units, centred * shares, minlength=n_units)
    return moved


def products(first: Array, second: Array) -> Floats:
    """Sums of products of the rows of two tables, the same to the last bit on every machine.

    Matrix multiplication adds in an order that depends on the number of threads.

    >>> products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]]))
    array([[11., 17.]])
    """
    return np.asarray(np.einsum("ik,jk->ij", first, second))
