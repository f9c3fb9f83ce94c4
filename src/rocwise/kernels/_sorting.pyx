# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Stable sorting by interpolation: rows go to the bucket where their value should lie.

A first pass (see `compiled_sorting`) spreads all rows over buckets of about a thousand, so that
each is then sorted inside the processor's nearest memory. A bucket is spread again in the same
way; the few rows that then share a place are put in order by insertion. Places come from the
value by a straight line, or from the bits of the value where a line would crowd the rows (scores
over many powers of ten). Whatever resists both goes to a merge sort, which bounds the worst case.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

cimport numpy as cnp

import numpy as np

cnp.import_array()

cdef extern from "<float.h>" nogil:
    const double DBL_MAX

cdef enum:
    FEW = 16            # rows that insertion sorts faster than anything else
    MOST_BUCKETS = 65536
    DEEPEST = 6         # spreadings before the merge sort takes over
    SAMPLE = 512

ctypedef struct Keyed64:
    double value
    int64_t tag

ctypedef struct Keyed32:
    float value
    uint32_t tag

ctypedef fused item:
    double
    float
    Keyed64
    Keyed32

ctypedef fused keyed:
    Keyed64
    Keyed32

ctypedef fused score:
    double
    float

ctypedef struct Mapping:
    bint by_bits
    double low
    double scale
    double top
    uint64_t low_key
    uint64_t top_key
    int shift


cdef inline double value_of(const item* entry) noexcept nogil:
    if item is double or item is float:
        return entry[0]
    else:
        return entry[0].value


cdef inline uint64_t key_of(double value) noexcept nogil:
    """Bits of the value as an integer in the same order as the values."""
    cdef uint64_t bits
    value += 0.0  # -0.0 and 0.0 share a key
    memcpy(&bits, &value, 8)
    return ~bits if bits >> 63 else bits | (<uint64_t>1 << 63)


cdef inline int64_t bucket_of(const Mapping* mapping, double value) noexcept nogil:
    cdef double place
    cdef uint64_t key
    if mapping.by_bits:
        key = key_of(value)
        if key < mapping.low_key:
            return 0
        key = (key - mapping.low_key) >> mapping.shift
        return <int64_t>(key if key < mapping.top_key else mapping.top_key)
    # rounding keeps the order, and infinities end up in the outer buckets
    place = (value - mapping.low) * mapping.scale
    place = place if place > 0.0 else 0.0
    place = place if place < mapping.top else mapping.top
    return <int64_t>place


cdef Mapping mapping_between(double low, double high, int64_t buckets, bint by_bits) noexcept nogil:
    """Mapping of low..high onto the buckets; by bits where a line would overflow."""
    cdef Mapping mapping
    cdef double width = high - low
    cdef uint64_t span
    mapping.low = low
    mapping.top = <double>(buckets - 1)
    mapping.scale = <double>buckets / width if width > 0.0 else 0.0
    mapping.by_bits = by_bits or not (0.0 < mapping.scale <= DBL_MAX)
    mapping.low_key = key_of(low)
    mapping.top_key = <uint64_t>(buckets - 1)
    mapping.shift = 0
    span = key_of(high) - mapping.low_key
    while mapping.shift < 63 and (span >> mapping.shift) >= <uint64_t>buckets:
        mapping.shift += 1
    return mapping


cdef void insert_sorted(const item* source, item* target, int64_t size) noexcept nogil:
    """Insertion sort from source to target (which may be the same place)."""
    cdef int64_t row, place
    cdef item entry
    cdef double value
    for row in range(size):
        entry = source[row]
        value = value_of(&entry)
        place = row
        while place > 0 and value_of(&target[place - 1]) > value:
            target[place] = target[place - 1]
            place -= 1
        target[place] = entry


cdef void merge_sort(item* entries, item* scratch, int64_t size) noexcept nogil:
    """Bottom-up stable merge sort: the guaranteed way out."""
    cdef int64_t width, start, middle, stop, left, right, place
    stop = 0
    while stop < size:
        start = stop
        stop = min(start + FEW, size)
        insert_sorted(entries + start, entries + start, stop - start)
    width = FEW
    while width < size:
        stop = 0
        while stop < size:
            start = stop
            middle = min(start + width, size)
            stop = min(start + 2 * width, size)
            left = start
            right = middle
            for place in range(start, stop):
                if left < middle and (
                    right >= stop or value_of(&entries[left]) <= value_of(&entries[right])
                ):
                    scratch[place] = entries[left]
                    left += 1
                else:
                    scratch[place] = entries[right]
                    right += 1
        memcpy(entries, scratch, size * sizeof(item))
        width *= 2


cdef void sort_range(item* entries, item* scratch, int64_t size, int depth) noexcept nogil:
    """Sort entries in place; scratch is as long and is overwritten."""
    cdef double low, high, value
    cdef int64_t row
    if size <= FEW:
        insert_sorted(entries, entries, size)
        return
    low = high = value_of(&entries[0])
    for row in range(1, size):
        value = value_of(&entries[row])
        low = value if value < low else low
        high = value if value > high else high
    if low < high:
        sort_between(
            entries, scratch, size,
            mapping_between(low, high, buckets_for(size), depth & 1), depth,
        )


cdef inline int64_t buckets_for(int64_t size) noexcept nogil:
    cdef int64_t buckets = FEW
    while buckets < size and buckets < MOST_BUCKETS:
        buckets *= 2
    return buckets


cdef void sort_between(
    item* entries, item* scratch, int64_t size, Mapping mapping, int depth
) noexcept nogil:
    """Sort entries in place, given the mapping that spreads them."""
    cdef int64_t row, place, start, buckets = <int64_t>mapping.top_key + 1
    cdef uint32_t count, total = 0, most = 0
    cdef uint32_t* counts = NULL
    if depth < DEEPEST and size < 0x7FFFFFFF:
        counts = <uint32_t*>calloc(buckets, sizeof(uint32_t))
    if counts == NULL:
        merge_sort(entries, scratch, size)
        return
    for row in range(size):
        counts[bucket_of(&mapping, value_of(&entries[row]))] += 1
    for row in range(buckets):
        count = counts[row]
        most = count if count > most else most
        counts[row] = total
        total += count
    for row in range(size):
        place = bucket_of(&mapping, value_of(&entries[row]))
        scratch[counts[place]] = entries[row]
        counts[place] += 1
    if most > FEW:
        start = 0
        for row in range(buckets):
            if counts[row] - start > FEW:
                sort_range(scratch + start, entries + start, counts[row] - start, depth + 1)
            start = counts[row]
    free(counts)
    insert_sorted(scratch, entries, size)


cdef class Plan:
    """How the first pass spreads values over a number of buckets."""

    cdef Mapping mapping
    cdef readonly int64_t buckets


def plan(cnp.ndarray scores, int64_t buckets):
    """Plan for the scores: the mapping, by line or by bits, that spreads a sample of them best.

    The outermost buckets take whatever lies beyond the sample, infinities too.
    """
    cdef Plan made = Plan()
    cdef Mapping line, bits
    cdef double[SAMPLE] sample
    cdef double[SAMPLE] scratch
    cdef double value
    cdef int64_t row, place, finite = 0, size = scores.shape[0]
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef void* data = cnp.PyArray_DATA(scores)
    made.buckets = buckets
    if buckets == 1:
        made.mapping = mapping_between(0.0, 1.0, 1, False)
        return made
    for row in range(SAMPLE):
        place = row * size // SAMPLE
        value = (<double*>data)[place] if wide else (<float*>data)[place]
        if -DBL_MAX <= value <= DBL_MAX:
            sample[finite] = value
            finite += 1
    if finite == 0:  # only infinities: anything will do, they go to the outermost buckets
        sample[0] = 0.0
        finite = 1
    sort_range(sample, scratch, finite, 0)
    line = mapping_between(sample[0], sample[finite - 1], buckets, False)
    bits = mapping_between(sample[0], sample[finite - 1], buckets, True)
    if crowding(&line, sample, finite) <= crowding(&bits, sample, finite):
        made.mapping = line
    else:
        made.mapping = bits
    return made


cdef int64_t crowding(const Mapping* mapping, const double* sample, int64_t size) noexcept:
    """Sum of squared numbers of sample values (sorted) per bucket: small if spread evenly."""
    cdef int64_t row, run = 0, total = 0
    for row in range(size):
        if row > 0 and bucket_of(mapping, sample[row]) != bucket_of(mapping, sample[row - 1]):
            run = 0
        total += 2 * run + 1
        run += 1
    return total


cdef void _count(
    const uint8_t* mask, const score* scores, Mapping mapping, int64_t buckets,
    int64_t start, int64_t stop, int64_t* counts,
) noexcept nogil:
    cdef int64_t row
    for row in range(start, stop):
        counts[buckets * mask[row] + bucket_of(&mapping, scores[row])] += 1


def count(
    cnp.ndarray mask, cnp.ndarray scores, Plan plan, int64_t start, int64_t stop, cnp.ndarray counts
):
    """Add the rows start..stop to counts: negatives per bucket, then positives per bucket."""
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef int64_t* tally = <int64_t*>cnp.PyArray_DATA(counts)
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef Mapping mapping = plan.mapping
    cdef int64_t buckets = plan.buckets
    with nogil:
        if wide:
            _count(classes, <const double*>data, mapping, buckets, start, stop, tally)
        else:
            _count(classes, <const float*>data, mapping, buckets, start, stop, tally)


cdef void _spread(
    const uint8_t* mask, const score* scores, Mapping mapping, int64_t buckets,
    int64_t start, int64_t stop, int64_t* next_place, score* target,
) noexcept nogil:
    cdef int64_t row, slot
    for row in range(start, stop):
        slot = buckets * mask[row] + bucket_of(&mapping, scores[row])
        target[next_place[slot]] = scores[row] + <score>0.0
        next_place[slot] += 1


def spread(
    cnp.ndarray mask, cnp.ndarray scores, Plan plan, int64_t start, int64_t stop,
    cnp.ndarray next_place, cnp.ndarray target,
):
    """Copy the rows start..stop to their class and bucket; next_place moves on."""
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef void* out = cnp.PyArray_DATA(target)
    cdef int64_t* places = <int64_t*>cnp.PyArray_DATA(next_place)
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef Mapping mapping = plan.mapping
    cdef int64_t buckets = plan.buckets
    with nogil:
        if wide:
            _spread(
                classes, <const double*>data, mapping, buckets, start, stop, places, <double*>out
            )
        else:
            _spread(classes, <const float*>data, mapping, buckets, start, stop, places, <float*>out)


cdef Mapping refined(const Mapping* mapping, int64_t bucket, int64_t buckets) noexcept nogil:
    """The mapping that spreads one inner bucket of another mapping over its own buckets."""
    cdef Mapping finer = mapping[0]
    cdef uint64_t width
    finer.top = <double>(buckets - 1)
    finer.top_key = <uint64_t>(buckets - 1)
    if mapping.by_bits:
        finer.low_key += <uint64_t>bucket << mapping.shift
        width = <uint64_t>buckets
        while width > 1 and finer.shift > 0:
            finer.shift -= 1
            width >>= 1
    else:
        finer.low += <double>bucket / mapping.scale
        finer.scale *= <double>buckets
    return finer


cdef int _sort_buckets(
    item* entries, const Mapping* mapping, int64_t buckets, const int64_t* bounds,
    int64_t first, int64_t last,
) noexcept nogil:
    cdef int64_t bucket, size, longest = 0
    cdef item* scratch
    cdef item* start
    cdef bint inner
    for bucket in range(first, last):
        longest = max(longest, bounds[bucket + 1] - bounds[bucket])
    scratch = <item*>malloc(max(longest, 1) * sizeof(item))
    if scratch == NULL:
        return -1
    for bucket in range(first, last):
        start = entries + bounds[bucket]
        size = bounds[bucket + 1] - bounds[bucket]
        inner = size > FEW and bucket % buckets != 0 and bucket % buckets != buckets - 1
        # equal values are common: look before spreading them
        if inner and value_of(&start[0]) != value_of(&start[size - 1]):
            sort_between(
                start, scratch, size,
                refined(mapping, bucket % buckets, buckets_for(size)), 0,
            )
        else:
            sort_range(start, scratch, size, 0)
    free(scratch)
    return 0


def sort_buckets(
    cnp.ndarray values, Plan plan, cnp.ndarray bounds, int64_t first, int64_t last
):
    """Sort the buckets first..last in place; bucket b holds values[bounds[b]:bounds[b + 1]]."""
    cdef void* data = cnp.PyArray_DATA(values)
    cdef const int64_t* cuts = <const int64_t*>cnp.PyArray_DATA(bounds)
    cdef bint wide = cnp.PyArray_TYPE(values) == cnp.NPY_DOUBLE
    cdef Mapping mapping = plan.mapping
    cdef int64_t buckets = plan.buckets
    cdef int failed
    with nogil:
        if wide:
            failed = _sort_buckets(<double*>data, &mapping, buckets, cuts, first, last)
        else:
            failed = _sort_buckets(<float*>data, &mapping, buckets, cuts, first, last)
    if failed:
        raise MemoryError


cdef void _spread_keyed(
    const uint8_t* mask, const score* scores, Mapping mapping,
    int64_t start, int64_t stop, int64_t* next_place, keyed* target,
) noexcept nogil:
    cdef int64_t row, slot
    cdef keyed entry
    for row in range(start, stop):
        slot = bucket_of(&mapping, scores[row])
        if keyed is Keyed64:
            entry.value = scores[row]
            entry.tag = 2 * row + mask[row]
        else:
            entry.value = <float>scores[row]
            entry.tag = <uint32_t>(2 * row + mask[row])
        target[next_place[slot]] = entry
        next_place[slot] += 1


def spread_keyed(
    cnp.ndarray mask, cnp.ndarray scores, Plan plan, int64_t start, int64_t stop,
    cnp.ndarray next_place, cnp.ndarray target,
):
    """Copy value, row and class of the rows start..stop to their bucket in target.

    Entries of target are 16 bytes for float64 scores and 8 bytes for float32 scores.
    """
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef void* out = cnp.PyArray_DATA(target)
    cdef int64_t* places = <int64_t*>cnp.PyArray_DATA(next_place)
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef Mapping mapping = plan.mapping
    with nogil:
        if wide:
            _spread_keyed(
                classes, <const double*>data, mapping, start, stop, places, <Keyed64*>out
            )
        else:
            _spread_keyed(
                classes, <const float*>data, mapping, start, stop, places, <Keyed32*>out
            )


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
        stop = row
        p = 0
        while stop < end and entries[stop].value == entries[row].value:
            p += entries[stop].tag & 1
            stop += 1
        q = stop - row - p
        other[0] = 2 * pos_below + p
        other[1] = 2 * neg_below + q
        for place in range(row, stop):
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
