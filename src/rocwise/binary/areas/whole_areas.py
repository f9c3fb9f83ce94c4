"""The whole area and what every case adds to it: no more than sums and amounts at each score.

A positive wins against the negatives below it and half of those beside it, and a negative loses to
the positives above it and half of those beside it; less the area these are their influences, whose
variances DeLong's formula adds. Parts of the area need the shape of the curve: see `curves.parts`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Floats
from rocwise.data.tally import Tally
from rocwise.kernels.row_formulas import row_by_row, sums_of_rows

ROUNDING = 1e-14  # influences below this are rounding errors of rates, not spread


def whole_area(data: Tally) -> float:
    """The area: without weights the fraction 2U / (2PN), correctly rounded."""
    if data.weighted:
        return data.remembered("weighted area", lambda: _weighted_area(data))
    sums = data.placement_sums
    return sums.sum_u / (2 * sums.n_pos * sums.n_neg)


def area_of_curve(data: Tally) -> float:
    """The area of a tally whose curve is needed anyway: its rows are not merged again for it.

    >>> area_of_curve(Tally.from_sorted([1.0, 2.0], [2.0, 3.0]))
    0.875
    """
    if data.weighted or data.oriented_classes is None:
        return whole_area(data)
    pairs = int(data.n_pos) * int(data.n_neg)
    return data.remembered(
        "area of the curve", lambda: kernels.doubled_area(data.tp, data.fp) / (2 * pairs)
    )


def _weighted_area(data: Tally) -> float:
    n_neg = data.n_neg

    def add(pos: Amounts, neg: Amounts, fp: Amounts) -> tuple[float]:
        return (kernels.dot(pos, n_neg - fp + neg / 2),)

    (won,) = sums_of_rows(add, data.pos, data.neg, data.fp)
    return min(max(won / (data.n_pos * n_neg), 0.0), 1.0)  # rounding may leave the range by a bit


def whole_influences(data: Tally) -> tuple[Floats, Floats]:
    """Influence of a positive and of a negative at each score on the whole area."""
    of_positives, of_negatives = _formulas(data)
    return (
        row_by_row(of_positives, data.fp, data.neg),
        row_by_row(of_negatives, data.tp, data.pos),
    )


def whole_spreads(data: Tally) -> tuple[float, float]:
    """Squared influences times squared weights, summed over positives and over negatives."""
    squares = data.squares
    assert squares is not None
    of_positives, of_negatives = _formulas(data)

    def add(*columns: Amounts) -> tuple[float, float]:
        pos, neg, tp, fp, held_pos, held_neg = columns
        return (
            kernels.dot(squares.of_rows(held_pos), np.square(of_positives(fp, neg))),
            kernels.dot(squares.of_rows(held_neg), np.square(of_negatives(tp, pos))),
        )

    columns = data.pos, data.neg, data.tp, data.fp, *squares.given
    positives, negatives = sums_of_rows(add, *columns)
    return positives, negatives


def _formulas(data: Tally) -> tuple[Callable[..., Floats], Callable[..., Floats]]:
    """The two influences, from the sum up to a score and the amount at it of the other class."""
    area, n_pos, n_neg = whole_area(data), data.n_pos, data.n_neg
    influences = kernels.whole_influences
    return (
        lambda fp, neg: influences(fp, neg, n_neg, area, ROUNDING, beyond=True),
        lambda tp, pos: influences(tp, pos, n_pos, area, ROUNDING, beyond=False),
    )
