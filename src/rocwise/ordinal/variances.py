"""Unbiased and plug-in covariances of the volumes of several scores of the same rows.

Given the rows that two chains share, each chain falls into independent pieces between them: the
mean over shared rows is a product of matrices, one per step from a shared class to the next.
"""

import math
from itertools import combinations, combinations_with_replacement, pairwise, product

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.data.rankings import Ranking
from rocwise.errors import InputError
from rocwise.kernels.chains import levels_above, levels_below

MOST_CLASSES_BY_SUBSETS = 8
MOST_CLASSES_BY_CHANCE = 50  # beyond, squares of 1/r! leave the range of floats


def subset_variance(ranking: Ranking, ties: str, method: str) -> float:
    """The unbiased or the plug-in variance of the volume."""
    ranking.check_two_rows(f"method={method!r}")
    if not ranking.is_iid:
        raise InputError(
            f"method={method!r} is for independent rows of equal weight; with weights or groups "
            "use method='delong' or 'bootstrap'."
        )
    if ranking.n_classes > MOST_CLASSES_BY_SUBSETS:
        raise InputError(
            f"method={method!r} sums over all subsets of the classes and takes at most "
            f"{MOST_CLASSES_BY_SUBSETS}; got {ranking.n_classes}. Use method='delong'."
        )
    means = {
        S: shared_mean(ranking.proportions, S, strict=ties == "strict") for S in subsets(ranking)
    }
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


def shared_mean(proportions: Floats, S: tuple[int, ...], *, strict: bool) -> float:
    """Mean of h h' over pairs of chains that share the rows of the classes S.

    Both chains are walked at once, from the lowest score up: state (i, j) has the pairs of which
    one has passed i classes and the other j. They take the rows of S together, all others each on
    its own. As in the walk of one chain, a gain at a score rests on states below it only, so each
    state is one cumulative sum: no tuple is listed.
    """
    n_scores, r = proportions.shape
    taken_once = proportions.copy()
    taken_once[:, list(S)] = 1.0
    runs, others = _runs(proportions, strict), _runs(taken_once, strict)
    states = {(0, 0): np.ones(n_scores + 1)}
    for i, j in product(range(r + 1), repeat=2):
        if (i, j) == (0, 0) or not _agree(S, 0, 0, i, j):
            continue
        gain = np.zeros(n_scores)
        for (a, b), mass in states.items():
            if (a, i) in runs and (b, j) in runs and _agree(S, a, b, i, j):
                gain += mass[:-1] * runs[a, i] * others[b, j]
        states[i, j] = np.append(0.0, np.cumsum(gain))
    return float(states[r, r][-1])


def _runs(proportions: Floats, strict: bool) -> dict[tuple[int, int], Floats]:
    """Credit of taking the classes a..i-1 at one score, for the runs that occur."""
    r = proportions.shape[1]
    runs = {(a, a): np.ones(len(proportions)) for a in range(r + 1)}
    for a in range(r):
        credit = runs[a, a]
        for length in range(1, (1 if strict else r - a) + 1):
            credit = credit * proportions[:, a + length - 1] / length
            if not credit.any():
                break
            runs[a, a + length] = credit
    return runs


def _agree(S: tuple[int, ...], a: int, b: int, i: int, j: int) -> bool:
    """Whether both chains take the same shared classes on the way from (a, b) to (i, j)."""
    return [k for k in S if a <= k < i] == [k for k in S if b <= k < j]


def chance_variance(sizes: Floats, weights: Floats | None) -> float:
    """Variance when all classes have one continuous distribution, exactly; weights None: volume.

    (B13) in (B9): zeta_S = prod over gaps g of C(2g, g) / (2r - |S|)! - 1 / r!**2. Gaps are the
    numbers of classes not shared before, between and after the members of S; the sum over all S
    walks from member to member.
    """
    if weights is not None:  # two areas covary through the class they share, with 1/12
        signed = weights - weights.T  # row k: + where k is the lower class, - where the higher
        through = (signed.sum(axis=1) ** 2 / (12 * sizes)).sum()
        return float(through + (weights**2 / np.outer(12 * sizes, sizes)).sum())
    r = len(sizes)
    if r > MOST_CLASSES_BY_CHANCE:
        raise InputError(
            f"measure='volume' is tested against chance for at most {MOST_CLASSES_BY_CHANCE} "
            f"classes; got {r}. Use measure='pairs'."
        )
    # totals[m, k]: sum over S with m members, the last being class k - 1 (k = 0: no member yet,
    # k = r + 1: no further one)
    totals = np.zeros((r + 2, r + 2))
    totals[0, 0] = 1.0
    left_out, shared = (sizes - 1) / sizes, np.append(1 / sizes, 1.0)
    for members, last in combinations_with_replacement(range(r + 1), 2):
        for following in range(last + 1, r + 2):
            gap = following - 1 - last
            free = math.comb(2 * gap, gap) * np.prod(left_out[last : following - 1])
            totals[members + 1, following] += totals[members, last] * free * shared[following - 1]
    joint = sum(totals[m + 1, -1] / math.factorial(2 * r - m) for m in range(1, r + 1))
    rest = 1.0 - float(np.prod(left_out))
    return float(joint - rest / math.factorial(r) ** 2)


MOST_ROWS = 4000


def subset_covariance(samples: list[Ranking], ties: str, method: str) -> Floats:
    """Covariance matrix of the volumes; the diagonal is that of `variances`."""
    matrix = np.diag([subset_variance(sample, ties, method) for sample in samples])
    if len(samples[0]) > MOST_ROWS or samples[0].n_classes > MOST_CLASSES_BY_SUBSETS:
        raise InputError(
            f"method={method!r} keeps tables with the square of the number of rows and takes at "
            f"most {MOST_ROWS:,} rows; got {len(samples[0]):,}. Use method='delong'."
        )
    pieces = [Pieces(sample, strict=ties == "strict") for sample in samples]
    for i in range(len(samples)):
        for j in range(i):
            means = {S: _shared_mean(pieces[i], pieces[j], S) for S in subsets(samples[0])}
            matrix[i, j] = matrix[j, i] = combined(means, samples[0].sizes, means[()], method)
    return matrix


def _shared_mean(first: "Pieces", second: "Pieces", S: tuple[int, ...]) -> float:
    """Mean over the rows of the classes S of the product of both scores' mean credits."""
    if not S:
        return first.volume * second.volume
    states = {
        (t, u): first.start(S[0])[t] * second.start(S[0])[u]
        for t in first.start(S[0])
        for u in second.start(S[0])
    }
    for a, b in pairwise(S):
        reached: dict[tuple[int, int], Floats] = {}
        for (t, u), mass in states.items():
            for t2, left in first.between(a, b, t).items():
                for u2, right in second.between(a, b, u).items():
                    gain = mass @ (left * right) / len(mass)
                    reached[t2, u2] = reached.get((t2, u2), 0.0) + gain
        states = reached
    last = S[-1]
    return sum(
        float((mass * first.end(last, t) * second.end(last, u)).mean())
        for (t, u), mass in states.items()
    )


class Pieces:
    """Pieces of chains of one score, by the lengths of the ties that are open at the row."""

    def __init__(self, ranking: Ranking, *, strict: bool) -> None:
        self.proportions: Floats = ranking.proportions
        self.strict: bool = strict
        self.groups: list[Places] = [
            ranking.group[ranking.codes == k] for k in range(ranking.n_classes)
        ]
        self.below: list[Floats] = levels_below(self.proportions, strict=strict)
        self.above: list[Floats] = levels_above(self.proportions, strict=strict)
        self.volume: float = float(self.below[-1][-1])
        self._known: dict[tuple[int, int, int], dict[int, Floats]] = {}

    def _tied(self, k: int, first: int, last: int) -> Floats:
        """Product of the proportions of the classes first..last-1 at the score of each row of k."""
        return np.asarray(np.prod(self.proportions[self.groups[k], first:last], axis=1))

    def _longest(self, most: int) -> int:
        return 0 if self.strict else most

    def start(self, b: int) -> dict[int, Floats]:
        """Chains of the classes below b that end at each row of class b."""
        place = self.groups[b]
        return {
            q + 1: self.below[b - q][place] * self._tied(b, b - q, b)
            for q in range(self._longest(b) + 1)
        }

    def end(self, a: int, t: int) -> Floats:
        """Chains of the classes above a that start from each row of class a, run t closed."""
        place = self.groups[a]
        total = np.zeros(len(place))
        for p in range(self._longest(self.proportions.shape[1] - 1 - a) + 1):
            onwards = self.above[a + p + 1][place] / math.factorial(t + p)
            total += self._tied(a, a + 1, a + p + 1) * onwards
        return total

    def between(self, a: int, b: int, t: int) -> dict[int, Floats]:
        """Chains of the classes between a and b, for every row of a and every row of b."""
        if (a, b, t) in self._known:
            return self._known[a, b, t]
        low, high = self.groups[a], self.groups[b]
        later = low[:, None] < high
        middles = self._middles(a, b)
        gap = b - a - 1
        found = {}
        for q in range(self._longest(gap) + 1):
            total = np.zeros(later.shape)
            for p in range(self._longest(gap - q) + 1):
                open_run = self._tied(a, a + 1, a + p + 1) / math.factorial(t + p)
                total += open_run[:, None] * middles[p][gap - p - q][:, high]
            found[q + 1] = np.where(later, total * self._tied(b, b - q, b), 0.0)
        if not self.strict:
            same = np.where(low[:, None] == high, self._tied(a, a + 1, b)[:, None], 0.0)
            longer = t + b - a
            found[longer] = found[longer] + same if longer in found else same
        self._known[a, b, t] = {run: mass for run, mass in found.items() if mass.any()}
        return self._known[a, b, t]

    def _middles(self, a: int, b: int) -> list[list[Floats]]:
        """[p][m]: chains of m classes from a + p + 1 on, above each row of a, below each score."""
        after = np.arange(len(self.proportions)) > self.groups[a][:, None]
        tables = []
        for p in range(self._longest(b - a - 1) + 1):
            levels = [np.ones((len(after), len(self.proportions) + 1))]
            for m in range(1, b - a - p):
                last = a + p + 1 + m
                gain = np.zeros(after.shape)
                for run in range(1, self._longest(m - 1) + 2):
                    tied = np.prod(self.proportions[:, last - run : last], axis=1)
                    gain += levels[m - run][:, :-1] * tied / math.factorial(run)
                total = np.zeros_like(levels[0])
                np.cumsum(np.where(after, gain, 0.0), axis=1, out=total[:, 1:])
                levels.append(total)
            tables.append(levels)
        return tables
