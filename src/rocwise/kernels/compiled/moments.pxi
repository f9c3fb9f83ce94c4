# Means and spreads of resampled values; included by _losses.pyx after binomials.pxi.
#
# Many rows are drawn by blocks: how many in each, then which, so that few random numbers and few
# places of memory are looked at.

cdef enum:
    FROM = 16384  # rows from which on they are drawn by blocks; `plain/losses.py` has it too
    PER_BLOCK = 256  # rows; `plain/blocks.py` has it as SMALL
    TOGETHER = 4  # draws that one random number is good for
    ABREAST = 16  # resamples that look at a block while it is near


ctypedef struct Moment:  # a value and its square, or sums of them
    double value
    double square


ctypedef struct Moments:  # sums of what was drawn, in two halves that need not wait for each other
    Moment a
    Moment b


cdef void halve(
    uint64_t key, uint32_t* border, int64_t low, int64_t high, int64_t blocks, int64_t rows
) noexcept nogil:
    """How many draws fall before each border between two of which that is known."""
    cdef int64_t middle = (low + high) // 2, start = low * PER_BLOCK
    cdef int64_t end = min(high * PER_BLOCK, rows)
    cdef uint64_t state
    if high - low < 2:
        return
    state = stream_key(key, blocks + middle, POSITIVE)
    border[middle] = border[low] + <uint32_t>drawn_of(
        &state, border[high] - border[low], middle * PER_BLOCK - start, end - start
    )
    halve(key, border, low, middle, blocks, rows)
    halve(key, border, middle, high, blocks, rows)


cdef inline void add(Moment* total, double value) noexcept nogil:
    total.value += value
    total.square += value * value


cdef inline void add_two(Moment* total, double one, double two) noexcept nogil:
    total.value += one + two
    total.square += one * one + two * two


cdef void add_of_whole(
    uint64_t state, const Moment* of, int64_t draws, Moments* found
) noexcept nogil:
    """Draw rows of a block of 256: the first bytes of a random number say which four."""
    cdef Moment a = found.a, b = found.b
    cdef uint64_t word, step = STEP
    cdef const Moment* one
    cdef const Moment* two
    cdef int64_t draw
    for draw in range(draws // TOGETHER):
        state += step
        word = mix(state)
        one = of + (word >> 56)
        two = of + ((word >> 48) & 255)
        a.value += one.value + two.value
        a.square += one.square + two.square
        one = of + ((word >> 40) & 255)
        two = of + ((word >> 32) & 255)
        b.value += one.value + two.value
        b.square += one.square + two.square
    word = mix(state + step)
    for draw in range(draws % TOGETHER):
        a.value += of[word >> 56].value
        a.square += of[word >> 56].square
        word <<= 8
    found.a = a
    found.b = b


cdef void add_of_part(
    uint64_t state, const Moment* of, uint64_t rows, int64_t draws, Moments* found
) noexcept nogil:
    """The same of a smaller block; what a number leaves over is the number of the next draw."""
    cdef uint64_t word = 0
    cdef int64_t draw, whole = draws - draws % TOGETHER
    cdef const Moment* row
    cdef double[TOGETHER] values
    for draw in range(draws):
        if draw % TOGETHER == 0:
            state += STEP
            word = mix(state)
        row = of + multiply_high(word, rows)
        word *= rows
        if draw >= whole:
            add(&found.a, row.value)
            continue
        values[draw % TOGETHER] = row.value
        if draw % TOGETHER == TOGETHER - 1:
            add_two(&found.a, values[0], values[1])
            add_two(&found.b, values[2], values[3])


cdef void add_by_blocks(
    const uint64_t* keys, const uint32_t* borders, int64_t resamples, const double* value,
    int64_t rows, Moments* found,
) noexcept nogil:
    """Some resamples side by side, of which it is known how many rows each block has."""
    cdef int64_t blocks = (rows + PER_BLOCK - 1) // PER_BLOCK, block, k, size, draws
    cdef const uint32_t* border
    cdef uint64_t key
    cdef Moment[PER_BLOCK] of
    for block in range(blocks):
        size = min(PER_BLOCK, rows - block * PER_BLOCK)
        for k in range(size):
            of[k].value = value[k]
            of[k].square = value[k] * value[k]
        value += size
        for k in range(resamples):
            border = borders + k * (blocks + 1) + block
            draws = border[1] - border[0]
            key = stream_key(keys[k], block, POSITIVE)
            if size == PER_BLOCK:
                add_of_whole(key, of, draws, found + k)
            else:
                add_of_part(key, of, <uint64_t>size, draws, found + k)


cdef void add_all(
    uint64_t state, const double* value, int64_t rows, Moments* found
) noexcept nogil:
    """Draw as many rows as there are, one by one."""
    cdef uint64_t step = STEP
    cdef int64_t draw = 0
    cdef double one, two, three, four
    while draw + 4 <= rows:
        one = value[multiply_high(mix(state + step), <uint64_t>rows)]
        two = value[multiply_high(mix(state + 2 * step), <uint64_t>rows)]
        three = value[multiply_high(mix(state + 3 * step), <uint64_t>rows)]
        state += 4 * step
        four = value[multiply_high(mix(state), <uint64_t>rows)]
        add_two(&found.a, one, two)
        add_two(&found.b, three, four)
        draw += 4
    while draw < rows:
        state += step
        add(&found.a, value[multiply_high(mix(state), <uint64_t>rows)])
        draw += 1


def resampled_moments(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray values, cnp.ndarray means,
    cnp.ndarray spreads,
):
    """The same of as many rows drawn as there are values, whose mean should be about 0."""
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef double* mean = <double*>cnp.PyArray_DATA(means)
    cdef double* spread = <double*>cnp.PyArray_DATA(spreads)
    cdef int64_t rows = values.shape[0], start, resamples, k
    cdef int64_t blocks = (rows + PER_BLOCK - 1) // PER_BLOCK
    cdef uint64_t[ABREAST] keys
    cdef double total, variance
    cdef Moments[ABREAST] found
    cdef uint32_t* borders = <uint32_t*>malloc(ABREAST * (blocks + 1) * sizeof(uint32_t))
    cdef uint32_t* border
    if borders == NULL:
        raise MemoryError
    with nogil:
        start = first
        while start < last:
            resamples = min(ABREAST, last - start)
            memset(found, 0, sizeof(found))
            for k in range(resamples):
                keys[k] = stream_key(seed, start + k, POSITIVE)
                border = borders + k * (blocks + 1)
                border[0] = 0
                border[blocks] = <uint32_t>rows
                if rows < FROM:
                    add_all(keys[k], value, rows, found + k)
                else:
                    halve(keys[k], border, 0, blocks, blocks, rows)
            if rows >= FROM:
                add_by_blocks(keys, borders, resamples, value, rows, found)
            for k in range(resamples):
                total = (found[k].a.value + found[k].b.value) / rows
                variance = (found[k].a.square + found[k].b.square) / rows - total * total
                mean[start - first + k] = total
                spread[start - first + k] = sqrt(variance / rows) if variance > 0.0 else 0.0
            start += resamples
    free(borders)
