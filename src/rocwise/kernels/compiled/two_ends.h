/* Two numbers, one of the front and one of the back of a walk from both ends, reckoned at once. */
#ifndef ROCWISE_TWO_ENDS_H
#define ROCWISE_TWO_ENDS_H

#include <stdint.h>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>

typedef __m128d both;

static inline both both_of(double front, double back) { return _mm_set_pd(back, front); }
static inline double front_of(both x) { return _mm_cvtsd_f64(x); }
static inline double back_of(both x) { return _mm_cvtsd_f64(_mm_unpackhi_pd(x, x)); }
static inline both plus(both x, both y) { return _mm_add_pd(x, y); }
static inline both minus(both x, both y) { return _mm_sub_pd(x, y); }
static inline both times(both x, both y) { return _mm_mul_pd(x, y); }
static inline both over(both x, both y) { return _mm_div_pd(x, y); }
static inline both larger(both x, both y) { return _mm_max_pd(x, y); }
static inline both size_of(both x) { return _mm_andnot_pd(_mm_set1_pd(-0.0), x); }

#else
#include <math.h>

typedef struct {
    double front, back;
} both;

static inline both both_of(double front, double back)
{
    both x = {front, back};
    return x;
}

static inline double front_of(both x) { return x.front; }
static inline double back_of(both x) { return x.back; }
static inline both plus(both x, both y) { return both_of(x.front + y.front, x.back + y.back); }
static inline both minus(both x, both y) { return both_of(x.front - y.front, x.back - y.back); }
static inline both times(both x, both y) { return both_of(x.front * y.front, x.back * y.back); }
static inline both over(both x, both y) { return both_of(x.front / y.front, x.back / y.back); }
static inline both larger(both x, both y)
{
    return both_of(x.front > y.front ? x.front : y.front, x.back > y.back ? x.back : y.back);
}
static inline both size_of(both x) { return both_of(fabs(x.front), fabs(x.back)); }

#endif

static inline both twice(double x) { return both_of(x, x); }

#endif
