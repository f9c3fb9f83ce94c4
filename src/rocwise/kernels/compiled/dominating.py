"""The count of pairs that two markers order the same way, with the compiled loop."""

import numpy as np

from rocwise.arrays import Scores
from rocwise.kernels.compiled import _dominating
from rocwise.kernels.compiled.sorting import argsort
from rocwise.kernels.plain.dominating import dominance_queries
from rocwise.kernels.threads import run_parts

ROWS_WORTH_A_THREAD = 20_000


def dominance(x1: Scores, y1: Scores, x2: Scores, y2: Scores) -> int:
    """Compiled twin of `plain_dominating.dominance`.

    Examples
    --------
    >>> scores = np.array([0.1, 0.7]), np.array([0.5])
    >>> dominance(scores[0], scores[1], scores[0], scores[1])
    4
    """
    places, (low, high), lower, upper = dominance_queries(x1, y1, x2, y2, argsort)
    if np.array_equal(low, high):  # no ties by the first marker: both counts are the same
        return 2 * _dominating.count_below(places, low, lower, upper)
    parts = [(places, taken, lower, upper) for taken in (low, high)]
    if x1.size + y1.size > ROWS_WORTH_A_THREAD:
        return sum(run_parts(_dominating.count_below, parts))
    return sum(_dominating.count_below(*part) for part in parts)
