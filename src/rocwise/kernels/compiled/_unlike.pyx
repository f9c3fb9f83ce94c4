# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Rows with weights, or in clusters: written down by falling score, and summed by class.

Sorted entries rise and what is made of them falls: entry number k is row number rows - 1 - k.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint8_t, uint64_t

cimport numpy as cnp

cnp.import_array()

include "keyed_entries.pxi"

ctypedef fused amount:
    int64_t
    double


cdef void _name_falling(
    const keyed* entries, int64_t start, int64_t stop, int64_t rows,
    uint8_t* positive, uint8_t* new_score, void* scores,
) noexcept nogil:
    cdef int64_t entry, row
    for entry in range(start, stop):
        row = rows - 1 - entry
        positive[row] = entries[entry].tag & 1
        new_score[row] = row == 0 or entries[entry].value != entries[entry + 1].value
        if keyed is Keyed64:
            (<double*>scores)[row] = entries[entry].value + 0.0
        else:
            (<float*>scores)[row] = entries[entry].value + <float>0.0


def name_falling(
    cnp.ndarray entries, int64_t start, int64_t stop, cnp.ndarray positive,
    cnp.ndarray new_score, cnp.ndarray scores,
):
    """Fill class, start mark and score of the rows of the sorted entries start..stop."""
    cdef void* data = cnp.PyArray_DATA(entries)
    cdef bint wide = cnp.PyArray_TYPE(entries) == cnp.NPY_DOUBLE
    cdef uint8_t* names = <uint8_t*>cnp.PyArray_DATA(positive)
    cdef uint8_t* marks = <uint8_t*>cnp.PyArray_DATA(new_score)
    cdef void* out = cnp.PyArray_DATA(scores)
    cdef int64_t rows = scores.shape[0]
    with nogil:
        if wide:
            _name_falling(<const Keyed64*>data, start, stop, rows, names, marks, out)
        else:
            _name_falling(<const Keyed32*>data, start, stop, rows, names, marks, out)


def take_falling(
    cnp.ndarray order, int64_t start, int64_t stop, cnp.ndarray column, cnp.ndarray taken
):
    """Copy numbers of eight bytes, of rows in rising order, to where the rows fall."""
    cdef const int64_t* places = <const int64_t*>cnp.PyArray_DATA(order)
    cdef const uint64_t* given = <const uint64_t*>cnp.PyArray_DATA(column)
    cdef uint64_t* out = <uint64_t*>cnp.PyArray_DATA(taken)
    cdef int64_t entry, last = order.shape[0] - 1
    with nogil:
        for entry in range(start, stop):
            out[last - entry] = given[places[entry]]


def by_class(
    cnp.ndarray positive, cnp.ndarray amounts, int64_t start, int64_t stop,
    cnp.ndarray pos, cnp.ndarray neg,
):
    """Copy numbers of eight bytes to the column of their class; 0 has no bits in the other."""
    cdef const uint8_t* own = <const uint8_t*>cnp.PyArray_DATA(positive)
    cdef const uint64_t* given = <const uint64_t*>cnp.PyArray_DATA(amounts)
    cdef uint64_t* of_positives = <uint64_t*>cnp.PyArray_DATA(pos)
    cdef uint64_t* of_negatives = <uint64_t*>cnp.PyArray_DATA(neg)
    cdef uint64_t bits
    cdef int64_t row
    with nogil:
        for row in range(start, stop):
            bits = <uint64_t>own[row]
            of_positives[row] = given[row] & (0 - bits)
            of_negatives[row] = given[row] & (bits - 1)


cdef void _influences(
    const amount* sums, const amount* amounts, int64_t rows, double total, double area,
    double noise, bint beyond, double* influences,
) noexcept nogil:
    cdef int64_t row
    cdef double moved
    for row in range(rows):
        if beyond:
            moved = total - <double>sums[row] + <double>amounts[row] / 2
        else:
            moved = <double>sums[row] - <double>amounts[row] / 2
        moved = moved / total - area
        influences[row] = moved if fabs(moved) > noise else 0.0


def whole_influences(
    cnp.ndarray sums, cnp.ndarray amounts, double total, double area, double noise, bint beyond,
    cnp.ndarray influences,
):
    """Fill the influence of a case at each score, by the sum up to it of the other class."""
    cdef void* upto = cnp.PyArray_DATA(sums)
    cdef void* own = cnp.PyArray_DATA(amounts)
    cdef double* out = <double*>cnp.PyArray_DATA(influences)
    cdef bint wide = cnp.PyArray_TYPE(sums) == cnp.NPY_DOUBLE
    cdef int64_t rows = sums.shape[0]
    with nogil:
        if wide:
            _influences(
                <const double*>upto, <const double*>own, rows, total, area, noise, beyond, out
            )
        else:
            _influences(
                <const int64_t*>upto, <const int64_t*>own, rows, total, area, noise, beyond, out
            )


def number_in_order(cnp.ndarray codes, cnp.ndarray rank, cnp.ndarray numbers):
    """Fill the number of each code, in the order of their first rows; rank is -1 everywhere.

    Answers with the row from which on all codes have a rank: the others are still to be filled.
    Minus one if a code is beyond the table of ranks.
    """
    cdef const int64_t* given = <const int64_t*>cnp.PyArray_DATA(codes)
    cdef int64_t* known = <int64_t*>cnp.PyArray_DATA(rank)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(numbers)
    cdef int64_t row = 0, rows = codes.shape[0], found = 0, room = rank.shape[0]
    with nogil:
        while row < rows and found < room:
            if <uint64_t>given[row] >= <uint64_t>room:
                row = -1
                break
            if known[given[row]] < 0:
                known[given[row]] = found
                found += 1
            out[row] = known[given[row]]
            row += 1
    return row


def cluster_members(
    cnp.ndarray positive, cnp.ndarray clusters, int64_t start, int64_t stop, cnp.ndarray counts
):
    """Count the rows start..stop: negatives of each cluster, then positives.

    True if clusters are beyond the counts, which are left out.
    """
    cdef const uint8_t* own = <const uint8_t*>cnp.PyArray_DATA(positive)
    cdef const int64_t* members = <const int64_t*>cnp.PyArray_DATA(clusters)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(counts)
    cdef int64_t row, n_clusters = counts.shape[1]
    cdef bint beyond = False
    with nogil:
        for row in range(start, stop):
            if <uint64_t>members[row] >= <uint64_t>n_clusters:
                beyond = True
                continue
            out[n_clusters * own[row] + members[row]] += 1
    return beyond


cdef bint _cluster_sums(
    const uint8_t* own, const int64_t* starts, int64_t n_scores, int64_t score,
    const int64_t* clusters, int64_t n_clusters, const double* held, double** moved,
    int64_t start, int64_t stop, double* sums,
) noexcept nogil:
    cdef int64_t row
    cdef double share
    cdef bint beyond = False
    for row in range(start, stop):
        while score + 1 < n_scores and starts[score + 1] <= row:
            score += 1
        if <uint64_t>clusters[row] >= <uint64_t>n_clusters:
            beyond = True
            continue
        share = moved[own[row]][score]
        if held != NULL:
            share = held[row] * share
        sums[n_clusters * own[row] + clusters[row]] += share
    return beyond


def cluster_sums(
    cnp.ndarray positive, cnp.ndarray starts, int64_t score, cnp.ndarray clusters, held,
    cnp.ndarray of_negatives, cnp.ndarray of_positives, int64_t start, int64_t stop,
    cnp.ndarray sums,
):
    """Add what the rows start..stop move to the sums of their clusters; `score` is the first's.

    True if clusters are beyond the sums, which are left out.
    """
    cdef const uint8_t* own = <const uint8_t*>cnp.PyArray_DATA(positive)
    cdef const int64_t* firsts = <const int64_t*>cnp.PyArray_DATA(starts)
    cdef const int64_t* members = <const int64_t*>cnp.PyArray_DATA(clusters)
    cdef const double* amounts = NULL
    cdef double* moved[2]
    cdef double* out = <double*>cnp.PyArray_DATA(sums)
    cdef int64_t n_scores = starts.shape[0], n_clusters = sums.shape[1]
    cdef bint beyond
    moved[0] = <double*>cnp.PyArray_DATA(of_negatives)
    moved[1] = <double*>cnp.PyArray_DATA(of_positives)
    if held is not None:
        amounts = <const double*>cnp.PyArray_DATA(<cnp.ndarray>held)
    with nogil:
        beyond = _cluster_sums(
            own, firsts, n_scores, score, members, n_clusters, amounts, moved, start, stop, out
        )
    return beyond
