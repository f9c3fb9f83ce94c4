# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Stable radix sort of float64 scores: rows go to buckets, then each bucket is sorted.

The bits of a float, mapped to a whole number (its key), have the order of the floats. Two digits
of the keys of a bucket put nearly all of them in order; insertion does the rest, or a full radix
sort where values are crowded. `kernels.sort` divides rows and buckets among threads.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    FEW = 24           # rows that insertion sorts fastest
    LONGEST_DIGIT = 11  # bits
    COUNTS = 2048       # 2**11
    MOST_STEPS = 4      # of insertion per row, on average, before a full radix sort

ctypedef struct Entry:
    uint64_t key
    int64_t tag  # 256 * row + code

ctypedef fused item:
    uint64_t
    Entry


cdef inline uint64_t key_of(double value) noexcept nogil:
    cdef uint64_t bits
    value += 0.0  # -0.0 and 0.0 share a key
    memcpy(&bits, &value, 8)
    return ~bits if bits >> 63 else bits | (<uint64_t>1 << 63)


cdef inline double value_of(uint64_t key) noexcept nogil:
    cdef uint64_t bits = key ^ (<uint64_t>1 << 63) if key >> 63 else ~key
    cdef double value
    memcpy(&value, &bits, 8)
    return value


cdef inline uint64_t own_key(const item* entry) noexcept nogil:
    if item is uint64_t:
        return entry[0]
    else:
        return entry.key


ctypedef struct Mapping:
    double low
    double scale
    bint by_bits  # of keys instead of scores
    double top    # the last bucket
    int64_t other  # first bucket of the positives; 0 if classes share the buckets


cdef inline int64_t bucket_of(const Mapping* mapping, double value, uint8_t code) noexcept nogil:
    """Bucket of a score; infinities go to the outer ones."""
    cdef double place = <double>key_of(value) if mapping.by_bits else value
    place = (place - mapping.low) * mapping.scale
    place = place if place > 0.0 else 0.0
    place = place if place < mapping.top else mapping.top
    return <int64_t>place + mapping.other * (code != 0)


cdef Mapping mapping_of(tuple parameters):
    cdef Mapping mapping
    mapping.low, mapping.scale, mapping.by_bits, mapping.top, mapping.other = parameters
    return mapping


def keys_of(const double[::1] values):
    """Keys of a few values as floats."""
    return [<double>key_of(value) for value in values]


def count(
    const uint8_t[::1] codes, const double[::1] scores, tuple parameters,
    int64_t start, int64_t stop, int64_t[::1] counts,
):
    """Number of rows of each bucket."""
    cdef Mapping mapping = mapping_of(parameters)
    cdef int64_t row
    with nogil:
        for row in range(start, stop):
            counts[bucket_of(&mapping, scores[row], codes[row])] += 1


def scatter(
    const uint8_t[::1] codes, const double[::1] scores, tuple parameters,
    int64_t start, int64_t stop, int64_t[::1] places, uint64_t[::1] target,
):
    """Copy the keys of the rows to their buckets; whether a score is nan.

    Another thread may write to the scores meanwhile: nothing is written beyond the target.
    """
    cdef Mapping mapping = mapping_of(parameters)
    cdef int64_t row, slot, place, size = target.shape[0]
    cdef double value
    cdef bint missing = False
    with nogil:
        for row in range(start, stop):
            value = scores[row]
            missing |= value != value
            slot = bucket_of(&mapping, value, codes[row])
            place = places[slot]
            places[slot] = place + 1
            if place >= size:
                break
            target[place] = key_of(value)
    return missing


def scatter_rows(
    const uint8_t[::1] codes, const double[::1] scores, tuple parameters,
    int64_t start, int64_t stop, int64_t[::1] places, uint64_t[:, ::1] target,
):
    """The same for entries of key, row and code."""
    cdef Mapping mapping = mapping_of(parameters)
    cdef int64_t row, slot, place, size = target.shape[0]
    cdef Entry* entries = <Entry*>&target[0, 0]
    cdef double value
    cdef bint missing = False
    with nogil:
        for row in range(start, stop):
            value = scores[row]
            missing |= value != value
            slot = bucket_of(&mapping, value, 0)
            place = places[slot]
            places[slot] = place + 1
            if place >= size:
                break
            entries[place].key = key_of(value)
            entries[place].tag = (row << 8) | codes[row]
    return missing


cdef bint insert(item* entries, int64_t size, int64_t steps) noexcept nogil:
    """Insertion sort; False where that takes more than so many steps."""
    cdef int64_t row, place
    cdef item entry
    cdef uint64_t key
    for row in range(1, size):
        entry = entries[row]
        key = own_key(&entry)
        if own_key(&entries[row - 1]) <= key:
            continue
        place = row
        while place > 0 and own_key(&entries[place - 1]) > key:
            entries[place] = entries[place - 1]
            place -= 1
        entries[place] = entry
        steps -= row - place
        if steps < 0:
            return False
    return True


cdef void move_by_digit(
    const item* source, item* target, int64_t size, uint64_t low, int shift, uint64_t mask,
    uint32_t* counts,
) noexcept nogil:
    """Stable sort by one digit of the keys less the lowest, given how often each occurs."""
    cdef int64_t row
    cdef uint32_t count, total = 0
    cdef uint64_t digit
    for row in range(<int64_t>mask + 1):
        count = counts[row]
        counts[row] = total
        total += count
    for row in range(size):
        digit = ((own_key(&source[row]) - low) >> shift) & mask
        target[counts[digit]] = source[row]
        counts[digit] += 1


cdef void sort_by_digits(
    item* entries, item* scratch, int64_t size, uint64_t low, int shift, int bits
) noexcept nogil:
    """Sort in place by two digits of so many bits above the shift."""
    cdef uint32_t[COUNTS] first
    cdef uint32_t[COUNTS] second
    cdef uint64_t key, mask = (<uint64_t>1 << bits) - 1
    cdef int64_t row
    memset(first, 0, sizeof(uint32_t) << bits)
    memset(second, 0, sizeof(uint32_t) << bits)
    for row in range(size):
        key = (own_key(&entries[row]) - low) >> shift
        first[key & mask] += 1
        second[(key >> bits) & mask] += 1
    move_by_digit(entries, scratch, size, low, shift, mask, first)
    move_by_digit(scratch, entries, size, low, shift + bits, mask, second)


cdef void sort_bucket(item* entries, item* scratch, int64_t size) noexcept nogil:
    cdef uint64_t key, low = <uint64_t>-1, high = 0
    cdef int64_t row
    cdef int bits = 0, digit = 8, shift
    if size <= FEW:
        insert(entries, size, size * size)
        return
    for row in range(size):
        key = own_key(&entries[row])
        low = key if key < low else low
        high = key if key > high else high
    if low == high:
        return
    while bits < 64 and (high - low) >> bits:
        bits += 1
    while digit < LONGEST_DIGIT and (<int64_t>2 << digit) < size and 2 * digit < bits:
        digit += 1
    shift = max(0, bits - 2 * digit)
    sort_by_digits(entries, scratch, size, low, shift, digit)
    if shift == 0 or insert(entries, size, MOST_STEPS * size):
        return
    shift = 0
    while shift < bits:  # crowded values: all digits, the lowest first
        sort_by_digits(entries, scratch, size, low, shift, LONGEST_DIGIT)
        shift += 2 * LONGEST_DIGIT


cdef int sort_all(item* entries, const int64_t* bounds, int64_t first, int64_t last) noexcept nogil:
    cdef int64_t bucket, longest = 1
    cdef item* scratch
    for bucket in range(first, last):
        longest = max(longest, bounds[bucket + 1] - bounds[bucket])
    scratch = <item*>malloc(longest * sizeof(item))
    if scratch == NULL:
        return -1
    for bucket in range(first, last):
        sort_bucket(entries + bounds[bucket], scratch, bounds[bucket + 1] - bounds[bucket])
    free(scratch)
    return 0


def sort_keys(uint64_t[::1] target, const int64_t[::1] bounds, int64_t first, int64_t last):
    """Sort the buckets first..last and turn their keys into the bits of the scores."""
    cdef int64_t row
    cdef double value
    cdef int failed
    with nogil:
        failed = sort_all(&target[0], &bounds[0], first, last)
        for row in range(bounds[first], bounds[last]):
            value = value_of(target[row])
            memcpy(&target[row], &value, 8)
    if failed:
        raise MemoryError


def sort_entries(uint64_t[:, ::1] target, const int64_t[::1] bounds, int64_t first, int64_t last):
    """Sort the buckets first..last of entries."""
    cdef int failed
    with nogil:
        failed = sort_all(<Entry*>&target[0, 0], &bounds[0], first, last)
    if failed:
        raise MemoryError


def unpack(
    const uint64_t[:, ::1] target, int64_t start, int64_t stop,
    int64_t[::1] order, uint8_t[::1] codes, double[::1] scores,
):
    """Write the rows, codes and scores of sorted entries."""
    cdef int64_t row
    with nogil:
        for row in range(start, stop):
            order[row] = <int64_t>(target[row, 1] >> 8)
            codes[row] = <uint8_t>(target[row, 1] & 255)
            scores[row] = value_of(target[row, 0])


def sort_few(const uint8_t[::1] mask, const double[::1] scores, uint64_t[::1] target):
    """Sorted negatives, then sorted positives, in one call; number of negatives, -1 for nan."""
    cdef int64_t row, size = scores.shape[0], n_neg = 0, low = 0, high
    cdef uint64_t* scratch = <uint64_t*>malloc((size + 1) * sizeof(uint64_t))
    cdef bint missing = False
    cdef double value
    if scratch == NULL:
        raise MemoryError
    with nogil:
        for row in range(size):
            n_neg += mask[row] == 0
        high = n_neg
        for row in range(size):
            value = scores[row]  # read once, and written within the target whatever the mask is now
            missing |= value != value
            if mask[row]:
                high = min(high, size - 1)
                target[high] = key_of(value)
                high += 1
            else:
                low = min(low, size - 1)
                target[low] = key_of(value)
                low += 1
        sort_bucket(&target[0], scratch, n_neg)
        sort_bucket(&target[0] + n_neg, scratch, size - n_neg)
        for row in range(size):
            value = value_of(target[row])
            memcpy(&target[row], &value, 8)
        free(scratch)
    return -1 if missing else n_neg
