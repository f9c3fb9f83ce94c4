# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Losses of forecasts, swapped between two models or drawn anew, one resample after the other."""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"


def signed_sums(cnp.ndarray signs, cnp.ndarray values, cnp.ndarray result):
    """Sum of the values with the signs of each line."""
    cdef const int8_t* sign = <const int8_t*>cnp.PyArray_DATA(signs)
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t lines = signs.shape[0], rows = signs.shape[1], line, row
    cdef double first, second, third, fourth
    with nogil:
        for line in range(lines):
            first = second = third = fourth = 0.0  # four sums, which need not wait for each other
            row = 0
            while row + 4 <= rows:
                first += sign[row] * value[row]
                second += sign[row + 1] * value[row + 1]
                third += sign[row + 2] * value[row + 2]
                fourth += sign[row + 3] * value[row + 3]
                row += 4
            while row < rows:
                first += sign[row] * value[row]
                row += 1
            out[line] = (first + second) + (third + fourth)
            sign += rows


def largest_heights(
    cnp.ndarray signs, cnp.ndarray rows, cnp.ndarray steps, cnp.ndarray ends, cnp.ndarray result
):
    """Largest |running sum of sign[rows] * steps| where ends is 1, for each line of signs."""
    cdef const int8_t* sign = <const int8_t*>cnp.PyArray_DATA(signs)
    cdef const int32_t* row = <const int32_t*>cnp.PyArray_DATA(rows)
    cdef const int8_t* step = <const int8_t*>cnp.PyArray_DATA(steps)
    cdef const uint8_t* end = <const uint8_t*>cnp.PyArray_DATA(ends)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t lines = signs.shape[0], events = rows.shape[0], width = signs.shape[1], line, k
    cdef int32_t height, best, size
    with nogil:
        for line in range(lines):
            height = best = 0
            for k in range(events):
                height += sign[row[k]] * step[k]
                size = height if height > 0 else -height
                size = size * end[k]
                best = size if size > best else best
            out[line] = best
            sign += width


def drawn_moments(cnp.ndarray drawn, cnp.ndarray values, cnp.ndarray means, cnp.ndarray spreads):
    """Mean of the values drawn in each line, and the standard error of that mean."""
    cdef const int64_t* row = <const int64_t*>cnp.PyArray_DATA(drawn)
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef double* mean = <double*>cnp.PyArray_DATA(means)
    cdef double* spread = <double*>cnp.PyArray_DATA(spreads)
    cdef int64_t lines = drawn.shape[0], draws = drawn.shape[1], line, k
    cdef double first, second, apart
    cdef double* held = <double*>malloc((draws + 1) * sizeof(double))
    if held == NULL:
        raise MemoryError
    with nogil:
        for line in range(lines):
            first = second = 0.0
            for k in range(draws):
                held[k] = value[row[k]]
            k = 0
            while k + 2 <= draws:
                first += held[k]
                second += held[k + 1]
                k += 2
            if k < draws:
                first += held[k]
            mean[line] = (first + second) / draws
            first = second = 0.0
            for k in range(draws):
                apart = held[k] - mean[line]
                first += apart * apart
            spread[line] = sqrt(first / draws / draws)
            row += draws
    free(held)


def resampled_moments(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray values, cnp.ndarray means,
    cnp.ndarray spreads,
):
    """The same of as many rows drawn as there are values, whose mean should be about 0."""
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef double* mean = <double*>cnp.PyArray_DATA(means)
    cdef double* spread = <double*>cnp.PyArray_DATA(spreads)
    cdef int64_t rows = values.shape[0], replicate, draw
    cdef uint64_t state, step = STEP
    cdef double total, squares, drawn, variance
    with nogil:
        for replicate in range(first, last):
            state = stream_key(seed, replicate, POSITIVE)
            total = squares = 0.0
            for draw in range(rows):
                state += step
                drawn = value[multiply_high(mix(state), <uint64_t>rows)]
                total += drawn
                squares += drawn * drawn
            total /= rows
            variance = squares / rows - total * total
            mean[replicate - first] = total
            spread[replicate - first] = sqrt(variance / rows) if variance > 0.0 else 0.0


def largest_distances(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray ranks, cnp.ndarray result
):
    """Largest distance, in rows, of a resampled distribution from that of the data.

    ranks[k] rows of the data are at most as large as the k-th distinct value.
    """
    cdef const int64_t* upto = <const int64_t*>cnp.PyArray_DATA(ranks)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t values = ranks.shape[0], rows = upto[values - 1], replicate, k, gap, best
    cdef uint32_t* drawn = <uint32_t*>malloc((2 * rows + 1) * sizeof(uint32_t))
    cdef uint32_t* before = drawn + rows
    if drawn == NULL:
        raise MemoryError
    with nogil:
        for replicate in range(first, last):
            draw_counts(stream_key(seed, replicate, POSITIVE), rows, drawn)
            accumulate(drawn, rows, before)
            best = 0
            for k in range(values):
                gap = <int64_t>before[upto[k]] - upto[k]
                gap = gap if gap > 0 else -gap
                best = gap if gap > best else best
            out[replicate - first] = best
    free(drawn)
