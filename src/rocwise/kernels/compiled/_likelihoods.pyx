# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums for Newton's steps of a logistic line, and one step of Fisher's scoring of two normals.

The information of the cut points of two normals has three diagonals. They are eliminated from both
ends towards the one in the middle, which is no more work than from one end, and can be done by two
threads: the halves are the same however many there are.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

ctypedef fused amount:
    double
    int64_t

ctypedef struct Sum:
    # with what rounding has taken off it: terms cancel, and there may be millions
    double total
    double lost

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
    double n_neg
    double n_pos
    double slope

ctypedef struct Category:
    # between two cut points: 1 / share and count / share of either class, and how the share of
    # the positives changes with a and b, over that share
    double p
    double q
    double n
    double m
    double a
    double b

ctypedef struct Row:
    # of the information of the cut points, eliminated up to here: pivot, right sides
    double pivot
    double gradient
    double by_a
    double by_b

ctypedef struct Half:
    # of the cut points, eliminated so far: sums, the last row, and the category beyond it
    Sum found[11]
    double steepest
    double definite
    Row row
    Category ahead

HALF = sizeof(Half) // sizeof(double)


cdef void logistic_block(
    const double* x, const amount* pos, const amount* neg, int64_t rows, const double* etas,
    const double* odds, const double* logs, double* sums,
) noexcept nogil:
    cdef int64_t k
    cdef double chance, rest, cases, p, n, residual, spread, bent
    cdef double value = 0.0, score = 0.0, by_x = 0.0, flat = 0.0, mixed = 0.0, curved = 0.0
    for k in range(rows):
        chance = 1.0 / (1.0 + odds[k])
        rest = odds[k] * chance
        p = <double>pos[k]
        n = <double>neg[k]
        cases = p + n
        value -= cases * logs[k] + (n if etas[k] > 0.0 else p) * fabs(etas[k])
        # not p - cases * chance: that is 0 of a chance that rounds to 1, however far it may go on
        residual = p * rest - n * chance if etas[k] > 0.0 else p * chance - n * rest
        spread = cases * (chance * rest)
        bent = spread * x[k]
        score += residual
        by_x += residual * x[k]
        flat += spread
        mixed += bent
        curved += bent * x[k]
    sums[0] = value
    sums[1] = score
    sums[2] = by_x
    sums[3] = flat
    sums[4] = mixed
    sums[5] = curved


def logistic_sums(
    cnp.ndarray x, cnp.ndarray pos, cnp.ndarray neg, cnp.ndarray etas, cnp.ndarray odds,
    cnp.ndarray logs, cnp.ndarray sums,
):
    """Fill the six sums over some rows.

    `etas` are their logits, `odds` those of what is less likely, never above 1, and `logs` the
    logarithms of 1 more.
    """
    cdef const double* at = <const double*>cnp.PyArray_DATA(x)
    cdef const double* logits = <const double*>cnp.PyArray_DATA(etas)
    cdef const double* of_odds = <const double*>cnp.PyArray_DATA(odds)
    cdef const double* of_logs = <const double*>cnp.PyArray_DATA(logs)
    cdef void* hits = cnp.PyArray_DATA(pos)
    cdef void* misses = cnp.PyArray_DATA(neg)
    cdef double* out = <double*>cnp.PyArray_DATA(sums)
    cdef int64_t rows = x.shape[0]
    cdef bint whole = cnp.PyArray_TYPE(pos) == cnp.NPY_INT64
    with nogil:
        if whole:
            logistic_block(
                at, <const int64_t*>hits, <const int64_t*>misses, rows, logits, of_odds, of_logs,
                out,
            )
        else:
            logistic_block(
                at, <const double*>hits, <const double*>misses, rows, logits, of_odds, of_logs, out
            )


cdef inline void add(Sum* sums, double value) noexcept nogil:
    """Kahan's sum."""
    cdef double term = value - sums.lost
    cdef double total = sums.total + term
    sums.lost = (total - sums.total) - term
    sums.total = total


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
    fit.n_neg = (<const double*>cnp.PyArray_DATA(totals))[0]
    fit.n_pos = (<const double*>cnp.PyArray_DATA(totals))[1]
    fit.slope = slope
    return fit


cdef inline void reach(const Fit* fit, Half* half, int64_t j) noexcept nogil:
    """Go on to category j, and add what a and b share there."""
    cdef double above = fit.g[j] if j <= fit.last else 0.0, below = fit.g[j - 1] if j > 0 else 0.0
    cdef double by_a = below - above
    cdef double by_b = (fit.t[j] * above if j <= fit.last else 0.0) - (
        fit.t[j - 1] * below if j > 0 else 0.0
    )
    cdef Category* here = &half.ahead
    here.p, here.q = 1.0 / fit.p[j], 1.0 / fit.q[j]
    here.n, here.m = fit.n[j] * here.p, fit.m[j] * here.q
    here.a, here.b = by_a * here.q, by_b * here.q
    add(&half.found[2], fit.n_pos * by_a * here.a)
    add(&half.found[3], fit.n_pos * by_a * here.b)
    add(&half.found[4], fit.n_pos * by_b * here.b)


cdef inline Row row_of(
    const Fit* fit, Half* half, int64_t k, const Category* below, const Category* above
) noexcept nogil:
    """The row of cut point k, between two categories, before anything is eliminated."""
    cdef Row row
    cdef double f = fit.f[k], g = fit.g[k], by_u = g * (below.m - above.m)
    cdef double scale = fit.n_pos * fit.slope * g
    row.gradient = f * (below.n - above.n) + fit.slope * by_u
    add(&half.found[0], -by_u)
    add(&half.found[1], fit.t[k] * by_u)
    half.steepest = max(half.steepest, fabs(row.gradient))
    row.by_a = scale * (below.a - above.a)
    row.by_b = scale * (below.b - above.b)
    row.pivot = fit.n_neg * f * f * (below.p + above.p) + scale * fit.slope * g * (
        below.q + above.q
    )
    return row


cdef inline void reduce(
    const Fit* fit, Row* row, int64_t k, const Row* by, int64_t other, const Category* between
) noexcept nogil:
    """Eliminate a neighbour, whose row is `by`, from the row of cut point k."""
    cdef double beside = -(
        fit.n_neg * fit.f[other] * fit.f[k] * between.p
        + fit.n_pos * fit.slope * fit.g[k] * fit.slope * fit.g[other] * between.q
    )
    cdef double factor = beside / by.pivot
    row.gradient -= factor * by.gradient
    row.by_a -= factor * by.by_a
    row.by_b -= factor * by.by_b
    row.pivot -= factor * beside
    fit.factors[other] = factor


cdef inline bint keep(const Fit* fit, Half* half, int64_t k, Row row) noexcept nogil:
    """Keep an eliminated row and add what it takes off the rest; False if it is not definite."""
    cdef double scale = 1.0 / row.pivot
    half.row = row
    half.definite = row.pivot > 0.0
    fit.pivots[k] = row.pivot
    fit.gradients[k] = row.gradient
    fit.of_a[k] = row.by_a
    fit.of_b[k] = row.by_b
    add(&half.found[5], row.gradient * row.by_a * scale)
    add(&half.found[6], row.gradient * row.by_b * scale)
    add(&half.found[7], row.by_a * row.by_a * scale)
    add(&half.found[8], row.by_a * row.by_b * scale)
    add(&half.found[9], row.by_b * row.by_b * scale)
    add(&half.found[10], row.gradient * row.gradient * scale)
    return row.pivot > 0.0


cdef void eliminate(const Fit* fit, Half* half, bint front) noexcept nogil:
    """Eliminate the cut points from one end to before the middle."""
    cdef int64_t k, middle = (fit.last + 1) // 2
    cdef Category before
    cdef Row row
    memset(half, 0, sizeof(Half))
    half.definite = True
    reach(fit, half, 0 if front else fit.last + 1)
    if front:
        for k in range(middle):
            before = half.ahead
            reach(fit, half, k + 1)
            row = row_of(fit, half, k, &before, &half.ahead)
            if k > 0:
                reduce(fit, &row, k, &half.row, k - 1, &before)
            if not keep(fit, half, k, row):
                return
    else:
        for k in range(fit.last, middle, -1):
            before = half.ahead
            reach(fit, half, k)
            row = row_of(fit, half, k, &half.ahead, &before)
            if k < fit.last:
                reduce(fit, &row, k, &half.row, k + 1, &before)
            if not keep(fit, half, k, row):
                return


def eliminated(
    cnp.ndarray counts, cnp.ndarray shares, cnp.ndarray densities, cnp.ndarray cuts,
    cnp.ndarray totals, double slope, cnp.ndarray kept, cnp.ndarray half, bint front,
):
    """Eliminate the cut points before or after the middle one from the information.

    `counts` and `shares` are (2, K) and `densities` (2, K - 1), negatives first. `kept` (5, K - 1)
    is filled with pivots, factors, and the reduced right sides: the gradient, and what the cut
    points share with a and b. `half` is filled with what `met` goes on with.
    """
    cdef Fit fit = fit_of(counts, shares, densities, cuts, totals, slope, kept)
    cdef Half own  # not yet in `half`, which may lie beside the one that another thread writes to
    with nogil:
        eliminate(&fit, &own, front)
        (<Half*>cnp.PyArray_DATA(half))[0] = own


def met(
    cnp.ndarray counts, cnp.ndarray shares, cnp.ndarray densities, cnp.ndarray cuts,
    cnp.ndarray totals, double slope, cnp.ndarray kept, cnp.ndarray front_half,
    cnp.ndarray back_half, cnp.ndarray sums,
):
    """Eliminate the middle cut point, where both halves meet; False if it is not definite.

    `sums` is filled with the 12 numbers of `Eliminated`.
    """
    cdef Fit fit = fit_of(counts, shares, densities, cuts, totals, slope, kept)
    cdef Half* front = <Half*>cnp.PyArray_DATA(front_half)
    cdef Half* back = <Half*>cnp.PyArray_DATA(back_half)
    cdef double* told = <double*>cnp.PyArray_DATA(sums)
    cdef int64_t middle = cuts.shape[0] // 2, k
    cdef Row row
    if not (front.definite and back.definite):
        return False
    row = row_of(&fit, front, middle, &front.ahead, &back.ahead)
    if middle > 0:
        reduce(&fit, &row, middle, &front.row, middle - 1, &front.ahead)
    if middle < fit.last:
        reduce(&fit, &row, middle, &back.row, middle + 1, &back.ahead)
    if not keep(&fit, front, middle, row):
        return False
    for k in range(11):
        add(&front.found[k], back.found[k].total)
        told[k] = front.found[k].total
    told[11] = max(front.steepest, back.steepest)
    return True


def substituted(cnp.ndarray kept, double by_a, double by_b, cnp.ndarray step, bint front):
    """Fill the steps of the cut points up to the middle one, or those after it.

    They are found from the middle one on, given the steps of a and b.
    """
    cdef int64_t size = kept.shape[1], k = size // 2, end = -1 if front else size
    cdef int64_t onward = -1 if front else 1
    cdef const double* pivots = <const double*>cnp.PyArray_DATA(kept)
    cdef const double* factors = pivots + size
    cdef const double* gradients = factors + size
    cdef const double* of_a = gradients + size
    cdef const double* of_b = of_a + size
    cdef double* found = <double*>cnp.PyArray_DATA(step)
    cdef double here = (gradients[k] - by_a * of_a[k] - by_b * of_b[k]) / pivots[k]
    if front:
        found[k] = here
    with nogil:
        k += onward
        while k != end:
            here = (gradients[k] - by_a * of_a[k] - by_b * of_b[k]) / pivots[k] - factors[k] * here
            found[k] = here
            k += onward
