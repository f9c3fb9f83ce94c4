"""Numpy twins of the kernels that make a column of numbers, one from each row of counts."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rocwise.arrays import Amounts, Array, Counts, Floats, Mask
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.row_formulas import row_by_row, split_by_class


class _Called(NamedTuple):
    """Cases by class and decision at some thresholds, and all of each class."""

    tp: Amounts
    fp: Amounts
    fn: Amounts
    tn: Amounts
    pos: float
    neg: float


def threshold_measure(
    measure: str,
    tp: Amounts,
    fp: Amounts,
    n_pos: float,
    n_neg: float,
    *,
    out: Floats | None = None,
) -> Floats:
    """A measure of the decision at each threshold, from the cases of each class called positive.

    Nan stands for what is undefined, 0 / 0; Matthews' correlation is 0 there. The column is
    written to `out` if there is one.

    Examples
    --------
    >>> threshold_measure("ppv", np.array([1, 2]), np.array([0, 2]), 2, 3).tolist()
    [1.0, 0.5]
    >>> threshold_measure("npv", np.array([1, 2]), np.array([0, 3]), 2, 3).tolist()
    [0.75, nan]
    """
    formula = FORMULAS[measure]

    def of_some(hits: Amounts, alarms: Amounts) -> Floats:
        missed = _rest(n_pos, hits), _rest(n_neg, alarms)
        return formula(_Called(hits, alarms, *missed, n_pos, n_neg))

    return row_by_row(of_some, tp, fp, out=out)


def _rest(total: float, called: Amounts) -> Amounts:
    return np.maximum(total - called, 0)  # cumulated weights may miss their total


def over(top: Array, bottom: Array) -> Floats:
    """Top / bottom; infinite over 0, nan where it is 0 / 0."""
    quotient: Floats = np.where(top == 0, np.nan, np.inf)
    np.divide(top, bottom, out=quotient, where=bottom > 0)
    return quotient


def matthews(tp: Any, fp: Any, fn: Any, tn: Any) -> Floats:
    """Matthews' correlation, 0 where a margin is empty. Square roots first: no overflow."""
    tp, fp, fn, tn = (np.asarray(count, dtype=np.float64) for count in (tp, fp, fn, tn))
    scale = np.sqrt(tp + fp) * np.sqrt(tn + fn) * np.sqrt(tp + fn) * np.sqrt(tn + fp)
    value: Floats = np.zeros_like(scale)
    np.divide(tp * tn - fp * fn, scale, out=value, where=scale > 0)
    return value


FORMULAS: dict[str, Callable[[_Called], Floats]] = {
    "sensitivity": lambda some: np.asarray(some.tp / some.pos),
    "specificity": lambda some: np.asarray(some.tn / some.neg),
    "ppv": lambda some: np.asarray(some.tp / (some.tp + some.fp)),
    "npv": lambda some: over(some.tn, some.tn + some.fn),
    "accuracy": lambda some: np.asarray((some.tp + some.tn) / (some.pos + some.neg)),
    "balanced_accuracy": lambda some: np.asarray((some.tp / some.pos + some.tn / some.neg) / 2),
    "f1": lambda some: np.asarray(2 * some.tp / (2 * some.tp + some.fp + some.fn)),
    "mcc": lambda some: matthews(some.tp, some.fp, some.fn, some.tn),
    "youden": lambda some: np.asarray(some.tp / some.pos + some.tn / some.neg - 1),
    "lr_positive": lambda some: over(some.tp / some.pos, some.fp / some.neg),
    "lr_negative": lambda some: over(some.fn / some.pos, some.tn / some.neg),
}
MEASURES = tuple(FORMULAS)  # compiled code knows them by their number


def placement_influences(placements: Counts, mask: Mask) -> tuple[Floats, Floats, Floats]:
    """Areas of the models, and how much each positive and each negative moves them.

    `placements` has a row for each model, as `placements` makes it.

    Examples
    --------
    >>> areas, positives, negatives = placement_influences(
    ...     np.array([[0, 2, 2]]), np.array([0, 1, 0], np.uint8)
    ... )
    >>> areas.tolist(), positives.tolist(), negatives.tolist()
    ([0.5], [[0.0]], [[0.25, -0.25]])
    """
    of_positives, of_negatives = split_by_class(placements, mask)
    n_pos, n_neg = of_positives.shape[1], of_negatives.shape[1]
    areas = np.array([area_of(own, n_pos, n_neg) for own in of_positives.sum(axis=1).tolist()])
    positives = _centred(of_positives, 2.0 * n_neg, -areas)
    negatives = _centred(of_negatives, -2.0 * n_pos, 1.0 - areas)
    return areas, positives, negatives


def area_of(total: int, n_pos: int, n_neg: int) -> float:
    """The area from the sum of placements: integers until here, so that it is rounded once."""
    return total / (2 * n_pos * n_neg)


def _centred(placements: Counts, scale: float, shifts: Floats) -> Floats:
    """Placements as shares of the other class, less their mean, over the rows of their class.

    Those of negatives count positives below, not above: there `scale` is negative.
    """
    made = np.empty(placements.shape)
    rows = placements.shape[1]
    for own, shift, influence in zip(placements, shifts, made, strict=True):
        row_by_row(lambda some, by=shift: (some / scale + by) / rows, own, out=influence)
    return made


def chebyshev(x: Floats, coefficients: Floats, offset: float, scale: float) -> Floats:
    """Values of a sum of Chebyshev's polynomials of offset + scale * x, of degree 2 or more.

    Examples
    --------
    >>> chebyshev(np.array([0.0, 1.0]), np.array([1.0, 0.0, 2.0]), 0.0, 0.5).tolist()
    [-1.0, 0.0]
    """
    from numpy.polynomial.chebyshev import chebval

    refuse_nan(x, coefficients, offset, scale, what="the terms of a polynomial")
    if len(coefficients) < 3:
        raise ValueError("a polynomial needs three coefficients at least.")
    return np.asarray(chebval(offset + scale * x, coefficients))
