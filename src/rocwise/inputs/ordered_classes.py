"""Labels in an order, with the scores of one or more models on the same rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Array, Codes
from rocwise.data.rankings import Ranking
from rocwise.data.tally import ScoreColumn
from rocwise.errors import InputError, count_of, listed, shown
from rocwise.inputs.rows import DIRECTIONS, clean_columns
from rocwise.inputs.scores import owned, score_column
from rocwise.inputs.vectors import Vector, as_vector, series_by_name
from rocwise.results import Origin

MOST_CLASSES = 256
MOST_DECIMALS = 300


def rankings(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    arguments: Mapping[str, str] | None = None,
    order: Sequence[Any] | None = None,
    any_order: bool = False,
    decimals: int | None = None,
    direction: str = "higher",
    sample_weight: Any = None,
    groups: Any = None,
    missing: str = "raise",
) -> dict[str, Ranking]:
    """One ranking for each of several scores, on the same rows for all.

    `arguments` are the names of the scores in errors, by default ``scores['name']``.

    Numbers are ordered as they sort; text as `order` lists it from the lowest, or as the alphabet
    has it where `any_order` will do. An ordered categorical brings its own order. `decimals`
    rounds the scores before they are compared. Rows of weight 0 are none.
    """
    checks.one_of(direction, "direction", DIRECTIONS)
    arguments = arguments or {name: f"scores[{name!r}]" for name in scores}
    columns = {"y_true": _column(y_true, "y_true")}
    for name, values in scores.items():
        columns[arguments[name]] = _column(values, arguments[name])
    more = {"sample_weight": sample_weight, "groups": groups}
    columns |= {name: _column(given, name) for name, given in more.items() if given is not None}
    columns, weights, clusters, origin = clean_columns(columns, missing)
    codes, labels = _class_codes(columns["y_true"], order, any_order)
    shared = replace(origin, direction=direction)
    found = {}
    for name in scores:
        own = Origin(frame=origin.frame, n_dropped=origin.n_dropped, name=name)
        argument = arguments[name]
        column = score_column(columns[argument], argument, direction=direction, origin=own)
        column = owned(column, columns[argument])
        _check_finite(column.oriented, columns[argument], argument)
        column = column if decimals is None else _rounded(column, decimals)
        found[name] = Ranking(codes, column, labels, shared, weights=weights, clusters=clusters)
    return found


def scores_by_name(scores: Any) -> dict[str, Any]:
    """The scores of several models by name, from a dict or a data frame."""
    if hasattr(scores, "columns") and not isinstance(scores, Mapping):
        scores = series_by_name(scores, "scores")
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise InputError(
            "`scores` must be a dict of name to scores, or a frame, with at least two models; "
            f"got {shown(scores, 60)}."
        )
    return {str(name): values for name, values in scores.items()}


def _column(data: Any, argument: str) -> Vector:
    shape = getattr(data, "shape", None)
    empty = data in ([], ()) if isinstance(data, (list, tuple)) else shape == (0,)
    if empty:
        raise InputError(f"`{argument}` is empty; at least two classes with rows are needed.")
    return as_vector(data, argument)


def _check_finite(scores: Array, column: Vector, argument: str) -> None:
    finite = np.isfinite(scores)
    if not finite.all():
        place = int(finite.argmin())
        raise InputError(
            f"`{argument}` has {count_of(int((~finite).sum()), 'infinite value')} (first at row "
            f"{column.row(place)}); scores of ordered classes must be finite."
        )


def _rounded(column: ScoreColumn, decimals: int) -> ScoreColumn:
    places = checks.whole(decimals, "decimals", at_least=0, at_most=MOST_DECIMALS)
    if column.meanings is not None:
        raise InputError("`decimals` has no meaning for scores too long for floating point.")
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.round(column.oriented, places)
    if not np.isfinite(rounded).all():
        raise InputError(
            f"`decimals` {places} is too many for scores of this size, which have fewer digits "
            "after the point; leave it out."
        )
    return ScoreColumn(rounded, None, column.origin)


def _class_codes(
    labels: Vector, order: Sequence[Any] | None, any_order: bool
) -> tuple[Codes, tuple[Any, ...]]:
    """The class of each row as a number from 0, and the labels from the lowest."""
    if order is not None:
        return _declared(labels.named, _listed_order(order), labels)
    if labels.categories:
        return _categorical(labels)
    if labels.values.dtype.kind not in "biufmM" and not any_order:
        _raise_unknown_order(labels)
    found = _small_integers(labels.values)
    if found is None:
        found = _sorted_labels(labels.values)
    codes, names = found
    if len(names) < 2:
        raise InputError(
            f"`y_true` must contain at least two classes; all {len(codes):,} labels are "
            f"{listed(names)}."
        )
    return codes, names


def _raise_unknown_order(labels: Vector) -> None:
    """The alphabet is no order of classes."""
    kinds = sorted({str(value) for value in labels.values[:10_000].tolist()})
    other = ", or an ordered categorical" if labels.file is None else ""
    raise InputError(
        f"`y_true` contains {listed(kinds)}, which have no order. Pass order=[...], the "
        f"labels from the lowest to the highest{other}."
    )


def _listed_order(order: Any) -> list[Any]:
    if isinstance(order, (set, frozenset)):
        raise InputError(f"`order` must be a list of labels; a set has no order: {shown(order)}.")
    labels = checks.members(order, "order", "labels, lowest first")
    for label in labels:
        if isinstance(label, (list, tuple, dict, set)) or getattr(label, "ndim", 0) != 0:
            raise InputError(
                f"`order` must contain labels, lowest first; got {shown(label)} in it."
            )
    return labels


def _small_integers(values: Array) -> tuple[Codes, tuple[Any, ...]] | None:
    """Whole numbers that lie close together, without a sort; None for anything else."""
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
    if values.dtype.kind not in "iu":
        return None
    low, high = int(values.min()), int(values.max())
    if high - low >= MOST_CLASSES:
        return None
    codes = np.empty(len(values), np.uint8)
    np.subtract(values, values.dtype.type(low), out=codes, casting="unsafe")
    present = np.bincount(codes, minlength=high - low + 1) > 0
    if not present.all():
        codes = (np.cumsum(present) - 1).astype(np.uint8)[codes]
    return codes, tuple(int(place) + low for place in np.flatnonzero(present))


def _sorted_labels(values: Array) -> tuple[Codes, tuple[Any, ...]]:
    try:
        distinct, codes = kernels.distinct(values)
    except TypeError:
        raise InputError(
            "`y_true` contains labels of different kinds, which have no common order. "
            "Pass order=[...], the labels from the lowest to the highest."
        ) from None
    if len(distinct) > MOST_CLASSES:
        raise InputError(
            f"`y_true` contains {len(distinct):,} distinct labels; at most {MOST_CLASSES} ordered "
            "classes are supported. For a numeric target use a regression measure such as rec."
        )
    return codes.astype(np.uint8), tuple(distinct.tolist())


def _categorical(labels: Vector) -> tuple[Codes, tuple[Any, ...]]:
    if len(labels.categories) > MOST_CLASSES:
        raise InputError(f"`y_true` has more than {MOST_CLASSES} categories.")
    counts = np.bincount(labels.values, minlength=len(labels.categories))
    _check_all_present(labels.categories, counts, "`y_true` declares")
    return labels.values.astype(np.uint8), tuple(labels.categories)


def _declared(values: Array, order: list[Any], labels: Vector) -> tuple[Codes, tuple[Any, ...]]:
    if not 2 <= len(order) <= MOST_CLASSES or len(set(map(repr, order))) < len(order):
        raise InputError(
            f"`order` must list 2 to {MOST_CLASSES} different labels, lowest first; "
            f"got {listed(order)}."
        )
    codes = np.full(len(values), -1, np.int64)
    for code, label in enumerate(order):
        codes[np.asarray(values == label)] = code
    if (codes < 0).any():
        place = int((codes < 0).argmax())
        raise InputError(
            f"`y_true` has {listed(values[place : place + 1])} (row {labels.row(place)}), which "
            f"is not among `order`: {listed(order)}."
        )
    _check_all_present(tuple(order), np.bincount(codes, minlength=len(order)), "`order` names")
    return codes.astype(np.uint8), tuple(order)


def _check_all_present(labels: tuple[Any, ...], counts: Array, what: str) -> None:
    absent = [label for label, count in zip(labels, counts.tolist(), strict=True) if not count]
    if absent:
        raise InputError(
            f"{what} {listed(absent)}, of which there is no row; every class needs an example. "
            "Leave the empty classes out if they are not meant."
        )
