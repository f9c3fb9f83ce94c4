"""When two implementations' values count as the same: nothing is timed before they do."""

import math
from dataclasses import dataclass
from typing import Protocol

Value = tuple[float, ...]


class Agreement(Protocol):
    """A rule that says whether two values are the same, and states its tolerance."""

    def holds(self, ours: Value, theirs: Value) -> bool: ...

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Relative:
    """Every number within a relative tolerance; `reason` says why it is not tighter."""

    tolerance: float = 1e-10
    reason: str = ""

    def holds(self, ours: Value, theirs: Value) -> bool:
        return len(ours) == len(theirs) and all(
            math.isclose(a, b, rel_tol=self.tolerance) for a, b in zip(ours, theirs, strict=True)
        )

    def __str__(self) -> str:
        return f"{self.tolerance:.0e}" + (f" ({self.reason})" if self.reason else "")


@dataclass(frozen=True)
class MonteCarlo:
    """Two 95 % percentile intervals `(low, high)` from different random replicates.

    A 2.5 % quantile of B replicates has the standard error s sqrt(p (1 - p) / B) / phi(z_p),
    with s the spread of the replicates; five of those are allowed.
    """

    our_replicates: int
    their_replicates: int

    def holds(self, ours: Value, theirs: Value) -> bool:
        spread = (ours[1] - ours[0]) / (2 * 1.959964)
        quantile_error = math.sqrt(0.025 * 0.975) / 0.05844507  # phi(1.959964)
        rate = math.sqrt(1 / self.our_replicates + 1 / self.their_replicates)
        allowed = 5 * spread * quantile_error * rate
        return len(ours) == len(theirs) == 2 and all(
            abs(a - b) <= allowed for a, b in zip(ours, theirs, strict=True)
        )

    def __str__(self) -> str:
        return (
            "5 Monte Carlo standard errors of an interval bound "
            f"({self.our_replicates} and {self.their_replicates} replicates)"
        )


@dataclass(frozen=True)
class SimilarBands:
    """Two bands for one curve by different constructions: lower bounds, then upper bounds.

    They must overlap, and neither may be more than twice as wide as the other.
    """

    def holds(self, ours: Value, theirs: Value) -> bool:
        half = len(ours) // 2
        return len(ours) == len(theirs) and all(
            max(low_1, low_2) < min(high_1, high_2)
            and 0.5 <= (high_1 - low_1) / (high_2 - low_2) <= 2
            for low_1, high_1, low_2, high_2 in zip(
                ours[:half], ours[half:], theirs[:half], theirs[half:], strict=True
            )
        )

    def __str__(self) -> str:
        return "overlapping bands, widths within a factor 2 (different constructions)"
