"""Simulation studies: cells of a design, records kept in files, and tables made of them.

A study consists of parts; a part has one task for each cell of its design, which is a combination
of settings, and one type of record. `python -m studies NAME` simulates the cells that are not in
`studies/counts/NAME` yet and writes the tables of the study. The papers use the same parts.
"""

from __future__ import annotations

import csv
import math
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import rocwise as rw

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

COUNTS = Path(__file__).with_name("counts")
TABLES = Path(__file__).parents[1] / "docs" / "validation" / "tables"
Record = TypeVar("Record", bound="DataclassInstance")
Records = Mapping[str, Sequence[Any]]  # by the name of the part
FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": "True".__eq__,
    "float | None": lambda text: float(text) if text else None,
}


class AbsentDataError(Exception):
    """A data set is missing, or its checksum differs."""


@dataclass(frozen=True)
class Part:
    """One table of records.

    `simulate` returns the records of one task, in a process of its own. `str(task)` is the name of
    its cell; records have this name in their attribute `cell`, and fields of plain values.
    """

    name: str
    record: type[DataclassInstance]
    tasks: Callable[[bool], Sequence[Any]]  # True: the quick version
    simulate: Callable[[Any], Sequence[Any]]


@dataclass(frozen=True)
class Finished:
    """A finished cell with its processor time (nan: not recorded), or the data it lacks."""

    part: str
    cell: str
    seconds: float
    absent: str


@dataclass(frozen=True)
class Cell:
    """A combination of settings, and the number of samples."""

    settings: tuple[Any, ...]
    samples: int

    def __str__(self) -> str:
        return ", ".join([*map(str, self.settings), f"{self.samples} samples"])


@dataclass(frozen=True)
class Proportion:
    """The number of samples in which an interval covers or a test rejects."""

    cell: str
    quantity: str
    samples: int
    count: int

    @property
    def value(self) -> float:
        """The proportion."""
        return self.count / self.samples

    @property
    def error(self) -> float:
        """Standard error of the proportion."""
        return math.sqrt(self.value * (1 - self.value) / self.samples)

    @property
    def percent(self) -> str:
        """Percentage with its standard error."""
        return f"{100 * self.value:.1f} ± {100 * self.error:.1f}"


class Counts(dict[str, tuple[int, int]]):
    """Number of samples, and how many of them cover or reject, by quantity."""

    def add(self, quantity: str, count: Any, samples: int = 1) -> None:
        """Add the result of one sample, or of several."""
        n, k = self.get(quantity, (0, 0))
        self[quantity] = n + samples, k + int(count)


@dataclass(frozen=True)
class Study:
    """The parts of a study, and its tables by name; charts are drawn from the records as well."""

    name: str
    parts: tuple[Part, ...]
    tables: Callable[[Records], Mapping[str, str]]
    charts: Callable[[Records], None] = lambda _: None

    @property
    def folder(self) -> Path:
        """Folder of the records."""
        return COUNTS / self.name

    @property
    def records(self) -> dict[str, list[Any]]:
        """All records in the folder."""
        return load_parts(self.parts, self.folder)


def cells(
    settings: Iterable[tuple[Any, ...]], samples: int, few: int
) -> Callable[[bool], Sequence[Cell]]:
    """Tasks of a part: every combination of settings with all samples, or with a few."""
    listed = list(settings)
    return lambda quick: [Cell(each, few if quick else samples) for each in listed]


def proportions(
    name: str,
    settings: Iterable[tuple[Any, ...]],
    simulate: Callable[..., Counts],
    *,
    samples: int,
    few: int,
) -> Part:
    """A part with proportions: `simulate` takes the settings and the number of samples."""
    return Part(name, Proportion, cells(settings, samples, few), partial(_proportions, simulate))


def _proportions(simulate: Callable[..., Counts], cell: Cell) -> list[Proportion]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.RocwiseWarning)
        found = simulate(*cell.settings, cell.samples)
    return [Proportion(str(cell), quantity, *counts) for quantity, counts in found.items()]


# Running


def run_parts(
    parts: Sequence[Part], folder: Path, *, quick: bool, processes: int | None
) -> dict[str, list[Any]]:
    """Records of all parts, after simulating the cells that are not in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return {part.name: run_part(part, folder, quick=quick, processes=processes) for part in parts}


def load_parts(parts: Sequence[Part], folder: Path) -> dict[str, list[Any]]:
    """Records of all parts in the folder."""
    return {part.name: read_records(folder / f"{part.name}.csv", part.record) for part in parts}


def run_part(part: Part, folder: Path, *, quick: bool, processes: int | None) -> list[Any]:
    """Records of one part; files are complete after every cell, so that a run can be resumed."""
    log, path = folder / "finished.csv", folder / f"{part.name}.csv"
    finished = read_records(log, Finished)
    done = {one.cell for one in finished if one.part == part.name and not one.absent}
    order = {str(task): number for number, task in enumerate(part.tasks(quick))}
    known = done & order.keys()
    records: list[Any] = [one for one in read_records(path, part.record) if one.cell in known]
    missing = [task for task in part.tasks(quick) if str(task) not in done]
    for cell, found in parallel(partial(_one_cell, part.name, part.simulate), missing, processes):
        finished = [one for one in finished if (one.part, one.cell) != (cell.part, cell.cell)]
        finished.append(cell)
        records = sorted([*records, *found], key=lambda one: order[one.cell])
        write_records(path, records, part.record)
        write_records(log, sorted(finished, key=lambda one: (one.part, one.cell)), Finished)
        if cell.absent:
            print(f"absent: {cell.absent}", flush=True)
    return records


def _one_cell(part: str, simulate: Any, task: Any) -> tuple[Finished, Sequence[Any]]:
    started, records, absent = time.process_time(), (), ""
    try:
        records = tuple(simulate(task))
    except AbsentDataError as error:
        absent = str(error)
    return Finished(part, str(task), time.process_time() - started, absent), records


def parallel(
    function: Callable[[Any], Any], tasks: Sequence[Any], processes: int | None
) -> Iterator[Any]:
    """Results in order of completion, with a line of progress each."""
    started, count = time.monotonic(), processes or os.cpu_count() or 1
    found = map(function, tasks) if count == 1 else _pool(function, tasks, count)
    for done, result in enumerate(found, start=1):
        yield result
        seconds = time.monotonic() - started
        print(f"{done} of {len(tasks)} tasks, {seconds:.0f} s", file=sys.stderr, flush=True)


def _pool(function: Callable[[Any], Any], tasks: Sequence[Any], count: int) -> Iterator[Any]:
    context = multiprocessing.get_context("spawn")
    numbers: Any = context.Queue()
    for number in range(count):
        numbers.put(number)
    with ProcessPoolExecutor(
        count, mp_context=context, initializer=_pin_to_one_processor, initargs=(numbers,)
    ) as pool:
        running = [pool.submit(function, task) for task in tasks]
        try:
            for ended in as_completed(running):
                yield ended.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _pin_to_one_processor(numbers: Any) -> None:
    """Kernels start one thread per available processor, and every processor has its process."""
    number = numbers.get()
    if hasattr(os, "sched_setaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[number % len(allowed)]})


# Files and tables


def read_records(path: Path, kind: type[Record]) -> list[Record]:
    """Records in a file; empty if there is no file."""
    if not path.exists():
        return []
    readers = {item.name: FROM_TEXT[str(item.type)] for item in fields(kind)}
    with path.open(newline="", encoding="utf-8") as file:
        return [
            kind(**{name: read(row[name]) for name, read in readers.items()})
            for row in csv.DictReader(file)
        ]


def write_records(path: Path, records: Iterable[Record], kind: type[Record]) -> None:
    """Write records to a file (atomically)."""
    fresh = path.with_suffix(".new")
    with fresh.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [item.name for item in fields(kind)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in records)
    fresh.replace(path)


def standard_error(count: int, samples: int) -> float:
    """Standard error of a proportion with one success and one failure added, so never 0."""
    value = (count + 1) / (samples + 2)
    return math.sqrt(value * (1 - value) / samples)


def markdown(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def write_table(folder: Path, name: str, table: str) -> Path:
    """Write a Markdown table as a CSV file."""
    path = folder / f"{name.replace(' ', '-')}.csv"
    lines = [line.strip("|").split("|") for line in table.splitlines()]
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = ([cell.strip() for cell in line] for line in (lines[0], *lines[2:]))
        csv.writer(file, lineterminator="\n").writerows(rows)
    return path


def by_cell(records: Sequence[Any]) -> dict[str, list[Any]]:
    """Records of each cell."""
    found: dict[str, list[Any]] = {}
    for one in records:
        found.setdefault(one.cell, []).append(one)
    return found


def rows_by_name(
    names: Sequence[Sequence[object]], records: Sequence[Proportion], unit: str = ""
) -> list[list[str]]:
    """Rows of percentages with their names; the records of a row follow one another."""
    width = len(records) // len(names)
    return [
        [*map(str, name), *(f"{one.percent}{unit}" for one in records[k * width : (k + 1) * width])]
        for k, name in enumerate(names)
    ]


def rows_by_quantity(records: Sequence[Proportion]) -> list[list[str]]:
    """A row of percentages for each quantity, with a column for each cell."""
    return [
        [row[0].quantity, *(one.percent for one in row)]
        for row in zip(*by_cell(records).values(), strict=True)
    ]
