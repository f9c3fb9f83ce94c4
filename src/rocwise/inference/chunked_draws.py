"""Resamples in chunks that keep memory bounded and Ctrl-C heard, and their percentiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np

from rocwise import interruptions
from rocwise.arrays import Floats
from rocwise.errors import RocwiseWarning, warn
from rocwise.kernels.threads import even_parts, limited_to, run_parts, thread_limit
from rocwise.progress import ProgressLine, Report, reporter

CELLS_PER_CHUNK = 4_000_000
ROWS_PER_CELL = 64  # of loops that keep no table of what they draw: only time bounds their chunks
CHUNKS = 40  # at least this many steps of progress in long work
CELLS_PER_THREAD = 500_000  # fewer are done before a second thread has started
SECONDS_PER_CHUNK = 0.5  # so that Ctrl-C is heard within a second


def in_chunks(
    draw: Callable[[int, int], Floats],
    n_resamples: int,
    cells: int,
    progress: bool | Report | None,
    label: str,
    *,
    again: bool = False,
) -> Floats:
    """Replicates in chunks, with progress. Ctrl-C stops the call, or cuts the replicates short.

    They are cut short within `rocwise.partial_answers`, and only the first time. After that nothing
    is drawn but what is drawn `again`: replicates of the pass that was cut short.
    """
    stopped = interruptions.allowed()
    if stopped and not again:
        raise KeyboardInterrupt  # no further pass
    once_more = bool(stopped)
    report = reporter(progress, label)
    parts: list[Floats] = []
    done = 0
    try:
        for first, last in chunks(n_resamples, cells):
            parts.append(draw(first, last))
            done = last
            report(done / n_resamples)
    except KeyboardInterrupt:
        if once_more or stopped is None or not stopped.note(done, n_resamples):
            raise
        warn(
            f"{label} was interrupted after {done:,} of {n_resamples:,} resamples; "
            "the answer rests on those.",
            RocwiseWarning,
        )
    finally:
        if isinstance(report, ProgressLine):
            report.close()
    return np.concatenate(parts)


def chunks(total: int, cells: int) -> Iterator[tuple[int, int]]:
    """Ranges of replicates that keep memory bounded, progress moving and Ctrl-C heard.

    Long work begins with a small range; how long each takes tells how large the next may be.
    """
    most = max(1, min(CELLS_PER_CHUNK // max(cells, 1), total))
    if total * cells > 50 * CELLS_PER_CHUNK:
        most = max(1, min(most, total // CHUNKS))
    size = max(1, min(most, CELLS_PER_CHUNK // 8 // max(cells, 1)))
    first = 0
    while first < total:
        last = min(first + size, total)
        begun = perf_counter()
        yield first, last
        share = SECONDS_PER_CHUNK / max(perf_counter() - begun, 1e-6)
        size = min(most, max(1, int(size * min(share, 4.0))))
        first = last


def side_by_side(draw: Callable[[int, int], Floats], first: int, last: int, cells: int) -> Floats:
    """Replicates from `first` to `last`, of so many cells each, an equal share by each thread.

    Examples
    --------
    >>> side_by_side(lambda first, last: np.arange(first, last) / 2, 1, 4, cells=1)
    array([0.5, 1. , 1.5])
    """
    worth = 1 + (last - first) * cells // CELLS_PER_THREAD

    def alone(start: int, stop: int) -> Floats:
        with limited_to(1):  # the other threads have replicates of their own
            return draw(first + start, first + stop)

    return np.concatenate(run_parts(alone, even_parts(last - first, min(thread_limit(), worth))))


def percentile_limits(values: Floats, level: float) -> tuple[float, float]:
    """Type-7 quantiles that leave equal tails (F4.3)."""
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)
