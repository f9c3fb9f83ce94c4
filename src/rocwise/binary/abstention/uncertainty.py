"""How sure the best window is: the bootstrap of its thresholds, cost and abstention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Amounts, Array, Floats
from rocwise.binary.abstention.hull_vertices import TIED
from rocwise.binary.abstention.mid_gap_thresholds import (
    mid_gap_thresholds,
    refuse_equal_neighbours,
)
from rocwise.binary.abstention.normalised_costs import NormalisedCosts, normalised
from rocwise.binary.resampling.draws import (
    cells_of_draw,
    drawn_times,
    drawn_units,
    resampling_words,
)
from rocwise.binary.resampling.replicates import replicates
from rocwise.binary.roc import ThresholdInterval, of_thresholds
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows
from rocwise.inference.chunked_draws import in_chunks
from rocwise.kernels.resampling_tables import in_chunks as in_cached_chunks
from rocwise.progress import Report
from rocwise.results import Interval, Result, result

if TYPE_CHECKING:
    from rocwise.binary.abstention.windows import AbstentionWindow

QUANTITIES = ("lower", "upper", "expected_cost", "abstention_rate")


@result
class AbstentionUncertainty(Result):
    """Intervals for the best window, which is found anew in every resample.

    Attributes
    ----------
    window : AbstentionWindow
        The window of the data.
    lower, upper, expected_cost, abstention_rate : Interval
        Percentile intervals; limits of the two thresholds are thresholds that occurred. That of
        the cost is of the least cost on the resamples themselves: it holds the cost of new cases
        far too seldom (35 to 65 of 100 samples with 50 to 1,000 cases). Trust `out_of_bag_cost`.
    share_abstaining : float
        Share of the resamples in which abstaining pays.
    out_of_bag_cost : float or None
        Mean cost of the window of a resample on the cases that it left out; None when every
        resample holds all cases of a class.
    optimism : float or None
        How much of that the cost on the data itself does not show.
    """

    window: AbstentionWindow
    lower: ThresholdInterval
    upper: ThresholdInterval
    expected_cost: Interval
    abstention_rate: Interval
    share_abstaining: float
    out_of_bag_cost: float | None
    optimism: float | None
    n_resamples: int
    seed: int

    def _columns(self) -> Mapping[str, Any]:
        intervals = [getattr(self, name) for name in QUANTITIES]
        return {
            "quantity": list(QUANTITIES),
            "value": [getattr(self.window, name) for name in QUANTITIES],
            "low": [interval.low for interval in intervals],
            "high": [interval.high for interval in intervals],
        }

    def _sentence(self) -> str:
        level = printing.percent(self.lower.level)
        unseen = (
            ""
            if self.out_of_bag_cost is None
            else f", {self.out_of_bag_cost:.4g} on cases left out"
        )
        return (
            f"{self.window.rule}; {level} CI of the lower threshold {self.lower.ends}, of the "
            f"upper one {self.upper.ends}; cost {self.window.expected_cost:.4g} on these cases "
            f"({_ends(self.expected_cost)} in resamples, which is too low for new cases){unseen}; "
            "abstention "
            f"{printing.rate(self.window.abstention_rate)} ({_ends(self.abstention_rate)}); "
            f"abstaining pays in {100 * self.share_abstaining:.3g} % of "
            f"{printing.count(self.n_resamples)} resamples, seed {self.seed}"
        )


def _ends(interval: Interval) -> str:
    return f"{interval.low:.4g} to {interval.high:.4g}"


@dataclass(frozen=True, eq=False)
class BestWindow:
    """Thresholds, cost, abstention and out-of-bag cost of the best window of resampled counts."""

    scaled: NormalisedCosts
    prevalence: float

    @property
    def name(self) -> str:
        """What the numbers are called."""
        return "the best window"

    def of_counts(self, data: Tally) -> Callable[[Amounts, Amounts], Floats]:
        """One row per resample: lower, upper, cost, abstention, and the cost out of bag."""

        def left_out(pos: Amounts, neg: Amounts) -> tuple[Amounts, Amounts]:
            return _expected_left_out(data.pos, pos), _expected_left_out(data.neg, neg)

        return self.with_left_out(data, left_out)

    def with_left_out(
        self, data: Tally, left_out: Callable[[Amounts, Amounts], tuple[Amounts, Amounts]]
    ) -> Callable[[Amounts, Amounts], Floats]:
        """The same, with what each resample left out as a function of what it drew."""
        refuse_equal_neighbours(data, "uncertainty")

        def numbers(pos: Amounts, neg: Amounts) -> Floats:
            read = self.as_read(pos, neg)
            at = pos.shape[1] - read[:, :2].astype(np.intp)
            for place, spared in enumerate(left_out(pos, neg)):
                below = _sums_below(spared)
                read[:, 6 + 2 * place : 8 + 2 * place] = np.take_along_axis(below, at, 1)
                read[:, 10 + place] = below[:, -1]
            return self.finished(data, read)

        return numbers

    def reader(self, data: Tally) -> kernels.Reader:
        """The same in compiled code, which reads both places and the shares below them."""
        return kernels.Reader(
            "window", self._told(), width=12, finished=lambda read: self.finished(data, read)
        )

    def reader_of_places(self) -> kernels.Reader:
        """What is read, before it is finished; for those who know what was left out."""
        return kernels.Reader("window", self._told(), width=12, finished=lambda read: read)

    def _told(self) -> Floats:
        costs, share = self.scaled, self.prevalence
        pays = costs.abstaining_may_pay
        nu_pos, nu_neg = (costs.nu_pos, costs.nu_neg) if pays else (0.0, 0.0)
        told = [TIED, pays, share, -costs.mu * (1 - share)]  # then the lower, the upper threshold
        told += [(1 - nu_pos) * share, -nu_neg * (1 - share)]
        told += [nu_pos * share, -(costs.mu - nu_neg) * (1 - share)]
        return np.array(told)

    def as_read(self, pos: Amounts, neg: Amounts) -> Floats:
        """What compiled code reads: scores above both thresholds, and shares below them.

        First of the positives, then of the negatives. Of what was left out nothing is known yet.
        """
        below = [_sums_below(part) for part in (pos, neg)]
        missed, cleared = (part / part[:, -1:] for part in below)
        at = np.stack(self._best(self.prevalence * missed, (1 - self.prevalence) * cleared), axis=1)
        read = np.zeros((len(pos), 12))
        read[:, :2] = pos.shape[1] - at
        read[:, 2:4] = np.take_along_axis(missed, at, 1)
        read[:, 4:6] = np.take_along_axis(cleared, at, 1)
        return read

    def finished(self, data: Tally, read: Floats) -> Floats:
        """From what was read to lower, upper, cost, abstention, and the cost out of bag.

        The last is nan where no case of a class was left out.
        """
        share = self.prevalence
        lower, upper = _thresholds_of(data, *(len(data) - read[:, :2].astype(np.intp)).T)
        ends = [share * read[:, 2], share * read[:, 3]]
        ends += [(1 - share) * read[:, 4], (1 - share) * read[:, 5]]
        unseen = np.full(len(read), np.nan)
        kept = (read[:, 10] >= TIED) & (read[:, 11] >= TIED)
        pos, neg = read[kept, 6:8].T / read[kept, 10], read[kept, 8:10].T / read[kept, 11]
        unseen[kept] = self._cost_and_rate(*(share * pos), *((1 - share) * neg))[0]
        return np.stack([lower, upper, *self._cost_and_rate(*ends), unseen], axis=1)

    def _best(self, missed: Floats, cleared: Floats) -> tuple[Array, Array]:
        """Places of the lower and upper threshold in each row, by (5.6) to (5.9)."""
        mu, nu_pos, nu_neg = self.scaled.mu, self.scaled.nu_pos, self.scaled.nu_neg
        single = _first_least(missed - mu * cleared)
        if not self.scaled.abstaining_may_pay:
            return single, single
        falling = ((1 - nu_pos) * missed - nu_neg * cleared)[:, ::-1]
        low = missed.shape[1] - 1 - _first_least(falling)  # the last among equals
        high = _first_least(nu_pos * missed - (mu - nu_neg) * cleared)
        crossed = low > high
        return np.where(crossed, single, low), np.where(crossed, single, high)

    def _cost_and_rate(
        self, missed: Floats, missed_high: Floats, cleared: Floats, cleared_high: Floats
    ) -> tuple[Floats, Floats]:
        """Cost of windows in the user's units, (5.3) of (5.4), and what they leave undecided.

        `missed` and `cleared` are the weights of both classes below the two thresholds.
        """
        costs = self.scaled
        # nothing is left undecided at an infinite cost, and nothing times any number costs nothing
        nu_pos, nu_neg = (min(nu, np.finfo(float).max) for nu in (costs.nu_pos, costs.nu_neg))
        of_pos = missed + nu_pos * (missed_high - missed)
        undecided = cleared_high - cleared
        of_neg = costs.mu * ((1 - self.prevalence) - cleared_high) + nu_neg * undecided
        cost = costs.unit * (of_pos + of_neg) + costs.in_units(0.0, self.prevalence)
        return np.asarray(cost), (missed_high + cleared_high) - (missed + cleared)


def _thresholds_of(data: Tally, low: Array, high: Array) -> tuple[Floats, Floats]:
    """The lower and the upper threshold of windows that call so many scores negative, or not yet
    positive.
    """
    below = mid_gap_thresholds(data, len(data) - low, "uncertainty")[1]
    above = mid_gap_thresholds(data, len(data) - high, "uncertainty")[0]
    return (below, above) if data.direction == "higher" else (above, below)


def _sums_below(counts: Array) -> Floats:
    """Amounts of a class at or below each threshold, from none to all, row by row."""
    sums = np.zeros((len(counts), counts.shape[1] + 1))
    np.cumsum(counts[:, ::-1], axis=1, out=sums[:, 1:])
    return sums


def _first_least(values: Floats) -> Array:
    """The first place in each row whose value is the least, equal within rounding."""
    least = values.min(axis=1, keepdims=True)
    slack = TIED * np.abs(values).max(axis=1, keepdims=True)
    return np.asarray(np.argmax(values <= least + slack, axis=1))


def _expected_left_out(held: Amounts, drawn: Amounts) -> Floats:
    """How many of the cases at each score a resample leaves out, given how often it drew them.

    Each of d draws at a score with h cases misses a given one with probability 1 - 1/h, so
    h (1 - 1/h)^d are expected to be left out.
    """
    cases = np.asarray(held, dtype=np.float64)
    misses = np.where(cases > 0, 1 - 1 / np.maximum(cases, 1), 0.0)
    return np.asarray(cases * misses ** np.asarray(drawn))


def resampled_window(
    window: AbstentionWindow,
    *,
    n_resamples: int,
    level: float,
    rng: Any,
    progress: bool | Report | None,
) -> AbstentionUncertainty:
    """The bootstrap of the best window; see `AbstentionWindow.uncertainty`."""
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, cells=len(QUANTITIES))
    seed = checks.seed(rng)
    statistic = BestWindow(normalised(window.costs, "abstain"), window.prevalence)
    data = window.data
    if data.rows is None:
        drawn = replicates(data, statistic, n_resamples=n_resamples, seed=seed, progress=progress)
    else:
        checks.whole(n_resamples, "n_resamples")
        draw = _rows_drawn(data, data.rows, statistic, seed)
        drawn = in_chunks(draw, n_resamples, cells_of_draw(data), progress, statistic.name)
    method = resampling_words(data, "bootstrap percentile")
    limits = [_limits(drawn[:, place], level, method) for place in range(len(QUANTITIES))]
    lower, upper = (of_thresholds(each, data) for each in limits[:2])
    left_out = drawn[:, -1][~np.isnan(drawn[:, -1])]
    unseen = float(left_out.mean()) if len(left_out) else None
    return AbstentionUncertainty(
        window=window,
        lower=lower,
        upper=upper,
        expected_cost=limits[2],
        abstention_rate=limits[3],
        share_abstaining=float(np.mean(drawn[:, 3] > TIED)),
        out_of_bag_cost=unseen,
        optimism=None if unseen is None else unseen - window.expected_cost,
        n_resamples=len(drawn),
        seed=seed,
        origin=window.origin,
    )


def _rows_drawn(
    data: Tally, rows: TallyRows, statistic: BestWindow, seed: int
) -> Callable[[int, int], Floats]:
    """The best window of resampled rows or clusters, tried on the rows that were left out."""
    if rows.counts is None:
        return _single_rows_drawn(data, rows, statistic, seed)
    times = drawn_times(rows, seed)

    def draw(first: int, last: int) -> Floats:
        drawn = times(first, last)
        numbers = statistic.with_left_out(data, lambda _pos, _neg: rows.left_out(drawn))
        return numbers(*rows.amounts(drawn))

    return draw


def _single_rows_drawn(
    data: Tally, rows: TallyRows, statistic: BestWindow, seed: int
) -> Callable[[int, int], Floats]:
    """The same in compiled code, for rows each of which is there or left out."""
    refuse_equal_neighbours(data, "uncertainty")
    of_rows, times = drawn_units(rows, seed)
    signed, reader = rows.signed(of_rows), statistic.reader_of_places()

    def draw(first: int, last: int) -> Floats:
        drawn = times(first, last)
        read = kernels.read_rows(signed, drawn, None, statistic.as_read, reader)
        places = read[:, :2].astype(np.intp)
        pos, all_pos, neg, all_neg = np.split(
            kernels.left_out_rows(signed, drawn, places), [2, 3, 5], axis=1
        )
        read[:, 6:] = np.concatenate([all_pos - pos, all_neg - neg, all_pos, all_neg], axis=1)
        return statistic.finished(data, read)

    return lambda first, last: in_cached_chunks(draw, first, last, 1 + len(rows) // 4)


def _limits(values: Floats, level: float, method: str) -> Interval:
    """Values that occurred and leave at most equal tails; thresholds may be infinite."""
    ordered = np.sort(values)
    tail = (1 - level) / 2 * (len(values) - 1)
    low, high = ordered[int(np.floor(tail))], ordered[-1 - int(np.floor(tail))]
    return Interval(low, high, level, method)
