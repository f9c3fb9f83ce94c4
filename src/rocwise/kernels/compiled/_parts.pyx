# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Segments of a curve within a part of its area, and the influence of their cases on that part.

What the steps of a curve add to the average precision follows the same curve down.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t

cimport numpy as cnp

cnp.import_array()


ctypedef fused amount:
    int64_t
    double


cdef inline double larger(double a, double b) noexcept nogil:
    return a if a > b else b


cdef inline double smaller(double a, double b) noexcept nogil:
    return a if a < b else b


cdef inline double within(double value, double low, double high) noexcept nogil:
    return smaller(larger(value, low), high)


cdef inline double or_one(double run) noexcept nogil:
    """The run of a segment, or 1 where it has none: no branch, it would be guessed wrongly."""
    return run + <double>(run <= 0)


cdef inline double passed(double before, double after, double f) noexcept nogil:
    cdef double run = after - before, inside = within(f - before, 0.0, run)
    return inside * inside / (2 * or_one(run)) + larger(f - after, 0.0)


cdef inline const double* numbers(cnp.ndarray column):
    return <const double*>cnp.PyArray_DATA(column)


cdef cnp.ndarray made_for(cnp.ndarray column):
    cdef cnp.npy_intp size = column.shape[0]
    return cnp.PyArray_EMPTY(1, &size, cnp.NPY_DOUBLE, 0)


def segment_areas(
    cnp.ndarray x0, cnp.ndarray x1, cnp.ndarray y0, cnp.ndarray y1, double low, double high
):
    """The area below each segment between low and high."""
    cdef const double *start = numbers(x0), *stop = numbers(x1)
    cdef const double *bottom = numbers(y0), *top = numbers(y1)
    cdef cnp.ndarray areas = made_for(x0)
    cdef double* out = <double*>cnp.PyArray_DATA(areas)
    cdef double left, right, middle
    cdef int64_t row, rows = x0.shape[0]
    with nogil:
        for row in range(rows):
            left = larger(start[row], low)
            right = smaller(stop[row], high)
            middle = ((left + right) / 2 - start[row]) / or_one(stop[row] - start[row])
            out[row] = larger(right - left, 0.0) * (
                bottom[row] + (top[row] - bottom[row]) * middle
            )
    return areas


def positive_influences(
    cnp.ndarray before, cnp.ndarray after, double low, double high, double area, double noise
):
    """How much a positive on each segment moves the part."""
    cdef const double *start = numbers(before), *stop = numbers(after)
    cdef cnp.ndarray influences = made_for(before)
    cdef double* out = <double*>cnp.PyArray_DATA(influences)
    cdef double moved
    cdef int64_t row, rows = before.shape[0]
    with nogil:
        if low > 0:
            for row in range(rows):
                moved = passed(start[row], stop[row], high) - passed(start[row], stop[row], low)
                moved = moved - area
                out[row] = moved if fabs(moved) > noise else 0.0
        else:
            for row in range(rows):
                moved = passed(start[row], stop[row], high) - area
                out[row] = moved if fabs(moved) > noise else 0.0
    return influences


def negative_influences(
    cnp.ndarray x0, cnp.ndarray x1, cnp.ndarray y0, cnp.ndarray y1, double low, double high,
    double at_low, double at_high, double shift, double noise,
):
    """How much a negative on each segment moves the part."""
    cdef const double *start = numbers(x0), *stop = numbers(x1)
    cdef const double *bottom = numbers(y0), *top = numbers(y1)
    cdef cnp.ndarray influences = made_for(x0)
    cdef double* out = <double*>cnp.PyArray_DATA(influences)
    cdef double run, over, left, right, share, total, moved
    cdef int64_t row, rows = x0.shape[0]
    with nogil:
        for row in range(rows):
            run = stop[row] - start[row]
            over = or_one(run)
            left = within(start[row], low, high)
            right = within(stop[row], low, high)
            share = ((left + right) / 2 - start[row]) / over
            total = (right - left) * (bottom[row] + share * (top[row] - bottom[row]))
            if low > 0:
                total = within(low - start[row], 0.0, run) * at_low + total
            moved = (total + within(stop[row] - high, 0.0, run) * at_high) / over + shift
            out[row] = moved if fabs(moved) > noise else 0.0
    return influences


cdef extern from "precision_rows.h" nogil:
    enum:
        BLOCK
    void precision_rows(
        const double* tp, const double* fp, const double* pos, int64_t rows, double n_pos,
        double n_neg, double odds, double* precision, double* gained, double* by_hits,
        double* by_alarms, double* terms,
    )


cdef void _precision_steps(
    const amount* tp, const amount* fp, const amount* pos, int64_t rows, double n_pos,
    double n_neg, double odds, double** columns, double* sums,
) noexcept nogil:
    """Some rows at a time: their terms are found side by side, and then added one by one."""
    cdef double[BLOCK] hits, alarms, own
    cdef double[3 * BLOCK] terms
    cdef int64_t first = 0, size, row
    while first < rows:
        size = min(<int64_t>BLOCK, rows - first)
        for row in range(size):
            hits[row] = <double>tp[first + row]
            alarms[row] = <double>fp[first + row]
            own[row] = <double>pos[first + row]
        precision_rows(
            hits, alarms, own, size, n_pos, n_neg, odds, columns[0] + first, columns[1] + first,
            columns[2] + first, columns[3] + first, terms,
        )
        for row in range(size):
            sums[0] += terms[row]
            sums[1] += terms[BLOCK + row]
            sums[2] += terms[2 * BLOCK + row]
        first += size


def precision_steps(
    cnp.ndarray tp, cnp.ndarray fp, cnp.ndarray pos, double n_pos, double n_neg, double odds,
    cnp.ndarray precision, cnp.ndarray gained, cnp.ndarray by_hits, cnp.ndarray by_alarms,
):
    """Fill what each step adds to the average precision, and its slopes; three sums of these."""
    cdef void *hits = cnp.PyArray_DATA(tp)
    cdef void *alarms = cnp.PyArray_DATA(fp)
    cdef void *own = cnp.PyArray_DATA(pos)
    cdef bint wide = cnp.PyArray_TYPE(tp) == cnp.NPY_DOUBLE
    cdef int64_t rows = tp.shape[0]
    cdef double* columns[4]
    cdef double[3] sums
    sums[0] = sums[1] = sums[2] = 0.0
    columns[0] = <double*>cnp.PyArray_DATA(precision)
    columns[1] = <double*>cnp.PyArray_DATA(gained)
    columns[2] = <double*>cnp.PyArray_DATA(by_hits)
    columns[3] = <double*>cnp.PyArray_DATA(by_alarms)
    with nogil:
        if wide:
            _precision_steps(
                <const double*>hits, <const double*>alarms, <const double*>own, rows, n_pos,
                n_neg, odds, columns, sums,
            )
        else:
            _precision_steps(
                <const int64_t*>hits, <const int64_t*>alarms, <const int64_t*>own, rows, n_pos,
                n_neg, odds, columns, sums,
            )
    return sums[0], sums[1], sums[2]


def sum_upwards(cnp.ndarray column):
    """Let each number be the sum of itself and all after it, in its place."""
    cdef double* out = <double*>cnp.PyArray_DATA(column)
    cdef int64_t row
    cdef double total
    with nogil:
        if column.shape[0]:
            total = out[column.shape[0] - 1]  # whose sign may be that of -0.0
            for row in range(column.shape[0] - 2, -1, -1):
                total += out[row]
                out[row] = total


def doubled_area(cnp.ndarray tp, cnp.ndarray fp, int64_t first, int64_t last):
    """Twice the pairs that the rows first..last of cumulated counts add below their curve."""
    cdef const int64_t* hits = <const int64_t*>cnp.PyArray_DATA(tp)
    cdef const int64_t* alarms = <const int64_t*>cnp.PyArray_DATA(fp)
    cdef int64_t row, tp_before = hits[first - 1] if first else 0
    cdef int64_t fp_before = alarms[first - 1] if first else 0, total = 0
    with nogil:
        for row in range(first, last):
            total += (alarms[row] - fp_before) * (hits[row] + tp_before)
            tp_before = hits[row]
            fp_before = alarms[row]
    return total
