"""Results for several groups of rows (`by`) or for several models, and rows split into groups."""

import functools
import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn, ParamSpec, TypeVar, cast

import numpy as np

from rocwise.arrays import Counts, Mask, Places
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, ScoreRangeError, count_of, shown
from rocwise.inputs.options import (
    PairOptions,
    TallyOptions,
    check_names,
    check_no_bins,
    check_no_memory_limit,
    check_no_other_data,
    first_given,
    full_signature,
    given_options,
    named_columns_given,
    show_options,
)
from rocwise.inputs.rows import (
    Missing,
    ModelNames,
    ModelRows,
    check_score_columns,
    frame_vectors,
    of_counts,
    one_model,
    without_missing,
)
from rocwise.inputs.two_classes import pair, pairs_of_frame
from rocwise.inputs.vectors import Vector, as_vector
from rocwise.results import GroupAnswers, ModelAnswers

P = ParamSpec("P")
R = TypeVar("R")
ABOUT_ROWS = frozenset(TallyOptions.__annotations__)
ONE_MODEL = {(np.ndarray, np.ndarray), (Tally,)}  # arguments of most calls, without options


def by_group(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator of functions of one model: results for groups of rows (`by`) or several models."""
    signature = full_signature(function, TallyOptions)

    @functools.wraps(function)
    def call(*data: P.args, **options: P.kwargs) -> R:
        try:
            if not options and tuple(map(type, data)) in ONE_MODEL:
                return function(*data, **options)
            check_names(function, options, signature)
            return cast(R, _result(function, data, options))
        except ScoreRangeError as problem:
            y_score = options.get("y_score", data[1] if len(data) > 1 else None)
            if y_score is None and "score" not in options:
                raise  # of a tally, whose rows are unknown
            raise problem.located(y_score, str(options.get("score") or "y_score")) from None

    show_options(call, function, signature)
    return call


def _result(function: Callable[..., Any], data: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The result for one model, for each of several models, or for each group of rows."""
    if "scores" in options and "scores" not in _signature(function).parameters:
        names = {name: options.pop(name, None) for name in ("score", "scores")}
        options |= given_options(function.__name__, names)
    models = _several_models(function.__name__, data, options)
    if models is not None:
        return _of_each_model(function, models, data, options)
    if options.get("by") is not None:
        return _grouped(function, data, options)
    options.pop("by", None)
    return function(*data, **options)


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a function, cached."""
    return inspect.signature(function)


def _grouped(function: Callable[..., Any], data: tuple[Any, ...], options: Any) -> GroupAnswers:
    """One result per group of `by`, from its rows alone."""
    name = function.__name__
    arguments = _signature(function).bind(*data, **options).arguments
    described = given_options(name, arguments.pop("given", {}))
    first = first_given(name, arguments.pop("data", None), described)
    y_score, clusters = arguments.pop("y_score", None), arguments.pop("groups", None)
    if isinstance(first, (Tally, Pairs)):
        raise InputError(_by_needs_rows(first))
    framed = named_columns_given(name, first, y_score, described)
    title, parts, whole = _parts(
        name, first, y_score, clusters, described, arguments, framed=framed
    )
    results: Any
    from rocwise.inputs.out_of_core import LazyMapping

    if isinstance(parts, LazyMapping):
        results = parts.mapped(lambda part: function(part, **arguments))
    else:
        results = {group: _of_group(function, group, parts[group], arguments) for group in parts}
    origin = next(iter(parts.values())).origin
    first_result = next(iter(results.values()))
    kind = getattr(first_result, "group_answers", None) or GroupAnswers

    def pool() -> Any:
        if whole is not None:
            return function(whole(), **arguments)
        return function(*data, **{name: value for name, value in options.items() if name != "by"})

    return kind._with_pooled(pool, column=title, answers=results, origin=origin)


def _of_group(function: Callable[..., Any], group: Any, part: Any, arguments: Any) -> Any:
    """The result of one group; errors name the group."""
    try:
        return function(part, **arguments)
    except InputError as problem:
        if type(problem) is not InputError:
            raise
        raise InputError(f"group {group!r}: {problem}") from None


def _parts(
    name: str,
    data: Any,
    y_score: Any,
    clusters: Any,
    described: dict[str, Any],
    arguments: Mapping[str, Any],
    *,
    framed: bool,
) -> tuple[str, Mapping[Any, Any], Callable[[], Any] | None]:
    """Name of the groups, the tally of each, and that of all rows."""
    from rocwise.inputs.out_of_core import large_groups

    by, resolution = described.pop("by"), described.pop("resolution", None)
    pos_label, direction = described.pop("pos_label", None), described.pop("direction", "higher")
    if framed and clusters is None:
        about = {"pos_label": pos_label, "direction": direction, "resolution": resolution}
        about |= {"by": by, "memory_limit": described.pop("memory_limit", None)}
        large = large_groups(data, name, arguments, **about, **described)
        if large is not None:
            return str(by), large, None
    check_no_memory_limit(described)
    if clusters is not None:
        check_no_bins(resolution)
    columns, n_dropped, names, called = _grouped_columns(
        data, y_score, by, groups=clusters, **described
    )
    whole = one_model(
        columns, n_dropped=n_dropped, names=names, pos_label=pos_label, direction=direction
    )
    tallies = group_tallies(
        whole, columns[called], by=called, weight=names[2], resolution=resolution
    )
    return columns[called].name or "group", tallies, lambda: whole.tally(resolution)


def _by_needs_rows(data: Any) -> str:
    return (
        f"`by` describes rows; it does not go with a {type(data).__name__}. Pass y_true and "
        "y_score, or a frame or path."
    )


def _several_models(function: str, data: tuple[Any, ...], options: Any) -> Pairs | None:
    """The models, where several were given, as pairs; their data leave `options`."""
    first = data[0] if data else options.get("data")
    second = data[1] if len(data) > 1 else options.get("y_score")
    if isinstance(first, Pairs):
        described = given_options(
            function, {name: v for name, v in options.items() if name in ABOUT_ROWS}
        )
        if "by" in described:
            raise InputError(_by_needs_rows(first))
        check_no_other_data(function, "pairs", "pair", second, described)
        return first
    columns = options.get("score")
    if not isinstance(second, Mapping) and not isinstance(columns, (list, tuple)):
        return None
    if options.get("by") is not None:
        raise InputError("`by` goes with one model at a time; call the function for each model.")
    check_no_bins(options.pop("resolution", None), "several models")
    columns = options.pop("score", None)
    named = [name for name in (*PairOptions.__annotations__, "data") if name in options]
    described = given_options(function, {name: options.pop(name) for name in named})
    options.pop("y_score", None)
    described.pop("data", None)
    first = first_given(function, first, described)
    if isinstance(second, Mapping):
        check_no_memory_limit(described)
        return pair(first, second, **described)
    named_columns_given(function, first, second, described | {"score": columns})
    return pairs_of_frame(first, scores=columns, **described)


def _of_each_model(
    function: Callable[..., Any], pairs: Pairs, data: tuple[Any, ...], options: Any
) -> ModelAnswers:
    """One result per model."""
    takes = _signature(function).parameters
    if pairs.groups is not None and "level" in takes and "groups" not in takes:
        raise InputError(
            f"`{function.__name__}` has no interval for clustered rows, and these pairs have "
            "`groups`; leave them out of `pair` if rows are independent."
        )
    clustered = pairs.groups is not None and "groups" in takes
    own = {name: value for name, value in options.items() if name not in ABOUT_ROWS}
    own = {name: value for name, value in own.items() if name not in ("data", "y_score")}
    if own.get("groups", ...) is None:
        del own["groups"]
    if len(data) > 2:
        _signature(function).bind(*data)  # raises for surplus arguments
    results = {}
    for name in pairs.names:
        part: Any = pairs.select([name]) if clustered else pairs.tally(name)
        try:
            results[name] = function(part, **own)
        except ScoreRangeError as problem:
            sign = 1 if pairs.origin.direction == "higher" else -1
            raise problem.located(sign * pairs.scores(name), f"scores[{name!r}]") from None
    return ModelAnswers(answers=results, origin=pairs.origin)


def group_tallies(
    whole: ModelRows, groups: Vector, *, by: str, weight: str | None, resolution: int | None
) -> dict[Any, Tally]:
    """The tally of each group, groups sorted; an error where a class is absent."""
    found, codes = groups.distinct()
    names = found.tolist()
    for name in names if found.dtype == object else ():
        if isinstance(name, (list, dict, set, np.ndarray)):
            raise InputError(
                f"`{by}` must hold one value in each row, the name of its group; got {shown(name)}."
            )
    sizes = _class_sizes(codes, whole.mask, len(names))
    for k, _ in np.argwhere(sizes == 0)[:1].tolist():
        rows = sizes[k].sum() if groups.counts is None else groups.counts[codes == k].sum()
        raise_absent_class(names[k], by, int(sizes[k, 1]), int(rows))
    if whole.weights is not None and not (heavy := whole.weights > 0).all():
        weighty = _class_sizes(codes[heavy], whole.mask[heavy], len(names))
        for k, kind in np.argwhere(weighty == 0)[:1].tolist():
            raise InputError(
                f"`{weight}` is 0 for every {('negative', 'positive')[kind]} row of the group "
                f"{names[k]!r} in `{by}`, so it has no result of its own. Join it "
                "with another group, or leave its rows out."
            )
    order, ends = np.argsort(codes, kind="stable"), np.cumsum(sizes.sum(axis=1))
    parts = zip(names, np.split(order, ends[:-1]), strict=True)
    return {name: whole.part(rows).tally(resolution) for name, rows in parts}


def _class_sizes(codes: Places, mask: Mask, groups: int) -> Counts:
    """Negatives and positives of each group, (groups, 2)."""
    return np.bincount(2 * codes + (mask != 0), minlength=2 * groups).reshape(groups, 2)


def _grouped_columns(
    data: Any,
    y_score: Any,
    by: Any,
    *,
    label: str | None = None,
    score: str | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    missing: Missing = "raise",
) -> tuple[dict[str, Vector], int, ModelNames, str]:
    """Complete columns, how many rows are not complete, and the names of columns and groups."""
    names: ModelNames = ("y_true", "y_score", "sample_weight", "groups")
    if label is None or score is None:
        given = {"y_true": data, "y_score": y_score, "sample_weight": sample_weight}
        given |= {"groups": groups, "by": by}
        columns = {name: as_vector(v, name) for name, v in given.items() if v is not None}
        return *without_missing(columns, missing), names, "by"
    check_score_columns(label, [score])
    names = (label, score, sample_weight, groups)
    complete = partial(without_missing, missing=missing)
    if groups is None:
        return *of_counts(data, [*names, by], sample_weight, complete), names, by
    return *complete(frame_vectors(data, [*names, by])), names, by


def raise_absent_class(name: Any, argument: str, n_pos: int, size: int) -> NoReturn:
    """The error for a group in which a class is absent."""
    absent = "negative" if n_pos else "positive"
    raise InputError(
        f"`{argument}` has a group {name!r} without a {absent} example "
        f"({count_of(size, 'row')}), so it has no result of its own. Join it with "
        "another group, or leave its rows out."
    )
