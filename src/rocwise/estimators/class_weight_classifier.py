"""A classifier of several classes whose decisions are as cheap as class weights make them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rocwise.arrays import Floats, Places
from rocwise.estimators.base.several_classes import SeveralClassesClassifier, probabilities_of
from rocwise.multiclass.operating_points.cost_columns import risks
from rocwise.multiclass.operating_points.results import COLUMNS, ClassWeights
from rocwise.multiclass.operating_points.weights import WeightMethod, class_weights


class ClassWeightClassifier(SeveralClassesClassifier):
    """Calls the class with the largest weighted probability, with weights from held-out rows.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba`; logistic regression without it.
    costs : array-like (m, m), optional
        costs[true, predicted] in the order of `classes_`; by default every error costs 1.
    prior : array-like (m,), optional
        Shares of the classes where the classifier will be used; those of the rows without it.
    method : str, default "auto"
        As in `rocwise.class_weights`.
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the probabilities that the weights are learned on; "prefit" takes a fitted
        `estimator`, and the rows given must be new to it.
    random_state : optional
        Shuffles the folds and seeds a random search.

    Attributes
    ----------
    weights_ : ndarray (m,)
        Weights of `classes_`.
    result_ : ClassWeights
        The answer of `class_weights` on the held-out probabilities.
    how_ : str
        The same in a sentence.
    estimator_, classes_
        The model fitted on all rows, and the labels in sorted order.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from rocwise.estimators import ClassWeightClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> costs = [[0, 1, 1], [1, 0, 1], [1, 20, 0]]
    >>> model = ClassWeightClassifier(GaussianNB(), costs=costs).fit(X, y)
    >>> bool(model.weights_[2] > model.weights_[1])
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        costs: Any = None,
        prior: Any = None,
        method: WeightMethod = "auto",
        cv: Any = 5,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.prior = prior
        self.method = method
        self.cv = cv
        self.random_state = random_state

    def _learn(self, codes: Places, scores: Floats, weights: Any, seed: int) -> None:
        self.result_: ClassWeights = class_weights(
            codes,
            scores,
            costs=self.costs,
            prior=self.prior,
            method=self.method,
            sample_weight=weights,
            rng=seed,
        )
        self.weights_: Floats = self.result_.weights
        self.how_: str = f"{self.result_}; on held-out probabilities"

    def _called(self, probabilities: Floats) -> Places:
        return self.result_.predict(probabilities)

    def predict_proba(self, X: Any) -> Floats:
        """Weighted probabilities, made to add up to 1; the largest is the one called.

        Of `method="cost-columns"`: weights over risks instead. These are no longer estimates of
        how likely the classes are.
        """
        check_is_fitted(self)
        found = probabilities_of(self.estimator_, X)
        if self.result_.method == COLUMNS:
            table = risks(found.T, self.result_.costs).T / self.weights_
            called = table.argmin(axis=1)
            with np.errstate(divide="ignore"):
                found = np.where(table > 0, 1.0 / table, 0.0)
            certain = table[np.arange(len(table)), called] == 0
            found[certain] = 0.0
            found[certain, called[certain]] = 1.0
        else:
            found = found * self.weights_
        totals = found.sum(axis=1, keepdims=True)
        shares: Floats = np.divide(
            found, totals, out=np.full_like(found, 1.0 / found.shape[1]), where=totals > 0
        )
        return shares
