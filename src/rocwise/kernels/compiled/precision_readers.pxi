# Precisions read off one resampled curve; included by _reading.pyx after readers.pxi.


cdef void read_average_precision(const Curve* curve, double* out) noexcept nogil:
    """Mean precision at the positives: numbers are (by arcs, negatives per positive)."""
    cdef bint arcs = curve.numbers[0] != 0.0
    cdef double odds = curve.numbers[1], total = 0.0, dt, t0, t1, f0, f1, slope, offset, scale, bend
    cdef double hits, before = hits_at(curve, 0)
    cdef int64_t k, first = 0, stop
    cdef Stretch seen
    while first < curve.last:
        stop = look_at(curve, first, curve.last, &seen)
        for k in range(1, stop - first + 1):
            hits = seen.tp[k]
            if hits == before:
                continue
            t0 = before / curve.n_pos
            t1 = hits / curve.n_pos
            before = hits
            f1 = odds * (seen.fp[k] / curve.n_neg)
            dt = t1 - t0
            if not arcs:
                total += dt * (t1 / (t1 + f1))
                continue
            f0 = odds * (seen.fp[k - 1] / curve.n_neg)
            slope = (f1 - f0) / dt
            offset = f0 - slope * t0
            scale = 1.0 + slope
            bend = 0.0
            if fabs(offset) > 1e-15:
                bend = offset * log((t1 + f1) / (t0 + f0 if t0 + f0 > 1e-300 else 1e-300))
            total += (dt - bend / scale) / scale
        first = stop
    out[0] = total


cdef void read_precision_at(const Curve* curve, double* out) noexcept nogil:
    """Precision at the first place that reaches a recall: numbers are (recall, odds)."""
    cdef int64_t low = 0, step, left = curve.last + 1, k
    cdef double hits
    while left > 1:  # the last place below the recall
        step = left // 2
        low += step if tpr_of(curve, low + step) < curve.numbers[0] else 0
        left -= step
    k = low + 1 if low < curve.last else low
    hits = tpr_of(curve, k)
    out[0] = hits / (hits + curve.numbers[1] * fpr_of(curve, k))
