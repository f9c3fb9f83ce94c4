"""The cheapest cut of values, and the cheapest cell of an arrangement of three alternatives."""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Flags, Floats, Integers
from rocwise.kernels.nan import check_no_nan
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.threads import interruptible

_cuts = compiled_module("_cuts")
SAME_VALUE = 1e-12  # values closer than this, relatively, are one
SAME_COST = 1e-12  # sums of changes closer than this, relatively to all changes, are equal
MOST_BUCKETS = 2**14
ROWS_PER_BUCKET = 4
Cell = tuple[float, int, int, int]


class Cut(NamedTuple):
    """A place between sorted values, and what the rows below it add up to."""

    below: float  # the values on either side, or an infinity
    above: float
    change: float


def cheapest_cut(values: Floats, changes: Floats) -> Cut:
    """The lowest cut with the least sum of the changes below it; values are at least 0."""
    if values.shape != changes.shape or values.ndim != 1:
        raise ValueError("`changes` must have one entry for each of `values`.")
    values, changes = (np.ascontiguousarray(each, np.float64) for each in (values, changes))
    if _cuts is not None:
        return interruptible(_cut_of_buckets, values, changes, rows=len(values))
    check_no_nan(values, changes, what="the values or their changes")
    if len(values) and values.min() < 0:
        raise ValueError("`values` must be at least 0.")
    finite = values < np.inf
    values, changes = values[finite], changes[finite]
    return _cut_of_rows(values, changes, 0.0, float(np.abs(changes).sum()))


def _cut_of_buckets(values: Floats, changes: Floats) -> Cut:
    """By buckets of neighboring values, so that few rows are sorted."""
    buckets = min(MOST_BUCKETS, 1 << (len(values) // ROWS_PER_BUCKET).bit_length())
    low, high, before, scale, n_rows = _cuts.range_of_cut(values, changes, buckets)
    if np.isnan(low):
        check_no_nan(values, changes, what="the values or their changes")
    if low < 0:
        raise ValueError("`values` must be at least 0.")
    rows = np.empty((2, n_rows))
    _cuts.rows_between(values, changes, low, high, rows)
    below, above, change = _cut_of_rows(rows[0], rows[1], before, scale)
    if below == -np.inf:
        below = float(values[values < low].max(initial=-np.inf))
    if above == np.inf:
        above = float(values[values > high].min(initial=np.inf))
    return Cut(below, above, change)


def _cut_of_rows(values: Floats, changes: Floats, before: float, scale: float) -> Cut:
    """The cheapest cut of rows, given the changes of lower rows and all changes without sign."""
    if not len(values):
        return Cut(-np.inf, np.inf, before)
    order = np.argsort(values)
    values = values[order]
    distinct = values[1:] > values[:-1] * (1.0 + SAME_VALUE)
    ends = np.append(np.flatnonzero(distinct), len(values) - 1)
    running = before + np.concatenate(([0.0], np.cumsum(changes[order])[ends]))
    chosen = int(np.argmax(running <= running.min() + SAME_COST * scale))
    place = int(ends[chosen - 1]) + 1 if chosen else 0  # rows below the cut
    below = float(values[place - 1]) + 0.0 if place else -np.inf  # + 0.0: no -0.0
    above = float(values[place]) + 0.0 if place < len(values) else np.inf
    return Cut(below, above, float(running[chosen]))


def better_class(
    runner_up: Floats, own: Floats, weight: float, own_losses: Floats, *, own_first: bool
) -> Floats:
    """In each row the better of the runner-up (score, cost) and a class, which may win ties."""
    _check_lines(own, own_losses, runner_up)
    if _cuts is not None:
        made = np.empty((2, len(own)))
        given = *_with_bits(runner_up), own, weight, own_losses.view(np.int64), own_first
        _cuts.better_class(*given, *_with_bits(made))
        return made
    values = own * weight
    wins = values >= runner_up[0] if own_first else values > runner_up[0]
    return np.where(wins, np.stack([values, own_losses]), runner_up)


def decision_ratios(
    own: Floats, own_losses: Floats, first: Floats, second: Floats
) -> tuple[float, Floats]:
    """Cost of a class without weight; from which weight on rows are predicted as it; the change.

    Runners-up are as in `better_class`; of two, the first one wins where both are equal. Rows
    with score 0 in the class are never predicted as it: infinity. Rows whose runner-up has score 0
    always are: infinity too, and part of the cost.
    """
    _check_lines(own, own_losses, first, second)
    made = np.empty((2, len(own)))
    if _cuts is not None:
        runner_up = *_with_bits(first), *_with_bits(second)
        return float(_cuts.decision_ratios(own, own_losses, *runner_up, made)), made
    losses = np.where(second[0] > first[0], second[1], first[1])
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratios = np.maximum(first[0], second[0]) / own
    certain = (own > 0) & ~(ratios > 0)
    made[0] = np.where((own > 0) & ~certain, ratios, np.inf)
    made[1] = own_losses - losses
    return float(np.where(certain, own_losses, losses).sum()), made


def _with_bits(runner_up: Floats) -> tuple[Floats, Integers]:
    """The scores of the runner-up, and the bits of its costs."""
    return runner_up[0], runner_up[1].view(np.int64)


def _check_lines(own: Floats, own_losses: Floats, *tables: Floats) -> None:
    shape = (2, len(own))
    if len(own_losses) != len(own) or any(table.shape != shape for table in tables):
        raise ValueError(f"runners-up must be tables of the shape {shape}.")


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
    """The cheapest cell (cost, strip, x, y) of rows with three alternatives, strip by strip.

    Row i is called s iff t > first[i] while d <= crossing[i] and iff t - d > second[i] after it;
    otherwise it is called p before its crossing and q after; `losses` are those of s, p and q.
    Strip j of the plane (d, t) lies between the ascending crossings j - 1 and j; the sums of losses
    in it depend only on how many of the rows before their crossing (x of them, by `first`) and
    after it (y, by `second`) are called s. Cells narrower than the tolerance, or not below the
    bound, do not count: without others it is (bound, -1, -1, -1).
    """
    check_no_nan(first, second, crossing, losses, tolerance, bound, what="the rows")
    rows = [np.ascontiguousarray(each, np.float64) for each in (first, second, crossing)]
    by_first, by_second = (np.argsort(each, kind="stable") for each in rows[:2])
    bases, changes = _strip_bases(losses), np.ascontiguousarray(losses[:1] - losses[1:])
    begin = strips[0]
    if _cuts is not None:
        before = by_first[by_first >= begin].astype(np.int64)
        after = by_second[by_second < begin].astype(np.int64)
        searched = *strips, tolerance, bound
        cell: Cell = _cuts.cheapest_cell(*rows, bases, changes, before, after, *searched)
        return cell
    edges = np.concatenate(([-np.inf], crossing, [np.inf]))
    best: Cell = (bound, -1, -1, -1)
    for strip in range(*strips):
        left, right = float(edges[strip]), float(edges[strip + 1])
        if not (left < right and right - left > tolerance):  # both may be infinite
            continue
        before, after = by_first[by_first >= strip], by_second[by_second < strip]
        cost, x, y = _cheapest_in_strip(
            (first[before], changes[0, before]),
            (second[after], changes[1, after]),
            (left, right, float(bases[strip])),
            tolerance,
        )
        best = (cost, strip, x, y) if cost < best[0] else best
    return best


def _strip_bases(losses: Floats) -> Floats:
    """Losses in each strip while no row is called s: p before the crossing, q after it."""
    after = np.concatenate(([0.0], np.cumsum(losses[2])))
    before = np.concatenate(([0.0], np.cumsum(losses[1, ::-1])))[::-1]
    return np.ascontiguousarray(after + before, np.float64)


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
