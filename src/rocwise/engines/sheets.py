"""Rows of the sheets of Excel files."""

from collections.abc import Iterator, Sequence
from datetime import date, time
from itertools import dropwhile
from typing import Any

from rocwise.engines.text_formats import TextFormat
from rocwise.errors import InputError, listed, missing_package

WHOLE = 2.0**53


def sheet_rows(path: str, wanted: Sequence[str]) -> tuple[Iterator[list[str]], TextFormat]:
    """The rows of the sheet that has the wanted columns, as text; blank rows are empty."""
    found = {name: rows for name, rows in _sheets(path).items() if any(rows)}
    if not found:
        return iter(()), TextFormat(",")
    above = {name: _n_above(rows, wanted) for name, rows in found.items()}
    fitting = [n for n in found if set(wanted) <= set(found[n][above[n]])] if wanted else []
    if len(fitting) > 1:
        raise InputError(
            f"{path} has these columns in several sheets: {listed(fitting)}. Keep one of them."
        )
    name = next(iter(fitting or found))
    remark = f"sheet {name!r}" if len(found) > 1 else None
    comments = sum(map(bool, found[name][: above[name]]))
    rows = found[name][above[name] :]
    return iter(rows), TextFormat(",", n_above=above[name], n_comments=comments, remark=remark)


def _n_above(rows: list[list[str]], wanted: Sequence[str]) -> int:
    """The number of blank rows and comments above the header."""
    header = next(dropwhile(lambda row: _is_above(row, set(wanted)), rows), None)
    return 0 if header is None else rows.index(header)


def _is_above(row: list[str], wanted: set[str]) -> bool:
    return not row or (row[0].startswith("#") and not (wanted and wanted <= set(row)))


def _sheets(path: str) -> dict[str, list[list[str]]]:
    """The rows of all sheets by name."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise missing_package("python-calamine", "excel", f"reading {path}") from None
    try:
        with CalamineWorkbook.from_path(path) as book:
            sheets = {
                name: book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                for name in book.sheet_names
            }
    except CalamineError as problem:
        raise InputError(f"{path} cannot be read: {problem}.") from None
    return {name: list(map(_texts, rows)) for name, rows in sheets.items()}


def _texts(row: Sequence[Any]) -> list[str]:
    """The cells as a text file would have them; nothing for a blank row."""
    cells = [_text(cell) for cell in row]
    return cells if any(cells) else []


def _text(cell: Any) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < WHOLE else repr(cell)
    return cell.isoformat() if isinstance(cell, (date, time)) else str(cell)
