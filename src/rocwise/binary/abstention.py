"""Abstention: which scores to call negative, which positive, and which neither."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Weights
from rocwise.binary import abstention_windows as windows
from rocwise.binary.abstention_windows import TIED, CostPer, NormalizedCosts, normalized
from rocwise.binary.bootstrap import bounded_interval, class_units, resampled, resampling_words
from rocwise.binary.roc import ThresholdInterval, sums_from_zero, with_threshold_texts
from rocwise.costs import Costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.resampling import observed_limits
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.resample import Formula, Reader
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Resampled, Result, result


@by_group
def abstain(
    data: Any = None,
    y_score: Any = None,
    *,
    costs: Costs,
    max_abstention: float | None = None,
    max_cost: float | None = None,
    per: CostPer = "decided",
    prevalence: float | None = None,
    **given: Unpack[TallyOptions],
) -> "AbstentionWindow":
    """Find the reject region with the least expected cost (abstention).

    Scores strictly between two thresholds are left undecided. Abstaining has a cost [1]_, or is
    bounded: the least cost with at most `max_abstention` undecided, or the least abstention with a
    cost of at most `max_cost` [2]_.

    Parameters
    ----------
    costs : Costs
        Costs of the errors, and of abstaining (`abstain`) unless there is a bound. Each error must
        cost more than the correct decision. With a bound, Costs(fp=1, fn=1) makes the cost an error
        rate.
    max_abstention : float or int, optional
        Largest proportion (up to 1) or number of undecided cases.
    max_cost : float, optional
        Upper limit of the cost.
    per : {"decided", "case"}, default "decided"
        With a bound: whether the cost is the mean over decided cases or over all cases.
    prevalence : float, optional
        Prevalence in the target population; that of the data by default.

    Returns
    -------
    AbstentionWindow
        Result with `lower`, `upper`, `expected_cost` and `abstention_rate`, with a bound also
        `decided_cost`, and the methods ``decide(y_score)`` and ``uncertainty()``. Among regions of
        equal cost it is the one with the least abstention.

    See Also
    --------
    abstention_surface : Least cost with abstention over all costs.
    reliable : Thresholds with a target precision for each class.
    threshold : Optimal threshold by a criterion.
    estimators.AbstainingClassifier : Classifier with a reject option.

    References
    ----------
    .. [1] C. C. Friedel, U. Rückert and S. Kramer, "Cost curves for abstaining classifiers", ROCML
           workshop, 2006.
    .. [2] T. Pietraszek, "Optimizing abstaining classifiers using ROC analysis", ICML, 2005.
           doi:10.1145/1102351.1102435

    Examples
    --------
    >>> import rocwise as rw
    >>> y, score = [0, 0, 1, 0, 1, 0, 1, 1], [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
    >>> region = rw.abstain(y, score, costs=rw.Costs(fp=0.5, fn=1, abstain=0.2))
    >>> region.lower, region.upper, round(region.expected_cost, 4), region.abstention_rate
    (-0.5, 0.0, 0.1125, 0.25)
    >>> region = rw.abstain(y, score, costs=rw.Costs(fp=1, fn=1), max_abstention=0.25)
    >>> region.lower, region.upper, region.abstention_rate, round(region.decided_cost, 4)
    (-0.5, 0.0, 0.25, 0.1667)
    >>> ax = region.plot()
    """
    tally = as_tally("abstain", data, y_score, given)
    checks.one_of(per, "per", get_args(CostPer))
    if max_abstention is None and max_cost is None:
        return _cheapest_window(tally, costs, prevalence)
    bounds: dict[str, Any] = {"max_abstention": max_abstention, "max_cost": max_cost, "per": per}
    return AbstentionWindow(**windows.bounded_window(tally, costs, prevalence=prevalence, **bounds))


@result
class AbstentionWindow(Result):
    """Reject region: no decision where `lower` < score < `upper`.

    Scores up to `lower` are negative and scores from `upper` on positive; the other way round
    where lower scores mean positive. Without abstention the two are equal.

    Attributes
    ----------
    lower, upper : float
        Thresholds in the middle of a gap between scores; infinite if there are no scores beyond.
        `lower_text` and `upper_text` are how they are written everywhere: in the fewest digits,
        at least four, that decide the same cases.
    expected_cost : float
        Per case, in the units of the costs.
    abstention_rate : float
        Proportion of cases left undecided; `undecided_positives` and `undecided_negatives` are
        those of each class.
    cost_without_abstaining : float
        Per case, at the best single threshold.
    hull_fpr, hull_tpr : ndarray
        Vertices of the ROC convex hull.
    mu, nu : float, tuple of float
        Normalized costs of a false positive, and of abstaining on a positive and on a negative, in
        units of C(fn) - C(tp); None with a bound.
    decided_cost : float or None
        With a bound: cost per decided case, None when no case is decided.
    max_abstention, max_cost, per
        The bound, as given.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("lower", "upper", "expected_cost", "abstention_rate", "rule", "fpr", "fnr"),
        *("undecided_positives", "undecided_negatives", "cost_without_abstaining"),
        *("prevalence", "n_pos", "n_neg"),
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
    mu: float | None = None
    nu: tuple[float, float] | None = None
    decided_cost: float | None = None
    max_abstention: float | None = None
    max_cost: float | None = None
    per: CostPer | None = None

    @property
    def n_undecided(self) -> float:
        """How many of the cases given are left undecided."""
        proportions = (self.undecided_positives, self.n_pos), (self.undecided_negatives, self.n_neg)
        number = sum(proportion * size for proportion, size in proportions)
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
    ) -> "AbstentionUncertainty":
        """Compute bootstrap intervals of the reject region, and its out-of-bag cost.

        Parameters
        ----------
        n_resamples : int, default 2000
            Number of bootstrap resamples, in each of which the region is recomputed.
        level : float, default 0.95
            Confidence level.
        rng : int, numpy.random.Generator or None, optional
            Seed or random generator; None draws a seed, which the result reports.
        progress : bool or callable, optional
            Whether to show the progress of resamples, or a function of the fraction done.

        Returns
        -------
        AbstentionUncertainty
            With `window` and the intervals `lower`, `upper`, `expected_cost`, `abstention_rate`;
            `out_of_bag_cost` is the cost to expect on new cases. Cost and rate that are equal in
            all resamples have Hoeffding's bound for the cases of the smaller class.

        Examples
        --------
        >>> import rocwise as rw
        >>> y, score = [0, 0, 1, 0, 1, 0, 1, 1], [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
        >>> window = rw.abstain(y, score, costs=rw.Costs(fp=1, fn=1, abstain=0.2))
        >>> found = window.uncertainty(n_resamples=200, rng=1)
        >>> found.lower
        -0.5 to 0 (95% CI, bootstrap percentile)
        >>> round(window.expected_cost, 3), round(found.out_of_bag_cost, 3)
        (0.125, 0.309)
        """
        if self.per is not None:
            raise InputError(
                "`uncertainty` needs a reject region chosen with `costs.abstain`; it is "
                "not available with `max_abstention` or `max_cost`."
            )
        level = checks.level(level)
        n_resamples = checks.draws(n_resamples, rng, progress, cells=len(QUANTITIES))
        seed = checks.seed(rng)
        data, scaled = self.data, normalized(self.costs)
        class_units(data, "`uncertainty` of a reject region")
        windows.mid_gap_thresholds(data, np.arange(len(data) + 1), "uncertainty")  # scores differ
        statistic = BestWindow(scaled, self.prevalence)
        formula, reader = statistic.of_counts(data), statistic.reader(data)
        title = "bootstrap of the reject region"
        drawn = resampled(
            data, formula, reader, n_resamples, seed, title, progress, with_left_out=True
        )
        method = resampling_words(data, "bootstrap percentile")
        lower, upper, cost, rate = (
            Interval(*observed_limits(column, level), level, method) for column in drawn[:, :4].T
        )
        may_abstain = windows.abstaining_may_pay(*scaled.ratios)
        if may_abstain and np.ptp(drawn[:, 3]) < TIED:  # all equal: they show no variance
            rate = bounded_interval(data, self.abstention_rate, (0.0, 1.0), level)
        if np.ptp(drawn[:, 2]) < TIED * np.abs(drawn[:, 2]).max(initial=1.0):
            cost = bounded_interval(data, self.expected_cost, self._cost_bounds(), level)
        left_out = drawn[:, -1][~np.isnan(drawn[:, -1])]
        unseen = float(left_out.mean()) if len(left_out) else None
        return AbstentionUncertainty(
            window=self,
            lower=with_threshold_texts(lower, data),
            upper=with_threshold_texts(upper, data),
            expected_cost=cost,
            abstention_rate=rate,
            share_abstaining=float(np.mean(drawn[:, 3] > TIED)),
            out_of_bag_cost=unseen,
            optimism=None if unseen is None else unseen - self.expected_cost,
            n_resamples=len(drawn),
            seed=seed,
            origin=self.origin,
        )

    def _cost_bounds(self) -> tuple[float, float]:
        """Expected cost if every decision is right, and if every one is wrong."""
        costs, p = self.costs, self.prevalence
        return p * costs.tp + (1 - p) * costs.tn, p * costs.fn + (1 - p) * costs.fp

    def _columns(self) -> Mapping[str, Any]:
        bound = ("decided_cost", "max_abstention", "max_cost", "per")
        more = ("mu",) if self.per is None else bound
        return {name: [getattr(self, name)] for name in (*self.frame_fields, *more)}

    def _sentence(self) -> str:
        words = self._cost_words() if self.per is None else self._bound_words()
        return f"{self.rule}: {words}; {printing.classes(self.n_pos, self.n_neg)}"

    def _cost_words(self) -> str:
        size = self.n_pos + self.n_neg
        undecided = (
            "abstaining does not pay"
            if self.abstention_rate == 0
            else f"{printing.rate(self.abstention_rate, size)} of the cases undecided, "
            f"{self.cost_without_abstaining:.4g} without abstaining"
        )
        return (
            f"{self.expected_cost:.4g} per case ({undecided}) at prevalence "
            f"{printing.rate(self.prevalence, size)}"
        )

    def _bound_words(self) -> str:
        cost = "" if self.decided_cost is None else f", {self.decided_cost:.4g} per decided case"
        case = "decided case" if self.per == "decided" else "case"
        bound = f"a cost of at most {self.max_cost or 0:g} per {case}"
        if (most := self.max_abstention) is not None:
            words = f"{most:g} of the cases" if most <= 1 else printing.counted(most, "case")
            bound = f"at most {words} undecided"
        return (
            f"{printing.rate(self.abstention_rate, self.n_pos + self.n_neg)} of the cases "
            f"undecided ({printing.count(self.n_undecided)} here){cost}, "
            f"{self.cost_without_abstaining:.4g} without abstaining (bound: {bound})"
        )


def decided(y_score: ArrayLike, lower: float, upper: float, direction: str) -> NDArray[np.int8]:
    """Decisions by a reject region: 1 positive, 0 negative, -1 neither; of both, positive."""
    scores = windows.new_scores(y_score)
    low = (scores <= lower) & (lower > -np.inf)  # beyond infinity lies nothing, not even infinity
    high = (scores >= upper) & (upper < np.inf)
    positive, negative = (high, low) if direction == "higher" else (low, high)
    decisions = np.where(
        positive, windows.POSITIVE, np.where(negative, windows.NEGATIVE, windows.UNDECIDED)
    )
    return decisions.astype(np.int8)


def _cheapest_window(data: Tally, costs: Costs, prevalence: float | None) -> AbstentionWindow:
    """The reject region of the least expected cost, (5.9)."""
    scaled = normalized(costs)
    p = windows.prevalence_of(data, prevalence)
    hull = windows.hull_vertices(data, p)
    low, high = hull.best_windows(*scaled.ratios)
    single = hull.first_best(scaled.mu)
    cost = float(hull.cost(low, high, *scaled.ratios))
    alone = max(float(hull.cost(single, single, *scaled.ratios)), cost)
    return AbstentionWindow(
        **windows.window_fields(data, (int(hull.alarms[low]), int(hull.alarms[high])), p),
        hull_fpr=hull.rates[0],
        hull_tpr=hull.rates[1],
        expected_cost=scaled.in_units(cost, p),
        cost_without_abstaining=scaled.in_units(alone, p),
        mu=scaled.mu,
        nu=(scaled.nu_pos, scaled.nu_neg),
        costs=costs,
    )


QUANTITIES = ("lower", "upper", "expected_cost", "abstention_rate")


@result
class AbstentionUncertainty(Resampled):
    """Bootstrap intervals of the reject region, which is recomputed in every resample.

    Attributes
    ----------
    window : AbstentionWindow
        The region of the data.
    lower, upper, expected_cost, abstention_rate : Interval
        Percentile intervals; limits of the two thresholds are thresholds that occurred. That of
        the cost is of the least cost on the resamples themselves: it covers the cost of new cases
        with coverage 35 to 65% only (50 to 1,000 cases). Use `out_of_bag_cost`.
    share_abstaining : float
        Proportion of the resamples in which abstaining pays.
    out_of_bag_cost : float or None
        Mean cost of the region of a resample on the cases that it left out; None when every
        resample contains all cases of a class.
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
            f"abstaining pays in {100 * self.share_abstaining:.3g}% of "
            f"{self.n_resamples:,} resamples, seed {self.seed}"
        )


def _ends(interval: Interval) -> str:
    return f"{interval.low:.4g} to {interval.high:.4g}"


@dataclass(frozen=True, eq=False)
class BestWindow:
    """Thresholds, cost, abstention and out-of-bag cost of the best region of resampled counts."""

    scaled: NormalizedCosts
    prevalence: float

    def of_counts(self, data: Tally) -> Formula:
        """Of counts in and out of a resample: lower, upper, cost, abstention, cost out of bag."""
        p, q = self.prevalence, 1 - self.prevalence

        def numbers(*counts: Weights) -> Floats:
            sums = [sums_from_zero(part[:, ::-1]) for part in counts]  # below each threshold
            missed, cleared = (part / part[:, -1:] for part in sums[:2])
            at = np.stack(self._best(p * missed, q * cleared), axis=1)
            below = [np.take_along_axis(part, at, 1) for part in (missed, cleared, *sums[2:])]
            totals = [part[:, -1:] for part in sums[2:]]
            return self.finished(data, np.hstack([len(data) - at, *below, *totals]))

        return numbers

    def reader(self, data: Tally) -> Reader:
        """The same in compiled code, which reads both vertices and the proportions below them."""
        return Reader(
            "window", self._numbers(), width=12, finished=lambda read: self.finished(data, read)
        )

    def _numbers(self) -> Floats:
        """Coefficients of missed and cleared for a single, the lower and the upper threshold."""
        costs, p, q = self.scaled, self.prevalence, 1 - self.prevalence
        pays = windows.abstaining_may_pay(*costs.ratios)
        nu_pos, nu_neg = (costs.nu_pos, costs.nu_neg) if pays else (0.0, 0.0)
        lower = (1 - nu_pos) * p, -nu_neg * q
        upper = nu_pos * p, -(costs.mu - nu_neg) * q
        return np.array([TIED, pays, p, -costs.mu * q, *lower, *upper])

    def finished(self, data: Tally, read: Floats) -> Floats:
        """Of scores above both thresholds, proportions below them, and sums left out of bag."""
        p, q = self.prevalence, 1 - self.prevalence
        lower, upper = _thresholds_of(data, *(len(data) - read[:, :2].astype(np.intp)).T)
        ends = p * read[:, 2], p * read[:, 3], q * read[:, 4], q * read[:, 5]
        unseen = np.full(len(read), np.nan)
        kept = (read[:, 10] >= TIED) & (read[:, 11] >= TIED)
        pos, neg = read[kept, 6:8].T / read[kept, 10], read[kept, 8:10].T / read[kept, 11]
        unseen[kept] = self._cost_and_rate(*(p * pos), *(q * neg))[0]
        return np.stack([lower, upper, *self._cost_and_rate(*ends), unseen], axis=1)

    def _best(self, missed: Floats, cleared: Floats) -> tuple[Array, Array]:
        """Places of the lower and upper threshold in each row, by (5.6) to (5.9)."""
        mu, nu_pos, nu_neg = self.scaled.ratios
        single = _first_least(missed - mu * cleared)
        if not windows.abstaining_may_pay(mu, nu_pos, nu_neg):
            return single, single
        falling = ((1 - nu_pos) * missed - nu_neg * cleared)[:, ::-1]
        low = missed.shape[1] - 1 - _first_least(falling)  # the last among equals
        high = _first_least(nu_pos * missed - (mu - nu_neg) * cleared)
        crossed = low > high
        return np.where(crossed, single, low), np.where(crossed, single, high)

    def _cost_and_rate(
        self, missed: Floats, missed_high: Floats, cleared: Floats, cleared_high: Floats
    ) -> tuple[Floats, Floats]:
        """Cost in the user's units, (5.3) of (5.4), and abstention, of weights below thresholds."""
        costs = self.scaled
        # nothing is left undecided at an infinite cost, and nothing times any number costs nothing
        nu_pos, nu_neg = (min(nu, np.finfo(float).max) for nu in (costs.nu_pos, costs.nu_neg))
        of_pos = missed + nu_pos * (missed_high - missed)
        undecided = cleared_high - cleared
        of_neg = costs.mu * ((1 - self.prevalence) - cleared_high) + nu_neg * undecided
        cost = costs.unit * (of_pos + of_neg) + costs.in_units(0.0, self.prevalence)
        return np.asarray(cost), (missed_high + cleared_high) - (missed + cleared)


def _thresholds_of(data: Tally, low: Array, high: Array) -> tuple[Floats, Floats]:
    """Thresholds of regions with given numbers of scores below the lower and upper one."""
    below = windows.mid_gap_thresholds(data, len(data) - low, "uncertainty")[1]
    above = windows.mid_gap_thresholds(data, len(data) - high, "uncertainty")[0]
    return (below, above) if data.direction == "higher" else (above, below)


def _first_least(values: Floats) -> Array:
    """The first index in each row whose value is the least, equal within rounding."""
    least = values.min(axis=1, keepdims=True)
    slack = TIED * np.abs(values).max(axis=1, keepdims=True)
    return np.asarray(np.argmax(values <= least + slack, axis=1))
