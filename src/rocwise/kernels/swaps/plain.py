"""Scores swapped within subjects, cases of two samples dealt out anew: the numpy twins."""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import (
    Codes,
    Counts,
    Flags,
    Floats,
    Integers,
    Mask,
    Ranks,
    Scores,
    Signs,
    Words,
)
from rocwise.kernels.dealing import Dealing
from rocwise.kernels.plain.resampling import _STEP, NEGATIVE, POSITIVE, _mix, _scale, stream_keys
from rocwise.kernels.ranks import PlacementSums, placement_sums, placements
from rocwise.kernels.sort import argsort, sort_by_class

LANES = 8  # sums side by side, in the compiled loop too


def swapped_gaps(coins: Codes, first: Ranks, second: Ranks, signs: Signs) -> Counts:
    """Sum over all cuts of |difference in errors| of two models, for each line of coins.

    Rank v is held by subject first[v] under one model and second[v] under the other. If both end
    up under one model, a coin says who comes first; so taking the ranks in turn, two entries each,
    ranks again without a sort. Of each line of coins, eight in a byte as `np.packbits` does it, the
    first n are the swaps and the next n break such ties.

    Examples
    --------
    >>> coins, order = np.zeros((1, 1), np.uint8), np.array([0, 1], np.int32)
    >>> swapped_gaps(coins, order, order[::-1], np.array([1, -1], np.int8)).tolist()
    [2]
    """
    n = len(signs)
    flags = np.unpackbits(coins, axis=1, count=2 * n).astype(bool)
    swapped, flipped = flags[:, :n], flags[:, n:]
    own, other = ~swapped[:, first], swapped[:, second]
    kept = np.stack([np.where(flipped, other, own), np.where(flipped, own, other)], axis=2)
    a, b = signs[first], signs[second]
    labels = np.stack([np.where(flipped, b, a), np.where(flipped, a, b)], axis=2)
    steps = labels[kept].reshape(-1, n) - labels[~kept].reshape(-1, n)
    excess = np.cumsum(steps, axis=1, dtype=np.int64)  # e_k of F3.8; the last one is 0
    return np.asarray(np.abs(excess).sum(axis=1), np.int64)


def coin_sums(coins: Codes, values: Integers) -> Integers:
    """Sum of the values whose coin is set, for each line of coins, eight in a byte.

    Examples
    --------
    >>> coin_sums(np.array([[0b10100000], [0]], np.uint8), np.array([5, 3, 1])).tolist()
    [6, 0]
    """
    kept = np.unpackbits(coins, axis=1, count=len(values))
    return np.asarray(kept @ values.astype(np.int64, copy=False), np.int64)


class RankSteps(NamedTuple):
    """What each subject adds to a difference of areas, and the sums of either model's placements.

    Examples
    --------
    >>> scores = np.array([0.1, 0.2]), np.array([0.2, 0.1])
    >>> [own.sum_u for own in rank_steps(np.array([0, 1], np.uint8), *scores).sums]
    [2, 0]
    """

    steps: Integers
    sums: tuple[PlacementSums, PlacementSums]


def rank_steps(mask: Mask, first: Scores, second: Scores) -> RankSteps:
    """Twice the placement of each row under the first model less that under the second.

    The rows of both are placed together, by their midranks: a positive among the negatives under
    either model, a negative among the positives, whose difference is turned round.

    Examples
    --------
    >>> scores = np.array([0.1, 0.2, 0.3]), np.array([7.0, 5.0, 6.0])
    >>> rank_steps(np.array([0, 1, 1], np.uint8), *scores).steps.tolist()
    [6, 1, 1]
    """
    refuse_other_labels(mask)
    ranks = [doubled_midranks(scores) for scores in (first, second)]
    placed = placements(np.tile(mask, 2), np.concatenate(ranks).astype(np.float64))
    one, two = placed.reshape(2, -1)
    of_first, of_second = (placement_sums(*sort_by_class(mask, each)) for each in (first, second))
    return RankSteps(np.where(mask, one - two, two - one), (of_first, of_second))


def refuse_other_labels(mask: Mask) -> None:
    """Refuse labels that are neither 0 nor 1."""
    if mask.size and mask.max() > 1:
        raise ValueError("`mask` must be 0 or 1.")


def doubled_midranks(scores: Scores) -> Integers:
    """Twice the rank from 1 to n, ties sharing their mean rank.

    Examples
    --------
    >>> doubled_midranks(np.array([0.5, 0.1, 0.5])).tolist()
    [5, 2, 5]
    """
    order = argsort(scores)
    ranked = scores[order]
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    ends = np.append(starts[1:], len(scores))
    ranks = np.empty(len(scores), np.int64)
    ranks[order] = np.repeat(starts + ends + 1, ends - starts)
    return ranks


def dealt_gaps(
    pool: Dealing,
    seed: int,
    first: int,
    last: int,
    threads: int | None = None,  # noqa: ARG001
) -> Floats:
    """Gap of two curves whose cases are dealt out anew within classes, for each replicate.

    Of two tied cases a coin says which is lower.

    Examples
    --------
    >>> from rocwise.kernels.dealing import dealing
    >>> pool = dealing(np.array([0, 0, 1, 1], np.uint8), np.zeros(4, np.uint8), (1, 1))
    >>> dealt_gaps(pool, 1, 0, 2).tolist()
    [0.0, 0.0]
    """
    gaps = np.empty(last - first)
    for replicate in range(first, last):
        own, others, coins = dealt_cases(pool, seed, replicate)
        rank = pool.before + coins
        below = np.append(0, np.cumsum(others))[rank]
        gaps[replicate - first] = _area_between(pool, below[own], (rank - below)[~own])
    return gaps * area_scale(pool)


def dealt_cases(pool: Dealing, seed: int, replicate: int) -> tuple[Flags, Flags, Codes]:
    """Which cases of the axis go to the first sample, which others; coins where cases are tied.

    Examples
    --------
    >>> from rocwise.kernels.dealing import dealing
    >>> pool = dealing(np.array([0, 0, 1, 1], np.uint8), np.zeros(4, np.uint8), (1, 1))
    >>> [int(each.sum()) for each in dealt_cases(pool, 1, 0)]
    [1, 1, 0]
    """
    marked = []
    for kind in (NEGATIVE, POSITIVE):
        key = stream_keys(seed, replicate, replicate + 1, kind)
        dealt, key = _deal(key, pool.totals[kind], pool.sizes[kind], pool.limits[kind])
        marked.append(dealt)
    words = _mix(key + _steps(1, -(-len(pool.before) // 64)))
    bits = (words[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    coins = bits.ravel()[: len(pool.before)].astype(np.uint8) & pool.tied
    return marked[pool.axis], marked[1 - pool.axis], coins


def area_scale(pool: Dealing) -> float:
    """From an area in cases of the other class, of both samples, to the gap."""
    n_first = pool.sizes[1 - pool.axis]
    return pool.height / (float(n_first) * float(pool.totals[1 - pool.axis] - n_first))


def _deal(key: Words, total: int, size: int, limit: int) -> tuple[Flags, Words]:
    """Mark `size` of `total` cases; also the key with which to go on."""
    n_words = -(-total // 8)
    words = _mix(key + _steps(1, n_words))
    numbers = (words[:, None] >> np.arange(0, 64, 8, dtype=np.uint64)) & np.uint64(255)
    dealt = numbers.ravel()[:total] < limit
    left, used = int(np.count_nonzero(dealt)) - size, n_words
    surplus = left > 0
    left = abs(left)
    while left:
        for case in _scale(_mix(key + _steps(used + 1, 2 * left)), total).tolist():
            used += 1
            if dealt[case] == surplus:
                dealt[case] = not surplus
                left -= 1
                if not left:
                    break
    return dealt, key + _steps(used, 1)


def _steps(first: int, number: int) -> Words:
    return np.arange(first, first + number, dtype=np.uint64) * np.uint64(_STEP)


def _area_between(pool: Dealing, first: Counts, second: Counts) -> float:
    """Sum over the stretches of the axis, in `LANES` sums side by side."""
    n_first = pool.sizes[1 - pool.axis]
    n_second = pool.totals[1 - pool.axis] - n_first
    gaps = float(n_second) * first[pool.first] - float(n_first) * second[pool.second]
    parts = np.abs(gaps) * pool.widths
    lanes = np.append(parts, np.zeros(-len(parts) % LANES)).reshape(-1, LANES)
    return float(np.cumsum(np.cumsum(lanes, axis=0)[-1])[-1])
