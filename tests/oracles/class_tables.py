"""Scores of several classes: the worked examples, and slow definitions."""

from itertools import permutations, product
from math import sqrt

import numpy as np

A1 = (
    [0, 0, 1, 1, 1, 2, 2, 2],
    np.array(
        [[0.70, 0.20, 0.10], [0.40, 0.35, 0.25], [0.30, 0.45, 0.25], [0.25, 0.60, 0.15],
         [0.50, 0.30, 0.20], [0.20, 0.30, 0.50], [0.35, 0.25, 0.40], [0.15, 0.55, 0.30]]
    ),
)  # fmt: skip
A3 = (
    [0, 0, 1, 1, 2, 2, 3, 3, 3],
    np.array(
        [[0.4, 0.3, 0.2, 0.1], [0.3, 0.4, 0.1, 0.2], [0.1, 0.5, 0.2, 0.2], [0.2, 0.3, 0.3, 0.2],
         [0.25, 0.15, 0.45, 0.15], [0.3, 0.1, 0.35, 0.25], [0.1, 0.2, 0.3, 0.4],
         [0.35, 0.25, 0.15, 0.25], [0.2, 0.2, 0.1, 0.5]]
    ),
)  # fmt: skip


def labelling_scores(F, rule):
    """What each row adds for each label."""
    m = F.shape[1]
    if rule == "sum":
        return F
    if rule == "product":
        return np.log(np.maximum(F, 1e-300))
    return np.array([[-sqrt(((row - np.eye(m)[k]) ** 2).sum()) for k in range(m)] for row in F])


def hum_by_tuples(y, F, rule="sum"):
    """Try every tuple and every labeling."""
    y = np.asarray(y)
    m = F.shape[1]
    S = labelling_scores(F, rule)
    total = []
    for rows in product(*[np.flatnonzero(y == k) for k in range(m)]):
        scores = [sum(S[row, label] for row, label in zip(rows, order, strict=True))
                  for order in permutations(range(m))]  # fmt: skip
        best = max(scores)
        tied = sum(score >= best - 1e-10 for score in scores)
        total.append(1 / tied if scores[0] >= best - 1e-10 else 0.0)
    return float(np.mean(total))


def directed_area(y, F, i, j):
    """A(i|j): class i positive, class j negative, in column i."""
    y = np.asarray(y)
    own, other = F[y == i, i][:, None], F[y == j, i]
    return float(((own > other) + 0.5 * (own == other)).mean())


def weights_of(average, sizes):
    """Weights of A(i|j) in an average, from the words that define it."""
    m, n = len(sizes), sum(sizes)
    w = np.zeros((m, m))
    for i in range(m):
        for j in range(m):
            if i != j:
                w[i, j] = {
                    "hand-till": 1 / (m * (m - 1)),
                    "ovr": sizes[j] / (n - sizes[i]) / m,
                    "ovr-weighted": sizes[i] / n * sizes[j] / (n - sizes[i]),
                    "ovo-weighted": (sizes[i] + sizes[j]) / (2 * (m - 1) * n),
                }[average]
    return w


def slow_variance(y, F, G, average):
    """DeLong-style covariance of an average of two tables, row by row."""
    y = np.asarray(y)
    m = F.shape[1]
    w = weights_of(average, np.bincount(y, minlength=m))

    def part(T, row):
        k = y[row]
        total = 0.0
        for j in set(range(m)) - {k}:
            other = T[y == j, k]
            total += w[k, j] * ((T[row, k] > other) + 0.5 * (T[row, k] == other)).mean()
            own = T[y == j, j]
            total += w[j, k] * ((own > T[row, j]) + 0.5 * (own == T[row, j])).mean()
        return total

    variance = 0.0
    for k in range(m):
        rows = np.flatnonzero(y == k)
        parts = np.array([[part(T, row) for row in rows] for T in (F, G)])
        variance += np.cov(parts)[0, 1] / len(rows)
    return variance
