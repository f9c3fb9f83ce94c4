"""What rocwise asks alone, each question against its time limit."""

import time
from collections.abc import Iterator
from functools import partial

from .limits import Limit, limits
from .rows import Row, at_most
from .tasks import Setting, Task

FIRST = 1_000  # rows asked about before the clock starts, so that modules are loaded
CALLS, SECONDS = 5, 2.0  # of one question; a call that takes longer is not repeated


def tasks() -> Iterator[Task]:
    """One task for each question."""
    for limit in limits():
        words = limit.name.lower().replace(" ", "-").replace(",", "")
        yield Task(f"limit-{words}-{limit.rows:.0e}", [limit.needs], partial(_row, limit))


def _row(limit: Limit, setting: Setting) -> list[Row]:
    rows = setting.rows(limit.rows)
    limit.ask(limit.make(min(FIRST, rows)))
    held = limit.make(rows)
    seconds: list[float] = []
    while len(seconds) < CALLS and sum(seconds) < SECONDS:
        begun = time.perf_counter()
        limit.ask(held)
        seconds.append(time.perf_counter() - begun)
    bar, best = at_most(limit.seconds, "s"), min(seconds)
    title = f"{limit.name}, {rows:,} {limit.counted}"
    raw = {"rocwise_seconds": seconds}
    return [Row(title, ours=best, bar=bar, status=bar.judge(best), raw=raw)]
