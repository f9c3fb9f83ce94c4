"""The labels of a two-class problem, checked once: any two values, one of them positive."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, column_or_1d

from rocwise.arrays import Array, Flags, Floats
from rocwise.errors import InputError, listed, shown
from rocwise.estimators.base.rows import row_weights


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

    def fewest(self) -> int:
        """Rows of the rarer class."""
        n_positive = int(self.positive.sum())
        return min(n_positive, len(self.positive) - n_positive)

    def rarer(self) -> str:
        """The label of the rarer class, as written in a sentence."""
        first_is_rarer = 2 * int((self.given == self.classes[0]).sum()) < len(self.given)
        return listed([self.classes[0 if first_is_rarer else 1]])


def two_classes(y: Any, estimator: Any, *, pos_label: Any, alike: bool) -> TwoClasses:
    """Check that `y` has two classes, and find the positive one.

    0/1, -1/1 and booleans say which it is; other labels need `pos_label`, unless the classes are
    treated `alike`, so that it makes no difference: then it is the second in sorted order.
    """
    name = type(estimator).__name__
    if y is None:
        raise InputError(f"{name} requires y to be passed, but the target y is None.")
    check_array(y, ensure_2d=False, dtype=None, input_name="y")  # refuses nan and infinities
    kind = type_of_target(y, input_name="y", raise_unknown=True)
    if kind == "multiclass":
        raise InputError(
            f"Only binary classification is supported. The type of the target is {kind}: "
            f"y has the classes {listed(np.unique(np.asarray(y)))}."
        )
    check_classification_targets(y)
    labels = column_or_1d(y, warn=True)
    classes = np.unique(labels)
    if len(classes) != 2:
        raise InputError(f"{name} needs two classes in y; got one class only: {listed(classes)}.")
    return TwoClasses(labels, classes, _positive_place(classes, pos_label, alike))


def _positive_place(classes: Array, pos_label: Any, alike: bool) -> int:
    if pos_label is None:
        usual = classes.dtype.kind in "biuf" and tuple(classes.tolist()) in ((0, 1), (-1, 1))
        if usual or alike:
            return 1
        raise InputError(
            f"`y` holds {listed(classes)}, which does not say which class is positive, and the "
            f"two are not treated alike. Pass pos_label={listed(classes[1:])} (or the other)."
        )
    single = isinstance(pos_label, (str, bytes, int, float, np.generic)) and pos_label == pos_label
    if not single:
        raise InputError(f"`pos_label` must be one label; got {shown(pos_label, 60)}.")
    found = [place for place, label in enumerate(classes.tolist()) if label == pos_label]
    if not found:
        raise InputError(
            f"`pos_label` {shown(pos_label)} does not occur in `y`, which holds {listed(classes)}."
        )
    return found[0]


def checked_weights(sample_weight: Any, labels: TwoClasses, model: Any, role: str) -> Floats:
    """Weights that the model (if it is to be fitted) takes, with some on both classes."""
    if model is not None and not takes_weights(model):
        raise InputError(
            f"`sample_weight` is not taken by the {role} {type(model).__name__}; use a model whose "
            "fit takes weights."
        )
    weights = row_weights(sample_weight, len(labels.given))
    for label in labels.classes:
        if not weights[labels.given == label].any():
            raise InputError(f"`sample_weight` is 0 for every row of the class {listed([label])}.")
    return weights


def takes_weights(model: Any) -> bool:
    """Whether `fit` has the argument, or takes any argument and passes it on."""
    taken = inspect.signature(model.fit).parameters.values()
    return any(each.name == "sample_weight" or each.kind is each.VAR_KEYWORD for each in taken)


def with_reject_label(labels: Array, rejected: Flags, reject_label: Any) -> Array:
    """Labels in which some rows say `reject_label`, of a type that holds both kinds of label."""
    if not rejected.any():
        return labels
    mark = np.asarray(reject_label)
    same_kind = mark.ndim == 0 and (labels.dtype.kind == mark.dtype.kind or _numbers(labels, mark))
    common = np.result_type(labels, mark) if same_kind else np.dtype(object)
    marked = labels.astype(common)
    marked[rejected] = reject_label
    return marked


def _numbers(labels: Array, mark: Array) -> bool:
    """Whether both are numbers; a boolean is none, since it would swallow the mark."""
    return labels.dtype.kind in "iuf" and mark.dtype.kind in "iuf"
