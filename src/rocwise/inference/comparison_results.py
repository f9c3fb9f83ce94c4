"""What a comparison of curves answers."""

from __future__ import annotations

import math
from typing import Any

from rocwise import printing
from rocwise.results import Interval, Result, Table, result


@result
class ModelComparison(Result):
    """Two or more models compared, by whatever measure; subclasses say how.

    `difference` is the first minus the second. For more than two models it is None, and `pairwise`
    has one row for each pair. `intervals` are those of the estimates, where they are made.
    """

    estimates: dict[str, float]
    difference: float | None
    standard_error: float | None
    interval: Interval | None
    statistic: float | None
    p_value: float | None
    method: str
    quantity: str
    pairwise: Table | None = None
    intervals: dict[str, Interval] | None = None
    seed: int | None = None

    def _columns(self) -> dict[str, Any]:
        """All pairs; two models are one pair."""
        if self.pairwise is not None:
            return dict(self.pairwise)
        first, second = self.estimates
        return {
            "first": [first],
            "second": [second],
            "difference": [self.difference],
            "standard_error": [self.standard_error],
            "low": [self.interval.low if self.interval else None],
            "high": [self.interval.high if self.interval else None],
            "statistic": [self.statistic],
            "p_value": [self.p_value],
        }


@result
class Comparison(ModelComparison):
    """Two or more models compared: estimates, difference with interval, statistic and p value.

    For more than two models `statistic`, `df` (and `df_denominator` of an F) and `p_value` are of
    the joint test that all are equal. `pairwise` then has one row per pair: `low` and `high` hold
    for that pair alone, `p_adjusted` (Holm's), `low_adjusted` and `high_adjusted` (Bonferroni's)
    for all pairs at once.
    """

    statistic: float
    p_value: float
    quantity: str = "AUC"
    alternative: str = "two-sided"
    df: float | None = None
    df_denominator: float | None = None
    level: float = 0.95
    margin: float | None = None

    @property
    def digits(self) -> int:
        """Decimals of the estimates: three, and for small ones (parts of areas) as many digits."""
        largest = max(map(abs, self.estimates.values()))
        return 3 if not 0 < largest < 0.1 else 2 - math.floor(math.log10(largest))

    def _sentence(self) -> str:
        digits = self.digits
        shown = [f"{name} {value:.{digits}f}" for name, value in self.estimates.items()]
        p = printing.p_value(self.p_value)
        if self.difference is None:
            return f"{self.quantity} of {', '.join(shown)}; all equal: {p} ({self.method})"
        interval = ""
        if self.interval is not None:
            level = printing.percent(self.interval.level)
            low, high = (f"{limit:.{digits}f}" for limit in self.interval)
            interval = f" ({level} CI {low} to {high})"
        spread = ""
        known = self.interval is not None and self.interval.low < self.interval.high
        if self.standard_error == 0.0 and not known:
            spread = "; this sample shows no spread of the difference, so p and interval say little"
        claim = "" if self.alternative == "two-sided" else f" for {self._claim()}"
        return (
            f"{self.quantity} {shown[0]} against {shown[1]}: difference "
            f"{self.difference:.{digits}f}{interval}, {p}{claim} ({self.method}){spread}"
        )

    def _claim(self) -> str:
        margin = "" if self.margin is None else f" within {self.margin:g}"
        return f"'{self.alternative}'{margin}"
