"""How much every row moves the partial areas of several models on the same rows."""

from __future__ import annotations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Places
from rocwise.binary.areas.influences import Influences
from rocwise.binary.curves.empirical import rates_from_zero
from rocwise.binary.curves.parts import Part, partial_area, partial_influence
from rocwise.primitives.pairs import Pairs


def part_influences(pairs: Pairs, part: Part) -> Influences:
    """Partial areas of all models and the influence of every row on each.

    `partial_influence` has the formula; covariances follow as for whole areas.
    """
    positive = pairs.mask == 1
    areas, of_positives, of_negatives = [], [], []
    for name in pairs.names:
        data = pairs.tally(name)
        rates = rates_from_zero(data)
        pos, neg = partial_influence(*rates, part)
        places = _places(pairs, name)
        weights = np.ones(len(pairs)) if pairs.weights is None else pairs.weights
        areas.append(partial_area(*rates, part))
        of_positives.append((weights * pos[places])[positive] / data.n_pos)
        of_negatives.append((weights * neg[places])[~positive] / data.n_neg)
    return Influences(np.array(areas), np.stack(of_positives), np.stack(of_negatives))


def _places(pairs: Pairs, name: str) -> Places:
    """Of every row, the place of its score in the tally; rows without weight move nothing."""
    order = kernels.argsort(pairs.scores(name))[::-1]
    ranked = pairs.scores(name)[order]
    new = np.append(True, ranked[1:] != ranked[:-1])
    if pairs.weights is not None:  # scores that no row with weight has are not in the tally
        group = np.cumsum(new) - 1
        held = np.bincount(group, pairs.weights[order]) > 0
        ranks = np.maximum(np.cumsum(held) - 1, 0)[group]
    else:
        ranks = np.cumsum(new) - 1
    places = np.empty(len(order), np.intp)
    places[order] = ranks
    return places
