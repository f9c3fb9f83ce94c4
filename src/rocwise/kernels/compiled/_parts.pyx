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


cdef void _precision_steps(
    const amount* tp, const amount* fp, const amount* pos, int64_t rows, double n_pos,
    double n_neg, double odds, double** columns, double* sums,
) noexcept nogil:
    cdef int64_t row
    cdef double tpr, fpr, mass, false, called, precision, hits, alarms, seen
    for row in range(rows):
        tpr = <double>tp[row] / n_pos
        fpr = <double>fp[row] / n_neg
        mass = <double>pos[row] / n_pos
        false = odds * fpr
        called = tpr + false
        precision = tpr / called
        hits = mass * false / (called * called)
        alarms = -odds * mass * tpr / (called * called)
        columns[0][row] = precision
        columns[1][row] = mass * precision
        columns[2][row] = hits
        columns[3][row] = alarms
        sums[0] += hits * tpr
        sums[1] += alarms * fpr
        seen = called / (1 + odds)
        sums[2] += mass * (tpr * fpr / (seen * seen))


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
