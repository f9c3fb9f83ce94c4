"""Numpy twin of the search for the cheapest cell of three alternatives."""

import numpy as np

from rocwise.arrays import Flags, Floats, Integers
from rocwise.kernels.no_nan import refuse_nan

Places = Integers
Cell = tuple[float, int, int, int]


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
    """The cheapest cell of an arrangement of rows with three alternatives, strip by strip.

    Row i is called s iff t > first[i] while d <= crossing[i] and iff t - d > second[i] after it;
    otherwise it is called p before its crossing and q after. Between two crossings the plane
    (d, t) is a strip, in which the sums of losses depend only on how many of the rows before
    their crossing (x of them, by `first`) and after it (y, by `second`) are called s.

    Parameters
    ----------
    first, second, crossing : ndarray of float64 (n,)
        `crossing` ascends. An infinite `first` or `second` is never passed; minus infinity always.
    losses : ndarray of float64 (3, n)
        What calling the rows s, p and q costs.
    strips : (int, int)
        Strip j lies between the crossings j - 1 and j; strips[0] <= j < strips[1].
    tolerance : float
        Cells narrower than this are passed over.
    bound : float
        Cells that are not cheaper are of no interest.

    Returns
    -------
    (cost, strip, x, y)
        The first cheapest cell, or (bound, -1, -1, -1).

    Examples
    --------
    >>> one, losses = np.array([0.0]), np.array([[3.0], [2.0], [1.0]])
    >>> cheapest_cell(one, one, one, losses, strips=(0, 2), tolerance=1e-9, bound=np.inf)
    (1.0, 1, 0, 0)
    """
    refuse_nan(first, second, crossing, losses, tolerance, bound, what="the rows")
    n = len(crossing)
    bases = strip_bases(losses)
    by_first = np.argsort(first, kind="stable")
    by_second = np.argsort(second, kind="stable")
    best: Cell = (bound, -1, -1, -1)
    for strip in range(*strips):
        left = crossing[strip - 1] if strip else -np.inf
        right = crossing[strip] if strip < n else np.inf
        if not (left < right and right - left > tolerance):  # both may be infinite
            continue
        before, after = by_first[by_first >= strip], by_second[by_second < strip]
        cell = _cheapest_in_strip(
            (first[before], losses[0, before] - losses[1, before]),
            (second[after], losses[0, after] - losses[2, after]),
            (float(left), float(right), float(bases[strip])),
            tolerance,
        )
        if cell[0] < best[0]:
            best = (cell[0], strip, cell[1], cell[2])
    return best


def strip_bases(losses: Floats) -> Floats:
    """Losses in each strip while no row is called s: p before the crossing, q after it.

    >>> strip_bases(np.array([[0.0, 0.0], [1.0, 2.0], [4.0, 8.0]])).tolist()
    [3.0, 6.0, 12.0]
    """
    after = np.concatenate(([0.0], np.cumsum(losses[2])))
    before = np.concatenate(([0.0], np.cumsum(losses[1, ::-1])))[::-1]
    return after + before


def _cheapest_in_strip(
    before: tuple[Floats, Floats],
    after: tuple[Floats, Floats],
    strip: tuple[float, float, float],
    tolerance: float,
) -> tuple[float, int, int]:
    """The cheapest (cost, x, y) among the cells that meet the strip."""
    (a, a_change), (b, b_change) = before, after
    left, right, base = strip
    a_edges = np.concatenate(([-np.inf], a, [np.inf]))
    b_edges = np.concatenate(([-np.inf], b, [np.inf]))
    a_sums = np.cumsum(np.concatenate(([base], a_change)))
    b_sums = np.concatenate(([0.0], np.cumsum(b_change)))
    x = np.flatnonzero(_wide(a_edges, tolerance))
    y = np.flatnonzero(_wide(b_edges, tolerance))
    if not len(x) or not len(y):
        return np.inf, -1, -1
    # cell (x, y) meets the strip iff a_x - b_(y+1) < right and a_(x+1) - b_y > left
    with np.errstate(invalid="ignore"):
        lows = np.searchsorted(b_edges[y + 1], (a_edges[x] - right) + tolerance, side="right")
        highs = np.searchsorted(b_edges[y], (a_edges[x + 1] - left) - tolerance, side="left")
    counts = np.maximum(highs - lows, 0)
    owners = np.repeat(np.arange(len(x)), counts)
    steps = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    partners = y[lows[owners] + steps]
    costs = a_sums[x[owners]] + b_sums[partners]
    if not len(costs):
        return np.inf, -1, -1
    place = int(costs.argmin())
    return float(costs[place]), int(x[owners[place]]), int(partners[place])


def _wide(edges: Floats, tolerance: float) -> Flags:
    """Which gaps between consecutive edges are wider than the tolerance."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.diff(edges) > tolerance)


def largest_weighted(
    table: Floats, weights: Floats, among: Places | None = None
) -> tuple[Floats, Places]:
    """The largest weighted entry of each column, and the first line that has it.

    Parameters
    ----------
    table : ndarray of float64 (m, n)
        One line per class.
    weights : ndarray of float64 (m,)
        Factors of the lines.
    among : ndarray of int64, optional
        The lines to look at, ascending; all by default.

    Examples
    --------
    >>> values, lines = largest_weighted(np.array([[0.5, 0.25], [0.25, 0.5]]), np.array([1.0, 2.0]))
    >>> values.tolist(), lines.tolist()
    ([0.5, 1.0], [0, 1])
    """
    refuse_nan(table, weights, what="the table or its weights")
    first, *others = chosen_lines(table, among)
    values = table[first] * weights[first]
    lines = np.full(table.shape[1], first, dtype=np.int64)
    for k in others:
        product = table[k] * weights[k]
        better = product > values
        np.copyto(values, product, where=better)
        lines[better] = k
    return values, lines


def chosen_lines(table: Floats, among: Places | None) -> Places:
    """The lines asked for, or all; at least one.

    >>> chosen_lines(np.zeros((3, 2)), None).tolist()
    [0, 1, 2]
    """
    lines = np.arange(len(table)) if among is None else np.asarray(among)
    if not len(lines) or lines.min() < 0 or lines.max() >= len(table):
        raise ValueError(f"`among` must name lines 0..{len(table) - 1}; got {lines.tolist()}.")
    return np.ascontiguousarray(lines, dtype=np.int64)
