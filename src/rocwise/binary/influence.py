"""Influence values of statistics of two classes, of a tally and of every row of `Pairs`.

A statistic gives the influence of a positive and of a negative at each distinct score of a tally
(`Influence`); `tally_variance` and `pairs_covariance` make variances and covariances of them, see
`inference.variance`. Those of areas are here, and of a rate at a given rate.
"""

import math
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Codes, Floats, Integers, Mask, Places, Scores
from rocwise.binary.partial_area import Part, partial_area, partial_influence, without_noise
from rocwise.binary.roc import roc_rates, whole_area
from rocwise.binary.unit_scores import scores_of_model
from rocwise.data.pairs import Pairs
from rocwise.data.summed_rows import ClusteredSums, SummedPairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.variance import CovarianceByClass, VarianceByClass, combined, covariance
from rocwise.kernels.threads import run_tasks

ROUNDING = 1e-14  # influence values below this are rounding errors of rates
BLOCK = 2**15  # rows whose influence values are added up together
REACH = 2.0  # standard errors of the given rate, over which the slope of the curve is taken


class Influence(NamedTuple):
    """A statistic and the influence of a positive and of a negative at each distinct score."""

    value: float
    positives: Floats
    negatives: Floats


def area_of(data: Tally, part: Part) -> float:
    """The area of a part, or of the whole curve, on the raw scale."""
    return whole_area(data) if part.is_whole else partial_area(*roc_rates(data), part)


def area_influence(data: Tally, part: Part) -> Influence:
    """The area of a part of the curve and its influence values."""
    if not part.is_whole:
        fpr, tpr = roc_rates(data)
        return Influence(partial_area(fpr, tpr, part), *partial_influence(fpr, tpr, part))
    area = whole_area(data)
    below = (data.n_neg - data.fp + data.neg / 2) / data.n_neg
    above = (data.tp - data.pos / 2) / data.n_pos
    for placed in (below, above):
        placed -= area
        without_noise(placed, ROUNDING)
    return Influence(area, below, above)


def rate_influence(data: Tally, at: float, *, mirrored: bool) -> tuple[Floats, Floats]:
    """Influence of both classes on the TPR at an FPR; mirrored, on specificity at 1 - TPR."""
    fpr, tpr = roc_rates(data)
    n_across = float(data.n_neg)
    if mirrored:
        fpr, tpr, n_across = 1.0 - tpr[::-1], 1.0 - fpr[::-1], float(data.n_pos)
    reach = REACH * math.sqrt(at * (1.0 - at) / n_across)
    low, high = max(at - reach, 0.0), min(at + reach, 1.0)
    rise = float(np.diff(np.interp([low, high], fpr, tpr))[0])
    slope = rise / (high - low) if high > low else 0.0
    beyond = _fraction_beyond(fpr, at)
    up = beyond - float(np.dot(np.diff(tpr), beyond))
    across = -slope * (beyond - at)
    return (across[::-1], up[::-1]) if mirrored else (up, across)


def _fraction_beyond(rates: Floats, at: float) -> Floats:
    """For each segment, the fraction of its cases at or before the rate; all on a vertical part."""
    before, after = rates[:-1], rates[1:]
    inside = (before <= at + 1e-12).astype(np.float64)
    k = int(np.searchsorted(rates, at + 1e-12, side="right")) - 1
    if k < len(inside) and after[k] > before[k]:
        inside[k] = min(max((at - before[k]) / (after[k] - before[k]), 0.0), 1.0)
    return inside


def tally_variance(data: Tally, found: Influence) -> VarianceByClass:
    """The variance of a statistic of one sample; each class needs two rows, or two clusters."""
    phi, rows = (found.positives, found.negatives), data.rows
    if not data.clustered:
        require_two_cases(*data.effective_sizes, "influence")
        squares = (data.pos, data.neg)
        if data.squares is not None:
            squares = data.squares.pos, data.squares.neg
        columns = [each[None, :] for each in phi]
        largest = None
        if rows is not None and rows.weights is not None:
            own = rows.weights * rows.positive
            largest = [float(own.max()), float((rows.weights - own).max())]
        totals = data.pos, data.neg
        return covariance(columns, totals, squares=squares, largest=largest).variance(0)
    assert rows is not None and rows.clusters is not None
    classes = np.flatnonzero(rows.positive), np.flatnonzero(~rows.positive)
    clusters = [rows.clusters[own] for own in classes]
    require_two_clusters(*map(kernels.n_distinct, clusters))
    score = np.repeat(np.arange(len(rows.starts)), np.diff(rows.starts, append=len(rows)))
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    total = weights if rows.counts is None else weights * rows.counts
    return covariance(
        [each[score[own]][None, :] for each, own in zip(phi, classes, strict=True)],
        [total[own] for own in classes],
        clusters,
        squares=[(total * weights)[own] for own in classes],
    ).variance(0)


def area_variance_by_class(data: Tally, part: Part) -> VarianceByClass:
    """The variance of an area by its influence values: DeLong's of plain rows and whole areas."""
    if isinstance(data.rows, ClusteredSums) and part.is_whole:  # only sums are known
        rows = data.rows
        VV, UU, UV = rows.products()
        sizes = rows.effective_sizes()
        require_two_clusters(*map(int, sizes))
        cross = 2 * rows.n_clusters / (rows.n_clusters - 1) * np.array([[UV]])
        products = [np.array([[VV]]), np.array([[UU]])]
        return combined(products, sizes, sizes, cross=cross).variance(0)
    if data.rows is None and not data.weighted and part.is_whole:
        sums = data.placement_sums
        N, M = sums.n_neg, sums.n_pos
        require_two_cases(M, N, "delong")
        scale = 4 * N * N * M * M
        of_positives = (M * sums.sum_u2 - sums.sum_u**2) / (scale * (M - 1))
        of_negatives = (N * sums.sum_v2 - sums.sum_v**2) / (scale * (N - 1))
        variance = of_negatives + of_positives
        return VarianceByClass(variance, (of_positives, of_negatives), (M, N))
    return tally_variance(data, area_influence(data, part))


def require_two_cases(n_pos: float, n_neg: float, method: str) -> None:
    """Raise where a class has one case, which shows no variance."""
    for count, name in ((n_neg, "negative"), (n_pos, "positive")):
        if count <= 1:
            raise InputError(
                f"method={method!r} needs at least two {name}s; got {count:g}. "
                "The variance is undefined for one case."
            )


def require_two_clusters(with_positives: int, with_negatives: int) -> None:
    """Raise where clusters show no variance of a class."""
    for members, name in ((with_positives, "a positive"), (with_negatives, "a negative")):
        if members < 2:
            raise InputError(
                f"`groups` has {members} cluster with {name} row; at least two are needed."
            )


def placement_influence(
    mask: Codes, scores: Scores, weights: Floats | None = None
) -> tuple[float, Floats]:
    """The area of rows, and per row its proportion of concordant pairs less the area."""
    positive = mask != 0
    if weights is None:
        placed = kernels.placements(mask, scores)
        M = int(np.count_nonzero(positive))
        N = len(mask) - M
        area = int(placed[positive].sum()) / (2 * M * N)
        return area, np.where(positive, placed / (2 * N), 1 - placed / (2 * M)) - area
    score = kernels.distinct(scores)[1]
    neg, pos = (np.bincount(score, weights * (positive == label)) for label in (False, True))
    below = (np.cumsum(neg) - neg / 2) / neg.sum()
    above = 1 - (np.cumsum(pos) - pos / 2) / pos.sum()
    placed = np.where(positive, below[score], above[score])
    w_pos = weights[positive]
    area = min(float(np.dot(w_pos, placed[positive]) / w_pos.sum()), 1.0)  # weights are rounded
    return area, placed - area


def row_influences(
    pairs: Pairs, influence: Callable[[Tally], Influence]
) -> tuple[Floats, Floats, Floats]:
    """Values of k models, and the influence of every positive (k, M) and negative row (k, N)."""
    positive, negative = pairs.class_rows

    def of_one(name: str) -> tuple[float, Floats, Floats]:
        with scores_of_model(pairs, name):
            value, of_positives, of_negatives = influence(pairs.tally(name))
        score = score_positions(pairs, name)
        return value, of_positives[score[positive]], of_negatives[score[negative]]

    found = run_tasks(of_one, [(name,) for name in pairs.names], len(pairs))
    values, positives, negatives = zip(*found, strict=True)
    return np.array(values), np.stack(positives), np.stack(negatives)


def score_positions(pairs: Pairs, name: str) -> Places:
    """Of every row, the position of its score in the tally, the most positive score first."""
    scores, rising = kernels.distinct(pairs.scores(name))
    position = len(scores) - 1 - rising
    if pairs.weights is not None:  # scores of rows without weight are not in the tally
        present = np.bincount(position, pairs.weights) > 0
        position = np.maximum(np.cumsum(present) - 1, 0)[position]
    return position


def pairs_covariance(pairs: Pairs, positives: Floats, negatives: Floats) -> CovarianceByClass:
    """Covariance matrix of a statistic of models on the same rows; cluster-robust with groups."""
    classes, clusters = pairs.class_rows, None
    if pairs.groups is None:
        require_two_cases(pairs.n_pos, pairs.n_neg, "delong")
    else:
        clusters = [pairs.groups[own] for own in classes]
        require_two_clusters(*map(kernels.n_distinct, clusters))
    weights = None if pairs.weights is None else [pairs.weights[own] for own in classes]
    return covariance((positives, negatives), weights, clusters)


def auc_covariance_by_class(pairs: Pairs) -> tuple[Floats, CovarianceByClass]:
    """Areas of models on the same rows and DeLong's covariance matrix of them."""
    if not (pairs.weighted or pairs.clustered):
        require_two_cases(pairs.n_pos, pairs.n_neg, "delong")
        areas, SM, SN = sums_of_products(pairs)
        M, N = float(pairs.n_pos), float(pairs.n_neg)
        return areas, combined((SM / M**2, SN / N**2), (M, N), (M, N))
    if not isinstance(pairs, SummedPairs):
        found = [
            placement_influence(pairs.mask, pairs.scores(name), pairs.weights)
            for name in pairs.names
        ]
        phi, areas = np.stack([each for _, each in found]), np.array([area for area, _ in found])
        by_class = (phi[:, own] for own in pairs.class_rows)
        return areas, pairs_covariance(pairs, *by_class)
    areas, VV, UU, UV = pairs.influence_products()
    *members, n_clusters = pairs.cluster_counts()
    require_two_clusters(*members)
    sizes = min(float(members[0]), pairs.n_pos), min(float(members[1]), pairs.n_neg)
    cross = n_clusters / (n_clusters - 1) * (UV + UV.T)
    return areas, combined((VV, UU), members, sizes, cross=cross)


def sums_of_products(pairs: Pairs) -> tuple[Floats, Floats, Floats]:
    """Areas, and sums of products of the influence values of equal rows of either class."""
    M, N = pairs.n_pos, pairs.n_neg
    if isinstance(pairs, SummedPairs):
        areas, VV, UU, _ = pairs.influence_products()
        return areas, VV * M**2, UU * N**2
    k = len(pairs.names)
    blocks = [slice(start, start + BLOCK) for start in range(0, len(pairs), BLOCK)]
    totals = np.dot(pairs.placements, pairs.mask.astype(np.int64))
    areas = np.array([total / (2 * M * N) for total in totals.tolist()])
    SM, SN = np.zeros((k, k)), np.zeros((k, k))
    for some in blocks:
        placed, positive = pairs.placements[:, some], pairs.mask[some]
        of_positives = (placed / (2.0 * N) - areas[:, None]) * positive
        of_negatives = (placed / (-2.0 * M) + (1.0 - areas)[:, None]) * (1 - positive)
        SM += np.dot(of_positives, of_positives.T)
        SN += np.dot(of_negatives, of_negatives.T)
    return areas, SM, SN


class ModelRanks(NamedTuple):
    """Ranks among the negatives, ties in any order; negatives below each positive, or tied."""

    negatives: Integers
    lower: Integers
    upper: Integers


def kernel_products(mask: Mask, placements: Integers) -> Floats:
    """Sums over all pairs of products of two models' kernels, from doubled placements."""
    ranked = run_tasks(model_ranks, [(mask, placed) for placed in placements], len(mask))
    products = np.diag([(3 * each.lower.sum() + each.upper.sum()) / 4 for each in ranked])
    indices = list(combinations(range(len(ranked)), 2))
    sums = run_tasks(_kernel_product, [(ranked[a], ranked[b]) for a, b in indices], len(mask))
    for (a, b), found in zip(indices, sums, strict=True):
        products[a, b] = products[b, a] = found
    return products


def model_ranks(mask: Mask, placed: Integers) -> ModelRanks:
    """Ranks by one model, from twice the placement of each row within the other class."""
    of_neg, of_pos = placed[mask == 0], placed[mask != 0]
    below = np.searchsorted(np.sort(of_pos), of_pos, side="left")
    lower = np.searchsorted(np.sort(of_neg), 2 * below, side="right")
    return ModelRanks(np.argsort(np.argsort(of_neg)), lower, of_pos - lower)


def _kernel_product(first: ModelRanks, second: ModelRanks) -> float:
    """The sum for two models: for each positive, the negatives below it by both.

    Ranks by the second model, in the order of the first, are split by their bits, highest first
    (a wavelet matrix): a query counts its lower side, and follows the side of its bound.
    """
    ranks = second.negatives[np.argsort(first.negatives)]
    stop = np.tile(np.concatenate([first.lower, first.upper]), 2)
    bound = np.concatenate([second.lower, second.lower, second.upper, second.upper])
    start, total = np.zeros_like(stop), 0
    for bit in reversed(range(len(ranks).bit_length())):
        is_low = (ranks >> bit) & 1 == 0
        lows = np.append(0, np.cumsum(is_low))
        start_low, stop_low = lows[start], lows[stop]
        goes_high = (bound >> bit) & 1 == 1
        total += int((stop_low - start_low)[goes_high].sum())
        start = np.where(goes_high, lows[-1] + start - start_low, start_low)
        stop = np.where(goes_high, lows[-1] + stop - stop_low, stop_low)
        ranks = np.concatenate([ranks[is_low], ranks[~is_low]])
    return total / 4
