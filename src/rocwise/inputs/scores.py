"""Scores of any type as floats that can be sorted without losing their order."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Array
from rocwise.data.tally import ScoreColumn
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.vectors import Vector
from rocwise.results import Origin

BEYOND_FLOATS = Decimal("inf")
LARGEST_EXACT_INTEGER = 2**53
PLAIN = re.compile(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?")  # numbers as most programs write them
EXACT_NUMBERS = (int, float, Decimal, Fraction)
# making one is a tenth of the time of the AUC of 1,000 rows
cached_origin: Callable[..., Origin] = lru_cache(maxsize=64, typed=True)(Origin)

# sortable floats, the meaning of positions (if they are positions), names of categories
Sortable = tuple[Array, Array | None, tuple[str, ...]]


def score_column(scores: Vector, argument: str, *, direction: str, origin: Origin) -> ScoreColumn:
    """Oriented float scores with what is needed to give them back in the user's units."""
    values, meanings, categories = _as_floats(scores, argument)
    oriented = 0 - values if direction == "lower" else values
    name = origin.name or scores.name
    about = origin.frame, direction, origin.n_dropped, 0.0, categories, name
    origin = cached_origin(*about, read_by=origin.read_by)
    return ScoreColumn(np.ascontiguousarray(oriented), meanings, origin)


def owned(column: ScoreColumn, given: Vector) -> ScoreColumn:
    """A copy of the column, since the user's array may change later."""
    if not np.may_share_memory(column.oriented, given.values):
        return column
    return column.of(column.oriented.copy())


def _as_floats(scores: Vector, argument: str) -> Sortable:
    """Scores of any type as floats in the same order."""
    values = scores.values
    if scores.categories:
        return _ordered_categories(scores)
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind == "f" and size in (4, 8):
        if values.dtype.isnative:
            return values, None, ()
        return values.astype(values.dtype.newbyteorder("=")), None, ()
    if kind == "f" and size == 2:
        return values.astype(np.float32), None, ()
    if kind == "f":
        return _long_floats(values)
    if kind in "iub":
        return _integers(values)
    if kind == "O" and all(isinstance(item, EXACT_NUMBERS) for item in values):
        return _exact_numbers(values, argument)
    raise InputError(_not_numbers(scores, argument))


def _integers(values: Array) -> Sortable:
    """Integers as floats; those too large for a float's mantissa are ranked instead."""
    if values.dtype.itemsize == 8:
        low, high = int(values.min()), int(values.max())
        if max(abs(low), abs(high)) > LARGEST_EXACT_INTEGER:
            return _ranked(values)
    small = values.dtype.itemsize <= 2
    return values.astype(np.float32 if small else np.float64), None, ()


def _long_floats(values: Array) -> Sortable:
    """Extended precision as float64 where that loses nothing, else ranked."""
    with np.errstate(over="ignore"):
        short = values.astype(np.float64)
    return (short, None, ()) if np.array_equal(short, values) else _ranked(values)


def _exact_numbers(values: Array, argument: str) -> Sortable:
    """Decimals, fractions and integers of any size as floats, if these differ."""
    try:
        floats = np.array([float(item) for item in values])
        beyond = any(abs(item) < BEYOND_FLOATS for item in values[np.isinf(floats)])
    except (ArithmeticError, ValueError):  # 10**400, a signalling nan
        beyond = True
    if beyond:
        raise InputError(f"`{argument}` contains numbers too large for a float64.")
    if len(np.unique(floats)) < len(set(values.tolist())):
        raise InputError(
            f"`{argument}` contains numbers that are equal in float64 but differ. "
            "Pass their ranks instead, e.g. scipy.stats.rankdata(...)."
        )
    return floats, None, ()


def _ranked(values: Array) -> Sortable:
    """Positions among the distinct values, with the value at each position."""
    meanings, positions = np.unique(values, return_inverse=True)
    return positions.astype(np.float64), meanings.astype(meanings.dtype.newbyteorder("=")), ()


def _ordered_categories(scores: Vector) -> Sortable:
    """Positions of ordered categories; ascending numbers are kept."""
    try:
        numbers = np.asarray([float(category) for category in scores.categories])
    except (TypeError, ValueError):
        numbers = np.empty(0)
    # "nan" is the name of a category like any other, and so is "inf"
    if len(numbers) and bool(np.isfinite(numbers).all() and np.all(np.diff(numbers) > 0)):
        return numbers[scores.values], None, ()
    names = tuple(str(category) for category in scores.categories)
    return scores.values.astype(np.float64), None, names


def _not_numbers(scores: Vector, argument: str) -> str:
    values = scores.values.tolist()
    kind = scores.values.dtype.kind
    place = 0
    if kind in "US":
        tests = (_may_be_number, _is_number, PLAIN.fullmatch)
        odd = (i for test in tests for i, v in enumerate(values) if not test(v))
        place = next(odd, 0)
    first = f"(first {listed([values[place]])}{scores.at(place)})"
    if kind not in "US":
        return f"`{argument}` must contain real numbers; got {scores.values.dtype} values {first}."
    return f"`{argument}` must contain numbers; got text {first}. {_remedy(scores, values[place])}"


def _remedy(scores: Vector, text: str) -> str:
    """What to do with text among scores."""
    if _is_number(text):
        if not PLAIN.fullmatch(text):
            return "Write this cell as the other numbers are, without blanks and other signs."
        return "Convert the column to numbers first."
    if scores.file is None:
        return "Use an ordered categorical if the text is a rating."
    if text.rstrip().endswith("%"):
        return "Write all numbers of the column as percentages, or none."
    if "," in text and "." in text:
        return "Write numbers without separators of thousands."
    if "," in text:
        return "Pass decimal=',' if the comma is a decimal sign."
    return "Write numbers, and nothing where a value is missing."


def _may_be_number(text: object) -> bool:
    """Whether this is a number with a decimal point or comma."""
    return _is_number(str(text).replace(",", ".", 1))


def _is_number(text: object) -> bool:
    try:
        float(str(text))
    except ValueError:
        return False
    return "_" not in str(text)  # Python reads 1_000, files and other programs do not


def score_names(scores: Any) -> list[str]:
    """Names of columns of scores from a list of them, or from one."""
    if isinstance(scores, str):
        return [scores]
    if isinstance(scores, Mapping):
        raise InputError(f"`scores` must be a list of names of columns; got {shown(scores)}.")
    names = checks.members(scores, "scores", "names of columns")
    if not names:
        raise InputError("`scores` is empty; at least one model is needed.")
    for name in names:
        checks.column_names(scores=name)
    return names
