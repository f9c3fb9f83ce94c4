# cython: language_level=3, cdivision=True
"""Quantiles of Student's t and of beta distributions, and the limits of areas made of them."""

from libc.math cimport INFINITY, M_PI, exp, expm1, fabs, fmax, fmin, log, log1p, pow, sqrt

from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.quantiles.plain import refuse_freedom

cdef enum:
    STEPS = 60

# the same as in the twin, which says what they are
cdef double NEAR_CUBED = 1e-6
cdef double NEAR_SQUARED = 1e-8
cdef double SMALLEST_TERM = 1e-17
cdef double LEAST = 1e-300
cdef double NEARLY_NORMAL = 1e6
cdef double INNER = 1.75
cdef double SHIFTED = 12.0


cdef double stirling(double a) noexcept nogil:
    cdef double y = 1.0 / (a * a)
    cdef double late = 1.0 / 1188.0 + y * (-691.0 / 360360.0 + y / 156.0)
    return (
        1.0 / 12.0
        + y * (-1.0 / 360.0 + y * (1.0 / 1260.0 + y * (-1.0 / 1680.0 + y * late)))
    ) / a


cdef double gamma_ratio(double a, double more) noexcept nogil:
    cdef double shift = 1.0, b, power
    while a < SHIFTED:
        shift *= a / (a + more)
        a += 1.0
    b = a + more
    power = (a - 0.5) * log1p(more / a) - more + stirling(b) - stirling(a)
    return shift * exp(power) * pow(b, more)


cdef double series(double a, double b, double x) noexcept nogil:
    cdef double total = 1.0, term = 1.0, n = 0.0
    while term > SMALLEST_TERM * total:
        term *= (a + n) / (b + n) * x
        total += term
        n += 1.0
    return total


cdef double fraction(double df, double squared) noexcept nogil:
    cdef double a = df / 2.0, x = df / (df + squared)
    cdef double excess = a * (squared - 1.0) / (df + squared) + 1.0
    cdef double found, above, below = 0.0, n = 1.0, odd, alpha, beta, change
    found = above = a * excess / (a + 1.0)
    while n < 1000.0:
        odd = a + 2.0 * n - 1.0
        alpha = (a + n - 1.0) * (a + n - 0.5) * n * (0.5 - n) * x * x / (odd * odd)
        beta = n + n * (0.5 - n) * x / odd + (a + n) * (excess + n * (2.0 - x)) / (odd + 2.0)
        below = 1.0 / (beta + alpha * below)
        above = beta + alpha / above
        change = above * below
        found *= change
        if fabs(change - 1.0) < 1e-16:
            break
        n += 1.0
    return found


cdef double gap_at(double df, double tail, double t, double top) noexcept nogil:
    cdef double squared = t * t, inside, beyond
    cdef double fall = (df + 1.0) / 2.0 * log1p(squared / df)
    if squared <= df and t < INNER:
        inside = t * series((df + 1.0) / 2.0, 1.5, squared / (df + squared))
        return (0.5 - tail) / top * exp(fall) - inside
    if squared > df:
        beyond = t / df * series((df + 1.0) / 2.0, df / 2.0 + 1.0, df / (df + squared))
    else:
        beyond = t / (2.0 * fraction(df, squared))
    return beyond - exp(log(tail / top) + fall)


cdef double hill(double df, double tail, double z) noexcept nogil:
    cdef double a = 1.0 / (df - 0.5)
    cdef double b = 48.0 / (a * a)
    cdef double c = ((20700.0 * a / b - 98.0) * a - 16.0) * a + 96.36
    cdef double d = ((94.5 / (b + c) - 3.0) / b + 1.0) * sqrt(a * M_PI / 2.0) * df
    cdef double y = pow(d * 2.0 * tail, 2.0 / df), inner
    if y > 0.05 + a:
        if df < 5.0:
            c += 0.3 * (df - 4.5) * (z + 0.6)
        c += (((0.05 * d * z - 5.0) * z - 7.0) * z - 2.0) * z + b
        y = z * z
        y = (((((0.4 * y + 6.3) * y + 36.0) * y + 94.5) / c - y - 3.0) / b + 1.0) * z
        return sqrt(df * expm1(a * y * y))
    if y < LEAST:
        return INFINITY
    inner = (
        1.0 / (((df + 6.0) / (df * y) - 0.089 * d - 0.822) * (df + 2.0) * 3.0) + 0.5 / (df + 4.0)
    )
    return sqrt(df * ((inner * y - 1.0) * (df + 1.0) / (df + 2.0) + 1.0 / y))


cdef double student(double df, double tail, double z) noexcept nogil:
    cdef double t, top, gap, step
    cdef int k
    if tail >= 0.5:
        return 0.0
    t = hill(df, tail, z)
    if not t < INFINITY:
        return t
    top = gamma_ratio(df / 2.0, 0.5) / sqrt(M_PI * df)
    for k in range(STEPS):
        gap = gap_at(df, tail, t, top)
        step = gap / (1.0 - gap * (df + 1.0) * t / (df + t * t) / 2.0)
        t += step
        if fabs(step) <= NEAR_CUBED * t:
            break
    return t


cdef double beta_tail(double a, double b, double tail) noexcept nogil:
    cdef double scale = log(gamma_ratio(b, a) / gamma_ratio(1.0, a)), wanted = log(tail)
    cdef double log_x = (wanted - scale) / a, x, held, found, step
    cdef int k
    for k in range(STEPS):
        x = exp(log_x)
        held = (1.0 - x) * series(a + b, a + 1.0, x)
        found = scale + a * log_x + (b - 1.0) * log1p(-x) + log(held)
        step = (wanted - found) * held / a
        log_x += step
        if fabs(step) <= NEAR_SQUARED:
            break
    return exp(log_x)


cdef double beyond_of(
    double value, double wilson, double comparisons, double tail
) noexcept nogil:
    cdef double failures = (1.0 - value) * comparisons, share, exact
    if failures <= 0.0:
        return 1.0
    share = fmin(1.0, 2.0 - failures)
    if share <= 0.0:
        return fmin(wilson, 1.0)
    exact = 1.0 - beta_tail(failures, value * comparisons + 1.0, tail)
    return fmin(wilson + share * fmax(exact - wilson, 0.0), 1.0)


def student_quantile(double df, double tail, double z):
    """The t with P(T > t) = tail; `z` is that of the normal distribution."""
    refuse_nan(df, tail, z, what="the terms of a quantile")
    if df < 1.0:
        refuse_freedom(df)
    return student(df, tail, z)


def beta_quantile(double a, double b, double tail):
    """The x below which a beta distribution with a up to 2 and b from 1 on has the tail."""
    refuse_nan(a, b, tail, what="the terms of a quantile")
    return beta_tail(a, b, tail)


def sized_share(double value, double variance, double spread, double smaller, double shown):
    """An area as a share: its value within 0 to 1, its effective size, degrees of freedom, trust."""
    cdef double a, largest, trust, mixed, known, df = INFINITY
    if value + variance + spread + smaller + shown != value + variance + spread + smaller + shown:
        refuse_nan(value, variance, spread, smaller, shown, what="the terms of an area")
    variance = fmax(variance, 0.0)
    value = fmin(fmax(value, 0.0), 1.0)
    a = (smaller * value + 0.5) / (smaller + 1.0)
    largest = a * (1.0 - a) / smaller
    trust = 1.0 - 1.0 / (1.0 + pow(shown * a * (1.0 - a), 1.5))
    mixed = trust * variance + (1.0 - trust) * largest
    known = trust * variance / mixed
    if known > 1.0 / NEARLY_NORMAL and spread > 0.0:
        df = fmax(variance * variance / spread, 1.0) / (known * known)
    return value, a * (1.0 - a) / mixed, df, trust


def sized_limits(double value, double size, double df, double tail, double z):
    """Limits of a share of `size` comparisons that leave the probability `tail` on either side."""
    cdef double q, spread, centre, reach, ratio, comparisons, low
    if value != value or size != size or df != df or tail != tail or z != z:
        refuse_nan(value, size, df, tail, z, what="the terms of an interval")
    if df < 1.0:
        refuse_freedom(df)
    q = student(df, tail, z) if df < NEARLY_NORMAL else z
    if not q * q < INFINITY:
        return 0.0, 1.0
    spread = q * q / size
    centre = (value + spread / 2.0) / (1.0 + spread)
    reach = sqrt(value * (1.0 - value) * spread + spread * spread / 4.0) / (1.0 + spread)
    ratio = z / q if q > 0.0 else 1.0
    comparisons = size * (ratio * ratio)
    low = beyond_of(1.0 - value, 1.0 - centre + reach, comparisons, tail)
    return 1.0 - low, beyond_of(value, centre + reach, comparisons, tail)
