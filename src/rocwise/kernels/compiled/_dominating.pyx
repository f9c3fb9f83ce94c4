# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Counting pairs of rows that are ordered the same way by two markers."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

cimport numpy as cnp

cnp.import_array()


cdef inline int64_t held_below(const int32_t* tree, int32_t place) noexcept nogil:
    """Rows in the tree at the places 0 .. place - 1."""
    cdef int64_t total = 0
    while place > 0:
        total += tree[place]
        place &= place - 1
    return total


cdef inline void hold(int32_t* tree, int32_t size, int32_t place) noexcept nogil:
    place += 1
    while place <= size:
        tree[place] += 1
        place += place & -place


def count_below(
    cnp.ndarray places, cnp.ndarray taken, cnp.ndarray lower, cnp.ndarray upper
):
    """Sum over queries of the first taken[q] places that are below lower[q], and below upper[q].

    `places` is a permutation of 0..n-1 and `taken` ascends: a Fenwick tree takes in the places
    one by one and answers each query when its turn comes.
    """
    cdef const int32_t* place = <const int32_t*>cnp.PyArray_DATA(places)
    cdef const int32_t* until = <const int32_t*>cnp.PyArray_DATA(taken)
    cdef const int32_t* low = <const int32_t*>cnp.PyArray_DATA(lower)
    cdef const int32_t* high = <const int32_t*>cnp.PyArray_DATA(upper)
    cdef int32_t size = <int32_t>places.shape[0], held = 0
    cdef int64_t query, queries = taken.shape[0], total = 0, below
    cdef int32_t* tree = <int32_t*>calloc(size + 1, sizeof(int32_t))
    if tree == NULL:
        raise MemoryError
    with nogil:
        for query in range(queries):
            while held < until[query]:
                hold(tree, size, place[held])
                held += 1
            below = held_below(tree, low[query])
            total += below
            total += below if low[query] == high[query] else held_below(tree, high[query])
    free(tree)
    return total
