# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The area under the smooth ROC curve, in one pass over two sorted classes."""

from libc.stdint cimport int64_t

cimport numpy as cnp

cnp.import_array()

cdef double LIMB = 1073741824.0  # 2**30


def limbs(cnp.ndarray scores):
    """Sums of the pieces of 30 bits of scores from 0 to 1; None where four do not hold a score."""
    cdef const double* s = <const double*>cnp.PyArray_DATA(scores)
    cdef int64_t k, n = scores.shape[0], piece
    cdef int64_t first = 0, second = 0, third = 0, fourth = 0
    cdef double rest
    cdef bint held = True
    with nogil:
        for k in range(n):
            rest = s[k] * LIMB
            piece = <int64_t>rest
            first += piece
            rest = (rest - piece) * LIMB
            piece = <int64_t>rest
            second += piece
            rest = rest - piece
            if rest != 0:
                rest = rest * LIMB
                piece = <int64_t>rest
                third += piece
                rest = (rest - piece) * LIMB
                piece = <int64_t>rest
                fourth += piece
                if rest != piece:
                    held = False
    return (first, second, third, fourth) if held else None


def sums(cnp.ndarray negatives, cnp.ndarray positives, double midpoint):
    """Total rise, total run and twice-weighted area, from the highest score down (1.10)."""
    cdef const double* x = <const double*>cnp.PyArray_DATA(negatives)
    cdef const double* y = <const double*>cnp.PyArray_DATA(positives)
    cdef int64_t i = negatives.shape[0] - 1, j = positives.shape[0] - 1, n_neg, n_pos
    cdef double score, of_positives, of_negatives, up, right
    cdef double risen = 0.0, gone = 0.0, area = 0.0
    with nogil:
        while i >= 0 or j >= 0:
            score = x[i] if j < 0 or (i >= 0 and x[i] > y[j]) else y[j]
            n_neg = 0
            n_pos = 0
            while i >= 0 and x[i] == score:
                n_neg += 1
                i -= 1
            while j >= 0 and y[j] == score:
                n_pos += 1
                j -= 1
            if score >= midpoint:
                of_positives = score
                of_negatives = 1.0 - score
            else:
                of_positives = 1.0 - score
                of_negatives = score
            up = <double>n_pos * of_positives + <double>n_neg * of_negatives
            right = <double>n_pos * of_negatives + <double>n_neg * of_positives
            area += right * (risen + up / 2)
            risen += up
            gone += right
    return risen, gone, area
