# The best place of a resampled curve; included by _reading.pyx after readers.pxi.
#
# Hits and false alarms only rise along a curve, so that no place of a stretch can be better than one
# with the hits of its last and the false alarms of its first. Some places far apart say what can be
# reached; stretches that stay below it are passed over.

cdef enum:
    STRETCH = 32  # places that are passed over together, where none of them can be the best


cdef inline double margin(
    const Curve* curve, double per_pos, double per_neg, int64_t above, int64_t right
) noexcept nogil:
    """Hits at one place less false alarms at another, both as shares."""
    return hits_at(curve, above) * per_pos - alarms_at(curve, right) * per_neg


cdef void read_youden(const Curve* curve, double* out) noexcept nogil:
    """Place of the largest TPR - FPR among the scores, to 12 decimals; the first of equals."""
    cdef double per_pos = 1e12 / curve.n_pos, per_neg = 1e12 / curve.n_neg, best, value, reached
    cdef int64_t k, place = 1, start = 1, stop
    best = reached = rint((tpr_of(curve, 1) - fpr_of(curve, 1)) * 1e12)
    k = STRETCH
    while k < curve.last:
        value = margin(curve, per_pos, per_neg, k, k)
        reached = value if value > reached else reached
        k += STRETCH
    while start < curve.last:
        stop = start + STRETCH if start + STRETCH < curve.last else curve.last
        value = margin(curve, per_pos, per_neg, stop, start + 1)
        if value > best + 0.25 and value > reached - 2.0:  # more than rounding can hide
            for k in range(start + 1, stop + 1):
                # 0.5 less its rounding
                if margin(curve, per_pos, per_neg, k, k) > best + 0.25:
                    value = rint((tpr_of(curve, k) - fpr_of(curve, k)) * 1e12)
                    if value > best:
                        best = value
                        place = k
        start = stop
    out[0] = place


cdef inline double cost_of(const Curve* curve, int64_t above, int64_t right) noexcept nogil:
    """Cost with the hits of one place and the false alarms of another."""
    cdef const double* c = curve.numbers
    return c[0] * (c[1] + c[2] * tpr_of(curve, above)) + c[3] * (c[4] + c[5] * fpr_of(curve, right))


cdef void read_least_cost(const Curve* curve, double* out) noexcept nogil:
    """The least cost: numbers are (share, fn, tp - fn, 1 - share, tn, fp - tn)."""
    cdef const double* c = curve.numbers
    cdef double best, value
    cdef int64_t k, start = 0, stop
    best = c[0] * c[1] + c[3] * c[4]
    k = STRETCH
    while k < curve.last:
        value = cost_of(curve, k, k)
        best = value if value < best else best
        k += STRETCH
    while start < curve.last:
        stop = start + STRETCH if start + STRETCH < curve.last else curve.last
        if cost_of(curve, stop, start + 1) < best:  # errors never cost less than what is right
            for k in range(start + 1, stop + 1):
                value = cost_of(curve, k, k)
                best = value if value < best else best
        start = stop
    out[0] = best
