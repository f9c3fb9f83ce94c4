"""The best question of each of many nodes: what lowers the standard deviation most."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Flags, Floats, Integers, Places
from rocwise.regression.model_trees.batches import batches, padded

SMALLEST_TO_SPLIT = 4
FLAT = 0.05  # a node with less than this share of the root's deviation is left alone
ROUNDING = 1e-12  # reductions, and deviations, this close to each other or to none are so

Split = tuple[int, float]


def best_splits(
    X: Floats, y: Floats, members: list[Places], root_deviation: float, min_samples_leaf: int
) -> list[Split | None]:
    """Feature and cut for each node, given its rows; None where it stays a leaf.

    Of equally good ones the lowest feature is taken, and of its cuts the lowest.
    """
    found: list[Split | None] = [None] * len(members)
    sizes = np.array([len(rows) for rows in members])
    large = np.flatnonzero(sizes >= max(SMALLEST_TO_SPLIT, 2 * min_samples_leaf))
    for batch in batches(sizes[large], X.shape[1]):
        chosen = large[batch]
        rows, real = padded([members[k] for k in chosen])
        targets, deviation = _centred(y, rows, real)
        largest = np.abs(np.where(real, y[rows], 0.0)).max(axis=1)
        spread_out = deviation >= FLAT * root_deviation
        spread_out &= deviation > ROUNDING * np.maximum(largest, 1e-300)
        if not spread_out.any():
            continue
        for k, split in zip(
            chosen[spread_out],
            _splits_of(
                X,
                rows[spread_out],
                real[spread_out],
                targets[spread_out],
                deviation[spread_out],
                min_samples_leaf,
            ),
            strict=True,
        ):
            found[k] = split
    return found


def _centred(y: Floats, rows: Places, real: Flags) -> tuple[Floats, Floats]:
    """Targets less their mean, 0 where there is no row; their standard deviations."""
    n = real.sum(axis=1)
    targets = np.where(real, y[rows], 0.0)
    mean = targets.sum(axis=1) / n
    targets = np.where(real, targets - mean[:, None], 0.0)
    return targets, np.sqrt((targets**2).sum(axis=1) / n)


def _splits_of(
    X: Floats,
    rows: Places,
    real: Flags,
    targets: Floats,
    deviation: Floats,
    min_samples_leaf: int,
) -> list[Split | None]:
    """The splits of nodes of about the same size; arrays are (feature, node, place)."""
    values = np.where(real, X.T[:, rows], np.inf)
    order = np.argsort(values, axis=2, kind="stable")
    values = np.take_along_axis(values, order, axis=2)
    sorted_targets = np.take_along_axis(np.broadcast_to(targets, order.shape), order, axis=2)
    sums, squares = sorted_targets.cumsum(axis=2), (sorted_targets**2).cumsum(axis=2)
    n = real.sum(axis=1)[:, None]
    count = np.arange(1, rows.shape[1])
    left = _spread(count, sums[..., :-1], squares[..., :-1])
    right = _spread(
        n - count, sums[..., -1:] - sums[..., :-1], squares[..., -1:] - squares[..., :-1]
    )
    allowed = (count >= min_samples_leaf) & (n - count >= min_samples_leaf)
    reduction = np.where(
        allowed & (values[..., 1:] > values[..., :-1]),
        deviation[:, None] - (left + right) / n,
        -np.inf,
    )
    best = reduction.max(axis=(0, 2))
    tied = reduction >= (best - ROUNDING * deviation)[:, None]
    feature, place = divmod(tied.swapaxes(0, 1).reshape(len(rows), -1).argmax(axis=1), len(count))
    node = np.arange(len(rows))
    cuts = _between(values[feature, node, place], values[feature, node, place + 1])
    return [
        (int(feature[k]), float(cuts[k])) if best[k] > -np.inf else None for k in range(len(rows))
    ]


def _spread(count: Integers, total: Floats, squares: Floats) -> Floats:
    """Number of cases times their standard deviation, from sums."""
    return np.asarray(np.sqrt(np.maximum(count * squares - total**2, 0.0)))


def _between(low: Floats, high: Floats) -> Floats:
    """The midpoint, or `low` where rounding would carry the midpoint up to `high`."""
    middle = low / 2 + high / 2
    return np.where((low <= middle) & (middle < high), middle, low)
