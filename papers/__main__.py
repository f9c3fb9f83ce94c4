"""Run papers again: `python -m papers smroc`, all without a name, `--quick` for a minute each."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studies.simulation import AbsentDataError, load_parts, run_parts

from papers.shared.claims import Finding
from papers.shared.data import entries
from papers.shared.download import download, public_sets
from papers.shared.pages import write_index, write_page
from papers.shared.paper import NAMES, Paper, paper


def main(arguments: list[str] | None = None) -> int:
    """Count what is missing, then write tables, pictures and the index."""
    parser = argparse.ArgumentParser(prog="papers", description=__doc__)
    listed = f"{', '.join(NAMES)}; with --download names of data sets"
    parser.add_argument("names", nargs="*", metavar="NAME", help=listed)
    parser.add_argument("--quick", action="store_true", help="a small version; changes no page")
    parser.add_argument("--processes", type=int, help="how many at once; all processors if absent")
    parser.add_argument(
        "--download",
        type=Path,
        metavar="FOLDER",
        help="fetch public data sets into a folder, for ROCWISE_DATA, and run nothing",
    )
    options = parser.parse_args(arguments)
    if options.download:
        return fetch(options.download, options.names)
    unknown = set(options.names) - set(NAMES)
    if unknown:
        parser.error(f"no paper named {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    for name in options.names or NAMES:
        print(f"== {name}", flush=True)
        if options.quick:
            quickly(paper(name), options.processes)
        else:
            whole(paper(name), options.processes)
    if not options.quick:
        write_index({name: found for name in NAMES if (found := finding(paper(name)))})
    return 0


def fetch(folder: Path, names: Sequence[str]) -> int:
    """Data sets by name, or all; say which could not be had, and which have no public address."""
    sets = public_sets()
    failures = download(folder, [name for name in names or sets if name in sets], sets)
    without = [name for name in names or entries() if name not in sets]
    for line in failures:
        print(f"not downloaded: {line}", flush=True)
    if without:
        print(f"no public address is kept for {', '.join(without)}", flush=True)
    print(f"ROCWISE_DATA={folder} names the folder to the papers")
    return 1 if failures else 0


def whole(one: Paper, processes: int | None) -> None:
    """All cells, kept beside the page."""
    records = run_parts(one.parts, one.folder, quick=False, processes=processes)
    if lacking(records):
        return
    write_page(one, records)
    try:
        one.pictures(records, one.folder / "pictures")
    except AbsentDataError as problem:
        print(f"pictures not renewed: {problem}", flush=True)


def quickly(one: Paper, processes: int | None) -> None:
    """A few cells in a folder that is thrown away; the tables are printed."""
    with tempfile.TemporaryDirectory() as folder:
        records = run_parts(one.parts, Path(folder), quick=True, processes=processes)
        if lacking(records):
            return
        tables, found = one.results(records)
        for name, table in tables.items():
            print(f"\n{name}\n\n{table}")
        one.pictures(records, Path(folder) / "pictures")
        print(f"\n{found}")


def lacking(records: Mapping[str, Sequence[Any]]) -> bool:
    """Say which parts have nothing counted, for want of data."""
    empty = [name for name, found in records.items() if not found]
    for name in empty:
        print(f"nothing counted for {name}: no page is written", flush=True)
    return bool(empty)


def finding(one: Paper) -> Finding | None:
    """What was found when the paper was last run, if it was."""
    records = load_parts(one.parts, one.folder)
    return one.results(records)[1] if all(records.values()) else None


if __name__ == "__main__":
    sys.exit(main())
