# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The smooth ROC curve: exact sums of scores, its area from two sorted classes, its points."""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, memset

cimport numpy as cnp

cnp.import_array()

cdef enum:
    RUN = 1024  # rows that are looked at together: their mantissas add up to less than 2**63
    EXPONENTS = 1024  # of the numbers from 0 to 1, as they are written
    UNITS = 1075  # a mantissa with exponent e counts units of 2**(e - 1075)
    LANES = 4  # stretches that are walked side by side
    FEW = 8  # rows of a class for which that does not pay

cdef uint64_t ONE = <uint64_t>1 << 52  # the digit of a mantissa that is not written
cdef uint64_t LOW_HALF = 0xFFFFFFFF

ctypedef fused score:
    double
    float

ctypedef fused amount:
    double
    int64_t

# Sum of the mantissas of all rows with one exponent, by halves: good for 2**31 rows.
ctypedef struct Mantissas:
    uint64_t low
    uint64_t high

# Rows of a stretch that are still to come, and sums over those from its highest score down to
# here: how far the curve has moved up (or right), and the sum of that over all rows.
ctypedef struct Stretch:
    int64_t neg_first
    int64_t neg_end
    int64_t pos_first
    int64_t pos_end
    double moved
    double summed

ctypedef struct Sums:
    double rise
    double run
    double area


cdef inline uint64_t bits_of(double value) noexcept nogil:
    cdef uint64_t bits
    memcpy(&bits, &value, sizeof(double))
    return bits


cdef inline void add_mantissas(Mantissas* sums, uint64_t total) noexcept nogil:
    sums.low += total & LOW_HALF
    sums.high += total >> 32


cdef bint _add_alike(const score* s, Mantissas* sums) noexcept nogil:
    """Add up a run of rows between 0 and 1 with one exponent, as most runs of sorted rows have.

    False, and nothing is added, if there are others. No branch inside the loop: the compiler lets
    wide registers do it.
    """
    cdef uint64_t total = 0, shared = <uint64_t>-1, seen = 0, bits, exponent
    cdef int64_t k
    for k in range(RUN):
        bits = bits_of(s[k])
        total += bits
        shared &= bits
        seen |= bits
    exponent = shared >> 52
    if exponent != seen >> 52 or exponent == 0 or exponent >= EXPONENTS - 1:
        return False
    add_mantissas(&sums[exponent], total - RUN * (exponent << 52) + RUN * ONE)
    return True


cdef bint _add_any(const score* s, int64_t n, Mantissas* sums) noexcept nogil:
    """The same for all scores from 0 to 1; False if there are others."""
    cdef double value
    cdef uint64_t bits, exponent
    cdef int64_t k
    for k in range(n):
        value = s[k] + 0.0  # which makes -0.0 a 0.0
        if not (value >= 0.0) & (value <= 1.0):
            return False
        bits = bits_of(value)
        exponent = bits >> 52
        add_mantissas(&sums[exponent], (bits & (ONE - 1)) + (ONE if exponent else 0))
    return True


cdef bint _add_all(const score* s, int64_t n, Mantissas* sums) noexcept nogil:
    cdef int64_t k = 0, rows
    while k < n:
        rows = min(<int64_t>RUN, n - k)
        if rows < RUN or not _add_alike(s + k, sums):
            if not _add_any(s + k, rows, sums):
                return False
        k += rows
    return True


def exact_sum(cnp.ndarray scores):
    """The sum of scores from 0 to 1: a whole number, and how many binary digits are a fraction.

    None for scores that are not from 0 to 1, or nan.
    """
    cdef Mantissas[EXPONENTS] sums
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef int64_t n = scores.shape[0]
    cdef int exponent, least = 0
    cdef bint single = cnp.PyArray_TYPE(scores) == cnp.NPY_FLOAT, held
    memset(sums, 0, sizeof(sums))
    with nogil:
        if single:
            held = _add_all(<const float*>data, n, sums)
        else:
            held = _add_all(<const double*>data, n, sums)
    if not held:
        return None
    while least < EXPONENTS - 1 and not sums[least].low | sums[least].high:
        least += 1
    total = 0
    for exponent in range(least, EXPONENTS):
        if sums[exponent].low | sums[exponent].high:
            mantissas = ((<object>sums[exponent].high) << 32) + sums[exponent].low
            total += mantissas << (max(exponent, 1) - max(least, 1))  # 0 and 1 stand for the same
    return total, UNITS - max(least, 1)


cdef inline int64_t fewer_left(const Stretch* rows) noexcept nogil:
    """How many rows are left of the class that has fewer."""
    return min(rows.neg_end - rows.neg_first, rows.pos_end - rows.pos_first)


cdef inline void take(double value, double from_one, double* moved, double* summed) noexcept nogil:
    """Move by the value, or by what it lacks to 1."""
    moved[0] += fabs(from_one - value)
    summed[0] += moved[0]


cdef inline void take_higher(
    const score* x, const score* x_units, const score* y, const score* y_units,
    const double* from_one, bint apart, int64_t* i, int64_t* j, double* moved, double* summed,
) noexcept nogil:
    """Take the higher of rows i and j: no branch on its class, which would be guessed wrongly."""
    cdef int64_t in_neg = x[i[0]] > y[j[0]]
    cdef score[2] ways
    cdef double value
    if apart:
        ways[0] = y_units[j[0]]
        ways[1] = x_units[i[0]]
        value = ways[in_neg]
    else:
        value = x[i[0]] if x[i[0]] > y[j[0]] else y[j[0]]
    take(value, from_one[in_neg], moved, summed)
    i[0] -= in_neg
    j[0] -= 1 - in_neg


cdef inline void take_abreast(
    Stretch* rows, const score* x, const score* x_units, const score* y, const score* y_units,
    const double* from_one, bint apart,
) noexcept nogil:
    """Walk on in four stretches side by side, until one has no rows of a class or comes to a tie.

    Each step waits for the one before it, but not for those of the other stretches.
    """
    cdef int64_t i0 = rows[0].neg_end - 1, i1 = rows[1].neg_end - 1
    cdef int64_t i2 = rows[2].neg_end - 1, i3 = rows[3].neg_end - 1
    cdef int64_t j0 = rows[0].pos_end - 1, j1 = rows[1].pos_end - 1
    cdef int64_t j2 = rows[2].pos_end - 1, j3 = rows[3].pos_end - 1
    cdef double moved0 = rows[0].moved, moved1 = rows[1].moved
    cdef double moved2 = rows[2].moved, moved3 = rows[3].moved
    cdef double summed0 = rows[0].summed, summed1 = rows[1].summed
    cdef double summed2 = rows[2].summed, summed3 = rows[3].summed
    cdef int64_t step, steps = min(
        min(fewer_left(&rows[0]), fewer_left(&rows[1])),
        min(fewer_left(&rows[2]), fewer_left(&rows[3])),
    )
    for step in range(steps):
        if x[i0] == y[j0]:
            break
        take_higher(x, x_units, y, y_units, from_one, apart, &i0, &j0, &moved0, &summed0)
        if x[i1] == y[j1]:
            break
        take_higher(x, x_units, y, y_units, from_one, apart, &i1, &j1, &moved1, &summed1)
        if x[i2] == y[j2]:
            break
        take_higher(x, x_units, y, y_units, from_one, apart, &i2, &j2, &moved2, &summed2)
        if x[i3] == y[j3]:
            break
        take_higher(x, x_units, y, y_units, from_one, apart, &i3, &j3, &moved3, &summed3)
    rows[0] = Stretch(rows[0].neg_first, i0 + 1, rows[0].pos_first, j0 + 1, moved0, summed0)
    rows[1] = Stretch(rows[1].neg_first, i1 + 1, rows[1].pos_first, j1 + 1, moved1, summed1)
    rows[2] = Stretch(rows[2].neg_first, i2 + 1, rows[2].pos_first, j2 + 1, moved2, summed2)
    rows[3] = Stretch(rows[3].neg_first, i3 + 1, rows[3].pos_first, j3 + 1, moved3, summed3)


cdef inline bint at_tie(const Stretch* rows, const score* x, const score* y) noexcept nogil:
    """Whether the highest score that is left is one of both classes."""
    return fewer_left(rows) > 0 and x[rows.neg_end - 1] == y[rows.pos_end - 1]


cdef void pass_ties(
    Stretch* rows, const score* x, const score* x_units, const score* y, const double* from_one
) noexcept nogil:
    """While both classes share their highest score, all its rows move the curve at once."""
    cdef int64_t i, j
    cdef score key
    cdef double value, negatives, positives, size, moved
    while at_tie(rows, x, y):
        i = rows.neg_end - 1
        j = rows.pos_end - 1
        key = x[i]
        value = x_units[i]
        while i >= rows.neg_first and x[i] == key:
            i -= 1
        while j >= rows.pos_first and y[j] == key:
            j -= 1
        negatives = <double>(rows.neg_end - 1 - i)
        positives = <double>(rows.pos_end - 1 - j)
        moved = positives * fabs(from_one[0] - value) + negatives * fabs(from_one[1] - value)
        size = negatives + positives
        rows.summed += size * rows.moved + moved * ((size + 1.0) / 2.0)
        rows.moved += moved
        rows.neg_end = i + 1
        rows.pos_end = j + 1


cdef void finish(
    Stretch* rows, const score* x, const score* x_units, const score* y, const score* y_units,
    const double* from_one,
) noexcept nogil:
    """Walk to the end of one stretch, where classes may be of very unlike size."""
    cdef int64_t k
    while fewer_left(rows) > 0:
        if x[rows.neg_end - 1] > y[rows.pos_end - 1]:
            rows.neg_end -= 1
            take(x_units[rows.neg_end], from_one[1], &rows.moved, &rows.summed)
        elif x[rows.neg_end - 1] == y[rows.pos_end - 1]:
            pass_ties(rows, x, x_units, y, from_one)
        else:
            rows.pos_end -= 1
            take(y_units[rows.pos_end], from_one[0], &rows.moved, &rows.summed)
    for k in range(rows.neg_end - 1, rows.neg_first - 1, -1):
        take(x_units[k], from_one[1], &rows.moved, &rows.summed)
    for k in range(rows.pos_end - 1, rows.pos_first - 1, -1):
        take(y_units[k], from_one[0], &rows.moved, &rows.summed)


cdef Sums sums_of_increments(const Stretch* rows, int64_t size, bint upward) noexcept nogil:
    """Rise, run and area from increments of one kind, as in `plain.smoothing`."""
    cdef double moved = rows.moved, others = size - moved, box = moved * others
    cdef double area = rows.summed - moved * ((1.0 + moved) / 2.0)
    if not upward:
        area = box - area
    area = 0.0 if area < 0.0 else box if area > box else area
    return Sums(moved, others, area) if upward else Sums(others, moved, area)


cdef inline bint worth_a_walk(const Stretch* rows) noexcept nogil:
    """Whether all of four stretches have more than a few rows of both classes."""
    return (
        (fewer_left(&rows[0]) >= FEW) & (fewer_left(&rows[1]) >= FEW)
        & (fewer_left(&rows[2]) >= FEW) & (fewer_left(&rows[3]) >= FEW)
    )


cdef void _walk(
    const int64_t* neg_cuts, const int64_t* pos_cuts, int64_t first, int64_t number,
    const score* x, const score* x_units, const score* y, const score* y_units, bint high,
    bint upward, Sums* out,
) noexcept nogil:
    """Sums of some stretches that follow each other, four at most."""
    cdef Stretch[LANES] rows
    cdef double[2] from_one
    cdef int64_t k, lane, size
    # above the midpoint positives move the curve up by their score, negatives to the right
    from_one[1] = upward == high
    from_one[0] = 1.0 - from_one[1]
    for lane in range(number):
        k = first + lane
        rows[lane] = Stretch(neg_cuts[k], neg_cuts[k + 1], pos_cuts[k], pos_cuts[k + 1], 0.0, 0.0)
    while number == LANES and worth_a_walk(rows):
        for lane in range(LANES):
            pass_ties(&rows[lane], x, x_units, y, from_one)
        if x == x_units and y == y_units:
            take_abreast(rows, x, x_units, y, y_units, from_one, False)
        else:
            take_abreast(rows, x, x_units, y, y_units, from_one, True)
    for lane in range(number):
        finish(&rows[lane], x, x_units, y, y_units, from_one)
        k = first + lane
        size = neg_cuts[k + 1] - neg_cuts[k] + pos_cuts[k + 1] - pos_cuts[k]
        out[lane] = sums_of_increments(&rows[lane], size, upward)


def sums(
    cnp.ndarray negatives,
    cnp.ndarray positives,
    cnp.ndarray negative_units,
    cnp.ndarray positive_units,
    cnp.ndarray cuts,
    int64_t middle,
    bint upward,
    int64_t first,
    int64_t last,
):
    """Rise, run and area of each of the stretches first..last (1.10).

    `cuts` has the bounds of all stretches in the negatives, then in the positives; those from
    `middle` on are above the midpoint. What is summed are moves `upward`, else those to the right.
    Scores are compared as they are and move the curve by their units; all of one type.
    """
    cdef const int64_t* neg_cuts = <const int64_t*>cnp.PyArray_DATA(cuts)
    cdef const int64_t* pos_cuts = neg_cuts + cuts.shape[1]
    cdef void* x = cnp.PyArray_DATA(negatives)
    cdef void* y = cnp.PyArray_DATA(positives)
    cdef void* u = cnp.PyArray_DATA(negative_units)
    cdef void* v = cnp.PyArray_DATA(positive_units)
    cdef bint single = cnp.PyArray_TYPE(negatives) == cnp.NPY_FLOAT, high
    cdef Sums[LANES] some
    cdef int64_t number, lane
    found = []
    while first < last:
        high = first >= middle
        number = min(<int64_t>LANES, (last if high else min(middle, last)) - first)
        with nogil:
            if single:
                _walk(
                    neg_cuts, pos_cuts, first, number, <const float*>x, <const float*>u,
                    <const float*>y, <const float*>v, high, upward, some,
                )
            else:
                _walk(
                    neg_cuts, pos_cuts, first, number, <const double*>x, <const double*>u,
                    <const double*>y, <const double*>v, high, upward, some,
                )
        for lane in range(number):
            found.append((some[lane].rise, some[lane].run, some[lane].area))
        first += number
    return found


include "smooth_points.pxi"
