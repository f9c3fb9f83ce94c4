"""A tally of a bounded size that is fed bit by bit, on many machines, and joined later."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.data.sketches.score_cells import ScoreCells, cells_of, joined_cells, within
from rocwise.data.sketches.sketch_bytes import packed, unpacked
from rocwise.data.tally import Tally
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.clean_rows import DIRECTIONS, Direction, Missing
from rocwise.inputs.columns.labels import mask_of_batch
from rocwise.inputs.columns.scores import score_column
from rocwise.inputs.columns.vectors import as_vector
from rocwise.inputs.rows import same_length, without_missing
from rocwise.kernels import curve_counts, sort_classes
from rocwise.results import Origin

NOTHING = cells_of(np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64))


class TallySketch:
    """Positives and negatives at scores, in a bounded number of cells that can be merged.

    As long as there are at most `resolution` distinct scores nothing is lost. With more, scores
    that are near each other share a cell, and `error_bound` says what the AUC may lose by it.

    Parameters
    ----------
    resolution : int, default 4096
        Cells at most; each takes 33 bytes.
    pos_label : optional
        The label of the positive class, where labels are not 0/1, -1/1 or booleans.
    direction : {"higher", "lower"}
        Which scores mean positive.

    Examples
    --------
    >>> import rocwise as rw
    >>> monday, tuesday = rw.TallySketch(), rw.TallySketch()
    >>> monday.update([0, 1, 1], [0.2, 0.7, 0.4])
    >>> tuesday.update([0, 0], [0.4, 0.1])
    >>> week = rw.TallySketch.from_bytes(monday.to_bytes()).merge(tuesday)
    >>> week
    TallySketch: 2 positives, 3 negatives in 4 cells of at most 4,096; AUC exact
    >>> rw.auc(week).value
    0.9166666666666666
    """

    def __init__(
        self, resolution: int = 4096, *, pos_label: Any = None, direction: Direction = "higher"
    ) -> None:
        self.resolution: int = checks.whole(resolution, "resolution", at_least=2, at_most=2**26)
        checks.one_of(direction, "direction", DIRECTIONS)
        self.direction: Direction = direction
        if pos_label is not None and not isinstance(pos_label, (str, int, float, bool)):
            raise InputError(f"`pos_label` must be text or a number; got {shown(pos_label)}.")
        self.pos_label = pos_label
        self.neg_label: Any = None
        self.n_dropped: int = 0
        self.cells: ScoreCells = NOTHING

    def update(self, y_true: Any, y_score: Any, *, missing: Missing = "raise") -> None:
        """Count further rows; one class may be absent.

        Parameters
        ----------
        y_true, y_score : array-like
            Labels and scores, as in `tally`.
        missing : {"raise", "drop"}
            What to do with rows whose label or score is missing.
        """
        columns = {"y_true": as_vector(y_true, "y_true"), "y_score": as_vector(y_score, "y_score")}
        same_length(columns)
        columns, n_dropped = without_missing(columns, missing)
        mask, other = mask_of_batch(columns["y_true"], self.pos_label, "y_true")
        self._same_negatives(other)
        column = score_column(
            columns["y_score"], "y_score", direction=self.direction, origin=Origin()
        )
        if column.meanings is not None or column.origin.categories:
            raise InputError("`y_score` must hold numbers that a float64 holds exactly.")
        scores, tp, fp = curve_counts(*sort_classes(mask, column.oriented.astype(np.float64)))
        pos, neg = (np.diff(counts, prepend=0)[::-1] for counts in (tp, fp))
        self._keep(joined_cells(self.cells, cells_of(np.array(scores[::-1], np.float64), pos, neg)))
        self.neg_label = other if other is not None else self.neg_label
        self.n_dropped += n_dropped

    def _same_negatives(self, other: Any) -> None:
        if other is not None and self.neg_label is not None and other != self.neg_label:
            raise InputError(
                "`y_true` must hold two classes; beside the positive one there are "
                f"{listed([self.neg_label, other])}."
            )

    def _keep(self, cells: ScoreCells) -> None:
        self.cells = within(cells, self.resolution)

    def merge(self, other: TallySketch) -> TallySketch:
        """A new sketch of the rows of both, of the smaller resolution of the two.

        Parameters
        ----------
        other : TallySketch
            With the same `pos_label` and `direction`.

        Returns
        -------
        TallySketch
        """
        if not isinstance(other, TallySketch):
            raise InputError(f"`other` must be a TallySketch; got {type(other).__name__}.")
        for name in ("direction", "pos_label"):
            own, its = getattr(self, name), getattr(other, name)
            if own != its or type(own) is not type(its):
                raise InputError(
                    f"sketches of one `{name}` can be merged; these have {shown(own)} and "
                    f"{shown(its)}."
                )
        self._same_negatives(other.neg_label)
        both = TallySketch(
            min(self.resolution, other.resolution),
            pos_label=self.pos_label,
            direction=self.direction,
        )
        both.neg_label = self.neg_label if self.neg_label is not None else other.neg_label
        both.n_dropped = self.n_dropped + other.n_dropped
        both._keep(joined_cells(self.cells, other.cells))
        return both

    @property
    def n_pos(self) -> int:
        """Positives so far."""
        return int(self.cells.pos.sum())

    @property
    def n_neg(self) -> int:
        """Negatives so far."""
        return int(self.cells.neg.sum())

    @property
    def error_bound(self) -> float:
        """Largest possible error of the AUC; 0 as long as no cell holds two scores."""
        mixed = self.cells.mixed_pairs()
        if not mixed:
            return 0.0
        return float(np.nextafter(mixed / (2 * self.n_pos * self.n_neg), 1.0))

    def tally(self) -> Tally:
        """The tally of all cells, each named by its least positive score; needs both classes."""
        for count, name in ((self.n_pos, "positive"), (self.n_neg, "negative")):
            if not count:
                raise InputError(f"the sketch holds no {name} example yet, so ROC is undefined.")
        origin = Origin(
            direction=self.direction, n_dropped=self.n_dropped, error_bound=self.error_bound
        )
        lowest = self.cells.lowest[::-1]
        scores = 0 - lowest if self.direction == "lower" else lowest.copy()
        table = Tally.from_counts(
            scores, self.cells.pos[::-1].copy(), self.cells.neg[::-1].copy(), origin=origin
        )
        return table.named("score") if table.origin.name is None else table

    def to_bytes(self) -> bytes:
        """The sketch as bytes, the same on every machine, with a checksum; no pickle."""
        said = {
            name: getattr(self, name)
            for name in ("resolution", "direction", "pos_label", "neg_label", "n_dropped")
        }
        return packed(self.cells, said)

    @classmethod
    def from_bytes(cls, data: bytes) -> TallySketch:
        """The sketch that `to_bytes` made these bytes of; damaged ones are refused.

        Parameters
        ----------
        data : bytes
            All of them.

        Returns
        -------
        TallySketch
        """
        cells, said = unpacked(data)
        try:
            sketch = cls(
                said["resolution"], pos_label=said["pos_label"], direction=said["direction"]
            )
            sketch.neg_label = said["neg_label"]
            sketch.n_dropped = checks.whole(said["n_dropped"], "n_dropped", at_least=0)
        except (KeyError, InputError) as problem:
            raise InputError(
                f"the bytes of this TallySketch do not say what they are about: {problem}"
            ) from None
        sketch.cells = cells
        return sketch

    def __repr__(self) -> str:
        bound = self.error_bound
        exact = f"AUC exact to ± {printing.bound(bound)}" if bound else "AUC exact"
        notes = replace(Origin(), direction=self.direction, n_dropped=self.n_dropped).remarks()
        head = (
            f"TallySketch: {printing.classes(self.n_pos, self.n_neg)} in {len(self.cells):,} cells "
            f"of at most {self.resolution:,}"
        )
        return "; ".join([head, exact, *notes])
