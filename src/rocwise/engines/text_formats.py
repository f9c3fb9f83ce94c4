"""How a file is written: encoding, delimiter, decimal sign, lines above the header, its rows."""

import codecs
import csv
import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import IO, Any

import numpy as np

from rocwise.arrays import Array, Places
from rocwise.errors import InputError, count_of, shown

HEAD_LINES = 50  # shown to `format_of`
CHUNK_BYTES = 1 << 20
LONGEST_CELL = 2**31 - 1  # the largest limit of the csv module on every platform
DELIMITERS = (";", "\t", "|", ",")  # in a line of commas the others are rare, but not vice versa
NAMED_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";"}
MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
UNICODE = ("utf-8", "utf-8-sig")
SINGLE_BYTES = "windows-1252"  # of Western European spreadsheets; Latin-1 but for the signs 80-9F
DECLARED = re.compile(r'"?sep=(.)"?', re.IGNORECASE)  # a first line for spreadsheets
NUMBER = re.compile(r"\s*[+-]?[0-9]*[.,]?[0-9]+\s*%?\s*")
COMMA_NUMBER = re.compile(r"\s*[+-]?([0-9]+(,[0-9]*)?|,[0-9]+)([eE][+-]?[0-9]+)?\s*%?\s*")
PERCENTAGE = re.compile(r"\s*[+-]?[0-9]*[.,]?[0-9]+\s*%\s*")
THOUSANDS = re.compile(r"\s*[+-]?[1-9][0-9]{0,2},[0-9]{3}\s*%?\s*")  # 1,234 may be either


@dataclass(frozen=True, slots=True)
class TextFile(os.PathLike[str]):
    """A path with what was requested of its text."""

    path: str
    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path


def text_file(path: Any, sep: Any = None, decimal: Any = None, encoding: Any = None) -> Any:
    """A path with what was requested of its text; the path itself where nothing was."""
    given = {"sep": sep, "decimal": decimal, "encoding": encoding}
    name = next((name for name, value in given.items() if value is not None), None)
    if name is None:
        return path
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"`{name}` describes a text file; got a {type(path).__name__}.")
    sep = NAMED_DELIMITERS.get(sep, sep) if isinstance(sep, str) else sep
    if sep is not None and not (isinstance(sep, str) and len(sep) == 1 and sep not in '"\r\n'):
        raise InputError(f"`sep` must be one character, or 'tab'; got {shown(sep, 60)}.")
    if decimal not in (None, ".", ","):
        raise InputError(f"`decimal` must be '.' or ','; got {shown(decimal, 60)}.")
    try:
        if encoding is not None:
            codecs.lookup(encoding)
    except (LookupError, TypeError, ValueError):
        raise InputError(
            f"`encoding` must be the name of an encoding, such as 'windows-1252'; got "
            f"{shown(encoding, 60)}."
        ) from None
    return TextFile(os.fsdecode(path), sep, decimal, encoding)


@dataclass(frozen=True, slots=True)
class TextFormat:
    """How one file is written, and what of it is unusual."""

    delimiter: str
    encoding: str = "utf-8"
    n_above: int = 0  # lines above the header
    n_comments: int = 0  # those of them that are not blank
    remark: str | None = None  # the sheet that was read

    def words(self, usual: str) -> list[str]:
        """Notes on the format; `usual` is the delimiter of the file's ending."""
        notes = [] if self.remark is None else [self.remark]
        if self.delimiter != usual:
            sign = "tab" if self.delimiter == "\t" else shown(self.delimiter)
            notes.append(f"delimiter {sign}")
        if self.encoding not in UNICODE:
            notes.append(f"encoding {self.encoding}")
        if self.n_comments:
            notes.append(f"{count_of(self.n_comments, 'line')} above the header left out")
        return notes


def encoding_of(raw: IO[bytes]) -> str:
    """UTF-8 or UTF-16 by the first bytes, else UTF-8 if all bytes are, else Windows-1252.

    Text that is UTF-8 up to a wrong byte, and bytes that are no text, remain UTF-8: an error.
    """
    chunk = raw.read(CHUNK_BYTES)
    for mark, encoding in MARKS.items():
        if chunk.startswith(mark):
            return encoding
    decoder = codecs.getincrementaldecoder("utf-8")()
    beyond_ascii = False
    while chunk:
        try:
            beyond_ascii |= not decoder.decode(chunk).isascii()
        except UnicodeDecodeError as problem:
            beyond_ascii |= not problem.object[: problem.start].isascii()
            is_text = not beyond_ascii and b"\0" not in chunk
            return SINGLE_BYTES if is_text else "utf-8"
        chunk = raw.read(CHUNK_BYTES)
    return "utf-8"


def format_of(
    head: Sequence[str], usual: str, wanted: Iterable[str], sep: str | None, encoding: str
) -> TextFormat:
    """The format of a text that begins with these lines; `usual` is the delimiter of its kind."""
    wanted = set(wanted)
    n_above = n_comments = 0
    signs = DELIMITERS if sep is None else (sep,)
    if not any(wanted <= set(row) for sign in signs for row in cells_of(head, sign)):
        wanted = set()  # the header is found as if nothing was wanted
    declared = DECLARED.fullmatch(head[0].strip("\r\n")) if head else None
    if declared is not None:
        sep, n_above = sep or declared[1], 1
    while n_above < len(head) and (
        _is_above(head[n_above:], wanted, sep) or _is_title(head[n_above:], wanted, sep)
    ):
        n_comments += bool(head[n_above].strip())
        n_above += 1
    delimiter = sep or _delimiter(head[n_above:], usual, wanted)
    return TextFormat(delimiter, encoding, n_above, n_comments)


def _is_above(head: Sequence[str], wanted: set[str], sep: str | None) -> bool:
    """Whether the first line is blank or a comment and not the header."""
    line = head[0].strip("\r\n")
    if not line.startswith("#"):
        return not line
    delimiters = DELIMITERS if sep is None else (sep,)
    if wanted:
        return not any(wanted <= set(cells_of([line], sign)[0]) for sign in delimiters)
    following = next((each for each in head[1:] if not each.startswith("#")), "")
    return not any(  # a header has no numbers, the rows below it have
        len(cells := cells_of([following], sign)[0]) == len(cells_of([line], sign)[0]) > 1
        and any(map(NUMBER.fullmatch, cells))
        for sign in delimiters
    )


def _is_title(head: Sequence[str], wanted: set[str], sep: str | None) -> bool:
    """Whether the first line has one cell at most, and a header and rows of more cells follow."""
    lines = head if len(head) < HEAD_LINES else head[:-1]
    title = False
    for sign in DELIMITERS if sep is None else (sep,):
        first, *others = cells_of(lines, sign)
        rows = list(dropwhile(lambda row: sum(map(bool, row)) < 2, others))
        sizes = {len(row) for row in rows if row}
        n_names = sum(map(bool, first))
        if wanted <= set(first) if wanted else n_names > 1 and sizes == {len(first)}:
            return False  # the header itself
        if n_names < 2 and len(rows) > 1 and len(sizes) == 1:
            title |= not any(map(NUMBER.fullmatch, rows[0]))
    return title


def _delimiter(head: Sequence[str], usual: str, wanted: set[str]) -> str:
    """The delimiter that finds the wanted columns, else one that all first lines agree on."""
    signs = (usual, *(sign for sign in DELIMITERS if sign != usual))
    if not head:
        return usual
    if wanted:
        found = [sign for sign in signs if wanted <= set(cells_of(head[:1], sign)[0])]
        if found:
            return found[0]
    lines = head if len(head) < HEAD_LINES else head[:-1]
    for sign in (*signs[1:], usual):
        sizes = {len(cells) for cells in cells_of(lines, sign) if cells}
        if len(sizes) == 1 and sizes.pop() > 1:
            return sign
    return usual


def cells_of(lines: Iterable[str], delimiter: str) -> list[list[str]]:
    """The cells of each line; one line at least."""
    try:
        return list(csv_rows(lines, delimiter)) or [[]]
    except csv.Error:
        return [[]]


def csv_rows(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """The cells of each line; the limit of the process for their length is raised."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
    return csv.reader(lines, delimiter=delimiter)


def has_decimal_comma(columns: Iterable[Sequence[str]]) -> bool:
    """Whether some column contains numbers with a comma that is no separator of thousands."""
    return any(
        all(map(COMMA_NUMBER.fullmatch, cells))
        and any("," in cell and not THOUSANDS.fullmatch(cell) for cell in cells)
        for cells in columns
    )


@dataclass(frozen=True, slots=True)
class FileRows:
    """The rows of a file as a spreadsheet numbers them, and how the file was read."""

    read_as: str | None = None
    first: int = 2  # below the header
    numbers: Places | None = None  # of all rows, where some lines are blank
    n_rows: int = 0
    parts: "tuple[tuple[str, FileRows], ...]" = ()  # of several files: their paths

    def number(self, place: int) -> int | str:
        """The number of a row."""
        if self.parts:
            ends = np.cumsum([rows.n_rows for _, rows in self.parts])
            k = bisect_right(ends.tolist(), place)
            path, rows = self.parts[k]
            return f"{rows.number(place - int(ends[k]) + rows.n_rows)} of {path}"
        return self.first + place if self.numbers is None else int(self.numbers[place])


class FileColumn(np.ndarray[Any, Any]):
    """A column with the numbers of its rows in the file."""

    file: FileRows | None = None

    def __array_finalize__(self, source: Any) -> None:
        """Parts of a column have other rows."""


def with_rows(column: Array, rows: FileRows) -> Array:
    """The column, with the numbers of its rows."""
    if type(column) is np.ndarray:
        column = column.view(FileColumn)
    column.file = rows  # type: ignore[attr-defined]
    return column
