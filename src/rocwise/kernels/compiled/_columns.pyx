# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Columns of numbers, one from each row of counts: measures of thresholds, influences of rows."""

from libc.math cimport INFINITY, NAN, sqrt
from libc.stdint cimport int64_t, uint8_t

cimport numpy as cnp

cnp.import_array()

ctypedef fused amount:
    int64_t
    double

# in the order of `columns.plain.MEASURES`
cdef enum Measure:
    SENSITIVITY, SPECIFICITY, PPV, NPV, ACCURACY, BALANCED, F1, MCC, YOUDEN, LR_POSITIVE, LR_NEGATIVE


cdef enum:
    LANES = 16  # numbers of a polynomial under way together, since each waits for its last term


cdef inline double rest(double total, double called) noexcept nogil:
    """Cases that are not called; sums of weights may miss their total by a rounding error."""
    cdef double left = total - called
    return left if left > 0 else 0.0


cdef inline double over(double top, double bottom) noexcept nogil:
    """Top / bottom; infinite over 0, nan where it is 0 / 0."""
    if bottom > 0:
        return top / bottom
    return NAN if top == 0 else INFINITY


cdef inline double mean_rate(double tp, double fp, double P, double N) noexcept nogil:
    return tp / P + rest(N, fp) / N


cdef inline double harmonic_mean(double tp, double fp, double fn) noexcept nogil:
    return 2 * tp / (2 * tp + fp + fn)


cdef inline double matthews(double tp, double fp, double fn, double tn) noexcept nogil:
    cdef double scale = sqrt(tp + fp) * sqrt(tn + fn) * sqrt(tp + fn) * sqrt(tn + fp)
    return (tp * tn - fp * fn) / scale if scale > 0 else 0.0


cdef inline double matthews_of_counts(
    double tp, double fp, double P, double N, double root_P, double root_N
) noexcept nogil:
    """The same where tp + fn is P to the last bit, and tn + fp is N."""
    cdef double called = tp + fp, fn = P - tp, tn = N - fp
    cdef double scale = sqrt(called) * sqrt(tn + fn) * root_P * root_N
    return (tp * tn - fp * fn) / scale if scale > 0 else 0.0


cdef void _fill_measure(
    const amount* tp, const amount* fp, double P, double N, Measure measure, int64_t start,
    int64_t stop, double* out,
) noexcept nogil:
    cdef int64_t row
    cdef double total = P + N, root_P = sqrt(P), root_N = sqrt(N)
    if measure == SENSITIVITY:
        for row in range(start, stop):
            out[row] = tp[row] / P
    elif measure == SPECIFICITY:
        for row in range(start, stop):
            out[row] = rest(N, fp[row]) / N
    elif measure == PPV:
        for row in range(start, stop):
            out[row] = <double>tp[row] / <double>(tp[row] + fp[row])
    elif measure == NPV:
        for row in range(start, stop):
            out[row] = over(rest(N, fp[row]), rest(N, fp[row]) + rest(P, tp[row]))
    elif measure == ACCURACY:
        for row in range(start, stop):
            out[row] = (tp[row] + rest(N, fp[row])) / total
    elif measure == BALANCED:
        for row in range(start, stop):
            out[row] = mean_rate(tp[row], fp[row], P, N) / 2
    elif measure == F1:
        for row in range(start, stop):
            out[row] = harmonic_mean(tp[row], fp[row], rest(P, tp[row]))
    elif measure == MCC:
        for row in range(start, stop):
            if amount is double:
                out[row] = matthews(tp[row], fp[row], rest(P, tp[row]), rest(N, fp[row]))
            else:
                out[row] = matthews_of_counts(tp[row], fp[row], P, N, root_P, root_N)
    elif measure == YOUDEN:
        for row in range(start, stop):
            out[row] = mean_rate(tp[row], fp[row], P, N) - 1
    elif measure == LR_POSITIVE:
        for row in range(start, stop):
            out[row] = over(tp[row] / P, fp[row] / N)
    else:
        for row in range(start, stop):
            out[row] = over(rest(P, tp[row]) / P, rest(N, fp[row]) / N)


def fill_measure(
    cnp.ndarray tp, cnp.ndarray fp, double n_pos, double n_neg, int measure, int64_t start,
    int64_t stop, cnp.ndarray out,
):
    """Write a measure of the rows start..stop; whole numbers must be below 2**53 together."""
    cdef void* hits = cnp.PyArray_DATA(tp)
    cdef void* alarms = cnp.PyArray_DATA(fp)
    cdef double* target = <double*>cnp.PyArray_DATA(out)
    cdef bint weighted = cnp.PyArray_TYPE(tp) == cnp.NPY_DOUBLE
    with nogil:
        if weighted:
            _fill_measure(
                <const double*>hits, <const double*>alarms, n_pos, n_neg, <Measure>measure, start,
                stop, target,
            )
        else:
            _fill_measure(
                <const int64_t*>hits, <const int64_t*>alarms, n_pos, n_neg, <Measure>measure,
                start, stop, target,
            )


def placed_positives(cnp.ndarray mask, cnp.ndarray placements, int64_t start, int64_t stop):
    """How many of the rows start..stop are positive, and the sum of their placements."""
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef const int64_t* placed = <const int64_t*>cnp.PyArray_DATA(placements)
    cdef int64_t row, positive, n_pos = 0, total = 0
    with nogil:
        for row in range(start, stop):
            positive = classes[row] != 0
            n_pos += positive
            total += placed[row] & -positive
    return n_pos, total


cdef void _fill_influences(
    const uint8_t* classes, const int64_t* placed, int64_t n_pos, int64_t n_neg, double area,
    int64_t start, int64_t stop, double* pos, double* neg,
) noexcept nogil:
    """Placements as shares of the other class, less their mean, over the rows of their class."""
    cdef int64_t row, positive
    cdef double* target
    # those of negatives count positives below, not above
    cdef double[2] scale = [-2.0 * <double>n_pos, 2.0 * <double>n_neg]
    cdef double[2] shift = [1.0 - area, -area]
    cdef double[2] rows = [<double>n_neg, <double>n_pos]
    for row in range(start, stop):
        positive = classes[row] != 0  # no branch: it would be guessed wrongly too often
        target = pos if positive else neg
        target[0] = (<double>placed[row] / scale[positive] + shift[positive]) / rows[positive]
        pos += positive
        neg += 1 - positive


def fill_influences(
    cnp.ndarray mask, cnp.ndarray placements, double area, int64_t start, int64_t stop,
    int64_t pos_before, cnp.ndarray positives, cnp.ndarray negatives,
):
    """Write the influences of the rows start..stop; so many positives are before them."""
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef const int64_t* placed = <const int64_t*>cnp.PyArray_DATA(placements)
    cdef double* pos = <double*>cnp.PyArray_DATA(positives) + pos_before
    cdef double* neg = <double*>cnp.PyArray_DATA(negatives) + (start - pos_before)
    cdef int64_t n_pos = positives.shape[0], n_neg = negatives.shape[0]
    with nogil:
        _fill_influences(classes, placed, n_pos, n_neg, area, start, stop, pos, neg)


def fill_chebyshev(
    cnp.ndarray x, cnp.ndarray coefficients, double offset, double scale, cnp.ndarray result
):
    """Chebyshev's polynomials of offset + scale * x, added up by Clenshaw's steps as numpy does."""
    cdef const double* places = <const double*>cnp.PyArray_DATA(x)
    cdef const double* terms = <const double*>cnp.PyArray_DATA(coefficients)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t size = x.shape[0], degree = coefficients.shape[0] - 1, first, lane, some, term
    cdef double[LANES] at
    cdef double[LANES] twice
    cdef double[LANES] even
    cdef double[LANES] odd
    cdef double before
    with nogil:
        first = 0
        while first < size:
            some = LANES if size - first > LANES else size - first
            for lane in range(LANES):
                at[lane] = offset + scale * places[first + (lane if lane < some else 0)]
                twice[lane] = 2.0 * at[lane]
                even[lane] = terms[degree - 1]
                odd[lane] = terms[degree]
            for term in reversed(range(degree - 1)):
                for lane in range(LANES):
                    before = even[lane]
                    even[lane] = terms[term] - odd[lane]
                    odd[lane] = before + odd[lane] * twice[lane]
            for lane in range(some):
                out[first + lane] = even[lane] + odd[lane] * at[lane]
            first += LANES
