"""Resamples of very many scores in bins, with a proven bound on what the bins change.

A bin holds neighbouring scores; a resample draws how many cases of each class fall into it. Its
curve has all points of the curve of every row at the ends of the bins and is straight between
them. Values are moved by what the bins change for the data themselves, so that only their spread
rests on the bins. Where the same rows are drawn, a resampled area differs from that of every row
by at most `error_bound`, root mean square; so does its standard error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rocwise import printing
from rocwise.arrays import Amounts, Flags, Floats, Places
from rocwise.binary.partial_area import Part, partial_influence
from rocwise.binary.resampling.binned_precision import (
    PrecisionInBins,
    inner_places,
    precision_bound,
    precision_ends,
    precision_error,
)
from rocwise.binary.resampling.curve_statistics import (
    Area,
    EqualErrorRate,
    PartialArea,
    SensitivityAt,
    SpecificityAt,
)
from rocwise.binary.resampling.precision_statistics import AveragePrecision, negative_odds
from rocwise.binary.roc import cumulative_rates, straight_runs
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows
from rocwise.inference.intervals import hoeffding_limits
from rocwise.kernels.resampling_tables import draws_counts
from rocwise.kernels.row_formulas import row_by_row
from rocwise.results import Interval

MOST_SCORES = 2**17  # distinct scores up to which every row is drawn
FEWEST_BINS, MOST_BINS = 2**11, 2**16  # along the whole curve
SHARE = 0.002  # of the standard error, which the bound must not exceed
FINER = 16  # bins at the ends of a part of the area, for each one elsewhere
WIDEST_STEP, NARROWER = 2.0**-8, 2.0**0.25  # bins of average precision, as shares of what is above
CHANCE = 1e-15  # that a resample has a rate beyond the window in which its scores are kept apart
AT_RATES = (SensitivityAt, SpecificityAt, EqualErrorRate)  # which look at few scores


class InBins(NamedTuple):
    """A tally in bins, and how far a statistic of its resamples may be from that of every row.

    With a statistic of its own, which is read in the bins in place of the one asked for; its values
    are not moved.
    """

    tally: Tally
    error_bound: float
    own: PrecisionInBins | None = None

    @property
    def n_bins(self) -> int:
        """How many bins there are."""
        return len(self.tally)


@dataclass(frozen=True, slots=True, repr=False)
class BinnedInterval(Interval):
    """An interval from resamples in bins: how many, and the most they change, root mean square.

    Examples
    --------
    >>> BinnedInterval(0.7, 0.8, 0.95, "bootstrap percentile", None, 2048, 1e-6)
    0.700 to 0.800 (95 % CI, bootstrap percentile)
    """

    n_bins: int = 0
    error_bound: float = 0.0


def in_bins(data: Tally, statistic: object) -> InBins | None:
    """The tally in bins that serve a statistic; None where every row has to be drawn.

    These are areas, parts of them, the sensitivity or specificity at a rate, the equal error rate
    and average precision. Others look at the scores themselves, or nobody has bounded what bins do
    to them.
    """
    if not has_very_many_scores(data):
        return None
    return data.remembered(("in bins", statistic), lambda: _bins_for(data, statistic))


def has_very_many_scores(data: Tally) -> bool:
    """Whether the tally has more distinct scores than are drawn one by one, of cases alike."""
    return data.rows is None and not data.weighted and len(data) > MOST_SCORES


def _bins_for(data: Tally, statistic: object) -> InBins | None:
    if isinstance(statistic, (Area, PartialArea)):
        found = _of_area(data, statistic.part)
        if found is not None and isinstance(statistic, PartialArea) and statistic.standardize:
            scale = statistic.part.standardized(1.0) - statistic.part.standardized(0.0)
            found = found._replace(error_bound=found.error_bound * scale)
        return found
    ends = ends_at_rate(data, statistic)
    if ends is not None:
        coarse = coarsened(data, ends)
        drawn = draws_counts(coarse.pos, coarse.neg)
        return InBins(coarse, math.sqrt(2.0 * CHANCE)) if drawn else None
    if isinstance(statistic, AveragePrecision) and statistic.interpolation == "step":
        return _of_precision(data, statistic)
    return None


def with_bins(interval: Interval, bins: InBins, error: float, shift: float) -> BinnedInterval:
    """The interval moved by what the bins change, which says that there were bins."""
    least, most = min(interval.low, 0.0), max(interval.high, 1.0)
    return BinnedInterval(
        min(max(interval.low + shift, least), most),
        min(max(interval.high + shift, least), most),
        interval.level,
        f"{interval.method} in {printing.count(bins.n_bins)} bins, which move it by at most "
        f"{percent_of(error, bins.error_bound)} of the standard error",
        interval.mean,
        bins.n_bins,
        bins.error_bound,
    )


def percent_of(error: float, bound: float) -> str:
    """A bound in percent of a standard error, in words."""
    share = bound / error if error > 0 else 0.0
    return f"{100 * max(share, 1e-4):.2g} %"


def error_of_difference(bins: Sequence[InBins]) -> float:
    """What bins change in the standard error of a difference of independent samples, at most.

    That error is the length of the vector of the samples' own, each of which is off by at most its
    bound: by the triangle inequality the length is off by at most that of the vector of the bounds.

    Examples
    --------
    >>> import rocwise as rw
    >>> tally = rw.tally([0, 1], [1, 2])
    >>> error_of_difference([InBins(tally, 3.0), InBins(tally, 4.0)])
    5.0
    """
    return math.hypot(*(each.error_bound for each in bins))


def _of_area(data: Tally, part: Part) -> InBins | None:
    """As few bins as keep the bound below its share of the standard error."""
    bins = FEWEST_BINS
    while bins <= MOST_BINS:
        ends = _ends_of_part(data, part, bins)
        coarse = coarsened(data, ends)
        if not draws_counts(coarse.pos, coarse.neg):
            return None
        bound = area_bound(coarse, np.diff(ends, prepend=-1) > 1, part)
        if bound <= SHARE * _standard_error(coarse, part):
            return InBins(coarse, bound)
        bins *= 2
    return None


def _of_precision(data: Tally, statistic: AveragePrecision) -> InBins | None:
    """The same for average precision; bins are larger the more cases are above them."""
    odds, step = negative_odds(data, statistic.prevalence), WIDEST_STEP
    while True:
        ends = precision_ends(data, odds, step)
        coarse = coarsened(data, ends)
        if len(ends) > MOST_BINS or not draws_counts(coarse.pos, coarse.neg):
            return None
        bound = precision_bound(coarse, np.diff(ends, prepend=-1) > 1, odds, CHANCE)
        if bound <= SHARE * precision_error(coarse, odds):
            return InBins(coarse, bound, PrecisionInBins(statistic, odds, inner_places(data, ends)))
        step /= NARROWER


def _ends_of_part(data: Tally, part: Part, bins: int) -> Places:
    """Last scores of bins in a part of the curve, finer at its ends, and of one on each side."""
    heavy = np.flatnonzero(
        row_by_row(
            lambda pos, neg: pos / data.n_pos + neg / data.n_neg > 1.0 / bins,
            *data.narrow_counts(),
            dtype=np.bool_,
        )
    )
    ends = np.union1d(_last_scores(data, np.arange(1, bins + 1) / bins), heavy)
    ends = np.union1d(ends, heavy[heavy > 0] - 1)  # scores of many cases are bins of their own
    if part.low > 0.0:
        first, last = window_along(data, float(part.axis == "tpr"), part.low)
        ends = np.union1d(ends[ends >= first], _ends_between(data, first, last, FINER * bins))
    if part.high < 1.0:
        first, last = window_along(data, float(part.axis == "tpr"), part.high)
        ends = np.union1d(ends[ends <= last], _ends_between(data, first, last, FINER * bins))
    return np.union1d(ends, [len(data) - 1])


def _last_scores(data: Tally, shares: Floats) -> Places:
    both = row_by_row(lambda tp, fp: tp / data.n_pos + fp / data.n_neg, data.tp, data.fp)
    return np.unique(np.minimum(np.searchsorted(both, 2.0 * shares - 1e-12), len(data) - 1))


def window_along(data: Tally, share: float, rate: float) -> tuple[int, int]:
    """Scores between which share * TPR + (1 - share) * FPR of resampled curves passes a rate.

    But for a small chance on either side. This is a mean of independent cases of which none has a
    weight above 1/size, and Hoeffding's bound holds with that size: a case of a smaller weight w
    moves the logarithm of the generating function by at most size * w of what a whole one does.
    """
    sizes = [n / part for n, part in ((data.n_pos, share), (data.n_neg, 1.0 - share)) if part > 0]
    low, high = hoeffding_limits(rate, float(min(sizes)), 1.0 - 2.0 * CHANCE)
    along = row_by_row(
        lambda tp, fp: share * (tp / data.n_pos) + (1.0 - share) * (fp / data.n_neg),
        data.tp,
        data.fp,
    )
    first = int(np.searchsorted(along, low, side="right")) - 1
    last = int(np.searchsorted(along, high, side="left")) + 1
    return max(first, 0), min(last, len(data) - 1)


def _ends_between(data: Tally, first: int, last: int, bins: int) -> Places:
    """Last scores of finer bins between two scores, and these themselves."""
    low, high = (
        (data.tp[place] / data.n_pos + data.fp[place] / data.n_neg) / 2 for place in (first, last)
    )
    steps = np.arange(math.ceil(low * bins), math.floor(high * bins) + 1) / bins
    return np.union1d(_last_scores(data, steps), [first, last])


def coarsened(data: Tally, ends: Places) -> Tally:
    """The tally whose scores are these, each with the cases since the one before."""
    pos, neg = (np.diff(above[ends], prepend=0) for above in (data.tp, data.fp))
    rows = None if data.rows is None else data.rows.joined(np.append(0, ends[:-1] + 1))
    return _with_table(data, ends, pos, neg, rows)


def _with_table(
    data: Tally, ends: Places, pos: Amounts, neg: Amounts, rows: TallyRows | None = None
) -> Tally:
    return Tally(
        table=(data.scores.take(ends), pos, neg),
        rows=rows,
        origin=replace(data.origin, categories=()),
    )


def area_bound(coarse: Tally, mixed: Flags, part: Part) -> float:
    """Root mean square of what the bins change in a resampled area, at most.

    Two cases of one bin have a kernel that is off by at most 1/2, others none; nor have cases of
    one score, which are no less tied in a bin. With p and q the shares of the classes in a bin,
    the projections on both classes and the remainder are uncorrelated, so the variance of the
    difference is at most a quarter of
    sum p q^2 / n_pos + sum q p^2 / n_neg + sum p q / (n_pos n_neg).
    At an end of a part, bins come in or drop out: their areas are at most p times the FPR by which
    the resampled curve is off there.
    """
    m, n = float(coarse.n_pos), float(coarse.n_neg)
    along = coarse.fp / n if part.axis == "fpr" else coarse.tp / m
    p, q = coarse.pos / m * mixed, coarse.neg / n * mixed
    height, width, size = (p, q, n) if part.axis == "fpr" else (q, p, m)
    reach = [hoeffding_limits(end, size, 1.0 - 2.0 * CHANCE) for end in (part.low, part.high)]
    inside = (along >= reach[0][0]) & (along - width <= reach[1][1])
    bound = 0.5 * math.sqrt(float((p * q * (q / m + p / n + 1.0 / (m * n)))[inside].sum()))
    for end, (low, high) in zip((part.low, part.high), reach, strict=True):
        if 0.0 < end < 1.0:
            near = (along >= low) & (along - width <= high)
            moved = math.sqrt(end * (1.0 - end) / size) + 2.0 * float(width[near].max())
            bound += float(height[near].max()) * moved
            bound += math.sqrt(2.0 * CHANCE) * (part.high - part.low)
    return bound


def _standard_error(coarse: Tally, part: Part) -> float:
    v, u = partial_influence(cumulative_rates(coarse.neg), cumulative_rates(coarse.pos), part)
    of_pos = float((coarse.pos * v * v).sum()) / float(coarse.n_pos) ** 2
    return math.sqrt(of_pos + float((coarse.neg * u * u).sum()) / float(coarse.n_neg) ** 2)


def ends_at_rate(data: Tally, statistic: object) -> Places | None:
    """Last scores of the bins that serve a statistic at a rate; None for other statistics.

    One bin on either side of the scores at which a curve can pass the rate; these stay apart.
    Neighbours of one class are a straight piece of every resampled curve and stay together.
    """
    if isinstance(statistic, SensitivityAt):
        first, last = window_along(data, 0.0, 1.0 - statistic.specificity)
    elif isinstance(statistic, SpecificityAt):
        first, last = window_along(data, 1.0, statistic.sensitivity)
    elif isinstance(statistic, EqualErrorRate):
        first, last = window_along(data, 0.5, 0.5)  # FPR = 1 - TPR where their mean is 1/2
    else:
        return None
    turns = straight_runs(data.tp[first : last + 1], data.fp[first : last + 1])[0]
    return np.unique(np.concatenate([[first], first + turns, [len(data) - 1]]))


def without_straight_runs(data: Tally) -> Tally:
    """The tally with neighbouring scores of one class as one: every resampled curve is the same.

    Examples
    --------
    >>> import rocwise as rw
    >>> without_straight_runs(rw.tally([1, 1, 0, 0, 1], [5, 4, 3, 2, 1])).pos.tolist()
    [2, 0, 1]
    """
    return _with_table(data, *straight_runs(data.tp, data.fp))
