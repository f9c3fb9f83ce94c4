# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The cheapest cut of unsorted values and the cheapest cell of three alternatives."""

from libc.math cimport INFINITY, NAN, fabs
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memmove

cdef enum:
    NEAR = 1 << 14  # units in the last place: values of one group are nearer

cdef double ROUNDING = 1e-9  # of all changes: sums by bucket differ less from those in order


ctypedef struct Bucket:
    int64_t rows
    double total  # of the changes of its rows
    double fall  # of those below 0
    bint full  # has a row that may be of one group with the first of the next bucket


cdef inline uint64_t key_of(double value) noexcept nogil:
    """Whole numbers in the order of the values, which are not negative."""
    cdef uint64_t bits
    memcpy(&bits, &value, sizeof(bits))
    return bits & 0x7FFFFFFFFFFFFFFFU


cdef inline double value_of(uint64_t key) noexcept nogil:
    cdef double value
    memcpy(&value, &key, sizeof(value))
    return value


cdef void fill_buckets(
    const double[::1] values, const double[::1] changes, uint64_t lowest, int shift,
    Bucket* buckets,
) noexcept nogil:
    """Sums of the changes by buckets of neighboring values."""
    cdef uint64_t key, inside = (<uint64_t>1 << shift) - 1
    cdef Bucket* bucket
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        if values[i] < INFINITY:
            key = key_of(values[i]) - lowest
            bucket = &buckets[key >> shift]
            bucket.rows += 1
            bucket.total += changes[i]
            bucket.fall += 0.5 * (changes[i] - fabs(changes[i]))  # no branch: signs are random
            if (key & inside) + NEAR > inside:
                bucket.full = True


cdef double narrowed(
    const Bucket* buckets, int64_t size, double slack, int64_t* first, int64_t* last
) noexcept nogil:
    """From which bucket to which the cheapest cut may be; the sum of the changes before them."""
    cdef double before = 0.0, least = 0.0, start = 0.0
    cdef int64_t k
    for k in range(size):  # the least sum at ends of buckets that certainly are ends of groups
        before += buckets[k].total
        if before < least and not buckets[k].full:
            least = before
    before = 0.0
    first[0] = last[0] = -1
    for k in range(size):
        if before + buckets[k].fall <= least + slack:
            first[0] = k if first[0] < 0 else first[0]
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


def range_of_cut(const double[::1] values, const double[::1] changes, int64_t buckets):
    """(low, high, before, scale, rows): values between which the cheapest cut is found.

    And what the changes below `low` add up to, the sum of all changes without their signs, and how
    many rows are between. At most so many buckets, a power of 2, are used. Without finite values
    `low` is infinite; nan where something is nan.
    """
    cdef int64_t first = 0, last = 0, used, k, rows = 0
    cdef uint64_t lowest, width
    cdef double low = INFINITY, high = -INFINITY, before, scale = 0.0, finite
    cdef bint missing = False
    cdef int shift = 16  # of numbers whose last 14 bits may differ in a group
    cdef Py_ssize_t i
    cdef Bucket* found
    with nogil:
        for i in range(values.shape[0]):
            missing |= (values[i] != values[i]) | (changes[i] != changes[i])
            low = values[i] if values[i] < low else low
            finite = values[i] if values[i] < INFINITY else -INFINITY
            high = finite if finite > high else high
    if missing or not 0.0 <= low <= high:
        return (NAN if missing else low), high, 0.0, 0.0, 0
    lowest = key_of(low)
    width = key_of(high) - lowest
    while (width >> shift) >= <uint64_t>buckets:
        shift += 1
    used = <int64_t>(width >> shift) + 1
    found = <Bucket*>calloc(used, sizeof(Bucket))
    if found == NULL:
        raise MemoryError
    with nogil:
        fill_buckets(values, changes, lowest, shift, found)
        for k in range(used):
            scale += found[k].total - 2.0 * found[k].fall
        before = narrowed(found, used, ROUNDING * scale, &first, &last)
        for k in range(first, last + 1):
            rows += found[k].rows
        free(found)
    low = value_of(lowest + (<uint64_t>first << shift))
    if last < used - 1:  # the last bucket may end beyond all numbers
        high = value_of(lowest + (<uint64_t>(last + 1) << shift) - 1)
    return low, high, before, scale, rows


def rows_between(
    const double[::1] values, const double[::1] changes, double low, double high,
    double[:, ::1] out,
):
    """Fill `out` with the rows from `low` to `high`, as many as it has room for."""
    cdef Py_ssize_t i, found = 0, room = out.shape[1]
    with nogil:
        for i in range(values.shape[0]):
            if (low <= values[i]) & (values[i] <= high) & (found < room):
                out[0, found] = values[i]
                out[1, found] = changes[i]
                found += 1


def better_class(
    const double[::1] best, const int64_t[::1] loss, const double[::1] own, double weight,
    const int64_t[::1] own_loss, bint own_first, double[::1] new_best, int64_t[::1] new_loss,
):
    """Write the better of the runner-up and one more class; see `kernels.cuts`."""
    cdef Py_ssize_t i
    cdef int64_t wins, ties = -<int64_t>own_first
    cdef double value
    with nogil:
        for i in range(own.shape[0]):
            value = own[i] * weight
            wins = -<int64_t>(value > best[i]) | (-<int64_t>(value == best[i]) & ties)
            new_loss[i] = (own_loss[i] & wins) | (loss[i] & ~wins)
            new_best[i] = value if value > best[i] else best[i]


def decision_ratios(
    const double[::1] own, const double[::1] own_losses, const double[::1] best,
    const int64_t[::1] loss, const double[::1] other, const int64_t[::1] other_loss,
    double[:, ::1] out,
):
    """Fill `out` with ratios and changes, and return the cost without weight."""
    cdef Py_ssize_t i
    cdef int64_t wins, bits
    cdef double runner_up, taken, cost = 0.0
    with nogil:
        for i in range(own.shape[0]):
            wins = -<int64_t>(other[i] > best[i])
            bits = (other_loss[i] & wins) | (loss[i] & ~wins)
            memcpy(&taken, &bits, sizeof(taken))
            runner_up = other[i] if other[i] > best[i] else best[i]
            out[0, i] = runner_up / own[i]
            out[1, i] = own_losses[i] - taken
            if not own[i] > 0.0:  # never called
                out[0, i] = INFINITY
            elif not out[0, i] > 0.0:  # always called
                out[0, i] = INFINITY
                taken = own_losses[i]
            cost += taken
    return cost


ctypedef struct Side:
    # rows on one side of their crossing, by ascending value; edges[0] is minus infinity and
    # edges[size + 1] plus infinity, so that every gap has two ends
    double* edges
    double* changes
    int64_t* rows
    double* sums
    int64_t size

ctypedef struct Cell:
    double cost
    int64_t strip
    int64_t x
    int64_t y


cdef bint made(Side* side, int64_t room) noexcept nogil:
    side.edges = <double*>malloc((room + 2) * sizeof(double))
    side.changes = <double*>malloc((room + 1) * sizeof(double))
    side.rows = <int64_t*>malloc((room + 1) * sizeof(int64_t))
    side.sums = <double*>malloc((room + 1) * sizeof(double))
    side.size = 0
    return not (
        side.edges == NULL or side.changes == NULL or side.rows == NULL or side.sums == NULL
    )


cdef void unmade(Side* side) noexcept nogil:
    free(side.edges)
    free(side.changes)
    free(side.rows)
    free(side.sums)


cdef void fill(
    Side* side, const int64_t[::1] rows, const double[::1] values, const double[::1] changes
) noexcept nogil:
    cdef int64_t k
    side.size = rows.shape[0]
    side.edges[0] = -INFINITY
    for k in range(side.size):
        side.rows[k] = rows[k]
        side.edges[k + 1] = values[rows[k]]
        side.changes[k] = changes[rows[k]]
    side.edges[side.size + 1] = INFINITY


cdef inline int64_t place_of(const Side* side, double value, bint after_ties) noexcept nogil:
    """How many rows have a smaller value, or one that is not larger."""
    cdef int64_t low = 0, high = side.size, middle
    while low < high:
        middle = (low + high) >> 1
        if side.edges[middle + 1] < value or (after_ties and side.edges[middle + 1] == value):
            low = middle + 1
        else:
            high = middle
    return low


cdef void leave(Side* side, int64_t row, double value) noexcept nogil:
    cdef int64_t place = place_of(side, value, False), moved
    while place < side.size and side.rows[place] != row:
        place += 1
    if place == side.size:  # only with nan, for which `cheapest_cell` raises
        return
    moved = side.size - place - 1
    memmove(&side.edges[place + 1], &side.edges[place + 2], (moved + 1) * sizeof(double))
    memmove(&side.changes[place], &side.changes[place + 1], moved * sizeof(double))
    memmove(&side.rows[place], &side.rows[place + 1], moved * sizeof(int64_t))
    side.size -= 1


cdef void join(Side* side, int64_t row, double value, double change) noexcept nogil:
    # rows join in ascending order, so that a tie goes behind those already here
    cdef int64_t place = place_of(side, value, True), moved
    moved = side.size - place
    memmove(&side.edges[place + 2], &side.edges[place + 1], (moved + 1) * sizeof(double))
    memmove(&side.changes[place + 1], &side.changes[place], moved * sizeof(double))
    memmove(&side.rows[place + 1], &side.rows[place], moved * sizeof(int64_t))
    side.edges[place + 1] = value
    side.changes[place] = change
    side.rows[place] = row
    side.size += 1


cdef inline double add_up(Side* side, double start) noexcept nogil:
    """Running sums of the changes, and the smallest of them."""
    cdef double total = start, least = start
    cdef int64_t k
    side.sums[0] = start
    for k in range(side.size):
        total += side.changes[k]
        side.sums[k + 1] = total
        if total < least:
            least = total
    return least


cdef void search(
    Side* a, Side* b, double left, double right, double tolerance, int64_t strip, Cell* best
) noexcept nogil:
    """The cells (x, y) that meet the strip; sums must be up to date."""
    cdef int64_t x, y, low = 0
    cdef double below, above, cost
    for x in range(a.size + 1):
        if not a.edges[x + 1] - a.edges[x] > tolerance:
            continue
        below = (a.edges[x] - right) + tolerance
        above = (a.edges[x + 1] - left) - tolerance
        while low < b.size and b.edges[low + 1] <= below:
            low += 1
        y = low
        while y <= b.size and b.edges[y] < above:
            cost = a.sums[x] + b.sums[y]
            if cost < best.cost and b.edges[y + 1] - b.edges[y] > tolerance:
                best.cost, best.strip, best.x, best.y = cost, strip, x, y
            y += 1


def cheapest_cell(
    const double[::1] first,
    const double[::1] second,
    const double[::1] crossing,
    const double[::1] bases,
    const double[:, ::1] changes,
    const int64_t[::1] before,
    const int64_t[::1] after,
    int64_t begin,
    int64_t end,
    double tolerance,
    double bound,
):
    """The first cheapest (cost, strip, x, y) in the strips from `begin` to before `end`.

    `changes` are the two lines s - p and s - q of losses; `before` and `after` the rows on either
    side of their crossing in the first strip, by ascending `first` and `second`.
    """
    cdef int64_t n = crossing.shape[0], strip
    cdef double left, right
    cdef Cell best = Cell(bound, -1, -1, -1)
    cdef Side a, b
    cdef bint room = made(&a, n)
    room = made(&b, n) and room
    if not room:
        unmade(&a)
        unmade(&b)
        raise MemoryError
    with nogil:
        fill(&a, before, first, changes[0])
        fill(&b, after, second, changes[1])
        for strip in range(begin, end):
            left = crossing[strip - 1] if strip > 0 else -INFINITY
            right = crossing[strip] if strip < n else INFINITY
            if right - left > tolerance:
                # no cell of the strip can be cheaper than the two smallest sums together
                if add_up(&a, bases[strip]) + add_up(&b, 0.0) < best.cost:
                    search(&a, &b, left, right, tolerance, strip, &best)
            if strip < n:
                leave(&a, strip, first[strip])
                join(&b, strip, second[strip], changes[1, strip])
    unmade(&a)
    unmade(&b)
    return best.cost, best.strip, best.x, best.y
