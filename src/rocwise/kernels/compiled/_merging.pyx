# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One pass over two sorted classes, or over a table of counts."""

from libc.stdint cimport int64_t, uint64_t

cimport numpy as cnp

cnp.import_array()

cdef extern from "wide.h" nogil:
    ctypedef struct wide_sum:
        uint64_t low
        uint64_t high
    void add_product(wide_sum* total, uint64_t a, uint64_t b)

ctypedef fused score:
    double
    float

include "merge_walk.pxi"


def merge_block(cnp.ndarray neg, cnp.ndarray pos, int64_t i, int64_t i_end, int64_t j, int64_t j_end):
    """(n_pos, n_neg, sum_u, sum_u2, sum_v, sum_v2, ties) of neg[i:i_end] and pos[j:j_end]."""
    cdef Sums sums
    cdef void* low = cnp.PyArray_DATA(neg)
    cdef void* high = cnp.PyArray_DATA(pos)
    cdef bint wide = cnp.PyArray_TYPE(neg) == cnp.NPY_DOUBLE
    with nogil:
        if wide:
            sums = _merge_block(<const double*>low + i, i_end - i, <const double*>high + j, j_end - j)
        else:
            sums = _merge_block(<const float*>low + i, i_end - i, <const float*>high + j, j_end - j)
    return j_end - j, i_end - i, sums.u, sums.u2, sums.v, sums.v2, sums.ties


cdef int64_t _merge_curve(
    const score* neg, int64_t n_neg, int64_t neg_above, const score* pos, int64_t n_pos,
    int64_t pos_above, score* scores, int64_t* tp, int64_t* fp,
) noexcept nogil:
    cdef int64_t i = n_neg - 1, j = n_pos - 1, slot = -1
    cdef int64_t hits = pos_above + j, alarms = neg_above + i
    cdef int64_t take
    cdef score value, last = 0
    while i >= 0 and j >= 0:
        take = neg[i] >= pos[j]
        value = neg[i] if take else pos[j]
        i -= take
        j -= 1 - take
        slot += (slot < 0) | (value != last)
        last = value
        scores[slot] = value
        tp[slot] = hits - j
        fp[slot] = alarms - i
    while j >= 0:
        slot += (slot < 0) | (pos[j] != last)
        last = pos[j]
        j -= 1
        scores[slot] = last
        tp[slot] = hits - j
        fp[slot] = alarms - i
    while i >= 0:
        slot += (slot < 0) | (neg[i] != last)
        last = neg[i]
        i -= 1
        scores[slot] = last
        tp[slot] = hits - j
        fp[slot] = alarms - i
    return slot + 1


def merge_curve(
    cnp.ndarray neg, cnp.ndarray pos, int64_t i, int64_t i_end, int64_t j, int64_t j_end,
    cnp.ndarray scores, cnp.ndarray tp, cnp.ndarray fp, int64_t place,
):
    """Fill scores (distinct, descending), tp and fp (rows at or above) from `place` on.

    Of neg[i:i_end] and pos[j:j_end]; returns how many distinct scores these hold.
    """
    cdef int64_t filled
    cdef void* low = cnp.PyArray_DATA(neg)
    cdef void* high = cnp.PyArray_DATA(pos)
    cdef void* out = cnp.PyArray_DATA(scores)
    cdef int64_t* hits = <int64_t*>cnp.PyArray_DATA(tp) + place
    cdef int64_t* alarms = <int64_t*>cnp.PyArray_DATA(fp) + place
    cdef int64_t neg_above = neg.shape[0] - i_end, pos_above = pos.shape[0] - j_end
    cdef bint wide = cnp.PyArray_TYPE(neg) == cnp.NPY_DOUBLE
    with nogil:
        if wide:
            filled = _merge_curve(
                <const double*>low + i, i_end - i, neg_above, <const double*>high + j, j_end - j,
                pos_above, <double*>out + place, hits, alarms,
            )
        else:
            filled = _merge_curve(
                <const float*>low + i, i_end - i, neg_above, <const float*>high + j, j_end - j,
                pos_above, <float*>out + place, hits, alarms,
            )
    return filled


# A stretch of the curve to fill: where it starts, and how many rows lie above it and in all.
ctypedef struct Stretch:
    int64_t n_neg
    int64_t n_pos
    int64_t neg_above
    int64_t pos_above
    double all_neg
    double all_pos
    int64_t used
    uint64_t doubled


cdef void _merge_rates(
    const score* neg, const score* pos, score* scores, double* tpr, double* fpr, Stretch* part
) noexcept nogil:
    """Fill a stretch, first with counts (exact in doubles), then with rates; sums 2U over it."""
    cdef int64_t i = part.n_neg - 1, j = part.n_pos - 1, slot = -1
    cdef int64_t hits = part.pos_above + part.n_pos - 1, alarms = part.neg_above + part.n_neg - 1
    cdef int64_t take, row
    cdef score value, last = 0
    cdef double fp = part.neg_above, tp = part.pos_above
    while i >= 0 and j >= 0:
        take = neg[i] >= pos[j]
        value = neg[i] if take else pos[j]
        i -= take
        j -= 1 - take
        slot += (slot < 0) | (value != last)
        last = value
        scores[slot] = value
        tpr[slot] = hits - j
        fpr[slot] = alarms - i
    while j >= 0:
        slot += (slot < 0) | (pos[j] != last)
        last = pos[j]
        j -= 1
        scores[slot] = last
        tpr[slot] = hits - j
        fpr[slot] = alarms - i
    while i >= 0:
        slot += (slot < 0) | (neg[i] != last)
        last = neg[i]
        i -= 1
        scores[slot] = last
        tpr[slot] = hits - j
        fpr[slot] = alarms - i
    part.used = slot + 1
    part.doubled = 0
    for row in range(part.used):
        part.doubled += <uint64_t>(fpr[row] - fp) * <uint64_t>(tpr[row] + tp)
        fp = fpr[row]
        tp = tpr[row]
        fpr[row] = fp / part.all_neg
        tpr[row] = tp / part.all_pos


def merge_rates(
    cnp.ndarray neg, cnp.ndarray pos, int64_t i, int64_t i_end, int64_t j, int64_t j_end,
    cnp.ndarray scores, cnp.ndarray tpr, cnp.ndarray fpr, int64_t place,
):
    """Fill scores, tpr and fpr from `place` on for neg[i:i_end] and pos[j:j_end]; (points, 2U)."""
    cdef Stretch part
    cdef void* low = cnp.PyArray_DATA(neg)
    cdef void* high = cnp.PyArray_DATA(pos)
    cdef void* out = cnp.PyArray_DATA(scores)
    cdef double* hits = <double*>cnp.PyArray_DATA(tpr) + place
    cdef double* alarms = <double*>cnp.PyArray_DATA(fpr) + place
    cdef bint wide = cnp.PyArray_TYPE(neg) == cnp.NPY_DOUBLE
    part.n_neg = i_end - i
    part.n_pos = j_end - j
    part.neg_above = neg.shape[0] - i_end
    part.pos_above = pos.shape[0] - j_end
    part.all_neg = <double>neg.shape[0]
    part.all_pos = <double>pos.shape[0]
    with nogil:
        if wide:
            _merge_rates(
                <const double*>low + i, <const double*>high + j, <double*>out + place, hits,
                alarms, &part,
            )
        else:
            _merge_rates(
                <const float*>low + i, <const float*>high + j, <float*>out + place, hits,
                alarms, &part,
            )
    return part.used, part.doubled


def table_totals(cnp.ndarray pos_counts, cnp.ndarray neg_counts):
    """(n_pos, n_neg, sum_u, sum_u2, sum_v, sum_v2, ties) of counts in descending order of score.

    Exact as long as 2 * n_pos * n_neg is below 2**64; the caller makes sure of it.
    """
    cdef const int64_t* pos = <const int64_t*>cnp.PyArray_DATA(pos_counts)
    cdef const int64_t* neg = <const int64_t*>cnp.PyArray_DATA(neg_counts)
    cdef int64_t row, size = pos_counts.shape[0]
    cdef uint64_t p, q, u, v, pos_below = 0, neg_below = 0
    cdef wide_sum sum_u, sum_u2, sum_v, sum_v2, ties
    sum_u.low = sum_u.high = sum_u2.low = sum_u2.high = 0
    sum_v.low = sum_v.high = sum_v2.low = sum_v2.high = 0
    ties.low = ties.high = 0
    with nogil:
        for row in range(size - 1, -1, -1):
            p = pos[row]
            q = neg[row]
            u = 2 * neg_below + q
            v = 2 * pos_below + p
            add_product(&sum_u, p, u)
            add_product(&sum_u2, p * u, u)
            add_product(&sum_v, q, v)
            add_product(&sum_v2, q * v, v)
            add_product(&ties, p, q)
            pos_below += p
            neg_below += q
    return (
        pos_below, neg_below, as_int(sum_u), as_int(sum_u2), as_int(sum_v), as_int(sum_v2),
        as_int(ties),
    )


cdef object as_int(wide_sum total):
    return ((<object>total.high) << 64) | (<object>total.low)
