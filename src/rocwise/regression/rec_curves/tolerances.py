"""The share of cases within given tolerances, each with its confidence interval."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, count_of, listed, shown
from rocwise.inference.proportions import METHODS, ProportionMethod, proportion_limits
from rocwise.results import Origin, Result, result


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


def accuracy_within(
    limits: Floats,
    hits: Places,
    n: int,
    *,
    shares: Floats,
    weights: Floats | None,
    level: float,
    method: ProportionMethod,
    loss: str,
    origin: Origin,
) -> RecAccuracy:
    """The shares of n cases that lie within each tolerance, and their intervals.

    Of weighted rows the interval is that of as many equal rows as they are worth: Kish's
    effective number.
    """
    checks.one_of(method, "method", METHODS)
    level = checks.level(level)
    size, how = float(n), str(method)
    if weights is not None:
        size = float(weights.sum()) ** 2 / kernels.dot(weights, weights)
        how = f"{method} with the effective number {size:.4g} of weighted rows"
    low, high = proportion_limits(shares * size, size, level, method)
    return RecAccuracy(
        tolerance=limits,
        hits=hits,
        accuracy=shares,
        lower=low,
        upper=high,
        n=n,
        level=level,
        method=how,
        loss=loss,
        origin=origin,
    )


def checked_tolerances(tolerance: Any) -> Floats:
    """One or more tolerances as an array, refused if one is negative or not finite."""
    limits = np.atleast_1d(checks.numbers(tolerance, "tolerance"))
    bad = ~(np.isfinite(limits) & (limits >= 0))
    if limits.ndim != 1 or not len(limits) or bad.any():
        wrong = listed(limits[bad]) if limits.ndim == 1 and bad.any() else shown(tolerance)
        raise InputError(f"`tolerance` must be finite and not negative; got {wrong}.")
    return limits
