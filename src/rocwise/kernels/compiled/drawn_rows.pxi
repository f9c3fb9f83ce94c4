# Rows with weights, below 0 for negatives, at one score, of units that were drawn some times each.

ctypedef fused Times:
    int64_t
    double


cdef inline void add_score(
    const Times* times, const int32_t* units, const double* weights, int64_t row, int64_t end,
    double* pos, double* neg,
) noexcept nogil:
    """Positives and negatives: those of the first row, then the others' together, as numpy adds."""
    cdef double held = times[units[row]] * weights[row], hits = 0.0, alarms = 0.0
    for row in range(row + 1, end):
        hits += max(times[units[row]] * weights[row], 0.0)
        alarms -= min(times[units[row]] * weights[row], 0.0)
    pos[0] = max(held, 0.0) + hits
    neg[0] = alarms - min(held, 0.0)


ctypedef struct Rows:  # those of each score, and how often their units are there, a line for each curve
    const int64_t* times
    const int32_t* units
    const double* weights
    const int64_t* starts
    int64_t n_units


cdef Rows rows_of(cnp.ndarray times, cnp.ndarray units, cnp.ndarray weights, cnp.ndarray starts):
    cdef Rows rows
    rows.times = <const int64_t*>cnp.PyArray_DATA(times)
    rows.units = <const int32_t*>cnp.PyArray_DATA(units)
    rows.weights = <const double*>cnp.PyArray_DATA(weights)
    rows.starts = <const int64_t*>cnp.PyArray_DATA(starts)
    rows.n_units = times.shape[1]
    return rows


cdef void lay_rows(
    const Rows* rows, const int64_t* times, int64_t scores, double* tp, double* fp
) noexcept nogil:
    """Sums above each place of the curve of one line of times, from 0."""
    cdef double pos, neg
    cdef int64_t score
    tp[0] = fp[0] = 0.0
    for score in range(scores):
        add_score(
            times, rows.units, rows.weights, rows.starts[score], rows.starts[score + 1], &pos, &neg
        )
        tp[score + 1] = tp[score] + pos
        fp[score + 1] = fp[score] + neg
