# Curves of drawn rows with weights, or of whole clusters, read one at a time: each is laid out in
# room that the next one uses again. Included by `_reading.pyx`.

include "drawn_rows.pxi"


def read_rows(
    int kind, cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts,
    cnp.ndarray held, cnp.ndarray numbers, object scores, cnp.ndarray result,
):
    """One line of `result` for every line of times, which say how often each unit is there.

    `held` has the data's own cumulative amounts, (2, places).
    """
    cdef Rows rows = rows_of(times, units, weights, starts)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t last = starts.shape[0] - 1, lines = times.shape[0], width = result.shape[1], line
    cdef Room room
    make_room(&room, 0, 0, last + 1)
    cdef Curve curve = curve_in(&room, last, numbers, scores)
    curve.tp_held = <const double*>cnp.PyArray_DATA(held)
    curve.fp_held = curve.tp_held + last + 1
    with nogil:
        for line in range(lines):
            lay_rows(&rows, rows.times + line * rows.n_units, last, room.tp, room.fp)
            read_one(&curve, READERS[kind], out)
            out += width
    clear(&room)


def choose_rows(
    cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts,
    cnp.ndarray numbers, cnp.ndarray places, cnp.ndarray result,
):
    """The place that a rule chooses for every line of times, and what was left out of it.

    A line of `result` has the amounts of rows that are not there: positives and negatives above
    the place, then all positives and negatives.
    """
    cdef Rows rows = rows_of(times, units, weights, starts)
    cdef int64_t* found = <int64_t*>cnp.PyArray_DATA(places)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t last = starts.shape[0] - 1, lines = times.shape[0], line, unit, place
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
            for unit in range(rows.n_units):
                absent[unit] = drawn[unit] == 0
            lay_rows(&rows, absent, last, room.tp, room.fp)
            out[0] = room.tp[place]
            out[1] = room.fp[place]
            out[2] = room.tp[last]
            out[3] = room.fp[last]
            out += 4
    free(absent)
    clear(&room)
