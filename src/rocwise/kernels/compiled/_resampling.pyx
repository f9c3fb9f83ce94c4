# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Stratified bootstrap: draws rows of each class and evaluates them, one replicate at a time.

The generator is splitmix64 started from a key of (seed, replicate, class), so a replicate is the
same whoever draws it; `plain_resampling` holds the same formulas in numpy.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"


cdef uint64_t draw_sum(uint64_t key, int64_t size, const uint32_t* values) noexcept nogil:
    """Sum of the values of `size` rows drawn out of `size`."""
    cdef int64_t draw
    cdef uint64_t state = key, step = STEP, total = 0
    for draw in range(size):
        state += step
        total += values[multiply_high(mix(state), <uint64_t>size)]
    return total


cdef void accumulate_in_place(uint32_t* counts, int64_t size) noexcept nogil:
    """Turn counts into the numbers before each place; counts has room for size + 1."""
    cdef int64_t place
    cdef uint32_t count, total = 0
    for place in range(size):
        count = counts[place]
        counts[place] = total
        total += count
    counts[size] = total


def placement_sums(
    uint64_t seed, int64_t first, int64_t last, int kind, int64_t counted, cnp.ndarray lower,
    cnp.ndarray upper, cnp.ndarray result,
):
    """Sum over one class (`kind`) of 2 * (others above) + (others tied), for each replicate.

    The other class has `counted` rows, of which lower[r] are above row r of the class and
    upper[r] above or tied, in descending order of score.
    """
    cdef const int32_t* low = <const int32_t*>cnp.PyArray_DATA(lower)
    cdef const int32_t* high = <const int32_t*>cnp.PyArray_DATA(upper)
    cdef int64_t* sums = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t row, replicate, size = lower.shape[0]
    cdef uint32_t* counts = <uint32_t*>malloc((counted + 1) * sizeof(uint32_t))
    cdef uint32_t* values = <uint32_t*>malloc((size + 1) * sizeof(uint32_t))
    if counts == NULL or values == NULL:
        free(counts)
        free(values)
        raise MemoryError
    with nogil:
        for replicate in range(first, last):
            draw_counts(stream_key(seed, replicate, 1 - kind), counted, counts)
            accumulate_in_place(counts, counted)
            for row in range(size):
                values[row] = counts[low[row]] + counts[high[row]]
            sums[replicate - first] = draw_sum(stream_key(seed, replicate, kind), size, values)
    free(counts)
    free(values)


ctypedef struct Polyline:
    const uint32_t* fp
    const uint32_t* tp
    const int64_t* fp_rank
    const int64_t* tp_rank
    int64_t segments


cdef inline double fp_at(const Polyline* line, int64_t vertex) noexcept nogil:
    return line.fp[line.fp_rank[vertex]]


cdef inline double tp_at(const Polyline* line, int64_t vertex) noexcept nogil:
    return line.tp[line.tp_rank[vertex]]


cdef int64_t last_vertex(const Polyline* line, double target) noexcept nogil:
    """Last vertex with at most `target` false positives, by halving."""
    cdef int64_t low = 0, step, left = line.segments + 1
    while left > 1:
        step = left // 2
        low += step if fp_at(line, low + step) <= target else 0
        left -= step
    return low


cdef void trace(
    const Polyline* line, const double* targets, int64_t points, bint walk, double* out
) noexcept nogil:
    """True positives where the polyline passes each target number of false positives."""
    cdef int64_t point, vertex = 0
    cdef double left, bottom, target
    for point in range(points):
        target = targets[point]
        if walk:
            while vertex < line.segments and fp_at(line, vertex + 1) <= target:
                vertex += 1
        else:
            vertex = last_vertex(line, target)
        left = fp_at(line, vertex)
        bottom = tp_at(line, vertex)
        if left == target or vertex == line.segments:
            out[point] = bottom
        else:
            out[point] = bottom + (tp_at(line, vertex + 1) - bottom) * (
                (target - left) / (fp_at(line, vertex + 1) - left)
            )


def heights(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray tp_rank, cnp.ndarray fp_rank,
    cnp.ndarray targets, bint walk, cnp.ndarray result,
):
    """True positives at each target number of false positives, for replicates first..last.

    tp_rank and fp_rank are the table's cumulative counts, from 0, in descending order of score.
    With `walk` the targets must ascend and all vertices are visited; else they are searched.
    """
    cdef const double* wanted = <const double*>cnp.PyArray_DATA(targets)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t points = targets.shape[0], replicate, n_pos, n_neg
    cdef Polyline line
    line.segments = tp_rank.shape[0] - 1
    line.tp_rank = <const int64_t*>cnp.PyArray_DATA(tp_rank)
    line.fp_rank = <const int64_t*>cnp.PyArray_DATA(fp_rank)
    n_pos = line.tp_rank[line.segments]
    n_neg = line.fp_rank[line.segments]
    cdef uint32_t* tp = <uint32_t*>malloc((n_pos + n_neg + 2) * sizeof(uint32_t))
    cdef uint32_t* fp = tp + n_pos + 1
    if tp == NULL:
        raise MemoryError
    line.tp = tp
    line.fp = fp
    with nogil:
        for replicate in range(first, last):
            draw_counts(stream_key(seed, replicate, POSITIVE), n_pos, tp)
            draw_counts(stream_key(seed, replicate, NEGATIVE), n_neg, fp)
            accumulate_in_place(tp, n_pos)
            accumulate_in_place(fp, n_neg)
            trace(&line, wanted, points, walk, out + (replicate - first) * points)
    free(tp)


def group_counts(
    uint64_t seed, int64_t first, int64_t last, int kind, cnp.ndarray ranks, cnp.ndarray result
):
    """Rows of a class drawn per score: one line of `result` for each replicate.

    Score g has the rows ranks[g] .. ranks[g + 1] - 1 of the class.
    """
    cdef const int64_t* places = <const int64_t*>cnp.PyArray_DATA(ranks)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t groups = ranks.shape[0] - 1, size = places[groups], replicate, group
    cdef uint32_t* counts = <uint32_t*>malloc((size + 1) * sizeof(uint32_t))
    if counts == NULL:
        raise MemoryError
    with nogil:
        for replicate in range(first, last):
            draw_counts(stream_key(seed, replicate, kind), size, counts)
            accumulate_in_place(counts, size)
            for group in range(groups):
                out[group] = counts[places[group + 1]] - counts[places[group]]
            out += groups
    free(counts)


def paired_sums(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray neg_order, cnp.ndarray pos_order,
    cnp.ndarray lower, cnp.ndarray upper, cnp.ndarray result,
):
    """Doubled U of several markers on the same drawn rows: result[replicate, marker].

    Line m of neg_order and pos_order lists the rows of the class in ascending order of marker m;
    lower and upper hold the ranks of the positives, in that order, among the negatives.
    """
    cdef const int32_t* neg_rows = <const int32_t*>cnp.PyArray_DATA(neg_order)
    cdef const int32_t* pos_rows = <const int32_t*>cnp.PyArray_DATA(pos_order)
    cdef const int32_t* low = <const int32_t*>cnp.PyArray_DATA(lower)
    cdef const int32_t* high = <const int32_t*>cnp.PyArray_DATA(upper)
    cdef int64_t* sums = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t markers = neg_order.shape[0], marker, replicate, row
    cdef int64_t n_neg = neg_order.shape[1], n_pos = pos_order.shape[1]
    cdef uint32_t* buffer = <uint32_t*>malloc((2 * n_neg + n_pos + 1) * sizeof(uint32_t))
    cdef uint32_t* neg = buffer
    cdef uint32_t* pos = buffer + n_neg
    cdef uint32_t* below = pos + n_pos
    cdef uint32_t running
    cdef uint64_t total
    if buffer == NULL:
        raise MemoryError
    with nogil:
        for replicate in range(first, last):
            draw_counts(stream_key(seed, replicate, NEGATIVE), n_neg, neg)
            draw_counts(stream_key(seed, replicate, POSITIVE), n_pos, pos)
            for marker in range(markers):
                running = 0
                for row in range(n_neg):
                    below[row] = running
                    running += neg[neg_rows[marker * n_neg + row]]
                below[n_neg] = running
                total = 0
                for row in range(marker * n_pos, (marker + 1) * n_pos):
                    total += <uint64_t>pos[pos_rows[row]] * (
                        <uint64_t>below[low[row]] + below[high[row]]
                    )
                sums[(replicate - first) * markers + marker] = total
    free(buffer)


def drawn_times(
    uint64_t seed, int64_t replicate, cnp.ndarray members, cnp.ndarray sizes, cnp.ndarray result
):
    """How often each row is drawn, rows of a class among themselves, one class after another."""
    cdef const int64_t* row = <const int64_t*>cnp.PyArray_DATA(members)
    cdef const int64_t* size = <const int64_t*>cnp.PyArray_DATA(sizes)
    cdef double* times = <double*>cnp.PyArray_DATA(result)
    cdef int64_t classes = sizes.shape[0], largest = 0, k, place
    cdef uint64_t state
    cdef uint32_t* counts
    for k in range(classes):
        largest = size[k] if size[k] > largest else largest
    counts = <uint32_t*>malloc((largest + 1) * sizeof(uint32_t))
    if counts == NULL:
        raise MemoryError
    with nogil:
        state = stream_key(seed, replicate, POSITIVE)
        for k in range(classes):
            state = draw_counts(state, size[k], counts)
            for place in range(size[k]):
                times[row[place]] = counts[place]
            row += size[k]
    free(counts)


def class_counts(
    uint64_t seed, int64_t first, int64_t last, int64_t n_pos, int64_t n_neg, cnp.ndarray result
):
    """How often each of n_pos positives, then of n_neg negatives is drawn: a line per replicate."""
    cdef int64_t* times = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t replicate, place, size = n_pos + n_neg
    cdef uint32_t* counts = <uint32_t*>malloc((size + 1) * sizeof(uint32_t))
    if counts == NULL:
        raise MemoryError
    with nogil:
        for replicate in range(first, last):
            draw_counts(stream_key(seed, replicate, POSITIVE), n_pos, counts)
            draw_counts(stream_key(seed, replicate, NEGATIVE), n_neg, counts + n_pos)
            for place in range(size):
                times[place] = counts[place]
            times += size
    free(counts)


def pooled_counts(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray classes, int attempts,
    cnp.ndarray result,
):
    """How often each unit is drawn, of all together; a draw without a class is thrown away.

    `classes` has a bit for each class of which a unit has rows. False if so many attempts at a
    replicate all lack a class.
    """
    cdef const uint8_t* of_unit = <const uint8_t*>cnp.PyArray_DATA(classes)
    cdef int64_t* times = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t replicate, unit, size = classes.shape[0]
    cdef int attempt
    cdef uint8_t seen, wanted = 0
    cdef bint complete = True
    cdef uint64_t key
    cdef uint32_t* counts = <uint32_t*>malloc((size + 1) * sizeof(uint32_t))
    if counts == NULL:
        raise MemoryError
    with nogil:
        for unit in range(size):
            wanted |= of_unit[unit]
        for replicate in range(first, last):
            key = stream_key(seed, replicate, POSITIVE)
            for attempt in range(attempts):
                key = draw_counts(key, size, counts)
                seen = 0
                for unit in range(size):
                    seen |= of_unit[unit] if counts[unit] else 0
                    if seen == wanted:
                        break
                complete = seen == wanted
                if complete:
                    break
            if not complete:
                break
            for unit in range(size):
                times[unit] = counts[unit]
            times += size
    free(counts)
    return complete


include "drawn_rows.pxi"


cdef void add_rows(
    const Times* times, const int32_t* units, const double* weights, const int64_t* starts,
    int64_t groups, double* pos, double* neg,
) noexcept nogil:
    """Sums at each score of one line."""
    cdef int64_t group
    for group in range(groups):
        add_score(times, units, weights, starts[group], starts[group + 1], pos + group, neg + group)


def row_amounts(
    cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts, cnp.ndarray pos,
    cnp.ndarray neg,
):
    """Positives and negatives at each score where unit u is there times[line, u] times.

    Row r, from the highest score down, belongs to unit units[r] and has the weight weights[r],
    below 0 for a negative; score g has the rows starts[g] .. starts[g + 1] - 1.
    """
    cdef const int64_t* whole = <const int64_t*>cnp.PyArray_DATA(times)
    cdef const double* parts = <const double*>cnp.PyArray_DATA(times)
    cdef const int32_t* unit = <const int32_t*>cnp.PyArray_DATA(units)
    cdef const double* weight = <const double*>cnp.PyArray_DATA(weights)
    cdef const int64_t* start = <const int64_t*>cnp.PyArray_DATA(starts)
    cdef double* of_pos = <double*>cnp.PyArray_DATA(pos)
    cdef double* of_neg = <double*>cnp.PyArray_DATA(neg)
    cdef int64_t lines = times.shape[0], n_units = times.shape[1], line
    cdef int64_t groups = starts.shape[0] - 1
    cdef bint counted = times.dtype.kind == "i"
    with nogil:
        for line in range(lines):
            if counted:
                add_rows(whole + line * n_units, unit, weight, start, groups, of_pos, of_neg)
            else:
                add_rows(parts + line * n_units, unit, weight, start, groups, of_pos, of_neg)
            of_pos += groups
            of_neg += groups
