"""Several classes along one score, with rows held more than once or weighted: numpy twins.

`ranked` and `starts` describe rows sorted by rising score: the class of each, from 0 up, and 1
where a score differs from the one before; `held` says how often each row is there.
"""

import numpy as np

from rocwise.arrays import Codes, Counts, Floats
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.ordering import levels_below


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
