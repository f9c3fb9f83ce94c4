"""Ordered classes ranked by a score: sort once, ask everything."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import kernels, printing
from rocwise.errors import InputError, listed
from rocwise.primitives.tallies import ScoreColumn
from rocwise.results import Origin

Floats = NDArray[np.float64]


class Ranking:
    """Rows of ordered classes with one score each.

    Attributes
    ----------
    codes : ndarray of uint8
        Class of each row, 0 for the lowest.
    labels : tuple
        Label of each class, lowest first.
    sizes : ndarray of float
        Rows of each class.
    scores : ndarray
        Oriented so that higher means a higher class.
    """

    def __init__(
        self,
        codes: NDArray[np.uint8],
        column: ScoreColumn,
        labels: tuple[Any, ...],
        origin: Origin | None = None,
    ) -> None:
        self.codes = codes
        self.column = column
        self.scores = column.oriented
        self.labels = labels
        self.origin = origin or Origin()
        self.sizes: Floats = np.bincount(codes, minlength=len(labels)).astype(np.float64)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.labels)

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def in_order(self) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint8]]:
        """Rows by rising score, their classes, and 1 where a new score starts."""
        return kernels.rank_classes(self.codes, self.scores)

    @cached_property
    def group(self) -> NDArray[np.intp]:
        """Number of the distinct score, from the lowest, of each row in row order."""
        order, _, starts = self.in_order
        places = np.empty(len(self), np.intp)
        places[order] = np.cumsum(starts) - 1
        return places

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Rows of each class at each distinct score, (scores, classes), lowest score first."""
        n_scores = int(self.group.max()) + 1
        cells = self.group * self.n_classes + self.codes
        table = np.bincount(cells, minlength=n_scores * self.n_classes)
        return table.reshape(n_scores, self.n_classes)

    @cached_property
    def share(self) -> Floats:
        """Share of each class at each distinct score."""
        return self.counts / self.sizes

    @cached_property
    def distinct(self) -> NDArray[Any]:
        """Distinct scores in the user's units, from the one that speaks for the lowest class."""
        order, _, starts = self.in_order
        return self.in_user_units(self.scores[order[starts == 1]])

    def in_user_units(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Undo the orientation and the ranking that the sort worked on."""
        if self.column.origin.direction == "lower":
            scores = 0 - scores
        if self.column.meanings is not None:
            return self.column.meanings[scores.astype(np.intp)]
        return scores

    @property
    def has_mixed_ties(self) -> bool:
        """Whether rows of different classes share a score."""
        return bool(((self.counts > 0).sum(axis=1) > 1).any())

    def sizes_in_words(self) -> str:
        """``3 of class 1, 4 of class 2``."""
        shown = [
            f"{printing.count(size)} of {listed([label])}"
            for label, size in zip(self.labels, self.sizes.tolist(), strict=True)
        ]
        return ", ".join(shown)

    def refuse_single_rows(self, what: str) -> None:
        """Spread within a class needs two rows of it."""
        single = [k for k, size in enumerate(self.sizes) if size < 2]
        if single:
            raise InputError(
                f"{what} needs at least two rows of every class; `y_true` has one row of class "
                f"{listed([self.labels[single[0]]])}."
            )


def placements(ranking: Ranking, ties: str) -> tuple[Floats, Floats]:
    """For each distinct score and class: share of the class below it, and above it, with credit."""
    share = ranking.share
    upto = np.cumsum(share, axis=0)
    half = 0.5 * share if ties == "credit" else 0.0
    below = upto - share + half
    above = upto[-1] - upto + half
    return below, above
