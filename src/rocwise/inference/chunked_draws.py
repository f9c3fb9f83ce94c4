"""Resamples in chunks that keep memory bounded, with progress, and their percentiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import RocwiseWarning, warn
from rocwise.progress import Report, reporter

CELLS_PER_CHUNK = 4_000_000
CHUNKS = 40  # at least this many steps of progress in long work


def in_chunks(
    draw: Callable[[int, int], Floats],
    n_resamples: int,
    cells: int,
    progress: bool | Report | None,
    label: str,
) -> Floats:
    """Replicates in chunks, with progress; Ctrl-C returns what is done, with a warning."""
    report = reporter(progress, label)
    parts: list[Floats] = []
    done = 0
    try:
        for first, last in chunks(n_resamples, cells):
            parts.append(draw(first, last))
            done = last
            report(done / n_resamples)
    except KeyboardInterrupt:
        if done < 2:
            raise
        warn(
            f"{label} was interrupted after {done:,} of {n_resamples:,} resamples; "
            "the answer uses those.",
            RocwiseWarning,
        )
    return np.concatenate(parts)


def chunks(total: int, cells: int) -> Iterator[tuple[int, int]]:
    """Ranges of replicates that keep memory bounded and progress moving."""
    size = max(1, min(CELLS_PER_CHUNK // max(cells, 1), total))
    if total * cells > 50 * CELLS_PER_CHUNK:
        size = max(1, min(size, total // CHUNKS))
    for first in range(0, total, size):
        yield first, min(first + size, total)


def percentile_limits(values: Floats, level: float) -> tuple[float, float]:
    """Type-7 quantiles that leave equal tails (F4.3)."""
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)
