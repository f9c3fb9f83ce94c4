# The generator of every bootstrap: splitmix64 started from a key of (seed, replicate, class).

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && defined(_M_X64)
    #include <intrin.h>
    #endif
    static inline uint64_t multiply_high(uint64_t a, uint64_t b)
    {
    #if defined(__SIZEOF_INT128__)
        return (uint64_t)(((unsigned __int128)a * b) >> 64);
    #elif defined(_MSC_VER) && defined(_M_X64)
        return __umulh(a, b);
    #else
        uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32, b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
        uint64_t cross = a1 * b0 + ((a0 * b0) >> 32);
        uint64_t other = a0 * b1 + (cross & 0xFFFFFFFFu);
        return a1 * b1 + (cross >> 32) + (other >> 32);
    #endif
    }
    """
    uint64_t multiply_high(uint64_t a, uint64_t b) noexcept nogil

cdef enum:
    NEGATIVE = 0
    POSITIVE = 1


cdef inline uint64_t mix(uint64_t state) noexcept nogil:
    state = (state ^ (state >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    state = (state ^ (state >> 27)) * <uint64_t>0x94D049BB133111EB
    return state ^ (state >> 31)


cdef inline uint64_t stream_key(uint64_t seed, int64_t replicate, int kind) noexcept nogil:
    cdef uint64_t step = <uint64_t>0x9E3779B97F4A7C15
    return mix(mix(seed + step) + (2 * <uint64_t>replicate + <uint64_t>kind + 1) * step)


ctypedef fused counter:  # of draws that are one for each unit on average: a byte is enough
    uint8_t
    uint32_t


cdef inline uint64_t draw_counts(uint64_t key, int64_t size, counter* counts) noexcept nogil:
    """How often each of `size` units is drawn in `size` draws; the key with which to go on."""
    cdef int64_t draw
    cdef uint64_t state = key, step = <uint64_t>0x9E3779B97F4A7C15
    memset(counts, 0, size * sizeof(counter))
    for draw in range(size):
        state += step
        counts[multiply_high(mix(state), <uint64_t>size)] += 1
    return state
