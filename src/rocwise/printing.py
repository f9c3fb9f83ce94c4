"""How numbers are written: rates, p values, counts, and thresholds that recount exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any

import numpy as np


def rate(value: float, n: float = math.inf) -> str:
    """A rate or an area: three decimals, two when fewer than 100 cases support it.

    >>> rate(0.73136), rate(0.73136, n=40)
    ('0.731', '0.73')
    """
    return f"{value:.2f}" if n < 100 else f"{value:.3f}"


def percent(level: float) -> str:
    """A confidence level: ``95 %``.

    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * level:.10g} %"


def p_value(p: float) -> str:
    """A p value for a sentence; never ``0``.

    >>> p_value(0.0271757), p_value(1e-9)
    ('p = 0.027', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def bound(value: float) -> str:
    """An upper bound in two digits, which rounding must not make smaller.

    >>> bound(0.000121), bound(0.5)
    ('0.00013', '0.5')
    """
    exact = Decimal(value)
    unit = Decimal((0, (1,), exact.adjusted() - 1))
    return _plain(exact.quantize(unit, rounding=ROUND_CEILING))


def count(number: float) -> str:
    """A count with thousands separators; weight sums keep their fraction.

    >>> count(12345), count(12.25)
    ('12,345', '12.25')
    """
    if float(number).is_integer():
        return f"{int(number):,}"
    return f"{number:,.6g}" if abs(number) < 1e6 else f"{number:,.0f}"


def classes(n_pos: float, n_neg: float) -> str:
    """The sizes of the two classes: ``41 positives, 72 negatives``.

    >>> classes(1, 72)
    '1 positive, 72 negatives'
    """
    return ", ".join(
        f"{count(number)} {name}{'' if number == 1 else 's'}"
        for number, name in ((n_pos, "positive"), (n_neg, "negative"))
    )


def shortest_between(low: float, high: float, dtype: Any = np.float64) -> str:
    """Shortest decimal d with low < d <= high, so that ``score >= d`` recounts exactly.

    `high` is an observed score and `low` the next lower one. Rounding `high` itself could move it
    past a neighbour; any number in the gap selects the same rows, so the shortest one is printed.

    Parameters
    ----------
    low, high : float or int
        The gap. Below the lowest score (`low` infinite) only the next float bounds it; an infinite
        `high` stays as it is. Python integers of any size are compared exactly.
    dtype : numpy dtype
        Type of the scores. The printed number lies in the gap as a float64 and as this type.

    Examples
    --------
    >>> shortest_between(0.19, 0.22), shortest_between(0.65, 0.7)
    ('0.2', '0.7')
    >>> shortest_between(0.30000001, 0.30000002)
    '0.30000002'
    """
    if isinstance(high, int):
        return _shortest_integer(low, high)
    if math.isinf(high):
        return repr(float(high))
    kind = np.dtype(dtype).type
    if math.isinf(low):
        with np.errstate(over="ignore"):
            low = float(np.nextafter(kind(high), kind(-np.inf)))
    if math.isinf(low):  # the lowest float there is
        return repr(float(high))
    exact_low, exact_high = Decimal(float(low)), Decimal(float(high))
    top = max(exact_low.copy_abs(), exact_high.copy_abs()).adjusted()
    for exponent in range(top + 1, top - 25, -1):
        unit = Decimal((0, (1,), exponent))
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR):  # `high` itself, if that short
            candidate = exact_high.quantize(unit, rounding=rounding)
            as_float = float(candidate)
            if low < as_float <= high and low < kind(as_float) <= high:
                return _plain(candidate)
    raise AssertionError(f"no decimal between {low!r} and {high!r}")


def _shortest_integer(low: float, high: int) -> str:
    """The roundest integer in the gap; floats would merge neighbours above 2**53."""
    for exponent in range(len(str(abs(high))), 0, -1):
        candidate = high // 10**exponent * 10**exponent
        if low < candidate and not math.isinf(low):
            return str(candidate)
    return str(high)


def shortest_threshold(
    threshold: float, neighbour: float, *, direction: str, dtype: Any = np.float64
) -> str:
    """The printed form of one threshold: `neighbour` is the next score on the negative side.

    >>> shortest_threshold(0.22, 0.19, direction="higher")
    '0.2'
    >>> shortest_threshold(0.19, 0.22, direction="lower")
    '0.2'
    """
    if direction == "higher":
        return shortest_between(neighbour, threshold, dtype)
    mirrored = shortest_between(-neighbour, -threshold, dtype)
    return mirrored[1:] if mirrored.startswith("-") else _negated(mirrored)


def threshold_text(
    scores: np.ndarray, row: int, *, direction: str, categories: Sequence[str] = ()
) -> str:
    """How the threshold in a row of distinct scores is printed; the most positive come first.

    >>> threshold_text(np.array([0.81, 0.22, 0.19]), 1, direction="higher")
    '0.2'
    """
    if categories:
        return categories[int(scores[row])]
    beyond = math.inf if direction == "lower" else -math.inf
    return shortest_threshold(
        scores[row].item(),
        scores[row + 1].item() if row + 1 < len(scores) else beyond,
        direction=direction,
        dtype=scores.dtype if scores.dtype.kind == "f" else np.float64,
    )


def _negated(text: str) -> str:
    return text if text.strip("0.") == "" else f"-{text}"


def _plain(number: Decimal) -> str:
    """Fixed notation while it stays short, else scientific."""
    if number == 0:
        return "0"
    number = number.normalize()
    exponent = number.adjusted()
    if -5 <= exponent <= 15:
        return format(number, "f")
    return format(number, "e").replace("e+", "e")
