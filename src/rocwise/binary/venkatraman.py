"""Are two ROC curves the same at every operating point? (F3.8, F3.9; Venkatraman 2000).

A test of areas cannot see curves that cross; these permutation tests can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, kernels
from rocwise.arrays import Array, Codes, Flags, Floats, Integers, Places, Ranks, Signs
from rocwise.binary.permutation import doubled_midranks, random_bits, random_octets, random_words
from rocwise.binary.roc import sums_from_zero
from rocwise.inference.resampling import ROWS_PER_CELL, chunks, side_by_side
from rocwise.kernels.threads import run_tasks
from rocwise.progress import Report

TieRanking = Literal["random", "midrank"]
TIES: tuple[str, ...] = get_args(TieRanking)
LARGEST_ENUMERATION = 20  # subjects: half of the 2**20 swaps are gone through in a second or two
TIE_BREAKING = 1  # a random stream of its own, apart from that of the replicates
ROUNDING = 1e-12  # statistics this close count as equal


@dataclass(frozen=True, slots=True)
class VenkatramanOutcome:
    """The statistic E, its p value, the number of arrangements it rests on, and how."""

    statistic: float
    p_value: float
    n_resamples: int
    how: str


def venkatraman_paired(
    mask: Array,
    first: Array,
    second: Array,
    *,
    ties: TieRanking = "random",
    n_resamples: int = 2000,
    seed: int = 0,
    progress: Report | None = None,
) -> VenkatramanOutcome:
    """Compare two whole curves of the same subjects (Venkatraman & Begg 1996).

    Call the k lowest-ranked subjects negative, under either model; e_k is the difference of the
    two numbers of errors, and E the sum of |e_k| over k = 1, ..., n - 1 (F3.8). The reference
    distribution swaps the two ranks of each subject at random and ranks again (F3.9).

    Parameters
    ----------
    mask, first, second : ndarray
        1 for a positive row, else 0; the two scores of each row, higher meaning positive.
    ties : {"random", "midrank"}
        Break ties at random, in the data and after swapping; or share mean ranks, with all 2**n
        swaps up to n = 20.
    n_resamples, seed, progress
        Random swaps, their seed, and a function to call with the fraction done.
    """
    checks.one_of(ties, "ties", TIES)
    n_resamples = checks.size(n_resamples, "n_resamples")
    signs = np.where(mask, 1, -1).astype(np.int8)  # a positive called negative: one more error
    test = _without_ties if ties == "random" else _with_midranks
    return test(signs, first, second, n_resamples, seed, progress)


def venkatraman_unpaired(
    neg_1: Array,
    pos_1: Array,
    neg_2: Array,
    pos_2: Array,
    *,
    ties: TieRanking = "random",
    n_resamples: int = 2000,
    seed: int = 0,
    progress: Report | None = None,
) -> VenkatramanOutcome:
    """Compare two whole curves of different subjects (Venkatraman 2000).

    With c the share of positives among all subjects, a point of either curve calls the share
    q = c (1 - tpr) + (1 - c) (1 - fpr) negative and is wrong for the share c (1 - tpr) +
    (1 - c) fpr. E is the integral over q of the absolute difference of the two shares of errors:
    for two models of the same subjects without ties, the paired E over n**2. The reference
    distribution gives every subject its q (the middle of its step), pools the samples, relabels
    them within negatives and within positives, and ranks again.

    Parameters
    ----------
    neg_1, pos_1, neg_2, pos_2 : ndarray
        Scores of the negatives and positives of the two samples, higher meaning positive.
    ties : {"random", "midrank"}
        Break ties at random, in the data and in the pool; or let them move the curve diagonally.
    n_resamples, seed, progress
        Random relabelings, their seed, and a function to call with the fraction done.
    """
    checks.one_of(ties, "ties", TIES)
    n_resamples = checks.size(n_resamples, "n_resamples")
    samples = Sample(neg_1, pos_1), Sample(neg_2, pos_2)
    if ties == "random":
        return _unpaired_without_ties(samples, n_resamples, seed, progress)
    pool = TiedPool.of(*samples)
    one, two = run_tasks(error_curve, [(each, pool.share) for each in samples], len(pool))
    observed = float(curve_distance(one, two)[0])

    def replicates(start: int, stop: int) -> Floats:
        return curve_distance(*pool.relabeled(random_words(seed, start, stop, len(pool))))

    return _monte_carlo(observed, replicates, n_resamples, 20 * len(pool), progress)


def _without_ties(
    signs: Signs,
    first: Array,
    second: Array,
    n_resamples: int,
    seed: int,
    progress: Report | None,
) -> VenkatramanOutcome:
    """By random swaps, ties in random order; as many more coins break those that swaps make."""
    n = len(signs)
    cells = -(-n // 4)  # two coins for a subject, eight in a byte

    def order(scores: Array, model: int) -> Ranks:
        def noise() -> Array:
            return np.asarray(
                random_words(seed, 0, 1, 2 * n, stream=TIE_BREAKING).reshape(2, -1)[model]
            )

        return _untied_order(scores, noise).astype(np.int32)

    one, two = run_tasks(order, [(first, 0), (second, 1)], n)

    def distances(coins: Codes) -> Floats:
        return kernels.swapped_distances(coins, one, two, signs).astype(np.float64)

    def replicates(start: int, stop: int) -> Floats:
        return distances(random_octets(seed, start, stop, 2 * n))

    observed = float(distances(np.zeros((1, cells), np.uint8))[0])
    return _monte_carlo(observed, replicates, n_resamples, cells, progress)


def _untied_order(scores: Array, noise: Callable[[], Array]) -> Integers:
    """Subjects from the lowest score up, ties in the order of `noise`."""
    order = kernels.argsort(scores.astype(np.float64, copy=False))
    ranked = scores[order]
    if (ranked[1:] == ranked[:-1]).any():
        order = np.lexsort((noise(), scores))
    return order


def _with_midranks(
    signs: Signs,
    first: Array,
    second: Array,
    n_resamples: int,
    seed: int,
    progress: Report | None,
) -> VenkatramanOutcome:
    """By all swaps of few subjects, by random ones of more; ties share mean ranks."""
    n, cells = len(signs), 10 * len(signs)
    ranks = np.concatenate(run_tasks(doubled_midranks, [(first,), (second,)], n))
    observed = float(_midrank_sums(ranks, signs, np.zeros((1, n), dtype=bool))[0])
    if n <= LARGEST_ENUMERATION:
        half = 2 ** (n - 1)  # a pattern of swaps and its complement give the same E

        def patterns(start: int, stop: int) -> Floats:
            return _midrank_sums(ranks, signs, _patterns(start, stop, n))

        count = _count_at_least(observed, patterns, half, cells, progress)
        return VenkatramanOutcome(observed, count / half, 2 * half, "exact")

    def replicates(start: int, stop: int) -> Floats:
        return _midrank_sums(ranks, signs, random_bits(seed, start, stop, n).view(bool))

    return _monte_carlo(observed, replicates, n_resamples, cells, progress)


def _midrank_sums(ranks: Integers, signs: Signs, swapped: Flags) -> Floats:
    """E after each row of swaps, tied ranks replaced by their mean.

    `ranks` are those under model 1, then under model 2. Sorted once, their groups of equal rank
    say how many subjects under each model share a rank after any swaps.
    """
    n = len(signs)
    order = np.argsort(ranks, kind="stable")
    subjects, of_second = order % n, order >= n
    ends = np.flatnonzero(np.diff(ranks[order], append=0))
    in_first = swapped[:, subjects] == of_second
    members = np.cumsum(in_first, axis=1, dtype=np.int32)[:, ends]  # up to each group's end
    labels = np.cumsum(in_first * signs[subjects], axis=1, dtype=np.int32)[:, ends]
    all_labels = np.cumsum(signs[subjects], dtype=np.int32)[ends]
    excess = _errors_by_cut(members, labels, n)
    excess -= _errors_by_cut((ends + 1).astype(np.int32) - members, all_labels - labels, n)
    return np.asarray(np.abs(np.cumsum(excess, axis=1)[:, 1:n]).sum(axis=1))


def _errors_by_cut(members: NDArray[np.int32], labels: NDArray[np.int32], n: int) -> Floats:
    """Change of the number of errors at k = 0, ..., n + 1, from sums up to each group's end.

    A group is called negative from the first whole number at or above its mean rank.
    """
    counts = np.diff(members, axis=1, prepend=0)
    cuts = members - counts + (counts + 2) // 2
    cells = np.arange(len(cuts))[:, None] * (n + 2) + cuts
    changes = np.diff(labels, axis=1, prepend=0)
    added = np.bincount(cells.ravel(), changes.ravel(), minlength=len(cuts) * (n + 2))
    return np.asarray(added.reshape(len(cuts), n + 2))


def _patterns(start: int, stop: int, n: int) -> Flags:
    """The swaps number `start` to `stop` of all 2**n, as rows of flags."""
    return np.asarray((np.arange(start, stop)[:, None] >> np.arange(n)) & 1, dtype=bool)


def _unpaired_without_ties(
    samples: tuple[Sample, Sample], n_resamples: int, seed: int, progress: Report | None
) -> VenkatramanOutcome:
    """By random relabelings, ties in random order.

    At most one case of either sample has a given q; two such come in random order.
    """
    total = len(samples[0]) + len(samples[1])
    share = sum(len(sample.pos) for sample in samples) / total

    def untied(sample: Sample, first: int) -> Sample:
        def noise() -> Array:
            words = random_words(seed, 0, 1, total, stream=TIE_BREAKING)
            return words[0, first : first + len(sample)]

        return sample.untied(noise)

    one, two = untied(samples[0], 0), untied(samples[1], len(samples[0]))
    observed = float(curve_distance(error_curve(one, share), error_curve(two, share))[0])
    q = np.round(np.concatenate([_middles(one, share), _middles(two, share)]), 12)
    order = np.argsort(q, kind="stable")
    tied = np.append(False, np.diff(q[order]) == 0)
    labels = np.concatenate([one.labels, two.labels])[order]
    sizes = len(one.neg), len(one.pos)
    pool = kernels.pooled(labels.view(np.uint8), tied.view(np.uint8), sizes)

    def replicates(start: int, stop: int) -> Floats:
        return kernels.relabeled_distances(pool, seed, start, stop)

    cells = -(-2 * total // ROWS_PER_CELL)
    return _monte_carlo(observed, replicates, n_resamples, cells, progress)


def _monte_carlo(
    observed: float,
    replicates: Callable[[int, int], Floats],
    n_resamples: int,
    cells: int,
    progress: Report | None,
) -> VenkatramanOutcome:
    """(b + 1)/(B + 1): the data themselves are one of the arrangements."""
    count = _count_at_least(observed, replicates, n_resamples, cells, progress)
    return VenkatramanOutcome(observed, (count + 1) / (n_resamples + 1), n_resamples, "monte-carlo")


def _count_at_least(
    observed: float,
    replicates: Callable[[int, int], Floats],
    total: int,
    cells: int,
    progress: Report | None,
) -> int:
    """Number of replicates whose statistic is at least the observed one."""
    count = 0
    for start, stop in chunks(total, cells):
        values = side_by_side(replicates, start, stop, cells)
        count += int(np.count_nonzero(values >= observed - ROUNDING))
        if progress is not None:
            progress(stop / total)
    return count


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

    def untied(self, noise: Callable[[], Array]) -> Sample:
        """The same sample with ranks for scores; ties in the order of `noise`."""
        order = _untied_order(self.scores, noise)
        ranks = np.empty(len(self))
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
    """Curves of labels in rows; equal neighbors in `scores` share one segment."""
    plain = np.where(labels, lengths[1], lengths[0])
    rises = np.where(labels, lengths[1], -lengths[0])
    first, last = _runs(scores)
    shared = _means(plain, first, last)
    return ErrorCurves(shared, _means(rises, first, last) / shared)


def _runs(scores: Array) -> tuple[Integers, Integers]:
    """For every element of sorted rows, where its run of equal values starts and ends."""
    positions = np.arange(scores.shape[1])
    changes = scores[:, 1:] != scores[:, :-1]
    edge = np.ones((len(scores), 1), dtype=bool)
    starts = np.where(np.hstack([edge, changes]), positions, 0)
    stops = np.where(np.hstack([changes, edge]), positions + 1, len(positions))
    return (
        np.maximum.accumulate(starts, axis=1),
        np.minimum.accumulate(stops[:, ::-1], axis=1)[:, ::-1],
    )


def _means(values: Floats, first: Integers, last: Integers) -> Floats:
    """Mean of the values from `first` to `last`, in each row."""
    totals = sums_from_zero(values)
    sums = np.take_along_axis(totals, last, axis=1) - np.take_along_axis(totals, first, axis=1)
    return np.asarray(sums / (last - first))


def curve_distance(first: ErrorCurves, second: ErrorCurves) -> Floats:
    """Integral over q of the absolute difference of the two shares of errors, row by row.

    Between the ends of two successive cases, of either curve, the difference is a straight
    line; where it changes sign, the two triangles are added.
    """
    n_first, n_second = first.lengths.shape[1], second.lengths.shape[1]
    ends = np.hstack([np.cumsum(each.lengths, axis=1) for each in (first, second)])
    order = np.argsort(ends, axis=1, kind="stable")  # merges what is sorted already
    widths = np.diff(np.take_along_axis(ends, order, axis=1), axis=1, prepend=0.0)
    of_first = order < n_first
    passed = np.cumsum(of_first, axis=1) - of_first  # cases of the first before the current one
    others = np.arange(n_first + n_second) - passed
    slopes = np.take_along_axis(first.slopes, np.minimum(passed, n_first - 1), axis=1)
    slopes -= np.take_along_axis(second.slopes, np.minimum(others, n_second - 1), axis=1)
    rises = slopes * widths
    right = np.cumsum(rises, axis=1)
    left = right - rises
    heights = np.abs(left) + np.abs(right)
    crossing = left * right < 0
    heights[crossing] = (left[crossing] ** 2 + right[crossing] ** 2) / heights[crossing]
    return np.asarray((heights * widths).sum(axis=1) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class TiedPool:
    """Both samples on the scale of q, and the sizes of the samples."""

    labels: Flags
    ranks: Integers  # dense ranks of q
    samples: tuple[Sample, Sample]
    share: float

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def of(cls, first: Sample, second: Sample) -> TiedPool:
        """Pool two samples; the share of positives is that of all subjects."""
        labels = np.concatenate([first.labels, second.labels])
        share = float(labels.mean())
        q = np.concatenate(run_tasks(_middles, [(first, share), (second, share)], len(labels)))
        # equal shares of samples of different sizes may differ in the last digit
        ranks = kernels.distinct(np.round(q, 12))[1]
        return cls(labels, ranks.astype(np.int64), (first, second), share)

    def relabeled(self, words: NDArray[np.uint64]) -> tuple[ErrorCurves, ErrorCurves]:
        """Curves of the pool relabeled at random, one row per row of random words; ties stay."""
        in_first = self._chosen(words)
        order = np.broadcast_to(np.argsort(self.ranks), in_first.shape)
        in_first = np.take_along_axis(in_first, order, axis=1)
        return (
            self._curves(order, in_first, self.samples[0]),
            self._curves(order, ~in_first, self.samples[1]),
        )

    def _chosen(self, words: NDArray[np.uint64]) -> Flags:
        """Which subjects go to the first sample: as many of either class as it had."""
        found = np.zeros(words.shape, dtype=bool)
        classes = ((~self.labels, self.samples[0].neg), (self.labels, self.samples[0].pos))
        for members, scores in classes:
            columns = np.flatnonzero(members)
            chosen = np.argpartition(words[:, columns], len(scores) - 1, axis=1)[:, : len(scores)]
            np.put_along_axis(found, columns[chosen], True, axis=1)
        return found

    def _curves(self, order: Places, members: Flags, sample: Sample) -> ErrorCurves:
        rows = (len(order), len(sample))
        labels = self.labels[order][members].reshape(rows)
        ranks = self.ranks[order][members].reshape(rows)
        return _curves(labels, ranks, _lengths(sample, self.share))


def _middles(sample: Sample, share: float) -> Floats:
    """Share called negative, at the middle of the step of each case, negatives first."""
    scores = sample.scores
    order = kernels.argsort(scores.astype(np.float64, copy=False))
    first, last = (each[0] for each in _runs(scores[order][None, :]))
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
