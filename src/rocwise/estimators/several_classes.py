"""A classifier of several classes that decides between groups of classes, step by step."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import check_random_state, indexable
from sklearn.utils.validation import check_is_fitted

from rocwise import checks
from rocwise.arrays import Array, Floats, Places
from rocwise.errors import InputError, listed
from rocwise.estimators import base
from rocwise.multiclass.class_trees import MetaClass, metaclass
from rocwise.multiclass.operating_points import altered_risks, class_cost
from rocwise.multiclass.weights import MATRICES, ROWS, ClassWeights, WeightMethod, class_weights


class SeveralClassesClassifier(base.MetaEstimator):
    """Fits the model on all rows, and a rule on probabilities of rows it had not seen."""

    costs: Any
    prior: Any
    cv: Any
    random_state: Any

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the model and learn the rule.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Features.
        y : array-like
            Labels of any kind; `costs` and `prior` follow their sorted order, `classes_`.
        **fit_params
            Go to the `fit` of the model, cut to the rows of each fold. `sample_weight` among
            them also weighs the rows of the rule; `groups` go to the splitter `cv` (a number of
            folds then keeps groups together).
        """
        X, y = indexable(X, y)
        labels = base.checked_labels(y, self)
        self.classes_: Array
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise InputError(
                f"{type(self).__name__} needs at least two classes in y; got one class: "
                f"{listed(self.classes_)}."
            )
        weights = base.model_weights(fit_params, labels, self._model(), "estimator")
        base.row_groups(fit_params.get("groups"), len(labels))
        state = checks.random_state(self.random_state)
        random = check_random_state(state)
        scores, _ = self._fit_model(X, labels, fit_params, probabilities_of, state)
        seed = int(random.randint(2**31 - 1))
        self._rule = self._learn(codes.astype(np.intp), scores, weights, seed)
        self.how_: str = f"{self._rule}; on held-out probabilities"
        return self

    def _learn(self, codes: Places, scores: Floats, weights: Any, seed: int) -> Any:
        """The rule, with `predict` of probabilities."""
        raise NotImplementedError

    def predict(self, X: Any) -> Array:
        """Labels by the rule."""
        check_is_fitted(self)
        called: Array = self.classes_[self._rule.predict(probabilities_of(self.estimator_, X))]
        return called

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Expected cost per case on labeled rows, with `costs` and `prior`."""
        check_is_fitted(self)
        places = np.searchsorted(self.classes_, np.asarray(y))
        codes = np.minimum(places, len(self.classes_) - 1)
        unknown = self.classes_[codes] != np.asarray(y)
        if unknown.any():
            raise InputError(
                f"`y` has {listed(np.unique(np.asarray(y)[unknown]))}, which did not occur when "
                f"fitting; known are {listed(self.classes_)}."
            )
        scores, rule = probabilities_of(self.estimator_, X), self._rule
        priced: dict[str, Any] = {"costs": self.costs, "prior": self.prior}
        return class_cost(codes, scores, rule=rule, sample_weight=sample_weight, **priced)


def probabilities_of(model: Any, X: Any) -> Floats:
    """Probabilities of the classes, one row per row."""
    if not hasattr(model, "predict_proba"):
        raise InputError(
            f"`estimator` must have predict_proba; {type(model).__name__} has none. Wrap it in "
            "sklearn.calibration.CalibratedClassifierCV."
        )
    return np.asarray(model.predict_proba(X), dtype=np.float64)


@dataclass(eq=False, repr=False)
class ClassWeightClassifier(SeveralClassesClassifier):
    """Predicts the class with the largest weighted probability, with weights from held-out rows.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba`; logistic regression without it.
    costs : array-like (m, m), optional
        Matrix [true, predicted] in the order of `classes_`; by default every error costs 1.
    prior : array-like (m,), optional
        Proportions of the classes where the classifier will be used; those of the rows without it.
    method : str, default "auto"
        As in `rocwise.multiclass.class_weights`.
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the probabilities that the weights are learned on; "prefit" takes a fitted
        `estimator`, and the rows given must be new to it.
    random_state : int, RandomState or None, optional
        Shuffles the folds and seeds a random search.

    Attributes
    ----------
    weights_ : ndarray (m,)
        Weights of `classes_`.
    result_ : ClassWeights
        The result of `class_weights` on the held-out probabilities.
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
    >>> model.weights_.round(3).tolist()
    [1.0, 0.02, 1.0]
    """

    estimator: Any = None
    _: KW_ONLY
    costs: Any = None
    prior: Any = None
    method: WeightMethod = "auto"
    cv: Any = 5
    random_state: Any = None

    def _learn(self, codes: Places, scores: Floats, weights: Any, seed: int) -> ClassWeights:
        self.result_ = class_weights(
            codes,
            scores,
            costs=self.costs,
            prior=self.prior,
            method=self.method,
            sample_weight=weights,
            rng=seed,
        )
        self.weights_: Floats = self.result_.weights
        return self.result_

    def predict_proba(self, X: Any) -> Floats:
        """Weighted probabilities, normalized to sum 1; the class of the largest is predicted.

        Of "cost-columns" and "cost-rows": reciprocals of the risks by the altered costs instead.
        These are no longer estimates of how likely the classes are.
        """
        check_is_fitted(self)
        found = probabilities_of(self.estimator_, X)
        if self.result_.method in MATRICES:
            rows = self.result_.method == ROWS
            table = altered_risks(found.T, self.result_.costs, self.weights_, rows=rows).T
            called = table.argmin(axis=1)
            with np.errstate(divide="ignore"):
                found = np.where(table > 0, 1.0 / table, 0.0)
            certain = table[np.arange(len(table)), called] == 0
            found[certain] = 0.0
            found[certain, called[certain]] = 1.0
        else:
            found = found * self.weights_
        totals = found.sum(axis=1, keepdims=True)
        fractions: Floats = np.divide(
            found, totals, out=np.full_like(found, 1.0 / found.shape[1]), where=totals > 0
        )
        return fractions


@dataclass(eq=False, repr=False)
class MetaClassClassifier(SeveralClassesClassifier):
    """Predicts by a tree of thresholds between groups of classes, fitted to held-out rows.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba`; logistic regression without it.
    costs : array-like (m, m), optional
        Matrix [true, predicted] in the order of `classes_`; by default every error costs 1.
    prior : array-like (m,), optional
        Class prevalences in the target population; by default those of the rows.
    average : {"class", "pair"}
        How the cost of taking the wrong side is averaged; see `rocwise.multiclass.metaclass`.
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the probabilities, as in `ClassWeightClassifier`.
    random_state : int, RandomState or None, optional
        Shuffles the folds.

    Attributes
    ----------
    tree_ : MetaClass
        The tree; its classes are the places of the labels in `classes_`. Others as in
        `ClassWeightClassifier`.

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

    estimator: Any = None
    _: KW_ONLY
    costs: Any = None
    prior: Any = None
    average: Literal["class", "pair"] = "class"
    cv: Any = 5
    random_state: Any = None

    def _learn(self, codes: Places, scores: Floats, weights: Any, seed: int) -> MetaClass:
        self.tree_ = metaclass(
            codes,
            scores,
            costs=self.costs,
            prior=self.prior,
            average=self.average,
            sample_weight=weights,
        )
        return self.tree_
