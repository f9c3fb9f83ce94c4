"""A sample of the rows: where ranges of scores should end, and about how many scores there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.engines.counted_rows import about_distinct
from rocwise.engines.spark.answers import numpy_column
from rocwise.engines.spark.columns import is_missing, is_number, kinds_of, named, oriented
from rocwise.engines.spark.score_ranges import bounds_of_sample

SAMPLED_PER_RANGE = 3000  # rows that decide where ranges end, and whether scores are few


@dataclass(frozen=True, slots=True)
class Sample:
    """What a sample tells of one column.

    Attributes
    ----------
    bounds : ndarray of float64
        Where ranges of about equally many rows begin; none for what is no number.
    distinct : int
        About how many distinct values all rows have.
    ends : tuple or None
        The least and the largest value of the sample, for what is no number.
    """

    bounds: Floats
    distinct: int
    ends: tuple[Any, Any] | None = None


def sampled(chosen: Any, scores: list[str], range_rows: int) -> dict[str, Sample]:
    """Draw rows once, the same in every run, and look at the columns."""
    from pyspark.sql import functions as sql

    share = min(1.0, SAMPLED_PER_RANGE / range_rows)
    kinds = kinds_of(chosen)
    columns = []
    for k, name in enumerate(scores):
        own = named(chosen, name)
        value = oriented(own, higher=True) if is_number(kinds[name]) else own
        columns.append(sql.when(~is_missing(own, kinds[name]), value).alias(f"s{k}"))
    rows = chosen if share == 1.0 else chosen.where(sql.rand(0) < share)
    table = rows.select(*columns).toArrow()
    ranges = -(-table.num_rows // max(1, round(share * range_rows)))
    return {
        name: _sample(table.column(k).drop_null(), share, ranges if is_number(kinds[name]) else 1)
        for k, name in enumerate(scores)
    }


def _sample(column: Any, share: float, ranges: int) -> Sample:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        counts = pc.value_counts(column).field("counts").to_numpy()
    except pa.ArrowNotImplementedError:  # nested values, which are refused as scores
        return Sample(np.empty(0), len(column))
    number = pa.types.is_floating(column.type)
    found = None if number or not len(column) else tuple(pc.min_max(column).as_py().values())
    bounds = bounds_of_sample(numpy_column(column), ranges) if number else np.empty(0)
    # nothing is below the lowest float, so that a range may not begin there
    return Sample(bounds[bounds > -np.inf], n_distinct(counts, share), found)


def n_distinct(counts: Any, share: float) -> int:
    """About how many distinct values all rows have, from how often each occurs in a sample.

    >>> n_distinct([1] * 100, 1.0), n_distinct([900, 100], 0.01), n_distinct([1] * 100, 0.001)
    (100, 2, 5045)
    """
    times = np.asarray(counts)
    once, twice = int(np.count_nonzero(times == 1)), int(np.count_nonzero(times == 2))
    return len(times) + round((1 - share) * about_distinct(0, once, twice))
