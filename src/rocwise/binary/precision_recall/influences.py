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
from rocwise.binary.resampling.precision_statistics import negative_odds
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import row_by_row, run_models, sums_of_rows
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
    share = 1 / (1 + odds)
    precision, gained, by_hits, by_alarms = (on_large_pages(len(data)) for _ in range(4))

    def fill(tp: Amounts, fp: Amounts, pos: Amounts, *columns: Floats) -> tuple[float, ...]:
        precision, gained, by_hits, by_alarms = columns
        tpr, fpr, mass = tp / data.n_pos, fp / data.n_neg, pos / data.n_pos
        false = odds * fpr
        called = tpr + false
        precision[:] = tpr / called
        gained[:] = mass * precision
        by_hits[:] = mass * false / called**2  # dg/dS, weighted with the positives there
        by_alarms[:] = -odds * mass * tpr / called**2  # dg/dT
        by_prevalence = tpr * fpr / (share * called) ** 2
        dot = kernels.dot
        return dot(by_hits, tpr), dot(by_alarms, fpr), dot(mass, by_prevalence)

    columns = data.tp, data.fp, data.pos, precision, gained, by_hits, by_alarms
    of_hits, of_alarms, slope = sums_of_rows(fill, *columns)
    value = min(float(gained.sum()), 1.0)  # as resamples are added up
    if not by_hits.any():
        value = 1.0  # no negative above a positive: shares may add up to a bit less
    # a case reaches the thresholds at or below its score: sums from the lowest score up
    reach_hits, reach_alarms = run_models(
        lambda moved: np.cumsum(moved[::-1], out=moved[::-1])[::-1],
        [(by_hits,), (by_alarms,)],
        rows=len(data),
    )
    positives = row_by_row(
        lambda each, reach: each - value + reach - of_hits, precision, reach_hits, out=precision
    )
    negatives = row_by_row(lambda reach: reach - of_alarms, reach_alarms, out=reach_alarms)
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

    def add(cases: Amounts, moved: Floats) -> tuple[float]:
        return (kernels.dot(cases, moved**2),)

    parts = []
    for squares, size, moved in (
        (pos_squares, data.n_pos, found.positives),
        (neg_squares, data.n_neg, found.negatives),
    ):
        n = effective_number(size, float(squares.sum()))
        (total,) = sums_of_rows(add, squares, moved)
        parts.append((n / (n - 1) * total / size**2, n))
    if cohort:
        n = effective_number(data.n_pos + data.n_neg, float((pos_squares + neg_squares).sum()))
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
