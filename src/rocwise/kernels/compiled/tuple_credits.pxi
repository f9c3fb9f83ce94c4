# Tuples with one case of each class: whether their true labelling is the best; included by _classes.pyx.
#
# Tuples are looked at side by side, and every loop over them is one of vector instructions.

cdef enum:
    ABREAST = 16  # tuples
    FINE = 0
    HOLDS_NAN = 1
    NO_ROW = 2


cdef extern from "prefetch.h" nogil:
    void prefetch_read(const void* address)


cdef inline void fetch_rows(
    const double* table, const int64_t* chosen, int64_t all_tuples, int64_t tuples, int64_t m
) noexcept nogil:
    """Have rows brought near: they are anywhere in a long table."""
    cdef int64_t k, lane
    for k in range(m):
        for lane in range(tuples):
            prefetch_read(table + chosen[k * all_tuples + lane] * m)


cdef int read_gains(
    const double* table, const int64_t* chosen, int64_t rows, int64_t all_tuples, int64_t tuples,
    int64_t m, double* gains,
) noexcept nogil:
    """What the case of class k gains by the label l, (k, l, tuple); what is wrong with it."""
    cdef int64_t k, l, lane, row
    cdef const double* own
    cdef bint missing = False
    for k in range(m):
        for lane in range(tuples):
            row = chosen[k * all_tuples + lane]
            if not 0 <= row < rows:
                return NO_ROW
            own = table + row * m
            for l in range(m):
                missing |= own[l] != own[l]
                gains[(k * m + l) * ABREAST + lane] = own[l] - own[k]
        for lane in range(tuples, ABREAST):
            for l in range(m):
                gains[(k * m + l) * ABREAST + lane] = 0.0
    return HOLDS_NAN if missing else FINE


cdef inline void raise_to_sums(double* path, const double* one, const double* two) noexcept nogil:
    cdef int64_t lane
    cdef double longer
    for lane in range(ABREAST):
        longer = one[lane] + two[lane]
        path[lane] = longer if longer > path[lane] else path[lane]


cdef void find_paths(int64_t m, double* paths, double* held) noexcept nogil:
    """Longest paths from gains, through one class after another (Floyd and Warshall)."""
    cdef int64_t via, k, l
    cdef double* to_via = held
    cdef double* from_via = held + m * ABREAST
    for via in range(m):
        for k in range(m):  # as they were before any goes through this class
            memcpy(to_via + k * ABREAST, paths + (k * m + via) * ABREAST, 8 * ABREAST)
            memcpy(from_via + k * ABREAST, paths + (via * m + k) * ABREAST, 8 * ABREAST)
        for k in range(m):
            for l in range(m):
                raise_to_sums(
                    paths + (k * m + l) * ABREAST, to_via + k * ABREAST, from_via + l * ABREAST
                )


cdef void judge(
    int64_t m, const double* gains, const double* paths, int64_t tuples, double noise, double tied,
    double* out,
) noexcept nogil:
    """1 where no cycle gains, 0 where one does, `tied` where one neither gains nor loses."""
    cdef double[ABREAST] largest
    cdef double[ABREAST] nearest
    cdef double around
    cdef int64_t k, l, lane
    for lane in range(ABREAST):
        largest[lane] = paths[lane]
        nearest[lane] = -INFINITY
    for k in range(m):
        for lane in range(ABREAST):
            around = paths[(k * m + k) * ABREAST + lane]
            largest[lane] = around if around > largest[lane] else largest[lane]
        for l in range(m):
            if l == k:
                continue
            for lane in range(ABREAST):
                around = gains[(k * m + l) * ABREAST + lane] + paths[(l * m + k) * ABREAST + lane]
                nearest[lane] = around if around > nearest[lane] else nearest[lane]
    for lane in range(tuples):
        if largest[lane] <= noise:
            out[lane] = tied if nearest[lane] >= -noise else 1.0
        else:
            out[lane] = 0.0


def tuple_credits(
    cnp.ndarray table, cnp.ndarray chosen, double noise, double tied, cnp.ndarray result,
    int64_t start, int64_t stop,
):
    """Write 1, 0 or `tied` for the tuples start..stop; 1 if something is nan, 2 if no row."""
    cdef const double* entry = <const double*>cnp.PyArray_DATA(table)
    cdef const int64_t* row = <const int64_t*>cnp.PyArray_DATA(chosen)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t rows = table.shape[0], m = table.shape[1], tuples = chosen.shape[1], first, some
    cdef int wrong = FINE
    cdef double* gains = <double*>malloc((2 * m * m + 2 * m) * ABREAST * sizeof(double))
    cdef double* paths = gains + m * m * ABREAST
    if gains == NULL:
        raise MemoryError
    with nogil:
        for first in range(start, stop, 16):  # ABREAST
            some = min(stop - first, <int64_t>ABREAST)
            fetch_rows(
                entry, row + first + some, tuples, min(stop - first - some, <int64_t>ABREAST), m
            )
            wrong = read_gains(entry, row + first, rows, tuples, some, m, gains)
            if wrong != FINE:
                break
            memcpy(paths, gains, m * m * ABREAST * sizeof(double))
            find_paths(m, paths, paths + m * m * ABREAST)
            judge(m, gains, paths, some, noise, tied, out + first)
    free(gains)
    return wrong
