/* Sums of 64-bit products in 128 bits, with or without a compiler that knows such integers. */
#ifndef ROCWISE_WIDE_H
#define ROCWISE_WIDE_H

#include <stdint.h>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

typedef struct {
    uint64_t low;
    uint64_t high;
} wide_sum;

static inline void add_product(wide_sum *total, uint64_t a, uint64_t b)
{
    uint64_t low, high;
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    low = (uint64_t)product;
    high = (uint64_t)(product >> 64);
#elif defined(_MSC_VER) && defined(_M_X64)
    low = _umul128(a, b, &high);
#else
    uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32;
    uint64_t b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
    uint64_t bottom = a0 * b0;
    uint64_t cross = a1 * b0 + (bottom >> 32);
    uint64_t other = a0 * b1 + (cross & 0xFFFFFFFFu);
    low = (other << 32) | (bottom & 0xFFFFFFFFu);
    high = a1 * b1 + (cross >> 32) + (other >> 32);
#endif
    total->low += low;
    total->high += high + (total->low < low);
}

#endif
