"""Permutation tests of two models: of their areas, and of their whole curves.

Areas: Bandos, Rockette & Gur 2005 (F3.1 to F3.7). A test of areas cannot see curves that cross;
that of Venkatraman (F3.8, F3.9) can: are two ROC curves the same at every operating point?
"""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocwise import kernels
from rocwise.arrays import Array, Codes, Flags, Floats, Integers, Places, Signs
from rocwise.binary.roc import sums_from_zero
from rocwise.errors import InputError
from rocwise.inference.resampling import ROWS_PER_CELL, chunks, side_by_side
from rocwise.inference.significance import decide
from rocwise.kernels.threads import run_tasks
from rocwise.progress import Report

Transform = Literal["rank", "none"]
TieRanking = Literal["random", "midrank"]
Replicates = Callable[[int, int], Floats]
LARGEST_LATTICE = 5e8  # subjects times lattice points of the exact test (F3.5)
DOUBLINGS_AT_ONCE = 500  # counts stay below 2**500 between two rescalings
LARGEST_ENUMERATION = 20  # subjects: half of the 2**20 swaps are gone through in a second or two
TIE_BREAKING = 1  # a random stream other than that of the replicates
TIE_BREAKINGS = 200  # random orders of tied scores that share the replicates of a test
ROUNDING = 1e-12  # statistics this close count as equal


class PermutationOutcome(NamedTuple):
    """The statistic (z of areas, E of curves), p and how it was found; variance of the areas."""

    statistic: float
    p_value: float
    how: str
    variance: float = 0.0
    breakings: int = 1


def permutation_outcome(
    mask: Array,
    first: Array,
    second: Array,
    *,
    how: str,
    clusters: Places | None = None,
    transform: Transform = "rank",
    alternative: str = "two-sided",
    n_resamples: int = 10000,
    seed: int = 0,
    progress: Report | None = None,
) -> PermutationOutcome:
    """Test whether two areas are equal by swapping the two scores of each subject (F3.5-F3.7).

    Subjects of one cluster are swapped together: what they add to the difference is one step.
    """
    steps = swap_steps(mask, first, second, transform)
    if clusters is not None:
        by_cluster = np.zeros(int(clusters.max()) + 1, np.int64)
        np.add.at(by_cluster, clusters, steps)
        steps = by_cluster
        if len(steps) < 2:
            raise InputError("a permutation test needs at least two clusters; got one.")
    lattice = 2 * int(np.abs(steps).sum()) + 1
    affordable = len(steps) * lattice <= LARGEST_LATTICE
    if how == "exact" and not affordable:
        raise InputError(
            f"`how`='exact' needs {len(steps):,} subjects times {lattice:,} lattice points, more "
            f"than {LARGEST_LATTICE:.0e}; use the Monte Carlo or the asymptotic permutation test."
        )
    if how == "auto":
        how = "exact" if affordable else "asymptotic"
    total, squares = int(steps.sum()), float(np.square(steps, dtype=np.float64).sum())
    z = total / math.sqrt(squares) if total else 0.0
    if squares == 0.0:
        p = 1.0  # no swap changes anything
    elif how == "exact":
        p = exact_p(steps, alternative)
    elif how == "monte-carlo":
        p = _random_swaps_p(steps, alternative, n_resamples, seed, progress)
    else:
        p = decide(z, 1.0, alternative=alternative).p_value
    n_pos = int(np.count_nonzero(mask))
    scale = 4 * n_pos * (len(mask) - n_pos)
    return PermutationOutcome(z, p, how, squares / scale**2)


def swap_steps(mask: Array, first: Array, second: Array, transform: Transform) -> Integers:
    """What each subject adds to 4NM times the difference (F3.2); swapped, it subtracts it."""
    if transform == "rank":
        one, two = kernels.midrank_placements(mask, first, second)
    else:
        scores = np.concatenate([first, second]).astype(np.float64)
        one, two = kernels.placements(np.tile(mask, 2), scores).reshape(2, -1)
    return np.asarray(np.where(mask, one - two, two - one), np.int64)


def exact_p(steps: Integers, alternative: str) -> float:
    """Fraction of all 2**n swaps with a difference as extreme as the observed one (F3.4, F3.5)."""
    sizes = np.abs(steps[steps != 0])
    unit = int(np.gcd.reduce(sizes))
    total, observed = int(sizes.sum()) // unit, int(steps.sum()) // unit
    if alternative == "two-sided" and observed == 0:
        return 1.0
    last = (total - abs(observed)) // 2
    masses = subset_sum_masses(sizes // unit, last)
    if alternative == "two-sided":
        return min(1.0, 2.0 * float(masses.sum()))
    towards = observed if alternative == "greater" else -observed
    return float(masses.sum()) if towards >= 0 else 1.0 - float(masses[:-1].sum())


def subset_sum_masses(sizes: Integers, last: int) -> Floats:
    """Probability, to full relative accuracy, that a random subset sums to 0, 1, ..., `last`."""
    masses = np.zeros(last + 1)
    masses[0] = 1.0
    reach = pending = 0
    for size in np.sort(sizes).tolist():  # small ones first: the support stays short for long
        reach = min(reach + size, last)
        if size <= reach:
            masses[size : reach + 1] += masses[: reach + 1 - size]
        pending += 1
        if pending == DOUBLINGS_AT_ONCE:
            masses[: reach + 1] *= 2.0**-pending
            pending = 0
    return np.asarray(masses * 2.0**-pending)


def _random_swaps_p(
    steps: Integers,
    alternative: str,
    n_resamples: int,
    seed: int,
    progress: Report | None,
) -> float:
    """The proportion of random swaps that are as extreme (F3.6)."""
    total, cells = int(steps.sum()), -(-len(steps) // 8)  # a coin for a subject, eight in a byte
    turned = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}[alternative]

    def swapped(start: int, stop: int) -> Floats:
        kept = kernels.coin_sums(random_octets(seed, start, stop, len(steps)), steps)
        return np.asarray(turned((2 * kept - total).astype(np.float64)))

    return _monte_carlo_p(float(turned(total)), swapped, n_resamples, cells, progress)


def _monte_carlo_p(
    observed: float,
    replicates: Replicates,
    n_resamples: int,
    cells: int,
    progress: Report | None,
) -> float:
    """(b + 1)/(B + 1) for the b of B replicates as large: the data are one arrangement more."""
    count = _count_at_least(observed, replicates, n_resamples, cells, progress)
    return (count + 1) / (n_resamples + 1)


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


def random_octets(seed: int, start: int, stop: int, n_bits: int) -> Codes:
    """A row of fair coins for each replicate, eight in a byte, and some more at the end."""
    words = random_words(seed, start, stop, 4 * -(-n_bits // 256))  # as they are made: no copy
    return words.astype("<u8", copy=False).view(np.uint8)


def random_words(
    seed: int, start: int, stop: int, n_words: int, *, stream: int = 0
) -> NDArray[np.uint64]:
    """A row of random 64-bit words for each replicate, from (seed, replicate, stream) alone."""
    blocks = -(-n_words // 4)  # Philox makes four words per count
    source = np.random.Philox(key=seed + (stream << 64), counter=start * blocks)
    words = source.random_raw((stop - start) * blocks * 4).reshape(stop - start, blocks * 4)
    return np.asarray(words[:, :n_words])


def venkatraman_paired(
    mask: Array,
    first: Array,
    second: Array,
    *,
    ties: TieRanking = "random",
    n_resamples: int = 2000,
    seed: int = 0,
    progress: Report | None = None,
) -> PermutationOutcome:
    """Compare two whole curves of the same subjects (Venkatraman & Begg 1996).

    Call the k lowest-ranked subjects negative, under either model; e_k is the difference of the
    two numbers of errors, and E the sum of |e_k| over k = 1, ..., n - 1 (F3.8). The reference
    distribution swaps the two ranks of each subject at random and ranks again (F3.9). Ties in
    random order: E and p are means over 200 orders.
    """
    signs = np.where(mask, 1, -1).astype(np.int8)  # a positive predicted negative: one more error
    if ties == "random":
        cells = -(-len(signs) // 4)  # two coins for a subject, eight in a byte
        draw = _swaps_without_ties(signs, first, second, seed)
        breakings = _tie_breakings(n_resamples, first, second)
        observed, p = _mean_over_ties(draw, breakings, n_resamples, cells, progress)
        return PermutationOutcome(observed, p, "monte-carlo", breakings=breakings)
    observed, replicates, cells = _swaps_with_midranks(signs, first, second, seed)
    if len(signs) <= LARGEST_ENUMERATION:
        half = 2 ** (len(signs) - 1)  # a pattern of swaps and its complement give the same E
        count = _count_at_least(observed, replicates, half, cells, progress)
        return PermutationOutcome(observed, count / half, "exact")
    p = _monte_carlo_p(observed, replicates, n_resamples, cells, progress)
    return PermutationOutcome(observed, p, "monte-carlo")


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
) -> PermutationOutcome:
    """Compare two whole curves of different subjects (Venkatraman 2000).

    With c the proportion of positives among all subjects, a point of either curve calls the
    proportion q = c (1 - tpr) + (1 - c) (1 - fpr) negative and is wrong for c (1 - tpr) +
    (1 - c) fpr. E is the integral over q of the absolute difference of the errors of the two
    curves. The reference distribution gives every subject its q (the middle of its step), pools
    the samples, relabels them within negatives and within positives, and ranks again.
    """
    scores = np.concatenate([neg_1, pos_1]), np.concatenate([neg_2, pos_2])
    labels = np.arange(len(scores[0])) >= len(neg_1), np.arange(len(scores[1])) >= len(neg_2)
    n, sizes = len(scores[0]) + len(scores[1]), (len(neg_1), len(pos_1))
    c = (len(pos_1) + len(pos_2)) / n
    relabeled = _relabeled_without_ties if ties == "random" else _relabeled_with_ties

    def draw(breaking: int) -> tuple[float, Replicates]:
        if ties == "random":
            words = random_words(seed, breaking, breaking + 1, n, stream=TIE_BREAKING)[0]
            noise = np.split(words, [len(scores[0])])
            ranks = [np.argsort(_untied_order(*own)) for own in zip(scores, noise, strict=True)]
        else:
            ranks = [kernels.distinct(own)[1] for own in scores]
        curves = [_error_curve(*own, c) for own in zip(labels, ranks, strict=True)]
        middles = [(q[own] + q[own + 1]) / 2 for (q, _), own in zip(curves, ranks, strict=True)]
        pooled = np.concatenate(middles).round(12)  # equal q may differ in the last digit
        return _distance(*curves), relabeled(pooled, np.concatenate(labels), sizes, seed)

    breakings = _tie_breakings(n_resamples, *scores) if ties == "random" else 1
    cells = -(-2 * n // ROWS_PER_CELL) if ties == "random" else 20 * n
    observed, p = _mean_over_ties(draw, breakings, n_resamples, cells, progress)
    return PermutationOutcome(observed, p, "monte-carlo", breakings=breakings)


def _tie_breakings(n_resamples: int, *scores: Array) -> int:
    """How many random orders of ties to take the mean over; one where nothing is tied."""
    tied = any(len(kernels.distinct(own)[0]) < len(own) for own in scores)
    return min(TIE_BREAKINGS, n_resamples) if tied else 1


def _mean_over_ties(
    draw: Callable[[int], tuple[float, Replicates]],
    breakings: int,
    n_resamples: int,
    cells: int,
    progress: Report | None,
) -> tuple[float, float]:
    """The means of E and of p over tie-breakings, each with an equal fraction of the replicates."""
    edges = np.linspace(0, n_resamples, breakings + 1).astype(np.int64).tolist()
    observed: dict[int, float] = {}

    def excess(start: int, stop: int) -> Floats:
        parts = []
        for k, (low, high) in enumerate(pairwise(edges)):
            if start < high and low < stop:
                observed[k], replicates = draw(k)
                parts.append(replicates(max(start, low), min(stop, high)) - observed[k])
        return np.concatenate(parts)

    p = _monte_carlo_p(0.0, excess, n_resamples, cells, progress)
    return math.fsum(observed.values()) / breakings, p


def _swaps_without_ties(
    signs: Signs, first: Array, second: Array, seed: int
) -> Callable[[int], tuple[float, Replicates]]:
    """By random swaps, ties in random order; as many more coins break those that swaps make."""
    n = len(signs)

    def draw(breaking: int) -> tuple[float, Replicates]:
        words = random_words(seed, breaking, breaking + 1, 2 * n, stream=TIE_BREAKING)
        noise = words.reshape(2, -1)
        orders = run_tasks(_untied_order, [(first, noise[0]), (second, noise[1])], n)
        one, two = (order.astype(np.int32) for order in orders)

        def distances(coins: Codes) -> Floats:
            return kernels.swapped_distances(coins, one, two, signs).astype(np.float64)

        observed = float(distances(np.zeros((1, -(-n // 4)), np.uint8))[0])
        return observed, lambda a, b: distances(random_octets(seed, a, b, 2 * n))

    return draw


def _untied_order(scores: Array, noise: Array) -> Integers:
    """Subjects from the lowest score up, ties in the order of `noise`."""
    order = kernels.argsort(scores.astype(np.float64, copy=False))
    ranked = scores[order]
    if (ranked[1:] == ranked[:-1]).any():
        order = np.lexsort((noise, scores))
    return order


def _swaps_with_midranks(
    signs: Signs, first: Array, second: Array, seed: int
) -> tuple[float, Replicates, int]:
    """By all swaps of few subjects, by random ones of more; ties share mean ranks."""
    n = len(signs)
    ranks = np.concatenate(run_tasks(kernels.doubled_midranks, [(first,), (second,)], n))

    def replicates(start: int, stop: int) -> Floats:
        swapped: Array
        if n <= LARGEST_ENUMERATION:  # of all 2**n patterns of swaps
            swapped = (np.arange(start, stop)[:, None] >> np.arange(n)) & 1
        else:
            swapped = np.unpackbits(random_octets(seed, start, stop, n), axis=1, count=n)
        return _midrank_sums(ranks, signs, swapped.astype(bool))

    observed = float(_midrank_sums(ranks, signs, np.zeros((1, n), dtype=bool))[0])
    return observed, replicates, 10 * n


def _midrank_sums(ranks: Integers, signs: Signs, swapped: Flags) -> Floats:
    """E after each row of swaps, tied ranks replaced by their mean."""
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
    """Change of the number of errors at k = 0, ..., n + 1; mean ranks are rounded up."""
    counts = np.diff(members, axis=1, prepend=0)
    cuts = members - counts + (counts + 2) // 2
    cells = np.arange(len(cuts))[:, None] * (n + 2) + cuts
    changes = np.diff(labels, axis=1, prepend=0)
    added = np.bincount(cells.ravel(), changes.ravel(), minlength=len(cuts) * (n + 2))
    return np.asarray(added.reshape(len(cuts), n + 2))


def _relabeled_without_ties(
    q: Floats, labels: Flags, sizes: tuple[int, int], seed: int
) -> Replicates:
    """Random relabelings; at most one case of either sample has a given q, and two are untied."""
    order = np.argsort(q, kind="stable")
    tied = np.append(False, np.diff(q[order]) == 0)
    pool = kernels.pooled(labels[order].view(np.uint8), tied.view(np.uint8), sizes)

    def replicates(start: int, stop: int) -> Floats:
        return kernels.relabeled_distances(pool, seed, start, stop)

    return replicates


def _relabeled_with_ties(q: Floats, labels: Flags, sizes: tuple[int, int], seed: int) -> Replicates:
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

    return replicates


def _error_curve(labels: Flags, ranks: Integers, c: float) -> tuple[Floats, Floats]:
    """q, and the error rate minus that at q = 0, from the lowest rank up; ties are diagonal."""
    missed, right = (sums_from_zero(np.bincount(ranks, own)) for own in (labels, ~labels))
    missed, right = c * missed / missed[-1], (1 - c) * right / right[-1]
    return missed + right, missed - right


def _distance(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> float:
    """Integral over q of the absolute difference of two curves, straight between vertices."""
    q = np.sort(np.concatenate([first[0], second[0]]))
    difference = np.interp(q, *first) - np.interp(q, *second)
    left, right = difference[:-1], difference[1:]
    heights = np.abs(left) + np.abs(right)
    crossing = left * right < 0
    heights[crossing] = (left[crossing] ** 2 + right[crossing] ** 2) / heights[crossing]
    return float(np.dot(heights, np.diff(q))) / 2
