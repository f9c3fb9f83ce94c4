# The largest gap of two curves, without a visit to every vertex: on a stretch between two lines both
# curves are monotone, which bounds their gap. Included by `_bands.pyx`, which has the structures.


cdef Meeting meeting(
    const Sample* sample, const Sample* other, int64_t vertex, int64_t low, int64_t first, int64_t last
) noexcept nogil:
    """Where the line through a vertex of one curve meets the other, sought from vertex `low` on."""
    cdef Meeting found
    found.vertex = vertex
    vertex_of(sample, vertex, &found.line, &found.fpr)
    found.before = vertex_before(other, found.line, low, first, last)
    found.other_fpr = fpr_on(other, found.line, found.before)
    found.gap = scaled(other, fabs(found.fpr - found.other_fpr), found.line, found.before)
    return found


cdef inline int64_t middle_vertex(const Sample* sample, int64_t low, int64_t high) noexcept nogil:
    """A vertex between two; of blocks, the border at which they are halved when they are drawn."""
    cdef int64_t last = (high + PER_BLOCK - 1) // PER_BLOCK
    if sample.known != NULL and last - low // PER_BLOCK > 1:
        return (low // PER_BLOCK + last) // 2 * PER_BLOCK
    return (low + high) // 2


cdef inline int64_t likely_before(const Meeting* low, const Meeting* high, double line) noexcept nogil:
    """Where to begin the search for a line between two meetings: curves are straight, nearly."""
    cdef double run = high.line - low.line
    cdef double share = (line - low.line) / run if run > 0.0 else 0.5
    return low.before + <int64_t>((high.before - low.before) * min(max(share, 0.0), 1.0))


cdef double corner_gap(
    const Sample* sample, const Sample* other, const Meeting* low, const Meeting* high
) noexcept nogil:
    """The most that two curves can be apart between two meetings, whatever the first does there.

    It lies in the box of its two points. Seen from the other curve, which nowhere rises faster
    along the lines than the sides of the box do, nothing in the box is further than its corners.
    """
    cdef double width = sample.slope * (high.fpr - low.fpr), line = low.line + width, right
    cdef int64_t near = vertex_before(other, line, likely_before(low, high, line), low.before, high.before)
    right = high.fpr - fpr_on(other, line, near)
    line = high.line - width
    near = vertex_before(other, line, likely_before(low, high, line), low.before, high.before)
    return max(right, fpr_on(other, line, near) - low.fpr)


cdef double largest_within(
    const Sample* sample, const Sample* other, const Meeting* low, const Meeting* high, double best
) noexcept nogil:
    """The larger of `best` and the largest gap between two meetings."""
    cdef double bound = high.other_fpr - low.fpr, back = high.fpr - low.other_fpr
    cdef double gap, line, fpr, least
    cdef int64_t v
    cdef Meeting middle
    if max(bound, back) + SLACK <= best * least_scale(other, low.before, high.before + 1):
        return best
    if high.vertex - low.vertex > 1:
        least = best * least_scale(other, low.before, high.before + 1)
        # half of the box is about what the corners leave, so they are asked where that may do
        gap = max(fabs(low.fpr - low.other_fpr), fabs(high.fpr - high.other_fpr))
        if max(bound, back) + gap <= 2.0 * least:
            if corner_gap(sample, other, low, high) + SLACK <= least:
                return best
        v = middle_vertex(sample, low.vertex, high.vertex)
        vertex_of(sample, v, &line, &fpr)
        middle = meeting(
            sample, other, v, likely_before(low, high, line), low.before, high.before
        )
        best = max(best, middle.gap)
        best = largest_within(sample, other, low, &middle, best)
        return largest_within(sample, other, &middle, high, best)
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


cdef double largest_between(
    const Sample* sample, const Sample* other, int64_t low, int64_t high, double best
) noexcept nogil:
    """The larger of `best` and the largest gap of two resamples between two borders of blocks.

    On the line through a point of one curve the other is no further away than the point of the
    same score is, in FPR or in TPR over the slope: between that point and the line it can only
    move to the right or upwards. Rates never fall, so borders bound these differences.
    """
    cdef int64_t middle = (low + high) // 2, first = low * PER_BLOCK
    cdef int64_t last = min(high * PER_BLOCK, sample.last)
    cdef double per_tp = 1.0 / (sample.n_pos * sample.slope), per_fp = 1.0 / sample.n_neg
    cdef double other_per_tp = 1.0 / (other.n_pos * other.slope), other_per_fp = 1.0 / other.n_neg
    cdef double left = sample.border_fp[low] * per_fp, right = sample.border_fp[high] * per_fp
    cdef double bottom = sample.border_tp[low] * per_tp, top = sample.border_tp[high] * per_tp
    cdef double other_left = other.border_fp[low] * other_per_fp
    cdef double other_right = other.border_fp[high] * other_per_fp
    cdef double other_bottom = other.border_tp[low] * other_per_tp
    cdef double other_top = other.border_tp[high] * other_per_tp
    cdef double bound = max(right - other_left, other_right - left)
    cdef Meeting start, end
    bound = max(bound, max(top - other_bottom, other_top - bottom))
    if bound + SLACK <= best:
        return best
    if high - low > 1 and max(right - left, top - bottom) > best / ASKED_FROM:
        draw_border(sample, low, middle, high)
        draw_border(other, low, middle, high)
        best = largest_between(sample, other, low, middle, best)
        return largest_between(sample, other, middle, high, best)
    start = meeting(sample, other, first, first, 0, other.last)
    end = meeting(sample, other, last, last, start.before, other.last)
    best = max(best, max(start.gap, end.gap))
    return largest_within(sample, other, &start, &end, best)


cdef double largest_gap(const Sample* sample, const Sample* other, double floor) noexcept nogil:
    """The largest gap, or `floor` if that is larger, which spares the search below it."""
    cdef Meeting[STRETCHES + 1] meetings
    cdef int64_t stretch, low, near, before = 0, ahead = 0
    cdef double best = floor
    if sample.known != NULL and other.known != NULL and floor > 0.0:
        return largest_between(sample, other, 0, sample.blocks, floor)
    for stretch in range(sample.stretches + 1):
        low = sample.cuts[stretch]
        near = min(max(low + ahead, 0), other.last)
        meetings[stretch] = meeting(sample, other, low, near, before, other.last)
        before = meetings[stretch].before
        ahead = before - low
        best = max(best, meetings[stretch].gap)
    for stretch in range(sample.stretches):
        best = largest_within(sample, other, &meetings[stretch], &meetings[stretch + 1], best)
    return best
