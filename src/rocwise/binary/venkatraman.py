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
from rocwise.arrays import Array, Codes, Flags, Floats, Integers, Ranks, Signs
from rocwise.binary.permutation import random_bits, random_octets, random_words
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
    distribution swaps the two ranks of each subject at random and ranks again (F3.9). Ties are
    broken at random, in the data and after swapping; or they share mean ranks, with all 2**n swaps
    up to n = 20.
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
    them within negatives and within positives, and ranks again. Ties are broken at random, in the
    data and in the pool; or they move the curve diagonally.
    """
    checks.one_of(ties, "ties", TIES)
    n_resamples = checks.size(n_resamples, "n_resamples")
    scores = np.concatenate([neg_1, pos_1]), np.concatenate([neg_2, pos_2])
    labels = np.arange(len(scores[0])) >= len(neg_1), np.arange(len(scores[1])) >= len(neg_2)
    n, n_first = len(scores[0]) + len(scores[1]), len(scores[0])
    if ties == "random":

        def noise() -> Array:
            return np.ravel(random_words(seed, 0, 1, n, stream=TIE_BREAKING))

        ranks = [
            np.argsort(_untied_order(scores[0], lambda: noise()[:n_first])),
            np.argsort(_untied_order(scores[1], lambda: noise()[n_first:])),
        ]
    else:
        ranks = [kernels.distinct(own)[1] for own in scores]
    c = (len(pos_1) + len(pos_2)) / n
    curves = [_error_curve(*own, c) for own in zip(labels, ranks, strict=True)]
    middles = [(q[own] + q[own + 1]) / 2 for (q, _), own in zip(curves, ranks, strict=True)]
    pooled = np.concatenate(middles).round(12)  # equal q may differ in the last digit
    relabeled = _relabeled_without_ties if ties == "random" else _relabeled_with_ties
    sizes = len(neg_1), len(pos_1)
    replicates, cells = relabeled(pooled, np.concatenate(labels), sizes, seed)
    return _monte_carlo(_distance(*curves), replicates, n_resamples, cells, progress)


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
    ranks = np.concatenate(run_tasks(kernels.doubled_midranks, [(first,), (second,)], n))
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


Replicates = Callable[[int, int], Floats]


def _relabeled_without_ties(
    q: Floats, labels: Flags, sizes: tuple[int, int], seed: int
) -> tuple[Replicates, int]:
    """Random relabelings; at most one case of either sample has a given q, and two are untied."""
    order = np.argsort(q, kind="stable")
    tied = np.append(False, np.diff(q[order]) == 0)
    pool = kernels.pooled(labels[order].view(np.uint8), tied.view(np.uint8), sizes)

    def replicates(start: int, stop: int) -> Floats:
        return kernels.relabeled_distances(pool, seed, start, stop)

    return replicates, -(-2 * len(q) // ROWS_PER_CELL)


def _relabeled_with_ties(
    q: Floats, labels: Flags, sizes: tuple[int, int], seed: int
) -> tuple[Replicates, int]:
    """Random relabelings, one by one; as many of either class as the first sample had go there."""
    n, c, ranks = len(q), float(labels.mean()), kernels.distinct(q)[1]
    classes = np.flatnonzero(~labels), np.flatnonzero(labels)

    def distance(words: NDArray[np.uint64]) -> float:
        first = np.zeros(n, np.bool_)
        for members, size in zip(classes, sizes, strict=True):
            first[members[np.argpartition(words[members], size - 1)[:size]]] = True
        own = (_error_curve(labels[each], ranks[each], c) for each in (first, ~first))
        return _distance(*own)

    def replicates(start: int, stop: int) -> Floats:
        return np.array([distance(words) for words in random_words(seed, start, stop, n)])

    return replicates, 20 * n


def _monte_carlo(
    observed: float,
    replicates: Replicates,
    n_resamples: int,
    cells: int,
    progress: Report | None,
) -> VenkatramanOutcome:
    """(b + 1)/(B + 1): the data themselves are one of the arrangements."""
    count = _count_at_least(observed, replicates, n_resamples, cells, progress)
    return VenkatramanOutcome(observed, (count + 1) / (n_resamples + 1), n_resamples, "monte-carlo")


def _count_at_least(
    observed: float,
    replicates: Replicates,
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


def _error_curve(labels: Flags, ranks: Integers, c: float) -> tuple[Floats, Floats]:
    """q, and the share of errors less that at q = 0, from the lowest rank up; ties are diagonal."""
    missed, right = (sums_from_zero(np.bincount(ranks, own)) for own in (labels, ~labels))
    missed, right = c * missed / missed[-1], (1 - c) * right / right[-1]
    return missed + right, missed - right


def _distance(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> float:
    """Integral over q of the absolute difference of two curves, straight between vertices.

    Where the difference changes sign, the areas of two triangles are added.
    """
    q = np.sort(np.concatenate([first[0], second[0]]))
    difference = np.interp(q, *first) - np.interp(q, *second)
    left, right = difference[:-1], difference[1:]
    heights = np.abs(left) + np.abs(right)
    crossing = left * right < 0
    heights[crossing] = (left[crossing] ** 2 + right[crossing] ** 2) / heights[crossing]
    return float(np.dot(heights, np.diff(q))) / 2
