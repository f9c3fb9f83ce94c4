"""What the estimators for several classes share: probabilities of held-out rows, any labels."""

from __future__ import annotations

import inspect
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils import check_random_state, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_method_params,
    _check_sample_weight,
    check_array,
    check_is_fitted,
    column_or_1d,
)

from rocwise.class_questions import class_cost
from rocwise.errors import InputError, listed
from rocwise.progress import reporter

Floats = NDArray[np.float64]
PREFIT = "prefit"
INHERITED = ("n_features_in_", "feature_names_in_")


class SeveralClassesClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Fits the model on all rows, and a rule on probabilities of rows it had not seen.

    Subclasses have the parameters `estimator`, `costs`, `prior`, `cv` and `random_state`, and
    learn their rule in `_learn`.
    """

    estimator: Any
    costs: Any
    prior: Any
    cv: Any
    random_state: Any

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the model and learn the rule.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame
            Whatever the model takes.
        y : array-like
            Labels of any kind; `costs` and `prior` follow their sorted order, `classes_`.
        **fit_params
            Go to the `fit` of the model, cut to the rows of each fold. `sample_weight` among
            them also weighs the rows of the rule.
        """
        X, y = indexable(X, y)
        self.classes_, codes = self._classes(y)
        labels = self.classes_[codes]
        weights = self._weights(fit_params, labels)
        if fit_params and get_config()["enable_metadata_routing"]:
            fit_params = process_routing(self, "fit", **fit_params).estimator.fit
        random = check_random_state(self.random_state)
        if isinstance(self.cv, str):
            self.estimator_, scores = self._prefit(X)
        else:
            scores = self._held_out(X, labels, codes, fit_params)
            whole = dict(_check_method_params(X, fit_params))
            self.estimator_ = clone(self._model()).fit(X, labels, **whole)
        for name in INHERITED:
            self.__dict__.pop(name, None)  # of an earlier fit
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        self._learn(codes, scores, weights, int(random.randint(2**31 - 1)))
        return self

    def _learn(self, codes: NDArray[np.intp], scores: Floats, weights: Any, seed: int) -> None:
        raise NotImplementedError

    def _called(self, probabilities: Floats) -> NDArray[np.intp]:
        raise NotImplementedError

    def predict(self, X: Any) -> NDArray[Any]:
        """Labels by the rule."""
        check_is_fitted(self)
        called: NDArray[Any] = self.classes_[self._called(_probabilities(self.estimator_, X))]
        return called

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Expected cost per case on labelled rows, with `costs` and `prior`."""
        check_is_fitted(self)
        places = np.searchsorted(self.classes_, np.asarray(y))
        codes = np.minimum(places, len(self.classes_) - 1)
        unknown = self.classes_[codes] != np.asarray(y)
        if unknown.any():
            raise InputError(
                f"`y` holds {listed(np.unique(np.asarray(y)[unknown]))}, which did not occur when "
                f"fitting; known are {listed(self.classes_)}."
            )
        scores = _probabilities(self.estimator_, X)
        return class_cost(
            codes,
            scores,
            rule=_Rule(self),
            costs=self.costs,
            prior=self.prior,
            sample_weight=sample_weight,
        )

    def _model(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _classes(self, y: Any) -> tuple[NDArray[Any], NDArray[np.intp]]:
        name = type(self).__name__
        if y is None:
            raise InputError(f"{name} requires y to be passed, but the target y is None.")
        check_array(y, ensure_2d=False, dtype=None, input_name="y")  # refuses nan and infinities
        check_classification_targets(y)
        classes, codes = np.unique(column_or_1d(y, warn=True), return_inverse=True)
        if len(classes) < 2:
            raise InputError(
                f"{name} needs at least two classes in y; got one class: {listed(classes)}."
            )
        return classes, codes.astype(np.intp)

    def _weights(self, fit_params: dict[str, Any], labels: NDArray[Any]) -> Floats | None:
        given = fit_params.get("sample_weight")
        if given is None:
            return None
        taken = inspect.signature(self._model().fit).parameters.values()
        if not any(each.name == "sample_weight" or each.kind is each.VAR_KEYWORD for each in taken):
            raise InputError(
                f"`sample_weight` is not taken by {type(self._model()).__name__}. Leave it out, "
                "or use a model whose fit takes weights."
            )
        checked: Floats = _check_sample_weight(
            given, labels, dtype=np.float64, ensure_non_negative=True
        )
        return checked

    def _prefit(self, X: Any) -> tuple[Any, Floats]:
        """The user's own fitted model; the rows given are taken to be new to it."""
        if self.cv != PREFIT or self.estimator is None:
            raise InputError(
                "`cv` must be a number of folds, splits, or 'prefit' with a fitted estimator; "
                f"got {self.cv!r}."
            )
        check_is_fitted(self.estimator)
        if list(self.estimator.classes_) != list(self.classes_):
            raise InputError(
                f"`estimator` was fitted for the classes {listed(self.estimator.classes_)}, but y "
                f"has {listed(self.classes_)}."
            )
        return self.estimator, _probabilities(self.estimator, X)

    def _held_out(
        self, X: Any, labels: NDArray[Any], codes: NDArray[np.intp], fit_params: dict[str, Any]
    ) -> Floats:
        """Probabilities of each row by the model of the one fold that tests it."""
        model = self._model()
        report = reporter(None, "scores of held-out rows")
        scores = np.zeros((len(codes), len(self.classes_)))
        tested = np.zeros(len(codes), dtype=np.intp)
        folds = list(self._splitter(labels, codes).split(X, labels))
        for done, (train, test) in enumerate(folds, start=1):
            X_train, y_train = _safe_split(model, X, labels, train)
            absent = np.setdiff1d(self.classes_, y_train)
            if len(absent):
                raise InputError(
                    f"`cv`: fold {done - 1} leaves no row of class {listed(absent)} to train on. "
                    "Use folds that keep every class, or fewer of them."
                )
            part = dict(_check_method_params(X, fit_params, indices=train))
            fitted = clone(model).fit(X_train, y_train, **part)
            scores[test] = _probabilities(fitted, _safe_split(model, X, None, test, train)[0])
            tested[test] += 1
            report(done / len(folds))
        if (tested != 1).any():
            row = int((tested != 1).argmax())
            raise InputError(
                f"`cv` must test every row once; row {row} is tested {tested[row]} times. "
                "Use k-fold splits, or a fitted estimator and cv='prefit'."
            )
        return scores

    def _splitter(self, labels: NDArray[Any], codes: NDArray[np.intp]) -> Any:
        """Stratified folds, no more than the rarest class has rows; shuffled if seeded."""
        if not isinstance(self.cv, (int, np.integer)) or isinstance(self.cv, bool):
            return check_cv(self.cv, labels, classifier=True)
        if self.cv < 2:
            raise InputError(f"`cv` must be at least 2 folds; got {self.cv}.")
        counts = np.bincount(codes)
        if counts.min() < 2:
            rarest = listed(self.classes_[[int(counts.argmin())]])
            raise InputError(
                f"class {rarest} has 1 row: it cannot be both trained on and held out. Pass more "
                "rows, or a fitted estimator and cv='prefit'."
            )
        seeded = self.random_state is not None
        return StratifiedKFold(
            min(int(self.cv), int(counts.min())),
            shuffle=seeded,
            random_state=check_random_state(self.random_state) if seeded else None,
        )

    def get_metadata_routing(self) -> Any:
        """Arguments of `fit` go to the `fit` of the model; see scikit-learn's metadata routing."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self._model(), method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._model()).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        tags.input_tags.pairwise = inner.pairwise
        return tags


class _Rule:
    """The rule of a fitted estimator, for `class_cost`."""

    def __init__(self, owner: SeveralClassesClassifier) -> None:
        self._owner = owner

    def predict(self, y_score: Floats) -> NDArray[np.intp]:
        """Column numbers."""
        return self._owner._called(y_score)


def _probabilities(model: Any, X: Any) -> Floats:
    if not hasattr(model, "predict_proba"):
        raise InputError(
            f"`estimator` must have predict_proba; {type(model).__name__} has none. Wrap it in "
            "sklearn.calibration.CalibratedClassifierCV."
        )
    return np.asarray(model.predict_proba(X), dtype=np.float64)
