"""Sorted runs of rows, in memory or on disk, their ranges of values, and tasks on all cores."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from rocwise.arrays import Array
from rocwise.engines.interrupts import cleaned_up
from rocwise.kernels.threads import limited_to, thread_limit
from rocwise.progress import Report

T = TypeVar("T")
S = TypeVar("S")
STEP = 1024  # every STEP-th value of a column on disk is an index in memory
POLL = 0.1  # seconds between two reports of progress


class SortedColumn:
    """A sorted column in memory or, with a path, in a file."""

    def __init__(self, values: Array, path: Path | None = None) -> None:
        self.size: int = len(values)
        self.dtype: np.dtype[Any] = values.dtype
        self.path = path
        self.values: Array = values if path is None else values[::STEP].copy()
        if path is not None:
            with path.open("wb") as file:  # numpy's `tofile` does not raise on a full disk
                file.write(np.ascontiguousarray(values).data)

    def part(self, start: int, stop: int) -> Array:
        """Values from one position to another."""
        if self.path is None:
            return self.values[start:stop]
        offset = start * self.dtype.itemsize
        return np.fromfile(self.path, self.dtype, max(stop - start, 0), offset=offset)

    def place(self, value: float, side: Literal["left", "right"]) -> int:
        """How many values are below `value` (left), or below or equal (right)."""
        found = int(np.searchsorted(self.values, value, side))
        if self.path is None or found == 0:
            return found
        start = (found - 1) * STEP
        near = self.part(start, min(start + STEP, self.size))
        return start + int(np.searchsorted(near, value, side))

    def every(self, step: int) -> Array:
        """Every `step`-th value, as nearly as the values in memory allow."""
        if self.path is None:
            return self.values[step // 2 :: step]
        return self.values[:: max(1, step // STEP)]


@dataclass
class SortedRuns:
    """Runs of rows, each sorted by its first column."""

    folder: Path  # where runs are written that do not fit into memory
    room: int  # bytes in memory
    runs: list[tuple[SortedColumn, ...]] = field(default_factory=list)
    taken: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def add(self, *columns: Array) -> None:
        """Add a run; several threads may do so."""
        size = sum(column.nbytes for column in columns)
        with self.lock:
            number = len(self.runs)
            fits = self.taken + size <= self.room
            self.taken += size if fits else 0
            self.runs.append(())  # reserved
        if fits:  # copies, so that the array of which a column is a view can be freed
            self.runs[number] = tuple(
                SortedColumn(column if column.base is None else column.copy()) for column in columns
            )
            return
        paths = [self.folder / f"{id(self)}-{number}-{k}" for k in range(len(columns))]
        self.runs[number] = tuple(map(SortedColumn, columns, paths))

    def clear(self) -> None:
        """Remove all runs."""
        for column in (column for run in self.runs for column in run):
            if column.path is not None:
                column.path.unlink()
        self.runs.clear()
        self.taken = 0

    def parts(self, found: "Range") -> Iterator[list[Array]]:
        """The columns of a range, run by run."""
        for run, (start, stop) in zip(self.runs, found.spans, strict=True):
            if stop > start:
                yield [column.part(start, stop) for column in run]

    def columns(self, found: "Range") -> list[Array]:
        """The columns of a range of all runs."""
        return [np.concatenate(columns) for columns in zip(*self.parts(found), strict=True)]


class Range(NamedTuple):
    """Rows between two values, or tied at one: their span in each sorted column."""

    value: float | None
    spans: list[tuple[int, int]]

    @property
    def size(self) -> int:
        """Rows of all columns."""
        return sum(stop - start for start, stop in self.spans)


def ranges_of(columns: Sequence[SortedColumn], rows_at_once: int) -> list[Range]:
    """Rising ranges of about `rows_at_once` rows at most; ties between two are one of their own."""
    step = max(1, rows_at_once // (2 * max(1, len(columns))))
    marks = np.sort(np.concatenate([column.every(step) for column in columns]))
    per_range = max(1, rows_at_once // step)
    values = np.unique(marks[per_range - 1 :: per_range])
    spans = []
    for column in columns:
        inner = [column.place(value, side) for value in values for side in ("left", "right")]
        spans.append(list(pairwise([0, *inner, column.size])))
    found = [
        Range(values[number // 2] if number % 2 else None, [own[number] for own in spans])
        for number in range(2 * len(values) + 1)
    ]
    return [each for each in found if each.size]


def map_tasks(
    work: Callable[[S], T],
    tasks: Sequence[S],
    *,
    sizes: Sequence[int] | None = None,
    report: Report = lambda _done: None,
    interrupt: Callable[[], None] = lambda: None,
) -> list[T]:
    """``[work(task) for task in tasks]`` on all cores; after an error `interrupt` ends others."""
    weights = sizes or [1] * len(tasks)

    def run(task: S) -> T:
        with limited_to(1):
            return work(task)

    pool = ThreadPoolExecutor(max(1, min(thread_limit(), len(tasks))))
    try:
        futures = [pool.submit(run, task) for task in tasks]
        pending = set(futures)
        while pending:
            done, pending = wait(pending, timeout=POLL, return_when=FIRST_EXCEPTION)
            finished = zip(weights, futures, strict=True)
            report(sum(size for size, future in finished if future.done()) / max(1, sum(weights)))
            for future in done:
                future.result()
    except BaseException:
        with cleaned_up():
            pool.shutdown(wait=False, cancel_futures=True)
            interrupt()
            pool.shutdown()
        raise
    finally:
        pool.shutdown()
    return [future.result() for future in futures]
