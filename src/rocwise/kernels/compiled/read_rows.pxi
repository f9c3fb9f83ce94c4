# Curves of drawn rows with weights, or of whole clusters, read one at a time: each is laid out in
# room that the next one uses again. Included by `_reading.pyx`.

include "drawn_rows.pxi"


def read_rows(
    int kind, cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts,
    object held, cnp.ndarray numbers, object scores, cnp.ndarray result,
):
    """One line of `result` for every line of times, which say how often each unit is there.

    `held` has the data's own cumulative amounts, (2, places), or is None where no one asks.
    """
    cdef Rows rows = rows_of(times, units, weights, starts)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t last = starts.shape[0] - 1, lines = times.shape[0], width = result.shape[1], line
    cdef Room room
    make_room(&room, 0, 0, last + 1)
    cdef Curve curve = curve_in(&room, last, numbers, scores)
    if held is not None:
        curve.tp_held = <const double*>cnp.PyArray_DATA(<cnp.ndarray>held)
        curve.fp_held = curve.tp_held + last + 1
    with nogil:
        for line in range(lines):
            lay_rows(&rows, rows.times + line * rows.n_units, last, room.tp, room.fp)
            read_one(&curve, READERS[kind], out)
            out += width
    clear(&room)


cdef void lay_absent(
    const Rows* rows, const int64_t* times, int64_t scores, int64_t* absent, double* tp, double* fp
) noexcept nogil:
    """The curve of the rows whose units are there 0 times; `absent` is room for all units."""
    cdef int64_t unit
    for unit in range(rows.n_units):
        absent[unit] = times[unit] == 0
    lay_rows(rows, absent, scores, tp, fp)


def left_out_rows(
    cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts,
    cnp.ndarray places, cnp.ndarray result,
):
    """Amounts of rows that are not there, for every line of times.

    A line of `result` has the positives above each of its places, and all of them; then the
    negatives.
    """
    cdef Rows rows = rows_of(times, units, weights, starts)
    cdef const int64_t* asked = <const int64_t*>cnp.PyArray_DATA(places)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t last = starts.shape[0] - 1, lines = times.shape[0], each = places.shape[1]
    cdef int64_t line, k
    cdef Room room
    make_room(&room, 0, 0, last + 1)
    cdef int64_t* absent = <int64_t*>malloc(rows.n_units * sizeof(int64_t))
    if absent == NULL:
        clear(&room)
        raise MemoryError
    with nogil:
        for line in range(lines):
            lay_absent(&rows, rows.times + line * rows.n_units, last, absent, room.tp, room.fp)
            for k in range(each):
                out[k] = room.tp[asked[k]]
                out[each + 1 + k] = room.fp[asked[k]]
            out[each] = room.tp[last]
            out[2 * each + 1] = room.fp[last]
            out += 2 * each + 2
            asked += each
    free(absent)
    clear(&room)


def choose_rows(
    cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts,
    cnp.ndarray numbers, cnp.ndarray places, cnp.ndarray result,
):
    """The place that a rule chooses for every line of times, and what was left out of it.

    A line of `result` is as `left_out_rows` has it.
    """
    cdef Rows rows = rows_of(times, units, weights, starts)
    cdef int64_t* found = <int64_t*>cnp.PyArray_DATA(places)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t last = starts.shape[0] - 1, lines = times.shape[0], line, place
    cdef const int64_t* drawn
    cdef int64_t* absent
    cdef Room room
    make_room(&room, 0, 0, last + 1)
    cdef Curve curve = curve_in(&room, last, numbers, None)
    cdef Rule rule = rule_of(curve.numbers)
    absent = <int64_t*>malloc(rows.n_units * sizeof(int64_t))
    if absent == NULL:
        clear(&room)
        raise MemoryError
    with nogil:
        for line in range(lines):
            drawn = rows.times + line * rows.n_units
            lay_rows(&rows, drawn, last, room.tp, room.fp)
            curve.n_pos = room.tp[last]
            curve.n_neg = room.fp[last]
            place = chosen_place(&curve, &rule, <double*>room.stack)  # of the same size
            found[line] = place
            place = place if place > 0 else 0
            lay_absent(&rows, drawn, last, absent, room.tp, room.fp)
            out[0] = room.tp[place]
            out[1] = room.tp[last]
            out[2] = room.fp[place]
            out[3] = room.fp[last]
            out += 4
    free(absent)
    clear(&room)
