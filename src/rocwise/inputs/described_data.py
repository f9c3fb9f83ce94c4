"""What may be said about data beside the data itself, and how it is read.

The option types are listed once here and shown by `help`; `coercion` and `several_answers` read
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from rocwise.errors import InputError
from rocwise.inputs.clean_rows import Direction, Missing

DEFAULTS = {"direction": "higher", "missing": "raise"}  # of the options below; of the others None


class RowOptions(TypedDict, total=False):
    """What may be said about rows, a frame or a file. Nothing of it goes with a tally or pairs."""

    y_true: Any
    label: str
    pos_label: Any
    sample_weight: Any
    direction: Direction
    missing: Missing


class TallyOptions(RowOptions, total=False):
    """For questions about one model."""

    score: str
    resolution: int | None
    by: Any


class PairOptions(RowOptions, total=False):
    """For questions about several models on the same rows."""

    groups: Any


class ComparisonOptions(PairOptions, total=False):
    """For comparisons, whose second argument may be another sample instead of scores."""

    scores: Any


ABOUT_ROWS = frozenset({*TallyOptions.__annotations__, *RowOptions.__annotations__})
NO_CLUSTERS = ("groups", None)


def of_frame(question: str, data: Any, y_score: Any, options: Mapping[str, Any]) -> bool:
    """Whether columns are named, so that a frame or file must have come; else y_true, y_score."""
    named = {"label", "score"} & options.keys()
    if named and (y_score is not None or len(named) < 2):
        raise InputError(
            f"`{question}` of a frame or file needs both `label` and `score`, the names of the "
            "two columns, and no `y_score`."
        )
    if data is None or (y_score is None and not named):
        raise InputError(
            f"`{question}` needs a tally, or y_true and y_score, or a frame or path with label= "
            "and score=."
        )
    return bool(named)


def said(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that say something, as a dict of our own; None is the default of most."""
    return {name: value for name, value in given.items() if value is not None or name in DEFAULTS}


def first_given(question: str, data: Any, options: dict[str, Any]) -> Any:
    """What came in the first place, or under the name `y_true`."""
    if "y_true" not in options:
        return data
    if data is not None:
        raise InputError(
            f"`{question}` was given `y_true` twice: by place and by name. The order is "
            "y_true, y_score."
        )
    return options.pop("y_true")


def refuse_beside(
    question: str, what: str, maker: str, second: Any, options: Mapping[str, Any]
) -> None:
    """Refuse data or options beside a form that needs none."""
    if second is not None:
        raise InputError(f"`{question}` takes {what} and nothing beside it.")
    for name in options:
        raise InputError(
            f"`{name}` describes rows; it does not go with {what}. Give it to `{maker}`."
        )


def refuse_bins(resolution: int | None, beside: str = "`groups`") -> None:
    """Refuse bins where every row counts for itself."""
    if resolution is not None:
        raise InputError(f"`resolution` does not go with {beside}, which need every row.")
