"""Pairs of rows and chains through classes: areas, the volume under the ROC surface, its parts.

A chain has one row of every class. It is in order when its scores rise from class to class; a
chain whose scores fall nowhere, with runs of t equal scores, earns the product of 1 / t! unless
`strict`. `ranked` and `starts` describe rows sorted by score: the class of each, from 0 up, and 1
where a score differs from the one before. A row of class k counts weight / sizes[k].
"""

from itertools import accumulate
from operator import mul
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Codes, Flags, Floats, Places
from rocwise.kernels.nan import check_no_nan
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.threads import interruptible

_chains = compiled_module("_chains")
MOST_CLASSES = 256
# as floats, one product after the other: beyond 170! infinite, and the credit of such a run is 0
FACTORIALS: list[float] = list(accumulate([1.0, *map(float, range(1, MOST_CLASSES + 1))], mul))


class PairSums(NamedTuple):
    """Sums over the pairs that each row forms with rows of later, and of earlier, groups."""

    later: Floats  # of row i: the sum of `later[j]` psi(M_i, M_j) over rows j of later groups
    earlier: Floats  # of row j: the sum of `earlier[i]` psi(M_i, M_j) over rows i of earlier groups


def chain_volume(
    ranked: Codes, starts: Codes, sizes: Floats, weights: Floats | None = None, *, strict: bool
) -> float:
    """Proportion of all chains that are in order (Waegeman et al., (8)); ties earn credit."""
    rows = _checked(ranked, starts, sizes, weights)
    if _chains is None:
        volume = levels_below(_proportions(*rows), strict=strict)[-1][-1]
    else:
        volume = interruptible(_chains.chain_volume, *rows, strict, rows=ranked.size * sizes.size)
    return float(_without_nan(np.asarray(volume)))


def chain_parts(
    ranked: Codes, starts: Codes, sizes: Floats, weights: Floats | None = None, *, strict: bool
) -> Floats:
    """For each sorted row the proportion of the chains through it that are in order."""
    rows = _checked(ranked, starts, sizes, weights)
    if _chains is None:
        table = _parts_at_scores(_proportions(*rows), strict=strict)
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
    """Arrays as the compiled loops read them, without checks."""
    weights = np.ones(len(ranked)) if weights is None else weights
    if ranked.ndim != 1 or not ranked.shape == starts.shape == weights.shape:
        raise ValueError(
            f"`ranked` has shape {ranked.shape}, `starts` {starts.shape}, `weights` "
            f"{weights.shape}."
        )
    if not 1 <= n_classes <= MOST_CLASSES or not len(ranked) or ranked.max() >= n_classes:
        raise ValueError(
            f"`ranked` must contain classes below {n_classes}, at most {MOST_CLASSES}."
        )
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


def _proportions(ranked: Codes, starts: Codes, weights: Floats, sizes: Floats) -> Floats:
    """Proportion of every class at each distinct score, (scores, classes)."""
    group = np.cumsum(starts, dtype=np.int64) - 1  # of bytes it would be uint64
    shape = int(group[-1]) + 1, len(sizes)
    cells = np.bincount(group * shape[1] + ranked, weights, minlength=shape[0] * shape[1])
    return cells.reshape(shape) / sizes


def _parts_at_scores(proportions: Floats, *, strict: bool) -> Floats:
    """Proportion of the chains in order through a row of each class at each score."""
    n_classes = proportions.shape[1]
    below = [level[:-1] for level in levels_below(proportions, strict=strict)]
    above = levels_above(proportions, strict=strict)
    table = np.zeros(proportions.shape)
    for k in range(n_classes):
        lower = np.ones(len(proportions))
        for a in range(k, k - 1 if strict else -1, -1):
            lower = lower * proportions[:, a] if a < k else lower
            upper = lower
            for b in range(k, n_classes if not strict else k + 1):
                upper = upper * proportions[:, b] if b > k else upper
                table[:, k] += below[a] * above[b + 1] * upper / FACTORIALS[b - a + 1]
    return table


def levels_below(proportions: Floats, *, strict: bool) -> list[Floats]:
    """For k = 0, 1, ...: fraction of chains of the first k classes below each score and inf."""
    n_scores, n_classes = proportions.shape
    levels = [np.ones(n_scores + 1)]
    for k in range(1, n_classes + 1):
        gain = np.zeros(n_scores)
        product = np.ones(n_scores)
        for t in range(1, 2 if strict else k + 1):
            product = product * proportions[:, k - t]
            if not product.any():
                break  # no score has a run of this length
            gain += levels[k - t][:-1] * product / FACTORIALS[t]
        levels.append(np.concatenate([[0.0], np.cumsum(gain)]))
    return levels


def levels_above(proportions: Floats, *, strict: bool) -> list[Floats]:
    """For k = 0, 1, ...: proportion of chains of the classes from k on above each score."""
    mirrored = levels_below(proportions[::-1, ::-1], strict=strict)
    n_classes = proportions.shape[1]
    return [mirrored[n_classes - k][-2::-1] for k in range(n_classes + 1)]


def pair_sums(group: Places, rank: Places, later: Floats, earlier: Floats) -> PairSums:
    """Sums over pairs (i, j), i in an earlier group, with psi = 1, 1/2, 0 of their ranks."""
    if group.ndim != 1 or not group.shape == rank.shape == later.shape == earlier.shape:
        raise ValueError("`group`, `rank`, `later` and `earlier` must have one value per row.")
    if not len(group) or min(group.min(), rank.min()) < 0:
        raise ValueError("`group` and `rank` must be numbers from 0.")
    if _chains is None:
        return _pair_sums(group, rank, later, earlier)
    ordered = bool((group[1:] >= group[:-1]).all())
    order = np.arange(len(group)) if ordered else np.argsort(group, kind="stable")
    columns = [np.ascontiguousarray(each, np.int64) for each in (order, group, rank)]
    columns += [np.ascontiguousarray(each, np.float64) for each in (later, earlier)]
    trees = np.zeros((4, int(rank.max()) + 2))
    found = PairSums(np.empty(len(group)), np.empty(len(group)))
    interruptible(_chains.pair_sums, *columns, trees, *found, rows=len(group))
    return found


def _pair_sums(group: Places, rank: Places, later: Floats, earlier: Floats) -> PairSums:
    """The same by bits of the group, the highest first, so that two groups part once.

    Before each split the rows of a part are in order of rank, and the sums over rows that leave
    the part of a row are cumulative sums.
    """
    n_groups = int(group.max()) + 1
    first = np.append(0, np.cumsum(np.bincount(group, minlength=n_groups)))
    own = np.argsort(rank, kind="stable")
    tied = int(rank.max()) + 1 < len(rank)
    found = PairSums(np.zeros(len(group)), np.zeros(len(group)))
    for bit in reversed(range((n_groups - 1).bit_length())):
        g = group[own]
        part = g >> (bit + 1)
        start, end = (first[np.minimum(k << (bit + 1), n_groups)] for k in (part, part + 1))
        upper = (g & (1 << bit)) != 0
        run = _starts_of_runs(rank[own], start) if tied else None
        below = _below(np.where(upper, later[own], 0.0), start, run)[0]
        found.later[own] += np.where(upper, 0.0, below)
        below, upto = _below(np.where(upper, 0.0, earlier[own]), start, run)
        found.earlier[own] += np.where(upper, upto[end] - upto[start] - below, 0.0)
        lower = np.append(0, np.cumsum(~upper))  # rows of lower parts before each place
        place = np.where(upper, lower[end] - lower[:-1], 0) + np.arange(len(own))
        place = np.where(upper, place, lower[:-1] + start - lower[start])
        moved = np.empty_like(own)
        moved[place] = own
        own = moved
    return found


def _starts_of_runs(rank: Places, start: Places) -> Flags:
    """Whether each row begins a run of equal ranks within its part."""
    found = np.ones(len(rank), np.bool_)
    found[1:] = (rank[1:] != rank[:-1]) | (start[1:] != start[:-1])
    return found


def _below(row_weights: Floats, start: Places, run: Flags | None) -> tuple[Floats, Floats]:
    """Sum of the weights below each row of its part and half of those at its rank; all sums."""
    upto = np.append(0.0, np.cumsum(row_weights))
    if run is None:
        return upto[:-1] + row_weights / 2 - upto[start], upto
    firsts = np.flatnonzero(run)
    middle = (upto[firsts] + upto[np.append(firsts[1:], len(run))]) / 2
    return middle[np.cumsum(run) - 1] - upto[start], upto
