/* Normal densities of two numbers at once: one on the scale of each of two classes. */
#ifndef ROCWISE_NORMAL_PAIRS_H
#define ROCWISE_NORMAL_PAIRS_H

#include "two_ends.h"

#include <math.h>

#define PER_ROOT 0.39894228040143267794 /* 1 / sqrt(2 pi) */

#if defined(__SSE2__) || defined(_M_X64)

/* x + y * r */
static inline both grown(both x, both y, both r) { return _mm_add_pd(x, _mm_mul_pd(y, r)); }
static inline both pair(double x, double y, both r)
{
    return grown(_mm_set1_pd(1.0 / x), _mm_set1_pd(1.0 / y), r);
}

/* exp of two numbers up to 0: 2**k times a polynomial of what is left, at most log(2) / 2. */
static inline both exp_of(both x)
{
    const both shift = _mm_set1_pd(6755399441055744.0); /* 1.5 * 2**52: the sum ends in k */
    both least = _mm_set1_pd(-708.0), k, r, r2, r4, low, middle, high, p;
    x = _mm_max_pd(least, x); /* below, there is no number with all its digits; nan stays */
    k = _mm_add_pd(_mm_mul_pd(x, _mm_set1_pd(1.4426950408889634074)), shift);
    r = _mm_sub_pd(k, shift);
    r = _mm_sub_pd(_mm_sub_pd(x, _mm_mul_pd(r, _mm_set1_pd(6.93147180369123816490e-01))),
                   _mm_mul_pd(r, _mm_set1_pd(1.90821492927058770002e-10)));
    /* r**2 / 2! to r**13 / 13!, in a tree: nothing waits for a long chain of sums */
    r2 = _mm_mul_pd(r, r);
    r4 = _mm_mul_pd(r2, r2);
    low = grown(pair(2.0, 6.0, r), pair(24.0, 120.0, r), r2);
    middle = grown(pair(720.0, 5040.0, r), pair(40320.0, 362880.0, r), r2);
    high = grown(pair(3628800.0, 39916800.0, r), pair(479001600.0, 6227020800.0, r), r2);
    p = grown(low, grown(middle, high, r4), r4);
    p = grown(r, p, r2);
    p = _mm_add_pd(p, _mm_set1_pd(1.0));
    return _mm_castsi128_pd(
        _mm_add_epi64(_mm_castpd_si128(p), _mm_slli_epi64(_mm_castpd_si128(k), 52)));
}

#else

static inline both exp_of(both x) { return both_of(exp(x.front), exp(x.back)); }

#endif

static inline both normal_densities(both x)
{
    return times(exp_of(times(times(twice(-0.5), x), x)), twice(PER_ROOT));
}

#endif
