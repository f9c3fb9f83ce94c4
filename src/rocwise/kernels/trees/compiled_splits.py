"""The best questions of the nodes of a tree, with the compiled loop."""

import numpy as np

from rocwise.arrays import Flags, Floats, Integers
from rocwise.kernels.compiled import _splitting
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.threads import heard, run_parts, thread_limit
from rocwise.kernels.trees.batches import LOOPS_PER_CELL, runs_of_nodes
from rocwise.kernels.trees.plain_splits import ROUNDING, division, smallest_to_split


def best_splits(
    columns: Floats, y: Floats, orders: Integers, bounds: Integers, flat: float, least: int
) -> tuple[Integers, Floats]:
    """Compiled twin of `plain_splits.best_splits`.

    Examples
    --------
    >>> y, orders = np.array([0.0, 0.0, 5.0, 5.0]), np.array([[0, 1, 2, 3], [0, 1, 2, 3]])
    >>> features, cuts = best_splits(np.arange(4.0)[None], y, orders, np.array([0, 4]), 0.0, 2)
    >>> features.tolist(), cuts.tolist()
    ([0], [1.5])
    """
    refuse_nan(columns, y, flat, what="the columns or the target")
    columns = np.ascontiguousarray(columns, np.float64)
    y = np.ascontiguousarray(y, np.float64)
    orders = np.ascontiguousarray(orders, np.int64)
    bounds = np.ascontiguousarray(bounds, np.int64)
    features, cuts = np.empty(len(bounds) - 1, np.int64), np.full(len(bounds) - 1, np.nan)

    def split(first: int, last: int) -> None:
        told = columns, y, orders, bounds, first, last, smallest_to_split(least), least, flat
        rows = LOOPS_PER_CELL * len(columns) * int(bounds[last] - bounds[first])
        heard(_splitting.split, *told, ROUNDING, features, cuts, rows=rows)

    run_parts(split, runs_of_nodes(bounds, thread_limit()))
    return features, cuts


def divided(
    orders: Integers, bounds: Integers, features: Integers, is_below: Flags
) -> tuple[Integers, Integers]:
    """Compiled twin of `plain_splits.divided`.

    Examples
    --------
    >>> orders, below = np.array([[2, 0, 1], [0, 1, 2]]), np.array([False, True, True])
    >>> rows, bounds = divided(orders, np.array([0, 3]), np.array([0]), below)
    >>> rows.tolist(), bounds.tolist()
    ([[2, 1, 0], [1, 2, 0]], [0, 2, 3])
    """
    orders, bounds, features = (
        np.ascontiguousarray(places, np.int64) for places in (orders, bounds, features)
    )
    _, ends = division(orders, bounds, features, is_below)
    found = np.empty((len(orders), ends[-1]), np.int64)
    is_below = np.ascontiguousarray(is_below, np.bool_)
    told = orders, bounds, features, is_below, ends[1:], found
    heard(_splitting.divide, *told, rows=orders.size)
    return found, ends
