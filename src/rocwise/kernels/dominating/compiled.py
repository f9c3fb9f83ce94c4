"""The count of pairs that two markers order the same way, with the compiled loop."""

import numpy as np

from rocwise.arrays import Ranks, Scores
from rocwise.kernels.compiled import _dominating
from rocwise.kernels.compiled.sorting import argsort
from rocwise.kernels.dominating.plain import dominance_queries
from rocwise.kernels.threads import heard, run_parts

ROWS_WORTH_A_THREAD = 20_000
LOOPS_PER_ROW = 16  # one for each bit of a place, each as long as a row of the other kernels


def dominance(x1: Scores, y1: Scores, x2: Scores, y2: Scores) -> int:
    """Compiled twin of `dominating.plain.dominance`.

    Examples
    --------
    >>> scores = np.array([0.1, 0.7]), np.array([0.5])
    >>> dominance(scores[0], scores[1], scores[0], scores[1])
    4
    """
    places, (low, high), lower, upper = dominance_queries(x1, y1, x2, y2, argsort)
    rows = x1.size + y1.size

    def counted(taken: Ranks) -> int:
        return heard(
            _dominating.count_below, places, taken, lower, upper, rows=LOOPS_PER_ROW * rows
        )

    if np.array_equal(low, high):  # no ties by the first marker: both counts are the same
        return 2 * counted(low)
    if rows > ROWS_WORTH_A_THREAD:
        return sum(run_parts(counted, [(low,), (high,)]))
    return counted(low) + counted(high)
