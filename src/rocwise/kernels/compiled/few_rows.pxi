# Sorting the two classes of a few rows in one call; included by _sorting.pyx.

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
