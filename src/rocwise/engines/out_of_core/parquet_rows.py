"""Rows of Parquet files of any size: DuckDB counts them, or reads them slice by slice.

Text and lazy tables are converted to one Parquet file first, by DuckDB or by their own engine.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array
from rocwise.data.range_states import RangeState
from rocwise.data.summed_rows import ClusterSums, GroupSums
from rocwise.engines.counted_rows import SAMPLE_ROWS, CountedRows, few_distinct, sums_are_exact
from rocwise.engines.duckdb_access import (
    EXACT,
    as_numpy,
    connected,
    disk_full,
    fetch_all,
    fetch_columns,
    literal_path,
    objects,
    quoted,
    temporary_folder,
    write_error,
)
from rocwise.engines.frames import short_names, write_parquet
from rocwise.engines.out_of_core import large_sources
from rocwise.engines.out_of_core.large_sources import (
    MOST_LABELS,
    Request,
    Survey,
    numpy_kind,
    survey_of,
)
from rocwise.engines.out_of_core.range_sums import cluster_sums, group_sums, state_of_runs
from rocwise.engines.out_of_core.sorted_runs import SortedRuns, map_tasks
from rocwise.engines.parquet_files import INTEGERS, Column, check_flat, describe, select_list
from rocwise.engines.paths import Files
from rocwise.errors import InputError
from rocwise.progress import Report, reporter

ROWS = "read_parquet(?, hive_partitioning = false, file_row_number = true)"
SLICE_ROWS = 2**20
Slice = tuple[int, int, int]  # number of a file, its first row, and the row behind the last
Described = tuple[list[list[Column]], list[str]]  # wanted columns of each file, types in all
HALF = 2**62  # integers below have room for a class in 64 bits
SAMPLED_BLOCKS = 20
FLOATS = ("FLOAT", "DOUBLE")
NUMBER = "\0number"  # the name of a column of numbers of groups, which is none of a user
PLAIN_NUMBER = r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?"
SHORT = ("BOOLEAN", "TINYINT", "UTINYINT", "SMALLINT", "USMALLINT", "FLOAT")  # exact in float32
NUMBERS = {
    "BOOLEAN": "bool", "TINYINT": "int8", "SMALLINT": "int16", "INTEGER": "int32",
    "BIGINT": "int64", "UTINYINT": "uint8", "USMALLINT": "uint16", "UINTEGER": "uint32",
    "UBIGINT": "uint64", "FLOAT": "float32", "DOUBLE": "float64",
}  # fmt: skip
LAZY_TABLES = {  # class and name of the lazy table of each library
    "duckdb": ("DuckDBPyRelation", "relation of DuckDB"),
    "polars": ("LazyFrame", "lazy frame of Polars"),
    "ibis": ("Table", "table of ibis"),
}


@dataclass
class ParquetRows:
    """Parquet files as a `LargeSource`; `names` are columns that have other names in the file."""

    files: Files
    connection: Any
    folder: Path
    memory: int
    names: dict[str, str] = field(default_factory=dict)
    title: str | None = None
    library: str | None = None
    read_by: str | None = None
    distinct: dict[tuple[str, ...], int] = field(default_factory=dict)
    described: dict[tuple[str, ...], Described] = field(default_factory=dict)

    def in_memory(self, n_rows: int) -> str:
        """How a user can read so many rows into memory."""
        return large_sources.memory_advice(n_rows)

    def survey(self, label: str, scores: list[str]) -> Survey:
        """One pass over all rows."""
        with self._errors():
            kinds = self._columns((label, *scores))[1]
            missing = [is_missing(f"c{k}", kind) for k, kind in enumerate(kinds[1:], 1)]
            of_score = ", ".join(
                f"count(*) filter (where {absent}), min({value}) filter (where not {absent}), "
                f"max({value}) filter (where not {absent})"
                for k, absent in enumerate(missing, 1)
                for value in [f"cast(c{k} as DOUBLE)" if EXACT.match(kinds[k]) else f"c{k}"]
            )
            distinct = ", ".join(f"approx_count_distinct(c{k})" for k in range(1, len(kinds)))
            source, paths = self._union((label, *scores))
            found = fetch_all(
                self.connection,
                f"select c0, count(*), count(*) filter (where {' or '.join(missing)}), {of_score}, "
                f"{distinct} from ({source}) group by c0 limit {MOST_LABELS}",
                *paths,
            )
            texts = {
                name: fetch_all(
                    self.connection,
                    f"select c{k} from ({source}) where not regexp_full_match(c{k}, ?) limit 1",
                    *paths,
                    PLAIN_NUMBER,
                )
                for k, (name, kind) in enumerate(zip(scores, kinds[1:], strict=True), 1)
                if kind == "VARCHAR"
            }
        labels = as_numpy(objects([row[0] for row in found]), kinds[0])
        if kinds[0].startswith("TIMESTAMP"):  # as a column of them is in memory
            labels = labels.astype("datetime64[us]")
        types = {
            name: numpy_kind(kind, NUMBERS) for name, kind in zip(scores, kinds[1:], strict=True)
        }
        about = (sum(row[k - len(scores)] for row in found) for k in range(len(scores)))
        survey = survey_of(found, label, labels, types, dict(zip(scores, about, strict=True)))
        self.distinct |= {(label, name): survey.distinct[name] for name in scores}
        odd = {name: (rows[0][0], rows[0][0]) for name, rows in texts.items() if rows}
        return replace(survey, ends={**survey.ends, **odd})

    def few(self, wanted: list[str]) -> bool:
        """Whether few rows are distinct, judged from rows at the start of row groups."""
        times: Counter[tuple[Any, ...]] = Counter()
        with self._errors():
            found, kinds = self._columns(wanted)
            slices, _ = self._slices(len(wanted))
            blocks = slices[:: max(1, -(-len(slices) // SAMPLED_BLOCKS))]
            most = SAMPLE_ROWS // max(1, len(blocks))
            for file, start, stop in blocks:
                query = (
                    f"select distinct * from (select {select_list(found[file], kinds)} from {ROWS} "
                    f"where file_row_number >= {start} and file_row_number < {stop} limit {most})"
                )
                path = literal_path(self.files.paths[file])
                times.update(fetch_all(self.connection, query, path))
        few = few_distinct(np.array(list(times.values()), np.int64))
        if few:
            self.distinct[tuple(wanted)] = len(times)
        return few

    def counted(self, wanted: list[str], weight: str | None) -> CountedRows | None:
        """Distinct rows with their counts; None if there are too many of them."""
        with self._errors():
            kinds = self._columns(wanted)[1]
            source, paths = self._union(wanted)
            names = ", ".join(f"c{k}" for k in range(len(wanted)))
            most = large_sources.most_counted(self.memory)
            about = self.distinct.get(tuple(wanted))  # from the survey or a sample
            if about is None:
                query = f"select approx_count_distinct(hash({names})) from ({source})"
                about = fetch_all(self.connection, query, *paths)[0][0]
            if about > most:
                return None
            relation = self.connection.sql(
                f"select {names}, count(*) as n from ({source}) group by all limit {most + 1}",
                params=paths,
            )
            columns = fetch_columns(relation, [*kinds, ""])
        counts = np.asarray(columns.pop(), dtype=np.int64)
        if len(counts) > most:  # more than estimated
            return None
        found = dict(zip(wanted, columns, strict=True))
        if weight is not None and not sums_are_exact(found[weight], counts):
            return None
        return CountedRows(found, counts, None)

    def range_state(self, request: Request) -> RangeState:
        """Placement sums and bins of one column of scores."""
        runs = self._runs(1)
        report = self._reporter(request)

        def keep(columns: Sequence[Array]) -> None:
            runs.add(*kernels.sort_by_class(*columns[:2]))

        self._each_slice(request, keep, lambda done: report(0.7 * done))
        return state_of_runs(
            runs,
            request.bins,
            self.rows_at_once,
            lambda done: report(0.7 + 0.3 * done),
            request.smooth,
        )

    def cluster_sums(self, request: Request, clusters: str | None) -> ClusterSums:
        """Sums over clusters of the placements by all columns of scores; None: of single rows."""
        columns = () if clusters is None else (clusters,)
        with self._numbered(request, columns, HALF) as (rows, request, _):
            models = [self._runs(2 * len(request.scores)) for _ in request.scores]

            def keep(columns: Sequence[Array]) -> None:
                mask, *scores, numbers = columns
                codes = 2 * numbers.astype(np.int64) + mask
                for runs, score in zip(models, scores, strict=True):
                    order = kernels.argsort(score)
                    runs.add(score[order], codes[order])

            report = self._reporter(request)
            rows._each_slice(request, keep, report, row_numbers=clusters is None)
            return cluster_sums(models, self.rows_at_once, self._runs(4))

    def group_sums(self, request: Request, by: Sequence[str]) -> GroupSums:
        """Placement sums within each group of rows; of several columns, of each combination."""
        with self._numbered(request, tuple(by)) as (rows, request, names):
            runs = self._runs(1)

            def keep(columns: Sequence[Array]) -> None:
                mask, scores, numbers = columns
                order = np.argsort(numbers, kind="stable")
                runs.add(numbers[order].astype(np.int64), mask[order], scores[order])

            rows._each_slice(request, keep, self._reporter(request))
            at_once = min(2**19, self.rows_at_once)
            found = group_sums(runs, at_once, self._runs(2), request.bins)
        return found if names is None else replace(found, groups=names[found.groups])

    def _runs(self, kinds: int) -> SortedRuns:
        return SortedRuns(self.folder, large_sources.run_bytes(self.memory, kinds))

    def _reporter(self, request: Request) -> Report:
        return reporter(None, f"reading {self.name}", rows=request.n_rows)

    @property
    def rows_at_once(self) -> int:
        """Rows of a range that is sorted in memory."""
        return large_sources.range_rows(self.memory)

    @property
    def name(self) -> str:
        """The file, or how many there are."""
        paths = self.files.paths
        return self.title or (paths[0] if len(paths) == 1 else f"{len(paths):,} files")

    @contextmanager
    def _numbered(
        self, request: Request, columns: tuple[str, ...], below: int | None = None
    ) -> "Iterator[tuple[ParquetRows, Request, Any]]":
        """The same with one integer for the values of `columns`, and these values by integer.

        Integers of one column stay, `below` a size if given; without it the values are returned.
        """
        if not columns:
            yield self, request, None
            return
        request = replace(request, complete=columns)
        wanted = [request.label, *request.scores, *columns]
        kinds = self._columns(wanted)[1][-len(columns) :]
        keys = [f"c{len(wanted) - k}" for k in range(len(columns), 0, -1)]
        source, paths = self._union(wanted)
        if (
            len(columns) == 1
            and kinds[0] in INTEGERS
            and (below is None or self._within(below, keys[0], source, paths))
        ):
            yield self, request, None
            return
        path = self.folder / "numbered.parquet"
        with self._errors():
            values = self._numbers(path, wanted, dict(zip(keys, kinds, strict=True)), below is None)
        others = short_names([request.label, *request.scores])
        yield (
            ParquetRows(
                Files([str(path)], ".parquet"),
                self.connection,
                self.folder,
                self.memory,
                names=others | {NUMBER: keys[0]},
                title=self.name,
            ),
            replace(request, complete=(NUMBER,)),
            values,
        )
        path.unlink()

    def _numbers(self, path: Path, wanted: list[str], keys: dict[str, str], named: bool) -> Any:
        """Write the rows with a number in place of the keys; return the values of the numbers."""
        source, paths = self._union(wanted)
        others = [f"c{k}" for k in range(len(wanted) - len(keys))]
        number, names = next(iter(keys)), ", ".join(keys)
        present = " and ".join(f"not {is_missing(key, kind)}" for key, kind in keys.items())
        same = " and ".join(f"rows.{key} = numbered.{key}" for key in keys)
        budget = large_sources.duckdb_bytes(self.memory)
        room = budget + large_sources.run_bytes(self.memory) // 2  # there are no runs yet
        fetch_all(self.connection, f"set memory_limit = '{room}B'")
        fetch_all(
            self.connection,
            f"create temp table numbered as select {names}, "
            f"row_number() over (order by {names}) - 1 as number "
            f"from (select distinct {names} from ({source}) where {present})",
            *paths,
        )
        fetch_all(
            self.connection,
            f"copy (select {', '.join(others)}, number as {number} from ({source}) rows "
            f"join numbered on {same}) to {quoted(str(path))} (format parquet)",
            *paths,
        )
        values = None
        if named:
            relation = self.connection.sql(f"select {names} from numbered order by number")
            values = fetch_columns(relation, list(keys.values()))
            tuples = zip(*(column.tolist() for column in values), strict=True)
            values = values[0] if len(keys) == 1 else objects(list(tuples))
        fetch_all(self.connection, "drop table numbered")
        fetch_all(self.connection, f"set memory_limit = '{budget}B'")
        return values

    def _within(self, below: int, column: str, source: str, paths: list[str]) -> bool:
        """Whether all integers of a column have an absolute value below this one."""
        query = f"select min({column}), max({column}) from ({source})"
        with self._errors():
            lowest, highest = fetch_all(self.connection, query, *paths)[0]
        return lowest is None or (-below < lowest and highest < below)

    def _each_slice(
        self,
        request: Request,
        work: Callable[[Sequence[Array]], None],
        report: Report,
        row_numbers: bool = False,
    ) -> None:
        """Call `work` with mask and oriented scores (and row numbers) of slices, on all cores."""
        wanted = (request.label, *request.scores, *request.complete)
        with self._errors():
            found, kinds = self._columns(wanted)
            query = _slice_query(request, kinds, row_numbers)
            slices, offsets = self._slices(len(wanted))
            exact = EXACT.match(kinds[0]) is not None  # such labels are selected as text
            classes = [str(v) if exact else v for v in (request.positive, request.negative)]

            def read(piece: Slice) -> None:
                file, start, stop = piece
                columns = select_list(found[file], kinds)
                values = [classes[0], literal_path(self.files.paths[file]), start, stop, *classes]
                cursor = self.connection.cursor()
                try:
                    rows = cursor.execute(query.format(columns=columns), values).fetchnumpy()
                finally:
                    cursor.close()
                arrays = list(rows.values())
                if row_numbers:
                    arrays[-1] = arrays[-1] + offsets[file]
                if len(arrays[0]):
                    work(arrays)

            sizes = [stop - start for _, start, stop in slices]
            map_tasks(read, slices, sizes=sizes, report=report, interrupt=self.connection.interrupt)

    def _slices(self, n_columns: int) -> tuple[list[Slice], list[int]]:
        """All rows in slices, of whole row groups if small, and the rows before each file."""
        room = large_sources.slice_rows(self.memory, n_columns)
        most = max(2**14, min(4 * SLICE_ROWS, room))
        slices, offsets = [], [0]
        for number, path in enumerate(self.files.paths):
            groups = fetch_all(
                self.connection,
                "select row_group_id, any_value(row_group_num_rows) from parquet_metadata(?) "
                "group by 1 order by 1",
                literal_path(path),
            )
            ends, stop = [0], 0
            for _, rows in groups:
                if stop > ends[-1] and stop + rows - ends[-1] > min(SLICE_ROWS, most):
                    ends.append(stop)
                stop += rows
            ends.append(stop)
            for start, end in pairwise(ends):
                slices += [(number, k, min(k + most, end)) for k in range(start, end, most)]
            offsets.append(offsets[-1] + stop)
        return slices, offsets

    def _columns(self, wanted: Sequence[str]) -> Described:
        key = tuple(wanted)
        if key not in self.described:
            stored = [self.names.get(name, name) for name in wanted]
            self.described[key] = describe(self.connection, self.files, stored)
            check_flat(wanted, self.described[key][1], self.name)
        return self.described[key]

    def _union(self, wanted: Sequence[str]) -> tuple[str, list[str]]:
        """All rows of all files as c0, c1, ... in SQL, and its parameters."""
        found, kinds = self._columns(wanted)
        parts = [f"select {select_list(columns, kinds)} from {ROWS}" for columns in found]
        return " union all ".join(parts), [literal_path(path) for path in self.files.paths]

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Errors of DuckDB as errors of the files."""
        import duckdb

        try:
            yield
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except duckdb.Error as problem:
            raise write_error(self.files, problem, str(self.folder)) from None


@contextmanager
def opened(files: Files, memory: int, **about: Any) -> Iterator[ParquetRows]:
    """The files as a large source."""
    purpose, budget = f"reading {files.paths[0]}", large_sources.duckdb_bytes(memory)
    with (
        temporary_folder() as folder,
        connected(files.paths, purpose, budget, str(folder)) as connection,
    ):
        yield ParquetRows(files, connection, folder, memory, **about)


def is_missing(name: str, kind: str) -> str:
    """Whether a cell of a column is NULL or nan, in SQL."""
    nan = f" or isnan({name})" if kind in FLOATS else ""
    return f"({name} is null{nan})"


def _slice_query(request: Request, kinds: list[str], row_numbers: bool) -> str:
    """The query for one slice, with a place for its columns."""
    n_scores = len(request.scores)
    chosen = ["cast(c0 = ? as utinyint) as m"]
    for k, kind in enumerate(kinds[1 : 1 + n_scores], 1):
        number = f"cast(c{k} as {'FLOAT' if kind in SHORT else 'DOUBLE'})"
        chosen.append(f"{number if request.higher else f'0 - {number}'} as s{k}")
    chosen += [f"c{k + 1 + n_scores}" for k in range(len(request.complete))]
    chosen += ["r"] if row_numbers else []
    present = [f"not {is_missing(f'c{k}', kind)}" for k, kind in enumerate(kinds[1:], 1)]
    return (
        f"select {', '.join(chosen)} from (select {{columns}}, file_row_number as r from {ROWS}) "
        f"where r >= ? and r < ? and (c0 = ? or c0 = ?) and {' and '.join(present)}"
    )


def lazy_kind(source: Any) -> str | None:
    """The library of a lazy table: "duckdb", "polars" or "ibis"; None for all others."""
    library = type(source).__module__.partition(".")[0].lstrip("_")
    return library if type(source).__name__ == LAZY_TABLES.get(library, ("",))[0] else None


@contextmanager
def converted(source: Any, wanted: list[str], memory: int) -> Iterator[ParquetRows]:
    """A lazy table as a large source; its own engine writes the file, with the memory it takes."""
    with temporary_folder() as folder:
        path = folder / "table.parquet"
        try:
            write_parquet(source, wanted, path)
        except InputError:
            raise
        except Exception as problem:
            if "No space left" in str(problem):
                raise disk_full(str(folder)) from None
            reason = " ".join(str(problem).split())
            raise InputError(f"`frame_or_path` cannot be read: {reason}") from problem
        read_by = f"{LAZY_TABLES[lazy_kind(source) or ''][1]} read from a temporary file"
        about = {"names": short_names(wanted), "title": "the table", "read_by": read_by}
        with opened(Files([str(path)], ".parquet"), memory, **about) as rows:
            yield rows


@contextmanager
def text_as_table(files: Files, wanted: list[str], memory: int) -> Iterator[ParquetRows | None]:
    """Large plain text as a large source; None where it is not plain."""
    from rocwise.engines.text_files import plain_as_parquet

    with temporary_folder() as folder:
        budget = max(large_sources.LEAST_OF_DUCKDB, memory // 4)
        found = plain_as_parquet(files, wanted, folder, budget)
        if found is None:
            yield None
            return
        path, read_as = found
        about = {"names": short_names(wanted), "title": files.paths[0], "read_by": read_as}
        with opened(Files([str(path)], ".parquet"), memory, **about) as rows:
            yield rows
