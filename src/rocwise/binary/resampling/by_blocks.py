"""Resamples of very many scores drawn by blocks, for statistics that look at the best vertices.

How many drawn cases lie before the border of a block is a binomial number, given how many lie
before two others; cases inside a block are drawn only if the best vertex may be there. A curve
rises, so between two borders no vertex has more hits than the second or fewer false alarms than
the first: what is left out could not have been the best. Nothing is given up: the distribution is
that of cases drawn one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Counts, Floats
from rocwise.data.tally import Tally
from rocwise.kernels.long_arrays import give_back

MOST_DIRECTIONS = 256  # beyond which most blocks would have to be drawn
SCORES_PER_CELL = 1024  # most blocks are never drawn, so that chunks may be large


class BestVertices(NamedTuple):
    """What a statistic looks at: the vertex with the largest a TPR - b FPR, for each (a, b).

    `finished` makes values of the vertices, 0 for the origin, and of their TPRs and FPRs, all of
    them tables with a line for each resample and a column for each direction.
    """

    directions: Floats
    with_origin: bool
    finished: Callable[[Counts, Floats, Floats], Floats]

    @property
    def width(self) -> int:
        """Numbers that one resample holds in memory."""
        return 3 * len(self.directions)


def best_vertices(data: Tally, statistic: object) -> BestVertices | None:
    """What the statistic looks at; None for a user's own, and those that look at whole curves."""
    own = type(statistic)
    if not own.__module__.startswith("rocwise.") or not hasattr(own, "best_vertices"):
        return None
    found: BestVertices | None = own.best_vertices(statistic, data)
    return None if found is None or len(found.directions) > MOST_DIRECTIONS else found


def best_drawn(data: Tally, wanted: BestVertices, seed: int) -> Callable[[int, int], Floats]:
    """Values of the replicates first..last."""
    n_pos, n_neg = float(data.n_pos), float(data.n_neg)
    ranks = np.append(0, data.tp), np.append(0, data.fp)
    give_back(len(data))  # what the curve was made in

    def draw(first: int, last: int) -> Floats:
        found = kernels.resample_block_furthest(
            *ranks, seed, first, last, wanted.directions, with_origin=wanted.with_origin
        )
        return wanted.finished(found[..., 0], found[..., 1] / n_pos, found[..., 2] / n_neg)

    return draw
