"""Rows of several classes: labels 0..m-1 and a table with one score per class."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.data.class_rows import ClassRows, check_confidences
from rocwise.data.tally import float_scores, numbered
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.labels import class_codes, named_classes
from rocwise.inputs.rows import numbers_of_weights, without_missing
from rocwise.inputs.scores import EXACT_NUMBERS
from rocwise.inputs.vectors import Vector, as_vector, host_array, series_by_name
from rocwise.results import Origin


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
    tables, names, labelled = named_classes(tables, names, classes, argument)
    called = [f"{argument}[:, {k}]" for k in range(len(tables))]
    asked = list(zip(tables, called, strict=True))
    columns |= {name: _filled(values, name) for values, name in asked}
    if sample_weight is not None:
        columns["sample_weight"] = _filled(sample_weight, "sample_weight")
    if groups is not None:
        columns["groups"] = _filled(groups, "groups")
    columns, n_dropped = without_missing(columns, missing)
    labels = columns["y_true"]
    scores = _table_of([(columns[name], name) for name in called])
    if nonnegative:
        check_confidences(scores, argument, labels.rows)
    weights = (
        numbers_of_weights(columns["sample_weight"], "sample_weight")
        if sample_weight is not None
        else None
    )
    clusters = None if groups is None else numbered(columns["groups"].values)
    frame = next((column.frame for column in columns.values() if column.frame), None)
    codes, labelled = class_codes(labels, len(called), names, labelled, argument)
    return ClassRows(
        labels=codes,
        scores=scores,
        weights=weights,
        names=names,
        classes=labelled,
        rows=labels.rows,
        clusters=clusters,
        origin=Origin(
            frame=frame,
            n_dropped=n_dropped,
            n_rows=None if weights is None else int(np.count_nonzero(weights)),
            n_clusters=None if clusters is None else int(clusters.max()) + 1,
        ),
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
        raise InputError("every row has a missing value; nothing is left to analyse.")
    answer = {}
    for (name, rows), own in zip(models.items(), numbers, strict=True):
        kept = np.isin(own, common)
        answer[name] = replace(
            rows,
            labels=rows.labels[kept],
            scores=rows.scores[kept],
            weights=None if rows.weights is None else rows.weights[kept],
            clusters=None if rows.clusters is None else rows.clusters[kept],
            rows=common,
            origin=replace(rows.origin, n_dropped=n_all - len(common)),
        )
    return answer


def _filled(values: Any, argument: str) -> Vector:
    """A column with at least one row."""
    if hasattr(values, "__len__") and getattr(values, "ndim", 1) > 0 and len(values) == 0:
        raise InputError(f"`{argument}` is empty; at least one row is needed.")
    return as_vector(values, argument)


def _score_columns(y_score: Any, argument: str) -> tuple[list[Any], tuple[str, ...]]:
    """The columns of the table of scores, and their names if it has any."""
    if hasattr(y_score, "columns") and not isinstance(y_score, Mapping):
        y_score = series_by_name(y_score, argument)
    if isinstance(y_score, Mapping):
        columns, names = list(y_score.values()), tuple(str(name) for name in y_score)
    else:
        if y_score is None or isinstance(y_score, (str, bytes)):
            raise InputError(
                f"`{argument}` must be a table with one column per class; got {shown(y_score, 60)}."
            )
        table = host_array(y_score, argument)
        if table.ndim != 2:
            raise InputError(
                f"`{argument}` must be two-dimensional, with one column per class; got an array of "
                f"shape {table.shape}."
            )
        if not len(table):
            raise InputError(f"`{argument}` is empty; at least one row is needed.")
        columns, names = [table[:, k] for k in range(table.shape[1])], ()
    if len(columns) < 2:
        raise InputError(
            f"`{argument}` must have at least two columns, one per class; got {len(columns)}."
        )
    return columns, names


def _table_of(columns: list[tuple[Vector, str]]) -> Floats:
    """The numbers of the columns as one table."""
    return np.column_stack([_numbers(*column) for column in columns])


def _numbers(column: Vector, argument: str) -> Floats:
    values = column.values
    exact = values.dtype.kind == "O" and all(isinstance(v, EXACT_NUMBERS) for v in values)
    if column.categories or not (exact or values.dtype.kind in "biuf"):
        shown = column.categories[:1] if column.categories else values[:1]
        raise InputError(
            f"`{argument}` must hold numbers; got {listed(shown)} at row {column.row(0)}."
        )
    return float_scores(values, argument)
