"""What a statistic tells the kernels, so that compiled code can read it off resampled counts."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Amounts, Codes, Counts, Floats, Scores

Formula = Callable[[Amounts, Amounts], Floats]  # numbers from counts per score, a line each
Choice = Callable[[Floats, Floats], Counts]  # places of thresholds from true and false positives
# What compiled code knows by their number here: measures of thresholds, and limits of rules.
MEASURES = (
    "sensitivity",
    "specificity",
    "cost",
    "youden",
    "ameans",
    "closest",
    "product",
    "equal",
    "maximin",
    "minimax",
    "accuracy",
    "f-beta",
    "mcc",
    "kappa",
    "odds-ratio",
    "chi-square",
    "predictive-sum",
    "predictive-product",
    "predictive-closest",
    "predictive-equal",
    "predictive-maximin",
    "prevalence",
)
LIMITS = (
    "",
    "min-sensitivity",
    "min-specificity",
    "min-precision",
    "min-npv",
    "max-alarms",
    "min-lr-positive",
    "max-lr-negative",
)


class Reader(NamedTuple):
    """A compiled reader and what it is told; the numpy formula of the statistic is its twin.

    Attributes
    ----------
    kind : str
        Name of the reader: "part", "height", "youden", ...
    numbers : ndarray
        What the reader is told, as it expects it.
    scores : ndarray or None
        The distinct scores from the highest down, for readers that look at them.
    width : int
        How many numbers it reads off a curve.
    finished : callable or None
        From what was read, (lines, width), to what the formula gives; None: the one number.

    Examples
    --------
    >>> Reader("height", np.array([0.0, 0.1])).width
    1
    """

    kind: str
    numbers: Floats
    scores: Floats | None = None
    width: int = 1
    finished: Callable[[Floats], Floats] | None = None

    def answer(self, read: Floats) -> Floats:
        """What the formula of the statistic would give."""
        return read[:, 0] if self.finished is None else self.finished(read)


class Order(NamedTuple):
    """Rows of one model from its highest score down, and the last row of each score.

    A row is twice its number within its class, plus 1 if it is positive.
    """

    codes: NDArray[np.uint32]
    ends: Codes


def order_of(mask: Codes, scores: Scores, argsort: Callable[[Scores], Counts]) -> Order:
    """The order of one model.

    Examples
    --------
    >>> order = order_of(np.array([0, 1, 1], np.uint8), np.array([5.0, 5.0, 7.0]), np.argsort)
    >>> order.codes.tolist(), order.ends.tolist()
    ([3, 1, 0], [1, 0, 1])
    """
    falling = argsort(scores)[::-1]
    codes = np.empty(mask.size, np.uint32)
    for kind in (0, 1):
        own = mask == kind
        codes[own] = np.arange(kind, 2 * np.count_nonzero(own), 2, dtype=np.uint32)
    ranked = scores[falling]
    ends = np.append(ranked[1:] != ranked[:-1], True)
    return Order(codes[falling], ends.view(np.uint8))
