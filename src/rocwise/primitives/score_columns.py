"""Scores ready to be sorted, and sums of squared weights: what a tally is made from."""

from __future__ import annotations

from dataclasses import dataclass

from rocwise.arrays import Array, Floats
from rocwise.results import Origin


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


@dataclass(frozen=True, slots=True)
class Squares:
    """Sums of squared weights per distinct score, which variances of weighted data need."""

    pos: Floats
    neg: Floats
