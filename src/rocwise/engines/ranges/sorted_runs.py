"""Sorted columns, in memory as long as there is room and in files of their own beyond it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rocwise.arrays import Array

STEP = 1024  # every so manieth value of a column on disk is kept in memory, to find places


class ColumnInMemory:
    """A sorted column that is at hand.

    >>> column = ColumnInMemory(np.array([1.0, 2.0, 2.0]))
    >>> column.place(2.0, "left"), column.place(2.0, "right"), column.part(0, 2).tolist()
    (1, 3, [1.0, 2.0])
    """

    def __init__(self, values: Array) -> None:
        self.values = values
        self.size: int = len(values)

    def part(self, start: int, stop: int) -> Array:
        """Values from one place to another."""
        return self.values[start:stop]

    def place(self, value: float, side: Literal["left", "right"]) -> int:
        """How many values are below `value` (left), or below or equal (right)."""
        return int(np.searchsorted(self.values, value, side))

    def every(self, step: int) -> Array:
        """Every so manieth value."""
        return self.values[step // 2 :: step]


class ColumnOnDisk:
    """A sorted column in a file."""

    path: Path
    dtype: np.dtype[Any]
    size: int

    def __init__(self, values: Array, path: Path) -> None:
        self.path, self.dtype, self.size = path, values.dtype, len(values)
        self.marks: Array = values[::STEP].copy()
        with path.open("wb") as file:  # numpy's own `tofile` does not say that a disk is full
            file.write(np.ascontiguousarray(values).data)

    def part(self, start: int, stop: int) -> Array:
        """Values from one place to another."""
        offset = start * self.dtype.itemsize
        return np.fromfile(self.path, self.dtype, max(stop - start, 0), offset=offset)

    def place(self, value: float, side: Literal["left", "right"]) -> int:
        """How many values are below `value` (left), or below or equal (right)."""
        block = int(np.searchsorted(self.marks, value, side))
        if block == 0:
            return 0
        start = (block - 1) * STEP
        near = self.part(start, min(start + STEP, self.size))
        return start + int(np.searchsorted(near, value, side))

    def every(self, step: int) -> Array:
        """Every so manieth value, as nearly as the values kept in memory allow."""
        return self.marks[:: max(1, step // STEP)]


SortedColumn = ColumnInMemory | ColumnOnDisk


@dataclass
class SortedRuns:
    """Runs of rows, each sorted by itself: columns of every run, in memory up to `room` bytes.

    Attributes
    ----------
    folder : Path
        Where columns go for which there is no room.
    room : int
        Bytes that may stay in memory.
    """

    folder: Path
    room: int
    runs: list[tuple[SortedColumn, ...]] = field(default_factory=list)
    held: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def add(self, *columns: Array) -> None:
        """Keep one more run; several threads may do so."""
        size = sum(column.nbytes for column in columns)
        with self.lock:
            number = len(self.runs)
            fits = self.held + size <= self.room
            self.held += size if fits else 0
            self.runs.append(())  # its place
        if fits:  # apart from whatever the columns were cut out of
            kept = tuple(
                ColumnInMemory(column if column.base is None else column.copy())
                for column in columns
            )
            self.runs[number] = kept
            return
        paths = [self.folder / f"{id(self)}-{number}-{k}" for k in range(len(columns))]
        self.runs[number] = tuple(
            ColumnOnDisk(column, path) for column, path in zip(columns, paths, strict=True)
        )

    def clear(self) -> None:
        """Forget all runs, and give back the room that they took."""
        for column in (column for run in self.runs for column in run):
            if isinstance(column, ColumnOnDisk):
                column.path.unlink()
        self.runs.clear()
        self.held = 0
