"""Curves of different subjects on one scale, the share called negative, and the gap between.

In a population with the share c of positives, a point of a curve calls the share
q = c (1 - tpr) + (1 - c) (1 - fpr) negative. Every curve runs from q = 0 to q = 1, whatever the
sizes of its sample, so curves are compared, and their subjects exchanged, at equal q.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocwise import kernels
from rocwise.arrays import Array, Flags, Floats, Integers, Places
from rocwise.binary.curves.cumulative_sums import sums_from_zero
from rocwise.kernels.row_formulas import run_models


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Scores of the negatives and of the positives of one sample."""

    neg: Array
    pos: Array

    def __len__(self) -> int:
        return len(self.neg) + len(self.pos)

    @property
    def scores(self) -> Array:
        """All scores, negatives first."""
        return np.concatenate([self.neg, self.pos])

    @property
    def labels(self) -> Flags:
        """True for the positives, in the order of `scores`."""
        return np.arange(len(self)) >= len(self.neg)

    def without_ties(self, noise: Array) -> Sample:
        """The same sample as ranks, ties put in the order of `noise`."""
        scores = self.scores
        order = kernels.argsort(scores.astype(np.float64, copy=False))
        ranked = scores[order]
        if (ranked[1:] == ranked[:-1]).any():
            order = np.lexsort((noise, scores))
        ranks = np.empty(len(self), dtype=np.int64)
        ranks[order] = np.arange(len(self))
        return Sample(ranks[: len(self.neg)], ranks[len(self.neg) :])


@dataclass(frozen=True, slots=True, eq=False)
class ErrorCurves:
    """Share of errors against q, one curve in each row, case by case from the lowest score up.

    Each case adds its length to q, and length times slope to the share of errors: +1 for a
    positive, which is missed, -1 for a negative, and the weighted mean for tied cases.
    """

    lengths: Floats
    slopes: Floats


def error_curve(sample: Sample, share: float) -> ErrorCurves:
    """The curve of a sample as it came; tied cases share one segment."""
    scores = sample.scores
    order = kernels.argsort(scores.astype(np.float64, copy=False))[None, :]
    return _curves(sample.labels[order], scores[order], _lengths(sample, share))


def _lengths(sample: Sample, share: float) -> tuple[float, float]:
    """What one negative and one positive add to q."""
    return (1.0 - share) / len(sample.neg), share / len(sample.pos)


def _curves(labels: Flags, scores: Array, lengths: tuple[float, float]) -> ErrorCurves:
    """Curves of labels in rows; equal neighbours in `scores` share one segment."""
    plain = np.where(labels, lengths[1], lengths[0])
    rises = np.where(labels, lengths[1], -lengths[0])
    first, last = _runs(scores)
    shared = _means(plain, first, last)
    return ErrorCurves(shared, _means(rises, first, last) / shared)


def _runs(scores: Array) -> tuple[Integers, Integers]:
    """For every element of sorted rows, where its run of equal values starts and ends."""
    places = np.arange(scores.shape[1])
    changes = scores[:, 1:] != scores[:, :-1]
    edge = np.ones((len(scores), 1), dtype=bool)
    starts = np.where(np.hstack([edge, changes]), places, 0)
    stops = np.where(np.hstack([changes, edge]), places + 1, len(places))
    return (
        np.maximum.accumulate(starts, axis=1),
        np.minimum.accumulate(stops[:, ::-1], axis=1)[:, ::-1],
    )


def _means(values: Floats, first: Integers, last: Integers) -> Floats:
    """Mean of the values from `first` to `last`, in each row."""
    totals = sums_from_zero(values)
    sums = np.take_along_axis(totals, last, axis=1) - np.take_along_axis(totals, first, axis=1)
    return np.asarray(sums / (last - first))


def gap_area(first: ErrorCurves, second: ErrorCurves) -> Floats:
    """Integral over q of the absolute difference of the two shares of errors, row by row.

    Between the ends of two successive cases, of either curve, the difference is a straight
    line; where it changes sign, the two triangles are added.
    """
    n_1, n_2 = first.lengths.shape[1], second.lengths.shape[1]
    ends = np.hstack([np.cumsum(first.lengths, axis=1), np.cumsum(second.lengths, axis=1)])
    order = np.argsort(ends, axis=1, kind="stable")
    widths = np.diff(np.take_along_axis(ends, order, axis=1), axis=1, prepend=0.0)
    of_first = order < n_1
    passed_1 = np.cumsum(of_first, axis=1) - of_first  # cases before the one under way
    passed_2 = np.arange(n_1 + n_2) - passed_1
    slopes = np.take_along_axis(first.slopes, np.minimum(passed_1, n_1 - 1), axis=1)
    slopes -= np.take_along_axis(second.slopes, np.minimum(passed_2, n_2 - 1), axis=1)
    rises = slopes * widths
    right = np.cumsum(rises, axis=1)
    left = right - rises
    heights = np.abs(left) + np.abs(right)
    crossing = left * right < 0
    np.divide(left**2 + right**2, heights, out=heights, where=crossing)
    return np.asarray((heights * widths).sum(axis=1) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Both samples on the scale of q, and the sizes to deal them out again."""

    labels: Flags
    standings: Integers  # dense ranks of q
    samples: tuple[Sample, Sample]
    share: float

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def of(cls, first: Sample, second: Sample) -> Pool:
        """Pool two samples; the share of positives is that of all subjects."""
        labels = np.concatenate([first.labels, second.labels])
        share = float(labels.mean())
        q = np.concatenate(run_models(_middles, [(first, share), (second, share)], len(labels)))
        # equal shares of samples of different sizes may differ in the last digit
        standings = kernels.distinct(np.round(q, 12))[1]
        return cls(labels, standings.astype(np.int64), (first, second), share)

    def gaps_without_ties(self, seed: int) -> Callable[[int, int], Floats]:
        """Gaps of the pool dealt out at random, of samples without ties of their own.

        At most one case of either sample then has a standing; two such come in random order.
        """
        order = np.argsort(self.standings, kind="stable")
        tied = np.diff(self.standings[order], prepend=-1) == 0
        labels, first = self.labels[order].astype(np.uint8), self.samples[0]
        pool = kernels.dealing(labels, tied.astype(np.uint8), (len(first.neg), len(first.pos)))
        return lambda start, stop: kernels.dealt_gaps(pool, seed, start, stop)

    def relabelled(self, words: NDArray[np.uint64]) -> tuple[ErrorCurves, ErrorCurves]:
        """Curves of the pool dealt out at random, one row per row of random words; ties stay."""
        dealt = self._dealt(words)
        order = np.broadcast_to(np.argsort(self.standings), dealt.shape)
        in_first = np.take_along_axis(dealt, order, axis=1)
        return (
            self._curves(order, in_first, self.samples[0]),
            self._curves(order, ~in_first, self.samples[1]),
        )

    def _dealt(self, words: NDArray[np.uint64]) -> Flags:
        """Which subjects go to the first sample: as many of either class as it had."""
        dealt = np.zeros(words.shape, dtype=bool)
        classes = ((~self.labels, self.samples[0].neg), (self.labels, self.samples[0].pos))
        for members, scores in classes:
            columns = np.flatnonzero(members)
            chosen = np.argpartition(words[:, columns], len(scores) - 1, axis=1)[:, : len(scores)]
            np.put_along_axis(dealt, columns[chosen], True, axis=1)
        return dealt

    def _curves(self, order: Places, members: Flags, sample: Sample) -> ErrorCurves:
        rows = (len(order), len(sample))
        labels = self.labels[order][members].reshape(rows)
        standings = self.standings[order][members].reshape(rows)
        return _curves(labels, standings, _lengths(sample, self.share))


def _middles(sample: Sample, share: float) -> Floats:
    """Share called negative, at the middle of the step of each case, negatives first."""
    scores = sample.scores
    order = kernels.argsort(scores.astype(np.float64, copy=False))
    first, last = (places[0] for places in _runs(scores[order][None, :]))
    positives = np.append(0, np.cumsum(sample.labels[order]))
    below, up_to = positives[first], positives[last]  # of lower score; of lower or the same
    counts = (first - below, last - up_to), (below, up_to)
    q = np.zeros(len(sample))
    for class_counts, length in zip(counts, _lengths(sample, share), strict=True):
        for count in class_counts:
            q += length / 2 * count
    middles = np.empty_like(q)
    middles[order] = q
    return middles
