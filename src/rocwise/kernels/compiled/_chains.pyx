# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Pairs of rows and chains through classes; see `kernels.chains`."""

from libc.stdint cimport int64_t, uint8_t

cdef enum:
    MOST = 256  # classes: a class is one byte

ctypedef struct Rows:
    const uint8_t* ranked
    const uint8_t* starts
    const double* weights
    const double* sizes
    int64_t n_rows
    int64_t n_classes
    bint strict

# rows with equal scores from a start to before `stop`: proportion of each class if classes are mixed
ctypedef struct Group:
    int64_t stop
    bint mixed
    double total  # of the weights
    double[MOST] proportion


cdef double[MOST] FACTORIAL
FACTORIAL[0] = 1.0
for _t in range(1, MOST):
    FACTORIAL[_t] = FACTORIAL[_t - 1] * _t


cdef void read_group(const Rows* rows, int64_t row, Group* group) noexcept nogil:
    cdef int64_t place = row + 1, k
    group.total = rows.weights[row]
    group.mixed = False
    while place < rows.n_rows and not rows.starts[place]:
        group.mixed = group.mixed or rows.ranked[place] != rows.ranked[row]
        group.total += rows.weights[place]
        place += 1
    group.stop = place
    if group.mixed:
        for k in range(rows.n_classes):
            group.proportion[k] = 0.0
        for place in range(row, group.stop):
            group.proportion[rows.ranked[place]] += rows.weights[place]
        for k in range(rows.n_classes):
            group.proportion[k] /= rows.sizes[k]


cdef void extend_below(const Rows* rows, const Group* group, int64_t k, double* below) noexcept nogil:
    """Add chains that end at this score to below[k], of the first k classes; k: of the rows."""
    cdef int64_t t
    cdef double gain, product
    if not group.mixed:
        below[k + 1] += below[k] * (group.total / rows.sizes[k])
        return
    for k in range(rows.n_classes, 0, -1):
        gain = 0.0
        product = 1.0
        t = 1
        while t <= k and group.proportion[k - t] > 0.0 and not (rows.strict and t > 1):
            product *= group.proportion[k - t]
            gain += below[k - t] * product / FACTORIAL[t]
            t += 1
        below[k] += gain


cdef void extend_above(const Rows* rows, const Group* group, int64_t k, double* above) noexcept nogil:
    """Add chains that start at this score to above[k], of the classes from k on."""
    cdef int64_t t
    cdef double gain, product
    if not group.mixed:
        above[k] += above[k + 1] * (group.total / rows.sizes[k])
        return
    for k in range(rows.n_classes):
        gain = 0.0
        product = 1.0
        t = 1
        while (
            k + t <= rows.n_classes
            and group.proportion[k + t - 1] > 0.0
            and not (rows.strict and t > 1)
        ):
            product *= group.proportion[k + t - 1]
            gain += above[k + t] * product / FACTORIAL[t]
            t += 1
        above[k] += gain


cdef double part_of(
    const Rows* rows, const Group* group, int64_t k, const double* below, const double* above
) noexcept nogil:
    """Proportion of the chains in order through a row of class k, where classes are mixed."""
    cdef int64_t a = k, b
    cdef double lower = 1.0, upper, total = 0.0
    if rows.strict:
        return below[k] * above[k + 1]
    while a >= 0 and lower > 0.0:
        upper = lower
        b = k
        while b < rows.n_classes and upper > 0.0:
            total += below[a] * above[b + 1] * upper / FACTORIAL[b - a + 1]
            b += 1
            if b < rows.n_classes:
                upper *= group.proportion[b]
        a -= 1
        if a >= 0:
            lower *= group.proportion[a]
    return total


cdef Rows read(
    const uint8_t[::1] ranked, const uint8_t[::1] starts, const double[::1] weights,
    const double[::1] sizes, bint strict,
) noexcept:
    cdef Rows rows = Rows(
        &ranked[0], &starts[0], &weights[0], &sizes[0], ranked.shape[0], sizes.shape[0], strict
    )
    return rows


def chain_volume(
    const uint8_t[::1] ranked, const uint8_t[::1] starts, const double[::1] weights,
    const double[::1] sizes, bint strict,
):
    """Proportion of all chains that are in order."""
    cdef Rows rows = read(ranked, starts, weights, sizes, strict)
    cdef double[MOST + 1] below
    cdef int64_t row = 0, k
    cdef Group group
    with nogil:
        for k in range(rows.n_classes + 1):
            below[k] = k == 0
        while row < rows.n_rows:
            read_group(&rows, row, &group)
            extend_below(&rows, &group, rows.ranked[row], below)
            row = group.stop
    return below[rows.n_classes]


def chain_parts(
    const uint8_t[::1] ranked, const uint8_t[::1] starts, const double[::1] weights,
    const double[::1] sizes, bint strict, double[::1] parts, double[:, ::1] kept,
):
    """Fill parts: the proportion of the chains in order through each row."""
    cdef Rows rows = read(ranked, starts, weights, sizes, strict)
    cdef double[MOST + 1] below
    cdef double[MOST + 1] above
    cdef int64_t row = 0, stop = rows.n_rows, k, place, mixed = 0, last = rows.n_classes
    cdef Group group
    with nogil:
        for k in range(last + 1):
            below[k] = k == 0
            above[k] = k == last
        while row < rows.n_rows:  # up: chains below each row
            read_group(&rows, row, &group)
            if group.mixed:
                for k in range(last + 1):
                    kept[mixed, k] = below[k]
                mixed += 1
            for place in range(row, group.stop):
                parts[place] = below[rows.ranked[place]]
            extend_below(&rows, &group, rows.ranked[row], below)
            row = group.stop
        while stop > 0:  # down: times the chains above it
            row = stop - 1
            while not rows.starts[row]:
                row -= 1
            read_group(&rows, row, &group)
            if group.mixed:
                mixed -= 1
            for place in range(row, stop):
                k = rows.ranked[place]
                if group.mixed:
                    parts[place] = part_of(&rows, &group, k, &kept[mixed, 0], above)
                else:
                    parts[place] *= above[k + 1]
            extend_above(&rows, &group, rows.ranked[row], above)
            stop = row


def pair_wins(
    const uint8_t[::1] ranked, const uint8_t[::1] starts, const double[::1] weights,
    int64_t first, int64_t last, bint credit, double[:, ::1] wins,
):
    """Fill wins[i - first, j] for the classes first <= i < last: see `kernels.chains.pair_wins`."""
    cdef const uint8_t* code = &ranked[0]
    cdef const double* weight = &weights[0]
    cdef double* line
    cdef double below, tied, half = credit  # of both credits of a pair
    cdef int64_t row, i, stop, place, n_rows = ranked.shape[0]
    with nogil:
        for i in range(first, last):
            line = &wins[i - first, 0]
            below = 0.0
            row = 0
            while row < n_rows:
                if row + 1 == n_rows or starts[row + 1]:  # not tied
                    tied = weight[row] * (code[row] == i)
                    line[code[row]] += weight[row] * (2.0 * below + half * tied)
                    below += tied
                    row += 1
                    continue
                tied = 0.0
                stop = row
                while stop < n_rows and (stop == row or not starts[stop]):
                    tied += weight[stop] * (code[stop] == i)
                    stop += 1
                for place in range(row, stop):
                    line[code[place]] += weight[place] * (2.0 * below + half * tied)
                below += tied
                row = stop


cdef inline double sum_below(const double* tree, int64_t place) noexcept nogil:
    """Sum of a Fenwick tree below a place."""
    cdef double total = 0.0
    while place > 0:
        total += tree[place]
        place &= place - 1
    return total


cdef inline void add_at(double* tree, int64_t place, int64_t size, double weight) noexcept nogil:
    """Add an weight at a place of a Fenwick tree."""
    place += 1
    while place <= size:
        tree[place] += weight
        place += place & -place


cdef void sums_of_earlier(
    const int64_t* order, const int64_t* group, const int64_t* rank, int64_t step, int64_t rows,
    int64_t size, const double* weights, double* tree, double* at, double* out,
) noexcept nogil:
    """Sums over rows of the groups before each: of higher rank, or with step -1 of lower."""
    cdef int64_t first = 0, last = 0, k, row, place
    while first < rows:
        while last < rows and group[order[step * last]] == group[order[step * first]]:
            last += 1
        for k in range(first, last):
            row = order[step * k]
            place = rank[row] if step < 0 else size - 1 - rank[row]
            out[row] = sum_below(tree, place) + at[place] / 2
        for k in range(first, last):
            row = order[step * k]
            if weights[row] != 0.0:
                place = rank[row] if step < 0 else size - 1 - rank[row]
                add_at(tree, place, size, weights[row])
                at[place] += weights[row]
        first = last


def pair_sums(
    const int64_t[::1] order, const int64_t[::1] group, const int64_t[::1] rank,
    const double[::1] later, const double[::1] earlier, double[:, ::1] trees,
    double[::1] of_later, double[::1] of_earlier,
):
    """Sums of each row over rows of later groups and lower rank, of earlier ones and higher rank.

    `order` has the rows by group; `trees` are four lines of zeros, one longer than the ranks.
    """
    cdef int64_t rows = order.shape[0], size = trees.shape[1] - 1
    with nogil:
        sums_of_earlier(
            &order[rows - 1], &group[0], &rank[0], -1, rows, size, &later[0],
            &trees[0, 0], &trees[1, 0], &of_later[0],
        )
        sums_of_earlier(
            &order[0], &group[0], &rank[0], 1, rows, size, &earlier[0],
            &trees[2, 0], &trees[3, 0], &of_earlier[0],
        )
