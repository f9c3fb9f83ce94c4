# The best window of one resampled curve, and the cases that the resample left out; included by
# _reading.pyx after readers.pxi.


cdef inline double left_of(double held, double drawn) noexcept nogil:
    """Cases of one score that a resample is expected to leave out: h (1 - 1/h)^d."""
    if held > 1.0:
        return held * pow(1.0 - 1.0 / held, drawn)
    return held * <double>(drawn == 0.0)


ctypedef struct Line:
    double per_pos
    double per_neg
    double whole
    double least
    double most


cdef inline double cost_of_counts(const Line* line, double tp, double fp) noexcept nogil:
    """A linear cost of what is at or below a threshold with such counts above it."""
    return line.whole - (line.per_pos * tp + line.per_neg * fp)


cdef inline void widen(Line* line, double value) noexcept nogil:
    line.least = value if value < line.least else line.least
    line.most = value if value > line.most else line.most


cdef void find_least(const Curve* curve, const double* tied_and_factors, Line* lines) noexcept nogil:
    """The least of three linear costs, each raised by what counts as equal to it."""
    cdef const double* factors = tied_and_factors + 2
    cdef int64_t k, number, place = 0, stop
    cdef Stretch seen
    cdef Line first, second, third  # kept apart from memory, so that they stay in registers
    for number in range(3):
        lines[number].per_pos = factors[2 * number] / curve.n_pos
        lines[number].per_neg = factors[2 * number + 1] / curve.n_neg
        lines[number].whole = factors[2 * number] + factors[2 * number + 1]
        lines[number].least = lines[number].most = 0.0
    first = lines[0]
    second = lines[1]
    third = lines[2]
    while place <= curve.last:
        stop = look_at(curve, place, curve.last, &seen)
        for k in range(stop - place + 1):
            widen(&first, cost_of_counts(&first, seen.tp[k], seen.fp[k]))
            widen(&second, cost_of_counts(&second, seen.tp[k], seen.fp[k]))
            widen(&third, cost_of_counts(&third, seen.tp[k], seen.fp[k]))
        place = stop + 1
    lines[0] = first
    lines[1] = second
    lines[2] = third
    for number in range(3):
        lines[number].least += tied_and_factors[0] * (
            lines[number].most if lines[number].most > -lines[number].least else -lines[number].least
        )


cdef int64_t first_least(const Curve* curve, const Line* line, bint from_above) noexcept nogil:
    """First place from below (or above) whose linear cost counts as the least."""
    cdef int64_t k
    if from_above:
        for k in range(curve.last + 1):
            if cost_of_counts(line, hits_at(curve, k), alarms_at(curve, k)) <= line.least:
                return k
    for k in range(curve.last, -1, -1):
        if cost_of_counts(line, hits_at(curve, k), alarms_at(curve, k)) <= line.least:
            return k
    return 0


cdef double never_drawn(
    const uint32_t* before, const int32_t* ranks, int64_t first, int64_t last
) noexcept nogil:
    """Rows between two places that are not in the resample."""
    cdef int64_t row
    cdef uint32_t total = 0
    for row in range(ranks[first], ranks[last]):
        total += before[row + 1] == before[row]
    return total


cdef inline double held_at(const double* sums, const int32_t* ranks, int64_t k) noexcept nogil:
    """What the data have at a place."""
    return ranks[k] - ranks[k - 1] if sums == NULL else sums[k] - sums[k - 1]


cdef void read_window(const Curve* curve, double* out) noexcept nogil:
    """The best window: its two places, and shares of both classes below them, also left out.

    Numbers are (tied, abstaining may pay, three pairs of factors for the single threshold, the
    lower and the upper one). Out come low, high (scores above the threshold), the shares of
    positives and negatives at or below each; then cases left out below each, and in all.
    """
    cdef const double* c = curve.numbers
    cdef int64_t low, high, below, k
    cdef double pos, neg, of_pos = 0.0, of_neg = 0.0, tp = curve.n_pos, fp = curve.n_neg
    cdef Line[3] lines
    find_least(curve, c, lines)
    low = high = first_least(curve, &lines[0], False)
    if c[1] != 0.0:
        below = first_least(curve, &lines[1], True)
        k = first_least(curve, &lines[2], False)
        if below >= k:
            low = below
            high = k
    out[0] = low
    out[1] = high
    out[2] = (curve.n_pos - hits_at(curve, low)) / curve.n_pos
    out[3] = (curve.n_pos - hits_at(curve, high)) / curve.n_pos
    out[4] = (curve.n_neg - alarms_at(curve, low)) / curve.n_neg
    out[5] = (curve.n_neg - alarms_at(curve, high)) / curve.n_neg
    if curve.tp_held == NULL and curve.tp_ranks == NULL:
        return
    if curve.pos_before != NULL:
        for k in range(2):
            out[6 + k] = never_drawn(curve.pos_before, curve.tp_ranks, <int64_t>out[k], curve.last)
            out[8 + k] = never_drawn(curve.neg_before, curve.fp_ranks, <int64_t>out[k], curve.last)
        out[10] = never_drawn(curve.pos_before, curve.tp_ranks, 0, curve.last)
        out[11] = never_drawn(curve.neg_before, curve.fp_ranks, 0, curve.last)
        return
    out[6] = out[7] = out[8] = out[9] = 0.0
    for k in range(curve.last, 0, -1):
        pos = hits_at(curve, k - 1)
        neg = alarms_at(curve, k - 1)
        tp, pos = pos, left_of(held_at(curve.tp_held, curve.tp_ranks, k), tp - pos)
        fp, neg = neg, left_of(held_at(curve.fp_held, curve.fp_ranks, k), fp - neg)
        of_pos += pos
        of_neg += neg
        if k - 1 == low:
            out[6] = of_pos
            out[8] = of_neg
        if k - 1 == high:
            out[7] = of_pos
            out[9] = of_neg
    out[10] = of_pos
    out[11] = of_neg
