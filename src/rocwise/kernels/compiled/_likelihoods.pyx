# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sums for Newton's steps of a logistic line, and one step of Fisher's scoring of two normals."""

from libc.math cimport exp, fabs, log
from libc.stdint cimport int64_t

cimport numpy as cnp

cnp.import_array()

ctypedef fused amount:
    double
    int64_t

ctypedef struct Sum:
    # with what rounding has taken off it: terms cancel, and there may be millions
    double total
    double lost

ctypedef struct Row:
    # of the information of the cut points, eliminated up to here: pivot, right sides
    double pivot
    double gradient
    double by_a
    double by_b


cdef void logistic_block(
    const double* x,
    const amount* pos,
    const amount* neg,
    int64_t first,
    int64_t last,
    double intercept,
    double slope,
    double* sums,
) noexcept nogil:
    cdef int64_t k
    cdef double eta, far, odds, chance, rest, cases, p, n, residual, spread, bent
    cdef double value = 0.0, score = 0.0, by_x = 0.0, flat = 0.0, mixed = 0.0, curved = 0.0
    for k in range(first, last):
        eta = intercept + slope * x[k]
        far = fabs(eta)
        odds = exp(-far)  # of what is less likely: never above 1
        chance = 1.0 / (1.0 + odds)
        rest = odds * chance
        p = <double>pos[k]
        n = <double>neg[k]
        cases = p + n
        value -= cases * log(1.0 + odds) + (n if eta > 0.0 else p) * far
        # not p - cases * chance: that is 0 of a chance that rounds to 1, however far it may go on
        residual = p * rest - n * chance if eta > 0.0 else p * chance - n * rest
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
    cnp.ndarray x,
    cnp.ndarray pos,
    cnp.ndarray neg,
    double intercept,
    double slope,
    int64_t step,
    cnp.ndarray sums,
    int64_t begin,
    int64_t end,
):
    """Fill lines `begin` to before `end` of `sums`, each with six sums over `step` rows."""
    cdef const double* at = <const double*>cnp.PyArray_DATA(x)
    cdef void* of_pos = cnp.PyArray_DATA(pos)
    cdef void* of_neg = cnp.PyArray_DATA(neg)
    cdef double* line = <double*>cnp.PyArray_DATA(sums)
    cdef int64_t rows = x.shape[0], block, first, last
    cdef bint whole = cnp.PyArray_TYPE(pos) == cnp.NPY_INT64
    with nogil:
        for block in range(begin, end):
            first = block * step
            last = min(first + step, rows)
            if whole:
                logistic_block(
                    at, <const int64_t*>of_pos, <const int64_t*>of_neg, first, last, intercept,
                    slope, line + 6 * block,
                )
            else:
                logistic_block(
                    at, <const double*>of_pos, <const double*>of_neg, first, last, intercept,
                    slope, line + 6 * block,
                )


cdef inline void add(Sum* sums, double value) noexcept nogil:
    """Kahan's sum."""
    cdef double term = value - sums.lost
    cdef double total = sums.total + term
    sums.lost = (total - sums.total) - term
    sums.total = total


cdef inline double edge(const double* density, int64_t k, int64_t last) noexcept nogil:
    """The density at cut point k; 0 before the first and after the last."""
    return density[k] if 0 <= k <= last else 0.0


def eliminated(
    cnp.ndarray counts, cnp.ndarray shares, cnp.ndarray densities, cnp.ndarray cuts, double slope,
    cnp.ndarray kept, cnp.ndarray sums,
):
    """Eliminate the cut points from the information; False if it is not positive definite.

    `counts` and `shares` are (2, K) and `densities` (2, K - 1), negatives first. `kept` (5, K - 1)
    is filled with pivots, what each line was reduced by, and the reduced right sides: the gradient,
    and what the cut points share with a and b. `sums` is filled with the 12 numbers of `Eliminated`.
    """
    cdef const double* n = <const double*>cnp.PyArray_DATA(counts)
    cdef const double* p = <const double*>cnp.PyArray_DATA(shares)
    cdef const double* f = <const double*>cnp.PyArray_DATA(densities)
    cdef const double* t = <const double*>cnp.PyArray_DATA(cuts)
    cdef double* pivots = <double*>cnp.PyArray_DATA(kept)
    cdef double* told = <double*>cnp.PyArray_DATA(sums)
    cdef Sum[11] found
    cdef int64_t size = counts.shape[1], last = size - 2, k
    cdef const double* m = n + size
    cdef const double* q = p + size
    cdef const double* g = f + size - 1
    cdef double* factors = pivots + size - 1
    cdef double* gradients = factors + size - 1
    cdef double* of_a = gradients + size - 1
    cdef double* of_b = of_a + size - 1
    cdef double n_neg = 0.0, n_pos = 0.0, steepest = 0.0, by_u, gradient, beside, factor
    cdef double p_here, q_here, p_next, q_next, n_here, n_next, m_here, m_next
    cdef double a_here, b_here, a_next, b_next, a_slope, b_slope, a_cross, b_cross, scale
    cdef Row row = Row(1.0, 0.0, 0.0, 0.0)
    cdef bint definite = True
    with nogil:
        for k in range(11):
            found[k] = Sum(0.0, 0.0)
        for k in range(size):
            n_neg += n[k]
            n_pos += m[k]
        p_here, q_here = 1.0 / p[0], 1.0 / q[0]
        n_here, m_here = n[0] * p_here, m[0] * q_here
        a_slope, b_slope = -g[0], t[0] * g[0]
        a_here, b_here = a_slope * q_here, b_slope * q_here
        add(&found[2], n_pos * a_slope * a_here)
        add(&found[3], n_pos * a_slope * b_here)
        add(&found[4], n_pos * b_slope * b_here)
        for k in range(last + 1):
            p_next, q_next = 1.0 / p[k + 1], 1.0 / q[k + 1]
            n_next, m_next = n[k + 1] * p_next, m[k + 1] * q_next
            a_slope = g[k] - edge(g, k + 1, last)
            b_slope = (t[k + 1] * g[k + 1] if k < last else 0.0) - t[k] * g[k]
            a_next, b_next = a_slope * q_next, b_slope * q_next
            add(&found[2], n_pos * a_slope * a_next)
            add(&found[3], n_pos * a_slope * b_next)
            add(&found[4], n_pos * b_slope * b_next)
            by_u = g[k] * (m_here - m_next)
            gradient = f[k] * (n_here - n_next) + slope * by_u
            add(&found[0], -by_u)
            add(&found[1], t[k] * by_u)
            steepest = max(steepest, fabs(gradient))
            scale = n_pos * slope * g[k]
            a_cross = scale * (a_here - a_next)
            b_cross = scale * (b_here - b_next)
            beside = 0.0
            if k > 0:
                beside = -(n_neg * f[k - 1] * f[k] * p_here + scale * slope * g[k - 1] * q_here)
            factor = beside / row.pivot
            row.gradient = gradient - factor * row.gradient
            row.by_a = a_cross - factor * row.by_a
            row.by_b = b_cross - factor * row.by_b
            row.pivot = (
                n_neg * f[k] * f[k] * (p_here + p_next)
                + scale * slope * g[k] * (q_here + q_next)
                - factor * beside
            )
            if not row.pivot > 0.0:
                definite = False
                break
            pivots[k] = row.pivot
            factors[k] = factor
            gradients[k] = row.gradient
            of_a[k] = row.by_a
            of_b[k] = row.by_b
            scale = 1.0 / row.pivot
            add(&found[5], row.gradient * row.by_a * scale)
            add(&found[6], row.gradient * row.by_b * scale)
            add(&found[7], row.by_a * row.by_a * scale)
            add(&found[8], row.by_a * row.by_b * scale)
            add(&found[9], row.by_b * row.by_b * scale)
            add(&found[10], row.gradient * row.gradient * scale)
            p_here, q_here, n_here, m_here = p_next, q_next, n_next, m_next
            a_here, b_here = a_next, b_next
        for k in range(11):
            told[k] = found[k].total
        told[11] = steepest
    return definite


def substituted(cnp.ndarray kept, double by_a, double by_b, cnp.ndarray step):
    """Fill the step of every cut point, from the last one back, given those of a and b."""
    cdef const double* pivots = <const double*>cnp.PyArray_DATA(kept)
    cdef int64_t size = kept.shape[1], k
    cdef const double* factors = pivots + size
    cdef const double* gradients = factors + size
    cdef const double* of_a = gradients + size
    cdef const double* of_b = of_a + size
    cdef double* found = <double*>cnp.PyArray_DATA(step)
    cdef double here = 0.0, factor = 0.0
    with nogil:
        for k in range(size - 1, -1, -1):
            here = (gradients[k] - by_a * of_a[k] - by_b * of_b[k]) / pivots[k] - factor * here
            factor = factors[k]
            found[k] = here
