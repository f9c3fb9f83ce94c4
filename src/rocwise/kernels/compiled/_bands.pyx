# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Resampled ROC curves along lines tpr + slope * fpr = c, each of which a curve crosses once.

The distance of two curves is the largest difference of their FPRs on a line. It is found without
visiting every vertex: both curves are monotone, which bounds the distance on a segment, and
segments that cannot exceed the largest distance so far are skipped.

Large samples use conditional binomial sampling: the number of rows before a border of blocks of
vertices is a binomial number given two other borders, drawn when it is needed; the rows inside a
block are drawn when one of its vertices is visited. What is drawn depends on (seed, replicate)
alone, and its distribution is that of rows drawn one by one.
"""

from libc.math cimport exp, fabs, floor, log, log1p, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from rocwise.kernels.compiled.draws cimport (
    NEGATIVE, POSITIVE, draw_counts, mix, multiply_high, stream_key
)

cdef uint64_t STEP = 0x9E3779B97F4A7C15
cdef double SLACK = 1e-12  # more than the effect of rounding on a bound
cdef double ROUNDED = 1e-14  # more than the effect of rounding on a distance
cdef double NO_DISTANCE = 2e-12  # of curves that coincide; `kernels/bands.py` has it too
cdef double ON_A_STEP = 1e-12  # an FPR this close to a vertical segment is on it
cdef enum:
    FIRST_VERTICES = 32  # where distances are computed first if nothing is known of the largest
    SCALE_BLOCK = 16  # vertices that share a least scale; `kernels/bands.py` has it too
    PER_BLOCK = 64  # vertices of a block
    SMALL = 256  # rows of a block up to which one random number is used for `TOGETHER` draws
    TOGETHER = 4
    ROWS = 0  # sources of a curve: rows drawn one by one,
    BLOCKS = 1  # rows drawn by conditional binomial sampling,
    SUMS = 2  # given sums of weights,
    REFERENCE = 3  # the indexed curve of the data

ctypedef struct Point:
    double line
    double fpr
    double scale

ctypedef struct Curve:
    int source
    int64_t last  # number of the last vertex
    double slope
    double n_pos
    double n_neg
    double per_pos  # 1 / n_pos
    double per_neg  # slope / n_neg
    const int64_t* rank_tp  # rows of the data before each vertex
    const int64_t* rank_fp
    uint32_t* tp  # resampled rows before each row of the data
    uint32_t* fp
    uint32_t* counts
    int64_t blocks
    uint64_t key
    int64_t* border_rank_tp  # rows of the data before each border of blocks
    int64_t* border_rank_fp
    uint32_t* border_tp  # resampled rows before each border
    uint32_t* border_fp
    uint8_t* border_drawn
    uint8_t* block_drawn
    const double* sum_tp
    const double* sum_fp
    int64_t stride  # from one line of given sums to the next
    const Point* points
    const double* least  # scales of 1, 2, 4, ... blocks: a line of `scale_blocks` for each; or NULL
    int64_t scale_blocks
    const int32_t* positions  # last vertex not beyond evenly spaced lines
    const double* fprs  # FPR on these lines
    int64_t last_position
    double per_position

ctypedef struct Vertex:
    int64_t number
    double line
    double fpr


# Binomial numbers: inversion for small means, else the transformed rejection of Hormann (1993, BTRS)

cdef double SMALL_MEAN = 10.0
cdef double[10] STIRLING
STIRLING[:] = [
    0.08106146679532726, 0.04134069595540929, 0.02767792568499834, 0.02079067210376509,
    0.01664469118982119, 0.01387612882307075, 0.01189670994589177, 0.01041126526197209,
    0.009255462182712733, 0.008330563433362871,
]


cdef inline double uniform(uint64_t* state) noexcept nogil:
    """A number strictly between 0 and 1."""
    state[0] += STEP
    return (<double>(mix(state[0]) >> 11) + 0.5) * 1.1102230246251565e-16


cdef inline double stirling_error(double k) noexcept nogil:
    """log(k!) minus Stirling's formula for it."""
    if k <= 9.0:
        return STIRLING[<int>k]
    k += 1.0
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / (k * k)) / (k * k)) / k


cdef int64_t binomial_by_inversion(uint64_t* state, double n, double p) noexcept nogil:
    cdef double odds = p / (1.0 - p), a = (n + 1.0) * odds
    cdef double none = exp(n * log1p(-p)), left, probability
    cdef int64_t k
    while True:
        left = uniform(state)
        probability = none
        k = 0
        while left > probability and k <= n:
            left -= probability
            k += 1
            probability *= a / k - odds
        if k <= n:
            return k


cdef int64_t binomial_by_rejection(uint64_t* state, double n, double p) noexcept nogil:
    """For means of `SMALL_MEAN` or more and p up to 1/2."""
    cdef double deviation = sqrt(n * p * (1.0 - p)), b = 1.15 + 2.53 * deviation
    cdef double a = -0.0873 + 0.0248 * b + 0.01 * p, c = n * p + 0.5
    cdef double accepted = 0.92 - 4.2 / b, odds = p / (1.0 - p)
    cdef double alpha = (2.83 + 5.1 / b) * deviation, m = floor((n + 1.0) * p)
    cdef double u, v, us, k, most
    while True:
        u = uniform(state) - 0.5
        v = uniform(state)
        us = 0.5 - fabs(u)
        k = floor((2.0 * a / us + b) * u + c)
        if us >= 0.07 and v <= accepted:
            return <int64_t>k
        if k < 0.0 or k > n:
            continue
        v = log(v * alpha / (a / (us * us) + b))
        most = (
            (m + 0.5) * log((m + 1.0) / (odds * (n - m + 1.0)))
            + (n + 1.0) * log((n - m + 1.0) / (n - k + 1.0))
            + (k + 0.5) * log(odds * (n - k + 1.0) / (k + 1.0))
            + stirling_error(m) + stirling_error(n - m)
            - stirling_error(k) - stirling_error(n - k)
        )
        if v <= most:
            return <int64_t>k


cdef int64_t binomial(uint64_t* state, int64_t draws, int64_t rows, int64_t all_rows) noexcept nogil:
    """How many of `draws` fall on `rows` of `all_rows` equally likely rows."""
    cdef double p = <double>rows / <double>all_rows
    if draws == 0 or rows == 0:
        return 0
    if rows == all_rows:
        return draws
    if p > 0.5:
        return draws - binomial(state, draws, all_rows - rows, all_rows)
    if draws * p < SMALL_MEAN:
        return binomial_by_inversion(state, draws, p)
    return binomial_by_rejection(state, draws, p)


# Conditional binomial sampling ---------------------------------------------------------------------

cdef inline int64_t first_of(const Curve* curve, int64_t block) noexcept nogil:
    return min(block * PER_BLOCK, curve.last)


cdef inline void split(
    const Curve* curve, int kind, const int64_t* rank, uint32_t* border,
    int64_t low, int64_t middle, int64_t high,
) noexcept nogil:
    """Rows of one class before a border between two borders for which they are known."""
    cdef uint64_t state = stream_key(curve.key, curve.blocks + middle, kind)
    border[middle] = border[low] + <uint32_t>binomial(
        &state, border[high] - border[low], rank[middle] - rank[low], rank[high] - rank[low]
    )


cdef inline void draw_border(const Curve* curve, int64_t low, int64_t middle, int64_t high) noexcept nogil:
    if curve.border_drawn[middle]:
        return
    curve.border_drawn[middle] = True
    split(curve, POSITIVE, curve.border_rank_tp, curve.border_tp, low, middle, high)
    split(curve, NEGATIVE, curve.border_rank_fp, curve.border_fp, low, middle, high)


cdef void ensure_border(const Curve* curve, int64_t border) noexcept nogil:
    """Draw the rows before a border, by halving, unless they are drawn."""
    cdef int64_t low = 0, high = curve.blocks, middle
    while not curve.border_drawn[border]:
        middle = (low + high) // 2
        draw_border(curve, low, middle, high)
        if border < middle:
            high = middle
        else:
            low = middle


cdef inline uint64_t count_draw(uint64_t word, uint64_t rows, uint32_t* counts) noexcept nogil:
    """Count a row; the rest of the random number serves the next draw."""
    counts[multiply_high(word, rows)] += 1
    return word * rows


cdef void draw_class(
    const Curve* curve, int64_t block, int kind, const int64_t* rank, const uint32_t* border,
    uint32_t* above,
) noexcept nogil:
    """Draw the rows of one class in a block, whose number is known."""
    cdef int64_t start = rank[block], rows = rank[block + 1] - start, row
    cdef uint64_t state = stream_key(curve.key, block, kind), word
    cdef uint32_t total = border[block], draws = border[block + 1] - total, draw
    cdef uint32_t* counts = curve.counts
    above[start + rows] = border[block + 1]
    if rows < 2:
        above[start] = total
        return
    memset(counts, 0, rows * sizeof(uint32_t))
    if rows <= SMALL:
        for draw in range(draws // TOGETHER):
            state += STEP
            word = count_draw(mix(state), <uint64_t>rows, counts)
            word = count_draw(word, <uint64_t>rows, counts)
            word = count_draw(word, <uint64_t>rows, counts)
            count_draw(word, <uint64_t>rows, counts)
        word = mix(state + STEP)
        for draw in range(draws % TOGETHER):
            word = count_draw(word, <uint64_t>rows, counts)
    else:
        for draw in range(draws):
            state += STEP
            count_draw(mix(state), <uint64_t>rows, counts)
    for row in range(rows):
        above[start + row] = total
        total += counts[row]


cdef inline void ensure_block(const Curve* curve, int64_t block) noexcept nogil:
    """Draw the rows of a block unless they are drawn."""
    if curve.block_drawn[block]:
        return
    curve.block_drawn[block] = True
    ensure_border(curve, block)
    ensure_border(curve, block + 1)
    draw_class(curve, block, POSITIVE, curve.border_rank_tp, curve.border_tp, curve.tp)
    draw_class(curve, block, NEGATIVE, curve.border_rank_fp, curve.border_fp, curve.fp)


cdef void draw_blocks(Curve* curve, uint64_t seed, int64_t replicate, bint stratified) noexcept nogil:
    """A resample of which only the class sizes are drawn so far."""
    cdef int64_t n_pos = curve.rank_tp[curve.last], n_neg = curve.rank_fp[curve.last]
    cdef int64_t size = n_pos + n_neg, of_pos = n_pos
    cdef uint64_t state = stream_key(seed, replicate, POSITIVE)
    curve.key = state
    memset(curve.border_drawn, 0, 2 * curve.blocks + 2)
    if not stratified:
        of_pos = 0
        while of_pos == 0 or of_pos == size:
            of_pos = binomial(&state, size, n_pos, size)
    curve.border_drawn[0] = curve.border_drawn[curve.blocks] = True
    curve.border_tp[0] = curve.border_fp[0] = 0
    curve.border_tp[curve.blocks] = <uint32_t>of_pos
    curve.border_fp[curve.blocks] = <uint32_t>(size - of_pos)


cdef void accumulate(const uint32_t* counts, int64_t size, uint32_t* before) noexcept nogil:
    """The numbers before each row; `before` has room for size + 1."""
    cdef int64_t row
    cdef uint32_t total = 0
    for row in range(size):
        before[row] = total
        total += counts[row]
    before[size] = total


cdef void draw_rows(Curve* curve, uint64_t seed, int64_t replicate, bint stratified) noexcept nogil:
    """Draw rows within the classes or from all; a draw of a single class is repeated."""
    cdef int64_t n_pos = curve.rank_tp[curve.last], n_neg = curve.rank_fp[curve.last]
    cdef uint64_t key = stream_key(seed, replicate, POSITIVE)
    if stratified:
        draw_counts(key, n_pos, curve.counts)
        draw_counts(stream_key(seed, replicate, NEGATIVE), n_neg, curve.counts + n_pos)
        accumulate(curve.counts, n_pos, curve.tp)
        accumulate(curve.counts + n_pos, n_neg, curve.fp)
        return
    curve.tp[n_pos] = curve.fp[n_neg] = 0
    while curve.tp[n_pos] == 0 or curve.fp[n_neg] == 0:
        key = draw_counts(key, n_pos + n_neg, curve.counts)
        accumulate(curve.counts, n_pos, curve.tp)
        accumulate(curve.counts + n_pos, n_neg, curve.fp)


# Vertices ------------------------------------------------------------------------------------------

cdef inline void counts_at(const Curve* curve, int64_t vertex, double* tp, double* fp) noexcept nogil:
    """True and false positives of a resample at a vertex, drawn if necessary."""
    cdef int64_t border
    if curve.source == SUMS:
        tp[0] = curve.sum_tp[vertex]
        fp[0] = curve.sum_fp[vertex]
        return
    if curve.source == BLOCKS:
        if vertex % PER_BLOCK == 0 or vertex == curve.last:
            border = (vertex + PER_BLOCK - 1) // PER_BLOCK
            ensure_border(curve, border)
            tp[0] = curve.border_tp[border]
            fp[0] = curve.border_fp[border]
            return
        ensure_block(curve, vertex // PER_BLOCK)
    tp[0] = curve.tp[curve.rank_tp[vertex]]
    fp[0] = curve.fp[curve.rank_fp[vertex]]


cdef inline void place(const Curve* curve, int64_t vertex, double* line, double* fpr) noexcept nogil:
    """Line through a vertex, and its FPR."""
    cdef double tp, fp
    if curve.source == REFERENCE:
        line[0] = curve.points[vertex].line
        fpr[0] = curve.points[vertex].fpr
        return
    counts_at(curve, vertex, &tp, &fp)
    fpr[0] = fp / curve.n_neg
    line[0] = tp / curve.n_pos + curve.slope * fpr[0]


cdef inline double about_line(const Curve* curve, int64_t vertex) noexcept nogil:
    """The line through a vertex up to rounding, without divisions."""
    cdef double tp, fp
    if curve.source == REFERENCE:
        return curve.points[vertex].line
    counts_at(curve, vertex, &tp, &fp)
    return tp * curve.per_pos + fp * curve.per_neg


cdef inline int64_t position_of(const Curve* curve, double line) noexcept nogil:
    """The evenly spaced line of the index at or before a line, but not the last one."""
    return min(max(<int64_t>(line * curve.per_position), 0), curve.last_position - 1)


cdef int64_t block_before(const Curve* curve, double line) noexcept nogil:
    """First vertex of the block with the last vertex that is not beyond a line, by halving."""
    cdef int64_t low = 0, high = curve.blocks, middle
    while high - low > 1:
        middle = (low + high) // 2
        draw_border(curve, low, middle, high)
        if curve.border_tp[middle] * curve.per_pos + curve.border_fp[middle] * curve.per_neg <= line:
            low = middle
        else:
            high = middle
    return low * PER_BLOCK


cdef int64_t vertex_before(const Curve* curve, double line, int64_t low) noexcept nogil:
    """Last vertex that is not beyond a line, searched from the vertex `low` on."""
    cdef int64_t step = 1, left
    cdef double there, fpr
    if curve.source == BLOCKS:
        low = block_before(curve, line)
        left = min(PER_BLOCK, curve.last - low + 1)
    else:
        while low > 0 and about_line(curve, low) > line:
            low = low - step if low > step else 0
            step *= 2
        if step == 1:
            while low + step <= curve.last and about_line(curve, low + step) <= line:
                low += step
                step *= 2
        left = min(step, curve.last - low + 1)
    while left > 1:
        step = left // 2
        low += step if about_line(curve, low + step) <= line else 0
        left -= step
    place(curve, low, &there, &fpr)
    while low > 0 and there > line:
        low -= 1
        place(curve, low, &there, &fpr)
    while low < curve.last:
        place(curve, low + 1, &there, &fpr)
        if there > line:
            break
        low += 1
    return low


cdef inline double fpr_on(const Curve* curve, double line, int64_t before) noexcept nogil:
    """FPR on a line of a curve whose last vertex not beyond the line is `before`."""
    cdef double there, fpr, next_line, next_fpr
    place(curve, before, &there, &fpr)
    if before < curve.last:
        place(curve, before + 1, &next_line, &next_fpr)
        fpr = fpr + (next_fpr - fpr) * ((line - there) / (next_line - there))
    return fpr


# The largest distance. On the line through a point (x, y) of one curve the other has an FPR q, and
# their distance is x - q. Along the lines q never falls, and never grows by more than 1 / slope, so
# x - q never falls in x and never grows in y: nothing in a box is larger than at its bottom right
# corner, nothing smaller than at its top left. The part of a curve between two vertices is in their
# box.

cdef inline double scaled(const Curve* other, double distance, double line, int64_t before) noexcept nogil:
    """A distance as a multiple of the scale of the other curve on the line."""
    cdef const Point* point
    cdef double scale
    if other.least == NULL:
        return distance
    point = other.points + before
    scale = point.scale
    if before < other.last:
        scale = scale + (point[1].scale - scale) * (
            (line - point.line) / (point[1].line - point.line)
        )
    return distance / scale


cdef inline double least_scale(const Curve* curve, double first, double last) noexcept nogil:
    """A lower bound of the scale between two lines: the least of two runs of blocks."""
    cdef int64_t start, end, run = 1
    cdef const double* least = curve.least
    if least == NULL:
        return 1.0
    start = curve.positions[position_of(curve, first)] // SCALE_BLOCK
    end = curve.positions[position_of(curve, last) + 1] + 1
    end = min(end // SCALE_BLOCK + 1, curve.scale_blocks)
    while 2 * run <= end - start:
        run *= 2
        least += curve.scale_blocks
    return min(least[start], least[end - run])


cdef inline double distance_at(
    const Curve* other, const Vertex* vertex, int64_t* before
) noexcept nogil:
    """Distance of the other curve on the line through a vertex, and its last vertex before that."""
    before[0] = vertex_before(other, vertex.line, vertex.number)
    return fabs(vertex.fpr - fpr_on(other, vertex.line, before[0]))


cdef inline Vertex vertex_of(const Curve* curve, int64_t number) noexcept nogil:
    cdef Vertex found
    found.number = number
    place(curve, number, &found.line, &found.fpr)
    return found


cdef double scaled_at(const Curve* other, const Vertex* vertex, int64_t* before) noexcept nogil:
    cdef double distance = distance_at(other, vertex, before)
    return scaled(other, distance, vertex.line, before[0])


cdef inline Vertex middle_of(const Curve* curve, int64_t low, int64_t high) noexcept nogil:
    """A vertex between two; of blocks, the border at which they are halved when drawn."""
    cdef int64_t first = low // PER_BLOCK, last = (high + PER_BLOCK - 1) // PER_BLOCK
    if curve.source == BLOCKS and last - first > 1:
        draw_border(curve, first, (first + last) // 2, last)
        return vertex_of(curve, (first + last) // 2 * PER_BLOCK)
    return vertex_of(curve, (low + high) // 2)


cdef bint may_exceed(
    const Curve* other, double at, double line, double most, bint on_left, bint inside
) noexcept nogil:
    """Whether on a line the other curve may be farther than `most` on one side of a place.

    Places are FPRs times the slope. The vertices around the line are searched by halving until
    they decide; the rows of a block are drawn for it only if `inside`.
    """
    cdef bint by_vertex = other.source != BLOCKS
    cdef int64_t low = 0, high = other.last if by_vertex else other.blocks, middle
    cdef double left = 0.0, bottom = 0.0, right = other.slope, top = 1.0, x, y, least, largest
    while True:
        least = max(left, line - top)  # the other curve is here or farther right
        largest = min(right, line - bottom)
        if (at - least if on_left else largest - at) <= most:
            return False
        if (at - largest if on_left else least - at) > most:
            return True
        if high - low == 1:
            if by_vertex or not inside:
                return True
            ensure_block(other, low)
            low *= PER_BLOCK
            high = min(low + PER_BLOCK, other.last)
            by_vertex = True
            continue
        middle = (low + high) // 2
        if by_vertex:
            counts_at(other, middle, &y, &x)
        else:
            draw_border(other, low, middle, high)
            x = other.border_fp[middle]
            y = other.border_tp[middle]
        x *= other.per_neg
        y *= other.per_pos
        if x + y <= line:
            low = middle
            left = x
            bottom = y
        else:
            high = middle
            right = x
            top = y


cdef inline bint none_exceeds(
    const Curve* curve, const Curve* other, const Vertex* low, const Vertex* high, double most
) noexcept nogil:
    """Whether the corners show that no distance between two vertices exceeds `most`."""
    cdef double width = high.fpr - low.fpr, height = high.line - low.line - curve.slope * width
    cdef double right = low.line + curve.slope * width, left = high.line - curve.slope * width
    cdef bint inside
    if other.source == REFERENCE:
        most = most * least_scale(other, low.line, high.line) - SLACK
        return (
            high.fpr - other.fprs[position_of(other, right)] <= most
            and other.fprs[position_of(other, left) + 1] - low.fpr <= most
        )
    most = curve.slope * (most - SLACK)
    if min(curve.slope * width, height) > 2.0 * most:  # the sum of the distances at both corners
        return False
    inside = high.number - low.number <= PER_BLOCK
    return not (
        may_exceed(other, curve.slope * high.fpr, right, most, True, inside)
        or may_exceed(other, curve.slope * low.fpr, left, most, False, inside)
    )


cdef bint straight_and_near(
    const Curve* curve, const Curve* other, const Vertex* low, const Vertex* high, double most
) noexcept nogil:
    """Whether the ends of a vertical or horizontal segment show that no distance exceeds `most`."""
    cdef double width = high.fpr - low.fpr, height = high.line - low.line - curve.slope * width
    cdef int64_t before
    if other.source != REFERENCE or min(width, height) > ROUNDED:
        return False
    most = most * least_scale(other, low.line, high.line)
    most -= ROUNDED * (1.0 + max(1.0, 1.0 / curve.slope))
    return max(distance_at(other, low, &before), distance_at(other, high, &before)) <= most


cdef double largest_of_segment(
    const Curve* curve, const Curve* other, const Vertex* low, const Vertex* high, double best
) noexcept nogil:
    """The larger of `best` and the largest distance between a vertex and the next."""
    cdef double line, fpr, distance
    cdef int64_t v, start, end
    best = max(best, scaled_at(other, low, &start))
    best = max(best, scaled_at(other, high, &end))
    if high.line <= low.line:
        return best
    for v in range(start, other.last + 1):
        place(other, v, &line, &fpr)
        if line >= high.line:
            break
        if line >= low.line:
            distance = fabs(
                low.fpr
                + (high.fpr - low.fpr) * ((line - low.line) / (high.line - low.line))
                - fpr
            )
            best = max(best, scaled(other, distance, line, v))
    return best


cdef double largest_within(
    const Curve* curve, const Curve* other, const Vertex* low, const Vertex* high, double best
) noexcept nogil:
    """The larger of `best` and the largest distance between two vertices of the curve."""
    cdef Vertex middle
    cdef int64_t before
    if none_exceeds(curve, other, low, high, best):
        return best
    if low.fpr == high.fpr and other.least == NULL:
        # vertical, while the other curve only moves to the right: the largest is at an end
        best = max(best, distance_at(other, low, &before))
        return max(best, distance_at(other, high, &before))
    if high.number - low.number == 1:
        return largest_of_segment(curve, other, low, high, best)
    if straight_and_near(curve, other, low, high, best):
        return best
    middle = middle_of(curve, low.number, high.number)
    best = largest_within(curve, other, low, &middle, best)
    return largest_within(curve, other, &middle, high, best)


cdef double largest_distance(const Curve* curve, const Curve* other, double at_least) noexcept nogil:
    """The largest distance, or `at_least` if that is larger, which saves the search below it."""
    cdef int64_t units = curve.last if curve.source != BLOCKS else curve.blocks
    cdef int64_t per_unit = 1 if curve.source != BLOCKS else PER_BLOCK, k, before
    cdef Vertex low = vertex_of(curve, 0), high = vertex_of(curve, curve.last), vertex
    cdef double least = max(at_least, NO_DISTANCE), best = least
    if at_least <= 0.0:
        for k in range(1, FIRST_VERTICES):
            vertex = vertex_of(curve, units * k // FIRST_VERTICES * per_unit)
            best = max(best, scaled_at(other, &vertex, &before))
    best = largest_within(curve, other, &low, &high, best)
    return best if best > least else at_least


# TPR at a rate -------------------------------------------------------------------------------------

cdef int64_t vertex_at_rate(const Curve* curve, double most, int64_t low) noexcept nogil:
    """Last vertex with at most so many false positives, from the vertex `low` on."""
    cdef int64_t high, middle, step = 1
    cdef double tp, fp
    if curve.source == BLOCKS:
        low = 0
        high = curve.blocks
        while high - low > 1:
            middle = (low + high) // 2
            draw_border(curve, low, middle, high)
            if curve.border_fp[middle] <= most:
                low = middle
            else:
                high = middle
        low *= PER_BLOCK
        high = min(low + PER_BLOCK, curve.last + 1)
    else:
        while low + step <= curve.last:
            counts_at(curve, low + step, &tp, &fp)
            if fp > most:
                break
            low += step
            step *= 2
        high = min(low + step, curve.last + 1)
    while high - low > 1:
        middle = (low + high) // 2
        counts_at(curve, middle, &tp, &fp)
        if fp <= most:
            low = middle
        else:
            high = middle
    while low < curve.last:  # where the curve ends at the border of a block
        counts_at(curve, low + 1, &tp, &fp)
        if fp > most:
            break
        low += 1
    return low


cdef double tpr_at_rate(const Curve* curve, double rate, int64_t* vertex) noexcept nogil:
    """TPR at an FPR: linear between vertices, the top of a vertical segment."""
    cdef double wanted = rate * curve.n_neg, near = ON_A_STEP * curve.n_neg
    cdef double bottom, left, top, right
    vertex[0] = vertex_at_rate(curve, wanted + near, vertex[0])
    counts_at(curve, vertex[0], &bottom, &left)
    if wanted - left <= near or vertex[0] == curve.last:
        return bottom / curve.n_pos
    counts_at(curve, vertex[0] + 1, &top, &right)
    return (bottom + (top - bottom) * ((wanted - left) / (right - left))) / curve.n_pos


# Entry points --------------------------------------------------------------------------------------

cdef class Reference:
    """The indexed curve of the data; see `kernels.bands.ReferenceIndex`."""

    cdef Curve curve
    cdef object kept

    def __cinit__(
        self, double slope, const double[:, ::1] points, const double[:, ::1] least,
        const int32_t[::1] positions, const double[::1] fprs,
    ):
        cdef Curve* curve = &self.curve
        self.kept = points, least, positions, fprs
        curve.source = REFERENCE
        curve.slope = slope
        curve.last = points.shape[0] - 1
        curve.points = <const Point*>&points[0, 0]
        curve.least = &least[0, 0] if least.shape[0] else NULL
        curve.scale_blocks = least.shape[1]
        curve.positions = &positions[0]
        curve.fprs = &fprs[0]
        curve.last_position = positions.shape[0] - 1
        curve.per_position = curve.last_position / curve.points[curve.last].line


cdef class Resampled:
    """One resampled curve at a time: rows that are drawn, or given sums of weights (a line each)."""

    cdef Curve curve
    cdef object kept
    cdef uint64_t seed
    cdef bint stratified

    def __cinit__(self, tp, fp, double slope, uint64_t seed=0, bint stratified=False, bint blocks=False):
        cdef Curve* curve = &self.curve
        memset(curve, 0, sizeof(Curve))
        self.kept = tp, fp
        self.seed = seed
        self.stratified = stratified
        curve.slope = slope
        curve.last = tp.shape[tp.ndim - 1] - 1
        if tp.ndim == 2:
            self.take_sums(tp, fp)
        else:
            self.make_room(tp, fp, blocks)

    cdef void take_sums(self, const double[:, :] tp, const double[:, :] fp):
        self.curve.source = SUMS
        self.curve.stride = tp.strides[0] // sizeof(double)
        self.curve.sum_tp = &tp[0, 0]
        self.curve.sum_fp = &fp[0, 0]

    cdef int make_room(self, const int64_t[::1] tp, const int64_t[::1] fp, bint blocks) except -1:
        cdef Curve* curve = &self.curve
        cdef int64_t rows, most, borders
        curve.source = BLOCKS if blocks else ROWS
        curve.rank_tp = &tp[0]
        curve.rank_fp = &fp[0]
        curve.blocks = (curve.last + PER_BLOCK - 1) // PER_BLOCK
        rows = most = tp[curve.last] + fp[curve.last]
        if blocks:
            borders = curve.blocks + 1
            curve.border_rank_tp = <int64_t*>malloc(
                borders * (2 * sizeof(int64_t) + 2 * sizeof(uint32_t) + 2 * sizeof(uint8_t))
            )
            if curve.border_rank_tp == NULL:
                raise MemoryError
            most = self.lay_blocks()
        curve.counts = <uint32_t*>malloc((most + rows + 2) * sizeof(uint32_t))
        if curve.counts == NULL:
            raise MemoryError
        curve.tp = curve.counts + most
        curve.fp = curve.tp + tp[curve.last] + 1
        return 0

    cdef int64_t lay_blocks(self) noexcept:
        """Rows of the data before each border; the most that a class has in a block."""
        cdef Curve* curve = &self.curve
        cdef int64_t borders = curve.blocks + 1, border, vertex, most = 0
        curve.border_rank_fp = curve.border_rank_tp + borders
        curve.border_tp = <uint32_t*>(curve.border_rank_fp + borders)
        curve.border_fp = curve.border_tp + borders
        curve.border_drawn = <uint8_t*>(curve.border_fp + borders)
        curve.block_drawn = curve.border_drawn + borders
        for border in range(borders):
            vertex = first_of(curve, border)
            curve.border_rank_tp[border] = curve.rank_tp[vertex]
            curve.border_rank_fp[border] = curve.rank_fp[vertex]
            if border:
                most = max(most, curve.rank_tp[vertex] - curve.border_rank_tp[border - 1])
                most = max(most, curve.rank_fp[vertex] - curve.border_rank_fp[border - 1])
        return most

    def __dealloc__(self):
        free(self.curve.counts)
        free(self.curve.border_rank_tp)

    cdef void draw(self, int64_t replicate) noexcept nogil:
        cdef Curve* curve = &self.curve
        if curve.source == BLOCKS:
            draw_blocks(curve, self.seed, replicate, self.stratified)
        elif curve.source == ROWS:
            draw_rows(curve, self.seed, replicate, self.stratified)
        counts_at(curve, curve.last, &curve.n_pos, &curve.n_neg)
        curve.per_pos = 1.0 / curve.n_pos
        curve.per_neg = curve.slope / curve.n_neg

    cdef void next_sums(self) noexcept nogil:
        """Go on to the next line of given sums."""
        if self.curve.source == SUMS:
            self.curve.sum_tp += self.curve.stride
            self.curve.sum_fp += self.curve.stride


def distances(
    Resampled sample, Reference reference, int64_t first, double at_least, double[::1] result
):
    """Largest distance of each replicate from the reference, or `at_least` if that is larger."""
    cdef int64_t k
    with nogil:
        for k in range(result.shape[0]):
            sample.draw(first + k)
            result[k] = largest_distance(&sample.curve, &reference.curve, at_least)
            sample.next_sums()


def pair_distances(
    Resampled other, Resampled sample, int64_t first, double at_least, double[::1] result
):
    """Largest distance of the replicates 2b and 2b + 1; of given sums, of the same lines of both."""
    cdef int64_t k
    with nogil:
        for k in range(result.shape[0]):
            other.draw(2 * (first + k))
            sample.draw(2 * (first + k) + 1)
            result[k] = largest_distance(&sample.curve, &other.curve, at_least)
            other.next_sums()
            sample.next_sums()


def crossings(Resampled sample, int64_t first, const double[::1] lines, double[:, ::1] result):
    """FPR at which each replicate crosses each of the ascending lines."""
    cdef int64_t k, j, vertex
    with nogil:
        for k in range(result.shape[0]):
            sample.draw(first + k)
            vertex = 0
            for j in range(lines.shape[0]):
                vertex = vertex_before(&sample.curve, lines[j], vertex)
                result[k, j] = fpr_on(&sample.curve, lines[j], vertex)
            sample.next_sums()


def tpr_at(Resampled sample, int64_t first, const double[::1] rates, double[:, ::1] result):
    """TPR of each replicate at each of the ascending FPRs."""
    cdef int64_t k, j, vertex
    with nogil:
        for k in range(result.shape[0]):
            sample.draw(first + k)
            vertex = 0
            for j in range(rates.shape[0]):
                result[k, j] = tpr_at_rate(&sample.curve, rates[j], &vertex)
            sample.next_sums()
