# What a rule chooses on drawn curves, which rows a replicate left out, and whole drawn curves for
# rules that Python reads itself. Included by `_reading.pyx`.

def chosen(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray tp_rank, cnp.ndarray fp_rank,
    cnp.ndarray numbers, cnp.ndarray places, cnp.ndarray result,
):
    """The place that a rule chooses on each replicate, and the rows left out as by `left_out`."""
    cdef const int32_t* tp_ranks = <const int32_t*>cnp.PyArray_DATA(tp_rank)
    cdef const int32_t* fp_ranks = <const int32_t*>cnp.PyArray_DATA(fp_rank)
    cdef int64_t* found = <int64_t*>cnp.PyArray_DATA(places)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t held = tp_rank.shape[0], replicate, place
    cdef int64_t n_pos = tp_ranks[held - 1], n_neg = fp_ranks[held - 1]
    cdef Room room
    make_room(&room, n_pos, n_neg, held)
    cdef Curve curve = curve_in(&room, held - 1, numbers, None)
    cdef Rule rule = rule_of(curve.numbers)
    curve.n_pos = n_pos
    curve.n_neg = n_neg
    curve.tp_ranks = tp_ranks
    curve.fp_ranks = fp_ranks
    if looks_at_few(&rule):
        read_from_ranks(&curve)
    with nogil:
        for replicate in range(first, last):
            draw_curve(seed, replicate, tp_ranks, fp_ranks, held, &curve, &room)
            place = chosen_place(&curve, &rule, <double*>room.stack)  # of the same size
            found[replicate - first] = place
            place = place if place > 0 else 0
            out[0] = steps_of_0(room.pos, tp_ranks[place])
            out[1] = steps_of_0(room.neg, fp_ranks[place])
            out[2] = steps_of_0(room.pos, n_pos)
            out[3] = steps_of_0(room.neg, n_neg)
            out += 4
    clear(&room)


cdef int64_t steps_of_0(const uint32_t* before, int64_t rows) noexcept nogil:
    """Rows that were not drawn, from the numbers drawn before each."""
    cdef int64_t row, found = 0
    for row in range(rows):
        found += before[row + 1] == before[row]
    return found


def left_out(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray tp_rank, cnp.ndarray fp_rank,
    cnp.ndarray places, cnp.ndarray result,
):
    """Rows of each class that a replicate left out, above its own place and in all.

    Line b of `result`: positives and negatives above places[b], then all positives and negatives.
    """
    cdef const int32_t* tp_ranks = <const int32_t*>cnp.PyArray_DATA(tp_rank)
    cdef const int32_t* fp_ranks = <const int32_t*>cnp.PyArray_DATA(fp_rank)
    cdef const int64_t* asked = <const int64_t*>cnp.PyArray_DATA(places)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t last_place = tp_rank.shape[0] - 1, replicate, place
    cdef int64_t n_pos = tp_ranks[last_place], n_neg = fp_ranks[last_place]
    cdef uint32_t* drawn = <uint32_t*>malloc((max(n_pos, n_neg) + 1) * sizeof(uint32_t))
    if drawn == NULL:
        raise MemoryError
    with nogil:
        for replicate in range(first, last):
            place = asked[replicate - first]
            draw_counts(stream_key(seed, replicate, POSITIVE), n_pos, drawn)
            out[0] = zeros(drawn, tp_ranks[place])
            out[2] = out[0] + zeros(drawn + tp_ranks[place], n_pos - tp_ranks[place])
            draw_counts(stream_key(seed, replicate, NEGATIVE), n_neg, drawn)
            out[1] = zeros(drawn, fp_ranks[place])
            out[3] = out[1] + zeros(drawn + fp_ranks[place], n_neg - fp_ranks[place])
            out += 4
    free(drawn)


cdef int64_t zeros(const uint32_t* drawn, int64_t size) noexcept nogil:
    cdef int64_t row, found = 0
    for row in range(size):
        found += drawn[row] == 0
    return found


def curves(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray tp_rank, cnp.ndarray fp_rank,
    cnp.ndarray tp, cnp.ndarray fp,
):
    """Cumulative counts of the replicates, (replicate, place), for what Python reads itself."""
    cdef const int32_t* tp_ranks = <const int32_t*>cnp.PyArray_DATA(tp_rank)
    cdef const int32_t* fp_ranks = <const int32_t*>cnp.PyArray_DATA(fp_rank)
    cdef double* hits = <double*>cnp.PyArray_DATA(tp)
    cdef double* alarms = <double*>cnp.PyArray_DATA(fp)
    cdef int64_t places = tp_rank.shape[0], replicate
    cdef int64_t n_pos = tp_ranks[places - 1], n_neg = fp_ranks[places - 1]
    cdef uint32_t* drawn = <uint32_t*>malloc((max(n_pos, n_neg) + 1) * sizeof(uint32_t))
    if drawn == NULL:
        raise MemoryError
    with nogil:
        for replicate in range(first, last):
            draw_before(seed, replicate, POSITIVE, n_pos, drawn)
            lay_out(drawn, tp_ranks, places, hits)
            draw_before(seed, replicate, NEGATIVE, n_neg, drawn)
            lay_out(drawn, fp_ranks, places, alarms)
            hits += places
            alarms += places
    free(drawn)
