"""How forecasters are to be compared: the method and its terms, without the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from rocwise import checks
from rocwise.errors import InputError
from rocwise.regression.comparisons.loss_tests import block_length

ForecastTest = Literal[
    "swap", "swap-sup", "wilcoxon", "diebold-mariano", "bootstrap", "block-bootstrap"
]
METHODS: tuple[str, ...] = get_args(ForecastTest)
WITHOUT_PARTS = ("swap-sup", "wilcoxon")
IN_TIME_ORDER = ("diebold-mariano", "block-bootstrap")


@dataclass(frozen=True, slots=True)
class ComparisonDesign:
    """How to compare: everything but the data."""

    method: str
    horizon: int
    block: int
    level: float
    n_resamples: int
    seed: int
    near: float
    tolerance: float | None

    def unused_horizon(self) -> str | None:
        """A remark when the forecasts look several steps ahead and the method ignores it."""
        if self.horizon == 1 or self.method in IN_TIME_ORDER:
            return None
        return (
            f"horizon {self.horizon} was not used, because this method takes rows for "
            "independent; method='diebold-mariano' uses it"
        )

    def description(self, resampled: int | None) -> str:
        """The method in words."""
        count = "all swaps" if resampled is None else f"{resampled:,} random swaps"
        return {
            "swap": f"swap test, {count}",
            "swap-sup": f"swap test of the largest distance, {count}",
            "wilcoxon": "Wilcoxon signed-rank test",
            "diebold-mariano": f"Diebold-Mariano test, horizon {self.horizon}",
            "bootstrap": f"bootstrap-t, {self.n_resamples:,} resamples",
            "block-bootstrap": f"bootstrap-t in blocks of {self.block}, "
            f"{self.n_resamples:,} resamples",
        }[self.method]


def refuse_mixed(method: str, tolerance: float | None, up_to: float | None) -> None:
    """Refuse two questions at once, and parts of the losses where a method needs them whole."""
    if tolerance is not None and up_to is not None:
        raise InputError("`tolerance` and `up_to` ask different questions; pass one of them.")
    if method in WITHOUT_PARTS and not (tolerance is None and up_to is None):
        given = "tolerance" if up_to is None else "up_to"
        raise InputError(
            f"`{given}` does not go with method={method!r}, which is about whole losses; "
            "use method='swap', or 'diebold-mariano' for a series."
        )


def checked_block(block: int | None, method: str, n: int, horizon: int) -> int:
    """Rows per block; 1 for the methods that draw no blocks."""
    if block is not None and method != "block-bootstrap":
        raise InputError(f"`block` is for method='block-bootstrap'; got method={method!r}.")
    if method != "block-bootstrap":
        return 1
    length = block_length(n, horizon) if block is None else checks.whole(block, "block")
    if length > n // 2:
        raise InputError(
            f"`block` must leave at least two blocks in the {n} rows; got {length} rows per block."
        )
    return length
