# Both rates at points of a resampled curve; included by _reading.pyx after readers.pxi.
#
# Each reader gives the TPR of all points, then their FPR, then both class sizes.


cdef inline void put_point(
    const Curve* curve, int64_t place, int64_t asked, int64_t points, double* out
) noexcept nogil:
    out[asked] = tpr_of(curve, place)
    out[points + asked] = fpr_of(curve, place)
    if asked == points - 1:
        out[2 * points] = curve.n_pos
        out[2 * points + 1] = curve.n_neg


cdef void read_places(const Curve* curve, double* out) noexcept nogil:
    """At the places of the numbers."""
    cdef int64_t asked, points = curve.n_numbers
    for asked in range(points):
        put_point(curve, <int64_t>curve.numbers[asked], asked, points, out)


cdef int64_t first_with(const Curve* curve, double sensitivity) noexcept nogil:
    """First place with at least the sensitivity, by halving; the last one has it."""
    cdef int64_t low = 0, high = curve.last, middle
    while low < high:
        middle = (low + high) // 2
        if tpr_of(curve, middle) < sensitivity:
            low = middle + 1
        else:
            high = middle
    return low


cdef int64_t last_within(const Curve* curve, double share, double limit) noexcept nogil:
    """Last place with calls within a limit, by halving; place 0 at least."""
    cdef int64_t low = 0, step, left = curve.last + 1, k
    while left > 1:
        step = left // 2
        k = low + step
        low += step if share * tpr_of(curve, k) + (1.0 - share) * fpr_of(curve, k) <= limit else 0
        left -= step
    return low


cdef void read_reached(const Curve* curve, double* out) noexcept nogil:
    """With the sensitivities of the numbers: fewest false alarms, then the most hits with them."""
    cdef int64_t asked, points = curve.n_numbers, k
    for asked in range(points):
        k = first_with(curve, curve.numbers[asked])
        k = last_along(curve, fpr_of(curve, k) + ON_A_RISE, False)
        put_point(curve, k, asked, points, out)


cdef void read_within(const Curve* curve, double* out) noexcept nogil:
    """Within limits: most hits, then the fewest false alarms with them.

    Numbers are (share, limits): of calls, of which `share` are of positives; 0 for the FPR alone.
    """
    cdef int64_t asked, points = curve.n_numbers - 1, k
    for asked in range(points):
        k = last_within(curve, curve.numbers[0], curve.numbers[1 + asked])
        k = first_with(curve, tpr_of(curve, k) - ON_A_RISE)
        put_point(curve, k, asked, points, out)
