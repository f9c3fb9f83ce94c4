# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Counting pairs of rows that two markers order alike, with a Fenwick tree."""

from libc.stdint cimport int32_t, int64_t

import numpy as np


def count_below(
    const int32_t[::1] ranks,
    const int32_t[::1] taken,
    const int32_t[::1] lower,
    const int32_t[::1] upper,
):
    """Sum over queries q of the first taken[q] ranks below lower[q], and of those below upper[q].

    `ranks` is a permutation of 0..n-1 and `taken` ascends: ranks enter the tree one by one.
    """
    cdef int64_t n = ranks.shape[0], queries = taken.shape[0]
    cdef int32_t[::1] tree = np.zeros(n + 1, np.int32)
    cdef int64_t query, entered = 0, node, total = 0
    with nogil:
        for query in range(queries):
            while entered < taken[query]:
                node = ranks[entered] + 1
                while node <= n:
                    tree[node] += 1
                    node += node & -node
                entered += 1
            node = lower[query]
            while node > 0:
                total += tree[node]
                node &= node - 1
            node = upper[query]
            while node > 0:
                total += tree[node]
                node &= node - 1
    return total
