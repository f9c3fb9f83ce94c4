# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Several classes along one score, with rows that are there more than once, or weighted.

Rows come sorted by rising score: `ranked` holds the class of each, from 0 up, `starts` is 1 where
a score differs from the one before, and `held` says how often each row is there.
"""

from libc.stdint cimport int64_t, uint8_t

cimport numpy as cnp

cnp.import_array()

cdef enum:
    MOST = 256  # classes, since a class is one byte


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
