"""Scores ready to be sorted, and sums of squared weights: what a tally is made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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


def in_user_units(scores: Array, direction: str, values: Array | None) -> Array:
    """Scores as they came; `values` are what positions stand for."""
    if direction == "lower":
        scores = 0 - scores  # not `-scores`: zero must not come back as -0.0
    return scores if values is None else values[scores.astype(np.intp)]
