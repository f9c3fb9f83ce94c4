"""From whatever a question was given to the form it works on; that form passes straight through.

Public functions begin with one of the `as_...` below. What may be said about rows, a frame or a
file is listed once, in the option types, and shown by `help` through `options_shown`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, ParamSpec, TypedDict, TypeVar, cast

from rocwise.errors import InputError, ScoreRangeError
from rocwise.inputs.clean_rows import Direction as Direction
from rocwise.inputs.clean_rows import Missing as Missing
from rocwise.inputs.ordered_classes import (
    ordered_rows,
    rankings,
    rankings_of,
    scores_by_name,
)
from rocwise.inputs.several_classes import class_rows
from rocwise.inputs.subgroups import grouped_columns
from rocwise.inputs.two_classes import (
    pair,
    pair_frame,
    pairs_of_columns,
    tally,
    tally_frame,
)
from rocwise.inputs.vectors import host_array, series_by_name
from rocwise.primitives.class_rows import ClassRows, refuse_unusable
from rocwise.primitives.pairs import Pairs
from rocwise.primitives.rankings import Ranking
from rocwise.primitives.tallies import Tally
from rocwise.results import GroupAnswers

P = ParamSpec("P")
R = TypeVar("R")
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


def as_tally(question: str, data: Any, y_score: Any, given: TallyOptions) -> Tally:
    """The tally that a question about one model is asked of."""
    if isinstance(data, Tally) and y_score is None and not given:
        return data
    options = _said(given)
    data = _first(question, data, options)
    if isinstance(data, Tally):
        _refuse_beside(question, "a tally", "tally", y_score, options)
        return data
    if isinstance(data, Pairs):
        raise _one_model(question, data)
    if _of_frame(question, data, y_score, options):
        return tally_frame(data, **options)
    return tally(data, y_score, **options)


def as_tally_or_clusters(
    question: str, data: Any, y_score: Any, groups: Any, given: TallyOptions
) -> Tally | Pairs:
    """A tally; with `groups`, the cluster of each row, the rows as pairs of one model."""
    if isinstance(data, Pairs) and y_score is None and groups is None and not given:
        if len(data.names) > 1:
            raise _one_model(question, data)
        return data if data.groups is not None else data.tally(data.names[0])
    if groups is None:
        return as_tally(question, data, y_score, given)
    options = _said(given)
    data = _first(question, data, options)
    if isinstance(data, (Tally, Pairs)):
        raise InputError(
            f"`{question}` with `groups` needs the rows: y_true and y_score, or a frame or path, "
            f"not a {type(data).__name__}."
        )
    _refuse_bins(options.pop("resolution", None))
    if _of_frame(question, data, y_score, options):
        return pair_frame(data, scores=[options.pop("score")], groups=groups, **options)
    return pairs_of_columns(
        data,
        {"score": y_score},
        label="y_true",
        called={"score": "y_score"},
        groups=groups,
        **options,
    )


def as_pairs(
    question: str, data: Any, scores: Any, given: PairOptions | ComparisonOptions
) -> Pairs:
    """The pairs that a question about several models is asked of."""
    if isinstance(data, Pairs) and scores is None and not given:
        return data
    options = _said(given)
    data = _first(question, data, options)
    named = options.pop("scores", None)
    if isinstance(data, Pairs):
        _refuse_beside(question, "pairs", "pair", scores if named is None else named, options)
        return data
    if scores is not None and named is not None:
        raise InputError(f"`{question}` was given `scores` twice: by place and by name.")
    scores = named if scores is None else scores
    if data is None or scores is None or isinstance(data, Tally):
        raise InputError(
            f"`{question}` needs a Pairs, or y_true and a dict of scores, or a frame or path with "
            "label= and scores=."
        )
    if "label" in options:
        return pair_frame(data, scores=scores, **options)
    return pair(data, scores, **options)


def as_pairs_or_samples(
    question: str, data: Any, other: Any, given: ComparisonOptions
) -> tuple[Pairs, None] | tuple[Tally, Tally]:
    """Several models on the same rows, or two tallies: one model each on rows of its own."""
    if isinstance(data, Tally) or isinstance(other, Tally):
        if not (isinstance(data, Tally) and isinstance(other, Tally)):
            raise InputError(f"`{question}` of independent samples needs two tallies.")
        for name in given:
            raise InputError(f"`{name}` describes rows; it does not go with tallies.")
        return data, other
    return as_pairs(question, data, other, given), None


def as_tallies(curves: Any) -> list[Tally]:
    """Several curves: pairs, or a list of tallies and of (y_true, y_score)."""
    if isinstance(curves, Pairs):
        return [curves.tally(name) for name in curves.names]
    if isinstance(curves, (Tally, str)) or not isinstance(curves, Iterable):
        raise InputError(
            f"`curves` must be Pairs, or a list of tallies or of (y_true, y_score); got "
            f"{type(curves).__name__}."
        )
    return [each if isinstance(each, Tally) else _columns_tally(each) for each in curves]


def _columns_tally(each: Any) -> Tally:
    if not isinstance(each, tuple) or len(each) != 2:
        raise InputError(
            "`curves` must hold tallies or pairs (y_true, y_score); "
            f"got {type(each).__name__} in it."
        )
    return tally(*each)


def as_features(X: Any, y: Any, *, pos_label: Any, missing: Missing) -> Pairs:
    """The columns of a table, each a score of its own, beside the labels `y`."""
    columns = _feature_columns(X)
    called = {name: f"X[{name!r}]" for name in columns}
    return pairs_of_columns(
        y, columns, label="y", called=called, pos_label=pos_label, missing=missing
    )


def _feature_columns(X: Any) -> dict[str, Any]:
    """Columns by name: of a dict, of a data frame, or x0, x1, ... of a 2-D array."""
    if hasattr(X, "columns") and not isinstance(X, Mapping):
        X = series_by_name(X, "X")
    if isinstance(X, Mapping):
        columns = {str(name): column for name, column in X.items()}
    else:
        table = host_array(X, "X")
        if table.ndim != 2:
            raise InputError(
                f"`X` must be a table with one column per feature; got the shape {table.shape}."
            )
        columns = {f"x{k}": table[:, k] for k in range(table.shape[1])}
    if not columns:
        raise InputError("`X` is empty; at least one column is needed.")
    return columns


def as_class_rows(
    y_true: Any, y_score: Any, *, sample_weight: Any, missing: Missing, nonnegative: bool
) -> ClassRows:
    """Rows of several classes: labels and one score per class; see `class_rows`."""
    if isinstance(y_true, ClassRows):
        if nonnegative:
            refuse_unusable(y_true.scores, "y_score", y_true.rows)
        return y_true
    return class_rows(
        y_true, y_score, sample_weight=sample_weight, missing=missing, nonnegative=nonnegative
    )


def as_ranking(y_true: Any, y_score: Any, **described: Any) -> Ranking:
    """Labels in an order with one score; see `ordered_rows` for what may be said about them."""
    if isinstance(y_true, Ranking):
        return y_true
    rows = ordered_rows(y_true, {"score": y_score}, arguments={"score": "y_score"}, **described)
    return rankings_of(rows)["score"]


def as_rankings(y_true: Any, scores: Any, **described: Any) -> dict[str, Ranking]:
    """Labels in an order with the scores of several models by name."""
    return rankings(y_true, scores_by_name(scores), **described)


def by_group(question: Callable[P, R]) -> Callable[P, R]:
    """Give a question about one model the option `by`: one answer for each group of rows."""

    @functools.wraps(question)
    def ask(*data: P.args, **options: P.kwargs) -> R:
        try:
            if options.get("by") is None:
                options.pop("by", None)
                return question(*data, **options)
            return cast(R, _grouped(question, data, options))
        except ScoreRangeError as problem:
            y_score = options.get("y_score", data[1] if len(data) > 1 else None)
            if y_score is None and "score" not in options:
                raise  # of a tally: whoever made it knows the rows
            raise problem.located(y_score, str(options.get("score") or "y_score")) from None

    return options_shown(TallyOptions)(ask)


def options_shown(kind: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Spell out the keywords that `**given` takes: in `help`, and where one is misspelled."""

    def shown(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        *own, given = signature.parameters.values()
        assert given.kind is given.VAR_KEYWORD
        more = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name))
            for name in kind.__annotations__
            if name not in signature.parameters
        ]
        names = [parameter.name for parameter in (*own, *more)]
        known = frozenset(names)

        @functools.wraps(function)
        def ask(*data: P.args, **options: P.kwargs) -> R:
            if not options.keys() <= known:
                raise _unknown_keyword(function, options, names)
            return function(*data, **options)

        ask.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*own, *more]
        )
        return ask

    return shown


def _unknown_keyword(function: Any, options: Iterable[str], names: list[str]) -> TypeError:
    """What Python says of a keyword that a function does not have, with the nearest it has."""
    wrong = next(name for name in options if name not in names)
    near = get_close_matches(wrong, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return TypeError(f"{function.__name__}() got an unexpected keyword argument {wrong!r}{hint}")


def _grouped(question: Callable[..., Any], data: tuple[Any, ...], options: Any) -> GroupAnswers:
    """One answer per group of `by`, each from the rows of that group alone."""
    name = question.__name__
    asked = inspect.signature(question).bind(*data, **options).arguments
    described = _said(asked.pop("given", {}))
    first = _first(name, asked.pop("data", None), described)
    y_score, clusters = asked.pop("y_score", None), asked.pop("groups", None)
    if isinstance(first, (Tally, Pairs)):
        raise InputError(
            f"`by` describes rows; it does not go with a {type(first).__name__}. Pass y_true and "
            "y_score, or a frame or path."
        )
    _of_frame(name, first, y_score, described)
    by, resolution = described.pop("by"), described.pop("resolution", None)
    pos_label, direction = described.pop("pos_label", None), described.pop("direction", "higher")
    split = grouped_columns(first, y_score, by, groups=clusters, **described)
    if clusters is not None:
        _refuse_bins(resolution)
    parts: Any = (
        split.tallies(pos_label, direction, resolution)
        if clusters is None
        else split.pairs(pos_label, direction)
    )
    answers = {group: question(part, **asked) for group, part in parts.items()}
    origin = next(iter(parts.values())).origin
    return GroupAnswers(column=split.title, answers=answers, origin=origin)


def _refuse_bins(resolution: int | None) -> None:
    if resolution is not None:
        raise InputError("`resolution` does not go with `groups`: clusters need every row.")


def _of_frame(question: str, data: Any, y_score: Any, options: Mapping[str, Any]) -> bool:
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


def _said(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that say something, as a dict of our own; None is the default of most."""
    return {name: value for name, value in given.items() if value is not None or name in DEFAULTS}


def _first(question: str, data: Any, options: dict[str, Any]) -> Any:
    """What came in the first place, or under the name `y_true`."""
    if "y_true" not in options:
        return data
    if data is not None:
        raise InputError(
            f"`{question}` was given `y_true` twice: by place and by name. The order is "
            "y_true, y_score."
        )
    return options.pop("y_true")


def _one_model(question: str, pairs: Pairs) -> InputError:
    return InputError(
        f"`{question}` is about one model; pass pairs.tally(name), with a name from "
        f"{', '.join(pairs.names)}."
    )


def _refuse_beside(
    question: str, what: str, maker: str, second: Any, options: Mapping[str, Any]
) -> None:
    """Refuse data or options beside a form that needs none."""
    if second is not None:
        raise InputError(f"`{question}` takes {what} and nothing beside it.")
    for name in options:
        raise InputError(
            f"`{name}` describes rows; it does not go with {what}. Give it to `{maker}`."
        )
