# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The area under the smooth ROC curve, in one pass over two sorted classes."""

from libc.stdint cimport int64_t

cimport numpy as cnp

cnp.import_array()

cdef double LIMB = 1073741824.0  # 2**30
cdef double TO_30 = 6291456.0  # 1.5 * 2**22: adding it leaves 30 binary digits after the point
cdef double TO_60 = 0.005859375  # 1.5 * 2**-8: adding it leaves 60
cdef int64_t BLOCK = 1048576

cdef enum:
    RUN = 1024  # rows that are looked at together; four divide it

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


cdef bint _add_plain(const score* s, int64_t n, double* first, double* second) noexcept nogil:
    """Add up rows whose digits end at 2**-60; False, and nothing is added, if there are others.

    Four sums at a time and no branch: the compiler lets wide registers do it.
    """
    cdef double[4] high
    cdef double[4] low
    cdef double[4] least
    cdef double[4] most
    cdef double[4] left
    cdef double value, rest, fine, over
    cdef int64_t k, lane
    for lane in range(4):
        high[lane] = low[lane] = left[lane] = 0.0
        least[lane] = most[lane] = 0.5
    for k in range(0, n, 4):
        for lane in range(4):
            value = s[k + lane]
            rest = value - whole(value)
            fine = finer(rest)
            over = rest - fine
            high[lane] += whole(value)
            low[lane] += fine
            left[lane] += over * over  # nan where there is one
            least[lane] = value if value < least[lane] else least[lane]
            most[lane] = value if value > most[lane] else most[lane]
    for lane in range(4):
        if not (least[lane] >= 0.0) & (most[lane] <= 1.0) & (left[lane] == 0.0):
            return False
    first[0] += high[0] + high[1] + (high[2] + high[3])
    second[0] += low[0] + low[1] + (low[2] + low[3])
    return True


cdef bint _add_any(
    const score* s, int64_t n, double* first, double* second, Limbs* sums
) noexcept nogil:
    """The same for all scores from 0 to 1; False if there are others."""
    cdef double value, rest, fine
    cdef int64_t k
    for k in range(n):
        value = s[k]
        if not (value >= 0.0) & (value <= 1.0):
            return False
        rest = value - whole(value)
        fine = finer(rest)
        first[0] += whole(value)
        second[0] += fine
        finest(sums, rest - fine)
    return True


cdef Limbs _limbs(const score* s, int64_t n) noexcept nogil:
    """Sums of multiples of 2**-30 and of 2**-60 are exact for 2**20 rows; then they become integers."""
    cdef Limbs sums = Limbs(0, 0, 0, 0, True)
    cdef int64_t k = 0, rows, stop
    cdef double first, second
    while k < n:
        stop = min(k + BLOCK, n)
        first = second = 0.0
        while k < stop:
            rows = min(RUN, stop - k)
            if rows < RUN or not _add_plain(s + k, rows, &first, &second):
                if not _add_any(s + k, rows, &first, &second, &sums):
                    sums.held = False
                    return sums
            k += rows
        sums.first += <int64_t>(first * LIMB)
        sums.second += <int64_t>(second * LIMB * LIMB)
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


ctypedef struct Walk:
    Curve curve
    int64_t neg_end  # rows below it are still to come; those from the first one on
    int64_t neg_first
    int64_t pos_end
    int64_t pos_first


cdef inline bint under_way(const Walk* walk) noexcept nogil:
    return (walk.neg_end > walk.neg_first) | (walk.pos_end > walk.pos_first)


cdef void move_by_ties(
    Walk* walk, const score* x, const score* x_units, const score* y, const score* y_units,
    double midpoint,
) noexcept nogil:
    """Take the highest row, and all that share its score."""
    cdef int64_t i = walk.neg_end - 1, j = walk.pos_end - 1, negatives = 0, positives = 0
    cdef score key
    cdef double value
    # one row is taken whatever it holds, so that the end is reached even with nan
    if j < walk.pos_first or (i >= walk.neg_first and x[i] > y[j]):
        key = x[i]
        value = x_units[i]
        negatives = 1
        i -= 1
    else:
        key = y[j]
        value = y_units[j]
        positives = 1
        j -= 1
    while i >= walk.neg_first and x[i] == key:
        negatives += 1
        i -= 1
    while j >= walk.pos_first and y[j] == key:
        positives += 1
        j -= 1
    move(&walk.curve, value, <double>positives, <double>negatives, midpoint)
    walk.neg_end = i + 1
    walk.pos_end = j + 1


cdef inline bint at_single_row(
    const score* x, const score* y, int64_t i, int64_t j, const Walk* walk
) noexcept nogil:
    """Whether rows i and j, the highest of their classes, have scores of their own, others below."""
    if (i <= walk.neg_first) | (j <= walk.pos_first):
        return False
    return not (x[i] == y[j]) | (x[i - 1] == x[i]) | (y[j - 1] == y[j])


cdef inline void take_row(
    const score* x, const score* x_units, const score* y, const score* y_units, double midpoint,
    int64_t* i, int64_t* j, Curve* curve,
) noexcept nogil:
    """Take the higher of rows i and j: no branch on its class, which would be guessed wrongly."""
    cdef int64_t in_neg = x[i[0]] > y[j[0]]
    cdef int64_t way
    cdef double value
    cdef double[2] ways
    ways[0] = y_units[j[0]]
    ways[1] = x_units[i[0]]
    value = ways[in_neg]
    ways[0] = value
    ways[1] = 1.0 - value
    way = in_neg ^ (value < midpoint)
    add(curve, ways[way], ways[1 - way])
    i[0] -= in_neg
    j[0] -= 1 - in_neg


cdef void take_single_rows(
    Walk* first, Walk* second, const score* x, const score* x_units, const score* y,
    const score* y_units, double midpoint,
) noexcept nogil:
    """Walk on in both stretches in turns, until one of them comes to rows that share a score.

    Each step waits for the one before it, but not for that of the other stretch.
    """
    cdef Curve a = first.curve, b = second.curve
    cdef int64_t i = first.neg_end - 1, j = first.pos_end - 1
    cdef int64_t k = second.neg_end - 1, l = second.pos_end - 1
    while at_single_row(x, y, i, j, first) and at_single_row(x, y, k, l, second):
        take_row(x, x_units, y, y_units, midpoint, &i, &j, &a)
        take_row(x, x_units, y, y_units, midpoint, &k, &l, &b)
    first.curve = a
    first.neg_end = i + 1
    first.pos_end = j + 1
    second.curve = b
    second.neg_end = k + 1
    second.pos_end = l + 1


cdef void take_rows_alone(
    Walk* walk, const score* x, const score* x_units, const score* y, const score* y_units,
    double midpoint,
) noexcept nogil:
    """The same in one stretch."""
    cdef Curve curve = walk.curve
    cdef int64_t i = walk.neg_end - 1, j = walk.pos_end - 1
    while at_single_row(x, y, i, j, walk):
        take_row(x, x_units, y, y_units, midpoint, &i, &j, &curve)
    walk.curve = curve
    walk.neg_end = i + 1
    walk.pos_end = j + 1


cdef void _walk_both(
    Walk* first, Walk* second, const score* x, const score* x_units, const score* y,
    const score* y_units, double midpoint,
) noexcept nogil:
    while under_way(first) and under_way(second):
        take_single_rows(first, second, x, x_units, y, y_units, midpoint)
        move_by_ties(first, x, x_units, y, y_units, midpoint)
        move_by_ties(second, x, x_units, y, y_units, midpoint)
    while under_way(first):
        take_rows_alone(first, x, x_units, y, y_units, midpoint)
        move_by_ties(first, x, x_units, y, y_units, midpoint)
    while under_way(second):
        take_rows_alone(second, x, x_units, y, y_units, midpoint)
        move_by_ties(second, x, x_units, y, y_units, midpoint)


cdef Walk _stretch(tuple rows):
    """A walk over rows (of negatives from, to; of positives from, to)."""
    cdef Walk walk
    walk.curve = Curve(0.0, 0.0, 0.0)
    walk.neg_first, walk.neg_end, walk.pos_first, walk.pos_end = rows
    return walk


def sums(
    cnp.ndarray negatives,
    cnp.ndarray positives,
    cnp.ndarray negative_units,
    cnp.ndarray positive_units,
    double midpoint,
    tuple first,
    tuple second,
):
    """Total rise, total run and area of two stretches, each from its highest score down (1.10).

    A stretch has the bounds of its negatives and those of its positives. Scores are compared as
    they are and move the curve by their units; all of one type.
    """
    cdef Walk a = _stretch(first), b = _stretch(second)
    cdef void* x = cnp.PyArray_DATA(negatives)
    cdef void* y = cnp.PyArray_DATA(positives)
    cdef void* u = cnp.PyArray_DATA(negative_units)
    cdef void* v = cnp.PyArray_DATA(positive_units)
    cdef bint single = cnp.PyArray_TYPE(negatives) == cnp.NPY_FLOAT
    with nogil:
        if single:
            _walk_both(
                &a, &b, <const float*>x, <const float*>u, <const float*>y, <const float*>v, midpoint
            )
        else:
            _walk_both(
                &a, &b, <const double*>x, <const double*>u, <const double*>y, <const double*>v,
                midpoint,
            )
    return (
        (a.curve.risen, a.curve.gone, a.curve.area), (b.curve.risen, b.curve.gone, b.curve.area)
    )
