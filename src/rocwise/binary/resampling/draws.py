"""What a resample draws: cases on the tally, rows with their weights, or whole clusters.

Rows are drawn with equal probability, and each brings its weight: weights say how many cases of
the population a row stands for, not how many rows were seen. Clusters are drawn whole. In
stratified resamples cases are drawn within their class, and clusters among those of their kind:
with positives only, with negatives only, or with both. So every resample has both classes, and
clusters of one row are drawn as rows are.

Replicate b depends on (seed, b) alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Array, Counts, Flags
from rocwise.primitives.tallies import Tally
from rocwise.primitives.tally_rows import TallyRows

Times = Counts  # how often each row is there, (replicates, rows)
OF_MIXED_CLUSTERS = 0x6D697865640000  # makes their draws differ from those of the other clusters
BOTH_CLASSES = 1000  # attempts to draw both classes before the data are refused


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
    return _within_kinds(rows, seed)


def _within_classes(rows: TallyRows, seed: int) -> Callable[[int, int], Times]:
    counts = np.ones(len(rows), np.int64) if rows.counts is None else rows.counts
    pos, neg = (np.where(own, counts, 0) for own in (rows.positive, ~rows.positive))

    def draw(first: int, last: int) -> Times:
        drawn = kernels.resample_counts(pos, neg, seed, first, last)
        return np.asarray(drawn[0] + drawn[1])

    return draw


def _within_kinds(rows: TallyRows, seed: int) -> Callable[[int, int], Times]:
    clusters = rows.clusters
    assert clusters is not None
    n = int(clusters.max()) + 1
    with_pos, with_neg = (
        np.bincount(clusters[own], minlength=n) > 0 for own in (rows.positive, ~rows.positive)
    )
    alike = with_pos & ~with_neg, with_neg & ~with_pos
    mixed = with_pos & with_neg

    def draw(first: int, last: int) -> Times:
        times = _drawn_among(*alike, seed, first, last)
        times += _drawn_among(mixed, np.zeros(n, bool), seed ^ OF_MIXED_CLUSTERS, first, last)
        return np.asarray(times[:, clusters])

    return draw


def _drawn_among(some: Flags, others: Flags, seed: int, first: int, last: int) -> Times:
    """How often each member of two strata is drawn; a stratum may be empty."""
    strata = [np.append(flags, not flags.any()).astype(np.int64) for flags in (some, others)]
    one, other = kernels.resample_counts(strata[0], strata[1], seed, first, last)
    return np.asarray((one + other)[:, :-1])


def _together(rows: TallyRows, seed: int) -> Callable[[int, int], Times]:
    """Both classes drawn together; resamples of a single class are thrown away."""
    units = np.arange(len(rows)) if rows.clusters is None else rows.clusters
    counts = np.ones(int(units.max()) + 1) if rows.counts is None else rows.counts
    shares = counts / counts.sum()
    size = int(counts.sum())

    def draw(first: int, last: int) -> Times:
        found = np.empty((last - first, len(rows)), np.int64)
        for b in range(first, last):
            found[b - first] = _with_both(rows, np.random.default_rng([seed, b]), shares, size)
        return found

    def _with_both(rows: TallyRows, rng: np.random.Generator, shares: Array, size: int) -> Times:
        for _ in range(BOTH_CLASSES):
            times = rng.multinomial(size, shares)[units]
            if times[rows.positive].any() and times[~rows.positive].any():
                return np.asarray(times)
        raise AssertionError("resamples with both classes are too rare")

    return draw
