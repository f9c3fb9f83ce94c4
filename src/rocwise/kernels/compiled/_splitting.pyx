# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The best question of each node of a tree, by running sums over rows that are sorted already."""

from libc.math cimport INFINITY, fabs, sqrt
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc

cimport numpy as cnp

cnp.import_array()


ctypedef struct Room:
    # for the rows of a node in the order of one of its columns
    double* values
    double* sums
    double* squares
    double* reductions


cdef inline double spread(double count, double total, double squares) noexcept nogil:
    """Number of cases times their standard deviation, from sums."""
    cdef double left = count * squares - total * total
    return sqrt(left) if left > 0 else 0.0


cdef double deviation_of(
    const double* y, const int64_t* rows, int64_t n, double* centre, double* largest
) noexcept nogil:
    """The standard deviation of the targets; fills in their mean, and the largest of them."""
    cdef double mean = 0, rest = 0, squares = 0, value
    cdef int64_t i
    largest[0] = 0
    for i in range(n):
        value = y[rows[i]]
        mean += value
        if fabs(value) > largest[0]:
            largest[0] = fabs(value)
    mean /= n
    for i in range(n):  # what a long sum has lost
        rest += y[rows[i]] - mean
    mean += rest / n
    for i in range(n):
        value = y[rows[i]] - mean
        squares += value * value
    centre[0] = mean
    return sqrt(squares / n)


cdef double reduced(
    const double* column, const double* y, double mean, const int64_t* order, int64_t n,
    int64_t least, double deviation, Room* room
) noexcept nogil:
    """Fill in what a cut after each row takes from the deviation; the most of all."""
    cdef double total = 0, squares = 0, value, best = -INFINITY
    cdef int64_t i
    for i in range(n):
        value = y[order[i]] - mean
        total += value
        squares += value * value
        room.sums[i] = total
        room.squares[i] = squares
        room.values[i] = column[order[i]]
    for i in range(n - 1):
        room.reductions[i] = -INFINITY
        if i + 1 < least or n - i - 1 < least or not room.values[i + 1] > room.values[i]:
            continue
        value = spread(i + 1, room.sums[i], room.squares[i])
        value += spread(n - i - 1, total - room.sums[i], squares - room.squares[i])
        room.reductions[i] = deviation - value / n
        if room.reductions[i] > best:
            best = room.reductions[i]
    return best


cdef int64_t first_as_good(const Room* room, double wanted) noexcept nogil:
    cdef int64_t i = 0
    while not room.reductions[i] >= wanted:
        i += 1
    return i


cdef int64_t question(
    const double* columns, int64_t n_rows, int64_t p, const double* y, double mean,
    const int64_t* orders, int64_t held, int64_t n, int64_t least, double deviation,
    double rounding, Room* room, double* most, double* cut
) noexcept nogil:
    """The column of the best question, -1 where there is none, and its cut."""
    cdef double best = -INFINITY, low, middle, high
    cdef int64_t column, place
    for column in range(p):
        most[column] = reduced(
            columns + column * n_rows, y, mean, orders + column * held, n, least, deviation, room
        )
        if most[column] > best:
            best = most[column]
    if best == -INFINITY:
        return -1
    column = 0
    while not most[column] >= best - rounding * deviation:
        column += 1
    reduced(columns + column * n_rows, y, mean, orders + column * held, n, least, deviation, room)
    place = first_as_good(room, best - rounding * deviation)
    low, high = room.values[place], room.values[place + 1]
    middle = low / 2 + high / 2
    cut[0] = middle if low <= middle and middle < high else low
    return column


def split(
    cnp.ndarray columns, cnp.ndarray y, cnp.ndarray orders, cnp.ndarray bounds,
    int64_t first, int64_t last, int64_t fewest, int64_t least, double flat, double rounding,
    cnp.ndarray features, cnp.ndarray cuts
):
    """Fill in feature and cut of the nodes first .. last - 1."""
    cdef const double* x = <const double*>cnp.PyArray_DATA(columns)
    cdef const double* value = <const double*>cnp.PyArray_DATA(y)
    cdef const int64_t* order = <const int64_t*>cnp.PyArray_DATA(orders)
    cdef const int64_t* bound = <const int64_t*>cnp.PyArray_DATA(bounds)
    cdef int64_t* feature = <int64_t*>cnp.PyArray_DATA(features)
    cdef double* cut = <double*>cnp.PyArray_DATA(cuts)
    cdef int64_t p = columns.shape[0], n_rows = columns.shape[1], held = orders.shape[1]
    cdef int64_t node, n, widest = 1
    cdef double deviation, largest, mean
    cdef Room room
    for node in range(first, last):
        widest = max(widest, bound[node + 1] - bound[node])
    cdef double* kept = <double*>malloc((4 * widest + p) * sizeof(double))
    if kept == NULL:
        raise MemoryError
    room.values, room.sums, room.squares = kept, kept + widest, kept + 2 * widest
    room.reductions = kept + 3 * widest
    with nogil:
        for node in range(first, last):
            n = bound[node + 1] - bound[node]
            feature[node] = -1
            if n < fewest:
                continue
            deviation = deviation_of(value, order + p * held + bound[node], n, &mean, &largest)
            if deviation < flat or deviation <= rounding * max(largest, 1e-300):
                continue
            feature[node] = question(
                x, n_rows, p, value, mean, order + bound[node], held, n, least, deviation,
                rounding, &room, kept + 4 * widest, &cut[node]
            )
    free(kept)


def divide(
    cnp.ndarray orders, cnp.ndarray bounds, cnp.ndarray features, cnp.ndarray is_below,
    cnp.ndarray ends, cnp.ndarray divided
):
    """Fill in the rows of all children, which end at `ends`; each keeps the order of its parent."""
    cdef const int64_t* order = <const int64_t*>cnp.PyArray_DATA(orders)
    cdef const int64_t* bound = <const int64_t*>cnp.PyArray_DATA(bounds)
    cdef const int64_t* feature = <const int64_t*>cnp.PyArray_DATA(features)
    cdef const uint8_t* below = <const uint8_t*>cnp.PyArray_DATA(is_below)
    cdef const int64_t* end = <const int64_t*>cnp.PyArray_DATA(ends)
    cdef int64_t* row = <int64_t*>cnp.PyArray_DATA(divided)
    cdef int64_t held = orders.shape[1], kept = divided.shape[1], nodes = features.shape[0]
    cdef int64_t line, node, child, i, low, high, side
    with nogil:
        for line in range(orders.shape[0]):
            child = low = 0
            for node in range(nodes):
                if feature[node] < 0:
                    continue
                high = end[child]
                for i in range(bound[node], bound[node + 1]):
                    side = below[order[i]]  # no branch: which way a row goes is not foreseen
                    row[high + side * (low - high)] = order[i]
                    low += side
                    high += 1 - side
                low = high
                child += 2
            order += held
            row += kept
