"""`follow_up`: times, events and scores of rows with censoring, from arrays, frames and files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypedDict, TypeVar, Unpack, cast, overload

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Floats
from rocwise.data.follow_ups import CENSORED, COMPETING, EVENT, FollowUp
from rocwise.errors import InputError, MisuseWarning, listed, shown, warn
from rocwise.inputs.labels import equal_to, label_text
from rocwise.inputs.options import check_no_other_data, options_shown
from rocwise.inputs.rows import (
    DIRECTIONS,
    Direction,
    Missing,
    clean_columns,
    frame_vectors,
    same_length,
    vectors_of,
)
from rocwise.inputs.scores import score_column, score_names
from rocwise.inputs.vectors import Vector, check_names_differ, model_number, one_or_several
from rocwise.results import ModelResults, Origin

P = ParamSpec("P")
Each = TypeVar("Each", covariant=True)
ROLES = ("time", "event", "entry", "sample_weight", "groups", "censoring_by")


class TimeOptions(TypedDict, total=False):
    """Options of rows with censoring, besides events and several scores."""

    score: Any
    time: Any
    entry: Any
    cause: Any
    censored: Any
    sample_weight: Any
    groups: Any
    direction: Direction
    missing: Missing


class FollowUpOptions(TimeOptions, total=False):
    """The same with events, scores and strata of censoring; of a `FollowUp` strata alone."""

    event: Any
    scores: Any
    censoring_by: Any


class Scored(Protocol[P, Each]):
    """The types of a function of rows with censoring: results of one score, and of several."""

    __name__: str

    @overload
    def __call__(self, data: FollowUp, *times: Any, time: None = None, **options: Any) -> Any: ...
    @overload
    def __call__(
        self, time: Any, event: Any, scores: Mapping[str, Any], *times: Any, **options: Any
    ) -> ModelResults[Each]: ...
    @overload
    def __call__(
        self, *data: Any, scores: list[str] | Mapping[str, Any], **options: Any
    ) -> ModelResults[Each]: ...
    @overload
    def __call__(self, *data: P.args, **options: P.kwargs) -> Each: ...


def scored(options: Any, each: type[Each]) -> Callable[[Callable[P, Any]], Scored[P, Each]]:  # noqa: ARG001
    """Decorator: `options_shown`, with the types of the results."""
    return cast(Callable[[Callable[P, Any]], Scored[P, Each]], options_shown(options))


@options_shown(TimeOptions)
def follow_up(
    data: Any = None, event: Any = None, scores: Any = None, **given: Unpack[TimeOptions]
) -> FollowUp:
    """Sort rows with censored outcomes by time, for the functions of `rocwise.survival`.

    There are two forms: ``follow_up(time, event, scores)`` of arrays and
    ``follow_up(frame_or_path, time=, event=, score=)`` of columns.

    Parameters
    ----------
    data : array-like, DataFrame or path
        Time of each row, from 0; or a data frame or the path of a file.
    event : array-like or str
        Whether each row ends with the event: 0/1, booleans, or codes with `cause` and `censored`;
        or the name of the column.
    scores : array-like, dict of str to array-like, 2-D array or list of str, optional
        Scores of one or several models; or the names of their columns. Higher scores mean an
        earlier event, unless direction="lower".

    Returns
    -------
    FollowUp
        Rows by time, with the method ``tally(time)`` for functions of two classes.

    See Also
    --------
    rocwise.survival.auc : AUC by a horizon.
    rocwise.tally : Two classes without censoring.

    References
    ----------
    P. Blanche, J.-F. Dartigues and H. Jacqmin-Gadda, "Estimating and comparing time-dependent areas
    under receiver operating characteristic curves for censored event times with competing risks",
    Stat. Med. 32, 2013. doi:10.1002/sim.5958

    Examples
    --------
    >>> import rocwise as rw
    >>> f = rw.survival.follow_up([1, 2, 3, 4, 5], [1, 0, 1, 1, 0], [0.9, 0.4, 0.8, 0.3, 0.1])
    >>> f
    FollowUp: 5 rows, 3 events, 2 censored; times 1 to 5
    >>> rw.threshold(f.tally(3.5), rule="youden").threshold
    0.8
    """
    options = {**given, "event": event, "scores": scores}
    return as_follow_up("follow_up", data, (), options, timed=False)[0]


def is_source(data: Any, time: Any = None) -> bool:
    """Whether this is a frame or path, not an array: columns of it are given by name."""
    kinds = (str, Path, Mapping)
    return isinstance(time, str) or isinstance(data, kinds) or hasattr(data, "columns")


def as_follow_up(
    function: str,
    data: Any,
    columns: Sequence[Any],
    given: Mapping[str, Any],
    *,
    times: Any = None,
    timed: bool = True,
) -> tuple[FollowUp, Any]:
    """The follow-up of the arguments of a function, and its horizons, given by name or last."""
    given = {name: value for name, value in given.items() if value is not None}
    arrays = not (isinstance(data, FollowUp) or data is None or is_source(data, given.get("time")))
    n_columns = 2 if arrays and "event" not in given else 0
    most = n_columns + (1 if timed else 0)
    if len(columns) > most or (arrays and n_columns and len(columns) < 1):
        last = ", times" if timed else ""
        raise InputError(
            f"`{function}` needs (follow_up{last}), (time, event, score{last}), or a frame or path"
            f"{last} with time=, event= and score=; got {1 + len(columns)} arguments by position."
        )
    if len(columns) > n_columns:
        if times is not None:
            raise InputError(f"`{function}` was given `times` twice: by place and by name.")
        times = columns[-1]
    if isinstance(data, FollowUp):
        strata = given.pop("censoring_by", None)
        check_no_other_data(function, "a FollowUp", "follow_up", None, given)
        return (data if strata is None else _with_strata(data, strata)), times
    if arrays:
        own = dict(zip(("event", "scores"), columns[:n_columns], strict=False))
        for name in ("time", *own):
            if name in given:
                raise InputError(f"`{function}` was given `{name}` twice: by place and by name.")
        given |= {"time": data, **own}
        data = None
    return _follow_up(function, data, given), times


def _with_strata(f: FollowUp, strata: Any) -> FollowUp:
    """The follow-up with the strata of its rows, given in the order of the data."""
    column = vectors_of({"censoring_by": strata})["censoring_by"]
    if len(column) != len(f):
        raise InputError(
            f"`censoring_by` has {len(column):,} values but the FollowUp has {len(f):,} rows."
        )
    codes, names = _strata_of(column, f.entry)
    return f._with(strata=codes[f.order], strata_names=names)


def _strata_of(column: Vector, entry: Any) -> tuple[Array, tuple[str, ...]]:
    if entry is not None:
        raise InputError("`censoring_by` does not go with `entry`.")
    if column.missing is not None:
        raise InputError("`censoring_by` has missing values.")
    values, codes = column.distinct()
    return codes, tuple(label_text(each) for each in values)


def _follow_up(function: str, data: Any, given: Mapping[str, Any]) -> FollowUp:
    """The follow-up of columns of a frame or file, or of arrays, by the names of their roles."""
    given = {name: value for name, value in given.items() if value is not None}
    if "score" in given and "scores" in given:
        raise InputError(f"`{function}` was given both `score` and `scores`; pass one of them.")
    scores = given.get("scores", given.get("score"))
    if "time" not in given or "event" not in given or (function != "follow_up" and scores is None):
        raise InputError(
            f"`{function}` needs a FollowUp, or time, event and score, or a frame or path with "
            "time=, event= and score=, the names of columns."
        )
    roles = {name: given[name] for name in ROLES if name in given}
    if data is None:
        named = "scores", "score", model_number
        models = {} if scores is None else one_or_several(scores, *named)
        if scores is not None and not models:
            raise InputError("`scores` is empty; at least one score is needed.")
        columns = vectors_of(roles | {name: values for name, (_, values) in models.items()})
        names = {name: name for name in roles}
        models_by_column = {name: model for name, (model, _) in models.items()}
    else:
        checks.column_names(**roles)
        wanted = [] if scores is None else score_names(scores)
        check_names_differ(wanted)
        columns = frame_vectors(data, [*roles.values(), *wanted])
        names, models_by_column = roles, {name: name for name in wanted}
    same_length(columns)
    return _checked(columns, names, models_by_column, given)


def _checked(
    columns: dict[str, Vector],
    names: Mapping[str, str],
    models: Mapping[str, str],
    given: Mapping[str, Any],
) -> FollowUp:
    """The follow-up of columns, of which `names` are those of roles and `models` the scores."""
    direction = given.get("direction", "higher")
    checks.one_of(direction, "direction", DIRECTIONS)
    weight, groups = (names.get(role, "") for role in ("sample_weight", "groups"))
    clean = clean_columns(columns, given.get("missing", "raise"), weight=weight, groups=groups)
    found = clean.columns
    time = _times(found[names["time"]], names["time"])
    strata, strata_names = None, tuple[str, ...]()
    if "censoring_by" in names:
        strata, strata_names = _strata_of(found[names["censoring_by"]], names.get("entry"))
    rows = {
        "time": time,
        "status": _status(found[names["event"]], names["event"], given),
        "entry": _entries(found, names, time) if "entry" in names else None,
        "weights": clean.weights,
        "clusters": clean.clusters,
        "strata": strata,
    }
    if clean.clusters is not None and clean.clusters.max() == 0:
        raise InputError(f"`{groups}` has one cluster; at least two are needed.")
    scores = {
        model: score_column(
            found[name],
            name,
            direction=direction,
            origin=Origin(frame=clean.origin.frame, n_dropped=clean.origin.n_dropped, name=model),
        )  # sorting copies it
        for name, model in models.items()
    }
    origin = replace(clean.origin, direction=direction)
    return FollowUp.from_rows(scores, rows, strata_names=strata_names, origin=origin)


def _numbers(column: Vector, argument: str) -> Floats:
    """A column of numbers; dates and text are no times."""
    kind = column.values.dtype.kind
    if kind in "mM":
        raise InputError(
            f"`{argument}` contains dates; subtract the start and pass numbers, such as days."
        )
    if kind not in "biuf" or column.categories:
        raise InputError(
            f"`{argument}` must contain numbers; got {listed(column.named[:1])}{column.at(0)}."
        )
    return column.values.astype(np.float64, copy=False)


def _times(column: Vector, argument: str) -> Floats:
    values = _numbers(column, argument)
    wrong = ~((values >= 0) & (values < np.inf))
    if wrong.any():
        k = int(wrong.argmax())
        raise InputError(
            f"`{argument}` is {values[k]:g}{column.at(k)}; times must be finite and 0 or more."
        )
    return values


def _entries(found: Mapping[str, Vector], names: Mapping[str, str], time: Floats) -> Floats | None:
    """Times of entry; None where all rows are there from the start."""
    column = found[names["entry"]]
    values = _numbers(column, names["entry"])
    late = values >= time
    if late.any():
        k = int(late.argmax())
        raise InputError(
            f"`{names['entry']}` is {values[k]:g}{column.at(k)}, whose `{names['time']}` is "
            f"{time[k]:g}; entry must be before time."
        )
    return values if (values >= time.min()).any() else None


def _status(column: Vector, argument: str, given: Mapping[str, Any]) -> Array:
    """0 censored, 1 event of interest, 2 competing event of each row."""
    if column.values.dtype.kind == "b" and not {"cause", "censored"} & given.keys():
        return column.values.astype(np.int8)
    values, codes = column.distinct()
    known = ", ".join([shown(each) for each in values][:6])
    cause, censored = given.get("cause", 1), given.get("censored", 0)
    events, no_event = equal_to(values, cause, "cause"), equal_to(values, censored, "censored")
    numbers = values.dtype.kind in "biuf"
    if "cause" in given and not events.any():
        raise InputError(f"`cause` {shown(cause)} is not in `{argument}`: {known}.")
    if "censored" in given and not no_event.any() and equal_to(values, 0).any():
        raise InputError(f"`censored` {shown(censored)} is not in `{argument}`: {known}.")
    if "cause" not in given and not (numbers and set(values.tolist()) <= {0, 1}):
        if not (numbers and events.any() and no_event.any()):
            raise InputError(
                f"`{argument}` has the values {known}; pass the event (cause=) and the value that "
                "means censored (censored=); others are competing events."
            )
        warn(
            f"`{argument}` has the values {known}: 1 is taken as the event, others than 0 as "
            "competing events. Pass cause=1 to confirm.",
            MisuseWarning,
        )
    if "censored" not in given and not no_event.any():
        if np.count_nonzero(~events) == 1:  # of two values the other one
            no_event = ~events
            if numbers:
                warn(
                    f"`{argument}` has the values {known}: {shown(values[no_event][0])} is taken "
                    "as censored. Pass censored= to confirm; if it is a competing event, pass "
                    "censored=0.",
                    MisuseWarning,
                )
        elif not numbers:
            raise InputError(
                f"`{argument}` has the values {known}; pass that of censored rows (censored=); "
                "others than cause= are competing events."
            )
    if (events & no_event).any():
        raise InputError(f"`cause` and `censored` are both {shown(cause)}; they must differ.")
    status = np.full(len(values), COMPETING, np.int8)
    status[no_event], status[events] = CENSORED, EVENT
    return status[codes]
