# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Numbers read off resampled curves, one replicate at a time: no table of replicates is kept.

Rows are drawn as in `_resampling`; a reader of `readers.pxi` is given their curve, which is laid
out where it is short. The numpy formulas of the statistics are the twins.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"
include "readers.pxi"
include "smooth_readers.pxi"
include "precision_readers.pxi"
include "asked_points.pxi"
include "best_places.pxi"
include "windows.pxi"
include "rules.pxi"
include "drawn_curves.pxi"
include "smooth_rows.pxi"
include "chosen_places.pxi"

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
    "reached",
    "within",
    "heights",
)
cdef Reader[15] READERS
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
READERS[12] = read_reached
READERS[13] = read_within
READERS[14] = read_heights
cdef bint[15] LOOKS_AT_FEW  # places, so that none are laid out
LOOKS_AT_FEW[:] = [name in (
    "part", "height", "youden", "equal-errors", "least-cost", "cost-grid", "precision-at",
    "places", "window", "reached", "within", "heights",
) for name in NAMES]
cdef enum:
    MOST_LAID = 1 << 17  # places that a thread may have laid out: two megabytes


cdef inline void read_one(Curve* curve, Reader reader, double* out) noexcept nogil:
    curve.n_pos = hits_at(curve, curve.last)
    curve.n_neg = alarms_at(curve, curve.last)
    reader(curve, out)


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
    make_room(&room, n_pos, n_neg, places)
    cdef Curve curve = curve_in(&room, places - 1, numbers, scores)
    curve.tp_ranks = tp_ranks
    curve.fp_ranks = fp_ranks
    if LOOKS_AT_FEW[kind] or places > MOST_LAID:
        read_from_ranks(&curve)
    if READERS[kind] == read_window:
        know_untied(&room, &curve, places)
    with nogil:
        for replicate in range(first, last):
            draw_curve(seed, replicate, tp_ranks, fp_ranks, places, &curve, &room)
            read_one(&curve, READERS[kind], out)
            out += width
    clear(&room)


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


include "read_rows.pxi"
