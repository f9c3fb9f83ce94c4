# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Keys of both classes for numpy's sort, and a stable radix sort of rows.

Rows go to buckets, then each bucket is sorted. The bits of a float, mapped to a whole number (its
key), have the order of the floats. Two digits of the keys of a bucket put nearly all of them in
order; insertion does the rest, or a full radix sort where values are crowded. `kernels.sort`
divides rows and buckets among threads.
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

cdef double SCALE = 2.0**-510


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


ctypedef struct Mapping:
    double low
    double scale
    bint by_bits  # of keys instead of scores
    double top  # the last bucket


cdef inline int64_t bucket_of(const Mapping* mapping, double value) noexcept nogil:
    """Bucket of a score; infinities go to the outer ones."""
    cdef double place = <double>key_of(value) if mapping.by_bits else value
    place = (place - mapping.low) * mapping.scale
    place = place if place > 0.0 else 0.0
    place = place if place < mapping.top else mapping.top
    return <int64_t>place


cdef Mapping mapping_of(tuple parameters):
    cdef Mapping mapping
    mapping.low, mapping.scale, mapping.by_bits, mapping.top = parameters
    return mapping


cdef inline int64_t tag_of(double value, uint8_t code, bint* unfit) noexcept nogil:
    """Key of a score and its class; the exponents of scores leave a bit to spare."""
    cdef uint64_t bits
    memcpy(&bits, &value, 8)
    if bits + bits - (<uint64_t>511 << 53) >= <uint64_t>1023 << 53:
        unfit[0] |= bits + bits != 0  # too small or too large, or else 0.0 or -0.0
        bits = 0
    else:
        bits -= <uint64_t>510 << 52
    bits ^= (0 - (bits >> 63)) >> 1
    return <int64_t>(bits + bits + (code != 0))


def tag(const uint8_t[::1] mask, const double[::1] scores, int64_t[::1] keys):
    """Write the keys of the rows; -1 if a score has none."""
    cdef int64_t row
    cdef bint unfit = False
    with nogil:
        for row in range(scores.shape[0]):
            keys[row] = tag_of(scores[row], mask[row], &unfit)
    return -<int>unfit


def split(const int64_t[::1] keys, int64_t n_neg, double[::1] scores):
    """Scores of the negatives, then of the positives."""
    cdef int64_t row, is_positive, neg = 0
    cdef uint64_t bits
    cdef double value, back = 1.0 / SCALE
    with nogil:
        for row in range(keys.shape[0]):
            bits = <uint64_t>(keys[row] >> 1)
            bits ^= (0 - (bits >> 63)) >> 1
            memcpy(&value, &bits, 8)
            is_positive = keys[row] & 1  # no branch, which would be mispredicted
            scores[neg + ((n_neg + row - 2 * neg) & -is_positive)] = value * back
            neg += 1 - is_positive


def keys_of(const double[::1] values):
    """Keys of a few values as floats."""
    return [<double>key_of(value) for value in values]


def count(
    const double[::1] scores, tuple parameters, int64_t start, int64_t stop, int64_t[::1] counts
):
    """Number of rows of each bucket."""
    cdef Mapping mapping = mapping_of(parameters)
    cdef int64_t row
    with nogil:
        for row in range(start, stop):
            counts[bucket_of(&mapping, scores[row])] += 1


def scatter_rows(
    const uint8_t[::1] codes, const double[::1] scores, tuple parameters,
    int64_t start, int64_t stop, int64_t[::1] places, uint64_t[:, ::1] target,
):
    """Write entries of key, row and code to their buckets; -1 if a score is nan."""
    cdef Mapping mapping = mapping_of(parameters)
    cdef int64_t row, slot, place, size = target.shape[0]
    cdef Entry* entries = <Entry*>&target[0, 0]
    cdef double value
    cdef bint missing = False, several = mapping.top > 0.0
    with nogil:
        for row in range(start, stop):
            value = scores[row]
            missing |= value != value
            place = row
            if several:
                slot = bucket_of(&mapping, value)
                place = places[slot]
                places[slot] = place + 1
                if place >= size:
                    break
            entries[place].key = key_of(value)
            entries[place].tag = (row << 8) | codes[row]
        if not several:
            places[0] = stop
    return -<int>missing


def scatter_keys(
    const uint8_t[::1] mask, const double[::1] scores, tuple parameters,
    int64_t start, int64_t stop, int64_t[::1] places, int64_t[::1] target,
):
    """The same for keys of score and class; -1 as in `tag`."""
    cdef Mapping mapping = mapping_of(parameters)
    cdef int64_t row, slot, place, size = target.shape[0]
    cdef double value
    cdef bint unfit = False
    with nogil:
        for row in range(start, stop):
            value = scores[row]
            slot = bucket_of(&mapping, value)
            place = places[slot]
            places[slot] = place + 1
            if place >= size:
                break
            target[place] = tag_of(value, mask[row], &unfit)
    return -<int>unfit


cdef bint insert(Entry* entries, int64_t size, int64_t steps) noexcept nogil:
    """Insertion sort; False where that takes more than so many steps."""
    cdef int64_t row, place
    cdef Entry entry
    cdef uint64_t key
    for row in range(1, size):
        entry = entries[row]
        key = entry.key
        if entries[row - 1].key <= key:
            continue
        place = row
        while place > 0 and entries[place - 1].key > key:
            entries[place] = entries[place - 1]
            place -= 1
        entries[place] = entry
        steps -= row - place
        if steps < 0:
            return False
    return True


cdef void move_by_digit(
    const Entry* source, Entry* target, int64_t size, uint64_t low, int shift, uint64_t mask,
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
        digit = ((source[row].key - low) >> shift) & mask
        target[counts[digit]] = source[row]
        counts[digit] += 1


cdef void sort_by_digits(
    Entry* entries, Entry* scratch, int64_t size, uint64_t low, int shift, int bits
) noexcept nogil:
    """Sort in place by two digits of so many bits above the shift."""
    cdef uint32_t[COUNTS] first
    cdef uint32_t[COUNTS] second
    cdef uint64_t key, mask = (<uint64_t>1 << bits) - 1
    cdef int64_t row
    memset(first, 0, sizeof(uint32_t) << bits)
    memset(second, 0, sizeof(uint32_t) << bits)
    for row in range(size):
        key = (entries[row].key - low) >> shift
        first[key & mask] += 1
        second[(key >> bits) & mask] += 1
    move_by_digit(entries, scratch, size, low, shift, mask, first)
    move_by_digit(scratch, entries, size, low, shift + bits, mask, second)


cdef void sort_bucket(Entry* entries, Entry* scratch, int64_t size) noexcept nogil:
    cdef uint64_t key, low = <uint64_t>-1, high = 0
    cdef int64_t row
    cdef int bits = 0, digit = 8, shift
    if size <= FEW:
        insert(entries, size, size * size)
        return
    for row in range(size):
        key = entries[row].key
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


cdef int sort_all(Entry* entries, const int64_t* bounds, int64_t first, int64_t last) noexcept nogil:
    cdef int64_t bucket, longest = 1
    cdef Entry* scratch
    for bucket in range(first, last):
        longest = max(longest, bounds[bucket + 1] - bounds[bucket])
    scratch = <Entry*>malloc(longest * sizeof(Entry))
    if scratch == NULL:
        return -1
    for bucket in range(first, last):
        sort_bucket(entries + bounds[bucket], scratch, bounds[bucket + 1] - bounds[bucket])
    free(scratch)
    return 0


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
