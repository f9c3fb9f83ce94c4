"""What columns of DuckDB's types are as labels and scores."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.duckdb_access import as_numpy
from rocwise.engines.requests import Survey

SHORT = ("BOOLEAN", "TINYINT", "UTINYINT", "SMALLINT", "USMALLINT", "FLOAT")  # exact in float32
NUMBERS = {
    "BOOLEAN": "bool", "TINYINT": "int8", "SMALLINT": "int16", "INTEGER": "int32",
    "BIGINT": "int64", "UTINYINT": "uint8", "USMALLINT": "uint16", "UINTEGER": "uint32",
    "UBIGINT": "uint64", "FLOAT": "float32", "DOUBLE": "float64",
}  # fmt: skip
FLOATS = ("FLOAT", "DOUBLE")
SIGNED = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
DECIMAL = re.compile(r"DECIMAL\((\d+),\d+\)")
DIGITS_OF_FLOATS = 15


def is_missing(name: str, kind: str) -> str:
    """Whether a cell of a column is NULL or nan, in SQL."""
    nan = f" or isnan({name})" if kind in FLOATS else ""
    return f"({name} is null{nan})"


def oriented(name: str, kind: str, higher: bool) -> str:
    """Scores as the floats that they would be in memory, negated if lower ones mean positive."""
    number = f"cast({name} as {'FLOAT' if kind in SHORT else 'DOUBLE'})"
    return number if higher else f"0 - {number}"


def survey_of(
    found: list[tuple[Any, ...]], label: str, scores: list[str], kinds: list[str]
) -> Survey:
    """What one row for each label told."""
    labels = np.empty(len(found), dtype=object)
    labels[:] = [row[0] for row in found]
    labels = as_numpy(labels, kinds[0])
    if kinds[0].startswith("TIMESTAMP"):  # as a column of them is in memory
        labels = labels.astype("datetime64[us]")
    counts = np.array([row[1] for row in found], np.int64)
    unscored = np.array([row[2] for row in found], np.int64)
    of_scores = {
        name: [row[3 + 4 * k : 7 + 4 * k] for row in found] for k, name in enumerate(scores)
    }
    return Survey(
        labels=CountedRows({label: labels}, counts, None),
        unscored=unscored,
        unscored_by={name: sum(part[0] for part in parts) for name, parts in of_scores.items()},
        kinds={name: _numpy_kind(kind) for name, kind in zip(scores, kinds[1:], strict=True)},
        ends={name: _ends(parts) for name, parts in of_scores.items()},
        distinct={name: sum(part[3] for part in parts) for name, parts in of_scores.items()},
    )


def _ends(parts: list[tuple[Any, ...]]) -> tuple[Any, Any] | None:
    present = [part for part in parts if part[1] is not None]
    if not present:
        return None
    return min(part[1] for part in present), max(part[2] for part in present)


def _numpy_kind(kind: str) -> str:
    decimal = DECIMAL.match(kind)
    if decimal and int(decimal[1]) <= DIGITS_OF_FLOATS:
        return "float64"
    return NUMBERS.get(kind, "object")
