# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Bootstrap: draw multiplicities of sampling units, accumulate the curve, read a statistic.

Replicate b depends on (seed, b) alone. A curve has the true and false positives (counts or sums
of weights) of the vertices 0..last, from (0, 0) at the highest threshold. Readers take them one
curve at a time; the numpy formulas of the statistics are their twins.
"""

from libc.math cimport INFINITY, NAN, fabs, hypot, isfinite, isnan, log, pow, rint, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from rocwise.kernels.compiled.draws cimport NEGATIVE, POSITIVE, draw_counts, stream_key

cdef enum:
    ROWS_AT_ONCE = 1024

cdef double ROUNDING = 1e-12  # a rate this close to a limit is at it: 1 - 0.8 is not exactly 0.2

ctypedef struct Rows:  # of one model, from the highest score down
    const int32_t* codes  # unit of a positive, ~unit of a negative
    const uint8_t* ends  # 1 at the last row of each score
    const double* weights  # below 0 for negatives; NULL: 1 each
    int64_t size

ctypedef struct Drawn:  # multiplicities of the units: drawn one by one, or given
    const uint8_t* times
    const int64_t* given
    const double* sizes  # identical rows in each unit; NULL: one each
    uint8_t* absent  # room for a flag of each unit
    int64_t units

ctypedef struct Ranks:  # rows of each class from the highest score down
    int64_t n_pos
    int64_t n_neg
    bint in_order  # whether units are numbered in this order, positives first
    int32_t* pos  # their units
    int32_t* neg
    int32_t* above  # positives above each negative, and above or tied with it
    int32_t* reached
    double* pos_weights
    double* neg_weights
    double* sums  # room for the weights of the positives above each positive, or their numbers

ctypedef struct Curve:
    double* tp
    double* fp
    int64_t last
    double limit  # false positives beyond which nothing is traced; class sizes are known then
    double n_pos
    double n_neg
    const double* numbers
    int64_t n_numbers
    const double* scores
    int64_t* stack
    Rows rows
    Ranks ranks
    Drawn drawn

ctypedef void (*Reader)(Curve* curve, double* out) noexcept nogil


# Drawing ------------------------------------------------------------------------------------------

cdef bint has_every_class(const uint8_t[:, ::1] classes, const uint8_t* times) noexcept nogil:
    """Whether a unit of each class (a line of flags) was drawn."""
    cdef int64_t k, unit
    cdef bint found
    for k in range(classes.shape[0]):
        found = False
        for unit in range(classes.shape[1]):
            if classes[k, unit] and times[unit]:
                found = True
                break
        if not found:
            return False
    return True


cdef bint draw_units(
    const int64_t[::1] strata, const uint8_t[:, ::1] classes, int attempts, uint64_t seed,
    int64_t replicate, uint8_t* times,
) noexcept nogil:
    """Multiplicities of the units, stratum by stratum; drawn again where a class is absent."""
    cdef uint64_t state = stream_key(seed, replicate, POSITIVE)
    cdef int64_t start, stratum
    cdef int attempt
    for attempt in range(attempts):
        start = 0
        for stratum in range(strata.shape[0]):
            if stratum == 1 and strata.shape[0] == 2:
                state = stream_key(seed, replicate, NEGATIVE)
            state = draw_counts(state, strata[stratum], times + start)
            start += strata[stratum]
        if has_every_class(classes, times):
            return True
    return False


def multiplicities(
    const int64_t[::1] strata, const uint8_t[:, ::1] classes, int attempts, uint64_t seed,
    int64_t first, uint8_t[:, ::1] result,
):
    """A line of multiplicities for each replicate from `first` on; False where a class is absent."""
    cdef int64_t line
    cdef bint complete = True
    with nogil:
        for line in range(result.shape[0]):
            complete = complete and draw_units(
                strata, classes, attempts, seed, first + line, &result[line, 0]
            )
    return complete


# Curves -------------------------------------------------------------------------------------------

ctypedef fused multiplicity:
    uint8_t
    int64_t


cdef int64_t accumulate(
    const Rows* rows, const multiplicity* times, double limit, double* tp, double* fp
) noexcept nogil:
    """True and false positives above each vertex; the last vertex, the limit is passed there."""
    cdef const int32_t* codes = rows.codes  # kept out of memory that tp and fp might share
    cdef const uint8_t* ends = rows.ends
    cdef int64_t row = 0, end, vertex = 1, hits = 0, alarms = 0, count, negative, size = rows.size
    cdef int32_t code
    tp[0] = fp[0] = 0.0
    if rows.weights != NULL:
        return accumulate_weights(rows, times, tp, fp)
    while row < size and fp[vertex - 1] < limit:
        end = min(row + ROWS_AT_ONCE, size)
        while row < end:  # no branch on the class: it cannot be predicted
            code = codes[row]
            negative = code >> 31
            count = times[code ^ (code >> 31)]
            alarms += count & negative
            hits += count & ~negative
            tp[vertex] = <double>hits
            fp[vertex] = <double>alarms
            vertex += ends[row]
            row += 1
    return vertex - 1


cdef int64_t accumulate_weights(
    const Rows* rows, const multiplicity* times, double* tp, double* fp
) noexcept nogil:
    cdef int64_t row, vertex = 1
    cdef int32_t code
    cdef double weight, of_pos = 0.0, of_neg = 0.0
    for row in range(rows.size):
        code = rows.codes[row]
        weight = rows.weights[row] * <double>times[code ^ (code >> 31)]
        of_pos += 0.5 * (fabs(weight) + weight)
        of_neg += 0.5 * (fabs(weight) - weight)
        tp[vertex] = of_pos
        fp[vertex] = of_neg
        vertex += rows.ends[row]
    return vertex - 1


cdef void trace(Curve* curve) noexcept nogil:
    """The curve of the multiplicities."""
    if curve.drawn.given != NULL:
        curve.last = accumulate(&curve.rows, curve.drawn.given, curve.limit, curve.tp, curve.fp)
    else:
        curve.last = accumulate(&curve.rows, curve.drawn.times, curve.limit, curve.tp, curve.fp)
    if curve.limit == INFINITY:
        curve.n_pos = curve.tp[curve.last]
        curve.n_neg = curve.fp[curve.last]


cdef double left_out(const Drawn* drawn, int64_t unit) noexcept nogil:
    """Rows of a unit that are not in the resample: of h identical rows h (1 - 1/h)^d, expected."""
    cdef double size = 1.0 if drawn.sizes == NULL else drawn.sizes[unit], times
    times = <double>drawn.times[unit] if drawn.given == NULL else <double>drawn.given[unit]
    if size > 1.0:
        return size * pow(1.0 - 1.0 / size, times)
    return size if times == 0.0 else 0.0


cdef void trace_left_out(Curve* curve) noexcept nogil:
    """The curve of what the resample has left out, in place of its own."""
    cdef const Rows* rows = &curve.rows
    cdef int64_t row, vertex = 1
    cdef int32_t code
    cdef double size, of_pos = 0.0, of_neg = 0.0
    if curve.drawn.given == NULL and curve.drawn.sizes == NULL:
        for row in range(curve.drawn.units):
            curve.drawn.absent[row] = curve.drawn.times[row] == 0
        accumulate(rows, <const uint8_t*>curve.drawn.absent, INFINITY, curve.tp, curve.fp)
        return
    curve.tp[0] = curve.fp[0] = 0.0
    for row in range(rows.size):
        code = rows.codes[row]
        size = left_out(&curve.drawn, code ^ (code >> 31))
        size *= 1.0 if rows.weights == NULL else fabs(rows.weights[row])
        of_pos += 0.0 if code < 0 else size
        of_neg += size if code < 0 else 0.0
        curve.tp[vertex] = of_pos
        curve.fp[vertex] = of_neg
        vertex += rows.ends[row]


cdef inline double tpr_at(const Curve* curve, int64_t vertex) noexcept nogil:
    return curve.tp[vertex] / curve.n_pos


cdef inline double fpr_at(const Curve* curve, int64_t vertex) noexcept nogil:
    return curve.fp[vertex] / curve.n_neg


cdef int64_t first_reaching(const double* sums, double total, int64_t last, double rate) noexcept nogil:
    """First vertex whose rate is at least the given one; the last vertex at most."""
    cdef int64_t low = 0, high = last, middle
    cdef double wanted = rate * total
    while low < high:
        middle = (low + high) // 2
        if sums[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


cdef int64_t last_within(const double* sums, double total, int64_t last, double rate) noexcept nogil:
    """Last vertex whose rate is at most the given one; vertex 0 at least."""
    cdef int64_t low = 0, high = last, middle
    cdef double wanted = rate * total
    while low < high:
        middle = (low + high + 1) // 2
        if sums[middle] <= wanted:
            low = middle
        else:
            high = middle - 1
    return low


# Whole curves, for statistics that Python reads ----------------------------------------------------

cdef void read_curve(Curve* curve, double* out) noexcept nogil:
    """True positives at each vertex, then false positives."""
    memcpy(out, curve.tp, (curve.last + 1) * sizeof(double))
    memcpy(out + curve.last + 1, curve.fp, (curve.last + 1) * sizeof(double))


cdef void read_counts(Curve* curve, double* out) noexcept nogil:
    """Positives at each score, then negatives."""
    cdef int64_t k
    for k in range(curve.last):
        out[k] = curve.tp[k + 1] - curve.tp[k]
        out[curve.last + k] = curve.fp[k + 1] - curve.fp[k]


cdef void read_counts_and_left_out(Curve* curve, double* out) noexcept nogil:
    """The same of the resample, then of what it has left out."""
    read_counts(curve, out)
    trace_left_out(curve)
    read_counts(curve, out + 2 * curve.last)


# Areas --------------------------------------------------------------------------------------------

cdef double area_of_counts(const Ranks* ranks, const uint8_t* times) noexcept nogil:
    """The whole area: each negative with the positives above it, and half of those tied."""
    cdef const int32_t* pos = ranks.pos
    cdef const int32_t* neg = ranks.neg
    cdef const int32_t* above = ranks.above
    cdef const int32_t* reached = ranks.reached
    cdef uint32_t* sums = <uint32_t*>ranks.sums
    cdef int64_t k, n_pos = ranks.n_pos, n_neg = ranks.n_neg
    cdef uint32_t hits = 0, alarms = 0, count
    cdef uint64_t total = 0
    if ranks.in_order:
        for k in range(n_pos):
            sums[k] = hits
            hits += <uint32_t>times[k]
        sums[n_pos] = hits
        for k in range(n_neg):
            count = <uint32_t>times[n_pos + k]
            alarms += count
            total += <uint64_t>count * (sums[above[k]] + sums[reached[k]])
    else:
        for k in range(n_pos):
            sums[k] = hits
            hits += <uint32_t>times[pos[k]]
        sums[n_pos] = hits
        for k in range(n_neg):
            count = <uint32_t>times[neg[k]]
            alarms += count
            total += <uint64_t>count * (sums[above[k]] + sums[reached[k]])
    return <double>total / (2.0 * <double>hits * <double>alarms)


cdef double area_of_weights(const Ranks* ranks, const uint8_t* times) noexcept nogil:
    """The same of weights; two sums each, so that one does not wait for the other."""
    cdef const int32_t* neg = ranks.neg
    cdef const int32_t* above = ranks.above
    cdef const int32_t* reached = ranks.reached
    cdef const double* weights = ranks.neg_weights
    cdef double* sums = ranks.sums
    cdef double hits = 0.0, even = 0.0, odd = 0.0, total = 0.0, of_odd = 0.0, weight
    cdef int64_t k, n_neg = ranks.n_neg
    for k in range(ranks.n_pos):
        sums[k] = hits
        hits += ranks.pos_weights[k] * <double>times[ranks.pos[k]]
    sums[ranks.n_pos] = hits
    for k in range(0, n_neg - 1, 2):
        weight = weights[k] * <double>times[neg[k]]
        even += weight
        total += weight * (sums[above[k]] + sums[reached[k]])
        weight = weights[k + 1] * <double>times[neg[k + 1]]
        odd += weight
        of_odd += weight * (sums[above[k + 1]] + sums[reached[k + 1]])
    if n_neg % 2:
        weight = weights[n_neg - 1] * <double>times[neg[n_neg - 1]]
        even += weight
        total += weight * (sums[above[n_neg - 1]] + sums[reached[n_neg - 1]])
    return (total + of_odd) / (2.0 * hits * (even + odd))


cdef void read_area(Curve* curve, double* out) noexcept nogil:
    """The whole area; of rows drawn one by one no curve is traced."""
    if curve.drawn.given != NULL:
        trace(curve)
        out[0] = area_between(curve.fp, curve.tp, curve.last) / (curve.n_pos * curve.n_neg)
    elif curve.rows.weights != NULL:
        out[0] = area_of_weights(&curve.ranks, curve.drawn.times)
    else:
        out[0] = area_of_counts(&curve.ranks, curve.drawn.times)


cdef double area_between(const double* x, const double* y, int64_t last) noexcept nogil:
    """Area below a polyline from vertex 0 to the last, in four sums: none waits for another."""
    cdef double[4] sums
    cdef int64_t k, lane, whole = last - last % 4
    for lane in range(4):
        sums[lane] = 0.0
    for k in range(0, whole, 4):
        for lane in range(4):
            sums[lane] += (x[k + lane + 1] - x[k + lane]) * (y[k + lane] + y[k + lane + 1])
    for k in range(whole, last):
        sums[0] += (x[k + 1] - x[k]) * (y[k] + y[k + 1])
    return (sums[0] + sums[1] + (sums[2] + sums[3])) / 2.0


cdef double integral(
    const double* x, const double* y, int64_t last, double n_x, double n_y, double rate
) noexcept nogil:
    """Area below the polyline from 0 to a rate along x."""
    cdef int64_t stop = first_reaching(x, n_x, last, rate)
    cdef double total, rest, fraction
    if stop == 0:
        return 0.0
    total = 2.0 * area_between(x, y, stop - 1)
    rest = rate * n_x - x[stop - 1]
    fraction = rest / (x[stop] - x[stop - 1])
    fraction = fraction if fraction < 1.0 else 1.0
    total += rest * (2.0 * y[stop - 1] + (y[stop] - y[stop - 1]) * fraction)
    return total / 2.0 / (n_x * n_y)


cdef void read_part(Curve* curve, double* out) noexcept nogil:
    """Area over a range of FPR, or right of the curve over a range of TPR: (by TPR, low, high)."""
    cdef double low = curve.numbers[1], high = curve.numbers[2], area
    if curve.numbers[0] != 0.0:
        area = high - low
        area -= integral(curve.tp, curve.fp, curve.last, curve.n_pos, curve.n_neg, high)
        area += integral(curve.tp, curve.fp, curve.last, curve.n_pos, curve.n_neg, low)
    else:
        area = integral(curve.fp, curve.tp, curve.last, curve.n_neg, curve.n_pos, high)
        area -= integral(curve.fp, curve.tp, curve.last, curve.n_neg, curve.n_pos, low)
    area = area if area > 0.0 else 0.0
    out[0] = area if area < high - low else high - low


cdef bint near_a_score(const double* scores, int64_t size, double middle) noexcept nogil:
    """Whether a score is within 1e-9 of the midpoint; scores descend."""
    cdef int64_t low = 0, high = size - 1, centre
    while low < high:  # first score not above the midpoint
        centre = (low + high) // 2
        if scores[centre] > middle:
            low = centre + 1
        else:
            high = centre
    return fabs(scores[low] - middle) < 1e-9 or (low > 0 and fabs(scores[low - 1] - middle) < 1e-9)


cdef double midpoint_of(const Curve* curve) noexcept nogil:
    """The midpoint: numbers are (0, midpoint), or 1 for estimated, 2 for class means."""
    cdef double of_pos = 0.0, of_neg = 0.0
    cdef int64_t k
    if curve.numbers[0] == 0.0:
        return curve.numbers[1]
    for k in range(curve.last):
        of_pos += (curve.tp[k + 1] - curve.tp[k]) * curve.scores[k]
        of_neg += (curve.fp[k + 1] - curve.fp[k]) * curve.scores[k]
    if curve.numbers[0] == 1.0:
        return (of_pos + of_neg) / (2.0 * curve.n_pos)
    return (of_pos / curve.n_pos + of_neg / curve.n_neg) / 2.0


cdef void read_smooth(Curve* curve, double* out) noexcept nogil:
    """Area under the smooth ROC curve; nan where the last digit of the midpoint decides."""
    cdef double middle = midpoint_of(curve), up = 0.0, right = 0.0, total = 0.0
    cdef double pos, neg, half, lean, side
    cdef int64_t k
    if curve.numbers[0] != 0.0 and near_a_score(curve.scores, curve.last, middle):
        out[0] = NAN
        return
    for k in range(curve.last):
        pos = curve.tp[k + 1] - curve.tp[k]
        neg = curve.fp[k + 1] - curve.fp[k]
        side = 1.0 if curve.scores[k] >= middle else -1.0
        half = (pos + neg) * 0.5
        lean = side * (pos - neg) * (curve.scores[k] - 0.5)
        total += (half - lean) * (up + (half + lean) / 2.0)
        up += half + lean
        right += half - lean
    out[0] = total / (up * right) if up > 0.0 and right > 0.0 else NAN


# Rates --------------------------------------------------------------------------------------------

cdef double tpr_over(const Curve* curve, double fpr) noexcept nogil:
    """TPR at an FPR, the top of a vertical part."""
    cdef int64_t k = last_within(curve.fp, curve.n_neg, curve.last, fpr + ROUNDING)
    cdef double x = fpr_at(curve, k), y = tpr_at(curve, k), fraction
    if k == curve.last:
        return y
    fraction = (fpr - x) / (fpr_at(curve, k + 1) - x)
    return y + (tpr_at(curve, k + 1) - y) * (fraction if fraction > 0.0 else 0.0)


cdef double fpr_under(const Curve* curve, double tpr) noexcept nogil:
    """FPR at a TPR, the left end of a horizontal part."""
    cdef int64_t k = first_reaching(curve.tp, curve.n_pos, curve.last, tpr - ROUNDING)
    cdef double x = fpr_at(curve, k), y = tpr_at(curve, k), fraction
    if k == 0:
        return x
    fraction = (y - tpr) / (y - tpr_at(curve, k - 1))
    return x - (x - fpr_at(curve, k - 1)) * (fraction if fraction > 0.0 else 0.0)


cdef void read_sensitivity(Curve* curve, double* out) noexcept nogil:
    """TPR at every FPR of the numbers."""
    cdef int64_t k
    for k in range(curve.n_numbers):
        out[k] = tpr_over(curve, curve.numbers[k])


cdef void read_specificity(Curve* curve, double* out) noexcept nogil:
    """1 - FPR at every TPR of the numbers."""
    cdef int64_t k
    for k in range(curve.n_numbers):
        out[k] = 1.0 - fpr_under(curve, curve.numbers[k])


cdef void read_equal_errors(Curve* curve, double* out) noexcept nogil:
    """The rate where the curve crosses the line TPR = 1 - FPR."""
    cdef int64_t low = 0, high = curve.last, k
    cdef double before, after, fraction = 0.0, x
    while low < high:  # first vertex on or above the line
        k = (low + high) // 2
        if fpr_at(curve, k) + tpr_at(curve, k) - 1.0 < 0.0:
            low = k + 1
        else:
            high = k
    k = low if low > 0 else 1
    before = fpr_at(curve, k - 1) + tpr_at(curve, k - 1) - 1.0
    after = fpr_at(curve, k) + tpr_at(curve, k) - 1.0
    if after > before:
        fraction = -before / (after - before)
    x = fpr_at(curve, k - 1)
    out[0] = x + fraction * (fpr_at(curve, k) - x)


cdef inline void put_point(
    const Curve* curve, int64_t vertex, int64_t point, int64_t points, double* out
) noexcept nogil:
    """TPR of all points, then their FPR, then both class sizes."""
    out[point] = tpr_at(curve, vertex)
    out[points + point] = fpr_at(curve, vertex)
    out[2 * points] = curve.n_pos
    out[2 * points + 1] = curve.n_neg


cdef void read_vertices(Curve* curve, double* out) noexcept nogil:
    """Points at the vertices of the numbers."""
    cdef int64_t point
    for point in range(curve.n_numbers):
        put_point(curve, <int64_t>curve.numbers[point], point, curve.n_numbers, out)


cdef void read_reaching(Curve* curve, double* out) noexcept nogil:
    """Points with at least the sensitivities: lowest FPR, then the highest TPR with it."""
    cdef int64_t point, k
    for point in range(curve.n_numbers):
        k = first_reaching(curve.tp, curve.n_pos, curve.last, curve.numbers[point])
        k = last_within(curve.fp, curve.n_neg, curve.last, fpr_at(curve, k) + ROUNDING)
        put_point(curve, k, point, curve.n_numbers, out)


cdef void read_within(Curve* curve, double* out) noexcept nogil:
    """Points within limits: highest TPR, then the lowest FPR with it.

    Numbers are (prevalence, limits) of the rate of predicted positives; prevalence 0: of the FPR.
    """
    cdef int64_t point, points = curve.n_numbers - 1, low, high, k
    cdef double prior = curve.numbers[0]
    for point in range(points):
        low = 0
        high = curve.last
        while low < high:
            k = (low + high + 1) // 2
            if prior * tpr_at(curve, k) + (1.0 - prior) * fpr_at(curve, k) <= curve.numbers[1 + point]:
                low = k
            else:
                high = k - 1
        k = first_reaching(curve.tp, curve.n_pos, curve.last, tpr_at(curve, low) - ROUNDING)
        put_point(curve, k, point, points, out)


# Precision ----------------------------------------------------------------------------------------

cdef void read_average_precision(Curve* curve, double* out) noexcept nogil:
    """Mean precision at the positives: numbers are (by arcs, negatives per positive)."""
    cdef double odds = curve.numbers[1] * curve.n_pos / curve.n_neg
    cdef const double* tp = curve.tp
    cdef const double* fp = curve.fp
    cdef double[4] sums
    cdef int64_t k, lane, first = 1, whole
    if curve.numbers[0] != 0.0:
        out[0] = area_of_arcs(curve)
        return
    while tp[first] == 0.0:
        first += 1
    whole = first + (curve.last + 1 - first) // 4 * 4
    for lane in range(4):
        sums[lane] = 0.0
    for k in range(first, whole, 4):  # no branch on the class: it cannot be predicted
        for lane in range(4):
            sums[lane] += (tp[k + lane] - tp[k + lane - 1]) * (
                tp[k + lane] / (tp[k + lane] + odds * fp[k + lane])
            )
    for k in range(whole, curve.last + 1):
        sums[0] += (tp[k] - tp[k - 1]) * (tp[k] / (tp[k] + odds * fp[k]))
    out[0] = (sums[0] + sums[1] + (sums[2] + sums[3])) / curve.n_pos


cdef double area_of_arcs(const Curve* curve) noexcept nogil:
    """Area below the curve whose points between two scores mix their thresholds."""
    cdef double odds = curve.numbers[1], total = 0.0, dt, t0, t1, f0, f1, slope, offset, bend
    cdef int64_t k
    for k in range(1, curve.last + 1):
        if curve.tp[k] == curve.tp[k - 1]:
            continue
        t0 = tpr_at(curve, k - 1)
        t1 = tpr_at(curve, k)
        f0 = odds * fpr_at(curve, k - 1)
        f1 = odds * fpr_at(curve, k)
        dt = t1 - t0
        slope = (f1 - f0) / dt
        offset = f0 - slope * t0
        bend = 0.0
        if fabs(offset) > 1e-15:
            bend = offset * log((t1 + f1) / (t0 + f0 if t0 + f0 > 1e-300 else 1e-300))
        total += (dt - bend / (1.0 + slope)) / (1.0 + slope)
    return total


cdef void read_precision(Curve* curve, double* out) noexcept nogil:
    """Precision at the first vertex that reaches a recall: numbers are (recall, odds)."""
    cdef int64_t k = first_reaching(curve.tp, curve.n_pos, curve.last, curve.numbers[0])
    cdef double hits = tpr_at(curve, k)
    out[0] = hits / (hits + curve.numbers[1] * fpr_at(curve, k))


# Best vertices ------------------------------------------------------------------------------------

cdef void read_youden(Curve* curve, double* out) noexcept nogil:
    """Vertex of the largest TPR - FPR among the scores, to 12 decimals; the first of equals."""
    cdef double per_pos = 1e12 / curve.n_pos, per_neg = 1e12 / curve.n_neg
    cdef double most = -INFINITY, best = -INFINITY, value
    cdef int64_t k, vertex = 1
    for k in range(1, curve.last + 1):
        value = curve.tp[k] * per_pos - curve.fp[k] * per_neg
        most = value if value > most else most
    for k in range(1, curve.last + 1):
        if curve.tp[k] * per_pos - curve.fp[k] * per_neg > most - 2.0:
            value = rint((tpr_at(curve, k) - fpr_at(curve, k)) * 1e12)
            if value > best:
                best = value
                vertex = k
    out[0] = <double>vertex


cdef void read_least_cost(Curve* curve, double* out) noexcept nogil:
    """The least cost: numbers are (prior, fn, tp - fn, 1 - prior, tn, fp - tn)."""
    cdef const double* c = curve.numbers
    cdef double best = INFINITY, value, of_tp = c[0] * c[2] / curve.n_pos
    cdef double of_fp = c[3] * c[5] / curve.n_neg
    cdef int64_t k
    for k in range(curve.last + 1):
        value = of_tp * curve.tp[k] + of_fp * curve.fp[k]
        best = value if value < best else best
    out[0] = c[0] * c[1] + c[3] * c[4] + best


cdef int64_t hull(const Curve* curve, double slack) noexcept nogil:
    """Vertices of the upper convex hull onto the stack; how many."""
    cdef const double* x = curve.fp
    cdef const double* y = curve.tp
    cdef int64_t* stack = curve.stack
    cdef int64_t depth = 1, k, a, b
    stack[0] = 0
    for k in range(1, curve.last + 1):
        if x[k] == x[k - 1] and y[k] == y[k - 1]:
            continue
        while depth > 1:
            a = stack[depth - 2]
            b = stack[depth - 1]
            if (y[b] - y[a]) * (x[k] - x[b]) > (y[k] - y[b]) * (x[b] - x[a]) * slack:
                break
            depth -= 1
        stack[depth] = k
        depth += 1
    return depth


cdef void read_cost_grid(Curve* curve, double* out) noexcept nogil:
    """The least normalized cost at every probability cost of the numbers."""
    cdef int64_t depth = hull(curve, 1.0), point, k
    cdef double weight, best, value
    for point in range(curve.n_numbers):
        weight = curve.numbers[point]
        best = weight  # no case is predicted positive
        for k in range(1, depth):
            value = (1.0 - tpr_at(curve, curve.stack[k])) * weight
            value += fpr_at(curve, curve.stack[k]) * (1.0 - weight)
            best = value if value < best else best
        out[point] = best


cdef void read_isotonic(Curve* curve, double* out) noexcept nogil:
    """The isotonic fit of the labels at the scores of the numbers: slopes of the hull."""
    cdef int64_t corners, point, low, high, middle, a, b
    cdef double hits
    # a corner of sums of weights must stand out by more than their rounding
    corners = hull(curve, 1.0 if curve.rows.weights == NULL else 1.0 + 1e-12)
    for point in range(curve.n_numbers):
        low = 0
        high = corners - 2
        while low < high:  # last corner at or before the score
            middle = (low + high + 1) // 2
            if curve.stack[middle] <= <int64_t>curve.numbers[point]:
                low = middle
            else:
                high = middle - 1
        a = curve.stack[low]
        b = curve.stack[low + 1]
        hits = curve.tp[b] - curve.tp[a]
        out[point] = hits / (hits + curve.fp[b] - curve.fp[a])


# Reject region ------------------------------------------------------------------------------------

cdef int64_t first_least(
    const Curve* curve, const double* factors, double tied, bint from_above
) noexcept nogil:
    """First vertex from below (or above) whose cost is the least, up to rounding."""
    cdef int64_t k, vertex
    cdef double least = 0.0, most = 0.0, value, total = factors[0] + factors[1]
    cdef double of_tp = factors[0] / curve.n_pos, of_fp = factors[1] / curve.n_neg
    for k in range(curve.last + 1):
        value = total - (of_tp * curve.tp[k] + of_fp * curve.fp[k])
        least = value if value < least else least
        most = value if value > most else most
    least += tied * (most if most > -least else -least)
    for k in range(curve.last + 1):
        vertex = k if from_above else curve.last - k
        if total - (of_tp * curve.tp[vertex] + of_fp * curve.fp[vertex]) <= least:
            return vertex
    return 0


cdef void read_window(Curve* curve, double* out) noexcept nogil:
    """The best window of abstention, and what the resample left out of it.

    Numbers are (tied, abstaining may pay, three pairs of factors for the single threshold, the
    lower and the upper one). Out come both vertices, the rates of positives and of negatives at or
    below each; then the same of what was left out as sums, and all of it of each class.
    """
    cdef const double* c = curve.numbers
    cdef int64_t low, high, lower, upper, k
    low = high = first_least(curve, c + 2, c[0], False)
    if c[1] != 0.0:
        lower = first_least(curve, c + 4, c[0], True)
        upper = first_least(curve, c + 6, c[0], False)
        if lower >= upper:
            low = lower
            high = upper
    out[0] = <double>low
    out[1] = <double>high
    for k in range(2):
        out[2 + k] = (curve.n_pos - curve.tp[<int64_t>out[k]]) / curve.n_pos
        out[4 + k] = (curve.n_neg - curve.fp[<int64_t>out[k]]) / curve.n_neg
    trace_left_out(curve)
    out[10] = curve.tp[curve.last]
    out[11] = curve.fp[curve.last]
    for k in range(2):
        out[6 + k] = out[10] - curve.tp[<int64_t>out[k]]
        out[8 + k] = out[11] - curve.fp[<int64_t>out[k]]


# Threshold rules ----------------------------------------------------------------------------------
# The formulas of `rules` and `confusion_cells`, in the same order of operations; nan: undefined.

cdef double NOISE = 1e-13  # rounding in a measure, relative to the largest value it takes
cdef enum:
    STRICT = 0
    MILD = 1

ctypedef struct Rule:
    int measure
    int limit
    int ties
    bint smallest
    bint by_both_rates  # ties are broken by sensitivity plus specificity
    double constraint
    double beta
    double prevalence
    double of_miss
    double of_alarm

ctypedef struct Outcomes:
    double tp
    double fp
    double fn
    double tn
    double tpr
    double fpr
    double fnr
    double tnr


cdef Rule rule_of(const double* numbers) noexcept nogil:
    cdef Rule rule
    rule.measure = <int>numbers[0]
    rule.limit = <int>numbers[1]
    rule.ties = <int>numbers[2]
    rule.smallest = numbers[3] != 0.0
    rule.by_both_rates = numbers[4] != 0.0
    rule.constraint = numbers[5]
    rule.beta = numbers[6]
    rule.prevalence = numbers[7]
    rule.of_miss = numbers[8]
    rule.of_alarm = numbers[9]
    return rule


cdef inline Outcomes outcomes_at(const Curve* curve, const Rule* rule, int64_t k) noexcept nogil:
    cdef Outcomes here
    cdef double total = curve.n_pos + curve.n_neg, positives, negatives
    here.tp = curve.tp[k]
    here.fp = curve.fp[k]
    here.fn = curve.n_pos - here.tp
    here.tn = curve.n_neg - here.fp
    here.tpr = here.tp / curve.n_pos
    here.fpr = here.fp / curve.n_neg
    here.fnr = here.fn / curve.n_pos
    here.tnr = here.tn / curve.n_neg
    if not isnan(rule.prevalence):
        positives = rule.prevalence * total
        negatives = (1.0 - rule.prevalence) * total
        here.tp = here.tpr * positives
        here.fp = here.fpr * negatives
        here.fn = here.fnr * positives
        here.tn = here.tnr * negatives
    return here


cdef inline double over(double top, double bottom) noexcept nogil:
    if bottom > 0.0:
        return top / bottom
    return NAN if top == 0.0 else INFINITY


cdef inline double matthews(const Outcomes* c) noexcept nogil:
    cdef double scale = sqrt(c.tp + c.fp) * sqrt(c.tn + c.fn) * sqrt(c.tp + c.fn) * sqrt(c.tn + c.fp)
    return (c.tp * c.tn - c.fp * c.fn) / scale if scale > 0.0 else 0.0


cdef inline double joined(int way, double first, double second) noexcept nogil:
    """Two rates as one number: sum, product, distance to 1, difference, or the smaller."""
    if way == 0:
        return first + second
    if way == 1:
        return first * second
    if way == 2:
        return hypot(1.0 - first, 1.0 - second)
    if way == 3:
        return fabs(first - second)
    if isnan(first) or isnan(second):
        return NAN
    return first if first < second else second


cdef double measured(const Curve* curve, const Rule* rule, const Outcomes* c) noexcept nogil:
    """The measure by its number in `kernels.resample.MEASURES`."""
    cdef double total = curve.n_pos + curve.n_neg, prior, hits, weight, chance
    cdef int measure = rule.measure
    prior = curve.n_pos / total if isnan(rule.prevalence) else rule.prevalence
    if measure == 0:
        return c.tpr
    if measure == 1:
        return c.tnr
    if measure == 2:
        return prior * rule.of_miss * c.fnr + (1.0 - prior) * rule.of_alarm * c.fpr
    if measure == 3:
        return c.tpr + c.tnr - 1.0
    if measure == 4:
        return (c.tpr + c.tnr) / 2.0
    if measure == 5:
        return joined(2, c.tpr, c.tnr)
    if measure == 6:
        return joined(1, c.tpr, c.tnr)
    if measure == 7:
        return joined(3, c.tpr, c.tnr)
    if measure == 8:
        return joined(4, c.tpr, c.tnr)
    if measure == 9:
        return (c.fn if c.fn > c.fp else c.fp) / total
    if measure == 10:
        return (c.tp + c.tn) / total
    if measure == 11:
        weight = rule.beta * rule.beta
        hits = (1.0 + weight) * c.tp
        return over(hits, hits + weight * c.fn + c.fp)
    if measure == 12:
        return matthews(c)
    if measure == 13:
        chance = (c.tp + c.fp) * (c.fp + c.tn) + (c.tp + c.fn) * (c.fn + c.tn)
        return 2.0 * (c.tp * c.tn - c.fn * c.fp) / chance
    if measure == 14:
        hits = (c.tpr * curve.n_pos + 0.5) / (c.fnr * curve.n_pos + 0.5)
        return hits * ((c.tnr * curve.n_neg + 0.5) / (c.fpr * curve.n_neg + 0.5))
    if measure == 15:
        chance = matthews(c)
        return total * (chance * chance)
    if measure <= 20:
        return joined(measure - 16, over(c.tp, c.tp + c.fp), over(c.tn, c.tn + c.fn))
    prior = prior if isnan(rule.constraint) else rule.constraint
    return fabs((c.tp + c.fp) / total - prior)


cdef bint allowed(const Curve* curve, const Rule* rule, const Outcomes* c) noexcept nogil:
    """Whether the limit, by its number in `kernels.resample.LIMITS`, is met."""
    cdef double value
    if rule.limit == 0:
        return True
    if rule.limit == 1:
        value = c.tpr
    elif rule.limit == 2:
        value = c.tnr
    elif rule.limit == 3:
        value = over(c.tp, c.tp + c.fp)
    elif rule.limit == 4:
        value = over(c.tn, c.tn + c.fn)
    elif rule.limit == 5:
        value = c.tp + c.fp
        value = value / (curve.n_pos + curve.n_neg) if rule.constraint < 1.0 else value
    elif rule.limit == 6:
        value = over(c.tpr, c.fpr)
    else:
        value = over(c.fnr, c.tnr)
    if rule.limit == 5 or rule.limit == 7:
        return value <= rule.constraint * (1.0 + ROUNDING)
    return value >= rule.constraint * (1.0 - ROUNDING)


cdef int64_t settled(const double* values, int64_t size, double best, int ties) noexcept nogil:
    """The first, last or middle place whose value is not below the best; -1: none."""
    cdef int64_t k, found = 0, wanted = 1
    if ties == MILD:
        for k in range(size - 1, -1, -1):
            if values[k] >= best:
                return k
        return -1
    if ties != STRICT:
        for k in range(size):
            found += values[k] >= best
        wanted = (found + 1) // 2
    found = 0
    for k in range(size):
        found += values[k] >= best
        if found and found == wanted:
            return k
    return -1


cdef bint is_linear(const Curve* curve, const Rule* rule, double* factors) noexcept nogil:
    """Whether the measure is factors[0] + factors[1] * tp + factors[2] * fp, without a limit."""
    cdef double prior = rule.prevalence, of_pos = 0.0, of_neg = 0.0
    if isnan(prior):
        prior = curve.n_pos / (curve.n_pos + curve.n_neg)
    if rule.measure == 3:
        of_pos = of_neg = 1.0
    elif rule.measure == 4:
        of_pos = of_neg = 0.5
    elif rule.measure == 10:
        of_pos = prior
        of_neg = 1.0 - prior
    elif rule.measure == 2:
        of_pos = -prior * rule.of_miss
        of_neg = -(1.0 - prior) * rule.of_alarm
    factors[0] = -of_pos if rule.measure == 2 else of_neg - (rule.measure == 3)
    factors[1] = of_pos / curve.n_pos
    factors[2] = -of_neg / curve.n_neg
    return rule.limit == 0 and of_pos != 0.0


cdef double best_linear(const Curve* curve, const Rule* rule, double* values) noexcept nogil:
    """Values of a linear measure; the best of them less its rounding, nan for other measures."""
    cdef double[3] factors
    cdef double value, best = -INFINITY, least = INFINITY, sign = -1.0 if rule.smallest else 1.0
    cdef int64_t k
    if not is_linear(curve, rule, factors):
        return NAN
    for k in range(curve.last + 1):
        value = sign * (factors[0] + factors[1] * curve.tp[k] + factors[2] * curve.fp[k])
        best = value if value > best else best
        least = value if value < least else least
        values[k] = value
    return best - NOISE * (best if best > -least else -least)


cdef double best_value(const Curve* curve, const Rule* rule, double* values) noexcept nogil:
    """Values of the measure; the best of them less its rounding, nan where none is allowed."""
    cdef int64_t k
    cdef double value = -INFINITY, best = -INFINITY, size = 0.0
    cdef bint any_allowed = False
    cdef Outcomes here
    for k in range(curve.last + 1):
        if k == 0 or curve.tp[k] != curve.tp[k - 1] or curve.fp[k] != curve.fp[k - 1]:
            here = outcomes_at(curve, rule, k)
            value = measured(curve, rule, &here)
            value = -value if rule.smallest else value
            if isnan(value) or not allowed(curve, rule, &here):
                value = NAN
            else:
                any_allowed = True
                best = value if value > best else best
                if isfinite(value):
                    size = fabs(value) if fabs(value) > size else size
        values[k] = value  # comparisons with nan are false
    return best - NOISE * size if any_allowed else NAN


cdef int64_t chosen_vertex(const Curve* curve, const Rule* rule, double* values) noexcept nogil:
    """The vertex that the rule chooses; -1 where none is allowed."""
    cdef double best = best_linear(curve, rule, values)
    if isnan(best):
        best = best_value(curve, rule, values)
    if isnan(best):
        return -1
    if rule.by_both_rates:
        best = best_of_both_rates(curve, rule, values, best)
    return settled(values, curve.last + 1, best, rule.ties)


cdef double best_of_both_rates(
    const Curve* curve, const Rule* rule, double* values, double best
) noexcept nogil:
    """Sensitivity plus specificity in place of the values that are tied; the best of them."""
    cdef double most = -INFINITY, size = 0.0, value
    cdef int64_t k
    cdef Outcomes here
    for k in range(curve.last + 1):
        if values[k] >= best:
            here = outcomes_at(curve, rule, k)
            value = here.tpr + here.tnr
            most = value if value > most else most
            size = fabs(value) if fabs(value) > size else size
            values[k] = value
        else:
            values[k] = NAN
    return most - NOISE * size


cdef void read_threshold(Curve* curve, double* out) noexcept nogil:
    """The vertex that a rule chooses (-1: none); then what was left out above it, and in all."""
    cdef Rule rule = rule_of(curve.numbers)
    cdef int64_t vertex = chosen_vertex(curve, &rule, <double*>curve.stack)
    out[0] = <double>vertex
    vertex = vertex if vertex > 0 else 0
    trace_left_out(curve)
    out[1] = curve.tp[vertex]
    out[2] = curve.tp[curve.last]
    out[3] = curve.fp[vertex]
    out[4] = curve.fp[curve.last]


# Reading ------------------------------------------------------------------------------------------

READERS = (
    "counts", "counts-and-left-out", "area", "part", "smooth", "sensitivity", "specificity",
    "equal-errors", "vertices", "reaching", "within", "average-precision", "precision", "youden",
    "least-cost", "cost-grid", "isotonic", "window", "threshold", "curve",
)
cdef Reader[20] FUNCTIONS
FUNCTIONS[:] = [
    read_counts, read_counts_and_left_out, read_area, read_part, read_smooth, read_sensitivity,
    read_specificity, read_equal_errors, read_vertices, read_reaching, read_within,
    read_average_precision, read_precision, read_youden, read_least_cost, read_cost_grid,
    read_isotonic, read_window, read_threshold, read_curve,
]


cdef class Model:
    """Rows of one model as a curve with room for a resample of them."""

    cdef Curve curve
    cdef object kept

    def __cinit__(self, rows, numbers, scores):
        cdef const int32_t[::1] codes = rows[0]
        cdef const uint8_t[::1] ends = rows[1]
        cdef const double[::1] column
        cdef int64_t row
        self.kept = rows, numbers, scores
        self.curve.rows.codes = &codes[0]
        self.curve.rows.ends = &ends[0]
        self.curve.rows.size = codes.shape[0]
        self.curve.rows.weights = self.curve.scores = self.curve.numbers = NULL
        if rows[2] is not None:
            column = rows[2]
            self.curve.rows.weights = &column[0]
        if scores is not None:
            column = scores
            self.curve.scores = &column[0]
        column = numbers
        self.curve.n_numbers = column.shape[0]
        if column.shape[0]:
            self.curve.numbers = &column[0]
        self.curve.limit = INFINITY
        self.curve.last = 0
        for row in range(codes.shape[0]):
            self.curve.last += ends[row]

    cdef prepare_curve(self):
        """Room for a curve."""
        self.curve.tp = <double*>malloc(2 * (self.curve.last + 2) * sizeof(double))
        self.curve.stack = <int64_t*>malloc((self.curve.last + 2) * sizeof(int64_t))
        if self.curve.tp == NULL or self.curve.stack == NULL:
            raise MemoryError
        self.curve.fp = self.curve.tp + self.curve.last + 2

    cdef prepare_ranks(self):
        """The rows of each class, and the ranks of negatives among positives."""
        cdef const Rows* rows = &self.curve.rows
        cdef Ranks* ranks = &self.curve.ranks
        cdef int64_t row, first = 0, above = 0, size = rows.size
        cdef int32_t code
        ranks.sums = <double*>malloc((size + 1) * sizeof(double))
        ranks.pos = <int32_t*>malloc(4 * size * sizeof(int32_t))
        ranks.pos_weights = <double*>malloc(2 * size * sizeof(double) if rows.weights else 1)
        if ranks.sums == NULL or ranks.pos == NULL or ranks.pos_weights == NULL:
            raise MemoryError
        ranks.neg = ranks.pos + size
        ranks.above = ranks.neg + size
        ranks.reached = ranks.above + size
        ranks.neg_weights = ranks.pos_weights + size
        for row in range(size):
            code = rows.codes[row]
            if rows.weights:
                ranks.pos_weights[ranks.n_pos] = rows.weights[row]
                ranks.neg_weights[ranks.n_neg] = -rows.weights[row]
            ranks.pos[ranks.n_pos] = code  # overwritten by the next one of the class
            ranks.neg[ranks.n_neg] = ~code
            ranks.above[ranks.n_neg] = <int32_t>above
            ranks.n_pos += code >= 0
            ranks.n_neg += code < 0
            if rows.ends[row]:
                above = ranks.n_pos
                while first < ranks.n_neg:
                    ranks.reached[first] = <int32_t>above
                    first += 1
        if self.curve.last == size:  # no ties: the same numbers, and less memory to read
            ranks.reached = ranks.above
        ranks.in_order = True
        for row in range(ranks.n_pos):
            ranks.in_order &= ranks.pos[row] == row
        for row in range(ranks.n_neg):
            ranks.in_order &= ranks.neg[row] == ranks.n_pos + row

    cdef limit_trace(self, const int64_t[::1] strata):
        """Trace no more than a partial area needs, where the class sizes are the same always."""
        cdef const Rows* rows = &self.curve.rows
        cdef int64_t row
        cdef int32_t code
        if rows.weights or strata.shape[0] != 2 or rows.size != strata[0] + strata[1]:
            return
        for row in range(rows.size):
            code = rows.codes[row]
            if (code >= 0) != ((code ^ (code >> 31)) < strata[0]):
                return
        self.curve.n_pos = <double>strata[0]
        self.curve.n_neg = <double>strata[1]
        self.curve.limit = self.curve.numbers[2] * self.curve.n_neg

    def __dealloc__(self):
        free(self.curve.tp)
        free(self.curve.stack)
        free(self.curve.ranks.sums)
        free(self.curve.ranks.pos)
        free(self.curve.ranks.pos_weights)


def resample(
    str reader, list models, const int64_t[::1] strata, const uint8_t[:, ::1] classes,
    int attempts, uint64_t seed, int64_t first, const int64_t[:, ::1] given,
    const double[::1] sizes, double[:, :, ::1] result,
):
    """What the reader reads off each model in each replicate from `first` on."""
    cdef Reader read = FUNCTIONS[READERS.index(reader)]
    cdef int64_t line, k, n_models = len(models), units = 0
    cdef bint complete = True, drawn = given is None
    cdef Drawn multiplicities
    cdef Model model
    cdef Curve** curves
    cdef uint8_t* times
    for model in models:
        if read == read_area and drawn:
            model.prepare_ranks()
        else:
            model.prepare_curve()
        if read == read_part and model.curve.numbers[0] == 0.0 and drawn and not classes.shape[0]:
            model.limit_trace(strata)
    for k in range(strata.shape[0]):
        units += strata[k]
    curves = <Curve**>malloc(n_models * sizeof(Curve*))
    times = <uint8_t*>malloc(2 * (units + 1))
    if curves == NULL or times == NULL:
        free(curves)
        free(times)
        raise MemoryError
    for k in range(n_models):
        curves[k] = &(<Model>models[k]).curve
    multiplicities.times = times
    multiplicities.absent = times + units
    multiplicities.units = units
    multiplicities.given = NULL
    multiplicities.sizes = NULL if sizes is None else &sizes[0]
    with nogil:
        for line in range(result.shape[0]):
            if drawn:
                complete = draw_units(strata, classes, attempts, seed, first + line, times)
                if not complete:
                    break
            else:
                multiplicities.given = &given[line, 0]
            for k in range(n_models):
                curves[k].drawn = multiplicities
                if read != read_area:
                    trace(curves[k])
                read(curves[k], &result[line, k, 0])
    free(curves)
    free(times)
    return complete
