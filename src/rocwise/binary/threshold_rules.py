"""Rules by which a threshold is chosen: confusion counts, measures, the table of rules, the choice.

Counts and measures work element by element: on one curve, on many resampled curves, or on one
threshold in many samples. Internally nan is an undefined measure.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.costs import Costs, check_costly_errors, checked_costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.kernels.resample import LIMITS, MEASURES


class Cells(NamedTuple):
    """Confusion matrices, of as many cases at another prevalence, and rates of the data."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats
    tpr: Floats
    fpr: Floats
    fnr: Floats
    tnr: Floats
    n_pos: Any
    n_neg: Any
    prevalence: Any


def cells_of(tp: Any, fp: Any, n_pos: Any, n_neg: Any, prevalence: float | None = None) -> Cells:
    """Confusion matrices from the cases predicted positive in each class."""
    tp, fp = np.asarray(tp, np.float64), np.asarray(fp, np.float64)
    fn, tn = np.maximum(n_pos - tp, 0.0), np.maximum(n_neg - fp, 0.0)  # weights may round below 0
    tpr, fpr, fnr, tnr = tp / n_pos, fp / n_neg, fn / n_pos, tn / n_neg
    total = n_pos + n_neg
    if prevalence is None:
        return Cells(tp, fp, fn, tn, tpr, fpr, fnr, tnr, n_pos, n_neg, n_pos / total)
    pos, neg = prevalence * total, (1 - prevalence) * total
    expected = tpr * pos, fpr * neg, fnr * pos, tnr * neg
    return Cells(*expected, tpr, fpr, fnr, tnr, n_pos, n_neg, prevalence)


def ratio(top: Any, bottom: Any) -> Floats:
    """Top / bottom; nan for 0 / 0, infinite for anything else over 0."""
    top, bottom = np.broadcast_arrays(np.asarray(top, np.float64), np.asarray(bottom, np.float64))
    value = np.where(top == 0, np.nan, np.inf)
    np.divide(top, bottom, out=value, where=bottom > 0)
    return value


def f_beta(cells: Cells, beta: float) -> Floats:
    """F measure: recall counts `beta` times as much as precision."""
    weight = beta * beta
    hits = (1 + weight) * cells.tp
    return ratio(hits, hits + weight * cells.fn + cells.fp)


def mcc(cells: Cells) -> Floats:
    """Matthews correlation, 0 where a margin is empty. Square roots first: no overflow."""
    tp, fp, fn, tn = cells.tp, cells.fp, cells.fn, cells.tn
    scale = np.sqrt(tp + fp) * np.sqrt(tn + fn) * np.sqrt(tp + fn) * np.sqrt(tn + fp)
    value = np.zeros_like(scale)
    np.divide(tp * tn - fp * fn, scale, out=value, where=scale > 0)
    return value


def kappa(cells: Cells) -> Floats:
    """Cohen's kappa of decision and truth."""
    tp, fp, fn, tn = cells.tp, cells.fp, cells.fn, cells.tn
    by_chance = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    return np.asarray(2 * (tp * tn - fn * fp) / by_chance)


def odds_ratio(cells: Cells) -> Floats:
    """Diagnostic odds ratio with one half added to each count, which keeps it finite."""
    hits, misses = cells.tpr * cells.n_pos + 0.5, cells.fnr * cells.n_pos + 0.5
    alarms, rejections = cells.fpr * cells.n_neg + 0.5, cells.tnr * cells.n_neg + 0.5
    return np.asarray((hits / misses) * (rejections / alarms))


def called_positive(cells: Cells) -> Floats:
    """Proportion of the cases that are predicted positive."""
    return np.asarray((cells.tp + cells.fp) / (cells.n_pos + cells.n_neg))


def expected_cost(cells: Cells, costs: Costs) -> Floats:
    """Cost per case, in the units of the costs."""
    p = cells.prevalence
    of_positives = costs.fn * cells.fnr + costs.tp * cells.tpr
    of_negatives = costs.fp * cells.fpr + costs.tn * cells.tnr
    return np.asarray(p * of_positives + (1 - p) * of_negatives)


CellMeasure = Callable[[Cells], Floats]
MEASURES_OF_CELLS: dict[str, CellMeasure] = {
    "sensitivity": lambda cells: cells.tpr,
    "specificity": lambda cells: cells.tnr,
    "ppv": lambda cells: ratio(cells.tp, cells.tp + cells.fp),
    "npv": lambda cells: ratio(cells.tn, cells.tn + cells.fn),
    "accuracy": lambda cells: np.asarray((cells.tp + cells.tn) / (cells.n_pos + cells.n_neg)),
    "balanced_accuracy": lambda cells: (cells.tpr + cells.tnr) / 2,
    "f1": lambda cells: f_beta(cells, 1.0),
    "mcc": mcc,
    "kappa": kappa,
    "odds_ratio": odds_ratio,
    "chi_square": lambda cells: np.asarray((cells.n_pos + cells.n_neg) * mcc(cells) ** 2),
    "youden": lambda cells: cells.tpr + cells.tnr - 1,
    "lr_positive": lambda cells: ratio(cells.tpr, cells.fpr),
    "lr_negative": lambda cells: ratio(cells.fnr, cells.tnr),
}
ppv: CellMeasure = MEASURES_OF_CELLS["ppv"]
npv: CellMeasure = MEASURES_OF_CELLS["npv"]
accuracy: CellMeasure = MEASURES_OF_CELLS["accuracy"]


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
NOISE = 1e-13  # rounding in a measure, as a proportion of the largest value it takes
SLACK = 1e-12  # a rate this close below a limit meets it: 1 - 0.8 is not exactly 0.2
NOWHERE = -1


@dataclass(frozen=True, slots=True)
class RuleTerms:
    """Arguments of a rule besides the counts; `prevalence` is None for that of the data."""

    costs: Costs | None = None
    constraint: float | None = None
    beta: float = 1.0
    prevalence: float | None = None
    own: "Rule | None" = None  # a function given by the user
    shared_limit: bool = False  # of alarms, for all groups together


Measure = Callable[[Cells, RuleTerms], Floats]


@dataclass(frozen=True, slots=True)
class Limit:
    """Quantity that a constrained rule keeps on one side of `constraint`."""

    name: str
    of: Measure
    kind: str  # "rate", "ratio" or "alarms": which constraints make sense
    at_most: bool = False

    def met(self, cells: Cells, terms: RuleTerms) -> Flags:
        """Where the constraint is met; nowhere that the quantity is undefined."""
        assert terms.constraint is not None
        value = self.of(cells, terms)
        with np.errstate(invalid="ignore"):
            if self.at_most:
                return np.asarray(value <= terms.constraint * (1 + SLACK))
            return np.asarray(value >= terms.constraint * (1 - SLACK))


@dataclass(frozen=True, slots=True)
class Rule:
    """Measure to maximize (or minimize), perhaps within a limit."""

    name: str
    measure_name: str
    measure: Measure
    smallest: bool = False
    limit: Limit | None = None
    takes_constraint: bool = False  # optional, without a limit
    grows_with_n: bool = False  # not comparable between samples of different size
    ties: Ties = "strict"
    dominated: bool = False  # thresholds that another beats in both rates may be as good

    def words(self, constraint: str = "") -> str:
        """What the rule looks for: ``largest specificity with sensitivity >= 0.9``."""
        goal = f"{'smallest' if self.smallest else 'largest'} {self.measure_name}"
        if self.limit is None:
            return goal
        return f"{goal} with {self.limit.name} {'<=' if self.limit.at_most else '>='} {constraint}"


def _of(measure: str) -> Measure:
    return lambda cells, _terms: MEASURES_OF_CELLS[measure](cells)


def _both(join: Callable[[Any, Any], Any]) -> Measure:
    """A measure that joins sensitivity and specificity."""
    return lambda cells, _terms: np.asarray(join(cells.tpr, cells.tnr))


def _predictive(join: Callable[[Any, Any], Any]) -> Measure:
    """A measure that joins the two predictive values."""
    return lambda cells, _terms: np.asarray(join(ppv(cells), npv(cells)))


def _cost(cells: Cells, terms: RuleTerms) -> Floats:
    """What errors cost beyond right decisions: terms that are never negative cancel no digits."""
    costs, p = terms.costs, cells.prevalence
    assert costs is not None
    of_positives = p * (costs.fn - costs.tp) * cells.fnr
    return np.asarray(of_positives + (1 - p) * (costs.fp - costs.tn) * cells.fpr)


def _larger_error(cells: Cells, _: RuleTerms) -> Floats:
    return np.asarray(np.maximum(cells.fn, cells.fp) / (cells.n_pos + cells.n_neg))


def _off_target(cells: Cells, terms: RuleTerms) -> Floats:
    target = cells.prevalence if terms.constraint is None else terms.constraint
    return np.abs(called_positive(cells) - target)


def _alarms(cells: Cells, terms: RuleTerms) -> Floats:
    """Positive predictions, as a proportion of the cases if the limit is below 1."""
    as_share = terms.constraint is not None and terms.constraint < 1
    return called_positive(cells) if as_share else np.asarray(cells.tp + cells.fp)


def _distance(first: Any, second: Any) -> Any:
    return np.hypot(1 - first, 1 - second)


def _gap(first: Any, second: Any) -> Any:
    return np.abs(first - second)


def _largest(goal: str, name: str, limit: Limit) -> Rule:
    return Rule(name, goal, _of(goal), limit=limit)


_least = partial(Rule, smallest=True)
_beaten = partial(Rule, dominated=True)
_ALL_RULES = [
    # Costs are usually about misses: among equally cheap thresholds the mildest.
    _least("cost", "expected cost", _cost, ties="mild"),
    Rule("youden", "Youden index", _of("youden")),
    Rule("ameans", "mean of sensitivity and specificity", _of("balanced_accuracy")),
    _least("closest", "distance to the corner (0, 1)", _both(_distance)),
    _beaten("product", "product of sensitivity and specificity", _both(np.multiply)),
    _beaten("equal", "difference between sensitivity and specificity", _both(_gap), smallest=True),
    _beaten("maximin", "minimum of sensitivity and specificity", _both(np.minimum)),
    _beaten("minimax", "proportion of the more frequent error", _larger_error, smallest=True),
    Rule("accuracy", "accuracy", _of("accuracy")),
    Rule("f1", "F1", _of("f1")),
    Rule("f-beta", "F-beta", lambda cells, terms: f_beta(cells, terms.beta)),
    Rule("mcc", "Matthews correlation", _of("mcc")),
    Rule("kappa", "Cohen's kappa", _of("kappa")),
    Rule("odds-ratio", "diagnostic odds ratio", _of("odds_ratio"), grows_with_n=True),
    Rule("chi-square", "chi-square statistic", _of("chi_square"), grows_with_n=True),
    Rule("predictive-sum", "sum of the predictive values", _predictive(np.add)),
    _beaten("predictive-product", "product of the predictive values", _predictive(np.multiply)),
    _least(
        "predictive-closest",
        "distance of the predictive values from (1, 1)",
        _predictive(_distance),
    ),
    _least("predictive-equal", "difference between the predictive values", _predictive(_gap)),
    _beaten("predictive-maximin", "minimum of the predictive values", _predictive(np.minimum)),
    _least(
        "prevalence",
        "difference between the proportion predicted positive and its target",
        _off_target,
        takes_constraint=True,
    ),
    _largest("specificity", "min-sensitivity", Limit("sensitivity", _of("sensitivity"), "rate")),
    _largest("sensitivity", "min-specificity", Limit("specificity", _of("specificity"), "rate")),
    _largest("sensitivity", "min-precision", Limit("precision", _of("ppv"), "rate")),
    _largest("specificity", "min-npv", Limit("NPV", _of("npv"), "rate")),
    _largest(
        "sensitivity", "max-alarms", Limit("positive predictions", _alarms, "alarms", at_most=True)
    ),
    _largest("sensitivity", "min-lr-positive", Limit("LR+", _of("lr_positive"), "ratio")),
    _largest("specificity", "max-lr-negative", Limit("LR-", _of("lr_negative"), "ratio", True)),
]
RULES = {rule.name: rule for rule in _ALL_RULES}
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
    """The rule of this name and its arguments, checked against each other."""
    own = own_rule(rule) if callable(rule) and not isinstance(rule, type) else None
    chosen = own or RULES[checks.one_of(rule, "rule", tuple(RULES), OTHER_NAMES)]
    if costs is not None:
        check_costly_errors(checked_costs(costs), "threshold")
    if chosen.name == "cost" and costs is None:
        raise InputError("rule='cost' needs `costs`, e.g. costs=Costs(fp=1, fn=5).")
    if beta is not None and chosen.name != "f-beta":
        raise InputError(f"`beta` has no meaning with rule={chosen.name!r}; use rule='f-beta'.")
    if beta is None and chosen.name == "f-beta":
        raise InputError("rule='f-beta' needs `beta`: 2 when recall counts twice precision.")
    weight = 1.0 if beta is None else checks.positive(beta, "beta")
    checks.within(weight, "beta", 1e-100, 1e100)  # its square is a factor
    limit = _checked_constraint(chosen, constraint)
    target_prevalence = None if prevalence is None else checks.prevalence(prevalence)
    return chosen, RuleTerms(costs, limit, weight, target_prevalence, own)


def own_rule(function: Callable[..., Any]) -> Rule:
    """The rule that maximizes a function of (tp, fp, fn, tn); nan where it is undefined."""
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
    """The rule as numbers for the compiled resampler; None for a function of the user."""
    if terms.own is not None:
        return None
    goal = "f-beta" if rule.name == "f1" else rule.measure_name if rule.limit else rule.name
    costs = terms.costs
    numbers = [
        MEASURES.index(goal),
        LIMITS.index(rule.name if rule.limit else ""),
        TIES.index(ties),
        rule.smallest,
        rule.limit is not None or rule.dominated,
        np.nan if terms.constraint is None else terms.constraint,
        1.0 if rule.name == "f1" else terms.beta,
        np.nan if terms.prevalence is None else terms.prevalence,
        0.0 if costs is None else costs.fn - costs.tp,
        0.0 if costs is None else costs.fp - costs.tn,
    ]
    return np.array(numbers, dtype=np.float64)


def rule_of(name: str, terms: RuleTerms) -> Rule:
    """The rule of this name, or the function given by the user."""
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


def candidate_thresholds(data: Tally, places: Places | None = None) -> Array:
    """A threshold beyond every score, then the distinct scores, the highest first; or some."""
    scores, first = data.scores, True
    if places is not None:
        scores, first = scores[places[places > 0] - 1], 0 in places[:1]
    if scores.dtype.kind != "f":  # integers that a float would merge
        scores = scores.astype(object)
    above_all = np.array([beyond(data)] * first, dtype=scores.dtype)
    return np.concatenate([above_all, scores])


def beyond(data: Tally) -> float:
    """The threshold without positive predictions."""
    return np.inf if data.direction == "higher" else -np.inf


def candidate_cells(data: Tally, prevalence: float | None) -> Cells:
    """Confusion matrices at +inf and at every distinct score."""
    tp, fp = (np.append(0.0, counts) for counts in (data.tp, data.fp))
    return cells_of(tp, fp, data.n_pos, data.n_neg, prevalence)


def choose(cells: Cells, rule: Rule, terms: RuleTerms, ties: Ties) -> tuple[Places, Flags]:
    """The best candidates along the last axis, and all that are as good but for rounding.

    Those that another may beat in both rates give way to the largest sensitivity + specificity.
    """
    score = rule.measure(cells, terms) * (-1 if rule.smallest else 1)
    allowed = ~np.isnan(score)
    if rule.limit is not None:
        allowed &= rule.limit.met(cells, terms)
    equal = _best(score, allowed)
    if rule.limit is not None or rule.dominated:
        equal = _best(cells.tpr + cells.tnr, equal)
    return _one_of(equal, ties), equal


def _best(score: Floats, allowed: Flags) -> Flags:
    """Where the score is largest among the allowed, up to rounding."""
    finite = allowed & np.isfinite(score)
    size = np.abs(score).max(axis=-1, keepdims=True, where=finite, initial=0.0)
    candidates = np.where(allowed, score, -np.inf)
    best = candidates.max(axis=-1, keepdims=True)
    return np.asarray(allowed & (candidates >= best - NOISE * size))


def _one_of(equal: Flags, ties: Ties) -> Places:
    """The first (highest), the last (lowest) or the middle one of equally good thresholds."""
    if ties == "strict":
        place = np.argmax(equal, axis=-1)
    elif ties == "mild":
        place = equal.shape[-1] - 1 - np.argmax(equal[..., ::-1], axis=-1)
    else:
        rank = np.cumsum(equal, axis=-1)
        middle = (rank[..., -1:] + 1) // 2  # of an even number, the stricter of the two
        place = np.argmax(rank == middle, axis=-1)
    return np.where(equal.any(axis=-1), place, NOWHERE)


def unattainable(cells: Cells, rule: Rule, terms: RuleTerms) -> InputError:
    """The error for a limit that no threshold meets, with the nearest attainable value."""
    if rule.limit is None:
        return InputError(
            f"rule={rule.name!r} has no value at any threshold: all scores are equal, so no case "
            "can be predicted positive while another is predicted negative."
        )
    extreme, word = (np.nanmin, "smallest") if rule.limit.at_most else (np.nanmax, "largest")
    nearest = float(extreme(rule.limit.of(cells, terms)))
    return InputError(
        f"no threshold reaches `constraint` {terms.constraint:g} for rule={rule.name!r}: the "
        f"{word} attainable {rule.limit.name} is {_towards(nearest, rule.limit.at_most)}."
    )


def _towards(value: float, upwards: bool) -> str:
    """The value in four digits, rounded to the side on which it is attainable."""
    if math.isinf(value) or float(f"{value:.4g}") == value:
        return f"{value:g}"
    size = 10.0 ** (math.floor(math.log10(abs(value))) - 4)
    return f"{(math.ceil if upwards else math.floor)(value / size) * size:.5g}"


def scalar(value: Any) -> float | None:
    """A number, or None where it is undefined."""
    number = float(value)
    return None if np.isnan(number) else number
