# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The cheapest cut of unsorted values, and the rivals of a class."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

cimport numpy as cnp

cnp.import_array()

cdef extern from "rivals.h" nogil:
    bint ends_of_rows(const double* values, int64_t rows, double* low, double* high)
    bint compare_rows(
        const double* own, const double* own_loss, const double* first, const double* second,
        int64_t gap, double* ratio, double* change, double* paid, int64_t rows,
    )
    int64_t rows_within(
        const double* value, const double* change, int64_t rows, double low, double high,
        double* values, double* changes, int64_t room,
    )
    void cut_rows(
        const double* value, const double* change, int64_t rows, double highest, double* below,
        double* above, double* totals,
    )
    bint better_rows(
        const double* value, const double* loss, const double* own, double weight,
        const double* own_loss, bint own_first, double* best, double* paid, int64_t rows,
    )

cdef enum:
    LANES = 8  # running sums of rows side by side; `cuts/plain.py` has it too
    NEAR = 1 << 14  # units in the last place: values of one group are nearer
    BLOCK = 1024  # rows, a multiple of the lanes: what a loop leaves to the next stays near

cdef double ROUNDING = 1e-9  # of all changes: sums by bucket differ less from those in order


ctypedef struct Bucket:
    int64_t rows
    double total  # of the changes of its rows
    double fall  # of those below 0
    int32_t full  # has a row that may be of one group with the first of the next bucket


cdef inline uint64_t key_of(double value) noexcept nogil:
    """Whole numbers in the order of the values, which are not negative."""
    cdef uint64_t bits
    memcpy(&bits, &value, sizeof(bits))
    return bits & 0x7FFFFFFFFFFFFFFFU


cdef inline double value_of(uint64_t key) noexcept nogil:
    cdef double value
    memcpy(&value, &key, sizeof(value))
    return value


cdef inline double joined(const double* lanes) noexcept nogil:
    cdef double total = 0.0
    cdef int64_t lane
    for lane in range(LANES):
        total += lanes[lane]
    return total


cdef inline void add_lanes(const double* values, int64_t n, double* lanes) noexcept nogil:
    """Add rows side by side, the first of them to the first lane."""
    cdef double[LANES] total
    cdef int64_t i, lane, whole = n - n % LANES
    memcpy(total, lanes, sizeof(total))
    for i in range(0, whole, 8):
        for lane in range(LANES):
            total[lane] += values[i + lane]
    for i in range(whole, n):
        total[i - whole] += values[i]
    memcpy(lanes, total, sizeof(total))


cdef void spread(
    const double* values, const double* changes, int64_t n, uint64_t lowest, int shift,
    Bucket* buckets,
) noexcept nogil:
    """Sums of the changes by buckets of neighbouring values."""
    cdef uint64_t key, inside = (<uint64_t>1 << shift) - 1
    cdef Bucket* bucket
    cdef int64_t i
    for i in range(n):
        if not values[i] < INFINITY:
            continue
        key = key_of(values[i]) - lowest
        bucket = &buckets[key >> shift]
        bucket.rows += 1
        bucket.total += changes[i]
        bucket.fall += changes[i] if changes[i] < 0.0 else 0.0
        if (key & inside) + NEAR > inside:
            bucket.full = True


cdef double narrowed(
    const Bucket* buckets, int64_t size, double slack, int64_t* first, int64_t* last
) noexcept nogil:
    """From which bucket to which the cheapest cut may be; the sum of the changes before them."""
    cdef double before = 0.0, least = 0.0, least_inside, start = 0.0
    cdef int64_t k
    for k in range(size):  # the least sum at ends of buckets that certainly are ends of groups
        before += buckets[k].total
        if before < least and not buckets[k].full:
            least = before
    before = 0.0
    first[0] = last[0] = -1
    for k in range(size):
        least_inside = before + buckets[k].fall
        if least_inside <= least + slack:
            if first[0] < 0:
                first[0] = k
            last[0] = k
        before += buckets[k].total
    if first[0] < 0:  # sums without a meaning, of infinite changes
        first[0] = 0
        last[0] = size - 1
    while first[0] > 0 and buckets[first[0] - 1].full:
        first[0] -= 1
    while last[0] < size - 1 and buckets[last[0]].full:
        last[0] += 1
    for k in range(first[0]):
        start += buckets[k].total
    return start


def around(cnp.ndarray values, cnp.ndarray changes, int64_t buckets):
    """Values between which the cheapest cut is found, and what changes before them add up to.

    And the sum of all changes without their signs, nan if something is nan, and how many rows
    are between. So many buckets, a power of 2, are the most there may be: they are wider than
    groups of values that are one.
    """
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef const double* change = <const double*>cnp.PyArray_DATA(changes)
    cdef int64_t n = values.shape[0], first = 0, last = 0, used, k, rows = 0
    cdef uint64_t lowest, width
    cdef double low, high, before, scale = 0.0
    cdef int shift = 16  # of numbers whose last 14 bits may differ in a group
    cdef Bucket* held = NULL
    if ends_of_rows(value, n, &low, &high):
        return low, high, 0.0, float("nan"), 0
    if not 0.0 <= low <= high:
        return low, high, 0.0, 0.0, 0
    lowest = key_of(low)
    width = key_of(high) - lowest
    while (width >> shift) >= <uint64_t>buckets:
        shift += 1
    used = <int64_t>(width >> shift) + 1
    held = <Bucket*>calloc(used, sizeof(Bucket))
    if held == NULL:
        raise MemoryError
    with nogil:
        spread(value, change, n, lowest, shift, held)
        for last in range(used):
            scale += held[last].total - 2.0 * held[last].fall
        before = narrowed(held, used, ROUNDING * scale, &first, &last)
        for k in range(first, last + 1):
            rows += held[k].rows
        free(held)
    return (
        value_of(lowest + (<uint64_t>first << shift)),
        # the last bucket may end beyond all numbers
        high if last == used - 1 else value_of(lowest + (<uint64_t>(last + 1) << shift) - 1),
        before,
        scale,
        rows,
    )


def rows_between(
    cnp.ndarray values, cnp.ndarray changes, double low, double high, cnp.ndarray out
):
    """Write the rows from `low` to `high` to the two lines of `out`; how many there are.

    `out` has room for one more than `around` has told.
    """
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef const double* change = <const double*>cnp.PyArray_DATA(changes)
    cdef double* line = <double*>cnp.PyArray_DATA(out)
    cdef int64_t n = values.shape[0], room = out.shape[1], found
    with nogil:
        found = rows_within(value, change, n, low, high, line, line + room, room - 1)
    return found


def cut_at(cnp.ndarray values, cnp.ndarray changes, double highest):
    """The values beside the cut above `highest`, and the sum of the changes below it."""
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef const double* change = <const double*>cnp.PyArray_DATA(changes)
    cdef double below, above
    cdef double[LANES] total
    cdef int64_t n = values.shape[0]
    with nogil:
        cut_rows(value, change, n, highest, &below, &above, total)
    return below, above, joined(total)


def better(
    cnp.ndarray rivals,
    cnp.ndarray own,
    double weight,
    cnp.ndarray own_losses,
    cnp.ndarray out,
    bint own_first,
):
    """Write the better of the rivals and one more class; True if something is nan."""
    cdef int64_t n = own.shape[0]
    cdef const double* value = <const double*>cnp.PyArray_DATA(rivals)
    cdef const double* score = <const double*>cnp.PyArray_DATA(own)
    cdef const double* own_loss = <const double*>cnp.PyArray_DATA(own_losses)
    cdef double* best = <double*>cnp.PyArray_DATA(out)
    cdef bint missing
    with nogil:
        missing = better_rows(
            value, value + n, score, weight, own_loss, own_first, best, best + n, n
        )
    return missing


def ratios(
    cnp.ndarray own, cnp.ndarray own_losses, cnp.ndarray first, cnp.ndarray second, cnp.ndarray out
):
    """Write the ratios of rivals to a class and the changes of cost; nan if something is nan."""
    cdef int64_t n = own.shape[0], start, rows
    cdef const double* score = <const double*>cnp.PyArray_DATA(own)
    cdef const double* own_loss = <const double*>cnp.PyArray_DATA(own_losses)
    cdef const double* one = <const double*>cnp.PyArray_DATA(first)
    cdef const double* two = <const double*>cnp.PyArray_DATA(second)
    cdef double* ratio = <double*>cnp.PyArray_DATA(out)
    cdef double[BLOCK] paid
    cdef double[LANES] total
    cdef bint missing = False
    with nogil:
        memset(total, 0, sizeof(total))
        for start in range(0, n, 1024):
            rows = min(n - start, BLOCK)
            missing |= compare_rows(
                score + start, own_loss + start, one + start, two + start, n,
                ratio + start, ratio + n + start, paid, rows,
            )
            add_lanes(paid, rows, total)
    return float("nan") if missing else joined(total)


cdef inline void add_lines(
    const double* table, int64_t width, const int64_t* lines, int64_t number,
    const int64_t* columns, int64_t rows, double* total,
) noexcept nogil:
    """Sums of some lines of a table at some columns, added in the order of the lines."""
    cdef const double* line = table + lines[0] * width
    cdef int64_t k, i
    for i in range(rows):
        total[i] = line[columns[i]]
    for k in range(1, number):
        line = table + lines[k] * width
        for i in range(rows):
            total[i] += line[columns[i]]


def group_ratios(
    cnp.ndarray table, cnp.ndarray left, cnp.ndarray right, cnp.ndarray columns, cnp.ndarray out
):
    """Write the sums of some lines over those of others, 1 where both are 0; True if one is nan."""
    cdef const double* entry = <const double*>cnp.PyArray_DATA(table)
    cdef const int64_t* above_lines = <const int64_t*>cnp.PyArray_DATA(left)
    cdef const int64_t* below_lines = <const int64_t*>cnp.PyArray_DATA(right)
    cdef const int64_t* place = <const int64_t*>cnp.PyArray_DATA(columns)
    cdef double* ratio = <double*>cnp.PyArray_DATA(out)
    cdef int64_t width = table.shape[1], n = columns.shape[0], start, rows, i
    cdef int64_t n_left = left.shape[0], n_right = right.shape[0]
    cdef double[BLOCK] above
    cdef double[BLOCK] below
    cdef double part
    cdef bint missing = False
    with nogil:
        for start in range(0, n, 1024):
            rows = min(n - start, BLOCK)
            add_lines(entry, width, above_lines, n_left, place + start, rows, above)
            add_lines(entry, width, below_lines, n_right, place + start, rows, below)
            for i in range(rows):
                missing |= above[i] != above[i] or below[i] != below[i]
                part = above[i] / below[i]
                ratio[start + i] = 1.0 if above[i] == 0.0 and below[i] == 0.0 else part
    return missing
