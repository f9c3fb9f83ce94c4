"""Rows of the sheets of Excel files."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, time
from typing import Any

from rocwise.engines.text_formats import NUMBER, TextFormat
from rocwise.errors import InputError, listed, missing_package

WHOLE = 2.0**53
MOST_CELLS = 20_000_000  # of the rectangle around all cells of a sheet
SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
CELL = re.compile(rb'<c [^>]*?\br="([A-Z]{1,3})([0-9]+)"')
MOST_BYTES = 500_000_000  # of text; cells of equal text are stored once
SHARED = "xl/sharedStrings.xml"
TEXT = re.compile(rb"<(?:\w+:)?si\b.*?</(?:\w+:)?si>", re.DOTALL)
TEXT_CELL = re.compile(rb"""\bt=["']s["'][^>]*>\s*<(?:\w+:)?v>\s*([0-9]{1,9})\b""")


def sheet_rows(path: str, wanted: Sequence[str]) -> tuple[Iterator[list[str]], TextFormat]:
    """The rows, as text, of the sheet with the wanted columns, or of the first with several."""
    found = {name: rows for name, rows in _sheets(path).items() if any(rows)}
    if not found:
        return iter(()), TextFormat(",")
    above = {name: _n_above(rows, wanted) for name, rows in found.items()}
    fitting = [n for n in found if set(wanted) <= set(found[n][above[n]])] if wanted else []
    if len(fitting) > 1:
        raise InputError(
            f"{path} has these columns in several sheets: {listed(fitting)}. Keep one of them."
        )
    tables = [n for n in found if sum(map(bool, found[n][above[n]])) > 1]
    name = next(iter(fitting or tables or found))
    remark = f"sheet {name!r}" if len(found) > 1 else None
    comments = sum(map(bool, found[name][: above[name]]))
    rows = found[name][above[name] :]
    return iter(rows), TextFormat(",", n_above=above[name], n_comments=comments, remark=remark)


def _n_above(rows: list[list[str]], wanted: Sequence[str]) -> int:
    """The number of blank rows, comments and titles above the header."""
    for k, row in enumerate(rows):
        below = (other for other in rows[k + 1 :] if sum(map(bool, other)) > 1)
        if not _is_above(row, next(below, []), set(wanted)):
            return k
    return 0


def _is_above(row: list[str], below: list[str], wanted: set[str]) -> bool:
    if not any(row) or (wanted and wanted <= set(row)):
        return not any(row)
    title = sum(map(bool, row)) == 1 and not any(map(NUMBER.fullmatch, below))
    return row[0].startswith("#") or (title and bool(below))


def _sheets(path: str) -> dict[str, list[list[str]]]:
    """The rows of all sheets by name."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise missing_package("python-calamine", "excel", f"reading {path}") from None
    _check_sizes(path)
    try:
        with CalamineWorkbook.from_path(path) as book:
            sheets = {
                name: book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                for name in book.sheet_names
            }
    except CalamineError as problem:
        raise InputError(f"{path} cannot be read: {problem}.") from None
    return {name: list(map(_texts, rows)) for name, rows in sheets.items()}


def _check_sizes(path: str) -> None:
    """An error for a file that unpacks to much more, as by a cell far away from the others."""
    try:
        with zipfile.ZipFile(path) as archive:
            shared = [name for name in archive.namelist() if name.lower() == SHARED.lower()]
            texts = [len(text) for name in shared for text in TEXT.findall(archive.read(name))]
            n_bytes = 0
            for name in filter(SHEET.fullmatch, archive.namelist()):
                sheet = archive.read(name)
                cells = CELL.findall(sheet)
                width = max(map(_number, {column for column, _ in cells}), default=0)
                height = max((int(row) for _, row in cells), default=0)
                if width * height > MOST_CELLS:
                    raise InputError(
                        f"{path} cannot be read: the cells of a sheet reach to row {height:,} and "
                        f"column {width:,}. Delete what is far away from the table."
                    )
                places = map(int, TEXT_CELL.findall(sheet) if texts else ())
                n_bytes += sum(texts[place] for place in places if place < len(texts))
                if n_bytes > MOST_BYTES:
                    raise InputError(
                        f"{path} cannot be read: its cells have more than {MOST_BYTES:,} bytes of "
                        "text. Delete the columns with long texts."
                    )
    except zipfile.BadZipFile as problem:
        raise InputError(f"{path} cannot be read: {problem}.") from None


def _number(letters: bytes) -> int:
    """The number of a column: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


def _texts(row: Sequence[Any]) -> list[str]:
    """The cells as a text file would have them; nothing for a blank row."""
    cells = [_text(cell) for cell in row]
    return cells if any(cells) else []


def _text(cell: Any) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < WHOLE else repr(cell)
    return cell.isoformat() if isinstance(cell, (date, time)) else str(cell)
