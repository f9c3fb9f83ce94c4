# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Scores of two models swapped within subjects, without ranking anew."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc

cimport numpy as cnp

cnp.import_array()


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
