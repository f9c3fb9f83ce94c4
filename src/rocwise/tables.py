"""Tables by column, of one result or several, as text, csv, Markdown, LaTeX and HTML."""

import csv
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os import PathLike
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocwise import checks, printing
from rocwise.atomic_write import atomic_write
from rocwise.errors import InputError, count_of

DIGITS = 3
MOST_WRITTEN = 1e12  # larger numbers have an exponent
MOST_DIGITS = 17  # a float has no more
ROWS_SHOWN = 20  # of a longer table in a notebook or on a terminal
MOST_COLUMNS = 8  # of a table in a notebook
SMALLEST_P = 0.001
MINUS = re.compile(r"(?<![\w.])-(?=[\d∞])")  # before a number
LATEX_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


Path = str | PathLike[str] | None


class NumberTexts(list[str]):
    """Texts of numbers, aligned in tables as numbers."""


class TextColumn(Sequence[str]):
    """Numbers as texts, made when they are read: of a long table only the first rows may be."""

    def __init__(self, values: np.ndarray, text: Callable[[float], str]) -> None:
        self.values: np.ndarray = values
        self.text: Callable[[float], str] = text

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return TextColumn(self.values[at], self.text)
        value = self.values[at]
        if np.ma.is_masked(value) or np.isinf(value):
            return rounded(None if np.ma.is_masked(value) else float(value))
        return self.text(value.item())


def n_rows(columns: Mapping[str, Any]) -> int:
    """Rows of the table; those of the longest column."""
    return max((len(column) for column in columns.values()), default=0)


def csv_text(columns: Mapping[str, Any]) -> str:
    """Columns as csv: every digit, nothing for what is missing, no text that is a formula."""
    lines: list[str] = []
    writer = csv.writer(SimpleNamespace(write=lines.append))  # its line ends quote all line breaks
    writer.writerow([_no_formula(str(name)) for name in columns])
    writer.writerows(zip(*map(_exact_cells, columns.values()), strict=True))
    return "".join(f"{line.removesuffix(writer.dialect.lineterminator)}\n" for line in lines)


def markdown_text(columns: Mapping[str, Any], digits: int = DIGITS) -> str:
    """Columns as a Markdown table, aligned as text."""
    cells = _cells(columns, digits, _in_markdown)
    widths = [max(3, *map(len, column)) for column in cells]
    right = [_is_number(column) for column in columns.values()]
    sides = zip(widths, right, strict=True)
    rules = ["-" * (w - 1) + ":" if r else ":" + "-" * (w - 1) for w, r in sides]
    padded = [
        [cell.rjust(w) if r and k else cell.ljust(w) for k, cell in enumerate(column)]
        for column, w, r in zip(cells, widths, right, strict=True)
    ]
    header, *rows = zip(*padded, strict=True)
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rules, *rows))


def latex_text(columns: Mapping[str, Any], digits: int = DIGITS) -> str:
    """Columns as a tabular; every sign that LaTeX would act on is escaped."""
    header, *rows = zip(*_cells(columns, digits, _in_latex), strict=True)
    sides = "".join("r" if _is_number(column) else "l" for column in columns.values())
    lines = [f"{' & '.join(row)} \\\\" for row in rows]
    return "\n".join(
        [
            f"\\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            f"{' & '.join(header)} \\\\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def html_text(columns: Mapping[str, Any], digits: int = DIGITS, most: int | None = None) -> str:
    """Columns as an HTML table; with `most`, its first rows and how many follow."""
    from html import escape  # and with it the names of all characters

    shown = {name: column[:most] for name, column in columns.items()}
    header, *rows = zip(*_cells(shown, digits, escape), strict=True)
    sides = ["right" if _is_number(column) else "left" for column in columns.values()]
    cells = [
        "".join(f'<td style="text-align:{s}">{c}</td>' for s, c in zip(sides, row, strict=True))
        for row in rows
    ]
    left = n_rows(columns) - n_rows(shown)
    more = f"<p>and {count_of(left, 'more row')}</p>" if left > 0 else ""
    return (
        f"<table>\n<thead><tr>{''.join(f'<th>{name}</th>' for name in header)}</tr></thead>\n"
        f"<tbody>\n{''.join(f'<tr>{row}</tr>{chr(10)}' for row in cells)}</tbody>\n</table>{more}"
    )


def plain_text(columns: Mapping[str, Any], digits: int = DIGITS, most: int = ROWS_SHOWN) -> str:
    """Columns below each other, as a terminal shows them."""
    shown = {name: column[:most] for name, column in columns.items()}
    aligned = []
    for cells, column in zip(_cells(shown, digits, str), columns.values(), strict=True):
        width = max(map(len, cells))
        aligned.append([c.rjust(width) if _is_number(column) else c.ljust(width) for c in cells])
    lines = ["  ".join(row).rstrip() for row in zip(*aligned, strict=True)]
    left = n_rows(columns) - n_rows(shown)
    return "\n".join([*lines, *([f"and {count_of(left, 'more row')}"] if left > 0 else [])])


def rounded(value: Any, digits: int = DIGITS, name: str = "") -> str:
    """A value as a reader expects it: few decimals, whole numbers whole, p values never 0.

    >>> rounded(0.73136), rounded(12345), rounded(1e-9, name="p_value"), rounded(None)
    ('0.731', '12,345', '<0.001', '')
    """
    if _missing(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}"
    if not isinstance(value, (float, np.floating)):
        return str(value)
    number = float(value)
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    if name.startswith("p_") and 0 <= number < SMALLEST_P:
        return f"<{SMALLEST_P:g}"
    if name.startswith("threshold"):  # three decimals could name another set of cases
        return f"{number:.6g}"
    small = number != 0 and abs(number) < 0.5 * 10.0**-digits
    if small or abs(number) >= MOST_WRITTEN:
        return f"{number:.{digits}g}"
    return f"{number:,.{digits if abs(number) < 1e6 else 0}f}"


def _cells(
    columns: Mapping[str, Any], digits: int, escape: Callable[[str], str]
) -> list[list[str]]:
    """The escaped texts of every column, its name first."""
    digits = checks.whole(digits, "digits", at_least=0, at_most=MOST_DIGITS)
    if not columns:
        raise InputError("there is no table to write: it has no columns.")
    return [
        [
            escape(str(name).replace("_", " ")),
            *(escape(rounded(value, digits, str(name))) for value in _values(column)),
        ]
        for name, column in columns.items()
    ]


def _values(column: Any) -> list[Any]:
    """The values of a column as Python's own, None for what is masked."""
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _exact_cells(column: Any) -> list[Any]:
    """Numbers for the csv module, which writes every digit, or texts; None where one is missing."""
    values = _values(column)
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "iuf":
        return [None if _missing(value) else _no_formula(str(value)) for value in values]
    if column.dtype.kind == "f" and bool(np.isnan(column).any()):
        return [None if value is None or math.isnan(value) else value for value in values]
    return values


def _no_formula(text: str) -> str:
    """The text, after an apostrophe where a spreadsheet would compute it as a formula."""
    if not text.startswith(("=", "+", "-", "@", "\t", "\r")):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, (float, np.floating)) and math.isnan(value))


def _is_number(column: Any) -> bool:
    if isinstance(column, (TextColumn, NumberTexts)):
        return True
    if isinstance(column, np.ndarray) and column.dtype.kind in "iufbUS":
        return column.dtype.kind in "iuf"
    known = [value for value in _values(column) if not _missing(value)]
    kinds = (int, float, np.integer, np.floating)
    return bool(known) and all(isinstance(v, kinds) and not isinstance(v, bool) for v in known)


def _in_markdown(text: str) -> str:
    """Signs that would end a cell, or begin HTML, are spelt out."""
    marked = re.sub(r"<(?=[a-zA-Z/!?])", "&lt;", text)
    return " ".join(marked.replace("\\", "\\\\").replace("|", "\\|").split())


def _in_latex(text: str) -> str:
    escaped = " ".join("".join(LATEX_SIGNS.get(sign, sign) for sign in text).split())
    return re.sub(MINUS, "$-$", escaped).replace("∞", r"$\infty$")


class ReadOnlyDict(dict[Any, Any]):
    """A dict, for `json` and for printing too, that cannot be written to."""

    def _raise(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("the dict of a result cannot be changed; dict(...) makes a copy that can.")

    if not TYPE_CHECKING:  # to a type checker it is a dict
        __setitem__ = __delitem__ = __ior__ = _raise
        update = setdefault = pop = popitem = clear = _raise

    def __reduce__(self) -> Any:
        return type(self), (dict(self),)


class TextTables:
    """Anything that has a table: it writes it as text, with or without a frame library."""

    __slots__ = ()

    def _table_columns(self) -> Mapping[str, Any]:
        """The columns, with every digit."""
        raise NotImplementedError

    def _columns_to_read(self) -> Mapping[str, Any]:
        """The columns as displayed; by default the same."""
        return self._table_columns()

    def _notes(self) -> str:
        """Notes below the table."""
        return ""

    def _level(self) -> float | None:
        """The confidence level of all limits, where there is one."""
        return getattr(self, "level", None)

    def _in_words(self) -> str:
        """The whole of a table of one row as a sentence, or nothing."""
        return ""

    def to_csv(self, path: Path = None) -> str:
        r"""The table as csv with every digit; missing values are empty. Also to a file.

        Text that a spreadsheet would compute as a formula (``=``, ``+``, ``-`` or ``@`` first)
        gets an apostrophe before it.

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
        return _saved(path, csv_text(self._table_columns()))

    def to_markdown(
        self, path: Path = None, *, digits: int = DIGITS, caption: str | None = None
    ) -> str:
        """The table in Markdown. Also to a file.

        Parameters
        ----------
        path : str or Path, optional
            Where to write it, too, in UTF-8.
        digits : int, default 3
            Decimals of numbers.
        caption : str, optional
            Text above the table; with it a note about the methods is added below.

        Examples
        --------
        >>> import rocwise as rw
        >>> print(rw.step_area([0, 1], [1, 2]).to_markdown())
        | value | area  | perfect area | ties         |
        | ----: | ----: | -----------: | :----------- |
        | 1.000 | 1.000 |            1 | simultaneous |
        """
        text = markdown_text(self._columns_to_read(), digits)
        if caption is not None:
            around = (_in_markdown(caption), text, *map(_in_markdown, self._notes().splitlines()))
            text = "\n\n".join(around)
        return _saved(path, text)

    def to_latex(
        self, path: Path = None, *, digits: int = DIGITS, caption: str | None = None
    ) -> str:
        r"""The table as a LaTeX tabular with the rules of the package booktabs. Also to a file.

        Parameters
        ----------
        path : str or Path, optional
            Where to write it, too, in UTF-8.
        digits : int, default 3
            Decimals of numbers.
        caption : str, optional
            Caption: the tabular is put in a table environment, above a note about the methods.

        Examples
        --------
        >>> import rocwise as rw
        >>> print(rw.step_area([0, 1], [1, 2]).to_latex().splitlines()[0])
        \begin{tabular}{rrrl}
        """
        text = latex_text(self._columns_to_read(), digits)
        if caption is not None:
            notes = [rf"{_in_latex(line)}\par" for line in self._notes().splitlines()]
            below = [r"\smallskip", r"{\footnotesize", *notes, "}"] if notes else []
            above = [r"\begin{table}", r"\centering", rf"\caption{{{_in_latex(caption)}}}"]
            text = "\n".join([*above, text, *below, r"\end{table}"])
        return _saved(path, text)

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
        return plain_text(columns, digits, most=n_rows(columns))

    def to_html(
        self, path: Path = None, *, digits: int = DIGITS, caption: str | None = None
    ) -> str:
        """The table as HTML; whatever names and values hold is escaped. Also to a file.

        Parameters
        ----------
        path : str or Path, optional
            Where to write it, too, in UTF-8.
        digits : int, default 3
            Decimals of numbers.
        caption : str, optional
            Caption; with it a note about the methods is added below the table.

        Examples
        --------
        >>> import rocwise as rw
        >>> rw.step_area([0, 1], [1, 2]).to_html().splitlines()[0]
        '<table>'
        """
        text = html_text(self._columns_to_read(), digits)
        if caption is not None:
            from html import escape

            text = text.replace("<table>", f"<table>\n<caption>{escape(caption)}</caption>", 1)
            text += _paragraph(self._notes())
        return _saved(path, text)

    def to_docx(
        self, path: str | PathLike[str], *, digits: int = DIGITS, caption: str | None = None
    ) -> None:
        """Write a Word document with the table and a note about the methods below it.

        It needs python-docx: ``pip install 'rocwise[word]'``.

        Parameters
        ----------
        path : str or Path
            Where to write it; its name should end with ``.docx``.
        digits : int, default 3
            Decimals of numbers.
        caption : str, optional
            Caption above the table.

        Examples
        --------
        >>> import rocwise as rw
        >>> areas = rw.auc([0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4]})
        >>> areas.to_docx("areas.docx", caption="Areas under the ROC curve")
        """
        from rocwise.word_tables import document

        columns = self._columns_to_read()
        narrow, left = _narrow(columns, self._level(), digits)
        columns = columns if left else narrow
        cells = _cells(columns, digits, str)
        numbers = list(map(_is_number, columns.values()))
        atomic_write(path, document(cells, numbers, caption, self._notes().splitlines()))

    def _repr_html_(self) -> str:
        if words := self._in_words():
            return _paragraph(words)
        columns, left = _narrow(self._columns_to_read(), self._level())
        if not columns:
            return _paragraph(self._notes())
        more = f"<p>and {count_of(left, 'more column')} in to_frame()</p>" if left else ""
        return _paragraph(self._notes()) + html_text(columns, DIGITS, most=ROWS_SHOWN) + more


def _saved(path: Path, text: str) -> str:
    """The text, which is written to a path if there is one."""
    if path is not None:
        atomic_write(path, text)
    return text


def _paragraph(text: str) -> str:
    from html import escape  # and with it the names of all characters

    return f"<p>{'<br>'.join(map(escape, text.splitlines()))}</p>\n" if text else ""


def _narrow(
    columns: Mapping[str, Any], level: float | None, digits: int = DIGITS
) -> tuple[dict[str, Any], int]:
    """At most eight columns, and how many more there are.

    Limits are next to their estimate; a short table that is still too wide is transposed.
    """
    found = _with_limits(columns, level, digits)
    if len(found) <= MOST_COLUMNS:
        return found, 0
    if n_rows(found) < MOST_COLUMNS:
        first, *others = _cells(found, digits, str)
        turned = {first[0]: [column[0] for column in others]}
        turned |= {
            title: NumberTexts(column[row] for column in others)
            for row, title in enumerate(first[1:], 1)
        }
        if len(turned) == len(first):
            return turned, 0
    return dict(list(found.items())[:MOST_COLUMNS]), len(found) - MOST_COLUMNS


def _with_limits(given: Mapping[str, Any], level: float | None, digits: int) -> dict[str, Any]:
    """The columns, with confidence limits in one column with their estimate."""
    found = dict(given)
    levels = set(_values(found["level"])) if "level" in found else {level}
    if len(levels) == 1 and isinstance(only := levels.pop(), float):
        found.pop("level", None)
        interval = f"({printing.percent(only)} CI)"
    else:
        interval = "(CI)"
    for name, end in (("value", ""), ("difference", ""), ("", "_adjusted")):
        if (name and name not in found) or f"low{end}" not in found:
            continue
        ends = [
            [rounded(v, digits) for v in _values(found.pop(f"{side}{end}"))]
            for side in ("low", "high")
        ]
        limits = [f"{a} to {b}" if a or b else "" for a, b in zip(*ends, strict=True)]
        if not name:
            found[f"adjusted {interval}"] = limits
            continue
        merged = [
            f"{rounded(v, digits)} ({text})" if text else rounded(v, digits)
            for v, text in zip(_values(found[name]), limits, strict=True)
        ]
        titles = {name: f"{name} {interval}"}
        found[name] = merged
        found = {titles.get(title, title): column for title, column in found.items()}
    return found


class Table(ReadOnlyDict, TextTables):
    """Columns by name; `pandas.DataFrame(table)` and `polars.DataFrame(table)` take it as it is.

    Examples
    --------
    >>> import rocwise as rw
    >>> print(rw.auc([0, 0, 1, 1], [1, 3, 2, 4]).to_frame().to_csv().splitlines()[0])
    value,standard_error,low,high,level,method,n_pos,n_neg
    """

    result: Any = None  # its result, which formats thresholds

    def _table_columns(self) -> Mapping[str, Any]:
        return self

    def _columns_to_read(self) -> Mapping[str, Any]:
        return self if self.result is None else with_thresholds_as_text(self, self.result)

    def __repr__(self) -> str:
        return f"Table of {count_of(n_rows(self), 'row')}: {', '.join(map(str, self))}"

    def __str__(self) -> str:
        return plain_text(self._columns_to_read())


def with_thresholds_as_text(columns: Mapping[str, Any], result: Any) -> dict[str, Any]:
    """Thresholds in the fewest digits that give the same predictions, as elsewhere."""
    written = {name: getattr(result, f"{name}_text", None) for name in columns}
    texts: dict[str, Any] = {
        name: NumberTexts([text]) for name, text in written.items() if isinstance(text, str)
    }
    known = getattr(getattr(result, "data", None), "scores", None)
    scores = getattr(result, "observed_scores", known)
    values = columns.get("thresholds", columns.get("threshold"))
    if isinstance(scores, np.ndarray) and isinstance(values, np.ndarray):
        origin = result.origin
        how = {"direction": origin.direction, "categories": origin.categories}
        name = "thresholds" if "thresholds" in columns else "threshold"
        texts[name] = TextColumn(values, partial(printing.number_text, scores, **how))
    doubled = {f"{name}_text" for name in texts}
    return {n: texts.get(n, column) for n, column in columns.items() if n not in doubled}


def joined(
    parts: Sequence[Mapping[str, Any]],
    titles: Sequence[str],
    names: Sequence[Sequence[Any]],
) -> dict[str, Any]:
    """One table of several; the first columns, `titles`, name the part of each row.

    What a part lacks of the columns of others is masked.
    """
    sizes = list(map(n_rows, parts))
    columns: dict[str, Any] = {
        title: np.repeat(np.asarray([name[k] for name in names]), sizes)
        for k, title in enumerate(titles)
    }
    for column in dict.fromkeys(name for part in parts for name in part):
        given = next(part[column] for part in parts if column in part)
        if isinstance(given, (TextColumn, NumberTexts)):
            cells = (part.get(column, [""] * n) for part, n in zip(parts, sizes, strict=True))
            columns[column] = NumberTexts(text for part in cells for text in part)
            continue
        kind = np.asanyarray(given).dtype
        pieces = [
            np.asanyarray(part[column]) if column in part else _all_masked(n, kind)
            for part, n in zip(parts, sizes, strict=True)
        ]
        masked = any(isinstance(piece, np.ma.MaskedArray) for piece in pieces)
        join: Any = np.ma.concatenate if masked else np.concatenate
        columns[column] = join(pieces)
    return columns


def _all_masked(n: int, kind: Any) -> Any:
    return np.ma.array(np.empty(n, kind), mask=True)
