"""How numbers are written: rates, p values, counts, and thresholds that recount exactly."""

import math
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any

import numpy as np

FEWEST_DIGITS = 4  # significant ones of a printed threshold


def rate(value: float, n: float = math.inf) -> str:
    """A rate or an area: three decimals, two when fewer than 100 cases support it."""
    return f"{value:.2f}" if n < 100 else f"{value:.3f}"


def estimate(value: float, interval: Any, n: float = math.inf, more_digits: int = 0) -> str:
    """A rate or an area with its interval: ``0.731 (95% CI 0.630 to 0.833, DeLong)``."""
    digits = (2 if n < 100 else 3) + more_digits
    number, low, high = (f"{v:.{digits}f}" for v in (value, interval.low, interval.high))
    return f"{number} ({percent(interval.level)} CI {low} to {high}, {interval.method})"


def percent(level: float) -> str:
    """A confidence level: ``95%``."""
    return f"{100 * level:.10g}%"


def p_value(p: float) -> str:
    """A p value for a sentence; never ``0``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def bound(value: float) -> str:
    """An upper bound in two digits, which rounding must not make smaller."""
    exact = Decimal(value)
    unit = Decimal((0, (1,), exact.adjusted() - 1))
    return _plain(exact.quantize(unit, rounding=ROUND_CEILING))


def count(number: float) -> str:
    """A count with thousands separators; weight sums keep their fraction."""
    if type(number) is int or float(number).is_integer():
        return f"{int(number):,}"
    return f"{number:,.6g}" if abs(number) < 1e6 else f"{number:,.0f}"


def counted(number: float, noun: str, plural: str | None = None) -> str:
    """A number of things: ``1 threshold``, ``12,345 thresholds``."""
    return f"{count(number)} {noun if number == 1 else plural or noun + 's'}"


def classes(n_pos: float, n_neg: float) -> str:
    """The sizes of the two classes: ``41 positives, 72 negatives``."""
    return f"{counted(n_pos, 'positive')}, {counted(n_neg, 'negative')}"


def rounded_between(low: float, high: float, dtype: Any = np.float64) -> str:
    """The score `high` in the fewest digits, at least four, with which ``score >= d`` recounts."""
    if isinstance(high, int):
        return str(high)
    if math.isinf(high):
        return repr(float(high))
    number = np.dtype(dtype).type

    def recounts(decimal: float) -> bool:
        with np.errstate(over="ignore"):
            return low < decimal <= high and bool(low < number(decimal) <= high)

    text = _shortest(float(high), recounts, (ROUND_HALF_EVEN, ROUND_FLOOR))
    assert text is not None, (low, high)
    return text


def rounded_inside(value: float, one: float, other: float, dtype: Any = np.float64) -> str:
    """A number between two scores in the fewest digits, at least four, that keep it there."""
    low, high = min(one, other), max(one, other)
    number = np.dtype(dtype).type
    text = _shortest(value, lambda decimal: low < float(number(decimal)) < high, (ROUND_HALF_EVEN,))
    return text or repr(float(value))


def _shortest(
    value: float, fits: Callable[[float], bool], roundings: tuple[str, ...]
) -> str | None:
    """The value rounded to the fewest digits with which it fits; None where none does."""
    exact = Decimal(float(value))
    for digits in range(FEWEST_DIGITS, 25):
        unit = Decimal((0, (1,), exact.adjusted() - digits + 1))
        for rounding in roundings:
            candidate = exact.quantize(unit, rounding=rounding)
            if fits(float(candidate)):
                rounded = not math.isclose(float(candidate), value, rel_tol=1e-14)
                return _plain(candidate, as_is=rounded)
    return None


def rounded_threshold(
    threshold: float, neighbor: float, *, direction: str, dtype: Any = np.float64
) -> str:
    """The printed form of one threshold: `neighbor` is the next score on the negative side."""
    if direction == "higher":
        return rounded_between(neighbor, threshold, dtype)
    mirrored = rounded_between(-neighbor, -threshold, dtype)
    return mirrored[1:] if mirrored.startswith("-") else _negated(mirrored)


def threshold_text(
    scores: np.ndarray, row: int, *, direction: str, categories: Sequence[str] = ()
) -> str:
    """How the threshold in a row of distinct scores is printed; the most positive come first."""
    if categories:
        return categories[int(scores[row])]
    beyond = math.inf if direction == "lower" else -math.inf
    return rounded_threshold(
        scores[row].item(),
        scores[row + 1].item() if row + 1 < len(scores) else beyond,
        direction=direction,
        dtype=scores.dtype if scores.dtype.kind == "f" else np.float64,
    )


def number_text(
    scores: np.ndarray, value: float, *, direction: str, categories: Sequence[str] = ()
) -> str:
    """How a number on the scale of distinct scores is printed: a score as a threshold."""
    rising = scores[::-1] if direction == "higher" else scores
    place = int(np.searchsorted(rising, value))
    if place < len(rising) and rising[place] == value:
        row = len(rising) - 1 - place if direction == "higher" else place
        return threshold_text(scores, row, direction=direction, categories=categories)
    if math.isinf(value):
        return "beyond every score"
    if categories:
        return f"between {categories[int(rising[place - 1])]} and {categories[int(rising[place])]}"
    low = rising[place - 1].item() if place else -math.inf
    high = rising[place].item() if place < len(rising) else math.inf
    dtype = scores.dtype if scores.dtype.kind == "f" else np.float64
    return rounded_inside(value, low, high, dtype)


def _negated(text: str) -> str:
    return text if text.strip("0.") == "" else f"-{text}"


def _plain(number: Decimal, *, as_is: bool = False) -> str:
    """Fixed notation while it stays short, else scientific; zeros at the end stay if `as_is`."""
    if number == 0:
        return "0"
    if not as_is:
        number = number.normalize()
    exponent = number.adjusted()
    if -5 <= exponent <= 15:
        return format(number, "f")
    return format(number, "e").replace("e+", "e")
