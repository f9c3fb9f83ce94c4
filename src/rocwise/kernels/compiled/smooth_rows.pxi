# The smooth area of models on the same drawn rows, straight from the rows; included by _reading.pyx.
#
# Where no two rows of a model share a score, no curve has to be laid out: the first walk puts the
# drawn rows into the order of the model, as numbers below 0 for negatives, and sums their scores for
# the midpoint; the second one sums the area.


cdef bint all_ends(const uint8_t* ends, int64_t rows) noexcept nogil:
    """Whether no two rows share a score."""
    cdef int64_t row
    for row in range(rows):
        if not ends[row]:
            return False
    return True


cdef inline int32_t drawn_of_row(const Room* room, uint32_t code) noexcept nogil:
    """How often a row was drawn, below 0 for a negative; no branch, as in `laid_out`."""
    cdef uint32_t others = (code & 1) - 1, to_others = <uint32_t>(room.neg - room.pos)
    cdef int32_t count = <int32_t>room.pos[(code >> 1) + (to_others & others)]
    return (count ^ <int32_t>others) - <int32_t>others


cdef double midpoint_of_rows(
    const Curve* curve, const Room* room, const uint32_t* order, int32_t* signed_counts
) noexcept nogil:
    """As `midpoint_of`; also how often each row was drawn, in the order of the model."""
    cdef const double* s = curve.scores
    cdef int32_t signed_count
    cdef double[4] sums
    cdef double[4] leans
    cdef double total, lean
    cdef int64_t k, lane, rows = curve.last, whole = rows - rows % 4
    for lane in range(4):
        sums[lane] = leans[lane] = 0.0
    for k in range(0, whole, 4):
        for lane in range(4):
            signed_count = drawn_of_row(room, order[k + lane])
            signed_counts[k + lane] = signed_count
            sums[lane] += fabs(<double>signed_count) * s[k + lane]
            leans[lane] += <double>signed_count * s[k + lane]
    for k in range(whole, rows):
        signed_count = drawn_of_row(room, order[k])
        signed_counts[k] = signed_count
        sums[0] += fabs(<double>signed_count) * s[k]
        leans[0] += <double>signed_count * s[k]
    if curve.numbers[0] == 0.0:
        return curve.numbers[1]
    total = sums[0] + sums[1] + (sums[2] + sums[3])
    if curve.numbers[0] == 1.0:
        return total / (2.0 * curve.n_pos)
    lean = leans[0] + leans[1] + (leans[2] + leans[3])
    return ((total + lean) / curve.n_pos + (total - lean) / curve.n_neg) / 4.0


cdef void add_rows(
    const int32_t* signed_counts, const double* s, int64_t first, int64_t last, double side,
    double* risen, double* run, double* total,
) noexcept nogil:
    """As `add_steps`, of rows in the order of a model."""
    cdef double[4] up
    cdef double[4] right
    cdef double count, lean, y = risen[0], x = run[0], area = total[0], some
    cdef int64_t k, lane, whole = last - (last - first) % 4
    for k in range(first, whole, 4):
        for lane in range(4):
            count = <double>signed_counts[k + lane]
            lean = side * count * (s[k + lane] - 0.5)
            count = fabs(count) * 0.5
            up[lane] = count + lean
            right[lane] = count - lean
        some = right[0] * (up[0] / 2.0) + right[1] * (up[0] + up[1] / 2.0)
        some += right[2] * (up[0] + up[1] + up[2] / 2.0)
        some += right[3] * (up[0] + up[1] + (up[2] + up[3] / 2.0))
        lean = (right[0] + right[1]) + (right[2] + right[3])
        area += some + lean * y
        x += lean
        y += (up[0] + up[1]) + (up[2] + up[3])
    for k in range(whole, last):
        count = <double>signed_counts[k]
        lean = side * count * (s[k] - 0.5)
        count = fabs(count) * 0.5
        y += count + lean
        x += count - lean
        area += (count - lean) * (y - (count + lean) / 2.0)
    risen[0] = y
    run[0] = x
    total[0] = area


cdef void read_smooth_rows(
    const Curve* curve, const Room* room, const uint32_t* order, double* out
) noexcept nogil:
    """The smooth area of the drawn rows; `curve` has what its reader is told, sizes and `last`."""
    cdef int32_t* signed_counts = <int32_t*>room.stack  # as many, and wider
    cdef double middle = midpoint_of_rows(curve, room, order, signed_counts)
    cdef double risen = 0.0, run = 0.0, total = 0.0
    cdef int64_t place
    if curve.numbers[0] != 0.0 and near_score(curve, middle):
        out[0] = NAN
        return
    place = not_below(curve, middle)
    add_rows(signed_counts, curve.scores, 0, place, 1.0, &risen, &run, &total)
    add_rows(signed_counts, curve.scores, place, curve.last, -1.0, &risen, &run, &total)
    out[0] = total / (risen * run) if risen > 0.0 and run > 0.0 else NAN
