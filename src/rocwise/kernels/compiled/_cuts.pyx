# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The cheapest cell of three alternatives; see `kernels.cuts`."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memmove


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
