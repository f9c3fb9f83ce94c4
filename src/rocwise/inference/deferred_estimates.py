"""Measures of several classes whose standard error and interval are made when asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rocwise import printing
from rocwise.inference.effective_sizes import (
    sized_area,
    symmetric_limits_hold,
    wilson_interval,
)
from rocwise.inference.interval_limits import (
    LIMIT_NAMES,
    hoeffding_limits,
    logit_interval,
    wald_interval,
)
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Result, result


@dataclass(frozen=True, slots=True)
class IntervalPlan:
    """How standard error and interval are to be made, once somebody asks for them."""

    method: str
    level: float
    n_resamples: int
    seed: int | None
    progress: bool | Report | None = None


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
    value: float, error: float, plan: IntervalPlan, method_words: str, *, smallest_class: float
) -> tuple[float, Interval]:
    """Standard error and interval by the normal distribution, plain or on the logit scale.

    "auto" is plain where that holds, else Wilson's interval with an effective size: a measure
    varies no more than a share of as many independent chains as the smallest class has rows.
    Where the sample shows no spread (all chains in order), Hoeffding's bound stands in: a measure
    is an average of means of as many independent chains as the smallest class has rows.
    """
    level = plan.level
    if error <= 1e-12:  # rounding of shares is no spread
        low, high = hoeffding_limits(value, smallest_class, level)
        return 0.0, Interval(low, high, level, LIMIT_NAMES["hoeffding"])
    if plan.method == "auto" and not symmetric_limits_hold(value, smallest_class):
        area = sized_area(value, error**2, [(error**2, smallest_class)], smallest_class)
        return error, wilson_interval(area, level)
    if plan.method == "logit" and 0.0 < value < 1.0:
        return error, logit_interval(value, error, level)
    return error, wald_interval(value, error, level, method_words, (0.0, 1.0))
