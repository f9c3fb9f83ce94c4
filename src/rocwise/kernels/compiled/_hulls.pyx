# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Corners of the least concave curve above points that rise from the origin, and its slopes."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"

cdef enum:
    FEW = 2000  # points that are looked at one by one; `hulls/plain.py` has it too, and the next
    SPREAD = 64  # every so many points are looked at first

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


ctypedef struct Drawn:  # a resample of rows, and the points of its curve that lie apart
    uint32_t* rows  # drawn before each row, positives before negatives
    int64_t* fp
    int64_t* tp
    int64_t* ends  # of each point: the place after its rows
    int64_t* knots
    int64_t* corners
    int64_t points


cdef int make_room(Drawn* drawn, int64_t rows, int64_t places) except -1:
    drawn.rows = <uint32_t*>malloc((rows + 1) * sizeof(uint32_t))
    drawn.fp = <int64_t*>malloc((4 * places + places // SPREAD + 3) * sizeof(int64_t))
    if drawn.rows == NULL or drawn.fp == NULL:
        clear(drawn)
        raise MemoryError
    drawn.tp = drawn.fp + places
    drawn.ends = drawn.tp + places
    drawn.corners = drawn.ends + places
    drawn.knots = drawn.corners + places + 1
    return 0


cdef void clear(Drawn* drawn) noexcept nogil:
    free(drawn.rows)
    free(drawn.fp)


cdef void draw_points(
    Drawn* drawn, uint64_t key, const int64_t* tp_rank, const int64_t* fp_rank, int64_t places
) noexcept nogil:
    """Draw as many rows as there are, and lay out the points where rows of theirs were drawn."""
    cdef int64_t n_pos = tp_rank[places], rows = n_pos + fp_rank[places], place, points = 0
    cdef const uint32_t* negatives = drawn.rows + n_pos
    cdef uint32_t count, total = 0, of_pos, hits, alarms
    draw_counts(key, rows, drawn.rows)
    for place in range(rows):
        count = drawn.rows[place]
        drawn.rows[place] = total
        total += count
    drawn.rows[rows] = total
    of_pos = negatives[0]
    total = 0
    for place in range(places):  # no branch: nothing could foretell it
        hits = drawn.rows[tp_rank[place + 1]]
        alarms = negatives[fp_rank[place + 1]] - of_pos
        drawn.tp[points] = hits
        drawn.fp[points] = alarms
        drawn.ends[points] = place + 1
        points += hits + alarms != total
        total = hits + alarms
    drawn.points = points


cdef int64_t find_corners(Drawn* drawn) noexcept nogil:
    """How many corners the points have: few of many are above the hull of a sample of them."""
    cdef int64_t last = drawn.points, found = 0, place = 0
    if last < FEW:
        for place in range(last + 1):
            drawn.corners[place] = place
        return _chain(drawn.fp, drawn.tp, drawn.corners, last + 1, 1.0)
    while place < last:
        drawn.knots[found] = place
        found += 1
        place += SPREAD
    drawn.knots[found] = last
    found = _chain(drawn.fp, drawn.tp, drawn.knots, found + 1, 1.0)
    found = _above(drawn.fp, drawn.tp, drawn.knots, found, 0, last + 1, drawn.corners)
    return _chain(drawn.fp, drawn.tp, drawn.corners, found, 1.0)


cdef double fit_at(const Drawn* drawn, int64_t corners, int64_t place) noexcept nogil:
    """Share of positives between the corners around a place; after the last, that before it."""
    cdef int64_t low = 0, step, left = corners - 1, start, stop, hits, alarms
    while left > 1:  # the last corner at or before the place, by halving
        step = left // 2
        low += step if drawn.ends[drawn.corners[low + step] - 1] <= place else 0
        left -= step
    start = drawn.corners[low]
    stop = drawn.corners[low + 1]
    hits = at(drawn.tp, stop) - at(drawn.tp, start)
    alarms = at(drawn.fp, stop) - at(drawn.fp, start)
    return <double>hits / <double>(hits + alarms)


def isotonic_fits(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray tp_rank, cnp.ndarray fp_rank,
    cnp.ndarray places, cnp.ndarray result,
):
    """The isotonic fit at some places of the table: a line of `result` for each replicate.

    tp_rank and fp_rank are the table's cumulative counts, from 0, in descending order of score.
    """
    cdef const int64_t* tp_ranks = <const int64_t*>cnp.PyArray_DATA(tp_rank)
    cdef const int64_t* fp_ranks = <const int64_t*>cnp.PyArray_DATA(fp_rank)
    cdef const int64_t* asked = <const int64_t*>cnp.PyArray_DATA(places)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t held = tp_rank.shape[0] - 1, width = places.shape[0], replicate, corners, k
    cdef Drawn drawn
    make_room(&drawn, tp_ranks[held] + fp_ranks[held], held)
    with nogil:
        for replicate in range(first, last):
            draw_points(&drawn, stream_key(seed, replicate, POSITIVE), tp_ranks, fp_ranks, held)
            corners = find_corners(&drawn)
            for k in range(width):
                out[k] = fit_at(&drawn, corners, asked[k])
            out += width
    clear(&drawn)
