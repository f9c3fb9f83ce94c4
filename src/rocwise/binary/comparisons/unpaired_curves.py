"""Curves of different subjects on one scale, the share called negative, and the gap between.

In a population with the share c of positives, a point of a curve calls the share
q = c (1 - tpr) + (1 - c) (1 - fpr) negative. Every curve runs from q = 0 to q = 1, whatever the
sizes of its sample, so curves are compared, and their subjects exchanged, at equal q.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocwise import kernels
from rocwise.arrays import Array, Codes, Flags, Floats, Integers, Places
from rocwise.binary.roc import sums_from_zero
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

    def untied_labels(self, noise: Callable[[], Array]) -> Flags:
        """Which cases are positive, from the lowest score up; ties in the order of `noise`."""
        scores = self.scores
        order = kernels.argsort(scores.astype(np.float64, copy=False))
        ranked = scores[order]
        if (ranked[1:] == ranked[:-1]).any():
            order = np.lexsort((noise(), scores))
        return order >= len(self.neg)


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
    widths, of_first = _merged(first.lengths, second.lengths)
    return _between(widths, _slopes_apart(first.slopes, second.slopes, of_first))


def _between(widths: Floats, slopes: Floats) -> Floats:
    """Sums of the areas below |difference|, of given slope between successive ends; spoils both."""
    rises = np.multiply(slopes, widths, out=slopes)
    right = np.cumsum(rises, axis=1)
    left = np.subtract(right, rises, out=rises)
    crossing = np.nonzero(left * right < 0)
    squares = left[crossing] ** 2 + right[crossing] ** 2
    heights = np.abs(left, out=left)
    heights += np.abs(right, out=right)
    heights[crossing] = squares / heights[crossing]
    heights *= widths
    return np.asarray(heights.sum(axis=1) / 2)


def _merged(first: Floats, second: Floats) -> tuple[Floats, Flags]:
    """Distances between the ends of successive cases of either curve, and which are the first's."""
    n_first = first.shape[1]
    ends = np.empty((len(first), n_first + second.shape[1]))
    np.cumsum(first, axis=1, out=ends[:, :n_first])
    np.cumsum(second, axis=1, out=ends[:, n_first:])
    del first, second  # long ones, which nobody else may hold
    order = np.argsort(ends, axis=1, kind="stable")  # merges what is sorted already
    ends = np.take_along_axis(ends, order, axis=1)
    widths = np.empty_like(ends)
    widths[:, 0] = ends[:, 0]
    np.subtract(ends[:, 1:], ends[:, :-1], out=widths[:, 1:])
    return widths, order < n_first


def _slopes_apart(first: Floats, second: Floats, of_first: Flags) -> Floats:
    """Slope of the first curve less that of the second, before each of the merged ends."""
    passed: Integers = np.cumsum(of_first, axis=1)
    passed -= of_first  # cases of the first before the one under way
    slopes = np.take_along_axis(first, np.minimum(passed, first.shape[1] - 1), axis=1)
    passed = np.subtract(np.arange(passed.shape[1]), passed, out=passed)
    np.minimum(passed, second.shape[1] - 1, out=passed)
    slopes -= np.take_along_axis(second, passed, axis=1)
    return slopes


@dataclass(frozen=True, slots=True, eq=False)
class Untied:
    """Cases of one sample without ties, and what a negative and a positive of them add to q."""

    labels: Flags  # from the lowest score up
    lengths: tuple[float, float]

    @classmethod
    def of(cls, labels: Flags, n_pos: int, share: float) -> Untied:
        """The cases, of which `n_pos` are positive, in a population with a share of positives."""
        return cls(labels, ((1.0 - share) / (len(labels) - n_pos), share / n_pos))

    def steps(self) -> Floats:
        """What each case adds to q."""
        return np.diff(sums_from_zero(np.where(self.labels, self.lengths[1], self.lengths[0])))

    def slopes(self) -> Floats:
        """What each adds to the share of errors, as a share of what it adds to q."""
        rises = np.diff(sums_from_zero(np.where(self.labels, self.lengths[1], -self.lengths[0])))
        return np.divide(rises, self.steps(), out=rises)

    def middles(self) -> Floats:
        """Share called negative, at the middle of the step of each case.

        Equal shares of samples of different sizes may differ in the last digits, which are left
        out.
        """
        cases = len(self.labels)
        positives = np.zeros(cases + 1, np.int64)
        np.cumsum(self.labels, out=positives[1:])
        negatives = np.arange(cases + 1)
        negatives -= positives
        q = np.zeros(cases)
        for counts, length in zip((negatives, positives), self.lengths, strict=True):
            for count in (counts[:-1], counts[1:]):  # of lower score; of lower or the same
                q += length / 2 * count
        return np.round(q, 12, out=q)


def untied_gap(first: Untied, second: Untied) -> float:
    """`gap_area` of two samples without ties."""
    widths, of_first = _merged(first.steps()[None], second.steps()[None])
    slopes = _slopes_apart(first.slopes()[None], second.slopes()[None], of_first)
    return float(_between(widths, slopes)[0])


def untied_gaps(samples: Sequence[Untied], seed: int) -> Callable[[int, int], Floats]:
    """Gaps of two samples without ties, pooled and dealt out at random.

    At most one case of either sample has a standing; two such come in random order.
    """
    labels, tied = _pooled(samples)
    n_pos = int(np.count_nonzero(samples[0].labels))
    pool = kernels.dealing(labels, tied, (len(samples[0].labels) - n_pos, n_pos))
    return lambda start, stop: kernels.dealt_gaps(pool, seed, start, stop)


def _pooled(samples: Sequence[Untied]) -> tuple[Codes, Codes]:
    """Labels of all cases by rising q, and 1 where one has that of the case before."""
    q = np.concatenate([sample.middles() for sample in samples])
    order = np.argsort(q, kind="stable")  # merges what is sorted already
    labels = np.concatenate([sample.labels for sample in samples])[order]
    q = q[order]
    tied = np.zeros(len(q), bool)
    np.equal(q[1:], q[:-1], out=tied[1:])
    return labels.view(np.uint8), tied.view(np.uint8)


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
