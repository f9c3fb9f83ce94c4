"""Ways to hand out labels among one case of each class: numpy twin."""

from itertools import permutations

import numpy as np

from rocwise.arrays import Flags, Floats, Places
from rocwise.kernels.no_nan import refuse_nan

STEP = 4_000  # tuples that are looked at together: their gains stay in a near cache


def tuple_credits(table: Floats, chosen: Places, noise: float) -> Floats:
    """What each tuple earns: 1 if its true labelling is best alone, 1/t if t tie, else 0.

    Another labelling is a set of cycles along which labels are passed on; the true one is best
    unless some cycle gains. Longest paths (Floyd and Warshall) find that without trying all m!
    labellings; those that tie take only steps that lie on cycles without gain.

    Parameters
    ----------
    table : ndarray of float64 (n, m)
        What each row adds to the score of a labelling that gives it each label.
    chosen : ndarray of int64 (m, tuples)
        The row of each class in every tuple.
    noise : float
        What sums of scores may be wrong by: a gain counts that is larger.

    Examples
    --------
    >>> table = np.array([[0.75, 0.25], [0.5, 0.5], [0.25, 0.5]])
    >>> tuple_credits(table, np.array([[0, 1, 1], [2, 1, 2]]), 1e-12).tolist()
    [1.0, 0.5, 1.0]
    """
    refuse_nan(table, noise, what="the scores or their noise")
    steps = [chosen[:, first : first + STEP] for first in range(0, chosen.shape[1], STEP)]
    return np.concatenate([np.empty(0), *(_credits(table, some, noise) for some in steps)])


def _credits(table: Floats, chosen: Places, noise: float) -> Floats:
    """The same for a few tuples."""
    m, tuples = chosen.shape
    # gains[k, l]: what the case of class k gains by the label l, for all tuples in a row
    gains, longer = np.empty((m, m, tuples)), np.empty((m, m, tuples))
    for k in range(m):
        scores = np.take(table, chosen[k], axis=0)
        np.subtract(scores.T, scores[:, k], out=gains[k])
    paths = gains.copy()
    for via in range(m):
        np.add(paths[:, via, None], paths[None, via, :], out=longer)
        np.maximum(paths, longer, out=paths)
    best = paths[np.arange(m), np.arange(m)].max(axis=0) <= noise
    earned: Floats = best.astype(np.float64)
    tight = np.add(gains, paths.transpose(1, 0, 2), out=longer) >= -noise
    tight[np.arange(m), np.arange(m)] = False
    shared = np.flatnonzero(best & tight.any(axis=(0, 1)))
    if len(shared):
        tight[np.arange(m), np.arange(m)] = True
        patterns, place = np.unique(
            tight[:, :, shared].reshape(m * m, -1), axis=1, return_inverse=True
        )
        counts = np.array([labellings(pattern.reshape(m, m)) for pattern in patterns.T])
        earned[shared] = 1.0 / counts[place.ravel()]
    return earned


def labellings(allowed: Flags) -> int:
    """In how many ways every case gets a label of its own that it may have.

    >>> labellings(np.array([[True, True], [True, True]]))
    2
    """
    m = len(allowed)
    if m <= 4:
        return sum(all(allowed[range(m), order]) for order in permutations(range(m)))
    # one case after the other; the key is the set of labels that are taken
    ways = {0: 1}
    for case in range(m):
        reached: dict[int, int] = {}
        for taken, count in ways.items():
            for label in np.flatnonzero(allowed[case]).tolist():
                if not taken >> label & 1:
                    key = taken | 1 << label
                    reached[key] = reached.get(key, 0) + count
        ways = reached
    return ways[(1 << m) - 1]
