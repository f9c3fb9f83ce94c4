"""The base class of results, results of groups and models, and the confidence interval.

A result is a small frozen record: read-only arrays, a `repr` that reads like a sentence,
`to_frame()`, `to_dict()` and `plot()`.
"""

import dataclasses
import datetime
import json
import operator
import re
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass, field
from textwrap import indent
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, dataclass_transform

import numpy as np

from rocwise import checks, printing
from rocwise.about import VERSION
from rocwise.errors import InputError, count_of, ends_traceback, listed, shown, spelled_out
from rocwise.immutable import PLAIN, never_written
from rocwise.immutable import json_safe as json_safe
from rocwise.immutable import locked as locked
from rocwise.immutable import read_only as read_only
from rocwise.progress import allowed_interruption
from rocwise.references import keys_of_result, texts_of
from rocwise.tables import ReadOnlyDict as ReadOnlyDict
from rocwise.tables import Table as Table
from rocwise.tables import TextTables, joined, n_rows, with_thresholds_as_text

T = TypeVar("T")
ResultT = TypeVar("ResultT", covariant=True)
Binary = Callable[[Any, Any], Any]  # an operator
SCHEMA = 1  # of `to_dict`: grows when a field changes its name or its meaning
MOST_LINES = 100  # of a printed result
ASIDE = {"aside": True}  # metadata of fields that `to_dict` leaves out
OF_ESTIMATE = ("low", "high", "standard_error")  # what `metrics` names after the estimate
NO_METRICS = {"level", "seed", "n_resamples", "first_row"}


@never_written
@dataclass(frozen=True, slots=True)
class Origin:
    """Where the numbers came from, carried from the data to every result.

    Attributes
    ----------
    frame : str or None
        Kind of data frame of the input ("pandas", "polars", "pyarrow"), and of tables of results.
    direction : {"higher", "lower"}
        Which scores mean positive.
    n_dropped : int
        Rows left out by `missing="drop"`.
    error_bound : float
        Largest possible error of the AUC caused by `resolution=`; 0 when nothing was binned.
    exact_area : bool
        Whether AUC and its standard error are exact all the same: pairs were counted before.
    categories : tuple of str
        Names of the ordered categories when the scores are their positions 0, 1, 2, ...
    name : str or None
        Name of the score (a column, a model).
    n_rows : int or None
        Rows behind the sums of weights; None where rows have no weights.
    n_clusters : int or None
        Clusters that the rows form; None where rows are taken to be independent.
    interrupted : tuple of int or None
        Resamples drawn and requested, where `partial_results` let Ctrl-C end them early.
    read_by : str or None
        How the rows came here where another engine than their own has read them.
    """

    frame: str | None = None
    direction: str = "higher"
    n_dropped: int = 0
    error_bound: float = 0.0
    categories: tuple[str, ...] = ()
    name: str | None = None
    n_rows: int | None = None
    n_clusters: int | None = None
    interrupted: tuple[int, int] | None = None
    exact_area: bool = False
    read_by: str | None = None

    def remarks(self, larger: str = "positive") -> list[str]:
        """Notes about the data; `larger` is what larger scores mean."""
        notes = []
        if self.n_rows is not None:
            notes.append(f"weights of {count_of(self.n_rows, 'row')}")
        if self.n_clusters is not None:
            notes.append(count_of(self.n_clusters, "cluster"))
        if self.direction == "lower":
            notes.append(f"lower scores mean {larger}")
        if self.n_dropped:
            notes.append(f"{count_of(self.n_dropped, 'row')} with missing values left out")
        if self.error_bound > 0:
            whole = "AUC exact; curve in bins: areas of it" if self.exact_area else ""
            text = whole or "scores binned: AUC exact"
            notes.append(f"{text} to ± {printing.bound(self.error_bound)}")
        if self.interrupted is not None:
            notes.append("interrupted: {:,} of {:,} resamples".format(*self.interrupted))
        return [*notes, self.read_by] if self.read_by else notes


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def result(cls: type[T]) -> type[T]:
    """Decorator of result classes: frozen, keyword-only fields, equality by `Result.__eq__`."""
    return dataclass(frozen=True, eq=False, kw_only=True, repr=False)(cls)


class Drawable:
    """Anything that has a plot."""

    __slots__ = ()

    @ends_traceback
    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Plot the result and return the matplotlib axes; see `rocwise.plotting.plot`."""
        from rocwise.plotting import plot

        return plot(self, ax=ax, **options)


@result
class Result(Drawable, TextTables):
    """Base of all results; subclasses add fields and print them by `_sentence`.

    A field made with `field(metadata=ASIDE)` is kept for methods and is no part of
    `to_dict`. `frame_fields` are the columns of `to_frame`: arrays of one length, or one row.
    """

    _larger: ClassVar[str] = "positive"  # what larger scores mean
    frame_fields: ClassVar[tuple[str, ...]] = ()
    group_results: "ClassVar[type[GroupResults[Any]] | None]" = None
    origin: Origin = field(default_factory=Origin)

    def __post_init__(self) -> None:
        contents = self.__dict__
        for name, value in contents.items():
            if type(value) not in PLAIN:
                contents[name] = locked(value)
        self._note_interruption()

    def _note_interruption(self) -> None:
        """Record the number of resamples if Ctrl-C has ended them early."""
        stopped = allowed_interruption()
        if not stopped:
            return
        cut = (stopped.made, stopped.requested)
        object.__setattr__(self, "origin", dataclasses.replace(self.origin, interrupted=cut))
        if getattr(self, "n_resamples", None) == stopped.requested:
            object.__setattr__(self, "n_resamples", stopped.made)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: locked(value) for name, value in state.items()})

    def _sentence(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        return spelled_out("; ".join([self._sentence(), *self.origin.remarks(self._larger)]))

    def __eq__(self, other: object) -> bool:
        """Whether `to_dict` of both is the same."""
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Result)
        return self is other or self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((type(self), self.origin))

    def _columns(self) -> Mapping[str, Any]:
        """Columns of `to_frame`: the arrays of one common length, else one row of scalars."""
        if self.frame_fields:
            values = {name: getattr(self, name) for name in self.frame_fields}
            return {k: v if isinstance(v, np.ndarray) else [v] for k, v in values.items()}
        fields = [f.name for f in dataclasses.fields(self) if not f.metadata.get("aside")]
        values = {name: getattr(self, name) for name in fields}
        arrays = {k: v for k, v in values.items() if isinstance(v, np.ndarray) and v.ndim == 1}
        if arrays:
            return arrays
        return {k: [v] for k, v in values.items() if isinstance(v, (int, float, str))}

    def _table_columns(self) -> Mapping[str, Any]:
        return self._columns()

    def _columns_to_read(self) -> Mapping[str, Any]:
        return with_thresholds_as_text(self._columns(), self)

    def _notes(self) -> str:
        return repr(self)

    def _in_words(self) -> str:
        return repr(self) if n_rows(self._columns()) == 1 else ""

    def to_frame(self) -> Any:
        """The result as a table: the user's own kind of frame if one was given, else a `Table`."""
        frame = as_frame(self._columns(), self.origin.frame)
        if isinstance(frame, Table):
            frame.result = self
        return frame

    def _method_words(self) -> list[str]:
        """Words about methods whose sources are cited, besides those in fields of that name."""
        return []

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON-safe values, with references; infinities become None."""
        shown = [f.name for f in dataclasses.fields(self) if not f.metadata.get("aside")]
        plain = {name: json_safe(getattr(self, name)) for name in shown}
        head = {"kind": type(self).__name__, "schema": SCHEMA, "rocwise": VERSION}
        return head | plain | {"references": texts_of(keys_of_result(self))}

    def to_json(self) -> str:
        """`to_dict` as JSON."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def metrics(self) -> dict[str, float]:
        """The single numbers of the result by name, as trackers of experiments log them.

        An interval gives ``..._low`` and ``..._high``; in a table of several models or pairs of
        models names begin with those of the models. Columns and undefined values are left out.

        Examples
        --------
        >>> import rocwise as rw
        >>> area = rw.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> list(area.metrics())
        ['auc', 'auc_low', 'auc_high', 'auc_standard_error', 'n_pos', 'n_neg']
        """
        fields = [f.name for f in dataclasses.fields(self) if not f.metadata.get("aside")]
        contents = {name: getattr(self, name) for name in fields if name != "origin"}
        if isinstance(self, Number) and getattr(self, "has_interval", True):
            contents |= {name: getattr(self, name, None) for name in ("standard_error", "interval")}
        found = {k: v for name, each in contents.items() for k, v in _numbers(name, each)}
        columns = {name: np.ma.asarray(each).ravel() for name, each in self._columns().items()}
        words = [name for name, each in columns.items() if each.dtype.kind in "UO"][:2]
        n_rows = min(map(len, columns.values()), default=0)
        if n_rows == 1 or (words and {"first", "second"} <= columns.keys()):
            for row in range(n_rows):
                own = " - ".join(str(columns[name][row]) for name in words)
                start = f"{own}." if n_rows > 1 else ""
                for name, column in columns.items():
                    found |= dict(_numbers(f"{start}{name}", column[row]))
        return self._named(found)

    def _metric(self) -> str:
        """What the estimate is called in `metrics`."""
        quantity = getattr(self, "quantity", "")
        return "_".join(re.findall(r"\w+", quantity.lower())) if isinstance(quantity, str) else ""

    def _named(self, found: Mapping[str, float]) -> dict[str, float]:
        """The numbers with the name of the estimate, estimates and limits first."""
        own = self._metric()
        names = {"value": own or "value"} | {k: f"{own}_{k}" if own else k for k in OF_ESTIMATE}
        first = {names[name]: found[name] for name in names if name in found}
        return first | {
            name: value
            for name, value in found.items()
            if name not in names and name.rpartition(".")[2] not in NO_METRICS
        }


def dates_as_text(group: Any) -> Any:
    """A group, or each part of it, with dates as ISO text without the time where it is midnight."""
    if isinstance(group, tuple):
        return tuple(map(dates_as_text, group))
    if isinstance(group, datetime.datetime):
        return group.isoformat(sep=" ").removesuffix(" 00:00:00")
    return group.isoformat() if isinstance(group, datetime.date) else group


def _numbers(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """A value as numbers by name; nothing for text, columns and what is undefined."""
    if isinstance(value, Interval):
        start = name.removesuffix("interval")
        start = start if not start or start.endswith("_") else f"{start}_"
        yield from ((f"{start}low", value.low), (f"{start}high", value.high))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _numbers(f"{name}.{_key(key)}", each)
    elif isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        yield from [] if np.isnan(value) else [(name, float(value))]


def _by_float(compute: Callable[[float, float], Any]) -> Binary:
    """A method that computes with the values of both."""

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, (Number, int, float, np.number)):
            return NotImplemented
        return compute(float(self), float(other))

    return method


class Number:
    """A result that behaves in formats, comparisons and arithmetic as its value does."""

    __slots__ = ()

    def __float__(self) -> float:
        return float(self.value)  # type: ignore[attr-defined]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(float(self), dtype)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, float, np.number)):
            return float(self) == float(other)
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(float(self))

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __neg__(self) -> float:
        return -float(self)

    def __abs__(self) -> float:
        return abs(float(self))

    def __lt__(self, other: Any) -> Any:  # by `def`: type checkers accept `max` and `sorted`
        return _by_float(operator.lt)(self, other)

    __le__: ClassVar[Binary] = _by_float(operator.le)
    __gt__: ClassVar[Binary] = _by_float(operator.gt)
    __ge__: ClassVar[Binary] = _by_float(operator.ge)
    __add__: ClassVar[Binary] = _by_float(operator.add)
    __radd__: ClassVar[Binary] = __add__
    __mul__: ClassVar[Binary] = _by_float(operator.mul)
    __rmul__: ClassVar[Binary] = __mul__
    __sub__: ClassVar[Binary] = _by_float(operator.sub)
    __rsub__: ClassVar[Binary] = _by_float(lambda own, other: other - own)
    __truediv__: ClassVar[Binary] = _by_float(operator.truediv)
    __rtruediv__: ClassVar[Binary] = _by_float(lambda own, other: other / own)


@result
class Undefined(Result):
    """No result for a group of rows, and the reason.

    Attributes
    ----------
    reason : str
        Why there is no result.
    n_pos, n_neg : float
        Positives and negatives in the group.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("n_pos", "n_neg", "reason")
    reason: str
    n_pos: float
    n_neg: float

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"this group has no result and no {name!r}: {self.reason}")

    def _sentence(self) -> str:
        return f"no result: {self.reason}"


@result
class SeveralResults(Result, Generic[ResultT]):
    """Results of one function for several groups of rows, or for several models, as in a dict.

    Attributes
    ----------
    column : str or tuple of str
        What the first column of the table, or the first columns, are called.
    results : dict
        The result of each.
    """

    each_is: ClassVar[str] = "result"
    column: str | tuple[str, ...]
    results: dict[Any, ResultT]

    @property
    def defined(self) -> dict[Any, Any]:
        """The results without those that are undefined."""
        return {k: each for k, each in self.results.items() if not isinstance(each, Undefined)}

    @property
    def _titles(self) -> tuple[str, ...]:
        return (self.column,) if isinstance(self.column, str) else self.column

    def _title(self, name: Any) -> str:
        """What a result is called in a sentence: ``site west``, ``day 3, site west``."""
        if self.column == "model":
            return str(name)
        name = dates_as_text(name)
        values = (name,) if len(self._titles) == 1 else name
        return ", ".join(f"{t} {v}" for t, v in zip(self._titles, values, strict=True))

    def __getitem__(self, name: Any) -> ResultT:
        if name in self.results:
            return self.results[name]
        for key, result in self.results.items():  # dates may be given as text
            if (written := dates_as_text(key)) != key and written == name:
                return result
        known = listed(map(dates_as_text, self.results))
        raise KeyError(f"{name!r} is not a {self.each_is}; the {self.each_is}s are {known}.")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def keys(self) -> KeysView[Any]:
        """The names."""
        return self.results.keys()

    def values(self) -> ValuesView[ResultT]:
        """The results."""
        return self.results.values()

    def items(self) -> ItemsView[Any, ResultT]:
        """Names and results."""
        return self.results.items()

    def metrics(self) -> dict[str, float]:
        """The single numbers of each result, with its name before a point."""
        fields = {k: v for k, v in self.__dict__.items() if k not in ("results", "origin")}
        found = {k: v for name, each in fields.items() for k, v in _numbers(name, each)}
        for name, result in self.results.items():
            own = (
                result.metrics() if isinstance(result, Result) else dict(_numbers("value", result))
            )
            found |= {f"{_key(name)}.{key}": value for key, value in own.items()}
        return found

    def _sentence(self) -> str:
        shown = list(self.results)[:MOST_LINES]
        lines = [_named_lines(self._title(name), str(self.results[name])) for name in shown]
        if more := len(self.results) - len(shown):
            lines.append(f"... and {count_of(more, 'more ' + self.each_is)}; to_frame() has all")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return spelled_out(self._sentence())

    def _notes(self) -> str:
        return "\n".join(self.origin.remarks())  # each is described in the table

    def _in_words(self) -> str:
        return ""

    def _level(self) -> float | None:
        levels = {getattr(each, "level", None) for each in self.defined.values()}
        return levels.pop() if len(levels) == 1 else None

    def _columns(self) -> Mapping[str, Any]:
        return self._joined(_columns_of)

    def _columns_to_read(self) -> Mapping[str, Any]:
        return self._joined(_columns_to_read_of)

    def _joined(self, columns_of: Callable[[Any], Mapping[str, Any]]) -> Mapping[str, Any]:
        """The tables of all results below each other; an undefined one is a row with its reason."""
        parts = {name: columns_of(result) for name, result in self.results.items()}
        kept = {"reason"}.union(*(parts[name] for name in self.defined))
        tables = [{k: v for k, v in part.items() if k in kept} for part in parts.values()]
        names = [name if isinstance(name, tuple) else (name,) for name in parts]
        return joined(tables, self._titles, names)

    def to_dict(self) -> dict[str, Any]:
        """The results as plain JSON-safe values."""
        plain = {_key(group): json_safe(result) for group, result in self.results.items()}
        return super().to_dict() | {"results": plain}

    def panels(self) -> dict[str, Any]:
        """The results by name, for a plot with one or several panels."""
        several = [
            (_key(name), result.panels() if isinstance(result, SeveralResults) else {"": result})
            for name, result in self.defined.items()
        ]
        return {
            ", ".join(filter(None, (name, part))): each
            for name, parts in several
            for part, each in parts.items()
        }


@result
class GroupResults(SeveralResults[ResultT]):
    """Results of one function for every group of rows (`by=`).

    `column` is the name of the column of groups, or "group"; `results` are in the sorted order of
    the groups. A result class that can test equality of all groups names the class
    with that test as its `group_results`.
    """

    each_is = "group"

    @property
    def groups(self) -> tuple[Any, ...]:
        """The groups, sorted."""
        return tuple(self.results)

    def _sentence(self) -> str:
        """Rows left out are counted in all groups together."""
        text = super()._sentence()
        for remark in Origin(n_dropped=self.origin.n_dropped).remarks():
            text = text.replace(f"; {remark}", "") + f"\n{remark}"
        return text

    @classmethod
    def _with_pooled(cls, pool: Any, **fields: Any) -> "GroupResults[Any]":  # noqa: ARG003
        """The results of groups; `pool` computes the result of all rows, for a class with one."""
        return cls(**fields)

    if TYPE_CHECKING:  # of the class that tests equality of all groups

        def __getattr__(self, name: str) -> Any: ...


@result
class ModelResults(SeveralResults[ResultT]):
    """Results of one function for every model of a `Pairs`, in its order.

    Examples
    --------
    >>> import rocwise as rw
    >>> pairs = rw.pair([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    >>> areas = rw.auc(pairs)
    >>> areas.names, areas["b"].value, areas.to_frame()["value"].tolist()
    (('a', 'b'), 0.75, [1.0, 0.75])
    """

    each_is = "model"
    column: str = "model"

    @property
    def names(self) -> tuple[str, ...]:
        """The models, in order."""
        return tuple(self.results)


def results_by_name(data: Any, found: Any) -> dict[str, Any]:
    """The results of all models by their names; that of one model by the first name of `data`."""
    return dict(found.results) if isinstance(found, ModelResults) else {data.names[0]: found}


def _key(name: Any) -> str:
    """The name of a model or group as text."""
    name = dates_as_text(name)
    return ", ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _named_lines(name: str, text: str) -> str:
    """A result after its name; several lines are indented below it."""
    return f"{name}:\n{indent(text, '  ')}" if "\n" in text else f"{name}: {text}"


def _columns_of(result: Any) -> Mapping[str, Any]:
    return result._columns() if isinstance(result, Result) else {"value": [result]}


def _columns_to_read_of(result: Any) -> Mapping[str, Any]:
    return result._columns_to_read() if isinstance(result, Result) else _columns_of(result)


@never_written
@dataclass(frozen=True, slots=True)
class Interval(Drawable, TextTables):
    """Confidence interval with its level and method.

    Examples
    --------
    >>> Interval(0.749, 0.778, level=0.95, method="DeLong")
    0.749 to 0.778 (95% CI, DeLong)
    """

    low: float
    high: float
    level: float = 0.95
    method: str = ""
    mean: float | None = None

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, limit(getattr(self, name), name))
        if self.low > self.high:
            raise InputError(f"`low` must not exceed `high`; got {self.low:g} and {self.high:g}.")
        object.__setattr__(self, "level", checks.fraction(self.level, "level"))
        if not isinstance(self.method, str):
            raise InputError(f"`method` must be text; got {shown(self.method)}.")
        if self.mean is not None:
            object.__setattr__(self, "mean", checks.real(self.mean, "mean"))

    def __iter__(self) -> Any:
        return iter((self.low, self.high))

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __repr__(self) -> str:
        how = f", {self.method}" if self.method else ""
        return f"{self.low:.3f} to {self.high:.3f} ({printing.percent(self.level)} CI{how})"

    def _table_columns(self) -> Mapping[str, Any]:
        values = {f.name: [getattr(self, f.name)] for f in dataclasses.fields(self)}
        return {name: value for name, value in values.items() if value != [None]}

    def _in_words(self) -> str:
        return repr(self)

    def to_frame(self) -> Any:
        """One row with the limits, as a `Table`."""
        return as_frame(self._table_columns(), None)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-safe values."""
        return {f.name: json_safe(getattr(self, f.name)) for f in dataclasses.fields(self)}

    def to_json(self) -> str:
        """`to_dict` as JSON."""
        return json.dumps(self.to_dict())


@result
class Resampled(Result):
    """Base of results that may rest on resamples; both fields are None where nothing was drawn."""

    seed: int | None = None
    n_resamples: int | None = None

    def __repr__(self) -> str:
        text, drawn = super().__repr__(), self._draw_words()
        return text if drawn.removeprefix("; ") in text else text + drawn

    def _method_words(self) -> list[str]:
        return ["bootstrap"] if self.n_resamples else []

    def _draw_words(self) -> str:
        """Number and seed of the resamples, for the end of a sentence; empty without."""
        if self.seed is None or self.n_resamples is None:
            return ""
        return f"; {self.n_resamples:,} resamples, seed {self.seed}"


@result
class Estimate(Number, Resampled):
    """A number from 0 to 1 with its standard error and confidence interval."""

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("value", "standard_error", "low", "high", "level", "method"),
        *("n_pos", "n_neg"),
    )
    value: float
    standard_error: float | None
    interval: Interval

    @property
    def low(self) -> float:
        """Lower confidence limit."""
        return self.interval.low

    @property
    def high(self) -> float:
        """Upper confidence limit."""
        return self.interval.high

    @property
    def level(self) -> float:
        """Confidence level."""
        return self.interval.level

    @property
    def method(self) -> str:
        """Method of the confidence interval."""
        return self.interval.method


def limit(value: Any, argument: str) -> float:
    """An end of an interval: a number, or an infinity where there is no limit."""
    if isinstance(value, (float, np.floating)) and np.isinf(value):
        return float(value)
    return checks.real(value, argument)


def as_frame(columns: Mapping[str, Any], frame: str | None) -> Any:
    """Columns as a frame of the named kind, or as a `Table`."""
    arrays = {name: np.asanyarray(values) for name, values in columns.items()}  # masks stay
    if frame is None:
        return Table(arrays)
    import narwhals as nw

    # objects (numbers among None) go as lists, for the library to find the type and the nulls
    found = {n: a.tolist() if a.dtype.kind == "O" else a for n, a in arrays.items()}
    backend: Any = frame
    for name, column in found.items():
        if frame == "polars" and np.ma.isMaskedArray(column):  # before 2.1 it looks at no mask
            kind = nw.new_series(name, np.asarray(column), backend=backend).dtype
            found[name] = nw.new_series(name, column.tolist(), kind, backend=backend)
    return nw.from_dict(found, backend=backend).to_native()
