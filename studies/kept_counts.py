"""What a study counts, cell by cell, and its tables as files."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = TypeVar("Record", bound="DataclassInstance")  # of plain values
FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": "True".__eq__,
    "float | None": lambda text: float(text) if text else None,
}


def read_records(path: Path, kind: type[Record]) -> list[Record]:
    """The records in a file, none if there is no file."""
    if not path.exists():
        return []
    readers = {item.name: FROM_TEXT[str(item.type)] for item in fields(kind)}
    with path.open(newline="", encoding="utf-8") as file:
        return [
            kind(**{name: read(row[name]) for name, read in readers.items()})
            for row in csv.DictReader(file)
        ]


def write_records(path: Path, records: Iterable[Record], kind: type[Record]) -> None:
    """All records, through a second file so that nothing is lost."""
    names = [item.name for item in fields(kind)]
    fresh = path.with_suffix(".new")
    with fresh.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in records)
    fresh.replace(path)


def standard_error(hits: int, runs: int) -> float:
    """Of a share, with one hit and one miss more: 0 would claim too much."""
    cautious = (hits + 1) / (runs + 2)
    return math.sqrt(cautious * (1 - cautious) / runs)


def mark_of(name: str) -> re.Pattern[str]:
    """What stands between the marks of a table in a page."""
    return re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)


def with_table(text: str, mark: re.Pattern[str], table: str) -> str:
    """The page with its table made anew."""
    return mark.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", text)


def markdown(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def write_table(folder: Path, name: str, table: str) -> Path:
    """A table of Markdown as a CSV file with its name."""
    path = folder / f"{name.replace(' ', '-')}.csv"
    lines = [line.strip("|").split("|") for line in table.splitlines()]
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = ([cell.strip() for cell in line] for line in (lines[0], *lines[2:]))
        csv.writer(file, lineterminator="\n").writerows(rows)
    return path
