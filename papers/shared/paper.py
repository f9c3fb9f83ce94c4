"""What a paper's folder offers to the command that runs it."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FOLDER = Path(__file__).parents[1]
NAMES = (  # in the order of the index
    *("smroc", "scoring", "resampling", "bands", "imbalance", "prediction", "bounds"),
    *("isometrics", "abstention", "thresholds", "multiclass", "ordinal", "rec"),
)
Verdict = Literal["reproduced", "reproduced with the erratum", "not reproduced", "in part"]
Records = Mapping[str, Sequence[Any]]  # by the name of the part
Expected = Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """One table of finished cells.

    `count` answers one task with records, in a process of its own. A task says its name by `str`;
    a record's fields are plain values, and its first field, `cell`, is the name of its task. The
    file of a part has its name; "finished" is taken by the times of all cells.
    """

    name: str
    record: type[DataclassInstance]
    tasks: Callable[[bool], Sequence[Any]]  # True: the quick version
    count: Callable[[Any], Sequence[Any]]


@dataclass(frozen=True)
class Finding:
    """The last word of a page and the line of the index."""

    verdict: Verdict
    sentence: str


@dataclass(frozen=True)
class Paper:
    """A published experiment: its parts, and what is made of what was counted."""

    name: str
    citation: str
    claim: str
    parts: tuple[Part, ...]
    tables: Callable[[Records, Expected], Mapping[str, str]]
    pictures: Callable[[Records, Path], None]
    finding: Callable[[Records, Expected], Finding]
    pages: tuple[Path, ...] = ()  # of the documentation, that show some of the tables

    @property
    def folder(self) -> Path:
        """Where its page, its published figures and its finished cells are."""
        return FOLDER / self.name

    @property
    def expected(self) -> Expected:
        """The published figures."""
        return tomllib.loads((self.folder / "expected.toml").read_text(encoding="utf-8"))


def paper(name: str) -> Paper:
    """The paper of a folder."""
    module = importlib.import_module(f"papers.{name}.reproduce")
    found: Paper = module.PAPER
    return found
