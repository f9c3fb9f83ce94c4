"""The cheapest cut by compiled loops.

For a cut, sums by buckets leave few rows to be sorted.
"""

from collections.abc import Sequence

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.kernels.compiled import _cutting
from rocwise.kernels.cuts.plain import Cut, highest_below
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.threads import heard

MOST_BUCKETS = 2**14  # what stays in a near cache
ROWS_PER_BUCKET = 4


def cheapest_cut(values: Floats, changes: Floats) -> Cut:
    """Compiled twin of `plain.cheapest_cut`.

    No cut inside a bucket of neighbouring values can be cheaper than the changes before it and
    all those below 0 inside: only the rows of the few buckets where that is little are sorted.

    Examples
    --------
    >>> cheapest_cut(np.array([4.0, 1.0, 9.0]), np.array([-2.0, -1.0, 5.0]))
    Cut(below=4.0, above=9.0, change=-3.0)
    """
    values, changes = (np.ascontiguousarray(each, np.float64) for each in (values, changes))
    return heard(_cheapest, values, changes, rows=len(values))


def _cheapest(values: Floats, changes: Floats) -> Cut:
    if len(values) != len(changes):
        raise ValueError("`values` must be at least 0, and as many as `changes`.")
    buckets = min(MOST_BUCKETS, 1 << (len(values) // ROWS_PER_BUCKET).bit_length())
    low, high, before, scale, between = _cutting.around(values, changes, buckets)
    if np.isnan(scale):
        refuse_nan(values, changes, what="the values or their changes")
    if low < 0:
        raise ValueError("`values` must be at least 0, and as many as `changes`.")
    rows = np.empty((2, between + 1))
    found = _cutting.rows_between(values, changes, low, high, rows)
    highest = highest_below(rows[0, :found], rows[1, :found], before, scale)
    below, above, change = _cutting.cut_at(values, changes, highest)
    return Cut(below + 0.0, above + 0.0, change)  # as the twin, where zeros have signs


def better_rivals(
    rivals: Floats,
    own: Floats,
    weight: float,
    own_losses: Floats,
    *,
    own_first: bool,
    out: Floats | None = None,
) -> Floats:
    """Compiled twin of `plain.better_rivals`."""
    own, own_losses = (np.ascontiguousarray(each, np.float64) for each in (own, own_losses))
    made = np.empty((2, len(own))) if out is None else out
    _refuse_other_shapes(own, own_losses, rivals, made)
    if heard(_cutting.better, rivals, own, weight, own_losses, made, own_first, rows=own.size):
        refuse_nan(rivals, own, weight, own_losses, what="the rivals or their weights")
    return made


def rival_ratios(
    own: Floats, own_losses: Floats, first: Floats, second: Floats, out: Floats | None = None
) -> tuple[float, Floats]:
    """Compiled twin of `plain.rival_ratios`."""
    own, own_losses = (np.ascontiguousarray(each, np.float64) for each in (own, own_losses))
    made = np.empty((2, len(own))) if out is None else out
    _refuse_other_shapes(own, own_losses, first, second, made)
    cost = heard(_cutting.ratios, own, own_losses, first, second, made, rows=own.size)
    if np.isnan(cost):
        refuse_nan(own, own_losses, first, second, what="the rivals or their losses")
    return cost, made


def group_ratios(
    table: Floats, left: Sequence[int], right: Sequence[int], columns: Places | None = None
) -> Floats:
    """Compiled twin of `plain.group_ratios`."""
    table = np.ascontiguousarray(table, np.float64)
    groups = [np.array(group, np.int64) for group in (left, right)]
    chosen = np.arange(table.shape[1]) if columns is None else columns
    chosen = np.ascontiguousarray(chosen, np.int64)
    for places, size in (
        (groups[0], len(table)),
        (groups[1], len(table)),
        (chosen, table.shape[1]),
    ):
        if len(places) and not 0 <= places.min() <= places.max() < size:
            raise ValueError(f"lines and columns must be of a table of the shape {table.shape}.")
    if not all(map(len, groups)):
        raise ValueError("both groups must have a line.")
    made = np.empty(len(chosen))
    rows = len(chosen) * (len(left) + len(right))
    if heard(_cutting.group_ratios, table, *groups, chosen, made, rows=rows):
        refuse_nan(table, what="the table")
    return made


def _refuse_other_shapes(own: Floats, own_losses: Floats, *tables: Floats) -> None:
    """The loops read and write what they are told is there."""
    shape = (2, len(own))
    fit = (t.shape == shape and t.dtype == np.float64 and t.flags.c_contiguous for t in tables)
    if len(own_losses) != len(own) or not all(fit):
        raise ValueError(f"rivals must be contiguous tables of floats of the shape {shape}.")
