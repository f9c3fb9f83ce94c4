"""How often each kind of band really contains the true curve, or the curve of a new sample.

Run `make containment`. Bands are counted in rounds over all settings and kept after each task,
so a run that was stopped goes on where it was, and more bands can be added later.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .containment_pages import tables
from .containment_world import FUTURE_KINDS, SIZES, THETAS, TRUE_KINDS, asked
from .kept_counts import read_records, write_records, write_table
from .processes import results

COUNTS = Path(__file__).parents[1] / "docs" / "validation" / "bands.csv"


@dataclass
class Cell:
    """What the bands of one kind did in one setting; sums, so that bands can be added."""

    kind: str
    theta: float
    size: int
    first: int
    asked: int
    answered: int = 0
    shares: float = 0.0
    squares: float = 0.0
    areas: float = 0.0

    @property
    def share(self) -> float:
        """Containment."""
        return self.shares / self.answered

    @property
    def error(self) -> float:
        """Standard error over bands; with one hit and one miss more, as 0 would claim too much."""
        count = self.answered + 2
        mean = (self.shares + 1) / count
        return math.sqrt(max((self.squares + 1) / count - mean * mean, 0.0) / self.answered)


@dataclass(frozen=True)
class Task:
    """Bands of one setting and some kinds, numbered `first` to `last` - 1."""

    kinds: tuple[str, ...]
    theta: float
    size: int
    first: int
    last: int
    n_resamples: int
    n_future: int


def count(task: Task) -> list[Cell]:
    """What the bands of a task did."""
    cells: dict[str, Cell] = {}
    for number in range(task.first, task.last):
        setting = (task.theta, task.size, number, task.n_resamples, task.n_future)
        for hit in asked(task.kinds, *setting):
            fresh = Cell(hit.kind, task.theta, task.size, task.first, task.last - task.first)
            cell = cells.setdefault(hit.kind, fresh)
            cell.answered += 1
            cell.shares += hit.share
            cell.squares += hit.share**2
            cell.areas += hit.area
    return [_rounded(cell) for cell in cells.values()]


def _rounded(cell: Cell) -> Cell:
    """As it is kept: digits enough to compare shares."""
    sums = {name: round(getattr(cell, name), 6) for name in ("shares", "squares", "areas")}
    return replace(cell, **sums)


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="make containment", description=__doc__)
    parser.add_argument("--counts", type=Path, default=COUNTS, help="file of counts")
    parser.add_argument("--bands", type=int, default=1000, help="bands in each setting")
    parser.add_argument("--round", type=int, default=200, help="bands in a setting at a time")
    parser.add_argument(
        "--kinds",
        nargs="+",
        choices=[*TRUE_KINDS, *FUTURE_KINDS],
        default=[*TRUE_KINDS, *FUTURE_KINDS],
        help="of bands; those with 'future' in their name are asked for new curves",
    )
    parser.add_argument("--resamples", type=int, default=500, help="resamples of each bootstrap")
    parser.add_argument("--future", type=int, default=10, help="new samples for each band")
    parser.add_argument(
        "--processes", type=int, help="side by side (default: one for each processor)"
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="sample sizes")
    parser.add_argument("--thetas", type=float, nargs="+", default=THETAS, help="separations")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after these")
    parser.add_argument("--tables", action="store_true", help="count nothing, write the tables")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> None:
    """Count what is missing, then write the tables."""
    options = parsed(arguments)
    if not options.tables:
        run(options.counts, options)
    folder = options.counts.with_name("tables")
    folder.mkdir(exist_ok=True)
    for name, table in tables(read_records(options.counts, Cell)).items():
        write_table(folder, name, table)


def run(path: Path, options: argparse.Namespace) -> None:
    """Count everything that is missing."""
    cells = read_records(path, Cell)
    done = {(cell.kind, cell.theta, cell.size, cell.first) for cell in cells}
    left = list(tasks(options, done))
    for counted in results(count, left, processes=options.processes, minutes=options.minutes):
        cells += counted
        rows = sorted(cells, key=lambda one: (one.kind, one.theta, one.size, one.first))
        write_records(path, rows, Cell)


def tasks(
    options: argparse.Namespace, done: Collection[tuple[str, float, int, int]]
) -> Iterator[Task]:
    """What is not done yet: the true curve first, smallest samples first."""
    for kinds in (TRUE_KINDS, FUTURE_KINDS):
        for first in range(0, options.bands, options.round):
            last = min(first + options.round, options.bands)
            for size, theta in itertools.product(options.sizes, options.thetas):
                left = tuple(
                    kind
                    for kind in kinds
                    if kind in options.kinds and (kind, theta, size, first) not in done
                )
                if left:
                    yield Task(left, theta, size, first, last, options.resamples, options.future)


if __name__ == "__main__":
    main(sys.argv[1:])
