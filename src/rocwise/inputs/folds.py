"""Cross-validation at the front desk: scores and folds as scikit-learn hands them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, count_of, listed
from rocwise.inputs.vectors import Vector, as_vector

NEEDED_KEYS = {"estimator": "return_estimator=True", "indices": "return_indices=True"}


@dataclass(frozen=True, slots=True)
class _Tested:
    """Per repeat of cross-validation: the score and the fold of every row."""

    scores: list[Any]
    folds: list[Any]


def _score_name(repeat: int, tested: _Tested) -> str:
    return "y_score" if len(tested.scores) == 1 else f"y_score[:, {repeat}]"


def _fold_name(repeat: int, tested: _Tested) -> str:
    return "folds" if len(tested.folds) == 1 else f"folds[:, {repeat}]"


def _named(tested: _Tested) -> dict[str, Vector]:
    named = {}
    for repeat, (scores, folds) in enumerate(zip(tested.scores, tested.folds, strict=True)):
        for name, values in (
            (_score_name(repeat, tested), scores),
            (_fold_name(repeat, tested), folds),
        ):
            named[name] = as_vector(values, name)
    return named


def _from_arrays(y_score: Any, folds: Any, n_rows: int) -> _Tested:
    """Scores with the fold of each row, or with splits, in one or several columns."""
    if folds is None:
        raise InputError(
            "`folds` is missing: pass the fold of each row, or the splits of cv.split(X, y)."
        )
    scores = _as_columns(y_score)
    splits = _as_splits(folds)
    columns = _as_columns(folds) if splits is None else _repeats_of(splits, n_rows)
    if len(columns) != len(scores):
        raise InputError(
            f"`folds` describes {count_of(len(columns), 'repeat')} of cross-validation, but "
            f"`y_score` has scores of {len(scores)}. Pass one column of scores per repeat; of "
            "predicted probabilities of two classes pass y_score[:, 1]."
        )
    return _Tested(scores, columns)


def _as_columns(values: Any) -> list[Any]:
    """One entry per repeat: the columns of a two-dimensional array, else the values themselves."""
    if getattr(values, "ndim", 1) == 2:
        table = np.asarray(values)
        return [table[:, repeat] for repeat in range(table.shape[1])]
    return [values]


def _as_splits(folds: Any) -> list[Places] | None:
    """The test rows of each split; None if `folds` are not splits but folds of rows."""
    if hasattr(folds, "ndim") or hasattr(folds, "dtype") or not isinstance(folds, Iterable):
        return None
    items = list(folds)
    pairs = [item for item in items if isinstance(item, tuple) and len(item) == 2]
    if not items or len(pairs) != len(items):
        return None
    return [np.asarray(test, dtype=np.intp) for _, test in pairs]


def _repeats_of(tests: Sequence[Places], n_rows: int) -> list[Places]:
    """The fold of each row, once per repeat: consecutive splits that test every row once."""
    repeats, codes, n_folds = [], np.full(n_rows, -1, dtype=np.intp), 0
    for split, rows in enumerate(tests):
        if len(rows) == 0 or rows.min() < 0 or rows.max() >= n_rows:
            raise InputError(
                f"`folds`: split {split} must test rows between 0 and {n_rows - 1}; "
                f"got {listed(rows)}."
            )
        again = rows[codes[rows] >= 0]
        if len(again):
            raise InputError(
                f"`folds`: split {split} tests row {again[0]} a second time before every row was "
                f"tested once. {_RANDOM_SPLITS}"
            )
        codes[rows] = n_folds
        n_folds += 1
        if (codes >= 0).all():
            repeats.append(codes)
            codes, n_folds = np.full(n_rows, -1, dtype=np.intp), 0
    if n_folds:
        absent = int((codes < 0).argmax())
        raise InputError(f"`folds` never tests row {absent}. {_RANDOM_SPLITS}")
    return repeats


_RANDOM_SPLITS = (
    "For random or growing splits use cv_interval(values, corrected=True, test_fraction=...)."
)


def _from_results(
    results: Mapping[str, Any], X: Any, labels: Vector, folds: Any, pos_label: Any, direction: str
) -> _Tested:
    """Scores of the models that `cross_validate` kept, on the rows they were not trained on."""
    for key, option in NEEDED_KEYS.items():
        if key not in results:
            raise InputError(
                f"`y_score` is a dict without {key!r}; call cross_validate with {option}. For its "
                "test scores alone use cv_interval(results['test_score'], corrected=True, "
                "test_fraction=...)."
            )
    if X is None:
        raise InputError("`X` is needed to score the models in `y_score`: pass the same features.")
    if folds is not None or direction != "higher":
        given = "folds" if folds is not None else "direction"
        raise InputError(f"`{given}` does not go with the dict from cross_validate: leave it out.")
    tests = [np.asarray(rows, dtype=np.intp) for rows in results["indices"]["test"]]
    columns = _repeats_of(tests, len(labels))
    models = iter(zip(results["estimator"], tests, strict=True))
    scores = []
    for codes in columns:
        column = np.empty(len(labels))
        for _ in range(int(codes.max()) + 1):
            model, rows = next(models)
            column[rows] = _scored(model, X, rows, pos_label)
        scores.append(column)
    return _Tested(scores, columns)


def _scored(model: Any, X: Any, rows: Places, pos_label: Any) -> Floats:
    """Scores of some rows, higher for the positive class; as scikit-learn's "roc_auc" has them."""
    from sklearn.utils import _safe_indexing

    positive = 1 if pos_label is None else pos_label
    classes = list(model.classes_)
    if positive not in classes or len(classes) != 2:
        raise InputError(
            f"`y_score`: a model knows the classes {listed(classes)}, which are not two with the "
            f"positive one {positive!r}. Pass pos_label=."
        )
    place, part = classes.index(positive), _safe_indexing(X, rows)
    if hasattr(model, "decision_function"):
        scores = np.asarray(model.decision_function(part), dtype=np.float64)
        return scores if place == 1 else -scores
    return np.asarray(model.predict_proba(part)[:, place], dtype=np.float64)
