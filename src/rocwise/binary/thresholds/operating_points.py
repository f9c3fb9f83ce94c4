"""Where to set the threshold: the best one by a rule, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Places
from rocwise.binary.areas.whole_areas import area_of_curve
from rocwise.binary.roc import roc_rates, warn_of_direction
from rocwise.binary.thresholds import confusion_cells as outcomes
from rocwise.binary.thresholds.choices import (
    NOWHERE,
    beyond,
    candidate_cells,
    candidate_thresholds,
    choose_on_curve,
    refuse_unattainable,
    scalar,
)
from rocwise.binary.thresholds.confusion_cells import cells_of
from rocwise.binary.thresholds.rules import (
    TIES,
    Rule,
    RuleName,
    RuleTerms,
    Ties,
    checked_rule,
    rule_of,
)
from rocwise.binary.thresholds.uncertainty import ThresholdUncertainty, resampled_threshold
from rocwise.costs import Costs
from rocwise.data.tally import Tally
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, by_group
from rocwise.progress import Report
from rocwise.results import ASIDE, Result, json_safe, result

NOBODY = "above every score"


@result
class OperatingPoint(Result):
    """A threshold, why it was chosen, and what it does to the data.

    A case is called positive when its score is at least `threshold` (at most, where lower scores
    mean positive); an infinite threshold calls nobody positive. `precision`, `npv`, `accuracy`,
    `value` and `expected_cost` (per case) are at the `prevalence` used; `precision` and `npv` are
    None where nobody is called so. `equals` are all thresholds as good as this one. `uncertainty`
    tells how sure the threshold is, `measure_curve` what the rule looked at.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        "threshold",
        "threshold_text",
        "fpr",
        "tpr",
        "tp",
        "fp",
        "tn",
        "fn",
        "expected_cost",
        "rule",
        "value",
        "value_name",
        "precision",
        "npv",
        "accuracy",
        "prevalence",
        "constraint",
        "beta",
        "ties",
        "n_pos",
        "n_neg",
    )

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
        """The share of positives that are called positive."""
        return self.tpr

    @property
    def specificity(self) -> float:
        """The share of negatives that are called negative."""
        return self.tn / self.n_neg

    @property
    def decision(self) -> str:
        """The decision in words: ``positive when score >= 0.4``."""
        if self.threshold_text == NOBODY:
            return "nobody is called positive"
        sign = ">=" if self.origin.direction == "higher" else "<="
        return f"positive when score {sign} {self.threshold_text}"

    @property
    def purpose(self) -> str:
        """What the rule asks for, in words: ``largest Youden index``."""
        return rule_of(self.rule, self.terms).words(f"{self.constraint or 0:g}")

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

    def curve(self) -> tuple[Floats, Floats]:
        """False and true positive rates of the ROC curve that the point lies on."""
        return roc_rates(self.data)

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
        which = {"strict": "strictest", "mild": "mildest", "middle": "middle one"}[self.ties]
        return f"; the {which} of {printing.count(len(self.equals))} equally good thresholds"

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-safe values, without the data it was chosen on."""
        more = {"decision": self.decision, "specificity": json_safe(self.specificity)}
        return super().to_dict() | more

    def measure_curve(self) -> MeasureCurve:
        """What the rule makes largest or smallest, at every threshold it could have chosen.

        >>> import rocwise as rw
        >>> rw.threshold([0, 0, 1, 1], [1, 2, 2, 3], rule="youden").measure_curve().values.tolist()
        [0.0, 0.5, 0.5, 0.0]
        """
        values = candidate_values(self.data, rule_of(self.rule, self.terms), self.terms)
        undefined = np.isnan(values)
        if undefined.any():
            values = np.ma.masked_array(np.where(undefined, 0.0, values), mask=undefined)
        return MeasureCurve(
            thresholds=candidate_thresholds(self.data),
            values=values,
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
    ) -> ThresholdUncertainty:
        """Bootstrap interval of the threshold, and its performance on cases left out.

        The threshold is chosen anew in every stratified resample and tried on the cases that the
        resample left out. The optimism is the price of choosing and judging on the same cases.
        The interval is rough where few cases decide the threshold.

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

        Examples
        --------
        >>> import rocwise as rw
        >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8]
        >>> sure = rw.threshold(y, s, rule="youden").uncertainty(n_resamples=200, rng=1)
        >>> sure.threshold, bool(sure.out_of_bag[0] < sure.in_sample[0])
        (6.0, True)
        """
        return resampled_threshold(
            self,
            rule_of(self.rule, self.terms),
            n_resamples=n_resamples,
            level=level,
            rng=rng,
            progress=progress,
        )


@result
class MeasureCurve(Result):
    """The measure of a rule at every candidate threshold, the strictest first.

    The first threshold lies beyond every score: nobody is called positive. `values` are masked
    where the measure is undefined; `name` says what they are, `point` is what the rule chose.
    """

    thresholds: Array
    values: Floats
    name: str
    point: OperatingPoint = field(metadata=ASIDE)

    @property
    def smallest(self) -> bool:
        """Whether the rule makes the measure smallest, not largest."""
        return rule_of(self.point.rule, self.point.terms).smallest

    def _sentence(self) -> str:
        return f"{self.name} at {printing.counted(len(self.values), 'threshold')}"


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
    groups: Any = None,
    **given: Unpack[TallyOptions],
) -> OperatingPoint:
    """The best threshold by a rule, among the observed scores and "nobody is positive".

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`: the
        scored cases.
    rule : str, default "cost"
        What to make largest or smallest. "cost" (needs `costs`); "youden", "ameans", "closest",
        "product", "equal", "maximin" of sensitivity and specificity; "accuracy", "f1", "f-beta",
        "mcc", "kappa", "odds-ratio", "chi-square", "minimax"; "predictive-sum", "-product",
        "-closest", "-equal", "-maximin" of the predictive values; "prevalence" (the share called
        positive). With `constraint`: "min-sensitivity", "min-specificity", "min-precision",
        "min-npv", "max-alarms", "min-lr-positive", "max-lr-negative", each the best of the rest.
        Or a function of arrays (tp, fp, fn, tn), which is made largest.
    costs : Costs, optional
        What each outcome costs; with other rules than "cost" only `expected_cost` needs it.
    prevalence : float, optional
        Share of positives where the threshold will be used; that of the data without it.
    constraint, beta : float, optional
        Limit of a "min-" or "max-" rule. For "max-alarms" a share of the cases if below 1, else a
        number; for "prevalence" the target. With "f-beta": how much more recall counts.
    ties, groups : {"strict", "mild", "middle"}, optional
        Which of equally good thresholds; the strictest, for "cost" the mildest, without it.
        Cluster of each row, for the `uncertainty` of the answer.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    OperatingPoint
        With `threshold`, `fpr`, `tpr`, `tp`, `fp`, `tn`, `fn`, `expected_cost`, `value`, `equals`.

    Examples
    --------
    >>> import rocwise as rw
    >>> costs = rw.Costs(fp=1, fn=5)
    >>> rw.threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], costs=costs).threshold
    0.35
    """
    tally = as_clustered_tally("threshold", data, y_score, groups, given)
    warn_of_direction(tally, area_of_curve(tally))
    return chosen_point(tally, rule, costs, prevalence, constraint, beta, ties)


def chosen_point(
    data: Tally,
    rule: RuleName | Callable[..., Any],
    costs: Costs | None = None,
    prevalence: float | None = None,
    constraint: float | None = None,
    beta: float | None = None,
    ties: Ties | None = None,
) -> OperatingPoint:
    """As `threshold`, also for weighted cases: weight 2 is the case twice."""
    chosen, terms = checked_rule(
        rule, costs=costs, constraint=constraint, beta=beta, prevalence=prevalence
    )
    if ties is not None:
        checks.one_of(ties, "ties", TIES)
    settled = chosen.ties if ties is None else ties
    choice = choose_on_curve(data, chosen, terms, settled)
    if choice.place == NOWHERE:
        raise refuse_unattainable(candidate_cells(data, terms.prevalence), chosen, terms)
    return _point(data, chosen, terms, choice.place, choice.equal, settled)


def point_at(
    data: Tally, rule: RuleName, constraint: float, place: int, **terms: Any
) -> OperatingPoint:
    """The point with so many distinct scores called positive, as if the rule had chosen it."""
    chosen, told = checked_rule(rule, constraint=constraint, **terms)
    return _point(data, chosen, told, place, np.array([place]), chosen.ties)


def candidate_values(data: Tally, rule: Rule, terms: RuleTerms) -> Floats:
    """What the rule looks at, at every candidate threshold; nan where it is undefined."""
    cells = candidate_cells(data, terms.prevalence)
    if rule.name == "cost" and terms.costs is not None:
        return outcomes.expected_cost(cells, terms.costs)
    return rule.measure(cells, terms)


def _point(
    data: Tally, rule: Rule, terms: RuleTerms, place: int, equal: Places, ties: Ties
) -> OperatingPoint:
    tp, fp = (0, 0) if place == 0 else (data.tp[place - 1].item(), data.fp[place - 1].item())
    cells = cells_of(tp, fp, data.n_pos, data.n_neg, terms.prevalence)
    cost = None if terms.costs is None else float(outcomes.expected_cost(cells, terms.costs))
    value = cost if rule.name == "cost" and cost is not None else float(rule.measure(cells, terms))
    return OperatingPoint(
        threshold=beyond(data) if place == 0 else data.scores[place - 1].item(),
        threshold_text=NOBODY if place == 0 else data.threshold_text(place - 1),
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
        precision=scalar(outcomes.precision(cells)),
        npv=scalar(outcomes.npv(cells)),
        accuracy=float(outcomes.accuracy(cells)),
        prevalence=float(cells.prevalence),
        costs=terms.costs,
        constraint=terms.constraint,
        beta=terms.beta if rule.name == "f-beta" else None,
        ties=ties,
        equals=candidate_thresholds(data, equal),
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        data=data,
        terms=terms,
        origin=data.origin,
    )
