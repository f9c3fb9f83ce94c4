"""The search for the cheapest cell of three alternatives, with the compiled loop."""

import numpy as np

from rocwise.arrays import Floats
from rocwise.kernels.compiled import _sweeping
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.sweeping import Cell, Places, chosen_lines, strip_bases
from rocwise.kernels.threads import heard


def cheapest_cell(
    first: Floats,
    second: Floats,
    crossing: Floats,
    losses: Floats,
    *,
    strips: tuple[int, int],
    tolerance: float,
    bound: float,
) -> Cell:
    """Compiled twin of `plain_sweeping.cheapest_cell`.

    Examples
    --------
    >>> one, losses = np.array([0.0]), np.array([[3.0], [2.0], [1.0]])
    >>> cheapest_cell(one, one, one, losses, strips=(0, 2), tolerance=1e-9, bound=np.inf)
    (1.0, 1, 0, 0)
    """
    begin, end = strips
    refuse_nan(first, second, crossing, losses, tolerance, bound, what="the rows")
    by_first = np.argsort(first, kind="stable")
    by_second = np.argsort(second, kind="stable")
    sides = by_first[by_first >= begin], by_second[by_second < begin]
    return _sweeping.cheapest(
        np.ascontiguousarray(first, dtype=np.float64),
        np.ascontiguousarray(second, dtype=np.float64),
        np.ascontiguousarray(crossing, dtype=np.float64),
        strip_bases(losses),
        np.ascontiguousarray(losses[:1] - losses[1:], dtype=np.float64),
        (sides[0].astype(np.int64), sides[1].astype(np.int64)),
        begin,
        end,
        tolerance,
        bound,
    )


def largest_weighted(
    table: Floats, weights: Floats, among: Places | None = None
) -> tuple[Floats, Places]:
    """Compiled twin of `plain_sweeping.largest_weighted`.

    Examples
    --------
    >>> values, lines = largest_weighted(np.array([[0.5, 0.25], [0.25, 0.5]]), np.array([1.0, 2.0]))
    >>> values.tolist(), lines.tolist()
    ([0.5, 1.0], [0, 1])
    """
    table = np.ascontiguousarray(table, dtype=np.float64)
    values, lines = np.empty(table.shape[1]), np.empty(table.shape[1], dtype=np.int64)
    holds_nan = heard(
        _sweeping.largest,
        table,
        np.ascontiguousarray(weights, dtype=np.float64),
        chosen_lines(table, among),
        values,
        lines,
        rows=table.size,
    )
    if holds_nan:
        refuse_nan(table, weights, what="the table or its weights")
    return values, lines
