"""Intervals of thresholds, whose ends are written as thresholds are everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from rocwise import printing
from rocwise.data.tally import Tally
from rocwise.results import Interval


@dataclass(frozen=True, slots=True, repr=False)
class ThresholdInterval(Interval):
    """An interval of a threshold; `low_text` and `high_text` recount as `low` and `high` do.

    Examples
    --------
    >>> ThresholdInterval(0.123456, 0.2, 0.95, "bootstrap percentile", None, "0.1234", "0.2")
    0.1234 to 0.2 (95 % CI, bootstrap percentile)
    """

    low_text: str = ""
    high_text: str = ""

    def __repr__(self) -> str:
        how = f", {self.method}" if self.method else ""
        return f"{self.ends} ({printing.percent(self.level)} CI{how})"

    @property
    def ends(self) -> str:
        """Both ends in words."""
        return f"{self.low_text} to {self.high_text}"


def of_thresholds(interval: Interval, data: Tally) -> ThresholdInterval:
    """The same interval with its ends in words that divide the same cases."""
    low, high = interval
    texts = (text_among(data, end) for end in interval)
    return ThresholdInterval(low, high, interval.level, interval.method, interval.mean, *texts)


def text_among(data: Tally, value: float) -> str:
    """How a number on the scale of the scores is written."""
    return printing.number_text(
        data.scores, value, direction=data.direction, categories=data.origin.categories
    )
