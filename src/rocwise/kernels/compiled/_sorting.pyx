# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Stable sorting in two steps: spread all rows over buckets, then sort every bucket.

Buckets of about a thousand rows are sorted inside the processor's nearest memory, and threads
can share them. `compiled_sorting` says who does which rows and buckets.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

cimport numpy as cnp

cnp.import_array()

include "interpolation_sort.pxi"
include "key_sort.pxi"
include "lent_sort.pxi"

cdef extern from "prefetch.h" nogil:
    void prefetch_write(const void* address)

cdef enum:
    SAMPLE = 512
    MANY = 64         # rows that are worth counting the digits of their keys ...
    TOO_MANY = 32768  # ... and so many that they must crowd: buckets are meant to be small
    LINE = 64  # bytes that memory moves at once
    AHEAD = 32  # rows for which memory is asked before it is written to

ctypedef fused score:
    double
    float


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
        counts[buckets * (mask[row] != 0) + bucket_of(&mapping, scores[row])] += 1


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


cdef bint _spread(
    const uint8_t* mask, const score* scores, Mapping mapping, int64_t buckets,
    int64_t start, int64_t stop, int64_t* next_place, score* target, int64_t room,
) noexcept nogil:
    cdef int64_t row, slot, place
    cdef score value
    cdef bint missing = False
    for row in range(start, stop):
        value = scores[row]  # read once: another thread may be writing there
        missing |= value != value
        slot = buckets * (mask[row] != 0) + bucket_of(&mapping, value)
        place = next_place[slot]
        next_place[slot] = place + 1
        if place >= room:  # only if values changed after they had been counted
            break
        target[place] = value + <score>0.0
        # too many buckets for the processor to foresee where the next row goes
        prefetch_write(target + place + LINE // sizeof(score))
    return missing


def spread(
    cnp.ndarray mask, cnp.ndarray scores, Plan plan, int64_t start, int64_t stop,
    cnp.ndarray next_place, cnp.ndarray target,
):
    """Copy the rows start..stop to their class and bucket; next_place moves on.

    True if one of them is nan. Rows that another thread changed after they had been counted leave
    next_place elsewhere than the counts say; nothing is written beyond the target.
    """
    cdef const uint8_t* classes = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef void* out = cnp.PyArray_DATA(target)
    cdef int64_t* places = <int64_t*>cnp.PyArray_DATA(next_place)
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef Mapping mapping = plan.mapping
    cdef int64_t buckets = plan.buckets
    cdef int64_t room = target.shape[0]
    cdef bint missing
    with nogil:
        if wide:
            missing = _spread(
                classes, <const double*>data, mapping, buckets, start, stop, places,
                <double*>out, room,
            )
        else:
            missing = _spread(
                classes, <const float*>data, mapping, buckets, start, stop, places,
                <float*>out, room,
            )
    return missing


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


cdef void _sort_bucket(
    item* start, item* scratch, int64_t size, const Mapping* mapping, int64_t bucket,
    int64_t buckets,
) noexcept nogil:
    """Sort what the mapping sent to one of its buckets; scratch is as long."""
    cdef bint inner
    if size > MANY and sort_by_numpy(start, size):
        return
    if item is float:
        if MANY < size <= TOO_MANY and sort_by_keys(<uint32_t*>start, <uint32_t*>scratch, size):
            return
    elif item is double:
        if MANY < size <= TOO_MANY and sort_by_keys(<uint64_t*>start, <uint64_t*>scratch, size):
            return
    elif MANY < size <= TOO_MANY and sort_entries_by_keys(start, scratch, size):
        return
    inner = size > FEW and bucket != 0 and bucket != buckets - 1
    # equal values are common: look before spreading them
    if inner and value_of(&start[0]) != value_of(&start[size - 1]):
        sort_between(start, scratch, size, refined(mapping, bucket, buckets_for(size)), 0)
    else:
        sort_range(start, scratch, size, 0)


cdef int64_t longest(const int64_t* bounds, int64_t first, int64_t last) noexcept nogil:
    """Entries of the fullest bucket, but at least 1."""
    cdef int64_t bucket, size = 1
    for bucket in range(first, last):
        size = max(size, bounds[bucket + 1] - bounds[bucket])
    return size


cdef int _sort_buckets(
    item* entries, const Mapping* mapping, int64_t buckets, const int64_t* bounds,
    int64_t first, int64_t last,
) noexcept nogil:
    cdef int64_t bucket
    cdef item* scratch = <item*>malloc(longest(bounds, first, last) * sizeof(item))
    if scratch == NULL:
        return -1
    for bucket in range(first, last):
        _sort_bucket(
            entries + bounds[bucket], scratch, bounds[bucket + 1] - bounds[bucket], mapping,
            bucket % buckets, buckets,
        )
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


include "few_rows.pxi"
include "many_rows.pxi"
