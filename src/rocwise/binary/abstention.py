"""How sure the best window is: the bootstrap of its thresholds, cost and abstention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocwise import checks, kernels, printing
from rocwise.arrays import Amounts, Array, Floats, Places
from rocwise.binary.resampling.draws import (
    cells_of_draw,
    drawn_times,
    drawn_units,
    resampling_words,
)
from rocwise.binary.resampling.replicates import replicates
from rocwise.binary.roc import ThresholdInterval, hull_counts, of_thresholds
from rocwise.costs import Costs, checked_costs, refuse_free_errors
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows
from rocwise.errors import InputError, count_of, shown
from rocwise.inference.chunked_draws import in_chunks
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, by_group
from rocwise.kernels.resampling_tables import in_chunks as in_cached_chunks
from rocwise.kernels.row_formulas import STEP
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Origin, Result, result

POSITIVE, NEGATIVE, UNDECIDED = 1, 0, -1


def decision_rule(positive: str | None, negative: str | None, *, every: bool) -> str:
    """The rule in words, from when to call which class; None for never.

    `every` says that all cases are decided, so that one condition is enough.

    >>> decision_rule("if score >= 0.7", "if score <= 0.4", every=False)
    'positive if score >= 0.7, negative if score <= 0.4, otherwise no decision'
    """
    if every:
        if positive is None or negative is None:
            return f"always {'negative' if positive is None else 'positive'}"
        return f"positive {positive}, otherwise negative"
    if positive is None and negative is None:
        return "no decision on any case"
    parts = ["never positive" if positive is None else f"positive {positive}"]
    parts.append("never negative" if negative is None else f"negative {negative}")
    return ", ".join([*parts, "otherwise no decision"])


def condition(
    origin: Origin, side: int, sure: str | None, partly: str | None = None, share: float = 0.0
) -> str | None:
    """When to call a class: surely from one threshold on, and a share of the cases from another.

    >>> condition(Origin(), POSITIVE, "0.7", "0.6", 0.25)
    'if score >= 0.7 (and 25 % of those >= 0.6)'
    """
    sign = ">=" if (side == POSITIVE) == (origin.direction == "higher") else "<="
    if share == 0 or partly is None:
        return None if sure is None else f"if score {sign} {sure}"
    percent = f"{100 * share:.3g} %"
    if sure is None:
        return f"for {percent} of scores {sign} {partly}"
    return f"if score {sign} {sure} (and {percent} of those {sign} {partly})"


def mid_gap_texts(data: Tally, alarms: tuple[int, int], middle: tuple[float, float]) -> list[Any]:
    """Texts of mid-gap thresholds of the positive and the negative side; None beyond all scores.

    A threshold is written with four digits, and more where its gap is narrow.
    """
    texts: list[str | None] = []
    for place, value, side in zip(alarms, middle, (POSITIVE, NEGATIVE), strict=True):
        if place == (0 if side == POSITIVE else len(data)):
            texts.append(None)
        elif data.origin.categories:
            texts.append(data.origin.categories[int(data.scores[place - side])])
        elif place in (0, len(data)):
            texts.append(f"{value:g}")
        else:
            kind = data.scores.dtype if data.scores.dtype.kind == "f" else np.float64
            one, other = data.scores[place - 1 : place + 1].tolist()
            texts.append(printing.rounded_inside(value, one, other, kind))
    return texts


def score_text(data: Tally, place: int, side: int) -> str:
    """The score at `place` in the fewest digits that decide like it, on the side given."""
    scores, origin = data.scores, data.origin
    if origin.categories:
        return origin.categories[int(scores[place])]
    if side == POSITIVE:
        return data.threshold_text(place)
    higher = data.direction == "higher"
    beyond = np.inf if higher else -np.inf
    return printing.rounded_threshold(
        scores[place].item(),
        scores[place - 1].item() if place else beyond,
        direction="lower" if higher else "higher",
        dtype=scores.dtype if scores.dtype.kind == "f" else np.float64,
    )


def _as_numbers(y_score: Any) -> Floats | None:
    try:
        scores = np.asarray(y_score)
    except (TypeError, ValueError, RecursionError):
        return None
    return scores.astype(np.float64) if scores.dtype.kind in "iuf" and scores.ndim <= 2 else None


def new_scores(y_score: ArrayLike) -> Floats:
    """Scores to decide on, which must be numbers."""
    scores = _as_numbers(y_score)
    if scores is None:
        raise InputError(f"`y_score` must hold numbers; got {shown(y_score, 60)}.")
    missing = np.flatnonzero(np.isnan(scores.ravel()))
    if len(missing):
        raise InputError(
            f"`y_score` has {count_of(len(missing), 'missing value')} (first at row {missing[0]}); "
            "no decision was made."
        )
    return scores


TIED = 1e-12  # slopes that differ by less than this share leave costs that count as equal


@dataclass(frozen=True, eq=False)
class HullVertices:
    """The vertices of the hull, from 'call nothing negative' to 'call everything negative'.

    Attributes
    ----------
    missed : ndarray
        Weight of the positives at or below each vertex: W+ of (5.6).
    cleared : ndarray
        Weight of the negatives at or below each vertex: W-.
    slopes : ndarray
        Missed over cleared weight between neighbouring vertices; rising.
    alarms : ndarray
        How many distinct scores lie above each vertex.
    rates : tuple of ndarray
        FPR and TPR of the ROC convex hull, from (0, 0) to (1, 1).
    """

    missed: Floats
    cleared: Floats
    slopes: Floats
    alarms: Places
    rates: tuple[Floats, Floats]

    @property
    def weight(self) -> Floats:
        """Weight of all cases at or below each vertex."""
        return self.missed + self.cleared

    def first_best(self, ratio: ArrayLike) -> Places:
        """The lowest vertex with the least missed - ratio * cleared."""
        at = np.asarray(ratio, dtype=np.float64) * (1 - TIED)
        return np.asarray(np.searchsorted(self.slopes, at, side="left"))

    def last_best(self, ratio: ArrayLike) -> Places:
        """The highest vertex with the least missed - ratio * cleared."""
        at = np.asarray(ratio, dtype=np.float64) * (1 + TIED)
        return np.asarray(np.searchsorted(self.slopes, at, side="right"))


def hull_vertices(data: Tally, prevalence: float) -> HullVertices:
    """The hull of a tally whose positives are given the share `prevalence`."""
    places, tp, fp = hull_counts(data)
    rates = fp / data.n_neg, tp / data.n_pos
    places, tp, fp = places[::-1], tp[::-1], fp[::-1]
    missed = prevalence * ((data.n_pos - tp) / data.n_pos)
    cleared = (1 - prevalence) * ((data.n_neg - fp) / data.n_neg)
    dy, dx = -np.diff(tp).astype(np.float64), -np.diff(fp).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = prevalence / np.float64(1 - prevalence)
        slopes = dy / dx * (float(data.n_neg) / float(data.n_pos) * odds)
    slopes[dx == 0] = np.inf
    slopes[dy == 0] = 0.0
    return HullVertices(missed, cleared, slopes, places, rates)


MOST_MISSES = 1e150  # beyond, products of costs leave the range of floats


@dataclass(frozen=True, slots=True)
class NormalisedCosts:
    """Costs in units of what a miss adds to a hit, (5.2)."""

    mu: float
    nu_pos: float
    nu_neg: float
    unit: float
    base_pos: float
    base_neg: float

    @property
    def abstaining_may_pay(self) -> bool:
        """Lemma 1 of Friedel et al., for unequal costs: only if nu_pos + nu_neg / mu < 1, (5.5)."""
        return self.nu_pos * self.mu + self.nu_neg < self.mu * (1 - TIED)

    def in_units(self, cost: float, prevalence: float) -> float:
        """The expected cost per case, (5.3)."""
        base = prevalence * self.base_pos + (1 - prevalence) * self.base_neg
        return float(self.unit * cost + base)


def normalised(costs: Any, question: str) -> NormalisedCosts:
    """Check the costs and normalise them, (5.2)."""
    checked_costs(costs)
    if costs.abstain is None:
        raise InputError(
            f"`{question}` needs the cost of not deciding: `costs.abstain`, "
            "e.g. Costs(fp=1, fn=5, abstain=0.2)."
        )
    of_pos, of_neg = (
        costs.abstain if isinstance(costs.abstain, tuple) else (costs.abstain, costs.abstain)
    )
    refuse_free_errors(costs, question)
    for cost, right, case, name in (
        (of_pos, costs.tp, "positive", "tp"),
        (of_neg, costs.tn, "negative", "tn"),
    ):
        if cost < right:
            raise InputError(
                f"`costs.abstain` must not be below the cost of a right decision: abstaining on a "
                f"{case} costs {cost:g}, but {name}={right:g}."
            )
    unit = costs.fn - costs.tp
    mu = (costs.fp - costs.tn) / unit
    if mu > MOST_MISSES:
        raise InputError(
            f"`costs.fp` costs as much as {mu:.3g} misses, beyond all comparison with `costs.fn`. "
            f"Name costs that differ by a factor of {MOST_MISSES:g} at most."
        )
    return NormalisedCosts(
        mu=mu,
        nu_pos=(of_pos - costs.tp) / unit,
        nu_neg=(of_neg - costs.tn) / unit,
        unit=unit,
        base_pos=costs.tp,
        base_neg=costs.tn,
    )


def share_of_positives(data: Tally, prevalence: float | None) -> float:
    """The share of positives: the one given, from 0 to 1, else that of the data."""
    if prevalence is None:
        return float(data.n_pos) / float(data.n_pos + data.n_neg)
    return checks.rate(prevalence, "prevalence")


def mid_gap_thresholds(data: Tally, alarms: Places, question: str) -> tuple[Floats, Floats]:
    """Thresholds below the first `alarms` scores: for the positive and the negative side.

    They differ only where two scores are neighbouring floats with nothing between: the threshold
    of the positive side then is the score above, that of the negative side the score below.
    Infinite thresholds lie beyond every score, also beyond infinite ones. Thresholds of float32
    scores are float32, since numpy rounds others to it before they are compared.
    """
    kind, size = np.float32 if data.scores.dtype == np.float32 else np.float64, len(data)
    beyond = np.inf if data.direction == "higher" else -np.inf
    above = np.where(alarms > 0, _scores_at(data, alarms - 1), beyond)
    below = np.where(alarms < size, _scores_at(data, np.minimum(alarms, size - 1)), -beyond)
    inner = (alarms > 0) & (alarms < size)
    middle = np.where(inner, 0.0, np.where(alarms > 0, -beyond, beyond))
    middle[inner] = _between(above[inner], below[inner], kind)
    merged = inner & ((above == below) | np.isinf(middle))
    if merged.any():
        raise InputError(
            f"`{question}` needs scores that differ as floats, but two of `y_score` are both "
            f"{above[merged][0]:g}; subtract a constant from the scores."
        )
    onto_below, onto_above = inner & (middle == below), inner & (middle == above)
    return np.where(onto_below, above, middle), np.where(onto_above, below, middle)


def refuse_equal_neighbours(data: Tally, question: str) -> None:
    """Refuse scores of which two have no threshold between them, some thousand at a time."""
    for start in range(len(data), -1, -STEP):
        mid_gap_thresholds(data, np.arange(start, max(start - STEP, -1), -1), question)


def _scores_at(data: Tally, places: Places) -> Floats:
    return np.asarray(data.scores[places], np.float64)


def _between(one: Floats, other: Floats, kind: type[np.floating[Any]]) -> Floats:
    """Middles of pairs of scores; by an infinite score the first float beyond the finite one.

    Rounding to `kind` keeps the order, so a middle may fall onto a score but never beyond it.
    """
    first, second = np.isinf(one), np.isinf(other)
    with np.errstate(invalid="ignore", over="ignore"):
        middle = (one / 2 + other / 2).astype(kind)  # halves first: no overflow
        one, other = one.astype(kind), other.astype(kind)
        middle[second] = np.nextafter(one[second], other[second])
        middle[first] = np.nextafter(other[first], one[first])
    middle[first & second & (one != other)] = 0.0
    return middle.astype(np.float64)


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


@result
class Window(Result):
    """No decision where `lower` < score < `upper`.

    Scores up to `lower` are negative and scores from `upper` on positive; the other way round
    where lower scores mean positive. Without abstention the two are equal.

    Attributes
    ----------
    lower, upper : float
        Thresholds in the middle of a gap between scores; infinite when nothing lies beyond.
        `lower_text` and `upper_text` are how they are written everywhere: in the fewest digits,
        at least four, that decide the same cases.
    expected_cost : float
        Per case, in the units of the costs.
    abstention_rate : float
        Share of all cases left undecided; `undecided_positives` and `undecided_negatives` are the
        shares of each class.
    cost_without_abstaining : float
        Per case, at the best single threshold.
    hull_fpr, hull_tpr : ndarray
        Vertices of the ROC convex hull.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        "lower",
        "upper",
        "expected_cost",
        "abstention_rate",
        "rule",
        "fpr",
        "fnr",
        "undecided_positives",
        "undecided_negatives",
        "cost_without_abstaining",
        "prevalence",
        "n_pos",
        "n_neg",
    )
    lower: float
    upper: float
    lower_text: str
    upper_text: str
    expected_cost: float
    abstention_rate: float
    rule: str
    fpr: float
    fnr: float
    undecided_positives: float
    undecided_negatives: float
    cost_without_abstaining: float
    prevalence: float
    costs: Costs
    n_pos: float
    n_neg: float
    hull_fpr: Floats
    hull_tpr: Floats
    data: Tally = field(metadata=ASIDE)

    @property
    def n_undecided(self) -> float:
        """How many of the cases given are left undecided."""
        shares = (self.undecided_positives, self.n_pos), (self.undecided_negatives, self.n_neg)
        number = sum(share * size for share, size in shares)
        return round(number) if abs(number - round(number)) < 1e-6 else number

    def single_thresholds(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """False and true positive rate of each threshold alone, the stricter one first.

        Between them there is no decision.
        """
        strict = self.fpr, 1 - self.fnr - self.undecided_positives
        mild = self.fpr + self.undecided_negatives, 1 - self.fnr
        return strict, mild

    def decide(self, y_score: ArrayLike) -> NDArray[np.int8]:
        """1 for positive, 0 for negative, -1 for no decision, of new scores.

        >>> import rocwise as rw
        >>> window = rw.abstain(
        ...     [0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], costs=rw.Costs(fp=1, fn=1, abstain=0.1)
        ... )
        >>> window.decide([2, 3.5, 7]).tolist()
        [0, -1, 1]
        """
        return decided(y_score, self.lower, self.upper, self.origin.direction)


W = TypeVar("W", bound=Window)


@result
class AbstentionWindow(Window):
    """The window that costs least.

    `mu` is the normalised cost of a false alarm and `nu` the pair of those of abstaining on a
    positive and on a negative, in units of what a miss costs more than a hit.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (*Window.frame_fields, "mu")
    mu: float
    nu: tuple[float, float]

    @property
    def saving(self) -> float:
        """How much less a case costs than at the best single threshold."""
        return self.cost_without_abstaining - self.expected_cost

    def uncertainty(
        self,
        *,
        n_resamples: int = 2000,
        level: float = 0.95,
        rng: Any = None,
        progress: bool | Report | None = None,
    ) -> AbstentionUncertainty:
        """Bootstrap intervals of the window, and its cost on cases left out.

        Parameters
        ----------
        n_resamples, level, rng, progress
            As for `bootstrap`; the window is found anew in every resample.

        Returns
        -------
        AbstentionUncertainty
            With `window` and the intervals `lower`, `upper`, `expected_cost`, `abstention_rate`;
            `out_of_bag_cost` is the cost to expect on new cases.

        Examples
        --------
        >>> import rocwise as rw
        >>> y, score = [0, 0, 1, 0, 1, 0, 1, 1], [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
        >>> window = rw.abstain(y, score, costs=rw.Costs(fp=1, fn=1, abstain=0.2))
        >>> answer = window.uncertainty(n_resamples=200, rng=1)
        >>> answer.lower.low <= window.lower <= answer.lower.high
        True
        >>> answer.out_of_bag_cost > window.expected_cost
        True
        """
        return resampled_window(
            self, n_resamples=n_resamples, level=level, rng=rng, progress=progress
        )

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        if self.abstention_rate == 0:
            words = "abstaining does not pay"
        else:
            words = (
                f"{printing.rate(self.abstention_rate, size)} of the cases undecided, "
                f"{self.cost_without_abstaining:.4g} without abstaining"
            )
        return (
            f"{self.rule}: {self.expected_cost:.4g} per case ({words}) at prevalence "
            f"{printing.rate(self.prevalence, size)}; {printing.classes(self.n_pos, self.n_neg)}"
        )


def decided(y_score: ArrayLike, lower: float, upper: float, direction: str) -> NDArray[np.int8]:
    """Decisions by a window: 1 positive, 0 negative, -1 neither; positive where both would be."""
    scores = new_scores(y_score)
    low = (scores <= lower) & (lower > -np.inf)  # beyond infinity lies nothing, not even infinity
    high = (scores >= upper) & (upper < np.inf)
    positive, negative = (high, low) if direction == "higher" else (low, high)
    answer = np.full(scores.shape, UNDECIDED, dtype=np.int8)
    answer[negative] = NEGATIVE
    answer[positive] = POSITIVE
    return answer


def best_window(hull: HullVertices, scaled: NormalisedCosts) -> tuple[int, int]:
    """The lower and upper vertex of the window that costs least, (5.9).

    Among equally cheap windows the one with the least abstention; without abstention the lowest
    threshold.
    """
    single = int(hull.first_best(scaled.mu))
    if not scaled.abstaining_may_pay:
        return single, single
    # (5.7): the least (1 - nu_pos) W+ - nu_neg W-; (5.8): the least nu_pos W+ - (mu - nu_neg) W-
    low = int(hull.last_best(scaled.nu_neg / (1 - scaled.nu_pos)))
    gain = scaled.mu - scaled.nu_neg
    high = int(hull.first_best(gain / scaled.nu_pos if scaled.nu_pos > 0 else np.inf))
    return (low, high) if low <= high else (single, single)  # crossed by rounding only


def window_cost(hull: HullVertices, low: int, high: int, scaled: NormalisedCosts) -> float:
    """The normalised cost of a window between two vertices, (5.4)."""
    missed, cleared = hull.missed, hull.cleared
    if low == high:  # abstaining may cost infinitely much
        return float(missed[low] + scaled.mu * (cleared[-1] - cleared[high]))
    undecided = scaled.nu_pos * (missed[high] - missed[low]) + scaled.nu_neg * (
        cleared[high] - cleared[low]
    )
    return float(missed[low] + scaled.mu * (cleared[-1] - cleared[high]) + undecided)


@by_group
def abstain(
    data: Any = None,
    y_score: Any = None,
    *,
    costs: Costs,
    prevalence: float | None = None,
    groups: Any = None,
    **given: Unpack[TallyOptions],
) -> AbstentionWindow:
    """The window of scores left undecided that has the least expected cost (5.9).

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`: the
        scored cases; scores on any scale.
    costs : Costs
        With `abstain`, a number or a pair (for positives, for negatives). Each error must
        cost more than the right decision.
    prevalence : float, optional
        The share of positives where the rule will be used; that of the data without it.
    groups : optional
        Cluster of each row, or the name of its column, for the `uncertainty` of the answer.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    AbstentionWindow
        With `lower`, `upper`, `expected_cost`, `abstention_rate`, and `decide(y_score)`. Among
        equally cheap windows it is the one with the least abstention.

    References
    ----------
    Friedel, Rückert and Kramer, "Cost curves for abstaining classifiers", ROCML 2006.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, score = [0, 0, 1, 0, 1, 0, 1, 1], [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
    >>> window = rw.abstain(y, score, costs=rw.Costs(fp=0.5, fn=1, abstain=0.2))
    >>> window.lower, window.upper, round(window.expected_cost, 4), window.abstention_rate
    (-0.5, 0.0, 0.1125, 0.25)
    """
    tally = as_clustered_tally("abstain", data, y_score, groups, given)
    scaled = normalised(costs, "abstain")
    share = share_of_positives(tally, prevalence)
    hull = hull_vertices(tally, share)
    low, high = best_window(hull, scaled)
    single = int(hull.first_best(scaled.mu))
    cost = window_cost(hull, low, high, scaled)
    alone = max(window_cost(hull, single, single, scaled), cost)
    return window_result(
        tally,
        AbstentionWindow,
        alarms=(int(hull.alarms[low]), int(hull.alarms[high])),
        hull_fpr=hull.rates[0],
        hull_tpr=hull.rates[1],
        expected_cost=scaled.in_units(cost, share),
        cost_without_abstaining=scaled.in_units(alone, share),
        mu=scaled.mu,
        nu=(scaled.nu_pos, scaled.nu_neg),
        prevalence=share,
        costs=costs,
    )


def window_result(
    data: Tally, kind: type[W], *, alarms: tuple[int, int], prevalence: float, **fields: Any
) -> W:
    """The window whose negative and positive side lie below so many distinct scores."""
    places = np.array(alarms)
    thresholds = mid_gap_thresholds(data, places, "abstain")
    low, high = float(thresholds[1][0]), float(thresholds[0][1])
    tp, fp = (
        np.where(places > 0, sums[places - 1], 0).astype(float) for sums in (data.tp, data.fp)
    )
    undecided = (tp[0] - tp[1]) / data.n_pos, (fp[0] - fp[1]) / data.n_neg
    positive, negative = mid_gap_texts(data, alarms[::-1], (high, low))
    rule = decision_rule(
        condition(data.origin, POSITIVE, positive),
        condition(data.origin, NEGATIVE, negative),
        every=alarms[0] == alarms[1],
    )
    texts = negative or f"{low:g}", positive or f"{high:g}"
    lower_text, upper_text = texts if data.direction == "higher" else texts[::-1]
    return kind(
        lower=min(low, high),
        upper=max(low, high),
        lower_text=lower_text,
        upper_text=upper_text,
        abstention_rate=float(prevalence * undecided[0] + (1 - prevalence) * undecided[1]),
        rule=rule,
        fpr=float(fp[1] / data.n_neg),
        fnr=float((data.n_pos - tp[0]) / data.n_pos),
        undecided_positives=float(undecided[0]),
        undecided_negatives=float(undecided[1]),
        prevalence=prevalence,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        data=data,
        origin=data.origin,
        **fields,
    )
