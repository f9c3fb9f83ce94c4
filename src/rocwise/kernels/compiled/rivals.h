/* A class and its rivals row by row, cuts and ends of columns, and least sums: two rows at a time where the processor
   has SSE2, as all of x86-64 have. Compilers leave such loops of comparisons to one row at a time. */
#ifndef ROCWISE_RIVALS_H
#define ROCWISE_RIVALS_H

#include <math.h>
#include <stdint.h>

/* Ratio, change and cost without the class of one row; 1 if something is nan. */
static inline int compare_row(double own, double own_loss, double first, double first_loss,
                              double second, double second_loss, double *ratio, double *change,
                              double *paid)
{
    double rival = second > first ? second : first;
    double loss = second > first ? second_loss : first_loss;
    double part = own > 0.0 ? rival / own : INFINITY;
    *change = own_loss - loss;
    *paid = part > 0.0 ? loss : own_loss; /* called the class whatever its weight */
    *ratio = part > 0.0 ? part : INFINITY;
    return own != own || own_loss != own_loss || first != first || first_loss != first_loss ||
           second != second || second_loss != second_loss;
}

/* The better of a rival and the class in one row; 1 if something is nan. */
static inline int better_row(double value, double loss, double product, double own_loss,
                             int own_first, double *best, double *paid)
{
    int wins = own_first ? product >= value : product > value;
    *best = wins ? product : value;
    *paid = wins ? own_loss : loss;
    return value != value || loss != loss || product != product || own_loss != own_loss;
}

/* Whether a value is nan; it moves the ends that it is beyond. */
static inline int ends_of_row(double value, double *low, double *high)
{
    if (value < *low)
        *low = value;
    if (value > *high && value < INFINITY)
        *high = value;
    return value != value;
}

/* Running sums of rows side by side; `_cutting.pyx` and `cuts/plain.py` have it too. */
enum { CUT_LANES = 8 };

/* One row on either side of a cut: it moves what is beside the cut, or adds its change to a sum. */
static inline void cut_row(double value, double change, double highest, double *below,
                           double *above, double *total)
{
    int under = value <= highest;
    *total += under ? change : 0.0;
    if (under && value > *below)
        *below = value;
    if (!under && value < *above)
        *above = value;
}

/* Keep a row from `low` to `high`; how many there are now, of at most `room`. */
static inline int64_t keep_row(double value, double change, double low, double high,
                               double *values, double *changes, int64_t kept, int64_t room)
{
    values[kept] = value;
    changes[kept] = change;
    return kept + (value >= low && value <= high && kept < room);
}

/* Whether a sum is nan; it takes the place of one that is not less. */
static inline int lower_sum(double sum, double *least)
{
    if (sum < *least)
        *least = sum;
    return sum != sum;
}

#if defined(__SSE2__)
#include <emmintrin.h>

static inline __m128d chosen(__m128d mask, __m128d one, __m128d other)
{
    return _mm_or_pd(_mm_and_pd(mask, one), _mm_andnot_pd(mask, other));
}

static int compare_rows(const double *own, const double *own_loss, const double *first,
                        const double *second, int64_t gap, double *ratio, double *change,
                        double *paid, int64_t rows)
{
    const __m128d zero = _mm_setzero_pd(), never = _mm_set1_pd(INFINITY);
    __m128d missing = zero;
    int64_t i = 0;
    int found;
    for (; i + 2 <= rows; i += 2) {
        __m128d a = _mm_loadu_pd(first + i), b = _mm_loadu_pd(second + i);
        __m128d a_loss = _mm_loadu_pd(first + gap + i), b_loss = _mm_loadu_pd(second + gap + i);
        __m128d score = _mm_loadu_pd(own + i), cost = _mm_loadu_pd(own_loss + i);
        __m128d loss = chosen(_mm_cmpgt_pd(b, a), b_loss, a_loss);
        __m128d part = _mm_div_pd(_mm_max_pd(b, a), score);
        __m128d some = _mm_cmpgt_pd(score, zero), divides;
        part = chosen(some, part, never);
        divides = _mm_cmpgt_pd(part, zero);
        missing = _mm_or_pd(missing, _mm_or_pd(_mm_cmpunord_pd(a, b), _mm_cmpunord_pd(score, cost)));
        missing = _mm_or_pd(missing, _mm_cmpunord_pd(a_loss, b_loss));
        _mm_storeu_pd(change + i, _mm_sub_pd(cost, loss));
        _mm_storeu_pd(paid + i, chosen(divides, loss, cost));
        _mm_storeu_pd(ratio + i, chosen(divides, part, never));
    }
    found = _mm_movemask_pd(missing) != 0;
    for (; i < rows; i++)
        found |= compare_row(own[i], own_loss[i], first[i], first[gap + i], second[i],
                             second[gap + i], ratio + i, change + i, paid + i);
    return found;
}

static int better_rows(const double *value, const double *loss, const double *own, double weight,
                       const double *own_loss, int own_first, double *best, double *paid,
                       int64_t rows)
{
    const __m128d factor = _mm_set1_pd(weight);
    __m128d missing = _mm_setzero_pd();
    int64_t i = 0;
    int found;
    for (; i + 2 <= rows; i += 2) {
        __m128d now = _mm_loadu_pd(value + i), now_loss = _mm_loadu_pd(loss + i);
        __m128d product = _mm_mul_pd(_mm_loadu_pd(own + i), factor);
        __m128d cost = _mm_loadu_pd(own_loss + i);
        __m128d wins = own_first ? _mm_cmpge_pd(product, now) : _mm_cmpgt_pd(product, now);
        missing = _mm_or_pd(missing, _mm_cmpunord_pd(now, product));
        missing = _mm_or_pd(missing, _mm_cmpunord_pd(now_loss, cost));
        _mm_storeu_pd(best + i, chosen(wins, product, now));
        _mm_storeu_pd(paid + i, chosen(wins, cost, now_loss));
    }
    found = _mm_movemask_pd(missing) != 0;
    for (; i < rows; i++)
        found |= better_row(value[i], loss[i], own[i] * weight, own_loss[i], own_first, best + i,
                            paid + i);
    return found;
}

/* The lowest value and the highest finite one; 1 if one is nan. */
static int ends_of_rows(const double *values, int64_t rows, double *low, double *high)
{
    const __m128d never = _mm_set1_pd(INFINITY), none = _mm_set1_pd(-INFINITY);
    __m128d missing = _mm_setzero_pd(), least = never, most = none;
    double ends[4];
    int64_t i = 0;
    for (; i + 2 <= rows; i += 2) {
        __m128d now = _mm_loadu_pd(values + i);
        missing = _mm_or_pd(missing, _mm_cmpunord_pd(now, now));
        least = _mm_min_pd(now, least);
        most = _mm_max_pd(chosen(_mm_cmplt_pd(now, never), now, none), most);
    }
    _mm_storeu_pd(ends, least);
    _mm_storeu_pd(ends + 2, most);
    *low = ends[0] < ends[1] ? ends[0] : ends[1];
    *high = ends[2] > ends[3] ? ends[2] : ends[3];
    return _mm_movemask_pd(missing) != 0 || (i < rows && ends_of_row(values[i], low, high));
}

/* Keep the rows from `low` to `high` in their order, at most `room` of which there are; they are few.
   There is space for one more. */
static int64_t rows_within(const double *value, const double *change, int64_t rows, double low,
                           double high, double *values, double *changes, int64_t room)
{
    const __m128d from = _mm_set1_pd(low), upto = _mm_set1_pd(high);
    int64_t i = 0, kept = 0;
    for (; i + 4 <= rows; i += 4) {
        __m128d a = _mm_loadu_pd(value + i), b = _mm_loadu_pd(value + i + 2);
        __m128d in_a = _mm_and_pd(_mm_cmpge_pd(a, from), _mm_cmple_pd(a, upto));
        __m128d in_b = _mm_and_pd(_mm_cmpge_pd(b, from), _mm_cmple_pd(b, upto));
        if (_mm_movemask_pd(_mm_or_pd(in_a, in_b)))
            for (int64_t k = i; k < i + 4; k++)
                kept = keep_row(value[k], change[k], low, high, values, changes, kept, room);
    }
    for (; i < rows; i++)
        kept = keep_row(value[i], change[i], low, high, values, changes, kept, room);
    return kept;
}

/* The values beside the cut above `highest`, and the sums of the changes below it. */
static void cut_rows(const double *value, const double *change, int64_t rows, double highest,
                     double *below, double *above, double *totals)
{
    const __m128d limit = _mm_set1_pd(highest);
    const __m128d never = _mm_set1_pd(INFINITY), none = _mm_set1_pd(-INFINITY);
    __m128d sums[CUT_LANES / 2], most = none, least = never;
    double ends[2];
    int64_t i = 0;
    for (int k = 0; k < CUT_LANES / 2; k++)
        sums[k] = _mm_setzero_pd();
    for (; i + CUT_LANES <= rows; i += CUT_LANES)
        for (int k = 0; k < CUT_LANES / 2; k++) {
            __m128d now = _mm_loadu_pd(value + i + 2 * k);
            __m128d under = _mm_cmple_pd(now, limit);
            sums[k] = _mm_add_pd(sums[k], _mm_and_pd(under, _mm_loadu_pd(change + i + 2 * k)));
            most = _mm_max_pd(chosen(under, now, none), most);
            least = _mm_min_pd(chosen(under, never, now), least);
        }
    for (int k = 0; k < CUT_LANES / 2; k++)
        _mm_storeu_pd(totals + 2 * k, sums[k]);
    _mm_storeu_pd(ends, most);
    *below = ends[0] > ends[1] ? ends[0] : ends[1];
    _mm_storeu_pd(ends, least);
    *above = ends[0] < ends[1] ? ends[0] : ends[1];
    for (int lane = 0; i < rows; i++, lane++)
        cut_row(value[i], change[i], highest, below, above, totals + lane);
}

/* The least of one + factor * two; 1 if one of the sums is nan. */
static int least_of_rows(const double *one, const double *two, double factor, int64_t rows,
                         double *least)
{
    const __m128d times = _mm_set1_pd(factor);
    __m128d low = _mm_set1_pd(INFINITY), other = low, missing = _mm_setzero_pd();
    double ends[2];
    int64_t i = 0;
    int found;
    for (; i + 4 <= rows; i += 4) {
        __m128d a = _mm_add_pd(_mm_loadu_pd(one + i), _mm_mul_pd(times, _mm_loadu_pd(two + i)));
        __m128d b =
            _mm_add_pd(_mm_loadu_pd(one + i + 2), _mm_mul_pd(times, _mm_loadu_pd(two + i + 2)));
        missing = _mm_or_pd(missing, _mm_cmpunord_pd(a, b));
        low = _mm_min_pd(a, low);
        other = _mm_min_pd(b, other);
    }
    found = _mm_movemask_pd(missing) != 0;
    _mm_storeu_pd(ends, _mm_min_pd(low, other));
    *least = ends[0] < ends[1] ? ends[0] : ends[1];
    for (; i < rows; i++)
        found |= lower_sum(one[i] + factor * two[i], least);
    return found;
}

#else

static int64_t rows_within(const double *value, const double *change, int64_t rows, double low,
                           double high, double *values, double *changes, int64_t room)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < rows; i++)
        kept = keep_row(value[i], change[i], low, high, values, changes, kept, room);
    return kept;
}

static void cut_rows(const double *value, const double *change, int64_t rows, double highest,
                     double *below, double *above, double *totals)
{
    *below = -INFINITY;
    *above = INFINITY;
    for (int lane = 0; lane < CUT_LANES; lane++)
        totals[lane] = 0.0;
    for (int64_t i = 0; i < rows; i++)
        cut_row(value[i], change[i], highest, below, above, totals + i % CUT_LANES);
}

static int least_of_rows(const double *one, const double *two, double factor, int64_t rows,
                         double *least)
{
    int found = 0;
    *least = INFINITY;
    for (int64_t i = 0; i < rows; i++)
        found |= lower_sum(one[i] + factor * two[i], least);
    return found;
}

static int ends_of_rows(const double *values, int64_t rows, double *low, double *high)
{
    int found = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < rows; i++)
        found |= ends_of_row(values[i], low, high);
    return found;
}

static int compare_rows(const double *own, const double *own_loss, const double *first,
                        const double *second, int64_t gap, double *ratio, double *change,
                        double *paid, int64_t rows)
{
    int found = 0;
    for (int64_t i = 0; i < rows; i++)
        found |= compare_row(own[i], own_loss[i], first[i], first[gap + i], second[i],
                             second[gap + i], ratio + i, change + i, paid + i);
    return found;
}

static int better_rows(const double *value, const double *loss, const double *own, double weight,
                       const double *own_loss, int own_first, double *best, double *paid,
                       int64_t rows)
{
    int found = 0;
    for (int64_t i = 0; i < rows; i++)
        found |= better_row(value[i], loss[i], own[i] * weight, own_loss[i], own_first, best + i,
                            paid + i);
    return found;
}

#endif

#endif
