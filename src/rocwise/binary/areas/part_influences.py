"""How much every row moves the partial areas of several models on the same rows."""

from __future__ import annotations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Counts, Floats, Places
from rocwise.binary.areas.influences import Influences
from rocwise.binary.curves.empirical import rates_from_zero
from rocwise.binary.curves.parts import Part, partial_area, partial_influence
from rocwise.primitives.pairs import Pairs


def part_influences(pairs: Pairs, part: Part) -> Influences:
    """Partial areas of all models and the influence of every row on each.

    `partial_influence` has the formula; covariances follow as for whole areas.
    """
    of_classes = np.flatnonzero(pairs.mask == 1), np.flatnonzero(pairs.mask == 0)
    areas, of_positives, of_negatives = [], [], []
    for name in pairs.names:
        data = pairs.tally(name)
        rates = rates_from_zero(data)
        moved = of_rows(pairs, name, *partial_influence(*rates, part))
        areas.append(partial_area(*rates, part))
        of_positives.append(moved[of_classes[0]] / data.n_pos)
        of_negatives.append(moved[of_classes[1]] / data.n_neg)
    return Influences(np.array(areas), np.stack(of_positives), np.stack(of_negatives))


def of_rows(pairs: Pairs, name: str, of_positive: Floats, of_negative: Floats) -> Floats:
    """The influence of every row, times its weight, from those of the scores of the tally."""
    order = kernels.argsort(pairs.scores(name))[::-1]
    if len(of_positive) < len(pairs):  # rows share scores
        places = _places(pairs, name, order)
        of_positive, of_negative = of_positive[places], of_negative[places]
    moved = np.empty(len(pairs))
    moved[order] = np.where(pairs.mask[order], of_positive, of_negative)
    return moved if pairs.weights is None else moved * pairs.weights


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
