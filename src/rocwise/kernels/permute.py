"""Permutation tests of two curves: scores swapped within subjects, or subjects relabeled.

The distance of curves of different subjects is 2 c (1 - c) times the area between two staircases, c
being the proportion of positives, added up along the cases of one class.
"""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Codes, Counts, Flags, Floats, Integers, Ranks, Signs, Words
from rocwise.kernels.resample import NEGATIVE, POSITIVE, STEP, _mixed, _scaled, stream_key
from rocwise.kernels.selection import compiled_module

_permute = compiled_module("_permute")


def coin_sums(coins: Codes, values: Integers) -> Integers:
    """Sum of the values whose coin is set, for each line of coins, eight in a byte."""
    _check_coins(coins, len(values))
    values = np.ascontiguousarray(values, np.int64)
    if _permute is None:
        return np.asarray(np.unpackbits(coins, axis=1, count=len(values)) @ values, np.int64)
    return np.asarray(_permute.coin_sums(np.ascontiguousarray(coins), values))


def swapped_distances(coins: Codes, first: Ranks, second: Ranks, signs: Signs) -> Counts:
    """Sum over all thresholds of |difference in errors| of two models, for each row of sign flips.

    Subject first[v] has rank v under one model, second[v] under the other. Of each line of coins,
    packed bits, the first n are swaps and the next n order subjects that end up with one rank.
    """
    n = len(signs)
    _check_coins(coins, 2 * n)
    for order in (first, second):
        if len(order) != n or (n and not 0 <= order.min() <= order.max() < n):
            raise ValueError(f"the orders must have {n} subjects from 0 to {n - 1}.")
    if _permute is None:
        return _swapped_distances(coins, first, second, signs)
    orders = (np.ascontiguousarray(each, np.int32) for each in (first, second))
    coins, signs = np.ascontiguousarray(coins), np.ascontiguousarray(signs, np.int8)
    return np.asarray(_permute.swapped_distances(coins, *orders, signs))


def _swapped_distances(coins: Codes, first: Ranks, second: Ranks, signs: Signs) -> Counts:
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


def _check_coins(coins: Codes, n: int) -> None:
    if coins.ndim != 2 or 8 * coins.shape[1] < n:
        raise ValueError(f"`coins` must have {n} bits in a row.")


class Pool(NamedTuple):
    """Two samples without ties together; the axis is the smaller class."""

    axis: int  # the class along whose cases areas are added up
    totals: tuple[int, int]  # negatives and positives of the pool
    sizes: tuple[int, int]  # and of the first sample
    before: Ranks  # at least so many of the other class are below each case of the axis
    tied: Codes  # 1 where one more is tied with it: a coin decides whether it is below
    first: Ranks  # the case of either sample on each segment without a step
    second: Ranks
    widths: Floats  # of the segments; they add up to 1

    @property
    def limits(self) -> tuple[int, int]:
        """For either class, what a byte must be below for its case to go to the first sample."""
        negatives, positives = (
            (512 * size + total) // (2 * total)  # 256 size / total, to the nearest whole number
            for size, total in zip(self.sizes, self.totals, strict=True)
        )
        return negatives, positives

    @property
    def scale(self) -> float:
        """From an area in cases of the other class, of both samples, to the distance."""
        total, n_first = sum(self.totals), self.sizes[1 - self.axis]
        height = 2.0 * (self.totals[0] / total) * (self.totals[1] / total)
        return height / (float(n_first) * float(self.totals[1 - self.axis] - n_first))


def pooled(labels: Codes, tied: Codes, sizes: tuple[int, int]) -> Pool:
    """A pool of cases, lowest first, some `tied` to the one before, and sizes of a sample."""
    n_pos = int(np.count_nonzero(labels))
    totals = labels.size - n_pos, n_pos
    if labels.max(initial=0) > 1 or tied.shape != labels.shape:
        raise ValueError("`labels` must be 0 or 1, and `tied` as many.")
    if not all(1 <= size < total for size, total in zip(sizes, totals, strict=True)):
        raise ValueError(f"`sizes` must leave cases of both classes to both; got {sizes}.")
    if tied[0] or np.any(tied[1:] & tied[:-1]):
        raise ValueError("`tied` must mark the second of two cases.")
    axis = int(totals[1] <= totals[0])
    positions = np.flatnonzero(labels == axis)
    before = np.cumsum(labels != axis, dtype=np.int32)[positions]
    padded = np.append(labels, axis)
    after_other = (tied[positions] == 1) & (padded[positions - 1] != axis)
    before_other = (np.append(tied, 0)[positions + 1] == 1) & (padded[positions + 1] != axis)
    return Pool(
        axis,
        totals,
        sizes,
        (before - after_other).astype(np.int32),
        (after_other | before_other).astype(np.uint8),
        *_segments(sizes[axis], totals[axis] - sizes[axis]),
    )


def _segments(n_first: int, n_second: int) -> tuple[Ranks, Ranks, Floats]:
    """Which case of either sample is under way between two ends, cases being 1/n long."""
    ends = np.concatenate(
        [
            np.arange(1, n_first + 1, dtype=np.int64) * n_second,
            np.arange(1, n_second + 1, dtype=np.int64) * n_first,
        ]
    )
    ends = np.sort(ends, kind="stable")  # merges what is sorted already
    ends = ends[np.diff(ends, prepend=0) > 0]
    widths = np.diff(ends, prepend=0) / (n_first * n_second)
    first, second = ((ends - 1) // n for n in (n_second, n_first))
    return first.astype(np.int32), second.astype(np.int32), widths


def relabeled_distances(pool: Pool, seed: int, first: int, last: int) -> Floats:
    """Distance of two curves whose cases are relabeled within classes, for each replicate."""
    if _permute is None:
        found = np.array([_area_between(pool, seed, b) for b in range(first, last)])
        return found.reshape(-1) * pool.scale
    numbers = np.array([pool.axis, *pool.totals, *pool.sizes, *pool.limits], np.int64)
    found = np.empty(last - first)
    _permute.relabeled_areas(seed, first, numbers, *pool[3:], found)
    return found * pool.scale


def _area_between(pool: Pool, seed: int, replicate: int) -> float:
    """The area between two relabeled curves, in cases of the other class of both samples."""
    own, others, coins = relabeled_cases(pool, seed, replicate)
    rank = pool.before + coins
    below = np.append(0, np.cumsum(others))[rank]
    n_first = pool.sizes[1 - pool.axis]
    n_second = pool.totals[1 - pool.axis] - n_first
    first, second = below[own][pool.first], (rank - below)[~own][pool.second]
    return float(np.sum(np.abs(float(n_second) * first - float(n_first) * second) * pool.widths))


def relabeled_cases(pool: Pool, seed: int, replicate: int) -> tuple[Flags, Flags, Codes]:
    """Which cases of the axis go to the first sample, which others; coins where cases are tied."""
    marked = []
    for kind in (NEGATIVE, POSITIVE):
        key = np.array([stream_key(seed, replicate, kind)], np.uint64)
        chosen, key = _choose(key, pool.totals[kind], pool.sizes[kind], pool.limits[kind])
        marked.append(chosen)
    words = _mixed(key + _steps(1, -(-len(pool.before) // 64)))
    bits = (words[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    coins = bits.ravel()[: len(pool.before)].astype(np.uint8) & pool.tied
    return marked[pool.axis], marked[1 - pool.axis], coins


def _choose(key: Words, total: int, size: int, limit: int) -> tuple[Flags, Words]:
    """Mark `size` of `total` cases; also the key with which to go on."""
    n_words = -(-total // 8)
    words = _mixed(key + _steps(1, n_words))
    numbers = (words[:, None] >> np.arange(0, 64, 8, dtype=np.uint64)) & np.uint64(255)
    chosen = numbers.ravel()[:total] < limit
    left, used = int(np.count_nonzero(chosen)) - size, n_words
    surplus = left > 0
    left = abs(left)
    while left:
        for case in _scaled(_mixed(key + _steps(used + 1, 2 * left)), total).tolist():
            used += 1
            if chosen[case] == surplus:
                chosen[case] = not surplus
                left -= 1
                if not left:
                    break
    return chosen, key + _steps(used, 1)


def _steps(first: int, number: int) -> Words:
    return np.arange(first, first + number, dtype=np.uint64) * np.uint64(STEP)
