"""Variances of one area under the curve (F2.1 to F2.5), each in one pass over the tally."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Amounts, Floats
from rocwise.binary.areas.whole_areas import ROUNDING, whole_influences, whole_spreads
from rocwise.binary.curves.counted_parts import part_sums
from rocwise.binary.curves.parts import (
    WHOLE,
    ByStretch,
    Part,
    Stretch,
    influence_within,
    partial_influence,
    stretch_of,
)
from rocwise.binary.roc import roc_rates
from rocwise.data.mergeable.clustered_sums import ClusteredSums
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows
from rocwise.errors import InputError
from rocwise.inference.class_spreads import SpreadByClass
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, by_group
from rocwise.kernels import PlacementSums
from rocwise.kernels.row_formulas import sums_of_rows

ROUNDING_OF_SUMS = 1e-9  # a single case must count as one, whatever its weight
Variance = Literal["delong", "jackknife", "exact-bootstrap", "unbiased", "hanley-mcneil"]
VARIANCES: tuple[str, ...] = get_args(Variance)


@by_group
def auc_variance(
    data: Any = None,
    y_score: Any = None,
    *,
    method: Variance,
    groups: Any = None,
    **given: Unpack[TallyOptions],
) -> float:
    """Estimated variance of the area under the curve.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    method : {"delong", "jackknife", "exact-bootstrap", "unbiased", "hanley-mcneil"}
        "delong" is the two-sample jackknife (F2.1), "jackknife" leaves out one case of either
        class (F2.2), "exact-bootstrap" is what infinitely many stratified bootstrap samples
        would give (F2.3), "unbiased" averages to the true variance (F2.4, Bamber 1975) and
        "hanley-mcneil" needs the area alone (F2.5, Hanley & McNeil 1982).
    groups : optional
        Cluster of each row, for "delong": the variance is then cluster-robust.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    float

    Examples
    --------
    >>> import rocwise as rw
    >>> t = rw.tally([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
    >>> round(rw.auc_variance(t, method="delong"), 6)
    0.013889
    """
    tally = as_clustered_tally("auc_variance", data, y_score, groups, given, summed=True)
    checks.one_of(method, "method", VARIANCES)
    return area_variance(tally, method)


def area_variance(tally: Tally, method: str) -> float:
    """The variance of an area by any of `VARIANCES`; with weights or clusters by DeLong's alone."""
    if tally.rows is not None:
        refuse_unlike_rows(tally, method, ("delong",))
        if tally.clustered:
            return area_spread(tally, WHOLE).variance
        _two_of_each(*effective_sizes(tally)[::-1], method)
        return influence_variance(tally, WHOLE)
    return float(exact_variance(tally.placement_sums, method))


def refuse_unlike_rows(data: Tally, method: str, able: tuple[str, ...]) -> None:
    """Refuse a method that takes rows for independent and alike; `able` are the others."""
    if data.rows is not None and method not in able:
        what = "groups" if data.clustered else "weights"
        raise InputError(
            f"{what} are not supported by method={method!r}; "
            "use method='delong', whose influence functions take them."
        )


def exact_variance(sums: PlacementSums, method: str) -> Fraction:
    """The variance as an exact fraction of the integer sums of a tally."""
    N, M = sums.n_neg, sums.n_pos
    A = Fraction(sums.sum_u, 2 * N * M)
    if method == "hanley-mcneil":
        return Fraction(hanley_mcneil(A, N, M))
    # SN, SM: sums of squared deviations of row and column means; R: what they leave (F2.3)
    SN = Fraction(N * sums.sum_v2 - sums.sum_v**2, 4 * M * M * N)
    SM = Fraction(M * sums.sum_u2 - sums.sum_u**2, 4 * N * N * M)
    R = N * M * A * (1 - A) - Fraction(sums.ties, 4) - M * SN - N * SM
    if method == "exact-bootstrap":
        return SN / N**2 + SM / M**2 + R / (N * M) ** 2  # F2.3
    _two_of_each(N, M, method)
    if method == "jackknife":
        return (SN / (N - 1) ** 2 + SM / (M - 1) ** 2) * Fraction(N + M - 1, N + M)  # F2.2
    delong = SN / (N * (N - 1)) + SM / (M * (M - 1))  # F2.1
    return delong if method == "delong" else delong - R / (N * M * (N - 1) * (M - 1))  # F2.4


def hanley_mcneil(A: Any, N: Any, M: Any) -> Any:
    """Hanley & McNeil's variance (F2.5); exact for exponential scores."""
    Q1, Q2 = A / (2 - A), 2 * A * A / (1 + A)
    return (A * (1 - A) + (M - 1) * (Q1 - A * A) + (N - 1) * (Q2 - A * A)) / (N * M)


def delong_variance(sums: PlacementSums) -> float:
    """F2.1 without fractions: two correctly rounded quotients of integers."""
    of_positives, of_negatives = _delong_parts(sums)
    return of_negatives + of_positives


def _delong_parts(sums: PlacementSums) -> tuple[float, float]:
    N, M = sums.n_neg, sums.n_pos
    spread_v = N * sums.sum_v2 - sums.sum_v**2
    spread_u = M * sums.sum_u2 - sums.sum_u**2
    scale = 4 * N * N * M * M
    return spread_u / (scale * (M - 1)), spread_v / (scale * (N - 1))


def influence_variance(data: Tally, part: Part) -> float:
    """DeLong's variance of a (partial) area by influence functions, with or without weights.

    Weights are sampling weights: each case stands for `weight` cases of a population, so its
    squared weight enters and multiplying all weights by a constant changes nothing. The factor
    n / (n - 1) uses Kish's effective number of cases, sum(w)**2 / sum(w**2), which is n without
    weights; the result over the whole range is then DeLong's.
    """
    return sum(class_variances(data, part))


def class_variances(data: Tally, part: Part) -> tuple[float, float]:
    """What positives and negatives have of the variance of a (partial) area."""
    if part.is_whole and not data.weighted:
        return _delong_parts(data.placement_sums)
    if not data.weighted:
        spreads = part_sums(data, part)[1:]
    else:
        spreads = whole_spreads(data) if part.is_whole else _weighted_spreads(data, part)
    n_pos, n_neg = effective_sizes(data)
    return (
        n_pos / (n_pos - 1) * spreads[0] / data.n_pos**2,
        n_neg / (n_neg - 1) * spreads[1] / data.n_neg**2,
    )


def _weighted_spreads(data: Tally, part: Part) -> tuple[float, float]:
    """Squared influences times squared weights, summed over each class."""
    assert data.squares is not None
    stretch = stretch_of(data, part)
    of_positives, of_negatives = influence_within(stretch, part)
    return (
        _squared_influence(_held_within(data.squares.pos, stretch), of_positives),
        _squared_influence(_held_within(data.squares.neg, stretch), of_negatives),
    )


def _held_within(squares: Amounts, stretch: Stretch) -> ByStretch:
    """Squared weights of a class at each score of a stretch, and before it and after it."""
    first, last = stretch.first, stretch.first + len(stretch.fpr) - 1
    before, after = float(squares[:first].sum()), float(squares[last:].sum())
    return ByStretch(squares[first:last], before, after)


def _squared_influence(held: ByStretch, influence: ByStretch) -> float:
    """The sum of the squared influences of all cases; those that are only rounding count as 0."""

    def add(cases: Amounts, moved: Floats) -> tuple[float]:
        return (kernels.dot(cases, np.where(np.abs(moved) > ROUNDING, moved, 0.0) ** 2),)

    (within,) = sums_of_rows(add, held.within, influence.within)
    beyond = (held.before, influence.before), (held.after, influence.after)
    return within + sum(cases * moved**2 for cases, moved in beyond if abs(moved) > ROUNDING)


def area_spread(data: Tally, part: Part) -> SpreadByClass:
    """The variance of an area; both classes need two cases, or clusters, or more."""
    if data.clustered:
        return _clustered_spread(data, part)
    parts = class_variances(data, part)
    return SpreadByClass(sum(parts), parts, effective_sizes(data))


def _spread_of_sums(rows: ClusteredSums) -> SpreadByClass:
    """The same of clusters of which only sums are known."""
    VV, UU, UV = rows.products()
    for count, name in zip(rows.effective_sizes(), ("a positive", "a negative"), strict=True):
        _refuse_one_cluster(int(count), name)
    I10, I01, clusters = rows.sums.with_pos, rows.sums.with_neg, rows.n_clusters
    parts = I10 / (I10 - 1) * VV, I01 / (I01 - 1) * UU
    shared = 2 * clusters / (clusters - 1) * UV
    return SpreadByClass(sum(parts) + shared, parts, rows.effective_sizes())


def _refuse_one_cluster(members: int, name: str) -> None:
    if members < 2:
        raise InputError(
            f"`groups` has {members} cluster with {name} row; at least two are needed."
        )


def _clustered_spread(data: Tally, part: Part) -> SpreadByClass:
    """The same for clusters (Obuchowski 1997): what their rows move is summed before it is squared.

    With V_c and U_c the sums of cluster c over its positives and negatives, I10 and I01 clusters
    that hold some of them, and I in all, the variance is I10/(I10-1) sum V_c^2 + I01/(I01-1) sum
    U_c^2 + 2 I/(I-1) sum U_c V_c.
    """
    rows = data.rows
    assert rows is not None and rows.clusters is not None and rows.n_clusters is not None
    if isinstance(rows, ClusteredSums) and part.is_whole:
        return _spread_of_sums(rows)
    I10, I01 = rows.clusters_by_class()
    for members, name in ((I10, "a positive"), (I01, "a negative")):
        _refuse_one_cluster(int(members), name)
    V, U, clusters = *_moved_by_clusters(data, rows, part), rows.n_clusters
    parts = I10 / (I10 - 1) * kernels.dot(V, V), I01 / (I01 - 1) * kernels.dot(U, U)
    shared = 2 * clusters / (clusters - 1) * kernels.dot(V, U)
    return SpreadByClass(sum(parts) + shared, parts, data.effective_sizes)


def _moved_by_clusters(data: Tally, rows: TallyRows, part: Part) -> tuple[Floats, Floats]:
    """How much the positives and the negatives of each cluster move the area."""
    assert rows.clusters is not None and rows.n_clusters is not None
    if part.is_whole:
        of_positives, of_negatives = whole_influences(data)
    else:
        of_positives, of_negatives = (
            np.where(np.abs(influence) > ROUNDING, influence, 0.0)
            for influence in partial_influence(*roc_rates(data), part)
        )
    held = rows.weights
    if rows.counts is not None:
        held = np.multiply(1.0 if held is None else held, rows.counts, dtype=np.float64)
    U, V = kernels.cluster_sums(
        rows.positive,
        rows.starts,
        rows.clusters,
        rows.n_clusters,
        held,
        (of_negatives, of_positives),
    )
    return V / data.n_pos, U / data.n_neg


def effective_number(total: float, squared: float) -> float:
    """Kish's effective number of cases, by the sums of their weights and of the squares."""
    number = float(total * total / squared)
    return 1.0 if number <= 1.0 + ROUNDING_OF_SUMS else number


def effective_sizes(data: Tally) -> tuple[float, float]:
    """Effective numbers of positives and negatives; plain counts of equal, independent rows."""
    if data.clustered:
        return data.effective_sizes
    if data.squares is None:
        return data.n_pos, data.n_neg
    of_positives, of_negatives = data.squares.totals
    return effective_number(data.n_pos, of_positives), effective_number(data.n_neg, of_negatives)


def _two_of_each(N: float, M: float, method: str) -> None:
    for count, name in ((N, "negative"), (M, "positive")):
        if count <= 1:
            raise InputError(
                f"method={method!r} needs at least two {name}s; got {count:g}. "
                "One case shows nothing of how its class varies."
            )
