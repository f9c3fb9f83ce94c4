"""Checks of the parameters that estimators hand on to scikit-learn, in our own words."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise import checks
from rocwise.errors import InputError, shown

LARGEST_SEED = 2**32 - 1


def checked_state(random_state: Any) -> Any:
    """None, a seed or a RandomState, as scikit-learn takes them."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return random_state
    whole = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool)
    if whole and 0 <= int(random_state) <= LARGEST_SEED:
        return int(random_state)
    raise InputError(
        f"`random_state` must be None, a seed from 0 to {LARGEST_SEED} or a RandomState; got "
        f"{shown(random_state)}."
    )


def checked_model(model: Any, argument: str) -> Any:
    """An object that can be fitted; a class is not one yet."""
    if isinstance(model, type) or not hasattr(model, "fit"):
        raise InputError(
            f"`{argument}` must be an estimator, an object with `fit`; got {shown(model, 60)}."
        )
    return model


def checked_folds(cv: Any) -> Any:
    """A number of folds, a splitter, a list of splits or "prefit"."""
    if isinstance(cv, str):
        if cv != "prefit":
            raise InputError(
                f"`cv` must be a number of folds, splits or 'prefit'; got {shown(cv)}."
            )
        return cv
    if cv is None or (hasattr(cv, "split") and not isinstance(cv, (bytes, type))):
        return cv
    if isinstance(cv, (list, tuple)) or hasattr(cv, "__next__"):
        return _checked_splits(list(cv))
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        return checks.whole(cv, "cv", at_least=2, at_most=2**31)
    raise InputError(f"`cv` must be a number of folds, splits or 'prefit'; got {shown(cv, 60)}.")


def _checked_splits(splits: list[Any]) -> list[Any]:
    """Pairs of row numbers to train on and to test."""
    for split in splits:
        if not isinstance(split, (list, tuple)) or len(split) != 2 or _are_no_rows(split):
            raise InputError(
                "`cv` as a list must hold pairs (rows to train on, rows to test); got "
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


def checked_label(label: Any) -> Any:
    """What `predict` says of undecided cases: one label, or None."""
    if label is None:
        return label
    if isinstance(label, (str, bytes, int, float, np.generic)) and not isinstance(label, bool):
        usable = not isinstance(label, int) or abs(label) < 2**63
        if usable and label == label:
            return label
    raise InputError(
        f"`reject_label` must be one number or text, or None; got {shown(label, 60)}. "
        "Choose for example reject_label=-1 or reject_label='?'."
    )
