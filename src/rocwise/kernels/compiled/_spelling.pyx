# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Numbers as the text of their fewest digits, and numbers out of the lines of a plain table.

Where a few words of arithmetic do not settle the last digit, or the last bit, Python's own
conversion does.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport NAN, fabs, floor, isnan, ldexp, log10, rint, trunc
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

cimport numpy as cnp

cnp.import_array()

cdef extern from "wide.h" nogil:
    uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t* high)
    uint64_t multiply_high(uint64_t a, uint64_t b)

cdef extern from "Python.h":
    double PyOS_string_to_double(const char* text, char** end, void* overflow) except? -1.0

include "shortest_decimals.pxi"
include "table_cells.pxi"
include "aligned_decimals.pxi"
