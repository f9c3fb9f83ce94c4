"""A Spark frame as a source: the plans by which Spark answers what is asked of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from rocwise.data.amounts.smooth_steps import SmoothPlan
from rocwise.data.mergeable.exact_sums import ClusterSums, GroupSums, PairSums
from rocwise.data.mergeable.range_states import BinPlan, RangeState, joined, tied_state
from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.frames import check_columns
from rocwise.engines.parquet_files import check_flat
from rocwise.engines.requests import Asked, Survey
from rocwise.engines.spark import workers
from rocwise.engines.spark.answers import (
    CLUSTER_SUMS,
    RANGE_STATES,
    cluster_sums_of,
    numpy_column,
    pair_sums_of,
    range_states_of,
    score_totals_of,
)
from rocwise.engines.spark.columns import clean_rows, kinds_of, with_range_codes
from rocwise.engines.spark.group_plans import sums_by_group
from rocwise.engines.spark.jobs import job
from rocwise.engines.spark.samples import Sample, sampled
from rocwise.engines.spark.score_ranges import ScoreRanges
from rocwise.engines.spark.sorted_pieces import PIECES, sorted_pieces, states_of_pieces
from rocwise.engines.spark.surveys import CountedRanges, surveyed
from rocwise.errors import InputError, listed

RANGE_ROWS = 1_000_000  # of one range, which a worker sorts in its memory: about 50 MB
MOST_COUNTED = 10_000_000  # distinct rows that may come here
SHORT = ("boolean", "tinyint", "smallint", "float")  # scores that are float32 in memory


def is_spark_frame(source: Any) -> bool:
    """Whether this is a frame of Spark, classic or Connect; imports nothing.

    >>> is_spark_frame([1, 2])
    False
    """
    return any(
        kind.__module__.startswith("pyspark.sql.") and kind.__name__ == "DataFrame"
        for kind in type(source).__mro__
    )


@contextmanager
def spark_source(frame: Any) -> Iterator[SparkSource]:
    """The frame as a source that answers; nothing is left behind on the cluster."""
    yield SparkSource(frame, RANGE_ROWS, MOST_COUNTED)


@dataclass(slots=True, eq=False)
class SparkSource:
    """What Spark can say of a frame; only counts and sums come here.

    What a sample and the survey told is kept: where ranges end, and how many rows they have.

    Attributes
    ----------
    frame : DataFrame
        Of `pyspark.sql`.
    range_rows : int
        Rows that a worker may hold at once, about.
    most_counted : int
        Distinct rows that may come here.
    """

    frame: Any
    range_rows: int
    most_counted: int
    library: str | None = None
    read_by: str | None = None
    samples: dict[str, Sample] = field(default_factory=dict)
    found: list[CountedRanges] = field(default_factory=list)

    def in_memory(self, n_rows: int) -> str:
        """How a user can have so many rows in memory."""
        return f"pass frame.toPandas() if its {n_rows:,} rows fit into memory here"

    def survey(self, label: str, scores: list[str]) -> Survey:
        """Look at all rows once."""
        chosen = self._chosen([label, *scores])
        with job(self.frame, "looking at the rows"):
            self._sample(chosen, scores)
            survey, ranges = surveyed(chosen, label, scores, self.samples)
        self.found.append(ranges)
        return survey

    def few(self, wanted: list[str]) -> bool:
        """Never: the survey costs little beside a job of its own."""
        return False

    def counted(self, wanted: list[str], weight: str | None) -> CountedRows | None:
        """Distinct rows with their counts; None if there are too many of them to come here.

        Weights are counted whatever they are: rows of Spark have no order, so that no order of
        adding them up is the right one.
        """
        names = list(dict.fromkeys(wanted))
        keys = [f"c{k}" for k in range(len(names))]
        chosen = self._chosen(names).toDF(*keys)
        with job(self.frame, "counting equal rows"):
            grouped = chosen.groupBy(*keys).count()
            table = grouped.limit(self.most_counted + 1).toArrow()
        if table.num_rows > self.most_counted:
            return None
        *columns, counts = (numpy_column(column) for column in table.columns)
        return CountedRows(dict(zip(names, columns, strict=True)), counts, None)

    def range_state(self, asked: Asked) -> RangeState:
        """Placement sums and bins of one column of scores, the same whatever the ranges were."""
        chosen = self._chosen(_columns(asked))
        rows = clean_rows(chosen, asked)
        with job(self.frame, "summing over ranges of scores"):
            (ranges,) = self._ranges(rows, asked)
            smooth = None if asked.smooth is None else _settled(rows, ranges, asked.smooth)
            pieces = _mapped(rows, workers.sent(sorted_pieces, ranges), PIECES)
            states = _mapped(
                pieces.repartitionById(len(ranges), pieces["place"]),
                workers.sent(states_of_pieces, ranges, asked.bins, smooth),
                RANGE_STATES,
            ).toArrow()
        found = range_states_of(states, smooth) | _tied_states(ranges, asked.bins, smooth)
        _refuse_lost(ranges, found)
        whole = joined(found[place] for place in sorted(found))
        short = kinds_of(chosen)[asked.scores[0]] in SHORT
        return replace(whole, scores=whole.scores.astype(np.float32)) if short else whole

    def group_sums(self, asked: Asked, by: str) -> GroupSums:
        """Placement sums within each group of rows; `by` is a column without missing values."""
        rows = clean_rows(self._chosen([*_columns(asked), by]), asked, group=by)
        with job(self.frame, f"summing within groups of `{by}`"):
            return sums_by_group(rows, self._n_ranges(asked))

    def pair_sums(self, asked: Asked) -> PairSums:
        """Sums of products of the placements that all columns of scores give to each row."""
        rows = clean_rows(self._chosen(_columns(asked)), asked)
        models = len(asked.scores)
        with job(self.frame, "placing rows by every model"):
            ranges = self._ranges(rows, asked)
            routed = _placed_by_all_but_last(rows, ranges)
            last = workers.sent(workers.pair_sums, models, ranges[-1])
            sums = _mapped(_ranged(routed, len(ranges[-1])), last, CLUSTER_SUMS).toArrow()
        found = pair_sums_of(sums, models)
        if ranges[0].counted and found.n_pos + found.n_neg != ranges[0].total:
            raise InputError(f"{workers.CHANGED}. Call .persist() on it first.")
        return found

    def cluster_sums(self, asked: Asked, clusters: str) -> ClusterSums:
        """Sums over clusters of what the placements in each add up to."""
        from pyspark.sql import functions as sql

        rows = clean_rows(self._chosen([*_columns(asked), clusters]), asked, cluster=clusters)
        kind = rows.schema["cluster"].dataType.simpleString()
        models = len(asked.scores)
        names = ["p", "n", *(f"{k}{model}" for k in "uv" for model in range(models))]
        with job(self.frame, f"summing within clusters of `{clusters}`"):
            ranges = self._ranges(rows, asked)
            placed = _mapped(
                _ranged(_placed_by_all_but_last(rows, ranges, kind), len(ranges[-1])),
                workers.sent(workers.clustered_placements, models, ranges[-1]),
                ", ".join([*(f"{name} bigint" for name in names), f"cluster {kind}"]),
            )
            # 128 bits: the placements of a large cluster need more than 64
            totals = [sql.sum(sql.col(k).cast("decimal(38,0)")).alias(k) for k in names]
            whole = placed.groupBy("cluster").agg(*totals).select(*names)
            sums = _mapped(whole, workers.sent(workers.cluster_sums, models), CLUSTER_SUMS)
            return cluster_sums_of(sums.toArrow())

    def _chosen(self, wanted: list[str]) -> Any:
        """The wanted columns under their names; places, not names, find them in the frame."""
        with job(self.frame, "reading the names of the columns"):
            present = list(self.frame.columns)
            kinds = [field.dataType.simpleString() for field in self.frame.schema.fields]
        check_columns(wanted, present)
        repeated = [name for name in wanted if present.count(name) > 1]
        if repeated:
            raise InputError(f"more than one column is called {listed(repeated)}.")
        check_flat(wanted, [kinds[present.index(name)] for name in wanted], "the frame")
        names = list(dict.fromkeys(wanted))
        numbered = self.frame.toDF(*(f"c{k}" for k in range(len(present))))
        return numbered.select(*(numbered[f"c{present.index(name)}"] for name in names)).toDF(
            *names
        )

    def _n_ranges(self, asked: Asked) -> int:
        return max(1, -(-asked.n_rows // self.range_rows))

    def _sample(self, chosen: Any, scores: list[str]) -> None:
        """Look at a sample of those columns that were not looked at before."""
        new = [name for name in dict.fromkeys(scores) if name not in self.samples]
        if new:
            self.samples |= sampled(chosen, new, self.range_rows)

    def _ranges(self, rows: Any, asked: Asked) -> list[ScoreRanges]:
        """Ranges for each column of scores, and the rows in each."""
        self._sample(self._chosen(list(asked.scores)), list(asked.scores))
        return [self._range(rows, asked, k) for k in range(len(asked.scores))]

    def _range(self, rows: Any, asked: Asked, model: int) -> ScoreRanges:
        """Ranges for one column of scores; only what the survey did not count is counted now."""
        score = asked.scores[model]
        for counted in self.found:
            ranges = counted.ranges(asked, score)
            if ranges is not None:
                return ranges
        plain = ScoreRanges(self.samples[score].bounds)
        return _counted(rows, plain if asked.higher else plain.negated(), f"s{model}")


def _columns(asked: Asked) -> list[str]:
    return list(dict.fromkeys([asked.label, *asked.scores, *asked.complete]))


def _placed_by_all_but_last(
    rows: Any, ranges: list[ScoreRanges], cluster: str | None = None
) -> Any:
    """Rows with placements in place of scores, on their way to the ranges of the last model.

    Rows go from the ranges of one model to those of the next and carry their placements with
    them, so that nothing has to be joined. `cluster` is the type of the column of clusters.
    """
    kinds = ["double"] * len(ranges)
    routed = with_range_codes(rows, ranges[0].bounds, "s0")
    for model, (own, following) in enumerate(pairwise(ranges)):
        kinds[model] = "bigint"  # scores become placements
        place = workers.sent(workers.place_and_route, model, own, following)
        routed = _mapped(_ranged(routed, len(own)), place, _schema(kinds, cluster))
    return routed


def _schema(kinds: list[str], cluster: str | None) -> str:
    columns = ["code int", *(f"s{k} {kind}" for k, kind in enumerate(kinds))]
    return ", ".join(columns if cluster is None else [*columns, f"cluster {cluster}"])


def _mapped(rows: Any, worker: workers.Worker, schema: str) -> Any:
    return rows.mapInArrow(worker, schema)


def _ranged(rows: Any, ranges: int) -> Any:
    """Rows of one range together, each range in a task of its own."""
    from pyspark.sql import functions as sql

    return rows.repartitionById(ranges, sql.shiftright("code", 1))


def _counted(rows: Any, ranges: ScoreRanges, score: str) -> ScoreRanges:
    """The ranges with the number of their rows."""
    codes = with_range_codes(rows.select("mask", score), ranges.bounds, score)
    table = codes.groupBy("code").count().toArrow()
    code, count = (numpy_column(column) for column in table.columns)
    totals = np.zeros(2 * len(ranges), np.int64)
    totals[code] = count
    return ScoreRanges(ranges.bounds, totals[1::2], totals[::2])


def _settled(rows: Any, ranges: ScoreRanges, smooth: SmoothPlan) -> SmoothPlan:
    """The plan of a smooth curve with its ends and its midpoint, from a look at all scores."""
    from pyspark.sql import functions as sql

    assert ranges.pos is not None
    assert ranges.neg is not None
    ends = rows.agg(sql.min("s0"), sql.max("s0")).toArrow()
    plan = smooth.within(*(float(column[0].as_py()) for column in ends.columns))

    def totals() -> tuple[Fraction, Fraction]:
        chosen = rows.select("mask", "s0")
        return score_totals_of(
            _mapped(chosen, workers.sent(workers.score_totals, plan), CLUSTER_SUMS).toArrow()
        )

    return plan.settled(totals, (int(ranges.neg.sum()), int(ranges.pos.sum())))


def _tied_states(
    ranges: ScoreRanges, bins: int, smooth: SmoothPlan | None = None
) -> dict[int, RangeState]:
    """States of the ranges of one score, which their counts tell."""
    states = {}
    for place in np.flatnonzero(ranges.single).tolist():
        n_pos, n_neg = ranges.counts(place)
        if n_pos + n_neg:
            plan = BinPlan(bins, ranges.total, sum(ranges.below(place)))
            states[place] = tied_state(ranges.lowest(place), n_pos, n_neg, plan, smooth)
    return states


def _refuse_lost(ranges: ScoreRanges, states: dict[int, RangeState]) -> None:
    """Refuse states that do not hold as many rows as were counted."""
    rows = sum(state.sums.n_pos + state.sums.n_neg for state in states.values())
    if ranges.counted and rows != ranges.total:
        raise InputError(f"{workers.CHANGED}. Call .persist() on it first.")
