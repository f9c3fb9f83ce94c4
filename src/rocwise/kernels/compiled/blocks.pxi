# Resamples drawn by blocks of neighbouring scores. How many rows there are before a border of
# blocks is drawn when somebody asks: halves of all blocks, halves of these, and so on, down to the
# border; each split is a binomial number. The rows inside a block are drawn when somebody looks at
# one of its vertices. What is drawn is the same whoever asks first, and has the distribution of
# rows drawn one by one.


cdef inline bint on_border(const Sample* sample, int64_t vertex) noexcept nogil:
    return vertex % PER_BLOCK == 0 or vertex == sample.last


cdef inline int64_t first_of(const Sample* sample, int64_t block) noexcept nogil:
    return min(block * PER_BLOCK, sample.last)


cdef int64_t most_rows(const Sample* sample) noexcept nogil:
    """Rows of the larger class in the largest block."""
    cdef int64_t block, start, end, most = 0
    for block in range(sample.blocks):
        start = first_of(sample, block)
        end = first_of(sample, block + 1)
        most = max(most, sample.tp_rank[end] - sample.tp_rank[start])
        most = max(most, sample.fp_rank[end] - sample.fp_rank[start])
    return most


cdef int open_blocks(Sample* sample) noexcept nogil:
    """Room for what is known of the blocks, and the ranks at their borders."""
    cdef int64_t borders = sample.blocks + 1, border
    sample.rank_tp = <int64_t*>malloc(
        borders * (2 * sizeof(int64_t) + 2 * sizeof(uint32_t) + 2 * sizeof(uint8_t))
    )
    if sample.rank_tp == NULL:
        return -1
    sample.rank_fp = sample.rank_tp + borders
    sample.border_tp = <uint32_t*>(sample.rank_fp + borders)
    sample.border_fp = sample.border_tp + borders
    sample.seen = <uint8_t*>(sample.border_fp + borders)
    sample.known = sample.seen + borders
    for border in range(borders):
        sample.rank_tp[border] = sample.tp_rank[first_of(sample, border)]
        sample.rank_fp[border] = sample.fp_rank[first_of(sample, border)]
    return 0


cdef inline void split(
    const Sample* sample, int kind, const int64_t* rank, uint32_t* border,
    int64_t low, int64_t middle, int64_t high,
) noexcept nogil:
    """How many rows of one class there are before a border between two of which that is known."""
    cdef uint64_t state = stream_key(sample.key, sample.blocks + middle, kind)
    border[middle] = border[low] + <uint32_t>drawn_of(
        &state, border[high] - border[low], rank[middle] - rank[low], rank[high] - rank[low]
    )


cdef inline void draw_border(const Sample* sample, int64_t low, int64_t middle, int64_t high) noexcept nogil:
    if sample.seen[middle]:
        return
    sample.seen[middle] = True
    split(sample, POSITIVE, sample.rank_tp, sample.border_tp, low, middle, high)
    split(sample, NEGATIVE, sample.rank_fp, sample.border_fp, low, middle, high)


cdef void look_at(const Sample* sample, int64_t border) noexcept nogil:
    """See to it that the rows before a border are counted."""
    cdef int64_t low = 0, high = sample.blocks, middle
    while not sample.seen[border]:
        middle = (low + high) // 2
        draw_border(sample, low, middle, high)
        if border < middle:
            high = middle
        else:
            low = middle


cdef inline uint64_t count_draw(uint64_t word, uint64_t rows, uint32_t* counts) noexcept nogil:
    """Count a row; what of the random number is left for the next draw."""
    counts[multiply_high(word, rows)] += 1
    return word * rows


cdef void fill_class(
    const Sample* sample, int64_t block, int kind, const int64_t* rank, const uint32_t* border,
    uint32_t* above,
) noexcept nogil:
    """Draw the rows of one class in a block, of which it is known how many there are."""
    cdef int64_t start = rank[block], rows = rank[block + 1] - start, row
    cdef uint64_t state = stream_key(sample.key, block, kind), word
    cdef uint32_t total = border[block], draws = border[block + 1] - total, draw
    cdef uint32_t* counts = sample.counts
    cdef uint32_t together = TOGETHER if rows <= SMALL else 1
    above[start + rows] = border[block + 1]
    if rows < 2:
        above[start] = total
        return
    memset(counts, 0, rows * sizeof(uint32_t))
    if together == TOGETHER:
        for draw in range(draws // TOGETHER):
            state += STEP
            word = count_draw(mix(state), <uint64_t>rows, counts)
            word = count_draw(word, <uint64_t>rows, counts)
            word = count_draw(word, <uint64_t>rows, counts)
            count_draw(word, <uint64_t>rows, counts)
        draws %= TOGETHER
        word = mix(state + STEP)
        for draw in range(draws):
            word = count_draw(word, <uint64_t>rows, counts)
    else:
        for draw in range(draws):
            state += STEP
            count_draw(mix(state), <uint64_t>rows, counts)
    for row in range(rows):
        above[start + row] = total
        total += counts[row]


cdef inline void look_into(const Sample* sample, int64_t block) noexcept nogil:
    """See to it that the rows of a block are drawn."""
    if sample.known[block]:
        return
    sample.known[block] = True
    look_at(sample, block)
    look_at(sample, block + 1)
    fill_class(sample, block, POSITIVE, sample.rank_tp, sample.border_tp, sample.tp)
    fill_class(sample, block, NEGATIVE, sample.rank_fp, sample.border_fp, sample.fp)


cdef void draw_blocks(Sample* sample, uint64_t seed, int64_t replicate, bint stratified) noexcept nogil:
    """A resample of which only the sizes of the classes are drawn so far."""
    cdef int64_t n_pos = sample.tp_rank[sample.last], n_neg = sample.fp_rank[sample.last]
    cdef int64_t size = n_pos + n_neg, of_pos = n_pos
    cdef uint64_t state = stream_key(seed, replicate, POSITIVE)
    sample.key = state
    memset(sample.seen, 0, 2 * sample.blocks + 2)
    if not stratified:
        of_pos = 0
        while of_pos == 0 or of_pos == size:
            of_pos = drawn_of(&state, size, n_pos, size)
    sample.seen[0] = sample.seen[sample.blocks] = True
    sample.border_tp[0] = sample.border_fp[0] = 0
    sample.border_tp[sample.blocks] = <uint32_t>of_pos
    sample.border_fp[sample.blocks] = <uint32_t>(size - of_pos)
    set_sizes(sample)


cdef int64_t block_before(
    const Sample* sample, double line, int64_t first, int64_t last
) noexcept nogil:
    """First vertex of the block with the last vertex that is not beyond a line, by halving."""
    cdef int64_t low = 0, high = sample.blocks, middle
    first //= PER_BLOCK
    last //= PER_BLOCK
    while high - low > 1:
        middle = (low + high) // 2
        draw_border(sample, low, middle, high)
        if middle <= first:
            low = middle
        elif middle > last:
            high = middle
        elif (
            sample.border_tp[middle] * sample.per_pos + sample.border_fp[middle] * sample.per_neg
            <= line
        ):
            low = middle
        else:
            high = middle
    return low * PER_BLOCK


cdef int64_t vertex_under(const Sample* sample, double target) noexcept nogil:
    """Last vertex with at most `target` false positives, by halving blocks, then one of them."""
    cdef int64_t low = 0, high = sample.blocks, middle, step, left
    cdef uint32_t tp, fp
    while high - low > 1:
        middle = (low + high) // 2
        draw_border(sample, low, middle, high)
        if sample.border_fp[middle] <= target:
            low = middle
        else:
            high = middle
    low *= PER_BLOCK
    left = min(PER_BLOCK, sample.last - low + 1)
    while left > 1:
        step = left // 2
        counts_at(sample, low + step, &tp, &fp)
        low += step if fp <= target else 0
        left -= step
    while low < sample.last:
        counts_at(sample, low + 1, &tp, &fp)
        if fp > target:
            break
        low += 1
    return low


cdef double height_at(const Sample* sample, double target) noexcept nogil:
    """True positives where the curve passes a number of false positives."""
    cdef int64_t vertex = vertex_under(sample, target)
    cdef uint32_t bottom, left, top, right
    counts_at(sample, vertex, &bottom, &left)
    if left == target or vertex == sample.last:
        return bottom
    counts_at(sample, vertex + 1, &top, &right)
    return bottom + (<double>top - bottom) * ((target - left) / (<double>right - left))


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
