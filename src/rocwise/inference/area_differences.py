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
STEPS, PRECISION = 200, 1e-11  # of the search for a p value, in standard errors


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
        """The p value of "greater than `null`"."""
        return upper_tail(self.value, null, self.limits)

    def decide(self, *, alternative: str, margin: float | None, level: float) -> Decision:
        """Statistic (a z with the same tail), p value and limits, as `significance.decide`."""
        low, high = self.limits((1 - level) / 2)
        tail = self.upper_tail(-margin if margin is not None else 0.0)
        if alternative == "equivalent":
            assert margin is not None
            tail = max(tail, 1 - self.upper_tail(margin))
        p = {"two-sided": 2 * min(tail, 1 - tail), "less": 1 - tail}.get(alternative, tail)
        return Decision(_z(tail), min(p, 1.0), low, high)


def decide_area(area: SizedArea, null: float, *, alternative: str, level: float) -> Decision:
    """One area against a value, by its own limits."""
    low, high = area.limits((1 - level) / 2)
    tail = upper_tail(area.value, null, area.limits)
    p = {"two-sided": 2 * min(tail, 1 - tail), "less": 1 - tail}.get(alternative, tail)
    return Decision(_z(tail), min(p, 1.0), low, high)


def upper_tail(value: float, null: float, limits: Callable[[float], tuple[float, float]]) -> float:
    """The p value of "greater than `null`": the tail at which a limit touches it."""
    if value == null:
        return 0.5
    if value > null:
        return _touching(lambda tail: limits(tail)[0] - null)
    return 1 - _touching(lambda tail: null - limits(tail)[1])


def _touching(gap: Callable[[float], float]) -> float:
    """The smallest tail whose limit leaves the null outside, where the gap is 0 (Illinois)."""
    near, far = 0.0, 1.0
    at_near, at_far = gap(_tail(near)), gap(_tail(far))
    if at_near <= 0:
        return 0.5
    while at_far > 0:
        if far >= FARTHEST:
            return _tail(FARTHEST)
        near, at_near = far, at_far
        far = min(2 * far, FARTHEST)
        at_far = gap(_tail(far))
    last = 0
    for _ in range(STEPS):
        z = (near * at_far - far * at_near) / (at_far - at_near)
        value = gap(_tail(z))
        if value > 0:
            near, at_near = z, value
            at_far = at_far / 2 if last > 0 else at_far
            last = 1
        else:
            far, at_far = z, value
            at_near = at_near / 2 if last < 0 else at_near
            last = -1
        if far - near < PRECISION or value == 0:
            break
    return _tail(near if last > 0 else far)


def _tail(z: float) -> float:
    return 0.5 * math.erfc(z / math.sqrt(2))


def _z(tail: float) -> float:
    return 0.0 - normal_tail_quantile(tail)
