# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The area under the smooth ROC curve, in one pass over two sorted classes."""

from libc.stdint cimport int64_t

cimport numpy as cnp

cnp.import_array()

cdef double LIMB = 1073741824.0  # 2**30
cdef double TO_30 = 6291456.0  # 1.5 * 2**22: adding it leaves 30 binary digits after the point
cdef double TO_60 = 0.005859375  # 1.5 * 2**-8: adding it leaves 60
cdef int64_t BLOCK = 1048576

ctypedef fused score:
    double
    float

ctypedef struct Limbs:
    int64_t first
    int64_t second
    int64_t third
    int64_t fourth
    bint held

ctypedef struct Curve:
    double risen
    double gone
    double area


cdef inline double whole(double value) noexcept nogil:
    """The nearest multiple of 2**-30, for values up to 1: the larger sum has no finer digits."""
    return (value + TO_30) - TO_30


cdef inline double finer(double value) noexcept nogil:
    """The nearest multiple of 2**-60, for values up to 2**-31."""
    return (value + TO_60) - TO_60


cdef void finest(Limbs* sums, double rest) noexcept nogil:
    """Count what is left of a tiny score beyond 2**-60."""
    cdef double scaled = rest * LIMB * LIMB * LIMB
    cdef int64_t piece = <int64_t>scaled
    sums.third += piece
    scaled = (scaled - piece) * LIMB
    piece = <int64_t>scaled
    sums.fourth += piece
    if scaled != piece:
        sums.held = False


cdef Limbs _limbs(const score* s, int64_t n) noexcept nogil:
    """Sums of multiples of 2**-30 and of 2**-60 are exact for 2**20 rows; then they become integers.

    Two rows at a time: each addition waits for the one before it.
    """
    cdef Limbs sums = Limbs(0, 0, 0, 0, True)
    cdef int64_t k = 0, stop
    cdef double a, b, a_rest, b_rest, a_fine, b_fine
    cdef double a_first, b_first, a_second, b_second
    while k < n:
        stop = min(k + BLOCK, n)
        a_first = b_first = a_second = b_second = 0.0
        while k + 1 < stop:
            a = s[k]
            b = s[k + 1]
            if not ((a >= 0.0) & (a <= 1.0) & (b >= 0.0) & (b <= 1.0)):
                sums.held = False
                return sums
            a_rest = a - whole(a)
            b_rest = b - whole(b)
            a_first += whole(a)
            b_first += whole(b)
            a_fine = finer(a_rest)
            b_fine = finer(b_rest)
            a_second += a_fine
            b_second += b_fine
            if (a_rest != a_fine) | (b_rest != b_fine):
                finest(&sums, a_rest - a_fine)
                finest(&sums, b_rest - b_fine)
            k += 2
        if k < stop:
            a = s[k]
            if not ((a >= 0.0) & (a <= 1.0)):
                sums.held = False
                return sums
            a_rest = a - whole(a)
            a_fine = finer(a_rest)
            a_first += whole(a)
            a_second += a_fine
            finest(&sums, a_rest - a_fine)
            k += 1
        sums.first += <int64_t>((a_first + b_first) * LIMB)
        sums.second += <int64_t>((a_second + b_second) * LIMB * LIMB)
    return sums


def limbs(cnp.ndarray scores):
    """Sums of the pieces of 30 bits of scores from 0 to 1; None where four do not hold a score.

    None too for scores that are not from 0 to 1, or nan.

    A piece may be negative: the one before it was rounded, not cut.
    """
    cdef Limbs sums
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef int64_t n = scores.shape[0]
    cdef bint single = cnp.PyArray_TYPE(scores) == cnp.NPY_FLOAT
    with nogil:
        sums = _limbs(<const float*>data, n) if single else _limbs(<const double*>data, n)
    return (sums.first, sums.second, sums.third, sums.fourth) if sums.held else None


cdef inline void add(Curve* curve, double up, double right) noexcept nogil:
    curve.area += right * (curve.risen + up / 2)
    curve.risen += up
    curve.gone += right


cdef inline void move(
    Curve* curve, double value, double n_pos, double n_neg, double midpoint
) noexcept nogil:
    """Let all rows of one score move the curve at once."""
    cdef double other = 1.0 - value
    cdef bint high = value >= midpoint
    cdef double of_positives = value if high else other
    cdef double of_negatives = other if high else value
    cdef double up = n_pos * of_positives + n_neg * of_negatives
    cdef double right = n_pos * of_negatives + n_neg * of_positives
    add(curve, up, right)


cdef Curve _sums(
    const score* x,
    const score* x_units,
    int64_t n_neg,
    const score* y,
    const score* y_units,
    int64_t n_pos,
    double midpoint,
) noexcept nogil:
    cdef Curve curve = Curve(0.0, 0.0, 0.0)
    cdef int64_t i = n_neg - 1, j = n_pos - 1, negatives, positives, in_neg, way
    cdef score key
    cdef double value
    cdef double[2] ways
    while i >= 0 or j >= 0:
        while i > 0 and j > 0:
            in_neg = x[i] > y[j]
            key = max(x[i], y[j])
            if (x[i] == y[j]) | (x[i - 1] == key) | (y[j - 1] == key):
                break
            # a single row: no branch on its class, which would be guessed wrongly half of the time
            ways[0] = y_units[j]
            ways[1] = x_units[i]
            value = ways[in_neg]
            ways[0] = value
            ways[1] = 1.0 - value
            way = in_neg ^ (value < midpoint)
            add(&curve, ways[way], ways[1 - way])
            i -= in_neg
            j -= 1 - in_neg
        negatives = 0
        positives = 0
        # one row is taken whatever it holds, so that the end is reached even with nan
        if j < 0 or (i >= 0 and x[i] > y[j]):
            key = x[i]
            value = x_units[i]
            negatives = 1
            i -= 1
        else:
            key = y[j]
            value = y_units[j]
            positives = 1
            j -= 1
        while i >= 0 and x[i] == key:
            negatives += 1
            i -= 1
        while j >= 0 and y[j] == key:
            positives += 1
            j -= 1
        move(&curve, value, <double>positives, <double>negatives, midpoint)
    return curve


def sums(
    cnp.ndarray negatives,
    cnp.ndarray positives,
    cnp.ndarray negative_units,
    cnp.ndarray positive_units,
    double midpoint,
):
    """Total rise, total run and area, from the highest score down (1.10).

    Scores are compared as they are and move the curve by their units; all of one type.
    """
    cdef Curve curve
    cdef void* x = cnp.PyArray_DATA(negatives)
    cdef void* y = cnp.PyArray_DATA(positives)
    cdef void* u = cnp.PyArray_DATA(negative_units)
    cdef void* v = cnp.PyArray_DATA(positive_units)
    cdef int64_t n_neg = negatives.shape[0], n_pos = positives.shape[0]
    cdef bint single = cnp.PyArray_TYPE(negatives) == cnp.NPY_FLOAT
    with nogil:
        if single:
            curve = _sums(
                <const float*>x, <const float*>u, n_neg, <const float*>y, <const float*>v, n_pos,
                midpoint,
            )
        else:
            curve = _sums(
                <const double*>x, <const double*>u, n_neg, <const double*>y, <const double*>v,
                n_pos, midpoint,
            )
    return curve.risen, curve.gone, curve.area
