"""The papers' data sets: read from the folder in `ROCWISE_DATA`, or reported as absent."""

from __future__ import annotations

import csv
import functools
import gzip
import os
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from studies.simulation import AbsentDataError

from papers.shared.download import checksum_of, public_sets

if TYPE_CHECKING:
    import pandas as pd

SUMS = Path(__file__).with_name("data_sets.csv")


@dataclass(frozen=True)
class Entry:
    """One line of `data_sets.csv`: the file, its checksum, and how it is read."""

    name: str
    sha256: str
    positive: str
    train_rows: int  # of a file with a test part; 0 where there is none
    id_columns: tuple[str, ...]
    source: str


@dataclass(frozen=True, eq=False)
class DataSet:
    """Rows of features, numbers and words apart, and the class of each."""

    name: str
    features: pd.DataFrame
    target: pd.Series
    positive: str

    @property
    def labels(self) -> NDArray[np.int64]:
        """1 for the class that the paper calls positive."""
        return np.asarray(self.target.astype(str) == self.positive, np.int64)

    @property
    def train_rows(self) -> int:
        """How many of the first rows are for training; 0 if the file has no test part."""
        return entries()[self.name].train_rows

    def with_positive(self, label: str) -> DataSet:
        """The same rows with another class called positive."""
        return replace(self, positive=label)

    def without(self, columns: list[str]) -> DataSet:
        """The same rows without these columns."""
        return replace(self, features=self.features.drop(columns=columns))


@functools.cache
def entries() -> dict[str, Entry]:
    """Every data set that a paper uses, by name."""
    with SUMS.open(newline="", encoding="utf-8") as file:
        return {
            row["name"]: Entry(
                row["name"],
                row["sha256"],
                row["positive"],
                int(row["train_rows"] or 0),
                tuple(filter(None, row["id_columns"].split(";"))),
                row["source"],
            )
            for row in csv.DictReader(file)
        }


def data_file(name: str) -> Path:
    """The file of a data set, after a look at its checksum."""
    entry = entries()[name]
    folder = os.environ.get("ROCWISE_DATA")
    path = Path(folder or ".") / f"{name}.csv.gz"
    if not folder or not path.is_file():
        raise AbsentDataError(
            f"data set {name}: no file {name}.csv.gz in the folder of ROCWISE_DATA; {remedy(entry)}"
        )
    if not counted_on(path, entry):
        raise AbsentDataError(f"data set {name}: the file differs from the one counted on")
    return path


def remedy(entry: Entry) -> str:
    """What to do about a data set that is not there."""
    if entry.name in public_sets():
        return f"`python -m papers --download FOLDER` fetches it from {entry.source}"
    return f"it was made from {entry.source}, which cannot be downloaded here"


def counted_on(path: Path, entry: Entry) -> bool:
    """Whether a file is the one whose checksum is kept, or has the same table in it."""
    raw = path.read_bytes()
    if checksum_of(raw) == entry.sha256:
        return True
    public = public_sets().get(entry.name)
    try:
        return public is not None and checksum_of(gzip.decompress(raw)) == public.content
    except (OSError, EOFError, zlib.error):  # no gzip file
        return False


def read(name: str) -> DataSet:
    """A data set without the columns that only name a row, and without rows of unknown class."""
    import pandas as pd

    entry = entries()[name]
    table = pd.read_csv(
        data_file(name), keep_default_na=False, na_values=[""], dtype={"target": str}
    )
    table = table.dropna(subset=["target"]).drop(columns=list(entry.id_columns))
    return DataSet(name, table.drop(columns="target"), table["target"], entry.positive)
