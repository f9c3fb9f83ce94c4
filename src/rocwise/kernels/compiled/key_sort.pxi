# Sorting one bucket of scores by their bits; included by _sorting.pyx.
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


cdef bint sort_by_keys(number* entries, number* scratch, int64_t size) noexcept nogil:
    """Sort floats in place by their keys; scratch is as long.

    False where they crowd: then they are all there, in another order than before.
    """
    cdef uint32_t[2 * MOST_COUNTS] counts
    cdef uint32_t* second = counts + MOST_COUNTS
    cdef uint32_t count, first_total = 0, second_total = 0
    cdef number key, low, high = 0, mask
    cdef int64_t row
    cdef int digit = 4, shift = 0
    cdef bint done
    low = <number>-1
    for row in range(size):
        key = turned(at(entries + row))
        put(scratch + row, key)
        low = key if key < low else low
        high = key if key > high else high
    if low == high:
        return True
    while digit < LONGEST_DIGIT and (<int64_t>2 << digit) < size:
        digit += 1
    while ((high - low) >> shift) >> (2 * digit):
        shift += 1
    mask = (<number>1 << digit) - 1
    memset(counts, 0, (mask + 1) * sizeof(uint32_t))
    memset(second, 0, (mask + 1) * sizeof(uint32_t))
    for row in range(size):
        key = (at(scratch + row) - low) >> shift
        counts[key & mask] += 1
        second[key >> digit] += 1
    for row in range(<int64_t>mask + 1):
        count = counts[row]
        counts[row] = first_total
        first_total += count
        count = second[row]
        second[row] = second_total
        second_total += count
    for row in range(size):
        key = at(scratch + row) - low
        count = counts[(key >> shift) & mask]
        counts[(key >> shift) & mask] = count + 1
        put(entries + count, key)
    for row in range(size):
        key = at(entries + row)
        count = second[(key >> shift) >> digit]
        second[(key >> shift) >> digit] = count + 1
        put(scratch + count, key)
    done = shift == 0 or insert_few(scratch, size)
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
