# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Single passes over the rows: missing scores, labels, and texts."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cimport numpy as cnp
from cpython.dict cimport PyDict_GetItem, PyDict_SetItem
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact

import sys

import numpy as np

from rocwise.kernels.plain import sorting as plain_sorting

cnp.import_array()

# whether one lock keeps other threads away while a function does not let go of it
LOCKED = getattr(sys, "_is_gil_enabled", lambda: True)()

ctypedef fused label_type:
    int8_t
    uint8_t
    int32_t
    int64_t
    float
    double

ctypedef fused score_type:
    float
    double

cdef enum:
    BLOCK = 4096
    REMEMBERED = 256  # addresses of texts whose codes are known without asking for the text
    MOST_TEXTS = 4096  # as in the numpy twin


cdef inline bint _holds_nan(const score_type* scores, int64_t start, int64_t stop) noexcept nogil:
    """Whether some bits, without their sign, pass those of infinity: a sum then has the top bit.

    No early exit and no comparison inside, so that the loop takes several rows at a time.
    """
    cdef int64_t row
    cdef uint64_t bits = 0, found = 0
    cdef uint32_t short_bits = 0, short_found = 0
    if score_type is double:
        for row in range(start, stop):
            memcpy(&bits, scores + row, 8)
            found |= (bits & <uint64_t>0x7FFFFFFFFFFFFFFF) + <uint64_t>0x000FFFFFFFFFFFFF
        return found >> 63
    else:
        for row in range(start, stop):
            memcpy(&short_bits, scores + row, 4)
            short_found |= (short_bits & <uint32_t>0x7FFFFFFF) + <uint32_t>0x007FFFFF
        return short_found >> 31


cdef int64_t _first_nan(const score_type* scores, int64_t size) noexcept nogil:
    cdef int64_t start, row, stop = 0
    while stop < size:
        start = stop
        stop = min(start + BLOCK, size)
        if _holds_nan(scores, start, stop):
            for row in range(start, stop):
                if scores[row] != scores[row]:
                    return row
    return -1


cdef int64_t _match(
    const label_type* labels,
    int64_t size,
    label_type negative,
    label_type positive,
    uint8_t* mask,
    int64_t* first_bad,
) noexcept nogil:
    cdef int64_t start, row, stop = 0, n_pos = 0
    cdef uint8_t hit
    cdef int32_t in_block, bad
    first_bad[0] = -1
    while stop < size:
        start = stop
        stop = min(start + BLOCK, size)
        in_block = 0
        bad = 0
        for row in range(start, stop):
            hit = labels[row] == positive
            mask[row] = hit
            in_block += hit
            bad |= (not hit) & (labels[row] != negative)
        n_pos += in_block
        if bad and first_bad[0] < 0:
            for row in range(start, stop):
                if labels[row] != positive and labels[row] != negative:
                    first_bad[0] = row
                    break
    return n_pos


cdef _match_as(label_type zero, cnp.ndarray labels, negative, positive):
    cdef label_type low = negative, high = positive
    cdef int64_t n_pos, first_bad, size = labels.shape[0]
    cdef cnp.ndarray mask = np.empty(size, np.uint8)
    cdef const label_type* source = <const label_type*>cnp.PyArray_DATA(labels)
    cdef uint8_t* target = <uint8_t*>cnp.PyArray_DATA(mask)
    with nogil:
        n_pos = _match(source, size, low, high, target, &first_bad)
    return mask, n_pos, first_bad


def first_nan(cnp.ndarray scores):
    """First row whose score is not a number, or -1."""
    cdef int64_t row, size = scores.shape[0]
    cdef void* data = cnp.PyArray_DATA(scores)
    cdef int kind = cnp.PyArray_TYPE(scores)
    if not _is_plain(scores) or kind not in (cnp.NPY_DOUBLE, cnp.NPY_FLOAT):
        return plain_sorting.first_nan(scores)
    with nogil:
        if kind == cnp.NPY_DOUBLE:
            row = _first_nan(<const double*>data, size)
        else:
            row = _first_nan(<const float*>data, size)
    return row


def match_labels(cnp.ndarray labels, negative, positive):
    """Mask of the positives, how many they are, and the first row that is neither (or -1)."""
    if not _is_plain(labels) or not _fits(labels, negative) or not _fits(labels, positive):
        return plain_sorting.match_labels(labels, negative, positive)
    kind = labels.dtype.kind
    size = labels.dtype.itemsize
    if kind == "b" or (kind == "u" and size == 1):
        return _match_as(<uint8_t>0, labels, negative, positive)
    if kind == "i" and size == 8:
        return _match_as(<int64_t>0, labels, negative, positive)
    if kind == "i" and size == 4:
        return _match_as(<int32_t>0, labels, negative, positive)
    if kind == "i" and size == 1:
        return _match_as(<int8_t>0, labels, negative, positive)
    if kind == "f" and size == 8:
        return _match_as(<double>0, labels, negative, positive)
    if kind == "f" and size == 4:
        return _match_as(<float>0, labels, negative, positive)
    return plain_sorting.match_labels(labels, negative, positive)


cdef bint _is_plain(cnp.ndarray array):
    return array.ndim == 1 and cnp.PyArray_ISCARRAY_RO(array) and array.dtype.isnative


cdef bint _fits(cnp.ndarray labels, value):
    """Whether `value` means the same as a number of the labels' own type."""
    try:
        converted = labels.dtype.type(value)
    except (OverflowError, TypeError, ValueError):
        return False
    return bool(converted == value)


def text_codes(cnp.ndarray objects):
    """Which text each row holds, -1 for None, and the texts in the order of their first rows.

    Rows mostly share the objects of a few texts, so that their addresses tell the texts apart; only
    a new address is looked up by what it holds. Nobody may free the objects meanwhile: the lock
    stays held, and where there is none a copy of the array, which nobody else has, holds on to them.
    """
    cdef PyObject* known[REMEMBERED]
    cdef int64_t known_codes[REMEMBERED]
    cdef int64_t row, slot, size = objects.shape[0]
    cdef cnp.ndarray codes = np.empty(size, np.int64)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(codes)
    cdef dict order = {}
    cdef PyObject** items
    cdef PyObject* item
    cdef PyObject* found
    if not _is_plain(objects) or cnp.PyArray_TYPE(objects) != cnp.NPY_OBJECT:
        return plain_sorting.text_codes(objects)
    cdef cnp.ndarray held = objects if LOCKED else objects.copy()
    items = <PyObject**>cnp.PyArray_DATA(held)
    for slot in range(REMEMBERED):
        known[slot] = NULL
    for row in range(size):
        item = items[row]
        slot = <int64_t>((<size_t>item >> 4) ^ (<size_t>item >> 12)) & (REMEMBERED - 1)
        if item != NULL and known[slot] == item:
            out[row] = known_codes[slot]
            continue
        if item == NULL or <object>item is None:
            out[row] = -1
            continue
        if not PyUnicode_CheckExact(<object>item):
            return None
        found = PyDict_GetItem(order, <object>item)
        if found == NULL:
            if len(order) == MOST_TEXTS:
                return None
            PyDict_SetItem(order, <object>item, len(order))
            found = PyDict_GetItem(order, <object>item)
        out[row] = <int64_t><object>found
        known[slot] = item
        known_codes[slot] = out[row]
    return (codes, list(order)) if order else None
