# The smooth area of models on the same drawn rows, straight from the rows; included by _reading.pyx.
#
# Where no two rows of a model share a score, nothing has to be laid out: the midpoint is a sum over
# the rows of each class, and the area one walk in the order of the model.


cdef double* scores_by_row(
    const uint32_t* order, const uint8_t* ends, int64_t rows, uint32_t to_others,
    const double* scores
) noexcept nogil:
    """The score of every row, positives before negatives as they are drawn; NULL with ties."""
    cdef double* found
    cdef int64_t row
    cdef uint32_t code
    for row in range(rows):
        if not ends[row]:
            return NULL
    found = <double*>malloc((rows + 2) * sizeof(double))
    if found == NULL:
        return NULL  # the curve is laid out instead
    for row in range(rows):
        code = order[row]
        found[(code >> 1) + (to_others & ((code & 1) - 1))] = scores[row]
    return found


cdef double weighted_sum(const uint32_t* drawn, const double* scores, int64_t rows) noexcept nogil:
    """Sum of scores, each as often as it was drawn."""
    cdef double[4] sums
    cdef int64_t row, lane, whole = rows - rows % 4
    for lane in range(4):
        sums[lane] = 0.0
    for row in range(0, whole, 4):
        for lane in range(4):
            sums[lane] += <double><int32_t>drawn[row + lane] * scores[row + lane]
    for row in range(whole, rows):
        sums[0] += <double><int32_t>drawn[row] * scores[row]
    return sums[0] + sums[1] + (sums[2] + sums[3])


cdef double midpoint_of_rows(
    const Curve* curve, const Room* room, const double* by_row, int64_t n_pos, int64_t n_neg
) noexcept nogil:
    """As `midpoint_of`."""
    cdef double pos, neg
    if curve.numbers[0] == 0.0:
        return curve.numbers[1]
    pos = weighted_sum(room.pos, by_row, n_pos)
    neg = weighted_sum(room.neg, by_row + (room.neg - room.pos), n_neg)
    if curve.numbers[0] == 1.0:
        return (pos + neg) / (2.0 * <double>n_pos)
    return (pos / <double>n_pos + neg / <double>n_neg) / 2.0


cdef void add_rows(
    const Room* room, const uint32_t* order, const double* s, int64_t first, int64_t last,
    double side, double* risen, double* run, double* total,
) noexcept nogil:
    """As `add_steps`, of rows in the order of a model."""
    cdef const uint32_t* drawn = room.pos
    cdef uint32_t code, to_others = <uint32_t>(room.neg - room.pos)
    cdef double[4] up
    cdef double[4] right
    cdef double count, lean, y = risen[0], x = run[0], area = total[0], some
    cdef int64_t k, lane, whole = last - (last - first) % 4
    for k in range(first, whole, 4):
        for lane in range(4):
            code = order[k + lane]
            count = <double><int32_t>drawn[(code >> 1) + (to_others & ((code & 1) - 1))]
            lean = side * (count * <double>(2 * <int32_t>(code & 1) - 1)) * (s[k + lane] - 0.5)
            up[lane] = count * 0.5 + lean
            right[lane] = count * 0.5 - lean
        some = right[0] * (up[0] / 2.0) + right[1] * (up[0] + up[1] / 2.0)
        some += right[2] * (up[0] + up[1] + up[2] / 2.0)
        some += right[3] * (up[0] + up[1] + (up[2] + up[3] / 2.0))
        lean = (right[0] + right[1]) + (right[2] + right[3])
        area += some + lean * y
        x += lean
        y += (up[0] + up[1]) + (up[2] + up[3])
    for k in range(whole, last):
        code = order[k]
        count = <double><int32_t>drawn[(code >> 1) + (to_others & ((code & 1) - 1))]
        lean = side * (count * <double>(2 * <int32_t>(code & 1) - 1)) * (s[k] - 0.5)
        y += count * 0.5 + lean
        x += count * 0.5 - lean
        area += (count * 0.5 - lean) * (y - (count * 0.5 + lean) / 2.0)
    risen[0] = y
    run[0] = x
    total[0] = area


cdef void read_smooth_rows(
    const Curve* curve, const Room* room, const uint32_t* order, const double* by_row,
    int64_t n_pos, int64_t n_neg, double* out,
) noexcept nogil:
    """The smooth area of the drawn rows; `curve` has what its reader is told and `last`."""
    cdef double middle = midpoint_of_rows(curve, room, by_row, n_pos, n_neg)
    cdef double risen = 0.0, run = 0.0, total = 0.0
    cdef int64_t place = 0, step, left = curve.last + 1
    if curve.numbers[0] != 0.0 and near_score(curve, middle):
        out[0] = NAN
        return
    while left > 1:  # how many scores are not below the midpoint, by halving
        step = left // 2
        place += step if curve.scores[place + step - 1] >= middle else 0
        left -= step
    add_rows(room, order, curve.scores, 0, place, 1.0, &risen, &run, &total)
    add_rows(room, order, curve.scores, place, curve.last, -1.0, &risen, &run, &total)
    out[0] = total / (risen * run) if risen > 0.0 and run > 0.0 else NAN
