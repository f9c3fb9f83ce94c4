/* Sums of 64-bit products in 128 bits, with or without a compiler that knows such integers. */
#ifndef ROCWISE_WIDE_H
#define ROCWISE_WIDE_H

#include <stdint.h>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide_product;
#endif

typedef struct {
    uint64_t low;
    uint64_t high;
} wide_sum;

/* Both halves of the 128-bit product of a and b. */
static inline uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t *high)
{
#if defined(__SIZEOF_INT128__)
    wide_product product = (wide_product)a * b;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
#elif defined(_MSC_VER) && defined(_M_X64)
    return _umul128(a, b, high);
#else
    uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32;
    uint64_t b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
    uint64_t bottom = a0 * b0;
    uint64_t cross = a1 * b0 + (bottom >> 32);
    uint64_t other = a0 * b1 + (cross & 0xFFFFFFFFu);
    *high = a1 * b1 + (cross >> 32) + (other >> 32);
    return (other << 32) | (bottom & 0xFFFFFFFFu);
#endif
}

static inline void add_product(wide_sum *total, uint64_t a, uint64_t b)
{
    uint64_t high, low = multiply_wide(a, b, &high);
    total->low += low;
    total->high += high + (total->low < low);
}

static inline uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t high;
    multiply_wide(a, b, &high);
    return high;
}

#endif
