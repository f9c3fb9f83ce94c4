# The largest gap of two curves, without a visit to every vertex. On the line through a point (x, y)
# of one curve the other has an FPR q, and their gap is x - q. Along the lines q never falls, and
# never grows by more than 1 / slope, so x - q never falls in x and never grows in y: nothing in a
# box is larger than at its corner at the bottom right, nothing smaller than at its top left. What
# lies between two vertices of a curve lies in their box. Included by `_bands.pyx`.

cdef double ROUNDED = 1e-14  # more than what rounding can do to a gap

ctypedef struct Vertex:  # of the sample
    int64_t number
    double line
    double fpr


cdef Meeting meeting(const Sample* sample, const Sample* other, int64_t vertex) noexcept nogil:
    """Where the line through a vertex of one curve meets the other."""
    cdef Meeting found
    vertex_of(sample, vertex, &found.line, &found.fpr)
    found.before = vertex_before(other, found.line, vertex, 0, other.last)
    found.gap = fabs(found.fpr - fpr_on(other, found.line, found.before))
    found.gap = scaled(other, found.gap, found.line, found.before)
    return found


cdef inline Vertex middle_of(const Sample* sample, int64_t low, int64_t high) noexcept nogil:
    """A vertex between two; of blocks, the border at which they are halved when they are drawn."""
    cdef int64_t first = low // PER_BLOCK, last = (high + PER_BLOCK - 1) // PER_BLOCK
    cdef Vertex found
    found.number = (low + high) // 2
    if sample.known != NULL and last - first > 1:
        draw_border(sample, first, (first + last) // 2, last)
        found.number = (first + last) // 2 * PER_BLOCK
    vertex_of(sample, found.number, &found.line, &found.fpr)
    return found


cdef bint may_be_beyond(
    const Sample* other, double at, double line, double most, bint on_left, bint inside
) noexcept nogil:
    """Whether on a line the other curve may be further than `most` on one side of a place.

    Places are FPRs times the slope. The vertices around the line are sought by halving until they
    tell; into a block it goes only if `inside` says so, since its rows would have to be drawn.
    """
    cdef bint by_vertex = other.known == NULL
    cdef int64_t low = 0, high = other.last if by_vertex else other.blocks, middle
    cdef double left = 0.0, bottom = 0.0, right = other.slope, top = 1.0, x, y, least, largest
    while True:
        least = max(left, line - top)  # the other curve is here or further right
        largest = min(right, line - bottom)
        if (at - least if on_left else largest - at) <= most:
            return False
        if (at - largest if on_left else least - at) > most:
            return True
        if high - low == 1:
            if by_vertex or not inside:
                return True
            look_into(other, low)
            low *= PER_BLOCK
            high = min(low + PER_BLOCK, other.last)
            by_vertex = True
            continue
        middle = (low + high) // 2
        if by_vertex:
            about_place(other, middle, &x, &y)
        else:
            draw_border(other, low, middle, high)
            x = other.border_fp[middle] * other.per_neg
            y = other.border_tp[middle] * other.per_pos
        if x + y <= line:
            low = middle
            left = x
            bottom = y
        else:
            high = middle
            right = x
            top = y


cdef inline bint none_beyond(
    const Sample* sample, const Sample* other, const Vertex* low, const Vertex* high, double most
) noexcept nogil:
    """Whether corners show that no gap between two vertices of the sample exceeds `most`."""
    cdef double width = high.fpr - low.fpr, height = high.line - low.line - sample.slope * width
    cdef double right = low.line + sample.slope * width, left = high.line - sample.slope * width
    cdef const Curve* curve = &other.curve
    cdef bint inside
    if curve.points != NULL:
        most = most * least_scale(curve, low.line, high.line) - SLACK
        return (
            high.fpr - curve.fprs[place_of(curve, right)] <= most
            and curve.fprs[place_of(curve, left) + 1] - low.fpr <= most
        )
    most = sample.slope * (most - SLACK)
    if min(sample.slope * width, height) > 2.0 * most:  # which the gaps at both corners add up to
        return False
    inside = high.number - low.number <= PER_BLOCK
    return not (
        may_be_beyond(other, sample.slope * high.fpr, right, most, True, inside)
        or may_be_beyond(other, sample.slope * low.fpr, left, most, False, inside)
    )


cdef bint straight_and_near(
    const Sample* sample, const Sample* data, const Vertex* low, const Vertex* high, double most
) noexcept nogil:
    """Whether gaps at the ends of a stretch that goes straight up, or along, show that none in it
    exceeds `most`: on such a stretch the gap never turns from rising to falling or back.

    Curves of separated classes coincide, which corners alone show of no stretch, however short.
    """
    cdef double width = high.fpr - low.fpr, height = high.line - low.line - sample.slope * width
    cdef double least
    if data.curve.points == NULL or min(width, height) > ROUNDED:
        return False
    least = least_scale(&data.curve, low.line, high.line)
    most = most * least - ROUNDED * (1.0 + max(1.0, 1.0 / sample.slope))
    return max(gap_at(data, low), gap_at(data, high)) <= most


cdef inline double gap_at(const Sample* other, const Vertex* vertex) noexcept nogil:
    """How far the other curve is on the line through a vertex."""
    cdef int64_t before = vertex_before(other, vertex.line, vertex.number, 0, other.last)
    return fabs(vertex.fpr - fpr_on(other, vertex.line, before))


cdef double largest_of_step(
    const Sample* sample, const Sample* other, int64_t vertex, double best
) noexcept nogil:
    """The larger of `best` and the largest gap between a vertex and the next."""
    cdef Meeting low = meeting(sample, other, vertex), high = meeting(sample, other, vertex + 1)
    cdef double line, fpr, gap
    cdef int64_t v
    best = max(best, max(low.gap, high.gap))
    if high.line <= low.line:
        return best
    for v in range(low.before, other.last + 1):
        vertex_of(other, v, &line, &fpr)
        if line >= high.line:
            break
        if line >= low.line:
            gap = fabs(
                low.fpr
                + (high.fpr - low.fpr) * ((line - low.line) / (high.line - low.line))
                - fpr
            )
            best = max(best, scaled(other, gap, line, v))
    return best


cdef double largest_within(
    const Sample* sample, const Sample* other, const Vertex* low, const Vertex* high, double best
) noexcept nogil:
    """The larger of `best` and the largest gap between two vertices of the sample."""
    cdef Vertex middle
    if none_beyond(sample, other, low, high, best):
        return best
    if low.fpr == high.fpr and other.curve.least == NULL:
        # upright, while the other curve only moves to the right: the gap is largest at an end
        best = max(best, meeting(sample, other, low.number).gap)
        return max(best, meeting(sample, other, high.number).gap)
    if high.number - low.number == 1:
        return largest_of_step(sample, other, low.number, best)
    if straight_and_near(sample, other, low, high, best):
        return best
    middle = middle_of(sample, low.number, high.number)
    best = largest_within(sample, other, low, &middle, best)
    return largest_within(sample, other, &middle, high, best)


cdef double largest_gap(const Sample* sample, const Sample* other, double floor) noexcept nogil:
    """The largest gap, or `floor` if that is larger, which spares the search below it.

    Below `NO_GAP` nothing is sought either: bounds cannot tell such a gap from none, so every
    vertex of curves that coincide would be visited.
    """
    cdef int64_t units = sample.last if sample.known == NULL else sample.blocks
    cdef int64_t per_unit = 1 if sample.known == NULL else PER_BLOCK, place
    cdef Vertex low, high
    cdef double least = max(floor, NO_GAP), best = least
    if floor <= 0.0:  # a few gaps to begin with
        for place in range(1, FIRST_PLACES):
            best = max(best, meeting(sample, other, units * place // FIRST_PLACES * per_unit).gap)
    low.number = 0
    high.number = sample.last
    vertex_of(sample, low.number, &low.line, &low.fpr)
    vertex_of(sample, high.number, &high.line, &high.fpr)
    best = largest_within(sample, other, &low, &high, best)
    return best if best > least else floor
