"""A study: its parts, the tables that are made of them, and the command that counts.

`python -m studies.NAME` counts the cells that are missing in `studies/counts/NAME` and writes the
tables to `docs/validation/tables`; it may be stopped and goes on. `--quick` counts a small version,
prints its tables and changes nothing.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import rocwise as rw

from .cells import Part, Records, counted, kept
from .kept_counts import markdown, write_table

COUNTS = Path(__file__).with_name("counts")
TABLES = Path(__file__).parents[1] / "docs" / "validation" / "tables"
Asked = Mapping[str, tuple[int, int]]  # by question: samples that were answered, and hits


@dataclass(frozen=True)
class Cell:
    """What tells a cell apart; other numbers of samples are other cells."""

    place: tuple[Any, ...]
    samples: int

    def __str__(self) -> str:
        return ", ".join([*map(str, self.place), f"{self.samples} samples"])


@dataclass(frozen=True)
class Hits:
    """In how many samples an interval held the truth, or a test rejected."""

    cell: str
    question: str
    samples: int
    hits: int

    @property
    def share(self) -> float:
        """Hits per sample."""
        return self.hits / self.samples

    @property
    def error(self) -> float:
        """Standard error of the share."""
        return math.sqrt(self.share * (1 - self.share) / self.samples)

    @property
    def percent(self) -> str:
        """The share with its standard error, for a table."""
        return f"{100 * self.share:.1f} ± {100 * self.error:.1f}"


@dataclass(frozen=True)
class Study:
    """What is counted, and the tables of it, by their names."""

    name: str
    parts: tuple[Part, ...]
    tables: Callable[[Records], Mapping[str, str]]

    @property
    def folder(self) -> Path:
        """Where its counts are kept."""
        return COUNTS / self.name

    @property
    def kept(self) -> Records:
        """What was counted so far."""
        return kept(self.parts, self.folder)


def cells(
    places: Sequence[tuple[Any, ...]], samples: int, few: int
) -> Callable[[bool], Sequence[Cell]]:
    """The tasks of a part: every place with all samples, or with a few."""
    return lambda quick: [Cell(place, few if quick else samples) for place in places]


def hits_part(
    name: str,
    places: Sequence[tuple[Any, ...]],
    ask: Callable[..., Asked],
    *,
    samples: int,
    few: int,
) -> Part:
    """A part whose cells are hits: `ask` gets a place and how many samples to draw."""
    return Part(name, Hits, cells(places, samples, few), partial(hits_of, ask))


def hits_of(ask: Callable[..., Asked], cell: Cell) -> list[Hits]:
    """All questions of one cell; what a sample would warn of is part of the study."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.RocwiseWarning)
        found = ask(*cell.place, cell.samples)
    return [Hits(str(cell), question, *of) for question, of in found.items()]


def by_cell(records: Sequence[Any]) -> dict[str, list[Any]]:
    """Records of each cell, in the order in which they were asked for."""
    found: dict[str, list[Any]] = {}
    for one in records:
        found.setdefault(one.cell, []).append(one)
    return found


def crossed(title: str, heads: Sequence[str], counts: Sequence[Hits]) -> str:
    """A table with a row for each question and a column for each cell."""
    rows = [
        [alike[0].question, *(one.percent for one in alike)]
        for alike in zip(*by_cell(counts).values(), strict=True)
    ]
    return markdown([title, *heads], rows)


def shares(
    heads: Sequence[str], counts: Sequence[Any], *more: tuple[str, Callable[[Any], str]]
) -> str:
    """A table with a row for each question, in columns where it has bars: hits, errors and more."""
    rows = [
        [
            *one.question.split(" | "),
            f"{100 * one.share:.1f}%",
            f"{100 * one.error:.1f}%",
            *(told(one) for _, told in more),
        ]
        for one in counts
    ]
    return markdown([*heads, "standard error", *(head for head, _ in more)], rows)


def run(study: Study, arguments: Sequence[str] | None = None) -> int:
    """The command of a study."""
    parser = argparse.ArgumentParser(prog=f"studies.{study.name}", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small version; changes no file")
    parser.add_argument("--processes", type=int, help="how many at once; all processors if absent")
    options = parser.parse_args(arguments)
    if not options.quick:
        records = counted(study.parts, study.folder, quick=False, processes=options.processes)
        for name, table in study.tables(records).items():
            write_table(TABLES, name, table)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        records = counted(study.parts, Path(folder), quick=True, processes=options.processes)
    for name, table in study.tables(records).items():
        print(f"\n{name}\n\n{table}")
    return 0
