"""Scores of rows that the scoring model was not trained on: what a rule may be learned from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedGroupKFold, check_cv, cross_validate
from sklearn.utils.validation import check_is_fitted

from rocwise.arrays import Array, Floats, Places
from rocwise.errors import InputError, count_of, listed
from rocwise.estimators.base.meta_estimator import is_number
from rocwise.estimators.base.parameters import checked_folds, checked_model
from rocwise.estimators.base.two_classes import TwoClasses
from rocwise.progress import reporter

PREFIT = "prefit"
SCORING_METHODS = ("predict_proba", "decision_function")


@dataclass(frozen=True, slots=True)
class ScoredModel:
    """A fitted model, and scores of rows it had not seen.

    Attributes
    ----------
    model : estimator
        Fitted on every row, or as the user gave it.
    scores : ndarray
        One per row; higher means positive.
    how : str
        Where the scores came from, in words.
    """

    model: Any
    scores: Floats
    how: str


def scoring_method(model: Any) -> str:
    """The name of the method whose output is thresholded: probabilities if there are any."""
    for name in SCORING_METHODS:
        if hasattr(model, name):
            return name
    raise InputError(
        f"`estimator` must have predict_proba or decision_function; "
        f"{type(model).__name__} has neither."
    )


def score_rows(model: Any, X: Any, place: int = 1) -> Floats:
    """Scores of a fitted two-class model, higher for the class at this place, 0 or 1."""
    values = np.asarray(getattr(model, scoring_method(model))(X), dtype=np.float64)
    if values.ndim == 2:
        return values[:, place]
    return values if place == 1 else 0.0 - values


def fit_and_score(
    estimator: Any,
    X: Any,
    labels: TwoClasses,
    cv: Any,
    fit_params: dict[str, Any],
    for_splitter: dict[str, Any],
) -> ScoredModel:
    """Fit the model and score every row by a model that had not seen it."""
    checked_model(estimator, "estimator")
    cv = checked_folds(cv)
    if is_fitted_already(estimator, cv):
        return _of_fitted(estimator, X, labels, fit_params)
    method = scoring_method(estimator)
    splitter, how = _splits(cv, labels, for_splitter)
    scores = _out_of_fold(estimator, X, labels, splitter, fit_params, for_splitter)
    model = clone(estimator).fit(X, labels.given, **fit_params)
    return ScoredModel(model, scores, f"{how} by {method}")


def is_fitted_already(estimator: Any, cv: Any) -> bool:
    """Whether the model is used as it is: on demand, or because it cannot be fitted again."""
    frozen = isinstance(estimator, FrozenEstimator)
    return frozen or (isinstance(cv, str) and cv == PREFIT)


def _out_of_fold(
    estimator: Any,
    X: Any,
    labels: TwoClasses,
    splitter: Any,
    fit_params: dict[str, Any],
    for_splitter: dict[str, Any],
) -> Floats:
    """The score of each row by the model of the one fold that tests it."""

    def refuse_single_class(fold: int, trained_on: Array) -> None:
        if len(np.unique(trained_on)) < 2:
            raise InputError(
                f"`cv`: fold {fold} leaves only the class {listed(trained_on[:1])} to train on. "
                "Use folds that keep both classes, or fewer of them."
            )

    def positive_scores(model: Any, rows: Any) -> Floats:
        return score_rows(model, rows, labels.place)

    return scores_by_fold(
        *(estimator, X, labels.given, splitter, fit_params),
        for_splitter=for_splitter,
        score=positive_scores,
        check=refuse_single_class,
    )


def scores_by_fold(
    model: Any,
    X: Any,
    labels: Array,
    splitter: Any,
    fit_params: dict[str, Any],
    *,
    for_splitter: dict[str, Any],
    score: Callable[[Any, Any], Floats],
    check: Callable[[int, Array], None],
) -> Floats:
    """What `score` says of each row, asked of the model of the one fold that tests it.

    `check` refuses the number and the training labels of a fold that cannot be learned from.
    """
    folds = list(splitter.split(X, labels, **for_splitter))
    _refuse_rows_not_tested_once(folds, len(labels))
    for fold, (train, _) in enumerate(folds):
        check(fold, labels[train])
    report = reporter(None, "scores of held-out rows")
    found: list[Floats] = []

    def keep_scores(fitted: Any, X_test: Any, _y_test: Any) -> float:
        found.append(score(fitted, X_test))
        report(len(found) / len(folds))
        return 0.0

    # not cross_val_predict: it numbers the labels, and a model may know them by their names
    # (`class_weight`); one job, so that the scores are kept here and in the order of the folds
    cross_validate(
        model,
        X,
        labels,
        scoring=keep_scores,
        cv=folds,
        params=fit_params,
        n_jobs=1,
        error_score="raise",
    )
    scores = np.empty((len(labels), *found[0].shape[1:]))
    for (_, test), part in zip(folds, found, strict=True):
        scores[test] = part
    return scores


def _refuse_rows_not_tested_once(folds: list[tuple[Places, Places]], n_rows: int) -> None:
    tested = np.zeros(n_rows, dtype=np.intp)
    for _, test in folds:
        tested[test] += 1
    if (tested != 1).any():
        row = int((tested != 1).argmax())
        raise InputError(
            f"`cv` must test every row once; row {row} is tested {tested[row]} times. "
            "Use k-fold splits, or a fitted estimator and cv='prefit'."
        )


def _splits(cv: Any, labels: TwoClasses, for_splitter: dict[str, Any]) -> tuple[Any, str]:
    """The splits, with no more folds than the smaller class has rows, and their name."""
    if is_number(cv) and "groups" in for_splitter:
        splitter = group_folds(int(cv), labels.given, for_splitter["groups"])
        return splitter, f"out-of-fold scores ({splitter.n_splits} folds that keep groups together)"
    if is_number(cv):
        fewest = labels.fewest()
        if fewest < 2:
            raise InputError(
                f"class {labels.rarer()} has {count_of(fewest, 'row')}: it cannot be both "
                "trained on and held out. Pass more rows, or a fitted estimator and cv='prefit'."
            )
        cv = min(int(cv), fewest)
    splitter = check_cv(cv, labels.given, classifier=True)
    n_splits = splitter.get_n_splits(labels.given, labels.given, **for_splitter)
    return splitter, f"out-of-fold scores ({n_splits} folds)"


def _of_fitted(
    estimator: Any, X: Any, labels: TwoClasses, fit_params: dict[str, Any]
) -> ScoredModel:
    """The user's own fitted model; the rows given are taken to be new to it."""
    others = sorted(set(fit_params) - {"sample_weight"})
    if others:
        raise InputError(f"`{others[0]}` has no use with cv='prefit': nothing is fitted.")
    check_is_fitted(estimator)
    known = list(estimator.classes_)
    if known != list(labels.classes):
        raise InputError(
            f"`estimator` was fitted for the classes {listed(known)}, but y has "
            f"{listed(labels.classes)}."
        )
    how = f"scores of the rows given, by {scoring_method(estimator)} of the model as it was fitted"
    return ScoredModel(estimator, score_rows(estimator, X, labels.place), how)


def group_folds(n_folds: int, labels: Array, groups: Any) -> StratifiedGroupKFold:
    """Folds that keep groups together, no more than a class has groups."""
    if n_folds < 2:
        raise InputError(f"`cv` must be at least 2 folds; got {n_folds}.")
    codes = np.unique(np.asarray(groups), return_inverse=True)[1]
    held = {label: len(np.unique(codes[labels == label])) for label in np.unique(labels)}
    rarest, fewest = min(held.items(), key=lambda each: each[1])
    if fewest < 2:
        raise InputError(
            f"`groups`: all rows of class {listed([rarest])} are in one group, which cannot be "
            "both trained on and held out. Pass more groups, or a fitted estimator and cv='prefit'."
        )
    return StratifiedGroupKFold(min(n_folds, fewest))
