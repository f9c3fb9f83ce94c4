"""What a comparison of forecasters answers."""

from __future__ import annotations

from rocwise import printing
from rocwise.errors import count_of
from rocwise.inference.comparison import ModelComparison
from rocwise.results import result


@result
class RecComparison(ModelComparison):
    """Two or more forecasters compared on the same rows.

    `estimates` are by name, `difference` is the first minus the second. Where a p value is not
    defined it is None and `note` says why. For more than two models `pairwise` has a row for each
    pair, and `p_value` is the smallest of Holm's adjusted ones: a test that all are alike.
    """

    loss: str
    n: int
    horizon: int
    level: float
    n_resamples: int | None = None
    note: str | None = None

    def _sentence(self) -> str:
        shown = [f"{name} {value:.4g}" for name, value in self.estimates.items()]
        size = count_of(self.n, "case")
        why = f"; {self.note}" if self.note else ""
        p = None if self.p_value is None else printing.p_value(self.p_value)
        if self.difference is None:
            alike = f"; all alike: {p}" if p else ""
            return f"{self.quantity} of {', '.join(shown)}{alike} ({self.method}); {size}{why}"
        tested = f", {p}" if p else ""
        return (
            f"{self.quantity} {shown[0]} against {shown[1]}: difference {self.difference:.4g}"
            f"{self.interval_words()}{tested} ({self.method}); {size}{why}"
        )

    def interval_words(self) -> str:
        """The interval in brackets, or nothing."""
        if self.interval is None:
            return ""
        level = printing.percent(self.interval.level)
        return f" ({level} CI {self.interval.low:.4g} to {self.interval.high:.4g})"
