"""Resamples of any statistic: sampling units, replicates with progress and Ctrl-C, percentiles.

Rows are drawn with equal probability, and each brings its weight. Clusters are drawn whole, all
classes together where one has rows of several; a resample without a class is drawn again.
"""

import math
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Array, Counts, Floats, Places
from rocwise.errors import RocwiseWarning, warn
from rocwise.kernels import distinct
from rocwise.kernels.resample import Units, multiplicities
from rocwise.kernels.threads import even_chunks, run_tasks, thread_limit
from rocwise.progress import ProgressLine, Report, allowed_interruption, reporter

CELLS_PER_CHUNK = 4_000_000
ROWS_PER_CELL = 64  # of loops that keep no table of what they draw: only time bounds their chunks
CHUNKS = 40  # at least this many steps of progress in long work
SECONDS_PER_CHUNK = 0.5  # so that Ctrl-C is noticed within a second
CELLS_PER_ROW = 5  # of resampled multiplicities: what they cost
CELLS_PER_THREAD = 500_000


def sampled_rows(
    codes: NDArray[Any],
    clusters: Places | None = None,
    *,
    counts: Counts | None = None,
    stratified: bool = True,
) -> tuple[Units, Array]:
    """Units of rows, class by class if `stratified` and clusters allow it, and each row's unit."""
    codes = np.asarray(codes).astype(np.intp)
    members = np.arange(len(codes)) if clusters is None else distinct(clusters)[1]
    n_units = int(members.max()) + 1
    code_of = np.empty(n_units, np.intp)
    code_of[members] = codes
    if (code_of[members] == codes).all():  # units of one class each
        sizes = np.bincount(code_of)
        kind = np.uint16 if len(sizes) < 2**16 else np.intp  # radix sort
        order = np.argsort(code_of.astype(kind), kind="stable")
        number = np.empty(n_units, np.intp)
        number[order] = np.arange(n_units)
        members, counts = number[members], None if counts is None else counts[order]
        if stratified:
            return Units(sizes, counts=counts), members
    classes = np.zeros((int(codes.max()) + 1, n_units), np.bool_)
    classes[codes, members] = True
    return Units(np.array([n_units]), classes, counts), members


def mixed_clusters(clusters: Places, codes: NDArray[Any]) -> bool:
    """Whether any cluster has rows of more than one class."""
    code_of = np.empty(int(clusters.max()) + 1, codes.dtype)
    code_of[clusters] = codes
    return bool((code_of[clusters] != codes).any())


def drawn_words(weights: object, clusters: object) -> str:
    """What was drawn, where that were not simply rows, to follow the name of a method."""
    if clusters is not None:
        return f" of whole clusters{' with their weights' if weights is not None else ''}"
    return " of rows with their weights" if weights is not None else ""


def draws_of(
    measured: Callable[[Floats], Any],
    units: Units,
    of_rows: Array,
    *,
    n_resamples: int,
    seed: int,
    cells: int,
    progress: bool | Report | None,
    title: str,
) -> Floats:
    """A function of the multiplicities of all rows, which are of these units, in resamples."""

    def measure(first: int, last: int) -> Floats:
        times = (multiplicities(units, seed, b, b + 1)[0] for b in range(first, last))
        return np.array([measured(own[of_rows].astype(np.float64)) for own in times])

    def draw(first: int, last: int) -> Floats:
        return side_by_side(measure, first, last, CELLS_PER_ROW * len(of_rows))

    return in_chunks(draw, n_resamples, cells, progress, title)


def in_chunks(
    draw: Callable[[int, int], Floats],
    n_resamples: int,
    cells: int,
    progress: bool | Report | None,
    label: str,
    *,
    again: bool = False,
) -> Floats:
    """Replicates of so many cells each in chunks, with progress; Ctrl-C stops between two chunks.

    Within `rocwise.partial_results` the first Ctrl-C only cuts the replicates short. After that
    nothing is drawn but what is drawn `again`: replicates of the pass that was cut short.
    """
    stopped = allowed_interruption()
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
            "the result rests on those.",
            RocwiseWarning,
        )
    finally:
        if isinstance(report, ProgressLine):
            report.close()
    return np.concatenate(parts)


def chunks(total: int, cells: int) -> Iterator[tuple[int, int]]:
    """Ranges of replicates that bound memory and take about half a second each."""
    most = max(1, min(CELLS_PER_CHUNK // max(cells, 1), total))
    if total * cells > 50 * CELLS_PER_CHUNK:
        most = max(1, min(most, total // CHUNKS))
    size = max(1, min(most, CELLS_PER_CHUNK // 8 // max(cells, 1)))
    first = 0
    while first < total:
        last = min(first + size, total)
        begun = perf_counter()
        yield first, last
        factor = SECONDS_PER_CHUNK / max(perf_counter() - begun, 1e-6)
        size = min(most, max(1, int(size * min(factor, 4.0))))
        first = last


def side_by_side(draw: Callable[[int, int], Floats], first: int, last: int, cells: int) -> Floats:
    """Replicates first..last of so many cells each, in equal parts by each thread."""
    worth = 1 + (last - first) * cells // CELLS_PER_THREAD
    parts = even_chunks(last - first, min(thread_limit(), worth))
    return np.concatenate(run_tasks(draw, [(first + a, first + b) for a, b in parts]))


def percentile_limits(values: Floats, level: float) -> tuple[Any, Any]:
    """Type-7 quantiles of the rows that leave equal tails (F4.3)."""
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail], axis=0)
    return low, high


def observed_limits(values: Floats, level: float) -> tuple[float, float]:
    """Values that occurred and leave at most equal tails; some may be infinite. nan if none."""
    if not len(values):
        return math.nan, math.nan
    ordered, outside = np.sort(values), math.floor((1 - level) / 2 * (len(values) - 1))
    return float(ordered[outside]), float(ordered[-1 - outside])
