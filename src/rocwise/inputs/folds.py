"""Scores and folds as scikit-learn hands them out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Floats, Mask, Places
from rocwise.data.pairs import Pairs
from rocwise.errors import InputError, count_of, listed, shown
from rocwise.inputs.coercion import Direction, Missing, PairOptions, as_pairs
from rocwise.inputs.labels import positive_mask
from rocwise.inputs.rows import clean_columns, frame_vectors, without_missing
from rocwise.inputs.scores import score_column
from rocwise.inputs.vectors import Vector, as_vector
from rocwise.results import Origin

ONE_MODEL = ""
KEYS_OF_CROSS_VALIDATE = {"estimator", "indices", "fit_time", "score_time", "test_score"}
NEEDED_KEYS = {"estimator": "return_estimator=True", "indices": "return_indices=True"}
Repeats: TypeAlias = list[tuple[Any, Any]]
"""Per repeat of cross-validation: the score and the fold of every row."""


@dataclass(frozen=True, slots=True)
class OutOfFoldScores:
    """What cross-validation leaves of every row: its class, its scores and its folds."""

    mask: Mask  # 1 for positives, 0 for negatives
    scores: Floats  # of models that did not see the row, one line per repeat; higher means positive
    folds: Places  # counted from 0 within each repeat, one line per repeat
    fold_names: Sequence[Sequence[str]]  # what the folds of each repeat are called, for messages
    origin: Origin  # where the rows came from
    groups: Places | None = None  # group of each row, from 0, or None
    weights: Floats | None = None  # weight of each row, above 0, or None

    def origin_of_rows(self) -> Origin:
        """Where the rows came from, without the name of a model."""
        return replace(self.origin, name=None)


def as_out_of_fold_models(
    y_true: Any,
    y_score: Any,
    folds: Any,
    *,
    X: Any,
    pos_label: Any,
    direction: Direction,
    missing: Missing,
    groups: Any = None,
    sample_weight: Any = None,
) -> dict[str, OutOfFoldScores]:
    """Scores of one model (`ONE_MODEL`) or several with folds, or what `cross_validate` kept."""
    checks.one_of(direction, "direction", get_args(Direction))
    labels = as_vector(y_true, "y_true")
    check_no_splitter(folds)
    if folds is not None and not hasattr(folds, "__len__"):  # maybe a generator of splits
        folds = checks.members(folds, "folds", "folds, one for each row, or of splits")
    columns, names = {"y_true": labels}, {}
    more = {"groups": groups, "sample_weight": sample_weight}
    columns |= {name: as_vector(each, name) for name, each in more.items() if each is not None}
    models = _named_models(y_score)
    if X is not None and not any(isinstance(given, Mapping) for given in models.values()):
        raise InputError(
            f"`X` belongs to the dict of `cross_validate`, but `y_score` contains scores; got X="
            f"{shown(X)}. Leave it out."
        )
    for model, given in models.items():
        if isinstance(given, Mapping):
            repeats = _repeats_of_models(given, X, labels, folds, pos_label, direction)
        else:
            repeats = _repeats_of_arrays(given, folds, len(labels))
        names[model] = _names(len(repeats), model, own_folds=isinstance(given, Mapping))
        for features, called in zip(repeats, names[model], strict=True):
            columns |= {
                name: as_vector(values, name) for values, name in zip(features, called, strict=True)
            }
    columns, weights, clusters, origin = clean_columns(columns, missing)
    mask = positive_mask(columns["y_true"], pos_label, "y_true")
    origin = replace(origin, frame=labels.frame, direction=direction)
    return {
        model: replace(
            _of_model(columns, mask, called, replace(origin, name=model or None)),
            groups=clusters,
            weights=weights,
        )
        for model, called in names.items()
    }


def folded_pairs(
    data: Any, scores: Any, folds: Any, given: Mapping[str, Any]
) -> dict[str, OutOfFoldScores]:
    """The same from pairs, or from columns of a frame or file, one of which may be the folds."""
    check_no_splitter(folds)
    if not isinstance(data, Pairs) and isinstance(folds, str):
        folds = frame_vectors(data, [folds])[folds].values
    pairs = as_pairs("compare", data, scores, cast(PairOptions, dict(given)))
    if pairs.origin.n_dropped:
        raise InputError(
            "`folds` must describe the rows as they are compared, but rows with missing values "
            "were left out; leave them out of scores and folds first."
        )
    splits = _as_splits(folds)
    codes = [_complete(folds)] if splits is None else _folds_of_splits(splits, len(pairs))
    if len(codes) > 1 or codes[0].shape != (len(pairs),):
        raise InputError(
            f"`folds` must name one fold for each of {len(pairs):,} rows; for repeated "
            "cross-validation pass y_true and a dict of scores with one column per repeat."
        )
    models = as_out_of_fold_models(
        pairs.mask,
        {name: pairs.scores(name) for name in pairs.names},
        codes[0],
        X=None,
        pos_label=None,
        direction="higher",  # scores of pairs are oriented
        missing="raise",
        groups=pairs.groups,
        sample_weight=pairs.weights,
    )
    frame, direction = pairs.origin.frame, pairs.origin.direction
    return {
        name: replace(model, origin=replace(model.origin, frame=frame, direction=direction))
        for name, model in models.items()
    }


def _complete(folds: Any) -> Array:
    """The fold of each row, none missing."""
    column = as_vector(folds, "folds")
    without_missing({"folds": column}, "raise")
    return column.values


def _named_models(y_score: Any) -> dict[str, Any]:
    """Several models by name; one model alone is called `ONE_MODEL`."""
    if not isinstance(y_score, Mapping) or KEYS_OF_CROSS_VALIDATE & y_score.keys():
        return {ONE_MODEL: y_score}
    if not y_score:
        raise InputError("`y_score` is an empty dict; at least one model is needed.")
    return {str(name): given for name, given in y_score.items()}


def _of_model(
    columns: Mapping[str, Vector],
    mask: Mask,
    names: list[tuple[str, str]],
    origin: Origin,
) -> OutOfFoldScores:
    """One model from complete columns; `names` are those of its scores and folds."""
    direction = cast(Direction, origin.direction)
    scores, codes, fold_names = [], [], []
    for score, fold in names:
        column = score_column(columns[score], score, direction=direction, origin=origin)
        scores.append(column.oriented.astype(np.float64, copy=False))
        found, code = columns[fold].distinct()
        codes.append(code.astype(np.intp, copy=False))
        fold_names.append([str(name) for name in found])
    return OutOfFoldScores(mask, np.stack(scores), np.stack(codes), fold_names, origin)


def _names(n_repeats: int, model: str, own_folds: bool) -> list[tuple[str, str]]:
    """What the scores and the folds of each repeat are called in errors."""
    own = "y_score" if model == ONE_MODEL else f"y_score[{model!r}]"
    folds = f"folds of {own}" if own_folds else "folds"
    if n_repeats == 1:
        return [(own, folds)]
    return [(f"{own}[:, {repeat}]", f"{folds}[:, {repeat}]") for repeat in range(n_repeats)]


def _repeats_of_arrays(y_score: Any, folds: Any, n_rows: int) -> Repeats:
    """Scores with the fold of each row, or with splits, in one or several columns."""
    single = not isinstance(folds, Iterable) or isinstance(folds, (str, bytes))
    if folds is not None and (single or getattr(folds, "ndim", 1) == 0):
        raise InputError(
            f"`folds` must be the fold of each row, or splits; got {shown(folds, 60)}."
        )
    if folds is None:
        raise InputError(
            "`folds` is missing: pass the fold of each row, or the splits of cv.split(X, y)."
        )
    scores = _as_columns(y_score)
    splits = _as_splits(folds)
    columns = _as_columns(folds) if splits is None else _folds_of_splits(splits, n_rows)
    if len(columns) != len(scores):
        raise InputError(
            f"`folds` describes {count_of(len(columns), 'repeat')} of cross-validation, but "
            f"`y_score` has scores of {len(scores)}. Pass one column of scores per repeat; of "
            "predicted probabilities of two classes pass y_score[:, 1]."
        )
    return list(zip(scores, columns, strict=True))


def _as_columns(values: Any) -> list[Any]:
    """One entry per repeat: the columns of a two-dimensional array, else the values themselves."""
    if getattr(values, "ndim", 1) == 2:
        table = np.asarray(values)
        return [table[:, repeat] for repeat in range(table.shape[1])]
    return [values]


def check_no_splitter(folds: Any) -> None:
    """An error for what makes folds, in place of the folds that made the scores."""
    if isinstance(folds, (int, np.integer)) or hasattr(folds, "get_n_splits"):
        raise InputError(
            f"`folds` must be the folds that made the scores; got {shown(folds)}. Pass "
            "list(cv.split(X, y)), or the fold of each row."
        )


def _as_splits(folds: Any) -> list[Places] | None:
    """The test rows of each split; None if `folds` are not splits but folds of rows."""
    if hasattr(folds, "ndim") or hasattr(folds, "dtype") or not isinstance(folds, Iterable):
        return None
    items = list(folds)
    pairs = [item for item in items if isinstance(item, tuple) and len(item) == 2]
    if not items or len(pairs) != len(items):
        return None
    for split, (train, test) in enumerate(pairs):
        both = np.intersect1d(train, test)
        if len(both):
            raise InputError(
                f"`folds`: split {split} trains on {count_of(len(both), 'row')} that it tests "
                f"(first {both[0]}), so that its scores are not out of fold."
            )
    return [np.asarray(test, dtype=np.intp) for _, test in pairs]


def _folds_of_splits(tests: Sequence[Places], n_rows: int) -> list[Places]:
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
    "For random or growing splits use rw.inference.cv_interval(values, corrected=True, "
    "test_fraction=...)."
)


def _repeats_of_models(
    results: Mapping[str, Any], X: Any, labels: Vector, folds: Any, pos_label: Any, direction: str
) -> Repeats:
    """Scores of the models that `cross_validate` kept, on the rows they were not trained on."""
    for key, option in NEEDED_KEYS.items():
        if key not in results:
            raise InputError(
                f"`y_score` is a dict without {key!r}; call cross_validate with {option}. For its "
                "test scores alone use "
                "rw.inference.cv_interval(results['test_score'], corrected=True, "
                "test_fraction=...)."
            )
    if X is None:
        raise InputError("`X` is needed to score the models in `y_score`: pass the same features.")
    if folds is not None or direction != "higher":
        given = "folds" if folds is not None else "direction"
        raise InputError(f"`{given}` does not go with the dict from cross_validate: leave it out.")
    tests = [np.asarray(rows, dtype=np.intp) for rows in results["indices"]["test"]]
    columns = _folds_of_splits(tests, len(labels))
    models = iter(zip(results["estimator"], tests, strict=True))
    scores = []
    for codes in columns:
        column = np.empty(len(labels))
        for _ in range(int(codes.max()) + 1):
            model, rows = next(models)
            column[rows] = _scored(model, X, rows, pos_label)
        scores.append(column)
    return list(zip(scores, columns, strict=True))


def _scored(model: Any, X: Any, rows: Places, pos_label: Any) -> Floats:
    """Scores of some rows, higher for the positive class; as scikit-learn's "roc_auc" has them."""
    positive = 1 if pos_label is None else pos_label
    classes = list(model.classes_)
    if positive not in classes or len(classes) != 2:
        raise InputError(
            f"`y_score`: a model was fitted for the classes {listed(classes)}, which are not "
            f"two with the positive one {positive!r}. Pass pos_label=."
        )
    place, part = classes.index(positive), rows_of(X, rows)
    if hasattr(model, "decision_function"):
        scores = np.asarray(model.decision_function(part), dtype=np.float64)
        return scores if place == 1 else -scores
    return np.asarray(model.predict_proba(part)[:, place], dtype=np.float64)


def rows_of(X: Any, rows: Places) -> Any:
    """Some rows of features of any type: a frame, an array, a sparse matrix, a list."""
    import narwhals as nw
    from sklearn.utils import indexable

    frame = nw.from_native(X, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(frame, (nw.DataFrame, nw.Series)):
        return frame[rows].to_native()
    (features,) = indexable(X)  # a sparse matrix of any format becomes one that has rows
    return (
        [features[row] for row in rows] if isinstance(features, (list, tuple)) else features[rows]
    )
