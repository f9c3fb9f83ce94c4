"""One look at all rows: which labels there are, and what the columns of scores hold."""

from __future__ import annotations

import re
from typing import Any

from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.requests import MOST_LABELS, Survey
from rocwise.engines.spark.answers import numpy_column
from rocwise.engines.spark.columns import is_missing, kinds_of, named

NUMPY_KINDS = {
    "boolean": "bool",
    "tinyint": "int8",
    "smallint": "int16",
    "int": "int32",
    "bigint": "int64",
    "float": "float32",
    "double": "float64",
    "string": "str",
}
DECIMAL = re.compile(r"decimal\((\d+),\d+\)")
DIGITS_OF_FLOATS = 15


def surveyed(chosen: Any, label: str, scores: list[str]) -> Survey:
    """Count labels and what is missing; find the ends of the scores and how many differ."""
    table = _by_label(chosen, label, scores).limit(MOST_LABELS).toArrow()
    kinds = kinds_of(chosen)
    labels = table.column("label")
    counts = numpy_column(table.column("n"))
    gaps = {s: numpy_column(table.column(f"missing{k}")) for k, s in enumerate(scores)}
    return Survey(
        labels=CountedRows({label: numpy_column(labels)}, counts, None),
        unscored=numpy_column(table.column("unscored")),
        unscored_by={name: int(gap.sum()) for name, gap in gaps.items()},
        kinds={name: _numpy_kind(kinds[name]) for name in scores},
        ends={name: _ends(table, k) for k, name in enumerate(scores)},
        distinct={
            name: int(numpy_column(table.column(f"distinct{k}")).sum())
            for k, name in enumerate(scores)
        },
    )


def _by_label(chosen: Any, label: str, scores: list[str]) -> Any:
    """For each label: rows, rows without a score, and for each score its ends and variety."""
    from pyspark.sql import functions as sql

    kinds = kinds_of(chosen)
    own = named(chosen, label)
    # nan is as missing as NULL, and one label with it
    key = sql.when(~is_missing(own, kinds[label]), own).alias("label")
    missing = [is_missing(named(chosen, name), kinds[name]) for name in scores]
    lacks = missing[0]
    for each in missing[1:]:
        lacks = lacks | each
    columns = [key, lacks.alias("lacks")]
    totals = [sql.count(sql.lit(1)).alias("n"), sql.count_if("lacks").alias("unscored")]
    for k, (name, gap) in enumerate(zip(scores, missing, strict=True)):
        columns.append(sql.when(~gap, named(chosen, name)).alias(f"s{k}"))
        totals += [
            sql.count_if(sql.col(f"s{k}").isNull()).alias(f"missing{k}"),
            sql.min(f"s{k}").alias(f"low{k}"),
            sql.max(f"s{k}").alias(f"high{k}"),
            sql.approx_count_distinct(f"s{k}").alias(f"distinct{k}"),
        ]
    return chosen.select(*columns).groupBy("label").agg(*totals)


def _numpy_kind(kind: str) -> str:
    """The type that a column would have in memory; decimals that floats hold are floats.

    >>> _numpy_kind("decimal(10,2)"), _numpy_kind("decimal(38,18)")
    ('float64', 'object')
    """
    digits = DECIMAL.fullmatch(kind)
    if digits and int(digits[1]) <= DIGITS_OF_FLOATS:
        return "float64"
    return NUMPY_KINDS.get(kind, "object")


def _ends(table: Any, k: int) -> tuple[Any, Any] | None:
    lows = [cell for cell in table.column(f"low{k}").to_pylist() if cell is not None]
    highs = [cell for cell in table.column(f"high{k}").to_pylist() if cell is not None]
    return (min(lows), max(highs)) if lows else None
