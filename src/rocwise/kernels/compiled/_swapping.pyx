# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Scores of two models swapped within subjects, or cases of two samples dealt out anew.

Neither ranks anything anew. Which cases go to the first sample is decided by a word for each: the
smallest ones do, as many of either class as there were; the limit is found by counting words.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"

cdef enum:
    BUCKETS = 512
    SHIFT = 55


def swapped_gaps(
    cnp.ndarray coins, cnp.ndarray first, cnp.ndarray second, cnp.ndarray signs, cnp.ndarray result
):
    """Sum over all cuts of |difference in errors| of two models, for each line of coins.

    Rank v is held by subject first[v] under one model and second[v] under the other. Of each line
    of coins the first half says who is swapped, the second half who of the two comes first.
    """
    cdef const uint8_t* coin = <const uint8_t*>cnp.PyArray_DATA(coins)
    cdef const int32_t* own = <const int32_t*>cnp.PyArray_DATA(first)
    cdef const int32_t* other = <const int32_t*>cnp.PyArray_DATA(second)
    cdef const int8_t* sign = <const int8_t*>cnp.PyArray_DATA(signs)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t lines = coins.shape[0], n = signs.shape[0], line, rank, a, b, total, excess
    cdef int64_t[2] held
    cdef int64_t[2] side
    cdef int8_t[2] label
    cdef int8_t* taken = <int8_t*>malloc(2 * (n + 2))
    if taken == NULL:
        raise MemoryError
    with nogil:
        for line in range(lines):
            held[0] = held[1] = 0
            for rank in range(n):
                a = own[rank]
                b = other[rank]
                # place 0 is the one of the first model, who is kept there if not swapped
                excess = coin[n + rank]
                label[excess] = sign[a]
                side[excess] = coin[a]
                label[1 - excess] = sign[b]
                side[1 - excess] = 1 - coin[b]
                taken[side[0] * (n + 2) + held[side[0]]] = label[0]
                held[side[0]] += 1
                taken[side[1] * (n + 2) + held[side[1]]] = label[1]
                held[side[1]] += 1
            total = excess = 0
            for rank in range(n):
                excess += taken[rank] - taken[n + 2 + rank]
                total += excess if excess > 0 else -excess
            out[line] = total
            coin += 2 * n
    free(taken)

cdef void put_in_place(uint64_t* words, int64_t size, int64_t place) noexcept nogil:
    """Move the word that belongs there in order to a place, larger ones behind it (quickselect)."""
    cdef int64_t low = 0, high = size - 1, left, right
    cdef uint64_t pivot, word
    while low < high:
        pivot = words[(low + high) // 2]
        left = low
        right = high
        while left <= right:
            while words[left] < pivot:
                left += 1
            while words[right] > pivot:
                right -= 1
            if left <= right:
                word = words[left]
                words[left] = words[right]
                words[right] = word
                left += 1
                right -= 1
        if place <= right:
            high = right
        elif place >= left:
            low = left
        else:
            return


cdef void find_limits(
    uint64_t key, const uint8_t* labels, int64_t n, const int64_t* wanted, int64_t* seen,
    uint64_t* near, uint64_t* limits,
) noexcept nogil:
    """The largest word of those that go to the first sample, for either class."""
    cdef int64_t j, label, left
    cdef uint64_t state = key, word
    cdef int64_t[2] bucket
    cdef int64_t[2] rest
    cdef int64_t[2] size
    memset(seen, 0, 2 * BUCKETS * sizeof(int64_t))
    for j in range(n):
        state += STEP
        seen[labels[j] * BUCKETS + <int64_t>(mix(state) >> SHIFT)] += 1
    for label in range(2):
        left = wanted[label] - 1
        j = 0
        while left >= seen[label * BUCKETS + j]:
            left -= seen[label * BUCKETS + j]
            j += 1
        bucket[label] = j
        rest[label] = left
    size[0] = size[1] = 0
    state = key
    for j in range(n):
        state += STEP
        word = mix(state)
        label = labels[j]
        near[label * (n + 1) + size[label]] = word
        size[label] += <int64_t>(word >> SHIFT) == bucket[label]
    for label in range(2):
        put_in_place(near + label * (n + 1), size[label], rest[label])
        limits[label] = near[label * (n + 1) + rest[label]]


cdef void add_up(
    int8_t* slopes, int64_t size, const double* lengths, double* ends
) noexcept nogil:
    """Where the case ends along its curve; beyond the last one the curve keeps its slope."""
    cdef int64_t case
    cdef double reached = 0.0
    for case in range(size):
        reached += lengths[slopes[case] > 0]
        ends[case] = reached
    ends[size] = INFINITY
    slopes[size] = slopes[size - 1]


cdef double area_between(
    const double* first, const int8_t* own, int64_t n_first, const double* second,
    const int8_t* other, int64_t n_second,
) noexcept nogil:
    """Integral of the absolute difference of two shares of errors, given by ends and slopes."""
    cdef int64_t a = 0, b = 0, step
    cdef bint takes
    cdef double end, before = 0.0, width, rise, left, right = 0.0, height, total = 0.0
    for step in range(n_first + n_second):
        takes = first[a] <= second[b]
        end = second[b] if second[b] < first[a] else first[a]
        width = end - before
        rise = <double>(own[a] - other[b]) * width
        right += rise
        left = right - rise
        height = fabs(left) + fabs(right)
        if left * right < 0.0:
            height = (left * left + right * right) / height
        total += height * width
        before = end
        a += takes
        b += 1 - takes
    return total / 2.0


def dealt_gaps(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray labels, cnp.ndarray tied,
    cnp.ndarray sizes, cnp.ndarray lengths, cnp.ndarray result,
):
    """Gap of two curves whose cases are dealt out anew within classes, for each replicate.

    `labels` are those of the pool from the lowest case up; where `tied`, a case changes places
    with the one before it half of the time. `sizes` are the negatives and positives of the first
    sample, `lengths` what a negative and a positive add along either curve.
    """
    cdef const uint8_t* label = <const uint8_t*>cnp.PyArray_DATA(labels)
    cdef const uint8_t* tie = <const uint8_t*>cnp.PyArray_DATA(tied)
    cdef const int64_t* wanted = <const int64_t*>cnp.PyArray_DATA(sizes)
    cdef const double* length = <const double*>cnp.PyArray_DATA(lengths)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t n = labels.shape[0], replicate, j, case, side, kind, follows
    cdef uint64_t key, coins, word
    cdef uint64_t[2] limits
    cdef int64_t[2] held
    cdef int64_t* seen = <int64_t*>malloc(2 * BUCKETS * sizeof(int64_t))
    cdef uint64_t* near = <uint64_t*>malloc(2 * (n + 1) * sizeof(uint64_t))
    cdef double* ends = <double*>malloc(2 * (n + 1) * sizeof(double))
    cdef int8_t* slopes = <int8_t*>malloc(2 * (n + 1))
    if seen == NULL or near == NULL or ends == NULL or slopes == NULL:
        free(seen)
        free(near)
        free(ends)
        free(slopes)
        raise MemoryError
    with nogil:
        for replicate in range(first, last):
            key = stream_key(seed, replicate, NEGATIVE)
            coins = stream_key(seed, replicate, POSITIVE)
            find_limits(key, label, n, wanted, seen, near, limits)
            held[0] = held[1] = 0
            for j in range(n):
                # of two tied cases both look at the coin of the second
                follows = tie[j + 1] if j + 1 < n else 0
                case = mix(coins + <uint64_t>(j + 1 + follows) * STEP) & (follows | tie[j])
                case = j + case * (2 * follows - 1)
                kind = label[case]
                side = mix(key + <uint64_t>(case + 1) * STEP) > limits[kind]
                slopes[side * (n + 1) + held[side]] = 2 * kind - 1
                held[side] += 1
            for side in range(2):
                add_up(slopes + side * (n + 1), held[side], length + 2 * side, ends + side * (n + 1))
            out[replicate - first] = area_between(
                ends, slopes, held[0], ends + n + 1, slopes + n + 1, held[1]
            )
    free(seen)
    free(near)
    free(ends)
    free(slopes)
