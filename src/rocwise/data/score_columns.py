"""Scores ready to be sorted, and sums of squared weights: what a tally is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from rocwise.arrays import Amounts, Array, Floats
from rocwise.data.immutable import Immutable, made_once
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import ROWS_PER_THREAD, row_by_row, sums_of_rows
from rocwise.kernels.threads import run_parts
from rocwise.kernels.vector_products import dot
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


class Squares(Immutable):
    """Sums of squared weights per distinct score, which variances of weighted data need.

    `given` are columns of both classes of which `of_rows` makes these sums, some rows at a time.

    Examples
    --------
    >>> Squares(np.array([1.0, 0.0]), np.array([4.0, 9.0])).totals
    (1.0, 13.0)
    """

    given: tuple[Floats, Floats]

    def __init__(self, pos: Floats, neg: Floats) -> None:
        self._set(given=(read_only(pos), read_only(neg)))

    def _made_of(self) -> dict[str, Any]:
        return {"pos": self.given[0], "neg": self.given[1]}

    def of_rows(self, given: Floats) -> Floats:
        """What some rows of a given column stand for."""
        return given

    @property
    def pos(self) -> Floats:
        """Those of positives."""
        return self.given[0]

    @property
    def neg(self) -> Floats:
        """Those of negatives."""
        return self.given[1]

    @made_once
    def totals(self) -> tuple[float, float]:
        """Their sums over all scores."""
        return float(self.pos.sum()), float(self.neg.sum())


class SquaresOfRows(Squares):
    """The same where every row has a score of its own: weights are squared when asked for.

    Examples
    --------
    >>> squares = SquaresOfRows(np.array([1.0, 0.0]), np.array([2.0, 3.0]))
    >>> squares.neg.tolist(), squares.totals
    ([4.0, 9.0], (1.0, 13.0))
    """

    def of_rows(self, given: Floats) -> Floats:
        """What some rows of a given column stand for."""
        return np.square(given)

    @made_once
    def pos(self) -> Floats:
        """Those of positives."""
        return read_only(row_by_row(np.square, self.given[0]))

    @made_once
    def neg(self) -> Floats:
        """Those of negatives."""
        return read_only(row_by_row(np.square, self.given[1]))

    @made_once
    def totals(self) -> tuple[float, float]:
        """Their sums over all scores."""
        pos, neg = sums_of_rows(lambda *some: tuple(dot(each, each) for each in some), *self.given)
        return pos, neg


def in_user_units(scores: Array, direction: str, values: Array | None) -> Array:
    """Scores as they came; `values` are what positions stand for."""
    if direction == "lower":
        scores = 0 - scores  # not `-scores`: zero must not come back as -0.0
    return scores if values is None else values[scores.astype(np.intp)]


def classes_of_curve(
    scores: Array, tp: Amounts, fp: Amounts, direction: str
) -> tuple[Array, Array]:
    """Ascending oriented scores of negatives and of positives: what the curve was merged from.

    >>> scores, tp, fp = np.array([3.0, 2.0]), np.array([1, 1]), np.array([1, 3])
    >>> [each.tolist() for each in classes_of_curve(scores, tp, fp, "higher")]
    [[2.0, 2.0, 3.0], [3.0]]
    """
    rising = in_user_units(scores, direction, None)[::-1]
    neg, pos = (read_only(np.repeat(rising, steps_of(sums)[::-1])) for sums in (fp, tp))
    return neg, pos


def total_of(sums: Amounts) -> float:
    """The last sum, so that rates of weighted cases end at exactly 1, however they were rounded."""
    total: float = sums[-1].item()
    return total


def cumulated(pos: Amounts, neg: Amounts) -> tuple[Amounts, Amounts]:
    """Running sums of both classes, side by side where they are long; read-only."""

    def add(counts: Amounts) -> Amounts:
        sums = on_large_pages(len(counts), counts.dtype)
        return read_only(np.cumsum(counts, out=sums))

    if len(pos) < ROWS_PER_THREAD:
        return add(pos), add(neg)
    tp, fp = run_parts(add, [(pos,), (neg,)])
    return tp, fp


def steps_of(sums: Amounts, dtype: DTypeLike | None = None) -> Amounts:
    """What was cumulated to these sums, read-only, of their type if no other is given."""
    steps = on_large_pages(len(sums), sums.dtype if dtype is None else dtype)
    steps[:1] = sums[:1]
    row_by_row(np.subtract, sums[1:], sums[:-1], out=steps[1:])
    return read_only(steps)
