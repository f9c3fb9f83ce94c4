"""How numbers are written: rates, p values, counts, and thresholds that recount exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any

import numpy as np

FEWEST_DIGITS = 4  # significant ones of a printed threshold


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
    if type(number) is int or float(number).is_integer():
        return f"{int(number):,}"
    return f"{number:,.6g}" if abs(number) < 1e6 else f"{number:,.0f}"


def counted(number: float, noun: str, plural: str | None = None) -> str:
    """A number of things: ``1 threshold``, ``12,345 thresholds``.

    >>> counted(1, "threshold"), counted(2, "cost matrix", "cost matrices")
    ('1 threshold', '2 cost matrices')
    """
    return f"{count(number)} {noun if number == 1 else plural or noun + 's'}"


def classes(n_pos: float, n_neg: float) -> str:
    """The sizes of the two classes: ``41 positives, 72 negatives``.

    >>> classes(1, 72)
    '1 positive, 72 negatives'
    """
    return f"{counted(n_pos, 'positive')}, {counted(n_neg, 'negative')}"


def rounded_between(low: float, high: float, dtype: Any = np.float64) -> str:
    """The score `high` in the fewest digits, at least four, with which ``score >= d`` recounts.

    Rounding may move a score past itself or past the next lower one, `low`; so it is rounded to
    the nearest number or down, and digits are added until low < d <= high. Whole numbers of an
    integer type stay as they are.

    Parameters
    ----------
    low, high : float or int
        The next lower score, or minus infinity, and the score itself.
    dtype : numpy dtype
        Type of the scores. The printed number lies in the gap as a float64 and as this type.

    Examples
    --------
    >>> rounded_between(0.19, 0.22), rounded_between(0.1, 0.123456), rounded_between(0, 0.123441)
    ('0.22', '0.1234', '0.1234')
    >>> rounded_between(0.30000001, 0.30000002)
    '0.30000002'
    """
    if isinstance(high, int):
        return str(high)
    if math.isinf(high):
        return repr(float(high))
    high = float(high)
    kind = np.dtype(dtype).type
    for digits in range(FEWEST_DIGITS, 25):
        text = f"{high:.{digits - 1}e}"  # the nearest of so many digits, exactly rounded
        number = float(text)
        if low < number <= high:
            candidate = _nearest(high, text, digits)
        elif number <= low or number - 0.99 * _unit(text, digits) <= low:
            continue  # one unit less is no better
        else:
            candidate = _quantized(high, digits, ROUND_FLOOR)
            number = float(candidate)
        if low < number <= high and _within_as(kind, low, number, high):
            return _plain(candidate, as_is=number != high)
    raise AssertionError(f"no decimal between {low!r} and {high!r}")


def _nearest(value: float, text: str, digits: int) -> Decimal:
    """The number of a text, with as many decimals as the value has within so many digits."""
    if text.lstrip("-").startswith("1.000"):  # rounded up to the next power of 10, perhaps
        return _quantized(value, digits, ROUND_HALF_EVEN)
    return Decimal(text)


def _quantized(value: float, digits: int, rounding: str) -> Decimal:
    exact = Decimal(value)
    return exact.quantize(Decimal((0, (1,), exact.adjusted() - digits + 1)), rounding=rounding)


def _unit(text: str, digits: int) -> float:
    """What the last digit of a number in scientific notation counts."""
    return 10.0 ** (int(text.rpartition("e")[2]) - digits + 1)


def _within_as(kind: Any, low: float, number: float, high: float) -> bool:
    """Whether the number is in the gap as a number of this type, too."""
    if kind is np.float64:
        return True
    with np.errstate(over="ignore"):
        return bool(low < kind(number) <= high)


def rounded_inside(value: float, one: float, other: float, dtype: Any = np.float64) -> str:
    """A number between two scores in the fewest digits, at least four, that keep it there.

    It stays there as a number of the `dtype` of the scores, too.

    >>> rounded_inside(0.123456, 0.1, 0.2), rounded_inside(0.5, 0.4, 0.6)
    ('0.1235', '0.5')
    """
    low, high = min(one, other), max(one, other)
    exact = Decimal(float(value))
    for digits in range(FEWEST_DIGITS, 25):
        unit = Decimal((0, (1,), exact.adjusted() - digits + 1))
        candidate = exact.quantize(unit, rounding=ROUND_HALF_EVEN)
        if low < float(np.dtype(dtype).type(float(candidate))) < high:
            return _plain(candidate, as_is=float(candidate) != value)
    return repr(float(value))


def rounded_threshold(
    threshold: float, neighbour: float, *, direction: str, dtype: Any = np.float64
) -> str:
    """The printed form of one threshold: `neighbour` is the next score on the negative side.

    >>> rounded_threshold(0.123456, 0.1, direction="higher")
    '0.1234'
    >>> rounded_threshold(0.123456, 0.2, direction="lower")
    '0.1235'
    """
    if direction == "higher":
        return rounded_between(neighbour, threshold, dtype)
    mirrored = rounded_between(-neighbour, -threshold, dtype)
    return mirrored[1:] if mirrored.startswith("-") else _negated(mirrored)


def threshold_text(
    scores: np.ndarray, row: int, *, direction: str, categories: Sequence[str] = ()
) -> str:
    """How the threshold in a row of distinct scores is printed; the most positive come first.

    >>> threshold_text(np.array([0.81, 0.22, 0.19]), 1, direction="higher")
    '0.22'
    """
    if categories:
        return categories[int(scores[row])]
    beyond = math.inf if direction == "lower" else -math.inf
    return rounded_threshold(
        scores[row].item(),
        scores[row + 1].item() if row + 1 < len(scores) else beyond,
        direction=direction,
        dtype=scores.dtype if scores.dtype.kind == "f" else np.float64,
    )


def threshold_texts(
    scores: np.ndarray, rows: Sequence[int], *, direction: str, categories: Sequence[str] = ()
) -> list[str]:
    """The same for many rows, most of them all at once.

    >>> threshold_texts(np.array([0.81, 0.22, 0.19]), [1, 2], direction="higher")
    ['0.22', '0.19']
    """
    texts: list[str | None] = [None] * len(rows)
    if not categories and scores.dtype.kind == "f":
        whole, decimals, found = threshold_digits(scores, rows, direction=direction)
        for k in np.flatnonzero(found).tolist():
            texts[k] = _fixed(int(whole[k]), int(decimals[k]))
    return [
        text or threshold_text(scores, row, direction=direction, categories=categories)
        for text, row in zip(texts, rows, strict=True)
    ]


def threshold_digits(
    scores: np.ndarray, rows: Any, *, direction: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same as digits: whole numbers over powers of ten, the powers, and whether it could be.

    Where it could not, one must look closer than floats can: `threshold_text` does.

    >>> threshold_digits(np.array([0.81, 0.22, 0.19]), [1, 2], direction="higher")
    (array([22, 19]), array([2, 2]), array([ True,  True]))
    """
    sign = 1 if direction == "higher" else -1
    low, high = limits_of(scores, rows, sign)
    whole, decimals, found = digits_between(low, high, scores.dtype.type)
    return sign * whole, decimals, found


def limits_of(scores: np.ndarray, rows: Any, sign: int) -> tuple[np.ndarray, np.ndarray]:
    """Between which numbers the thresholds of rows may be, all times the sign of the direction.

    >>> limits_of(np.array([0.81, 0.22, 0.19]), [1, 2], 1)
    (array([0.19, -inf]), array([0.22, 0.19]))
    """
    places = np.asarray(rows, np.intp)
    high = sign * scores[places].astype(np.float64)
    low = sign * np.append(scores, -sign * np.inf)[places + 1].astype(np.float64)
    return low, high


def digits_between(
    low: np.ndarray, high: np.ndarray, kind: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """As `rounded_between` has it, in the digits of `threshold_digits`, for scores of a `kind`.

    >>> digits_between(np.array([0.19]), np.array([0.22]), np.float64)
    (array([22]), array([2]), array([ True]))
    """
    whole, places = np.zeros(len(high), np.int64), np.zeros(len(high), np.int64)
    found = np.zeros(len(high), bool)
    sizes = np.abs(high)
    todo = np.flatnonzero((sizes > 1.001e-5) & (sizes < 1e14))
    exponents = np.zeros(len(high), np.int64)
    exponents[todo] = np.floor(np.log10(sizes[todo]))
    for digits in range(FEWEST_DIGITS, 13):  # with so few, products are good to 1e-3
        decimals = digits - 1 - exponents[todo]
        lower, upper = low[todo], high[todo]
        powers = 10.0 ** np.abs(decimals)  # up to 10**22 these are exact
        scaled = np.where(decimals >= 0, upper * powers, upper / powers)
        nearest, down = np.rint(scaled), np.floor(scaled)
        # a whole number over a power of ten is the float that its text stands for
        numbers, floors = (np.where(decimals >= 0, n / powers, n * powers) for n in (nearest, down))
        fits, fits_down = ((lower < n) & (n <= upper) for n in (numbers, floors))
        if kind is not np.float64:
            fits &= (lower < numbers.astype(kind)) & (numbers.astype(kind) <= upper)
            fits_down &= (lower < floors.astype(kind)) & (floors.astype(kind) <= upper)
        unsure = np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-3
        unsure |= ~fits & (np.abs(scaled - nearest) < 1e-3)
        edge = np.abs(nearest) / 10.0**digits
        unsure |= (edge > 1 - 1e-9) | (edge < 0.1 + 1e-9)  # next to a power of ten
        done = (fits | fits_down) & ~unsure
        chosen = np.where(fits, nearest, down)[done].astype(np.int64)
        exact = np.where(fits, numbers, floors)[done] == upper[done]
        chosen, shown = _shortened(chosen, decimals[done], exact)
        whole[todo[done]], places[todo[done]], found[todo[done]] = chosen, shown, True
        todo = todo[~(fits | fits_down | unsure)]
    return whole, places, found


def _shortened(
    whole: np.ndarray, decimals: np.ndarray, exact: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """No negative decimals, and no zeros at the end of numbers that are exact."""
    whole = whole * 10 ** np.maximum(-decimals, 0)
    decimals = np.maximum(decimals, 0)
    for _ in range(int(decimals.max(initial=0))):
        again = exact & (decimals > 0) & (whole % 10 == 0)
        if not bool(again.any()):
            break
        whole, decimals = np.where(again, whole // 10, whole), decimals - again
    return whole, decimals


def _fixed(whole: int, decimals: int) -> str:
    if not decimals:
        return str(whole)
    text = f"{abs(whole):0{decimals + 1}d}"
    return f"{'-' * (whole < 0)}{text[:-decimals]}.{text[-decimals:]}"


def number_text(
    scores: np.ndarray, value: float, *, direction: str, categories: Sequence[str] = ()
) -> str:
    """How a number on the scale of distinct scores is printed; the most positive come first.

    A score as a threshold, any other number so that it stays between the two scores next to it.

    >>> scores = np.array([0.81, 0.22, 0.19])
    >>> [number_text(scores, value, direction="higher") for value in (0.22, 0.123456, math.inf)]
    ['0.22', '0.1235', 'beyond every score']
    """
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
