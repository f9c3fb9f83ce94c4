"""Are two ROC curves the same at every operating point? (F3.8, F3.9; Venkatraman 2000).

The area test cannot see curves that cross; these permutation tests can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks
from rocwise.binary.permutation import doubled_midranks, random_bits, random_words
from rocwise.binary.resampling import chunks

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Report = Callable[[float], None]
TIES = ("random", "midrank")
LARGEST_ENUMERATION = 20  # subjects: half of 2**20 swaps are gone through in about a second
TIE_BREAKING = 1  # random stream of its own, apart from that of the replicates
ROUNDING = 1e-12  # statistics this close count as equal


@dataclass(frozen=True, slots=True)
class VenkatramanOutcome:
    """The statistic E, its p value, the number of arrangements looked at, and how."""

    statistic: float
    p_value: float
    n_resamples: int
    how: str


def venkatraman_paired(
    mask: NDArray[Any],
    first: NDArray[Any],
    second: NDArray[Any],
    *,
    ties: str = "random",
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
    checks.whole(n_resamples, "n_resamples")
    n = len(mask)
    signs = np.where(mask, 1, -1).astype(np.int8)  # a positive called negative is an error more
    if ties == "random":
        orders = _orders_without_ties(first, second, seed)
        observed = float(_untied_sums(orders, signs, np.zeros((1, 2 * n), dtype=bool))[0])

        def replicates(start: int, stop: int) -> Floats:
            coins = random_bits(seed, start, stop, 2 * n).astype(bool)
            return _untied_sums(orders, signs, coins)
    else:
        ranks = np.concatenate([doubled_midranks(first), doubled_midranks(second)])
        observed = float(_midrank_sums(ranks, signs, np.zeros((1, n), dtype=bool))[0])

        def replicates(start: int, stop: int) -> Floats:
            if n <= LARGEST_ENUMERATION:
                return _midrank_sums(ranks, signs, _patterns(start, stop, n))
            return _midrank_sums(ranks, signs, random_bits(seed, start, stop, n).astype(bool))

        if n <= LARGEST_ENUMERATION:  # a pattern and its complement give the same E
            share = _share_at_least(observed, replicates, 2 ** (n - 1), 10 * n, progress)
            return VenkatramanOutcome(observed, share, 2**n, "exact")
    share = _share_at_least(observed, replicates, n_resamples, 10 * n, progress)
    return _monte_carlo(observed, share, n_resamples)


def _orders_without_ties(
    first: NDArray[Any], second: NDArray[Any], seed: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Subjects from the lowest score up, under either model, ties in random order."""
    noise = random_words(seed, 0, 1, 2 * len(first), stream=TIE_BREAKING)[0]
    return np.lexsort((noise[: len(first)], first)), np.lexsort((noise[len(first) :], second))


def _untied_sums(
    orders: tuple[NDArray[np.intp], NDArray[np.intp]], signs: NDArray[np.int8], coins: Flags
) -> Floats:
    """E after each row of swaps; `coins` also breaks the ties that swapping makes.

    Rank v is held by one subject under each model. If both end up under one model, a coin says
    who comes first; so walking through the ranks, two entries each, ranks again without a sort.
    """
    n = len(signs)
    swapped, flipped = coins[:, :n], coins[:, n:]
    own, other = ~swapped[:, orders[0]], swapped[:, orders[1]]
    entries = np.empty((len(coins), n, 2), dtype=bool)  # does the entry end up under model 1?
    entries[:, :, 0] = np.where(flipped, other, own)
    entries[:, :, 1] = np.where(flipped, own, other)
    labels = np.empty(entries.shape, dtype=np.int8)
    labels[:, :, 0] = np.where(flipped, signs[orders[1]], signs[orders[0]])
    labels[:, :, 1] = np.where(flipped, signs[orders[0]], signs[orders[1]])
    steps = labels[entries].reshape(-1, n) - labels[~entries].reshape(-1, n)
    excess = np.cumsum(steps, axis=1, dtype=np.int64)  # e_k of F3.8; e_n is 0
    return np.asarray(np.abs(excess).sum(axis=1), dtype=np.float64)


def _midrank_sums(ranks: NDArray[np.int64], signs: NDArray[np.int8], swapped: Flags) -> Floats:
    """E after each row of swaps, tied ranks replaced by their mean.

    `ranks` are those of model 1, then of model 2. Sorted once, their groups of equal rank say
    how many subjects under each model share a rank after any swaps.
    """
    n = len(signs)
    order = np.argsort(ranks, kind="stable")
    subjects, of_second = order % n, order >= n
    ordered = ranks[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    in_first = swapped[:, subjects] == of_second
    errors = np.zeros((len(swapped), n + 2))
    for side, members in ((1.0, in_first), (-1.0, ~in_first)):
        counts = np.add.reduceat(members, starts, axis=1, dtype=np.int64)
        sums = np.add.reduceat(members * signs[subjects], starts, axis=1, dtype=np.int64)
        # called negative from the first whole number at or above the mean rank of the group
        cuts = np.cumsum(counts, axis=1) - counts + (counts + 2) // 2
        errors += side * _sums_by_cut(cuts, sums, n + 2)
    excess = np.cumsum(errors, axis=1)[:, 1:n]
    return np.asarray(np.abs(excess).sum(axis=1))


def _sums_by_cut(cuts: NDArray[np.int64], sums: NDArray[np.int64], width: int) -> Floats:
    """Row by row, add up `sums` that have the same cut."""
    cells = (np.arange(len(cuts))[:, None] * width + cuts).ravel()
    added = np.bincount(cells, weights=sums.ravel(), minlength=len(cuts) * width)
    return np.asarray(added.reshape(len(cuts), width))


def _patterns(start: int, stop: int, n: int) -> Flags:
    """The swaps number `start` to `stop` of all 2**n, as rows of flags."""
    return (np.arange(start, stop)[:, None] >> np.arange(n)) & 1 == 1


def _share_at_least(
    observed: float,
    replicates: Callable[[int, int], Floats],
    total: int,
    cells: int,
    progress: Report | None,
) -> float:
    """Share of the replicates whose statistic is at least the observed one."""
    count = 0
    for start, stop in chunks(total, cells):
        count += int(np.count_nonzero(replicates(start, stop) >= observed - ROUNDING))
        if progress is not None:
            progress(stop / total)
    return count / total


def _monte_carlo(observed: float, share: float, n_resamples: int) -> VenkatramanOutcome:
    count = round(share * n_resamples)
    p = (count + 1) / (n_resamples + 1)  # the data are one of the arrangements
    return VenkatramanOutcome(observed, p, n_resamples, "monte-carlo")


def venkatraman_unpaired(
    neg_1: NDArray[Any],
    pos_1: NDArray[Any],
    neg_2: NDArray[Any],
    pos_2: NDArray[Any],
    *,
    ties: str = "random",
    n_resamples: int = 2000,
    seed: int = 0,
    progress: Report | None = None,
) -> VenkatramanOutcome:
    """Compare two whole curves of different subjects (Venkatraman 2000).

    With prevalence c = all positives / all subjects in both samples, a threshold of sample i
    calls the share q = c (1 - tpr) + (1 - c) fpr... negative.
    """
    checks.one_of(ties, "ties", TIES)
    checks.whole(n_resamples, "n_resamples")
    design = _Design(len(neg_1), len(pos_1), len(neg_2), len(pos_2))
    samples = [(neg_1, pos_1), (neg_2, pos_2)]
    if ties == "random":
        samples = [_untied(sample, seed, number) for number, sample in enumerate(samples)]
    walks = [_own_walk(sample, design, i) for i, sample in enumerate(samples)]
    observed = float(_area_between(*walks)[0])
    pooled = _Pool.of(samples, design)

    def replicates(start: int, stop: int) -> Floats:
        return _area_between(*pooled.relabelled(seed, start, stop, ties))

    share = _share_at_least(observed, replicates, n_resamples, 20 * design.n, progress)
    return _monte_carlo(observed, share, n_resamples)
