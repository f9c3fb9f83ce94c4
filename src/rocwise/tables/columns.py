"""Tables by column, of one answer or of several, which know how to write themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocwise import checks, printing
from rocwise.errors import count_of
from rocwise.tables.texts import (
    DIGITS,
    ROWS_SHOWN,
    NumberTexts,
    TextColumn,
    csv_text,
    html_text,
    latex_text,
    markdown_text,
    n_rows,
    plain_text,
)
from rocwise.whole_files import write_whole

MOST_DIGITS = 17  # a float has no more
AT_ONCE = 10_000  # answers whose columns are in memory beside each other


class ReadOnlyDict(dict[Any, Any]):
    """A dict, for `json` and for printing too, that cannot be written to.

    Examples
    --------
    >>> ReadOnlyDict(a=1) | {"b": 2}
    {'a': 1, 'b': 2}
    """

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("the dict of a result cannot be changed; dict(...) makes a copy that can.")

    if not TYPE_CHECKING:  # to a type checker it is a dict
        __setitem__ = __delitem__ = __ior__ = _refuse
        update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> Any:
        return type(self), (dict(self),)


class TextTables:
    """Anything that has a table: it writes it as text, with or without a frame library."""

    __slots__ = ()

    def _table_columns(self) -> Mapping[str, Any]:
        """The columns, with every digit."""
        raise NotImplementedError

    def _columns_to_read(self) -> Mapping[str, Any]:
        """The columns as a reader wants them; where nothing else is said, the same."""
        return self._table_columns()

    def _words_above(self) -> str:
        """What stands above the table in a notebook."""
        return ""

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        r"""The table as csv with every digit; missing values are empty. Also to a file.

        Parameters
        ----------
        path : str or Path, optional
            Where to write it, too, in UTF-8.

        Examples
        --------
        >>> import rocwise as rw
        >>> rw.roc([0, 1], [1, 2]).to_csv()
        'fpr,tpr,thresholds\n0.0,0.0,inf\n0.0,1.0,2.0\n1.0,1.0,1.0\n'
        """
        text = csv_text(self._table_columns())
        if path is not None:
            write_whole(path, text)
        return text

    def to_markdown(self, *, digits: int = DIGITS) -> str:
        """The table in Markdown, numbers with `digits` decimals.

        Examples
        --------
        >>> import rocwise as rw
        >>> print(rw.step_area([0, 1], [1, 2]).to_markdown())
        | value | area  | perfect area | ties         |
        | ----: | ----: | -----------: | :----------- |
        | 1.000 | 1.000 |            1 | simultaneous |
        """
        return markdown_text(self._columns_to_read(), _checked(digits))

    def to_latex(self, *, digits: int = DIGITS) -> str:
        r"""The table as a LaTeX tabular with the rules of the package booktabs.

        Examples
        --------
        >>> import rocwise as rw
        >>> print(rw.step_area([0, 1], [1, 2]).to_latex().splitlines()[0])
        \begin{tabular}{rrrl}
        """
        return latex_text(self._columns_to_read(), _checked(digits))

    def to_string(self, *, digits: int = DIGITS) -> str:
        """The table as plain text, all rows of it.

        Examples
        --------
        >>> import rocwise as rw
        >>> print(rw.step_area([0, 1], [1, 2]).to_string())
        value   area  perfect area  ties
        1.000  1.000             1  simultaneous
        """
        columns = self._columns_to_read()
        return plain_text(columns, _checked(digits), most=n_rows(columns))

    def to_html(self, *, digits: int = DIGITS) -> str:
        """The table as HTML; whatever names and values hold is escaped."""
        return html_text(self._columns_to_read(), _checked(digits))

    def _repr_html_(self) -> str:
        from html import escape

        words = "<br>".join(map(escape, self._words_above().splitlines()))
        above = f"<p>{words}</p>\n" if words else ""
        return above + html_text(self._columns_to_read(), DIGITS, most=ROWS_SHOWN)


class Table(ReadOnlyDict, TextTables):
    """Columns by name; `pandas.DataFrame(table)` and `polars.DataFrame(table)` take it as it is.

    Examples
    --------
    >>> import rocwise as rw
    >>> print(rw.auc([0, 0, 1, 1], [1, 3, 2, 4]).to_frame().to_csv().splitlines()[0])
    value,standard_error,low,high,level,method,n_pos,n_neg
    """

    answer: Any = None  # the result that it is of, which knows how thresholds are written

    def _table_columns(self) -> Mapping[str, Any]:
        return self

    def _columns_to_read(self) -> Mapping[str, Any]:
        return self if self.answer is None else with_thresholds_as_text(self, self.answer)

    def __repr__(self) -> str:
        return f"Table of {count_of(n_rows(self), 'row')}: {', '.join(map(str, self))}"

    def __str__(self) -> str:
        return plain_text(self._columns_to_read())


def _checked(digits: Any) -> int:
    return checks.whole(digits, "digits", at_least=0, at_most=MOST_DIGITS)


def with_thresholds_as_text(columns: Mapping[str, Any], answer: Any) -> dict[str, Any]:
    """Thresholds in the fewest digits that recount the same cases, as they stand everywhere.

    An answer has the text of its one threshold as `..._text`, or thresholds of all the scores that
    it knows, `observed_scores` or those of its `data`.
    """
    written = {name: getattr(answer, f"{name}_text", None) for name in columns}
    texts: dict[str, Any] = {
        name: NumberTexts([text]) for name, text in written.items() if isinstance(text, str)
    }
    known = getattr(getattr(answer, "data", None), "scores", None)
    scores = getattr(answer, "observed_scores", known)
    values = columns.get("thresholds", columns.get("threshold"))
    if isinstance(scores, np.ndarray) and isinstance(values, np.ndarray):
        origin = answer.origin
        how = {"direction": origin.direction, "categories": origin.categories}
        name = "thresholds" if "thresholds" in columns else "threshold"
        texts[name] = TextColumn(values, partial(printing.number_text, scores, **how))
    doubled = {f"{name}_text" for name in texts}
    return {n: texts.get(n, column) for n, column in columns.items() if n not in doubled}


def joined(parts: Sequence[Mapping[str, Any]], title: str, names: Sequence[Any]) -> dict[str, Any]:
    """One table of several with the same columns; the first column says which rows are whose."""
    whose = [name for name, part in zip(names, parts, strict=True) for _ in range(n_rows(part))]
    columns: dict[str, Any] = {title: np.asarray(whose)}
    for column in parts[0]:
        if isinstance(parts[0][column], (TextColumn, NumberTexts)):
            columns[column] = NumberTexts(text for part in parts for text in part[column])
            continue
        pieces = [np.asanyarray(part[column]) for part in parts]
        masked = any(isinstance(piece, np.ma.MaskedArray) for piece in pieces)
        join: Any = np.ma.concatenate if masked else np.concatenate
        columns[column] = join(pieces)
    return columns


def joined_in_turn(
    answers: Mapping[Any, Any], columns_of: Callable[[Any], Mapping[str, Any]], title: str
) -> dict[str, Any]:
    """One table of the columns of many answers, of which only some are in memory at a time."""
    names, tables = list(answers), []
    for start in range(0, len(names), AT_ONCE):
        some = names[start : start + AT_ONCE]
        tables.append(joined([columns_of(answers[name]) for name in some], title, some))
    if len(tables) == 1:
        return tables[0]
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}
