"""What categories of scores say of a binormal fit, and what is left of it without cut points."""

import math
from typing import NamedTuple, Self

import numpy as np

from rocwise.arrays import Floats

PER_BLOCK = 4096
"""Categories whose sums are kept apart, so that they are the same on any number of threads."""


class BinormalStep(NamedTuple):
    """A step of a, b and every cut point; the covariance of (a, b); how far it is from the top.

    `farthest` is how far the cut point goes that goes farthest; it is 0 and `cuts` None where they
    were not asked for. `steepest` is the largest derivative of the log
    likelihood, `gain` what a step promises.
    """

    a: float
    b: float
    cuts: Floats | None
    covariance: Floats
    steepest: float
    gain: float
    farthest: float = 0.0


class BinormalRows(NamedTuple):
    """The log likelihood of categories, its derivatives, and the information of its parameters.

    `table` (5, K - 1) has a row for each cut point: the diagonal of their information, what is
    beside it, the gradient, and what the cut points share with a and b. To eliminate the cut
    points takes the table up. `least` is the smallest share of a category, 0 where one is none.
    """

    table: Floats
    log_likelihood: float
    by_a: float
    by_b: float
    own_aa: float
    own_ab: float
    own_bb: float
    steepest: float
    least: float

    @classmethod
    def of_blocks(cls, table: Floats, sums: Floats) -> Self:
        """From the sums of each block, added up with one rounding."""
        *totals, steepest, least = sums.T
        value, by_a, by_b, aa, ab, bb = (math.fsum(column) for column in totals)
        found = value if math.isfinite(value) else -math.inf
        most, fewest = float(steepest.max()), float(least.min())
        return cls(table, found, by_a, by_b, aa, ab, bb, most, fewest)


class Taken(NamedTuple):
    """What eliminated cut points take off the gradient and the information of a and b."""

    score_a: float
    score_b: float
    aa: float
    ab: float
    bb: float
    gained: float

    def covariance(self, rows: BinormalRows) -> Floats | None:
        """That of (a, b); None where the information is singular."""
        own = np.array([[rows.own_aa, rows.own_ab], [rows.own_ab, rows.own_bb]])
        try:
            return np.linalg.inv(own - np.array([[self.aa, self.ab], [self.ab, self.bb]]))
        except np.linalg.LinAlgError:
            return None

    def solved(self, rows: BinormalRows, covariance: Floats) -> tuple[float, float]:
        """The steps of a and of b."""
        left = np.array([rows.by_a - self.score_a, rows.by_b - self.score_b])
        a, b = (covariance @ left).tolist()
        return a, b

    def step(self, rows: BinormalRows, a: float, b: float, covariance: Floats) -> BinormalStep:
        """All of it but for the cut points."""
        steepest = max(abs(rows.by_a), abs(rows.by_b), rows.steepest)
        along_cuts = self.gained - a * self.score_a - b * self.score_b
        gain = rows.by_a * a + rows.by_b * b + along_cuts
        return BinormalStep(a, b, None, covariance, steepest, gain)
