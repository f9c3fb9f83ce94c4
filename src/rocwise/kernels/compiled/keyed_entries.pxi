# Scores that have their row and class with them (tag = 2 * row + class) while they are sorted;
# included by _ordering.pyx, _unlike.pyx and interpolation_sort.pxi.

from libc.stdint cimport int64_t, uint32_t

ctypedef struct Keyed64:
    double value
    int64_t tag

ctypedef struct Keyed32:
    float value
    uint32_t tag

ctypedef fused keyed:
    Keyed64
    Keyed32
