# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Corners of the least concave curve above points that rise from the origin."""

from libc.stdint cimport int64_t, uint64_t

cimport numpy as cnp

cnp.import_array()

cdef extern from "wide.h" nogil:
    uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t* high)

ctypedef fused amount:
    int64_t
    double


cdef inline bint larger(amount a, amount b, amount c, amount d, double slack) noexcept nogil:
    """Whether a b > c d, of numbers that are not negative: exactly, of whole ones."""
    cdef uint64_t high, other_high, low, other_low
    if amount is double:
        return a * b > c * d * slack
    else:
        low = multiply_wide(<uint64_t>a, <uint64_t>b, &high)
        other_low = multiply_wide(<uint64_t>c, <uint64_t>d, &other_high)
        return high > other_high or (high == other_high and low > other_low)


cdef inline amount at(const amount* values, int64_t place) noexcept nogil:
    """The number at a place of the curve, where 0 is the origin."""
    return values[place - 1] if place else <amount>0


cdef int64_t _chain(
    const amount* x, const amount* y, int64_t* places, int64_t size, double slack
) noexcept nogil:
    """Keep those of the rising places that are corners; how many."""
    cdef int64_t number, kept = 0
    cdef amount px, py, ax = 0, ay = 0, bx = 0, by = 0  # now, and the last two corners
    for number in range(size):
        px = at(x, places[number])
        py = at(y, places[number])
        while kept >= 2 and not larger(by - ay, px - bx, py - by, bx - ax, slack):
            kept -= 1
            bx = ax
            by = ay
            if kept >= 2:
                ax = at(x, places[kept - 2])
                ay = at(y, places[kept - 2])
        places[kept] = places[number]
        kept += 1
        ax = bx
        ay = by
        bx = px
        by = py
    return kept


cdef int64_t _above(
    const amount* x, const amount* y, const int64_t* knots, int64_t n_knots, int64_t start,
    int64_t stop, int64_t* kept,
) noexcept nogil:
    """Write which places from start on, before stop, are at knots or above the chord between two.

    The first of the knots is at or before start, the last one at or after the last place.
    """
    cdef int64_t place = start, end, found = 0, knot
    cdef amount ax, ay, dx, dy
    for knot in range(n_knots - 1):
        ax = at(x, knots[knot])
        ay = at(y, knots[knot])
        dx = at(x, knots[knot + 1]) - ax
        dy = at(y, knots[knot + 1]) - ay
        if place < stop and place == knots[knot]:
            kept[found] = place
            found += 1
            place += 1
        end = min(knots[knot + 1], stop)
        while place < end and x[place - 1] == ax and y[place - 1] == ay:
            kept[found] = place  # in one place with the knot: the last of them is the corner
            found += 1
            place += 1
        while place < end:  # never the origin, which is a knot
            kept[found] = place
            found += larger(y[place - 1] - ay, dx, x[place - 1] - ax, dy, 1.0)
            place += 1
    if place < stop:
        kept[found] = place
        found += 1
    return found


def chain(cnp.ndarray x, cnp.ndarray y, cnp.ndarray places, double slack):
    """How many of the places are corners; they are written to the front of `places`."""
    cdef void* across = cnp.PyArray_DATA(x)
    cdef void* up = cnp.PyArray_DATA(y)
    cdef int64_t* chosen = <int64_t*>cnp.PyArray_DATA(places)
    cdef int64_t size = places.shape[0], found
    cdef bint weighted = cnp.PyArray_TYPE(x) == cnp.NPY_DOUBLE
    with nogil:
        if weighted:
            found = _chain(<const double*>across, <const double*>up, chosen, size, slack)
        else:
            found = _chain(<const int64_t*>across, <const int64_t*>up, chosen, size, slack)
    return found


def above(
    cnp.ndarray x, cnp.ndarray y, cnp.ndarray knots, int64_t start, int64_t stop, cnp.ndarray kept
):
    """How many of the places from start on, before stop, are not below the chords of the knots.

    They are written to the front of `kept`.
    """
    cdef void* across = cnp.PyArray_DATA(x)
    cdef void* up = cnp.PyArray_DATA(y)
    cdef const int64_t* ends = <const int64_t*>cnp.PyArray_DATA(knots)
    cdef int64_t* chosen = <int64_t*>cnp.PyArray_DATA(kept)
    cdef int64_t size = knots.shape[0], found
    cdef bint weighted = cnp.PyArray_TYPE(x) == cnp.NPY_DOUBLE
    with nogil:
        if weighted:
            found = _above(
                <const double*>across, <const double*>up, ends, size, start, stop, chosen
            )
        else:
            found = _above(
                <const int64_t*>across, <const int64_t*>up, ends, size, start, stop, chosen
            )
    return found
