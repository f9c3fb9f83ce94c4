# The vertex of a resample, drawn by blocks, that is furthest in a direction: the largest
# a * TPR - b * FPR. Both rates only rise, so that between two borders nothing is further than the
# hits of the second with the false alarms of the first; each step of that sum is monotone, and
# rounding is too. What cannot be further than the best so far is not drawn. Included by `_bands.pyx`.

cdef enum:
    MOST_OPEN = 128  # stretches between borders that wait: one for each halving of the blocks

ctypedef struct Furthest:
    double value
    int64_t vertex
    uint32_t tp
    uint32_t fp


ctypedef struct Direction:
    double of_pos
    double of_neg
    double per_pos  # the same for a single case, times 1e12
    double per_neg


cdef inline double about(const Direction* direction, uint32_t tp, uint32_t fp) noexcept nogil:
    """How far hits and false alarms reach, in units of 1e-12, but for rounding, which is below 1."""
    return tp * direction.per_pos - fp * direction.per_neg


cdef inline double reach_of(
    const Sample* sample, const Direction* direction, uint32_t tp, uint32_t fp
) noexcept nogil:
    """The same as a whole number."""
    return rint(
        (direction.of_pos * (tp / sample.n_pos) - direction.of_neg * (fp / sample.n_neg)) * 1e12
    )


cdef inline void offer(
    const Sample* sample, const Direction* direction, int64_t vertex, uint32_t tp, uint32_t fp,
    Furthest* best,
) noexcept nogil:
    """Take a vertex if it is further than the best so far, or as far and before it."""
    cdef double value
    if about(direction, tp, fp) < best.value - 2.0:  # most are seen to be too near by this
        return
    value = reach_of(sample, direction, tp, fp)
    if value > best.value or (value == best.value and vertex < best.vertex):
        best.value = value
        best.vertex = vertex
        best.tp = tp
        best.fp = fp


cdef inline void offer_border(
    const Sample* sample, const Direction* direction, int64_t border, Furthest* best
) noexcept nogil:
    if border > 0:
        offer(
            sample, direction, first_of(sample, border), sample.border_tp[border],
            sample.border_fp[border], best,
        )


cdef inline bint is_open(
    const Sample* sample, const Direction* direction, int64_t low, int64_t high,
    const Furthest* best,
) noexcept nogil:
    """Whether a vertex between two borders may be better than the best so far."""
    cdef uint32_t tp = sample.border_tp[high], fp = sample.border_fp[low]
    cdef double most
    if about(direction, tp, fp) < best.value - 2.0:
        return False
    most = reach_of(sample, direction, tp, fp)
    return most > best.value or (most == best.value and first_of(sample, low) + 1 < best.vertex)


cdef void look_for_best(
    const Sample* sample, const Direction* direction, int64_t block, Furthest* best
) noexcept nogil:
    """Offer the vertices inside a block."""
    cdef int64_t vertex
    look_into(sample, block)
    for vertex in range(first_of(sample, block) + 1, first_of(sample, block + 1)):
        offer(
            sample, direction, vertex, sample.tp[sample.tp_rank[vertex]],
            sample.fp[sample.fp_rank[vertex]], best,
        )


cdef void seek_best(
    const Sample* sample, const Direction* direction, int64_t likely, Furthest* best
) noexcept nogil:
    """The furthest vertex, given one to be better than; `likely` is a border that may be near it."""
    cdef int64_t lows[MOST_OPEN]
    cdef int64_t highs[MOST_OPEN]
    cdef int64_t waiting = 1, low, high, middle
    cdef bint left_first
    lows[0] = 0
    highs[0] = sample.blocks
    offer_border(sample, direction, sample.blocks, best)
    look_at(sample, likely)
    offer_border(sample, direction, likely, best)
    while waiting:
        waiting -= 1
        low = lows[waiting]
        high = highs[waiting]
        if not is_open(sample, direction, low, high, best):
            continue
        if high - low == 1:
            look_for_best(sample, direction, low, best)
            continue
        middle = (low + high) // 2
        draw_border(sample, low, middle, high)
        offer_border(sample, direction, middle, best)
        left_first = likely <= middle  # the half that is likelier to have it comes off first
        lows[waiting + left_first] = low
        highs[waiting + left_first] = middle
        lows[waiting + 1 - left_first] = middle
        highs[waiting + 1 - left_first] = high
        waiting += 2


cdef Direction direction_of(const Sample* sample, const double* weights) noexcept nogil:
    cdef Direction found
    found.of_pos = weights[0]
    found.of_neg = weights[1]
    found.per_pos = weights[0] / sample.n_pos * 1e12
    found.per_neg = weights[1] / sample.n_neg * 1e12
    return found


def furthest(
    uint64_t seed, int64_t first, int64_t last, bint with_origin, cnp.ndarray tp_rank,
    cnp.ndarray fp_rank, cnp.ndarray directions, cnp.ndarray likely, cnp.ndarray result,
):
    """Furthest vertex in each direction, its hits and false alarms: result[replicate, direction]."""
    cdef const double* given = <const double*>cnp.PyArray_DATA(directions)
    cdef const int64_t* borders = <const int64_t*>cnp.PyArray_DATA(likely)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t replicate, number, count = directions.shape[0]
    cdef Sample sample
    cdef Furthest best, before
    cdef Direction direction
    open_sample(&sample, tp_rank, fp_rank, 1.0, True)
    with nogil:
        for replicate in range(first, last):
            draw_sample(&sample, seed, replicate, True)
            for number in range(count):
                best.value = 0.0 if with_origin else -INFINITY
                best.vertex = 0 if with_origin else sample.last + 1
                best.tp = best.fp = 0
                direction = direction_of(&sample, given + 2 * number)
                if number:  # neighbouring directions have neighbouring vertices
                    offer(&sample, &direction, before.vertex, before.tp, before.fp, &best)
                seek_best(&sample, &direction, borders[number], &best)
                before = best
                out[0] = best.vertex
                out[1] = best.tp
                out[2] = best.fp
                out += 3
    close_sample(&sample)
