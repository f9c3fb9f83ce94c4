/* Counts of sixteen neighbours, each of what is before it. */
#ifndef ROCWISE_SIXTEENS_H
#define ROCWISE_SIXTEENS_H

#include <stdint.h>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>

/* One more of neighbour `own`: all that are after it count it. */
static inline void count_after(int32_t *sixteen, int32_t own)
{
    __m128i *counts = (__m128i *)sixteen, at = _mm_set1_epi32(own);
    __m128i each = _mm_setr_epi32(0, 1, 2, 3), four = _mm_set1_epi32(4);
    for (int k = 0; k < 4; k++) { /* what is greater is all bits, which is -1 */
        __m128i after = _mm_cmpgt_epi32(each, at);
        _mm_storeu_si128(counts + k, _mm_sub_epi32(_mm_loadu_si128(counts + k), after));
        each = _mm_add_epi32(each, four);
    }
}

#else

static inline void count_after(int32_t *sixteen, int32_t own)
{
    for (int32_t each = 0; each < 16; each++)
        sixteen[each] += own < each;
}

#endif
#endif
