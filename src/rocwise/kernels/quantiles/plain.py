"""Quantiles of Student's t and of beta distributions, and the limits of areas made of them.

Both come from the density by series of positive terms, to the last digits: a library of special
functions takes longer to load than most questions take to answer.
"""

import math
from typing import NoReturn

from rocwise.errors import InputError
from rocwise.kernels.no_nan import refuse_nan

STEPS = 60
NEAR_CUBED, NEAR_SQUARED = 1e-6, 1e-8  # relative steps after which the next one is below rounding
SMALLEST_TERM = 1e-17
LEAST = 1e-300  # of an inverse square; below it a squared quantile has no finite value
NEARLY_NORMAL = 1e6  # degrees of freedom from which on Student's t is normal for every purpose
INNER = 1.75  # quantiles up to which what lies below them says more than what lies beyond
SHIFTED = 12.0  # arguments from which on so many terms of Stirling's series are exact


def sized_share(
    value: float, variance: float, spread: float, smaller: float, shown: float
) -> tuple[float, float, float, float]:
    """An area as a share: its value within 0 to 1, its effective size, degrees of freedom, trust.

    See `inference.intervals.effective_sizes`; `spread` is the sum of part^2 / (n - 1) over the
    parts of the variance.

    >>> [round(term, 3) for term in sized_share(0.8, 0.002, 2e-7, 30.0, 30.0)]
    [0.8, 72.313, 31.208, 0.917]
    """
    refuse_nan(value, variance, spread, smaller, shown, what="the terms of an area")
    variance = max(variance, 0.0)  # few clusters may make it negative
    value = min(max(value, 0.0), 1.0)  # sums of weights may leave the range by a bit
    a = (smaller * value + 0.5) / (smaller + 1)  # away from 0 and 1
    largest = a * (1 - a) / smaller
    trust = 1 - 1 / (1 + (shown * a * (1 - a)) ** 1.5)
    mixed = trust * variance + (1 - trust) * largest
    known = trust * variance / mixed  # what of the variance has its own degrees of freedom
    df = math.inf
    if known > 1 / NEARLY_NORMAL and spread > 0:  # Satterthwaite; Brunner and Munzel 2000
        df = max(variance * variance / spread, 1.0) / (known * known)
    return value, a * (1 - a) / mixed, df, trust


def sized_limits(
    value: float, size: float, df: float, tail: float, z: float
) -> tuple[float, float]:
    """Limits of a share of `size` comparisons that leave the probability `tail` on either side.

    Wilson's, with the quantile of Student's t with `df` degrees of freedom in place of the normal
    one, `z`; with less than two failures they go over into those of Clopper and Pearson.

    >>> [round(limit, 4) for limit in sized_limits(0.8, 20.0, math.inf, 0.025, 1.959964)]
    [0.584, 0.9193]
    """
    refuse_nan(value, size, df, tail, z, what="the terms of an interval")
    q = student_quantile(df, tail, z) if df < NEARLY_NORMAL else z
    if not q * q < math.inf:  # few degrees of freedom, and a tail next to nothing
        return 0.0, 1.0
    spread = q * q / size
    centre = (value + spread / 2) / (1 + spread)
    reach = math.sqrt(value * (1 - value) * spread + spread * spread / 4) / (1 + spread)
    ratio = z / q if q > 0 else 1.0
    comparisons = size * (ratio * ratio)
    low = _beyond(1 - value, 1 - centre + reach, comparisons, tail)
    return 1 - low, _beyond(value, centre + reach, comparisons, tail)


def _beyond(value: float, wilson: float, comparisons: float, tail: float) -> float:
    """The upper limit.

    Wilson's lies below 1 by too much when about one failure is seen (Brown, Cai and DasGupta
    2001, section 4.1): one failure in 15 must not exclude 0.99.
    """
    failures = (1 - value) * comparisons
    if failures <= 0.0:
        return 1.0
    share = min(1.0, 2.0 - failures)
    if share <= 0.0:
        return min(wilson, 1.0)
    exact = 1 - beta_quantile(failures, value * comparisons + 1, tail)
    return min(wilson + share * max(exact - wilson, 0.0), 1.0)


def student_quantile(df: float, tail: float, z: float) -> float:
    """The t with P(T > t) = tail, for tails up to one half and at least one degree of freedom.

    `z` is that of the normal distribution. Hill's approximation (CACM 13, 1970, 619-620), then
    Halley's steps. Infinite where its square would be.

    >>> round(student_quantile(5.0, 0.025, 1.959964), 6)
    2.570582
    """
    refuse_nan(df, tail, z, what="the terms of a quantile")
    if df < 1:
        refuse_freedom(df)
    if tail >= 0.5:
        return 0.0
    t = _hill(df, tail, z)
    if not t < math.inf:
        return t
    top = gamma_ratio(df / 2, 0.5) / math.sqrt(math.pi * df)  # density at 0
    for _ in range(STEPS):
        gap = _gap(df, tail, t, top)
        step = gap / (1 - gap * (df + 1) * t / (df + t * t) / 2)
        t += step
        if abs(step) <= NEAR_CUBED * t:
            break
    return t


def refuse_freedom(df: float) -> NoReturn:
    """Refuse degrees of freedom for which the series are not made."""
    raise InputError(f"Student's t needs at least 1 degree of freedom; got {df!r}.")


def _hill(df: float, tail: float, z: float) -> float:
    """An approximation with three digits at least, in Hill's letters."""
    a = 1 / (df - 0.5)
    b = 48 / (a * a)
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * df
    y = (d * 2 * tail) ** (2 / df)
    if y > 0.05 + a:
        if df < 5:
            c += 0.3 * (df - 4.5) * (z + 0.6)
        c += (((0.05 * d * z - 5) * z - 7) * z - 2) * z + b
        y = z * z
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * z
        return math.sqrt(df * math.expm1(a * y * y))
    if y < LEAST:
        return math.inf
    inner = 1 / (((df + 6) / (df * y) - 0.089 * d - 0.822) * (df + 2) * 3) + 0.5 / (df + 4)
    return math.sqrt(df * ((inner * y - 1) * (df + 1) / (df + 2) + 1 / y))


def _gap(df: float, tail: float, t: float, top: float) -> float:
    """What the tail beyond t has too much, in units of the density at t."""
    squared = t * t
    fall = (df + 1) / 2 * math.log1p(squared / df)  # of the density, as a logarithm
    if squared <= df and t < INNER:
        inside = t * _series((df + 1) / 2, 1.5, squared / (df + squared))
        return (0.5 - tail) / top * math.exp(fall) - inside
    if squared > df:
        beyond = t / df * _series((df + 1) / 2, df / 2 + 1, df / (df + squared))
    else:
        beyond = t / (2 * _fraction(df, squared))
    # by logarithms: far out the density is below the smallest number
    return beyond - math.exp(math.log(tail / top) + fall)


def _series(a: float, b: float, x: float) -> float:
    """1 + x a / b + x^2 a (a + 1) / (b (b + 1)) + ..., the tail of a beta distribution."""
    total = term = 1.0
    n = 0.0
    while term > SMALLEST_TERM * total:
        term *= (a + n) / (b + n) * x
        total += term
        n += 1.0
    return total


def _fraction(df: float, squared: float) -> float:
    """The continued fraction for the same, where it needs fewer terms (DiDonato and Morris 1992).

    By Lentz's method, with a = df / 2 and b = 1 / 2.
    """
    a, x = df / 2, df / (df + squared)
    excess = a * (squared - 1) / (df + squared) + 1  # a - (a + b) x + 1 without a difference
    found = above = a * excess / (a + 1)
    below, n = 0.0, 1.0
    while n < 1000.0:
        odd = a + 2 * n - 1
        alpha = (a + n - 1) * (a + n - 0.5) * n * (0.5 - n) * x * x / (odd * odd)
        beta = n + n * (0.5 - n) * x / odd + (a + n) * (excess + n * (2 - x)) / (odd + 2)
        below = 1 / (beta + alpha * below)
        above = beta + alpha / above
        change = above * below
        found *= change
        if abs(change - 1) < 1e-16:
            break
        n += 1.0
    return found


def beta_quantile(a: float, b: float, tail: float) -> float:
    """The x below which a beta distribution with a up to 2 and b from 1 on has the tail.

    Newton's steps for the logarithm of the tail as a function of that of x: it is concave, so
    that they come nearer from below.

    >>> round(beta_quantile(1.0, 10.0, 0.025), 6), 1 - 0.975**0.1
    (0.002529, 0.0025285...)
    """
    refuse_nan(a, b, tail, what="the terms of a quantile")
    scale = math.log(gamma_ratio(b, a) / gamma_ratio(1.0, a))
    wanted = math.log(tail)
    log_x = (wanted - scale) / a
    for _ in range(STEPS):
        x = math.exp(log_x)
        held = (1 - x) * _series(a + b, a + 1, x)
        found = scale + a * log_x + (b - 1) * math.log1p(-x) + math.log(held)
        step = (wanted - found) * held / a
        log_x += step
        if abs(step) <= NEAR_SQUARED:
            break
    return math.exp(log_x)


def gamma_ratio(a: float, more: float) -> float:
    """Gamma(a + more) / Gamma(a), for `more` from 0 to 2.

    >>> round(gamma_ratio(2.5, 1.0), 12), round(gamma_ratio(3.0, 2.0), 12)
    (2.5, 12.0)
    """
    shift = 1.0
    while a < SHIFTED:
        shift *= a / (a + more)
        a += 1.0
    b = a + more
    power = (a - 0.5) * math.log1p(more / a) - more + _stirling(b) - _stirling(a)
    return shift * math.exp(power) * math.pow(b, more)


def _stirling(a: float) -> float:
    """What Stirling's formula leaves of the logarithm of the gamma function."""
    y = 1 / (a * a)
    late = 1 / 1188 + y * (-691 / 360360 + y / 156)
    return (1 / 12 + y * (-1 / 360 + y * (1 / 1260 + y * (-1 / 1680 + y * late)))) / a
