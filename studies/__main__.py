"""Run simulation studies: `python -m studies survival`; names are those of the modules."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from . import simulation
from .simulation import Study, run_parts, write_table

NAMES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("[a-z]*.py")
    if "\nSTUDY = Study(" in path.read_text(encoding="utf-8")
)


def study(name: str) -> Study:
    """The study of a module."""
    found: Study = importlib.import_module(f"studies.{name}").STUDY
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate missing cells and write tables and charts."""
    parser = argparse.ArgumentParser(prog="studies", description=__doc__)
    parser.add_argument("names", nargs="+", choices=NAMES, metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--quick", action="store_true", help="few samples; print tables only")
    parser.add_argument("--processes", type=int, help="number of processes (default: all cores)")
    options = parser.parse_args(arguments)
    for one in map(study, options.names):
        if options.quick:
            with tempfile.TemporaryDirectory() as folder:
                records = run_parts(
                    one.parts, Path(folder), quick=True, processes=options.processes
                )
            for name, table in one.tables(records).items():
                print(f"\n{name}\n\n{table}")
            continue
        records = run_parts(one.parts, one.folder, quick=False, processes=options.processes)
        for name, table in one.tables(records).items():
            write_table(simulation.TABLES, name, table)
        one.charts(records)
    return 0


if __name__ == "__main__":
    sys.exit(main())
