"""Wilson's interval of an area, with the number of independent comparisons that it is worth.

An area is treated as a proportion of `size` independent comparisons, with size = a(1-a)/variance.
Few cases estimate that variance badly, and often as 0, so it is mixed with the largest that an
area can have, a(1-a)/k with k cases in the smaller class: with weight 1/(1 + e**1.5), where
e = k a(1-a) measures how much the sample shows of a variance at all. Student's t takes care of
what remains unsure. Constants were chosen by counting: docs/explanation/coverage.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rocwise.results import Interval

WILSON = "effective-size Wilson"
ENOUGH = 10.0  # cases of the smaller class on the wrong side, from which on DeLong's limits hold
PER_CASE_BEYOND = 4.0  # cases that a rate at a fixed other rate may count for
ROUNDING = 1e-9  # of an area, which must not decide between two methods
NEARLY_NORMAL = 1e6  # degrees of freedom from which on Student's t is normal for every purpose


@dataclass(frozen=True)
class SizedArea:
    """An area of 0 to 1 as a proportion of `size` comparisons.

    `df` are the degrees of freedom of its variance, `trust` the weight that the sample's own
    variance has in it.
    """

    value: float
    size: float
    df: float
    trust: float

    @cached_property
    def _student(self) -> bool:
        return self.df < NEARLY_NORMAL

    def limits(self, tail: float) -> tuple[float, float]:
        """Limits that leave the probability `tail` on either side."""
        z = -normal_tail_quantile(tail)
        q = -_student_quantile(self.df, tail) if self._student else z
        if not q * q < math.inf:  # few degrees of freedom, and a tail next to nothing
            return 0.0, 1.0
        spread = q * q / self.size
        centre = (self.value + spread / 2) / (1 + spread)
        reach = math.sqrt(self.value * (1 - self.value) * spread + spread * spread / 4)
        reach /= 1 + spread
        comparisons = self.size * (z / q) ** 2 if q > 0 else self.size
        return (
            1 - _beyond(1 - self.value, 1 - centre + reach, comparisons, tail),
            _beyond(self.value, centre + reach, comparisons, tail),
        )


def _beyond(value: float, wilson: float, comparisons: float, tail: float) -> float:
    """The upper limit; with less than two failures it goes over into Clopper and Pearson's.

    Wilson's upper limit lies below 1 by too much when about one failure is seen (Brown, Cai and
    DasGupta 2001, section 4.1): one failure in 15 must not exclude 0.99.
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


def symmetric_limits_hold(value: float, smaller: float, enough: float = ENOUGH) -> bool:
    """Whether DeLong's interval holds its level: by the cases on the wrong side, as counted."""
    return smaller * min(value, 1 - value) >= enough * (1 - ROUNDING)


def sized_area(
    value: float, variance: float, parts: Sequence[tuple[float, float]], smaller: float
) -> SizedArea:
    """An area with its effective size.

    `variance` is the estimated one, `parts` what each class has of it with the number of its
    cases, and `smaller` the number of cases of the smaller class.
    """
    variance = max(variance, 0.0)  # few clusters may make it negative
    value = min(max(value, 0.0), 1.0)  # sums of weights may leave the range by a bit
    a = (smaller * value + 0.5) / (smaller + 1)  # away from 0 and 1
    largest = a * (1 - a) / smaller
    trust = 1 - 1 / (1 + (smaller * a * (1 - a)) ** 1.5)
    mixed = trust * variance + (1 - trust) * largest
    own = max(_brunner_munzel(variance, parts), 1.0)
    known = trust * variance / mixed  # what of the variance has those degrees of freedom
    df = own / known**2 if known > 1 / NEARLY_NORMAL else math.inf
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


def _brunner_munzel(variance: float, parts: Sequence[tuple[float, float]]) -> float:
    """Degrees of freedom of a variance that is a sum (Satterthwaite; Brunner and Munzel 2000)."""
    spread = sum(part * part / (n - 1) for part, n in parts if n > 1)
    return variance * variance / spread if spread > 0 else math.inf


def wilson_interval(area: SizedArea, level: float, width: float = 1.0) -> Interval:
    """The interval of an area; `width` is the largest value that it can have."""
    low, high = area.limits((1 - level) / 2)
    return Interval(low * width, high * width, level, WILSON)


def normal_tail_quantile(tail: float) -> float:
    """The z with P(Z <= z) = tail, exact far out too."""
    from scipy.special import ndtri

    return float(ndtri(tail))


def _student_quantile(df: float, tail: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(df, tail))
