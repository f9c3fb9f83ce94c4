"""A classifier whose threshold is chosen by a rule, on scores of rows it had not seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rocwise import checks
from rocwise.arrays import Array, Floats
from rocwise.binary.thresholds.operating_points import OperatingPoint, chosen_point
from rocwise.binary.thresholds.rules import RULES, RuleName
from rocwise.costs import Costs
from rocwise.data.mergeable.binned_tallies import binned
from rocwise.data.tally import Tally
from rocwise.estimators.base.decision_rules import (
    EQUAL_COSTS,
    DecisionRuleClassifier,
    costs_alike,
    costs_or_default,
    mean_cost_of_labels,
    signed_distances,
)

SCORES_KEPT = 4096
ABOUT_POSITIVES = ("f1", "f-beta", "prevalence")  # rules for which the classes are not alike


class ThresholdClassifier(DecisionRuleClassifier):
    """Predicts the positive class when the model's score reaches a threshold learned by a rule.

    The threshold is the one that `rocwise.threshold` chooses on held-out scores; the model itself
    is then fitted on every row. There is no `predict_proba`, since 0.5 is not where `predict`
    decides: probabilities are those of `estimator_`.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba` or `decision_function`; logistic regression without it.
    rule, costs, prevalence, constraint, beta
        As in `rocwise.threshold`; without `costs` both errors cost 1.
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the held-out scores, at most as many as the rarer class has rows. "prefit": the
        estimator is fitted already, and all rows given to `fit` are new to it.
    pos_label : optional
        The label of the positive class; needed for other labels than 0/1, -1/1 and booleans,
        unless the rule and the costs treat both classes alike.

    Attributes
    ----------
    threshold_ : float
        Predicted is the positive class when its score is at least this.
    point_ : OperatingPoint
        What the threshold does to the held-out scores.
    how_ : str
        Which rule, on which scores, in a sentence.
    estimator_, classes_, pos_label_, response_method_
        The fitted model, both labels and the positive one, the method that scores.

    Examples
    --------
    >>> import rocwise as rw
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = DecisionTreeClassifier(min_samples_leaf=20, random_state=0)
    >>> careful = rw.estimators.ThresholdClassifier(model, costs=rw.Costs(fp=5, fn=1)).fit(X, y)
    >>> round(careful.threshold_, 3)
    0.912
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        rule: RuleName = "cost",
        costs: Costs | None = None,
        prevalence: float | None = None,
        constraint: float | None = None,
        beta: float | None = None,
        cv: Any = 5,
        pos_label: Any = None,
    ) -> None:
        self.estimator = estimator
        self.rule = rule
        self.costs = costs
        self.prevalence = prevalence
        self.constraint = constraint
        self.beta = beta
        self.cv = cv
        self.pos_label = pos_label

    def _classes_alike(self) -> bool:
        rule = RULES[checks.one_of(self.rule, "rule", tuple(RULES))]
        prevalence = self.prevalence
        if prevalence is not None:
            prevalence = checks.share(prevalence)
        symmetric = rule.limit is None and rule.name not in ABOUT_POSITIVES
        return symmetric and costs_alike(self.costs) and prevalence in (None, 0.5)

    def _learn(self, counted: Tally, how: str) -> None:
        point = chosen_point(
            counted,
            rule=self.rule,
            costs=self._costs(),
            prevalence=self.prevalence,
            constraint=self.constraint,
            beta=self.beta,
        )
        # the model travels with enough of the scores for a picture, not with all of them
        self.point_: OperatingPoint = replace(point, data=binned(counted, SCORES_KEPT))
        self.threshold_: float = float(point.threshold)
        self.how_: str = f"{self.point_}; {how}"

    def _costs(self) -> Costs | None:
        wanted = self.rule == "cost" or self.costs is not None
        return costs_or_default(self.costs, EQUAL_COSTS) if wanted else None

    def decision_function(self, X: Any) -> Floats:
        """Distance of score and threshold, above 0 where `predict` says the second class.

        Scores closer to each other than the rounding of the difference become equal.
        """
        scores = self._scores(X)
        edges = self.threshold_, self.threshold_
        return self._towards_second(signed_distances(scores, scores >= edges[1], *edges))

    def predict(self, X: Any) -> Array:
        """The positive class where its score is at least `threshold_`, else the other."""
        return self._labels_of(self._scores(X) >= self.threshold_)

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Cost per case on labelled rows, in the units of `costs`; without them, the error rate."""
        return mean_cost_of_labels(self, X, y, sample_weight)
