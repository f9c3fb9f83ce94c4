"""Coverage, size and power of every default, by simulation: `make coverage`.

Samples of known truth are drawn, the default is asked, and hits are counted. Counts are kept in
`docs/validation/coverage.csv` as they come: a run may be stopped, and the next goes on with the
samples that follow. `--quick` draws a fifth of the samples.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .default_charts import draw
from .default_counts import Count, place, run
from .default_intervals import INTERVALS
from .default_tests import TESTS
from .kept_counts import read_records, write_records

COUNTS = Path(__file__).parents[1] / "docs" / "validation" / "coverage.csv"
ENTRIES = (*INTERVALS, *TESTS)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="studies.defaults", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a fifth of the samples")
    parser.add_argument("--fresh", action="store_true", help="forget the counts there are")
    parser.add_argument("--only", default="", help="entries whose default or kind has these words")
    parser.add_argument("--counts", type=Path, default=COUNTS, help="file of counts")
    options = parser.parse_args(arguments)
    path = options.counts
    if options.fresh:
        path.unlink(missing_ok=True)
    chosen = [one for one in ENTRIES if options.only in f"{one.default} {one.kind}"]
    run(chosen, path, quick=options.quick)
    order = {place(entry): number for number, entry in enumerate(ENTRIES)}
    counts = [one for one in read_records(path, Count) if place(one) in order]
    counts.sort(key=lambda one: order[place(one)])
    write_records(path, counts, Count)
    draw(counts, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
