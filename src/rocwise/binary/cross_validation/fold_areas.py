"""AUCs of the folds of cross-validation, and how much every row moves their mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from rocwise import kernels, printing
from rocwise.arrays import Counts, Floats, Mask, Places
from rocwise.binary.areas.influences import weighted_placements
from rocwise.binary.cross_validation.pooling import pooled_sums
from rocwise.errors import InputError, listed
from rocwise.inference.stratified_bootstrap import mixed_clusters
from rocwise.inputs.folds import OutOfFoldScores
from rocwise.kernels import PlacementSums
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import row_by_row, run_models, steps_of_rows


@dataclass(frozen=True, slots=True)
class FoldAreas:
    """AUCs of the folds of one repeat, and how much every row moves their mean.

    `pooled` is the order of the classes among the scores of all folds; None with weights.
    """

    values: Floats
    influences: Floats
    pooled: PlacementSums | None


def repeat_areas(rows: OutOfFoldScores) -> list[FoldAreas]:
    """The areas of every repeat of cross-validation."""
    return [
        _fold_areas(rows.mask, scores, folds, names, rows.weights)
        for scores, folds, names in zip(rows.scores, rows.folds, rows.fold_names, strict=True)
    ]


def mean_influences(repeats: Sequence[FoldAreas]) -> Floats:
    """How much every row moves the mean over folds and repeats.

    The mean over repeats moves with a case as the mean of what it moves in each repeat.
    """
    if len(repeats) == 1:
        return repeats[0].influences
    return np.asarray(np.mean([repeat.influences for repeat in repeats], axis=0), np.float64)


def influence_covariance(influences: Floats, groups: Places | None) -> Floats:
    """Covariance matrix of estimates, from one row of influences for each.

    Rows of one group move the estimates together: their influences are added first, and G groups
    have the factor G / (G - 1).
    """
    if groups is None:
        return _products(influences)
    n_groups = int(groups.max()) + 1
    moved = [np.bincount(groups, row, minlength=n_groups) for row in influences]
    return np.asarray(n_groups / (n_groups - 1) * _products(np.asarray(moved, np.float64)))


def _products(columns: Floats) -> Floats:
    """Sums of the products of every two columns."""
    return np.array([[kernels.dot(one, other) for other in columns] for one in columns])


def refuse_parted_groups(rows: OutOfFoldScores) -> None:
    """Refuse a group that is trained on and tested by the same model."""
    if rows.groups is None:
        return
    if kernels.numbers_used(rows.groups) < 2:
        raise InputError("`groups` must name at least two groups; got one.")
    for folds, names in zip(rows.folds, rows.fold_names, strict=True):
        if mixed_clusters(rows.groups, folds):
            both = np.unique(np.stack([rows.groups, folds]), axis=1)
            place = int((both[0, 1:] == both[0, :-1]).argmax())
            row = int((rows.groups == both[0, place]).argmax())
            where = listed([names[fold] for fold in both[1, place : place + 2]])
            raise InputError(
                f"`groups`: the group of row {row} is in the folds {where}, so that a model was "
                "tested on a group it had seen. Make the folds with GroupKFold or "
                "StratifiedGroupKFold."
            )


def _fold_areas(
    mask: Mask, scores: Floats, folds: Places, names: Sequence[str], weights: Floats | None
) -> FoldAreas:
    """AUC of every fold, and influences after LeDell, Petersen & van der Laan (2015).

    Their variance is mean_v mean_{i in v} IC_i^2 / n, where IC_i is the share of the other class
    (in the fold) on the right side of case i, less the fold's AUC, over the share of the case's
    class in all data. The influences returned are scaled so that their squares add up to it. With
    weights every count is a sum of weights, and a row moves the mean in proportion to its own.
    """
    K = len(names)
    if K < 2:
        raise InputError("`folds` must name at least two folds; got one.")
    if weights is None:
        total, of_positives = float(len(mask)), float(np.count_nonzero(mask))
    else:
        total, of_positives = float(weights.sum()), float(weights[mask == 1].sum())
    of_class = np.array([1 - of_positives / total, of_positives / total])
    influences = on_large_pages(len(mask))
    order, bounds = kernels.rows_by_group(folds, K)

    def look(v: int) -> float | PlacementSums:
        if v == K:
            return pooled_sums(mask, scores)
        rows = order[bounds[v] : bounds[v + 1]]
        own, labels = None if weights is None else weights[rows], mask[rows]
        size = float(len(rows) if own is None else own.sum())
        scale = math.sqrt(total * K * size)
        value, moved = _area_and_influences(labels, scores[rows], names[v], own, of_class)
        row_by_row(lambda some: some / scale, moved, out=moved)
        influences[rows] = moved
        return value

    # the pooled scores are one more task, longer than a fold: nobody waits for the first
    tasks = [(K,)] if weights is None else []
    found = run_models(look, tasks + [(v,) for v in range(K)], rows=len(mask))
    pooled = found.pop(0) if weights is None else None
    return FoldAreas(np.array(found), influences, cast(PlacementSums | None, pooled))


def _area_and_influences(
    mask: Mask, scores: Floats, name: str, weights: Floats | None, of_class: Floats
) -> tuple[float, Floats]:
    """AUC of one fold and, per case, its share of well-ordered pairs less the AUC, by its class."""
    M = int(np.count_nonzero(mask))
    N = len(mask) - M
    if min(M, N) == 0:
        absent = "positive" if M == 0 else "negative"
        raise InputError(
            f"`folds`: fold {name} has no {absent} case ({printing.classes(M, N)}), so its AUC is "
            "undefined. Make the folds stratified, so that each has both classes."
        )
    if weights is not None:
        value, centred = weighted_placements(mask, scores, weights)
        return value, weights * centred / of_class[mask]
    doubled = kernels.placements(mask, scores)
    steps = steps_of_rows(0, len(mask), len(mask))
    won = sum(int(np.where(mask[some], doubled[some], 0).sum()) for some in steps)
    area = won / (2 * M * N)

    def influence(placed: Counts, labels: Mask) -> Floats:
        shares = np.where(labels, placed / (2 * N), 1 - placed / (2 * M))
        return np.asarray((shares - area) / of_class[labels])

    return area, row_by_row(influence, doubled, mask)


def common_number(n_folds: Sequence[int]) -> int:
    """The number of folds of every repeat."""
    for repeat, number in enumerate(n_folds):
        if number != n_folds[0]:
            raise InputError(
                f"`folds` has {n_folds[0]} folds in repeat 0 but {number} in repeat {repeat}; "
                "all repeats must have the same number."
            )
    return n_folds[0]
