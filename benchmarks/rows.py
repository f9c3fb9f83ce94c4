"""One row of the table: two figures, the bar to reach and whether it was reached."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

Unit = Literal["s", "x"]


class Status(StrEnum):
    """What became of a row."""

    PASS = "pass"
    FAIL = "FAIL"
    NOT_JUDGED = ""
    NOT_INSTALLED = "not installed"
    DISAGREES = "DISAGREES"
    BROKEN = "FAILED TO RUN"
    PEER_BROKEN = "peer failed"
    ABSENT = "not in this rocwise"
    NO_TIME = "not run: no time was left"


@dataclass(frozen=True)
class Bar:
    """The figure a row must reach: a ratio at least, or an amount at most."""

    limit: float
    unit: Unit
    at_least: bool

    def judge(self, figure: float) -> Status:
        reached = figure >= self.limit if self.at_least else figure <= self.limit
        return Status.PASS if reached else Status.FAIL

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {format_figure(self.limit, self.unit)}"


def times_as_fast(limit: float) -> Bar:
    """Bar on the peer's time over ours."""
    return Bar(limit, "x", at_least=True)


def at_most(limit: float, unit: Unit) -> Bar:
    """Bar on our own figure."""
    return Bar(limit, unit, at_least=False)


@dataclass(frozen=True)
class Row:
    """`ours` against `theirs` in `unit`; `ratio` is theirs / ours, so above 1 rocwise is ahead."""

    task: str
    peer: str = ""
    ours: float | None = None
    theirs: float | None = None
    unit: Unit = "s"
    ratio: float | None = None
    bar: Bar | None = None
    status: Status = Status.NOT_JUDGED
    note: str = ""
    scaled: bool = False
    raw: dict[str, Any] = field(default_factory=dict)


def format_figure(figure: float, unit: Unit) -> str:
    """Three digits with a readable unit."""
    if unit == "x":
        return f"{figure:.0f}x" if figure >= 100 else f"{figure:.3g}x"
    for factor, name in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if abs(figure) * factor >= 1 or name == "µs":
            scaled = figure * factor
            return f"{scaled:.0f} {name}" if abs(scaled) >= 100 else f"{scaled:.3g} {name}"
    raise AssertionError("the loop above always returns")


def anything_wrong(rows: Sequence[Row]) -> bool:
    """True when values disagree, or rocwise could not give one."""
    return any(row.status in (Status.DISAGREES, Status.BROKEN) for row in rows)
