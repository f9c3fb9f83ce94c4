"""What a resample draws: cases on the tally, rows with their weights, or whole clusters.

Rows are drawn with equal probability, and each brings its weight: weights say how many cases of
the population a row stands for, not how many rows were seen. Clusters are drawn whole: within
their class where each holds rows of one class only, so that clusters of one row are drawn as rows
are; else all together, since how many of each class a cluster holds is a matter of chance too.
Resamples in which a class is absent are drawn again.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Counts
from rocwise.inference.stratified_bootstrap import drawn_until_complete, mixed_clusters
from rocwise.primitives.tallies import Tally
from rocwise.primitives.tally_rows import TallyRows

Times = Counts  # how often each row is there, (replicates, rows)


def drawn_amounts(data: Tally, seed: int) -> Callable[[int, int], tuple[Amounts, Amounts]]:
    """Positives and negatives at each score of the replicates first..last: (replicate, score)."""
    rows = data.rows
    if rows is None:
        return lambda first, last: kernels.resample_counts(data.pos, data.neg, seed, first, last)
    times = drawn_times(rows, seed)
    return lambda first, last: rows.amounts(times(first, last))


def cells_of_draw(data: Tally) -> int:
    """Numbers that one replicate of amounts holds in memory."""
    return 8 * len(data) if data.rows is None else 8 * len(data) + 6 * len(data.rows)


def resampling_words(data: Tally, method: str) -> str:
    """The method, with what was drawn where that were not simply cases."""
    if data.clustered:
        return f"{method} of whole clusters{' with their weights' if data.weighted else ''}"
    return f"{method} of rows with their weights" if data.weighted else method


def drawn_times(
    rows: TallyRows, seed: int, *, stratified: bool = True
) -> Callable[[int, int], Times]:
    """How often each row is there in the replicates first..last."""
    if not stratified:
        return _together(rows, seed)
    if rows.clusters is None:
        return _within_classes(rows, seed)
    if mixed_clusters(rows.clusters, rows.positive):
        return _together(rows, seed)
    return _clusters_within_classes(rows, seed)


def _within_classes(rows: TallyRows, seed: int) -> Callable[[int, int], Times]:
    counts = np.ones(len(rows), np.int64) if rows.counts is None else rows.counts
    pos, neg = (np.where(own, counts, 0) for own in (rows.positive, ~rows.positive))

    def draw(first: int, last: int) -> Times:
        drawn = kernels.resample_counts(pos, neg, seed, first, last)
        return np.asarray(drawn[0] + drawn[1])

    return draw


def _clusters_within_classes(rows: TallyRows, seed: int) -> Callable[[int, int], Times]:
    clusters = rows.clusters
    assert clusters is not None
    n = int(clusters.max()) + 1
    pos, neg = (
        (np.bincount(clusters[own], minlength=n) > 0).astype(np.int64)
        for own in (rows.positive, ~rows.positive)
    )

    def draw(first: int, last: int) -> Times:
        drawn = kernels.resample_counts(pos, neg, seed, first, last)
        return np.asarray((drawn[0] + drawn[1])[:, clusters])

    return draw


def _together(rows: TallyRows, seed: int) -> Callable[[int, int], Times]:
    """Both classes drawn together."""
    units = np.arange(len(rows)) if rows.clusters is None else rows.clusters
    counts = np.ones(int(units.max()) + 1) if rows.counts is None else rows.counts
    shares = counts / counts.sum()
    size = int(counts.sum())

    def draw(first: int, last: int) -> Times:
        found = np.empty((last - first, len(rows)), np.int64)
        for b in range(first, last):
            found[b - first] = times(b)
        return found

    def times(replicate: int) -> Times:
        rng = np.random.default_rng([seed, replicate])
        return drawn_until_complete(lambda: rng.multinomial(size, shares)[units], complete)

    def complete(times: Times) -> bool:
        return bool(times[rows.positive].any() and times[~rows.positive].any())

    return draw
