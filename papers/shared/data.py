"""The papers' data sets: read from the folder in `ROCWISE_DATA`, or reported as absent."""

from __future__ import annotations

import csv
import functools
import hashlib
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

SUMS = Path(__file__).with_name("data_sets.csv")


class AbsentDataError(Exception):
    """A data set that is not there, or is another one than was counted on."""


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
            f"data set {name}: no file {name}.csv.gz in the folder of ROCWISE_DATA; "
            f"it was made from {entry.source}"
        )
    if hashlib.sha256(path.read_bytes()).hexdigest() != entry.sha256:
        raise AbsentDataError(f"data set {name}: the file differs from the one counted on")
    return path


def read(name: str) -> DataSet:
    """A data set without the columns that only name a row, and without rows of unknown class."""
    import pandas as pd

    entry = entries()[name]
    table = pd.read_csv(
        data_file(name), keep_default_na=False, na_values=[""], dtype={"target": str}
    )
    table = table.dropna(subset=["target"]).drop(columns=list(entry.id_columns))
    return DataSet(name, table.drop(columns="target"), table["target"], entry.positive)
