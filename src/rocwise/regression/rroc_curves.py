"""RROC curves: how much a model overestimates and underestimates when its forecasts are shifted.

J. Hernández-Orallo, "ROC curves for regression", Pattern Recognition 46 (2013).
"""

import math
from typing import Any, ClassVar

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, count_of, ends_traceback
from rocwise.inputs.coercion import Missing
from rocwise.inputs.forecasts import forecast_rows
from rocwise.results import Result, result


@result
class RrocCurve(Result):
    """Total over- and underestimation for every shift of the forecasts; straight between points.

    Adding `shift[k]` to every forecast gives the total overestimation `over[k]` (at least 0) and
    underestimation `under[k]` (at most 0). `aoc`, the area between the curve and the corner
    (0, 0), is n² / 2 times the variance of the errors. `over_now` and `under_now` are without a
    shift; `bias` is the mean of forecast minus truth.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("shift", "over", "under")
    shift: Floats
    over: Floats
    under: Floats
    aoc: float
    error_variance: float
    bias: float
    over_now: float
    under_now: float
    n: int

    def best_shift(self, *, over: float, under: float) -> float:
        """What to add to every forecast when a unit too much costs `over`, one too little `under`.

        It is minus a quantile of the errors; where an interval of shifts is equally good, its
        smallest end is given.
        """
        costs = checks.not_negative(over, "over"), checks.not_negative(under, "under")
        if min(costs) == 0.0:
            raise InputError(
                "`over` and `under` must both be greater than 0: with a free error the best shift "
                "has no limit."
            )
        return float(self.shift[int(np.argmin(self.cost_of(*costs)))])

    def cost_of(self, over: float, under: float) -> Floats:
        """Total cost at each of the points of the curve."""
        over, under = checks.not_negative(over, "over"), checks.not_negative(under, "under")
        with np.errstate(over="ignore"):
            costs = over * self.over - under * self.under
        if not np.isfinite(costs).all():
            raise InputError("`over` and `under` are too large for errors of this size.")
        return costs

    def _sentence(self) -> str:
        return (
            f"RROC: over {self.over_now:.4g}, under {self.under_now:.4g}, bias {self.bias:.4g}; "
            f"area over the curve {self.aoc:.4g} (error variance {self.error_variance:.4g}); "
            f"{count_of(self.n, 'case')}"
        )


@ends_traceback
def rroc(y_true: Any, y_pred: Any, *, missing: Missing = "raise") -> RrocCurve:
    """Compute the RROC curve: total over- and underestimation for every shift of the predictions.

    Parameters
    ----------
    y_true : array-like
        Targets.
    y_pred : array-like
        Predictions.
    missing : {"raise", "drop"}, default "raise"
        What to do with rows with a missing value.

    Returns
    -------
    RrocCurve
        Result with `shift`, `over`, `under`, `aoc` (n^2 / 2 times the variance of the errors [1]_)
        and the method ``best_shift(over=, under=)``.

    See Also
    --------
    regression.rec : REC curve.
    regression.compare : Comparison of regression models.

    References
    ----------
    .. [1] J. Hernández-Orallo, "ROC curves for regression", Pattern Recognit. 46, 2013.
           doi:10.1016/j.patcog.2013.06.014

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.regression.rroc([1, 2, 3], [2, 2, 5])
    >>> curve.over.tolist(), curve.under.tolist()
    ([0.0, 1.0, 3.0], [-3.0, -1.0, 0.0])
    >>> ax = curve.plot()
    """
    found = forecast_rows(y_true, {"y_pred": y_pred}, missing=missing)
    errors = _sorted_errors(found.y_true, found.predictions["y_pred"])
    n = len(errors)
    over_now, under_now = (math.fsum(errors[side].tolist()) for side in (errors > 0, errors < 0))
    bias = math.fsum(errors.tolist()) / n
    descending = errors[::-1] - bias  # shifts ascend as errors descend
    variance = math.fsum((descending**2).tolist()) / n
    over, under = _totals(descending)
    return RrocCurve(
        shift=0.0 - errors[::-1],  # an error of 0 needs a shift of 0, not of -0
        over=over,
        under=under,
        aoc=variance * n * n / 2,
        error_variance=variance,
        bias=bias,
        over_now=over_now,
        under_now=under_now,
        n=n,
        origin=found.origin,
    )


def _sorted_errors(y_true: Floats, y_pred: Floats) -> Floats:
    """Forecast minus truth, ascending, where the sum of squares is a float."""
    with np.errstate(over="ignore"):
        errors = np.sort(y_pred - y_true)
        squares = float(np.square(float(np.abs(errors).max()) * len(errors)))
    if not math.isfinite(squares):
        raise InputError(
            "The errors are too large: their squares leave the range of floating-point numbers. "
            "Divide `y_true` and `y_pred` by one number first."
        )
    return errors


def _totals(descending: Floats) -> tuple[Floats, Floats]:
    """At the shift that makes error k zero: the sum of the positive and of the negative rest.

    With the errors in descending order, those before k are larger and those behind it smaller.
    """
    n = len(descending)
    larger = np.arange(n)
    before = np.concatenate([[0.0], np.cumsum(descending[:-1])])
    behind = np.concatenate([np.cumsum(descending[:0:-1])[::-1], [0.0]])
    over = np.maximum(before - larger * descending, 0.0)
    return over, np.minimum(behind - (n - 1 - larger) * descending, 0.0)
