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
from rocwise.arrays import Amounts, Floats, Places
from rocwise.binary.areas.influences import Influences
from rocwise.binary.areas.variances import effective_number
from rocwise.binary.resampling.precision_statistics import negative_odds
from rocwise.data.pairs import Pairs
from rocwise.data.score_columns import Squares
from rocwise.data.tally import Tally
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import row_by_row, run_models, sums_of_rows


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionInfluences:
    """The average precision, and what is needed of how a case at each distinct score moves it.

    `precision` is that at each score; `reach_hits` and `reach_alarms` are the slopes at all scores
    that a case reaches, with the means `of_hits` and `of_alarms`. `of_prevalence` is the slope of
    the mean precision in the share of positives.
    """

    value: float
    precision: Floats
    reach_hits: Floats
    reach_alarms: Floats
    of_hits: float
    of_alarms: float
    of_prevalence: float

    def of_positives(self, precision: Floats, reach: Floats) -> Floats:
        """The influence of a positive at some of the scores."""
        return precision - self.value + reach - self.of_hits

    def of_negatives(self, reach: Floats) -> Floats:
        """The influence of a negative at some of the scores."""
        return reach - self.of_alarms

    @property
    def positives(self) -> Floats:
        """The influence of a positive at each score: its mean over the class is 0."""
        return row_by_row(self.of_positives, self.precision, self.reach_hits)

    @property
    def negatives(self) -> Floats:
        """The influence of a negative at each score: its mean over the class is 0."""
        return row_by_row(self.of_negatives, self.reach_alarms)


def precision_influences(data: Tally, prevalence: float | None = None) -> PrecisionInfluences:
    """The influences of one model, in one pass over the tally."""
    odds = negative_odds(data, prevalence)
    precision, gained, by_hits, by_alarms = (on_large_pages(len(data)) for _ in range(4))

    def fill(tp: Amounts, fp: Amounts, pos: Amounts, *columns: Floats) -> tuple[float, ...]:
        return kernels.precision_steps(tp, fp, pos, data.n_pos, data.n_neg, odds, columns)

    columns = data.tp, data.fp, data.pos, precision, gained, by_hits, by_alarms
    of_hits, of_alarms, slope = sums_of_rows(fill, *columns)
    # a case reaches the thresholds at or below its score: sums from the lowest score up
    reach_hits, reach_alarms = run_models(
        kernels.summed_upwards, [(by_hits,), (by_alarms,)], rows=len(data)
    )
    value = min(float(gained.sum()), 1.0)  # as resamples are added up
    if reach_hits[0] == 0.0:
        value = 1.0  # no negative above a positive: shares may add up to a bit less
    return PrecisionInfluences(
        value, precision, reach_hits, reach_alarms, of_hits, of_alarms, slope
    )


def precision_spread(
    data: Tally, found: PrecisionInfluences, *, cohort: bool = False
) -> list[tuple[float, float]]:
    """What either class has of the variance of the average precision, and its number of cases.

    Both classes need two cases. `cohort` adds what the share of positives contributes when it was
    left to chance.
    """
    squares = Squares(data.pos, data.neg) if data.squares is None else data.squares

    def add(pos: Amounts, neg: Amounts, *columns: Floats) -> tuple[float, float]:
        precision, reach_hits, reach_alarms = columns
        cases = (squares.of_rows(each).astype(np.float64, copy=False) for each in (pos, neg))
        moved = found.of_positives(precision, reach_hits), found.of_negatives(reach_alarms)
        of_pos, of_neg = map(kernels.dot, cases, map(np.square, moved))
        return of_pos, of_neg

    columns = found.precision, found.reach_hits, found.reach_alarms
    totals = sums_of_rows(add, *squares.given, *columns)
    sizes = data.n_pos, data.n_neg
    squared: tuple[float, float] = sizes if data.squares is None else data.squares.totals
    parts = []
    for total, size, of_class in zip(totals, sizes, squared, strict=True):
        n = effective_number(size, of_class)
        parts.append((n / (n - 1) * total / size**2, n))
    if cohort:
        n = effective_number(data.n_pos + data.n_neg, sum(squared))
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


def _places(pairs: Pairs, name: str) -> Places:
    """Of every row, the place of its score in the tally, the most positive score first."""
    scores, rank = kernels.distinct(pairs.scores(name))
    if pairs.weights is None:
        return len(scores) - 1 - rank
    held = np.zeros(len(scores), np.intp)
    held[rank[pairs.weights > 0]] = 1  # scores without weight are not in the tally
    # rows without weight move nothing, wherever they are put
    above: Places = np.minimum(held.sum() - np.cumsum(held), held.sum() - 1)
    return above[rank]
