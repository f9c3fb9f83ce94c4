# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Running sums of signed steps, for sign-flip tests of losses."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

cimport numpy as cnp

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
