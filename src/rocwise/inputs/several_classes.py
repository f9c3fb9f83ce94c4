"""Rows of several classes: labels 0..m-1 and a table with one score per class."""

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.data.class_rows import ClassRows, check_confidences
from rocwise.data.tally import float_scores
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.labels import class_codes, named_classes
from rocwise.inputs.rows import clean_columns
from rocwise.inputs.scores import EXACT_NUMBERS
from rocwise.inputs.vectors import Vector, as_vector, columns_by_name


def class_rows(
    y_true: Any,
    y_score: Any,
    *,
    classes: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    missing: str = "raise",
    nonnegative: bool = False,
    argument: str = "y_score",
) -> ClassRows:
    """Labels and scores of several classes, checked.

    Labels are the column numbers of `y_score`, the names of its columns, or `classes`, which name
    the columns in their order, or choose some of a frame. `nonnegative` scores must be finite and
    at least 0, as probabilities are; otherwise infinities rank like any other value.
    """
    columns = {"y_true": _filled(y_true, "y_true")}
    tables, names = _score_columns(y_score, argument)
    tables, names, labeled = named_classes(tables, names, classes, argument)
    called = [f"{argument}[:, {k}]" for k in range(len(tables))]
    columns |= {name: _filled(values, name) for values, name in zip(tables, called, strict=True)}
    more = {"sample_weight": sample_weight, "groups": groups}
    columns |= {name: _filled(given, name) for name, given in more.items() if given is not None}
    columns, weights, clusters, origin = clean_columns(columns, missing, weightless=True)
    labels = columns["y_true"]
    scores = np.column_stack([_numbers(columns[name], name) for name in called])
    if nonnegative:
        check_confidences(scores, argument, labels.row_numbers)
    codes, labeled = class_codes(labels, len(called), names, labeled, argument)
    return ClassRows(
        labels=codes,
        scores=scores,
        weights=weights,
        names=names,
        classes=labeled,
        rows=labels.rows,
        clusters=clusters,
        origin=origin,
    )


def model_rows(
    y_true: Any,
    scores: Any,
    *,
    classes: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    missing: str = "raise",
) -> dict[str, ClassRows]:
    """Labels with the tables of scores of several models, on the same rows for all of them."""
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise InputError(
            "`scores` must be a dict of name to a table of scores, with at least two models; "
            f"got {_models_in_words(scores)}."
        )
    found: dict[str, ClassRows] = {}
    for name, table in scores.items():
        rows = class_rows(
            y_true,
            table,
            classes=classes,
            sample_weight=sample_weight,
            groups=groups,
            missing=missing,
            argument=f"scores[{name!r}]",
        )
        found[str(name)] = rows
        if classes is None and rows.classes:  # named by a frame: the same for the other models
            classes = rows.classes
    widths = {name: rows.n_classes for name, rows in found.items()}
    if len(set(widths.values())) > 1:
        raise InputError(
            "`scores` must have the same classes for every model; the numbers of columns are "
            f"{listed(widths.values())}."
        )
    return _complete_everywhere(found)


def _models_in_words(scores: Any) -> str:
    """What came in place of a dict of models."""
    if isinstance(scores, Mapping):
        return "only " + listed(scores) if scores else "an empty dict"
    return type(scores).__name__


def _complete_everywhere(models: dict[str, ClassRows]) -> dict[str, ClassRows]:
    """Only the rows that no model misses, after rows with missing values were left out."""
    if all(rows.rows is None for rows in models.values()):
        return models
    n_all = max(len(rows.labels) + rows.origin.n_dropped for rows in models.values())
    numbers = [np.arange(n_all) if rows.rows is None else rows.rows for rows in models.values()]
    common = functools.reduce(np.intersect1d, numbers)
    if not len(common):
        raise InputError("every row has a missing value; nothing is left to analyze.")
    result = {}
    for (name, rows), own in zip(models.items(), numbers, strict=True):
        kept = np.isin(own, common)
        result[name] = replace(
            rows,
            labels=rows.labels[kept],
            scores=rows.scores[kept],
            weights=None if rows.weights is None else rows.weights[kept],
            clusters=None if rows.clusters is None else rows.clusters[kept],
            rows=common,
            origin=replace(rows.origin, n_dropped=n_all - len(common)),
        )
    return result


def _filled(values: Any, argument: str) -> Vector:
    """A column with at least one row."""
    if hasattr(values, "__len__") and getattr(values, "ndim", 1) > 0 and len(values) == 0:
        raise InputError(f"`{argument}` is empty; at least one row is needed.")
    return as_vector(values, argument)


def _score_columns(y_score: Any, argument: str) -> tuple[list[Any], tuple[str, ...]]:
    """The columns of the table of scores, and their names if it has any."""
    if y_score is None or isinstance(y_score, (str, bytes)):
        raise InputError(
            f"`{argument}` must be a table with one column per class; got {shown(y_score, 60)}."
        )
    must_be = "two-dimensional, with one column per class"
    columns = columns_by_name(y_score, argument, must_be, str)
    is_named = isinstance(y_score, Mapping) or hasattr(y_score, "columns")
    if not is_named and not any(map(len, columns.values())):
        raise InputError(f"`{argument}` is empty; at least one row is needed.")
    if len(columns) < 2:
        raise InputError(
            f"`{argument}` must have at least two columns, one per class; got {len(columns)}."
        )
    return list(columns.values()), tuple(columns) if is_named else ()


def _numbers(column: Vector, argument: str) -> Floats:
    values = column.values
    exact = values.dtype.kind == "O" and all(isinstance(v, EXACT_NUMBERS) for v in values)
    if column.categories or not (exact or values.dtype.kind in "biuf"):
        shown = column.categories[:1] if column.categories else values[:1]
        raise InputError(
            f"`{argument}` must contain numbers; got {listed(shown)} at row {column.row(0)}."
        )
    return float_scores(values, argument)
