"""Variances and covariances of estimates from influence values.

The influence value of a row is how much it pulls the estimate away from its value, on the scale of
one row of its class: the estimate varies as the sum of their weighted means over classes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Array, Codes, Floats, Places
from rocwise.data.rankings import rows_of
from rocwise.data.tally import effective_number
from rocwise.inference import intervals
from rocwise.inference.effective_sizes import NO_VARIANCE, SizedArea, sized_area, wilson_interval
from rocwise.inference.resampling import mixed_clusters
from rocwise.results import Interval

ROUNDING = 1e-9  # of effective numbers of rows


class VarianceByClass(NamedTuple):
    """The variance of one estimate, the part of every class, and their numbers of rows.

    Of two classes the first are positives. The classes of a cluster covary, so that with clusters
    the parts need not add up to the variance. `leverages` are those of `leverages_of` for an
    average of areas; `cases` the expected number of cases within the range of a partial area;
    `heaviest`, of unequal weights, what `heaviest_rows` has for each class.
    """

    variance: float
    parts: tuple[float, ...]
    sizes: tuple[float, ...]
    leverages: tuple[float, ...] | None = None
    cases: float | None = None
    heaviest: tuple[tuple[float, float], ...] = ()

    def by_class(self) -> list[tuple[float, float]]:
        """Variance and number of rows of each class."""
        return [*zip(self.parts, self.sizes)]  # noqa: B905  # as many as there are classes

    @property
    def smallest(self) -> float:
        """Rows of the smallest class."""
        return min(self.sizes) if self.cases is None else self.cases

    def as_share(self, value: float) -> SizedArea:
        """The estimate as a proportion of comparisons (docs/guide/ordinal).

        A measure varies at most like a proportion of as many chains as the smallest class has rows,
        an average of areas like one of 1 / sum(leverage / rows).
        """
        if self.heaviest:
            return self._with_heaviest_rows().as_share(value)
        largest = shown = self.smallest
        if self.leverages is not None:
            own = np.array(self.leverages) / np.array(self.sizes)  # variances, up to a factor
            largest = 1 / float(own.sum())
            shown = float(own.sum()) ** 2 / float((own**2 / np.array(self.sizes)).sum())
        return sized_area(value, max(self.variance, 0.0), self.by_class(), largest, shown)

    def _with_heaviest_rows(self) -> "VarianceByClass":
        """With one more row of the largest weight and influence in each class."""
        unseen, sizes = zip(*self.heaviest, strict=True)
        parts = tuple(own + more for own, more in zip(self.parts, unseen, strict=True))
        cases = None if self.cases is None else min(self.cases, *sizes)
        variance = self.variance + sum(unseen)
        return VarianceByClass(variance, parts, sizes, self.leverages, cases)

    def interval(
        self,
        value: float,
        level: float,
        method: str = "auto",
        name: str = "DeLong",
        *,
        clustered: bool = False,
    ) -> tuple[float, Interval]:
        """Standard error and interval of an estimate; the method `name` is the plain normal one.

        "auto" is "wilson". Without variance Newcombe's score interval is used for two classes, and
        for more Hoeffding's bound: a measure is an average of means of as many independent chains
        as the smallest class has rows.
        """
        error = math.sqrt(self.variance) if self.variance > NO_VARIANCE else 0.0
        if method in ("auto", "wilson"):
            found = wilson_interval(self.as_share(value), level)
        elif error > 0.0 and method == "logit" and 0.0 < value < 1.0:
            reach = intervals.normal_quantile(level) * error
            limits = intervals.logit_limits(value, reach)  # (F4.2)
            found = Interval(*limits, level, intervals.LIMIT_NAMES["logit"])
        elif error > 0.0 and method != "logit":
            found = intervals.wald_interval(value, error, level, name, (0.0, 1.0))
        elif len(self.sizes) == 2:
            found = intervals.newcombe_interval(value, *self.sizes, level)
        else:
            found = intervals.hoeffding_interval(value, self.smallest, level)
        if clustered:
            found = replace(found, method=f"cluster-robust {found.method}")
        return error, found


@dataclass(frozen=True, eq=False, slots=True)
class CovarianceByClass:
    """Covariance matrix of estimates, the part of every class, and effective numbers of rows."""

    total: Floats
    parts: tuple[Floats, ...]
    sizes: tuple[float, ...]
    leverages: tuple[float, ...] | None = None
    heaviest: tuple[tuple[Floats, float], ...] = ()

    def variance(self, k: int) -> VarianceByClass:
        """The variance of one of the estimates."""
        parts = tuple(float(part[k, k]) for part in self.parts)
        heaviest = tuple((float(unseen[k]), size) for unseen, size in self.heaviest)
        total = float(self.total[k, k])
        return VarianceByClass(total, parts, self.sizes, self.leverages, heaviest=heaviest)

    @property
    def variances(self) -> tuple[VarianceByClass, ...]:
        """The variance of every estimate."""
        return tuple(self.variance(k) for k in range(len(self.total)))


def covariance(
    phi: Sequence[Floats],
    weights: Sequence[Array] | None = None,
    clusters: Sequence[Places] | None = None,
    *,
    squares: Sequence[Array] | None = None,
    largest: Sequence[float | None] | None = None,
    leverages: tuple[float, ...] | None = None,
) -> CovarianceByClass:
    """Covariance matrix of estimates with influence values `phi`, (estimates, rows) for each class.

    `weights` are those of the rows of each class, 1 if None; `squares` their squares, or sums of
    squares where a row stands for several. Rows with one number of `clusters` are not independent.

    A row moves the estimate by w phi / W, with W the weight of its class. Independent rows have
    the sum of the squares of these, with the factor n / (n - 1), n Kish's effective number. With
    clusters (Obuchowski 1997), let S_k be their sums over class k in each cluster: the covariance
    is the sum over classes k, l of f_kl S_k S_l', where f_kk = I_k / (I_k - 1) with I_k clusters
    with rows of class k, and f_kl = I / (I - 1) with I clusters.
    """
    if weights is None:
        weights = [np.ones(own.shape[1]) for own in phi] if clusters is not None else None
    totals = [float(own.shape[1]) for own in phi]
    effective = totals
    if weights is not None:
        totals = [float(each.sum()) for each in weights]
        squares = [each * each for each in weights] if squares is None else squares
        effective = [effective_number(W, float(s.sum())) for W, s in zip(totals, squares)]  # noqa: B905
    if clusters is None:
        products = [
            _products(own if squares is None else own * squares[k], own) / totals[k] ** 2
            for k, own in enumerate(phi)
        ]
        found = combined(products, effective, effective, leverages=leverages)
        if weights is None or squares is None:
            return found
        known = largest or [None] * len(phi)
        return replace(found, heaviest=tuple(map(heaviest_rows, phi, weights, squares, known)))
    assert weights is not None
    n_clusters = 1 + max(int(each.max()) for each in clusters)
    sums: list[Floats] = [
        np.stack([np.bincount(units, row * (w / W), n_clusters) for row in own])
        for own, units, w, W in zip(phi, clusters, weights, totals, strict=True)
    ]
    members = [float(np.count_nonzero(np.bincount(units))) for units in clusters]
    cross = np.zeros((len(phi[0]), len(phi[0])))
    for k, first in enumerate(sums):
        for second in sums[:k]:
            cross += _products(first, second)
    return combined(
        [_products(own, own) for own in sums],
        members,
        [min(pair) for pair in zip(members, effective, strict=True)],
        cross=n_clusters / (n_clusters - 1) * (cross + cross.T),
        leverages=leverages,
    )


def heaviest_rows(
    phi: Floats, weights: Array, squares: Array, largest: float | None
) -> tuple[Floats, float]:
    """Variance by one more row of a class, and how many rows its weight makes.

    A few heavy rows carry an estimate, and a sample without them shows too little variance: the
    additional row has the largest weight and the largest influence. Nothing for equal weights.
    """
    present = weights > 0
    total = float(weights.sum())
    largest = largest or float((squares[present] / weights[present]).max())
    excess = max(largest**2 - (float(squares.sum()) / total) ** 2, 0.0) / total**2
    own = phi * present
    return excess * np.maximum(own.max(axis=1), -own.min(axis=1)) ** 2, total / largest


def combined(
    products: Sequence[Floats],
    members: Sequence[float],
    sizes: Sequence[float],
    *,
    cross: Floats | None = None,
    leverages: tuple[float, ...] | None = None,
) -> CovarianceByClass:
    """The matrix from products within classes of `members` units, and across classes."""
    units = [max(n, 1 + ROUNDING) for n in members]  # one row with all weight shows no variance
    parts = tuple(n / (n - 1) * own for n, own in zip(units, products, strict=True))
    total = sum(parts) if cross is None else sum(parts) + cross
    return CovarianceByClass(np.asarray(total), parts, tuple(sizes), leverages)


def covariance_of_parts(
    parts: Floats,
    codes: Codes,
    weights: Floats | None = None,
    clusters: Places | None = None,
    *,
    averaged: Floats | None = None,
) -> CovarianceByClass:
    """Covariance (B12) of measures that are sums of one part per row, or averages of areas."""
    rows = [rows_of(codes, k) for k in range(int(codes.max()) + 1)]
    own_weights = None if weights is None else [weights[own] for own in rows]
    phi = [parts.take(own, axis=1) for own in rows]
    for k, own in enumerate(phi):
        w = None if own_weights is None else own_weights[k]
        own -= np.average(own, axis=1, weights=w)[:, None]
    separate = clusters is None or not mixed_clusters(clusters, codes)
    return covariance(
        phi,
        own_weights,
        None if clusters is None else [clusters[own] for own in rows],
        leverages=leverages_of(averaged) if averaged is not None and separate else None,
    )


def leverages_of(weights: Floats) -> tuple[float, ...] | None:
    """How much of the largest variance of an average of areas the rows of each class have.

    Entry (i, j) of `weights` is that of the area of class i over class j. The area of a pair
    varies with the rows of both classes, each half of it; those of one class move all areas that
    have it on one side together. Two classes have one area, which either may move alone: None.
    """
    if len(weights) < 3:
        return None
    halves = (weights.sum(axis=0) ** 2 + weights.sum(axis=1) ** 2) / 2
    return tuple(halves.tolist())


def _products(first: Floats, second: Floats) -> Floats:
    """``first @ second.T`` by numpy itself: BLAS would wake its threads for one pass."""
    return np.asarray(np.einsum("in,jn->ij", first, second))
