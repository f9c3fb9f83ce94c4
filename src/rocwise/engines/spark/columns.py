"""Columns of a Spark frame as the plans need them: a mask, scores as float64, nothing missing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.engines.requests import Asked

FLOATING = ("float", "double")
NUMBERS = ("boolean", "tinyint", "smallint", "int", "bigint", *FLOATING)


def clean_rows(
    chosen: Any, asked: Asked, *, cluster: str | None = None, group: str | None = None
) -> Any:
    """Rows that miss nothing: `mask` (1 for a positive), `s0`, `s1`, ..., oriented scores."""
    from pyspark.sql import functions as sql

    kinds = kinds_of(chosen)
    label = named(chosen, asked.label)
    mask = sql.when(label == literal(asked.positive), 1).when(label == literal(asked.negative), 0)
    present = [mask.isNotNull()]
    present += [
        ~is_missing(named(chosen, name), kinds[name]) for name in (*asked.scores, *asked.complete)
    ]
    columns = [mask.cast("tinyint").alias("mask")]
    for k, name in enumerate(asked.scores):
        columns.append(oriented(named(chosen, name), higher=asked.higher).alias(f"s{k}"))
    for other, alias in ((cluster, "cluster"), (group, "group")):
        if other is not None:
            columns.append(without_sign(named(chosen, other), kinds[other]).alias(alias))
    whole = present[0]
    for condition in present[1:]:
        whole = whole & condition
    return chosen.where(whole).select(*columns)


def quoted(name: str) -> str:
    """A name as Spark must get it to take every sign literally.

    >>> quoted("a.b")
    '`a.b`'
    """
    return "`" + name.replace("`", "``") + "`"


def named(frame: Any, name: str) -> Any:
    """A column by its exact name; names of the plans' own frames differ in more than case."""
    return frame[quoted(name)]


def kinds_of(frame: Any) -> dict[str, str]:
    """The type of each column, as Spark writes it."""
    return {field.name: field.dataType.simpleString() for field in frame.schema.fields}


def is_number(kind: str) -> bool:
    """Whether cells of this type can be scores.

    >>> is_number("decimal(10,2)"), is_number("string")
    (True, False)
    """
    return kind in NUMBERS or kind.startswith("decimal")


def is_missing(column: Any, kind: str) -> Any:
    """Whether a cell is NULL or nan."""
    from pyspark.sql import functions as sql

    return column.isNull() | sql.isnan(column) if kind in FLOATING else column.isNull()


def oriented(column: Any, *, higher: bool) -> Any:
    """Scores as float64, so that higher means positive; never -0.0."""
    from pyspark.sql import functions as sql

    score = column.cast("double")
    return sql.when(score == 0.0, 0.0).otherwise(score if higher else -score)


def without_sign(column: Any, kind: str) -> Any:
    """The two zeros as one."""
    from pyspark.sql import functions as sql

    if kind not in FLOATING:
        return column
    return sql.when(column == 0.0, sql.lit(0.0).cast(kind)).otherwise(column)


def literal(value: Any) -> Any:
    """A label as Spark takes it."""
    from pyspark.sql import functions as sql

    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[us]")
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, Decimal):
        return sql.lit(str(value)).cast(f"decimal(38,{max(0, -int(value.as_tuple().exponent))})")
    return sql.lit(value)


def with_range_codes(rows: Any, bounds: Floats, score: str) -> Any:
    """Rows with `code`: twice the number of the range of a score, plus one for a positive."""
    from pyspark.sql import functions as sql

    others = [name for name in rows.columns if name != "mask"]
    rows = with_places(rows, bounds, score)
    return rows.select((2 * sql.col("code") + sql.col("mask")).alias("code"), *others)


def with_places(rows: Any, bounds: Floats, score: str) -> Any:
    """Rows with `code`: the number of the range of a score, 0 where it is NULL.

    A binary search in steps that Spark compiles: for every row, how many bounds are not above it.
    """
    from pyspark.sql import functions as sql

    steps = [2**k for k in reversed(range(len(bounds).bit_length()))]
    padded = np.append(bounds, np.full(2 ** len(steps) - 1 - len(bounds), np.nan))
    table = sql.expr(f"array({', '.join(map(_double, padded.tolist()))})")
    rows = rows.withColumn("code", sql.lit(0))
    for step in steps:  # nan is above everything
        reached = sql.col(score) >= sql.get(table, sql.col("code") + (step - 1))
        rows = rows.withColumn("code", sql.col("code") + sql.when(reached, step).otherwise(0))
    return rows


def _double(value: float) -> str:
    """A float as Spark's SQL writes it.

    >>> _double(0.1), _double(float("-inf"))
    ('0.1D', "double('-inf')")
    """
    return f"{value!r}D" if np.isfinite(value) else f"double('{value}')"
