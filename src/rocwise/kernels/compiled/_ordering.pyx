# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Chains through ordered classes: one row per class, scores rising from class to class.

Rows come sorted by score. `ranked` holds the class of each row, from 0 up, and `starts` is 1
where a score differs from the one before it. Chains are counted as shares: a row of class k
counts 1 / size of class k.
"""

from libc.stdint cimport int64_t, uint8_t

cimport numpy as cnp

cnp.import_array()


cdef enum:
    MOST = 256  # classes, since a class is one byte

# One group of rows with equal scores: shares of its classes, and the factorials for runs of ties.
ctypedef struct Group:
    int64_t stop
    int64_t classes
    bint strict
    double[MOST] share
    double[MOST] factorial


cdef bint read_group(
    const uint8_t* ranked, const uint8_t* starts, const double* sizes, int64_t n_rows,
    int64_t row, Group* group,
) noexcept nogil:
    """Find the end of the group that starts at `row`; shares are filled if classes are mixed."""
    cdef int64_t place = row + 1
    cdef bint mixed = False
    while place < n_rows and not starts[place]:
        mixed = mixed or ranked[place] != ranked[row]
        place += 1
    group.stop = place
    if mixed:
        fill_shares(ranked, sizes, row, group)
    return mixed


cdef void fill_shares(
    const uint8_t* ranked, const double* sizes, int64_t row, Group* group
) noexcept nogil:
    cdef int64_t place, k
    for k in range(group.classes):
        group.share[k] = 0.0
    for place in range(row, group.stop):
        group.share[ranked[place]] += 1.0
    for k in range(group.classes):
        group.share[k] /= sizes[k]


cdef void extend_below(double* below, const Group* group) noexcept nogil:
    """Let chains take a row, or a run of tied rows, of a mixed group; below[k] has k classes."""
    cdef int64_t k = group.classes, t
    cdef double gain, product
    while k > 0:
        gain = 0.0
        product = 1.0
        t = 1
        while t <= k and group.share[k - t] > 0.0 and not (group.strict and t > 1):
            product *= group.share[k - t]
            gain += below[k - t] * product / group.factorial[t]
            t += 1
        below[k] += gain
        k -= 1


cdef void extend_above(double* above, const Group* group) noexcept nogil:
    """The same from the top: above[k] has the classes k, k + 1, ... to the last."""
    cdef int64_t k, t
    cdef double gain, product
    for k in range(group.classes):
        gain = 0.0
        product = 1.0
        t = 1
        while (
            k + t <= group.classes
            and group.share[k + t - 1] > 0.0
            and not (group.strict and t > 1)
        ):
            product *= group.share[k + t - 1]
            gain += above[k + t] * product / group.factorial[t]
            t += 1
        above[k] += gain


cdef double part_of(
    int64_t k, const double* below, const double* above, const Group* group
) noexcept nogil:
    """Share of the chains through one row of class k that are in order, credit for ties."""
    cdef int64_t a = k, b
    cdef double lower = 1.0, upper, total = 0.0
    if group.strict:
        return below[k] * above[k + 1]
    while a >= 0:
        if a < k:
            if not group.share[a] > 0.0:
                break
            lower *= group.share[a]
        upper = lower
        b = k
        while b < group.classes:
            if b > k:
                if not group.share[b] > 0.0:
                    break
                upper *= group.share[b]
            total += below[a] * above[b + 1] * upper / group.factorial[b - a + 1]
            b += 1
        a -= 1
    return total


cdef void prepare(Group* group, int64_t classes, bint strict) noexcept nogil:
    cdef int64_t t
    group.classes = classes
    group.strict = strict
    group.factorial[0] = 1.0
    for t in range(1, MOST):
        group.factorial[t] = group.factorial[t - 1] * t


def chain_volume(cnp.ndarray ranked, cnp.ndarray starts, cnp.ndarray sizes, bint strict):
    """Share of all chains that are in order."""
    cdef const uint8_t* names = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* marks = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef const double* totals = <const double*>cnp.PyArray_DATA(sizes)
    cdef int64_t row = 0, k, n_rows = ranked.shape[0], classes = sizes.shape[0]
    cdef double[MOST + 1] below
    cdef Group group
    with nogil:
        prepare(&group, classes, strict)
        for k in range(classes + 1):
            below[k] = k == 0
        while row < n_rows:
            if read_group(names, marks, totals, n_rows, row, &group):
                extend_below(below, &group)
            else:
                k = names[row]
                below[k + 1] += below[k] * ((group.stop - row) / totals[k])
            row = group.stop
    return below[classes]


cdef int64_t walk_up(
    const uint8_t* names, const uint8_t* marks, const double* totals, int64_t n_rows,
    Group* group, double* parts, double* kept, bint counting,
) noexcept nogil:
    """Write the chains below each row to parts; of mixed groups keep all levels instead."""
    cdef double[MOST + 1] below
    cdef int64_t row = 0, k, place, mixed = 0, levels = group.classes + 1
    for k in range(levels):
        below[k] = k == 0
    while row < n_rows:
        if read_group(names, marks, totals, n_rows, row, group):
            if not counting:
                for k in range(levels):
                    kept[mixed * levels + k] = below[k]
                extend_below(below, group)
            mixed += 1
        elif not counting:
            k = names[row]
            for place in range(row, group.stop):
                parts[place] = below[k]
            below[k + 1] += below[k] * ((group.stop - row) / totals[k])
        row = group.stop
    return mixed


cdef void walk_down(
    const uint8_t* names, const uint8_t* marks, const double* totals, int64_t n_rows,
    Group* group, double* parts, const double* kept, int64_t mixed,
) noexcept nogil:
    """Multiply the chains below each row by those above it, from the highest score down."""
    cdef double[MOST + 1] above
    cdef int64_t row, stop = n_rows, k, place, levels = group.classes + 1
    for k in range(levels):
        above[k] = k == group.classes
    while stop > 0:
        row = stop - 1
        while not marks[row]:
            row -= 1
        if read_group(names, marks, totals, n_rows, row, group):
            mixed -= 1
            for place in range(row, stop):
                parts[place] = part_of(names[place], kept + mixed * levels, above, group)
            extend_above(above, group)
        else:
            k = names[row]
            for place in range(row, stop):
                parts[place] *= above[k + 1]
            above[k] += above[k + 1] * ((stop - row) / totals[k])
        stop = row


def count_mixed(cnp.ndarray ranked, cnp.ndarray starts, cnp.ndarray sizes):
    """Number of scores that rows of different classes share."""
    cdef const uint8_t* names = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* marks = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef const double* totals = <const double*>cnp.PyArray_DATA(sizes)
    cdef int64_t n_rows = ranked.shape[0], mixed
    cdef Group group
    with nogil:
        prepare(&group, sizes.shape[0], False)
        mixed = walk_up(names, marks, totals, n_rows, &group, NULL, NULL, True)
    return mixed


def chain_parts(
    cnp.ndarray ranked, cnp.ndarray starts, cnp.ndarray sizes, bint strict,
    cnp.ndarray parts, cnp.ndarray kept,
):
    """Fill parts: for each row the share of the chains through it that are in order."""
    cdef const uint8_t* names = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* marks = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef const double* totals = <const double*>cnp.PyArray_DATA(sizes)
    cdef double* out = <double*>cnp.PyArray_DATA(parts)
    cdef double* levels = <double*>cnp.PyArray_DATA(kept)
    cdef int64_t n_rows = ranked.shape[0], mixed
    cdef Group group
    with nogil:
        prepare(&group, sizes.shape[0], strict)
        mixed = walk_up(names, marks, totals, n_rows, &group, out, levels, False)
        walk_down(names, marks, totals, n_rows, &group, out, levels, mixed)
