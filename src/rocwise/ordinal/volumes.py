"""The volume under the ROC surface of ordered classes, for any number of classes.

The volume is the chance that one case of each class, drawn at random, is ranked in the order of
the classes. One pass over the sorted rows counts all such chains (no tuple is ever listed).
"""

from __future__ import annotations

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.data.rankings import Ranking
from rocwise.kernels.plain.ordering import levels_below, parts_at_scores


def volume(ranking: Ranking, ties: str) -> float:
    """Share of the chains in order; ties earn credit 1/t! for a run of t, or nothing (strict)."""
    if ranking.weights is not None:
        return volume_of_shares(ranking.share, ties)
    _, ranked, starts = ranking.in_order
    value = kernels.chain_volume(ranked, starts, ranking.sizes, strict=ties == "strict")
    return min(value, 1.0)  # sums of shares may pass 1 by rounding


def volume_of_shares(share: Floats, ties: str) -> float:
    """The same from the share of every class at each distinct score, (scores, classes)."""
    return min(float(levels_below(share, strict=ties == "strict")[-1][-1]), 1.0)


def volume_parts(ranking: Ranking, ties: str) -> Floats:
    """For each row, in row order, the share of the chains through it that are in order."""
    if ranking.weights is not None:
        table = parts_at_scores(ranking.share, strict=ties == "strict")
        return np.asarray(table[ranking.group, ranking.codes])
    order, ranked, starts = ranking.in_order
    parts = np.empty(len(ranking))
    parts[order] = kernels.chain_parts(ranked, starts, ranking.sizes, strict=ties == "strict")
    return parts
