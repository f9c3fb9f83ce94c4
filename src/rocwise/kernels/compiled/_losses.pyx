# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Moments of resampled losses, and running sums of signed steps for sign-flip tests."""

from libc.math cimport sqrt
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

cimport numpy as cnp

from rocwise.kernels.compiled.draws cimport POSITIVE, mix, multiply_high, stream_key

cnp.import_array()


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
    cdef int32_t height, size, best
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


def resampled_means(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray values, cnp.ndarray means,
    cnp.ndarray errors,
):
    """Mean of as many rows drawn as there are values, and its standard error, for each resample."""
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef double* mean = <double*>cnp.PyArray_DATA(means)
    cdef double* error = <double*>cnp.PyArray_DATA(errors)
    cdef int64_t rows = values.shape[0], replicate, draw
    cdef uint64_t state, step = <uint64_t>0x9E3779B97F4A7C15
    cdef double drawn, total, squares, variance
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
            error[replicate - first] = sqrt(variance / rows) if variance > 0.0 else 0.0
