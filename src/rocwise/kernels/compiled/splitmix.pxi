# The generator of the bootstrap: splitmix64 started from a key of (seed, replicate, class), so a
# replicate is the same whoever draws it; `plain_resampling` holds the same formulas in numpy.

cdef extern from "wide.h" nogil:
    uint64_t multiply_high(uint64_t a, uint64_t b)

cdef uint64_t STEP = 0x9E3779B97F4A7C15
cdef enum:
    NEGATIVE = 0
    POSITIVE = 1


cdef inline uint64_t mix(uint64_t state) noexcept nogil:
    state = (state ^ (state >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    state = (state ^ (state >> 27)) * <uint64_t>0x94D049BB133111EB
    return state ^ (state >> 31)


cdef inline uint64_t stream_key(uint64_t seed, int64_t replicate, int kind) noexcept nogil:
    return mix(mix(seed + STEP) + (2 * <uint64_t>replicate + <uint64_t>kind + 1) * STEP)


cdef uint64_t draw_counts(uint64_t key, int64_t size, uint32_t* counts) noexcept nogil:
    """How often each of `size` rows is drawn in `size` draws; the key with which to go on."""
    cdef int64_t draw
    cdef uint64_t state = key, step = STEP
    memset(counts, 0, size * sizeof(uint32_t))
    for draw in range(size):
        state += step
        counts[multiply_high(mix(state), <uint64_t>size)] += 1
    return state


cdef void accumulate(const uint32_t* counts, int64_t size, uint32_t* before) noexcept nogil:
    """The numbers before each place; `before` has room for size + 1."""
    cdef int64_t place
    cdef uint32_t total = 0
    for place in range(size):
        before[place] = total
        total += counts[place]
    before[size] = total
