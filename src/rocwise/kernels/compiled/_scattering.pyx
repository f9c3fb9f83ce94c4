# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Values of scores, written to the rows that have them: those of either class in their order.

Rows beyond a span of scores have one value on either side. Of those within it the scores and the
places to write to are put together, so that only they are sorted.
"""

from libc.stdint cimport int64_t, uint8_t

cimport numpy as cnp

cnp.import_array()

include "keyed_entries.pxi"

cdef extern from "prefetch.h" nogil:
    void prefetch_write(const void* address)

cdef enum:
    AHEAD = 32  # rows for which memory is asked before it is written to

ctypedef fused score:
    float
    double


cdef void _count_near(
    const uint8_t* mask, const score* scores, int64_t start, int64_t stop, double lowest,
    double highest, int64_t* found,
) noexcept nogil:
    cdef int64_t row, positives = 0, near = 0, wrong = 0
    for row in range(start, stop):
        positives += mask[row]
        near += (scores[row] >= lowest) & (scores[row] <= highest)
        wrong += scores[row] != scores[row]
    found[0] = positives
    found[1] = near if wrong == 0 else -1


def count_near(
    cnp.ndarray mask, cnp.ndarray scores, int64_t start, int64_t stop, double lowest,
    double highest,
):
    """How many of the rows start..stop are positive, and how many have scores of the span.

    Minus one if a score is nan.
    """
    cdef const uint8_t* is_pos = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef void* values = cnp.PyArray_DATA(scores)
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef int64_t[2] found
    with nogil:
        if wide:
            _count_near(is_pos, <const double*>values, start, stop, lowest, highest, found)
        else:
            _count_near(is_pos, <const float*>values, start, stop, lowest, highest, found)
    return found[0], found[1]


cdef int64_t _write_far(
    const uint8_t* mask, const score* scores, int64_t start, int64_t stop, double lowest,
    double highest, const double* beyond, int64_t positives, double** out,
    score* near_scores, int64_t* near_places, int64_t near, int64_t near_stop,
) noexcept nogil:
    cdef int64_t row, own, place
    cdef bint above, within
    for row in range(start, stop):
        own = mask[row]
        place = row - positives + (-own & (2 * positives - row))  # among the rows of its class
        positives += own
        above = scores[row] > highest
        within = (scores[row] >= lowest) & (not above)
        # whether a row is within is not foreseen: all is written, and the next one overwrites it
        out[own][place] = beyond[2 * above + own]
        if near < near_stop:
            near_scores[near] = scores[row]
            near_places[near] = 2 * place + own
            near += within
        elif within:  # scores have changed since they were counted
            return -1
    return near


def write_far(
    cnp.ndarray mask, cnp.ndarray scores, int64_t start, int64_t stop, double lowest,
    double highest, int64_t positives, int64_t near, int64_t near_stop, cnp.ndarray beyond,
    cnp.ndarray of_negatives, cnp.ndarray of_positives, cnp.ndarray near_scores,
    cnp.ndarray near_places,
):
    """Write the values of the rows start..stop that are beyond the span; put the others together.

    `positives` and `near` are how many there are before, `near_stop` those up to the last row.
    Whether these are as many as were counted.
    """
    cdef const uint8_t* is_pos = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef const double* value = <const double*>cnp.PyArray_DATA(beyond)
    cdef void* given = cnp.PyArray_DATA(scores)
    cdef void* held = cnp.PyArray_DATA(near_scores)
    cdef int64_t* places = <int64_t*>cnp.PyArray_DATA(near_places)
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef double* out[2]
    out[0] = <double*>cnp.PyArray_DATA(of_negatives)
    out[1] = <double*>cnp.PyArray_DATA(of_positives)
    with nogil:
        if wide:
            near = _write_far(
                is_pos, <const double*>given, start, stop, lowest, highest, value, positives, out,
                <double*>held, places, near, near_stop,
            )
        else:
            near = _write_far(
                is_pos, <const float*>given, start, stop, lowest, highest, value, positives, out,
                <float*>held, places, near, near_stop,
            )
    return near == near_stop


cdef int64_t _count_scores(
    const keyed* entries, int64_t start, int64_t stop, int64_t size
) noexcept nogil:
    cdef int64_t entry, found = 0
    for entry in range(start, stop):
        found += entry + 1 == size or entries[entry].value != entries[entry + 1].value
    return found


def count_scores(cnp.ndarray entries, int64_t start, int64_t stop, int64_t size):
    """How many scores the sorted entries start..stop have, of which none is that of the next one."""
    cdef void* data = cnp.PyArray_DATA(entries)
    cdef bint wide = cnp.PyArray_TYPE(entries) == cnp.NPY_DOUBLE
    cdef int64_t found
    with nogil:
        if wide:
            found = _count_scores(<const Keyed64*>data, start, stop, size)
        else:
            found = _count_scores(<const Keyed32*>data, start, stop, size)
    return found


cdef void _write_near(
    const keyed* entries, const int64_t* places, int64_t start, int64_t stop, int64_t size,
    int64_t above, double** values, double** out,
) noexcept nogil:
    cdef int64_t entry, to, place = above - 1
    for entry in range(stop - 1, start - 1, -1):
        if entry - 2 * AHEAD >= start:
            prefetch_write(places + (entries[entry - 2 * AHEAD].tag >> 1))
        if entry - AHEAD >= start:
            to = places[entries[entry - AHEAD].tag >> 1]
            prefetch_write(out[to & 1] + (to >> 1))
        place += entry + 1 == size or entries[entry].value != entries[entry + 1].value
        to = places[entries[entry].tag >> 1]
        out[to & 1][to >> 1] = values[to & 1][place]


def write_near(
    cnp.ndarray entries, cnp.ndarray places, int64_t start, int64_t stop, int64_t size,
    int64_t above, cnp.ndarray negative, cnp.ndarray positive, cnp.ndarray of_negatives,
    cnp.ndarray of_positives,
):
    """Write the values of sorted entries start..stop, whose rows are entries of `places`.

    So many scores are above them. `negative` and `positive` have a value for each score, from the
    highest down.
    """
    cdef void* data = cnp.PyArray_DATA(entries)
    cdef const int64_t* to = <const int64_t*>cnp.PyArray_DATA(places)
    cdef bint wide = cnp.PyArray_TYPE(entries) == cnp.NPY_DOUBLE
    cdef double* values[2]
    cdef double* out[2]
    values[0] = <double*>cnp.PyArray_DATA(negative)
    values[1] = <double*>cnp.PyArray_DATA(positive)
    out[0] = <double*>cnp.PyArray_DATA(of_negatives)
    out[1] = <double*>cnp.PyArray_DATA(of_positives)
    with nogil:
        if wide:
            _write_near(<const Keyed64*>data, to, start, stop, size, above, values, out)
        else:
            _write_near(<const Keyed32*>data, to, start, stop, size, above, values, out)
