"""Scores of two models swapped within subjects, without ranking anew: the numpy twin."""

import numpy as np

from rocwise.arrays import Codes, Counts, Ranks, Signs


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
