# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The Kalman filter of a linear model, for its likelihood alone."""

from libc.math cimport INFINITY, isfinite, log, sqrt
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc

cimport numpy as cnp

cnp.import_array()

cdef double LOG_TWO_PI = 1.8378770664093453


cdef void times(
    const double* a, const double* b, double* out, int64_t n, int64_t m, int64_t k, bint turned
) noexcept nogil:
    """out = a b, or a b' if turned: a is (n, m), out is (n, k)."""
    cdef int64_t i, j, l
    cdef double total
    for i in range(n):
        for j in range(k):
            total = 0.0
            for l in range(m):
                total += a[i * m + l] * (b[j * m + l] if turned else b[l * k + j])
            out[i * k + j] = total


cdef bint rooted(double* s, int64_t d) noexcept nogil:
    """The lower root of a covariance, in place; whether it is positive definite."""
    cdef int64_t i, j, l
    cdef double total
    for j in range(d):
        for i in range(j, d):
            total = s[i * d + j]
            for l in range(j):
                total -= s[i * d + l] * s[j * d + l]
            if i == j:
                if not (total > 0.0 and isfinite(total)):
                    return False
                s[j * d + j] = sqrt(total)
            else:
                s[i * d + j] = total / s[j * d + j]
    return True


def log_likelihoods(
    cnp.ndarray moving, cnp.ndarray seeing, cnp.ndarray shift, cnp.ndarray mean,
    cnp.ndarray covariance, cnp.ndarray observed, cnp.ndarray present, cnp.ndarray process,
    cnp.ndarray noise, cnp.ndarray result,
):
    """Log likelihood of one series under each pair of noises; minus infinity where one breaks."""
    cdef const double* A = <const double*>cnp.PyArray_DATA(moving)
    cdef const double* H = <const double*>cnp.PyArray_DATA(seeing)
    cdef const double* c = <const double*>cnp.PyArray_DATA(shift)
    cdef const double* x0 = <const double*>cnp.PyArray_DATA(mean)
    cdef const double* P0 = <const double*>cnp.PyArray_DATA(covariance)
    cdef const double* y = <const double*>cnp.PyArray_DATA(observed)
    cdef const uint8_t* seen = <const uint8_t*>cnp.PyArray_DATA(present)
    cdef const double* Q = <const double*>cnp.PyArray_DATA(process)
    cdef const double* R = <const double*>cnp.PyArray_DATA(noise)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t L = moving.shape[0], d = seeing.shape[0], T = observed.shape[0]
    cdef int64_t pairs = process.shape[0], pair
    cdef double* room = <double*>malloc((4 * L * L + 6 * L * d + 3 * d * d + 2 * L + 2 * d) * 8)
    if room == NULL:
        raise MemoryError
    with nogil:
        for pair in range(pairs):
            out[pair] = of_series(
                A, H, c, x0, P0, y, seen, Q + pair * L * L, R + pair * d * d, L, d, T, room
            )
    free(room)


cdef double of_series(
    const double* A, const double* H, const double* c, const double* x0, const double* P0,
    const double* y, const uint8_t* seen, const double* Q, const double* R,
    int64_t L, int64_t d, int64_t T, double* room,
) noexcept nogil:
    cdef double* P = room
    cdef double* AP = P + L * L
    cdef double* kept = AP + L * L
    cdef double* spare = kept + L * L
    cdef double* Hs = spare + L * L      # the rows of H that were observed, (k, L)
    cdef double* cross = Hs + L * d      # P H', (L, k)
    cdef double* gain = cross + L * d    # (L, k)
    cdef double* KR = gain + L * d
    cdef double* S = KR + L * d
    cdef double* Rs = S + d * d
    cdef double* x = Rs + d * d
    cdef double* ahead = x + L
    cdef double* error = ahead + L
    cdef double* column = error + d
    cdef int64_t t, i, j, l, k, row, other
    cdef double total = 0.0, part
    for i in range(L):
        x[i] = x0[i]
    for i in range(L * L):
        P[i] = P0[i]
    for t in range(T):
        times(A, x, ahead, L, L, 1, False)
        for i in range(L):
            x[i] = ahead[i] + c[i]
        times(A, P, AP, L, L, L, False)
        times(AP, A, P, L, L, L, True)
        for i in range(L * L):
            P[i] += Q[i]
        k = 0
        for i in range(d):
            if seen[t * d + i]:
                error[k] = y[t * d + i]
                for j in range(L):
                    Hs[k * L + j] = H[i * L + j]
                    error[k] -= H[i * L + j] * x[j]
                k += 1
        if k == 0:
            continue
        row = 0
        for i in range(d):
            if seen[t * d + i]:
                other = 0
                for j in range(d):
                    if seen[t * d + j]:
                        Rs[row * k + other] = R[i * d + j]
                        other += 1
                row += 1
        times(P, Hs, cross, L, L, k, True)
        times(Hs, cross, S, k, L, k, False)
        for i in range(k * k):
            S[i] += Rs[i]
        if not rooted(S, k):
            return -INFINITY
        for row in range(L):  # gain' solves S gain' = cross', by the root forwards and back
            for i in range(k):
                part = cross[row * k + i]
                for l in range(i):
                    part -= S[i * k + l] * column[l]
                column[i] = part / S[i * k + i]
            for i in range(k - 1, -1, -1):
                part = column[i]
                for l in range(i + 1, k):
                    part -= S[l * k + i] * gain[row * k + l]
                gain[row * k + i] = part / S[i * k + i]
        part = k * LOG_TWO_PI
        for i in range(k):
            column[i] = error[i]
            for l in range(i):
                column[i] -= S[i * k + l] * column[l]
            column[i] /= S[i * k + i]
            part += column[i] * column[i] + 2.0 * log(S[i * k + i])
        total -= 0.5 * part
        for i in range(L):
            for j in range(k):
                x[i] += gain[i * k + j] * error[j]
        times(gain, Hs, kept, L, k, L, False)  # Joseph's form
        for i in range(L):
            for j in range(L):
                kept[i * L + j] = (i == j) - kept[i * L + j]
        times(kept, P, spare, L, L, L, False)
        times(spare, kept, P, L, L, L, True)
        times(gain, Rs, KR, L, k, k, False)
        times(KR, gain, spare, L, k, L, True)
        for i in range(L * L):
            P[i] += spare[i]
    return total if isfinite(total) else -INFINITY
