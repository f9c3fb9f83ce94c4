# Binomial numbers from splitmix64: inversion where few are expected, else the transformed rejection
# of Hoermann (1993, algorithm BTRS). `plain/blocks.py` holds the same formulas in Python.

from libc.math cimport exp, fabs, floor, log, log1p, sqrt

cdef double SHARE_OF_DRAW = 1.1102230246251565e-16  # 2**-53
cdef double FEW = 10.0
cdef double[10] TAILS
TAILS[:] = [
    0.08106146679532726, 0.04134069595540929, 0.02767792568499834, 0.02079067210376509,
    0.01664469118982119, 0.01387612882307075, 0.01189670994589177, 0.01041126526197209,
    0.009255462182712733, 0.008330563433362871,
]


cdef inline double uniform(uint64_t* state) noexcept nogil:
    """A number between 0 and 1, neither of which it is."""
    state[0] += STEP
    return (<double>(mix(state[0]) >> 11) + 0.5) * SHARE_OF_DRAW


cdef inline double stirling_tail(double k) noexcept nogil:
    """log(k!) less Stirling's formula for it."""
    if k <= 9.0:
        return TAILS[<int>k]
    k += 1.0
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / (k * k)) / (k * k)) / k


cdef int64_t few_of(uint64_t* state, double n, double p) noexcept nogil:
    """By inversion, for a small expectation."""
    cdef double odds = p / (1.0 - p), a = (n + 1.0) * odds
    cdef double none = exp(n * log1p(-p)), left, chance
    cdef int64_t k
    while True:
        left = uniform(state)
        chance = none
        k = 0
        while left > chance and k <= n:
            left -= chance
            k += 1
            chance *= a / k - odds
        if k <= n:
            return k


cdef int64_t many_of(uint64_t* state, double n, double p) noexcept nogil:
    """By transformed rejection, for an expectation of `FEW` or more and p up to 1/2."""
    cdef double spread = sqrt(n * p * (1.0 - p)), b = 1.15 + 2.53 * spread
    cdef double a = -0.0873 + 0.0248 * b + 0.01 * p, c = n * p + 0.5
    cdef double near = 0.92 - 4.2 / b, odds = p / (1.0 - p)
    cdef double alpha = (2.83 + 5.1 / b) * spread, m = floor((n + 1.0) * p)
    cdef double u, v, us, k, most
    while True:
        u = uniform(state) - 0.5
        v = uniform(state)
        us = 0.5 - fabs(u)
        k = floor((2.0 * a / us + b) * u + c)
        if us >= 0.07 and v <= near:
            return <int64_t>k
        if k < 0.0 or k > n:
            continue
        v = log(v * alpha / (a / (us * us) + b))
        most = (
            (m + 0.5) * log((m + 1.0) / (odds * (n - m + 1.0)))
            + (n + 1.0) * log((n - m + 1.0) / (n - k + 1.0))
            + (k + 0.5) * log(odds * (n - k + 1.0) / (k + 1.0))
            + stirling_tail(m) + stirling_tail(n - m)
            - stirling_tail(k) - stirling_tail(n - k)
        )
        if v <= most:
            return <int64_t>k


cdef int64_t drawn_of(uint64_t* state, int64_t draws, int64_t rows, int64_t all_rows) noexcept nogil:
    """How many of `draws` fall on `rows` of `all_rows` equally likely rows."""
    cdef double p = <double>rows / <double>all_rows
    if draws == 0 or rows == 0:
        return 0
    if rows == all_rows:
        return draws
    if p > 0.5:
        return draws - drawn_of(state, draws, all_rows - rows, all_rows)
    if draws * p < FEW:
        return few_of(state, draws, p)
    return many_of(state, draws, p)
