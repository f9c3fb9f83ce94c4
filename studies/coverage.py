"""Coverage of every interval and type I error of every test, counted on simulated data.

Run `make coverage`; counts are kept as they come, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from .counting import count, missing, read_counts, write_counts
from .families import FAMILIES
from .interval_grid import count_grid
from .pages import written
from .questions import Family

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "coverage.md"


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="make coverage", description=__doc__)
    parser.add_argument("--page", type=Path, default=PAGE, help="page whose tables are written")
    parser.add_argument("--counts", type=Path, help="file of counts (default: .csv of the page)")
    parser.add_argument("--replicates", type=int, default=10**9, help="samples at most, per line")
    parser.add_argument("--settings", type=int, default=None, help="settings at most, per family")
    parser.add_argument(
        "--only", action="append", choices=[family.name for family in FAMILIES], help="one family"
    )
    parser.add_argument("--fresh", action="store_true", help="forget the counts there are")
    parser.add_argument("--tables", action="store_true", help="count nothing, write the tables")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> None:
    """Count what is missing, then write the tables."""
    options = parsed(arguments)
    path = options.counts or options.page.with_suffix(".csv")
    if options.fresh:
        path.unlink(missing_ok=True)
    chosen = [one for one in FAMILIES if not options.only or one.name in options.only]
    if not options.tables:
        for family in chosen:
            run(family, path, options)
    if options.page.exists():
        text = options.page.read_text(encoding="utf-8")
        options.page.write_text(written(text, read_counts(path)), encoding="utf-8")
    if options.page == PAGE and not options.only and not options.tables:
        count_grid(options.page)


def run(family: Family, path: Path, options: argparse.Namespace) -> None:
    """Count one family, keeping the counts after every setting."""
    counts = read_counts(path)
    left = list(missing(family, counts))[: options.settings]
    began = time.monotonic()
    for done, (setting, questions) in enumerate(left):
        counts += count(family, setting, questions, options.replicates)
        write_counts(path, counts)
        seconds = time.monotonic() - began
        print(
            f"{family.name}: {done + 1} of {len(left)} settings, {seconds:.0f} s, "
            f"about {seconds / (done + 1) * (len(left) - done - 1):.0f} s left",
            file=sys.stderr,
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
