# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Resampled ROC curves against lines tpr + slope * fpr = c, each of which a curve meets once.

The largest gap between two curves is found without visiting every vertex: both are monotone, which
bounds their gap on a stretch, and stretches that cannot hold a larger gap than the best so far are
left out. `plain_bands` visits them all and finds the same number.
"""

from libc.math cimport INFINITY, rint
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"
include "binomials.pxi"

cdef double SLACK = 1e-12  # more than what rounding can do to a bound
cdef double NO_GAP = 2e-12  # curves that coincide, but for rounding; `plain/bands.py` has it too
cdef enum:
    FIRST_PLACES = 32  # at which gaps are looked at where nothing is known of the largest
    BLOCK = 16
    PER_BLOCK = 64  # vertices, of which the rows are drawn together; `plain/blocks.py` has it too
    SMALL = 256  # rows of a block up to which one random number is good for `TOGETHER` draws
    TOGETHER = 4

ctypedef struct Point:
    double line
    double fpr
    double scale

ctypedef struct Curve:  # the data themselves, laid out by `compiled/bands.py`
    const Point* points
    const double* least  # scales of 1, 2, 4, ... blocks: a row of `blocks` numbers for each
    const int32_t* places
    const double* fprs
    int64_t last_place
    int64_t blocks
    double per_place

ctypedef struct Held:  # positives and negatives before a vertex: sums of weights
    double tp
    double fp

ctypedef struct Sample:
    const Held* held  # of rows with weights, and of clusters, in place of numbers of rows
    const int64_t* fp_rank
    const int64_t* tp_rank
    uint32_t* fp
    uint32_t* tp
    uint32_t* counts
    double n_neg
    double n_pos
    double slope
    double per_neg
    double per_pos
    Curve curve
    int64_t last
    int64_t blocks
    uint8_t* seen
    uint8_t* known
    uint32_t* border_fp
    uint32_t* border_tp
    int64_t* rank_fp  # ranks at the borders of blocks, side by side
    int64_t* rank_tp
    uint64_t key

ctypedef struct Meeting:
    int64_t before
    double line
    double fpr
    double gap


include "blocks.pxi"


cdef inline void counts_at(
    const Sample* sample, int64_t vertex, uint32_t* tp, uint32_t* fp
) noexcept nogil:
    """Cases of both classes before a vertex, which are drawn if nobody has asked for them."""
    cdef int64_t border
    if sample.known != NULL:
        if on_border(sample, vertex):
            border = (vertex + PER_BLOCK - 1) // PER_BLOCK
            look_at(sample, border)
            tp[0] = sample.border_tp[border]
            fp[0] = sample.border_fp[border]
            return
        look_into(sample, vertex // PER_BLOCK)
    tp[0] = sample.tp[sample.tp_rank[vertex]]
    fp[0] = sample.fp[sample.fp_rank[vertex]]


cdef inline void vertex_of(const Sample* sample, int64_t vertex, double* line, double* fpr) noexcept nogil:
    cdef uint32_t tp, fp
    if sample.curve.points != NULL:
        line[0] = sample.curve.points[vertex].line
        fpr[0] = sample.curve.points[vertex].fpr
        return
    if sample.held != NULL:
        fpr[0] = sample.held[vertex].fp / sample.n_neg
        line[0] = sample.held[vertex].tp / sample.n_pos + sample.slope * fpr[0]
        return
    counts_at(sample, vertex, &tp, &fp)
    fpr[0] = fp / sample.n_neg
    line[0] = tp / sample.n_pos + sample.slope * fpr[0]


cdef inline void about_place(
    const Sample* sample, int64_t vertex, double* along, double* up
) noexcept nogil:
    """FPR times the slope, and TPR, but for rounding, without divisions; not by blocks."""
    if sample.held != NULL:
        along[0] = sample.held[vertex].fp * sample.per_neg
        up[0] = sample.held[vertex].tp * sample.per_pos
    else:
        along[0] = sample.fp[sample.fp_rank[vertex]] * sample.per_neg
        up[0] = sample.tp[sample.tp_rank[vertex]] * sample.per_pos


cdef inline double about_line(const Sample* sample, int64_t vertex) noexcept nogil:
    """The line through a vertex but for rounding, without the two divisions."""
    cdef uint32_t tp, fp
    cdef double along, up
    if sample.known == NULL:
        about_place(sample, vertex, &along, &up)
        return up + along
    counts_at(sample, vertex, &tp, &fp)
    return tp * sample.per_pos + fp * sample.per_neg


cdef int64_t vertex_before(
    const Sample* sample, double line, int64_t low, int64_t first, int64_t last
) noexcept nogil:
    """Last vertex of the sample that is not beyond a line, sought from the vertex `low` on.

    It is one of first..last, but for rounding. Leaps that double, back and forth, then halving;
    rounding is put right at the end. The data have a table of lines to begin from, and blocks are
    sought by halving them.
    """
    cdef int64_t step = 1, left
    cdef double there, fpr
    if sample.curve.points != NULL:
        return data_before(&sample.curve, line, sample.last)
    if sample.known != NULL:
        low = block_before(sample, line, first, last)
        left = min(PER_BLOCK, sample.last - low + 1)
    else:
        while low > 0 and about_line(sample, low) > line:
            low = low - step if low > step else 0
            step *= 2
        left = step
        if step == 1:
            while low + step <= sample.last and about_line(sample, low + step) <= line:
                low += step
                step *= 2
            left = step
        left = min(left, sample.last - low + 1)
    while left > 1:
        step = left // 2
        low += step if about_line(sample, low + step) <= line else 0
        left -= step
    vertex_of(sample, low, &there, &fpr)
    while low > 0 and there > line:
        low -= 1
        vertex_of(sample, low, &there, &fpr)
    while low < sample.last:
        vertex_of(sample, low + 1, &there, &fpr)
        if there > line:
            break
        low += 1
    return low


cdef inline int64_t place_of(const Curve* curve, double line) noexcept nogil:
    """The place of the table at or before a line, but for rounding, with another one after it."""
    cdef int64_t place = <int64_t>(line * curve.per_place)
    return min(max(place, 0), curve.last_place - 1)


cdef int64_t data_before(const Curve* curve, double line, int64_t last) noexcept nogil:
    """The same for the data: from a place of the table on, by halving."""
    cdef int64_t place = place_of(curve, line), left, step
    cdef int64_t low = curve.places[place]
    left = curve.places[place + 1] - low + 1
    while left > 1:
        step = left // 2
        low += step if curve.points[low + step].line <= line else 0
        left -= step
    while low > 0 and curve.points[low].line > line:
        low -= 1
    while low < last and curve.points[low + 1].line <= line:
        low += 1
    return low


cdef inline double fpr_on(const Sample* sample, double line, int64_t before) noexcept nogil:
    """Where the sample, whose last vertex not beyond the line is given, meets it."""
    cdef double there, fpr, next_line, next_fpr
    vertex_of(sample, before, &there, &fpr)
    if before < sample.last:
        vertex_of(sample, before + 1, &next_line, &next_fpr)
        fpr = fpr + (next_fpr - fpr) * ((line - there) / (next_line - there))
    return fpr


cdef inline double scaled(const Sample* other, double gap, double line, int64_t before) noexcept nogil:
    """A gap as a multiple of the scale that the other curve has on the line."""
    cdef const Point* point
    cdef double scale
    if other.curve.least == NULL:
        return gap
    point = other.curve.points + before
    scale = point.scale
    if before < other.last:
        scale = scale + (point[1].scale - scale) * (
            (line - point.line) / (point[1].line - point.line)
        )
    return gap / scale


cdef inline double least_scale(const Curve* curve, double first, double last) noexcept nogil:
    """A scale that is nowhere undercut between two lines: the least of two runs of blocks."""
    cdef int64_t start, end, run = 1
    cdef const double* least = curve.least
    if least == NULL:
        return 1.0
    start = curve.places[place_of(curve, first)] // BLOCK
    end = min((curve.places[place_of(curve, last) + 1] + 1) // BLOCK + 1, curve.blocks)
    while 2 * run <= end - start:
        run *= 2
        least += curve.blocks
    return min(least[start], least[end - run])


include "curve_gaps.pxi"


include "drawn_samples.pxi"


def gaps(
    uint64_t seed, int64_t first, int64_t last, bint stratified, bint by_blocks, double slope,
    double floor, cnp.ndarray tp_rank, cnp.ndarray fp_rank, cnp.ndarray points, cnp.ndarray least,
    cnp.ndarray places, cnp.ndarray fprs, cnp.ndarray result,
):
    """Largest gap in FPR between each replicate and the curve of the data, or `floor` if larger.

    Gaps are multiples of the scale, which is given at each vertex, or they are as they are.
    """
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t replicate
    cdef Sample sample, data
    take_data(&data, points, least, places, fprs)
    open_sample(&sample, tp_rank, fp_rank, slope, by_blocks)
    with nogil:
        for replicate in range(first, last):
            draw_sample(&sample, seed, replicate, stratified)
            out[replicate - first] = largest_gap(&sample, &data, floor)
    close_sample(&sample)


def pair_gaps(
    uint64_t seed, int64_t first, int64_t last, bint stratified, bint by_blocks, double slope,
    double floor, cnp.ndarray tp_rank, cnp.ndarray fp_rank, cnp.ndarray result,
):
    """Largest gap in FPR between two resampled curves: pair b has the replicates 2b and 2b + 1."""
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t pair
    cdef Sample sample, other
    open_sample(&other, tp_rank, fp_rank, slope, by_blocks)
    try:
        open_sample(&sample, tp_rank, fp_rank, slope, by_blocks)
    except MemoryError:
        close_sample(&other)
        raise
    with nogil:
        for pair in range(first, last):
            draw_sample(&other, seed, 2 * pair, stratified)
            draw_sample(&sample, seed, 2 * pair + 1, stratified)
            out[pair - first] = largest_gap(&sample, &other, floor)
    close_sample(&sample)
    close_sample(&other)


cdef void meet_lines(
    const Sample* sample, const double* wanted, int64_t points, double* out
) noexcept nogil:
    """FPR at which a curve meets each line."""
    cdef int64_t point, v = 0
    for point in range(points):
        if point and wanted[point] < wanted[point - 1]:
            v = 0
        v = vertex_before(sample, wanted[point], v, v, sample.last)
        out[point] = fpr_on(sample, wanted[point], v)


def crossings(
    uint64_t seed, int64_t first, int64_t last, bint stratified, bint by_blocks, double slope,
    cnp.ndarray tp_rank, cnp.ndarray fp_rank, cnp.ndarray lines, cnp.ndarray result,
):
    """FPR at which each replicate meets each line: result[replicate, line]."""
    cdef const double* wanted = <const double*>cnp.PyArray_DATA(lines)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t replicate, points = lines.shape[0]
    cdef Sample sample
    open_sample(&sample, tp_rank, fp_rank, slope, by_blocks)
    with nogil:
        for replicate in range(first, last):
            draw_sample(&sample, seed, replicate, stratified)
            meet_lines(&sample, wanted, points, out)
            out += points
    close_sample(&sample)


include "best_blocks.pxi"
include "laid_curves.pxi"
include "held_curves.pxi"
