"""The duality of ROC points and cost lines: a point here is a line there, both ways."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.errors import InputError, count_of, shown
from rocwise.results import Result, result


@result
class CostLines(Result):
    """The cost lines of ROC points: line k runs from `at_zero[k]` to `at_one[k]`.

    `at_zero` is the cost where only false alarms cost (probability cost 0), which is `fpr`;
    `at_one` that where only misses do, which is 1 - `tpr`. `thresholds` is None for points that
    were given as rates.
    """

    fpr: Floats
    tpr: Floats
    at_zero: Floats
    at_one: Floats
    thresholds: Array | None = None

    def at(self, probability_cost: ArrayLike) -> Floats:
        """Costs at these probability costs: one row per line."""
        places = checked_places(probability_cost)
        return np.asarray(np.multiply.outer(self.at_zero, 1 - places)) + np.multiply.outer(
            self.at_one, places
        )

    def _sentence(self) -> str:
        return f"{count_of(len(self.fpr), 'cost line')}, one for each ROC point"


def cost_lines(fpr: ArrayLike, tpr: ArrayLike) -> CostLines:
    """The cost line of each ROC point: from (0, fpr) to (1, 1 - tpr).

    Parameters
    ----------
    fpr, tpr : float or sequence of float
        ROC points; (0, 0) is "always negative", (1, 1) "always positive".

    Returns
    -------
    CostLines
        With `at_zero`, `at_one` and `at(probability_cost)`; `roc_points` leads back.

    Examples
    --------
    >>> from rocwise.binary.costs import cost_lines
    >>> line = cost_lines(0.2, 0.7)
    >>> line.at_zero.tolist(), line.at_one.round(6).tolist()
    ([0.2], [0.3])
    >>> line.at(0.5).round(6).tolist()
    [0.25]
    """
    alarms, hits = _rates(fpr, tpr, ("fpr", "tpr"))
    return CostLines(fpr=alarms, tpr=hits, at_zero=alarms, at_one=1 - hits)


def roc_points(at_zero: ArrayLike, at_one: ArrayLike) -> tuple[Floats, Floats]:
    """The ROC points of cost lines, given by their costs at probability cost 0 and 1.

    Parameters
    ----------
    at_zero, at_one : float or sequence of float
        Where each line starts and ends.

    Returns
    -------
    tuple of ndarray
        `fpr` and `tpr`.

    Examples
    --------
    >>> from rocwise.binary.costs import roc_points
    >>> fpr, tpr = roc_points(0.2, 0.3)
    >>> fpr.tolist(), tpr.tolist()
    ([0.2], [0.7])
    """
    start, end = _rates(at_zero, at_one, ("at_zero", "at_one"))
    return start, 1 - end


def _rates(first: ArrayLike, second: ArrayLike, names: tuple[str, str]) -> tuple[Floats, Floats]:
    columns = []
    for values, argument in zip((first, second), names, strict=True):
        try:
            column = np.atleast_1d(np.array(values, dtype=np.float64))
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"`{argument}` must hold numbers from 0 to 1; got {shown(values)}."
            ) from None
        wrong = np.flatnonzero(~((column >= 0) & (column <= 1)))
        if column.ndim != 1 or len(wrong):
            what = f"the shape {column.shape}" if column.ndim != 1 else f"{column[wrong[0]]:g}"
            raise InputError(f"`{argument}` must hold numbers from 0 to 1; got {what}.")
        columns.append(column)
    if not len(columns[0]) and not len(columns[1]):
        raise InputError(f"`{names[0]}` and `{names[1]}` are empty; at least one is needed.")
    if len(columns[0]) != len(columns[1]):
        raise InputError(
            f"`{names[0]}` and `{names[1]}` must have one length; got "
            f"{printing.count(len(columns[0]))} and {printing.count(len(columns[1]))}."
        )
    return columns[0], columns[1]


def checked_places(probability_cost: ArrayLike) -> Floats:
    """Probability costs from 0 to 1."""
    places = checks.numbers(probability_cost, "probability_cost")
    outside = ~((places >= 0) & (places <= 1))
    if outside.any():
        wrong = float(places[outside].ravel()[0])
        raise InputError(f"`probability_cost` must lie between 0 and 1; got {wrong:g}.")
    return places
