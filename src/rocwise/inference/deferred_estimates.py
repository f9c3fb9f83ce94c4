"""Measures of several classes whose standard error and interval are made when asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rocwise import printing
from rocwise.inference.class_spreads import SpreadByClass
from rocwise.inference.intervals.effective_sizes import (
    symmetric_limits_hold,
    wilson_interval,
)
from rocwise.inference.intervals.interval_limits import (
    LIMIT_NAMES,
    hoeffding_limits,
    logit_interval,
    newcombe_limits,
    wald_interval,
)
from rocwise.kernels.threads import chosen_threads, limited_to
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Result, result

NO_SPREAD = 1e-12  # standard errors below this are rounding of shares


@dataclass(frozen=True, slots=True)
class IntervalPlan:
    """How standard error and interval are to be made, once somebody asks for them."""

    method: str
    level: float
    n_resamples: int
    seed: int | None
    progress: bool | Report | None = None
    threads: int | None = field(default_factory=chosen_threads)  # as where it was asked for


@result
class DeferredEstimate(Result):
    """A measure that may have no standard error; subclasses say what it is of."""

    value: float
    level: float
    _plan: IntervalPlan = field(metadata=ASIDE)

    def __float__(self) -> float:
        return self.value

    def _made(self) -> tuple[float, Interval]:
        """Standard error and interval, by the plan."""
        raise NotImplementedError

    @cached_property
    def _error_and_interval(self) -> tuple[float, Interval]:
        with limited_to(self._plan.threads):
            made = self._made()
        self._note_interruption()
        return made

    @property
    def standard_error(self) -> float:
        """Standard error; refused when a class has one row."""
        return self._error_and_interval[0]

    @property
    def interval(self) -> Interval:
        """Confidence interval; refused when a class has one row."""
        return self._error_and_interval[1]

    @property
    def has_interval(self) -> bool:
        """Whether every class has the two rows that a standard error needs."""
        raise NotImplementedError

    def _spread_words(self, n: int) -> str:
        """The interval of a measure of `n` rows, for a sentence."""
        if not self.has_interval:
            return "no interval: a class has one row"
        return (
            f"{printing.percent(self.level)} CI {printing.rate(self.interval.low, n)} to "
            f"{printing.rate(self.interval.high, n)}, {self.interval.method}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-safe values; standard error and interval are null where undefined."""
        known = self.has_interval
        spread = {  # made first: it may say in `origin` that it was interrupted
            "standard_error": self.standard_error if known else None,
            "interval": self.interval.to_dict() if known else None,
        }
        return super().to_dict() | spread


def with_limits(
    value: float, spread: SpreadByClass, plan: IntervalPlan, name: str, *, clustered: bool
) -> tuple[float, Interval]:
    """Standard error and interval; that of clustered rows says that it is robust."""
    error = math.sqrt(spread.variance) if spread.variance > NO_SPREAD**2 else 0.0
    interval = _limits(value, error, spread, plan, name)
    if clustered:
        interval = replace(interval, method=f"cluster-robust {interval.method}")
    return error, interval


def _limits(
    value: float, error: float, spread: SpreadByClass, plan: IntervalPlan, name: str
) -> Interval:
    """Limits by the normal distribution, plain or on the logit scale.

    "auto" is plain where that holds, else Wilson's interval with an effective size, see
    `SpreadByClass.as_share`. For two classes that is what `auc` does.
    Where the sample shows no spread another bound stands in, see `_without_spread`.
    """
    level, smallest = plan.level, spread.smallest
    if plan.method == "auto" and not symmetric_limits_hold(value, smallest):
        return wilson_interval(spread._replace(variance=error**2).as_share(value), level)
    if error == 0.0:
        return _without_spread(value, spread, level)
    if plan.method == "logit" and 0.0 < value < 1.0:
        return logit_interval(value, error, level)
    return wald_interval(value, error, level, name, (0.0, 1.0))


def _without_spread(value: float, spread: SpreadByClass, level: float) -> Interval:
    """Newcombe's score limits for two classes, and for more Hoeffding's bound.

    A measure is an average of means of as many independent chains as the smallest class has rows.
    """
    if len(spread.sizes) == 2:
        limits = newcombe_limits(value, spread.sizes[0], spread.sizes[1], level)
        return Interval(*limits, level, LIMIT_NAMES["score"])
    limits = hoeffding_limits(value, spread.smallest, level)
    return Interval(*limits, level, LIMIT_NAMES["hoeffding"])
