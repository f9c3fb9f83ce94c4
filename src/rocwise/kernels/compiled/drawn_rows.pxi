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
