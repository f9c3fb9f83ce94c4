# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums for Newton's steps of a logistic line, and one step of Fisher's scoring of two normals.

The information of the cut points of two normals has three diagonals. They are eliminated from both
ends towards the one in the middle at once. Neither end waits for the other, so that registers which
hold two numbers have one of each: that is quicker than one thread for each of the ends.
"""

from libc.math cimport fabs
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
    both opposite(both x)
    both size_of(both x)
    both ends(both x, both y)

cdef enum:
    SUMS = 11

ctypedef fused amount:
    double
    int64_t

ctypedef struct Sum:
    # with what rounding has taken off it: terms cancel, and there may be millions
    both total
    both lost

ctypedef struct Fit:
    # counts n, m, shares p, q and densities f, g of negatives and positives, and the cut points t;
    # and what is filled: pivots, what a step is reduced by for each unit of the one that is found
    # before it, and the right sides
    const double* n
    const double* m
    const double* p
    const double* q
    const double* f
    const double* g
    const double* t
    double* pivots
    double* factors
    double* gradients
    double* of_a
    double* of_b
    int64_t last
    both n_neg
    both n_pos
    both slope

ctypedef struct Cut:
    # densities of a cut point, the point, and its product with the density of the positives
    both f
    both g
    both t
    both moved

ctypedef struct Category:
    # between two cut points: 1 / share and count / share of either class, and how the share of
    # the positives changes with a and b, over that share
    both p
    both q
    both n
    both m
    both a
    both b

ctypedef struct Row:
    # of the information of the cut points, eliminated up to here: pivot, right sides
    both pivot
    both gradient
    both by_a
    both by_b

ctypedef struct Walk:
    # from both ends, so far: sums, the last rows, their cut points, the categories beyond them
    Sum[SUMS] found
    both steepest
    Row row
    Cut cut
    Category ahead


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


cdef inline Cut cut_at(const Fit* fit, int64_t front, int64_t back) noexcept nogil:
    cdef Cut cut
    cut.f, cut.g = at(fit.f, front, back), at(fit.g, front, back)
    cut.t = at(fit.t, front, back)
    cut.moved = times(cut.t, cut.g)
    return cut


cdef Fit fit_of(
    cnp.ndarray counts, cnp.ndarray shares, cnp.ndarray densities, cnp.ndarray cuts,
    cnp.ndarray totals, double slope, cnp.ndarray kept,
) noexcept:
    cdef Fit fit
    cdef int64_t size = cuts.shape[0]
    fit.n = <const double*>cnp.PyArray_DATA(counts)
    fit.m = fit.n + size + 1
    fit.p = <const double*>cnp.PyArray_DATA(shares)
    fit.q = fit.p + size + 1
    fit.f = <const double*>cnp.PyArray_DATA(densities)
    fit.g = fit.f + size
    fit.t = <const double*>cnp.PyArray_DATA(cuts)
    fit.pivots = <double*>cnp.PyArray_DATA(kept)
    fit.factors = fit.pivots + size
    fit.gradients = fit.factors + size
    fit.of_a = fit.gradients + size
    fit.of_b = fit.of_a + size
    fit.last = size - 1
    fit.n_neg = twice((<const double*>cnp.PyArray_DATA(totals))[0])
    fit.n_pos = twice((<const double*>cnp.PyArray_DATA(totals))[1])
    fit.slope = twice(slope)
    return fit


cdef inline void reach(
    const Fit* fit, Walk* walk, const Cut* onward, int64_t front, int64_t back
) noexcept nogil:
    """Go on to two categories, before the cut points `onward`; add what a and b share there."""
    cdef both before = walk.cut.g, moved = walk.cut.moved
    cdef both by_a = ends(minus(before, onward.g), minus(onward.g, before))
    cdef both by_b = ends(minus(onward.moved, moved), minus(moved, onward.moved))
    cdef both one = twice(1.0)
    cdef Category* here = &walk.ahead
    here.p, here.q = over(one, at(fit.p, front, back)), over(one, at(fit.q, front, back))
    here.n = times(at(fit.n, front, back), here.p)
    here.m = times(at(fit.m, front, back), here.q)
    here.a, here.b = times(by_a, here.q), times(by_b, here.q)
    add(&walk.found[2], times(times(fit.n_pos, by_a), here.a))
    add(&walk.found[3], times(times(fit.n_pos, by_a), here.b))
    add(&walk.found[4], times(times(fit.n_pos, by_b), here.b))


cdef inline Row row_of(
    const Fit* fit, Walk* walk, const Cut* cut, const Category* below, const Category* above
) noexcept nogil:
    """The rows of two cut points, between two categories each, before anything is eliminated."""
    cdef Row row
    cdef both by_u = times(cut.g, minus(below.m, above.m))
    cdef both scale = times(times(fit.n_pos, fit.slope), cut.g)
    cdef both of_neg = times(times(times(fit.n_neg, cut.f), cut.f), plus(below.p, above.p))
    cdef both of_pos = times(times(times(scale, fit.slope), cut.g), plus(below.q, above.q))
    row.gradient = plus(times(cut.f, minus(below.n, above.n)), times(fit.slope, by_u))
    add(&walk.found[0], opposite(by_u))
    add(&walk.found[1], times(cut.t, by_u))
    walk.steepest = larger(size_of(row.gradient), walk.steepest)
    row.by_a = times(scale, minus(below.a, above.a))
    row.by_b = times(scale, minus(below.b, above.b))
    row.pivot = plus(of_neg, of_pos)
    return row


cdef inline both reduce(
    const Fit* fit, Row* row, const Cut* cut, const Row* by, const Cut* other,
    const Category* between,
) noexcept nogil:
    """Eliminate a neighbour, whose row is `by`, from the row of a cut point; by what factor."""
    cdef both of_neg = times(times(times(fit.n_neg, other.f), cut.f), between.p)
    cdef both of_pos = times(times(times(fit.n_pos, fit.slope), cut.g), fit.slope)
    cdef both beside = opposite(plus(of_neg, times(times(of_pos, other.g), between.q)))
    cdef both factor = over(beside, by.pivot)
    row.gradient = minus(row.gradient, times(factor, by.gradient))
    row.by_a = minus(row.by_a, times(factor, by.by_a))
    row.by_b = minus(row.by_b, times(factor, by.by_b))
    row.pivot = minus(row.pivot, times(factor, beside))
    return factor


cdef inline bint keep(
    const Fit* fit, Walk* walk, const Row* row, int64_t front, int64_t back
) noexcept nogil:
    """Keep eliminated rows and add what they take off the rest; False if one is not definite."""
    cdef both scale = over(twice(1.0), row.pivot)
    put(fit.pivots, front, back, row.pivot)
    put(fit.gradients, front, back, row.gradient)
    put(fit.of_a, front, back, row.by_a)
    put(fit.of_b, front, back, row.by_b)
    add(&walk.found[5], times(times(row.gradient, row.by_a), scale))
    add(&walk.found[6], times(times(row.gradient, row.by_b), scale))
    add(&walk.found[7], times(times(row.by_a, row.by_a), scale))
    add(&walk.found[8], times(times(row.by_a, row.by_b), scale))
    add(&walk.found[9], times(times(row.by_b, row.by_b), scale))
    add(&walk.found[10], times(times(row.gradient, row.gradient), scale))
    return front_of(row.pivot) > 0.0 and back_of(row.pivot) > 0.0


cdef inline bint eliminate(
    const Fit* fit, Walk* walk, Cut* onward, int64_t front, int64_t back
) noexcept nogil:
    """Eliminate two cut points, those that come next; False if one is not definite."""
    cdef Category before = walk.ahead, below, above
    cdef Cut last = walk.cut
    cdef Row row
    cdef both factor
    walk.cut = onward[0]
    onward[0] = cut_at(fit, front + 1, back - 1)
    reach(fit, walk, onward, front + 1, back)
    below, above = ends_of(&before, &walk.ahead), ends_of(&walk.ahead, &before)
    row = row_of(fit, walk, &walk.cut, &below, &above)
    if front > 0:
        factor = reduce(fit, &row, &walk.cut, &walk.row, &last, &before)
        put(fit.factors, front - 1, back + 1, factor)
    walk.row = row
    return keep(fit, walk, &row, front, back)


cdef inline Category ends_of(const Category* front, const Category* back) noexcept nogil:
    cdef Category found
    found.p, found.q = ends(front.p, back.p), ends(front.q, back.q)
    found.n, found.m = ends(front.n, back.n), ends(front.m, back.m)
    found.a, found.b = ends(front.a, back.a), ends(front.b, back.b)
    return found


cdef bint go_inward(
    const Fit* given, Walk* walk, Cut* onward, int64_t first, int64_t last
) noexcept nogil:
    """Eliminate some cut points from either end; False if one is not definite."""
    cdef Fit fit = given[0]  # copies, of which nothing that is written can be a part
    cdef Walk own = walk[0]
    cdef Cut cut = onward[0]
    cdef int64_t k
    cdef bint definite = True
    for k in range(first, last):
        definite = eliminate(&fit, &own, &cut, k, fit.last - k)
        if not definite:
            break
    walk[0], onward[0] = own, cut
    return definite


cdef bint go_on(const Fit* fit, Walk* walk, Cut* onward) noexcept nogil:
    """Eliminate all cut points but the middle one; False if one is not definite."""
    cdef int64_t k, middle = (fit.last + 1) // 2
    cdef Walk further
    cdef both* own = <both*>walk
    cdef const both* other = <const both*>&further
    memset(walk, 0, sizeof(Walk))
    onward[0] = cut_at(fit, 0, fit.last)
    reach(fit, walk, onward, 0, fit.last + 1)
    if not go_inward(fit, walk, onward, 0, fit.last - middle):
        return False
    if fit.last - middle < middle:  # one more before the middle than after it
        further = walk[0]
        go_inward(fit, &further, onward, middle - 1, middle)
        for k in range(<int64_t>(sizeof(Walk) // sizeof(both))):
            own[k] = ends(other[k], own[k])
    return middle == 0 or front_of(walk.row.pivot) > 0.0


cdef bint meet(const Fit* fit, const Walk* walk, const Cut* cut, double* told) noexcept nogil:
    """Eliminate the middle cut point, where both ends meet; False if it is not definite.

    Only the first one of two numbers is looked at.
    """
    cdef int64_t k, middle = (fit.last + 1) // 2
    cdef Walk joined = walk[0], turned
    cdef const both* own = <const both*>walk
    cdef both* other = <both*>&turned
    cdef Row row
    cdef Sum found
    for k in range(<int64_t>(sizeof(Walk) // sizeof(both))):
        other[k] = both_of(back_of(own[k]), front_of(own[k]))
    row = row_of(fit, &joined, cut, &walk.ahead, &turned.ahead)
    if middle > 0:
        fit.factors[middle - 1] = front_of(
            reduce(fit, &row, cut, &walk.row, &walk.cut, &walk.ahead)
        )
    if middle < fit.last:
        fit.factors[middle + 1] = front_of(
            reduce(fit, &row, cut, &turned.row, &turned.cut, &turned.ahead)
        )
    keep(fit, &joined, &row, middle, middle)
    fit.pivots[middle], fit.gradients[middle] = front_of(row.pivot), front_of(row.gradient)
    fit.of_a[middle], fit.of_b[middle] = front_of(row.by_a), front_of(row.by_b)
    for k in range(SUMS):
        found = joined.found[k]
        add(&found, turned.found[k].total)
        told[k] = front_of(found.total)
    told[SUMS] = front_of(larger(turned.steepest, joined.steepest))
    return front_of(row.pivot) > 0.0


def eliminated(
    cnp.ndarray counts, cnp.ndarray shares, cnp.ndarray densities, cnp.ndarray cuts,
    cnp.ndarray totals, double slope, cnp.ndarray kept, cnp.ndarray sums,
):
    """Eliminate the cut points from the information; False if it is not positive definite.

    `counts` and `shares` are (2, K) and `densities` (2, K - 1), negatives first. `kept` (5, K - 1)
    is filled with pivots, factors, and the reduced right sides: the gradient, and what the cut
    points share with a and b. `sums` is filled with the 12 numbers of `Eliminated`.
    """
    cdef Fit fit = fit_of(counts, shares, densities, cuts, totals, slope, kept)
    cdef double* told = <double*>cnp.PyArray_DATA(sums)
    cdef Walk walk
    cdef Cut middle
    cdef bint definite
    with nogil:
        definite = go_on(&fit, &walk, &middle) and meet(&fit, &walk, &middle, told)
    return definite


def substituted(cnp.ndarray kept, double by_a, double by_b, cnp.ndarray step):
    """Fill the steps of the cut points, from the middle one on, given the steps of a and b."""
    cdef int64_t size = kept.shape[1], middle = size // 2, k, front, back
    cdef const double* pivots = <const double*>cnp.PyArray_DATA(kept)
    cdef const double* factors = pivots + size
    cdef const double* gradients = factors + size
    cdef const double* of_a = gradients + size
    cdef const double* of_b = of_a + size
    cdef double* found = <double*>cnp.PyArray_DATA(step)
    cdef both a = twice(by_a), b = twice(by_b), own, here
    with nogil:
        for k in range(middle + 1):
            front, back = middle - k, middle + k
            if back >= size:  # one more before the middle than after it
                back = front
            own = minus(at(gradients, front, back), times(a, at(of_a, front, back)))
            own = minus(own, times(b, at(of_b, front, back)))
            own = over(own, at(pivots, front, back))
            here = own if k == 0 else minus(own, times(at(factors, front, back), here))
            found[back] = back_of(here)
            found[front] = front_of(here)  # after the other, where both are one
