# Curves of drawn rows with weights, or of whole clusters, against lines. Included by `_bands.pyx`.

include "drawn_rows.pxi"

cdef int open_held(Sample* sample, cnp.ndarray starts, double slope) except -1:
    """Room for the sums of one curve."""
    sample.last = starts.shape[0] - 1
    sample.slope = slope
    sample.curve.points = NULL
    sample.curve.least = NULL
    sample.known = NULL
    sample.held = <const Held*>malloc((sample.last + 1) * sizeof(Held))
    if sample.held == NULL:
        raise MemoryError
    return 0


cdef void add_up(Sample* sample, const Rows* rows, int64_t line) noexcept nogil:
    """The curve of one line of `times`: what is before each vertex."""
    cdef Held* held = <Held*>sample.held
    cdef const int64_t* times = rows.times + line * rows.n_units
    cdef double tp = 0.0, fp = 0.0, pos, neg
    cdef int64_t score
    held[0].tp = held[0].fp = 0.0
    for score in range(sample.last):
        add_score(
            times, rows.units, rows.weights, rows.starts[score], rows.starts[score + 1], &pos, &neg
        )
        tp += pos
        fp += neg
        held[score + 1].tp = tp
        held[score + 1].fp = fp
    sample.n_pos = tp
    sample.n_neg = fp
    sample.per_pos = 1.0 / tp
    sample.per_neg = sample.slope / fp


def held_gaps(
    cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts, double slope,
    double floor, cnp.ndarray points, cnp.ndarray least, cnp.ndarray places, cnp.ndarray fprs,
    cnp.ndarray result,
):
    """Largest gap in FPR between the curve of each line and that of the data, as `gaps` has it."""
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t line, lines = times.shape[0]
    cdef Rows rows = rows_of(times, units, weights, starts)
    cdef Sample sample, data
    take_data(&data, points, least, places, fprs)
    open_held(&sample, starts, slope)
    with nogil:
        for line in range(lines):
            add_up(&sample, &rows, line)
            out[line] = largest_gap(&sample, &data, floor)
    free(<void*>sample.held)


def held_pair_gaps(
    cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts, double slope,
    double floor, cnp.ndarray result,
):
    """Largest gap in FPR between the curves of two lines: pair b has the lines 2b and 2b + 1."""
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t pair, pairs = result.shape[0]
    cdef Rows rows = rows_of(times, units, weights, starts)
    cdef Sample sample, other
    open_held(&other, starts, slope)
    try:
        open_held(&sample, starts, slope)
    except MemoryError:
        free(<void*>other.held)
        raise
    with nogil:
        for pair in range(pairs):
            add_up(&other, &rows, 2 * pair)
            add_up(&sample, &rows, 2 * pair + 1)
            out[pair] = largest_gap(&sample, &other, floor)
    free(<void*>sample.held)
    free(<void*>other.held)


def held_crossings(
    cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts, double slope,
    cnp.ndarray lines, cnp.ndarray result,
):
    """FPR at which the curve of each line of `times` meets each of the lines wanted."""
    cdef const double* wanted = <const double*>cnp.PyArray_DATA(lines)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t line, curves = times.shape[0], points = lines.shape[0]
    cdef Rows rows = rows_of(times, units, weights, starts)
    cdef Sample sample
    open_held(&sample, starts, slope)
    with nogil:
        for line in range(curves):
            add_up(&sample, &rows, line)
            meet_lines(&sample, wanted, points, out)
            out += points
    free(<void*>sample.held)
