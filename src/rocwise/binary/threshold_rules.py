"""Choosing among thresholds: the best value, and how thresholds that are equally good are told."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.binary.roc import from_zero
from rocwise.costs import Costs, checked_costs, refuse_free_errors
from rocwise.data.immutable import made_once
from rocwise.data.tally import Tally
from rocwise.errors import InputError, shown
from rocwise.kernels.columns.plain import matthews
from rocwise.kernels.row_formulas import STEP, parts_of_rows
from rocwise.kernels.threads import run_parts


@dataclass(frozen=True, eq=False)
class Cells:
    """Outcomes at thresholds, as counts among the cases of the data; made when asked for.

    Attributes
    ----------
    hits, alarms
        Cases of the data called positive in each class.
    n_pos, n_neg
        Sizes of the classes in the data.
    other_prevalence
        The share of positives that the counts are for; None: that of the data.
    """

    hits: Floats
    alarms: Floats
    n_pos: Any
    n_neg: Any
    other_prevalence: float | None = None

    @property
    def prevalence(self) -> Any:
        """The share of positives that the counts are for."""
        own = self.other_prevalence
        return self.n_pos / (self.n_pos + self.n_neg) if own is None else own

    @made_once
    def tpr(self) -> Floats:
        """Share of the positives called positive, which no prevalence changes."""
        return np.asarray(self.hits / self.n_pos)

    @made_once
    def fpr(self) -> Floats:
        """Share of the negatives called positive."""
        return np.asarray(self.alarms / self.n_neg)

    @made_once
    def fnr(self) -> Floats:
        """Share of the positives called negative."""
        return np.asarray(_rest(self.n_pos, self.hits) / self.n_pos)

    @made_once
    def tnr(self) -> Floats:
        """Share of the negatives called negative."""
        return np.asarray(_rest(self.n_neg, self.alarms) / self.n_neg)

    @made_once
    def tp(self) -> Floats:
        """Positives called positive; at another prevalence, those expected of as many cases."""
        return self.hits if self.other_prevalence is None else self.tpr * self._expected[0]

    @made_once
    def fp(self) -> Floats:
        """Negatives called positive."""
        return self.alarms if self.other_prevalence is None else self.fpr * self._expected[1]

    @made_once
    def fn(self) -> Floats:
        """Positives called negative."""
        if self.other_prevalence is None:
            return _rest(self.n_pos, self.hits)
        return np.asarray(self.fnr * self._expected[0])

    @made_once
    def tn(self) -> Floats:
        """Negatives called negative."""
        if self.other_prevalence is None:
            return _rest(self.n_neg, self.alarms)
        return np.asarray(self.tnr * self._expected[1])

    @property
    def _expected(self) -> tuple[Any, Any]:
        """Positives and negatives among as many cases at the other prevalence."""
        share, total = self.prevalence, self.n_pos + self.n_neg
        return share * total, (1 - share) * total


def _rest(total: Any, called: Floats) -> Floats:
    return np.asarray(np.maximum(total - called, 0.0))  # weights may round below 0


def cells_of(tp: Any, fp: Any, n_pos: Any, n_neg: Any, prevalence: float | None = None) -> Cells:
    """All cells from the cases called positive in each class.

    >>> float(cells_of(3, 1, 4, 6, prevalence=0.1).tp)  # of 10 cases, 1 is positive
    0.75
    """
    hits, alarms = np.asarray(tp, dtype=np.float64), np.asarray(fp, dtype=np.float64)
    return Cells(hits, alarms, n_pos, n_neg, prevalence)


def ratio(top: Any, bottom: Any) -> Floats:
    """Top / bottom; nan for 0 / 0, infinite for anything else over 0."""
    top, bottom = np.asarray(top, np.float64), np.asarray(bottom, np.float64)
    if top.shape != bottom.shape:
        top, bottom = np.broadcast_arrays(top, bottom)
    value = np.where(top == 0, np.nan, np.inf)
    np.divide(top, bottom, out=value, where=bottom > 0)
    return value


def precision(cells: Cells) -> Floats:
    """Positives among the cases called positive."""
    return ratio(cells.tp, cells.tp + cells.fp)


def npv(cells: Cells) -> Floats:
    """Negatives among the cases called negative."""
    return ratio(cells.tn, cells.tn + cells.fn)


def accuracy(cells: Cells) -> Floats:
    """Share of right decisions."""
    return np.asarray((cells.tp + cells.tn) / (cells.n_pos + cells.n_neg))


def f_beta(cells: Cells, beta: float) -> Floats:
    """The F measure: recall counts `beta` times as much as precision."""
    weight = beta * beta
    hits = (1 + weight) * cells.tp
    return ratio(hits, hits + weight * cells.fn + cells.fp)


def mcc(cells: Cells) -> Floats:
    """Matthews' correlation of decision and truth."""
    return matthews(cells.tp, cells.fp, cells.fn, cells.tn)


def kappa(cells: Cells) -> Floats:
    """Cohen's kappa of decision and truth."""
    tp, fp, fn, tn = cells.tp, cells.fp, cells.fn, cells.tn
    by_chance = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    return np.asarray(2 * (tp * tn - fn * fp) / by_chance)


def odds_ratio(cells: Cells) -> Floats:
    """The diagnostic odds ratio with one half added to each count, which keeps it finite."""
    hits, misses = cells.tpr * cells.n_pos + 0.5, cells.fnr * cells.n_pos + 0.5
    alarms, rejections = cells.fpr * cells.n_neg + 0.5, cells.tnr * cells.n_neg + 0.5
    return np.asarray((hits / misses) * (rejections / alarms))


def chi_square(cells: Cells) -> Floats:
    """Pearson's statistic of the fourfold table, without correction: n times mcc squared."""
    return np.asarray((cells.n_pos + cells.n_neg) * mcc(cells) ** 2)


def called_positive(cells: Cells) -> Floats:
    """Share of the cases that are called positive."""
    return np.asarray((cells.tp + cells.fp) / (cells.n_pos + cells.n_neg))


def expected_cost(cells: Cells, costs: Costs) -> Floats:
    """Cost per case, in the units of the costs."""
    share = cells.prevalence
    of_positives = costs.fn * cells.fnr + costs.tp * cells.tpr
    of_negatives = costs.fp * cells.fpr + costs.tn * cells.tnr
    return np.asarray(share * of_positives + (1 - share) * of_negatives)


def avoidable_cost(cells: Cells, costs: Costs) -> Floats:
    """What the errors cost beyond right decisions: the same order as the expected cost.

    Its two terms are never negative, so no digits cancel when gains and costs are large.
    """
    share = cells.prevalence
    of_positives = share * (costs.fn - costs.tp) * cells.fnr
    return np.asarray(of_positives + (1 - share) * (costs.fp - costs.tn) * cells.fpr)


RuleName = Literal[
    "cost",
    "youden",
    "ameans",
    "closest",
    "product",
    "equal",
    "maximin",
    "minimax",
    "accuracy",
    "f1",
    "f-beta",
    "mcc",
    "kappa",
    "odds-ratio",
    "chi-square",
    "predictive-sum",
    "predictive-product",
    "predictive-closest",
    "predictive-equal",
    "predictive-maximin",
    "prevalence",
    "min-sensitivity",
    "min-specificity",
    "min-precision",
    "min-npv",
    "max-alarms",
    "min-lr-positive",
    "max-lr-negative",
]
Ties = Literal["strict", "mild", "middle"]
TIES = get_args(Ties)
NOISE = 1e-13  # rounding in a measure, as a share of the largest value it takes
SLACK = 1e-12  # a rate this close below a limit meets it: 1 - 0.8 is not exactly 0.2


@dataclass(frozen=True, slots=True)
class RuleTerms:
    """What a rule is told besides the counts; `prevalence` is None for that of the data."""

    costs: Costs | None = None
    constraint: float | None = None
    beta: float = 1.0
    prevalence: float | None = None
    own: Rule | None = None  # made of a function of the user's


Measure = Callable[[Cells, RuleTerms], Floats]


@dataclass(frozen=True, slots=True)
class Limit:
    """What a constrained rule keeps on one side of `constraint`."""

    name: str
    of: Measure
    kind: str  # "rate", "ratio" or "alarms": which constraints make sense
    at_most: bool = False

    def met(self, cells: Cells, terms: RuleTerms) -> Flags:
        """Where the limit holds; nowhere that the quantity is undefined."""
        assert terms.constraint is not None
        value = self.of(cells, terms)
        with np.errstate(invalid="ignore"):
            if self.at_most:
                return np.asarray(value <= terms.constraint * (1 + SLACK))
            return np.asarray(value >= terms.constraint * (1 - SLACK))


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to choose: the measure to make largest (or smallest), perhaps within a limit."""

    name: str
    measure_name: str
    measure: Measure
    smallest: bool = False
    limit: Limit | None = None
    takes_constraint: bool = False  # may be given one though it has no limit
    grows_with_n: bool = False  # not comparable between samples of different size
    ties: Ties = "strict"
    may_be_beaten: bool = False  # a better rate need not make the measure better
    rises: bool = False  # nor worse; it is always defined, within no limit

    def words(self, constraint: str = "") -> str:
        """What the rule looks for: ``largest specificity with sensitivity >= 0.9``."""
        goal = f"{'smallest' if self.smallest else 'largest'} {self.measure_name}"
        if self.limit is None:
            return goal
        return f"{goal} with {self.limit.name} {'<=' if self.limit.at_most else '>='} {constraint}"


def _sensitivity(cells: Cells, _: RuleTerms) -> Floats:
    return cells.tpr


def _specificity(cells: Cells, _: RuleTerms) -> Floats:
    return cells.tnr


def _of(function: Callable[[Cells], Floats]) -> Measure:
    return lambda cells, _terms: function(cells)


def _both(join: Callable[[Any, Any], Any], *, predictive: bool = False) -> Measure:
    """A measure that joins sensitivity and specificity, or the two predictive values."""

    def measure(cells: Cells, _: RuleTerms) -> Floats:
        pair = (precision, npv)
        first, second = (f(cells) for f in pair) if predictive else (cells.tpr, cells.tnr)
        return np.asarray(join(first, second))

    return measure


def _cost(cells: Cells, terms: RuleTerms) -> Floats:
    assert terms.costs is not None
    return avoidable_cost(cells, terms.costs)


def _larger_error(cells: Cells, _: RuleTerms) -> Floats:
    return np.asarray(np.maximum(cells.fn, cells.fp) / (cells.n_pos + cells.n_neg))


def _off_target(cells: Cells, terms: RuleTerms) -> Floats:
    target = cells.prevalence if terms.constraint is None else terms.constraint
    return np.abs(called_positive(cells) - target)


def _alarms(cells: Cells, terms: RuleTerms) -> Floats:
    """Alarms as a share of the cases below a limit of 1, else as a number."""
    share = called_positive(cells)
    as_share = terms.constraint is not None and terms.constraint < 1
    return share if as_share else np.asarray(cells.tp + cells.fp)


def _distance(first: Any, second: Any) -> Any:
    return np.hypot(1 - first, 1 - second)


def _gap(first: Any, second: Any) -> Any:
    return np.abs(first - second)


_LIMITS = {
    "min-sensitivity": Limit("sensitivity", _sensitivity, "rate"),
    "min-specificity": Limit("specificity", _specificity, "rate"),
    "min-precision": Limit("precision", _of(precision), "rate"),
    "min-npv": Limit("NPV", _of(npv), "rate"),
    "max-alarms": Limit("alarms", _alarms, "alarms", at_most=True),
    "min-lr-positive": Limit("LR+", lambda c, _: ratio(c.tpr, c.fpr), "ratio"),
    "max-lr-negative": Limit("LR-", lambda c, _: ratio(c.fnr, c.tnr), "ratio", at_most=True),
}
_WITHIN_LIMITS = [
    Rule(name, goal.__name__.strip("_"), goal, limit=_LIMITS[name])
    for name, goal in (
        ("min-sensitivity", _specificity),
        ("min-specificity", _sensitivity),
        ("min-precision", _sensitivity),
        ("min-npv", _specificity),
        ("max-alarms", _sensitivity),
        ("min-lr-positive", _sensitivity),
        ("max-lr-negative", _specificity),
    )
]
_FREE = [
    # A miss is what costs are usually about: among equally cheap thresholds the mildest.
    Rule("cost", "expected cost", _cost, smallest=True, ties="mild", rises=True),
    Rule("youden", "Youden index", _both(lambda se, sp: se + sp - 1), rises=True),
    Rule(
        "ameans",
        "mean of sensitivity and specificity",
        _both(lambda se, sp: (se + sp) / 2),
        rises=True,
    ),
    Rule("closest", "distance to the corner (0, 1)", _both(_distance), smallest=True, rises=True),
    Rule(
        "product",
        "product of sensitivity and specificity",
        _both(np.multiply),
        may_be_beaten=True,
        rises=True,
    ),
    Rule(
        "equal",
        "gap between sensitivity and specificity",
        _both(_gap),
        smallest=True,
        may_be_beaten=True,
    ),
    Rule(
        "maximin",
        "minimum of sensitivity and specificity",
        _both(np.minimum),
        may_be_beaten=True,
        rises=True,
    ),
    Rule(
        "minimax",
        "share of the more frequent error",
        _larger_error,
        smallest=True,
        may_be_beaten=True,
        rises=True,
    ),
    Rule("accuracy", "accuracy", _of(accuracy), rises=True),
    Rule("f1", "F1", lambda cells, _: f_beta(cells, 1.0)),
    Rule("f-beta", "F-beta", lambda cells, terms: f_beta(cells, terms.beta)),
    Rule("mcc", "Matthews correlation", _of(mcc)),
    Rule("kappa", "Cohen's kappa", _of(kappa)),
    Rule("odds-ratio", "diagnostic odds ratio", _of(odds_ratio), grows_with_n=True),
    Rule("chi-square", "chi-square statistic", _of(chi_square), grows_with_n=True),
    Rule(
        "predictive-sum",
        "sum of the predictive values",
        _both(np.add, predictive=True),
    ),
    Rule(
        "predictive-product",
        "product of the predictive values",
        _both(np.multiply, predictive=True),
        may_be_beaten=True,
    ),
    Rule(
        "predictive-closest",
        "distance of the predictive values from (1, 1)",
        _both(_distance, predictive=True),
        smallest=True,
    ),
    Rule(
        "predictive-equal",
        "gap between the predictive values",
        _both(_gap, predictive=True),
        smallest=True,
    ),
    Rule(
        "predictive-maximin",
        "minimum of the predictive values",
        _both(np.minimum, predictive=True),
        may_be_beaten=True,
    ),
    Rule(
        "prevalence",
        "gap between the share called positive and its target",
        _off_target,
        smallest=True,
        takes_constraint=True,
    ),
]
RULES = {rule.name: rule for rule in [*_FREE, *_WITHIN_LIMITS]}
OTHER_NAMES = {  # what the literature and other packages call some of them
    "j": "youden",
    "informedness": "youden",
    "sum-sens-spec": "youden",
    "balanced-accuracy": "ameans",
    "topleft": "closest",
    "closest.topleft": "closest",
    "roc01": "closest",
    "g-mean": "product",
    "eer": "equal",
    "sesp-equal": "equal",
    "matthews": "mcc",
    "dor": "odds-ratio",
    "min-recall": "min-sensitivity",
    "recall": "min-sensitivity",
    "sensitivity": "min-sensitivity",
    "min-tpr": "min-sensitivity",
    "specificity": "min-specificity",
    "max-fpr": "min-specificity",
    "precision": "min-precision",
    "ppv": "min-precision",
    "min-ppv": "min-precision",
    "npv": "min-npv",
    "top-k": "max-alarms",
    "alarms": "max-alarms",
    "min-cost": "cost",
}


def checked_rule(
    rule: Any,
    *,
    costs: Any = None,
    constraint: Any = None,
    beta: Any = None,
    prevalence: Any = None,
) -> tuple[Rule, RuleTerms]:
    """The rule of this name and what it is told; says what is missing or has no meaning."""
    own = own_rule(rule) if callable(rule) and not isinstance(rule, type) else None
    chosen = own or RULES[checks.one_of(rule, "rule", tuple(RULES), OTHER_NAMES)]
    if costs is not None:
        refuse_free_errors(checked_costs(costs), "threshold")
    if chosen.name == "cost" and costs is None:
        raise InputError("rule='cost' needs `costs`, e.g. costs=Costs(fp=1, fn=5).")
    if beta is not None and chosen.name != "f-beta":
        raise InputError(f"`beta` has no meaning with rule={chosen.name!r}; use rule='f-beta'.")
    if beta is None and chosen.name == "f-beta":
        raise InputError("rule='f-beta' needs `beta`: 2 when recall counts twice precision.")
    weight = 1.0 if beta is None else checks.real(beta, "beta")
    if weight <= 0:
        raise InputError(f"`beta` must be above 0; got {shown(beta)}.")
    checks.within(weight, "beta", 1e-100, 1e100)  # its square is a factor
    limit = _checked_constraint(chosen, constraint)
    share = None if prevalence is None else checks.share(prevalence)
    return chosen, RuleTerms(costs, limit, weight, share, own)


def own_rule(function: Callable[..., Any]) -> Rule:
    """The rule that makes a function of (tp, fp, fn, tn) largest; nan where it has no value."""
    name = getattr(function, "__name__", type(function).__name__)

    def measure(cells: Cells, _: RuleTerms) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = function(cells.tp, cells.fp, cells.fn, cells.tn)
        values = np.asarray(found, np.float64)
        if values.shape != cells.tp.shape:
            raise InputError(
                f"`rule` {name} must give one value for each threshold: it was given arrays of "
                f"shape {cells.tp.shape} and gave {values.shape}."
            )
        return values

    return Rule(name, name, measure)


def rule_in_numbers(rule: Rule, terms: RuleTerms, ties: Ties) -> Floats | None:
    """The rule as the kernels know it; None for one of the user's own."""
    if terms.own is not None:
        return None
    goal = "f-beta" if rule.name == "f1" else rule.measure_name if rule.limit else rule.name
    costs = terms.costs
    told = [
        kernels.MEASURES.index(goal),
        kernels.LIMITS.index(rule.name if rule.limit else ""),
        TIES.index(ties),
        rule.smallest,
        rule.limit is not None or rule.may_be_beaten,
        np.nan if terms.constraint is None else terms.constraint,
        1.0 if rule.name == "f1" else terms.beta,
        np.nan if terms.prevalence is None else terms.prevalence,
        0.0 if costs is None else costs.fn - costs.tp,
        0.0 if costs is None else costs.fp - costs.tn,
    ]
    return np.array(told, dtype=np.float64)


def rule_of(name: str, terms: RuleTerms) -> Rule:
    """The rule that was asked for, by its name or of the user's own."""
    return RULES[name] if terms.own is None else terms.own


def _checked_constraint(rule: Rule, constraint: Any) -> float | None:
    if rule.limit is None:
        if constraint is not None and not rule.takes_constraint:
            limited = ", ".join(name for name, other in RULES.items() if other.limit)
            raise InputError(
                f"`constraint` has no meaning with rule={rule.name!r}; it goes with {limited}."
            )
        return None if constraint is None else checks.rate(constraint, "constraint")
    if constraint is None:
        example = {"rate": "0.9", "ratio": "5", "alarms": "100 (or 0.02 of the cases)"}
        raise InputError(
            f"rule={rule.name!r} needs `constraint`, the limit of {rule.limit.name}, "
            f"e.g. constraint={example[rule.limit.kind]}."
        )
    if rule.limit.kind == "rate":
        return checks.rate(constraint, "constraint")
    return checks.not_negative(constraint, "constraint")


Score = Callable[[Array, Array], Floats]
NOWHERE = -1
STRETCH = 64  # candidates that are passed over together
CLEARLY = 1e-9  # more than all rounding, as a share of the largest score


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Where the rule points to, per row of thresholds.

    Attributes
    ----------
    place
        Position of the threshold, 0 being "nobody is positive"; -1 where none meets the limit.
    equal
        Which thresholds are as good as that one.
    values
        The measure at every threshold, nan where undefined.
    """

    place: Places
    equal: Flags
    values: Floats


@dataclass(frozen=True, slots=True, eq=False)
class CurveChoice:
    """Where the rule points to on one curve, and which places are as good; NOWHERE and none."""

    place: int
    equal: Places


def candidate_thresholds(data: Tally, places: Places | None = None) -> Array:
    """A threshold beyond every score, then the distinct scores, the strictest first; or some."""
    scores, first = data.scores, True
    if places is not None:
        scores, first = scores[places[places > 0] - 1], 0 in places[:1]
    if scores.dtype.kind != "f":  # integers that a float would merge
        scores = scores.astype(object)
    nobody = np.array([beyond(data)] * first, dtype=scores.dtype)
    return np.concatenate([nobody, scores])


def beyond(data: Tally) -> float:
    """The threshold that calls nobody positive."""
    return np.inf if data.direction == "higher" else -np.inf


def candidate_cells(data: Tally, prevalence: float | None) -> Cells:
    """Outcomes at "nobody is positive" and at every distinct score, the strictest first."""
    tp, fp = (from_zero(counts) for counts in (data.tp, data.fp))
    return cells_of(tp, fp, data.n_pos, data.n_neg, prevalence)


def choose(cells: Cells, rule: Rule, terms: RuleTerms, ties: Ties) -> Choice:
    """The best threshold along the last axis of the cells.

    Values that differ by rounding only count as equal. Where a threshold could be among them
    that another one beats in both rates (with a limit, or by a minimum of two rates), equals are
    first told apart by sensitivity plus specificity; what is still equal is settled by `ties`.
    """
    values = rule.measure(cells, terms)
    score = -values if rule.smallest else values
    allowed = ~np.isnan(score)
    if rule.limit is not None:
        allowed &= rule.limit.met(cells, terms)
    equal = _largest(score, allowed)
    if rule.limit is not None or rule.may_be_beaten:
        equal = _largest(cells.tpr + cells.tnr, equal)
    return Choice(_settled(equal, ties), equal, values)


def choose_on_curve(data: Tally, rule: Rule, terms: RuleTerms, ties: Ties) -> CurveChoice:
    """What `choose` finds among the candidates of a tally, to the last bit."""
    if rule is terms.own:  # which may look at all thresholds
        values = rule.measure(candidate_cells(data, terms.prevalence), terms)
        equal = np.flatnonzero(_largest(values, ~np.isnan(values)))
    else:
        equal = _best_places(data, _score_of(data, rule, terms), rule.rises)
    if len(equal) and (rule.limit is not None or rule.may_be_beaten):
        cells = cells_of(*_called_at(data, equal), data.n_pos, data.n_neg, terms.prevalence)
        equal = equal[_largest(cells.tpr + cells.tnr, np.ones(len(equal), np.bool_))]
    if not len(equal):
        return CurveChoice(NOWHERE, equal)
    return CurveChoice(int(equal[_settled_among(len(equal), ties)]), equal)


def _score_of(data: Tally, rule: Rule, terms: RuleTerms) -> Score:
    """What makes, of true and false positives, what is to be large; nan where not allowed."""

    def score(tp: Array, fp: Array) -> Floats:
        cells = cells_of(tp, fp, data.n_pos, data.n_neg, terms.prevalence)
        values = rule.measure(cells, terms)
        if rule.smallest:
            values = -values
        if rule.limit is not None:
            values = np.where(rule.limit.met(cells, terms), values, np.nan)
        return values

    return score


def _best_places(data: Tally, score: Score, rises: bool) -> Places:
    """Where the score is largest, up to rounding, on one curve."""
    points = len(data) + 1
    if rises and points > STEP:
        return _best_of_stretches(data, score)

    def look(start: int, stop: int) -> list[tuple[float, float, int]]:
        firsts = range(start, stop, STEP)
        return [
            (*_extent(score(*_called_between(data, k, min(k + STEP, stop)))), k) for k in firsts
        ]

    steps = [step for part in run_parts(look, parts_of_rows(points)) for step in part]
    least = max(best for best, _, _ in steps) - NOISE * max(size for _, size, _ in steps)
    ends = [*(first for _, _, first in steps[1:]), points]
    where = [
        first + np.flatnonzero(score(*_called_between(data, first, end)) >= least)
        for (best, _, first), end in zip(steps, ends, strict=True)
        if best >= least
    ]
    return np.concatenate(where) if where else np.empty(0, np.intp)


def _best_of_stretches(data: Tally, score: Score) -> Places:
    """The same where true positives raise the score and false ones lower it.

    No place of a stretch has a larger score than the true positives of its end with the false
    ones of its start, nor a smaller one than the other way round: most are not looked at.
    """
    cuts = np.append(np.arange(0, len(data), STRETCH), len(data))
    tp, fp = _called_at(data, cuts)
    best, size = _extent(score(tp, fp))
    high, low = score(tp[1:], fp[:-1]), score(tp[:-1], fp[1:])
    largest = np.maximum(np.abs(high), np.abs(low))

    def of_stretches(chosen: Flags) -> tuple[Places, Floats]:
        some = np.unique(np.add.outer(cuts[:-1][chosen], np.arange(STRETCH + 1)))
        places = some[some <= len(data)]
        return places, score(*_called_at(data, places))

    if (beyond_size := largest * (1 + CLEARLY) > size).any():
        size = max(size, _extent(of_stretches(beyond_size)[1])[1])
    places, scores = of_stretches(high + CLEARLY * size >= best)
    best = max(best, float(scores.max()))
    return places[scores >= best - NOISE * size]


def _called_between(data: Tally, start: int, stop: int) -> tuple[Array, Array]:
    """True and false positives at a run of candidates, place 0 being "nobody is positive"."""
    before = slice(max(start - 1, 0), stop - 1)
    tp, fp = data.tp[before], data.fp[before]
    return (tp, fp) if start else (np.append(0, tp), np.append(0, fp))


def _called_at(data: Tally, places: Places) -> tuple[Array, Array]:
    """The same at any candidates."""
    tp, fp = (np.where(places > 0, sums[places - 1], 0) for sums in (data.tp, data.fp))
    return tp, fp


def _extent(score: Floats) -> tuple[float, float]:
    """The largest of some scores, and how far finite ones are from 0; nan is none of them."""
    size = float(np.abs(score).max())
    if math.isfinite(size):
        return float(score.max()), size
    held = score[~np.isnan(score)]
    size = float(np.abs(held).max(where=np.isfinite(held), initial=0.0))
    return float(held.max(initial=-np.inf)), size


def _largest(score: Floats, allowed: Flags) -> Flags:
    """Where the score is largest among the allowed, up to rounding."""
    finite = allowed & np.isfinite(score)
    size = np.abs(score).max(axis=-1, keepdims=True, where=finite, initial=0.0)
    held = np.where(allowed, score, -np.inf)
    best = held.max(axis=-1, keepdims=True)
    return np.asarray(allowed & (held >= best - NOISE * size))


def _settled_among(number: int, ties: Ties) -> int:
    """Which of so many equals: the first (strictest), the last (mildest) or the middle one."""
    return {"strict": 0, "mild": number - 1, "middle": (number + 1) // 2 - 1}[ties]


def _settled(equal: Flags, ties: Ties) -> Places:
    """One of the equals: the first (strictest), the last (mildest) or the middle one."""
    if ties == "strict":
        place = np.argmax(equal, axis=-1)
    elif ties == "mild":
        place = equal.shape[-1] - 1 - np.argmax(equal[..., ::-1], axis=-1)
    else:
        rank = np.cumsum(equal, axis=-1)
        middle = (rank[..., -1:] + 1) // 2  # of an even number, the stricter of the two
        place = np.argmax(rank == middle, axis=-1)
    return np.where(equal.any(axis=-1), place, NOWHERE)


def refuse_unattainable(cells: Cells, rule: Rule, terms: RuleTerms) -> InputError:
    """The sentence for a limit that no threshold meets, with the nearest that one does."""
    if rule.limit is None:
        return InputError(
            f"rule={rule.name!r} has no value at any threshold: all scores are equal, so nobody "
            "can be called positive while another is called negative."
        )
    reached = rule.limit.of(cells, terms)
    defined = reached[~np.isnan(reached)]
    if rule.limit.at_most:
        extreme, word = float(defined.min()), "smallest"
    else:
        extreme, word = float(defined.max()), "largest"
    return InputError(
        f"no threshold reaches `constraint` {terms.constraint:g} for rule={rule.name!r}: the "
        f"{word} attainable {rule.limit.name} is {_towards(extreme, rule.limit.at_most)}."
    )


def _towards(value: float, upwards: bool) -> str:
    """The value in four decimals, rounded to the side on which it is attainable."""
    if math.isinf(value) or float(f"{value:.4g}") == value:
        return f"{value:g}"
    size = 10.0 ** (math.floor(math.log10(abs(value))) - 4)
    return f"{(math.ceil if upwards else math.floor)(value / size) * size:.5g}"


def scalar(value: Any) -> float | None:
    """A number, or None where it is undefined."""
    number = float(value)
    return None if np.isnan(number) else number
