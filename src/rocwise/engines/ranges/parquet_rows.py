"""Rows of Parquet files of any size: DuckDB counts, or hands them over slice by slice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array
from rocwise.data.mergeable.exact_sums import ClusterSums, GroupSums, PairSums
from rocwise.data.mergeable.range_states import RangeState
from rocwise.engines.counted_rows import SAMPLE_ROWS, CountedRows, few_distinct, sums_are_exact
from rocwise.engines.duckdb_access import (
    EXACT,
    connected,
    fetch_all,
    fetch_columns,
    literal_path,
    quoted,
    temporary_folder,
    write_error,
)
from rocwise.engines.parquet_files import Column, check_flat, describe, select_list
from rocwise.engines.paths import Files
from rocwise.engines.ranges import memory_shares
from rocwise.engines.ranges.column_kinds import SIGNED, is_missing, oriented, survey_of
from rocwise.engines.ranges.grouped_rows import add_rows, group_sums
from rocwise.engines.ranges.range_sums import state_of_runs
from rocwise.engines.ranges.row_placements import add_sorted, cluster_sums, pair_sums
from rocwise.engines.ranges.side_by_side import each_piece
from rocwise.engines.ranges.sorted_runs import SortedRuns
from rocwise.engines.requests import MOST_LABELS, Asked, Survey
from rocwise.progress import Report, reporter

ROWS = "read_parquet(?, hive_partitioning = false, file_row_number = true)"
SLICE_ROWS = 2**20
HALF = 2**62  # beside a number up to here there is room for a class
SAMPLED_BLOCKS = 20  # of which a sample consists


@dataclass(frozen=True, slots=True)
class Slice:
    """Consecutive rows of one file, from whole row groups where these are not too large."""

    file: int
    start: int
    stop: int


@dataclass
class ParquetRows:
    """Parquet files as a `requests.LargeSource`."""

    files: Files
    connection: Any
    folder: Any
    memory: int
    library: str | None = None
    read_by: str | None = None
    names: dict[str, str] = field(default_factory=dict)  # of columns that have others in the file
    called: str | None = None
    distinct: dict[tuple[str, ...], int] = field(default_factory=dict)
    kept: dict[tuple[str, ...], tuple[list[list[Column]], list[str]]] = field(default_factory=dict)

    def in_memory(self, n_rows: int) -> str:
        """How a user can have so many rows in memory."""
        return memory_shares.advice(n_rows)

    def survey(self, label: str, scores: list[str]) -> Survey:
        """Look at all rows once."""
        with self._told():
            kinds = self._columns((label, *scores))[1]
            lacking = [is_missing(f"c{k + 1}", kind) for k, kind in enumerate(kinds[1:])]
            of_score = ", ".join(
                f"count(*) filter (where {lacks}), min({value}) filter (where not {lacks}), "
                f"max({value}) filter (where not {lacks}), approx_count_distinct(c{k})"
                for k, lacks in enumerate(lacking, 1)
                for value in [f"cast(c{k} as DOUBLE)" if EXACT.match(kinds[k]) else f"c{k}"]
            )
            source, paths = self._union((label, *scores))
            found = fetch_all(
                self.connection,
                f"select c0, count(*), count(*) filter (where {' or '.join(lacking)}), {of_score} "
                f"from ({source}) group by c0 limit {MOST_LABELS}",
                *paths,
            )
        survey = survey_of(found, label, scores, kinds)
        self.distinct |= {(label, name): survey.distinct[name] for name in scores}
        return survey

    def few(self, wanted: list[str]) -> bool:
        """Whether rows at the start of row groups all over the files say that few are distinct."""
        times: dict[Any, int] = {}
        with self._told():
            found, kinds = self._columns(wanted)
            slices, _ = self._slices(len(wanted))
            blocks = slices[:: max(1, -(-len(slices) // SAMPLED_BLOCKS))]
            most = SAMPLE_ROWS // max(1, len(blocks))
            for piece in blocks:
                rows = fetch_all(
                    self.connection,
                    f"select distinct * from (select {select_list(found[piece.file], kinds)} "
                    f"from {ROWS} where file_row_number >= ? and file_row_number < ? limit {most})",
                    literal_path(self.files.paths[piece.file]),
                    piece.start,
                    piece.stop,
                )
                for row in rows:
                    times[row] = times.get(row, 0) + 1
        about = few_distinct(np.fromiter(times.values(), np.int64, len(times)))
        if about:
            self.distinct[tuple(wanted)] = len(times)
        return about

    def counted(self, wanted: list[str], weight: str | None) -> CountedRows | None:
        """Distinct rows with their counts; None if there are too many of them to come here."""
        with self._told():
            kinds = self._columns(wanted)[1]
            source, paths = self._union(wanted)
            names = ", ".join(f"c{k}" for k in range(len(wanted)))
            most = memory_shares.counted_rows(self.memory)
            about = self.distinct.get(tuple(wanted))  # as the survey or a sample found
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
        if len(counts) > most:  # the sample has misled
            return None
        counted = dict(zip(wanted, columns, strict=True))
        if weight is not None and not sums_are_exact(counted[weight], counts):
            return None
        return CountedRows(counted, counts, None)

    def range_state(self, asked: Asked) -> RangeState:
        """Placement sums and bins of one column of scores."""
        runs = SortedRuns(self.folder, memory_shares.of_runs(self.memory))
        report = reporter(None, f"reading {self.name}", rows=asked.n_rows)

        def sort(columns: Sequence[Array]) -> None:
            runs.add(*kernels.sort_classes(*columns[:2]))

        self.each_slice(asked, sort, lambda done: report(0.7 * done))
        ranged = asked.bins, self.rows_at_once, lambda done: report(0.7 + 0.3 * done)
        return state_of_runs(runs, *ranged, asked.smooth)

    def pair_sums(self, asked: Asked) -> PairSums:
        """Sums of products of the placements that all columns of scores give to each row."""
        room = memory_shares.of_runs(self.memory, 2 * len(asked.scores))
        models = [SortedRuns(self.folder, room) for _ in asked.scores]
        by_row = [SortedRuns(self.folder, room // 2) for _ in asked.scores]

        def keep(columns: Sequence[Array]) -> None:
            mask, *scores, rows = columns
            add_sorted(models, scores, 2 * rows + mask)

        report = reporter(None, f"reading {self.name}", rows=asked.n_rows)
        self.each_slice(asked, keep, report, row_numbers=True)
        blocks = memory_shares.block_rows(self.memory, len(asked.scores))
        return pair_sums(models, self.rows_at_once, by_row, blocks)

    def cluster_sums(self, asked: Asked, clusters: str) -> ClusterSums:
        """Sums over clusters of what the placements in each add up to."""
        with self._numbered(asked, clusters, HALF) as (rows, asked, _):
            room = memory_shares.of_runs(self.memory, 2 * len(asked.scores))
            models = [SortedRuns(self.folder, room) for _ in asked.scores]

            def keep(columns: Sequence[Array]) -> None:
                mask, *scores, numbers = columns
                add_sorted(models, scores, 2 * numbers.astype(np.int64) + mask)

            report = reporter(None, f"reading {self.name}", rows=asked.n_rows)
            rows.each_slice(asked, keep, report)
            by_cluster = SortedRuns(self.folder, memory_shares.of_runs(self.memory, 4))
            return cluster_sums(models, self.rows_at_once, by_cluster)

    def group_sums(self, asked: Asked, by: str) -> GroupSums:
        """Placement sums within each group of rows."""
        with self._numbered(asked, by) as (rows, asked, names):
            runs = SortedRuns(self.folder, memory_shares.of_runs(self.memory))

            def keep(columns: Sequence[Array]) -> None:
                mask, scores, numbers = columns
                add_rows(runs, numbers.astype(np.int64), mask, scores)

            report = reporter(None, f"reading {self.name}", rows=asked.n_rows)
            rows.each_slice(asked, keep, report)
            inner = SortedRuns(self.folder, memory_shares.of_runs(self.memory, 2))
            numbers, columns = group_sums(runs, min(2**19, self.rows_at_once), inner)
        return GroupSums(numbers if names is None else names[numbers], columns)

    @property
    def rows_at_once(self) -> int:
        """Rows of a range that is sorted in memory."""
        return memory_shares.range_rows(self.memory)

    @contextmanager
    def _numbered(
        self, asked: Asked, column: str, below: int | None = None
    ) -> Iterator[tuple[ParquetRows, Asked, Any]]:
        """The same rows with a column of integers for `column`, and what the integers stand for.

        Integers stand for themselves, if their size is `below`; all else is numbered by DuckDB.
        """
        asked = replace(asked, complete=(column,))
        wanted = [asked.label, *asked.scores, column]
        kinds = self._columns(wanted)[1]
        last = f"c{len(wanted) - 1}"
        source, paths = self._union(wanted)
        if kinds[-1] in SIGNED and (below is None or self._within(below, last, source, paths)):
            yield self, asked, None
            return
        path = self.folder / "numbered.parquet"
        with self._told():
            fetch_all(
                self.connection,
                f"create temp table numbered as select v, row_number() over (order by v) - 1 as k "
                f"from (select distinct {last} as v from ({source}) "
                f"where not {is_missing(last, kinds[-1])})",
                *paths,
            )
            chosen = ", ".join(f"c{k}" for k in range(len(wanted) - 1))
            fetch_all(
                self.connection,
                f"copy (select {chosen}, numbered.k as {last} from ({source}) rows join numbered "
                f"on rows.{last} = numbered.v) to {quoted(str(path))} (format parquet)",
                *paths,
            )
            names = fetch_columns(
                self.connection.sql("select v from numbered order by k"), [kinds[-1]]
            )[0]
            fetch_all(self.connection, "drop table numbered")
        files = Files([str(path)], ".parquet")
        names_in_file = {name: f"c{k}" for k, name in enumerate(wanted)}
        yield (
            ParquetRows(
                files,
                self.connection,
                self.folder,
                self.memory,
                names=names_in_file,
                called=self.name,
            ),
            asked,
            names,
        )
        path.unlink()

    def _within(self, below: int, column: str, source: str, paths: list[str]) -> bool:
        """Whether all integers of a column have a size below this one."""
        query = f"select min({column}), max({column}) from ({source})"
        with self._told():
            lowest, highest = fetch_all(self.connection, query, *paths)[0]
        return lowest is None or (-below < lowest and highest < below)

    @property
    def name(self) -> str:
        """The file, or how many there are."""
        paths = self.files.paths
        if self.called is not None:
            return self.called
        return paths[0] if len(paths) == 1 else f"{len(paths):,} files"

    def each_slice(
        self, asked: Asked, work: Any, report: Report, row_numbers: bool = False
    ) -> None:
        """Call `work` with mask and oriented scores (and row numbers) of slices, on all cores."""
        wanted = (asked.label, *asked.scores, *asked.complete)
        with self._told():
            found, kinds = self._columns(wanted)
            chosen = ["cast(c0 = ? as utinyint) as m"]
            chosen += [
                oriented(f"c{k}", kind, asked.higher) + f" as s{k}"
                for k, kind in enumerate(kinds[1 : 1 + len(asked.scores)], 1)
            ]
            chosen += [f"c{k + 1 + len(asked.scores)}" for k in range(len(asked.complete))]
            chosen += ["r"] if row_numbers else []
            lacking = [f"not {is_missing(f'c{k}', kind)}" for k, kind in enumerate(kinds[1:], 1)]
            query = (
                f"select {', '.join(chosen)} from (select {{columns}}, file_row_number as r "
                f"from {ROWS}) where r >= ? and r < ? and (c0 = ? or c0 = ?) and "
                + " and ".join(lacking)
            )
            slices, offsets = self._slices(len(wanted))
            exact = EXACT.match(kinds[0]) is not None  # such labels come as text
            classes = [str(v) if exact else v for v in (asked.positive, asked.negative)]

            def read(piece: Slice) -> None:
                columns = select_list(found[piece.file], kinds)
                path = literal_path(self.files.paths[piece.file])
                values = [classes[0], path, piece.start, piece.stop, *classes]
                cursor = self.connection.cursor()
                try:
                    got = cursor.execute(query.format(columns=columns), values).fetchnumpy()
                finally:
                    cursor.close()
                arrays = list(got.values())
                if row_numbers:
                    arrays[-1] = arrays[-1] + offsets[piece.file]
                if len(arrays[0]):
                    work(arrays)

            sizes = [piece.stop - piece.start for piece in slices]
            each_piece(
                read, slices, sizes=sizes, report=report, interrupt=self.connection.interrupt
            )

    def _slices(self, n_columns: int) -> tuple[list[Slice], list[int]]:
        """All rows in pieces of some row groups each, and how many rows are before each file."""
        room = memory_shares.slice_rows(self.memory, n_columns)
        most = max(2**14, min(4 * SLICE_ROWS, room))
        wanted = min(SLICE_ROWS, most)
        slices, offsets = [], [0]
        for number, path in enumerate(self.files.paths):
            groups = fetch_all(
                self.connection,
                "select row_group_id, any_value(row_group_num_rows) from parquet_metadata(?) "
                "group by 1 order by 1",
                literal_path(path),
            )
            start = stop = 0
            for _, rows in groups:
                if stop > start and stop + rows - start > wanted:
                    slices += _cut(number, start, stop, most)
                    start = stop
                stop += rows
            slices += _cut(number, start, stop, most)
            offsets.append(offsets[-1] + stop)
        return slices, offsets

    def _columns(self, wanted: Sequence[str]) -> tuple[list[list[Column]], list[str]]:
        key = tuple(wanted)
        if key not in self.kept:
            stored = [self.names.get(name, name) for name in wanted]
            self.kept[key] = describe(self.connection, self.files, stored)
            check_flat(wanted, self.kept[key][1], self.name)
        return self.kept[key]

    def _union(self, wanted: Sequence[str]) -> tuple[str, list[str]]:
        """All rows of all files as c0, c1, ... in SQL, and its parameters."""
        found, kinds = self._columns(wanted)
        parts = [f"select {select_list(columns, kinds)} from {ROWS}" for columns in found]
        return " union all ".join(parts), [literal_path(path) for path in self.files.paths]

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of DuckDB in our words."""
        import duckdb

        try:
            yield
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except duckdb.Error as problem:
            raise write_error(self.files, problem, str(self.folder)) from None


@contextmanager
def opened(files: Files, memory: int) -> Iterator[ParquetRows]:
    """The files, for as long as questions are asked of them."""
    with (
        temporary_folder() as folder,
        connected(
            files.paths,
            f"reading {files.paths[0]}",
            memory_shares.of_duckdb(memory),
            str(folder),
        ) as connection,
    ):
        yield ParquetRows(files, connection, folder, memory)


def _cut(file: int, start: int, stop: int, most: int) -> list[Slice]:
    return [Slice(file, k, min(k + most, stop)) for k in range(start, stop, most)]
