"""Variances of measures of ordered classes: DeLong-style, plug-in, unbiased, and under chance.

The numbers (B9) to (B13) of the comments: with h the credit of a chain and q_S the mean over the
rows of the classes S of the squared mean of h over all other rows,

    (B10) unbiased   volume**2 - sum_S (-1)**|S| q_S prod_S 1/(n-1) prod_not_S n/(n-1)
    (B11) plug-in    sum_S prod_not_S (n-1) (q_S - volume**2) / prod n
    (B12) DeLong     sum_k var(V_k) / n_k, V_k(x) the mean of h over the chains through x
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from rocwise.arrays import Floats
from rocwise.data.rankings import Ranking
from rocwise.errors import InputError

MOST_CLASSES_BY_SUBSETS = 8
MOST_CLASSES_BY_CHANCE = 50  # beyond, squares of 1/r! leave the range of floats


def subset_variance(ranking: Ranking, ties: str, method: str) -> float:
    """The unbiased or the plug-in variance of the volume."""
    ranking.refuse_single_rows(f"method={method!r}")
    if not ranking.alike:
        raise InputError(
            f"method={method!r} is for independent rows of equal weight; with weights or groups "
            "use method='delong' or 'bootstrap'."
        )
    if ranking.n_classes > MOST_CLASSES_BY_SUBSETS:
        raise InputError(
            f"method={method!r} sums over all subsets of the classes and takes at most "
            f"{MOST_CLASSES_BY_SUBSETS}; got {ranking.n_classes}. Use method='delong'."
        )
    means = {S: shared_mean(ranking.share, S, strict=ties == "strict") for S in subsets(ranking)}
    return combined(means, ranking.sizes, means[()], method)


def combined(
    means: dict[tuple[int, ...], float], sizes: Floats, squared: float, method: str
) -> float:
    """(B10) or (B11) from the mean of every subset; `squared` is the product of the volumes."""
    total = 0.0
    for S, mean in means.items():
        others = [k for k in range(len(sizes)) if k not in S]
        inside, outside = sizes[list(S)], sizes[others]
        if method == "unbiased":
            weight = np.prod(1 / (inside - 1)) * np.prod(outside / (outside - 1))
            total -= (-1) ** len(S) * float(weight) * mean
        elif S:
            weight = np.prod(1 / inside) * np.prod((outside - 1) / outside)
            total += float(weight) * (mean - squared)
    return squared + total if method == "unbiased" else total


def subsets(ranking: Ranking) -> list[tuple[int, ...]]:
    """All subsets of the classes, the empty one first."""
    r = ranking.n_classes
    return [S for size in range(r + 1) for S in combinations(range(r), size)]


def shared_mean(share: Floats, S: tuple[int, ...], *, strict: bool) -> float:
    """Mean of h h' over pairs of chains that share the rows of the classes S.

    Both chains are walked at once, from the lowest score up: state (i, j) holds the pairs of which
    one has passed i classes and the other j. They take the rows of S together, all others each on
    its own. As in the walk of one chain, a gain at a score rests on states below it only, so each
    state is one cumulative sum: no tuple is listed.
    """
    n_scores, r = share.shape
    runs = _runs(share, strict)
    own = [np.ones(n_scores) if k in S else share[:, k] for k in range(r)]
    states = {(0, 0): np.ones(n_scores + 1)}
    for i in range(r + 1):
        for j in range(r + 1):
            if (i, j) == (0, 0) or not _agree(S, 0, 0, i, j):
                continue
            gain = np.zeros(n_scores)
            for a, b in _sources(states, runs, i, j):
                if _agree(S, a, b, i, j):
                    weight = runs[a, i]
                    for k in range(b, j):
                        weight = weight * own[k]
                    gain += states[a, b][:-1] * weight / math.factorial(j - b)
            states[i, j] = np.concatenate([[0.0], np.cumsum(gain)])
    return float(states[r, r][-1])


def _runs(share: Floats, strict: bool) -> dict[tuple[int, int], Floats]:
    """Credit of taking the classes a..i-1 at one score, for the runs that occur."""
    r = share.shape[1]
    runs = {(a, a): np.ones(len(share)) for a in range(r + 1)}
    for length in range(1, 2 if strict else r + 1):
        for a in range(r + 1 - length):
            product = np.prod(share[:, a : a + length], axis=1) / math.factorial(length)
            if product.any():
                runs[a, a + length] = product
    return runs


def _sources(
    states: dict[tuple[int, int], Floats], runs: dict[tuple[int, int], Floats], i: int, j: int
) -> list[tuple[int, int]]:
    """States from which (i, j) is reached at one score."""
    return [(a, b) for a, b in states if (a, b) != (i, j) and (a, i) in runs and (b, j) in runs]


def _agree(S: tuple[int, ...], a: int, b: int, i: int, j: int) -> bool:
    """Whether both chains take the same shared classes on the way from (a, b) to (i, j)."""
    return [k for k in S if a <= k < i] == [k for k in S if b <= k < j]


def chance_variance(measure: str, sizes: Floats, weights: Floats | None = None) -> float:
    """Variance of a measure when all classes have one continuous distribution, exactly."""
    if measure == "volume":
        return _chance_variance_of_volume(sizes)
    assert weights is not None
    return _chance_variance_of_pairs(sizes, weights)


def _chance_variance_of_volume(sizes: Floats) -> float:
    """(B13) in (B9): zeta_S = prod over gaps g of C(2g, g) / (2r - |S|)! - 1 / r!**2.

    Gaps are the numbers of classes not shared before, between and after the members of S; the sum
    over all S walks from member to member.
    """
    r = len(sizes)
    if r > MOST_CLASSES_BY_CHANCE:
        raise InputError(
            f"measure='volume' is held against chance for at most {MOST_CLASSES_BY_CHANCE} "
            f"classes; got {r}. Use measure='pairs'."
        )
    # totals[m][k]: sum over S with m members, the last being class k - 1 (k = 0: no member yet)
    totals = [[0.0] * (r + 1) for _ in range(r + 1)]
    totals[0][0] = 1.0
    left_out = np.concatenate([[1.0], np.cumprod((sizes - 1) / sizes)])
    joint = 0.0
    for members in range(r + 1):
        for last in range(r + 1):
            mass = totals[members][last]
            if mass == 0.0:
                continue
            for following in range(last + 1, r + 1):
                gap = following - 1 - last
                free = np.prod(((sizes - 1) / sizes)[last : following - 1])
                step = mass * math.comb(2 * gap, gap) * float(free) / sizes[following - 1]
                totals[members + 1][following] += step
            if members:
                gap = r - last
                free = np.prod(((sizes - 1) / sizes)[last:])
                ends = mass * math.comb(2 * gap, gap) * float(free)
                joint += ends / math.factorial(2 * r - members)
    apart = 1.0 - float(left_out[-1])
    return joint - apart / math.factorial(r) ** 2


def _chance_variance_of_pairs(sizes: Floats, weights: Floats) -> float:
    """Two areas covary through the class they share, with 1/12: alike if it is lower in both."""
    signed = weights - weights.T  # row k: + where k is the lower class, - where it is the higher
    through = (signed.sum(axis=1) ** 2 / (12 * sizes)).sum()
    single = (weights**2 / np.outer(12 * sizes, sizes)).sum()
    return float(through + single)
