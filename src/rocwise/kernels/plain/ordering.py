"""Chains through ordered classes: numpy twins of the compiled loops.

A chain takes one row of every class. It is in order when its scores rise from class to class; a
chain whose scores fall nowhere, with runs of t equal scores, earns the product of 1 / t! unless
`strict`. `ranked` and `starts` describe rows sorted by score: the class of each, from 0 up, and 1
where a score differs from the one before. Rows of class k count 1 / sizes[k].
"""

from itertools import accumulate
from operator import mul

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Scores
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.sort import sort_rows

# as floats, one product after the other: beyond 170! infinite, and the credit of such a run is 0
FACTORIALS: list[float] = list(accumulate([1.0, *map(float, range(1, 257))], mul))


def rank_classes(codes: Codes, scores: Scores) -> tuple[Counts, Codes, Codes]:
    """Rows in ascending order of score, their classes, and where a new score starts.

    Examples
    --------
    >>> order, ranked, starts = rank_classes(np.array([1, 0], np.uint8), np.array([3.0, 2.0]))
    >>> order.tolist(), ranked.tolist(), starts.tolist()
    ([1, 0], [0, 1], [1, 1])
    """
    order, ranked, rising = sort_rows(codes, scores)
    starts = np.ones(len(rising), np.uint8)
    starts[1:] = rising[1:] != rising[:-1]
    return order, ranked, starts


def chain_volume(ranked: Codes, starts: Codes, sizes: Floats, *, strict: bool) -> float:
    """Share of all chains that are in order (Waegeman et al., (8); ties earn credit).

    Examples
    --------
    >>> rows = np.array([0, 1, 0, 1], np.uint8), np.ones(4, np.uint8)
    >>> chain_volume(*rows, np.array([2.0, 2.0]), strict=True)
    0.75
    """
    refuse_nan(sizes, what="the sizes")
    share = shares(ranked, starts, sizes)
    return float(levels_below(share, strict=strict)[-1][-1])


def chain_parts(ranked: Codes, starts: Codes, sizes: Floats, *, strict: bool) -> Floats:
    """For each sorted row the share of the chains through it that are in order.

    Examples
    --------
    >>> rows = np.array([0, 1, 0, 1], np.uint8), np.ones(4, np.uint8)
    >>> chain_parts(*rows, np.array([2.0, 2.0]), strict=True).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    refuse_nan(sizes, what="the sizes")
    table = parts_at_scores(shares(ranked, starts, sizes), strict=strict)
    return np.asarray(table[np.cumsum(starts) - 1, ranked])


def parts_at_scores(share: Floats, *, strict: bool) -> Floats:
    """Share of the chains in order through a row of each class at each score: (scores, classes).

    Examples
    --------
    >>> parts_at_scores(np.array([[0.5, 0.0], [0.5, 1.0]]), strict=False).tolist()
    [[1.0, 0.25], [0.5, 0.75]]
    """
    n_classes = share.shape[1]
    below = [level[:-1] for level in levels_below(share, strict=strict)]
    above = levels_above(share, strict=strict)
    table = np.empty(share.shape)
    for k in range(n_classes):
        found = np.zeros(len(share))
        lower = np.ones(len(share))
        for a in range(k, k - 1 if strict else -1, -1):
            if a < k:
                lower = lower * share[:, a]
            upper = lower
            for b in range(k, n_classes if not strict else k + 1):
                if b > k:
                    upper = upper * share[:, b]
                found += below[a] * above[b + 1] * upper / FACTORIALS[b - a + 1]
        table[:, k] = found
    return table


def shares(ranked: Codes, starts: Codes, sizes: Floats) -> Floats:
    """Share of every class at each distinct score, (scores, classes)."""
    group = np.cumsum(starts, dtype=np.int64) - 1  # of bytes it would be uint64
    n_groups, n_classes = int(group[-1]) + 1, len(sizes)
    cells = np.bincount(group * n_classes + ranked, minlength=n_groups * n_classes)
    return cells.reshape(n_groups, n_classes) / sizes


def levels_below(share: Floats, *, strict: bool) -> list[Floats]:
    """For k = 0, 1, ...: share of chains of the first k classes below each score, and below inf."""
    n_groups, n_classes = share.shape
    levels = [np.ones(n_groups + 1)]
    for k in range(1, n_classes + 1):
        gain = np.zeros(n_groups)
        product = np.ones(n_groups)
        for t in range(1, 2 if strict else k + 1):
            product = product * share[:, k - t]
            if not product.any():
                break  # no score has a run of this length
            gain += levels[k - t][:-1] * product / FACTORIALS[t]
        levels.append(np.concatenate([[0.0], np.cumsum(gain)]))
    return levels


def levels_above(share: Floats, *, strict: bool) -> list[Floats]:
    """For k = 0, 1, ...: share of chains of the classes from k on above each score."""
    mirrored = levels_below(share[::-1, ::-1], strict=strict)
    n_classes = share.shape[1]
    return [mirrored[n_classes - k][-2::-1] for k in range(n_classes + 1)]
