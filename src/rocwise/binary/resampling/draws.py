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
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Flags
from rocwise.binary.resampling.equal_rows import drawn_kinds, draws_kinds
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows
from rocwise.inference.stratified_bootstrap import (
    drawn_until_complete,
    mixed_clusters,
    places_by_class,
)

Times = Counts  # how often each row is there, (replicates, rows)


class DrawnUnits(NamedTuple):
    """What is drawn, rows or clusters: that of each row, and how often each is there."""

    of_rows: Array
    times: Callable[[int, int], Counts]  # (replicates, units)


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
    of_rows, times = drawn_units(rows, seed, stratified=stratified)
    return lambda first, last: np.asarray(times(first, last)[:, of_rows])


def drawn_units(rows: TallyRows, seed: int, *, stratified: bool = True) -> DrawnUnits:
    """How often each row, or cluster, is there in the replicates first..last."""
    if not stratified:
        return _together(rows, seed)
    if rows.clusters is None:
        return _within_classes(rows, seed)
    if mixed_clusters(rows.clusters, rows.positive):
        return _together(rows, seed)
    return _clusters_within_classes(rows, seed)


def _within_classes(rows: TallyRows, seed: int) -> DrawnUnits:
    if rows.counts is None:
        return _by_class(places_by_class((~rows.positive).view(np.int8)), rows.positive, seed)
    if draws_kinds(rows.counts):
        return DrawnUnits(np.arange(len(rows)), drawn_kinds(rows.counts, rows.positive, seed))
    pos, neg = (np.where(own, rows.counts, 0) for own in (rows.positive, ~rows.positive))

    def draw(first: int, last: int) -> Counts:
        drawn = kernels.resample_counts(pos, neg, seed, first, last)
        return np.asarray(drawn[0] + drawn[1])

    return DrawnUnits(np.arange(len(rows)), draw)


def _clusters_within_classes(rows: TallyRows, seed: int) -> DrawnUnits:
    clusters = rows.clusters
    assert clusters is not None
    positive = np.zeros(int(clusters.max()) + 1, np.bool_)
    positive[clusters[rows.positive]] = True
    return _by_class(places_by_class((~positive).view(np.int8))[clusters], positive, seed)


def _by_class(of_rows: Array, positive: Flags, seed: int) -> DrawnUnits:
    """Units of one class each, which are numbered positives first."""
    n_pos = int(np.count_nonzero(positive))
    sizes = n_pos, len(positive) - n_pos
    return DrawnUnits(of_rows, lambda *run: kernels.class_counts(*sizes, seed, *run))


def _together(rows: TallyRows, seed: int) -> DrawnUnits:
    """Both classes drawn together; units of one class each are numbered positives first."""
    if rows.counts is not None:
        return _counted_together(rows, rows.counts, seed)
    units: Array = np.arange(len(rows)) if rows.clusters is None else rows.clusters
    classes = np.zeros(int(units.max()) + 1, np.uint8)
    for own, bit in ((rows.positive, 2), (~rows.positive, 1)):
        classes[units[own]] |= bit
    if not (classes == 3).any():  # as rows are drawn that have neither weights nor clusters
        place = places_by_class((classes == 1).view(np.int8))
        units, classes = place[units], np.sort(classes)[::-1]
    return DrawnUnits(units, lambda *run: kernels.pooled_counts(classes, seed, *run))


def _counted_together(rows: TallyRows, counts: Counts, seed: int) -> DrawnUnits:
    """The same of rows that stand for several."""
    shares, size = counts / counts.sum(), int(counts.sum())

    def draw(first: int, last: int) -> Counts:
        found = np.empty((last - first, len(counts)), np.int64)
        for b in range(first, last):
            found[b - first] = times(b)
        return found

    def times(replicate: int) -> Counts:
        rng = np.random.default_rng([seed, replicate])
        return drawn_until_complete(lambda: rng.multinomial(size, shares), complete)

    def complete(times: Counts) -> bool:
        return all(bool((times[own] > 0).any()) for own in (rows.positive, ~rows.positive))

    return DrawnUnits(np.arange(len(rows)), draw)
