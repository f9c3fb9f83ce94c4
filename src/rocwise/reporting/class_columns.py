"""Which column of scores belongs to which class of which model, told by their names."""

from __future__ import annotations

from collections.abc import Sequence

BETWEEN = " _.:-/|()[]"


def columns_by_model(
    columns: Sequence[str], classes: Sequence[str]
) -> dict[str, dict[str, str]] | None:
    """`{model: {class: column}}`; None unless every model has one column for each class.

    A column is called as its class is, with or without the model's name before or after it.

    Examples
    --------
    >>> columns_by_model(["a_low", "a_high", "b_low", "b_high"], ["low", "high"])
    {'a': {'low': 'a_low', 'high': 'a_high'}, 'b': {'low': 'b_low', 'high': 'b_high'}}
    >>> columns_by_model(["low", "high"], ["low", "high"])
    {'model': {'low': 'low', 'high': 'high'}}
    """
    found: dict[str, dict[str, str]] = {}
    for column in columns:
        parts = _parts(column, classes)
        if parts is None:
            return None
        model, label = parts
        if label in found.setdefault(model, {}):
            return None
        found[model][label] = column
    if not found or any(len(own) != len(classes) for own in found.values()):
        return None
    return {model: {label: own[label] for label in classes} for model, own in found.items()}


def _parts(column: str, classes: Sequence[str]) -> tuple[str, str] | None:
    """The model and the class in a column's name; the longest class that fits is meant."""
    for label in sorted(classes, key=len, reverse=True):
        if column == label:
            return "model", label
        if column.endswith(label):
            return column.removesuffix(label).strip(BETWEEN) or "model", label
        if column.startswith(label) and column[len(label)] in BETWEEN:
            return column.removeprefix(label).strip(BETWEEN) or "model", label
    return None
