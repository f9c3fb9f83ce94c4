# Sorting one bucket of scores, alone or with their rows, by their bits; included by _sorting.pyx.
#
# The bits of a value, turned a little, are a whole number (its key) in the same order. The keys of
# one bucket lie close together: two short digits of what is left after taking off the smallest
# put nearly all of them in order, without a comparison that the processor could not foresee, and
# an insertion finds the few that are left. Where it finds many, the values crowd in a part of the
# bucket, and the caller sorts them by interpolation.

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

cdef enum:
    LONGEST_DIGIT = 11  # bits
    MOST_COUNTS = 2048  # 2**11
    MOST_STEPS = 4      # for each entry, on average, that insertion may take

ctypedef fused number:
    uint64_t
    uint32_t

ctypedef struct Digits:
    int size      # bits of each of the two
    int shift     # bits below them
    int64_t most  # values of a digit


cdef inline number at(const number* place) noexcept nogil:
    """What is there, be it a key or a float: compilers may take neither for the other."""
    cdef number key
    memcpy(&key, place, sizeof(number))
    return key


cdef inline void put(number* place, number key) noexcept nogil:
    memcpy(place, &key, sizeof(number))


cdef inline number turned(number bits) noexcept nogil:
    """The key of a float's bits."""
    cdef int top = 8 * sizeof(number) - 1
    return bits ^ ((0 - (bits >> top)) | <number>1 << top)


cdef inline number turned_back(number key) noexcept nogil:
    cdef int top = 8 * sizeof(number) - 1
    return key ^ (((key >> top) - 1) | <number>1 << top)


cdef Digits digits_of(uint64_t span, int64_t size) noexcept nogil:
    """Two digits of keys that differ by at most the span: longer for more keys, but not idly."""
    cdef Digits digits
    digits.size = 4
    digits.shift = 0
    while (
        digits.size < LONGEST_DIGIT
        and (<int64_t>2 << digits.size) < size
        and span >> (2 * digits.size)
    ):
        digits.size += 1
    while (span >> digits.shift) >> (2 * digits.size):
        digits.shift += 1
    digits.most = <int64_t>1 << digits.size
    return digits


cdef void count_to_places(uint32_t* first, uint32_t* second, int64_t most) noexcept nogil:
    """Put in the place of each count of a digit the sum of those before it; of both at once."""
    cdef uint32_t count, first_total = 0, second_total = 0
    cdef int64_t value
    for value in range(most):
        count = first[value]
        first[value] = first_total
        first_total += count
        count = second[value]
        second[value] = second_total
        second_total += count


cdef bint sort_by_keys(number* entries, number* scratch, int64_t size) noexcept nogil:
    """Sort floats in place by their keys; scratch is as long.

    False where they crowd: then they are all there, in another order than before.
    """
    cdef uint32_t[MOST_COUNTS] first
    cdef uint32_t[MOST_COUNTS] second
    cdef uint32_t place
    cdef number key, low, high = 0, mask
    cdef int64_t row
    cdef Digits digits
    cdef bint done
    low = <number>-1
    for row in range(size):
        key = turned(at(entries + row))
        put(scratch + row, key)
        low = key if key < low else low
        high = key if key > high else high
    if low == high:
        return True
    digits = digits_of(high - low, size)
    mask = <number>(digits.most - 1)
    memset(first, 0, digits.most * sizeof(uint32_t))
    memset(second, 0, digits.most * sizeof(uint32_t))
    for row in range(size):
        key = (at(scratch + row) - low) >> digits.shift
        first[key & mask] += 1
        second[key >> digits.size] += 1
    count_to_places(first, second, digits.most)
    for row in range(size):
        key = at(scratch + row) - low
        place = first[(key >> digits.shift) & mask]
        first[(key >> digits.shift) & mask] = place + 1
        put(entries + place, key)
    for row in range(size):
        key = at(entries + row)
        place = second[(key >> digits.shift) >> digits.size]
        second[(key >> digits.shift) >> digits.size] = place + 1
        put(scratch + place, key)
    done = digits.shift == 0 or insert_few(scratch, size)
    for row in range(size):
        put(entries + row, turned_back(<number>(at(scratch + row) + low)))
    return done


cdef bint insert_few(number* keys, int64_t size) noexcept nogil:
    """Insertion sort of keys that are nearly in order; False where they turn out not to be."""
    cdef int64_t row, place, steps = MOST_STEPS * size
    cdef number key
    for row in range(1, size):
        key = at(keys + row)
        if at(keys + row - 1) <= key:
            continue
        place = row
        while place > 0 and at(keys + place - 1) > key:
            put(keys + place, at(keys + place - 1))
            place -= 1
        put(keys + place, key)
        steps -= row - place
        if steps < 0:
            return False
    return True


cdef inline uint64_t entry_key(const keyed* entry) noexcept nogil:
    """The key of an entry's value; -0.0 and 0.0 share one."""
    cdef uint32_t bits
    cdef float value
    if keyed is Keyed64:
        return key_of(entry.value)
    else:
        value = entry.value + <float>0.0
        memcpy(&bits, &value, sizeof(uint32_t))
        return turned(bits)


cdef bint sort_entries_by_keys(keyed* entries, keyed* scratch, int64_t size) noexcept nogil:
    """The same for entries with a tag, of which those with equal values keep their order."""
    cdef uint32_t[MOST_COUNTS] first
    cdef uint32_t[MOST_COUNTS] second
    cdef uint64_t key, low, high = 0
    cdef int64_t row
    cdef Digits digits
    low = <uint64_t>-1
    for row in range(size):
        key = entry_key(entries + row)
        low = key if key < low else low
        high = key if key > high else high
    if low == high:
        return True
    digits = digits_of(high - low, size)
    memset(first, 0, digits.most * sizeof(uint32_t))
    memset(second, 0, digits.most * sizeof(uint32_t))
    for row in range(size):
        key = (entry_key(entries + row) - low) >> digits.shift
        first[key & (digits.most - 1)] += 1
        second[key >> digits.size] += 1
    count_to_places(first, second, digits.most)
    for row in range(size):
        key = ((entry_key(entries + row) - low) >> digits.shift) & (digits.most - 1)
        scratch[first[key]] = entries[row]
        first[key] += 1
    for row in range(size):
        key = ((entry_key(scratch + row) - low) >> digits.shift) >> digits.size
        entries[second[key]] = scratch[row]
        second[key] += 1
    return digits.shift == 0 or insert_few_entries(entries, size)


cdef bint insert_few_entries(keyed* entries, int64_t size) noexcept nogil:
    """Insertion sort of entries that are nearly in order; False where they turn out not to be."""
    cdef int64_t row, place, steps = MOST_STEPS * size
    cdef keyed entry
    for row in range(1, size):
        entry = entries[row]
        if entries[row - 1].value <= entry.value:
            continue
        place = row
        while place > 0 and entries[place - 1].value > entry.value:
            entries[place] = entries[place - 1]
            place -= 1
        entries[place] = entry
        steps -= row - place
        if steps < 0:
            return False
    return True
