/* Heights of 16 lines of signs, walked side by side. */
#ifndef ROCWISE_LANES_H
#define ROCWISE_LANES_H

#include <stdint.h>

#define LANES 16
#define STRETCH 8192  /* events after which heights are looked at */
#define HIGHEST 16384 /* a height from which one more stretch may pass 16 bits */

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>

/* Some events: heights and the highest so far go on from what they are. */
static void walk_abreast(const uint16_t *minus, const int32_t *row, const int8_t *step,
                         const uint8_t *end, int64_t events, int16_t *heights, int16_t *highest)
{
    __m128i *kept = (__m128i *)heights, *most = (__m128i *)highest, none = _mm_setzero_si128();
    __m128i first = _mm_loadu_si128(kept), first_most = _mm_loadu_si128(most);
    __m128i second = _mm_loadu_si128(kept + 1), second_most = _mm_loadu_si128(most + 1);
    __m128i first_bits = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    __m128i second_bits = _mm_slli_epi16(first_bits, 8);
    for (int64_t k = 0; k < events; k++) {
        __m128i by = _mm_set1_epi16(step[k]), mask = _mm_set1_epi16((short)minus[row[k]]);
        /* 0, or all bits */
        __m128i turned = _mm_cmpeq_epi16(_mm_and_si128(mask, first_bits), first_bits);
        first = _mm_add_epi16(first, _mm_sub_epi16(_mm_xor_si128(by, turned), turned));
        turned = _mm_cmpeq_epi16(_mm_and_si128(mask, second_bits), second_bits);
        second = _mm_add_epi16(second, _mm_sub_epi16(_mm_xor_si128(by, turned), turned));
        if (end[k]) {
            __m128i size = _mm_max_epi16(first, _mm_sub_epi16(none, first));
            first_most = _mm_max_epi16(first_most, size);
            size = _mm_max_epi16(second, _mm_sub_epi16(none, second));
            second_most = _mm_max_epi16(second_most, size);
        }
    }
    _mm_storeu_si128(kept, first);
    _mm_storeu_si128(kept + 1, second);
    _mm_storeu_si128(most, first_most);
    _mm_storeu_si128(most + 1, second_most);
}

#else

static void walk_abreast(const uint16_t *minus, const int32_t *row, const int8_t *step,
                         const uint8_t *end, int64_t events, int16_t *heights, int16_t *highest)
{
    for (int64_t k = 0; k < events; k++) {
        int16_t by = step[k];
        uint16_t mask = minus[row[k]];
        for (int lane = 0; lane < LANES; lane++) {
            int16_t turned = -(int16_t)((mask >> lane) & 1); /* 0, or all bits */
            heights[lane] += (by ^ turned) - turned;
            int16_t size = heights[lane] > 0 ? heights[lane] : -heights[lane];
            if (end[k] && size > highest[lane])
                highest[lane] = size;
        }
    }
}

#endif

/* Largest |running sum of sign * step| where `end` is 1; bit k of minus[row] is set where line k
   has a minus. 0 where 16 bits are too few. */
static int heights_abreast(const uint16_t *minus, const int32_t *row, const int8_t *step,
                           const uint8_t *end, int64_t events, int64_t *best)
{
    int16_t heights[LANES] = {0}, highest[LANES] = {0};
    for (int64_t begin = 0; begin < events; begin += STRETCH) {
        int64_t some = events - begin < STRETCH ? events - begin : STRETCH;
        walk_abreast(minus, row + begin, step + begin, end + begin, some, heights, highest);
        for (int lane = 0; lane < LANES; lane++)
            if (heights[lane] > HIGHEST || heights[lane] < -HIGHEST)
                return 0;
    }
    for (int lane = 0; lane < LANES; lane++)
        best[lane] = highest[lane];
    return 1;
}

#endif
