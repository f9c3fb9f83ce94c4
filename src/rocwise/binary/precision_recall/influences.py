"""How much every case moves the average precision: its variance, and that of differences.

With S and T the shares of positives and negatives at or above a score, and odds the negatives per
positive, the precision there is g = S / (S + odds T), and the average precision is the mean of g
over the positives. A positive at x moves it by g(x) less the mean, and by dg/dS at every score
that x reaches; a negative by dg/dT. (von Mises' expansion; a class of cases is a sample.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Floats
from rocwise.binary.areas.influences import Influences
from rocwise.binary.areas.variances import effective_number
from rocwise.binary.resampling.precision_statistics import negative_odds, shares_from_zero
from rocwise.primitives.pairs import Pairs
from rocwise.primitives.tallies import Tally


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionInfluences:
    """The average precision, what a case at each distinct score adds to it, and d(mean)/d(share).

    `positives` and `negatives` have the mean 0 over their class; `of_prevalence` is the slope of
    the mean precision in the share of positives.
    """

    value: float
    positives: Floats
    negatives: Floats
    of_prevalence: float


def precision_influences(data: Tally, prevalence: float | None = None) -> PrecisionInfluences:
    """The influences of one model, in one pass over the tally."""
    odds = negative_odds(data, prevalence)
    tpr = shares_from_zero(data.pos)[1:]
    false = odds * shares_from_zero(data.neg)[1:]
    called = tpr + false
    precision = tpr / called
    mass = data.pos / data.n_pos
    by_hits = mass * false / called**2  # dg/dS, weighted with the positives there
    value = min(float((mass * precision).sum()), 1.0)  # as resamples are added up
    if not by_hits.any():
        value = 1.0  # no negative above a positive: shares may add up to a bit less
    by_alarms = -odds * mass * tpr / called**2  # dg/dT
    # a case reaches the thresholds at or below its score: sums from the lowest score up
    reach_hits = np.cumsum(by_hits[::-1])[::-1]
    reach_alarms = np.cumsum(by_alarms[::-1])[::-1]
    positives = precision - value + reach_hits - kernels.dot(by_hits, tpr)
    negatives = reach_alarms - kernels.dot(by_alarms, false / odds)
    share = 1 / (1 + odds)
    slope = kernels.dot(mass, tpr * false / odds / (share * called) ** 2)
    return PrecisionInfluences(value, positives, negatives, slope)


def precision_spread(
    data: Tally, found: PrecisionInfluences, *, cohort: bool = False
) -> list[tuple[float, float]]:
    """What either class has of the variance of the average precision, and its number of cases.

    Both classes need two cases. `cohort` adds what the share of positives contributes when it was
    left to chance.
    """
    pos_squares: Amounts = data.pos if data.squares is None else data.squares.pos
    neg_squares: Amounts = data.neg if data.squares is None else data.squares.neg
    parts = []
    for squares, size, moved in (
        (pos_squares, data.n_pos, found.positives),
        (neg_squares, data.n_neg, found.negatives),
    ):
        n = effective_number(size, squares)
        parts.append((n / (n - 1) * kernels.dot(squares, moved**2) / size**2, n))
    if cohort:
        n = effective_number(data.n_pos + data.n_neg, pos_squares + neg_squares)
        share = data.n_pos / (data.n_pos + data.n_neg)
        parts.append((found.of_prevalence**2 * share * (1 - share) / n, n))
    return parts


def precision_variance(data: Tally, found: PrecisionInfluences, *, cohort: bool) -> float:
    """The variance of the average precision."""
    return sum(variance for variance, _ in precision_spread(data, found, cohort=cohort))


def row_influences(pairs: Pairs, prevalence: float | None = None) -> Influences:
    """Average precisions of all models, and the influence of every row on each."""
    positive = pairs.mask == 1
    values, of_positives, of_negatives = [], [], []
    for name in pairs.names:
        data = pairs.tally(name)
        found = precision_influences(data, prevalence)
        places = _places(pairs, name)
        values.append(found.value)
        weights = np.ones(len(pairs)) if pairs.weights is None else pairs.weights
        of_positives.append((weights * found.positives[places])[positive] / data.n_pos)
        of_negatives.append((weights * found.negatives[places])[~positive] / data.n_neg)
    return Influences(np.array(values), np.stack(of_positives), np.stack(of_negatives))


def _places(pairs: Pairs, name: str) -> Floats:
    """Of every row, the place of its score in the tally, the most positive score first."""
    oriented = pairs.scores(name)
    distinct = np.unique(oriented if pairs.weights is None else oriented[pairs.weights > 0])
    places = len(distinct) - 1 - np.searchsorted(distinct, oriented)
    return np.maximum(places, 0)  # rows without weight move nothing, wherever they are put
