"""Threshold by a rule, the operating point there, and its bootstrap uncertainty."""

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any, ClassVar, NamedTuple, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Places, masked_nan
from rocwise.binary import threshold_rules as rules
from rocwise.binary.bootstrap import class_units, resampled, resampling_words
from rocwise.binary.roc import (
    DataResult,
    ThresholdInterval,
    sums_from_zero,
    warn_of_direction,
    whole_area,
    with_threshold_texts,
)
from rocwise.binary.smoothed_bootstrap import bandwidths, normal_scores, smoothed_draws
from rocwise.binary.threshold_groups import AlarmLimit, GroupThresholds
from rocwise.binary.threshold_rules import Cells, RuleName, RuleTerms, Ties
from rocwise.costs import Costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, MisuseWarning, shown, warn
from rocwise.inference.resampling import observed_limits
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.resample import Formula, Reader
from rocwise.progress import Report
from rocwise.results import ASIDE, GroupResults, Interval, Resampled, Result, json_safe, result

ABOVE_ALL = "above every score"
FEWEST_UNITS = 20  # cases or clusters of the smaller class, for the simulated coverage
Measure = Callable[[Cells], Floats]


@by_group
def threshold(
    data: Any = None,
    y_score: Any = None,
    *,
    rule: RuleName | Callable[..., Any] = "cost",
    costs: Costs | None = None,
    prevalence: float | None = None,
    constraint: float | None = None,
    beta: float | None = None,
    ties: Ties | None = None,
    limit: AlarmLimit = "each",
    **given: Unpack[TallyOptions],
) -> "OperatingPoint":
    """Select the optimal threshold by a criterion.

    Candidates are the observed scores and infinity (no positive prediction).

    Parameters
    ----------
    rule : str or callable, default "cost"
        Criterion to optimize:

        - "cost": expected cost, needs `costs`;
        - "youden" [1]_, "ameans", "closest", "product", "equal", "maximin", "minimax": of
          sensitivity and specificity;
        - "accuracy", "f1", "f-beta", "mcc", "kappa", "odds-ratio", "chi-square";
        - "predictive-sum", "predictive-product", "predictive-closest", "predictive-equal",
          "predictive-maximin": of PPV and NPV;
        - "prevalence": proportion of positive predictions equal to `constraint`;
        - "min-sensitivity", "min-specificity", "min-precision", "min-npv", "max-alarms",
          "min-lr-positive", "max-lr-negative": best threshold that satisfies `constraint`;
        - a function of the arrays (tp, fp, fn, tn), which is maximized.
    costs : Costs, optional
        Costs of the outcomes; with other rules than "cost" only for `expected_cost`.
    prevalence : float, optional
        Prevalence in the target population; that of the data by default.
    constraint : float, optional
        Limit of a "min-" or "max-" rule. For "max-alarms" a proportion of cases if below 1, else a
        number; for "prevalence" the target.
    beta : float, optional
        For "f-beta": weight of recall relative to precision.
    ties : {"strict", "mild", "middle"}, optional
        Which of equally good thresholds: the highest, the lowest ("cost" by default), or the
        middle.
    limit : {"each", "all"}, default "each"
        With `by` and "max-alarms": whether the constraint is for each group, or for all groups
        together.

    Returns
    -------
    OperatingPoint
        Result with `threshold`, `fpr`, `tpr`, `tp`, `fp`, `tn`, `fn`, `expected_cost`, `value` and
        `equals`, and the method ``uncertainty()`` for bootstrap intervals. With `by`, a
        `GroupThresholds` with the point of each group and `pooled`.

    See Also
    --------
    thresholds : Counts and metrics at every threshold.
    at : Sensitivity, specificity, PPV and NPV at an operating point.
    guaranteed_threshold : Threshold with a certified error rate.
    abstain : Optimal reject region (abstention).
    estimators.ThresholdClassifier : Classifier with an optimal threshold.

    Notes
    -----
    Performance at a threshold that was optimized on the same data is optimistic; ``uncertainty()``
    estimates it out-of-bag.

    References
    ----------
    .. [1] W. J. Youden, "Index for rating diagnostic tests", Cancer 3, 1950, 32-35.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, y_score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    >>> point = rw.threshold(y_true, y_score, costs=rw.Costs(fp=1, fn=5))
    >>> point.threshold, point.tpr, point.fpr
    (0.35, 1.0, 0.5)
    >>> ax = point.plot()
    >>> rw.threshold([0, 1, 0, 1], [1, 2, 3, 4], by=["f", "f", "m", "m"], rule="youden").thresholds
    array([2., 4.])
    """
    tally = as_tally("threshold", data, y_score, given)
    warn_of_direction(tally, whole_area(tally))
    checks.one_of(limit, "limit", get_args(AlarmLimit))
    if limit == "all" and rule != "max-alarms":
        raise InputError(f"limit='all' goes with rule='max-alarms'; got rule={shown(rule)}.")
    shared = limit == "all"
    return chosen_point(tally, rule, costs, prevalence, constraint, beta, ties, shared)


@result
class OperatingPoint(DataResult):
    """Chosen threshold with its criterion, confusion matrix and rates.

    A case is predicted positive when its score is at least `threshold` (at most, where lower scores
    mean positive); at an infinite threshold no case is. `precision`, `npv`, `accuracy`,
    `value` and `expected_cost` (per case) are at the `prevalence` used; `precision` and `npv` are
    None without such predictions. `equals` are all thresholds as good as this one. `uncertainty`
    is its bootstrap interval, `measure_curve` the measure of the rule.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("threshold", "threshold_text", "fpr", "tpr", "tp", "fp", "tn", "fn", "expected_cost"),
        *("rule", "value", "value_name", "precision", "npv", "accuracy", "prevalence"),
        *("constraint", "beta", "ties", "n_pos", "n_neg"),
    )
    group_results: ClassVar[type[GroupResults[Any]] | None] = GroupThresholds
    threshold: float
    threshold_text: str
    fpr: float
    tpr: float
    tp: float
    fp: float
    tn: float
    fn: float
    expected_cost: float | None
    rule: str
    value: float
    value_name: str
    precision: float | None
    npv: float | None
    accuracy: float
    prevalence: float
    costs: Costs | None
    constraint: float | None
    beta: float | None
    ties: Ties
    equals: Array
    n_pos: float
    n_neg: float
    data: Tally = field(metadata=ASIDE)
    terms: RuleTerms = field(metadata=ASIDE)

    @property
    def sensitivity(self) -> float:
        """The proportion of positives that are predicted positive."""
        return self.tpr

    @property
    def specificity(self) -> float:
        """The proportion of negatives that are predicted negative."""
        return self.tn / self.n_neg

    @property
    def decision(self) -> str:
        """The decision in words: ``positive when score >= 0.4``."""
        if self.threshold_text == ABOVE_ALL:
            return "no case is predicted positive"
        sign = ">=" if self.origin.direction == "higher" else "<="
        return f"positive when score {sign} {self.threshold_text}"

    @property
    def purpose(self) -> str:
        """The rule in words: ``largest Youden index``."""
        return rules.rule_of(self.rule, self.terms).words(f"{self.constraint or 0:g}")

    @property
    def reason(self) -> str:
        """Why this threshold, in words: ``largest Youden index (0.5)``."""
        return f"{self.purpose} ({self.value:.4g})"

    @property
    def iso_cost_slope(self) -> float | None:
        """Slope of the lines of equal expected cost in ROC space; None where no costs are given."""
        if self.costs is None:
            return None
        false_alarm, miss = self.costs.fp - self.costs.tn, self.costs.fn - self.costs.tp
        against = self.prevalence * miss
        return (1 - self.prevalence) * false_alarm / against if against > 0 else None

    def equal_points(self) -> "list[OperatingPoint]":
        """The points of all thresholds that are as good as this one, which is among them.

        >>> import rocwise as rw
        >>> point = rw.threshold([0, 1, 0, 1], [1, 2, 3, 4], rule="youden")
        >>> [(each.threshold, each.tpr) for each in point.equal_points()]
        [(4.0, 0.5), (2.0, 1.0)]
        """
        candidates = rules.candidate_thresholds(self.data)
        places = np.flatnonzero(np.isin(candidates, self.equals))
        return [self._at_place(place) for place in places.tolist()]

    def _at_place(self, place: int) -> "OperatingPoint":
        """The point at another threshold, with so many distinct scores predicted positive."""
        rule = rules.rule_of(self.rule, self.terms)
        return _point(self.data, rule, self.terms, place, np.array([place]), self.ties)

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        cost = "" if self.expected_cost is None else f", cost {self.expected_cost:.4g} per case"
        return (
            f"{self.decision}: {self.reason}; sensitivity "
            f"{printing.rate(self.tpr, size)}, specificity "
            f"{printing.rate(self.specificity, size)}{cost}; "
            f"{printing.classes(self.n_pos, self.n_neg)}{self._equals_words()}"
        )

    def _equals_words(self) -> str:
        if len(self.equals) == 1:
            return ""
        strict, mild = "highest", "lowest"
        if self.origin.direction == "lower":
            strict, mild = mild, strict
        which = {"strict": strict, "mild": mild, "middle": "middle one"}[self.ties]
        return f"; the {which} of {printing.count(len(self.equals))} equally good thresholds"

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON-safe values, without the data."""
        more = {"decision": self.decision, "specificity": json_safe(self.specificity)}
        return super().to_dict() | more

    def measure_curve(self) -> "MeasureCurve":
        """The measure of the rule at every candidate threshold.

        >>> import rocwise as rw
        >>> rw.threshold([0, 0, 1, 1], [1, 2, 2, 3], rule="youden").measure_curve().values.tolist()
        [0.0, 0.5, 0.5, 0.0]
        """
        cells = rules.candidate_cells(self.data, self.terms.prevalence)
        if self.rule == "cost" and self.terms.costs is not None:
            values = rules.expected_cost(cells, self.terms.costs)
        else:
            values = rules.rule_of(self.rule, self.terms).measure(cells, self.terms)
        return MeasureCurve(
            thresholds=rules.candidate_thresholds(self.data),
            values=masked_nan(values),
            name=self.value_name,
            point=self,
            origin=self.origin,
        )

    def uncertainty(
        self,
        *,
        n_resamples: int = 1000,
        level: float = 0.95,
        rng: Any = None,
        progress: bool | Report | None = None,
    ) -> "ThresholdUncertainty":
        """Smoothed bootstrap interval of the threshold, and its performance on cases left out.

        The threshold is chosen again in every stratified resample and tried on the cases that the
        resample left out. The optimism is the price of choosing and judging on the same cases.
        For the interval the normal scores (of the ranks, so that monotone transformations change
        nothing) of the resampled cases are smoothed by a normal kernel (Silverman's bandwidth per
        class; rows of a cluster are moved together), because the ordinary bootstrap
        of such cube-root estimators is inconsistent; its percentiles are conservative, and are
        observed scores. Scores on a few levels, whose typical gap exceeds the bandwidth, are not
        smoothed.
        With fewer than 20 cases or clusters in the smaller class there is a `MisuseWarning`.

        Parameters
        ----------
        n_resamples : int, default 1000
            How many resamples.
        level : float, default 0.95
            Of the percentile intervals.
        rng : optional
            Seed or generator, of which the seed used is in the result.
        progress : bool or callable, optional
            False for silence, a function of the fraction done, or a line on the terminal.

        Returns
        -------
        ThresholdUncertainty
            With `threshold`, `interval`, `measures`, `in_sample`, `out_of_bag`, `optimism`.

        References
        ----------
        Léger and MacGibbon, "On the bootstrap in cube root asymptotics", Can. J. Stat. 34, 2006;
        Silverman and Young, "The bootstrap: to smooth or not to smooth?", Biometrika 74, 1987.

        Examples
        --------
        >>> import rocwise as rw
        >>> y, s = [0] * 20 + [1] * 20, [*range(18), 24, 30, *range(15, 35)]
        >>> result = rw.threshold(y, s, rule="youden").uncertainty(n_resamples=200, rng=1)
        >>> result.threshold, bool(result.out_of_bag[0] < result.in_sample[0])
        (18.0, True)
        """
        data, rule = self.data, rules.rule_of(self.rule, self.terms)
        n_units = min(class_units(data, "`uncertainty` of a threshold"))
        level = checks.level(level)
        measures = _measures(rule, self.terms)
        n_resamples = checks.draws(
            n_resamples, rng, progress, at_least=2, cells=4 + 2 * len(measures)
        )
        seed = checks.seed(rng)
        if n_units < FEWEST_UNITS:
            unit = "cluster" if data.clustered else "case"
            warn(
                f"the smaller class has {printing.counted(n_units, unit)}: coverage of the limits "
                f"of a threshold was simulated from {FEWEST_UNITS} on, and may be lower here.",
                MisuseWarning,
            )
        drawn = _resamples(self, rule, measures, n_resamples, seed, progress)
        return _summary(self, rule, measures, drawn, level, seed)


@result
class MeasureCurve(Result):
    """Criterion at every candidate threshold, the highest first.

    The first threshold lies beyond every score: no case is predicted positive. `values` are masked
    where the measure is undefined; `name` is its name, `point` the chosen one.
    """

    thresholds: Array
    values: Floats
    name: str
    point: OperatingPoint = field(metadata=ASIDE)

    @property
    def smallest(self) -> bool:
        """Whether the rule makes the measure smallest, not largest."""
        return rules.rule_of(self.point.rule, self.point.terms).smallest

    def _sentence(self) -> str:
        return f"{self.name} at {printing.counted(len(self.values), 'threshold')}"


def chosen_point(
    data: Tally,
    rule: RuleName | Callable[..., Any],
    costs: Costs | None = None,
    prevalence: float | None = None,
    constraint: float | None = None,
    beta: float | None = None,
    ties: Ties | None = None,
    shared_limit: bool = False,
) -> OperatingPoint:
    """As `threshold`, of a tally."""
    chosen, terms = rules.checked_rule(
        rule, costs=costs, constraint=constraint, beta=beta, prevalence=prevalence
    )
    terms = replace(terms, shared_limit=shared_limit)
    if ties is not None:
        checks.one_of(ties, "ties", rules.TIES)
    settled = ties or chosen.ties
    cells = rules.candidate_cells(data, terms.prevalence)
    place, equal = rules.choose(cells, chosen, terms, settled)
    if place == rules.NOWHERE:
        raise rules.unattainable(cells, chosen, terms)
    return _point(data, chosen, terms, int(place), np.flatnonzero(equal), settled)


def _point(
    data: Tally, rule: rules.Rule, terms: RuleTerms, place: int, equal: Places, ties: Ties
) -> OperatingPoint:
    tp, fp = (0, 0) if place == 0 else (data.tp[place - 1].item(), data.fp[place - 1].item())
    cells = rules.cells_of(tp, fp, data.n_pos, data.n_neg, terms.prevalence)
    cost = None if terms.costs is None else float(rules.expected_cost(cells, terms.costs))
    value = cost if rule.name == "cost" and cost is not None else float(rule.measure(cells, terms))
    return OperatingPoint(
        threshold=rules.beyond(data) if place == 0 else data.scores[place - 1].item(),
        threshold_text=ABOVE_ALL if place == 0 else data.threshold_text(place - 1),
        fpr=float(cells.fpr),
        tpr=float(cells.tpr),
        tp=tp,
        fp=fp,
        tn=max(data.n_neg - fp, 0),
        fn=max(data.n_pos - tp, 0),
        expected_cost=cost,
        rule=rule.name,
        value=value,
        value_name=rule.measure_name,
        precision=rules.scalar(rules.ppv(cells)),
        npv=rules.scalar(rules.npv(cells)),
        accuracy=float(rules.accuracy(cells)),
        prevalence=float(cells.prevalence),
        costs=terms.costs,
        constraint=terms.constraint,
        beta=terms.beta if rule.name == "f-beta" else None,
        ties=ties,
        equals=rules.candidate_thresholds(data, equal),
        data=data,
        terms=terms,
        **data.result_fields,
    )


@result
class ThresholdUncertainty(Resampled):
    """Chosen threshold with bootstrap interval and out-of-bag performance.

    Row k of the arrays is about `measures[k]`: its value on the data that chose the threshold
    (`in_sample`), the mean over resamples on the cases left out of them (`out_of_bag`, with
    percentiles `low` and `high`), and by how much the first looks better (`optimism`). What is
    undefined is masked. `n_failed` resamples had no threshold that met the limit.
    """

    point: OperatingPoint
    threshold: float
    interval: ThresholdInterval
    measures: Array
    in_sample: Floats
    out_of_bag: Floats
    optimism: Floats
    low: Floats
    high: Floats
    replicates: Floats
    n_failed: int

    def _sentence(self) -> str:
        drop = (
            f"{self.measures[0]} {self.in_sample[0]:.3f} in sample, "
            f"{self.out_of_bag[0]:.3f} out of bag"
        )
        failed = f", {self.n_failed:,} of them without a threshold" if self.n_failed else ""
        return (
            f"{self.point.decision} ({printing.percent(self.interval.level)} CI of the threshold "
            f"{self.interval.ends}, {self.interval.method}); {drop}; "
            f"{printing.count(len(self.replicates) + self.n_failed)} resamples{failed}, "
            f"seed {self.seed}"
        )

    def _columns(self) -> dict[str, Any]:
        names = ("in_sample", "out_of_bag", "optimism", "low", "high")
        return {"measure": self.measures, **{name: getattr(self, name) for name in names}}


def _measures(rule: rules.Rule, terms: RuleTerms) -> dict[str, Measure]:
    """Measures computed out of bag, that of the rule first."""
    known: dict[str, Measure] = {}
    if rule.name != "cost" and not rule.grows_with_n:
        known[rule.measure_name] = lambda cells: rule.measure(cells, terms)
    if (costs := terms.costs) is not None:
        known["expected cost"] = lambda cells: rules.expected_cost(cells, costs)
    known["sensitivity"] = lambda cells: cells.tpr
    known["specificity"] = lambda cells: cells.tnr
    return known | {"precision": rules.ppv, "NPV": rules.npv, "accuracy": rules.accuracy}


class Resamples(NamedTuple):
    """Measures out of bag, one row per resample; thresholds of those that have one; the method."""

    measures: Floats
    thresholds: Floats
    method: str


def _resamples(
    point: OperatingPoint,
    rule: rules.Rule,
    measures: dict[str, Measure],
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> Resamples:
    """The threshold chosen again, in smoothed resamples, and tried on the cases left out."""
    data, more, places = point.data, None, np.arange(len(point.data))
    method = "bootstrap percentile"
    scores = normal_scores(data)
    if (widths := bandwidths(data, scores)) is not None:
        places, more = smoothed_draws(data, scores, widths, *_vertex(point, rule), seed)
        method = "smoothed bootstrap percentile"
    formula, reader = _out_of_bag(point, rule, measures)
    title = "bootstrap of the threshold"
    drawn = resampled(
        data, formula, reader, n_resamples, seed, title, progress, with_left_out=True, more=more
    )
    outside = np.where(drawn[:, :1] == rules.NOWHERE, np.nan, drawn[:, 1 : 1 + len(measures)])
    vertex = drawn[:, 0 if more is None else -1].astype(np.intp)
    thresholds = rules.candidate_thresholds(data).astype(np.float64)[np.append(0, places + 1)]
    return Resamples(outside, thresholds[vertex[vertex != rules.NOWHERE]], method)


def _vertex(point: OperatingPoint, rule: rules.Rule) -> tuple[Formula, Reader | None]:
    """Index of the chosen candidate, one per resample, 0 for no positive; also compiled."""

    def formula(pos: Array, neg: Array) -> Floats:
        tp, fp = sums_from_zero(pos), sums_from_zero(neg)
        inside = rules.cells_of(tp, fp, tp[:, -1:], fp[:, -1:], point.terms.prevalence)
        return np.asarray(rules.choose(inside, rule, point.terms, point.ties)[0])

    numbers = rules.rule_in_numbers(rule, point.terms, point.ties)
    if numbers is None:
        return formula, None
    return formula, Reader("threshold", numbers, width=5)


def _out_of_bag(
    point: OperatingPoint, rule: rules.Rule, measures: dict[str, Measure]
) -> tuple[Formula, Reader | None]:
    """Vertex of the threshold and the measures out of bag, one row per resample; also compiled."""
    chosen, reader = _vertex(point, rule)

    def tried(vertex: Array, tp: Floats, of_pos: Floats, fp: Floats, of_neg: Floats) -> Floats:
        n_pos, n_neg = (np.where(size > 0, size, np.nan) for size in (of_pos, of_neg))
        outside = rules.cells_of(tp, fp, n_pos, n_neg, point.prevalence)
        return np.stack([vertex, *(measure(outside) for measure in measures.values())], axis=1)

    def formula(pos: Array, neg: Array, pos_out: Array, neg_out: Array) -> Floats:
        vertex = chosen(pos, neg)
        above = np.maximum(vertex, 0)[:, None]
        sums = [sums_from_zero(part) for part in (pos_out, neg_out)]
        left = [(np.take_along_axis(part, above, 1)[:, 0], part[:, -1]) for part in sums]
        return tried(vertex, *left[0], *left[1])

    if reader is not None:
        reader = reader._replace(finished=lambda read: tried(*read.T))
    return formula, reader


def _summary(
    point: OperatingPoint,
    rule: rules.Rule,
    measures: dict[str, Measure],
    drawn: Resamples,
    level: float,
    seed: int,
) -> ThresholdUncertainty:
    data = point.data
    if not len(drawn.thresholds):
        raise InputError(
            "no resample has a threshold that meets `constraint`, so the threshold has no "
            "interval; choose a limit that is not at the edge of what the data reach."
        )
    own = rules.cells_of(point.tp, point.fp, data.n_pos, data.n_neg, point.prevalence)
    in_sample = masked_nan([float(measure(own)) for measure in measures.values()])
    columns = [column[~np.isnan(column)] for column in drawn.measures.T]
    outside = masked_nan([float(column.mean()) if len(column) else np.nan for column in columns])
    smaller_is_better = [
        name == "expected cost" or (name == rule.measure_name and rule.smallest)
        for name in measures
    ]
    sign = np.where(smaller_is_better, -1.0, 1.0)
    low, high = zip(*(observed_limits(column, level) for column in columns), strict=True)
    low_end, high_end = observed_limits(drawn.thresholds, level)
    limits = min(low_end, point.threshold), max(high_end, point.threshold)
    return ThresholdUncertainty(
        point=point,
        threshold=point.threshold,
        interval=with_threshold_texts(
            Interval(*limits, level, resampling_words(data, drawn.method)), data
        ),
        measures=np.array(list(measures)),
        in_sample=in_sample,
        out_of_bag=outside,
        optimism=sign * (in_sample - outside),
        low=masked_nan(low),
        high=masked_nan(high),
        replicates=drawn.thresholds,
        n_failed=len(drawn.measures) - len(drawn.thresholds),
        seed=seed,
        n_resamples=len(drawn.measures),
        origin=data.origin,
    )
