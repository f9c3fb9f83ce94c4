# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Numbers read off resampled curves, one replicate at a time: no table of replicates is kept.

Rows are drawn as in `_resampling`; the curve of the drawn counts is laid out once and given to a
reader of `readers.pxi`. The numpy formulas of the statistics are the twins.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"
include "readers.pxi"
include "best_places.pxi"
include "windows.pxi"
include "rules.pxi"
include "smooth_rows.pxi"

NAMES = (
    "area",
    "part",
    "height",
    "youden",
    "equal-errors",
    "least-cost",
    "cost-grid",
    "smooth",
    "average-precision",
    "precision-at",
    "places",
    "window",
)
cdef Reader[12] READERS
READERS[0] = read_area
READERS[1] = read_part
READERS[2] = read_height
READERS[3] = read_youden
READERS[4] = read_equal_errors
READERS[5] = read_least_cost
READERS[6] = read_cost_grid
READERS[7] = read_smooth
READERS[8] = read_average_precision
READERS[9] = read_precision_at
READERS[10] = read_places
READERS[11] = read_window
cdef bint[12] LOOKS_AT_FEW  # places, so that none are laid out
LOOKS_AT_FEW[:] = [name in (
    "part", "height", "youden", "equal-errors", "least-cost", "precision-at", "places"
) for name in NAMES]

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


cdef inline void read_one(Curve* curve, Reader reader, double* out) noexcept nogil:
    curve.n_pos = hits_at(curve, curve.last)
    curve.n_neg = alarms_at(curve, curve.last)
    reader(curve, out)


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


cdef bint rises_by_one(const int32_t* ranks, int64_t places) noexcept nogil:
    cdef int64_t k
    for k in range(1, places):
        if ranks[k] > ranks[k - 1] + 1:
            return False
    return True


def resampled(
    int kind, uint64_t seed, int64_t first, int64_t last, cnp.ndarray tp_rank, cnp.ndarray fp_rank,
    cnp.ndarray numbers, object scores, cnp.ndarray result,
):
    """One line of `result` for each of the replicates first..last of a table of counts.

    tp_rank and fp_rank are the table's cumulative counts, from 0, in descending order of score.
    """
    cdef const int32_t* tp_ranks = <const int32_t*>cnp.PyArray_DATA(tp_rank)
    cdef const int32_t* fp_ranks = <const int32_t*>cnp.PyArray_DATA(fp_rank)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t places = tp_rank.shape[0], width = result.shape[1], replicate
    cdef int64_t n_pos = tp_ranks[places - 1], n_neg = fp_ranks[places - 1]
    cdef Room room
    make_room(&room, n_pos, n_neg, 2 * places)
    cdef Curve curve = curve_in(&room, places - 1, numbers, scores)
    if LOOKS_AT_FEW[kind]:
        read_from_ranks(&curve, tp_ranks, fp_ranks)
    else:
        hold_data(&room, &curve, tp_ranks, fp_ranks, places)
    with nogil:
        for replicate in range(first, last):
            draw_before(seed, replicate, POSITIVE, n_pos, room.pos)
            draw_before(seed, replicate, NEGATIVE, n_neg, room.neg)
            if curve.tp != NULL:
                lay_out(room.pos, tp_ranks, places, room.tp)
                lay_out(room.neg, fp_ranks, places, room.fp)
            read_one(&curve, READERS[kind], out)
            out += width
    clear(&room)


cdef inline void read_from_ranks(
    Curve* curve, const int32_t* tp_ranks, const int32_t* fp_ranks
) noexcept nogil:
    """Let nothing be laid out."""
    curve.tp = curve.fp = NULL
    curve.tp_ranks = tp_ranks
    curve.fp_ranks = fp_ranks


cdef void hold_data(
    Room* room, Curve* curve, const int32_t* tp_ranks, const int32_t* fp_ranks, int64_t places
) noexcept nogil:
    """The counts of the data themselves beside those drawn, in a room for twice the places."""
    cdef double* held = room.tp + places
    cdef int64_t k
    room.fp = room.tp + 2 * places
    curve.fp = room.fp
    curve.tp_held = held
    curve.fp_held = held + 2 * places
    for k in range(places):
        held[k] = tp_ranks[k]
        held[2 * places + k] = fp_ranks[k]
    if rises_by_one(tp_ranks, places) and rises_by_one(fp_ranks, places):
        curve.pos_before = room.pos
        curve.neg_before = room.neg


def read_amounts(
    int kind, cnp.ndarray pos, cnp.ndarray neg, cnp.ndarray held, cnp.ndarray numbers,
    object scores, cnp.ndarray result,
):
    """One line of `result` for every line of amounts at each score, in descending order.

    `held` has the data's own cumulative counts, (2, places).
    """
    cdef const double* of_pos = <const double*>cnp.PyArray_DATA(pos)
    cdef const double* of_neg = <const double*>cnp.PyArray_DATA(neg)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t groups = pos.shape[1], lines = pos.shape[0], width = result.shape[1], line, k
    cdef Room room
    make_room(&room, 0, 0, groups + 1)
    cdef Curve curve = curve_in(&room, groups, numbers, scores)
    curve.tp_held = <const double*>cnp.PyArray_DATA(held)
    curve.fp_held = curve.tp_held + groups + 1
    with nogil:
        room.tp[0] = room.fp[0] = 0.0
        for line in range(lines):
            for k in range(groups):
                room.tp[k + 1] = room.tp[k] + of_pos[k]
                room.fp[k + 1] = room.fp[k] + of_neg[k]
            read_one(&curve, READERS[kind], out)
            of_pos += groups
            of_neg += groups
            out += width
    clear(&room)


def resampled_together(
    int kind, uint64_t seed, int64_t first, int64_t last, int64_t n_pos, int64_t n_neg,
    list codes, list ends, list numbers, list scores, cnp.ndarray result,
):
    """The same for several models on the same drawn rows: result[replicate, model, number].

    codes[m] lists the rows from the highest score of model m down, as twice the number of the row
    within its class, plus 1 for a positive; ends[m] is 1 at the last row of each score.
    """
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t models = len(codes), rows = n_pos + n_neg, width = result.shape[2], model
    cdef int64_t replicate, row, place
    cdef Room room
    cdef Curve* curves = <Curve*>malloc(models * sizeof(Curve))
    cdef const uint32_t** orders = <const uint32_t**>malloc(models * sizeof(uint32_t*))
    cdef const uint8_t** flags = <const uint8_t**>malloc(models * sizeof(uint8_t*))
    cdef bint* untied = <bint*>malloc(models * sizeof(bint))
    if curves == NULL or orders == NULL or flags == NULL or untied == NULL:
        free(curves)
        free(orders)
        free(flags)
        free(untied)
        raise MemoryError
    make_room(&room, n_pos, n_neg, rows + 1)
    for model in range(models):
        curves[model] = curve_in(&room, rows, numbers[model], scores[model])
        orders[model] = <const uint32_t*>cnp.PyArray_DATA(<cnp.ndarray>codes[model])
        flags[model] = <const uint8_t*>cnp.PyArray_DATA(<cnp.ndarray>ends[model])
    with nogil:
        for model in range(models):
            curves[model].n_pos = n_pos
            curves[model].n_neg = n_neg
            untied[model] = READERS[kind] == read_smooth and all_ends(flags[model], rows)
        for replicate in range(first, last):
            draw_counts(stream_key(seed, replicate, NEGATIVE), n_neg, room.neg)
            draw_counts(stream_key(seed, replicate, POSITIVE), n_pos, room.pos)
            for model in range(models):
                if untied[model]:
                    read_smooth_rows(&curves[model], &room, orders[model], out)
                else:
                    curves[model].last = laid_out(&room, orders[model], flags[model], rows)
                    read_one(&curves[model], READERS[kind], out)
                out += width
    clear(&room)
    free(curves)
    free(orders)
    free(flags)
    free(untied)


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
    if looks_at_few(&rule):
        read_from_ranks(&curve, tp_ranks, fp_ranks)
    with nogil:
        for replicate in range(first, last):
            draw_before(seed, replicate, POSITIVE, n_pos, room.pos)
            draw_before(seed, replicate, NEGATIVE, n_neg, room.neg)
            if curve.tp != NULL:
                lay_out(room.pos, tp_ranks, held, room.tp)
                lay_out(room.neg, fp_ranks, held, room.fp)
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
