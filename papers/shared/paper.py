"""What a paper's folder offers to the command that runs it."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from studies.cells import Part, Records

FOLDER = Path(__file__).parents[1]
NAMES = (  # in the order of the index
    *("smroc", "scoring", "resampling", "bands", "imbalance", "prediction", "bounds"),
    *("isometrics", "abstention", "thresholds", "multiclass", "ordinal", "rec"),
)
Verdict = Literal["reproduced", "reproduced with the erratum", "not reproduced", "in part"]
Expected = Mapping[str, Any]


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
