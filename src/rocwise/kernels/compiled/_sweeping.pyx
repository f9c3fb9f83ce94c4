# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The cheapest cell of an arrangement of rows with three alternatives, strip by strip."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memmove

cimport numpy as cnp

cnp.import_array()


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
    Side* side, const int64_t* rows, int64_t size, const double* values, const double* changes
) noexcept nogil:
    cdef int64_t k
    side.size = size
    side.edges[0] = -INFINITY
    for k in range(size):
        side.rows[k] = rows[k]
        side.edges[k + 1] = values[rows[k]]
        side.changes[k] = changes[rows[k]]
    side.edges[size + 1] = INFINITY


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
    if place == side.size:  # only with nan, which `cheapest_cell` refuses
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


def cheapest(
    cnp.ndarray first,
    cnp.ndarray second,
    cnp.ndarray crossing,
    cnp.ndarray bases,
    cnp.ndarray changes,
    tuple sides,
    int64_t begin,
    int64_t end,
    double tolerance,
    double bound,
):
    """The first cheapest (cost, strip, x, y) in the strips from `begin` to before `end`.

    `changes` are the two lines s - p and s - q of losses, `sides` the rows before and after
    their crossing in the first strip, by ascending `first` and `second`.
    """
    cdef const double* by_p = <const double*>cnp.PyArray_DATA(first)
    cdef const double* by_q = <const double*>cnp.PyArray_DATA(second)
    cdef const double* at = <const double*>cnp.PyArray_DATA(crossing)
    cdef const double* base = <const double*>cnp.PyArray_DATA(bases)
    cdef const double* change = <const double*>cnp.PyArray_DATA(changes)
    cdef cnp.ndarray before_rows = sides[0], after_rows = sides[1]
    cdef const int64_t* before = <const int64_t*>cnp.PyArray_DATA(before_rows)
    cdef const int64_t* after = <const int64_t*>cnp.PyArray_DATA(after_rows)
    cdef int64_t n = crossing.shape[0], strip
    cdef int64_t n_before = before_rows.shape[0], n_after = after_rows.shape[0]
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
        fill(&a, before, n_before, by_p, change)
        fill(&b, after, n_after, by_q, change + n)
        for strip in range(begin, end):
            left = at[strip - 1] if strip > 0 else -INFINITY
            right = at[strip] if strip < n else INFINITY
            if right - left > tolerance:
                # no cell of the strip can be cheaper than the two smallest sums together
                if add_up(&a, base[strip]) + add_up(&b, 0.0) < best.cost:
                    search(&a, &b, left, right, tolerance, strip, &best)
            if strip < n:
                leave(&a, strip, by_p[strip])
                join(&b, strip, by_q[strip], change[n + strip])
    unmade(&a)
    unmade(&b)
    return best.cost, best.strip, best.x, best.y


cdef bint raise_to(
    double* values, int64_t* lines, const double* line, double weight, int64_t number, int64_t n
) noexcept nogil:
    """Take over what is larger: two loops, which compilers turn into vector instructions.

    True if the line holds nan, which is larger than nothing.
    """
    cdef int64_t i
    cdef double product
    cdef bint missing = weight != weight
    for i in range(n):
        lines[i] = number if line[i] * weight > values[i] else lines[i]
    for i in range(n):
        product = line[i] * weight
        values[i] = product if product > values[i] else values[i]
    for i in range(n):
        missing |= line[i] != line[i]
    return missing


def largest(
    cnp.ndarray table, cnp.ndarray weights, cnp.ndarray among, cnp.ndarray values, cnp.ndarray lines
):
    """Fill `values` and `lines` with the largest weighted entry of each column, and its line.

    True if a line or its weight is nan.
    """
    cdef const double* entry = <const double*>cnp.PyArray_DATA(table)
    cdef const double* weight = <const double*>cnp.PyArray_DATA(weights)
    cdef const int64_t* number = <const int64_t*>cnp.PyArray_DATA(among)
    cdef double* value = <double*>cnp.PyArray_DATA(values)
    cdef int64_t* line = <int64_t*>cnp.PyArray_DATA(lines)
    cdef int64_t n = table.shape[1], k, size = among.shape[0], start, stop, i
    cdef const double* own
    cdef bint missing
    with nogil:
        missing = weight[number[0]] != weight[number[0]]
        own = entry + number[0] * n
        for start in range(0, n, 2048):  # what stays in the nearest cache
            stop = min(start + 2048, n)
            for i in range(start, stop):
                missing |= own[i] != own[i]
                value[i] = own[i] * weight[number[0]]
                line[i] = number[0]
            for k in range(1, size):
                missing |= raise_to(
                    value + start,
                    line + start,
                    entry + number[k] * n + start,
                    weight[number[k]],
                    number[k],
                    stop - start,
                )
    return missing
