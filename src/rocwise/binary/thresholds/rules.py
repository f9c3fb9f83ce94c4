"""The rules by which a threshold is chosen: one table drives choice, words and tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Flags, Floats
from rocwise.binary.thresholds import confusion_cells as outcomes
from rocwise.binary.thresholds.confusion_cells import Cells
from rocwise.costs import Costs, checked_costs, refuse_free_errors
from rocwise.errors import InputError, shown

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
        pair = (outcomes.precision, outcomes.npv)
        first, second = (f(cells) for f in pair) if predictive else (cells.tpr, cells.tnr)
        return np.asarray(join(first, second))

    return measure


def _cost(cells: Cells, terms: RuleTerms) -> Floats:
    assert terms.costs is not None
    return outcomes.avoidable_cost(cells, terms.costs)


def _larger_error(cells: Cells, _: RuleTerms) -> Floats:
    return np.asarray(np.maximum(cells.fn, cells.fp) / (cells.n_pos + cells.n_neg))


def _off_target(cells: Cells, terms: RuleTerms) -> Floats:
    target = cells.prevalence if terms.constraint is None else terms.constraint
    return np.abs(outcomes.called_positive(cells) - target)


def _alarms(cells: Cells, terms: RuleTerms) -> Floats:
    """Alarms as a share of the cases below a limit of 1, else as a number."""
    share = outcomes.called_positive(cells)
    as_share = terms.constraint is not None and terms.constraint < 1
    return share if as_share else np.asarray(cells.tp + cells.fp)


def _distance(first: Any, second: Any) -> Any:
    return np.hypot(1 - first, 1 - second)


def _gap(first: Any, second: Any) -> Any:
    return np.abs(first - second)


_LIMITS = {
    "min-sensitivity": Limit("sensitivity", _sensitivity, "rate"),
    "min-specificity": Limit("specificity", _specificity, "rate"),
    "min-precision": Limit("precision", _of(outcomes.precision), "rate"),
    "min-npv": Limit("NPV", _of(outcomes.npv), "rate"),
    "max-alarms": Limit("alarms", _alarms, "alarms", at_most=True),
    "min-lr-positive": Limit("LR+", lambda c, _: outcomes.ratio(c.tpr, c.fpr), "ratio"),
    "max-lr-negative": Limit(
        "LR-", lambda c, _: outcomes.ratio(c.fnr, c.tnr), "ratio", at_most=True
    ),
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
    Rule("accuracy", "accuracy", _of(outcomes.accuracy), rises=True),
    Rule("f1", "F1", lambda cells, _: outcomes.f_beta(cells, 1.0)),
    Rule("f-beta", "F-beta", lambda cells, terms: outcomes.f_beta(cells, terms.beta)),
    Rule("mcc", "Matthews correlation", _of(outcomes.mcc)),
    Rule("kappa", "Cohen's kappa", _of(outcomes.kappa)),
    Rule("odds-ratio", "diagnostic odds ratio", _of(outcomes.odds_ratio), grows_with_n=True),
    Rule("chi-square", "chi-square statistic", _of(outcomes.chi_square), grows_with_n=True),
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
