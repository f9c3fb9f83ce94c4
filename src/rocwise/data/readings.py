"""Readings and marks: what readers found in cases, in one or several modalities."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from rocwise.arrays import Array, Counts, Flags, Floats, Places
from rocwise.data.tally import ScoreColumn, Tally
from rocwise.results import Origin


@dataclass(frozen=True, eq=False)
class Study:
    """Cases, and the cells that have read them: a reader in a modality each."""

    cases: Array  # names of the cases
    truth: Flags  # whether each case is positive
    clusters: Places | None  # cluster of each case
    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    places: Places  # (cells, 2): modality and reader of each cell
    read: Flags  # (cells, cases)
    found: tuple[Any, ...]  # of each cell
    origin: Origin

    def some(self, cells: Places) -> Self:
        """Some of the cells, with the cases that they have read."""
        read = self.read[cells]
        own = read.any(axis=0)
        return replace(
            self,
            cases=self.cases[own],
            truth=self.truth[own],
            clusters=None if self.clusters is None else self.clusters[own],
            places=self.places[cells],
            read=read[:, own],
            found=tuple(self.found[k] for k in cells),
        )

    def sizes(self) -> Counts:
        """Positives and negatives that each cell has read, (cells, 2)."""
        classes = self.truth, ~self.truth
        return np.stack([np.count_nonzero(self.read & own, axis=1) for own in classes], axis=1)

    def name_of(self, k: int) -> str:
        """A cell in words."""
        modality, reader = self.places[k]
        where = f" in modality {self.modalities[modality]!r}" if self.modalities[modality] else ""
        return f"reader {self.readers[reader]!r}{where}"


@dataclass(frozen=True, eq=False)
class Readings(Study):
    """Scores of the cases that each cell has read, higher means positive; some may be missing."""

    def of_cell(self, k: int) -> tuple[Places, Array, Floats]:
        """The cases that a cell has read, whether they are positive (0, 1), and their scores."""
        rows = np.flatnonzero(self.read[k])
        return rows, self.truth[rows].view(np.uint8), self.found[k]

    def tally(self, mask: Array, scores: Floats) -> Tally:
        """Counts at the distinct scores of some readings."""
        return Tally.from_rows(mask, ScoreColumn(scores, None, self.origin))

    def curve_of(self, k: int) -> tuple[Floats, Floats]:
        """False and true positive rates of the ROC curve of a cell."""
        tally = self.tally(*self.of_cell(k)[1:])
        return np.append(0.0, tally.fp / tally.n_neg), np.append(0.0, tally.tp / tally.n_pos)


class CellMarks(NamedTuple):
    """Marks of a cell from the highest score down: all false ones, and the best on each lesion."""

    case: Places
    scores: Floats  # higher means more suspicious
    hit: Flags  # whether the mark is on a lesion
    weights: Floats  # of the lesion in its case, 0 of a false mark

    @property
    def steps(self) -> Places:
        """The last mark of each score."""
        return np.flatnonzero(np.append(np.diff(self.scores) != 0, len(self.scores) > 0))


@dataclass(frozen=True, eq=False)
class Marks(Study):
    """Marks on cases by cell (`CellMarks`); each cell has read all cases."""

    lesions: Counts  # number of lesions of each case

    def curves_of(self, k: int, times: Counts) -> list[tuple[Floats, Floats]]:
        """FROC curves of a cell in resamples with these multiplicities (resamples, cases).

        A curve is the false marks per case and the proportion of lesions that are hit.
        """
        own, drawn = self.found[k], times[:, self.found[k].case]
        false = np.cumsum(drawn * ~own.hit, axis=1)[:, own.steps] / times.sum(axis=1)[:, None]
        hits = np.cumsum(drawn * own.hit, axis=1)[:, own.steps] / (times @ self.lesions)[:, None]
        both = (np.pad(each, ((0, 0), (1, 0))) for each in (false, hits))
        return list(zip(*both, strict=True))

    def curve_of(self, k: int) -> tuple[Floats, Floats]:
        """The FROC curve of a cell."""
        return self.curves_of(k, np.ones((1, len(self.lesions)), np.int64))[0]
