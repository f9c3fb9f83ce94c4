# Placement sums of two sorted classes, in one walk over both; included by _merging.pyx, and by
# _sorting.pyx for classes that have just been sorted. Whoever includes it says what a `score` is.

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

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
