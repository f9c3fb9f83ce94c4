# Sorting and summing the two classes of many rows that are as plain as those of few_rows.pxi, in
# three passes that threads share; included by _sorting.pyx. `rows.compiled` calls them.
#
# The first pass looks at labels and scores and writes down where each row goes (its slot: class
# and bucket), so that neither a mask nor a search for nan is a pass of its own. The second copies
# the scores there. The third sorts both classes of a bucket and walks over them while they are
# still in a near cache.

from libc.stdint cimport uint16_t

cdef extern from "wide.h" nogil:
    ctypedef struct wide_sum:
        uint64_t low
        uint64_t high
    void add_product(wide_sum* total, uint64_t a, uint64_t b)

include "merge_walk.pxi"
include "code_sums.pxi"

cdef enum:
    MOST_SUMMED = 1048576  # rows of a bucket whose sums stay within 64 bits: see `_merge_block`


cdef bint _mark_slots(
    const few_label* labels, const score* scores, Mapping mapping, int64_t buckets,
    int64_t start, int64_t stop, uint16_t* slots, int64_t* counts,
) noexcept nogil:
    cdef int64_t row, slot
    cdef few_label label
    cdef score value
    cdef bint odd = False
    for row in range(start, stop):
        label = labels[row]
        value = scores[row]
        odd |= ((label != 1) & (label != 0)) | (value != value)
        slot = buckets * (label == 1) + bucket_of(&mapping, value)
        slots[row] = <uint16_t>slot
        counts[slot] += 1
    return odd


cdef bint _mark_any_slots(
    int kind, const void* labels, const score* scores, Mapping mapping, int64_t buckets,
    int64_t start, int64_t stop, uint16_t* slots, int64_t* counts,
) noexcept nogil:
    if kind == cnp.NPY_INT64:
        return _mark_slots(
            <const int64_t*>labels, scores, mapping, buckets, start, stop, slots, counts
        )
    if kind == cnp.NPY_BOOL or kind == cnp.NPY_UINT8:
        return _mark_slots(
            <const uint8_t*>labels, scores, mapping, buckets, start, stop, slots, counts
        )
    if kind == cnp.NPY_INT32:
        return _mark_slots(
            <const int32_t*>labels, scores, mapping, buckets, start, stop, slots, counts
        )
    if kind == cnp.NPY_INT8:
        return _mark_slots(
            <const int8_t*>labels, scores, mapping, buckets, start, stop, slots, counts
        )
    if kind == cnp.NPY_DOUBLE:
        return _mark_slots(
            <const double*>labels, scores, mapping, buckets, start, stop, slots, counts
        )
    return True


def mark_slots(
    cnp.ndarray labels, cnp.ndarray scores, Plan plan, int64_t start, int64_t stop,
    cnp.ndarray slots, cnp.ndarray counts,
):
    """Write the slots of the rows start..stop, and add them to the counts of the slots.

    Slots are the buckets of the negatives, then those of the positives. True if a label is
    neither 0 nor 1, or a score is nan.
    """
    cdef const void* given = cnp.PyArray_DATA(labels)
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef uint16_t* out = <uint16_t*>cnp.PyArray_DATA(slots)
    cdef int64_t* tally = <int64_t*>cnp.PyArray_DATA(counts)
    cdef int kind = cnp.PyArray_TYPE(labels)
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef Mapping mapping = plan.mapping
    cdef int64_t buckets = plan.buckets
    cdef bint odd
    with nogil:
        if wide:
            odd = _mark_any_slots(
                kind, given, <const double*>data, mapping, buckets, start, stop, out, tally
            )
        else:
            odd = _mark_any_slots(
                kind, given, <const float*>data, mapping, buckets, start, stop, out, tally
            )
    return odd


cdef bint _fill_slots(
    const uint16_t* slots, const score* scores, int64_t start, int64_t stop,
    int64_t* next_place, score* target,
) noexcept nogil:
    cdef int64_t row, place
    cdef score value
    cdef bint missing = False
    for row in range(start, stop):
        value = scores[row]  # read once: another thread may be writing there
        missing |= value != value
        place = next_place[slots[row]]
        next_place[slots[row]] = place + 1
        target[place] = value + <score>0.0
        # too many slots for the processor to foresee where the next row goes
        prefetch_write(target + place + LINE // sizeof(score))
    return missing


def fill_slots(
    cnp.ndarray slots, cnp.ndarray scores, int64_t start, int64_t stop, cnp.ndarray next_place,
    cnp.ndarray target,
):
    """Copy the rows start..stop to their slots; next_place moves on. True if one is nan by now."""
    cdef const uint16_t* marked = <const uint16_t*>cnp.PyArray_DATA(slots)
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef void* out = cnp.PyArray_DATA(target)
    cdef int64_t* places = <int64_t*>cnp.PyArray_DATA(next_place)
    cdef bint wide = cnp.PyArray_TYPE(scores) == cnp.NPY_DOUBLE
    cdef bint missing
    with nogil:
        if wide:
            missing = _fill_slots(
                marked, <const double*>data, start, stop, places, <double*>out
            )
        else:
            missing = _fill_slots(marked, <const float*>data, start, stop, places, <float*>out)
    return missing


cdef int _sum_buckets(
    score* values, const Mapping* mapping, int64_t buckets, const int64_t* bounds,
    int64_t first, int64_t last, Trials* trials, Sums* sums, double* ends,
) noexcept nogil:
    """0, or -1 without memory."""
    cdef const int64_t* pos_bounds = bounds + buckets
    cdef int64_t bucket, n_neg, n_pos
    cdef score* neg
    cdef score* pos
    cdef SortFunction sort = sort_codes  # read once: another thread may end the loan meanwhile
    cdef int64_t most_neg = longest(bounds, first, last)
    cdef int64_t most_pos = longest(pos_bounds, first, last)
    # as many as either class has, or what `sum_by_codes` needs
    cdef void* scratch = malloc(
        max(max(most_neg, most_pos) * sizeof(score), (most_neg + 2 * most_pos + 1) * sizeof(uint32_t))
    )
    if scratch == NULL:
        return -1
    for bucket in range(first, last):
        n_neg = bounds[bucket + 1] - bounds[bucket]
        n_pos = pos_bounds[bucket + 1] - pos_bounds[bucket]
        neg = values + bounds[bucket]
        pos = values + pos_bounds[bucket]
        ends[2 * bucket] = INFINITY
        ends[2 * bucket + 1] = -INFINITY
        if sums != NULL and sort != NULL and MANY < n_neg + n_pos <= MOST_SUMMED:
            if worth_a_trial(trials) and sum_by_codes(
                neg, n_neg, pos, n_pos, <uint32_t*>scratch, sort, trials, sums + bucket,
                ends + 2 * bucket,
            ):
                continue
        _sort_bucket(neg, <score*>scratch, n_neg, mapping, bucket, buckets)
        _sort_bucket(pos, <score*>scratch, n_pos, mapping, bucket, buckets)
        if sums != NULL and n_neg + n_pos <= MOST_SUMMED:
            sums[bucket] = _merge_block(neg, n_neg, pos, n_pos)
        if n_neg:
            ends[2 * bucket] = neg[0]
            ends[2 * bucket + 1] = neg[n_neg - 1]
        if n_pos:
            ends[2 * bucket] = min(ends[2 * bucket], <double>pos[0])
            ends[2 * bucket + 1] = max(ends[2 * bucket + 1], <double>pos[n_pos - 1])
    free(scratch)
    return 0


def sum_buckets(
    cnp.ndarray values, Plan plan, cnp.ndarray bounds, int64_t first, int64_t last,
    object sums, cnp.ndarray ends,
):
    """Sum over the buckets first..last, or sort both classes of each in place.

    Writes to `sums` (five of each bucket, as if it were alone; nothing for buckets of more than
    2**20 rows) or, where there is None to write to, sorts; and to `ends` (the least and the largest
    score of each bucket; where it has none, inf and -inf). Buckets that are summed may be sorted too: those that
    codes did not do for.
    """
    cdef void* data = cnp.PyArray_DATA(values)
    cdef const int64_t* cuts = <const int64_t*>cnp.PyArray_DATA(bounds)
    cdef Sums* out = NULL if sums is None else <Sums*>cnp.PyArray_DATA(sums)
    cdef double* both = <double*>cnp.PyArray_DATA(ends)
    cdef bint wide = cnp.PyArray_TYPE(values) == cnp.NPY_DOUBLE
    cdef Mapping mapping = plan.mapping
    cdef int64_t buckets = plan.buckets
    cdef Trials* trials = &plan.trials
    cdef int failed
    with nogil:
        if wide:
            failed = _sum_buckets(
                <double*>data, &mapping, buckets, cuts, first, last, trials, out, both
            )
        else:
            failed = _sum_buckets(
                <float*>data, &mapping, buckets, cuts, first, last, trials, out, both
            )
    if failed:
        raise MemoryError


def are_in_order(cnp.ndarray ends):
    """Whether no bucket that has scores begins before the end of an earlier one."""
    cdef const double* both = <const double*>cnp.PyArray_DATA(ends)
    cdef int64_t bucket
    cdef double before = -INFINITY
    cdef bint first = True
    for bucket in range(ends.shape[0]):
        if both[2 * bucket] == INFINITY and both[2 * bucket + 1] == -INFINITY:
            continue
        if not first and not both[2 * bucket] > before:
            return False
        before = both[2 * bucket + 1]
        first = False
    return True


cdef object as_int(wide_sum total):
    return ((<object>total.high) << 64) | (<object>total.low)


def joined_sums(cnp.ndarray sums, cnp.ndarray bounds):
    """The placement sums of all rows from those of the buckets, which follow each other."""
    cdef const Sums* each = <const Sums*>cnp.PyArray_DATA(sums)
    cdef const int64_t* cuts = <const int64_t*>cnp.PyArray_DATA(bounds)
    cdef int64_t bucket, buckets = sums.shape[0]
    cdef uint64_t grow_u = 0, grow_v = 0, p, q
    cdef wide_sum[5] total
    memset(total, 0, sizeof(total))
    for bucket in range(buckets):
        q = cuts[bucket + 1] - cuts[bucket]
        p = cuts[buckets + bucket + 1] - cuts[buckets + bucket]
        add_product(&total[0], each[bucket].u, 1)
        add_product(&total[0], p, grow_u)
        add_product(&total[1], each[bucket].u2, 1)
        add_product(&total[1], 2 * each[bucket].u, grow_u)
        add_product(&total[1], p * grow_u, grow_u)
        add_product(&total[2], each[bucket].v, 1)
        add_product(&total[2], q, grow_v)
        add_product(&total[3], each[bucket].v2, 1)
        add_product(&total[3], 2 * each[bucket].v, grow_v)
        add_product(&total[3], q * grow_v, grow_v)
        add_product(&total[4], each[bucket].ties, 1)
        grow_u += 2 * q
        grow_v += 2 * p
    return new_tuple(
        PlacementSums,
        (int(grow_v // 2), int(grow_u // 2), *[as_int(total[k]) for k in range(5)]),
    )
