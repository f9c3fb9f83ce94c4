"""Unbiased and plug-in covariances of the volumes of several scores of the same rows.

Two scores order the rows differently, so their chains cannot be counted together as for one
variance. But given the rows that two chains share, each chain falls into independent pieces
between them: the mean over shared rows is a product of matrices, one per step from a shared class
to the next. Pieces that touch at a tied score are bound by the credit 1/t! of the run; the length
of the run that is still open is carried along.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.data.rankings import Ranking
from rocwise.errors import InputError
from rocwise.kernels.plain.ordering import levels_above, levels_below
from rocwise.ordinal.variances import MOST_CLASSES_BY_SUBSETS, combined, subset_variance, subsets

MOST_ROWS = 4000


def subset_covariance(samples: list[Ranking], ties: str, method: str) -> Floats:
    """Covariance matrix of the volumes; the diagonal holds the variances of `variances`."""
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


def _shared_mean(first: Pieces, second: Pieces, S: tuple[int, ...]) -> float:
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
    """Pieces of chains of one score: up to a row, between rows of two classes, from a row on.

    The keys t of the answers are lengths of the run of ties that is open at the row.
    """

    def __init__(self, ranking: Ranking, *, strict: bool) -> None:
        self.share: Floats = ranking.share
        self.strict: bool = strict
        self.groups: list[Places] = [
            ranking.group[ranking.codes == k] for k in range(ranking.n_classes)
        ]
        self.below: list[Floats] = levels_below(self.share, strict=strict)
        self.above: list[Floats] = levels_above(self.share, strict=strict)
        self.volume: float = float(self.below[-1][-1])
        self._known: dict[tuple[int, int, int], dict[int, Floats]] = {}

    def _tied(self, k: int, first: int, last: int) -> Floats:
        """Product of the shares of the classes first..last-1 at the score of each row of k."""
        return np.asarray(np.prod(self.share[self.groups[k], first:last], axis=1))

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
        for p in range(self._longest(self.share.shape[1] - 1 - a) + 1):
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
        after = np.arange(len(self.share)) > self.groups[a][:, None]
        answer = []
        for p in range(self._longest(b - a - 1) + 1):
            levels = [np.ones((len(after), len(self.share) + 1))]
            for m in range(1, b - a - p):
                last = a + p + 1 + m
                gain = np.zeros(after.shape)
                for run in range(1, self._longest(m - 1) + 2):
                    product = np.prod(self.share[:, last - run : last], axis=1)
                    gain += levels[m - run][:, :-1] * product / math.factorial(run)
                total = np.zeros_like(levels[0])
                np.cumsum(np.where(after, gain, 0.0), axis=1, out=total[:, 1:])
                levels.append(total)
            answer.append(levels)
        return answer
