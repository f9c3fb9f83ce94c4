"""What the deciding estimators share: a scoring model, and a rule learned on held-out scores."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils import indexable
from sklearn.utils.validation import check_is_fitted

from rocwise.arrays import Array, Flags, Floats
from rocwise.costs import Costs, checked_costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.estimators.base.meta_estimator import MetaEstimator
from rocwise.estimators.base.out_of_fold_scores import (
    fit_and_score,
    is_fitted_already,
    score_rows,
    scoring_method,
)
from rocwise.estimators.base.rows import row_groups, row_weights
from rocwise.estimators.base.two_classes import TwoClasses, checked_weights, two_classes
from rocwise.inputs import tally

EQUAL_COSTS = Costs(fp=1, fn=1)
LEAST_ABOVE_ZERO = np.nextafter(0.0, 1.0)


class DecisionRuleClassifier(MetaEstimator):
    """Fits the model on all rows, and a rule on scores of rows the model had not seen.

    Subclasses have the parameters `estimator` and `cv`, and learn their rule in `_learn`.
    """

    cv: Any
    pos_label: Any

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the model and learn the rule.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame
            Whatever the model takes.
        y : array-like
            Two labels; others than 0/1, -1/1 and booleans need `pos_label`, unless the rule
            treats both classes alike.
        **fit_params
            Go to the `fit` of the model, cut to the rows of each fold. `sample_weight` among
            them also weighs the cases of the rule; `groups` go to the splitter `cv` (a number of
            folds then keeps groups together), and the uncertainty of the rule draws them whole.
        """
        X, y = indexable(X, y)
        labels = two_classes(y, self, pos_label=self.pos_label, alike=self._classes_alike())
        prefit = is_fitted_already(self.estimator, self.cv)
        weights = fit_params.get("sample_weight")
        if weights is not None:
            weights = checked_weights(
                weights, labels, None if prefit else self._model(), "estimator"
            )
        groups = row_groups(fit_params.get("groups"), len(labels.given))
        fit_params, for_splitter = self._routed(fit_params)
        if self.estimator is None and prefit:
            raise InputError("`estimator` is None; cv='prefit' needs a fitted one.")
        held_out = fit_and_score(self._model(), X, labels, self.cv, fit_params, for_splitter)
        self.estimator_: Any = held_out.model
        self.classes_: Array = labels.classes
        self.pos_label_: Any = labels.classes[labels.place]
        self._positive_place = labels.place
        self.response_method_: str = scoring_method(self.estimator_)
        self._inherit_features()
        counted = tally(labels.positive, held_out.scores, sample_weight=weights, groups=groups)
        self._learn(counted, held_out.how)
        self._fit_more(X, labels, fit_params)
        return self

    def _learn(self, counted: Tally, how: str) -> None:
        """Learn the rule from the held-out scores; higher means positive."""
        raise NotImplementedError

    def _classes_alike(self) -> bool:
        """Whether nothing would change if the other class were called positive."""
        raise NotImplementedError

    def _labels_of(self, positive: Flags) -> Array:
        """The label of the positive class where True, else the other."""
        place = self._positive_place
        labels: Array = self.classes_[np.where(positive, place, 1 - place)]
        return labels

    def _towards_second(self, distances: Floats) -> Floats:
        """Distances above 0 where positive as scikit-learn wants them: where the second class."""
        return distances if self._positive_place == 1 else -distances

    def _fit_more(self, X: Any, labels: TwoClasses, fit_params: dict[str, Any]) -> None:
        """Whatever else must be fitted."""

    def _scores(self, X: Any) -> Floats:
        """Scores of new rows by the model fitted on every row."""
        check_is_fitted(self)
        return score_rows(self.estimator_, X, self._positive_place)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def signed_distances(
    scores: Floats,
    decisions: Array,
    lower: float,
    upper: float,
) -> Floats:
    """Distances from the threshold that decided: above 0 where 1, below 0 where 0, else 0.

    They rise with the score, up to rounding. Decided is 1 from `upper` on and 0 up to `lower`.
    """
    far = np.zeros(len(scores))
    positive, negative = decisions == 1, decisions == 0
    far[positive] = _beyond(scores[positive], upper)
    far[negative] = -_beyond(-scores[negative], -lower)
    return far


def _beyond(scores: Floats, edge: float) -> Floats:
    """How far scores lie beyond an edge, never 0; in the same order where every score does."""
    if np.isinf(edge):
        return np.logaddexp(0.0, scores)
    return np.maximum(scores - edge, LEAST_ABOVE_ZERO)


def costs_or_default(costs: Any, default: Costs) -> Costs:
    """The costs given, or equal ones."""
    return default if costs is None else checked_costs(costs)


def mean_cost(
    positive: Flags,
    said_positive: Flags,
    abstained: Flags,
    costs: Costs,
    sample_weight: Any = None,
) -> float:
    """Cost per case of decisions whose truth is known, in the units of the costs."""
    for_positive, for_negative = (
        costs.abstain if isinstance(costs.abstain, tuple) else (costs.abstain, costs.abstain)
    )
    if abstained.any() and (for_positive is None or for_negative is None):
        raise InputError("`costs.abstain` is needed: some cases were not decided.")
    right = np.where(positive, costs.tp, costs.tn)
    wrong = np.where(positive, costs.fn, costs.fp)
    undecided = np.where(positive, for_positive or 0.0, for_negative or 0.0)
    decided = np.where(said_positive == positive, right, wrong)
    paid = np.where(abstained, undecided, decided)
    weights = None if sample_weight is None else row_weights(sample_weight, len(paid))
    return float(np.average(paid, weights=weights))


def costs_alike(costs: Costs | None) -> bool:
    """Whether both classes have the same costs; without costs they do."""
    if costs is None:
        return True
    checked_costs(costs)
    pair = costs.abstain if isinstance(costs.abstain, tuple) else (costs.abstain, costs.abstain)
    return costs.fp == costs.fn and costs.tp == costs.tn and pair[0] == pair[1]


def mean_cost_of_labels(model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """Cost per case of what a model that always decides says of labelled rows."""
    said = np.asarray(model.predict(X) == model.pos_label_)
    truth = np.asarray(y) == model.pos_label_
    costs = costs_or_default(model.costs, EQUAL_COSTS)
    return mean_cost(truth, said, np.zeros(len(said), dtype=bool), costs, sample_weight)
