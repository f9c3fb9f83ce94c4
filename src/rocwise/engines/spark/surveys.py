"""One look at all rows: which labels there are, what is missing, and how many rows each range has.

A sample has said before where ranges of scores may end, so that the same pass counts both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise.arrays import Counts, Floats
from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.requests import MOST_LABELS, Asked, Survey
from rocwise.engines.spark.answers import numpy_column
from rocwise.engines.spark.columns import (
    is_missing,
    is_number,
    kinds_of,
    named,
    oriented,
    with_places,
)
from rocwise.engines.spark.samples import Sample
from rocwise.engines.spark.score_ranges import ScoreRanges

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
LACKS = -1  # the range of rows that lack something
TEXT = ("string", "binary")  # Spark would sort all rows to find the ends of these


@dataclass(frozen=True, slots=True, eq=False)
class CountedRanges:
    """Rows of each label in each range of one column of scores, as the survey counted them.

    Attributes
    ----------
    label, score : str
        The two columns.
    columns : frozenset of str
        What rows must not lack: these scores, and other columns.
    bounds : ndarray of float64
        Ranges of scores as they are, not negated.
    counts : dict
        By label, the rows of each range.
    """

    label: str
    score: str
    columns: frozenset[str]
    bounds: Floats
    counts: dict[Any, Counts]

    def ranges(self, asked: Asked, score: str) -> ScoreRanges | None:
        """The ranges that are asked for with their rows, or None if others were counted."""
        same = self.label == asked.label and self.score == score
        if not same or self.columns != {*asked.scores, *asked.complete}:
            return None
        nothing = np.zeros(len(self.bounds) + 1, np.int64)
        pos, neg = (self.counts.get(label, nothing) for label in (asked.positive, asked.negative))
        ranges = ScoreRanges(self.bounds, pos, neg)
        return ranges if asked.higher else ranges.negated()


def surveyed(
    chosen: Any, label: str, scores: list[str], samples: dict[str, Sample]
) -> tuple[Survey, CountedRanges]:
    """Count labels, what is missing and the ranges of the first score; find the ends of scores."""
    kinds = kinds_of(chosen)
    bounds = samples[scores[0]].bounds
    most = MOST_LABELS * (len(bounds) + 2)
    table = _by_label(chosen, label, scores, bounds).limit(most).toArrow()
    labels, place = _labels(table)
    n = numpy_column(table.column("n"))
    code = numpy_column(table.column("code"))
    first = np.unique(place, return_index=True)[1]
    held = numpy_column(table.column("label").take(first))
    counts = np.bincount(place, n, len(labels)).astype(np.int64)
    gaps = {name: int(numpy_column(table.column(f"missing{k}")).sum()) for k, name in _each(scores)}
    survey = Survey(
        labels=CountedRows({label: held}, counts, None),
        unscored=np.bincount(place, n * (code == LACKS), len(labels)).astype(np.int64),
        unscored_by=gaps,
        kinds={name: _numpy_kind(kinds[name]) for name in scores},
        ends={
            name: samples[name].ends or _first(chosen, name, int(counts.sum()) - gaps[name])
            if kinds[name] in TEXT
            else _ends(table, k)
            for k, name in _each(scores)
        },
        distinct={name: min(samples[name].distinct, int(counts.sum())) for name in scores},
    )
    by_label = np.zeros((len(labels), len(bounds) + 1), np.int64)
    kept = code != LACKS
    by_label[place[kept], code[kept]] = n[kept]
    ranges = dict(zip(labels, by_label, strict=True))
    return survey, CountedRanges(label, scores[0], frozenset(scores), bounds, ranges)


def _each(scores: list[str]) -> list[tuple[int, str]]:
    return list(enumerate(scores))


def _labels(table: Any) -> tuple[list[Any], Counts]:
    """The distinct labels, and for each row of the table the place of its label among them."""
    numbers: dict[Any, int] = {}
    place = [numbers.setdefault(cell, len(numbers)) for cell in table.column("label").to_pylist()]
    return list(numbers), np.array(place, np.int64)


def _by_label(chosen: Any, label: str, scores: list[str], bounds: Floats) -> Any:
    """For each label and range of the first score: rows, gaps, and the ends of each score."""
    from pyspark.sql import functions as sql

    kinds = kinds_of(chosen)
    own = named(chosen, label)
    # nan is as missing as NULL, and one label with it
    columns = [sql.when(~is_missing(own, kinds[label]), own).alias("label")]
    missing = [is_missing(named(chosen, name), kinds[name]) for name in scores]
    lacks = missing[0]
    for each in missing[1:]:
        lacks = lacks | each
    columns.append(lacks.alias("lacks"))
    totals = [sql.count(sql.lit(1)).alias("n")]
    for k, (name, gap) in enumerate(zip(scores, missing, strict=True)):
        columns += [gap.alias(f"gap{k}"), named(chosen, name).alias(f"raw{k}")]
        totals.append(sql.count_if(f"gap{k}").alias(f"missing{k}"))
        if kinds[name] not in TEXT:
            present = sql.when(~sql.col(f"gap{k}"), sql.col(f"raw{k}"))
            totals += [sql.min(present).alias(f"low{k}"), sql.max(present).alias(f"high{k}")]
    if is_number(kinds[scores[0]]):
        columns.append(oriented(named(chosen, scores[0]), higher=True).alias("s0"))
    rows = with_places(chosen.select(*columns), bounds, "s0")
    code = sql.when(sql.col("lacks"), LACKS).otherwise(sql.col("code")).alias("code")
    return rows.groupBy("label", code).agg(*totals)


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


def _first(chosen: Any, name: str, present: int) -> tuple[Any, Any] | None:
    """Any value of a column that the sample has missed, twice; None where there is none."""
    if not present:
        return None
    column = named(chosen, name)
    (row,) = chosen.where(column.isNotNull()).select(column).limit(1).toArrow().columns
    return row[0].as_py(), row[0].as_py()
