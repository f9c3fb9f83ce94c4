# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums for Newton's steps of a logistic line, and one step of Fisher's scoring of two normals.

The information of the cut points of two normals has three diagonals. Its rows are filled on all
threads. The cut points are eliminated by one thread, from both ends towards the one in the middle
at once: neither end waits for the other, so that registers which hold two numbers have one of each.
What the eliminated rows add up to is summed on all threads again.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int64_t
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

cdef extern from "two_ends.h" nogil:
    ctypedef struct both:
        pass
    both both_of(double front, double back)
    both twice(double x)
    double front_of(both x)
    double back_of(both x)
    both plus(both x, both y)
    both minus(both x, both y)
    both times(both x, both y)
    both over(both x, both y)
    both larger(both x, both y)
    both size_of(both x)

cdef enum:
    TAKEN = 6

ctypedef fused amount:
    double
    int64_t

ctypedef struct Sum:
    # of the rows with even and those with odd numbers, with what rounding has taken off it
    both total
    both lost

ctypedef struct Rows:
    # of the information of the cut points: the diagonal, which becomes the pivots, what is beside
    # it, which becomes factors, and the right sides
    double* pivots
    double* factors
    double* gradients
    double* of_a
    double* of_b
    int64_t size

ctypedef struct Row:
    both pivot
    both gradient
    both by_a
    both by_b


include "logistic_rows.pxi"


cdef inline void add(Sum* sums, both value) noexcept nogil:
    """Kahan's sum."""
    cdef both term = minus(value, sums.lost)
    cdef both total = plus(sums.total, term)
    sums.lost = minus(minus(total, sums.total), term)
    sums.total = total


cdef inline both at(const double* column, int64_t front, int64_t back) noexcept nogil:
    return both_of(column[front], column[back])


cdef inline void put(double* column, int64_t front, int64_t back, both value) noexcept nogil:
    column[front] = front_of(value)
    column[back] = back_of(value)


include "binormal_rows.pxi"


cdef Rows rows_of(cnp.ndarray table) noexcept:
    cdef Rows rows
    rows.size = table.shape[1]
    rows.pivots = <double*>cnp.PyArray_DATA(table)
    rows.factors = rows.pivots + rows.size
    rows.gradients = rows.factors + rows.size
    rows.of_a = rows.gradients + rows.size
    rows.of_b = rows.of_a + rows.size
    return rows


cdef inline Row row_at(const Rows* rows, int64_t front, int64_t back) noexcept nogil:
    cdef Row row
    row.pivot, row.gradient = at(rows.pivots, front, back), at(rows.gradients, front, back)
    row.by_a, row.by_b = at(rows.of_a, front, back), at(rows.of_b, front, back)
    return row


cdef inline void keep(const Rows* rows, int64_t front, int64_t back, const Row* row) noexcept nogil:
    put(rows.pivots, front, back, row.pivot)
    put(rows.gradients, front, back, row.gradient)
    put(rows.of_a, front, back, row.by_a)
    put(rows.of_b, front, back, row.by_b)


cdef inline both reduce(Row* row, const Row* by, both beside) noexcept nogil:
    """Take a neighbour, eliminated before, from the row of a cut point; by what factor."""
    cdef both factor = over(beside, by.pivot)
    row.pivot = minus(row.pivot, times(factor, beside))
    row.gradient = minus(row.gradient, times(factor, by.gradient))
    row.by_a = minus(row.by_a, times(factor, by.by_a))
    row.by_b = minus(row.by_b, times(factor, by.by_b))
    return factor


cdef void reduce_one(const Rows* rows, int64_t row, int64_t by, int64_t pair) noexcept nogil:
    """The same for one row, which is kept."""
    cdef Row own = row_at(rows, row, row), other = row_at(rows, by, by)
    cdef both factor = reduce(&own, &other, at(rows.factors, pair, pair))
    put(rows.factors, pair, pair, factor)
    keep(rows, row, row, &own)


cdef void go_inward(const Rows* given, int64_t steps) noexcept nogil:
    """Eliminate as many cut points from either end as there are after the middle one."""
    cdef Rows rows = given[0]  # a copy, of which nothing that is written can be a part
    cdef int64_t front, back
    cdef Row last = row_at(&rows, 0, rows.size - 1), row
    cdef both factor
    for front in range(1, steps):
        back = rows.size - 1 - front
        row = row_at(&rows, front, back)
        factor = reduce(&row, &last, at(rows.factors, front - 1, back))
        put(rows.factors, front - 1, back, factor)
        keep(&rows, front, back, &row)
        last = row


def eliminated(cnp.ndarray table):
    """Eliminate the cut points in place: pivots, factors, and the reduced right sides.

    A factor is at the first of the two cut points that it is between.
    """
    cdef Rows rows = rows_of(table)
    cdef int64_t middle = rows.size // 2, after = rows.size - 1 - middle
    with nogil:
        if after > 0:
            go_inward(&rows, after)
        if after < middle and middle > 1:  # one more before the middle than after it
            reduce_one(&rows, middle - 1, middle - 2, middle - 2)
        if middle > 0:
            reduce_one(&rows, middle, middle - 1, middle - 1)
        if after > 0:
            reduce_one(&rows, middle, middle + 1, middle)


def taken(cnp.ndarray table, cnp.ndarray sums, int64_t first, int64_t last):
    """Fill what the eliminated rows of some blocks take off the rest; False if one has no pivot.

    A row of `sums` is one block: gradient with a and b, a with a, a with b, b with b, and the
    gradient with itself, each over the pivot.
    """
    cdef Rows rows = rows_of(table)
    cdef double* told = <double*>cnp.PyArray_DATA(sums)
    cdef int64_t block, k, end, place
    cdef Sum[TAKEN] found
    cdef Row row
    cdef both scale, of_a, of_b, none = twice(0.0)
    cdef bint definite = True
    with nogil:
        for block in range(first, last):
            memset(found, 0, sizeof(found))
            end = min((block + 1) * PER_BLOCK, rows.size)
            for k in range(block * PER_BLOCK, end, 2):
                row = row_at(&rows, k, min(k + 1, end - 1))
                definite &= front_of(row.pivot) > 0.0 and back_of(row.pivot) > 0.0
                scale = over(twice(1.0), row.pivot)
                if k + 1 == end:
                    scale = both_of(front_of(scale), 0.0)
                of_a, of_b = times(row.by_a, scale), times(row.by_b, scale)
                add(&found[0], times(row.gradient, of_a))
                add(&found[1], times(row.gradient, of_b))
                add(&found[2], times(row.by_a, of_a))
                add(&found[3], times(row.by_a, of_b))
                add(&found[4], times(row.by_b, of_b))
                add(&found[5], times(times(row.gradient, row.gradient), scale))
            for place in range(TAKEN):
                told[block * TAKEN + place] = (
                    front_of(found[place].total) + back_of(found[place].total)
                )
    return definite


cdef inline both own_step(const Rows* rows, int64_t front, int64_t back, both a, both b) noexcept nogil:
    """The steps of two cut points, but for what those that are nearer to the middle add."""
    cdef Row row = row_at(rows, front, back)
    return over(minus(minus(row.gradient, times(a, row.by_a)), times(b, row.by_b)), row.pivot)


def substituted(cnp.ndarray table, double by_a, double by_b, cnp.ndarray step):
    """Fill the steps of the cut points, from the middle one on, given the steps of a and b.

    Returns how far the one that moves farthest does.
    """
    cdef Rows rows = rows_of(table)
    cdef int64_t middle = rows.size // 2, first = 2 * middle - rows.size + 1, front, back
    cdef double* found = <double*>cnp.PyArray_DATA(step)
    cdef both a = twice(by_a), b = twice(by_b), here, farthest
    with nogil:
        here = own_step(&rows, middle, middle, a, b)
        found[middle] = front_of(here)
        farthest = size_of(here)
        for front in range(middle - 1, first - 1, -1):
            back = 2 * middle - front
            here = times(at(rows.factors, front, back - 1), here)
            here = minus(own_step(&rows, front, back, a, b), here)
            put(found, front, back, here)
            farthest = larger(size_of(here), farthest)
        if first > 0:  # one more before the middle than after it
            here = times(twice(rows.factors[0]), twice(front_of(here)))
            here = minus(own_step(&rows, 0, 0, a, b), here)
            found[0] = front_of(here)
            farthest = larger(size_of(here), farthest)
    return max(front_of(farthest), back_of(farthest))
