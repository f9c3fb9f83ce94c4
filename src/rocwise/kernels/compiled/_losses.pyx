# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Losses of forecasts, swapped between two models or drawn anew, one resample after the other."""

from libc.stdint cimport (
    int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
)
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

include "splitmix.pxi"
include "binomials.pxi"
include "moments.pxi"

cdef enum:
    VALUES_TOGETHER = 32  # that are passed over, where none is the farthest


cdef extern from "lanes.h" nogil:
    enum:
        LANES  # lines that are walked side by side
    bint heights_abreast(
        const uint16_t* minus, const int32_t* row, const int8_t* step, const uint8_t* end,
        int64_t events, int64_t* best,
    )


cdef inline double turned(double value, int plus) noexcept nogil:
    return value if plus else -value


def signed_sums(cnp.ndarray octets, cnp.ndarray values, cnp.ndarray result):
    """Sum of the values with the signs of each line, a bit each: sums of four are looked up."""
    cdef const uint8_t* octet = <const uint8_t*>cnp.PyArray_DATA(octets)
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef double* out = <double*>cnp.PyArray_DATA(result)
    cdef int64_t lines = octets.shape[0], width = octets.shape[1], rows = values.shape[0]
    cdef int64_t line, row = 0, block
    cdef const uint8_t* signs
    cdef double[16][16] sums
    cdef double total
    cdef int k, part, parts
    with nogil:
        for line in range(lines):
            out[line] = 0.0
        while row + 4 <= rows:
            parts = 16 if row + 64 <= rows else <int>((rows - row) // 4)
            for part in range(parts):
                block = row + 4 * part
                for k in range(16):  # the bit of the first value is the highest
                    sums[part][k] = (
                        turned(value[block], k & 8) + turned(value[block + 1], k & 4)
                    ) + (turned(value[block + 2], k & 2) + turned(value[block + 3], k & 1))
            signs = octet + row // 8
            for line in range(lines):
                total = 0.0
                for part in range(parts // 2):
                    total += sums[2 * part][signs[part] >> 4]
                    total += sums[2 * part + 1][signs[part] & 15]
                if parts % 2:
                    total += sums[parts - 1][signs[parts // 2] >> 4]
                out[line] += total
                signs += width
            row += 4 * parts
        while row < rows:
            for line in range(lines):
                out[line] += turned(value[row], octet[line * width + row // 8] & (128 >> row % 8))
            row += 1


cdef int64_t height_alone(
    const int8_t* sign, const int32_t* row, const int8_t* step, const uint8_t* end, int64_t events
) noexcept nogil:
    """Largest height of one line."""
    cdef int64_t k
    cdef int32_t height = 0, best = 0, size
    for k in range(events):
        height += sign[row[k]] * step[k]
        size = height if height > 0 else -height
        size = size * end[k]
        best = size if size > best else best
    return best


def largest_heights(
    cnp.ndarray signs, cnp.ndarray rows, cnp.ndarray steps, cnp.ndarray ends, cnp.ndarray result
):
    """Largest |running sum of sign[rows] * steps| where ends is 1, for each line of signs."""
    cdef const int8_t* sign = <const int8_t*>cnp.PyArray_DATA(signs)
    cdef const int32_t* row = <const int32_t*>cnp.PyArray_DATA(rows)
    cdef const int8_t* step = <const int8_t*>cnp.PyArray_DATA(steps)
    cdef const uint8_t* end = <const uint8_t*>cnp.PyArray_DATA(ends)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t lines = signs.shape[0], events = rows.shape[0], width = signs.shape[1]
    cdef int64_t line = 0, place
    cdef int lane, abreast
    cdef int64_t[LANES] best
    cdef uint16_t* minus = <uint16_t*>malloc((width + 1) * sizeof(uint16_t))
    if minus == NULL:
        raise MemoryError
    with nogil:
        while line < lines:
            abreast = LANES if line + LANES <= lines else <int>(lines - line)
            memset(minus, 0, width * sizeof(uint16_t))
            for lane in range(abreast):
                for place in range(width):
                    minus[place] |= <uint16_t>((sign[lane * width + place] < 0) << lane)
            if heights_abreast(minus, row, step, end, events, best):
                for lane in range(abreast):
                    out[line + lane] = best[lane]
            else:
                for lane in range(abreast):
                    out[line + lane] = height_alone(sign + lane * width, row, step, end, events)
            sign += abreast * width
            line += abreast
    free(minus)


cdef inline void signs_of_lane(
    const uint16_t* word, int lane, int64_t width, int8_t* sign
) noexcept nogil:
    """The signs of one of the lines that words hold: -1 where its bit is set."""
    cdef int64_t place
    for place in range(width):
        sign[place] = <int8_t>(1 - 2 * ((word[place] >> lane) & 1))


def highest_of_words(
    cnp.ndarray words, cnp.ndarray rows, cnp.ndarray steps, cnp.ndarray ends, cnp.ndarray result
):
    """The same for each of the 16 lines that a line of words holds, a bit each, set for minus."""
    cdef const uint16_t* minus = <const uint16_t*>cnp.PyArray_DATA(words)
    cdef const int32_t* row = <const int32_t*>cnp.PyArray_DATA(rows)
    cdef const int8_t* step = <const int8_t*>cnp.PyArray_DATA(steps)
    cdef const uint8_t* end = <const uint8_t*>cnp.PyArray_DATA(ends)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t lines = words.shape[0], events = rows.shape[0], width = words.shape[1], line
    cdef int lane
    cdef int64_t[LANES] best
    cdef int8_t* sign = <int8_t*>malloc(width + 1)
    if sign == NULL:
        raise MemoryError
    with nogil:
        for line in range(lines):
            if heights_abreast(minus, row, step, end, events, best):
                for lane in range(LANES):
                    out[lane] = best[lane]
            else:
                for lane in range(LANES):
                    signs_of_lane(minus, lane, width, sign)
                    out[lane] = height_alone(sign, row, step, end, events)
            minus += width
            out += LANES
    free(sign)


def drawn_moments(cnp.ndarray drawn, cnp.ndarray values, cnp.ndarray means, cnp.ndarray spreads):
    """Mean of the values drawn in each line, and the standard error of that mean."""
    cdef const int64_t* row = <const int64_t*>cnp.PyArray_DATA(drawn)
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef double* mean = <double*>cnp.PyArray_DATA(means)
    cdef double* spread = <double*>cnp.PyArray_DATA(spreads)
    cdef int64_t lines = drawn.shape[0], draws = drawn.shape[1], line, k
    cdef double first, second, apart
    cdef double* held = <double*>malloc((draws + 1) * sizeof(double))
    if held == NULL:
        raise MemoryError
    with nogil:
        for line in range(lines):
            first = second = 0.0
            for k in range(draws):
                held[k] = value[row[k]]
            k = 0
            while k + 2 <= draws:
                first += held[k]
                second += held[k + 1]
                k += 2
            if k < draws:
                first += held[k]
            mean[line] = (first + second) / draws
            first = second = 0.0
            for k in range(draws):
                apart = held[k] - mean[line]
                first += apart * apart
            spread[line] = sqrt(first / draws / draws)
            row += draws
    free(held)


cdef int64_t largest_distance(
    const uint32_t* before, const int64_t* upto, int64_t values
) noexcept nogil:
    """Largest |before[upto[k]] - upto[k]|; both rise, which bounds it over a stretch of values.

    Some values far apart say what is reached; stretches that stay below it are passed over.
    """
    cdef int64_t k = 0, start = 0, stop, gap, best = 0
    while k < values:
        gap = <int64_t>before[upto[k]] - upto[k]
        gap = gap if gap > 0 else -gap
        best = gap if gap > best else best
        k += VALUES_TOGETHER
    while start < values:
        stop = start + VALUES_TOGETHER if start + VALUES_TOGETHER < values else values
        if (
            <int64_t>before[upto[stop - 1]] - upto[start] > best
            or upto[stop - 1] - <int64_t>before[upto[start]] > best
        ):
            for k in range(start, stop):
                gap = <int64_t>before[upto[k]] - upto[k]
                gap = gap if gap > 0 else -gap
                best = gap if gap > best else best
        start = stop
    return best


def largest_distances(
    uint64_t seed, int64_t first, int64_t last, cnp.ndarray ranks, cnp.ndarray result
):
    """Largest distance, in rows, of a resampled distribution from that of the data.

    ranks[k] rows of the data are at most as large as the k-th distinct value.
    """
    cdef const int64_t* upto = <const int64_t*>cnp.PyArray_DATA(ranks)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t values = ranks.shape[0], rows = upto[values - 1], replicate
    cdef uint32_t* drawn = <uint32_t*>malloc((2 * rows + 1) * sizeof(uint32_t))
    cdef uint32_t* before = drawn + rows
    if drawn == NULL:
        raise MemoryError
    with nogil:
        for replicate in range(first, last):
            draw_counts(stream_key(seed, replicate, POSITIVE), rows, drawn)
            accumulate(drawn, rows, before)
            out[replicate - first] = largest_distance(before, upto, values)
    free(drawn)
