"""The sum of a logistic step over all pairs of two sets of numbers from 0 to 1."""

from __future__ import annotations

import math

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.binary.roc import sums_from_zero

NODES = 16
FLAT = 40.0  # beyond, the step differs from 0 or 1 by less than 5e-18
FEW_PAIRS = 4_000_000
MOST_CELLS = 100_000
PAIRS_AT_ONCE = 1_000_000


def logistic_sum(upper: Floats, times: Floats, lower: Floats, weight: Floats, beta: float) -> float:
    """The sum of times_i weight_j / (1 + exp(-beta (upper_i - lower_j))).

    `lower` rises. Few pairs are visited one by one. Of many, only those closer than 40 / beta
    are; if these too are many, both sets are gathered on Chebyshev nodes of cells that are at most
    1 / beta wide. The nearest pole of the step lies pi / beta off the real line, 2 pi half-widths
    of a cell, so that 16 nodes interpolate it to (2 pi + sqrt(4 pi**2 + 1))**-16 < 1e-17.

    Examples
    --------
    >>> round(logistic_sum(np.array([1.0]), np.ones(1), np.array([0.0]), np.ones(1), 2.0), 6)
    0.880797
    """
    pairs = len(upper) * len(lower)
    near = pairs * min(1.0, 2 * FLAT / beta)
    cells = math.ceil(beta)
    work_of_cells = (2 * FLAT + 1) * cells * NODES**2
    if pairs <= FEW_PAIRS or cells > MOST_CELLS or near < work_of_cells:
        return _of_near_pairs(upper, times, lower, weight, beta)
    return _of_cells(upper, times, lower, weight, beta, cells)


def _of_near_pairs(
    upper: Floats, times: Floats, lower: Floats, weight: Floats, beta: float
) -> float:
    """Pairs far apart count 0 or 1; the others are visited, in pieces that fit into memory."""
    from scipy.special import expit

    below = sums_from_zero(weight)
    first = np.searchsorted(lower, upper - FLAT / beta)
    last = np.searchsorted(lower, upper + FLAT / beta, side="right")
    total = kernels.dot(times, below[first])
    begun = sums_from_zero(last - first, np.int64)
    start = 0
    while start < len(upper):
        full = np.searchsorted(begun, begun[start] + PAIRS_AT_ONCE, side="right") - 1
        end = max(start + 1, int(full))
        row = np.repeat(np.arange(start, end), np.diff(begun[start : end + 1]))
        column = first[row] + np.arange(len(row)) - (begun[row] - begun[start])
        steps = expit(beta * (upper[row] - lower[column]))
        total += kernels.dot(times[row] * weight[column], steps)
        start = end
    return total


def _of_cells(
    upper: Floats, times: Floats, lower: Floats, weight: Floats, beta: float, cells: int
) -> float:
    from scipy.special import expit

    nodes = np.cos((2 * np.arange(NODES) + 1) * np.pi / (2 * NODES))
    of_upper = _on_nodes(upper, times, cells, nodes)
    of_lower = _on_nodes(lower, weight, cells, nodes)
    apart = (nodes[:, None] - nodes) / (2 * cells)  # of two nodes in one cell
    total = 0.0
    reach = min(cells - 1, math.ceil(FLAT * cells / beta) + 1)
    for gap in range(-reach, reach + 1):  # the cell of the upper number minus that of the lower
        steps = expit(beta * (gap / cells + apart))
        highs = of_upper[max(gap, 0) : cells + min(gap, 0)]
        lows = of_lower[max(-gap, 0) : cells - max(gap, 0)]
        total += float(np.einsum("ij,ij->", highs @ steps, lows))
    below = sums_from_zero(of_lower.sum(axis=1))
    beyond = np.maximum(np.arange(cells) - reach, 0)  # cells so far below that the step is 1
    return total + kernels.dot(of_upper.sum(axis=1), below[beyond])


def _on_nodes(values: Floats, weights: Floats, cells: int, nodes: Floats) -> Floats:
    """Weights moved from values to the nodes of their cells, by Lagrange's polynomials."""
    cell = np.minimum((values * cells).astype(np.int64), cells - 1)
    place = 2 * (values * cells - cell) - 1
    barycentric = (-1.0) ** np.arange(NODES) * np.sqrt(1 - nodes**2)
    gathered = np.zeros((cells, NODES))
    for start in range(0, len(values), PAIRS_AT_ONCE // NODES):
        part = slice(start, start + PAIRS_AT_ONCE // NODES)
        gaps = place[part, None] - nodes
        hit = gaps == 0
        shares = barycentric / np.where(hit, 1.0, gaps)
        shares = np.where(hit.any(axis=1)[:, None], hit, shares)
        shares *= (weights[part] / shares.sum(axis=1))[:, None]
        for node in range(NODES):
            gathered[:, node] += np.bincount(cell[part], shares[:, node], minlength=cells)
    return gathered
