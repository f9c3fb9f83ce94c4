# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Scores of two models swapped within subjects, or cases of two samples dealt out anew.

Neither ranks anything anew. Cases go to the first sample by a byte for each, which comes near the
number that shall go there; then cases drawn at random change sides until it is that number. Every
choice of so many is equally likely before and after.
"""

from libc.math cimport fabs
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"

cdef extern from "prefetch.h" nogil:
    void prefetch_write(const void* address)

cdef enum:
    AHEAD = 32  # rows for which memory is asked before it is written to
    LANES = 8  # sums side by side, in this order in the numpy twin too
    HALF = 16  # what four coins can be


cdef void spread_coins(const uint8_t* packed, int64_t number, uint8_t* coins) noexcept nogil:
    """A byte for each coin, from eight in a byte, the highest bit first; room for 7 more."""
    cdef int64_t place, bit
    cdef uint64_t eight
    for place in range(0, number, 8):
        # each copy of the byte keeps one bit, and is 1 where that is set
        eight = (packed[place >> 3] * <uint64_t>0x0101010101010101) & <uint64_t>0x0102040810204080
        eight = ((eight + <uint64_t>0x7F7F7F7F7F7F7F7F) >> 7) & <uint64_t>0x0101010101010101
        for bit in range(8):  # one store, where bytes are in this order
            coins[place + bit] = <uint8_t>(eight >> (8 * bit))


def swapped_gaps(
    cnp.ndarray coins, cnp.ndarray first, cnp.ndarray second, cnp.ndarray signs, cnp.ndarray result
):
    """Sum over all cuts of |difference in errors| of two models, for each line of coins.

    Rank v is held by subject first[v] under one model and second[v] under the other. Of each line
    of coins, eight in a byte, the first n say who is swapped, the next n who of the two comes first.
    """
    cdef const uint8_t* packed = <const uint8_t*>cnp.PyArray_DATA(coins)
    cdef const int32_t* own = <const int32_t*>cnp.PyArray_DATA(first)
    cdef const int32_t* other = <const int32_t*>cnp.PyArray_DATA(second)
    cdef const int8_t* sign = <const int8_t*>cnp.PyArray_DATA(signs)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t lines = coins.shape[0], n = signs.shape[0], line, rank, total, excess
    cdef int64_t held, side, sides, turn
    cdef int8_t label, labels
    cdef int8_t* taken = <int8_t*>malloc(5 * n + 4)
    cdef uint8_t* coin = <uint8_t*>malloc(2 * n + 7)
    if taken == NULL or coin == NULL:
        free(taken)
        free(coin)
        raise MemoryError
    cdef int8_t* own_label = taken + 3 * n + 4
    cdef int8_t* other_label = own_label + n
    with nogil:
        for rank in range(n):
            own_label[rank] = sign[own[rank]]
            other_label[rank] = sign[other[rank]]
        for line in range(lines):
            spread_coins(packed, 2 * n, coin)
            packed += coins.shape[1]
            held = 0  # by the first model; by the second are all others
            for rank in range(n):
                # who of the two comes first is chosen without a branch, which nothing could foretell
                turn = -<int64_t>coin[n + rank]
                side = coin[own[rank]]  # the first model's is kept there if not swapped
                sides = side ^ 1 ^ coin[other[rank]]
                labels = own_label[rank] ^ other_label[rank]
                side ^= sides & turn
                label = own_label[rank] ^ <int8_t>(labels & turn)
                taken[held + ((n + 2 * (rank - held)) & -side)] = label
                held += 1 - side
                side ^= sides
                taken[held + ((n + 2 * (rank - held) + 1) & -side)] = label ^ labels
                held += 1 - side
            total = excess = 0
            for rank in range(n):
                excess += taken[rank] - taken[n + rank]
                total += excess if excess > 0 else -excess
            out[line] = total
    free(taken)
    free(coin)


cdef void sum_halves(const int64_t* value, int64_t number, int64_t* high, int64_t* low) noexcept nogil:
    """Sums of up to eight values, for all that the four high coins of a byte and the low ones can be."""
    cdef int64_t[8] eight
    cdef int64_t place, coins
    for place in range(8):
        eight[place] = value[place] if place < number else 0
    high[0] = low[0] = 0
    for place in range(4):  # the highest coin is that of the first value
        for coins in range(<int64_t>1 << place):
            high[(<int64_t>1 << place) + coins] = high[coins] + eight[3 - place]
            low[(<int64_t>1 << place) + coins] = low[coins] + eight[7 - place]


def coin_sums(cnp.ndarray coins, cnp.ndarray values, cnp.ndarray result):
    """Add to each line's result the values whose coin, of eight in a byte, is set there.

    Four coins say at once which sum of four values to add, from a table that all lines share.
    """
    cdef const int64_t* value = <const int64_t*>cnp.PyArray_DATA(values)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef const uint8_t* packed
    cdef int64_t lines = coins.shape[0], width = coins.shape[1], n = values.shape[0]
    cdef int64_t line, start, place, total
    cdef int64_t[8 * HALF] high, low  # of as many bytes as lines have side by side
    with nogil:
        for start in range(0, n - n % 64, 64):
            for place in range(8):
                sum_halves(value + start + 8 * place, 8, high + HALF * place, low + HALF * place)
            packed = <const uint8_t*>cnp.PyArray_DATA(coins) + (start >> 3)
            for line in range(lines):
                total = 0
                for place in range(8):
                    total += high[HALF * place + (packed[place] >> 4)]
                    total += low[HALF * place + (packed[place] & 15)]
                out[line] += total
                packed += width
        for start in range(n - n % 64, n, 8):
            sum_halves(value + start, n - start, high, low)
            packed = <const uint8_t*>cnp.PyArray_DATA(coins) + (start >> 3)
            for line in range(lines):
                out[line] += high[packed[0] >> 4] + low[packed[0] & 15]
                packed += width


include "midranks.pxi"


cdef uint64_t deal(
    uint64_t key, int64_t total, int64_t size, int64_t limit, uint8_t* dealt
) noexcept nogil:
    """Mark `size` of `total` cases; the key with which to go on. `dealt` has room for 7 more."""
    cdef uint64_t state = key, word
    cdef int64_t start, place, marked = 0
    cdef uint8_t surplus
    for start in range(0, total, 8):
        state += STEP
        word = mix(state)
        for place in range(8):
            dealt[start + place] = <int64_t>((word >> (8 * place)) & 255) < limit
    for place in range(total):
        marked += dealt[place]
    surplus = marked > size
    while marked != size:
        state += STEP
        place = <int64_t>multiply_high(mix(state), <uint64_t>total)
        if dealt[place] == surplus:
            dealt[place] = 1 - surplus
            marked += 1 - 2 * surplus
    return state


cdef void set_heights(
    uint64_t coins, const int32_t* before, const uint8_t* tied, int64_t size,
    const uint8_t* own, const uint8_t* others, int64_t n_others, uint32_t* below,
    int32_t* first, int32_t* second,
) noexcept nogil:
    """Cases of the other class and the same sample that are below each case of the axis."""
    cdef int64_t case, rank, held = 0
    cdef uint32_t seen = 0
    cdef uint64_t state = coins, word = 0
    for case in range(n_others):
        below[case] = seen
        seen += others[case]
    below[n_others] = seen
    for case in range(size):
        if case & 63 == 0:
            state += STEP
            word = mix(state)
        rank = before[case] + <int64_t>(word & tied[case])
        word >>= 1
        first[held] = below[rank]
        second[case - held] = <int32_t>rank - <int32_t>below[rank]
        held += own[case]


cdef double area_between(
    const int32_t* first_case, const int32_t* second_case, const double* widths, int64_t size,
    const int32_t* first, const int32_t* second, double first_step, double second_step,
) noexcept nogil:
    """Sum of widths times |first_step * first - second_step * second|."""
    cdef double[LANES] sums
    cdef double total = 0.0
    cdef int64_t lane, start, place, whole = size - size % LANES
    for lane in range(LANES):
        sums[lane] = 0.0
    for start in range(0, whole, 8):  # LANES
        for lane in range(LANES):
            place = start + lane
            sums[lane] += widths[place] * fabs(
                first_step * first[first_case[place]] - second_step * second[second_case[place]]
            )
    for place in range(whole, size):
        sums[place - whole] += widths[place] * fabs(
            first_step * first[first_case[place]] - second_step * second[second_case[place]]
        )
    for lane in range(LANES):
        total += sums[lane]
    return total


def dealt_gaps(
    uint64_t seed, int64_t begin, int64_t end, cnp.ndarray numbers, cnp.ndarray before,
    cnp.ndarray tied, cnp.ndarray first, cnp.ndarray second, cnp.ndarray widths,
    cnp.ndarray result,
):
    """Area between two ROC curves, in cases of the other class, dealt out anew `end - begin` times.

    `numbers` are the class of the axis, then the cases of the pool, those of the first sample and
    the limits of bytes, each of the negatives and of the positives.
    """
    cdef const int64_t* number = <const int64_t*>cnp.PyArray_DATA(numbers)
    cdef int64_t axis = number[0], replicate, kind, size = before.shape[0]
    cdef const int64_t* totals = number + 1
    cdef const int64_t* sizes = number + 3
    cdef const int64_t* limits = number + 5
    cdef int64_t others = totals[1 - axis], n_first = sizes[1 - axis]
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef uint64_t state = 0
    cdef uint8_t* dealt = <uint8_t*>malloc(totals[0] + totals[1] + 16)
    cdef int64_t[2] start
    start[0] = 0
    start[1] = totals[0] + 8
    cdef uint32_t* below = <uint32_t*>malloc((others + 1) * sizeof(uint32_t))
    cdef int32_t* heights = <int32_t*>malloc(2 * (size + 1) * sizeof(int32_t))
    if dealt == NULL or below == NULL or heights == NULL:
        free(dealt)
        free(below)
        free(heights)
        raise MemoryError
    with nogil:
        for replicate in range(begin, end):
            for kind in range(2):
                state = deal(
                    stream_key(seed, replicate, <int>kind), totals[kind], sizes[kind],
                    limits[kind], dealt + start[kind],
                )
            set_heights(
                state, <const int32_t*>cnp.PyArray_DATA(before),
                <const uint8_t*>cnp.PyArray_DATA(tied), size, dealt + start[axis],
                dealt + start[1 - axis], others, below, heights, heights + size + 1,
            )
            out[replicate - begin] = area_between(
                <const int32_t*>cnp.PyArray_DATA(first), <const int32_t*>cnp.PyArray_DATA(second),
                <const double*>cnp.PyArray_DATA(widths), widths.shape[0], heights,
                heights + size + 1, <double>(others - n_first), <double>n_first,
            )
    free(dealt)
    free(below)
    free(heights)
