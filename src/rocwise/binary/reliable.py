"""Reliable rules: abstain just enough that both classes reach a target performance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocwise import checks, printing
from rocwise.arrays import Floats, Places
from rocwise.binary.abstention_windows import (
    NEGATIVE,
    POSITIVE,
    UNDECIDED,
    condition,
    decision_rule,
    new_scores,
    score_text,
)
from rocwise.binary.isometrics import (
    NAMES,
    Line,
    MetricTerms,
    Performance,
    Sides,
    checked_terms,
    checked_value,
    isometric,
    line_of,
    metric_of,
    values_at,
)
from rocwise.binary.roc import hull_counts
from rocwise.costs import Costs, check_costly_errors, checked_costs
from rocwise.data.tally import Tally
from rocwise.errors import ConflictError, InputError, UnattainableError, shown
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import Result, result

ON_THE_LINE = 1e-12
SAME_POINT = 1e-9
Point = tuple[float, float]
Texts = tuple[tuple[str | None, str | None], tuple[str | None, str | None]]
ROUNDING = 1e-12
ReliabilityRule = Literal["arcs", "paper"]
ConstantM = Literal["number", "proportion"]


@by_group
def reliable(
    data: Any = None,
    y_score: Any = None,
    *,
    positive: float,
    negative: float,
    metric: Performance | Sides = "precision",
    rule: ReliabilityRule = "arcs",
    skew: float | None = None,
    costs: Costs | None = None,
    alpha: float = 1.0,
    m: float = 0.0,
    m_constant: ConstantM = "number",
    **given: Unpack[TallyOptions],
) -> ReliableRule:
    """Find thresholds with a target precision for each class, abstaining where necessary.

    Parameters
    ----------
    positive : float
        Target for cases predicted positive (PPV if `metric` is "precision").
    negative : float
        Target for cases predicted negative (NPV if `metric` is "precision").
    metric : str or (str, str), default "precision"
        "precision", "f" (F-measure) or "m" (m-estimate of precision); a pair is (positive,
        negative).
    rule : {"arcs", "paper"}, default "arcs"
        "arcs" abstains only if no point of the convex hull reaches both targets; "paper" abstains
        between the two crossings whenever they are in that order [1]_.
    skew : float, optional
        Negatives per positive, times the cost ratio of a false positive to a false negative; by
        default that of the data at equal costs, or at `costs`.
    costs : Costs, optional
        Costs of the errors, in place of `skew`.
    alpha : float, default 1
        For the F-measure, as in `isometric`.
    m : float, default 0
        For the m-estimate, as in `isometric`.
    m_constant : {"number", "proportion"}, default "number"
        What is constant when cases are rejected: the number m of a priori cases, or `m`, their
        number divided by that of the decided cases.

    Returns
    -------
    ReliableRule
        Result with `case`, `upper_threshold`, `lower_threshold`, the proportions `upr` and `unr` of
        rejected positives and negatives, and the method ``decide(y_score)``.

    See Also
    --------
    abstain : Optimal reject region (abstention).
    isometric : Line of constant precision or F-measure in ROC space.
    guaranteed_threshold : Threshold with a certified error rate.
    estimators.ReliableClassifier : Classifier with a target precision for each class.

    References
    ----------
    .. [1] S. Vanderlooy, I. G. Sprinkhuizen-Kuyper and E. N. Smirnov, "An analysis of reliable
           classifiers through ROC isometrics", ROCML workshop, 2006.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true = [0, 0, 1, 0, 0, 1, 0, 1, 1, 1]
    >>> rule = rw.reliable(y_true, range(10), positive=0.9, negative=0.9)
    >>> rule.case, rule.upper_threshold, rule.lower_threshold, rule.mixing[0]
    (3, 7.0, 4.0, 0.375)
    >>> ax = rule.plot()
    """
    tally = as_tally("reliable", data, y_score, given)
    checks.one_of(rule, "rule", get_args(ReliabilityRule))
    checks.one_of(m_constant, "m_constant", get_args(ConstantM))
    sides = checked_sides(metric)
    terms = checked_terms(_skew(tally, skew, costs), alpha, m)
    vertices, tp, fp = hull_counts(tally)
    hull = HullPath(fp / tally.n_neg, tp / tally.n_pos)
    metrics = metric_of(sides[0], "+"), metric_of(sides[1], "-")
    targets = (
        line_of(metrics[0], checked_value(metrics[0], positive, terms, "positive"), terms),
        line_of(metrics[1], checked_value(metrics[1], negative, terms, "negative"), terms),
    )
    chosen = chosen_places(hull, targets, terms, rule)
    return _result(tally, vertices, hull, targets, chosen, sides, rule, m_constant)


@result
class ReliableRule(Result):
    """Thresholds with a target for each class, with abstention between them if necessary.

    `case` is 1 (one point of the hull reaches both targets), 2 (an arc does; no abstention) or 3
    (abstention between `point_a` and `point_b`). Scores from `upper_threshold` on are positive,
    scores up to `lower_threshold` negative (the other way round where lower scores mean
    positive). Both are those of the left end of a hull edge; `mixing` is the fraction of the way
    to the right end, whose thresholds are in `upper_mixed` and `lower_mixed`. The performances are
    those among the decided cases; the precision of a class that is never called is None. `texts`
    are the thresholds of positives and of negatives as they are written, None beyond all scores.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("case", "upper_threshold", "lower_threshold", "upr", "unr", "abstention_rate"),
        *("positive_performance", "negative_performance"),
    )
    case: int
    upper_threshold: float
    lower_threshold: float
    rule: str
    upr: float
    unr: float
    point_a: Point
    point_b: Point
    point: Point
    positive_performance: float | None
    negative_performance: float | None
    mixing: tuple[float, float]
    upper_mixed: float
    lower_mixed: float
    texts: Texts
    interval: tuple[Point, Point] | None
    abstention_rate: float
    metric: Sides
    targets: tuple[float, float]
    by_rule: str
    skew: float
    skew_after: float
    m: float
    m_after: float
    alpha: float
    positive_line: Line
    negative_line: Line
    hull_fpr: Floats
    hull_tpr: Floats
    transformed_fpr: Floats
    transformed_tpr: Floats
    n_pos: float
    n_neg: float

    def decide(self, y_score: ArrayLike, *, rng: Any = None) -> NDArray[np.int8]:
        """1 for positive, 0 for negative, -1 for no decision, of new scores.

        Where a point lies inside a hull edge the rule is a mixture of two. With `rng` cases are
        assigned to the two at random, with the probabilities `mixing`; without it only cases on
        which both agree are decided, with slightly more abstentions and the target precisions.
        """
        scores = new_scores(y_score)
        checks.generator(rng)
        sign = 1.0 if self.origin.direction == "higher" else -1.0
        oriented = sign * scores
        sure, partly = (sign * value for value in self.thresholds_of_positives())
        never_positive, never_negative = self.beyond_scores()
        positive = (oriented >= sure) & (not never_positive)
        may_be_positive = oriented >= partly if self.mixing[0] > 0 else positive
        left, right = (sign * value for value in self.thresholds_of_negatives())
        # without abstention whatever is not positive is negative, also inside a gap of the scores
        surely_negative = (oriented <= right) & (not never_negative)
        negative = surely_negative if self.case == 3 else ~may_be_positive
        if rng is not None:
            draws = np.random.default_rng(checks.seed(rng)).random(scores.shape)
            positive |= may_be_positive & (draws < self.mixing[0])
            negative |= (oriented <= left) & (draws >= self.mixing[1])
        decisions = np.where(positive, POSITIVE, np.where(negative, NEGATIVE, UNDECIDED))
        return decisions.astype(np.int8)

    def reached_lines(self) -> tuple[Line, ...]:
        """The isometrics of the performances reached, in the ROC space of the decided cases."""
        reached = self.positive_performance, self.negative_performance
        return tuple(
            isometric(
                metric_of(side, sign), value, skew=self.skew_after, alpha=self.alpha, m=self.m_after
            )
            for side, value, sign in zip(self.metric, reached, "+-", strict=True)
            if value is not None
        )

    def thresholds_of_positives(self) -> tuple[float, float]:
        """From which scores on cases are positive, at the left and right end of the hull edge."""
        return self._thresholds(upper=self.origin.direction == "higher")

    def thresholds_of_negatives(self) -> tuple[float, float]:
        """Up to which scores cases are negative, at the left and right end of the hull edge."""
        return self._thresholds(upper=self.origin.direction == "lower")

    def _thresholds(self, *, upper: bool) -> tuple[float, float]:
        side = "upper" if upper else "lower"
        return getattr(self, f"{side}_threshold"), getattr(self, f"{side}_mixed")

    def beyond_scores(self) -> tuple[bool, bool]:
        """Whether no score is surely positive, and none surely negative, not even infinite ones.

        So it is where the hull edge of `point_a` starts in (0, 0), and that of `point_b` ends in
        (1, 1): a threshold there is infinite, as it also is at an infinite score.
        """
        along = self.hull_fpr + self.hull_tpr
        first, last = float(along[1]) - ROUNDING, float(along[-2]) + ROUNDING
        return sum(self.point_a) < first, sum(self.point_b) > last

    @property
    def metric_words(self) -> tuple[str, str]:
        """The metrics for positives and for negatives: ``precision``, ``F-measure``."""
        return NAMES[self.metric[0]], NAMES[self.metric[1]]

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        performances = " and ".join(
            f"{metric} {'undefined' if value is None else f'{value:.4g}'} for {name}"
            for metric, value, name in zip(
                self.metric_words,
                (self.positive_performance, self.negative_performance),
                ("positives", "negatives"),
                strict=True,
            )
        )
        price = (
            f"no decision on {printing.rate(self.abstention_rate, size)} of the cases"
            if self.case == 3
            else "without abstaining"
        )
        return (
            f"{self.rule}: {performances}, {price} (case {self.case}); "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


def checked_sides(metric: Any) -> Sides:
    """The metrics of the positive and the negative class."""
    pair: Any = (metric, metric) if isinstance(metric, str) else metric
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise InputError(
            f"`metric` must be one of {', '.join(map(repr, NAMES))}, or a pair (for positives, "
            f"for negatives); got {shown(metric)}."
        )
    for name in pair:
        checks.one_of(name, "metric", get_args(Performance))
    return pair[0], pair[1]


def _skew(data: Tally, skew: float | None, costs: Costs | None) -> float:
    """The skew given, or that of the classes and the costs of errors (4.1)."""
    if skew is not None and costs is not None:
        raise InputError("`skew` already includes the costs; pass `skew` or `costs`, not both.")
    if skew is not None:
        return skew
    ratio = float(data.n_neg) / float(data.n_pos)
    if costs is None:
        return ratio
    check_costly_errors(checked_costs(costs), "reliable")
    return ratio * (costs.fp - costs.tn) / (costs.fn - costs.tp)


class ChosenPlaces(NamedTuple):
    """The case, the places of a and b on the hull, and the arc that meets both targets."""

    case: int
    a: float
    b: float
    interval: tuple[Point, Point] | None = None


def chosen_places(
    hull: HullPath, targets: tuple[Line, Line], terms: MetricTerms, rule: str
) -> ChosenPlaces:
    """Where to abstain; raises where the targets cannot be met."""
    arcs = []
    for line in targets:
        arc = arc_above(hull, line)
        if arc is None:
            side = "positive" if line.metric.endswith("+") else "negative"
            values = np.ma.masked_array(values_at(line.metric, hull.fpr, hull.tpr, terms))
            raise UnattainableError(side, line.value, float(values.max()))
        arcs.append(arc)
    pos, neg = arcs
    return (_by_crossings if rule == "paper" else _by_arcs)(hull, pos, neg, terms)


def _by_arcs(hull: HullPath, pos: Arc, neg: Arc, terms: MetricTerms) -> ChosenPlaces:
    first, last = max(pos.first, neg.first), min(pos.last, neg.last)
    if hull.same(first, last):
        return ChosenPlaces(1, first, first, (hull.point(first), hull.point(last)))
    if first < last:
        best = _best_place(hull, first, last, terms)
        return ChosenPlaces(2, best, best, (hull.point(first), hull.point(last)))
    if pos.last < neg.first:
        return ChosenPlaces(3, pos.last, neg.first)
    raise ConflictError()


def _by_crossings(hull: HullPath, pos: Arc, neg: Arc, terms: MetricTerms) -> ChosenPlaces:
    """Vanderlooy et al.: a is the last crossing of one isometric, b the first of the other."""
    a, b = pos.last, neg.first
    if not pos.cut_last and pos.cut_first and pos.first > 0:
        a = pos.first
    if not neg.cut_first and neg.cut_last and neg.last < hull.last:
        b = neg.last
    if hull.same(a, b):
        return ChosenPlaces(1, a, a, (hull.point(a), hull.point(b)))
    if a < b:
        return ChosenPlaces(3, a, b)
    best = _best_place(hull, b, a, terms)
    return ChosenPlaces(2, best, best, (hull.point(b), hull.point(a)))


def _best_place(hull: HullPath, first: float, last: float, terms: MetricTerms) -> float:
    """The vertex or end of an arc with the largest tpr + c (1 - fpr); among equals a vertex."""
    places = np.array(hull.vertices_within(first, last))
    points = np.array([hull.point(place) for place in places])
    gain = points[:, 1] + terms.skew * (1 - points[:, 0])
    best = places[gain >= gain.max() - ON_THE_LINE * max(1.0, terms.skew)]
    order = ((best > 0) & (best < hull.last), best == np.round(best))
    return float(best[np.lexsort((best, ~order[0], ~order[1]))[0]])


@dataclass(frozen=True, eq=False)
class HullPath:
    """Vertices from (0, 0) to (1, 1); place 2.25 is a quarter of the way from vertex 2 to 3."""

    fpr: Floats
    tpr: Floats

    @property
    def last(self) -> float:
        """The place of (1, 1)."""
        return float(len(self.fpr) - 1)

    def point(self, place: float) -> Point:
        """The rates at a place."""
        vertex = min(int(place), len(self.fpr) - 1)
        fraction = place - vertex
        if fraction == 0:
            return float(self.fpr[vertex]), float(self.tpr[vertex])
        x, y = self.fpr[vertex : vertex + 2], self.tpr[vertex : vertex + 2]
        return float(x[0] + fraction * (x[1] - x[0])), float(y[0] + fraction * (y[1] - y[0]))

    def same(self, one: float, other: float) -> bool:
        """Whether two places are one point within 1e-9."""
        a, b = self.point(one), self.point(other)
        return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= SAME_POINT

    def snapped(self, place: float) -> float:
        """The vertex, where a place differs from it by rounding only."""
        vertex = float(round(place))
        return vertex if self.same(place, vertex) else place

    def vertices_within(self, first: float, last: float) -> list[float]:
        """Both ends and the vertices between them, in order."""
        between = range(int(np.floor(first)) + 1, int(np.ceil(last)))
        return list(dict.fromkeys([first, *map(float, between), last]))


class Arc(NamedTuple):
    """Where on the hull a metric reaches its target; `cut`: its isometric crosses there."""

    first: float
    last: float
    cut_first: bool
    cut_last: bool


def arc_above(hull: HullPath, line: Line) -> Arc | None:
    """The arc on or above an isometric; None where only a class that is never called reaches it."""
    excess = line.excess(hull.fpr, hull.tpr)
    inside = np.flatnonzero(excess >= -ON_THE_LINE)
    if not len(inside):
        return None
    i, j = int(inside[0]), int(inside[-1])
    first, last = float(i), float(j)
    if i > 0 and excess[i] > ON_THE_LINE:
        first = hull.snapped(i - 1 + float(excess[i - 1] / (excess[i - 1] - excess[i])))
    if j < hull.last and excess[j] > ON_THE_LINE:
        last = hull.snapped(j + float(excess[j] / (excess[j] - excess[j + 1])))
    never_called = 0.0 if line.metric.endswith("+") else hull.last
    if hull.same(first, last) and hull.same(first, never_called):
        return None
    cut_first = i > 0 or excess[0] <= ON_THE_LINE
    cut_last = j < hull.last or excess[-1] <= ON_THE_LINE
    return Arc(first, last, bool(cut_first), bool(cut_last))


class Abstention(NamedTuple):
    """No decision on the cases between two points of the hull."""

    upr: float  # proportions of the positives and of the negatives left undecided, (4.6)
    unr: float
    point: Point  # rates among the decided cases
    after: MetricTerms  # skew and m after, (4.9) and (4.10)


def abstention_between(
    a: Point, b: Point, terms: MetricTerms, m_constant: ConstantM = "number"
) -> Abstention:
    """Abstain between a and b, which lies to its right."""
    unr, upr = max(b[0] - a[0], 0.0), max(b[1] - a[1], 0.0)
    positives, negatives = 1 - upr, 1 - unr
    skew = terms.skew * negatives / positives
    m = terms.m
    if m_constant == "number":
        m *= (1 + terms.skew) / (positives + terms.skew * negatives)
    point = a[0] / negatives, a[1] / positives
    return Abstention(upr, unr, point, terms._replace(skew=skew, m=m))


def transformed(hull: HullPath, a: float, b: float, between: Abstention) -> tuple[Floats, Floats]:
    """The hull among the decided cases, (4.7) before a and (4.8) after b; a and b coincide."""
    places = np.arange(len(hull.fpr))
    before, after = places < a, places > b
    negatives, positives = 1 - between.unr, 1 - between.upr
    sides = ((hull.fpr, negatives, between.point[0]), (hull.tpr, positives, between.point[1]))
    fpr, tpr = (
        np.concatenate([rate[before] / kept, [at], 1 - (1 - rate[after]) / kept])
        for rate, kept, at in sides
    )
    return fpr, tpr


def _result(
    data: Tally,
    vertices: Places,
    hull: HullPath,
    targets: tuple[Line, Line],
    chosen: ChosenPlaces,
    sides: Sides,
    by_rule: str,
    m_constant: ConstantM,
) -> ReliableRule:
    terms = MetricTerms(targets[0].skew, targets[0].alpha, targets[0].m)
    a, b = hull.point(chosen.a), hull.point(chosen.b)
    between = abstention_between(a, b, terms, m_constant)
    after = [values_at(line.metric, *between.point, between.after).tolist() for line in targets]
    moved = transformed(hull, chosen.a, chosen.b, between)
    n_undecided = between.upr * data.n_pos + between.unr * data.n_neg
    return ReliableRule(
        case=chosen.case,
        **_thresholds(data, vertices, chosen),
        upr=between.upr,
        unr=between.unr,
        point_a=a,
        point_b=b,
        point=between.point,
        positive_performance=after[0],
        negative_performance=after[1],
        interval=chosen.interval,
        abstention_rate=float(n_undecided / (data.n_pos + data.n_neg)),
        metric=sides,
        targets=(targets[0].value, targets[1].value),
        by_rule=by_rule,
        skew=terms.skew,
        skew_after=between.after.skew,
        m=terms.m,
        m_after=between.after.m,
        alpha=terms.alpha,
        positive_line=targets[0],
        negative_line=targets[1],
        hull_fpr=hull.fpr,
        hull_tpr=hull.tpr,
        transformed_fpr=moved[0],
        transformed_tpr=moved[1],
        **data.result_fields,
    )


def _thresholds(data: Tally, vertices: Places, chosen: ChosenPlaces) -> dict[str, Any]:
    """The thresholds at both ends of the hull edges of a and b, how to mix them, and in words."""
    scores, beyond = data.scores, np.inf if data.direction == "higher" else -np.inf
    pair_a, pair_b = (
        [int(vertices[int(end)]) for end in (place, np.ceil(place))]
        for place in (chosen.a, chosen.b)
    )
    probabilities = (chosen.a - int(chosen.a), chosen.b - int(chosen.b))
    calls_pos = [float(scores[k - 1]) if k else beyond for k in pair_a]
    calls_neg = [float(scores[k]) if k < len(scores) else -beyond for k in pair_b]
    upper, lower = (calls_pos, calls_neg) if data.direction == "higher" else (calls_neg, calls_pos)
    of_pos = [score_text(data, k - 1, POSITIVE) if k else None for k in pair_a]
    of_neg = [score_text(data, k, NEGATIVE) if k < len(data) else None for k in pair_b]
    texts: Texts = (of_pos[0], of_pos[1]), (of_neg[0], of_neg[1])
    return {
        "upper_threshold": upper[0],
        "upper_mixed": upper[1],
        "lower_threshold": lower[0],
        "lower_mixed": lower[1],
        "mixing": probabilities,
        "texts": texts,
        "rule": _words(data, texts, probabilities, all_decided=chosen.a == chosen.b),
    }


def _words(data: Tally, texts: Texts, probabilities: tuple[float, float], all_decided: bool) -> str:
    """The rule in words: what is decided surely, and the fractions decided at random."""
    left, right = texts[0]
    positive = condition(data.origin, POSITIVE, left, right, probabilities[0])
    left, right = texts[1]
    kept = 1 - probabilities[1] if probabilities[1] > 0 else 0.0
    negative = condition(data.origin, NEGATIVE, right, left, kept)
    if all_decided:  # new scores below all seen ones are negative, so never "always positive"
        negative = ""
    return decision_rule(positive, negative, every=all_decided)
