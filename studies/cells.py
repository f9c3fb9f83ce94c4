"""Finished cells: counted once, kept in a file, found again by the next run.

Studies and papers count by this alone: a folder has one file of records for each part, and
`finished.csv` with the cells that are done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .kept_counts import read_records, write_records
from .processes import results

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Records = Mapping[str, Sequence[Any]]  # by the name of the part


class AbsentDataError(Exception):
    """A data set that is not there, or is another one than was counted on."""


@dataclass(frozen=True)
class Part:
    """One table of finished cells.

    `count` results one task with records, in a process of its own. A task says its name by `str`;
    a record's fields are plain values, and its first field, `cell`, is the name of its task. The
    file of a part has its name; "finished" is taken by the times of all cells.
    """

    name: str
    record: type[DataclassInstance]
    tasks: Callable[[bool], Sequence[Any]]  # True: the quick version
    count: Callable[[Any], Sequence[Any]]


@dataclass(frozen=True)
class Finished:
    """A cell that was counted, or whose data are absent.

    Seconds are those of the processor; nan where counts are older than this list of them.
    """

    part: str
    cell: str
    seconds: float
    absent: str


@dataclass(frozen=True)
class ResultT:
    """What one process found."""

    finished: Finished
    records: tuple[Any, ...]


def one_cell(part: str, count: Any, task: Any) -> ResultT:
    """Count one cell; data that are not there are named and nothing is counted."""
    began = time.process_time()
    try:
        records, absent = tuple(count(task)), ""
    except AbsentDataError as error:
        records, absent = (), str(error)
    return ResultT(Finished(part, str(task), time.process_time() - began, absent), records)


def counted(
    parts: Sequence[Part], folder: Path, *, quick: bool, processes: int | None
) -> dict[str, list[Any]]:
    """Records of every part, after counting the cells that are not in the folder yet."""
    folder.mkdir(parents=True, exist_ok=True)
    return {
        part.name: part_counted(part, folder, quick=quick, processes=processes) for part in parts
    }


def kept(parts: Sequence[Part], folder: Path) -> dict[str, list[Any]]:
    """Records of every part as they are in the folder; nothing is counted."""
    return {part.name: read_records(folder / f"{part.name}.csv", part.record) for part in parts}


def part_counted(part: Part, folder: Path, *, quick: bool, processes: int | None) -> list[Any]:
    """Records of one part; the files are whole after every cell, so that a run may be stopped."""
    times = folder / "finished.csv"
    finished = read_records(times, Finished)
    done = {one.cell for one in finished if one.part == part.name and not one.absent}
    found = read_records(folder / f"{part.name}.csv", part.record)
    kept: list[Any] = [one for one in found if one.cell in done]  # type: ignore[attr-defined]
    missing = [task for task in part.tasks(quick) if str(task) not in done]
    for result in results(partial(one_cell, part.name, part.count), missing, processes=processes):
        told = (part.name, result.finished.cell)
        finished = [one for one in finished if (one.part, one.cell) != told]
        kept.extend(result.records)
        finished.append(result.finished)
        write_records(folder / f"{part.name}.csv", ordered(kept, part, quick), part.record)
        write_records(times, sorted(finished, key=lambda one: (one.part, one.cell)), Finished)
        if result.finished.absent:
            print(f"absent: {result.finished.absent}", flush=True)
    return ordered(kept, part, quick)


def ordered(records: Sequence[Any], part: Part, quick: bool) -> list[Any]:
    """Records in the order of the tasks, however the processes ended."""
    places = {str(task): place for place, task in enumerate(part.tasks(quick))}
    return sorted((one for one in records if one.cell in places), key=lambda one: places[one.cell])
