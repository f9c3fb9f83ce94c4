"""Numpy twins of the kernels that find the best weight of one class."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.kernels.no_nan import refuse_nan

SAME_VALUE = 1e-12  # values closer than this, relatively, are one
SAME_COST = 1e-12  # sums of changes closer than this, relatively to all changes, are equal
LANES = 8  # running sums of rows side by side; `_cutting.pyx` has it too


class Cut(NamedTuple):
    """A place between sorted values.

    Attributes
    ----------
    below, above : float
        The values on either side; minus infinity or infinity where there is none.
    change : float
        What the rows below the cut add up to.
    """

    below: float
    above: float
    change: float


def cheapest_cut(values: Floats, changes: Floats) -> Cut:
    """The cut with the least sum of the changes of the rows below it; the lowest of several.

    Parameters
    ----------
    values : ndarray of float64 (n,)
        At least 0; rows at infinity are never below a cut.
    changes : ndarray of float64 (n,)
        What a row adds when the cut is above it.

    Examples
    --------
    >>> cheapest_cut(np.array([4.0, 1.0, 9.0]), np.array([-2.0, -1.0, 5.0]))
    Cut(below=4.0, above=9.0, change=-3.0)
    """
    refuse_nan(values, changes, what="the values or their changes")
    if len(values) != len(changes) or (len(values) and values.min() < 0):
        raise ValueError("`values` must be at least 0, and as many as `changes`.")
    finite = values < np.inf
    scale = float(np.abs(changes[finite]).sum())
    return cut_at(values, changes, highest_below(values[finite], changes[finite], 0.0, scale))


def highest_below(values: Floats, changes: Floats, before: float, scale: float) -> float:
    """The highest value below the cheapest cut; less than all of them where that is below all.

    `before` is what rows below these add up to, `scale` what all changes do without their signs.

    >>> highest_below(np.array([4.0, 1.0, 9.0]), np.array([-2.0, -1.0, 5.0]), 0.0, 8.0)
    4.0
    """
    if not len(values):
        return -np.inf
    order = np.argsort(values)
    values = values[order]
    apart = values[1:] > values[:-1] * (1.0 + SAME_VALUE)
    ends = np.append(np.flatnonzero(apart), len(values) - 1)
    running = before + np.concatenate(([0.0], np.cumsum(changes[order])[ends]))
    chosen = int(np.argmax(running <= running.min() + SAME_COST * scale))
    return float(values[ends[chosen - 1]]) if chosen else float(np.nextafter(values[0], -1.0))


def cut_at(values: Floats, changes: Floats, highest: float) -> Cut:
    """The cut above `highest`, with the values beside it.

    >>> cut_at(np.array([4.0, 1.0, 9.0]), np.array([-2.0, -1.0, 5.0]), 5.0)
    Cut(below=4.0, above=9.0, change=-3.0)
    """
    under = values <= highest
    below = float(values[under].max(initial=-np.inf))
    above = float(values[~under].min(initial=np.inf))
    # which of 0.0 and -0.0 comes first is nobody's business
    return Cut(below + 0.0, above + 0.0, lane_sum(np.where(under, changes, 0.0)))


def lane_sum(values: Floats) -> float:
    """The sum of a column, by lanes of rows side by side, and these in their order.

    >>> lane_sum(np.ones(11))
    11.0
    """
    lanes = np.zeros((-(-len(values) // LANES), LANES))
    lanes.ravel()[: len(values)] = values
    return float(np.cumsum(np.add.reduce(lanes, axis=0))[-1])  # both go from the first to the last


def better_rivals(
    rivals: Floats,
    own: Floats,
    weight: float,
    own_losses: Floats,
    *,
    own_first: bool,
    out: Floats | None = None,
) -> Floats:
    """The better, in each row, of the best rival so far and one more class.

    Parameters
    ----------
    rivals : ndarray of float64 (2, n)
        Weighted scores of the best rival, below 0 where there is none, and what calling it
        costs.
    own, own_losses : ndarray of float64 (n,)
        Scores of the class, and what calling it costs.
    weight : float
        What its scores are multiplied by.
    own_first : bool
        Whether it wins where both are equal.
    out : ndarray of float64 (2, n), optional
        Where to write; it may be `rivals`.

    Examples
    --------
    >>> rivals = np.array([[0.5, 0.25], [3.0, 4.0]])
    >>> better_rivals(rivals, np.ones(2), 0.5, np.zeros(2), own_first=False).tolist()
    [[0.5, 0.5], [3.0, 0.0]]
    """
    refuse_nan(rivals, own, weight, own_losses, what="the rivals or their weights")
    values = own * weight
    wins = values >= rivals[0] if own_first else values > rivals[0]
    made = np.empty_like(rivals) if out is None else out
    made[1] = np.where(wins, own_losses, rivals[1])
    made[0] = np.where(wins, values, rivals[0])
    return made


def rival_ratios(
    own: Floats, own_losses: Floats, first: Floats, second: Floats, out: Floats | None = None
) -> tuple[float, Floats]:
    """What a class costs without weight; from which weight on rows are called it, and their change.

    Rivals are as in `better_rivals`; of two, the first one wins where both are equal. Rows
    without confidence in the class are never called it: infinity. Rows whose rivals have none
    always are: infinity too, and part of the cost.

    Parameters
    ----------
    own, own_losses : ndarray of float64 (n,)
        Scores of the class, and what calling it costs.
    first, second : ndarray of float64 (2, n)
        Its rivals.
    out : ndarray of float64 (2, n), optional
        Where to write the ratios of the better rival to the class, and the changes of cost.

    Examples
    --------
    >>> rivals = np.array([[0.5, 0.25], [3.0, 4.0]])
    >>> cost, found = rival_ratios(np.array([0.25, 0.0]), np.ones(2), rivals, rivals)
    >>> cost, found.tolist()
    (7.0, [[2.0, inf], [-2.0, -3.0]])
    """
    refuse_nan(own, own_losses, first, second, what="the rivals or their losses")
    losses = np.where(second[0] > first[0], second[1], first[1])
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratios = np.maximum(first[0], second[0]) / own
    certain = (own > 0) & ~(ratios > 0)
    made = np.empty((2, len(own))) if out is None else out
    made[0] = np.where((own > 0) & ~certain, ratios, np.inf)
    made[1] = own_losses - losses
    return lane_sum(np.where(certain, own_losses, losses)), made


def group_ratios(
    table: Floats, left: Sequence[int], right: Sequence[int], columns: Places | None = None
) -> Floats:
    """Sums of some lines of a table over those of others, at some columns; 1 where both are 0.

    Parameters
    ----------
    table : ndarray of float64 (m, n)
        Numbers that are not negative.
    left, right : sequence of int
        The lines that are added up.
    columns : ndarray of int, optional
        Where; everywhere without it.

    Examples
    --------
    >>> table = np.array([[1.0, 0.0, 3.0], [1.0, 0.0, 0.0], [4.0, 0.0, 0.0]])
    >>> group_ratios(table, [0, 1], [2]).tolist()
    [0.5, 1.0, inf]
    """
    at = slice(None) if columns is None else columns
    above, below = (
        sum((table[k][at] for k in lines[1:]), table[lines[0]][at]) for lines in (left, right)
    )
    refuse_nan(above, below, what="the table")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where((above == 0) & (below == 0), 1.0, above / below)
