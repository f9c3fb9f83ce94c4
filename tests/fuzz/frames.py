"""Columns of every type that frames and lists have, as labels, scores, weights and groups.

Whatever a library makes of the same values, the result must be the same, or an `InputError`.
"""

import datetime
import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import rocwise as rw
from fuzz.values import short
from fuzz.walker import Outcome

GOOD = {"equal", "error"}
SCORES = [3, 1, 2, 5, 4, 2, 7, 0]
LABELS = [0, 0, 1, 1, 0, 1, 1, 0]
EXPECTED = rw.auc(LABELS, SCORES).value

HOLDERS: dict[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": tuple,
    "numpy": np.asarray,
    "numpy objects": lambda v: np.array(v, dtype=object),
    "numpy swapped": lambda v: np.asarray(v).astype(np.asarray(v).dtype.newbyteorder()),
    "numpy strided": lambda v: np.repeat(np.asarray(v), 2)[::2],
    "pandas": pd.Series,
    "pandas index": pd.Index,
    "polars": lambda v: pl.Series(v, strict=False),
    "pyarrow": pa.array,
    "pyarrow chunks": lambda v: pa.chunked_array([pa.array(v[:3]), pa.array(v[3:])]),
    "generator": lambda v: (item for item in v),
    "set": lambda v: set(map(str, v)),
    "masked": lambda v: np.ma.masked_array(np.asarray(v), mask=np.zeros(len(v), bool)),
}
KINDS: dict[str, Callable[[list[int]], list[Any]]] = {
    "int": list,
    "float": lambda v: [float(x) for x in v],
    "float32": lambda v: [np.float32(x) for x in v],
    "int8": lambda v: [np.int8(x) for x in v],
    "uint64": lambda v: [np.uint64(x) for x in v],
    "Decimal": lambda v: [Decimal(x) for x in v],
    "Fraction": lambda v: [Fraction(x) for x in v],
    "text": lambda v: [str(x) for x in v],
    "bytes": lambda v: [str(x).encode() for x in v],
    "complex": lambda v: [complex(x) for x in v],
    "huge int": lambda v: [x + 2**60 for x in v],
    "huger int": lambda v: [x + 10**40 for x in v],
    "beyond floats": lambda v: [x + 10**400 for x in v],
    "int and float": lambda v: [float(x) if x % 2 else x for x in v],
    "text and number": lambda v: [str(x) if x % 2 else x for x in v],
    "huge int and float": lambda v: [x + 2**60 if x % 2 else float(x) for x in v],
    "bool": lambda v: [bool(x % 2) for x in v],
    "date": lambda v: [datetime.date(2020, 1, 1 + x) for x in v],
    "duration": lambda v: [datetime.timedelta(days=x) for x in v],
    "with nan": lambda v: [float("nan"), *map(float, v[1:])],
    "with None": lambda v: [None, *v[1:]],
    "with NA": lambda v: [pd.NA, *v[1:]],
    "nested": lambda v: [[x] for x in v],
    "signalling nan": lambda v: [Decimal("sNaN"), *map(Decimal, v[1:])],
    "objects": lambda v: [object() for _ in v],
    "infinite": lambda v: [float("inf") if x == 7 else float(x) for x in v],
    "tiny": lambda v: [x * 5e-324 for x in v],
    "large": lambda v: [x * 1e307 for x in v],
}
ORDER_KEPT = {"int", "float", "float32", "int8", "uint64", "Decimal", "Fraction", "huge int",
              "int and float", "infinite", "tiny", "large"}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A kind of values in a kind of holder, in one place of a call."""

    place: str
    kind: str
    holder: str

    @property
    def key(self) -> str:
        return f"{self.place} as {self.kind} in {self.holder}"


def cases(seed: int = 0, fraction: float = 1.0) -> list[Case]:
    places = ("scores", "labels", "weights", "groups")
    every = [Case(p, k, h) for p in places for k in KINDS for h in HOLDERS]
    random.Random(seed).shuffle(every)
    return every[: round(fraction * len(every))]


def run(case: Case) -> Outcome:
    values = KINDS[case.kind](SCORES if case.place == "scores" else LABELS)
    try:
        column = HOLDERS[case.holder](values)
    except BaseException as problem:  # the library itself has no such column; polars panics
        if isinstance(problem, KeyboardInterrupt):
            raise
        return Outcome(case.key, "equal", f"cannot be made: {short(problem)}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = _auc_with(case.place, column)
        except rw.InputError as raised:
            return Outcome(case.key, "error", short(raised))
        except Exception as error:
            return Outcome(case.key, "foreign error", f"{type(error).__name__}: {short(error)}")
    if found != found:
        return Outcome(case.key, "nan", "")
    exact = case.place == "scores" and case.kind in ORDER_KEPT
    if exact and found != EXPECTED:
        return Outcome(case.key, "wrong", f"{found} for {EXPECTED}")
    return Outcome(case.key, "equal", "")


def _auc_with(place: str, column: Any) -> float:
    if place == "scores":
        return rw.auc(LABELS, column).value
    if place == "labels":
        return rw.auc(column, SCORES).value
    if place == "weights":
        return rw.auc([0, 1] * 4, SCORES, sample_weight=column).value
    return rw.auc(LABELS, SCORES, groups=column).standard_error or 0.0
