"""What the cut points of a binormal fit leave of a step of Fisher's scoring, and the step."""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats


class BinormalStep(NamedTuple):
    """A step of a, b and every cut point; the covariance of (a, b); how far it is from the top.

    `steepest` is the largest derivative of the log likelihood, `gain` what a step promises.
    """

    a: float
    b: float
    cuts: Floats
    covariance: Floats
    steepest: float
    gain: float


class Eliminated(NamedTuple):
    """Sums that are left of the cut points: derivatives, own information, and what is taken off."""

    by_a: float
    by_b: float
    own_aa: float
    own_ab: float
    own_bb: float
    score_a: float
    score_b: float
    taken_aa: float
    taken_ab: float
    taken_bb: float
    gained: float
    steepest: float

    def covariance(self) -> Floats | None:
        """That of (a, b); None where the information is singular."""
        own = np.array([[self.own_aa, self.own_ab], [self.own_ab, self.own_bb]])
        taken = np.array([[self.taken_aa, self.taken_ab], [self.taken_ab, self.taken_bb]])
        try:
            return np.linalg.inv(own - taken)
        except np.linalg.LinAlgError:
            return None

    def solved(self, covariance: Floats) -> tuple[float, float]:
        """The steps of a and of b."""
        left = np.array([self.by_a - self.score_a, self.by_b - self.score_b])
        a, b = (covariance @ left).tolist()
        return a, b

    def step(self, a: float, b: float, cuts: Floats, covariance: Floats) -> BinormalStep:
        """All of it, once the cut points have theirs."""
        steepest = max(abs(self.by_a), abs(self.by_b), self.steepest)
        along_cuts = self.gained - a * self.score_a - b * self.score_b
        gain = self.by_a * a + self.by_b * b + along_cuts
        return BinormalStep(a, b, cuts, covariance, steepest, gain)
