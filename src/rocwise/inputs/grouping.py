"""Results for several groups of rows (`by`) or for several models, and rows split into groups."""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

import numpy as np

from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import (
    InputError,
    MemoryLimitError,
    MisuseWarning,
    ScoreRangeError,
    count_of,
    ends_traceback,
    outermost,
    warn,
)
from rocwise.inputs.options import (
    ComparisonOptions,
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
    options_shown,
    show_options,
)
from rocwise.inputs.rows import (
    Grouping,
    Missing,
    ModelNames,
    ModelRows,
    by_arrays,
    by_columns,
    check_score_columns,
    frame_vectors,
    grouping_of,
    of_counts,
    one_model,
    vectors_of,
    without_missing,
)
from rocwise.inputs.two_classes import check_in_memory, grouped_pairs, pair, pairs_of_frame
from rocwise.inputs.vectors import Vector
from rocwise.results import GroupResults, ModelResults, Origin, Undefined, dates_as_text

P = ParamSpec("P")
R = TypeVar("R")
Each = TypeVar("Each", covariant=True)
Names = list[str] | tuple[str, ...]
By = str | Names | Mapping[str, Any] | np.ndarray[Any, Any] | Sequence[Any]
ABOUT_ROWS = frozenset(TallyOptions.__annotations__)
ONE_MODEL = {(np.ndarray, np.ndarray), (Tally,)}  # arguments of most calls, without options


class Compared(Protocol[P, Each]):
    """The types of a comparison, which has one result, or one for each group of rows (`by`)."""

    __name__: str

    @overload
    def __call__(self, *data: Any, by: By, **options: Any) -> GroupResults[Each]: ...
    @overload
    def __call__(self, *data: P.args, **options: P.kwargs) -> Each: ...


class Grouped(Protocol[P, Each]):
    """The types of a function of one model: results of several models and of groups too."""

    __name__: str

    @overload
    def __call__(
        self, data: Any, y_score: Mapping[str, Any], *, by: By, **options: Any
    ) -> ModelResults[GroupResults[Each]]: ...
    @overload
    def __call__(
        self, data: Any, *, score: Names, by: By, **options: Any
    ) -> ModelResults[GroupResults[Each]]: ...
    @overload
    def __call__(self, *data: Any, by: By, **options: Any) -> GroupResults[Each]: ...
    @overload
    def __call__(
        self, data: Any, y_score: Mapping[str, Any], **options: Any
    ) -> ModelResults[Each]: ...
    @overload
    def __call__(
        self, data: Pairs, *, label: None = None, **options: Any
    ) -> ModelResults[Each]: ...
    @overload
    def __call__(self, data: Any, *, score: Names, **options: Any) -> ModelResults[Each]: ...
    @overload
    def __call__(self, *data: P.args, **options: P.kwargs) -> Each: ...


def by_group(function: Callable[P, R]) -> Grouped[P, R]:
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
        except InputError as problem:
            raise outermost(problem)  # noqa: B904  (the same error, with its own cause)

    show_options(call, function, signature)
    return cast(Grouped[P, R], call)


def _result(function: Callable[..., Any], data: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The result for one model, for each of several models, or for each group of rows."""
    if "scores" in options and "scores" not in _signature(function).parameters:
        names = {name: options.pop(name, None) for name in ("score", "scores")}
        options |= given_options(function.__name__, names)
    by = options.pop("by", None)
    given = dict(options)
    try:
        models = _several_models(function.__name__, data, options, by)
    except MemoryLimitError:
        if given.get("groups") is not None or given.get("missing") == "drop":
            raise
        return _model_by_model(function, data, given, by)
    if models is not None:
        return _of_each_model(function, *models, data, options)
    return function(*data, **options) if by is None else _grouped(function, data, options, by)


def _model_by_model(
    function: Callable[..., Any], data: tuple[Any, ...], options: Any, by: Any
) -> ModelResults[Any]:
    """The results of groups for each of several models whose rows do not fit into memory."""
    results = {
        name: _grouped(function, data, {**options, "score": name}, by) for name in options["score"]
    }
    origin = next(iter(results.values())).origin
    return ModelResults(results=results, origin=replace(origin, name=None))


def compared_by_group(function: Callable[P, R]) -> Compared[P, R]:
    """Decorator of comparisons of models: with `by`, one result for each group of rows."""
    compare = options_shown(ComparisonOptions)(function)
    second = [*inspect.signature(function).parameters][1]

    @ends_traceback
    @functools.wraps(compare)
    def call(*data: P.args, **options: P.kwargs) -> R:
        by = options.pop("by", None)
        if by is None:
            return compare(*data, **options)
        check_names(function, options, inspect.signature(compare))
        arguments = _signature(function).bind(*data, **options).arguments
        described = given_options(function.__name__, arguments.pop("given", {}), "scores")
        first = first_given(function.__name__, arguments.pop("data", None), described)
        scores = arguments.pop(second, None)
        scores = described.pop("scores", None) if scores is None else scores
        if isinstance(first, (Tally, Pairs)) or scores is None:
            raise InputError(_by_needs_rows(first))
        if arguments.get("folds") is not None:
            raise InputError("`folds` and `by` do not go together; select the rows of one group.")
        pairs, grouping = grouped_pairs(first, scores, by, **described)
        parts = _pairs_of_groups(pairs, grouping)
        return cast(R, _of_groups(compare, parts, grouping.title, pairs.origin, arguments))

    return cast(Compared[P, R], call)


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a function, cached."""
    return inspect.signature(function)


def _grouped(
    function: Callable[..., Any], data: tuple[Any, ...], options: Any, by: Any
) -> GroupResults[Any]:
    """One result per group of `by`, from its rows alone."""
    name = function.__name__
    arguments = _signature(function).bind(*data, **options).arguments
    described = given_options(name, arguments.pop("given", {}))
    first = first_given(name, arguments.pop("data", None), described)
    y_score = arguments.pop("y_score", None)
    if isinstance(first, (Tally, Pairs)):
        raise InputError(_by_needs_rows(first))
    framed = named_columns_given(name, first, y_score, described)
    title, parts, whole = _parts(first, y_score, by, described, framed=framed)
    origin = next((part.origin for part in parts.values() if isinstance(part, Tally)), Origin())

    def pool() -> Any:
        return function(*data, **options) if whole is None else function(whole(), **arguments)

    found = _of_groups(function, parts, title, origin, arguments, pool)
    if whole is not None and origin.n_clusters is not None and hasattr(type(found), "p_value"):
        _warn_of_shared_clusters(parts, whole())
    return found


def _warn_of_shared_clusters(parts: Mapping[Any, Any], whole: Tally) -> None:
    """Warn where the test of equal values does not apply, since groups have clusters in common."""
    sizes = [part.origin.n_clusters or 0 for part in parts.values() if isinstance(part, Tally)]
    if len(sizes) > 1 and sum(sizes) > (whole.origin.n_clusters or 0):
        warn(
            "some clusters have rows in several groups of `by`, which the p value of equal groups "
            "takes for independent. Compare groups without clusters in common.",
            MisuseWarning,
        )


def _of_groups(
    function: Callable[..., Any],
    parts: Mapping[Any, Any],
    title: str | tuple[str, ...],
    origin: Origin,
    arguments: Any,
    pool: Callable[[], Any] | None = None,
) -> GroupResults[Any]:
    """The results of groups, some of which may be undefined; an error where all of them are."""
    from rocwise.inputs.out_of_core import LazyMapping

    results: Any
    if isinstance(parts, LazyMapping):
        results = parts.mapped(lambda part: _of_group(function, part, arguments))
    else:
        results = {group: _of_group(function, part, arguments) for group, part in parts.items()}
    defined = next((each for each in results.values() if not isinstance(each, Undefined)), None)
    if defined is None:
        group, problem = next(iter(results.items()))
        name = dates_as_text(group)
        raise InputError(f"no group of `by` has a result; the first is {name!r}: {problem.reason}")
    if not isinstance(parts, LazyMapping):
        absent = [group for group, each in results.items() if isinstance(each, Undefined)]
        if absent:
            warn_of_undefined(absent[0], results[absent[0]], len(absent), len(results))
    kind = getattr(defined, "group_results", None) or GroupResults
    return kind._with_pooled(pool, column=title, results=results, origin=origin)


def _of_group(function: Callable[..., Any], part: Any, arguments: Any) -> Any:
    """The result of one group, or why it has none."""
    if isinstance(part, Undefined):
        return part
    try:
        return function(part, **arguments)
    except InputError as problem:
        if type(problem) is not InputError:
            raise
        return Undefined(reason=str(problem), n_pos=part.n_pos, n_neg=part.n_neg)


def warn_of_undefined(group: Any, first: Undefined, n_absent: int, n_groups: int) -> None:
    """Warn of groups without a result, with the reason of the first."""
    warn(
        f"{n_absent:,} of {count_of(n_groups, 'group')} of `by` have no result; the first is "
        f"{dates_as_text(group)!r}: {first.reason}",
        MisuseWarning,
    )


def _parts(
    data: Any, y_score: Any, by: Any, described: dict[str, Any], *, framed: bool
) -> tuple[str | tuple[str, ...], Mapping[Any, Any], Callable[[], Any] | None]:
    """Title of the groups, the tally of each, and that of all rows."""
    from rocwise.inputs.out_of_core import large_groups

    resolution = described.pop("resolution", None)
    pos_label, direction = described.pop("pos_label", None), described.pop("direction", "higher")
    clusters = described.pop("groups", None)
    if framed and clusters is None:
        about = {"pos_label": pos_label, "direction": direction, "resolution": resolution}
        about |= {"by": by_columns(by), "memory_limit": described.pop("memory_limit", None)}
        large = large_groups(data, **about, **described)
        if large is not None:
            return *large, None
    elif framed:
        wanted = [
            described[name] for name in ("label", "score", "sample_weight") if name in described
        ]
        more, limit = [clusters, *by_columns(by)], described.pop("memory_limit", None)
        check_in_memory(data, [*wanted, *more], limit, [described["score"]], more)
    check_no_memory_limit(described)
    if clusters is not None:
        check_no_bins(resolution)
    columns, n_dropped, names, keys = _grouped_columns(
        data, y_score, by, groups=clusters, **described
    )
    whole = one_model(
        columns, n_dropped=n_dropped, names=names, pos_label=pos_label, direction=direction
    )
    grouping = grouping_of(columns, keys)
    tallies = group_tallies(whole, grouping, weight=names[2], resolution=resolution)
    return grouping.title, tallies, lambda: whole.tally(resolution)


def _by_needs_rows(data: Any) -> str:
    return (
        f"`by` describes rows; it does not go with a {type(data).__name__}. Pass y_true and the "
        "scores, or a frame or path."
    )


def _several_models(
    function: str, data: tuple[Any, ...], options: Any, by: Any
) -> tuple[Pairs, Grouping | None] | None:
    """The models, where several were given, as pairs, with groups of rows; `options` lose these."""
    first = data[0] if data else options.get("data")
    second = data[1] if len(data) > 1 else options.get("y_score")
    if isinstance(first, Pairs):
        described = given_options(
            function, {name: v for name, v in options.items() if name in ABOUT_ROWS}
        )
        if by is not None:
            raise InputError(_by_needs_rows(first))
        check_no_other_data(function, "pairs", "pair", second, described)
        return first, None
    columns = options.get("score")
    if not _are_columns(second) and not isinstance(columns, (list, tuple)):
        return None
    check_no_bins(options.pop("resolution", None), "several models")
    columns = options.pop("score", None)
    named = [name for name in (*PairOptions.__annotations__, "data") if name in options]
    described = given_options(function, {name: options.pop(name) for name in named})
    options.pop("y_score", None)
    described.pop("data", None)
    first = first_given(function, first, described)
    if columns is not None:
        named_columns_given(function, first, second, described | {"score": columns})
    scores = second if columns is None else columns
    if by is not None:
        return grouped_pairs(first, scores, by, **described)
    if columns is not None:
        return pairs_of_frame(first, scores=scores, **described), None
    check_no_memory_limit(described)
    return pair(first, scores, **described), None


def _are_columns(scores: Any) -> bool:
    """Whether scores are those of several models by name: a dict, or a frame of several columns."""
    if isinstance(scores, Mapping):
        return True
    return len(getattr(scores, "columns", ())) > 1 and hasattr(scores, "shape")


def _of_each_model(
    function: Callable[..., Any],
    pairs: Pairs,
    grouping: Grouping | None,
    data: tuple[Any, ...],
    options: Any,
) -> ModelResults[Any]:
    """One result per model, or for each model one per group of rows."""
    own = {name: value for name, value in options.items() if name not in ABOUT_ROWS}
    own = {name: value for name, value in own.items() if name not in ("data", "y_score")}
    if len(data) > 2:
        _signature(function).bind(*data)  # raises for surplus arguments
    groups = None if grouping is None else _pairs_of_groups(pairs, grouping)
    results = {}
    for name in pairs.names:
        try:
            compute = functools.partial(function, pairs.tally(name), **own)
            if grouping is None or groups is None:
                results[name] = compute()
                continue
            parts = {k: p.tally(name) if isinstance(p, Pairs) else p for k, p in groups.items()}
            origin = pairs.tally(name).origin
            results[name] = _of_groups(function, parts, grouping.title, origin, own, compute)
        except ScoreRangeError as problem:
            sign = 1 if pairs.origin.direction == "higher" else -1
            raise problem.located(sign * pairs.scores(name), f"scores[{name!r}]") from None
    return ModelResults(results=results, origin=pairs.origin)


def _pairs_of_groups(pairs: Pairs, grouping: Grouping) -> dict[Any, Pairs | Undefined]:
    """The rows of each group; those of one class have no result."""
    sizes = grouping.class_sizes(pairs.mask).tolist()
    parts = zip(grouping.names, grouping.rows(), sizes, strict=True)
    return {
        name: pairs.rows(rows) if n_pos and n_neg else absent_class(n_pos, n_neg, n_pos + n_neg)
        for name, rows, (n_neg, n_pos) in parts
    }


def group_tallies(
    whole: ModelRows, grouping: Grouping, *, weight: str | None, resolution: int | None
) -> dict[Any, Tally | Undefined]:
    """The tally of each group, groups sorted; those of one class have no result."""
    sizes = grouping.class_sizes(whole.mask)
    weighty = sizes
    if whole.weights is not None and not (heavy := whole.weights > 0).all():
        weighty = grouping._replace(codes=grouping.codes[heavy]).class_sizes(whole.mask[heavy])
    found: dict[Any, Tally | Undefined] = {}
    for k, (name, rows) in enumerate(zip(grouping.names, grouping.rows(), strict=True)):
        if min(sizes[k]) == 0:
            counts = whole.counts
            n_rows = len(rows) if counts is None else int(counts[rows].sum())
            found[name] = absent_class(int(sizes[k, 1]), int(sizes[k, 0]), n_rows)
        elif min(weighty[k]) == 0:
            kind = ("negative", "positive")[int(weighty[k, 1] == 0)]
            reason = f"`{weight}` is 0 for every {kind} row"
            found[name] = Undefined(reason=reason, n_pos=0.0, n_neg=0.0)
        else:
            found[name] = whole.part(rows).tally(resolution)
    return found


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
) -> tuple[dict[str, Vector], int, ModelNames, dict[str, str]]:
    """Complete columns, how many rows are not complete, and the names of columns and groups."""
    names: ModelNames = ("y_true", "y_score", "sample_weight", "groups")
    if label is None or score is None:
        keys, given = by_arrays(by)
        given = {"y_true": data, "y_score": y_score, "sample_weight": sample_weight} | given
        columns = vectors_of(given | {"groups": groups})
        return *without_missing(columns, missing), names, keys
    check_score_columns(label, [score])
    names, keys = (label, score, sample_weight, groups), by_columns(by)
    complete = partial(without_missing, missing=missing)
    if groups is None:
        return *of_counts(data, [*names, *keys], sample_weight, complete), names, keys
    return *complete(frame_vectors(data, [*names, *keys])), names, keys


def absent_class(n_pos: int, n_neg: int, n_rows: int) -> Undefined:
    """The result of a group in which a class is absent."""
    absent = "negative" if n_pos else "positive"
    reason = f"no {absent} example among {count_of(n_rows, 'row')}"
    return Undefined(reason=reason, n_pos=float(n_pos), n_neg=float(n_neg))
