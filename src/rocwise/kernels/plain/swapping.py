"""Scores swapped within subjects, cases of two samples dealt out anew: the numpy twins."""

import numpy as np

from rocwise.arrays import Codes, Counts, Flags, Floats, Ranks, Signs
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.resampling import _STEP, NEGATIVE, POSITIVE, _mix, stream_keys


def swapped_gaps(coins: Codes, first: Ranks, second: Ranks, signs: Signs) -> Counts:
    """Sum over all cuts of |difference in errors| of two models, for each line of coins.

    Rank v is held by subject first[v] under one model and second[v] under the other. If both end
    up under one model, a coin says who comes first; so taking the ranks in turn, two entries each,
    ranks again without a sort. Of each line of coins the first half are the swaps, the second half
    breaks such ties.

    Examples
    --------
    >>> coins, order = np.zeros((1, 4), np.uint8), np.array([0, 1], np.int32)
    >>> swapped_gaps(coins, order, order[::-1], np.array([1, -1], np.int8)).tolist()
    [2]
    """
    n = len(signs)
    flags = coins.astype(bool)
    swapped, flipped = flags[:, :n], flags[:, n:]
    own, other = ~swapped[:, first], swapped[:, second]
    kept = np.stack([np.where(flipped, other, own), np.where(flipped, own, other)], axis=2)
    a, b = signs[first], signs[second]
    labels = np.stack([np.where(flipped, b, a), np.where(flipped, a, b)], axis=2)
    steps = labels[kept].reshape(-1, n) - labels[~kept].reshape(-1, n)
    excess = np.cumsum(steps, axis=1, dtype=np.int64)  # e_k of F3.8; the last one is 0
    return np.asarray(np.abs(excess).sum(axis=1), np.int64)


def dealt_gaps(
    labels: Codes,
    tied: Codes,
    sizes: tuple[int, int],
    lengths: Floats,
    seed: int,
    first: int,
    last: int,
    threads: int | None = None,  # noqa: ARG001
) -> Floats:
    """Gap of two curves whose cases are dealt out anew within classes, for each replicate.

    `labels` are those of the pool from the lowest case up; where `tied`, a case changes places with
    the one before it half of the time. `sizes` are the negatives and positives of the first sample,
    `lengths` what a negative and a positive add along the first curve, then along the second.

    Examples
    --------
    >>> labels, tied, lengths = np.array([0, 0, 1, 1], np.uint8), np.zeros(4, np.uint8), np.ones(4)
    >>> dealt_gaps(labels, tied, (1, 1), lengths / 2, 1, 0, 2).tolist()
    [0.0, 0.0]
    """
    check_dealing(labels, tied, sizes, lengths)
    steps = np.arange(1, len(labels) + 1, dtype=np.uint64) * np.uint64(_STEP)
    members = [np.flatnonzero(labels == kind) for kind in (0, 1)]
    after = np.flatnonzero(tied)
    gaps = np.empty(last - first)
    for replicate in range(first, last):
        own = seed, replicate, replicate + 1
        words = _mix(stream_keys(*own, NEGATIVE) + steps)
        dealt = np.zeros(len(labels), dtype=bool)
        for cases, size in zip(members, sizes, strict=True):
            dealt[cases[np.argpartition(words[cases], size - 1)[:size]]] = True
        coins = _mix(stream_keys(*own, POSITIVE) + steps[after]) & np.uint64(1)
        flipped = after[coins.astype(bool)]
        order = np.arange(len(labels))
        order[flipped], order[flipped - 1] = flipped - 1, flipped
        gaps[replicate - first] = _area_between(labels[order], dealt[order], lengths)
    return gaps


def _area_between(labels: Codes, in_first: Flags, lengths: Floats) -> float:
    """Integral of the absolute difference of the shares of errors of two samples."""
    parts = [labels[in_first], labels[~in_first]]
    ends = [np.cumsum(lengths[2 * k : 2 * k + 2][part]) for k, part in enumerate(parts)]
    slopes = [np.where(np.append(part, part[-1]), 1.0, -1.0) for part in parts]
    order = np.argsort(np.concatenate(ends), kind="stable")
    widths = np.diff(np.concatenate(ends)[order], prepend=0.0)
    of_first = order < len(parts[0])
    passed = (
        np.cumsum(of_first, dtype=np.int64) - of_first
    )  # cases of the first sample before this one
    rises = (slopes[0][passed] - slopes[1][np.arange(len(order)) - passed]) * widths
    right = np.cumsum(rises)
    left = right - rises
    heights = np.abs(left) + np.abs(right)
    np.divide(left * left + right * right, heights, out=heights, where=left * right < 0)
    return float(np.cumsum(heights * widths)[-1]) / 2.0


def check_dealing(labels: Codes, tied: Codes, sizes: tuple[int, int], lengths: Floats) -> None:
    """Refuse what cannot be dealt out: both samples need a case of each class."""
    counts = np.bincount(labels, minlength=2)
    if len(counts) > 2 or tied.shape != labels.shape or len(lengths) != 4:
        raise ValueError("`labels` must be 0 or 1, `tied` as many, and `lengths` four numbers.")
    refuse_nan(lengths, what="the lengths")
    if not all(1 <= size < count for size, count in zip(sizes, counts.tolist(), strict=True)):
        raise ValueError(f"`sizes` must leave cases of both classes to both; got {sizes}.")
    if len(tied) and (tied[0] or np.any(tied[1:] & tied[:-1])):
        raise ValueError("`tied` must mark the second of two cases.")
