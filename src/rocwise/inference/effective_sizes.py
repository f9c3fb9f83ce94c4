"""Wilson's interval of an area, and of the difference of two, by what their cases are worth.

An area is treated as a proportion of `size` independent comparisons, with size = a(1-a)/variance.
Few cases estimate that variance badly, and often as 0, so it is mixed with the largest that an
area can have, a(1-a)/k with k cases in the smaller class: with weight 1/(1 + e**1.5), where
e = k a(1-a) measures how much the sample shows of a variance at all. Student's t takes care of
what remains unsure. Constants were chosen by counting: docs/explanation/coverage.md.

The difference of two areas follows from the limits of both (method of variance estimates recovery):
Newcombe (1998) and Zou (2007) recover from the limits of each area what its variance would be
there, so that near 0 and 1 the interval of the difference is as lopsided as it should be. The
correlation of the two counts as much as the sample's own variances are trusted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from rocwise.inference.significance import Decision
from rocwise.results import Interval

WILSON = "effective-size Wilson"
ENOUGH = 10.0  # cases of the smaller class on the wrong side, from which on DeLong's limits hold
PER_CASE_BEYOND = 4.0  # cases that a rate at a fixed other rate may count for
ROUNDING = 1e-9  # of an area, which must not decide between two methods
FARTHEST = 37.0  # standard errors; tails beyond are below the smallest float
STEPS, PRECISION = 200, 1e-11  # of the search for a p value, in standard errors
NEARLY_NORMAL = 1e6  # degrees of freedom from which on Student's t is normal for every purpose
STANDARD_NORMAL = NormalDist()


class SizedArea(NamedTuple):
    """An area of 0 to 1 as a proportion of `size` comparisons.

    `df` are the degrees of freedom of its variance, `trust` the weight that the sample's own
    variance has in it.
    """

    value: float
    size: float
    df: float
    trust: float

    def limits(self, tail: float) -> tuple[float, float]:
        """Limits that leave the probability `tail` on either side."""
        z = -normal_tail_quantile(tail)
        q = -student_tail_quantile(self.df, tail) if self.df < NEARLY_NORMAL else z
        if not q * q < math.inf:  # few degrees of freedom, and a tail next to nothing
            return 0.0, 1.0
        step = q * q / self.size
        center = (self.value + step / 2) / (1 + step)
        reach = math.sqrt(self.value * (1 - self.value) * step + step * step / 4) / (1 + step)
        ratio = z / q if q > 0 else 1.0
        comparisons = self.size * (ratio * ratio)
        low = _upper_limit(1 - self.value, 1 - center + reach, comparisons, tail)
        return 1 - low, _upper_limit(self.value, center + reach, comparisons, tail)


def _upper_limit(value: float, wilson: float, comparisons: float, tail: float) -> float:
    """Wilson's limit; with less than two failures it goes over into Clopper and Pearson's.

    Wilson's lies below 1 by too much when about one failure is seen (Brown, Cai and DasGupta
    2001, section 4.1): one failure in 15 must not exclude 0.99.
    """
    failures = (1 - value) * comparisons
    if failures <= 0.0:
        return 1.0
    share = min(1.0, 2.0 - failures)
    if share <= 0.0:
        return min(wilson, 1.0)
    from scipy.special import betaincinv

    exact = 1 - float(betaincinv(failures, value * comparisons + 1, tail))
    return min(wilson + share * max(exact - wilson, 0.0), 1.0)


def student_tail_quantile(df: float, tail: float) -> float:
    """The t with P(T <= t) = tail, for tails up to one half."""
    from scipy.special import stdtrit

    return float(stdtrit(df, tail)) if tail < 0.5 else 0.0


def symmetric_limits_hold(value: float, smaller: float, enough: float = ENOUGH) -> bool:
    """Whether DeLong's interval holds its level: by the cases on the wrong side, as counted."""
    return smaller * min(value, 1 - value) >= enough * (1 - ROUNDING)


def sized_area(
    value: float,
    variance: float,
    parts: Sequence[tuple[float, float]],
    smaller: float,
    shown: float | None = None,
) -> SizedArea:
    """An area with its effective size.

    `variance` is the estimated one, `parts` what each class has of it with the number of its
    cases, and `smaller` the number of cases of the smaller class. Of an average of areas that is
    the size of its largest variance, and `shown` the number of cases that show the variance.
    """
    variance = max(variance, 0.0)  # few clusters may make it negative
    value = min(max(value, 0.0), 1.0)  # sums of weights may leave the range by a bit
    a = (smaller * value + 0.5) / (smaller + 1)  # away from 0 and 1
    largest = a * (1 - a) / smaller
    trust = 1 - 1 / (1 + ((shown or smaller) * a * (1 - a)) ** 1.5)
    mixed = trust * variance + (1 - trust) * largest
    known = trust * variance / mixed  # what of the variance has its own degrees of freedom
    df, squares = math.inf, sum(part * part / (n - 1) for part, n in parts if n > 1)
    if known > 1 / NEARLY_NORMAL and squares > 0:  # Satterthwaite; Brunner and Munzel 2000
        df = max(variance * variance / squares, 1.0) / (known * known)
    return SizedArea(value, a * (1 - a) / mixed, df, trust)


def rate_at_rate(
    value: float, variance: float, cases: float, others: float, rate: float
) -> SizedArea:
    """A rate of `cases` where the threshold holds another rate, of `others`, at `rate`.

    The other class settles the threshold by the few of its cases beyond it: the rate counts for no
    more than `PER_CASE_BEYOND` cases for each of them, as counted in docs/explanation/coverage.md.
    """
    beyond = others * min(rate, 1 - rate)
    smaller = max(min(cases, PER_CASE_BEYOND * beyond), 1.0)
    return sized_area(value, variance, [(variance, smaller)], smaller)


def wilson_interval(area: SizedArea, level: float, width: float = 1.0) -> Interval:
    """The interval of an area; `width` is the largest value that it can have."""
    low, high = area.limits((1 - level) / 2)
    return Interval(low * width, high * width, level, WILSON)


def normal_tail_quantile(tail: float) -> float:
    """The z with P(Z <= z) = tail, exact far out too.

    >>> round(normal_tail_quantile(1e-300), 6), normal_tail_quantile(0.0)
    (-37.047096, -inf)
    """
    if 0.0 < tail < 1.0:
        return STANDARD_NORMAL.inv_cdf(tail)
    return -math.inf if tail == 0.0 else math.inf


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
