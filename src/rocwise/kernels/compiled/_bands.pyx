# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Resampled ROC curves against lines tpr + slope * fpr = c, each of which a curve meets once.

The largest gap between two curves is found without visiting every vertex: on a stretch between
two lines both curves are monotone, which bounds their gap, and stretches that cannot hold a larger
gap than the best so far are left out. `plain_bands` visits them all and finds the same number.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"
include "binomials.pxi"

cdef double SLACK = 1e-12  # more than what rounding can do to a bound
cdef enum:
    STRETCHES = 256
    BLOCK = 64
    PER_BLOCK = 128  # vertices, of which the rows are drawn together; `plain/blocks.py` has it too

ctypedef struct Sample:
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
    double* lines
    double* rates
    const double* scale
    double* least
    int64_t last
    int64_t blocks
    uint8_t* known
    uint64_t key

ctypedef struct Meeting:
    int64_t vertex
    int64_t before
    double line
    double fpr
    double other_fpr
    double gap


include "blocks.pxi"


cdef inline void vertex_of(const Sample* sample, int64_t vertex, double* line, double* fpr) noexcept nogil:
    if sample.lines != NULL:
        line[0] = sample.lines[vertex]
        fpr[0] = sample.rates[vertex]
        return
    look_into(sample, vertex)
    fpr[0] = sample.fp[sample.fp_rank[vertex]] / sample.n_neg
    line[0] = sample.tp[sample.tp_rank[vertex]] / sample.n_pos + sample.slope * fpr[0]


cdef inline double about_line(const Sample* sample, int64_t vertex) noexcept nogil:
    """The line through a vertex but for rounding, without the two divisions."""
    if sample.lines != NULL:
        return sample.lines[vertex]
    look_into(sample, vertex)
    return (
        sample.tp[sample.tp_rank[vertex]] * sample.per_pos
        + sample.fp[sample.fp_rank[vertex]] * sample.per_neg
    )


cdef int64_t vertex_before(const Sample* sample, double line, int64_t low) noexcept nogil:
    """Last vertex of the sample that is not beyond a line, sought from the vertex `low` on.

    Leaps that double, back and forth, then halving; rounding is put right at the end.
    """
    cdef int64_t step = 1, left
    cdef double there, fpr
    if sample.known != NULL:
        low = block_before(sample, line, low)
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
    cdef double scale
    if other.scale == NULL:
        return gap
    scale = other.scale[before]
    if before < other.last:
        scale = scale + (other.scale[before + 1] - scale) * (
            (line - other.lines[before]) / (other.lines[before + 1] - other.lines[before])
        )
    return gap / scale


cdef double least_scale(const Sample* other, int64_t first, int64_t last) noexcept nogil:
    """The smallest scale at the vertices first..last, by blocks where it can be."""
    cdef double least
    cdef int64_t v = first
    if other.scale == NULL:
        return 1.0
    least = other.scale[first]
    last = last if last < other.last else other.last
    while v <= last:
        if v % BLOCK == 0 and v + BLOCK - 1 <= last:
            least = min(least, other.least[v // BLOCK])
            v += BLOCK
        else:
            least = min(least, other.scale[v])
            v += 1
    return least


include "curve_gaps.pxi"


cdef void draw_sample(Sample* sample, uint64_t seed, int64_t replicate, bint stratified) noexcept nogil:
    """Draw rows, within classes or from all; a draw of a single class is thrown away."""
    cdef int64_t n_pos = sample.tp_rank[sample.last], n_neg = sample.fp_rank[sample.last]
    cdef uint64_t key = stream_key(seed, replicate, POSITIVE)
    if sample.known != NULL:
        draw_blocks(sample, seed, replicate, stratified)
        return
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
    set_sizes(sample)


cdef void set_sizes(Sample* sample) noexcept nogil:
    sample.n_pos = sample.tp[sample.tp_rank[sample.last]]
    sample.n_neg = sample.fp[sample.fp_rank[sample.last]]
    sample.per_pos = 1.0 / sample.n_pos
    sample.per_neg = sample.slope / sample.n_neg


cdef int take_all(Sample* sample, cnp.ndarray scale) except -1:
    """The data themselves, every row once, with what is needed of each vertex laid out."""
    cdef int64_t n_pos = sample.tp_rank[sample.last], n_neg = sample.fp_rank[sample.last]
    cdef int64_t vertices = sample.last + 1, v
    cdef double* lines = <double*>malloc((2 * vertices + vertices // BLOCK + 1) * sizeof(double))
    if lines == NULL:
        raise MemoryError
    for v in range(n_pos + n_neg):
        sample.counts[v] = 1
    accumulate(sample.counts, n_pos, sample.tp)
    accumulate(sample.counts + n_pos, n_neg, sample.fp)
    set_sizes(sample)
    for v in range(vertices):
        vertex_of(sample, v, &lines[v], &lines[vertices + v])
    sample.lines = lines
    sample.rates = lines + vertices
    if scale.shape[0]:
        sample.scale = <const double*>cnp.PyArray_DATA(scale)
        sample.least = lines + 2 * vertices
        for v in range(vertices):
            if v % BLOCK == 0 or sample.scale[v] < sample.least[v // BLOCK]:
                sample.least[v // BLOCK] = sample.scale[v]
    return 0


cdef int open_sample(
    Sample* sample, cnp.ndarray tp_rank, cnp.ndarray fp_rank, double slope, bint by_blocks
) except -1:
    cdef int64_t rows
    sample.last = tp_rank.shape[0] - 1
    sample.slope = slope
    sample.lines = NULL
    sample.known = NULL
    sample.blocks = (sample.last + PER_BLOCK - 1) // PER_BLOCK
    sample.scale = NULL
    sample.tp_rank = <const int64_t*>cnp.PyArray_DATA(tp_rank)
    sample.fp_rank = <const int64_t*>cnp.PyArray_DATA(fp_rank)
    rows = sample.tp_rank[sample.last] + sample.fp_rank[sample.last]
    sample.counts = <uint32_t*>malloc((2 * rows + 2) * sizeof(uint32_t))
    if sample.counts == NULL:
        raise MemoryError
    if by_blocks:
        sample.known = <uint8_t*>malloc(sample.blocks)
        if sample.known == NULL:
            free(sample.counts)
            raise MemoryError
    sample.tp = sample.counts + rows
    sample.fp = sample.tp + sample.tp_rank[sample.last] + 1
    return 0


cdef void close_sample(Sample* sample) noexcept nogil:
    free(sample.counts)
    free(sample.lines)
    free(sample.known)


def gaps(
    uint64_t seed, int64_t first, int64_t last, bint stratified, bint by_blocks, double slope,
    cnp.ndarray tp_rank, cnp.ndarray fp_rank, cnp.ndarray scale, cnp.ndarray result,
):
    """Largest gap in FPR between each replicate and the curve of the data.

    Gaps are multiples of the scale, which is given at each vertex, or they are as they are.
    """
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t replicate
    cdef Sample sample, data
    open_sample(&data, tp_rank, fp_rank, slope, False)
    try:
        take_all(&data, scale)
        open_sample(&sample, tp_rank, fp_rank, slope, by_blocks)
    except MemoryError:
        close_sample(&data)
        raise
    with nogil:
        for replicate in range(first, last):
            draw_sample(&sample, seed, replicate, stratified)
            out[replicate - first] = largest_gap(&sample, &data)
    close_sample(&sample)
    close_sample(&data)


def pair_gaps(
    uint64_t seed, int64_t first, int64_t last, bint stratified, bint by_blocks, double slope,
    cnp.ndarray tp_rank, cnp.ndarray fp_rank, cnp.ndarray result,
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
            out[pair - first] = largest_gap(&sample, &other)
    close_sample(&sample)
    close_sample(&other)


def crossings(
    uint64_t seed, int64_t first, int64_t last, bint stratified, bint by_blocks, double slope,
    cnp.ndarray tp_rank, cnp.ndarray fp_rank, cnp.ndarray lines, cnp.ndarray result,
):
    """FPR at which each replicate meets each line: result[replicate, line]."""
    cdef const double* wanted = <const double*>cnp.PyArray_DATA(lines)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t replicate, point, points = lines.shape[0], v
    cdef Sample sample
    open_sample(&sample, tp_rank, fp_rank, slope, by_blocks)
    with nogil:
        for replicate in range(first, last):
            draw_sample(&sample, seed, replicate, stratified)
            v = 0
            for point in range(points):
                if point and wanted[point] < wanted[point - 1]:
                    v = 0
                v = vertex_before(&sample, wanted[point], v)
                out[point] = fpr_on(&sample, wanted[point], v)
            out += points
    close_sample(&sample)
