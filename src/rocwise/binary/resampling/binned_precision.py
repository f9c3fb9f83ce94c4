"""Average precision of resamples in bins, with a proven bound on what the bins change.

Given how many cases of each class a resample has in every bin, its positives in a bin have, on
average, a known number of cases of each class at or above their own score: `InnerPlaces`. Precision
is taken there, at one place for each bin. `precision_bound` says why that is close.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Amounts, Counts, Flags, Floats, Places
from rocwise.binary.resampling.precision_statistics import AveragePrecision
from rocwise.data.tally import Tally
from rocwise.kernels.row_formulas import STEP, row_by_row

# factors of the powers 1 to k of the mean in a bound of the k-th moment of a binomial number: its
# factorial moments are no larger than the powers of its mean (Stirling numbers of the second kind)
_STIRLING = ((1,), (1, 1), (1, 3, 1), (1, 7, 6, 1), (1, 15, 25, 10, 1), (1, 31, 90, 65, 15, 1))


class InnerPlaces(NamedTuple):
    """Of the other cases in a bin, the share at or above a positive of it, on average."""

    of_pos: Floats
    of_neg: Floats


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionInBins:
    """The average precision of cases in bins: that of `statistic`, up to the bound."""

    statistic: AveragePrecision
    odds: float
    places: InnerPlaces

    @property
    def name(self) -> str:
        """What the number is called."""
        return self.statistic.name

    def of_counts(self, data: Tally) -> Callable[[Amounts, Amounts], Floats]:
        """One mean per row of counts of the bins."""
        of_pos, of_neg = self.places

        def means(pos: Amounts, neg: Amounts) -> Floats:
            p, q = pos / pos.sum(axis=1, keepdims=True), neg / neg.sum(axis=1, keepdims=True)
            one = 1.0 / pos.sum(axis=1, keepdims=True)  # a positive is at its own score
            tpr = np.cumsum(p, axis=1) - p + one + (p - one) * of_pos
            called = tpr + self.odds * (np.cumsum(q, axis=1) - q * (1.0 - of_neg))
            shares = np.divide(p * tpr, called, out=np.zeros_like(called), where=p > 0)
            return np.asarray(shares.sum(axis=1))

        return means


def inner_places(data: Tally, ends: Places) -> InnerPlaces:
    """Of two positives of a bin, how often the second is not below the first; of both classes.

    Examples
    --------
    >>> import rocwise as rw
    >>> data = rw.tally([1, 0, 1, 0], [4, 3, 2, 1])
    >>> [share.tolist() for share in inner_places(data, np.array([2, 3]))]
    [[0.75, 1.0], [0.5, 1.0]]
    """
    n_pos = np.diff(data.tp[ends], prepend=0).astype(np.float64)
    found = []
    for above in (data.tp, data.fp):
        every = n_pos * np.diff(above[ends], prepend=0)
        pairs = _pairs_within(data.tp, above, ends)
        found.append(np.divide(pairs, every, out=np.ones(len(ends)), where=every > 0))
    return InnerPlaces(*found)


def _pairs_within(tp: Counts, above: Counts, ends: Places) -> Floats:
    """Pairs of a positive and a case at or above it, within each bin; some bins at a time.

    Examples
    --------
    >>> tp = np.array([1, 2, 4])
    >>> _pairs_within(tp, tp, np.array([1, 2])).tolist()
    [3.0, 4.0]
    """
    pairs = np.empty(len(ends))
    starts = np.append(0, ends[:-1] + 1)
    cuts = np.unique(np.append(np.searchsorted(starts, np.arange(0, ends[-1], STEP)), len(ends)))
    for first, last in pairwise(cuts.tolist()):
        rows = slice(starts[first], ends[last - 1] + 1)
        own = starts[first:last]
        before = above[own - 1] * (own > 0)
        within = above[rows] - np.repeat(before, np.diff(np.append(own, rows.stop)))
        pos = np.diff(tp[rows], prepend=tp[rows.start - 1] if rows.start else 0)
        pairs[first:last] = np.add.reduceat(pos * within.astype(np.float64), own - rows.start)
    return pairs


def precision_ends(data: Tally, odds: float, step: float) -> Places:
    """Last scores of bins that add the share `step` to the cases above them, weighed by the odds.

    The first scores, where a case would be more than that, and those of many cases are bins of
    their own.
    """
    c = odds * float(data.n_pos) / float(data.n_neg)

    def number_of(tp: Counts, fp: Counts) -> Counts:
        return np.floor(np.log(tp + c * fp) / math.log1p(step)).astype(np.int32)

    def is_large(tp: Counts, fp: Counts, pos: Counts, neg: Counts) -> Flags:
        called = tp + c * fp
        return np.asarray((called * step < max(1.0, c)) | (pos + c * neg > step * called))

    number = row_by_row(number_of, data.tp, data.fp, dtype=np.int32)
    own = row_by_row(is_large, data.tp, data.fp, *data.narrow_counts(), dtype=np.bool_)
    changes = (number[1:] != number[:-1]) | own[1:] | own[:-1]
    return np.append(np.flatnonzero(changes), len(data) - 1)


def precision_error(coarse: Tally, odds: float) -> float:
    """Standard error of the average precision by influence functions, from the ends of bins."""
    m, n = float(coarse.n_pos), float(coarse.n_neg)
    t, f, p = coarse.tp / m, coarse.fp / n, coarse.pos / m
    called = t + odds * f
    below_pos, below_neg = (
        np.cumsum((p * rate / called**2)[::-1])[::-1] for rate in (odds * f, -odds * t)
    )
    variance = 0.0
    for counts, size, moved in (
        (coarse.pos, m, t / called + below_pos),
        (coarse.neg, n, below_neg),
    ):
        shares = counts / size
        mean = float((shares * moved).sum())
        variance += float((shares * (moved - mean) ** 2).sum()) / size
    return math.sqrt(variance)


def precision_bound(coarse: Tally, mixed: Flags, odds: float, chance: float) -> float:
    """Root mean square of what the bins change in a resampled average precision, at most.

    A positive with T positives and F negatives at or above it adds T/S / n_pos, S = T + c F and
    c = odds n_pos / n_neg. Let a resample have P and N cases in a bin, d = P + c N, and S >= L
    before it; that fails in some bin with a chance of at most `chance`, by Maurer's inequality for
    sums of positive numbers. Within the bin T/S moves by at most d/L, and by at most 1/L or c/L if
    one positive or negative more is above. Given P and N of all bins:

    - Bins are independent, and so are the cases in them. One case drawn elsewhere in its bin moves
      its own term and those of the others: the sum by at most (P + d) / (L n_pos) for a positive,
      c P / (L n_pos) for a negative. By the inequality of Efron and Stein, and Popoviciu's, the
      variance of what a bin adds is at most (P (P + d)^2 + N (c P)^2) / (4 L^2 n_pos^2).
    - The mean T and F of the positives in a bin are known, and T/S is taken there. Second
      derivatives are at most 2/S^2, c/S^2 and 2 c^2/S^2 and steps at most d, so the mean of what a
      bin adds differs by at most P d^2 / (L^2 n_pos).

    Moments of P and N, which are binomial, are no larger than those of Poisson numbers, and roots
    of mean squares add up at most. Bins of one score have no error, nor those without positives.
    """
    m, n = float(coarse.n_pos), float(coarse.n_neg)
    c = odds * m / n
    at_stake = mixed & (coarse.pos > 0)
    mu, nu = (counts[at_stake].astype(np.float64) for counts in (coarse.pos, coarse.neg))
    t, f = coarse.tp[at_stake] - mu, coarse.fp[at_stake] - nu
    least = t + c * f - np.sqrt(2.0 * math.log(len(coarse) / chance) * (t + c * c * f))
    if (least <= 0).any():
        return math.inf
    p, q = ([np.ones_like(mean), *_moments(mean)] for mean in (mu, nu))
    apart = 4 * p[3] + 4 * c * p[2] * q[1] + c * c * p[1] * q[2] + c * c * p[2] * q[1]
    variance = float((apart / least**2).sum()) / (4.0 * m * m)
    fourth = sum(math.comb(4, k) * c**k * p[6 - k] * q[k] for k in range(5))
    bent = float((np.sqrt(fourth) / least**2).sum()) / m
    return math.sqrt(variance + bent * bent + chance)


def _moments(mean: Floats) -> list[Floats]:
    """The first six moments of a Poisson number, which no binomial one of its mean exceeds."""
    return [
        np.asarray(sum(factor * mean ** (k + 1) for k, factor in enumerate(factors)))
        for factors in _STIRLING
    ]
