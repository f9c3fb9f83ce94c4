# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sign-flip sums, and distances of curves with swapped scores or relabeled cases."""

from libc.math cimport fabs
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

import numpy as np

from rocwise.kernels.compiled.draws cimport mix, multiply_high, stream_key

cdef uint64_t STEP = 0x9E3779B97F4A7C15


def coin_sums(const uint8_t[:, ::1] coins, const int64_t[::1] values):
    """Sum of the values whose coin, of eight in a byte, is set in each line."""
    cdef int64_t lines = coins.shape[0], n = values.shape[0], line, start, place, set_coins
    cdef int64_t[256] table  # sums of eight values for every byte
    sums = np.zeros(lines, np.int64)
    cdef int64_t[::1] out = sums
    with nogil:
        for start in range(0, n, 8):
            table[0] = 0
            for place in range(8):  # the highest bit is the first coin
                for set_coins in range(<int64_t>1 << place):
                    table[(<int64_t>1 << place) + set_coins] = table[set_coins] + (
                        values[start + 7 - place] if start + 7 - place < n else 0
                    )
            for line in range(lines):
                out[line] += table[coins[line, start >> 3]]
    return sums


cdef void unpack(const uint8_t* packed, int64_t number, uint8_t* coins) noexcept nogil:
    """A byte for each coin, from eight in a byte, the highest bit first; room for 7 more."""
    cdef int64_t place, bit
    cdef uint64_t eight
    for place in range(0, number, 8):
        # each copy of the byte keeps one bit, and is 1 where that is set
        eight = (packed[place >> 3] * <uint64_t>0x0101010101010101) & <uint64_t>0x0102040810204080
        eight = ((eight + <uint64_t>0x7F7F7F7F7F7F7F7F) >> 7) & <uint64_t>0x0101010101010101
        for bit in range(8):
            coins[place + bit] = <uint8_t>(eight >> (8 * bit))


def swapped_distances(
    const uint8_t[:, ::1] coins,
    const int32_t[::1] first,
    const int32_t[::1] second,
    const int8_t[::1] signs,
):
    """Sum over all thresholds of |difference in errors| of two models, for each row of sign flips."""
    cdef int64_t lines = coins.shape[0], n = signs.shape[0], line, rank, total, excess
    cdef int64_t placed, side, sides, turn
    cdef int8_t label, labels
    cdef int8_t[::1] taken = np.empty(3 * n + 4, np.int8)
    cdef uint8_t[::1] coin = np.empty(2 * n + 8, np.uint8)
    cdef const int8_t[::1] own_label = np.asarray(signs)[np.asarray(first)]
    cdef const int8_t[::1] other_label = np.asarray(signs)[np.asarray(second)]
    distances = np.empty(lines, np.int64)
    cdef int64_t[::1] out = distances
    with nogil:
        for line in range(lines):
            unpack(&coins[line, 0], 2 * n, &coin[0])
            placed = 0  # of the first model; the others are of the second
            for rank in range(n):
                turn = -<int64_t>coin[n + rank]
                side = coin[first[rank]]  # the first model's is kept there if not swapped
                sides = side ^ 1 ^ coin[second[rank]]
                labels = own_label[rank] ^ other_label[rank]
                side ^= sides & turn
                label = own_label[rank] ^ <int8_t>(labels & turn)
                taken[placed + ((n + 2 * (rank - placed)) & -side)] = label
                placed += 1 - side
                side ^= sides
                taken[placed + ((n + 2 * (rank - placed) + 1) & -side)] = label ^ labels
                placed += 1 - side
            total = excess = 0
            for rank in range(n):
                excess += taken[rank] - taken[n + rank]
                total += excess if excess > 0 else -excess
            out[line] = total
    return distances


cdef uint64_t choose(
    uint64_t key, int64_t total, int64_t size, int64_t limit, uint8_t* chosen
) noexcept nogil:
    """Mark `size` of `total` cases; the key with which to go on. `chosen` has room for 7 more."""
    cdef uint64_t state = key, word
    cdef int64_t start, place, marked = 0
    cdef uint8_t surplus
    for start in range(0, total, 8):
        state += STEP
        word = mix(state)
        for place in range(8):
            chosen[start + place] = <int64_t>((word >> (8 * place)) & 255) < limit
    for place in range(total):
        marked += chosen[place]
    surplus = marked > size
    while marked != size:
        state += STEP
        place = <int64_t>multiply_high(mix(state), <uint64_t>total)
        if chosen[place] == surplus:
            chosen[place] = 1 - surplus
            marked += 1 - 2 * surplus
    return state


def relabeled_areas(
    uint64_t seed,
    int64_t start,
    const int64_t[::1] numbers,
    const int32_t[::1] before,
    const uint8_t[::1] tied,
    const int32_t[::1] first,
    const int32_t[::1] second,
    const double[::1] widths,
    double[::1] out,
):
    """Area between two relabeled ROC curves, in cases of the other class, from replicate `start` on.

    `numbers` are the class of the axis, then the cases of the pool, those of the first sample and
    the limits of bytes, each of the negatives and of the positives.
    """
    cdef int64_t axis = numbers[0], size = before.shape[0], replicate, case, rank, n_chosen, segment
    cdef int64_t n_others = numbers[2 - axis], n_first = numbers[4 - axis]
    cdef double first_step = <double>(n_others - n_first), second_step = <double>n_first, area
    cdef uint64_t state = 0, word = 0
    cdef int32_t seen
    cdef int kind
    cdef uint8_t[:, ::1] chosen = np.empty((2, max(numbers[1], numbers[2]) + 8), np.uint8)
    cdef int32_t[::1] below = np.empty(n_others + 1, np.int32)
    cdef int32_t[:, ::1] heights = np.empty((2, size + 1), np.int32)
    with nogil:
        for replicate in range(out.shape[0]):
            for kind in range(2):
                state = choose(
                    stream_key(seed, start + replicate, kind), numbers[1 + kind],
                    numbers[3 + kind], numbers[5 + kind], &chosen[kind, 0],
                )
            seen = 0
            for case in range(n_others):
                below[case] = seen
                seen += chosen[1 - axis, case]
            below[n_others] = seen
            n_chosen = 0  # cases of the axis in the first sample
            for case in range(size):
                if case & 63 == 0:
                    state += STEP
                    word = mix(state)
                rank = before[case] + <int64_t>(word & tied[case])
                word >>= 1
                heights[0, n_chosen] = below[rank]
                heights[1, case - n_chosen] = <int32_t>rank - below[rank]
                n_chosen += chosen[axis, case]
            area = 0.0
            for segment in range(widths.shape[0]):
                area += widths[segment] * fabs(
                    first_step * heights[0, first[segment]]
                    - second_step * heights[1, second[segment]]
                )
            out[replicate] = area
