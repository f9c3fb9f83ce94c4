# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Several classes along one score, with rows that are there more than once, or weighted.

Rows come sorted by rising score: `ranked` holds the class of each, from 0 up, `starts` is 1 where
a score differs from the one before, and `held` says how often each row is there.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"
include "tuple_credits.pxi"

cdef enum:
    MOST = 256  # classes, since a class is one byte
    FEW = 16  # times that a row is drawn whose shares are kept
    WIDE = 4  # classes whose pairs are counted side by side


def class_wins(
    cnp.ndarray ranked, cnp.ndarray starts, cnp.ndarray held, int own, cnp.ndarray result
):
    """For each class the sum over its rows of 2 * (own class above) + (own class tied)."""
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* marks = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef const double* amounts = <const double*>cnp.PyArray_DATA(held)
    cdef double* wins = <double*>cnp.PyArray_DATA(result)
    cdef int64_t row = ranked.shape[0] - 1, first, place
    cdef double above = 0.0, tied
    cdef double[MOST] is_own
    with nogil:
        for place in range(MOST):
            is_own[place] = place == own
        while row >= 0:
            first = row
            while not marks[first]:
                first -= 1
            if first == row:  # alone, as most are; no branch, since classes come in no order
                tied = amounts[row] * is_own[classes[row]]
                wins[classes[row]] += amounts[row] * (2.0 * above + tied)
                above += tied
            else:
                tied = 0.0
                for place in range(first, row + 1):
                    if classes[place] == own:
                        tied += amounts[place]
                for place in range(first, row + 1):
                    wins[classes[place]] += amounts[place] * (2.0 * above + tied)
                above += tied
            row = first - 1


def class_credits(
    cnp.ndarray ranked, cnp.ndarray starts, cnp.ndarray held, cnp.ndarray order, int own,
    cnp.ndarray sizes, cnp.ndarray weights, cnp.ndarray result,
):
    """Of rows of the own class the others below, weighted; of others the own class above."""
    cdef const int64_t* places = <const int64_t*>cnp.PyArray_DATA(order)
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* marks = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef const double* amounts = <const double*>cnp.PyArray_DATA(held)
    cdef const double* all_of = <const double*>cnp.PyArray_DATA(sizes)
    cdef const double* weight = <const double*>cnp.PyArray_DATA(weights)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t n_rows = ranked.shape[0], n_classes = sizes.shape[0], row = 0, last, place, k
    cdef double below = 0.0, upto = 0.0, others, own_share, middle, above
    cdef double[MOST] share
    cdef double[MOST] is_own
    cdef double[MOST] as_other
    with nogil:
        for k in range(n_classes):
            share[k] = weight[k] / all_of[k]
            is_own[k] = k == own
            as_other[k] = 0.0 if k == own else weight[k]
        while row < n_rows:
            others = below
            own_share = upto
            last = row
            while True:  # no branch on the class, since classes come in no order
                k = classes[last]
                below += amounts[last] * share[k]
                upto += amounts[last] / all_of[own] * is_own[k]
                last += 1
                if last >= n_rows or marks[last]:
                    break
            middle = (others + below) / 2.0
            above = 1.0 - (own_share + upto) / 2.0
            for place in range(row, last):
                k = classes[place]
                out[places[place]] = is_own[k] * middle + as_other[k] * above
            row = last


def pair_wins(
    cnp.ndarray ranked, cnp.ndarray starts, cnp.ndarray held, bint credit, cnp.ndarray result
):
    """Sums over rows of class j of 2 * (class i below) + (class i tied, if credited): (i, j)."""
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* marks = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef const double* amounts = <const double*>cnp.PyArray_DATA(held)
    cdef double* wins = <double*>cnp.PyArray_DATA(result)
    cdef int64_t n_rows = ranked.shape[0], n_classes = result.shape[0], row = 0, last, place, k
    cdef double[MOST] below
    cdef double[MOST] tied
    with nogil:
        for k in range(n_classes):
            below[k] = 0.0
            tied[k] = 0.0
        while row < n_rows:
            last = row + 1
            while last < n_rows and not marks[last]:
                last += 1
            if credit:
                for place in range(row, last):
                    tied[classes[place]] += amounts[place]
            for place in range(row, last):
                if amounts[place] != 0.0:
                    for k in range(n_classes):
                        wins[k * n_classes + classes[place]] += amounts[place] * (
                            2.0 * below[k] + tied[k]
                        )
            for place in range(row, last):
                below[classes[place]] += amounts[place]
                tied[classes[place]] = 0.0
            row = last


def held_volume(
    cnp.ndarray ranked, cnp.ndarray starts, cnp.ndarray held, cnp.ndarray sizes,
    cnp.ndarray factorials, bint strict,
):
    """Share of the chains that are in order; rows of class k count held / sizes[k]."""
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* marks = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef const double* amounts = <const double*>cnp.PyArray_DATA(held)
    cdef const double* all_of = <const double*>cnp.PyArray_DATA(sizes)
    cdef const double* runs = <const double*>cnp.PyArray_DATA(factorials)
    cdef int64_t n_rows = ranked.shape[0], n_classes = sizes.shape[0], row = 0, last, place, k, t
    cdef double[MOST + 1] below
    cdef double[MOST] share
    cdef double gain, product
    with nogil:
        below[0] = 1.0
        for k in range(n_classes):
            below[k + 1] = 0.0
            share[k] = 0.0
        while row < n_rows:
            last = row + 1
            while last < n_rows and not marks[last]:
                last += 1
            if last == row + 1:
                k = classes[row]
                below[k + 1] += below[k] * (amounts[row] / all_of[k])
            else:
                for place in range(row, last):
                    share[classes[place]] += amounts[place]
                for k in range(n_classes):
                    share[k] /= all_of[k]
                for k in range(n_classes, 0, -1):
                    gain = 0.0
                    product = 1.0
                    t = 1
                    while t <= k and share[k - t] > 0.0 and not (strict and t > 1):
                        product *= share[k - t]
                        gain += below[k - t] * product / runs[t]
                        t += 1
                    below[k] += gain
                for k in range(n_classes):
                    share[k] = 0.0
            row = last
    return below[n_classes]


ctypedef struct Ranking:  # rows of one score, as a replicate has drawn them
    const uint8_t* classes
    const uint8_t* starts  # of distinct scores; none are read where there are no ties
    const int32_t* places  # of each row among the counts
    const uint32_t* counts
    const int64_t* sizes
    int64_t rows
    int64_t n_classes
    int64_t own  # the class that a column is the score of
    bint credit

ctypedef void (*Reader)(const Ranking* ranking, double* out) noexcept nogil


cdef void read_wins(const Ranking* ranking, double* out) noexcept nogil:
    """`class_wins` of the own class, in whole numbers."""
    cdef int64_t[2][MOST] sums  # in turns, so that a sum need not wait for the one before
    cdef int64_t[MOST] is_own
    cdef int64_t row, amount, k, above = 0, tied
    for k in range(ranking.n_classes):
        sums[0][k] = sums[1][k] = 0
        is_own[k] = k == ranking.own
    for row in range(ranking.rows - 1, -1, -1):
        amount = ranking.counts[ranking.places[row]]
        k = ranking.classes[row]
        tied = amount * is_own[k]
        sums[row & 1][k] += amount * (2 * above + tied)
        above += tied
    for k in range(ranking.n_classes):
        out[k] = <double>(sums[0][k] + sums[1][k])


cdef void read_tied_wins(const Ranking* ranking, double* out) noexcept nogil:
    """The same where scores are tied."""
    cdef int64_t[MOST] sums
    cdef int64_t[MOST] is_own
    cdef int64_t row = ranking.rows - 1, first, place, k, above = 0, tied, gain
    for k in range(ranking.n_classes):
        sums[k] = 0
        is_own[k] = k == ranking.own
    while row >= 0:
        first = row
        tied = ranking.counts[ranking.places[row]] * is_own[ranking.classes[row]]
        while not ranking.starts[first]:
            first -= 1
            tied += ranking.counts[ranking.places[first]] * is_own[ranking.classes[first]]
        gain = 2 * above + tied
        for place in range(first, row + 1):
            sums[ranking.classes[place]] += ranking.counts[ranking.places[place]] * gain
        above += tied
        row = first - 1
    for k in range(ranking.n_classes):
        out[k] = <double>sums[k]


cdef void read_some_pairs(const Ranking* ranking, int64_t low, double* out) noexcept nogil:
    """`pair_wins` of the classes low..low + 3 as the lower one; a row is tied with itself."""
    cdef double[2][MOST][WIDE] sums  # in turns, so that a sum need not wait for the one before
    cdef double[MOST][WIDE] is_own
    cdef double[WIDE] below
    cdef double amount, twice, own = ranking.credit
    cdef double* line
    cdef double* mark
    cdef int64_t row, j, k, n_classes = ranking.n_classes
    for j in range(n_classes):
        for k in range(WIDE):
            sums[0][j][k] = sums[1][j][k] = 0.0
            is_own[j][k] = j == low + k
    for k in range(WIDE):
        below[k] = 0.0
    for row in range(ranking.rows):
        amount = ranking.counts[ranking.places[row]]
        twice = 2.0 * amount
        line = sums[row & 1][ranking.classes[row]]
        mark = is_own[ranking.classes[row]]
        for k in range(WIDE):
            line[k] += twice * below[k] + own * (amount * amount) * mark[k]
        for k in range(WIDE):
            below[k] += amount * mark[k]
    for j in range(n_classes):
        for k in range(min(<int64_t>WIDE, n_classes - low)):
            out[(low + k) * n_classes + j] = sums[0][j][k] + sums[1][j][k]


cdef void read_pairs(const Ranking* ranking, double* out) noexcept nogil:
    """`pair_wins` of all classes."""
    cdef int64_t low
    for low in range(0, ranking.n_classes, 4):  # WIDE
        read_some_pairs(ranking, low, out)


cdef void read_volume(const Ranking* ranking, double* out) noexcept nogil:
    """`held_volume`."""
    cdef double[MOST + 1] below
    cdef double[MOST][FEW] shares
    cdef int64_t row, k, t
    cdef uint32_t amount
    cdef double share
    below[0] = 1.0
    for k in range(ranking.n_classes):
        below[k + 1] = 0.0
        for t in range(FEW):
            shares[k][t] = <double>t / <double>ranking.sizes[k]
    for row in range(ranking.rows):
        amount = ranking.counts[ranking.places[row]]
        k = ranking.classes[row]
        share = shares[k][amount] if amount < FEW else <double>amount / <double>ranking.sizes[k]
        below[k + 1] += below[k] * share
    out[0] = below[ranking.n_classes]


NAMES = ("wins", "pairs", "volume", "tied wins")
cdef Reader[4] READERS
READERS[0] = read_wins
READERS[1] = read_pairs
READERS[2] = read_volume
READERS[3] = read_tied_wins


cdef void draw_classes(
    uint64_t seed, int64_t replicate, const Ranking* ranking, uint32_t* counts
) noexcept nogil:
    """How often each row is drawn within its class; the rows of one class after another's."""
    cdef uint64_t state = stream_key(seed, replicate, POSITIVE)
    cdef int64_t k, start = 0
    for k in range(ranking.n_classes):
        state = draw_counts(state, ranking.sizes[k], counts + start)
        start += ranking.sizes[k]


def resampled(
    int kind, uint64_t seed, int64_t first, int64_t last, cnp.ndarray sizes, cnp.ndarray ranked,
    cnp.ndarray places, cnp.ndarray starts, bint credit, cnp.ndarray result,
):
    """What a reader finds in every column of each replicate: (replicate, column, .).

    Columns hold the score of each class in turn; only "tied wins" looks at where scores start.
    """
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* marks = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef const int32_t* place = <const int32_t*>cnp.PyArray_DATA(places)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t columns = ranked.shape[0], width = result.shape[2], replicate, column
    cdef Ranking ranking
    ranking.rows = ranked.shape[1]
    ranking.sizes = <const int64_t*>cnp.PyArray_DATA(sizes)
    ranking.n_classes = sizes.shape[0]
    ranking.credit = credit
    cdef uint32_t* counts = <uint32_t*>malloc((ranking.rows + 1) * sizeof(uint32_t))
    if counts == NULL:
        raise MemoryError
    ranking.counts = counts
    with nogil:
        for replicate in range(first, last):
            draw_classes(seed, replicate, &ranking, counts)
            for column in range(columns):
                ranking.classes = classes + column * ranking.rows
                ranking.starts = marks + column * ranking.rows
                ranking.places = place + column * ranking.rows
                ranking.own = column % ranking.n_classes
                READERS[kind](&ranking, out)
                out += width
    free(counts)
