"""Reliable rules: abstain just enough that both classes are predicted as well as was promised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Places
from rocwise.binary.abstention.rules import NEGATIVE, POSITIVE, condition, decision_rule, score_text
from rocwise.binary.isometrics.hull_arcs import (
    ON_THE_LINE,
    Arc,
    HullPath,
    Point,
    arc_above,
    largest_value,
)
from rocwise.binary.isometrics.lines import (
    NAMES,
    Line,
    MetricTerms,
    Performance,
    Sides,
    checked_terms,
    checked_value,
    line_of,
    metric_of,
    values_at,
)
from rocwise.binary.isometrics.reliable_results import ReliableRule, Texts
from rocwise.binary.isometrics.transformations import abstention_between, transformed
from rocwise.binary.roc import hull_counts
from rocwise.costs import Costs, checked_costs, refuse_free_errors
from rocwise.data.tally import Tally
from rocwise.errors import ConflictError, InputError, UnattainableError, shown
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group

ReliabilityRule = Literal["arcs", "paper"]


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
    **given: Unpack[TallyOptions],
) -> ReliableRule:
    """Thresholds that promise a performance for each class, abstaining where they must.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`: the
        scored cases.
    positive, negative : float
        What to reach for the cases called positive and for those called negative.
    metric : str or pair
        "precision", "f" or "m" (the m-estimate of precision); a pair is (positive, negative).
    rule : {"arcs", "paper"}
        "arcs" abstains only if no point of the hull reaches both targets; "paper" abstains
        between the two crossings whenever they are in that order (Vanderlooy et al. 2006).
    skew : float, optional
        Negatives per positive, times the cost of a false alarm over that of a miss; that of the
        data at equal costs, or at `costs`, without it.
    costs : Costs, optional
        Costs of the errors, in place of `skew`.
    alpha, m : float
        As for `isometric`; m stays the same in count when cases are left undecided.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    ReliableRule
        With `case`, `upper_threshold`, `lower_threshold`, the shares `upr` and `unr` of the
        classes left undecided, and `decide(y_score)`.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, score = [0, 0, 1, 0, 0, 1, 0, 1, 1, 1], range(10)
    >>> rule = rw.reliable(y, score, positive=0.9, negative=0.9)
    >>> rule.case, rule.upper_threshold, rule.lower_threshold, rule.mixing[0]
    (3, 7.0, 4.0, 0.375)
    """
    tally = as_tally("reliable", data, y_score, given)
    checks.one_of(rule, "rule", get_args(ReliabilityRule))
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
    return _result(tally, vertices, hull, targets, chosen, sides, rule)


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
        raise InputError("`skew` already holds the costs; pass `skew` or `costs`, not both.")
    if skew is not None:
        return skew
    ratio = float(data.n_neg) / float(data.n_pos)
    if costs is None:
        return ratio
    refuse_free_errors(checked_costs(costs), "reliable")
    return ratio * (costs.fp - costs.tn) / (costs.fn - costs.tp)


@dataclass(frozen=True, slots=True)
class ChosenPlaces:
    """The case, the places of a and b on the hull, and the arc that meets both targets."""

    case: int
    a: float
    b: float
    interval: tuple[Point, Point] | None = None


def chosen_places(
    hull: HullPath, targets: tuple[Line, Line], terms: MetricTerms, rule: str
) -> ChosenPlaces:
    """Where to abstain; a refusal where the targets cannot be met."""
    arcs = [arc_above(hull, line) for line in targets]
    for line, arc in zip(targets, arcs, strict=True):
        if arc is None:
            side = "positive" if line.metric.endswith("+") else "negative"
            raise UnattainableError(side, line.value, largest_value(hull, line.metric, terms))
    found = arcs[0], arcs[1]
    assert found[0] is not None and found[1] is not None
    if rule == "paper":
        return _by_crossings(hull, (found[0], found[1]), terms)
    return _by_arcs(hull, (found[0], found[1]), terms)


def _by_arcs(hull: HullPath, arcs: tuple[Arc, Arc], terms: MetricTerms) -> ChosenPlaces:
    pos, neg = arcs
    first, last = max(pos.first, neg.first), min(pos.last, neg.last)
    if hull.same(first, last):
        return ChosenPlaces(1, first, first, (hull.point(first), hull.point(last)))
    if first < last:
        best = _best_place(hull, first, last, terms)
        return ChosenPlaces(2, best, best, (hull.point(first), hull.point(last)))
    if pos.last < neg.first:
        return ChosenPlaces(3, pos.last, neg.first)
    raise ConflictError()


def _by_crossings(hull: HullPath, arcs: tuple[Arc, Arc], terms: MetricTerms) -> ChosenPlaces:
    """Vanderlooy et al.: a is the last crossing of one isometric, b the first of the other."""
    pos, neg = arcs
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
    """The vertex or end of an arc with the largest tpr + c (1 - fpr).

    Among equals a vertex, which needs no mixing, with both classes called if there is one.
    """
    places = np.array(hull.vertices_within(first, last))
    points = np.array([hull.point(place) for place in places])
    gain = points[:, 1] + terms.skew * (1 - points[:, 0])
    best = places[gain >= gain.max() - ON_THE_LINE * max(1.0, terms.skew)]
    order = ((best > 0) & (best < hull.last), best == np.round(best))
    return float(best[np.lexsort((best, ~order[0], ~order[1]))[0]])


def _result(
    data: Tally,
    vertices: Places,
    hull: HullPath,
    targets: tuple[Line, Line],
    chosen: ChosenPlaces,
    sides: Sides,
    by_rule: str,
) -> ReliableRule:
    terms = MetricTerms(targets[0].skew, targets[0].alpha, targets[0].m)
    a, b = hull.point(chosen.a), hull.point(chosen.b)
    between = abstention_between(a, b, terms)
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
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        origin=data.origin,
    )


def _thresholds(data: Tally, vertices: Places, chosen: ChosenPlaces) -> dict[str, Any]:
    """The thresholds at both ends of the hull edges of a and b, how to mix them, and in words."""
    scores, beyond = data.scores, np.inf if data.direction == "higher" else -np.inf
    ends = [
        (int(place), min(int(np.ceil(place)), len(vertices) - 1)) for place in (chosen.a, chosen.b)
    ]
    shares = (chosen.a - int(chosen.a), chosen.b - int(chosen.b))
    alarms = [[int(vertices[end]) for end in pair] for pair in ends]
    calls_pos = [float(scores[k - 1]) if k else beyond for k in alarms[0]]
    calls_neg = [float(scores[k]) if k < len(scores) else -beyond for k in alarms[1]]
    upper, lower = (calls_pos, calls_neg) if data.direction == "higher" else (calls_neg, calls_pos)
    texts = _texts(data, alarms)
    return {
        "upper_threshold": upper[0],
        "upper_mixed": upper[1],
        "lower_threshold": lower[0],
        "lower_mixed": lower[1],
        "mixing": shares,
        "texts": texts,
        "rule": _words(data, texts, shares, all_decided=chosen.a == chosen.b),
    }


def _texts(data: Tally, alarms: list[list[int]]) -> Texts:
    """The thresholds of positives and of negatives as written, at both ends of a hull edge."""
    calls_pos = [score_text(data, k - 1, POSITIVE) if k else None for k in alarms[0]]
    calls_neg = [score_text(data, k, NEGATIVE) if k < len(data) else None for k in alarms[1]]
    return (calls_pos[0], calls_pos[1]), (calls_neg[0], calls_neg[1])


def _words(data: Tally, texts: Texts, shares: tuple[float, float], all_decided: bool) -> str:
    """The rule in words: what is decided surely, and the shares decided at random."""
    left, right = texts[0]
    positive = condition(data.origin, POSITIVE, left, right, shares[0])
    left, right = texts[1]
    kept = 1 - shares[1] if shares[1] > 0 else 0.0
    negative = condition(data.origin, NEGATIVE, right, left, kept)
    if all_decided:  # new scores below all seen ones are negative, so never "always positive"
        negative = ""
    return decision_rule(positive, negative, every=all_decided)
