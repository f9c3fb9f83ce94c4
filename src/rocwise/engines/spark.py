"""Spark DataFrames of any size, on one machine or on a cluster; only counts and sums leave Spark.

`spark_workers` has the functions that run in Spark's Python processes, which need this package.
"""

import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from importlib.util import find_spec
from itertools import pairwise
from operator import add, and_, or_
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.data.range_states import RangeState, joined, tied_state
from rocwise.data.smooth_steps import SmoothPlan
from rocwise.data.summed_rows import ClusterSums, GroupSums
from rocwise.engines import spark_workers as workers
from rocwise.engines.counted_rows import CountedRows, about_distinct
from rocwise.engines.duckdb_access import objects
from rocwise.engines.frames import check_columns
from rocwise.engines.out_of_core.large_sources import (
    MOST_LABELS,
    Request,
    Survey,
    numpy_kind,
    survey_of,
)
from rocwise.engines.out_of_core.range_sums import FIELDS
from rocwise.engines.parquet_files import check_flat
from rocwise.engines.spark_workers import (
    CHANGED,
    OTHER_VERSION,
    ScoreRanges,
    bounds_of_sample,
    negated_bounds,
    sent,
)
from rocwise.errors import InputError, missing_package
from rocwise.kernels import PlacementSums

RANGE_ROWS = 1_000_000  # of one range, which a worker sorts in its memory: about 50 MB
MOST_COUNTED = 10_000_000  # distinct rows that are fetched
SAMPLED_PER_RANGE = 3000  # rows
FLOATING = ("float", "double")
NUMBERS = ("boolean", "tinyint", "smallint", "int", "bigint", *FLOATING)
SHORT = ("boolean", "tinyint", "smallint", "float")  # scores that are float32 in memory
TEXT = ("string", "binary")  # Spark would sort all rows to find the ends of these
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
WITHOUT_US = re.compile(r"ModuleNotFoundError: No module named '(rocwise|numpy|pyarrow)")
ENDED = (
    "SESSION_OR_CONTEXT_NOT_EXISTS",
    "SparkContext was shut down",
    "stopped SparkContext",
    "Connection refused",
    "'NoneType' object has no attribute 'sc'",
)


@dataclass(slots=True, eq=False)
class SparkSource:
    """A DataFrame of Spark as a `LargeSource`; samples, which give bounds of ranges, are cached."""

    frame: Any  # of `pyspark.sql`
    range_rows: int = RANGE_ROWS  # rows of a worker, about
    most_counted: int = MOST_COUNTED  # distinct rows that may be fetched
    library: str | None = None
    read_by: str | None = None
    samples: "dict[str, Sample]" = field(default_factory=dict)

    def in_memory(self, n_rows: int) -> str:
        """How a user can read so many rows into memory."""
        return f"pass frame.toPandas() if its {n_rows:,} rows fit into memory here"

    def survey(self, label: str, scores: list[str]) -> Survey:
        """One pass over all rows."""
        chosen = self._chosen([label, *scores])
        with job(self.frame, "looking at the rows"):
            self._sample(chosen, scores)
            return _surveyed(chosen, label, scores, self.samples)

    def few(self, wanted: list[str]) -> bool:
        """Never: the survey takes less time than a job of its own."""
        return False

    def counted(self, wanted: list[str], weight: str | None) -> CountedRows | None:
        """Distinct rows with counts, weights or not, since rows have no order; None if too many."""
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

    def range_state(self, request: Request) -> RangeState:
        """Placement sums and bins of one column of scores, the same for every choice of ranges."""
        chosen = self._chosen(_columns(request))
        rows = clean_rows(chosen, request)
        with job(self.frame, "summing over ranges of scores"):
            (ranges,) = self._ranges(rows, request)
            smooth = None if request.smooth is None else _settled(rows, ranges, request.smooth)
            pieces = rows.mapInArrow(sent(workers.sorted_pieces, ranges), workers.PIECES)
            states = (
                pieces.repartitionById(len(ranges), pieces["place"])
                .mapInArrow(
                    sent(workers.states_of_pieces, ranges, request.bins, smooth),
                    workers.RESULT,
                )
                .toArrow()
            )
        found = dict(workers.results_of(states)) | tied_states(ranges, request.bins, smooth)
        _check_total(ranges, sum(s.sums.n_pos + s.sums.n_neg for s in found.values()))
        whole = joined(found[place] for place in sorted(found))
        short = _kinds(chosen)[request.scores[0]] in SHORT
        return replace(whole, scores=whole.scores.astype(np.float32)) if short else whole

    def group_sums(self, request: Request, columns: Sequence[str]) -> GroupSums:
        """Placement sums within each group; rows are divided by group and score in one pass."""
        if len(columns) > 1:
            raise InputError(
                "`by` with several columns of a frame of Spark with this many distinct scores is "
                "not supported. Add one column that joins them, such as concat_ws('/', ...), or "
                "round the scores."
            )
        (by,) = columns
        rows = clean_rows(self._chosen([*_columns(request), by]), request, group=by)
        kind = rows.schema["group"].dataType.simpleString()
        schema = f"group {kind}, low double, " + ", ".join(f"{k} decimal(38,0)" for k in FIELDS)
        n_ranges = max(1, -(-request.n_rows // self.range_rows))
        with job(self.frame, f"summing within groups of `{by}`"):
            ranged = rows.repartitionByRange(n_ranges, "group", "s0")
            return joined_groups(ranged.mapInArrow(sent(workers.group_parts), schema).toArrow())

    def cluster_sums(self, request: Request, clusters: str | None) -> ClusterSums:
        """Sums over clusters of the placements by all columns of scores; None: of single rows."""
        names = _columns(request) if clusters is None else [*_columns(request), clusters]
        rows = clean_rows(self._chosen(names), request, cluster=clusters)
        purpose = "by every model" if clusters is None else f"within clusters of `{clusters}`"
        with job(self.frame, f"placing rows {purpose}"):
            ranges = self._ranges(rows, request)
            if clusters is None:
                worker = sent(workers.row_sums, len(ranges), ranges[-1])
                sums = _placed_by_all_but_last(rows, ranges).mapInArrow(worker, workers.RESULT)
            else:
                sums = _by_cluster(rows, ranges)
            found: ClusterSums = reduce(add, workers.results_of(sums.toArrow()))
        if clusters is None:
            _check_total(ranges[0], found.n_clusters)
        return found

    def _chosen(self, wanted: list[str]) -> Any:
        """The wanted columns under their names, found by position."""
        with job(self.frame, "reading the names of the columns"):
            present = list(self.frame.columns)
            kinds = [field.dataType.simpleString() for field in self.frame.schema.fields]
        check_columns(wanted, present)
        check_flat(wanted, [kinds[present.index(name)] for name in wanted], "the frame")
        names = list(dict.fromkeys(wanted))
        numbered = self.frame.toDF(*(f"c{k}" for k in range(len(present))))
        columns = [numbered[f"c{present.index(name)}"] for name in names]
        return numbered.select(*columns).toDF(*names)

    def _sample(self, chosen: Any, scores: list[str]) -> None:
        """Sample the columns that were not sampled before."""
        new = [name for name in dict.fromkeys(scores) if name not in self.samples]
        if new:
            self.samples |= _sampled(chosen, new, self.range_rows)

    def _ranges(self, rows: Any, request: Request) -> list[ScoreRanges]:
        """Ranges of each column of scores, with the number of their rows."""
        self._sample(self._chosen(list(request.scores)), list(request.scores))
        ranges = []
        for k, score in enumerate(request.scores):
            bounds = self.samples[score].bounds
            ranges.append(
                _count(rows, bounds if request.higher else negated_bounds(bounds), f"s{k}")
            )
        return ranges


class SparkJobError(RuntimeError):
    """A job of Spark failed for reasons of its own; `__cause__` is the error of Spark."""


@contextmanager
def job(frame: Any, purpose: str) -> Iterator[None]:
    """Run a job; Ctrl-C cancels it on the cluster too, and errors are one sentence."""
    if find_spec("pyarrow") is None:  # pyspark alone does not bring it
        raise missing_package("pyarrow", "spark", "A frame of Spark")
    tag = f"rocwise-{uuid.uuid4().hex}"
    session = frame.sparkSession
    try:
        session.addTag(tag)
        yield
    except KeyboardInterrupt:
        _cancel(session, tag)
        raise
    except (InputError, SparkJobError, MemoryError):
        raise
    except Exception as problem:
        if _was_interrupted(problem):  # Spark's clients may replace it by what it led to
            _cancel(session, tag)
            raise KeyboardInterrupt from problem
        raise _error(problem, purpose) from problem
    finally:
        with suppress(Exception):
            session.removeTag(tag)


def _cancel(session: Any, tag: str) -> None:
    with suppress(Exception):  # the session may be gone
        session.interruptTag(tag)


def _was_interrupted(problem: BaseException | None) -> bool:
    """Whether Ctrl-C is among the causes of a problem."""
    while problem is not None:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def _error(problem: Exception, purpose: str) -> Exception:
    """The error to raise for one of Spark."""
    text = str(problem)
    absent = WITHOUT_US.search(text)
    if absent:
        return SparkJobError(
            f"{purpose}: the Python of Spark's workers has no package {absent[1]!r}. Install "
            "rocwise there (the same version as here), with numpy and pyarrow."
        )
    if OTHER_VERSION in text:
        line = next(line for line in text.splitlines() if OTHER_VERSION in line)
        return SparkJobError(f"{purpose}: {line[line.index(OTHER_VERSION) :].strip()}")
    if CHANGED in text:
        return InputError(
            f"{purpose}: {CHANGED}. Call .persist() on it, or write it to a file and read that."
        )
    # pyspark asserts, without a message, that there is a session whenever a column is made
    gone = isinstance(problem, ConnectionError) or (
        isinstance(problem, AssertionError) and not text
    )
    if gone or any(sign in text for sign in ENDED):
        return SparkJobError(
            f"{purpose}: the Spark session of this frame has ended; start another."
        )
    if type(problem).__name__ == "AnalysisException":
        return InputError(f"`frame_or_path` cannot be read by Spark: {_first_line(text)}")
    return SparkJobError(f"{purpose}: the job failed on Spark: {_first_line(text)}")


def _first_line(text: str) -> str:
    """The first line with a message, without the stack traces of Java or Python below it."""
    lines = [line.strip() for line in text.splitlines()]
    first = next(
        (line for line in lines if line and not line.startswith("An error occurred")), text
    )
    return first[:400]


def clean_rows(
    chosen: Any, request: Request, *, cluster: str | None = None, group: str | None = None
) -> Any:
    """Complete rows: `mask` (1 for a positive), and `s0`, `s1`, ..., oriented scores."""
    from pyspark.sql import functions as sql

    kinds = _kinds(chosen)
    label = _named(chosen, request.label)
    positive, negative = _literal(request.positive), _literal(request.negative)
    mask = sql.when(label == positive, 1).when(label == negative, 0)
    present = [
        ~_is_missing(_named(chosen, name), kinds[name])
        for name in (*request.scores, *request.complete)
    ]
    columns = [mask.cast("tinyint").alias("mask")]
    for k, name in enumerate(request.scores):
        columns.append(_oriented(_named(chosen, name), higher=request.higher).alias(f"s{k}"))
    for other, alias in ((cluster, "cluster"), (group, "group")):
        if other is not None:
            columns.append(_without_sign(_named(chosen, other), kinds[other]).alias(alias))
    return chosen.where(reduce(and_, present, mask.isNotNull())).select(*columns)


def _columns(request: Request) -> list[str]:
    return list(dict.fromkeys([request.label, *request.scores, *request.complete]))


def _named(frame: Any, name: str) -> Any:
    """A column by its exact name."""
    return frame["`" + name.replace("`", "``") + "`"]


def _kinds(frame: Any) -> dict[str, str]:
    """The type of each column, as Spark writes it."""
    return {field.name: field.dataType.simpleString() for field in frame.schema.fields}


def _is_number(kind: str) -> bool:
    return kind in NUMBERS or kind.startswith("decimal")


def _is_missing(column: Any, kind: str) -> Any:
    """Whether a cell is NULL or nan."""
    from pyspark.sql import functions as sql

    return column.isNull() | sql.isnan(column) if kind in FLOATING else column.isNull()


def _oriented(column: Any, *, higher: bool) -> Any:
    """Scores as float64, so that higher means positive; never -0.0."""
    from pyspark.sql import functions as sql

    score = column.cast("double")
    return sql.when(score == 0.0, 0.0).otherwise(score if higher else -score)


def _without_sign(column: Any, kind: str) -> Any:
    """The two zeros as one."""
    from pyspark.sql import functions as sql

    if kind not in FLOATING:
        return column
    return sql.when(column == 0.0, sql.lit(0.0).cast(kind)).otherwise(column)


def _literal(value: Any) -> Any:
    """A label as a column of Spark."""
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
    steps = [2**k for k in reversed(range(len(bounds).bit_length()))]
    padded = np.append(bounds, np.full(2 ** len(steps) - 1 - len(bounds), np.nan))
    table = sql.expr(f"array({', '.join(map(_double, padded.tolist()))})")
    rows = rows.withColumn("code", sql.lit(0))
    for step in steps:  # nan is above everything
        reached = sql.col(score) >= sql.get(table, sql.col("code") + (step - 1))
        rows = rows.withColumn("code", sql.col("code") + sql.when(reached, step).otherwise(0))
    return rows.select((2 * sql.col("code") + sql.col("mask")).alias("code"), *others)


def _double(value: float) -> str:
    """A float as Spark's SQL writes it."""
    return f"{value!r}D" if np.isfinite(value) else f"double('{value}')"


def _count(rows: Any, bounds: Floats, score: str) -> ScoreRanges:
    """Ranges with the number of their rows."""
    codes = with_range_codes(rows.select("mask", score), bounds, score)
    table = codes.groupBy("code").count().toArrow()
    code, count = (numpy_column(column) for column in table.columns)
    totals = np.zeros(2 * (len(bounds) + 1), np.int64)
    totals[code] = count
    return ScoreRanges(bounds, totals[1::2], totals[::2])


def _check_total(ranges: ScoreRanges, n_rows: int) -> None:
    """Raise an error unless as many rows were summed as were counted."""
    if n_rows != ranges.total:
        raise InputError(f"{CHANGED}. Call .persist() on it first.")


def _placed_by_all_but_last(
    rows: Any, ranges: list[ScoreRanges], cluster: str | None = None
) -> Any:
    """Rows with placements in place of scores, which they carry to the last model's ranges."""
    kinds = ["double"] * len(ranges)
    more = [] if cluster is None else [f"cluster {cluster}"]
    routed = with_range_codes(rows, ranges[0].bounds, "s0")
    for model, (own, following) in enumerate(pairwise(ranges)):
        kinds[model] = "bigint"  # scores become placements
        schema = ", ".join(["code int", *(f"s{k} {kind}" for k, kind in enumerate(kinds)), *more])
        place = sent(workers.place_and_route, model, own, following)
        routed = _ranged(routed, len(own)).mapInArrow(place, schema)
    return _ranged(routed, len(ranges[-1]))


def _ranged(rows: Any, ranges: int) -> Any:
    """Rows of one range together, each range in a task of its own."""
    from pyspark.sql import functions as sql

    return rows.repartitionById(ranges, sql.shiftright("code", 1))


def _by_cluster(rows: Any, ranges: list[ScoreRanges]) -> Any:
    """Sums over clusters, one row for each task."""
    from pyspark.sql import functions as sql

    kind = rows.schema["cluster"].dataType.simpleString()
    models = len(ranges)
    names = ["p", "n", *(f"{k}{model}" for k in "uv" for model in range(models))]
    placed = _placed_by_all_but_last(rows, ranges, kind).mapInArrow(
        sent(workers.clustered_placements, models, ranges[-1]),
        ", ".join([*(f"{name} bigint" for name in names), f"cluster {kind}"]),
    )
    # 128 bits: the placements of a large cluster need more than 64
    totals = [sql.sum(sql.col(name).cast("decimal(38,0)")).alias(name) for name in names]
    whole = placed.groupBy("cluster").agg(*totals).select(*names)
    return whole.mapInArrow(sent(workers.cluster_sums, models), workers.RESULT)


def _settled(rows: Any, ranges: ScoreRanges, smooth: SmoothPlan) -> SmoothPlan:
    """The plan of a smooth curve with its ends and its midpoint, from a pass over all scores."""
    from pyspark.sql import functions as sql

    ends = rows.agg(sql.min("s0"), sql.max("s0")).toArrow()
    plan = smooth.within(*(float(column[0].as_py()) for column in ends.columns))

    def totals() -> tuple[Fraction, Fraction]:
        worker = sent(workers.score_totals, plan)
        table = rows.select("mask", "s0").mapInArrow(worker, workers.RESULT).toArrow()
        negatives, positives = zip(*workers.results_of(table), strict=True)
        return sum(negatives, Fraction(0)), sum(positives, Fraction(0))

    return plan.settled(totals, (int(ranges.neg.sum()), int(ranges.pos.sum())))


def tied_states(
    ranges: ScoreRanges, bins: int, smooth: SmoothPlan | None = None
) -> dict[int, RangeState]:
    """States of the ranges of one score, from their counts."""
    return {
        place: tied_state(
            ranges.lowest(place), *ranges.counts(place), ranges.plan(place, bins), smooth
        )
        for place in np.flatnonzero(ranges.single).tolist()
        if any(ranges.counts(place))
    }


def joined_groups(table: Any) -> GroupSums:
    """The sums of all tasks, those of one group joined in the order of their scores."""
    import pyarrow as pa
    import pyarrow.compute as pc

    order = pc.sort_indices(table, sort_keys=[("group", "ascending"), ("low", "ascending")])
    table = table.take(order)
    groups = _one_chunk(table.column("group"))
    starts = workers.group_starts(groups) if len(groups) else np.empty(0, np.intp)
    columns = {name: workers.as_integers(_one_chunk(table.column(name))) for name in FIELDS}
    found = {name: column[starts] for name, column in columns.items()}
    sizes = np.diff(np.append(starts, len(groups)))
    for k in np.flatnonzero(sizes > 1).tolist():
        places = range(int(starts[k]), int(starts[k]) + int(sizes[k]))
        parts = (PlacementSums(*(int(columns[name][at]) for name in FIELDS)) for at in places)
        total: PlacementSums = reduce(kernels.combine, parts)
        for name, value in zip(FIELDS, total, strict=True):
            if abs(value) >= 2**63 and found[name].dtype != object:
                found[name] = found[name].astype(object)
            found[name][k] = value
    return GroupSums(numpy_column(groups.take(pa.array(starts))), found)


def _one_chunk(column: Any) -> Any:
    import pyarrow as pa

    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    # of no rows, in some versions
    return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column


def numpy_column(column: Any) -> Any:
    """A column of Arrow as a numpy array; masked where cells are missing."""
    import pyarrow as pa

    column = _one_chunk(column)
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        return objects(column.to_pylist())
    if not column.null_count:
        return column.to_numpy(zero_copy_only=False)
    return np.ma.MaskedArray(
        column.fill_null(False if pa.types.is_boolean(kind) else 0).to_numpy(zero_copy_only=False),
        mask=column.is_null().to_numpy(zero_copy_only=False),
    )


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of one column."""

    bounds: Floats  # where ranges of about equally many rows begin; none if not numeric
    distinct: int  # about how many distinct values all rows have
    ends: tuple[Any, Any] | None = None  # minimum and maximum of the sample, if not numeric


def _sampled(chosen: Any, scores: list[str], range_rows: int) -> dict[str, Sample]:
    """Sample rows, the same in every run."""
    from pyspark.sql import functions as sql

    fraction = min(1.0, SAMPLED_PER_RANGE / range_rows)
    kinds = _kinds(chosen)
    columns = []
    for k, name in enumerate(scores):
        own = _named(chosen, name)
        value = _oriented(own, higher=True) if _is_number(kinds[name]) else own
        columns.append(sql.when(~_is_missing(own, kinds[name]), value).alias(f"s{k}"))
    rows = chosen if fraction == 1.0 else chosen.where(sql.rand(0) < fraction)
    table = rows.select(*columns).toArrow()
    ranges = -(-table.num_rows // max(1, round(fraction * range_rows)))
    return {
        name: _sample(table.column(k).drop_null(), fraction, ranges)
        for k, name in enumerate(scores)
    }


def _sample(column: Any, fraction: float, ranges: int) -> Sample:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        counts = pc.value_counts(column).field("counts").to_numpy()
    except pa.ArrowNotImplementedError:  # nested values, an error later
        return Sample(np.empty(0), len(column))
    distinct = n_distinct(counts, fraction)
    if not pa.types.is_floating(column.type):
        ends = tuple(pc.min_max(column).as_py().values()) if len(column) else None
        return Sample(np.empty(0), distinct, ends)
    bounds = bounds_of_sample(numpy_column(column), ranges)
    return Sample(bounds[bounds > -np.inf], distinct)  # nothing is below -inf


def n_distinct(counts: Any, fraction: float) -> int:
    """About how many distinct values all rows have, from the counts of values in a sample."""
    times = np.asarray(counts)
    once, twice = int(np.count_nonzero(times == 1)), int(np.count_nonzero(times == 2))
    return len(times) + round((1 - fraction) * about_distinct(0, once, twice))


def _surveyed(chosen: Any, label: str, scores: list[str], samples: dict[str, Sample]) -> Survey:
    """Count labels and missing values; find the ends of scores."""
    kinds = _kinds(chosen)
    table = _by_label(chosen, label, scores).limit(MOST_LABELS).toArrow()
    survey = survey_of(
        list(zip(*(column.to_pylist() for column in table.columns), strict=True)),
        label,
        numpy_column(table.column("label")),
        {name: numpy_kind(kinds[name], NUMPY_KINDS) for name in scores},
        {name: samples[name].distinct for name in scores},
    )
    ends = {
        name: samples[name].ends
        or _any_value(chosen, name, survey.n_rows - survey.unscored_by[name])
        for name in scores
        if kinds[name] in TEXT
    }
    return replace(survey, ends=survey.ends | ends)


def _by_label(chosen: Any, label: str, scores: list[str]) -> Any:
    """For each label: rows, rows without a score, missing values and ends of each score."""
    from pyspark.sql import functions as sql

    kinds = _kinds(chosen)
    own = _named(chosen, label)
    # nan is as missing as NULL, and one label with it
    columns = [sql.when(~_is_missing(own, kinds[label]), own).alias("label")]
    missing = [_is_missing(_named(chosen, name), kinds[name]) for name in scores]
    columns.append(reduce(or_, missing).alias("incomplete"))
    totals = [sql.count(sql.lit(1)).alias("n"), sql.count_if("incomplete").alias("unscored")]
    for k, (name, gap) in enumerate(zip(scores, missing, strict=True)):
        columns += [gap.alias(f"gap{k}"), _named(chosen, name).alias(f"raw{k}")]
        totals.append(sql.count_if(f"gap{k}").alias(f"missing{k}"))
        some = sql.col(f"raw{k}") if kinds[name] not in TEXT else sql.lit(None)
        present = sql.when(~sql.col(f"gap{k}"), some)
        totals += [sql.min(present).alias(f"low{k}"), sql.max(present).alias(f"high{k}")]
    return chosen.select(*columns).groupBy("label").agg(*totals)


def _any_value(chosen: Any, name: str, present: int) -> tuple[Any, Any] | None:
    """A value of a column whose sample was empty, twice; None where there is none."""
    if not present:
        return None
    column = _named(chosen, name)
    (row,) = chosen.where(column.isNotNull()).select(column).limit(1).toArrow().columns
    return row[0].as_py(), row[0].as_py()
