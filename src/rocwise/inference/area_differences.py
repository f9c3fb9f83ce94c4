"""The difference of two areas from the limits of both (method of variance estimates recovery).

Newcombe (1998) and Zou (2007) recover from the limits of each area what its variance would be
there, so that near 0 and 1 the interval of the difference is as lopsided as it should be. The
correlation of the two counts as much as the sample's own variances are trusted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rocwise.inference.effective_sizes import SizedArea, normal_tail_quantile
from rocwise.inference.significance import Decision

FARTHEST = 37.0  # standard errors; tails beyond are below the smallest float
STEPS = 50  # halvings of that, far below the digits of any p value


@dataclass(frozen=True, slots=True)
class AreaDifference:
    """First minus second, with the correlation of the two estimates."""

    first: SizedArea
    second: SizedArea
    correlation: float

    @property
    def value(self) -> float:
        """The difference."""
        return self.first.value - self.second.value

    def limits(self, tail: float) -> tuple[float, float]:
        """Limits that leave the probability `tail` on either side."""
        low_1, high_1 = self.first.limits(tail)
        low_2, high_2 = self.second.limits(tail)
        down = self._reach(self.first.value - low_1, high_2 - self.second.value)
        up = self._reach(high_1 - self.first.value, self.second.value - low_2)
        return max(self.value - down, -1.0), min(self.value + up, 1.0)

    def _reach(self, first: float, second: float) -> float:
        trusted = self.correlation * math.sqrt(self.first.trust * self.second.trust)
        return math.sqrt(max(first**2 + second**2 - 2 * trusted * first * second, 0.0))

    def upper_tail(self, null: float) -> float:
        """The p value of "greater than `null`": the tail at which a limit touches it."""
        if self.value == null:
            return 0.5
        if self.value > null:
            return _touching(lambda tail: self.limits(tail)[0] > null)
        return 1 - _touching(lambda tail: self.limits(tail)[1] < null)

    def decide(self, *, alternative: str, margin: float | None, level: float) -> Decision:
        """Statistic (a z with the same tail), p value and limits, as `significance.decide`."""
        low, high = self.limits((1 - level) / 2)
        tail = self.upper_tail(-margin if margin is not None else 0.0)
        if alternative == "equivalent":
            assert margin is not None
            tail = max(tail, 1 - self.upper_tail(margin))
        p = {"two-sided": 2 * min(tail, 1 - tail), "less": 1 - tail}.get(alternative, tail)
        return Decision(_z(tail), min(p, 1.0), low, high)


def _touching(outside: Callable[[float], bool]) -> float:
    """The smallest tail whose limit leaves the null outside."""
    near, far = 0.0, FARTHEST  # outside, and not
    for _ in range(STEPS):
        middle = (near + far) / 2
        if outside(_tail(middle)):
            near = middle
        else:
            far = middle
    return _tail(near)


def _tail(z: float) -> float:
    return 0.5 * math.erfc(z / math.sqrt(2))


def _z(tail: float) -> float:
    return 0.0 - normal_tail_quantile(tail)
