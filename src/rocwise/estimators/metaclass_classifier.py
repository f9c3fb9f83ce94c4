"""A classifier of several classes that decides between groups of classes, step by step."""

from __future__ import annotations

from typing import Any, Literal

from rocwise.arrays import Floats, Places
from rocwise.estimators.base.several_classes import SeveralClassesClassifier
from rocwise.multiclass.operating_points.class_trees import MetaClass, metaclass


class MetaClassClassifier(SeveralClassesClassifier):
    """Decides by a tree of thresholds between groups of classes, learned on held-out rows.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba`; logistic regression without it.
    costs : array-like (m, m), optional
        costs[true, predicted] in the order of `classes_`; by default every error costs 1.
    prior : array-like (m,), optional
        Shares of the classes where the classifier will be used; those of the rows without it.
    average : {"class", "pair"}
        How the cost of taking the wrong side is averaged; see `rocwise.metaclass`.
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the probabilities that the tree is learned on, as in `ClassWeightClassifier`.
    random_state : optional
        Shuffles the folds.

    Attributes
    ----------
    tree_ : MetaClass
        The tree; its classes are the places of the labels in `classes_`.
    how_ : str
        The same in a sentence.
    estimator_, classes_
        The model fitted on all rows, and the labels in sorted order.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from rocwise.estimators import MetaClassClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MetaClassClassifier(GaussianNB()).fit(X, y)
    >>> len(list(model.tree_.root.splits()))
    2
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        costs: Any = None,
        prior: Any = None,
        average: Literal["class", "pair"] = "class",
        cv: Any = 5,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.prior = prior
        self.average = average
        self.cv = cv
        self.random_state = random_state

    def _learn(self, codes: Places, scores: Floats, weights: Any, seed: int) -> None:
        self.tree_: MetaClass = metaclass(
            codes,
            scores,
            costs=self.costs,
            prior=self.prior,
            average=self.average,
            sample_weight=weights,
        )
        self.how_: str = f"{self.tree_}; on held-out probabilities"

    def _called(self, probabilities: Floats) -> Places:
        return self.tree_.predict(probabilities)
