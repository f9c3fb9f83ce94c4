# Sums over rows for a logistic line; included by _likelihoods.pyx, which has the type `amount`.


cdef void logistic_block(
    const double* x, const amount* pos, const amount* neg, int64_t rows, const double* etas,
    const double* odds, const double* logs, double* sums,
) noexcept nogil:
    cdef int64_t k
    cdef double chance, rest, cases, p, n, residual, spread, bent
    cdef double value = 0.0, score = 0.0, by_x = 0.0, flat = 0.0, mixed = 0.0, curved = 0.0
    for k in range(rows):
        chance = 1.0 / (1.0 + odds[k])
        rest = odds[k] * chance
        p = <double>pos[k]
        n = <double>neg[k]
        cases = p + n
        value -= cases * logs[k] + (n if etas[k] > 0.0 else p) * fabs(etas[k])
        # not p - cases * chance: that is 0 of a chance that rounds to 1, however far it may go on
        residual = p * rest - n * chance if etas[k] > 0.0 else p * chance - n * rest
        spread = cases * (chance * rest)
        bent = spread * x[k]
        score += residual
        by_x += residual * x[k]
        flat += spread
        mixed += bent
        curved += bent * x[k]
    sums[0] = value
    sums[1] = score
    sums[2] = by_x
    sums[3] = flat
    sums[4] = mixed
    sums[5] = curved


def logistic_sums(
    cnp.ndarray x, cnp.ndarray pos, cnp.ndarray neg, cnp.ndarray etas, cnp.ndarray odds,
    cnp.ndarray logs, cnp.ndarray sums,
):
    """Fill the six sums over some rows.

    `etas` are their logits, `odds` those of what is less likely, never above 1, and `logs` the
    logarithms of 1 more.
    """
    cdef const double* at = <const double*>cnp.PyArray_DATA(x)
    cdef const double* logits = <const double*>cnp.PyArray_DATA(etas)
    cdef const double* of_odds = <const double*>cnp.PyArray_DATA(odds)
    cdef const double* of_logs = <const double*>cnp.PyArray_DATA(logs)
    cdef void* hits = cnp.PyArray_DATA(pos)
    cdef void* misses = cnp.PyArray_DATA(neg)
    cdef double* out = <double*>cnp.PyArray_DATA(sums)
    cdef int64_t rows = x.shape[0]
    cdef bint whole = cnp.PyArray_TYPE(pos) == cnp.NPY_INT64
    with nogil:
        if whole:
            logistic_block(
                at, <const int64_t*>hits, <const int64_t*>misses, rows, logits, of_odds, of_logs,
                out,
            )
        else:
            logistic_block(
                at, <const double*>hits, <const double*>misses, rows, logits, of_odds, of_logs, out
            )
