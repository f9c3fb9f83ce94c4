"""The share of cases within given tolerances, each with its confidence interval."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, count_of, listed
from rocwise.inference.proportions import METHODS, proportion_limits
from rocwise.regression.rec_curves.curves import RecCurve, checked_curve
from rocwise.results import Result, result


@result
class RecAccuracy(Result):
    """Share of cases within each tolerance, with an interval that holds at that one alone."""

    tolerance: Floats
    hits: Places
    accuracy: Floats
    lower: Floats
    upper: Floats
    n: int
    level: float
    method: str
    loss: str

    def _sentence(self) -> str:
        how = f"{printing.percent(self.level)} CI, {self.method}"
        shown = [
            f"{printing.rate(share, self.n)} within {limit:.4g} "
            f"({printing.rate(low, self.n)} to {printing.rate(high, self.n)})"
            for limit, share, low, high in zip(
                self.tolerance[:3], self.accuracy, self.lower, self.upper, strict=False
            )
        ]
        more = len(self.tolerance) - len(shown)
        further = f" and {more} more" if more > 0 else ""
        return f"{', '.join(shown)}{further}; {how}; {count_of(self.n, 'case')}"


def rec_accuracy(
    curve: RecCurve, tolerance: Any, *, level: float = 0.95, method: str = "wilson"
) -> RecAccuracy:
    """Share of cases whose loss is at most the tolerance, with its confidence interval.

    Parameters
    ----------
    curve : RecCurve
        From `rec`.
    tolerance : float or array
        Largest losses to forgive, in the units of the loss (squared ones for `loss="squared"`).
    level : float, default 0.95
        Confidence level of each interval, for independent cases.
    method : {"wilson", "clopper-pearson"}
        Wilson's interval is right on average, Clopper and Pearson's never too short.

    Returns
    -------
    RecAccuracy

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.rec([1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0])
    >>> rw.rec_accuracy(curve, 0.3)
    0.67 within 0.3 (0.30 to 0.90); 95 % CI, wilson; 6 cases
    """
    checked_curve(curve, "curve")
    checks.one_of(method, "method", METHODS)
    checks.fraction(level, "level")
    limits = checked_tolerances(tolerance)
    hits = curve.hits_at(limits)
    low, high = proportion_limits(hits.astype(np.float64), float(curve.n), level, method)
    return RecAccuracy(
        tolerance=limits,
        hits=hits,
        accuracy=hits / curve.n,
        lower=low,
        upper=high,
        n=curve.n,
        level=level,
        method=method,
        loss=curve.loss,
        origin=curve.origin,
    )


def checked_tolerances(tolerance: Any) -> Floats:
    """One or more tolerances as an array, refused if one is negative or not finite."""
    try:
        limits = np.atleast_1d(np.asarray(tolerance, dtype=np.float64))
    except (TypeError, ValueError):
        raise InputError(f"`tolerance` must hold numbers; got {tolerance!r}.") from None
    bad = ~(np.isfinite(limits) & (limits >= 0))
    if limits.ndim != 1 or not len(limits) or bad.any():
        wrong = listed(limits[bad]) if limits.ndim == 1 and bad.any() else repr(tolerance)
        raise InputError(f"`tolerance` must be finite and not negative; got {wrong}.")
    return limits
