"""Slow and plain versions of the searches for class weights, and the worked examples."""

from itertools import product
from typing import NamedTuple

import numpy as np


class Example(NamedTuple):
    y: list
    F: list
    C: list


A1 = Example(
    [0, 0, 1, 1, 1, 2, 2, 2],
    [
        [0.70, 0.20, 0.10],
        [0.40, 0.35, 0.25],
        [0.30, 0.45, 0.25],
        [0.25, 0.60, 0.15],
        [0.50, 0.30, 0.20],
        [0.20, 0.30, 0.50],
        [0.35, 0.25, 0.40],
        [0.15, 0.55, 0.30],
    ],
    [[0, 1, 4], [2, 0, 3], [7, 1, 0]],
)
PRIOR = (0.5, 0.3, 0.2)
A2 = Example(
    [0, 1, 2, 1, 2, 1, 1, 1],
    [
        [0.36, 0.45, 0.22],
        [0.04, 0.34, 0.65],
        [0.67, 0.33, 0.03],
        [0.15, 0.67, 0.22],
        [0.27, 0.19, 0.57],
        [0.04, 0.25, 0.74],
        [0.15, 0.75, 0.12],
        [0.12, 0.51, 0.40],
    ],
    [[0, 1, 9], [8, 0, 4], [6, 9, 0]],
)
A3 = Example(
    [0, 0, 1, 1, 2, 2, 3, 3, 3],
    [
        [0.4, 0.3, 0.2, 0.1],
        [0.3, 0.4, 0.1, 0.2],
        [0.1, 0.5, 0.2, 0.2],
        [0.2, 0.3, 0.3, 0.2],
        [0.25, 0.15, 0.45, 0.15],
        [0.3, 0.1, 0.35, 0.25],
        [0.1, 0.2, 0.3, 0.4],
        [0.35, 0.25, 0.15, 0.25],
        [0.2, 0.2, 0.1, 0.5],
    ],
    [[0, 2, 5, 1], [3, 0, 1, 4], [6, 2, 0, 2], [1, 8, 3, 0]],
)


def losses(y, C, prior=None, weights=None):
    """What calling each row each class adds to the expected cost, row by row."""
    y, C = np.asarray(y), np.asarray(C, dtype=float)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    sizes = np.array([weights[y == j].sum() for j in range(len(C))])
    prior = sizes / sizes.sum() if prior is None else np.asarray(prior)
    return np.array([prior[j] / sizes[j] * v * C[j] for j, v in zip(y, weights, strict=True)])


def cost(F, a, w):
    """Expected cost by argmax of the products; the first of equal ones."""
    called = (np.asarray(F) * np.asarray(w)).argmax(axis=1)
    return a[np.arange(len(a)), called].sum()


def is_realised(L, called):
    """Whether every directed cycle of the bounds d has a positive sum (Floyd & Warshall)."""
    m = L.shape[1]
    d = np.full((m, m), np.inf)
    for row, j in zip(L, called, strict=True):
        if row[j] == -np.inf:
            return False
        for k in range(m):
            if k != j:
                d[j, k] = min(d[j, k], row[j] - row[k])
    for k in range(m):
        d = np.minimum(d, d[:, [k]] + d[[k], :])
    return bool((np.diagonal(d) > 1e-9).all())


def cells(F):
    """Every assignment that some weights realise without ties; rows of zeros stay class 0.

    All m^n are there to try; what some rows already exclude is not continued.
    """
    F = np.asarray(F, dtype=float)
    some = F.any(axis=1)
    with np.errstate(divide="ignore"):
        L = np.log(F[some])
    started = [()]
    for done in range(1, len(L) + 1):
        longer = [(*each, k) for each, k in product(started, range(F.shape[1]))]
        started = [each for each in longer if is_realised(L[:done], each)]
    for each in started:
        called = np.zeros(len(F), dtype=int)
        called[some] = each
        yield called


def least_cost(F, a):
    """The smallest cost of any cell: all m^n assignments are tried."""
    rows = np.arange(len(a))
    return min(a[rows, called].sum() for called in cells(F))


def lines_and_sides(F, a, tol=1e-9):
    """The sweep along every line of the arrangement, from both sides, in O(n^2 log n)."""
    L, best = np.log(F), np.inf
    for p, q, s in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        gaps_pq = L[:, p] - L[:, q]
        for d in gaps_pq:
            t = np.maximum(L[:, p], d + L[:, q]) - L[:, s]
            order = np.argsort(t, kind="stable")
            for tied in (p, q):
                below = np.where(gaps_pq < d - tol, q, np.where(gaps_pq > d + tol, p, tied))
                rest = a[np.arange(len(a)), below][order]
                total = np.r_[0, np.cumsum(a[order, s])] + rest.sum() - np.r_[0, np.cumsum(rest)]
                gaps = np.diff(np.r_[-np.inf, t[order], np.inf])
                best = min(best, total[gaps > tol].min())
    return best


def greedy_fill(F, a, w):
    """The relaxed program for fixed weights: unit mass into the cheapest classes first."""
    total = 0.0
    for row, loss in zip(np.asarray(F) * w, a, strict=True):
        capacity, left = 1 - (row.max() - row), 1.0
        for k in np.argsort(loss):
            taken = min(left, max(capacity[k], 0.0))
            total += taken * loss[k]
            left -= taken
    return total


def drawn(n, m, seed, kind="generic"):
    """A badly calibrated classifier with costs from 1 to 10, or with ties, or with zeros."""
    rng = np.random.default_rng([n, m, seed])
    y = np.r_[np.arange(m), rng.integers(0, m, max(0, n - m))][:n]
    C = rng.integers(1, 11, (m, m)).astype(float)
    np.fill_diagonal(C, 0)
    if kind == "generic":
        logits = rng.normal(size=(n, m)) + np.eye(m)[y]
        logits = logits * rng.uniform(0.5, 2.5, m) + rng.normal(size=m)
        F = np.exp(logits - logits.max(axis=1, keepdims=True))
        return Example(y, F / F.sum(axis=1, keepdims=True), C)
    return Example(y, rng.integers(0 if kind == "zeros" else 1, 5, (n, m)).astype(float), C)
