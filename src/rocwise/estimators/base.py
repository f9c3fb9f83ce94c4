"""Scores of rows that the scoring model was not trained on: what a rule may be learned from."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, check_cv, cross_validate
from sklearn.utils import check_array, check_consistent_length, check_random_state, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from rocwise import checks
from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.labels import required_label
from rocwise.inputs.vectors import as_vector
from rocwise.progress import reporter


def row_groups(groups: Any, n_rows: int) -> Any:
    """One group for each row, or None."""
    if groups is None:
        return None
    column = as_vector(groups, "groups")
    if column.missing is not None:
        raise InputError(
            f"`groups` has a missing value (first at row {int(column.missing.argmax())}); give "
            "rows that belong to no group a group of their own."
        )
    if len(column) != n_rows:
        raise InputError(f"`groups` has {len(column):,} values, but there are {n_rows:,} rows.")
    return column.values


def row_weights(sample_weight: Any, n_rows: int, dtype: Any = np.float64) -> Floats:
    """One finite weight for each row, none below 0 and not all 0, of one of the types."""
    if isinstance(sample_weight, Number):
        sample_weight = np.full(n_rows, sample_weight)
    weights: Floats = check_array(
        sample_weight, ensure_2d=False, dtype=dtype, input_name="sample_weight"
    )
    if weights.ndim != 1:
        raise InputError(
            f"`sample_weight` must be one number for each row; got {weights.ndim} dimensions."
        )
    check_consistent_length(weights, np.empty(n_rows))
    if (weights < 0).any():
        row = int((weights < 0).argmax())
        raise InputError(
            f"`sample_weight` must not be negative; got {weights[row]:g} at row {row}."
        )
    if not weights.any():
        raise InputError("`sample_weight` is zero for every row: there is nothing to learn from.")
    return weights


@dataclass(frozen=True, slots=True)
class TwoClasses:
    """Labels as given, the two classes in sorted order, and the place of the positive one."""

    given: Array
    classes: Array
    place: int = 1

    @property
    def positive(self) -> Flags:
        """Which rows are positive."""
        return np.asarray(self.given == self.classes[self.place])


def checked_labels(y: Any, estimator: Any) -> Array:
    """One label for each row, none missing."""
    if y is None:
        name = type(estimator).__name__
        raise InputError(f"{name} requires y to be passed, but the target y is None.")
    check_array(y, ensure_2d=False, dtype=None, input_name="y")  # raises for nan and infinities
    check_classification_targets(y)
    labels: Array = column_or_1d(y, warn=True)
    return labels


def two_classes(y: Any, estimator: Any, *, pos_label: Any, symmetric: bool) -> TwoClasses:
    """Check that `y` has two classes, and find the positive one: in `symmetric` tasks either."""
    labels = checked_labels(y, estimator)
    classes = np.unique(labels)
    if len(classes) > 2:
        raise InputError(
            "Only binary classification is supported. The type of the target is multiclass: "
            f"y has the classes {listed(classes)}."
        )
    if len(classes) < 2:
        name = type(estimator).__name__
        raise InputError(f"{name} needs two classes in y; got one class only: {listed(classes)}.")
    return TwoClasses(labels, classes, _positive_place(classes, pos_label, symmetric))


def _positive_place(classes: Array, pos_label: Any, symmetric: bool) -> int:
    if pos_label is None:
        usual = classes.dtype.kind in "biuf" and tuple(classes.tolist()) in ((0, 1), (-1, 1))
        if usual or symmetric:
            return 1
        raise InputError(required_label(classes, "y"))
    single = isinstance(pos_label, (str, bytes, int, float, np.generic)) and pos_label == pos_label
    if not single:
        raise InputError(f"`pos_label` must be one label; got {shown(pos_label, 60)}.")
    found = [place for place, label in enumerate(classes.tolist()) if label == pos_label]
    if not found:
        raise InputError(
            f"`pos_label` {shown(pos_label)} does not occur in `y`: {listed(classes)}."
        )
    return found[0]


def model_weights(
    fit_params: dict[str, Any], labels: Array, model: Any, role: str, classes: Iterable[Any] = ()
) -> Floats | None:
    """The `sample_weight` of `fit`, which the model must take, some of it on each class."""
    given = fit_params.get("sample_weight")
    if given is None:
        return None
    taken = () if model is None else inspect.signature(model.fit).parameters.values()
    takes = any(each.name == "sample_weight" or each.kind is each.VAR_KEYWORD for each in taken)
    if model is not None and not takes:
        raise InputError(
            f"`sample_weight` is not taken by the {role} {type(model).__name__}; use a model whose "
            "fit takes weights."
        )
    weights = row_weights(given, len(labels))
    for label in classes:
        if not weights[labels == label].any():
            raise InputError(f"`sample_weight` is 0 for every row of the class {listed([label])}.")
    return weights


def with_reject_label(labels: Array, rejected: Flags, reject_label: Any) -> Array:
    """Labels with `reject_label` in some rows, of a type for both kinds of label."""
    if not rejected.any():
        return labels
    mark = np.asarray(reject_label)
    kinds = {labels.dtype.kind, mark.dtype.kind}  # a boolean is no number: it would lose the mark
    same_kind = mark.ndim == 0 and (len(kinds) == 1 or kinds <= set("iuf"))
    common = np.result_type(labels, mark) if same_kind else np.dtype(object)
    marked = labels.astype(common)
    marked[rejected] = reject_label
    return marked


PREFIT = "prefit"


def is_whole(value: Any) -> bool:
    """Whether a value is an integer."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def checked_model(model: Any, argument: str) -> Any:
    """An object that can be fitted; a class is not one yet."""
    if isinstance(model, type) or not hasattr(model, "fit"):
        raise InputError(
            f"`{argument}` must be an estimator, an object with `fit`; got {shown(model, 60)}."
        )
    return model


def checked_folds(cv: Any) -> Any:
    """A number of folds, a splitter, a list of splits or "prefit"."""
    splitter = hasattr(cv, "split") and not isinstance(cv, (str, bytes, type))
    if cv is None or splitter or (isinstance(cv, str) and cv == PREFIT):
        return cv
    if isinstance(cv, (list, tuple)) or hasattr(cv, "__next__"):
        return _checked_splits(list(cv))
    if is_whole(cv):
        return checks.whole(cv, "cv", at_least=2, at_most=2**31)
    raise InputError(f"`cv` must be a number of folds, splits or 'prefit'; got {shown(cv, 60)}.")


def _checked_splits(splits: list[Any]) -> list[Any]:
    """Pairs of row numbers to train on and to test."""
    for split in splits:
        if not isinstance(split, (list, tuple)) or len(split) != 2 or _are_no_rows(split):
            raise InputError(
                "`cv` as a list must contain pairs (rows to train on, rows to test); got "
                f"{shown(split, 60)} in it."
            )
    if not splits:
        raise InputError("`cv` is an empty list; at least one split is needed.")
    return splits


def _are_no_rows(split: Any) -> bool:
    try:
        return any(np.ndim(rows) != 1 or np.asarray(rows).dtype.kind not in "iub" for rows in split)
    except (TypeError, ValueError):
        return True


def check_label(label: Any) -> None:
    """What `predict` returns for undecided cases must be one label, or None."""
    single = isinstance(label, (str, bytes, int, float, np.generic)) and not isinstance(label, bool)
    too_large = isinstance(label, int) and abs(label) >= 2**63
    if label is not None and not (single and not too_large and label == label):
        raise InputError(
            f"`reject_label` must be one number or text, or None; got {shown(label, 60)}. "
            "Choose for example reject_label=-1 or reject_label='?'."
        )


INHERITED = ("n_features_in_", "feature_names_in_")


class MetaEstimator(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier based on the model in its parameter `estimator`."""

    estimator: Any
    estimator_: Any
    cv: Any

    def _model(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _routed(self, fit_params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The arguments of `fit` that the model is to be given, and those of the splitter."""
        if fit_params and get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **fit_params)
            return routed.estimator.fit, routed.splitter.split if "splitter" in routed else {}
        given = dict(fit_params)
        groups = given.pop("groups", None)
        return given, {} if groups is None else {"groups": groups}

    def _fit_model(
        self,
        X: Any,
        labels: Array,
        fit_params: dict[str, Any],
        score: Callable[[Any, Any], Floats],
        random_state: Any = None,
    ) -> tuple[Floats, str]:
        """Fit the model, and score every row by a model that had not seen it; how, in words."""
        model, fitted = self._model(), is_fitted_already(self.estimator, self.cv)
        fit_params, for_splitter = self._routed(fit_params)
        if self.estimator is None and fitted:
            raise InputError("`estimator` is None; cv='prefit' needs a fitted one.")
        checked_model(model, "estimator")
        others = sorted(set(fit_params) - {"sample_weight"})
        if fitted and others:
            raise InputError(f"`{others[0]}` has no use with cv='prefit': nothing is fitted.")
        cv = checked_folds(self.cv)
        if fitted:  # the rows given are taken to be new to it
            _check_fitted_for(model, np.unique(labels))
            scores, how = score(model, X), "scores of the rows given,"
        else:
            splitter = _splitter(cv, labels, for_splitter, random_state)
            folds = list(splitter.split(X, labels, **for_splitter))
            scores = _scores_by_fold(model, X, labels, folds, fit_params, score)
            grouped = is_whole(cv) and "groups" in for_splitter
            together = " that keep groups together" if grouped else ""
            how = f"out-of-fold scores ({len(folds)} folds{together})"
            model = clone(model).fit(X, labels, **fit_params)
        self.estimator_ = model
        for name in INHERITED:  # the columns of the fitted model
            self.__dict__.pop(name, None)  # of an earlier fit
            if hasattr(model, name):
                setattr(self, name, getattr(model, name))
        return scores, how

    def get_metadata_routing(self) -> Any:
        """Arguments of `fit` go to the `fit` of the model, and groups to the splitter.

        See scikit-learn's metadata routing.
        """
        router = MetadataRouter(owner=self).add(
            estimator=self._model(), method_mapping=MethodMapping().add(caller="fit", callee="fit")
        )
        if isinstance(self.cv, str):  # a fitted model has no splitter
            return router
        folds = StratifiedGroupKFold() if is_whole(self.cv) else check_cv(self.cv, classifier=True)
        return router.add(
            splitter=folds, method_mapping=MethodMapping().add(caller="fit", callee="split")
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._model()).input_tags
        for name in ("sparse", "allow_nan", "pairwise"):
            setattr(tags.input_tags, name, getattr(inner, name))
        return tags


SCORING_METHODS = ("predict_proba", "decision_function")


def scoring_method(model: Any) -> str:
    """The name of the method whose output is thresholded: probabilities if there are any."""
    for name in SCORING_METHODS:
        if hasattr(model, name):
            return name
    raise InputError(
        f"`estimator` must have predict_proba or decision_function; "
        f"{type(model).__name__} has neither."
    )


def score_rows(model: Any, X: Any, place: int = 1, method: str | None = None) -> Floats:
    """Scores of a fitted two-class model, higher for the class at this place, 0 or 1."""
    values = np.asarray(getattr(model, method or scoring_method(model))(X), dtype=np.float64)
    if values.ndim == 2:
        return values[:, place]
    return values if place == 1 else 0.0 - values


def is_fitted_already(estimator: Any, cv: Any) -> bool:
    """Whether the model is used as it is: on demand, or because it cannot be fitted again."""
    frozen = isinstance(estimator, FrozenEstimator)
    return frozen or (isinstance(cv, str) and cv == PREFIT)


def _scores_by_fold(
    model: Any,
    X: Any,
    labels: Array,
    folds: list[tuple[Places, Places]],
    fit_params: dict[str, Any],
    score: Callable[[Any, Any], Floats],
) -> Floats:
    """The scores of each row by the model of the one fold that tests it."""
    tested = np.zeros(len(labels), dtype=np.intp)
    for _, test in folds:
        tested[test] += 1
    if (tested != 1).any():
        row = int((tested != 1).argmax())
        raise InputError(
            f"`cv` must test every row once; row {row} is tested {tested[row]} times. "
            "Use k-fold splits, or a fitted estimator and cv='prefit'."
        )
    for fold, (train, _) in enumerate(folds):
        absent = np.setdiff1d(labels, labels[train])
        if len(absent):
            raise InputError(
                f"`cv`: fold {fold} leaves no row of class {listed(absent)} to train on. "
                "Use folds that keep every class, or fewer of them."
            )
    report = reporter(None, "scores of held-out rows")
    found: list[Floats] = []

    def keep_scores(fitted: Any, X_test: Any, _y_test: Any) -> float:
        found.append(score(fitted, X_test))
        report(len(found) / len(folds))
        return 0.0

    # not cross_val_predict: it numbers the labels, and a model may use their names
    # (`class_weight`); one job, so that the scores are kept here and in the order of the folds
    how: dict[str, Any] = {"params": fit_params, "n_jobs": 1, "error_score": "raise"}
    cross_validate(model, X, labels, scoring=keep_scores, cv=folds, **how)
    scores = np.empty((len(labels), *found[0].shape[1:]))
    for (_, test), part in zip(folds, found, strict=True):
        scores[test] = part
    return scores


def _splitter(cv: Any, labels: Array, for_splitter: dict[str, Any], random_state: Any) -> Any:
    """Stratified folds, no more than the rarest class has rows or groups; shuffled if seeded."""
    if not is_whole(cv):
        return check_cv(cv, labels, classifier=True)
    classes, counts = np.unique(labels, return_counts=True)
    if "groups" in for_splitter:
        groups = np.unique(np.asarray(for_splitter["groups"]), return_inverse=True)[1]
        counts = np.array([len(np.unique(groups[labels == label])) for label in classes])
    fewest, rarest = int(counts.min()), listed(classes[[int(counts.argmin())]])
    if "groups" in for_splitter:
        if fewest < 2:
            raise InputError(
                f"`groups`: all rows of class {rarest} are in one group, which cannot be both "
                "trained on and held out. Pass more groups, or a fitted estimator and cv='prefit'."
            )
        return StratifiedGroupKFold(min(cv, fewest))
    if fewest < 2:
        raise InputError(
            f"class {rarest} has 1 row: it cannot be both trained on and held out. Pass more "
            "rows, or a fitted estimator and cv='prefit'."
        )
    state = None if random_state is None else check_random_state(random_state)
    return StratifiedKFold(min(cv, fewest), shuffle=state is not None, random_state=state)


def _check_fitted_for(estimator: Any, classes: Array) -> None:
    """A fitted model must have the classes of the labels."""
    check_is_fitted(estimator)
    known = list(estimator.classes_)
    if known != list(classes):
        raise InputError(
            f"`estimator` was fitted for the classes {listed(known)}, but y has {listed(classes)}."
        )
