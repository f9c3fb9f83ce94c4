"""From times at several sizes to a slope, and to a line of the table of `make growth`."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from .growth_questions import Question

HEAD = (
    "| question | by | time | slope | theory | memory | one-byte labels; single scores |\n"
    "|---|---|---|---|---|---|---|"
)
RULED = 5.0  # a time above so many times the quickest is not ruled by fixed costs
FEWEST = 2  # sizes of a fit
STEEPER = 0.25  # slopes this much above their theory are marked
MOST_MEMORY = 8.0  # times the input, of a question about two classes
BESIDE = 1.05  # times a large answer: what holds no more has nothing else to hold
SMALLEST_INPUT = 2**20  # bytes; multiples of less say nothing
SMALLEST_JUDGED = 8_000_000  # bytes; with less, what every thread and resample takes counts more


class Measured(NamedTuple):
    """What one size took: processor seconds, bytes at the peak, of the input, of the answer.

    Of an answer only columns that were asked for are counted.
    """

    size: int
    seconds: float
    held: int
    given: int
    answered: int = 0


def fitted(found: Sequence[Measured]) -> list[Measured]:
    """The sizes that a slope is fitted to: those whose time is not ruled by the fixed costs.

    The quickest size, mostly the smallest, is nearly all fixed cost (checks, objects, threads):
    a size is taken when it takes at least five times that, and the last two in any case.
    """
    least = min((each.seconds for each in found), default=0.0)
    taken = [each for each in found if each.seconds >= RULED * least]
    return taken if len(taken) >= FEWEST else list(found[-FEWEST:])


def slope_of(found: Sequence[Measured]) -> float:
    """Least squares of log time on log size; nan of fewer than two sizes.

    >>> slope_of([Measured(10**k, 2.0 * 100**k, 0, 0) for k in range(4)])
    2.0
    """
    taken = fitted(found)
    if len(taken) < FEWEST:
        return math.nan
    x = [math.log(each.size) for each in taken]
    y = [math.log(max(each.seconds, 1e-9)) for each in taken]
    middle, height = sum(x) / len(x), sum(y) / len(y)
    across = sum((a - middle) * (b - height) for a, b in zip(x, y, strict=True))
    return across / sum((a - middle) ** 2 for a in x)


def line_of(
    question: Question,
    found: Sequence[Measured],
    problem: str = "",
    narrow: Sequence[Sequence[Measured]] = (),
) -> str:
    """One line of the table; what is above its theory or its limit is marked.

    `narrow` is what was found with rows in fewer bytes.
    """
    slope = slope_of(found)
    steep = " **steep**" if slope > question.slope + STEEPER else ""
    times = "; ".join(f"{each.size:,}: {_seconds(each.seconds)}" for each in found)
    told = "; ".join(part for part in (times, problem.replace("|", "\\|")) if part)
    theory = f"{question.slope:g}: {question.theory}" if question.theory else f"{question.slope:g}"
    cells = [question.name, question.axis, told or "no answer"]
    cells += ["–" if math.isnan(slope) else f"{slope:.2f}{steep}", theory]
    cells += [_memory(question, found)]
    cells += ["; ".join(_multiple(question, each[-1]) for each in narrow if each) or "–"]
    return f"| {' | '.join(cells)} |"


def _memory(question: Question, found: Sequence[Measured]) -> str:
    """At the largest size: in MB, and in multiples of the input."""
    if not found or not found[-1].held:
        return "–"
    last = found[-1]
    amount = f"{last.held / 1e6:,.0f} MB"
    if last.given < SMALLEST_INPUT:
        return amount
    return f"{amount}, {_multiple(question, last)}"


def _multiple(question: Question, found: Measured) -> str:
    """What was held by what was given."""
    times = found.held / found.given
    if times <= MOST_MEMORY or not question.binary or found.given < SMALLEST_JUDGED:
        return f"{times:.1f}x"
    if found.held <= BESIDE * found.answered:
        return f"{times:.1f}x, of which {found.answered / found.given:.1f}x is the answer"
    return f"{times:.1f}x **much**"


def _seconds(took: float) -> str:
    if took >= 1:
        return f"{took:.3g} s"
    return f"{took * 1e3:.3g} ms" if took >= 1e-3 else f"{took * 1e6:.0f} µs"
