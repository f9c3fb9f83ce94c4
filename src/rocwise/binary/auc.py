"""Every interval of one area side by side, with a sentence on which to trust."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar, Literal, NamedTuple, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, kernels, printing
from rocwise.arrays import Amounts, Array, Codes, Flags, Floats, Integers, Places, Scores
from rocwise.binary.bootstrap import replicates, resampling_words
from rocwise.binary.partial_area import (
    WHOLE,
    ByStretch,
    Part,
    Stretch,
    chosen_part,
    influence_within,
    part_sums,
    partial_area,
    partial_influence,
    stretch_of,
)
from rocwise.binary.roc import AboutData, roc_rates
from rocwise.binary.statistics import Area
from rocwise.data.pairs import Pairs
from rocwise.data.summed_rows import ClusteredSums, SummedPairs
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows
from rocwise.data.unweighted import refuse_weights
from rocwise.errors import InputError, warn_below_half
from rocwise.inference.effective_sizes import (
    ENOUGH,
    NEARLY_NORMAL,
    WILSON,
    SizedArea,
    sized_area,
    symmetric_limits_hold,
    wilson_interval,
)
from rocwise.inference.equal_groups import ComparableGroups
from rocwise.inference.intervals import (
    LIMIT_NAMES,
    bca_limits,
    hoeffding_limits,
    logit_interval,
    newcombe_limits,
    normal_quantile,
    wald_interval,
)
from rocwise.inference.resampling import percentile_limits
from rocwise.inference.variance import CovarianceByClass, SpreadByClass
from rocwise.inputs.coercion import (
    PairOptions,
    TallyOptions,
    as_clustered_tally,
    as_pairs,
    as_tally,
    by_group,
    options_shown,
)
from rocwise.kernels.dominating.plain import Standing
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.row_formulas import row_by_row, run_models, sums_of_rows
from rocwise.results import GroupAnswers, Interval, Result, result

ROUNDING = 1e-14  # influences below this are rounding errors of rates, not spread


def whole_area(data: Tally) -> float:
    """The area: without weights the fraction 2U / (2PN), correctly rounded."""
    if data.weighted:
        return data.remembered("weighted area", lambda: _weighted_area(data))
    sums = data.placement_sums
    return sums.sum_u / (2 * sums.n_pos * sums.n_neg)


def area_of_curve(data: Tally) -> float:
    """The area of a tally whose curve is needed anyway: its rows are not merged again for it.

    >>> area_of_curve(Tally.from_sorted([1.0, 2.0], [2.0, 3.0]))
    0.875
    """
    if data.weighted or data.oriented_classes is None:
        return whole_area(data)
    pairs = int(data.n_pos) * int(data.n_neg)
    return data.remembered(
        "area of the curve", lambda: kernels.doubled_area(data.tp, data.fp) / (2 * pairs)
    )


def _weighted_area(data: Tally) -> float:
    n_neg = data.n_neg

    def add(pos: Amounts, neg: Amounts, fp: Amounts) -> tuple[float]:
        return (kernels.dot(pos, n_neg - fp + neg / 2),)

    (won,) = sums_of_rows(add, data.pos, data.neg, data.fp)
    return min(max(won / (data.n_pos * n_neg), 0.0), 1.0)  # rounding may leave the range by a bit


def whole_influences(data: Tally) -> tuple[Floats, Floats]:
    """Influence of a positive and of a negative at each score on the whole area."""
    of_positives, of_negatives = _formulas(data)
    return (
        row_by_row(of_positives, data.fp, data.neg),
        row_by_row(of_negatives, data.tp, data.pos),
    )


def whole_spreads(data: Tally) -> tuple[float, float]:
    """Squared influences times squared weights, summed over positives and over negatives."""
    squares = data.squares
    assert squares is not None
    of_positives, of_negatives = _formulas(data)

    def add(*columns: Amounts) -> tuple[float, float]:
        pos, neg, tp, fp, held_pos, held_neg = columns
        return (
            kernels.dot(squares.of_rows(held_pos), np.square(of_positives(fp, neg))),
            kernels.dot(squares.of_rows(held_neg), np.square(of_negatives(tp, pos))),
        )

    columns = data.pos, data.neg, data.tp, data.fp, *squares.given
    positives, negatives = sums_of_rows(add, *columns)
    return positives, negatives


def _formulas(data: Tally) -> tuple[Callable[..., Floats], Callable[..., Floats]]:
    """The two influences, from the sum up to a score and the amount at it of the other class."""
    area, n_pos, n_neg = whole_area(data), data.n_pos, data.n_neg
    influences = kernels.whole_influences
    return (
        lambda fp, neg: influences(fp, neg, n_neg, area, ROUNDING, beyond=True),
        lambda tp, pos: influences(tp, pos, n_pos, area, ROUNDING, beyond=False),
    )


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


@dataclass(frozen=True, eq=False, slots=True)
class Influences:
    """Areas of k models, and the influence of every positive (k, M) and negative (k, N) row."""

    areas: Floats
    positives: Floats
    negatives: Floats


def influences(pairs: Pairs) -> Influences:
    """Areas and influences of all models."""
    if isinstance(pairs, SummedPairs):  # the rows were never here
        return Influences(*pairs.covariance_roots())
    if pairs.weights is None:
        return Influences(*kernels.placement_influences(pairs.placements, pairs.mask))
    rows = [_weighted(pairs.mask, pairs.scores(name), pairs.weights) for name in pairs.names]
    return Influences(
        np.array([row[0] for row in rows]),
        np.stack([row[1] for row in rows]),
        np.stack([row[2] for row in rows]),
    )


def _weighted(mask: Codes, scores: Scores, weights: Floats) -> tuple[float, Floats, Floats]:
    """Area and influences of one model with weights."""
    positive = mask == 1
    area, centred = weighted_placements(mask, scores, weights)
    moved = [weights[own] * centred[own] / weights[own].sum() for own in (positive, ~positive)]
    return area, moved[0], moved[1]


def weighted_placements(mask: Codes, scores: Scores, weights: Floats) -> tuple[float, Floats]:
    """Area with weights and, per row, its share of well-ordered pairs less the area.

    >>> area, centred = weighted_placements(
    ...     np.array([0, 0, 1]), np.array([1.0, 3.0, 2.0]), np.array([3.0, 1.0, 2.0])
    ... )
    >>> area, centred.tolist()
    (0.75, [0.25, -0.75, 0.0])
    """
    order = kernels.argsort(scores)
    ranked, weight = scores[order], weights[order]
    new = np.concatenate([[True], ranked[1:] != ranked[:-1]])
    first, group = np.flatnonzero(new), np.cumsum(new) - 1
    shares = np.empty(len(scores))
    for label in (0, 1):
        mass = np.add.reduceat(np.where(mask[order] == label, weight, 0.0), first)
        below = np.empty(len(scores))
        below[order] = ((np.cumsum(mass) - mass / 2) / mass.sum())[group]
        other = mask != label
        shares[other] = below[other] if label == 0 else 1 - below[other]
    w_pos = weights[mask == 1]
    area = min(
        kernels.dot(w_pos, shares[mask == 1]) / float(w_pos.sum()), 1.0
    )  # weights are rounded
    return area, shares - area


def covariance(pairs: Pairs, found: Influences) -> Floats:
    """DeLong's covariance matrix of the areas; cluster-robust when the pairs have groups."""
    return covariance_by_class(pairs, found).total


def covariance_by_class(pairs: Pairs, found: Influences) -> CovarianceByClass:
    """DeLong's covariance matrix of the areas and its parts.

    Independent rows: the two classes add, each with n / (n - 1) (F2.1), where n is Kish's
    effective number when there are weights. Clusters (Obuchowski 1997): influences are summed
    within clusters, and the two classes of one cluster covary.
    """
    if pairs.groups is not None:
        return _clustered(pairs, found)
    for count, name in ((pairs.n_pos, "positive"), (pairs.n_neg, "negative")):
        if count < 2:
            raise InputError(f"method='delong' needs at least two {name}s; got {count}.")
    n_pos, n_neg = (_effective(pairs, label) for label in (1, 0))
    squares = squared_influences(found)
    parts = n_pos / (n_pos - 1) * squares[0], n_neg / (n_neg - 1) * squares[1]
    return CovarianceByClass(parts[0] + parts[1], parts, (n_pos, n_neg))


def squared_influences(found: Influences) -> tuple[Floats, Floats]:
    """Sums of squares and products of the influences of all models: of positives, of negatives."""
    of_positives, of_negatives = run_models(
        lambda moved: np.dot(moved, moved.T),  # unlike `@` it lets another thread work meanwhile
        [(found.positives,), (found.negatives,)],
        rows=found.positives.shape[1],
    )
    return of_positives, of_negatives


def _effective(pairs: Pairs, label: int) -> float:
    if pairs.weights is None:
        return float(pairs.n_pos if label else pairs.n_neg)
    weights = pairs.weights[pairs.mask == label]
    return float(weights.sum() ** 2) / kernels.dot(weights, weights)


def _clustered(pairs: Pairs, found: Influences) -> CovarianceByClass:
    assert pairs.groups is not None
    if isinstance(pairs, SummedPairs):  # what clusters move was summed where the rows are
        V, U = found.positives, found.negatives
        I10, I01, n_groups = pairs.cluster_counts()
    else:
        positive = pairs.mask == 1
        n_groups = int(pairs.groups.max()) + 1
        V = _summed(found.positives, pairs.groups[positive], n_groups)
        U = _summed(found.negatives, pairs.groups[~positive], n_groups)
        I10 = kernels.numbers_used(pairs.groups[positive])
        I01 = kernels.numbers_used(pairs.groups[~positive])
    for count, name in ((I10, "a positive"), (I01, "a negative")):
        if count < 2:
            raise InputError(
                f"`groups` has {count} cluster with {name} row; at least two are needed."
            )
    parts = I10 / (I10 - 1) * (V @ V.T), I01 / (I01 - 1) * (U @ U.T)
    shared = n_groups / (n_groups - 1) * (U @ V.T + V @ U.T)
    sizes = min(float(I10), _effective(pairs, 1)), min(float(I01), _effective(pairs, 0))
    return CovarianceByClass(parts[0] + parts[1] + shared, parts, sizes)


def _summed(rows: Floats, groups: Places, n_groups: int) -> Floats:
    return np.stack([np.bincount(groups, weights=row, minlength=n_groups) for row in rows])


PairedVariance = Literal["delong", "jackknife", "exact-bootstrap", "unbiased"]
PAIRED_VARIANCES: tuple[str, ...] = get_args(PairedVariance)


@options_shown(PairOptions)
def auc_covariance(
    data: Any = None,
    scores: Any = None,
    *,
    method: PairedVariance = "delong",
    **given: Unpack[PairOptions],
) -> Floats:
    """Covariance matrix of the areas of models scored on the same rows.

    Parameters
    ----------
    data, scores
        Pairs; or y_true and a dict of scores; or a frame or path with `label=` and `scores=`.
    method : {"delong", "jackknife", "exact-bootstrap", "unbiased"}
        As in `auc_variance`; weights and groups are taken by "delong" alone.
    **given
        More about rows, a frame or a file: see `pair`.

    Returns
    -------
    ndarray
        One row and one column per model, in the order of `pairs.names`.

    Examples
    --------
    >>> import rocwise as rw
    >>> pairs = rw.pair([0, 0, 0, 1, 1, 1], {"a": [1, 2, 3, 2, 4, 5], "b": [2, 1, 4, 3, 5, 6]})
    >>> rw.auc_covariance(pairs).shape
    (2, 2)
    """
    return areas_and_covariance(as_pairs("auc_covariance", data, scores, given), method).matrix


def areas_and_covariance(pairs: Pairs, method: str) -> AreasAndCovariance:
    """Areas of all models and how they vary together, by any of `PAIRED_VARIANCES`."""
    checks.one_of(method, "method", PAIRED_VARIANCES)
    if method != "delong" and (pairs.weights is not None or pairs.groups is not None):
        what = "weights" if pairs.weights is not None else "groups"
        raise InputError(
            f"{what} are not supported by method={method!r}; "
            "use method='delong', whose influence functions take them."
        )
    found = influences(pairs)
    if method == "delong":
        return AreasAndCovariance(found.areas, covariance(pairs, found))
    return _other_covariance(pairs, found, method)


class AreasAndCovariance(NamedTuple):
    """Areas (k,), their covariance matrix (k, k), and sums of placements where there are any."""

    areas: Floats
    matrix: Floats
    sums: tuple[PlacementSums, ...] | None = None


def _other_covariance(pairs: Pairs, found: Influences, method: str) -> AreasAndCovariance:
    N, M = pairs.n_neg, pairs.n_pos
    squares = squared_influences(found)
    SN, SM = N * N * squares[1], M * M * squares[0]  # influences carry 1/N and 1/M
    if method != "exact-bootstrap" and min(N, M) < 2:
        raise InputError(f"method={method!r} needs at least two cases in each class.")
    if method == "jackknife":
        matrix = (SN / (N - 1) ** 2 + SM / (M - 1) ** 2) * (N + M - 1) / (N + M)
        return AreasAndCovariance(found.areas, np.asarray(matrix))
    R, sums = residual_products(pairs, found.areas, SN, SM)
    if method == "exact-bootstrap":
        matrix = SN / N**2 + SM / M**2 + R / (N * M) ** 2
    else:
        matrix = SN / (N * (N - 1)) + SM / (M * (M - 1)) - R / (N * M * (N - 1) * (M - 1))
    return AreasAndCovariance(found.areas, np.asarray(matrix), sums)


def residual_products(
    pairs: Pairs, areas: Floats, SN: Floats, SM: Floats
) -> tuple[Floats, tuple[PlacementSums, ...]]:
    """R of F2.3 and F2.4 for every two models, without any N x M matrix; sums of placements.

    What one model needs is made once; each two of them take a count of their pairs in n log n.
    """
    N, M, k = pairs.n_neg, pairs.n_pos, len(pairs.names)

    def stand(placed: Integers) -> tuple[Standing, PlacementSums]:
        own = kernels.standing(pairs.mask, placed)
        return own, kernels.standing_sums(own)

    stood = run_models(stand, [(placed,) for placed in pairs.placements], len(pairs))
    standings = [own for own, _ in stood]
    places = list(combinations(range(k), 2))
    counts = run_models(
        kernels.dominance, [(standings[a], standings[b]) for a, b in places], len(pairs)
    )
    S = np.zeros((k, k))  # sums of psi_a * psi_b over all (negative, positive)
    np.fill_diagonal(S, [own.squares / 4 for own in standings])
    for (a, b), count in zip(places, counts, strict=True):
        S[a, b] = count / 4
    R = np.triu(S - (N * M * areas)[:, None] * areas - M * SN - N * SM)
    return np.asarray(R + np.triu(R, 1).T), tuple(sums for _, sums in stood)


OneMethod = Literal[
    "delong",
    "wilson",
    "logit",
    "bootstrap",
    "bca",
    "hanley-mcneil",
    "jackknife",
    "exact-bootstrap",
    "unbiased",
    "score",
    "hoeffding",
]
AreaMethod = Literal["auto", OneMethod]
METHODS: tuple[OneMethod, ...] = get_args(OneMethod)
CHOICES = ("auto", *METHODS)
METHOD_NAMES = {
    "delong": "DeLong",
    "wilson": WILSON,
    "hanley-mcneil": "Hanley-McNeil",
    "jackknife": "jackknife",
    "exact-bootstrap": "exact bootstrap",
    "unbiased": "unbiased variance",
    **LIMIT_NAMES,
}
OF_PARTS = ("delong", "wilson", "logit", "bootstrap", "bca")
OF_UNLIKE_ROWS = ("delong", "wilson", "logit", "score", "bootstrap")
BY_DRAWS = ("bootstrap", "bca")
BY_SPREAD = ("delong", "wilson", "logit", "score", "hoeffding")


class Draws(NamedTuple):
    """How areas are resampled: how often, and from which seed."""

    n_resamples: int
    rng: Any


def area_interval(
    data: Tally,
    part: Part,
    value: float,
    *,
    method: str,
    level: float,
    n_resamples: int = 0,
    rng: Any = None,
    spread: SpreadByClass | None = None,
) -> tuple[float | None, Interval]:
    """Standard error (None where undefined) and interval of an area on the raw scale.

    Who knows the spread of the area need not have it made again.
    """
    draws = Draws(n_resamples, rng)
    error, found = _interval(data, part, value, method, level, draws, spread)
    if data.clustered and method not in BY_DRAWS:
        found = replace(found, method=f"cluster-robust {found.method}")
    return error, found


def _interval(
    data: Tally,
    part: Part,
    value: float,
    method: str,
    level: float,
    draws: Draws,
    spread: SpreadByClass | None,
) -> tuple[float | None, Interval]:
    sizes = effective_sizes(data)
    _check_method(data, part, method)
    top = part.width
    alone = min(sizes) <= 1.0
    smaller = _smaller(sizes, part)
    if method == "auto":
        method = "delong" if symmetric_limits_hold(value / top, smaller) else "wilson"
    if method in BY_DRAWS and not alone:
        from rocwise.binary.auc import bootstrap_interval

        return bootstrap_interval(data, part, value, method, level, draws)
    if data.clustered or (not alone and method in BY_SPREAD):
        spread = spread or area_spread(data, part)
    error = _error(data, method, spread)
    if method == "hoeffding" or (alone and method != "score"):
        return error, hoeffding_interval(sizes, part, value, level)
    if method == "wilson":
        assert spread is not None
        return error, _wilson(spread, smaller, part, value, level)
    if method == "score" or not error or (method == "logit" and not 0 < value < top):
        return error, score_interval(sizes, part, value, level)
    if method == "logit":
        return error, logit_interval(value, error, level, top)
    return error, wald_interval(value, error, level, METHOD_NAMES[method], (0.0, top))


def _smaller(sizes: tuple[float, float], part: Part) -> float:
    """Cases of the class with fewer of them; of a part those that are expected in its range."""
    n_pos, n_neg = sizes
    width = part.width
    return min(n_pos, n_neg * width) if part.axis == "fpr" else min(n_pos * width, n_neg)


def _wilson(
    spread: SpreadByClass, smaller: float, part: Part, value: float, level: float
) -> Interval:
    """Wilson's interval of the share of the part's width that lies under the curve."""
    return wilson_interval(_sized(spread, smaller, part, value), level, part.width)


def _sized(spread: SpreadByClass, smaller: float, part: Part, value: float) -> SizedArea:
    if part.is_whole:
        return sized_area(value, spread.variance, spread.by_class(), smaller)
    top = part.width
    by_class = [(variance / top**2, n) for variance, n in spread.by_class()]
    return sized_area(value / top, spread.variance / top**2, by_class, smaller)


def area_as_share(data: Tally, part: Part, value: float) -> SizedArea:
    """The share of a part's width that lies under the curve, with its effective size.

    With one case in a class by the largest variance that there can be.
    """
    sizes = effective_sizes(data)
    smaller = max(_smaller(sizes, part), 1.0)
    if min(sizes) <= 1.0:
        return sized_area(value / part.width, 0.0, (), smaller)
    return _sized(area_spread(data, part), smaller, part, value)


def _check_method(data: Tally, part: Part, method: str) -> None:
    """Refuse what is not defined and name what is."""
    checks.one_of(method, "method", CHOICES)
    if method == "auto":
        return
    if not part.is_whole and method not in OF_PARTS:
        raise InputError(
            f"method={method!r} is defined for the whole area only; "
            f"for a part use one of {', '.join(map(repr, OF_PARTS))}."
        )
    refuse_unlike_rows(data, method, OF_UNLIKE_ROWS)


def _error(data: Tally, method: str, spread: SpreadByClass | None) -> float | None:
    """The standard error a method rests on; None with one case in a class, which shows none."""
    if spread is not None:
        variance = spread.variance
    elif _class_of_one(data) and method != "hanley-mcneil":
        return None
    else:
        variance = float(exact_variance(data.placement_sums, method))
    return math.sqrt(max(variance, 0.0))


def _class_of_one(data: Tally) -> bool:
    return min(effective_sizes(data)) <= 1.0


def score_interval(sizes: tuple[float, float], part: Part, value: float, level: float) -> Interval:
    """Newcombe's score interval, which needs only the area and the two sizes.

    It stands in where the sample gives no variance although both classes have two cases or more:
    all pairs in order. For a part of the area it is taken of the share of the part's width that
    lies under the curve.
    """
    width = part.width
    low, high = newcombe_limits(value / width, *sizes, level)
    return Interval(low * width, high * width, level, METHOD_NAMES["score"])


def hoeffding_interval(
    sizes: tuple[float, float], part: Part, value: float, level: float
) -> Interval:
    """Hoeffding's limits, which hold whatever the distribution of the scores.

    They stand in with one case in a class, where any narrower interval rests on assumptions.
    For a part of the area they are taken, as the score limits are, of the share of its width.
    """
    smaller = max(1.0, min(sizes))
    width = part.width
    low, high = hoeffding_limits(value / width, smaller, level)
    return Interval(low * width, high * width, level, METHOD_NAMES["hoeffding"])


def bootstrap_interval(
    data: Tally, part: Part, value: float, method: str, level: float, draws: Draws
) -> tuple[float, Interval]:
    """Percentile or BCa interval; the score interval where all resamples agree."""
    values = _area_replicates(data, part, draws)
    error = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    if values.min() == values.max():
        return error, score_interval(effective_sizes(data), part, value, level)
    if method == "bca":
        limits = bca_limits(values, value, acceleration(data, part), level)
    else:
        limits = percentile_limits(values, level)
    return error, Interval(*limits, level, resampling_words(data, METHOD_NAMES[method]))


def _area_replicates(data: Tally, part: Part, draws: Draws) -> Floats:
    """Resampled areas; the last ones are kept, for another interval from the same draws."""
    last: dict[Any, Floats] = data.remembered("last resampled areas", dict)
    seed = checks.seed(draws.rng)
    key = part, draws.n_resamples, seed
    if key not in last:
        values = replicates(data, Area(part), n_resamples=draws.n_resamples, seed=seed)
        if len(values) < draws.n_resamples:  # interrupted
            return values
        last.clear()
        last[key] = values
    return last[key]


def acceleration(data: Tally, part: Part) -> float:
    """BCa's acceleration from the influence of every case, both classes (F4.5)."""
    v, u = partial_influence(*roc_rates(data), part)
    N, M = data.n_neg, data.n_pos
    of_neg, of_pos = u * u, v * v  # third powers by the power function would take ten times as long
    squares = kernels.dot(data.neg, of_neg) / N**2 + kernels.dot(data.pos, of_pos) / M**2
    of_neg *= u
    of_pos *= v
    cubes = kernels.dot(data.neg, of_neg) / N**3 + kernels.dot(data.pos, of_pos) / M**3
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


EXACT = 2.0**53  # below, whole numbers are exact floats, and their quotients correctly rounded
TOGETHER = ("auto", "delong", "wilson")
COLUMNS = ("value", "standard_error", "low", "high")


class GroupAreas(NamedTuple):
    """Areas of groups, what positives and negatives have of their variances, and their sizes."""

    value: Floats
    of_positives: Floats
    of_negatives: Floats
    n_pos: Floats
    n_neg: Floats

    @property
    def variance(self) -> Floats:
        """DeLong's variance."""
        return self.of_positives + self.of_negatives

    @property
    def smaller(self) -> Floats:
        """Cases of the smaller class."""
        return np.minimum(self.n_pos, self.n_neg)


def area_columns(
    sums: Mapping[str, Any],
    one: Callable[[int], Mapping[str, Any]],
    *,
    method: str = "auto",
    level: float = 0.95,
    **more: Any,
) -> dict[str, Any] | None:
    """The columns of `Auc` for all groups; `one` answers for the group at one place.

    None where something else is asked for, which only the question itself can answer.
    """
    if method not in TOGETHER or any(value is not None for value in more.values()):
        return None
    level = checks.level(level)
    usable, areas = _areas(sums)
    wilson = np.full(len(areas.value), method == "wilson")
    if method == "auto":
        wrong_side = areas.smaller * np.minimum(areas.value, 1 - areas.value)
        wilson = wrong_side < ENOUGH * (1 - 1e-9)
    usable &= wilson | (areas.variance > 0)
    error = np.sqrt(np.maximum(areas.variance, 0.0))
    reach = normal_quantile(level) * error
    low, high = np.maximum(areas.value - reach, 0.0), np.minimum(areas.value + reach, 1.0)
    small = usable & wilson
    low[small], high[small] = _wilson_grouped_areas(
        GroupAreas(*(own[small] for own in areas)), (1 - level) / 2
    )
    names = np.where(wilson, METHOD_NAMES["wilson"], METHOD_NAMES["delong"]).astype(object)
    columns = dict(zip(COLUMNS, (areas.value, error, low, high), strict=True))
    columns["standard_error"] = error.astype(object)
    columns |= {"level": np.full(len(error), level), "method": names}
    columns |= {name: np.array(sums[name]) for name in ("n_pos", "n_neg")}
    for place in np.flatnonzero(~usable).tolist():
        for name, cells in one(place).items():
            columns[name][place] = cells[0]
    columns["method"] = columns["method"].astype(np.str_)
    if not any(cell is None for cell in columns["standard_error"]):
        columns["standard_error"] = columns["standard_error"].astype(np.float64)
    for place in np.flatnonzero(usable & (columns["high"] < 0.5))[:1].tolist():
        one(place)  # warns of an area below one half
    return columns


def _areas(sums: Mapping[str, Any]) -> tuple[Flags, GroupAreas]:
    """Which groups have exact floats throughout and two cases of each class; all areas."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        M, N, u, u2, v, v2 = (
            np.asarray(sums[name], np.float64)
            for name in ("n_pos", "n_neg", "sum_u", "sum_u2", "sum_v", "sum_v2")
        )
        scale = 4 * N * N * M * M
        wholes = (M * u2, u * u, N * v2, v * v, scale * M, scale * N)
        usable = (M > 1) & (N > 1) & (np.max(wholes, axis=0) < EXACT)
        areas = GroupAreas(
            u / (2 * M * N),
            (M * u2 - u * u) / (scale * (M - 1)),
            (N * v2 - v * v) / (scale * (N - 1)),
            M,
            N,
        )
    return usable, GroupAreas(*(np.where(usable, own, 0.5) for own in areas))


def _wilson_grouped_areas(areas: GroupAreas, tail: float) -> tuple[Floats, Floats]:
    """Limits of `effective_sizes.SizedArea`, with the effective sizes that belong to them."""
    from scipy.special import ndtri, stdtrit

    value, variance, smaller = areas.value, areas.variance, areas.smaller
    a = (smaller * value + 0.5) / (smaller + 1)
    largest = a * (1 - a) / smaller
    trust = 1 - 1 / (1 + (smaller * a * (1 - a)) ** 1.5)
    mixed = trust * variance + (1 - trust) * largest
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = areas.of_positives**2 / (areas.n_pos - 1)
        spread += areas.of_negatives**2 / (areas.n_neg - 1)
        own = np.maximum(np.where(spread > 0, variance * variance / spread, np.inf), 1.0)
        known = trust * variance / mixed
        df = np.where(known > 1 / NEARLY_NORMAL, own / known**2, np.inf)
    size = a * (1 - a) / mixed
    z = -float(ndtri(tail))
    q = np.full(len(df), z)
    student = df < NEARLY_NORMAL
    q[student] = -stdtrit(df[student], tail)
    with np.errstate(over="ignore", invalid="ignore"):
        step = q * q / size
        centre = (value + step / 2) / (1 + step)
        reach = np.sqrt(value * (1 - value) * step + step * step / 4) / (1 + step)
        comparisons = size * (z / q) ** 2 if z > 0 else size
        low = 1 - _beyond(1 - value, 1 - centre + reach, comparisons, tail)
        high = _beyond(value, centre + reach, comparisons, tail)
    lost = ~(q * q < np.inf)
    return np.where(lost, 0.0, low), np.where(lost, 1.0, high)


def _beyond(value: Floats, wilson: Floats, comparisons: Array, tail: float) -> Floats:
    """The upper limit; with less than two failures it goes over into Clopper and Pearson's."""
    from scipy.special import betaincinv

    failures = (1 - value) * comparisons
    found = np.minimum(wilson, 1.0)
    share = np.minimum(1.0, 2.0 - failures)
    few = (share > 0.0) & (failures > 0.0)
    exact = 1 - betaincinv(failures[few], (value * comparisons + 1)[few], tail)
    near = wilson[few] + share[few] * np.maximum(exact - wilson[few], 0.0)
    found[few] = np.minimum(near, 1.0)
    return np.where(failures <= 0.0, 1.0, found)


StepTies = Literal["simultaneous", "optimistic", "pessimistic"]


@result
class Auc(AboutData):
    """An area under the ROC curve with its standard error and confidence interval."""

    group_answers: ClassVar[type[GroupAnswers] | None] = ComparableGroups
    columns_of_groups: ClassVar[Callable[..., Any]] = staticmethod(area_columns)
    value: float
    standard_error: float | None
    interval: Interval
    n_pos: float
    n_neg: float
    part: Part = WHOLE
    standardized: bool = False

    def __float__(self) -> float:
        return self.value

    @property
    def as_share(self) -> SizedArea:
        """The area of its part's width, with its effective size: what groups are compared by."""
        data = self._known_data()
        value = whole_area(data) if self.part.is_whole else area_of_part(data, self.part)
        return area_as_share(data, self.part, value)

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        name = "AUC" if self.part.is_whole else f"partial AUC over {self.part}"
        if self.standardized:
            name = f"standardised {name}"
        digits = 3 if size >= 100 else 2
        if not self.part.is_whole and not self.standardized:
            digits += 1
        low, high = self.interval.low, self.interval.high
        return (
            f"{name} {self.value:.{digits}f} ({printing.percent(self.interval.level)} CI "
            f"{low:.{digits}f} to {high:.{digits}f}, {self.interval.method}); "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )

    def _columns(self) -> dict[str, Any]:
        return {
            "value": [self.value],
            "standard_error": [self.standard_error],
            "low": [self.interval.low],
            "high": [self.interval.high],
            "level": [self.interval.level],
            "method": [self.interval.method],
            "n_pos": [self.n_pos],
            "n_neg": [self.n_neg],
        }


@result
class StepArea(AboutData):
    """Komarek's area in unit steps: `value` = `area` / `perfect_area`."""

    value: float
    area: float
    perfect_area: float
    ties: str

    def _sentence(self) -> str:
        return (
            f"step area {self.value:.3f}: {printing.count(self.area)} of "
            f"{printing.count(self.perfect_area)} squares, ties {self.ties}"
        )


@by_group
def auc(
    data: Any = None,
    y_score: Any = None,
    *,
    max_fpr: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
    method: AreaMethod = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    groups: Any = None,
    rng: Any = None,
    **given: Unpack[TallyOptions],
) -> Auc:
    """Area under the ROC curve, or under part of it, with a confidence interval.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    max_fpr, fpr_range, tpr_range : optional
        Only the part with FPR from 0 to this; only this range (low, high) of FPR (area under the
        curve), or of TPR (area to its right).
    standardize : bool, default False
        McClish's scale for partial areas: 1/2 on the diagonal, 1 for the perfect curve.
    method : str, default "auto"
        How the interval is made. "auto" is "delong" where the smaller class times 1 - AUC (or
        times AUC) is 10 or more, and "wilson" elsewhere: Wilson's interval with the effective
        number of cases, which held the truth in 92 % of samples or more wherever it was counted.
        "delong", "hanley-mcneil", "jackknife", "exact-bootstrap", "unbiased" and "bootstrap" fall
        far below their level there; "logit", "bca" and "score" (Newcombe 2006) less so;
        "hoeffding" is never below, but wide. `auc_intervals` shows all. With one case in a class
        "hoeffding" takes over, and for AUC 0 or 1 "score"; `interval.method` says so.
    level, groups : optional
        Confidence level; the cluster of each row: the variance is then cluster-robust (Obuchowski
        1997), and the bootstrap draws whole clusters.
    n_resamples, rng
        Replicates of the bootstrap methods, and their seed or generator.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    Auc
        With `value`, `standard_error`, `interval`, `n_pos`, `n_neg`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.auc([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
    AUC 0.92 (95 % CI 0.41 to 1.00, effective-size Wilson); 3 positives, 4 negatives
    """
    whole = max_fpr is None and fpr_range is None and tpr_range is None
    rows = as_clustered_tally("auc", data, y_score, groups, given, summed=whole)
    part = chosen_part(max_fpr, fpr_range, tpr_range)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    standardize = checks.flag(standardize, "standardize")
    value = whole_area(rows) if part.is_whole else area_of_part(rows, part)
    standard_error, interval = area_interval(
        rows,
        part,
        value,
        method=method,
        level=level,
        n_resamples=n_resamples,
        rng=rng,
    )
    if part.is_whole and interval.high < 0.5:
        warn_below_half(value, rows.direction)
    if standardize:
        slope = part.standardized(1.0) - part.standardized(0.0)
        standard_error = standard_error and standard_error * slope
        ends = part.standardized(interval.low), part.standardized(interval.high)
        interval = replace(interval, low=ends[0], high=ends[1])
        value = part.standardized(value)
    return Auc._of_plain(
        value=value,
        standard_error=standard_error,
        interval=interval,
        n_pos=rows.n_pos,
        n_neg=rows.n_neg,
        part=part,
        standardized=standardize,
        data=rows,
        origin=rows.origin,
    )


def area_of_part(data: Tally, part: Part) -> float:
    """The area of one part, on the raw scale."""
    if not data.weighted:
        return part_sums(data, part).area
    _, fpr, tpr = stretch_of(data, part)
    return partial_area(fpr, tpr, part)


@by_group
def step_area(
    data: Any = None,
    y_score: Any = None,
    *,
    ties: StepTies = "simultaneous",
    **given: Unpack[TallyOptions],
) -> StepArea:
    """Komarek's step area (F1.4, F1.5): one square per (positive, negative) in the right order.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
        Without weights.
    ties : {"simultaneous", "optimistic", "pessimistic"}
        Tied pairs count one half, one, or nothing.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    StepArea
        With `value`, `area` and `perfect_area`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.step_area([1, 1, 0, 1, 0, 1], [6, 5, 4, 3, 2, 1])
    step area 0.625: 5 of 8 squares, ties simultaneous
    """
    tally = as_tally("step_area", data, y_score, given, summed=True)
    checks.one_of(ties, "ties", get_args(StepTies))
    refuse_weights(
        tally,
        "step_area",
        why="it counts squares of single cases",
        instead="`auc` takes weights, and is the same area where tied pairs count one half",
        clusters=False,
    )
    sums = tally.placement_sums
    doubled = {
        "simultaneous": sums.sum_u,
        "optimistic": sums.sum_u + sums.ties,
        "pessimistic": sums.sum_u - sums.ties,
    }[ties]
    perfect = sums.n_pos * sums.n_neg
    return StepArea(
        value=doubled / (2 * perfect),
        area=doubled / 2,
        perfect_area=perfect,
        ties=ties,
        data=tally,
        origin=tally.origin,
    )


@result
class AucIntervals(Result):
    """One area with the interval of every method, and which of them to trust here."""

    value: float
    method: NDArray[np.str_]
    standard_error: Array
    low: Floats
    high: Floats
    used: NDArray[np.str_]
    level: float
    recommended: str
    advice: str
    seed: int

    def _sentence(self) -> str:
        lines = [f"AUC {self.value:.3f}, {printing.percent(self.level)} intervals"]
        for name, low, high in zip(self.method, self.low, self.high, strict=True):
            mark = "*" if name == self.recommended else " "
            lines.append(f"{mark} {name:<16} {low:.3f} to {high:.3f}")
        return "\n".join([*lines, self.advice])

    def _columns(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "standard_error": self.standard_error,
            "low": self.low,
            "high": self.high,
            "used": self.used,
        }


@by_group
def auc_intervals(
    data: Any = None,
    y_score: Any = None,
    *,
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    groups: Any = None,
    **given: Unpack[TallyOptions],
) -> AucIntervals:
    """All intervals of the area, and a plain sentence on which to trust here and why.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Replicates of the two bootstrap methods.
    rng : optional
        Their seed or generator.
    groups : optional
        Cluster of each row; only methods that know of clusters are then shown.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    AucIntervals
        Arrays `method, standard_error, low, high, used` (what took over where a method cannot
        work), and `recommended`, `advice`.

    Examples
    --------
    >>> import rocwise as rw
    >>> answer = rw.auc_intervals([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7], rng=1)
    >>> answer.recommended
    'wilson'
    """
    tally = as_clustered_tally("auc_intervals", data, y_score, groups, given)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    seed = checks.seed(rng)
    value = whole_area(tally)
    names, errors, lows, highs, used = [], [], [], [], []
    for method in METHODS if tally.rows is None else OF_UNLIKE_ROWS:
        try:
            error, interval = area_interval(
                tally,
                WHOLE,
                value,
                method=method,
                level=level,
                n_resamples=n_resamples,
                rng=seed,
            )
        except InputError:  # BCa with every resample on one side of the estimate
            continue
        names.append(method)
        errors.append(error)
        lows.append(interval.low)
        highs.append(interval.high)
        used.append(interval.method)
    recommended, advice = advise(tally, value)
    return AucIntervals(
        value=value,
        method=np.array(names),
        standard_error=np.array(errors),
        low=np.array(lows),
        high=np.array(highs),
        used=np.array(used),
        level=level,
        recommended=recommended,
        advice=advice,
        seed=seed,
        origin=tally.origin,
    )


def advise(data: Tally, value: float) -> tuple[str, str]:
    """Which method to trust for these data, and why.

    The rule is what the coverage study supports (docs/explanation/coverage.md): it counts, as one
    does for a proportion, the cases of the smaller class on the wrong side.
    """
    smaller = min(effective_sizes(data))
    if smaller <= 1.0:
        return _trust("hoeffding", "one case in a class shows nothing of how that class varies")
    if value in (0.0, 1.0):
        return _trust("wilson", "the classes are separated, so the sample shows no variance")
    unit = "clusters" if data.clustered else "cases"
    cases = f"with {printing.count(smaller)} {unit} in the smaller class and an AUC of {value:.2f}"
    if symmetric_limits_hold(value, smaller):
        return _trust("delong", f"{cases}, the choice hardly matters, and this is the usual one")
    why = f"{cases}, a variance estimated from the data is often too small"
    method, advice = _trust("wilson", why)
    return method, f"{advice} It leans towards the largest variance that an area can have."


def _trust(method: str, why: str) -> tuple[str, str]:
    return method, f"Trust {METHOD_NAMES[method]}: {why}."
