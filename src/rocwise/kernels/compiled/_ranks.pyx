# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One pass over two sorted classes, over sorted rows, or over a table of counts."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

cdef enum:
    ROWS_AT_ONCE = 1024

cdef double SCALE = 2.0**-510  # of scores in keys


def merge(
    const double[::1] neg, const double[::1] pos, int64_t i, int64_t i_end, int64_t j,
    int64_t j_end, int64_t start, double[::1] scores, int64_t[::1] tp, int64_t[::1] fp,
):
    """Distinct scores of neg[i:i_end] and pos[j:j_end], descending, with the rows at or above."""
    cdef int64_t n = i_end - 1, p = j_end - 1, slot = start - 1, take
    cdef int64_t last_neg = neg.shape[0] - 1, last_pos = pos.shape[0] - 1
    cdef double value, last = 0.0
    cdef bint first = True
    with nogil:
        while n >= i and p >= j:
            take = neg[n] >= pos[p]  # no branch, which would be mispredicted half of the time
            value = neg[n] if take else pos[p]
            n -= take
            p -= 1 - take
            slot += first | (value != last)
            first = False
            last = value
            scores[slot] = value
            tp[slot] = last_pos - p
            fp[slot] = last_neg - n
        while p >= j:
            slot += first | (pos[p] != last)
            first = False
            last = pos[p]
            p -= 1
            scores[slot] = last
            tp[slot] = last_pos - p
            fp[slot] = last_neg - n
        while n >= i:
            slot += first | (neg[n] != last)
            first = False
            last = neg[n]
            n -= 1
            scores[slot] = last
            tp[slot] = last_pos - p
            fp[slot] = last_neg - n
    return slot - start + 1


ctypedef struct Walk:
    int64_t a      # next negative and next positive, and how many there are
    int64_t b
    int64_t n_neg
    int64_t n_pos
    uint64_t half_u  # placements of untied rows are even
    uint64_t quarter_u2
    uint64_t half_v
    uint64_t quarter_v2
    uint64_t tied_u
    uint64_t tied_u2
    uint64_t tied_v
    uint64_t tied_v2
    uint64_t ties


cdef inline bint under_way(const Walk* walk) noexcept nogil:
    return (walk.a < walk.n_neg) & (walk.b < walk.n_pos)


cdef void pass_ties(const double* neg, const double* pos, Walk* walk) noexcept nogil:
    cdef uint64_t u = 2 * <uint64_t>walk.a, v = 2 * <uint64_t>walk.b, p = 0, q = 0
    cdef double score = neg[walk.a]
    while walk.a < walk.n_neg and neg[walk.a] == score:
        walk.a += 1
        q += 1
    while walk.b < walk.n_pos and pos[walk.b] == score:
        walk.b += 1
        p += 1
    u += q
    v += p
    walk.tied_u += p * u
    walk.tied_u2 += p * u * u
    walk.tied_v += q * v
    walk.tied_v2 += q * v * v
    walk.ties += p * q


cdef inline void step(const double* neg, const double* pos, Walk* walk) noexcept nogil:
    """Pass the lower one of two rows, or all rows with their score."""
    cdef double x = neg[walk.a], y = pos[walk.b]
    cdef uint64_t less, below_neg, below_pos
    if x == y:
        pass_ties(neg, pos, walk)
        return
    less = x < y  # no branch, which would be mispredicted half of the time
    below_pos = <uint64_t>walk.b & (0 - less)
    below_neg = <uint64_t>walk.a & (less - 1)
    walk.half_v += below_pos
    walk.quarter_v2 += below_pos * below_pos
    walk.half_u += below_neg
    walk.quarter_u2 += below_neg * below_neg
    walk.a += less
    walk.b += 1 - less


cdef tuple sums_of(Walk walk):
    """Of a walk that has passed all rows of one class: the others are above these."""
    cdef uint64_t pos_left = walk.n_pos - walk.b, neg_left = walk.n_neg - walk.a
    cdef uint64_t n_pos = walk.n_pos, n_neg = walk.n_neg
    return (
        n_pos, n_neg,
        2 * (walk.half_u + pos_left * n_neg) + walk.tied_u,
        4 * (walk.quarter_u2 + pos_left * n_neg * n_neg) + walk.tied_u2,
        2 * (walk.half_v + neg_left * n_pos) + walk.tied_v,
        4 * (walk.quarter_v2 + neg_left * n_pos * n_pos) + walk.tied_v2,
        walk.ties,
    )


def sums_of_two(const double[::1] neg, const double[::1] pos, tuple lower, tuple upper):
    """Placement sums of two ranges (i, i_end, j, j_end) of neg[i:i_end] and pos[j:j_end].

    Exact for at most 2**20 rows each: then no sum exceeds 64 bits. Each step of a walk waits for
    the one before, so that two walks take hardly longer than one.
    """
    cdef Walk[2] walks
    cdef int64_t[4] first = lower
    cdef int64_t[4] second = upper
    cdef const double* n1 = &neg[0] + first[0] if neg.shape[0] else NULL
    cdef const double* p1 = &pos[0] + first[2] if pos.shape[0] else NULL
    cdef const double* n2 = &neg[0] + second[0] if neg.shape[0] else NULL
    cdef const double* p2 = &pos[0] + second[2] if pos.shape[0] else NULL
    memset(walks, 0, sizeof(walks))
    walks[0].n_neg = first[1] - first[0]
    walks[0].n_pos = first[3] - first[2]
    walks[1].n_neg = second[1] - second[0]
    walks[1].n_pos = second[3] - second[2]
    with nogil:
        while under_way(&walks[0]) and under_way(&walks[1]):
            step(n1, p1, &walks[0])
            step(n2, p2, &walks[1])
        while under_way(&walks[0]):
            step(n1, p1, &walks[0])
        while under_way(&walks[1]):
            step(n2, p2, &walks[1])
    return sums_of(walks[0]), sums_of(walks[1])


ctypedef struct Ties:
    uint64_t pairs
    uint64_t more_u2  # what ties add to the sums of squares
    uint64_t more_v2


cdef void count_ties(
    const int64_t[::1] keys, int64_t start, int64_t first, int64_t last, int64_t n_pos, Ties* ties
) noexcept nogil:
    """Groups of tied classes whose first positive is in first..last, with so many positives below."""
    cdef int64_t row, p, q
    cdef uint64_t u, v
    for row in range(first, last):
        if row > start and keys[row] ^ keys[row - 1] == 1:
            q = p = 1
            while row - q > start and keys[row - q - 1] == keys[row - 1]:
                q += 1
            while row + p < keys.shape[0] and keys[row + p] == keys[row]:
                p += 1
            v = n_pos
            u = row - start - n_pos
            ties.pairs += p * q
            ties.more_u2 += p * (q * q - 4 * u * q)
            ties.more_v2 += q * (p * p + 4 * v * p)
        n_pos += keys[row] & 1


def sample_sums(const int64_t[::1] keys, int64_t start, int64_t stop):
    """Placement sums of the sorted keys start..stop, which share no score with the others.

    Exact for at most 2**20 rows. The k-th positive, with u negatives below, is below N - u of
    them, from which the sums over negatives follow.
    """
    cdef int64_t row = start, first, end, k, n, n_pos = 0, last = ~keys[start]
    cdef uint64_t u, v, n_neg, half_u = 0, quarter_u2 = 0, products = 0
    cdef int64_t[ROWS_AT_ONCE] positives
    cdef bint tied
    cdef Ties ties
    memset(&ties, 0, sizeof(Ties))
    with nogil:
        while row < stop:
            first = row
            end = min(row + ROWS_AT_ONCE, stop)
            n = 0
            tied = False
            while row < end:
                positives[n] = row - start  # overwritten if the row is negative
                tied |= keys[row] ^ last == 1
                last = keys[row]
                n += last & 1
                row += 1
            if tied:
                count_ties(keys, start, first, end, n_pos, &ties)
            for k in range(n):
                u = positives[k] - n_pos - k
                half_u += u
                quarter_u2 += u * u
                products += u * (n_pos + k)
            n_pos += n
    v = n_pos
    n_neg = stop - start - n_pos
    return (
        n_pos, n_neg,
        2 * half_u - ties.pairs,
        4 * quarter_u2 + ties.more_u2,
        2 * (v * n_neg - half_u) + ties.pairs,
        4 * (v * v * n_neg - 2 * products - half_u) + ties.more_v2,
        ties.pairs,
    )


def sample_curve(
    const int64_t[::1] keys, int64_t start, int64_t stop, int64_t hits, int64_t first,
    double[::1] scores, int64_t[::1] tp, int64_t[::1] fp,
):
    """Distinct scores of the sorted keys start..stop, descending, with the rows at or above."""
    cdef int64_t row, key, last = 0, slot = first - 1, size = keys.shape[0]
    cdef uint64_t bits
    cdef double value, back = 1.0 / SCALE
    with nogil:
        for row in range(stop - 1, start - 1, -1):
            key = keys[row] >> 1
            slot += (slot < first) | (key != last)
            last = key
            hits += keys[row] & 1
            bits = <uint64_t>key
            bits ^= (0 - (bits >> 63)) >> 1
            memcpy(&value, &bits, 8)
            scores[slot] = value * back
            tp[slot] = hits
            fp[slot] = size - row - hits
    return slot - first + 1


def place(
    const uint64_t[:, ::1] entries, int64_t start, int64_t stop, int64_t pos_below,
    int64_t[::1] placements,
):
    """Placements of the sorted entries start..stop, which share no score with the others."""
    cdef int64_t row = start, end, p, q, k, neg_below = start - pos_below
    cdef int64_t[2] other
    with nogil:
        while row < stop:
            end = row + 1
            p = entries[row, 1] & 1
            while end < stop and entries[end, 0] == entries[row, 0]:
                p += entries[end, 1] & 1
                end += 1
            q = end - row - p
            other[0] = 2 * pos_below + p
            other[1] = 2 * neg_below + q
            for k in range(row, end):
                placements[entries[k, 1] >> 8] = other[entries[k, 1] & 1]
            pos_below += p
            neg_below += q
            row = end


def count_midranks(
    const uint64_t[:, ::1] entries, int64_t[:, ::1] counts, int64_t[::1] midranks
):
    """Write the midranks of the rows, doubled, and add each to the counts of its class."""
    cdef int64_t row = 0, end, k
    with nogil:
        while row < entries.shape[0]:
            end = row + 1
            while end < entries.shape[0] and entries[end, 0] == entries[row, 0]:
                end += 1
            for k in range(row, end):
                midranks[entries[k, 1] >> 8] = row + end
                counts[entries[k, 1] & 1, row + end] += 1
            row = end


def place_midranks(const uint8_t[::1] classes, int64_t[:, ::1] counts, int64_t[:, ::1] midranks):
    """Replace midranks, doubled, by their placements among the counted ones of the other class."""
    cdef int64_t k, kind, model, count, below
    with nogil:
        for kind in range(2):
            below = 0
            for k in range(counts.shape[1]):
                count = counts[kind, k]
                counts[kind, k] = 2 * below + count
                below += count
        for model in range(midranks.shape[0]):
            for k in range(midranks.shape[1]):
                midranks[model, k] = counts[1 - classes[k], midranks[model, k]]
