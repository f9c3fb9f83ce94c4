"""Numpy twin of what writes values of scores to the rows that have them."""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats, Mask, Scores
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.swaps.plain import refuse_other_labels


class ByScore(NamedTuple):
    """Values of the cases of a class: one for each score of a span, and one on either side.

    Attributes
    ----------
    within : ndarray
        At each distinct score of the span, from the highest down.
    above, below : float
        At all scores above the span, and at all below it.

    Examples
    --------
    >>> ByScore(np.array([0.5]), 1.0, 0.0).above
    1.0
    """

    within: Floats
    above: float
    below: float


def values_by_class(
    mask: Mask,
    scores: Scores,
    span: tuple[float, float],
    negatives: ByScore,
    positives: ByScore,
    out: tuple[Floats, Floats],
) -> None:
    """Write the value of every row, by its class and score: first of negatives, then of positives.

    The rows of either class keep their order. `span` is the lowest and the highest score that has
    a value of its own.

    Examples
    --------
    >>> mask, scores = np.array([1, 0, 0, 1], np.uint8), np.array([0.9, 0.4, 0.1, 0.4])
    >>> out = np.empty(2), np.empty(2)
    >>> of_class = ByScore(np.array([0.5]), 1.0, 0.0), ByScore(np.array([5.0]), 6.0, 4.0)
    >>> values_by_class(mask, scores, (0.4, 0.4), *of_class, out)
    >>> out[0].tolist(), out[1].tolist()
    ([0.5, 0.0], [6.0, 5.0])
    """
    check_places(mask, scores, out)
    refuse_nan(scores)
    lowest, highest = span
    near = (scores >= lowest) & (scores <= highest)
    distinct = np.unique(scores[near])
    for label, of_class in enumerate((negatives, positives)):
        check_scores(len(distinct), of_class)
        values = np.where(scores > highest, of_class.above, of_class.below)
        values[near] = of_class.within[::-1][np.searchsorted(distinct, scores[near])]
        out[label][:] = values[mask == label]


def check_places(mask: Mask, scores: Scores, out: tuple[Floats, Floats]) -> None:
    """Refuse arrays that do not fit the rows."""
    refuse_other_labels(mask)
    n_pos = int(np.count_nonzero(mask))
    sizes = [len(values) for values in out]
    if mask.shape != scores.shape or sizes != [mask.size - n_pos, n_pos]:
        raise ValueError(
            f"there must be room for {mask.size - n_pos} negatives, {n_pos} positives."
        )
    if any(values.dtype != np.float64 or not values.flags.c_contiguous for values in out):
        raise ValueError("values are written to rows of float64 that lie next to each other.")


def check_scores(number: int, of_class: ByScore) -> None:
    """Refuse values that are not as many as the scores of the span."""
    if len(of_class.within) != number:
        raise ValueError(f"the span has {number} scores, but {len(of_class.within)} values.")
