# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One pass over two sorted classes, or over a table of counts."""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

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

# A stretch of both classes under way: ranks count from its own start. Sums of rows without
# ties are kept as halves and quarters, since their placements are even.
ctypedef struct Walk:
    int64_t i
    int64_t j
    int64_t n_neg
    int64_t n_pos
    uint64_t half_u
    uint64_t half_v
    uint64_t quarter_u2
    uint64_t quarter_v2
    Sums tied


cdef inline bint under_way(const Walk* walk) noexcept nogil:
    return (walk.i < walk.n_neg) & (walk.j < walk.n_pos)


cdef void pass_ties(const score* neg, const score* pos, Walk* walk) noexcept nogil:
    """Move past all rows that share the score neg[i] == pos[j]."""
    cdef score shared = neg[walk.i]
    cdef uint64_t u = 2 * <uint64_t>walk.i, v = 2 * <uint64_t>walk.j, p = 0, q = 0
    while walk.i < walk.n_neg and neg[walk.i] == shared:
        walk.i += 1
        q += 1
    while walk.j < walk.n_pos and pos[walk.j] == shared:
        walk.j += 1
        p += 1
    u += q
    v += p
    walk.tied.ties += p * q
    walk.tied.u += p * u
    walk.tied.u2 += p * u * u
    walk.tied.v += q * v
    walk.tied.v2 += q * v * v


cdef inline void step(const score* neg, const score* pos, Walk* walk) noexcept nogil:
    """Move past the smaller of neg[i] and pos[j], or past all rows that share their score."""
    cdef score a = neg[walk.i], b = pos[walk.j]
    cdef uint64_t less, in_neg, in_pos
    if a == b:
        pass_ties(neg, pos, walk)
        return
    # no branch on which is smaller: it would be guessed wrongly half of the time
    less = a < b
    in_neg = <uint64_t>walk.j & (0 - less)
    in_pos = <uint64_t>walk.i & (less - 1)
    walk.half_v += in_neg
    walk.quarter_v2 += in_neg * in_neg
    walk.half_u += in_pos
    walk.quarter_u2 += in_pos * in_pos
    walk.i += less
    walk.j += 1 - less


cdef Sums finished(Walk walk) noexcept nogil:
    """Sums of a stretch of which at most one class is left: all its rows see the whole other."""
    cdef Sums sums = walk.tied
    cdef uint64_t pos_left = walk.n_pos - walk.j, neg_left = walk.n_neg - walk.i
    cdef uint64_t n_pos = walk.n_pos, n_neg = walk.n_neg
    sums.u += 2 * (walk.half_u + pos_left * n_neg)
    sums.u2 += 4 * (walk.quarter_u2 + pos_left * n_neg * n_neg)
    sums.v += 2 * (walk.half_v + neg_left * n_pos)
    sums.v2 += 4 * (walk.quarter_v2 + neg_left * n_pos * n_pos)
    return sums


cdef Sums joined(Sums lower, Sums upper, const Walk* first, const Walk* second) noexcept nogil:
    """Sums of two stretches: placements in the upper one grow by twice the rows below."""
    cdef uint64_t grow_u = 2 * first.n_neg, grow_v = 2 * first.n_pos
    cdef uint64_t n_pos = second.n_pos, n_neg = second.n_neg
    lower.u2 += upper.u2 + 2 * grow_u * upper.u + n_pos * grow_u * grow_u
    lower.v2 += upper.v2 + 2 * grow_v * upper.v + n_neg * grow_v * grow_v
    lower.u += upper.u + n_pos * grow_u
    lower.v += upper.v + n_neg * grow_v
    lower.ties += upper.ties
    return lower


cdef int64_t first_from(const score* values, int64_t size, score bound) noexcept nogil:
    """Number of ascending values below the bound."""
    cdef int64_t low = 0, high = size, middle
    while low < high:
        middle = (low + high) // 2
        if values[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


cdef Sums _merge_block(
    const score* neg, int64_t n_neg, const score* pos, int64_t n_pos
) noexcept nogil:
    """Sums of at most 2**20 rows: then no sum passes 64 bits.

    The lower and the upper half are walked in turns: each step waits for the one before it, so
    that two walks together take hardly longer than one.
    """
    cdef Walk first, second
    cdef int64_t low = 0, high = n_neg, middle
    cdef const score* neg_upper
    cdef const score* pos_upper
    while low < high:  # a negative with about half of all rows below it
        middle = (low + high) // 2
        if 2 * (middle + first_from(pos, n_pos, neg[middle])) < n_neg + n_pos:
            low = middle + 1
        else:
            high = middle
    memset(&first, 0, sizeof(Walk))
    memset(&second, 0, sizeof(Walk))
    first.n_neg = first_from(neg, n_neg, neg[low]) if low < n_neg else n_neg
    first.n_pos = first_from(pos, n_pos, neg[low]) if low < n_neg else n_pos
    second.n_neg = n_neg - first.n_neg
    second.n_pos = n_pos - first.n_pos
    neg_upper = neg + first.n_neg
    pos_upper = pos + first.n_pos
    while under_way(&first) and under_way(&second):
        step(neg, pos, &first)
        step(neg_upper, pos_upper, &second)
    while under_way(&first):
        step(neg, pos, &first)
    while under_way(&second):
        step(neg_upper, pos_upper, &second)
    return joined(finished(first), finished(second), &first, &second)


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
