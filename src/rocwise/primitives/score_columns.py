"""Scores ready to be sorted, and sums of squared weights: what a tally is made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Amounts, Array, Floats
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import row_by_row
from rocwise.results import Origin, read_only


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """Scores ready to be sorted: floats without nan, oriented so that higher means positive.

    Attributes
    ----------
    oriented : ndarray
        float32 or float64 in row order; negated when lower scores mean positive.
    meanings : ndarray or None
        When `oriented` holds positions 0, 1, 2, ...: what each position stands for.
    origin : Origin
        Direction, categories, name.
    """

    oriented: Array
    meanings: Array | None
    origin: Origin

    def of(self, oriented: Array) -> ScoreColumn:
        """Other scores of the same kind: some of the rows, or a copy of all."""
        return ScoreColumn(oriented, self.meanings, self.origin)


@dataclass(frozen=True, slots=True)
class Squares:
    """Sums of squared weights per distinct score, which variances of weighted data need."""

    pos: Floats
    neg: Floats


def in_user_units(scores: Array, direction: str, values: Array | None) -> Array:
    """Scores as they came; `values` are what positions stand for."""
    if direction == "lower":
        scores = 0 - scores  # not `-scores`: zero must not come back as -0.0
    return scores if values is None else values[scores.astype(np.intp)]


def total_of(sums: Amounts) -> float:
    """The last sum, so that rates of weighted cases end at exactly 1, however they were rounded."""
    total: float = sums[-1].item()
    return total


def cumulated(counts: Amounts) -> Amounts:
    """Running sums, read-only."""
    return read_only(np.cumsum(counts))


def steps_of(sums: Amounts) -> Amounts:
    """What was cumulated to these sums, read-only."""
    steps = on_large_pages(len(sums), sums.dtype)
    steps[:1] = sums[:1]
    row_by_row(np.subtract, sums[1:], sums[:-1], out=steps[1:])
    return read_only(steps)
