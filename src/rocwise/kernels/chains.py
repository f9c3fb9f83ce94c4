"""Pairs of rows and chains through classes: areas, the volume under the ROC surface, its parts.

A chain has one row of every class. It is in order when its scores rise from class to class; a
chain whose scores fall nowhere, with runs of t equal scores, earns the product of 1 / t! unless
`strict`. `ranked` and `starts` describe rows sorted by score: the class of each, from 0 up, and 1
where a score differs from the one before. A row of class k counts weight / sizes[k].
"""

from itertools import accumulate
from operator import mul

import numpy as np

from rocwise.arrays import Codes, Floats
from rocwise.kernels.nan import check_no_nan
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.threads import interruptible

_chains = compiled_module("_chains")
MOST_CLASSES = 256
# as floats, one product after the other: beyond 170! infinite, and the credit of such a run is 0
FACTORIALS: list[float] = list(accumulate([1.0, *map(float, range(1, MOST_CLASSES + 1))], mul))


def chain_volume(
    ranked: Codes, starts: Codes, sizes: Floats, weights: Floats | None = None, *, strict: bool
) -> float:
    """Share of all chains that are in order (Waegeman et al., (8)); ties earn credit."""
    rows = _checked(ranked, starts, sizes, weights)
    if _chains is None:
        volume = levels_below(_shares(*rows), strict=strict)[-1][-1]
    else:
        volume = interruptible(_chains.chain_volume, *rows, strict, rows=ranked.size * sizes.size)
    return float(_without_nan(np.asarray(volume)))


def chain_parts(
    ranked: Codes, starts: Codes, sizes: Floats, weights: Floats | None = None, *, strict: bool
) -> Floats:
    """For each sorted row the share of the chains through it that are in order."""
    rows = _checked(ranked, starts, sizes, weights)
    if _chains is None:
        table = _parts_at_scores(_shares(*rows), strict=strict)
        return _without_nan(table[np.cumsum(rows[1]) - 1, rows[0]])
    mixed = np.count_nonzero((ranked[1:] != ranked[:-1]) & (starts[1:] == 0))  # at most so many
    parts, kept = np.empty(len(ranked)), np.empty((mixed, len(sizes) + 1))
    interruptible(_chains.chain_parts, *rows, strict, parts, kept, rows=ranked.size * sizes.size)
    return _without_nan(parts)


def pair_wins(
    ranked: Codes,
    starts: Codes,
    weights: Floats | None,
    n_classes: int,
    *,
    own: int | None = None,
    credit: bool = True,
) -> Floats:
    """Sums over rows of class j of 2 * (class i below) + (class i tied), of i = `own` or all."""
    rows = _checked_rows(ranked, starts, weights, n_classes)
    first, last = (0, n_classes) if own is None else (own, own + 1)
    wins = np.zeros((last - first, n_classes))
    if _chains is not None:
        size = ranked.size * (last - first)
        interruptible(_chains.pair_wins, *rows, first, last, credit, wins, rows=size)
        return _without_nan(wins)
    edges = np.append(np.flatnonzero(rows[1]), len(ranked))
    group = np.cumsum(rows[1], dtype=np.intp) - 1
    for i in range(first, last):
        upto = np.concatenate([[0.0], np.cumsum(np.where(ranked == i, rows[2], 0.0))])[edges]
        seen = upto[:-1] + (upto[1:] if credit else upto[:-1])
        wins[i - first] = np.bincount(ranked, rows[2] * seen[group], minlength=n_classes)
    return _without_nan(wins)


def _without_nan(found: Floats) -> Floats:
    """What was found, unless a weight or a size was nan."""
    check_no_nan(found, what="the weights or the sizes")
    return found


def _checked_rows(
    ranked: Codes, starts: Codes, weights: Floats | None, n_classes: int
) -> tuple[Codes, Codes, Floats]:
    """Arrays as the compiled loops read them, which trust their input."""
    weights = np.ones(len(ranked)) if weights is None else weights
    if ranked.ndim != 1 or not ranked.shape == starts.shape == weights.shape:
        raise ValueError(
            f"`ranked` has shape {ranked.shape}, `starts` {starts.shape}, `weights` "
            f"{weights.shape}."
        )
    if not 1 <= n_classes <= MOST_CLASSES or not len(ranked) or ranked.max() >= n_classes:
        raise ValueError(f"`ranked` must hold classes below {n_classes}, at most {MOST_CLASSES}.")
    if not starts[0]:
        raise ValueError("the first row must start a score.")
    return (
        np.ascontiguousarray(ranked, np.uint8),
        np.ascontiguousarray(starts, np.uint8),
        np.ascontiguousarray(weights, np.float64),
    )


def _checked(
    ranked: Codes, starts: Codes, sizes: Floats, weights: Floats | None
) -> tuple[Codes, Codes, Floats, Floats]:
    if sizes.ndim != 1:
        raise ValueError(f"`sizes` has shape {sizes.shape}.")
    rows = _checked_rows(ranked, starts, weights, len(sizes))
    return *rows, np.ascontiguousarray(sizes, np.float64)


def _shares(ranked: Codes, starts: Codes, weights: Floats, sizes: Floats) -> Floats:
    """Share of every class at each distinct score, (scores, classes)."""
    group = np.cumsum(starts, dtype=np.int64) - 1  # of bytes it would be uint64
    shape = int(group[-1]) + 1, len(sizes)
    cells = np.bincount(group * shape[1] + ranked, weights, minlength=shape[0] * shape[1])
    return cells.reshape(shape) / sizes


def _parts_at_scores(share: Floats, *, strict: bool) -> Floats:
    """Share of the chains in order through a row of each class at each score."""
    n_classes = share.shape[1]
    below = [level[:-1] for level in levels_below(share, strict=strict)]
    above = levels_above(share, strict=strict)
    table = np.zeros(share.shape)
    for k in range(n_classes):
        lower = np.ones(len(share))
        for a in range(k, k - 1 if strict else -1, -1):
            lower = lower * share[:, a] if a < k else lower
            upper = lower
            for b in range(k, n_classes if not strict else k + 1):
                upper = upper * share[:, b] if b > k else upper
                table[:, k] += below[a] * above[b + 1] * upper / FACTORIALS[b - a + 1]
    return table


def levels_below(share: Floats, *, strict: bool) -> list[Floats]:
    """For k = 0, 1, ...: share of chains of the first k classes below each score, and below inf."""
    n_scores, n_classes = share.shape
    levels = [np.ones(n_scores + 1)]
    for k in range(1, n_classes + 1):
        gain = np.zeros(n_scores)
        product = np.ones(n_scores)
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
