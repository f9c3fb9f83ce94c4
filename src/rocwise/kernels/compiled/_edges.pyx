# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What bands are made of: a curve without straight runs, moved both ways, and two edges of one band.

Both edges over one list of places come from one walk along two polylines. The list is walked
twice: where an edge jumps a place stands there twice, so that the first walk has to count what the
second one fills.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t

cimport numpy as cnp

cnp.import_array()

ctypedef struct Line:
    # a polyline; its first vertex right of the place under way, where that one is, the first that
    # is not left of the place, and the last that is not right of it
    const double* x
    const double* y
    int64_t size
    int64_t next
    double ahead
    int64_t after
    int64_t before

ctypedef struct Heights:
    # just left and just right of a place
    double left
    double right


cdef Line line_of(cnp.ndarray x, cnp.ndarray y, int64_t first) noexcept:
    cdef Line line
    line.x = <const double*>cnp.PyArray_DATA(x)
    line.y = <const double*>cnp.PyArray_DATA(y)
    line.size = x.shape[0]
    line.next = first
    line.ahead = line.x[first] if first < line.size else INFINITY
    return line


cdef int64_t first_from(const double* x, int64_t size, double bound) noexcept nogil:
    """Number of ascending places below the bound."""
    cdef int64_t low = 0, high = size, middle
    while low < high:
        middle = (low + high) // 2
        if x[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline void move(Line* line, double at, double same) noexcept nogil:
    """Pass the vertices at a place, and find those around it.

    How far two places are apart, and where one would be that is `same` apart, are rounded each in
    its own way: what the first tells is put right by the second, hardly ever by a step.
    """
    cdef int64_t after = line.next, before
    while line.ahead - at <= same:
        line.next += 1
        line.ahead = line.x[line.next] if line.next < line.size else INFINITY
    before = line.next - 1
    while after > 0 and line.x[after - 1] >= at - same:
        after -= 1
    while after < line.size and line.x[after] < at - same:
        after += 1
    while before + 1 < line.size and line.x[before + 1] <= at + same:
        before += 1
    while before > 0 and line.x[before] > at + same:
        before -= 1
    line.after = min(after, line.size - 1)
    line.before = max(before, 0)


cdef inline double between(const Line* line, int64_t start, double at) noexcept nogil:
    """The height on the segment that begins at a vertex, not beyond its ends."""
    cdef int64_t end = min(start + 1, line.size - 1)
    cdef double run = line.x[end] - line.x[start], rise = line.y[end] - line.y[start], share = 0.0
    if run > 0.0 and rise != 0.0:
        share = min(max((at - line.x[start]) / run, 0.0), 1.0)
    return line.y[start] + share * rise


cdef inline bint inside(const Line* line, double at, double same) noexcept nogil:
    """Whether the place is inside a segment, away from both its ends: no jump can be there."""
    return (
        line.before == line.after - 1
        and line.x[line.after] - at > same
        and at - line.x[line.before] > same
    )


cdef inline Heights heights(const Line* line, double at, double same) noexcept nogil:
    cdef Heights found
    if inside(line, at, same):
        found.left = found.right = between(line, line.before, at)
        return found
    if line.x[line.after] - at <= same:
        found.left = line.y[line.after]
    else:
        found.left = between(line, max(line.after - 1, 0), at)
    if at - line.x[line.before] <= same:
        found.right = line.y[line.before]
    else:
        found.right = between(line, line.before, at)
    return found


cdef inline void put(
    double** columns, int64_t point, double at, double low, double high
) noexcept nogil:
    if columns != NULL:
        columns[0][point] = at
        columns[1][point] = low
        columns[2][point] = high


cdef int64_t walk(
    Line lower, Line upper, int64_t lower_end, int64_t upper_end, double same, double** columns
) noexcept nogil:
    """Points of both edges at the places of the vertices up to these ends; filled if there is room.

    A place no further than `same` from the last one that counts is that one: rounding set it apart.
    """
    cdef int64_t points = 0
    cdef double at, low = -INFINITY, high = -INFINITY
    cdef Heights below, above
    while lower.next < lower_end or upper.next < upper_end:
        at = min(lower.ahead, upper.ahead)
        move(&lower, at, same)
        move(&upper, at, same)
        if columns == NULL and inside(&lower, at, same) and inside(&upper, at, same):
            points += 1
            continue
        below = heights(&lower, at, same)
        above = heights(&upper, at, same)
        if below.left != below.right or above.left != above.right:
            # interpolation may end a rounding below where it began
            low, high = max(low, below.left), max(high, above.left)
            put(columns, points, at, low, high)
            points += 1
        low, high = max(low, below.right), max(high, above.right)
        put(columns, points, at, low, high)
        points += 1
    return points


def start_of(cnp.ndarray x, cnp.ndarray other_x, int64_t vertex, double same):
    """Vertices of two lines at which a walk may begin, at or right of one of the first line.

    None of them is so close to the one before that it might not count.
    """
    cdef const double* one = <const double*>cnp.PyArray_DATA(x)
    cdef const double* two = <const double*>cnp.PyArray_DATA(other_x)
    cdef int64_t size = x.shape[0], other_size = other_x.shape[0], i, j
    cdef double before, here
    with nogil:
        i = first_from(one, size, one[vertex])
        j = first_from(two, other_size, one[vertex])
        while 0 < i + j < size + other_size:
            before = max(one[i - 1] if i > 0 else -INFINITY, two[j - 1] if j > 0 else -INFINITY)
            here = min(
                one[i] if i < size else INFINITY, two[j] if j < other_size else INFINITY
            )
            if here - before > same:
                break
            while i < size and one[i] == here:
                i += 1
            while j < other_size and two[j] == here:
                j += 1
    return i, j


def counted(
    cnp.ndarray lower_x, cnp.ndarray lower_y, cnp.ndarray upper_x, cnp.ndarray upper_y,
    double same, int64_t i, int64_t i_end, int64_t j, int64_t j_end,
):
    """Points of the edges at the places of lower_x[i:i_end] and upper_x[j:j_end]."""
    cdef Line lower = line_of(lower_x, lower_y, i), upper = line_of(upper_x, upper_y, j)
    cdef int64_t points
    with nogil:
        points = walk(lower, upper, i_end, j_end, same, NULL)
    return points


def filled(
    cnp.ndarray lower_x, cnp.ndarray lower_y, cnp.ndarray upper_x, cnp.ndarray upper_y,
    double same, int64_t i, int64_t i_end, int64_t j, int64_t j_end, cnp.ndarray edges,
    int64_t first,
):
    """Fill points of `edges` (place, lower, upper) from the first on: those `counted` has found."""
    cdef Line lower = line_of(lower_x, lower_y, i), upper = line_of(upper_x, upper_y, j)
    cdef double* begin = <double*>cnp.PyArray_DATA(edges)
    cdef int64_t size = edges.shape[1], points
    cdef double* columns[3]
    columns[0] = begin + first
    columns[1] = begin + size + first
    columns[2] = begin + 2 * size + first
    with nogil:
        points = walk(lower, upper, i_end, j_end, same, columns)
    return points


def moved_lines(list columns, cnp.ndarray lines, int64_t first, int64_t last):
    """Fill these vertices of `lines` (4, size + 2), one place after that in the curve.

    `columns` are x and y of the curve, and four distances: each one number, or one for each vertex.
    """
    cdef const double* rates[2]
    cdef const double* by[4]
    cdef int64_t steps[4]
    cdef double* filled = <double*>cnp.PyArray_DATA(lines)
    cdef int64_t size = lines.shape[1], k, column
    cdef cnp.ndarray given
    for column in range(6):
        given = columns[column]
        if column < 2:
            rates[column] = <const double*>cnp.PyArray_DATA(given)
        else:
            by[column - 2] = <const double*>cnp.PyArray_DATA(given)
            steps[column - 2] = given.shape[0] > 1
    with nogil:
        for k in range(first, last):
            filled[k + 1] = 1.0 - (rates[0][k] + by[0][k * steps[0]])
            filled[k + 1 + size] = 1.0 - (rates[1][k] - by[1][k * steps[1]])
            filled[k + 1 + 2 * size] = rates[0][k] - by[2][k * steps[2]]
            filled[k + 1 + 3 * size] = rates[1][k] + by[3][k * steps[3]]


def trapezoids(list columns, cnp.ndarray areas, int64_t first, int64_t last):
    """Fill these of the areas between two edges from each place to the next.

    `columns` are the places, the lower and the upper edge.
    """
    cdef cnp.ndarray x = columns[0], lower = columns[1], upper = columns[2]
    cdef const double* at = <const double*>cnp.PyArray_DATA(x)
    cdef const double* low = <const double*>cnp.PyArray_DATA(lower)
    cdef const double* high = <const double*>cnp.PyArray_DATA(upper)
    cdef double* found = <double*>cnp.PyArray_DATA(areas)
    cdef int64_t k
    with nogil:
        for k in range(first, last):
            found[k] = (
                (at[k + 1] - at[k]) * ((high[k + 1] - low[k + 1]) + (high[k] - low[k])) / 2.0
            )


cdef inline int kind_of(const int64_t* tp, const int64_t* fp, int64_t row) noexcept nogil:
    """1 for a score of positives, 2 for one of negatives, 3 for one of both."""
    cdef int64_t hits = tp[row], alarms = fp[row]
    if row > 0:
        hits -= tp[row - 1]
        alarms -= fp[row - 1]
    return (hits > 0) + 2 * (alarms > 0)


cdef inline bint ends_run(int kind, int following) noexcept nogil:
    return (kind != following) | (following == 3)


def counted_runs(cnp.ndarray above_pos, cnp.ndarray above_neg, int64_t first, int64_t last):
    """How many of these rows are the last of a run, and which one is the last of those, or -1."""
    cdef const int64_t* tp = <const int64_t*>cnp.PyArray_DATA(above_pos)
    cdef const int64_t* fp = <const int64_t*>cnp.PyArray_DATA(above_neg)
    cdef int64_t row, size = above_pos.shape[0], runs = 0, found = -1
    cdef int kind, following
    cdef bint last_of_run
    with nogil:
        kind = kind_of(tp, fp, first)
        for row in range(first, last):
            following = kind_of(tp, fp, row + 1) if row + 1 < size else 3
            last_of_run = ends_run(kind, following)
            runs += last_of_run
            found = row if last_of_run else found
            kind = following
    return runs, found


def filled_runs(
    cnp.ndarray above_pos, cnp.ndarray above_neg, int64_t first, int64_t before,
    cnp.ndarray table, int64_t begin, int64_t end,
):
    """Fill these runs of `table`: their last rows, and the cases of both classes in them.

    They are the first ones that end from row `first` on; the run before them ends at `before`.
    """
    cdef const int64_t* tp = <const int64_t*>cnp.PyArray_DATA(above_pos)
    cdef const int64_t* fp = <const int64_t*>cnp.PyArray_DATA(above_neg)
    cdef int64_t* ends = <int64_t*>cnp.PyArray_DATA(table)
    cdef int64_t* pos = ends + table.shape[1]
    cdef int64_t* neg = pos + table.shape[1]
    cdef int64_t row, size = above_pos.shape[0], run = begin, last_of_run
    cdef int64_t hits = tp[before] if before >= 0 else 0, alarms = fp[before] if before >= 0 else 0
    cdef int kind, following
    with nogil:
        row = first
        kind = kind_of(tp, fp, first)
        while run < end:
            following = kind_of(tp, fp, row + 1) if row + 1 < size else 3
            # written for every row and kept for the last of a run: which it is cannot be guessed
            ends[run] = row
            pos[run] = tp[row] - hits
            neg[run] = fp[row] - alarms
            last_of_run = ends_run(kind, following)
            hits = tp[row] if last_of_run else hits
            alarms = fp[row] if last_of_run else alarms
            run += last_of_run
            kind = following
            row += 1
