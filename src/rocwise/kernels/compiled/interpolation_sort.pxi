# Sorting one range of entries by interpolation; included by _sorting.pyx.
#
# Every entry goes to the bucket where its value should lie. Places come from the value by a
# straight line, or from the bits of the value where a line would crowd the entries (scores over
# many powers of ten). Entries that share a bucket are put in order by insertion if they are few,
# else the bucket is spread again, by line and by bits in turn. Whatever resists that goes to a
# merge sort, which bounds the worst case. All steps keep equal entries in order.

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

cdef extern from "<float.h>" nogil:
    const double DBL_MAX

cdef enum:
    FEW = 16            # rows that insertion sorts faster than anything else
    MOST_BUCKETS = 65536
    DEEPEST = 6         # spreadings before the merge sort takes over

include "keyed_entries.pxi"

ctypedef fused item:
    double
    float
    Keyed64
    Keyed32

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
