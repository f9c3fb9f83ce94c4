# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Rows brought together by the number of their group: counted, then written where they go.

Scores are brought together by group and class: those of the negatives of group k are in slot 2 k,
those of its positives in the next one.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t

cimport numpy as cnp

cnp.import_array()


def count(cnp.ndarray codes, int64_t start, int64_t stop, cnp.ndarray counts):
    """Add the rows start..stop to the counts of their groups; False if one has no such group."""
    cdef const int64_t* held = <const int64_t*>cnp.PyArray_DATA(codes)
    cdef int64_t* tally = <int64_t*>cnp.PyArray_DATA(counts)
    cdef int64_t row, code, groups = counts.shape[0]
    cdef bint known = True
    with nogil:
        for row in range(start, stop):
            code = held[row]
            if not 0 <= code < groups:
                known = False
                break
            tally[code] += 1
    return known


def place(
    cnp.ndarray codes, int64_t start, int64_t stop, cnp.ndarray next_place, cnp.ndarray order
):
    """Write the rows start..stop where their groups go on; next_place moves on.

    False if they are not those that were counted: nothing is written beyond `order`.
    """
    cdef const int64_t* held = <const int64_t*>cnp.PyArray_DATA(codes)
    cdef int64_t* places = <int64_t*>cnp.PyArray_DATA(next_place)
    cdef int64_t* rows = <int64_t*>cnp.PyArray_DATA(order)
    cdef int64_t row, code, free, groups = next_place.shape[0], room = order.shape[0]
    cdef bint known = True
    with nogil:
        for row in range(start, stop):
            code = held[row]
            free = places[code] if 0 <= code < groups else room
            if free >= room:
                known = False
                break
            rows[free] = row
            places[code] = free + 1
    return known


def count_classes(
    cnp.ndarray codes, cnp.ndarray mask, int64_t start, int64_t stop, cnp.ndarray counts
):
    """Add the rows start..stop to the counts of their slots; False if one has no such group."""
    cdef const int64_t* held = <const int64_t*>cnp.PyArray_DATA(codes)
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef int64_t* tally = <int64_t*>cnp.PyArray_DATA(counts)
    cdef int64_t row, code, groups = counts.shape[0] // 2
    cdef bint known = True
    with nogil:
        for row in range(start, stop):
            code = held[row]
            if not 0 <= code < groups:
                known = False
                break
            tally[2 * code + (classes[row] != 0)] += 1
    return known


def place_scores(
    cnp.ndarray codes, cnp.ndarray mask, cnp.ndarray scores, int64_t start, int64_t stop,
    cnp.ndarray next_place, cnp.ndarray target,
):
    """Write the scores of the rows start..stop where their slots go on; next_place moves on.

    How many rows were written before one that is nan, or that was not counted.
    """
    cdef const int64_t* held = <const int64_t*>cnp.PyArray_DATA(codes)
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef const double* values = <const double*>cnp.PyArray_DATA(scores)
    cdef int64_t* places = <int64_t*>cnp.PyArray_DATA(next_place)
    cdef double* out = <double*>cnp.PyArray_DATA(target)
    cdef int64_t row, code, slot, free, written = 0
    cdef int64_t groups = next_place.shape[0] // 2, room = target.shape[0]
    cdef double value
    with nogil:
        for row in range(start, stop):
            value = values[row]  # read once: another thread may be writing there
            code = held[row]
            if value != value or not 0 <= code < groups:
                break
            slot = 2 * code + (classes[row] != 0)
            free = places[slot]
            if free >= room:
                break
            out[free] = value + 0.0
            places[slot] = free + 1
            written += 1
    return written


def merge_groups(
    cnp.ndarray values, cnp.ndarray bounds, int64_t first, int64_t last,
    cnp.ndarray scores, cnp.ndarray tp, cnp.ndarray fp, cnp.ndarray starts,
):
    """Write the curves of the groups first..last, whose slots are sorted; how many points.

    Each starts with nobody called positive, then come its distinct scores, the highest first.
    """
    cdef const double* sorted_ones = <const double*>cnp.PyArray_DATA(values)
    cdef const int64_t* cuts = <const int64_t*>cnp.PyArray_DATA(bounds)
    cdef double* where = <double*>cnp.PyArray_DATA(scores)
    cdef int64_t* hits = <int64_t*>cnp.PyArray_DATA(tp)
    cdef int64_t* alarms = <int64_t*>cnp.PyArray_DATA(fp)
    cdef int64_t* begins = <int64_t*>cnp.PyArray_DATA(starts)
    cdef int64_t group, place = 0
    with nogil:
        for group in range(first, last):
            begins[group - first] = place
            place = _merge(sorted_ones, cuts + 2 * group, where, hits, alarms, place)
    return place


cdef int64_t _merge(
    const double* values, const int64_t* cuts, double* scores, int64_t* tp, int64_t* fp,
    int64_t place,
) noexcept nogil:
    """Write one curve from a place on, without a branch that depends on scores; where it ends."""
    cdef int64_t low = cuts[0], middle = cuts[1], neg = middle - 1, pos = cuts[2] - 1
    cdef int64_t hits = 0, alarms = 0, from_neg, from_pos
    cdef double score, other, last = INFINITY
    cdef bint fresh = True  # no score yet: the first one may be infinite
    scores[place] = INFINITY
    tp[place] = 0
    fp[place] = 0
    while neg >= low or pos >= middle:
        if neg < low:
            from_neg, from_pos, score = 0, 1, values[pos]
        elif pos < middle:
            from_neg, from_pos, score = 1, 0, values[neg]
        else:
            score = values[neg]
            other = values[pos]
            from_neg = score >= other
            from_pos = other >= score
            score = score if score >= other else other
        neg -= from_neg
        pos -= from_pos
        alarms += from_neg
        hits += from_pos
        place += fresh or score != last
        fresh = False
        last = score
        scores[place] = score
        tp[place] = hits
        fp[place] = alarms
    return place + 1
