"""What a paper's folder offers to the command that runs it."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studies.simulation import Part, Records

from papers.shared.claims import Claim, Finding, claims_table, judged

FOLDER = Path(__file__).parents[1]
NAMES = (  # in the order of the index
    *("smroc", "scoring", "resampling", "bands", "imbalance", "prediction", "bounds"),
    *("isometrics", "abstention", "thresholds", "multiclass", "ordinal", "rec"),
)
Expected = Mapping[str, Any]


@dataclass(frozen=True)
class Paper:
    """A published experiment: its parts, and what is made of what was counted."""

    name: str
    citation: str
    parts: tuple[Part, ...]
    claims: Callable[[Records, Expected], Sequence[Claim]]
    sentence: str | Callable[[Records], str]  # on what matters most
    tables: Callable[[Records, Expected], Mapping[str, str]]
    pictures: Callable[[Records, Path], None]

    def results(self, records: Records) -> tuple[Mapping[str, str], Finding]:
        """Every table of the page, and the verdict on the paper."""
        claims = self.claims(records, self.expected)
        tables = {"claims": claims_table(claims), **self.tables(records, self.expected)}
        told = self.sentence
        return tables, judged(claims, told if isinstance(told, str) else told(records))

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
