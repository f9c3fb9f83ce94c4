# Sorting the two classes of a few rows in one call; included by _sorting.pyx.

from libc.stdint cimport int8_t, int32_t
from libc.string cimport memcpy

from rocwise.kernels.placement_sums import PlacementSums

cdef object new_tuple = tuple.__new__

cdef int64_t _sort_few(
    const uint8_t* mask, const score* scores, score* target, int64_t size
) noexcept nogil:
    cdef int64_t row, low = 0, high = size
    cdef int64_t[3] bounds
    cdef score value
    cdef bint missing = False
    cdef Mapping mapping = mapping_between(0.0, 1.0, 1, False)
    for row in range(size):
        value = scores[row]  # read once: another thread may be writing there
        missing |= value != value
        if mask[row]:
            high -= 1
            target[high] = value + <score>0.0
        else:
            target[low] = value + <score>0.0
            low += 1
    bounds[0] = 0
    bounds[1] = low
    bounds[2] = size
    if missing:
        return -1
    return -2 if _sort_buckets(target, &mapping, 1, bounds, 0, 2) else low


def sort_few(cnp.ndarray mask, cnp.ndarray scores, cnp.ndarray target):
    """Fill target with the sorted negatives, then the sorted positives, of a few rows.

    The number of negatives, or -1 if a score is nan.
    """
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef void* out = cnp.PyArray_DATA(target)
    cdef int64_t found, size = scores.shape[0]
    if cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE:
        found = _sort_few(classes, <const double*>data, <double*>out, size)
    else:
        found = _sort_few(classes, <const float*>data, <float*>out, size)
    if found == -2:
        raise MemoryError
    return found


cdef enum:
    FEW_ROWS = 1024  # of more rows the sort takes longer than the calls around it

ctypedef fused few_label:
    int8_t
    uint8_t
    int32_t
    int64_t
    double

ctypedef struct FewSums:
    int64_t u
    int64_t u2
    int64_t v
    int64_t v2
    int64_t ties


cdef int64_t _mark(const few_label* labels, int64_t size, uint8_t* mask) noexcept nogil:
    """Mark the rows labelled 1, and count them; -1 if a label is neither 0 nor 1."""
    cdef int64_t row, n_pos = 0
    cdef few_label label
    cdef bint others = False
    for row in range(size):
        label = labels[row]
        mask[row] = label == 1
        n_pos += mask[row]
        others |= (label != 1) & (label != 0)
    return -1 if others else n_pos


cdef int64_t _mark_any(cnp.ndarray labels, int64_t size, uint8_t* mask) noexcept:
    cdef const void* data = cnp.PyArray_DATA(labels)
    cdef int kind = cnp.PyArray_TYPE(labels)
    if kind == cnp.NPY_INT64:
        return _mark(<const int64_t*>data, size, mask)
    if kind == cnp.NPY_BOOL or kind == cnp.NPY_UINT8:
        return _mark(<const uint8_t*>data, size, mask)
    if kind == cnp.NPY_INT32:
        return _mark(<const int32_t*>data, size, mask)
    if kind == cnp.NPY_INT8:
        return _mark(<const int8_t*>data, size, mask)
    if kind == cnp.NPY_DOUBLE:
        return _mark(<const double*>data, size, mask)
    return -1


cdef FewSums _few_sums(
    const score* neg, int64_t n_neg, const score* pos, int64_t n_pos
) noexcept nogil:
    """The sums of `merge_block` in one walk, which is all that so few rows are worth."""
    cdef FewSums sums
    cdef int64_t i = 0, j = 0, p, q, u, v, less
    cdef score shared
    sums.u = sums.u2 = sums.v = sums.v2 = sums.ties = 0
    while i < n_neg and j < n_pos:
        shared = neg[i]
        if shared == pos[j]:
            p = q = 0
            while i + q < n_neg and neg[i + q] == shared:
                q += 1
            while j + p < n_pos and pos[j + p] == shared:
                p += 1
            u = 2 * i + q
            v = 2 * j + p
            i += q
            j += p
            sums.ties += p * q
        else:  # no branch on which is smaller: it would be guessed wrongly half of the time
            less = shared < pos[j]
            q = less
            p = 1 - less
            u = 2 * i
            v = 2 * j
            i += q
            j += p
        sums.u += p * u
        sums.u2 += p * u * u
        sums.v += q * v
        sums.v2 += q * v * v
    p = n_pos - j
    q = n_neg - i
    sums.u += 2 * p * n_neg
    sums.u2 += 4 * p * n_neg * n_neg
    sums.v += 2 * q * n_pos
    sums.v2 += 4 * q * n_pos * n_pos
    return sums


cdef cnp.ndarray _held(const void* values, int64_t size, int kind):
    """A copy of sorted scores as an array that nobody can write to."""
    cdef cnp.npy_intp length = size
    cdef cnp.ndarray made = cnp.PyArray_SimpleNew(1, &length, kind)
    memcpy(cnp.PyArray_DATA(made), values, size * (8 if kind == cnp.NPY_DOUBLE else 4))
    cnp.PyArray_CLEARFLAGS(made, cnp.NPY_ARRAY_WRITEABLE)
    return made


cdef tuple _few_classes(cnp.ndarray labels, cnp.ndarray scores, score zero):
    cdef uint8_t[FEW_ROWS] mask
    cdef score[FEW_ROWS] target
    cdef int64_t n_neg, size = scores.shape[0], n_pos = _mark_any(labels, size, mask)
    cdef int kind = cnp.PyArray_TYPE(scores)
    cdef FewSums sums
    if n_pos <= 0 or n_pos == size:
        return None
    n_neg = _sort_few(mask, <const score*>cnp.PyArray_DATA(scores), target, size)
    if n_neg < 0:
        return None
    sums = _few_sums(target, n_neg, target + n_neg, n_pos)
    return (
        _held(target, n_neg, kind),
        _held(target + n_neg, n_pos, kind),
        new_tuple(
            PlacementSums,
            (n_pos, n_neg, sums.u, sums.u2, sums.v, sums.v2, sums.ties),
        ),
    )


def few_rows(labels, scores):
    """Sorted negatives and positives, and their placement sums, of a few plain rows.

    None for all that is not plain: it is for the others to read, to explain or to refuse.
    """
    cdef cnp.ndarray given, values
    cdef int kind
    if not (cnp.PyArray_CheckExact(labels) and cnp.PyArray_CheckExact(scores)):
        return None
    given, values = labels, scores
    if given.ndim != 1 or values.ndim != 1 or given.shape[0] != values.shape[0]:
        return None
    if values.shape[0] > FEW_ROWS or not cnp.PyArray_ISCARRAY_RO(given):
        return None
    if not cnp.PyArray_ISCARRAY_RO(values):
        return None
    kind = cnp.PyArray_TYPE(values)
    if kind == cnp.NPY_DOUBLE:
        return _few_classes(given, values, <double>0)
    return _few_classes(given, values, <float>0) if kind == cnp.NPY_FLOAT else None
