# Replicates drawn into room that is used again and again, and the curves that readers and rules are
# given: those of the drawn counts of a table, or of drawn rows in the order of a model. Included by
# `_reading.pyx`.

ctypedef struct Room:
    uint32_t* pos
    uint32_t* neg
    double* tp
    double* fp
    int64_t* stack


cdef int make_room(Room* room, int64_t n_pos, int64_t n_neg, int64_t places) except -1:
    room.pos = <uint32_t*>malloc((n_pos + n_neg + 2) * sizeof(uint32_t))
    room.tp = <double*>malloc(2 * places * sizeof(double))
    room.stack = <int64_t*>malloc(places * sizeof(int64_t))
    if room.pos == NULL or room.tp == NULL or room.stack == NULL:
        clear(room)
        raise MemoryError
    room.neg = room.pos + n_pos + 1
    room.fp = room.tp + places
    return 0


cdef void clear(Room* room) noexcept nogil:
    free(room.pos)
    free(room.tp)
    free(room.stack)


cdef Curve curve_in(const Room* room, int64_t last, cnp.ndarray numbers, object scores):
    cdef Curve curve
    curve.tp = room.tp
    curve.fp = room.fp
    curve.stack = room.stack
    curve.last = last
    curve.tp_ranks = curve.fp_ranks = NULL
    curve.pos_drawn = room.pos
    curve.neg_drawn = room.neg
    curve.tp_held = curve.fp_held = NULL
    curve.pos_before = curve.neg_before = NULL
    curve.numbers = <const double*>cnp.PyArray_DATA(numbers)
    curve.n_numbers = numbers.shape[0]
    curve.scores = NULL if scores is None else <const double*>cnp.PyArray_DATA(scores)
    return curve


cdef void draw_before(
    uint64_t seed, int64_t replicate, int kind, int64_t rows, uint32_t* drawn
) noexcept nogil:
    """How many rows of a class are drawn before each of its rows, and in all."""
    cdef int64_t row
    cdef uint32_t count, total = 0
    draw_counts(stream_key(seed, replicate, kind), rows, drawn)
    for row in range(rows):
        count = drawn[row]
        drawn[row] = total
        total += count
    drawn[rows] = total


cdef void lay_out(
    const uint32_t* drawn, const int32_t* ranks, int64_t places, double* sums
) noexcept nogil:
    """Rows drawn above each place, which has ranks[k] rows of the class above it."""
    cdef int64_t k
    for k in range(places):
        sums[k] = drawn[ranks[k]]


cdef void draw_curve(
    uint64_t seed, int64_t replicate, const int32_t* tp_ranks, const int32_t* fp_ranks,
    int64_t places, const Curve* curve, Room* room,
) noexcept nogil:
    """The rows of a replicate, and its curve unless the few places looked at come from the rows."""
    draw_before(seed, replicate, POSITIVE, tp_ranks[places - 1], room.pos)
    draw_before(seed, replicate, NEGATIVE, fp_ranks[places - 1], room.neg)
    if curve.tp != NULL:
        lay_out(room.pos, tp_ranks, places, room.tp)
        lay_out(room.neg, fp_ranks, places, room.fp)


cdef bint rises_by_one(const int32_t* ranks, int64_t places) noexcept nogil:
    cdef int64_t k
    for k in range(1, places):
        if ranks[k] > ranks[k - 1] + 1:
            return False
    return True


cdef inline void read_from_ranks(Curve* curve) noexcept nogil:
    """Let nothing be laid out: room that is never written to takes no memory."""
    curve.tp = curve.fp = NULL


cdef void know_untied(const Room* room, Curve* curve, int64_t places) noexcept nogil:
    """Let readers count rows that were not drawn, where no two of a class share a score."""
    if rises_by_one(curve.tp_ranks, places) and rises_by_one(curve.fp_ranks, places):
        curve.pos_before = room.pos
        curve.neg_before = room.neg


cdef int64_t laid_out(
    const Room* room, const uint32_t* order, const uint8_t* ends, int64_t rows
) noexcept nogil:
    """The curve of drawn rows in the order of a model; the number of its last place."""
    cdef int64_t row, place = 1
    cdef const uint32_t* drawn = room.pos
    cdef uint32_t code, count, others, hits = 0, alarms = 0
    cdef uint32_t to_others = <uint32_t>(room.neg - room.pos)  # negatives lie behind positives
    room.tp[0] = room.fp[0] = 0.0
    for row in range(rows):  # no branch on the class: nothing could foretell it
        code = order[row]
        others = (code & 1) - 1  # all bits for a negative
        count = drawn[(code >> 1) + (to_others & others)]
        alarms += count & others
        hits += count & ~others
        room.tp[place] = hits
        room.fp[place] = alarms
        place += ends[row]
    return place - 1
