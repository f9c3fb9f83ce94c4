# Numbers read off one resampled curve; included by _reading.pyx.
#
# A curve has the counts (or sums of weights) tp and fp of the classes above each of its places
# 0..last, from 0. A reader asks `hits_at` and `alarms_at`, or walks from one stretch of places to
# the next (`look_at`): long curves are not laid out from end to end, which every thread would need
# room for. What a reader cannot settle it gives as nan: the numpy formula answers then.

from libc.math cimport INFINITY, NAN, fabs, log, pow, rint
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memmove

cdef double ON_A_RISE = 1e-12  # as in `heights_at`: 1 - 0.8 is not exactly 0.2

ctypedef struct Curve:
    const double* tp  # NULL where nothing is laid out, and the next four say it
    const double* fp
    const int32_t* tp_ranks  # rows of the class above each place
    const int32_t* fp_ranks
    const uint32_t* pos_drawn  # drawn before each row
    const uint32_t* neg_drawn
    const double* tp_held  # the data's own counts where they are sums of weights, else NULL
    const double* fp_held
    const uint32_t* pos_before  # drawn before each row, where no two rows of a class share a score
    const uint32_t* neg_before
    int64_t last
    double n_pos
    double n_neg
    const double* numbers
    int64_t n_numbers
    const double* scores
    int64_t* stack

ctypedef void (*Reader)(const Curve* curve, double* out) noexcept nogil

cdef enum:
    SEEN = 1024  # scores of a stretch, which the nearest cache holds; a multiple of four
    FEW = 16  # places that are passed over together, where none of them can be a corner

ctypedef struct Stretch:  # counts above a place and each of the next, SEEN scores at most
    const double* tp
    const double* fp
    double[1025] of_pos  # room for them
    double[1025] of_neg


cdef inline double hits_at(const Curve* curve, int64_t place) noexcept nogil:
    if curve.tp != NULL:
        return curve.tp[place]
    return curve.pos_drawn[curve.tp_ranks[place]]


cdef inline double alarms_at(const Curve* curve, int64_t place) noexcept nogil:
    if curve.fp != NULL:
        return curve.fp[place]
    return curve.neg_drawn[curve.fp_ranks[place]]


cdef int64_t look_at(const Curve* curve, int64_t first, int64_t last, Stretch* seen) noexcept nogil:
    """The counts above place `first` and the next ones up to `last`; the last that is seen."""
    cdef int64_t k, stop = first + SEEN if first + SEEN < last else last
    if curve.tp != NULL:
        seen.tp = curve.tp + first
        seen.fp = curve.fp + first
        return stop
    for k in range(first, stop + 1):
        seen.of_pos[k - first] = curve.pos_drawn[curve.tp_ranks[k]]
    for k in range(first, stop + 1):
        seen.of_neg[k - first] = curve.neg_drawn[curve.fp_ranks[k]]
    seen.tp = seen.of_pos
    seen.fp = seen.of_neg
    return stop


cdef inline double tpr_of(const Curve* curve, int64_t place) noexcept nogil:
    return hits_at(curve, place) / curve.n_pos


cdef inline double fpr_of(const Curve* curve, int64_t place) noexcept nogil:
    return alarms_at(curve, place) / curve.n_neg


cdef inline double along(const Curve* curve, int64_t place, bint mirrored) noexcept nogil:
    """First coordinate: FPR, or 1 - TPR of the curve read from its other end."""
    if mirrored:
        return 1.0 - tpr_of(curve, curve.last - place)
    return fpr_of(curve, place)


cdef inline double height(const Curve* curve, int64_t place, bint mirrored) noexcept nogil:
    if mirrored:
        return 1.0 - fpr_of(curve, curve.last - place)
    return tpr_of(curve, place)


cdef int64_t last_along(const Curve* curve, double limit, bint mirrored) noexcept nogil:
    """Last place whose first coordinate is at most the limit, by halving; place 0 at least."""
    cdef int64_t low = 0, step, left = curve.last + 1
    while left > 1:
        step = left // 2
        low += step if along(curve, low + step, mirrored) <= limit else 0
        left -= step
    return low


cdef void read_area(const Curve* curve, double* out) noexcept nogil:
    """The whole area, by trapezia."""
    cdef int64_t k, first = 0, stop
    cdef double total = 0.0
    cdef Stretch seen
    while first < curve.last:
        stop = look_at(curve, first, curve.last, &seen)
        for k in range(stop - first):
            total += (seen.fp[k + 1] - seen.fp[k]) * (seen.tp[k] + seen.tp[k + 1])
        first = stop
    out[0] = total / 2.0 / (curve.n_pos * curve.n_neg)


cdef inline double reached(const Curve* curve, int64_t place, bint by_tpr) noexcept nogil:
    return tpr_of(curve, place) if by_tpr else fpr_of(curve, place)


cdef inline double beside(const Curve* curve, int64_t place, bint by_tpr) noexcept nogil:
    return 1.0 - fpr_of(curve, place) if by_tpr else tpr_of(curve, place)


cdef int64_t steps_within(
    const Curve* curve, bint by_tpr, int64_t place, double high
) noexcept nogil:
    """Places after one where the rate rises, until it has reached `high`: onto the stack."""
    cdef int64_t last = place, step, left = curve.last + 1 - place, found = 0, k
    cdef double before = hits_at(curve, place) if by_tpr else alarms_at(curve, place), now
    while left > 1:  # the last place below the limit
        step = left // 2
        last += step if reached(curve, last + step, by_tpr) < high else 0
        left -= step
    last = last + 1 if last < curve.last else last
    for k in range(place + 1, last + 1):  # no branch: nothing could foretell it
        now = hits_at(curve, k) if by_tpr else alarms_at(curve, k)
        curve.stack[found] = k
        found += now != before
        before = now
    return found


cdef void read_part(const Curve* curve, double* out) noexcept nogil:
    """Area over a range of FPR, or beside a range of TPR: numbers are (by TPR, low, high)."""
    cdef bint by_tpr = curve.numbers[0] != 0.0
    cdef double low = curve.numbers[1], high = curve.numbers[2], total = 0.0
    cdef double x0, x1, y0, y1, start, stop
    cdef int64_t k = 0, step, left = curve.last + 1, place
    while left > 1:  # the last place at or before the range
        step = left // 2
        k += step if reached(curve, k + step, by_tpr) <= low else 0
        left -= step
    x1 = reached(curve, k, by_tpr)
    for place in range(steps_within(curve, by_tpr, k, high)):
        k = curve.stack[place]
        x0 = x1
        x1 = reached(curve, k, by_tpr)
        start = x0 if x0 > low else low
        stop = x1 if x1 < high else high
        if stop > start:
            y0 = beside(curve, k - 1, by_tpr)
            y1 = beside(curve, k, by_tpr)
            total += (stop - start) * (
                y0 + (y1 - y0) * (((start + stop) / 2.0 - x0) / (x1 - x0))
            )
    total = total if total > 0.0 else 0.0
    out[0] = total if total < high - low else high - low


cdef double height_above(const Curve* curve, double at, bint mirrored) noexcept nogil:
    """Height at one first coordinate, the top of a vertical part."""
    cdef double x0, x1, y0, share
    cdef int64_t k = last_along(curve, at + ON_A_RISE, mirrored), right
    right = k + 1 if k < curve.last else k
    x0 = along(curve, k, mirrored)
    x1 = along(curve, right, mirrored)
    y0 = height(curve, k, mirrored)
    share = (at - x0) / (x1 - x0) if x1 - x0 > 0.0 else 0.0
    share = share if share > 0.0 else 0.0
    share = share if share < 1.0 else 1.0
    return y0 + share * (height(curve, right, mirrored) - y0)


cdef void read_height(const Curve* curve, double* out) noexcept nogil:
    """Height at one first coordinate: numbers are (mirrored, at)."""
    out[0] = height_above(curve, curve.numbers[1], curve.numbers[0] != 0.0)


cdef void read_heights(const Curve* curve, double* out) noexcept nogil:
    """TPR at every FPR of the numbers."""
    cdef int64_t place
    for place in range(curve.n_numbers):
        out[place] = height_above(curve, curve.numbers[place], False)


cdef void read_equal_errors(const Curve* curve, double* out) noexcept nogil:
    """The rate where the curve crosses the other diagonal."""
    cdef int64_t low = 0, step, left = curve.last + 1, k
    cdef double g0, g1, share = 0.0, before
    while left > 1:
        step = left // 2
        k = low + step
        low += step if fpr_of(curve, k) + tpr_of(curve, k) - 1.0 < 0.0 else 0
        left -= step
    k = low + 1 if low < curve.last else low
    g0 = fpr_of(curve, k - 1) + tpr_of(curve, k - 1) - 1.0
    g1 = fpr_of(curve, k) + tpr_of(curve, k) - 1.0
    if g1 > g0:
        share = -g0 / (g1 - g0)
    before = fpr_of(curve, k - 1)
    out[0] = before + share * (fpr_of(curve, k) - before)


cdef inline int64_t pushed(const Curve* curve, int64_t held, int64_t k) noexcept nogil:
    """Put a place onto the hull, of which `held` are on the stack, and take off what it covers."""
    cdef int64_t* stack = curve.stack
    cdef double x = alarms_at(curve, k), y = hits_at(curve, k), x_a, y_a
    cdef int64_t a, b
    while held > 1:
        a = stack[held - 2]
        b = stack[held - 1]
        x_a = alarms_at(curve, a)
        y_a = hits_at(curve, a)
        if (hits_at(curve, b) - y_a) * (x - x_a) > (y - y_a) * (alarms_at(curve, b) - x_a):
            break
        held -= 1
    stack[held] = k
    return held + 1


cdef int64_t hull(const Curve* curve) noexcept nogil:
    """Places of the upper convex hull, onto the stack; how many.

    First the hull of few places; of the others only those above it can be corners.
    """
    cdef int64_t held = 1, few, place, k, a, b = 0, first, stop
    cdef int64_t* coarse
    cdef double width, rise, x, y
    curve.stack[0] = 0
    for k in range(64, curve.last, 64):  # far enough apart to be few
        held = pushed(curve, held, k)
    few = pushed(curve, held, curve.last)
    # to the end of the stack, where each is read before a corner is written over it
    coarse = curve.stack + curve.last + 1 - few
    memmove(coarse, curve.stack, few * sizeof(int64_t))
    held = 1
    curve.stack[0] = 0
    for place in range(1, few):
        a = b
        b = coarse[place]
        x = alarms_at(curve, a)
        y = hits_at(curve, a)
        width = alarms_at(curve, b) - x
        rise = hits_at(curve, b) - y
        first = a + 1
        while first < b:
            stop = first + FEW if first + FEW < b else b
            # none has more hits than the last of a stretch, nor fewer false alarms than the first
            if (hits_at(curve, stop - 1) - y) * width > rise * (alarms_at(curve, first) - x):
                for k in range(first, stop):
                    if (hits_at(curve, k) - y) * width > rise * (alarms_at(curve, k) - x):
                        held = pushed(curve, held, k)
            first = stop
        held = pushed(curve, held, b)
    return held


cdef void read_cost_grid(const Curve* curve, double* out) noexcept nogil:
    """The least normalised cost at every probability cost of the numbers."""
    cdef int64_t held = hull(curve), place, k
    cdef double share, best, value
    for place in range(curve.n_numbers):
        share = curve.numbers[place]
        best = share  # nobody is called positive
        for k in range(1, held):
            value = (1.0 - tpr_of(curve, curve.stack[k])) * share
            value = value + fpr_of(curve, curve.stack[k]) * (1.0 - share)
            best = value if value < best else best
        out[place] = best
