"""Readings and marks: what readers found in cases, in one or several modalities."""

from dataclasses import dataclass, replace

import numpy as np

from rocwise.arrays import Array, Counts, Flags, Floats, Places
from rocwise.data.tally import ScoreColumn, Tally
from rocwise.results import Origin


def name_of_cell(modality: str, reader: str) -> str:
    """A cell in words."""
    return f"reader {reader!r}" + (f" in modality {modality!r}" if modality else "")


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
        return name_of_cell(self.modalities[modality], self.readers[reader])

    def curve_of(self, k: int) -> tuple[Floats, Floats]:
        """False and true positive rates of the ROC curve of a cell."""
        _, mask, scores = self.of_cell(k)
        tally = Tally.from_rows(mask, ScoreColumn(scores, None, self.origin))
        return tally.fp / tally.n_neg, tally.tp / tally.n_pos

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


@dataclass(frozen=True, eq=False)
class Marks:
    """Marks that readers set on cases: all false ones, and the highest one on each lesion."""

    lesions: Counts  # number of lesions of each case
    cases: Array  # names of the cases
    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    places: Places  # (cells, 2): modality and reader of each cell
    cell: Places  # of each mark, as all that follow
    case: Places
    scores: Floats  # higher means more suspicious
    hit: Flags  # whether the mark is on a lesion
    weights: Floats  # of the lesion in its case, 0 of a false mark
    clusters: Places | None  # cluster of each case
    origin: Origin

    @property
    def truth(self) -> Flags:
        """Whether each case has a lesion."""
        return np.asarray(self.lesions > 0)

    def some(self, cells: Places) -> "Marks":
        """The marks of some of the cells."""
        number = np.full(len(self.places), -1)
        number[cells] = np.arange(len(cells))
        kept = number[self.cell] >= 0
        names = ("case", "scores", "hit", "weights")
        own = {name: getattr(self, name)[kept] for name in names}
        return replace(self, places=self.places[cells], cell=number[self.cell[kept]], **own)

    def steps_of(self, k: int) -> tuple[Places, Places]:
        """The marks of a cell from the highest score down, and the last one of each score."""
        own = np.flatnonzero(self.cell == k)
        order = own[np.argsort(-self.scores[own], kind="stable")]
        return order, np.flatnonzero(np.append(np.diff(self.scores[order]) != 0, len(order) > 0))

    def curve_of(self, k: int) -> tuple[Floats, Floats]:
        """False marks per case and proportion of lesions that are hit, of the FROC curve."""
        order, ends = self.steps_of(k)
        false = np.cumsum(~self.hit[order])[ends] / len(self.lesions)
        hits = np.cumsum(self.hit[order])[ends] / self.lesions.sum()
        return np.append(0.0, false), np.append(0.0, hits)
