"""Data sets from their public sources: fetched when asked, checked twice, never in silence."""

from __future__ import annotations

import csv
import functools
import gzip
import hashlib
import io
import re
import tomllib
import urllib.request
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

LIST = Path(__file__).with_name("public_files.toml")
SECONDS = 60.0
Form = Literal["arff", "comma", "space"]
Rows = list[list[str]]


@dataclass(frozen=True)
class PublicSet:
    """Where a data set lies, what its files must be, and how they become the table.

    `files` are addresses with checksums; `content` is the checksum of the table as text. Files
    without a header get `columns`; `target` is the column that becomes the last one, and
    `left_out` are columns that are other targets.
    """

    files: tuple[tuple[str, str], ...]
    content: str
    form: Form = "arff"
    target: str | None = None  # the last column
    left_out: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    trim: str = ""  # what may follow a label


@functools.cache
def public_sets(path: Path = LIST) -> dict[str, PublicSet]:
    """All that can be downloaded, by name."""
    names = tomllib.loads(path.read_text(encoding="utf-8"))
    roots = names.pop("roots", {})
    found = {}
    for name, told in names.items():
        root = roots.get(told.pop("root", ""), "")
        files = tuple((root + address, checksum) for address, checksum in told.pop("files"))
        lists = {key: tuple(value) for key, value in told.items() if isinstance(value, list)}
        found[name] = PublicSet(files, **{**told, **lists})
    return found


def download(folder: Path, names: Sequence[str], sets: dict[str, PublicSet]) -> list[str]:
    """Fetch what is not in the folder; the result says what could not be had, and why."""
    folder.mkdir(parents=True, exist_ok=True)
    failures = []
    for name in names:
        path = folder / f"{name}.csv.gz"
        if path.exists():
            print(f"{name}: is there", flush=True)
            continue
        try:
            text = table_of(sets[name])
        except (OSError, ValueError) as error:
            failures.append(f"{name}: {error}")
            continue
        beside = path.with_suffix(".new")
        beside.write_bytes(gzip.compress(text.encode(), mtime=0))
        beside.replace(path)
        print(f"{name}: downloaded from {', '.join(address for address, _ in sets[name].files)}")
    return failures


def table_of(one: PublicSet) -> str:
    """The table as text, after a look at every checksum."""
    texts = [fetched(address, checksum) for address, checksum in one.files]
    names, rows = parsed(texts, one)
    text = written(*reordered(names, rows, one))
    if checksum_of(text.encode()) != one.content:
        raise ValueError("the table made from the public file differs from the one counted on")
    return text


def fetched(address: str, checksum: str) -> str:
    """A public file, which must be the one that was looked at."""
    with urllib.request.urlopen(address, timeout=SECONDS) as result:
        raw: bytes = result.read()
    if checksum_of(raw) != checksum:
        raise ValueError(f"{address} is another file than the one counted on")
    return raw.decode("utf-8", "replace")


def checksum_of(raw: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()


def parsed(texts: Iterable[str], one: PublicSet) -> tuple[list[str], Rows]:
    """Names of the columns, and rows; a question mark is an empty cell."""
    names: list[str] = list(one.columns)
    rows: Rows = []
    for text in texts:
        lines = text.splitlines()
        if one.form == "arff":
            names, lines = arff(lines)
        rows += [cells(line, one.form) for line in lines if line.strip() and line[0] not in "%|"]
    return names, rows


def arff(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names of the attributes, and the lines of the data."""
    names = []
    for place, line in enumerate(lines):
        word = line.strip().lower()
        if word.startswith("@attribute"):
            found = re.match(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)", line.strip(), re.IGNORECASE)
            names.append(found[1].strip("'\"").strip() if found else "")
        elif word.startswith("@data"):
            return names, list(lines[place + 1 :])
    raise ValueError("no @data in the public file")


def cells(line: str, form: Form) -> list[str]:
    """One row."""
    if form == "space":
        found = line.split()
    else:
        quote = "'" if "'" in line else '"'
        found = next(csv.reader([line.strip()], quotechar=quote, skipinitialspace=True))
    bare = (cell.strip().strip("'\"").strip() for cell in found)
    return ["" if cell == "?" else cell for cell in bare]


def reordered(names: list[str], rows: Rows, one: PublicSet) -> tuple[list[str], Rows]:
    """The target last, and called so."""
    target = names.index(one.target) if one.target else len(names) - 1
    kept = [
        place for place, name in enumerate(names) if place != target and name not in one.left_out
    ]
    heads = [*(names[place] for place in kept), "target"]
    return heads, [
        [*(row[place] for place in kept), row[target].rstrip(one.trim) if one.trim else row[target]]
        for row in rows
    ]


def written(names: list[str], rows: Rows) -> str:
    """As it is kept in the folder."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()
