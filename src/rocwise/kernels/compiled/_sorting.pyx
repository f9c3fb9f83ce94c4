# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Stable sorting in two steps: spread all rows over buckets, then sort every bucket.

Buckets of about a thousand rows are sorted inside the processor's nearest memory, and threads
can share them. `compiled_sorting` says who does which rows and buckets.
"""

from libc.math cimport INFINITY
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


cdef struct Trials:
    int64_t done     # buckets whose sums came from codes
    int64_t failed   # and those where that cannot be


cdef class Plan:
    """How the first pass spreads values over a number of buckets."""

    cdef Mapping mapping
    cdef Trials trials  # how buckets of many rows were summed so far
    cdef readonly int64_t buckets

    @property
    def summed_by_codes(self):
        """Buckets that were summed without being sorted."""
        return self.trials.done


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


include "keyed_rows.pxi"
include "few_rows.pxi"
include "many_rows.pxi"
