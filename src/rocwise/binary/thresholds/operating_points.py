"""Where to set the threshold: the best one by a rule, and what it does."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Flags
from rocwise.binary.areas.empirical import whole_area
from rocwise.binary.thresholds import confusion_cells as outcomes
from rocwise.binary.thresholds.choices import (
    NOWHERE,
    candidate_cells,
    choose,
    refuse_unattainable,
    scalar,
)
from rocwise.binary.thresholds.confusion_cells import cells_of
from rocwise.binary.thresholds.rules import RULES, TIES, Rule, Terms, checked_rule
from rocwise.costs import Costs
from rocwise.errors import warn_below_half
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.primitives.tallies import Tally, refuse_weights
from rocwise.results import Result, json_safe, result

NOBODY = "above every score"


@result
class OperatingPoint(Result):
    """A threshold, why it was chosen, and what it does to the data.

    A case is called positive when its score is at least `threshold` (at most, where lower scores
    mean positive); an infinite threshold calls nobody positive. `precision`, `npv`, `accuracy`,
    `value` and `expected_cost` (per case) are at the `prevalence` used; `precision` and `npv` are
    None where nobody is called so. `equals` are all thresholds as good as this one.
    """

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
    ties: str
    equals: Array
    n_pos: float
    n_neg: float
    data: Tally = field(repr=False)

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

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        words = RULES[self.rule].words(f"{self.constraint or 0:g}")
        cost = "" if self.expected_cost is None else f", cost {self.expected_cost:.4g} per case"
        return (
            f"{self.decision}: {words} ({self.value:.4g}); sensitivity "
            f"{printing.rate(self.tpr, size)}, specificity "
            f"{printing.rate(self.specificity, size)}{cost}; "
            f"{printing.classes(self.n_pos, self.n_neg)}{self._equals_words()}"
        )

    def _equals_words(self) -> str:
        if len(self.equals) == 1:
            return ""
        which = {"strict": "strictest", "mild": "mildest", "middle": "middle one"}[self.ties]
        return f"; the {which} of {printing.count(len(self.equals))} equally good thresholds"

    def _columns(self) -> dict[str, Any]:
        left_out = ("data", "equals", "costs", "origin")
        return {
            item: [getattr(self, item)]
            for item in self.__dataclass_fields__
            if item not in left_out and getattr(self, item) is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-safe values, without the data it was chosen on."""
        plain = super().to_dict()
        del plain["data"]
        return {**plain, "decision": self.decision, "specificity": json_safe(self.specificity)}


@by_group
def threshold(
    data: Any = None,
    y_score: Any = None,
    *,
    rule: str = "cost",
    costs: Costs | None = None,
    prevalence: float | None = None,
    constraint: float | None = None,
    beta: float | None = None,
    ties: str | None = None,
    **given: Unpack[TallyOptions],
) -> OperatingPoint:
    """The best threshold by a rule, among the observed scores and "nobody is positive".

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
        The scored cases, without weights.
    rule : str, default "cost"
        What to make largest or smallest. "cost" (needs `costs`); "youden", "ameans", "closest",
        "product", "equal", "maximin" of sensitivity and specificity; "accuracy", "f1", "f-beta",
        "mcc", "kappa", "odds-ratio", "chi-square", "minimax"; "predictive-sum", "-product",
        "-closest", "-equal", "-maximin" of the predictive values; "prevalence" (the share called
        positive). With `constraint`: "min-sensitivity", "min-specificity", "min-precision",
        "min-npv", "max-alarms", "min-lr-positive", "max-lr-negative", each the best of the rest.
    costs : Costs, optional
        What each outcome costs; with other rules than "cost" only `expected_cost` needs it.
    prevalence : float, optional
        Share of positives where the threshold will be used; that of the data without it.
    constraint : float, optional
        Limit of a "min-" or "max-" rule. For "max-alarms" a share of the cases if below 1, else a
        number; for "prevalence" the target, which is the prevalence without it.
    beta : float, optional
        With "f-beta": how many times as much recall counts as precision.
    ties : {"strict", "mild", "middle"}, optional
        Which of equally good thresholds; the strictest, for "cost" the mildest, without it.

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
    tally = as_tally("threshold", data, y_score, given)
    refuse_weights(tally, "threshold")
    warn_below_half(whole_area(tally), tally.direction)
    return chosen_point(tally, rule, costs, prevalence, constraint, beta, ties)


def chosen_point(
    data: Tally,
    rule: str,
    costs: Costs | None = None,
    prevalence: float | None = None,
    constraint: float | None = None,
    beta: float | None = None,
    ties: str | None = None,
) -> OperatingPoint:
    """As `threshold`, also for weighted cases: weight 2 is the case twice."""
    chosen, terms = checked_rule(rule, costs=costs, constraint=constraint, beta=beta)
    share = None if prevalence is None else checks.fraction(prevalence, "prevalence")
    settled = chosen.ties if ties is None else checks.one_of(ties, "ties", TIES)
    cells = candidate_cells(data, share)
    choice = choose(cells, chosen, terms, settled)
    place = int(choice.place)
    if place == NOWHERE:
        raise refuse_unattainable(cells, chosen, terms)
    return _point(data, share, place, choice.equal, (chosen, terms, settled))


def _point(
    data: Tally,
    share: float | None,
    place: int,
    equal: Flags,
    question: tuple[Rule, Terms, str],
) -> OperatingPoint:
    rule, terms, ties = question
    tp, fp = (0, 0) if place == 0 else (data.tp[place - 1].item(), data.fp[place - 1].item())
    cells = cells_of(tp, fp, data.n_pos, data.n_neg, share)
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
        equals=candidate_thresholds(data)[equal],
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        data=data,
        origin=data.origin,
    )


def candidate_thresholds(data: Tally) -> Array:
    """A threshold beyond every score, then the distinct scores, the strictest first."""
    scores = data.scores
    if scores.dtype.kind != "f":  # integers that a float would merge
        scores = scores.astype(object)
    return np.concatenate([np.array([beyond(data)], dtype=scores.dtype), scores])


def beyond(data: Tally) -> float:
    """The threshold that calls nobody positive."""
    return np.inf if data.direction == "higher" else -np.inf
