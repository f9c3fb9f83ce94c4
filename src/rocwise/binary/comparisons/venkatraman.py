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
from rocwise.binary.comparisons.permutation import (
    doubled_midranks,
    random_bits,
    random_octets,
    random_words,
)
from rocwise.binary.comparisons.unpaired_curves import (
    Pool,
    Sample,
    Untied,
    error_curve,
    gap_area,
    untied_gap,
    untied_gaps,
)
from rocwise.inference.chunked_draws import ROWS_PER_CELL, chunks, side_by_side
from rocwise.kernels.row_formulas import run_models
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

    Examples
    --------
    >>> mask = np.array([0, 0, 0, 0, 1, 1, 1])
    >>> first, second = np.array([1, 2, 4, 6, 3, 5, 7]), np.array([2, 1, 6, 3, 4, 7, 5])
    >>> venkatraman_paired(mask, first, second, ties="midrank")
    VenkatramanOutcome(statistic=2.0, p_value=0.875, n_resamples=128, how='exact')
    """
    checks.one_of(ties, "ties", TIES)
    n_resamples = checks.size(n_resamples, "n_resamples")
    signs = np.where(mask, 1, -1).astype(np.int8)  # a positive called negative: one more error
    test = _without_ties if ties == "random" else _with_midranks
    return test(signs, first, second, n_resamples, seed, progress)


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
    one, two = run_models(_untied_order, [(first, seed, 0), (second, seed, 1)], n)

    def gaps(coins: Codes) -> Floats:
        return kernels.swapped_gaps(coins, one, two, signs).astype(np.float64)

    def replicates(start: int, stop: int) -> Floats:
        return gaps(random_octets(seed, start, stop, 2 * n))

    observed = float(gaps(np.zeros((1, cells), np.uint8))[0])
    return _by_swaps(observed, replicates, n_resamples, cells, progress)


def _untied_order(scores: Array, seed: int, model: int) -> Ranks:
    """Subjects from the lowest score up, ties in random order."""
    order = kernels.argsort(scores.astype(np.float64, copy=False))
    ranked = scores[order]
    if (ranked[1:] == ranked[:-1]).any():
        noise = random_words(seed, 0, 1, 2 * len(scores), stream=TIE_BREAKING)
        return np.lexsort((noise.reshape(2, -1)[model], scores)).astype(np.int32)
    return order.astype(np.int32)


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
    ranks = np.concatenate(run_models(doubled_midranks, [(first,), (second,)], n))
    observed = float(_midrank_sums(ranks, signs, np.zeros((1, n), dtype=bool))[0])
    if n <= LARGEST_ENUMERATION:
        half = 2 ** (n - 1)  # a pattern of swaps and its complement give the same E

        def patterns(start: int, stop: int) -> Floats:
            return _midrank_sums(ranks, signs, _patterns(start, stop, n))

        count = _count_at_least(observed, patterns, half, cells, progress)
        return VenkatramanOutcome(observed, count / half, 2 * half, "exact")

    def replicates(start: int, stop: int) -> Floats:
        return _midrank_sums(ranks, signs, random_bits(seed, start, stop, n).view(bool))

    return _by_swaps(observed, replicates, n_resamples, cells, progress)


def _by_swaps(
    observed: float,
    replicates: Callable[[int, int], Floats],
    n_resamples: int,
    cells: int,
    progress: Report | None,
) -> VenkatramanOutcome:
    """By random swaps, which are made side by side: none needs another."""

    def swapped(start: int, stop: int) -> Floats:
        return side_by_side(replicates, start, stop, cells)

    return _monte_carlo(observed, swapped, n_resamples, cells, progress)


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
    distribution gives every subject its q (the middle of its step), pools the samples, deals
    them out anew within negatives and within positives, and ranks again.

    Parameters
    ----------
    neg_1, pos_1, neg_2, pos_2 : ndarray
        Scores of the negatives and positives of the two samples, higher meaning positive.
    ties : {"random", "midrank"}
        Break ties at random, in the data and in the pool; or let them move the curve diagonally.
    n_resamples, seed, progress
        Random relabellings, their seed, and a function to call with the fraction done.

    Examples
    --------
    >>> neg_1, pos_1, neg_2, pos_2 = map(np.array, ([1, 2], [3, 4], [1, 3], [2, 4]))
    >>> venkatraman_unpaired(neg_1, pos_1, neg_2, pos_2).statistic
    0.125
    """
    checks.one_of(ties, "ties", TIES)
    n_resamples = checks.size(n_resamples, "n_resamples")
    samples = Sample(neg_1, pos_1), Sample(neg_2, pos_2)
    if ties == "random":
        return _unpaired_without_ties(samples, n_resamples, seed, progress)
    pool = Pool.of(*samples)
    one, two = run_models(error_curve, [(each, pool.share) for each in samples], len(pool))
    observed = float(gap_area(one, two)[0])

    def replicates(start: int, stop: int) -> Floats:
        return gap_area(*pool.relabelled(random_words(seed, start, stop, len(pool))))

    return _monte_carlo(observed, replicates, n_resamples, 20 * len(pool), progress)


def _unpaired_without_ties(
    samples: tuple[Sample, Sample], n_resamples: int, seed: int, progress: Report | None
) -> VenkatramanOutcome:
    """By random deals, ties in random order."""
    sizes = [len(sample) for sample in samples]
    total = sum(sizes)
    share = sum(len(sample.pos) for sample in samples) / total

    def untied(sample: Sample, first: int) -> Untied:
        def noise() -> Array:
            words = random_words(seed, 0, 1, total, stream=TIE_BREAKING)
            return words[0, first : first + len(sample)]

        return Untied.of(sample.untied_labels(noise), len(sample.pos), share)

    one, two = run_models(untied, list(zip(samples, (0, sizes[0]), strict=True)), total)

    prepared = [(untied_gap, one, two), (untied_gaps, (one, two), seed)]  # neither needs the other
    gap, draw = run_models(lambda prepare, *given: prepare(*given), prepared, total)
    cells = -(-2 * total // ROWS_PER_CELL)
    return _monte_carlo(gap, draw, n_resamples, cells, progress)


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
        count += int(np.count_nonzero(replicates(start, stop) >= observed - ROUNDING))
        if progress is not None:
            progress(stop / total)
    return count
