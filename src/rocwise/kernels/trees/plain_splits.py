"""The best question of each node of a tree: what lowers the standard deviation most."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Flags, Floats, Integers
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.trees.batches import batches, padded

SMALLEST_TO_SPLIT = 4
ROUNDING = 1e-12  # reductions, and deviations, this close to each other or to none are so


def smallest_to_split(least: int) -> int:
    """Rows that a node must have, with at least so many on each side of a split."""
    return max(SMALLEST_TO_SPLIT, 2 * least)


def best_splits(
    columns: Floats, y: Floats, orders: Integers, bounds: Integers, flat: float, least: int
) -> tuple[Integers, Floats]:
    """Feature (-1 where a node stays a leaf) and cut for each node.

    `columns` and `y` hold all rows. Line j of `orders` has the rows of the nodes, one node after
    the other at `bounds`, each by rising column j; the last line has them by rising number. Nodes
    whose deviation is below `flat` stay leaves. Of equally good questions the lowest feature is
    taken, and of its cuts the lowest.

    Examples
    --------
    >>> y, orders = np.array([0.0, 0.0, 5.0, 5.0]), np.array([[0, 1, 2, 3], [0, 1, 2, 3]])
    >>> features, cuts = best_splits(np.arange(4.0)[None], y, orders, np.array([0, 4]), 0.0, 2)
    >>> features.tolist(), cuts.tolist()
    ([0], [1.5])
    """
    refuse_nan(columns, y, flat, what="the columns or the target")
    sizes = np.diff(bounds)
    features, cuts = np.full(len(sizes), -1), np.full(len(sizes), np.nan)
    large = np.flatnonzero(sizes >= smallest_to_split(least))
    for batch in batches(sizes[large], len(columns)):
        nodes = large[batch]
        places, real = padded(bounds, nodes)
        rows = orders[-1][places]
        mean, deviation = _mean_and_deviation(y[rows], real)
        largest = np.abs(np.where(real, y[rows], 0.0)).max(axis=1)
        split = (deviation >= flat) & (deviation > ROUNDING * np.maximum(largest, 1e-300))
        if split.any():
            chosen, real = orders[:-1, places[split]], real[split]
            features[nodes[split]], cuts[nodes[split]] = _questions(
                np.where(real, columns[np.arange(len(columns))[:, None, None], chosen], np.inf),
                np.where(real, y[chosen] - mean[split][:, None], 0.0),
                real.sum(axis=1),
                deviation[split],
                least,
            )
    return features, cuts


def divided(
    orders: Integers, bounds: Integers, features: Integers, is_below: Flags
) -> tuple[Integers, Integers]:
    """Orders and bounds of the children of the nodes with a feature, each below and then above.

    `is_below` says of all rows where they go; children keep the order of their parents.

    Examples
    --------
    >>> orders, below = np.array([[2, 0, 1], [0, 1, 2]]), np.array([False, True, True])
    >>> rows, bounds = divided(orders, np.array([0, 3]), np.array([0]), below)
    >>> rows.tolist(), bounds.tolist()
    ([[2, 1, 0], [1, 2, 0]], [0, 2, 3])
    """
    held, ends = division(orders, bounds, features, is_below)
    orders = orders[:, held]
    sides = is_below[orders]  # as many in each line, so that both are tables again
    goes_below = np.repeat(np.arange(len(ends) - 1) % 2 == 0, np.diff(ends))
    found = np.empty_like(orders)
    found[:, goes_below] = orders[sides].reshape(len(orders), -1)
    found[:, ~goes_below] = orders[~sides].reshape(len(orders), -1)
    return found, ends


def division(
    orders: Integers, bounds: Integers, features: Integers, is_below: Flags
) -> tuple[Flags, Integers]:
    """Which places are of nodes with a feature, and the bounds of the children.

    >>> orders, below = np.array([[2, 0, 1], [0, 1, 2]]), np.array([False, True, True])
    >>> held, ends = division(orders, np.array([0, 3]), np.array([0]), below)
    >>> held.tolist(), ends.tolist()
    ([True, True, True], [0, 2, 3])
    """
    sizes, split = np.diff(bounds), features >= 0
    counts = np.concatenate([[0], np.cumsum(is_below[orders[-1]])])
    below = np.diff(counts[bounds])[split]
    children = np.stack([below, sizes[split] - below], axis=1).ravel()
    return np.repeat(split, sizes), np.concatenate([[0], np.cumsum(children)])


def _mean_and_deviation(values: Floats, real: Flags) -> tuple[Floats, Floats]:
    """Of the targets of each node."""
    n = real.sum(axis=1)
    mean = _summed(np.where(real, values, 0.0)) / n
    mean = mean + _summed(np.where(real, values - mean[:, None], 0.0)) / n  # what it has lost
    targets = np.where(real, values - mean[:, None], 0.0)
    return mean, np.sqrt(_summed(targets * targets) / n)


def _summed(values: Floats) -> Floats:
    """Sums of lines, from the first to the last number."""
    return np.asarray(values.cumsum(axis=1)[:, -1])


def _questions(
    values: Floats, targets: Floats, n: Integers, deviation: Floats, least: int
) -> tuple[Integers, Floats]:
    """Feature and cut of nodes of about the same size; arrays are (feature, node, place)."""
    sums, squares = targets.cumsum(axis=2), (targets * targets).cumsum(axis=2)
    n = n[:, None]
    count = np.arange(1, values.shape[2])
    left = _spread(count, sums[..., :-1], squares[..., :-1])
    right = _spread(
        n - count, sums[..., -1:] - sums[..., :-1], squares[..., -1:] - squares[..., :-1]
    )
    allowed = (count >= least) & (n - count >= least)
    reduction = np.where(
        allowed & (values[..., 1:] > values[..., :-1]),
        deviation[:, None] - (left + right) / n,
        -np.inf,
    )
    best = reduction.max(axis=(0, 2))
    tied = reduction >= (best - ROUNDING * deviation)[:, None]
    feature, place = divmod(tied.swapaxes(0, 1).reshape(len(n), -1).argmax(axis=1), len(count))
    node = np.arange(len(n))
    cuts = _between(values[feature, node, place], values[feature, node, place + 1])
    found = best > -np.inf
    return np.where(found, feature, -1), np.where(found, cuts, np.nan)


def _spread(count: Integers, total: Floats, squares: Floats) -> Floats:
    """Number of cases times their standard deviation, from sums."""
    return np.asarray(np.sqrt(np.maximum(count * squares - total * total, 0.0)))


def _between(low: Floats, high: Floats) -> Floats:
    """The midpoint, or `low` where rounding would carry the midpoint up to `high`."""
    middle = low / 2 + high / 2
    return np.where((low <= middle) & (middle < high), middle, low)
