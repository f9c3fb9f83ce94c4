"""Several classes along one score, with rows held more than once or weighted: numpy twins.

`ranked` and `starts` describe rows sorted by rising score: the class of each, from 0 up, and 1
where a score differs from the one before; `held` says how often each row is there.
"""

from collections.abc import Iterator

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Integers, Ranks
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.ordering import levels_below
from rocwise.kernels.plain.resampling import class_times
from rocwise.kernels.resampling_tables import check_ranked


def class_wins(ranked: Codes, starts: Codes, held: Floats, own: int, n_classes: int) -> Floats:
    """For each class the sum over its rows of 2 * (own class above) + (own class tied).

    Examples
    --------
    >>> rows = np.array([0, 1, 0], np.uint8), np.ones(3, np.uint8), np.ones(3)
    >>> class_wins(*rows, 0, 2).tolist()
    [4.0, 2.0]
    """
    upto, first, last = _upto(np.where(ranked == own, held, 0.0), starts)
    seen = 2 * upto[-1] - upto[first] - upto[last]
    wins = np.bincount(ranked, held * seen, minlength=n_classes).astype(np.float64)
    refuse_nan(wins, what="the amounts")  # nan in a row is nan in a sum
    return wins


def class_credits(
    ranked: Codes,
    starts: Codes,
    held: Floats,
    order: Integers,
    own: int,
    sizes: Floats,
    weights: Floats,
    out: Floats | None = None,
) -> Floats:
    """Of each row how much its comparisons in the column of the own class bring, as DeLong's V.

    A row of the own class sees the mixture of the other classes below it, each with its weight; a
    row of another class sees the own class above it, times the weight of its class. Ties are half.
    `order` says which row each of the ranked ones is; the answer is by row, in `out` if given.

    Examples
    --------
    >>> rows = np.array([1, 0], np.uint8), np.ones(2, np.uint8), np.ones(2)
    >>> order, sizes, weights = np.array([1, 0]), np.array([1.0, 2.0]), np.array([0.0, 1.0])
    >>> class_credits(*rows, order, 0, sizes, weights).tolist()
    [0.5, 1.0]
    """
    refuse_nan(held, sizes, weights, what="the amounts, sizes or weights")
    is_own = ranked == own
    others, first, last = _upto(held * (weights / sizes)[ranked], starts)
    upto, _, _ = _upto(np.where(is_own, held / sizes[own], 0.0), starts)
    below, above = (others[first] + others[last]) / 2, 1.0 - (upto[first] + upto[last]) / 2
    out = np.empty(len(ranked)) if out is None else out
    out[order] = np.where(is_own, below, weights[ranked] * above)
    return out


def pair_wins(
    ranked: Codes, starts: Codes, held: Floats, n_classes: int, *, credit: bool
) -> Floats:
    """Sums over rows of class j of 2 * (class i below) + (class i tied, if credited): (i, j).

    Examples
    --------
    >>> rows = np.array([0, 1, 0], np.uint8), np.ones(3, np.uint8), np.ones(3)
    >>> pair_wins(*rows, 2, credit=False).tolist()
    [[2.0, 2.0], [2.0, 0.0]]
    """
    wins = np.empty((n_classes, n_classes))
    for i in range(n_classes):
        upto, first, last = _upto(np.where(ranked == i, held, 0.0), starts)
        seen = upto[first] + (upto[last] if credit else upto[first])
        wins[i] = np.bincount(ranked, held * seen, minlength=n_classes)
    refuse_nan(wins, what="the amounts")
    return wins


def held_volume(
    ranked: Codes, starts: Codes, held: Floats, sizes: Floats, *, strict: bool
) -> float:
    """Share of the chains that are in order; rows of class k count held / sizes[k].

    Examples
    --------
    >>> rows = np.array([0, 1, 0, 1], np.uint8), np.ones(4, np.uint8), np.ones(4)
    >>> held_volume(*rows, np.array([2.0, 2.0]), strict=True)
    0.75
    """
    n_classes = len(sizes)
    group = np.cumsum(starts, dtype=np.int64) - 1
    cells = np.bincount(group * n_classes + ranked, held, minlength=(group[-1] + 1) * n_classes)
    volume = float(levels_below(cells.reshape(-1, n_classes) / sizes, strict=strict)[-1][-1])
    refuse_nan(volume, what="the amounts or the sizes")
    return volume


def _upto(amounts: Floats, starts: Codes) -> tuple[Floats, Counts, Counts]:
    """Sums before each row and in all; of each row, where its score begins and ends in them."""
    upto = np.concatenate([[0.0], np.cumsum(amounts)])
    group = np.cumsum(starts, dtype=np.int64) - 1
    edges = np.append(np.flatnonzero(starts), len(starts))
    return upto, edges[group], edges[group + 1]


def resample_class_wins(
    ranked: Codes,
    places: Ranks,
    sizes: Counts,
    seed: int,
    first: int,
    last: int,
    *,
    starts: Codes | None = None,
) -> Floats:
    """`class_wins` of columns, in resamples within classes: (resample, column, class).

    A column is a ranking by the score of the class that has its number (of several models one after
    another): `ranked` is (columns, rows), and `places` says where each ranked row stands among the
    rows of the first class, then of the second, and so on. `starts` is 1 where a score differs from
    the one before, if scores are tied.

    Examples
    --------
    >>> ranked, places = np.array([[0, 1], [0, 1]], np.uint8), np.array([[0, 1], [0, 1]], np.int32)
    >>> resample_class_wins(ranked, places, np.array([1, 1]), 1, 0, 1).tolist()
    [[[1.0, 0.0], [2.0, 1.0]]]
    """
    check_ranked(ranked, places, sizes, seed, first, last, starts=starts)
    drawn = _drawn(ranked, places, sizes, seed, first, last)
    m, starts = len(sizes), np.ones(ranked.shape, np.uint8) if starts is None else starts
    return np.array(
        [
            [class_wins(ranked[c], starts[c], held[c], c % m, m) for c in range(len(ranked))]
            for held in drawn
        ]
    ).reshape(last - first, len(ranked), m)


def resample_pair_wins(
    ranked: Codes, places: Ranks, sizes: Counts, seed: int, first: int, last: int, *, credit: bool
) -> Floats:
    """`pair_wins` of scores without ties, in resamples within classes: (resample, score, i, j).

    See `resample_class_wins`; each column is a score of its own.

    Examples
    --------
    >>> ranked, places = np.array([[0, 1]], np.uint8), np.array([[0, 1]], np.int32)
    >>> resample_pair_wins(ranked, places, np.array([1, 1]), 1, 0, 1, credit=False).tolist()
    [[[[0.0, 2.0], [0.0, 0.0]]]]
    """
    drawn = _drawn(ranked, places, sizes, seed, first, last)
    m, starts = len(sizes), np.ones(ranked.shape[1], np.uint8)
    return np.array(
        [
            [pair_wins(ranked[c], starts, held[c], m, credit=credit) for c in range(len(ranked))]
            for held in drawn
        ]
    ).reshape(last - first, len(ranked), m, m)


def resample_volumes(
    ranked: Codes, places: Ranks, sizes: Counts, seed: int, first: int, last: int
) -> Floats:
    """`held_volume` of scores without ties, in resamples within classes: (resample, score).

    See `resample_class_wins`; each column is a score of its own.

    Examples
    --------
    >>> ranked, places = np.array([[0, 1]], np.uint8), np.array([[0, 1]], np.int32)
    >>> resample_volumes(ranked, places, np.array([1, 1]), 1, 0, 1).tolist()
    [[1.0]]
    """
    drawn = _drawn(ranked, places, sizes, seed, first, last)
    shares, starts = sizes.astype(np.float64), np.ones(ranked.shape[1], np.uint8)
    return np.array(
        [
            [held_volume(ranked[c], starts, held[c], shares, strict=True) for c in range(len(held))]
            for held in drawn
        ]
    ).reshape(last - first, len(ranked))


def _drawn(
    ranked: Codes, places: Ranks, sizes: Counts, seed: int, first: int, last: int
) -> Iterator[Floats]:
    """How often each row of every column is drawn, one resample after the other."""
    check_ranked(ranked, places, sizes, seed, first, last)
    by_class = np.arange(ranked.shape[1])
    for replicate in range(first, last):
        yield class_times(by_class, sizes, seed, replicate)[places]
