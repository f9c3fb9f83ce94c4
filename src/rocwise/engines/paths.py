"""The files that a path names, and their format.

A name is taken literally; only where no such file exists is it a pattern. A folder is all files in
it. Nothing is fetched from other machines.
"""

import errno
import glob
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import unquote

from rocwise.engines.text_formats import TextFile
from rocwise.errors import InputError, listed

DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": ","}
COMPRESSED = ("", ".gz", ".zst")
TABLES = (".parquet", ".pq")
SHEETS = (".xlsx",)
ENDINGS = (*(kind + packed for packed in COMPRESSED for kind in DELIMITERS), *SHEETS, *TABLES)
ANY_TEXT = TextFile("")
TABLE_LOGS = {  # files of tables whose folders also have rows that are no longer valid
    "_delta_log": "Delta Lake",
    ".hoodie": "Hudi",
    "metadata/*.metadata.json": "Iceberg",
}
SQL = re.compile(r"\s*(select|from|with)\s", re.IGNORECASE)
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/{1,2}")  # pathlib makes one slash of two


@dataclass(frozen=True, slots=True)
class Files:
    """The files behind a path, all of one kind."""

    paths: list[str]  # at least one
    ending: str  # one of `ENDINGS`; ".csv" for what has none, such as a pipe
    once: bool = False  # whether it can be read only once, from the beginning to the end
    requested: TextFile = ANY_TEXT  # what was requested of the text

    @property
    def is_text(self) -> bool:
        """Whether the files are text; else their columns have types."""
        return self.ending not in TABLES

    @property
    def delimiter(self) -> str:
        """The delimiter of a text file."""
        return DELIMITERS.get(self.ending[:4], ",")

    @property
    def is_sheet(self) -> bool:
        """Whether the files are those of spreadsheets."""
        return self.ending in SHEETS

    @property
    def packed(self) -> bool:
        """Whether the text is compressed."""
        return self.ending.endswith(COMPRESSED[1:])

    def size(self) -> int:
        """Bytes of all files."""
        return sum(os.path.getsize(path) for path in self.paths)

    @property
    def seekable(self) -> bool:
        """Whether the files can be scanned before they are parsed."""
        return not (self.once or self.is_sheet or self.ending.endswith(".zst"))


@contextmanager
def naming(path: str, files: Files) -> Iterator[None]:
    """Name the one of several files that an error is about."""
    try:
        yield
    except InputError as problem:
        if len(files.paths) == 1 or path in str(problem):
            raise
        raise InputError(f"{path}: {problem}") from None


def files_of(path: str | os.PathLike[str]) -> Files:
    """The file of this name or, where there is none, those that match the pattern, sorted."""
    name = os.fsdecode(path)
    if SCHEME.match(name) and not os.path.exists(name):
        raise InputError(
            f"`frame_or_path` {name!r} is an address; only files of this machine are read. "
            "Download it first."
        )
    if _is_stream(name):
        return Files([name], ".csv", once=True)
    if os.path.isdir(name):
        return _of_one_kind(_within(name), name)
    if os.path.exists(name):
        return Files([name], _ending(name))
    return _of_one_kind(_matches(name), name)


def files_of_all(paths: Sequence[str | os.PathLike[str]]) -> Files:
    """The files of several paths, in their order."""
    found = [path for each in paths for path in files_of(each).paths]
    return _of_one_kind(found, listed(list(map(os.fsdecode, paths)), 3))


def _of_one_kind(found: list[str], name: str) -> Files:
    _check_once(found, set())
    endings = {_ending(match) for match in found}
    if len(endings) > 1:
        raise InputError(
            f"`frame_or_path` {name!r} matches files of several kinds "
            f"({', '.join(sorted(endings))}); use a pattern that ends as one of them does."
        )
    return Files(found, endings.pop())


def _check_once(found: Iterable[str], seen: set[str]) -> None:
    """Raise an error for a file or folder that is there under two names, as by a link."""
    for path in found:
        place = os.path.realpath(path)
        if place in seen:
            raise InputError(f"`frame_or_path` has {path!r} twice.")
        seen.add(place)


def _within(folder: str) -> list[str]:
    """The files of a folder and of those in it, without hidden ones and those of bookkeeping."""
    for log, kind in TABLE_LOGS.items():
        if glob.glob(os.path.join(glob.escape(folder), log)):
            raise InputError(
                f"`frame_or_path` {folder!r} is a table of {kind}, of which some files may be "
                "out of date. Pass a relation or lazy frame of a package that reads such tables, "
                "as DuckDB and polars do."
            )
    found: list[str] = []
    seen: set[str] = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        _check_once([place], seen)
        folders[:] = sorted(each for each in folders if not each.startswith((".", "_")))
        found += [
            os.path.join(place, each)
            for each in sorted(names)
            if each.lower().endswith(ENDINGS) and not each.startswith((".", "_"))
        ]
    if not found:
        raise FileNotFoundError(
            errno.ENOENT, f"is a folder without files that end in {', '.join(ENDINGS)}", folder
        )
    return found


def partitions(path: str) -> dict[str, str | None]:
    """Columns that the names of folders give, as ``day=2026-01-31`` does; None is missing."""
    pairs = [part.partition("=") for part in os.path.dirname(path).split(os.sep) if "=" in part]
    return {
        unquote(name): None if value == NO_VALUE else unquote(value)
        for name, sign, value in pairs
        if name
    }


def _is_stream(name: str) -> bool:
    """Pipes and devices, which have no ending: ``/dev/stdin``, or ``<(...)`` of a shell."""
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or name.startswith(("/dev/", "/proc/self/fd/"))


def _ending(name: str) -> str:
    found = [ending for ending in ENDINGS if name.lower().endswith(ending)]
    if not found:
        raise InputError(
            f"`frame_or_path` {name!r} has an unknown ending; known are {', '.join(ENDINGS)}. "
            "Rename it if it is one of these; text with commas may also come through standard "
            "input or as an open file."
        )
    return found[0]


def _matches(name: str) -> list[str]:
    """Files that match a pattern; the name of an existing folder is not a pattern."""
    if SQL.match(name):
        raise InputError(f"`frame_or_path` {name!r} is SQL; pass its relation, duckdb.sql(...).")
    if not glob.has_magic(name):
        _ending(name)  # raises first
        raise FileNotFoundError(f"no such file: {name}")
    folder, _, last = name.rpartition(os.sep)
    if folder and os.path.isdir(folder):
        name = os.path.join(glob.escape(folder), last)
    found = sorted(match for match in glob.glob(name, recursive=True) if os.path.isfile(match))
    if not found:
        raise FileNotFoundError(f"no file matches {name}")
    return found
