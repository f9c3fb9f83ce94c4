# A resample: room for it, its rows or blocks of rows drawn, and its sizes. Included by `_bands.pyx`.


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
    cdef uint32_t tp, fp
    counts_at(sample, sample.last, &tp, &fp)
    sample.n_pos = tp
    sample.n_neg = fp
    sample.per_pos = 1.0 / sample.n_pos
    sample.per_neg = sample.slope / sample.n_neg


cdef void take_data(
    Sample* sample, cnp.ndarray points, cnp.ndarray least, cnp.ndarray places, cnp.ndarray fprs
):
    """The curve of the data in place of a resample; with a least scale where there is a scale."""
    cdef Curve* curve = &sample.curve
    curve.points = <const Point*>cnp.PyArray_DATA(points)
    curve.least = <const double*>cnp.PyArray_DATA(least) if least.shape[0] else NULL
    curve.blocks = least.shape[1]
    curve.places = <const int32_t*>cnp.PyArray_DATA(places)
    curve.fprs = <const double*>cnp.PyArray_DATA(fprs)
    curve.last_place = places.shape[0] - 1
    sample.known = NULL
    sample.held = NULL
    sample.last = points.shape[0] - 1
    curve.per_place = curve.last_place / curve.points[sample.last].line


cdef int open_sample(
    Sample* sample, cnp.ndarray tp_rank, cnp.ndarray fp_rank, double slope, bint by_blocks
) except -1:
    cdef int64_t rows, most
    sample.last = tp_rank.shape[0] - 1
    sample.slope = slope
    sample.curve.points = NULL
    sample.curve.least = NULL
    sample.known = NULL
    sample.held = NULL
    sample.blocks = (sample.last + PER_BLOCK - 1) // PER_BLOCK
    sample.tp_rank = <const int64_t*>cnp.PyArray_DATA(tp_rank)
    sample.fp_rank = <const int64_t*>cnp.PyArray_DATA(fp_rank)
    rows = sample.tp_rank[sample.last] + sample.fp_rank[sample.last]
    most = most_rows(sample) if by_blocks else rows
    sample.counts = <uint32_t*>malloc((most + rows + 2) * sizeof(uint32_t))
    if sample.counts == NULL:
        raise MemoryError
    if by_blocks:
        if open_blocks(sample) < 0:
            free(sample.counts)
            raise MemoryError
    sample.tp = sample.counts + most
    sample.fp = sample.tp + sample.tp_rank[sample.last] + 1
    return 0


cdef void close_sample(Sample* sample) noexcept nogil:
    free(sample.counts)
    if sample.known != NULL:
        free(sample.rank_tp)
