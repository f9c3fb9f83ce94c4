# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Counting pairs of rows that are ordered the same way by two markers, from their placements."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

cimport numpy as cnp

cnp.import_array()

cdef extern from "prefetch.h" nogil:
    void prefetch_write(const void* address)

cdef extern from "sixteens.h" nogil:
    void count_after(int32_t* sixteen, int32_t own)

cdef enum:
    AHEAD = 32  # rows for which memory is asked before it is written to
    LEVELS = 8  # of sixteen each: more than any number of places needs


cdef inline int64_t ones(uint64_t word) noexcept nogil:
    """How many bits are set."""
    word -= (word >> 1) & <uint64_t>0x5555555555555555
    word = (word & <uint64_t>0x3333333333333333) + ((word >> 2) & <uint64_t>0x3333333333333333)
    word = (word + (word >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return <int64_t>((word * <uint64_t>0x0101010101010101) >> 56)


cdef bint count_placements(
    const uint8_t* mask, const int64_t* placed, int64_t rows, int64_t n_neg, int64_t n_pos,
    int32_t* counts,
) noexcept nogil:
    """Rows of each placement, negatives first, and from that all rows before; False for no such."""
    cdef int64_t row, place, wrong = 0
    cdef int64_t[2] most, start
    cdef int32_t before = 0, held
    most[0], most[1] = 2 * n_pos, 2 * n_neg
    start[0], start[1] = 0, 2 * n_pos + 1
    for row in range(rows):
        wrong |= <uint64_t>placed[row] > <uint64_t>most[mask[row]]
    if wrong:
        return False
    for row in range(rows):
        if row + AHEAD < rows:  # rows come in any order: say soon where the next ones count
            prefetch_write(counts + start[mask[row + AHEAD]] + placed[row + AHEAD])
        counts[start[mask[row]] + placed[row]] += 1
    for place in range(rows + rows + 2):
        held = counts[place]
        counts[place] = before
        before += held
    counts[2 * rows + 2] = before
    return True


def stand(
    cnp.ndarray mask, cnp.ndarray placed, cnp.ndarray counts, cnp.ndarray rank,
    cnp.ndarray lower, cnp.ndarray upper,
):
    """Ranks of rows, first the negatives, and the negatives below each rank of the positives.

    The counts come as zeros. False if these are no placements. Neither class is asked for by a
    branch, which nothing could foretell.
    """
    cdef const uint8_t* is_pos = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef const int64_t* place = <const int64_t*>cnp.PyArray_DATA(placed)
    cdef int64_t rows = mask.shape[0], n_pos = lower.shape[0]
    cdef int64_t n_neg = rows - n_pos
    cdef int32_t* before = <int32_t*>cnp.PyArray_DATA(counts)
    cdef int32_t* poss = before + 2 * n_pos + 1
    cdef int32_t* ranks = <int32_t*>cnp.PyArray_DATA(rank)
    cdef int32_t* low = <int32_t*>cnp.PyArray_DATA(lower)
    cdef int32_t* high = <int32_t*>cnp.PyArray_DATA(upper)
    cdef int64_t row, value, own
    cdef int64_t[2] start
    cdef bint right
    start[0], start[1] = 0, 2 * n_pos + 1
    with nogil:
        right = count_placements(is_pos, place, rows, n_neg, n_pos, before)
        if right:
            for value in range(2 * n_neg + 1):
                for own in range(poss[value] - n_neg, poss[value + 1] - n_neg):
                    # negatives below have only positives below them that are below this one too
                    low[own] = before[2 * (poss[value] - n_neg) + 1]
                    high[own] = <int32_t>(value - low[own])
                    right = right and low[own] <= high[own] <= n_neg
            for row in range(rows):
                if row + AHEAD < rows:
                    prefetch_write(before + start[is_pos[row + AHEAD]] + place[row + AHEAD])
                value = start[is_pos[row]] + place[row]
                ranks[row] = before[value]
                before[value] += 1
    return right


cdef struct Squares:  # numbers, and their squares in two halves, which 2**31 of them do not fill
    uint64_t total
    uint64_t low
    uint64_t high


cdef inline void add_square(Squares* sums, uint64_t own) noexcept nogil:
    cdef uint64_t squared = own * own
    sums.total += own
    sums.low += squared & <uint64_t>0xFFFFFFFF
    sums.high += squared >> 32


def sum_placements(cnp.ndarray lower, cnp.ndarray upper, int64_t n_neg):
    """Sums of the placements of positives and of their squares, the same of negatives, and ties.

    Either bound ascends. Where no rows are tied the negatives above a positive are all that its
    bound tells: it adds 2 to their placements, and as its number tells to their squares.
    """
    cdef const int32_t* low = <const int32_t*>cnp.PyArray_DATA(lower)
    cdef const int32_t* high = <const int32_t*>cnp.PyArray_DATA(upper)
    cdef int64_t n_pos = lower.shape[0], row, below = 0, reached = 0
    cdef uint64_t ties = 0, above, gained
    cdef Squares u, v
    u.total = u.low = u.high = v.total = v.low = v.high = 0
    with nogil:
        for row in range(n_pos):
            add_square(&u, <uint64_t>low[row] + <uint64_t>high[row])
            ties += <uint64_t>(high[row] - low[row])
        if ties == 0:
            for row in range(n_pos):
                above = <uint64_t>(n_neg - low[row])
                gained = <uint64_t>(2 * row + 1) * above  # (row + 1)**2 - row**2 for each of them
                v.total += 2 * above
                v.low += 4 * (gained & <uint64_t>0xFFFFFFFF)
                v.high += 4 * (gained >> 32)
        else:
            for row in range(n_neg):
                while reached < n_pos and low[reached] <= row:
                    reached += 1
                while below < n_pos and high[below] <= row:
                    below += 1
                add_square(&v, <uint64_t>(below + reached))
    squares = [(int(each[1]) << 32) + int(each[0]) for each in ((u.low, u.high), (v.low, v.high))]
    return u.total, squares[0], v.total, squares[1], ties


def reorder(cnp.ndarray to, cnp.ndarray values, cnp.ndarray target):
    """Set target[to[i]] to values[i] for each i."""
    cdef const int32_t* place = <const int32_t*>cnp.PyArray_DATA(to)
    cdef const int32_t* value = <const int32_t*>cnp.PyArray_DATA(values)
    cdef int32_t* out = <int32_t*>cnp.PyArray_DATA(target)
    cdef int64_t row, rows = to.shape[0]
    with nogil:
        for row in range(rows):
            if row + AHEAD < rows:
                prefetch_write(out + place[row + AHEAD])
            out[place[row]] = value[row]


cdef struct Held:
    int64_t levels  # of counts; the lowest has one for each word
    int64_t[LEVELS] first  # count of each level
    uint64_t* bits
    int32_t* counts


cdef inline void hold(Held* held, int32_t place) noexcept nogil:
    """Note a place: its bit, and at each level all counts of its sixteen that are after it."""
    cdef int64_t index = place >> 6, level
    cdef int64_t own
    held.bits[index] |= <uint64_t>1 << (place & 63)
    for level in range(held.levels):
        own = index & 15
        count_after(held.counts + held.first[level] + (index - own), <int32_t>own)
        index >>= 4


cdef inline int64_t held_below(const Held* held, int64_t place) noexcept nogil:
    """Held places from 0 to place - 1."""
    cdef int64_t index = place >> 6, level
    cdef int64_t total = ones(held.bits[index] & ((<uint64_t>1 << (place & 63)) - 1))
    for level in range(held.levels):
        total += held.counts[held.first[level] + index]
        index >>= 4
    return total


cdef void count_held(Held* held, int64_t words) noexcept nogil:
    """Fill the counts from the bits."""
    cdef int64_t level, index, size = words, step
    cdef int32_t* own = held.counts
    cdef int32_t* above
    for index in range(words):
        own[index] = <int32_t>ones(held.bits[index])
    for level in range(held.levels):
        own = held.counts + held.first[level]
        above = held.counts + held.first[level + 1] if level + 1 < held.levels else NULL
        step = 0
        for index in range(size):
            if index & 15 == 0:
                step = 0
            step += own[index]
            own[index] = <int32_t>step - own[index]
            if above != NULL:
                above[index >> 4] = <int32_t>step
        size = (size + 15) >> 4


def count_below(
    cnp.ndarray places, cnp.ndarray askers, cnp.ndarray taken, cnp.ndarray lower, cnp.ndarray upper
):
    """Sum over queries q of the first taken[q] places below lower[askers[q]], and below upper.

    `places` is a permutation of 0..n-1 and `taken` ascends: places are held one by one, and each
    query is answered when its turn comes. Of each 64 neighbouring places those that are held are
    bits of a word. Sixteen words each have counts of the bits before them, so have sixteen of such
    sixteens, and so on: a place costs as many steps as there are levels, none of which is a guess.
    Askers are counted from n on.
    """
    cdef const int32_t* place = <const int32_t*>cnp.PyArray_DATA(places)
    cdef const int32_t* asker = <const int32_t*>cnp.PyArray_DATA(askers)
    cdef const int32_t* until = <const int32_t*>cnp.PyArray_DATA(taken)
    cdef int64_t n_places = places.shape[0], size = n_places // 64 + 1, words = size, room = 0
    cdef const int32_t* low = <const int32_t*>cnp.PyArray_DATA(lower) - n_places
    cdef const int32_t* high = <const int32_t*>cnp.PyArray_DATA(upper) - n_places
    cdef int64_t query, queries = taken.shape[0], total = 0, below, number = 0
    cdef int32_t first, last
    cdef Held held
    held.levels = 0
    while held.levels == 0 or size > 1:
        held.first[held.levels] = room
        held.levels += 1
        size = (size + 15) >> 4
        room += 16 * size
    held.bits = <uint64_t*>calloc(words, sizeof(uint64_t))
    held.counts = <int32_t*>calloc(room, sizeof(int32_t))
    if held.bits == NULL or held.counts == NULL:
        free(held.bits)
        free(held.counts)
        raise MemoryError
    with nogil:
        if queries > 0:
            for number in range(until[0]):
                held.bits[place[number] >> 6] |= <uint64_t>1 << (place[number] & 63)
            number = until[0]
            count_held(&held, words)
        for query in range(queries):
            if query + AHEAD < queries:  # askers come in any order
                prefetch_write(low + asker[query + AHEAD])
                prefetch_write(high + asker[query + AHEAD])
            while number < until[query]:
                hold(&held, place[number])
                number += 1
            first, last = low[asker[query]], high[asker[query]]
            below = held_below(&held, first)
            total += below
            total += below if first == last else held_below(&held, last)
    free(held.bits)
    free(held.counts)
    return total
