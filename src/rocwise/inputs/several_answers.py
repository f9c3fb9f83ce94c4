"""What may be said about data, and one question with several answers: groups (`by`), models.

The option types are listed once here and shown by `help`; `coercion` reads them too.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypedDict, TypeVar, cast

import numpy as np

from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, ScoreRangeError
from rocwise.inputs.clean_rows import Direction, Missing
from rocwise.inputs.out_of_core import LazyMapping
from rocwise.inputs.paired_models import pair, pair_frame
from rocwise.results import GroupAnswers, ModelAnswers

DEFAULTS = {"direction": "higher", "missing": "raise"}  # of the options below; of the others None


class RowOptions(TypedDict, total=False):
    """What may be said about rows, a frame or a file. Nothing of it goes with a tally or pairs."""

    y_true: Any
    label: str
    pos_label: Any
    sample_weight: Any
    direction: Direction
    missing: Missing
    memory_limit: str | int | None


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
NAMES_OF_COLUMNS = frozenset({"label", "score"})
NO_CLUSTERS = ("groups", None)
ONE_MODEL = {(np.ndarray, np.ndarray), (Tally,)}  # what most calls bring, and nothing beside it
# what other packages call our options; the first that a function has is meant
OPTIONS_ELSEWHERE: dict[str, tuple[str, ...]] = {
    "min_tpr": ("tpr_range",),
    "min_recall": ("tpr_range", "sensitivity"),
    "partial_auc": ("fpr_range", "max_fpr"),
    "conf_level": ("level",),
    "confidence_level": ("level",),
    "alpha": ("level",),
    "ci": ("level",),
    "n_boot": ("n_resamples",),
    "boot_n": ("n_resamples",),
    "n_bootstraps": ("n_resamples",),
    "random_state": ("rng",),
    "seed": ("rng",),
    "weights": ("sample_weight",),
    "case_weights": ("sample_weight",),
    "cluster": ("groups",),
    "clusters": ("groups",),
    "subgroup": ("by",),
    "cutoff": ("threshold",),
    "recall": ("sensitivity",),
    "prior": ("prevalence",),
    "drop_na": ("missing",),
    "na_rm": ("missing",),
}


def of_frame(question: str, data: Any, y_score: Any, options: Mapping[str, Any]) -> bool:
    """Whether columns are named, so that a frame or file must have come; else y_true, y_score."""
    named = NAMES_OF_COLUMNS & options.keys() if options else ()  # most calls have none
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
    if not given:
        return {}
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


def refuse_memory_limit(options: Mapping[str, Any]) -> None:
    """Refuse a limit of memory for what is in memory already."""
    if options.get("memory_limit") is not None:
        raise InputError(
            "`memory_limit` goes with a file or a frame, whose rows may stay where they are; "
            "y_true and the scores are in memory already."
        )


def refuse_bins(resolution: int | None, beside: str = "`groups`") -> None:
    """Refuse bins where every row counts for itself."""
    if resolution is not None:
        raise InputError(f"`resolution` does not go with {beside}, which need every row.")


P = ParamSpec("P")
R = TypeVar("R")


def by_group(question: Callable[P, R]) -> Callable[P, R]:
    """Let a question about one model answer for several: groups of rows (`by`), or models.

    Several models come as a `Pairs`, as a dict of scores, or as several names of columns.
    """
    signature = _shown_signature(question, TallyOptions)
    known = signature.parameters.keys()

    @functools.wraps(question)
    def ask(*data: P.args, **options: P.kwargs) -> R:
        if options and not options.keys() <= known:
            raise _unknown_keyword(question, options, list(known))
        try:
            if not options and tuple(map(type, data)) in ONE_MODEL:
                return question(*data, **options)
            models = _several_models(question.__name__, data, options)
            if models is not None:
                return cast(R, _of_each_model(question, models, data, options))
            if options.get("by") is None:
                options.pop("by", None)
                return question(*data, **options)
            return cast(R, _grouped(question, data, options))
        except ScoreRangeError as problem:
            y_score = options.get("y_score", data[1] if len(data) > 1 else None)
            if y_score is None and "score" not in options:
                raise  # of a tally: whoever made it knows the rows
            raise problem.located(y_score, str(options.get("score") or "y_score")) from None

    ask.__signature__ = signature  # type: ignore[attr-defined]
    return ask


def options_shown(kind: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Spell out the keywords that `**given` takes: in `help`, and where one is misspelled."""

    def shown(function: Callable[P, R]) -> Callable[P, R]:
        signature = _shown_signature(function, kind)
        known = signature.parameters.keys()

        @functools.wraps(function)
        def ask(*data: P.args, **options: P.kwargs) -> R:
            if options and not options.keys() <= known:
                raise _unknown_keyword(function, options, list(known))
            return function(*data, **options)

        ask.__signature__ = signature  # type: ignore[attr-defined]
        return ask

    return shown


@functools.cache
def _signature(question: Callable[..., Any]) -> inspect.Signature:
    """That of a question, looked up once: it takes longer than many an answer."""
    return inspect.signature(question)


def _shown_signature(function: Callable[..., Any], kind: Any) -> inspect.Signature:
    """The signature of a function with the options of a kind in the place of its `**given`."""
    signature = inspect.signature(function)
    *own, given = signature.parameters.values()
    assert given.kind is given.VAR_KEYWORD
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name))
        for name in kind.__annotations__
        if name not in signature.parameters
    ]
    return signature.replace(parameters=[*own, *more])


def _unknown_keyword(function: Any, options: Iterable[str], names: list[str]) -> TypeError:
    """What Python says of a keyword that a function does not have, with the nearest it has."""
    from difflib import get_close_matches

    wrong = next(name for name in options if name not in names)
    elsewhere = next((ours for ours in OPTIONS_ELSEWHERE.get(wrong, ()) if ours in names), None)
    near = [elsewhere] if elsewhere else get_close_matches(wrong, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return TypeError(f"{function.__name__}() got an unexpected keyword argument {wrong!r}{hint}")


def _grouped(question: Callable[..., Any], data: tuple[Any, ...], options: Any) -> GroupAnswers:
    """One answer per group of `by`, each from the rows of that group alone."""
    name = question.__name__
    asked = _signature(question).bind(*data, **options).arguments
    described = said(asked.pop("given", {}))
    first = first_given(name, asked.pop("data", None), described)
    y_score, clusters = asked.pop("y_score", None), asked.pop("groups", None)
    if isinstance(first, (Tally, Pairs)):
        raise InputError(_by_needs_rows(first))
    framed = of_frame(name, first, y_score, described)
    title, parts, whole = _parts(name, first, y_score, clusters, described, asked, framed=framed)
    answers: Any
    if isinstance(parts, LazyMapping):
        answers = parts.mapped(lambda part: question(part, **asked))
    else:
        answers = {group: _of_group(question, group, parts[group], asked) for group in parts}
    origin = next(iter(parts.values())).origin
    answer = next(iter(answers.values()))
    kind = getattr(answer, "group_answers", None) or GroupAnswers

    def pool() -> Any:
        if whole is not None:
            return question(whole(), **asked)
        return question(*data, **{name: value for name, value in options.items() if name != "by"})

    return kind.with_pooled(pool, column=title, answers=answers, origin=origin)


def _of_group(question: Callable[..., Any], group: Any, part: Any, asked: Any) -> Any:
    """The result of one group; errors name the group."""
    try:
        return question(part, **asked)
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
    asked: Mapping[str, Any],
    *,
    framed: bool,
) -> tuple[str, Mapping[Any, Any], Callable[[], Any] | None]:
    """Name of the groups, the tally (with clusters, the rows) of each, and that of all rows."""
    from rocwise.inputs.out_of_core import large_groups
    from rocwise.inputs.subgroups import grouped_columns

    by, resolution = described.pop("by"), described.pop("resolution", None)
    pos_label, direction = described.pop("pos_label", None), described.pop("direction", "higher")
    if framed and clusters is None:
        about = {"pos_label": pos_label, "direction": direction, "resolution": resolution}
        about |= {"by": by, "memory_limit": described.pop("memory_limit", None)}
        large = large_groups(data, name, asked, **about, **described)
        if large is not None:
            return str(by), large, None
    refuse_memory_limit(described)
    split = grouped_columns(data, y_score, by, groups=clusters, **described)
    if clusters is None:
        tallies = split.tallies(pos_label, direction, resolution)
        return split.title, tallies, lambda: split.model(pos_label, direction).tally(resolution)
    refuse_bins(resolution)
    whole = split.all_pairs(pos_label, direction)
    return split.title, split.pairs(whole), lambda: whole


def _by_needs_rows(data: Any) -> str:
    return (
        f"`by` describes rows; it does not go with a {type(data).__name__}. Pass y_true and "
        "y_score, or a frame or path."
    )


def _several_models(question: str, data: tuple[Any, ...], options: Any) -> Pairs | None:
    """The models, where several were given, as pairs; their data leave `options`."""
    first = data[0] if data else options.get("data")
    second = data[1] if len(data) > 1 else options.get("y_score")
    if isinstance(first, Pairs):
        described = said({name: v for name, v in options.items() if name in ABOUT_ROWS})
        if "by" in described:
            raise InputError(_by_needs_rows(first))
        refuse_beside(question, "pairs", "pair", second, described)
        return first
    columns = options.get("score")
    one = type(second) is np.ndarray  # is no Mapping, which takes longer to ask
    if (one or not isinstance(second, Mapping)) and not isinstance(columns, (list, tuple)):
        return None
    if options.get("by") is not None:
        raise InputError("`by` goes with one model at a time; ask for each model by itself.")
    refuse_bins(options.pop("resolution", None), "several models")
    named = [name for name in (*PairOptions.__annotations__, "data") if name in options]
    described = said({name: options.pop(name) for name in named})
    options.pop("y_score", None), options.pop("score", None), described.pop("data", None)
    first = first_given(question, first, described)
    if isinstance(second, Mapping):
        refuse_memory_limit(described)
        return pair(first, second, **described)
    of_frame(question, first, second, described | {"score": columns})
    return pair_frame(first, scores=columns, **described)


def _of_each_model(
    question: Callable[..., Any], pairs: Pairs, data: tuple[Any, ...], options: Any
) -> ModelAnswers:
    """One answer per model, from the rows of all."""
    takes = _signature(question).parameters
    if pairs.groups is not None and "level" in takes and "groups" not in takes:
        raise InputError(
            f"`{question.__name__}` has no interval for clustered rows, and these pairs have "
            "`groups`; leave them out of `pair` if rows are independent."
        )
    clustered = pairs.groups is not None and "groups" in takes
    own = {name: value for name, value in options.items() if name not in ABOUT_ROWS}
    own = {n: v for n, v in own.items() if n not in ("data", "y_score") and (n, v) != NO_CLUSTERS}
    if len(data) > 2:
        _signature(question).bind(*data)  # says what is too much
    answers = {}
    for name in pairs.names:
        part: Any = pairs.select([name]) if clustered else pairs.tally(name)
        try:
            answers[name] = question(part, **own)
        except ScoreRangeError as problem:
            sign = 1 if pairs.origin.direction == "higher" else -1
            raise problem.located(sign * pairs.scores(name), f"scores[{name!r}]") from None
    return ModelAnswers(answers=answers, origin=pairs.origin)
