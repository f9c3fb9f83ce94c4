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

ctypedef struct Sums:
    uint64_t u
    uint64_t u2
    uint64_t v
    uint64_t v2
    uint64_t ties


cdef Sums _merge_block(
    const score* neg, int64_t n_neg, const score* pos, int64_t n_pos
) noexcept nogil:
    """Sums of at most 2**20 rows: then no sum passes 64 bits."""
    cdef int64_t i = 0, j = 0, i_end, j_end
    cdef uint64_t p, q, less, in_neg, in_pos
    cdef uint64_t half_u = 0, half_v = 0, quarter_u2 = 0, quarter_v2 = 0
    cdef score a, b
    cdef Sums sums
    sums.u = sums.u2 = sums.v = sums.v2 = sums.ties = 0
    while i < n_neg and j < n_pos:
        a = neg[i]
        b = pos[j]
        if a == b:
            i_end = i + 1
            j_end = j + 1
            while i_end < n_neg and neg[i_end] == a:
                i_end += 1
            while j_end < n_pos and pos[j_end] == a:
                j_end += 1
            q = i_end - i
            p = j_end - j
            sums.ties += p * q
            sums.u += p * (2 * i + q)
            sums.u2 += p * (2 * i + q) * (2 * i + q)
            sums.v += q * (2 * j + p)
            sums.v2 += q * (2 * j + p) * (2 * j + p)
            i = i_end
            j = j_end
            continue
        # no branch on which is smaller: it would be guessed wrongly half of the time
        less = a < b
        in_neg = <uint64_t>j & (0 - less)
        in_pos = <uint64_t>i & (less - 1)
        half_v += in_neg
        quarter_v2 += in_neg * in_neg
        half_u += in_pos
        quarter_u2 += in_pos * in_pos
        i += less
        j += 1 - less
    if j < n_pos:
        half_u += <uint64_t>(n_pos - j) * n_neg
        quarter_u2 += <uint64_t>(n_pos - j) * n_neg * n_neg
    if i < n_neg:
        half_v += <uint64_t>(n_neg - i) * n_pos
        quarter_v2 += <uint64_t>(n_neg - i) * n_pos * n_pos
    sums.u += 2 * half_u
    sums.u2 += 4 * quarter_u2
    sums.v += 2 * half_v
    sums.v2 += 4 * quarter_v2
    return sums


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
    const score* neg, int64_t n_neg, const score* pos, int64_t n_pos,
    score* scores, int64_t* tp, int64_t* fp,
) noexcept nogil:
    cdef int64_t i = n_neg - 1, j = n_pos - 1, slot = -1
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
        tp[slot] = n_pos - 1 - j
        fp[slot] = n_neg - 1 - i
    while j >= 0:
        slot += (slot < 0) | (pos[j] != last)
        last = pos[j]
        j -= 1
        scores[slot] = last
        tp[slot] = n_pos - 1 - j
        fp[slot] = n_neg - 1 - i
    while i >= 0:
        slot += (slot < 0) | (neg[i] != last)
        last = neg[i]
        i -= 1
        scores[slot] = last
        tp[slot] = n_pos - 1 - j
        fp[slot] = n_neg - 1 - i
    return slot + 1


def merge_curve(
    cnp.ndarray neg, cnp.ndarray pos, cnp.ndarray scores, cnp.ndarray tp, cnp.ndarray fp
):
    """Fill scores (distinct, descending), tp and fp (rows at or above); returns how many."""
    cdef int64_t filled
    cdef void* low = cnp.PyArray_DATA(neg)
    cdef void* high = cnp.PyArray_DATA(pos)
    cdef void* out = cnp.PyArray_DATA(scores)
    cdef int64_t* hits = <int64_t*>cnp.PyArray_DATA(tp)
    cdef int64_t* alarms = <int64_t*>cnp.PyArray_DATA(fp)
    cdef int64_t n_neg = neg.shape[0], n_pos = pos.shape[0]
    cdef bint wide = cnp.PyArray_TYPE(neg) == cnp.NPY_DOUBLE
    with nogil:
        if wide:
            filled = _merge_curve(
                <const double*>low, n_neg, <const double*>high, n_pos, <double*>out, hits, alarms
            )
        else:
            filled = _merge_curve(
                <const float*>low, n_neg, <const float*>high, n_pos, <float*>out, hits, alarms
            )
    return filled


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
