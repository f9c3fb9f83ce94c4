"""Cells of weight space: which assignments of classes some weights realise, and by how much."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Flags, Floats
from rocwise.multiclass.operating_points.problems import Classes

FARTHEST = 700.0  # logarithms whose exponentials are floats
LARGEST_MARGIN = 1.0  # in logarithms; more would only make the weights extreme


def moving_rows(logs: Floats) -> Flags:
    """Rows with confidence in two classes or more; weights cannot move the others."""
    return np.asarray(np.isfinite(logs).sum(axis=0) > 1)


def merged_rows(logs: Floats, losses: Floats) -> tuple[Floats, Floats]:
    """One column for all rows with the same ratios of scores, its largest logarithm 0.

    Weights cannot tell such rows apart, so their losses add up.
    """
    if not logs.shape[1]:
        return logs, losses
    centred = logs - logs.max(axis=0)
    order = np.lexsort(centred)
    ordered = centred[:, order]
    differs = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    starts = np.concatenate(([0], np.flatnonzero(differs) + 1))
    return ordered[:, starts], np.add.reduceat(losses[:, order], starts, axis=1)


def bounds_of(logs: Floats, called: Classes) -> Floats:
    """d_jl: the rows called j stay so while u_l - u_j < d_jl, u the logarithms of the weights.

    Infinite where nothing bounds; minus infinity where a row has no confidence in its class.

    Parameters
    ----------
    logs : ndarray (m, n)
        Logarithms of the scores.
    called : ndarray of int (n,)
        Class called in each row.
    """
    m = len(logs)
    bounds = np.full((m, m), np.inf)
    for j in range(m):
        mine = logs[:, called == j]
        if not mine.shape[1]:
            continue
        if np.isneginf(mine[j]).any():
            bounds[j] = -np.inf
        else:
            bounds[j] = (mine[j] - mine).min(axis=1)
        bounds[j, j] = np.inf
    return bounds


def margin_of(bounds: Floats) -> float:
    """Half-width of the cell: the smallest mean of d along a directed cycle (Karp, 1978).

    The assignment is realised by positive weights without ties iff this is positive.
    """
    if np.isneginf(bounds).any():
        return -np.inf
    m = len(bounds)
    walks = np.zeros((m + 1, m))
    for k in range(m):  # cheapest walk of k + 1 edges that ends at each class
        walks[k + 1] = (walks[k][:, None] + bounds).min(axis=0)
    ends = np.isfinite(walks[m])
    if not ends.any():
        return np.inf
    lengths = m - np.arange(m)
    means = (walks[m][ends] - walks[:m][:, ends]) / lengths[:, None]
    return float(means.max(axis=0).min())


def cell_weights(logs: Floats, called: Classes) -> Floats | None:
    """Weights well inside the cell of an assignment; None if no positive weights realise it.

    They maximise the margin delta <= 1 subject to u_l - u_j + delta <= d_jl; the potentials are
    shortest distances (Bellman, Ford).

    Examples
    --------
    >>> logs = np.log(np.array([[0.8, 0.6], [0.2, 0.4]]))
    >>> cell_weights(logs, np.array([0, 1])).round(3).tolist()
    [1.0, 2.449]
    """
    bounds = bounds_of(logs, called)
    margin = margin_of(bounds)
    if margin <= 0:
        return None
    # a hair below the margin: rounding must not leave a cycle below zero
    slack = bounds - min(margin * (1.0 - 1e-12), LARGEST_MARGIN)
    potentials = np.zeros(len(bounds))
    for _ in range(len(bounds)):
        potentials = np.minimum(potentials, (potentials[:, None] + slack).min(axis=0))
    return _as_weights(potentials)


def _as_weights(logs: Floats) -> Floats:
    """Weights with that of class 0 at 1, or in the middle of the floats if they need the room."""
    low, high = float(logs.min()), float(logs.max())
    centre = float(logs[0]) if high - low < FARTHEST / 2 else (low + high) / 2
    return np.asarray(np.exp(np.clip(logs - centre, -FARTHEST, FARTHEST)))
