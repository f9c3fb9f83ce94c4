# Orders and placements of rows, which go with their scores from bucket to bucket; included by
# _sorting.pyx. `compiled.sorting` calls them.

cdef bint _spread_keyed(
    const uint8_t* mask, const score* scores, Mapping mapping,
    int64_t start, int64_t stop, int64_t* next_place, keyed* target, int64_t room,
) noexcept nogil:
    cdef int64_t row, slot, place
    cdef score value
    cdef bint missing = False
    cdef keyed entry
    for row in range(start, stop):
        value = scores[row]  # read once, and never written beyond the target: see `_spread`
        missing |= value != value
        slot = bucket_of(&mapping, value)
        if keyed is Keyed64:
            entry.value = value
            entry.tag = 2 * row + (mask[row] != 0)
        else:
            entry.value = <float>value
            entry.tag = <uint32_t>(2 * row + (mask[row] != 0))
        place = next_place[slot]
        next_place[slot] = place + 1
        if place >= room:
            break
        target[place] = entry
        prefetch_write(target + place + LINE // sizeof(keyed))
    return missing


def spread_keyed(
    cnp.ndarray mask, cnp.ndarray scores, Plan plan, int64_t start, int64_t stop,
    cnp.ndarray next_place, cnp.ndarray target,
):
    """Copy value, row and class of the rows start..stop to their bucket in target.

    Entries of target are 16 bytes for float64 scores and 8 bytes for float32 scores. The answer
    is that of `spread`.
    """
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef void* out = cnp.PyArray_DATA(target)
    cdef int64_t* places = <int64_t*>cnp.PyArray_DATA(next_place)
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef Mapping mapping = plan.mapping
    cdef int64_t room = target.shape[0] // 2
    cdef bint missing
    with nogil:
        if wide:
            missing = _spread_keyed(
                classes, <const double*>data, mapping, start, stop, places, <Keyed64*>out, room
            )
        else:
            missing = _spread_keyed(
                classes, <const float*>data, mapping, start, stop, places, <Keyed32*>out, room
            )
    return missing


cdef int _order_buckets(
    keyed* entries, const Mapping* mapping, int64_t buckets, const int64_t* bounds, int64_t first, int64_t last, int64_t* order
) noexcept nogil:
    cdef int64_t row
    if _sort_buckets(entries, mapping, buckets, bounds, first, last):
        return -1
    for row in range(bounds[first], bounds[last]):
        order[row] = entries[row].tag >> 1
    return 0


def order_buckets(
    cnp.ndarray entries, Plan plan, cnp.ndarray bounds, int64_t first, int64_t last,
    cnp.ndarray order,
):
    """Sort the buckets first..last of keyed entries and write their rows to order."""
    cdef void* data = cnp.PyArray_DATA(entries)
    cdef bint wide = cnp.PyArray_TYPE(entries) == cnp.NPY_DOUBLE
    cdef const int64_t* cuts = <const int64_t*>cnp.PyArray_DATA(bounds)
    cdef int64_t* rows = <int64_t*>cnp.PyArray_DATA(order)
    cdef Mapping mapping = plan.mapping
    cdef int64_t buckets = plan.buckets
    cdef int failed
    with nogil:
        if wide:
            failed = _order_buckets(<Keyed64*>data, &mapping, buckets, cuts, first, last, rows)
        else:
            failed = _order_buckets(<Keyed32*>data, &mapping, buckets, cuts, first, last, rows)
    if failed:
        raise MemoryError


cdef int _place_buckets(
    keyed* entries, const Mapping* mapping, int64_t buckets, const int64_t* bounds, int64_t first, int64_t last, int64_t pos_below,
    int64_t* placements,
) noexcept nogil:
    cdef int64_t row = bounds[first], stop, end = bounds[last]
    cdef int64_t neg_below = row - pos_below, p, q, place
    cdef int64_t[2] other
    if _sort_buckets(entries, mapping, buckets, bounds, first, last):
        return -1
    while row < end:
        stop = row + 1  # a row that equals nothing, not even itself, is a group of its own
        p = entries[row].tag & 1
        while stop < end and entries[stop].value == entries[row].value:
            p += entries[stop].tag & 1
            stop += 1
        q = stop - row - p
        other[0] = 2 * pos_below + p
        other[1] = 2 * neg_below + q
        for place in range(row, stop):
            if place + AHEAD < end:  # rows come in any order: say soon where the next ones are
                prefetch_write(placements + (entries[place + AHEAD].tag >> 1))
            placements[entries[place].tag >> 1] = other[entries[place].tag & 1]
        pos_below += p
        neg_below += q
        row = stop
    return 0


def place_buckets(
    cnp.ndarray entries, Plan plan, cnp.ndarray bounds, int64_t first, int64_t last,
    int64_t pos_below, cnp.ndarray placements,
):
    """Sort the buckets first..last of keyed entries and write the placements of their rows."""
    cdef void* data = cnp.PyArray_DATA(entries)
    cdef bint wide = cnp.PyArray_TYPE(entries) == cnp.NPY_DOUBLE
    cdef const int64_t* cuts = <const int64_t*>cnp.PyArray_DATA(bounds)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(placements)
    cdef Mapping mapping = plan.mapping
    cdef int64_t buckets = plan.buckets
    cdef int failed
    with nogil:
        if wide:
            failed = _place_buckets(<Keyed64*>data, &mapping, buckets, cuts, first, last, pos_below, out)
        else:
            failed = _place_buckets(<Keyed32*>data, &mapping, buckets, cuts, first, last, pos_below, out)
    if failed:
        raise MemoryError
