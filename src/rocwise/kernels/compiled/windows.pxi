# The best window of one resampled curve, and the cases that the resample left out; included by
# _reading.pyx after readers.pxi.


cdef enum:
    FEW_CASES = 32  # of a class at a score, below which what is left out is found once a resample


cdef inline double left_of(double held, double drawn) noexcept nogil:
    """Cases of one score that a resample is expected to leave out: h (1 - 1/h)^d."""
    if held > 1.0:
        return held * pow(1.0 - 1.0 / held, drawn)
    return held * <double>(drawn == 0.0)


cdef inline double left_of_few(double held, double drawn, double* known) noexcept nogil:
    """The same of counts, which most scores have alike; what is not known yet is below 0."""
    cdef int64_t place
    if held >= FEW_CASES or drawn >= FEW_CASES:
        return left_of(held, drawn)
    place = FEW_CASES * <int64_t>held + <int64_t>drawn
    if known[place] < 0.0:
        known[place] = left_of(held, drawn)
    return known[place]


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


cdef inline double cost_at(const Curve* curve, const Line* line, int64_t place) noexcept nogil:
    return cost_of_counts(line, hits_at(curve, place), alarms_at(curve, place))


cdef inline double least_within(
    const Curve* curve, const Line* line, int64_t first, int64_t last
) noexcept nogil:
    """What no place from first to last costs less than: counts rise, and so do rounded sums."""
    cdef int64_t of_pos = last if line.per_pos > 0.0 else first
    cdef int64_t of_neg = last if line.per_neg > 0.0 else first
    return cost_of_counts(line, hits_at(curve, of_pos), alarms_at(curve, of_neg))


cdef inline double most_within(
    const Curve* curve, const Line* line, int64_t first, int64_t last
) noexcept nogil:
    """What no place from first to last costs more than."""
    cdef int64_t of_pos = first if line.per_pos > 0.0 else last
    cdef int64_t of_neg = first if line.per_neg > 0.0 else last
    return cost_of_counts(line, hits_at(curve, of_pos), alarms_at(curve, of_neg))


cdef inline int64_t last_beside(const Curve* curve, int64_t first) noexcept nogil:
    """The last place of a stretch."""
    return first + STRETCH - 1 if first + STRETCH - 1 < curve.last else curve.last


cdef void find_extremes(const Curve* curve, Line* line) noexcept nogil:
    """The least and the largest linear cost: places far apart first, then stretches between them.

    A stretch is passed over where none of its places can cost less, or more, than was found.
    """
    cdef int64_t k = 0, first = 0, last
    while k <= curve.last:
        widen(line, cost_at(curve, line, k))
        k += STRETCH
    while first <= curve.last:
        last = last_beside(curve, first)
        if (
            least_within(curve, line, first, last) < line.least
            or most_within(curve, line, first, last) > line.most
        ):
            for k in range(first + 1, last + 1):
                widen(line, cost_at(curve, line, k))
        first = last + 1


cdef void find_least(const Curve* curve, const double* tied_and_factors, Line* lines) noexcept nogil:
    """The least of three linear costs, each raised by what counts as equal to it."""
    cdef const double* factors = tied_and_factors + 2
    cdef int64_t number
    cdef Line line  # kept apart from memory, so that it stays in registers
    for number in range(3):
        line.per_pos = factors[2 * number] / curve.n_pos
        line.per_neg = factors[2 * number + 1] / curve.n_neg
        line.whole = factors[2 * number] + factors[2 * number + 1]
        line.least = line.most = 0.0
        find_extremes(curve, &line)
        line.least += tied_and_factors[0] * (line.most if line.most > -line.least else -line.least)
        lines[number] = line


cdef int64_t first_least(const Curve* curve, const Line* line, bint from_above) noexcept nogil:
    """First place from below (or above) whose linear cost counts as the least."""
    cdef int64_t k, first, last, place, number, stretches = curve.last // STRETCH + 1
    for number in range(stretches):
        first = STRETCH * (number if from_above else stretches - 1 - number)
        last = last_beside(curve, first)
        if least_within(curve, line, first, last) > line.least:
            continue
        for k in range(last + 1 - first):
            place = first + k if from_above else last - k
            if cost_at(curve, line, place) <= line.least:
                return place
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


cdef void count_left_out(
    const uint32_t* before, const int32_t* ranks, int64_t low, int64_t high, int64_t last,
    double* below, double* in_all,
) noexcept nogil:
    """Rows of a class that are left out below the lower and the higher place, and in all."""
    below[0] = never_drawn(before, ranks, low, last)
    below[1] = below[0] + never_drawn(before, ranks, high, low)
    in_all[0] = below[1] + never_drawn(before, ranks, 0, high)


cdef inline double held_at(const double* sums, const int32_t* ranks, int64_t k) noexcept nogil:
    """What the data have at a place."""
    return ranks[k] - ranks[k - 1] if sums == NULL else sums[k] - sums[k - 1]


cdef void add_left_out(const Curve* curve, int64_t low, int64_t high, double* out) noexcept nogil:
    """Cases left out below two places, of positives and then of negatives; then all of both."""
    cdef double[1024] known  # FEW_CASES * FEW_CASES
    cdef double pos, neg, of_pos = 0.0, of_neg = 0.0, tp = curve.n_pos, fp = curve.n_neg
    cdef double held_pos, held_neg
    cdef bint counted = curve.tp_held == NULL
    cdef int64_t k
    for k in range(FEW_CASES * FEW_CASES):
        known[k] = -1.0
    out[0] = out[1] = out[2] = out[3] = 0.0
    for k in range(curve.last, 0, -1):
        pos = hits_at(curve, k - 1)
        neg = alarms_at(curve, k - 1)
        held_pos = held_at(curve.tp_held, curve.tp_ranks, k)
        held_neg = held_at(curve.fp_held, curve.fp_ranks, k)
        if counted:
            of_pos += left_of_few(held_pos, tp - pos, known)
            of_neg += left_of_few(held_neg, fp - neg, known)
        else:
            of_pos += left_of(held_pos, tp - pos)
            of_neg += left_of(held_neg, fp - neg)
        tp = pos
        fp = neg
        if k - 1 == low:
            out[0] = of_pos
            out[2] = of_neg
        if k - 1 == high:
            out[1] = of_pos
            out[3] = of_neg
    out[4] = of_pos
    out[5] = of_neg


cdef void read_window(const Curve* curve, double* out) noexcept nogil:
    """The best window: its two places, and shares of both classes below them, also left out.

    Numbers are (tied, abstaining may pay, three pairs of factors for the single threshold, the
    lower and the upper one). Out come low, high (scores above the threshold), the shares of
    positives and negatives at or below each; then cases left out below each, and in all.
    """
    cdef const double* c = curve.numbers
    cdef int64_t low, high, below, k
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
        count_left_out(curve.pos_before, curve.tp_ranks, low, high, curve.last, out + 6, out + 10)
        count_left_out(curve.neg_before, curve.fp_ranks, low, high, curve.last, out + 8, out + 11)
        return
    add_left_out(curve, low, high, out + 6)
