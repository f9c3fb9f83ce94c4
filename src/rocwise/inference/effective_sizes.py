"""Wilson's interval of an area, and of the difference of two, by what their cases are worth.

An area is a proportion of `size` comparisons, size = a(1-a)/variance, and the variance is shrunk
towards the largest one of an area, a(1-a)/k with k cases in the smaller class (van Dantzig 1951;
Birnbaum and Klose 1957), by 1/(1 + (e/1.3)**2.5), e = k min(a, 1-a) being the cases on the wrong
side. The quantile is Student's (Brunner and Munzel 2000). Differences follow from the limits of
both areas (Newcombe 1998; Zou 2007). Constants: docs/validation/coverage.md.
"""

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import NamedTuple

from rocwise.inference.intervals import crossing
from rocwise.inference.significance import NEARLY_NORMAL, Decision
from rocwise.results import Interval

WILSON = "Wilson (effective n)"
FEW = 1.3  # cases on the wrong side, with which the variance is half the sample's, half the bound
NO_VARIANCE = 1e-24  # below this a variance of an estimate between 0 and 1 is rounding
STEEPNESS = 2.5  # of the weight of the sample's own variance as a function of these cases
PER_CASE_BEYOND = 5.0  # cases that a rate at a fixed other rate may count for
FARTHEST = 37.0  # standard errors; tails beyond are below the smallest float


class SizedArea(NamedTuple):
    """An area of 0 to 1 as a proportion of `size` comparisons, with degrees of freedom."""

    value: float
    size: float
    df: float
    trust: float

    def limits(self, tail: float) -> tuple[float, float]:
        """Limits that leave the probability `tail` on either side."""
        z = q = -NormalDist().inv_cdf(tail) if tail < 0.5 else 0.0
        if self.df < NEARLY_NORMAL and tail < 0.5:
            from scipy.special import stdtrit

            q = -float(stdtrit(self.df, tail))
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
    """Wilson's limit; with less than two failures it goes over into Clopper and Pearson's."""
    failures = (1 - value) * comparisons
    if failures <= 0.0:
        return 1.0
    weight = min(1.0, 2.0 - failures)
    if weight <= 0.0:
        return min(wilson, 1.0)
    from scipy.special import betaincinv

    exact = 1 - float(betaincinv(failures, value * comparisons + 1, tail))
    return min(wilson + weight * max(exact - wilson, 0.0), 1.0)


def sized_area(
    value: float,
    variance: float,
    parts: Sequence[tuple[float, float]],
    smaller: float,
    shown: float | None = None,
) -> SizedArea:
    """An area with its effective size, from its variance, that of each class, and class sizes."""
    variance = max(variance, 0.0)  # few clusters may make it negative
    value = min(max(value, 0.0), 1.0)  # sums of weights may leave the range by a bit
    a = (smaller * value + 0.5) / (smaller + 1)  # away from 0 and 1
    largest = a * (1 - a) / smaller
    trust = 0.0
    constant = variance <= NO_VARIANCE and abs(value - 0.5) < 0.499  # not separated, yet the same
    if not constant:
        trust = 1 - 1 / (1 + ((shown or smaller) * min(a, 1 - a) / FEW) ** STEEPNESS)
    mixed = trust * variance + (1 - trust) * largest
    known = trust * variance / mixed  # what of the variance has its own degrees of freedom
    df, squares = math.inf, sum(part * part / (n - 1) for part, n in parts if n > 1)
    if known > 1 / NEARLY_NORMAL and squares > 0:  # Satterthwaite; Brunner and Munzel 2000
        df = max(variance * variance / squares, 1.0) / (known * known)
    return SizedArea(value, a * (1 - a) / mixed, df, trust)


def rate_at_rate(
    value: float, variance: float, cases: float, others: float, rate: float
) -> SizedArea:
    """A rate of `cases` where the threshold fixes another rate, of `others`, at `rate`.

    The other class settles the threshold by the few of its cases beyond it: the rate counts for no
    more than `PER_CASE_BEYOND` cases for each of them, as counted in docs/validation/coverage.md.
    """
    beyond = others * min(rate, 1 - rate)
    smaller = max(min(cases, PER_CASE_BEYOND * beyond), 1.0)
    return sized_area(value, variance, [(variance, smaller)], smaller)


def wilson_interval(area: SizedArea, level: float) -> Interval:
    """Wilson's interval with the effective size of an area."""
    return Interval(*area.limits((1 - level) / 2), level, WILSON)


def difference_limits(
    first: SizedArea, second: SizedArea, correlation: float, tail: float
) -> tuple[float, float]:
    """Limits of first minus second that leave the probability `tail` on either side."""
    trusted = correlation * math.sqrt(first.trust * second.trust)

    def reach(one: float, other: float) -> float:
        return math.sqrt(max(one**2 + other**2 - 2 * trusted * one * other, 0.0))

    (low_1, high_1), (low_2, high_2) = first.limits(tail), second.limits(tail)
    difference = first.value - second.value
    down = reach(first.value - low_1, high_2 - second.value)
    up = reach(high_1 - first.value, second.value - low_2)
    return max(difference - down, -1.0), min(difference + up, 1.0)


def decide_by_limits(
    value: float,
    limits: Callable[[float], tuple[float, float]],
    *,
    alternative: str,
    level: float,
    null: float = 0.0,
    margin: float | None = None,
) -> Decision:
    """Test and interval of an estimate by its limits: p is the tail of a limit at the null."""
    from scipy.special import ndtri

    low, high = limits((1 - level) / 2)
    tail = _upper_tail(value, null - (margin or 0.0), limits)
    if alternative == "equivalent":
        assert margin is not None
        tail = max(tail, 1 - _upper_tail(value, null + margin, limits))
    p = {"two-sided": 2 * min(tail, 1 - tail), "less": 1 - tail}.get(alternative, tail)
    return Decision(0.0 - float(ndtri(tail)), min(p, 1.0), low, high)


def _upper_tail(value: float, null: float, limits: Callable[[float], tuple[float, float]]) -> float:
    """The p value of "greater than `null`"."""
    if value == null:
        return 0.5
    if value > null:
        return _tail_at(lambda tail: limits(tail)[0] - null)
    return 1 - _tail_at(lambda tail: null - limits(tail)[1])


def _tail_at(distance: Callable[[float], float]) -> float:
    """The smallest tail whose limit is at a distance from the null, at most one half."""

    def tail(z: float) -> float:
        return 0.5 * math.erfc(z / math.sqrt(2))

    if distance(0.5) <= 0:
        return 0.5
    return tail(crossing(lambda z: distance(tail(z)), outside=0.0, inside=FARTHEST))
