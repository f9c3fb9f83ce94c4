"""How much every row moves the partial areas of several models on the same rows."""

from __future__ import annotations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Floats, Places
from rocwise.binary.areas.influences import Influences
from rocwise.binary.curves.empirical import curve_points
from rocwise.binary.curves.parts import Part, partial_area, partial_influence
from rocwise.kernels.row_formulas import run_models, split_by_class
from rocwise.primitives.pairs import Pairs


def part_influences(pairs: Pairs, part: Part) -> Influences:
    """Partial areas of all models and the influence of every row on each.

    `partial_influence` has the formula; covariances follow as for whole areas.
    """
    moved = np.empty((len(pairs.names), len(pairs)))

    def fill(name: str, of_model: Floats) -> float:
        fpr, tpr, thresholds, _ = curve_points(pairs.tally(name))
        influence = partial_influence(fpr, tpr, part)
        of_model[:] = of_rows(pairs, name, *influence, thresholds[1:])
        return partial_area(fpr, tpr, part)

    def share(name: str, of_positives: Floats, of_negatives: Floats) -> None:
        of_positives /= pairs.tally(name).n_pos
        of_negatives /= pairs.tally(name).n_neg

    areas = run_models(fill, list(zip(pairs.names, moved, strict=True)), len(pairs))
    positives, negatives = split_by_class(moved, pairs.mask)
    run_models(share, list(zip(pairs.names, positives, negatives, strict=True)), len(pairs))
    return Influences(np.array(areas), positives, negatives)


def of_rows(
    pairs: Pairs,
    name: str,
    of_positive: Floats,
    of_negative: Floats,
    scores: Array | None = None,
) -> Floats:
    """The influence of every row, times its weight, from those of the scores of the tally.

    Where these `scores` are given, rows beyond the last change of influence on either side are not
    sorted: the influences of a part of the curve differ on few of the rows.
    """
    data, oriented = pairs.tally(name), pairs.scores(name)
    if (
        scores is None or data.oriented_classes is None
    ):  # those of a table, or that stand for others
        first, last = -1, len(of_positive)
        rows = kernels.argsort(oriented)[::-1]
        moved = np.empty(len(pairs))
    else:
        first, last = _same_ends(of_positive, of_negative)
        sign = 1 if data.direction == "higher" else -1
        high = np.inf if first < 0 else sign * scores[first]
        low = -np.inf if last == len(scores) else sign * scores[last]
        moved = np.where(pairs.mask, of_positive[-1], of_negative[-1])
        if first >= 0:
            above = np.flatnonzero(oriented >= high)
            moved[above] = np.where(pairs.mask[above], of_positive[0], of_negative[0])
        near = np.flatnonzero((oriented < high) & (oriented > low))
        rows = near[kernels.argsort(oriented[near])[::-1]]
    of_positive, of_negative = of_positive[first + 1 : last], of_negative[first + 1 : last]
    if len(of_positive) < len(rows):  # rows share scores
        places = _places(pairs, name, rows)
        of_positive, of_negative = of_positive[places], of_negative[places]
    moved[rows] = np.where(pairs.mask[rows], of_positive, of_negative)
    return moved if pairs.weights is None else moved * pairs.weights


def _same_ends(of_positive: Floats, of_negative: Floats) -> tuple[int, int]:
    """The last score up to which all are alike, and the first from which on they are.

    >>> _same_ends(np.array([1.0, 1.0, 2.0, 3.0, 3.0, 3.0]), np.zeros(6))
    (1, 3)
    >>> _same_ends(np.ones(3), np.ones(3))
    (2, 3)
    """
    changed = (of_positive[1:] != of_positive[:-1]) | (of_negative[1:] != of_negative[:-1])
    if not changed.any():
        return len(changed), len(of_positive)
    return int(np.argmax(changed)), len(changed) - int(np.argmax(changed[::-1]))


def _places(pairs: Pairs, name: str, order: Counts) -> Places:
    """Of rows from the highest score down, the place of their score in the tally.

    Rows without weight move nothing.
    """
    ranked = pairs.scores(name)[order]
    new = np.append(True, ranked[1:] != ranked[:-1])
    if pairs.weights is None:
        return np.asarray(np.cumsum(new) - 1)
    group = np.cumsum(new) - 1  # scores that no row with weight has are not in the tally
    held = np.bincount(group, pairs.weights[order]) > 0
    return np.asarray(np.maximum(np.cumsum(held) - 1, 0)[group])
