# The curve of the data as the search for gaps reads it: vertices side by side, and a table of even
# places along its lines from which a vertex is soon found. Included by `_bands.pyx`.


def lay_points(
    cnp.ndarray fpr, cnp.ndarray tpr, double slope, cnp.ndarray scale, cnp.ndarray points,
    int64_t first, int64_t last,
):
    """Line, FPR and scale of the vertices first..last; a scale is for each vertex, or for all."""
    cdef const double* along = <const double*>cnp.PyArray_DATA(fpr)
    cdef const double* up = <const double*>cnp.PyArray_DATA(tpr)
    cdef const double* scales = <const double*>cnp.PyArray_DATA(scale)
    cdef int64_t vertex, step = 1 if scale.shape[0] > 1 else 0
    cdef Point* out = <Point*>cnp.PyArray_DATA(points)
    with nogil:
        for vertex in range(first, last):
            out[vertex].line = up[vertex] + slope * along[vertex]
            out[vertex].fpr = along[vertex]
            out[vertex].scale = scales[vertex * step]


def lay_places(
    cnp.ndarray points, cnp.ndarray evenly, cnp.ndarray places, cnp.ndarray fprs,
    int64_t first, int64_t last,
):
    """The last vertex not beyond each of the even places first..last, and the FPR there."""
    cdef const Point* vertices = <const Point*>cnp.PyArray_DATA(points)
    cdef const double* wanted = <const double*>cnp.PyArray_DATA(evenly)
    cdef int32_t* before = <int32_t*>cnp.PyArray_DATA(places)
    cdef double* reached = <double*>cnp.PyArray_DATA(fprs)
    cdef int64_t place, low = 0, high = points.shape[0] - 1, end = high, middle
    cdef double share
    with nogil:
        while low < high:
            middle = (low + high + 1) // 2
            if vertices[middle].line <= wanted[first]:
                low = middle
            else:
                high = middle - 1
        for place in range(first, last):
            while low < end and vertices[low + 1].line <= wanted[place]:
                low += 1
            before[place] = <int32_t>low
            reached[place] = vertices[low].fpr
            if low < end:
                share = (wanted[place] - vertices[low].line) / (
                    vertices[low + 1].line - vertices[low].line
                )
                reached[place] += (vertices[low + 1].fpr - vertices[low].fpr) * share
