"""Readings: scores that readers gave to cases in one or several modalities."""

from dataclasses import dataclass, replace

import numpy as np

from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.results import Origin


@dataclass(frozen=True, eq=False)
class Readings:
    """Scores by cell, a reader in a modality, and case; readings may be missing."""

    truth: Flags  # whether each case is positive
    cases: Array  # names of the cases
    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    places: Places  # (cells, 2): modality and reader of each cell
    scores: Floats  # (cells, cases), higher means positive; anything where not read
    read: Flags  # (cells, cases)
    clusters: Places | None  # cluster of each case
    origin: Origin

    def of_cell(self, k: int) -> tuple[Places, Array, Floats]:
        """The cases that a cell has read, whether they are positive (0, 1), and their scores."""
        rows = np.flatnonzero(self.read[k])
        return rows, self.truth[rows].view(np.uint8), self.scores[k, rows]

    def name_of(self, k: int) -> str:
        """A cell in words."""
        modality, reader = self.places[k]
        where = f" in modality {self.modalities[modality]!r}" if self.modalities[modality] else ""
        return f"reader {self.readers[reader]!r}{where}"

    def some(self, cells: Places) -> "Readings":
        """Some of the cells, with the cases that they have read."""
        read = self.read[cells]
        cases = np.flatnonzero(read.any(axis=0))
        return replace(
            self,
            truth=self.truth[cases],
            cases=self.cases[cases],
            places=self.places[cells],
            scores=self.scores[np.ix_(cells, cases)],
            read=read[:, cases],
            clusters=None if self.clusters is None else self.clusters[cases],
        )
