# Points of the smooth ROC curve, both columns at once or each by itself; included by
# `_smoothing.pyx`.


cdef void _points(
    const double* scores, const amount* pos, const amount* neg, int64_t rows, double midpoint,
    bint cumulated, double* x, double* y,
) noexcept nogil:
    cdef int64_t k
    cdef amount pos_before = 0, neg_before = 0
    cdef double p, n, of_positives, of_negatives, right = 0.0, up = 0.0
    for k in range(rows):
        p = <double>(pos[k] - pos_before)
        n = <double>(neg[k] - neg_before)
        if cumulated:
            pos_before = pos[k]
            neg_before = neg[k]
        of_positives = scores[k] if scores[k] >= midpoint else 1.0 - scores[k]
        of_negatives = 1.0 - scores[k] if scores[k] >= midpoint else scores[k]
        right += p * of_negatives + n * of_positives
        up += p * of_positives + n * of_negatives
        x[k] = right
        y[k] = up


cdef void _one_column(
    const double* scores, const amount* pos, const amount* neg, int64_t rows, double midpoint,
    bint cumulated, bint upward, double* out,
) noexcept nogil:
    """Half of the same, for each of two threads."""
    cdef int64_t k
    cdef amount pos_before = 0, neg_before = 0
    cdef double p, n, of_positives, of_negatives, moved = 0.0
    for k in range(rows):
        p = <double>(pos[k] - pos_before)
        n = <double>(neg[k] - neg_before)
        if cumulated:
            pos_before = pos[k]
            neg_before = neg[k]
        of_positives = scores[k] if (scores[k] >= midpoint) == upward else 1.0 - scores[k]
        of_negatives = 1.0 - scores[k] if (scores[k] >= midpoint) == upward else scores[k]
        moved += p * of_positives + n * of_negatives
        out[k] = moved


cdef void _fill(
    const double* scores, const amount* pos, const amount* neg, int64_t rows, double midpoint,
    bint cumulated, double* x, double* y,
) noexcept nogil:
    if x != NULL and y != NULL:
        _points(scores, pos, neg, rows, midpoint, cumulated, x, y)
    elif y != NULL:
        _one_column(scores, pos, neg, rows, midpoint, cumulated, True, y)
    else:
        _one_column(scores, pos, neg, rows, midpoint, cumulated, False, x)


def points(
    cnp.ndarray scores, cnp.ndarray pos, cnp.ndarray neg, double midpoint, bint cumulated,
    object x, object y,
):
    """Fill how far the curve has come to the right and up after each distinct score (1.7).

    `pos` and `neg` are both int64, or both float64: the cases of each score, or `cumulated` those
    from the first one on. One of the columns may be None.
    """
    cdef const double* at = <const double*>cnp.PyArray_DATA(scores)
    cdef void* hits = cnp.PyArray_DATA(pos)
    cdef void* misses = cnp.PyArray_DATA(neg)
    cdef double* right = NULL if x is None else <double*>cnp.PyArray_DATA(x)
    cdef double* up = NULL if y is None else <double*>cnp.PyArray_DATA(y)
    cdef int64_t rows = scores.shape[0]
    cdef bint whole = cnp.PyArray_TYPE(pos) == cnp.NPY_INT64
    with nogil:
        if whole:
            _fill(
                at, <const int64_t*>hits, <const int64_t*>misses, rows, midpoint, cumulated, right,
                up,
            )
        else:
            _fill(
                at, <const double*>hits, <const double*>misses, rows, midpoint, cumulated, right, up
            )
