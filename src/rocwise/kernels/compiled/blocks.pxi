# Resamples drawn by blocks of neighbouring scores: first how many rows of each block, which are
# binomial numbers; the rows inside a block only when somebody looks at one of its vertices. What is
# drawn is the same whoever looks first, and has the distribution of rows drawn one by one.


cdef inline bint on_border(const Sample* sample, int64_t vertex) noexcept nogil:
    return vertex % PER_BLOCK == 0 or vertex == sample.last


cdef void fill_class(
    uint64_t key, int64_t block, int kind, const int64_t* rank, int64_t first, int64_t last,
    uint32_t* above, uint32_t* counts,
) noexcept nogil:
    """Draw the rows of one class in a block, of which it is known how many there are."""
    cdef int64_t start = rank[first], rows = rank[last] - start, row
    cdef uint32_t total = above[start], end = above[rank[last]]
    cdef uint64_t state = stream_key(key, block, kind)
    cdef uint32_t draw
    if rows < 2:
        return
    memset(counts, 0, rows * sizeof(uint32_t))
    for draw in range(end - total):
        state += STEP
        counts[multiply_high(mix(state), <uint64_t>rows)] += 1
    for row in range(rows):
        above[start + row] = total
        total += counts[row]


cdef inline void look_into(const Sample* sample, int64_t vertex) noexcept nogil:
    """See to it that the rows before a vertex are drawn."""
    cdef int64_t block = vertex // PER_BLOCK, first, last
    if sample.known == NULL or on_border(sample, vertex) or sample.known[block]:
        return
    sample.known[block] = True
    first = block * PER_BLOCK
    last = min(first + PER_BLOCK, sample.last)
    fill_class(sample.key, block, POSITIVE, sample.tp_rank, first, last, sample.tp, sample.counts)
    fill_class(sample.key, block, NEGATIVE, sample.fp_rank, first, last, sample.fp, sample.counts)


cdef void draw_borders(
    const Sample* sample, uint64_t key, int64_t draws, const int64_t* rank, uint32_t* above
) noexcept nogil:
    """How many rows of one class there are before every block."""
    cdef int64_t block, first, last, rows, left = rank[sample.last]
    cdef uint32_t total = 0
    above[0] = 0
    for block in range(sample.blocks):
        first = block * PER_BLOCK
        last = min(first + PER_BLOCK, sample.last)
        rows = rank[last] - rank[first]
        total += <uint32_t>drawn_of(&key, draws - total, rows, left)
        above[rank[last]] = total
        left -= rows


cdef void draw_blocks(Sample* sample, uint64_t seed, int64_t replicate, bint stratified) noexcept nogil:
    """A resample of which only the borders of blocks are drawn so far."""
    cdef int64_t n_pos = sample.tp_rank[sample.last], n_neg = sample.fp_rank[sample.last]
    cdef int64_t size = n_pos + n_neg, of_pos = n_pos
    cdef uint64_t state = stream_key(seed, replicate, POSITIVE)
    sample.key = state
    memset(sample.known, 0, sample.blocks)
    if not stratified:
        of_pos = 0
        while of_pos == 0 or of_pos == size:
            of_pos = drawn_of(&state, size, n_pos, size)
    draw_borders(sample, mix(state), of_pos, sample.tp_rank, sample.tp)
    draw_borders(
        sample, stream_key(seed, replicate, NEGATIVE), size - of_pos, sample.fp_rank, sample.fp
    )
    set_sizes(sample)


cdef int64_t block_before(const Sample* sample, double line, int64_t low) noexcept nogil:
    """The border at or before the last vertex not beyond a line, sought from vertex `low` on."""
    cdef int64_t block = low // PER_BLOCK, step = 1, left
    while block > 0 and about_line(sample, block * PER_BLOCK) > line:
        block = block - step if block > step else 0
        step *= 2
    left = step
    if step == 1:
        while block + step < sample.blocks and about_line(sample, (block + step) * PER_BLOCK) <= line:
            block += step
            step *= 2
        left = step
    left = min(left, sample.blocks - block)
    while left > 1:
        step = left // 2
        block += step if about_line(sample, (block + step) * PER_BLOCK) <= line else 0
        left -= step
    return block * PER_BLOCK


cdef int64_t vertex_under(const Sample* sample, double target) noexcept nogil:
    """Last vertex with at most `target` false positives, by halving borders, then a block."""
    cdef int64_t low = 0, step, left = sample.blocks
    while left > 1:
        step = left // 2
        low += step if sample.fp[sample.fp_rank[(low + step) * PER_BLOCK]] <= target else 0
        left -= step
    low *= PER_BLOCK
    left = min(PER_BLOCK, sample.last - low + 1)
    while left > 1:
        step = left // 2
        look_into(sample, low + step)
        low += step if sample.fp[sample.fp_rank[low + step]] <= target else 0
        left -= step
    return low


cdef double height_at(const Sample* sample, double target) noexcept nogil:
    """True positives where the curve passes a number of false positives."""
    cdef int64_t vertex = vertex_under(sample, target)
    cdef double left, bottom
    look_into(sample, vertex)
    left = sample.fp[sample.fp_rank[vertex]]
    bottom = sample.tp[sample.tp_rank[vertex]]
    if left == target or vertex == sample.last:
        return bottom
    look_into(sample, vertex + 1)
    return bottom + (sample.tp[sample.tp_rank[vertex + 1]] - bottom) * (
        (target - left) / (sample.fp[sample.fp_rank[vertex + 1]] - left)
    )


def heights(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray tp_rank, cnp.ndarray fp_rank,
    cnp.ndarray targets, cnp.ndarray result,
):
    """True positives at each number of false positives, of resamples within classes by blocks."""
    cdef const double* wanted = <const double*>cnp.PyArray_DATA(targets)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t points = targets.shape[0], point, replicate
    cdef Sample sample
    open_sample(&sample, tp_rank, fp_rank, 1.0, True)
    with nogil:
        for replicate in range(first, last):
            draw_sample(&sample, seed, replicate, True)
            for point in range(points):
                out[point] = height_at(&sample, wanted[point])
            out += points
    close_sample(&sample)
