# The smooth area of a resampled curve; included by _reading.pyx after readers.pxi.


cdef int64_t near_score(const Curve* curve, double middle) noexcept nogil:
    """Whether a score is within 1e-9 of the midpoint; scores fall."""
    cdef int64_t low = 0, step, left = curve.last
    while left > 1:  # the last score not below the midpoint
        step = left // 2
        low += step if curve.scores[low + step] >= middle else 0
        left -= step
    if fabs(curve.scores[low] - middle) < 1e-9:
        return 1
    return low + 1 < curve.last and fabs(curve.scores[low + 1] - middle) < 1e-9


cdef int64_t not_below(const Curve* curve, double middle) noexcept nogil:
    """How many scores are not below the midpoint, by halving; scores fall."""
    cdef int64_t place = 0, step, left = curve.last + 1
    while left > 1:
        step = left // 2
        place += step if curve.scores[place + step - 1] >= middle else 0
        left -= step
    return place


cdef double midpoint_of(const Curve* curve) noexcept nogil:
    """The midpoint: numbers are (0, midpoint), or 1 for estimated, 2 for class means."""
    cdef double[4] of_pos
    cdef double[4] of_neg
    cdef double pos, neg
    cdef int64_t lane, first = 0, stop
    cdef Stretch seen
    if curve.numbers[0] == 0.0:
        return curve.numbers[1]
    for lane in range(4):
        of_pos[lane] = of_neg[lane] = 0.0
    while first < curve.last:
        stop = look_at(curve, first, curve.last, &seen)
        add_scores(seen.tp, curve.scores + first, stop - first, of_pos)
        add_scores(seen.fp, curve.scores + first, stop - first, of_neg)
        first = stop
    pos = of_pos[0] + of_pos[1] + (of_pos[2] + of_pos[3])
    neg = of_neg[0] + of_neg[1] + (of_neg[2] + of_neg[3])
    if curve.numbers[0] == 1.0:
        return (pos + neg) / (2.0 * curve.n_pos)
    return (pos / curve.n_pos + neg / curve.n_neg) / 2.0


cdef void add_scores(
    const double* sums, const double* s, int64_t size, double* lanes
) noexcept nogil:
    """Sums of scores, each as often as the sums rise there."""
    cdef double[4] own
    cdef int64_t k, lane, whole = size - size % 4
    for lane in range(4):
        own[lane] = lanes[lane]
    for k in range(0, whole, 4):  # sums side by side: none waits for the one before
        for lane in range(4):
            own[lane] += (sums[k + lane + 1] - sums[k + lane]) * s[k + lane]
    for k in range(whole, size):
        own[0] += (sums[k + 1] - sums[k]) * s[k]
    for lane in range(4):
        lanes[lane] = own[lane]


cdef void read_smooth(const Curve* curve, double* out) noexcept nogil:
    """The smooth area; what `midpoint_of` is told."""
    cdef double middle = midpoint_of(curve)
    cdef double risen = 0.0, run = 0.0, total = 0.0
    cdef int64_t place, first = 0
    cdef Stretch seen
    if curve.numbers[0] != 0.0 and near_score(curve, middle):
        out[0] = NAN  # the last digit decides: it is to be summed exactly
        return
    place = not_below(curve, middle)
    while first < place:
        first = add_steps(curve, first, place, 1.0, &seen, &risen, &run, &total)
    while first < curve.last:
        first = add_steps(curve, first, curve.last, -1.0, &seen, &risen, &run, &total)
    out[0] = total / (risen * run) if risen > 0.0 and run > 0.0 else NAN


cdef int64_t add_steps(
    const Curve* curve, int64_t first, int64_t last, double side, Stretch* seen, double* risen,
    double* run, double* total,
) noexcept nogil:
    """Rise, run and area of scores above the midpoint (side 1) or below it (-1).

    They are those from `first` on, up to `last` at most; the place that was reached is the answer.
    With e positives less negatives and n cases at a score s, the curve rises by n/2 + side e
    (s - 1/2) and runs by n less that.
    """
    cdef int64_t k, lane, stop = look_at(curve, first, last, seen), size = stop - first
    cdef int64_t whole = size - size % 4
    cdef const double* s = curve.scores + first
    cdef const double* tp = seen.tp
    cdef const double* fp = seen.fp
    cdef double[4] up
    cdef double[4] right
    cdef double pos, neg, lean, y = risen[0], x = run[0], area = total[0], some
    for k in range(0, whole, 4):
        for lane in range(4):
            pos = tp[k + lane + 1] - tp[k + lane]
            neg = fp[k + lane + 1] - fp[k + lane]
            lean = side * (pos - neg) * (s[k + lane] - 0.5)
            up[lane] = (pos + neg) * 0.5 + lean
            right[lane] = (pos + neg) * 0.5 - lean
        # the four of them for themselves, then together beside what has risen before
        some = right[0] * (up[0] / 2.0) + right[1] * (up[0] + up[1] / 2.0)
        some += right[2] * (up[0] + up[1] + up[2] / 2.0)
        some += right[3] * (up[0] + up[1] + (up[2] + up[3] / 2.0))
        pos = (right[0] + right[1]) + (right[2] + right[3])
        area += some + pos * y
        x += pos
        y += (up[0] + up[1]) + (up[2] + up[3])
    for k in range(whole, size):
        pos = tp[k + 1] - tp[k]
        neg = fp[k + 1] - fp[k]
        lean = side * (pos - neg) * (s[k] - 0.5)
        y += (pos + neg) * 0.5 + lean
        x += (pos + neg) * 0.5 - lean
        area += ((pos + neg) * 0.5 - lean) * (y - ((pos + neg) * 0.5 + lean) / 2.0)
    risen[0] = y
    run[0] = x
    total[0] = area
    return stop
