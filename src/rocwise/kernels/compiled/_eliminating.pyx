# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Linear models of nodes that lose columns while their estimated error falls."""

from libc.math cimport INFINITY, fabs, sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()


ctypedef struct Limits:
    double rounding
    double apart
    double most_growth

ctypedef struct Node:
    # lines are rows; the columns left are centred and of length 1
    int64_t n
    int64_t k
    double mean
    double noise
    double error
    double* centre
    double* units
    double* scaled
    double* weights  # of the rows in the slopes: `scaled` times `inverse`
    double* left_over
    double* slopes
    double* inverse  # of the normal equations, k by k
    double* half
    double* steps  # of each weight into what is left over, when its column goes
    double* errors
    double* work  # to be made a triangle: lines of k columns and the target
    int64_t* columns


cdef inline double expected(const Node* node, double total, int64_t v) noexcept nogil:
    """MAE (n + v) / (n - v) of a model with v coefficients, the intercept counted."""
    cdef double size = total / node.n
    if node.n <= v:
        return INFINITY
    if size <= node.noise:
        size = 0.0
    return size * (node.n + v) / (node.n - v)


cdef void centre_columns(
    Node* node, const double* x, int64_t p, const double* y, const int64_t* rows, double rounding
) noexcept nogil:
    cdef int64_t i, j, n = node.n, k = node.k
    cdef const double* line
    cdef double largest = 0, lost = 0
    node.mean = 0
    memset(node.centre, 0, k * sizeof(double))
    for i in range(n):
        line = x + rows[i] * p
        for j in range(k):
            node.scaled[i * k + j] = line[node.columns[j]]
            node.centre[j] += line[node.columns[j]]
        node.left_over[i] = y[rows[i]]
        node.mean += y[rows[i]]
        largest = max(largest, fabs(y[rows[i]]))
    node.noise = rounding * largest
    node.mean /= n
    for j in range(k):
        node.centre[j] /= n
    for i in range(n):  # what a long sum has lost
        lost += node.left_over[i] - node.mean
    node.mean += lost / n


cdef int64_t scale_columns(Node* node) noexcept nogil:
    """Fill in `scaled` and `work`, which has a row of its own for a column of zeros; its rows."""
    cdef int64_t i, j, n = node.n, k = node.k, lines = node.n
    cdef double* line
    memset(node.units, 0, k * sizeof(double))
    for i in range(n):
        line = node.scaled + i * k
        for j in range(k):
            line[j] -= node.centre[j]
            node.units[j] += line[j] * line[j]
        node.left_over[i] -= node.mean
    for j in range(k):
        node.units[j] = sqrt(node.units[j])
        if node.units[j] == 0:
            node.units[j] = 1.0
            memset(node.work + lines * (k + 1), 0, (k + 1) * sizeof(double))
            node.work[lines * (k + 1) + j] = 1.0
            lines += 1
    for i in range(n):
        line = node.scaled + i * k
        for j in range(k):
            line[j] /= node.units[j]
            node.work[i * (k + 1) + j] = line[j]
        node.work[i * (k + 1) + k] = node.left_over[i]
    return lines


cdef void triangle(double* work, int64_t lines, int64_t k, double* dots) noexcept nogil:
    """Householder's reflections of all columns but the last: R and Q'd in the first k lines."""
    cdef int64_t width = k + 1, i, j, c
    cdef double length, pivot, share
    cdef double* ahead = dots + width  # products with the next column, summed on the way
    cdef double* line
    memset(ahead, 0, width * sizeof(double))
    for i in range(lines if k else 0):
        line = work + i * width
        share = line[0]
        for c in range(width):
            ahead[c] += share * line[c]
    for j in range(k):
        line = work + j * width
        pivot = line[j]
        length = -sqrt(ahead[j]) if pivot > 0 else sqrt(ahead[j])
        # v is the column less its image; v'a is what was summed, less that of the first line
        share = 1.0 / (ahead[j] - length * pivot) if ahead[j] > 0 else 0.0
        for c in range(j + 1, width):
            dots[c] = (ahead[c] - length * line[c]) * share
            ahead[c] = 0
            line[c] -= (pivot - length) * dots[c]
        line[j] = length
        for i in range(j + 1, lines):
            line = work + i * width
            share = line[j]
            for c in range(j + 1, width):
                line[c] -= share * dots[c]
            share = line[j + 1]
            for c in range(j + 1, width):
                ahead[c] += share * line[c]


cdef bint solve(Node* node, const Limits* limits) noexcept nogil:
    """Slopes and the inverse of the normal equations from the triangle; whether it is a safe one.
    """
    cdef int64_t k = node.k, width = k + 1, i, j, c
    cdef double* half = node.half
    cdef double smallest = INFINITY, largest = 0, total
    for j in range(k):
        smallest = min(smallest, fabs(node.work[j * width + j]))
        largest = max(largest, fabs(node.work[j * width + j]))
    if k and not smallest > limits.apart * largest:
        return False
    memset(half, 0, k * k * sizeof(double))
    for j in range(k):  # column j of the inverse of the triangle
        half[j * k + j] = 1.0 / node.work[j * width + j]
        for i in range(j - 1, -1, -1):
            total = 0
            for c in range(i + 1, j + 1):
                total += node.work[i * width + c] * half[c * k + j]
            half[i * k + j] = -total / node.work[i * width + i]
    for i in range(k):
        node.slopes[i] = 0
        for j in range(i, k):
            node.slopes[i] += half[i * k + j] * node.work[j * width + k]
        for c in range(i + 1):
            total = 0
            for j in range(i, k):
                total += half[i * k + j] * half[c * k + j]
            node.inverse[i * k + c] = node.inverse[c * k + i] = total
        if not node.inverse[i * k + i] < limits.most_growth:
            return False
    return True


cdef void leave_over(Node* node) noexcept nogil:
    """Take the fit from the target, and weigh the rows; the error that is expected."""
    cdef int64_t i, j, c, k = node.k
    cdef double fit, total = 0
    cdef double* line
    cdef double* weights
    for i in range(node.n):
        line, weights = node.scaled + i * k, node.weights + i * k
        fit = 0
        memset(weights, 0, k * sizeof(double))
        for j in range(k):
            fit += line[j] * node.slopes[j]
            for c in range(k):
                weights[c] += line[j] * node.inverse[j * k + c]
        node.left_over[i] -= fit
        total += fabs(node.left_over[i])
    node.error = expected(node, total, k + 1)


cdef void try_all(Node* node, double moved, const double* passed, int64_t dropped) noexcept nogil:
    """Sum what each column would leave over, on the way taking the last that was dropped away.

    With it every row moves by `moved` times its weight, and the other weights by `passed` times.
    """
    cdef int64_t k = node.k, i, c
    cdef double gone, left
    cdef const double* line = node.weights
    cdef double* kept = node.weights
    for c in range(k):
        node.errors[c] = 0
        node.steps[c] = node.slopes[c] / node.inverse[c * k + c]
    for i in range(node.n):
        gone = line[dropped] if dropped >= 0 else 0.0
        left = node.left_over[i] + moved * gone
        node.left_over[i] = left
        if dropped >= 0:
            for c in range(dropped):
                kept[c] = line[c] - gone * passed[c]
            for c in range(dropped, k):
                kept[c] = line[c + 1] - gone * passed[c]
            line += k + 1
        for c in range(k):
            node.errors[c] += fabs(left + node.steps[c] * kept[c])
        kept += k
    for c in range(k):
        node.errors[c] = expected(node, node.errors[c], k)


cdef double drop(Node* node, int64_t dropped, double* passed) noexcept nogil:
    """Take a column away; the inverse loses what went through it. How far rows move with it."""
    cdef int64_t k = node.k, j, c, place = 0
    cdef double pivot = node.inverse[dropped * k + dropped], moved = node.steps[dropped]
    node.error = node.errors[dropped]
    for j in range(k):
        passed[j] = node.inverse[j * k + dropped]
        node.slopes[j] -= passed[j] * moved
    for j in range(k):
        for c in range(k):
            if j != dropped and c != dropped:
                node.inverse[place] = node.inverse[j * k + c] - passed[j] * passed[c] / pivot
                place += 1
    for j in range(k):
        passed[j] /= pivot
    for j in range(dropped, k - 1):
        passed[j] = passed[j + 1]
        node.slopes[j] = node.slopes[j + 1]
        node.columns[j] = node.columns[j + 1]
        node.centre[j] = node.centre[j + 1]
        node.units[j] = node.units[j + 1]
    node.k = k - 1
    return moved


cdef int64_t least(const double* errors, int64_t k) noexcept nogil:
    cdef int64_t c, found = 0
    for c in range(1, k):
        if errors[c] < errors[found]:
            found = c
    return found


cdef bint fit(
    Node* node, const double* x, int64_t p, const double* y, const int64_t* rows,
    const Limits* limits, double* intercept, double* coefficients, double* error
) noexcept nogil:
    cdef int64_t dropped, j, lines
    cdef double moved
    centre_columns(node, x, p, y, rows, limits.rounding)
    lines = scale_columns(node)
    triangle(node.work, lines, node.k, node.errors)
    if not solve(node, limits):
        return False
    leave_over(node)
    try_all(node, 0.0, NULL, -1)
    while node.k:
        dropped = least(node.errors, node.k)
        if not node.errors[dropped] <= node.error:
            break
        moved = drop(node, dropped, node.work)
        try_all(node, moved, node.work, dropped)
    intercept[0] = node.mean
    for j in range(node.k):
        coefficients[node.columns[j]] = node.slopes[j] / node.units[j]
        intercept[0] -= node.centre[j] * coefficients[node.columns[j]]
    error[0] = node.error
    return True


cdef double* laid_out(Node* node, int64_t n, int64_t k) noexcept nogil:
    """Room for a node of up to n rows and k columns, all in one piece."""
    cdef double* kept = <double*>malloc(
        (n * (3 * k + 2) + k * (3 * k + 8) + 2) * sizeof(double) + k * sizeof(int64_t)
    )
    if kept != NULL:
        node.centre, node.units, node.slopes, node.steps = kept, kept + k, kept + 2 * k, kept + 3 * k
        node.errors = kept + 4 * k  # twice k + 1
        node.inverse = node.errors + 2 * (k + 1)
        node.half = node.inverse + k * k
        node.left_over = node.half + k * k
        node.scaled = node.left_over + n
        node.weights = node.scaled + n * k
        node.work = node.weights + n * k
        node.columns = <int64_t*>(node.work + (n + k) * (k + 1))
    return kept


def eliminate(
    cnp.ndarray X, cnp.ndarray y, cnp.ndarray rows, cnp.ndarray bounds, cnp.ndarray nodes,
    cnp.ndarray columns, int64_t first, int64_t last, tuple limits, cnp.ndarray intercepts,
    cnp.ndarray coefficients, cnp.ndarray errors, cnp.ndarray solved
):
    """Fill in the models of nodes[first .. last - 1], which begin with the given columns."""
    cdef const double* x = <const double*>cnp.PyArray_DATA(X)
    cdef const double* value = <const double*>cnp.PyArray_DATA(y)
    cdef const int64_t* row = <const int64_t*>cnp.PyArray_DATA(rows)
    cdef const int64_t* bound = <const int64_t*>cnp.PyArray_DATA(bounds)
    cdef const int64_t* chosen = <const int64_t*>cnp.PyArray_DATA(nodes)
    cdef const int64_t* column = <const int64_t*>cnp.PyArray_DATA(columns)
    cdef double* intercept = <double*>cnp.PyArray_DATA(intercepts)
    cdef double* coefficient = <double*>cnp.PyArray_DATA(coefficients)
    cdef double* error = <double*>cnp.PyArray_DATA(errors)
    cdef unsigned char* done = <unsigned char*>cnp.PyArray_DATA(solved)
    cdef int64_t p = X.shape[1], k = columns.shape[1], widest = 1, at, j
    cdef Limits limit
    cdef Node node
    limit.rounding, limit.apart, limit.most_growth = limits
    for at in range(first, last):
        widest = max(widest, bound[chosen[at] + 1] - bound[chosen[at]])
    cdef double* kept = laid_out(&node, widest, k)
    if kept == NULL:
        raise MemoryError
    with nogil:
        for at in range(first, last):
            node.n, node.k = bound[chosen[at] + 1] - bound[chosen[at]], k
            for j in range(k):
                node.columns[j] = column[at * k + j]
            done[at] = fit(
                &node, x, p, value, row + bound[chosen[at]], &limit, &intercept[at],
                coefficient + at * p, &error[at]
            )
    free(kept)
