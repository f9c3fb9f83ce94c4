"""Linear models that lose columns, with the compiled loop."""

import numpy as np

from rocwise.arrays import Floats, Integers
from rocwise.kernels.compiled import _eliminating
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.threads import heard, run_parts, thread_limit
from rocwise.kernels.trees.batches import LOOPS_PER_CELL, runs_of_nodes
from rocwise.kernels.trees.plain_models import APART, MOST_GROWTH, ROUNDING, NodeModels


def eliminated(
    X: Floats, y: Floats, rows: Integers, bounds: Integers, nodes: Integers, columns: Integers
) -> NodeModels:
    """Compiled twin of `plain_models.eliminated`, but for rounding.

    Examples
    --------
    >>> X, rows = np.array([[0.0], [1.0], [2.0], [4.0]]), np.arange(4)
    >>> one = np.zeros((1, 1), np.int64)
    >>> found = eliminated(X, 1 + 2 * X[:, 0], rows, np.array([0, 4]), one[0], one)
    >>> found.intercepts.round(9).tolist(), found.coefficients.round(9).tolist()
    ([1.0], [[2.0]])
    """
    refuse_nan(X, y, what="the columns or the target")
    found = NodeModels.empty(len(nodes), X.shape[1])
    X, y = np.ascontiguousarray(X, np.float64), np.ascontiguousarray(y, np.float64)
    rows, bounds, nodes, columns = (
        np.ascontiguousarray(places, np.int64) for places in (rows, bounds, nodes, columns)
    )
    limits = ROUNDING, APART, MOST_GROWTH

    def eliminate(first: int, last: int) -> None:
        told = X, y, rows, bounds, nodes, columns, first, last, limits
        cells = int(ends[last] - ends[first]) * (columns.shape[1] + 1)
        heard(_eliminating.eliminate, *told, *found, rows=LOOPS_PER_CELL * cells)

    ends = np.concatenate([[0], np.cumsum(bounds[nodes + 1] - bounds[nodes])])
    run_parts(eliminate, runs_of_nodes(ends, thread_limit()))
    return found
