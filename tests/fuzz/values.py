"""Values that no parameter should swallow unread, and which parameter has a use for each."""

import datetime
import math
import re
import typing
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd

NONSENSE = {
    "object": object,
    "type": lambda: int,
    "bytes": lambda: b"x",
    "complex": lambda: 1j,
    "nan": lambda: math.nan,
    "array of nan": lambda: np.full(120, np.nan),
    "empty dict": dict,
    "dict": lambda: {"a": 1},
    "set": lambda: {1, 2},
    "generator": lambda: (i for i in range(3)),
    "ragged": lambda: [[1], [2, 3]],
    "cube": lambda: np.zeros((2, 2, 2)),
    "array of text": lambda: np.array(["x", "y"]),
    "array of objects": lambda: np.array([object(), object()]),
    "structured": lambda: np.zeros(3, dtype=[("a", "f8"), ("b", "i4")]),
    "pandas NA": lambda: pd.NA,
    "signalling nan": lambda: Decimal("sNaN"),
    "date": lambda: datetime.date(2020, 1, 1),
    "numpy date": lambda: np.datetime64("2020-01-01"),
    "function": lambda: _takes_nothing,
    "self-containing list": lambda: _list_in_itself(),
    "10^400": lambda: 10**400,
    "10^5000": lambda: 10**5000,
    "-10^400": lambda: -(10**400),
    "text": lambda: "x",
    "no text": lambda: "",
    "text 'no'": lambda: "no",
    "text of a number": lambda: "0.5",
    "list of text": lambda: ["x", "y"],
    "list of None": lambda: [None, None],
    "list in list": lambda: [[0.5]],
    "empty list": list,
    "array": lambda: np.array([0.25, 0.5]),
    "no array": lambda: np.array([]),
    "True": lambda: True,
    "False": lambda: False,
    "None": lambda: None,
}
"""Values that most parameters must reject, except those of `has_use`."""

EDGES = {
    "0": lambda: 0,
    "-1": lambda: -1,
    "1": lambda: 1,
    "2": lambda: 2,
    "7": lambda: 7,
    "2.5": lambda: 2.5,
    "200.0": lambda: 200.0,
    "0.5": lambda: 0.5,
    "-0.0": lambda: -0.0,
    "infinity": lambda: math.inf,
    "-infinity": lambda: -math.inf,
    "5e-324": lambda: 5e-324,
    "1e-300": lambda: 1e-300,
    "-1e-300": lambda: -1e-300,
    "next to 0.5": lambda: np.nextafter(0.5, 1),
    "next to 1": lambda: 1 - 2**-53,
    "above 1": lambda: 1 + 2**-52,
    "1e300": lambda: 1e300,
    "-1e300": lambda: -1e300,
    "largest": lambda: 1.7976931348623157e308,
    "2^53 + 1": lambda: 2**53 + 1,
    "10^9": lambda: 10**9,
    "1e9": lambda: 1e9,
    "2^63": lambda: 2**63,
    "2^64 + 1": lambda: 2**64 + 1,
    "numpy integer": lambda: np.int64(3),
    "numpy small float": lambda: np.float32(0.25),
    "array without axes": lambda: np.array(0.5),
    "array of one": lambda: np.array([0.5]),
    "Fraction": lambda: Fraction(1, 3),
    "Decimal": lambda: Decimal("0.25"),
    "pair": lambda: (0.1, 0.4),
    "pair the wrong way": lambda: (0.4, 0.1),
    "rising": lambda: [0.0, 0.5, 1.0],
    "falling": lambda: [1.0, 0.0],
    "pair with nan": lambda: [0.5, math.nan],
    "pair with infinity": lambda: [0.5, math.inf],
    "pair of huge": lambda: [1e308, 1e308],
    "pair of tiny": lambda: [5e-324, 1e-323],
}
"""Values that may be right or wrong; the outcome must be finite or an error."""

VALUES = NONSENSE | EDGES
NUMBERS = {"True", "False"}  # a truth value is a flag; `has_use` excludes it as a number


def has_use(key: str, annotation: object, default: object) -> bool:
    """Whether a parameter of this annotation may result when given this value."""
    if key in EDGES:
        return not _is_flag(annotation)
    if key == "None":
        return default is None or "None" in str(annotation)
    if key in {"True", "False"}:
        return "bool" in str(annotation)
    return False


def _is_flag(annotation: object) -> bool:
    return str(annotation) in {"bool", "<class 'bool'>"}


def short(value: object, limit: int = 80) -> str:
    """A value or sentence on one line."""
    try:
        return re.sub(r"\s+", " ", str(value))[:limit]
    except ValueError:  # an integer of thousands of digits somewhere in it
        return f"a {type(value).__name__}"


def _takes_nothing() -> None:
    return None


def _list_in_itself() -> list[typing.Any]:
    cycle: list[typing.Any] = [1]
    cycle.append(cycle)
    return cycle
