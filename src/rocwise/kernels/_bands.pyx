# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Resampled ROC curves against lines tpr + slope * fpr = c, each of which a curve meets once.

The largest gap between two curves is found without visiting every vertex: on a stretch between
two lines both curves are monotone, which bounds their gap, and stretches that cannot hold a larger
gap than the best so far are left out. `plain_bands` visits them all and finds the same number.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"

cdef double SLACK = 1e-12  # more than what rounding can do to a bound
cdef enum:
    STRETCHES = 64

ctypedef struct Curve:
    const double* line
    const double* fpr
    const int32_t* start
    double bins_per_unit
    int64_t bins
    int64_t last

ctypedef struct Sample:
    const int64_t* fp_rank
    const int64_t* tp_rank
    uint32_t* fp
    uint32_t* tp
    uint32_t* counts
    double n_neg
    double n_pos
    double slope
    int64_t last

ctypedef struct Meeting:
    int64_t vertex
    double line
    double fpr
    double curve_fpr


cdef inline void vertex_of(const Sample* sample, int64_t vertex, double* line, double* fpr) noexcept nogil:
    fpr[0] = sample.fp[sample.fp_rank[vertex]] / sample.n_neg
    line[0] = sample.tp[sample.tp_rank[vertex]] / sample.n_pos + sample.slope * fpr[0]


cdef inline int64_t vertex_before(const Curve* curve, double line) noexcept nogil:
    """Last vertex of the curve that is not beyond a line."""
    cdef int64_t place = <int64_t>(line * curve.bins_per_unit)
    cdef int64_t vertex = curve.start[place if place < curve.bins else curve.bins - 1]
    while vertex < curve.last and curve.line[vertex + 1] <= line:
        vertex += 1
    return vertex


cdef Meeting meeting(const Sample* sample, const Curve* curve, int64_t vertex) noexcept nogil:
    """Where the line through a vertex of the sample meets the curve."""
    cdef Meeting found
    cdef int64_t v
    found.vertex = vertex
    vertex_of(sample, vertex, &found.line, &found.fpr)
    v = vertex_before(curve, found.line)
    found.curve_fpr = curve.fpr[v]
    if v < curve.last:
        found.curve_fpr = curve.fpr[v] + (curve.fpr[v + 1] - curve.fpr[v]) * (
            (found.line - curve.line[v]) / (curve.line[v + 1] - curve.line[v])
        )
    return found


cdef double largest_within(
    const Sample* sample, const Curve* curve, const Meeting* low, const Meeting* high, double best
) noexcept nogil:
    """The larger of `best` and the largest gap between two meetings."""
    cdef double bound = high.curve_fpr - low.fpr, other = high.fpr - low.curve_fpr, gap
    cdef int64_t v
    cdef Meeting middle
    if (bound if bound > other else other) + SLACK <= best:
        return best
    if high.vertex - low.vertex > 1:
        middle = meeting(sample, curve, (low.vertex + high.vertex) // 2)
        gap = fabs(middle.fpr - middle.curve_fpr)
        best = gap if gap > best else best
        best = largest_within(sample, curve, low, &middle, best)
        return largest_within(sample, curve, &middle, high, best)
    if high.line <= low.line:
        return best
    v = vertex_before(curve, low.line)
    while v <= curve.last and curve.line[v] < high.line:
        if curve.line[v] >= low.line:
            gap = fabs(
                low.fpr
                + (high.fpr - low.fpr) * ((curve.line[v] - low.line) / (high.line - low.line))
                - curve.fpr[v]
            )
            best = gap if gap > best else best
        v += 1
    return best


cdef double largest_gap(const Sample* sample, const Curve* curve) noexcept nogil:
    cdef Meeting[STRETCHES + 1] meetings
    cdef int64_t stretches = sample.last if sample.last < STRETCHES else STRETCHES, stretch
    cdef double best = 0.0, gap
    for stretch in range(stretches + 1):
        meetings[stretch] = meeting(sample, curve, sample.last * stretch // stretches)
        gap = fabs(meetings[stretch].fpr - meetings[stretch].curve_fpr)
        best = gap if gap > best else best
    for stretch in range(stretches):
        best = largest_within(sample, curve, &meetings[stretch], &meetings[stretch + 1], best)
    return best


cdef void draw_sample(Sample* sample, uint64_t seed, int64_t replicate, bint stratified) noexcept nogil:
    """Draw rows, within classes or from all; a draw of a single class is thrown away."""
    cdef int64_t n_pos = sample.tp_rank[sample.last], n_neg = sample.fp_rank[sample.last]
    cdef uint64_t key = stream_key(seed, replicate, POSITIVE)
    if stratified:
        draw_counts(key, n_pos, sample.counts)
        draw_counts(stream_key(seed, replicate, NEGATIVE), n_neg, sample.counts + n_pos)
        accumulate(sample.counts, n_pos, sample.tp)
        accumulate(sample.counts + n_pos, n_neg, sample.fp)
    else:
        sample.tp[n_pos] = 0
        sample.fp[n_neg] = 0
        while sample.tp[n_pos] == 0 or sample.fp[n_neg] == 0:
            key = draw_counts(key, n_pos + n_neg, sample.counts)
            accumulate(sample.counts, n_pos, sample.tp)
            accumulate(sample.counts + n_pos, n_neg, sample.fp)
    sample.n_pos = sample.tp[n_pos]
    sample.n_neg = sample.fp[n_neg]


cdef int open_sample(Sample* sample, cnp.ndarray tp_rank, cnp.ndarray fp_rank, double slope) except -1:
    cdef int64_t rows
    sample.last = tp_rank.shape[0] - 1
    sample.slope = slope
    sample.tp_rank = <const int64_t*>cnp.PyArray_DATA(tp_rank)
    sample.fp_rank = <const int64_t*>cnp.PyArray_DATA(fp_rank)
    rows = sample.tp_rank[sample.last] + sample.fp_rank[sample.last]
    sample.counts = <uint32_t*>malloc((2 * rows + 2) * sizeof(uint32_t))
    if sample.counts == NULL:
        raise MemoryError
    sample.tp = sample.counts + rows
    sample.fp = sample.tp + sample.tp_rank[sample.last] + 1
    return 0


def gaps(
    uint64_t seed, int64_t first, int64_t last, bint stratified, double slope, cnp.ndarray tp_rank,
    cnp.ndarray fp_rank, cnp.ndarray line, cnp.ndarray fpr, cnp.ndarray start,
    double bins_per_unit, cnp.ndarray result,
):
    """Largest gap in FPR between each replicate and the curve of the data.

    `line` and `fpr` describe the vertices of the curve; start[k] is the last vertex not beyond
    the line k / bins_per_unit.
    """
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t replicate
    cdef Sample sample
    cdef Curve curve
    open_sample(&sample, tp_rank, fp_rank, slope)
    curve.line = <const double*>cnp.PyArray_DATA(line)
    curve.fpr = <const double*>cnp.PyArray_DATA(fpr)
    curve.start = <const int32_t*>cnp.PyArray_DATA(start)
    curve.bins_per_unit = bins_per_unit
    curve.bins = start.shape[0]
    curve.last = line.shape[0] - 1
    with nogil:
        for replicate in range(first, last):
            draw_sample(&sample, seed, replicate, stratified)
            out[replicate - first] = largest_gap(&sample, &curve)
    free(sample.counts)


cdef int64_t sample_vertex_before(const Sample* sample, double line) noexcept nogil:
    """Last vertex of the sample that is not beyond a line, by halving."""
    cdef int64_t low = 0, step, left = sample.last + 1
    cdef double there, fpr
    while left > 1:
        step = left // 2
        vertex_of(sample, low + step, &there, &fpr)
        low += step if there <= line else 0
        left -= step
    return low


def crossings(
    uint64_t seed, int64_t first, int64_t last, bint stratified, double slope, cnp.ndarray tp_rank,
    cnp.ndarray fp_rank, cnp.ndarray lines, cnp.ndarray result,
):
    """FPR at which each replicate meets each line: result[replicate, line]."""
    cdef const double* wanted = <const double*>cnp.PyArray_DATA(lines)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t replicate, point, points = lines.shape[0], v
    cdef double line, fpr, next_line, next_fpr
    cdef Sample sample
    open_sample(&sample, tp_rank, fp_rank, slope)
    with nogil:
        for replicate in range(first, last):
            draw_sample(&sample, seed, replicate, stratified)
            for point in range(points):
                v = sample_vertex_before(&sample, wanted[point])
                vertex_of(&sample, v, &line, &fpr)
                if v < sample.last:
                    vertex_of(&sample, v + 1, &next_line, &next_fpr)
                    fpr = fpr + (next_fpr - fpr) * ((wanted[point] - line) / (next_line - line))
                out[point] = fpr
            out += points
    free(sample.counts)


cdef void lay_out(
    const Sample* sample, Curve* curve, double* line, double* fpr, int32_t* start
) noexcept nogil:
    """A sample as a curve to compare with; vertices that stay where they are count once."""
    cdef int64_t vertex, place
    cdef double there, rate
    curve.last = 0
    vertex_of(sample, 0, &line[0], &fpr[0])
    for vertex in range(1, sample.last + 1):
        vertex_of(sample, vertex, &there, &rate)
        if there > line[curve.last]:
            curve.last += 1
            line[curve.last] = there
            fpr[curve.last] = rate
    curve.bins = curve.last + 1
    curve.bins_per_unit = curve.bins / line[curve.last]
    vertex = 0
    for place in range(curve.bins):
        # a little early, so that rounding never puts a start beyond the line sought
        while vertex < curve.last and line[vertex + 1] <= (place - 0.001) / curve.bins_per_unit:
            vertex += 1
        start[place] = vertex


def pair_gaps(
    uint64_t seed, int64_t first, int64_t last, bint stratified, double slope, cnp.ndarray tp_rank,
    cnp.ndarray fp_rank, cnp.ndarray result,
):
    """Largest gap in FPR between two resampled curves: pair b has the replicates 2b and 2b + 1."""
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t pair, room = tp_rank.shape[0]
    cdef Sample sample
    cdef Curve curve
    cdef double* line = <double*>malloc(2 * room * sizeof(double))
    cdef int32_t* start = <int32_t*>malloc(room * sizeof(int32_t))
    if line == NULL or start == NULL:
        free(line)
        free(start)
        raise MemoryError
    open_sample(&sample, tp_rank, fp_rank, slope)
    curve.line = line
    curve.fpr = line + room
    curve.start = start
    with nogil:
        for pair in range(first, last):
            draw_sample(&sample, seed, 2 * pair, stratified)
            lay_out(&sample, &curve, line, line + room, start)
            draw_sample(&sample, seed, 2 * pair + 1, stratified)
            out[pair - first] = largest_gap(&sample, &curve)
    free(sample.counts)
    free(line)
    free(start)
