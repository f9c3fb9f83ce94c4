"""Options that describe data, shared by all functions: their types, defaults and checks."""

import functools
import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypedDict, TypeVar

from rocwise.errors import InputError, ends_traceback
from rocwise.inputs.rows import Direction, Missing

P = ParamSpec("P")
R = TypeVar("R")
TEXT_OPTIONS = ("sep", "decimal", "encoding")
DEFAULTS = {"direction": "higher", "missing": "raise"}  # of the options below; of the others None


class RowOptions(TypedDict, total=False):
    """Options of rows, a frame or a file; none of them applies to a tally or to pairs."""

    y_true: Any
    label: str
    pos_label: Any
    sample_weight: Any
    direction: Direction
    missing: Missing
    memory_limit: str | int | None
    sep: str | None
    decimal: str | None
    encoding: str | None


class TallyOptions(RowOptions, total=False):
    """Options of functions of one model; `scores` is another name of `score`."""

    score: str
    scores: str
    groups: Any
    resolution: int | None
    by: None  # `Grouped` has the types of calls with it, and of several scores


class PairOptions(RowOptions, total=False):
    """Options of functions of several models on the same rows; `score` means `scores`."""

    groups: Any
    score: Any


class ComparisonOptions(PairOptions, total=False):
    """Options of comparisons, whose second argument may be another sample instead of scores."""

    scores: Any
    by: None  # `Compared` has the types of calls with it


class ClassOptions(TypedDict, total=False):
    """Options of rows of several classes with a score for each class."""

    classes: Any
    sample_weight: Any
    missing: Missing


class ClusteredClassOptions(ClassOptions, total=False):
    """The same for functions that take clusters of rows."""

    groups: Any


class RankingOptions(TypedDict, total=False):
    """Options of rows of ordered classes with one score."""

    order: Any
    decimals: int | None
    direction: Direction
    sample_weight: Any
    missing: Missing


class ClusteredRankingOptions(RankingOptions, total=False):
    """The same for functions that take clusters of rows."""

    groups: Any


# Type and description of the options above, for *Other Parameters* of the docstrings, and their
# order in signatures.
DESCRIPTIONS = {
    "y_true": ("array-like, optional", "Labels, as a keyword instead of the first argument."),
    "label": ("str, optional", "Name of the column of labels of a data frame or file."),
    "score": (
        "str or list of str, optional",
        "Name of the column of scores; several names give several models.",
    ),
    "scores": ("str or list of str, optional", "The same as `score`."),
    "time": ("str or array-like, optional", "Name of the column of times, or the times."),
    "event": (
        "str or array-like, optional",
        "Name of the column of events, or the events: 0/1, booleans, or codes with `cause`.",
    ),
    "entry": (
        "str or array-like, optional",
        "Times of entry of the rows, before their times (delayed entry, left truncation).",
    ),
    "cause": ("scalar, default 1", "Code of the event; others compete with it."),
    "censored": (
        "scalar, default 0",
        "Code of censored rows; if 0 does not occur, of two values the one that is not `cause`, "
        "with a warning if they are numbers.",
    ),
    "censoring_by": (
        "str or array-like, optional",
        "Stratum of each row, or the name of its column, within which censoring does not depend on "
        "time of event and score.",
    ),
    "classes": ("sequence, optional", "Label of each column of scores, in their order."),
    "order": ("sequence, optional", "Labels from the lowest class up; required for text."),
    "decimals": ("int, optional", "Decimals that scores are rounded to before they are compared."),
    "pos_label": (
        "scalar, optional",
        "Label of the positive class; required unless it is 1 or True.",
    ),
    "sample_weight": (
        "array-like or str, optional",
        "Weight of each row, or the name of its column.",
    ),
    "groups": (
        "array-like or str, optional",
        "Cluster of each row, or the name of its column: variances are cluster-robust (Obuchowski "
        "1997), and resamples draw whole clusters.",
    ),
    "by": (
        "array-like, str, list of str or dict, optional",
        "Subgroup of each row, or the names of one or several columns; one result per subgroup.",
    ),
    "direction": ('{"higher", "lower"}, default "higher"', "Which scores mean positive."),
    "missing": ('{"raise", "drop"}, default "raise"', "What to do with rows with a missing value."),
    "resolution": ("int, optional", "Largest number of bins of the scores; see `tally`."),
    "memory_limit": (
        "str or int, optional",
        'Memory for rows of a data frame or file, such as "2GB".',
    ),
    "sep": ("str, optional", "Delimiter of a text file; found by its first lines by default."),
    "decimal": ('{".", ","}, optional', "Decimal sign of a text file; found by its cells."),
    "encoding": ("str, optional", "Encoding of a text file; UTF-8, UTF-16 or Windows-1252."),
}
# The same of the first two parameters, where a docstring leaves them out.
DATA = {
    "y_score": {
        "data": (
            "array-like, Tally, Pairs, DataFrame or path",
            "Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with "
            "`label` and `score`. Of several models there is one result per model.",
        ),
        "y_score": ("array-like, optional", "Scores, one per label."),
    },
    "scores": {
        "data": (
            "array-like, Pairs, DataFrame or path",
            "Labels, with `scores`; or `Pairs`; or a data frame or the path of a file, with "
            "`label` and `scores`.",
        ),
        "scores": (
            "dict of str to array-like, 2-D array or list of str, optional",
            "Scores of each model, by its name; or the names of their columns.",
        ),
    },
    "classes": {
        "y_true": (
            "array-like of shape (n,)",
            "Labels: the column numbers 0 to m - 1 of `y_score`, the names of its columns if it "
            "is a data frame, or any labels together with `classes`.",
        ),
        "y_score": ("array-like of shape (n, m)", "One score per class."),
    },
    "event": {
        "data": (
            "FollowUp, array-like, DataFrame or path",
            "A `FollowUp`; or the times of rows, with `event` and `score` as second and third "
            "argument; or a data frame or the path of a file, with the names of its columns.",
        ),
        "*columns": (
            "array-like",
            "After times of rows, the events and the scores; last, the horizons (`times`), if the "
            "function has any.",
        ),
    },
    "order": {
        "y_true": (
            "array-like",
            "Labels of ordered classes: numbers, an ordered categorical, or text with `order`.",
        ),
        "y_score": ("array-like", "Scores, one per label."),
    },
}
SECTIONS_AFTER = re.compile(
    r"^(Raises|Warns|See Also|Notes|References|Examples)\n-+$", re.MULTILINE
)

# names of our options in other packages; the first that a function has is suggested
OPTIONS_ELSEWHERE: dict[str, tuple[str, ...]] = {
    "min_tpr": ("tpr_range",),
    "min_recall": ("tpr_range", "sensitivity"),
    "partial_auc": ("fpr_range", "max_fpr"),
    "conf_level": ("level",),
    "confidence_level": ("level",),
    "y_pred": ("y_score", "score"),
    "y_prob": ("y_score", "score"),
    "y_proba": ("y_score", "score"),
    "probas_pred": ("y_score", "score"),
    "predictions": ("y_score", "scores"),
    "alpha": ("level",),
    "significance_level": ("level",),
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


def given_options(function: str, given: Mapping[str, Any], name: str = "score") -> dict[str, Any]:
    """The options that were passed, without None; `score` and `scores` both as `name`."""
    if not given:
        return {}
    options = {n: value for n, value in given.items() if value is not None or n in DEFAULTS}
    other = "scores" if name == "score" else "score"
    if other in options:
        if name in options:
            raise InputError(f"`{function}` was given both `score` and `scores`; pass one of them.")
        options[name] = options.pop(other)
    return options


def named_columns_given(function: str, data: Any, y_score: Any, options: Mapping[str, Any]) -> bool:
    """Whether columns of a frame or file are named; otherwise y_true and y_score must be given."""
    named = {"label", "score"} & options.keys()
    if named and (y_score is not None or len(named) < 2):
        raise InputError(
            f"`{function}` of a frame or file needs both `label` and `score`, the names of the "
            "two columns, and no `y_score`."
        )
    if data is None or (y_score is None and not named):
        raise InputError(
            f"`{function}` needs a tally, or y_true and y_score, or a frame or path with label= "
            "and score=."
        )
    return bool(named)


def first_given(function: str, data: Any, options: dict[str, Any]) -> Any:
    """The first argument, which may have been passed as `y_true`; a path with its format."""
    data = as_text_file(data, {name: options.pop(name, None) for name in TEXT_OPTIONS})
    if "y_true" not in options:
        return data
    if data is not None:
        raise InputError(
            f"`{function}` was given `y_true` twice: by place and by name. The order is "
            "y_true, y_score."
        )
    return options.pop("y_true")


def as_text_file(data: Any, requested: Mapping[str, Any]) -> Any:
    """A path with the format that was requested of its text; all else as it is."""
    if all(value is None for value in requested.values()):
        return data
    from rocwise.engines.text_formats import text_file

    return text_file(data, **requested)


def check_no_other_data(
    function: str, what: str, maker: str, second: Any, options: Mapping[str, Any]
) -> None:
    """An error for more data, or options of rows, together with a tally or pairs."""
    if second is not None:
        raise InputError(f"`{function}` takes {what} and no other data.")
    for name in options:
        raise InputError(
            f"`{name}` describes rows; it does not go with {what}. Give it to `{maker}`."
        )


def check_no_memory_limit(options: Mapping[str, Any]) -> None:
    """An error for a limit of memory for arrays."""
    if options.get("memory_limit") is not None:
        raise InputError(
            "`memory_limit` goes with a file or a frame, whose rows may stay where they are; "
            "y_true and the scores are in memory already."
        )


def check_no_bins(resolution: int | None, cause: str = "`groups`") -> None:
    """An error for bins where single rows are needed."""
    if resolution is not None:
        raise InputError(f"`resolution` does not go with {cause}, which need every row.")


def options_shown(kind: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: list the options of `**given` in the signature, and check their names."""

    def shown(function: Callable[P, R]) -> Callable[P, R]:
        signature = full_signature(function, kind)
        parameters = signature.parameters.values()
        any_number = any(each.kind is each.VAR_POSITIONAL for each in parameters)
        by_place = sum(each.kind is each.POSITIONAL_OR_KEYWORD for each in parameters)
        most = math.inf if any_number else by_place
        models = {"other", "scores"} & signature.parameters.keys()
        several = "; pass the scores of models as a dict: {'a': ..., 'b': ...}" if models else ""

        @ends_traceback
        @functools.wraps(function)
        def call(*data: P.args, **options: P.kwargs) -> R:
            check_names(function, options, signature)
            if len(data) > most:
                raise TypeError(
                    f"{function.__name__}() takes at most {most} positional arguments but "
                    f"{len(data)} were given{several}"
                )
            return function(*data, **options)

        show_options(call, function, signature)
        return call

    return shown


def full_signature(function: Callable[..., Any], kind: Any) -> inspect.Signature:
    """The signature of a function with the options of a kind in place of its `**given`."""
    signature = inspect.signature(function)
    *own, given = signature.parameters.values()
    assert given.kind is given.VAR_KEYWORD
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name))
        for name in DESCRIPTIONS
        if name in kind.__annotations__ and name not in signature.parameters
    ]
    return signature.replace(parameters=[*own, *more])


def show_options(
    call: Callable[..., Any], function: Callable[..., Any], signature: inspect.Signature
) -> None:
    """Show the shared options in the signature and as *Other Parameters* of the docstring."""
    call.__signature__ = signature  # type: ignore[attr-defined]
    if not function.__doc__:
        return  # python -OO
    own = inspect.signature(function).parameters
    shown = {}
    for name, (type_name, description) in DESCRIPTIONS.items():
        if name not in signature.parameters or name in own:
            continue
        if name == "direction" and "censored" in signature.parameters:
            description = "Which scores mean an earlier event, or a higher risk."
        if not {"label", "time"} & signature.parameters.keys():  # arrays only
            type_name = type_name.replace(" or str", "")
            description = description.replace(", or the name of its column", "")
        shown[name] = type_name, description
    text = _with_data(inspect.cleandoc(function.__doc__), own, signature.parameters)
    following = SECTIONS_AFTER.search(text)
    end = following.start() if following else len(text)
    heading = "Other Parameters\n----------------\n"
    before, after = text[:end].rstrip(), text[end:].rstrip()
    call.__doc__ = f"{before}\n\n{heading}{_entries(shown)}\n{after}\n".replace("\n\n\n", "\n\n")


def _entries(described: Mapping[str, tuple[str, str]]) -> str:
    """Entries of a section of parameters."""
    lines = ((f"{name} : {kind}", *_wrapped(text)) for name, (kind, text) in described.items())
    return "".join(f"{line}\n" for entry in lines for line in entry)


@functools.cache
def _wrapped(text: str) -> list[str]:
    """A description as indented lines."""
    return textwrap.wrap(text, 88, initial_indent="    ", subsequent_indent="    ")


def _with_data(text: str, own: Mapping[str, inspect.Parameter], names: Mapping[str, Any]) -> str:
    """The docstring with the entries of the data first, where it has none of its own."""
    starred = {"*" * (each.kind is each.VAR_POSITIONAL) + name for name, each in own.items()}
    kinds = [words for name, words in DATA.items() if name in names and words.keys() <= starred]
    described = kinds[-1].items() if kinds else ()
    absent = (n for n, _ in described if not re.search(rf"(?m)^{re.escape(n)} :", text))
    entries = _entries({n: kinds[-1][n] for n in absent})
    section = "Parameters\n----------\n"
    if section in text:
        return text.replace(section, section + entries, 1)
    return text.replace("Returns\n-------\n", f"{section}{entries}\nReturns\n-------\n", 1)


def check_names(
    function: Callable[..., Any], options: Iterable[str], signature: inspect.Signature
) -> None:
    """An error for unknown keywords that suggests the nearest known one."""
    names = signature.parameters
    wrong = next((name for name in options if name not in names), None)
    if wrong is None:
        return
    from difflib import get_close_matches

    elsewhere = next((ours for ours in OPTIONS_ELSEWHERE.get(wrong, ()) if ours in names), None)
    near = [elsewhere] if elsewhere else get_close_matches(wrong, names, n=1)
    if near == ["level"] and wrong in ("alpha", "significance_level"):
        near = [f"level (1 - {wrong})"]
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise TypeError(f"{function.__name__}() got an unexpected keyword argument {wrong!r}{hint}")
