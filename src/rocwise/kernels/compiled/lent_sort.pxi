# Sorting one bucket of scores by numpy's own sort; included by _sorting.pyx.
#
# Where the processor has wide registers numpy sorts inside of them, on some faster than the sort
# by keys and on others several times slower, so `compiled.sorting` lets both run once and says
# which is to be used. The sorted scores are the same.

ctypedef int (*SortFunction)(void* start, cnp.npy_intp size, void* array) noexcept nogil

cdef extern from "numpy/arrayobject.h" nogil:
    ctypedef struct ArrayFunctions "PyArray_ArrFuncs":
        SortFunction sort[3]
    ArrayFunctions* functions_of "PyDataType_GetArrFuncs"(cnp.PyArray_Descr* kind)

cdef SortFunction sort_doubles = NULL
cdef SortFunction sort_floats = NULL
cdef SortFunction sort_codes = NULL  # of four bytes: see code_sums.pxi


cdef SortFunction numpy_sort(int kind):
    """The sort that numpy uses by default, or NULL where it does not tell."""
    cdef cnp.dtype described = cnp.PyArray_DescrFromType(kind)
    cdef ArrayFunctions* functions = functions_of(<cnp.PyArray_Descr*>described)
    return NULL if functions == NULL else functions.sort[0]


def lend(bint wanted):
    """Let buckets of scores be sorted by numpy, or no longer; whether they are now."""
    global sort_doubles, sort_floats
    sort_doubles = numpy_sort(cnp.NPY_DOUBLE) if wanted else NULL
    sort_floats = numpy_sort(cnp.NPY_FLOAT) if wanted else NULL
    return sort_doubles != NULL and sort_floats != NULL


def lend_codes(bint wanted):
    """Let buckets be summed by codes that numpy sorts, or no longer; whether they are now."""
    global sort_codes
    sort_codes = numpy_sort(cnp.NPY_UINT32) if wanted else NULL
    return sort_codes != NULL


cdef inline bint sort_by_numpy(item* values, int64_t size) noexcept nogil:
    """Sort in place; False where numpy's sort is not to be used, or failed."""
    cdef SortFunction lent = NULL
    if item is double:
        lent = sort_doubles
    elif item is float:
        lent = sort_floats
    return lent != NULL and lent(values, size, NULL) == 0
