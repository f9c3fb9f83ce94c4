"""Where a curve, or each of many resampled ones, has the rate that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats, Places
from rocwise.binary.roc import roc_rates
from rocwise.data.tally import Tally
from rocwise.errors import InputError, listed, shown

Axis = Literal["threshold", "sensitivity", "specificity", "fpr", "alarms"]
AXES: tuple[Axis, ...] = get_args(Axis)
SLACK = 1e-12  # a rate this close to a limit meets it: 1 - 0.8 is not exactly 0.2
BETWEEN = -1


class Points(NamedTuple):
    """Rates of the points found, and their place among the points of the curve, 0 the origin.

    A place of -1 is a point between two of the curve: a mixture of their thresholds.
    """

    tpr: Floats
    fpr: Floats
    place: Places


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Which points are meant: one of five axes, the values along it, and whether to interpolate."""

    axis: Axis
    values: Floats
    interpolate: bool

    def on(self, tpr: Floats, fpr: Floats, places: Places, share: float) -> Points:
        """The points on curves in rows; `places` are those of thresholds, `share` the positives."""
        if self.axis == "threshold":
            chosen = np.broadcast_to(places, (len(tpr), len(places)))
            return _at_places(tpr, fpr, chosen)
        if self.axis == "sensitivity":
            return self._reaching(tpr, fpr)
        along = share * tpr + (1 - share) * fpr if self.axis == "alarms" else fpr
        limits = 1 - self.values if self.axis == "specificity" else self.values
        return self._within(along, limits[None, :], tpr, fpr)

    def in_numbers(self, data: Tally, share: float) -> tuple[str, Floats]:
        """The same for points that are not interpolated: a compiled reader, and what it is told."""
        if self.axis == "threshold":
            return "places", places_of_thresholds(data, self).astype(np.float64)
        if self.axis == "sensitivity":
            return "reached", self.values - SLACK
        limits = 1 - self.values if self.axis == "specificity" else self.values
        return "within", np.append(share if self.axis == "alarms" else 0.0, limits + SLACK)

    def _reaching(self, tpr: Floats, fpr: Floats) -> Points:
        """The fewest false alarms with at least the sensitivity, then the most hits with them."""
        first = _places_in_rows(tpr, self.values[None, :] - SLACK, "left")
        if self.interpolate:
            before = np.maximum(first - 1, 0)
            return _mixed(before, first, tpr, self.values, tpr, fpr)
        alarms = np.take_along_axis(fpr, first, axis=1)
        return _at_places(tpr, fpr, _places_in_rows(fpr, alarms + SLACK, "right") - 1)

    def _within(self, along: Floats, limits: Floats, tpr: Floats, fpr: Floats) -> Points:
        """The most hits within a limit, then the fewest false alarms with them."""
        last = np.maximum(_places_in_rows(along, limits + SLACK, "right") - 1, 0)
        if self.interpolate:
            after = np.minimum(last + 1, tpr.shape[1] - 1)
            return _mixed(last, after, along, limits, tpr, fpr)
        hits = np.take_along_axis(tpr, last, axis=1)
        return _at_places(tpr, fpr, _places_in_rows(tpr, hits - SLACK, "left"))


def _places_in_rows(rows: Floats, wanted: Floats, side: Literal["left", "right"]) -> Places:
    """`np.searchsorted` for every row, by halving all of them at a time.

    >>> _places_in_rows(np.array([[0.0, 0.5, 1.0], [0.0, 0.0, 1.0]]), np.array([[0.5]]), "left")
    array([[1],
           [2]])
    """
    size = rows.shape[1]
    low = np.zeros((len(rows), wanted.shape[1]), np.intp)
    high = np.full_like(low, size)
    for _ in range(size.bit_length()):
        middle = (low + high) // 2
        values = np.take_along_axis(rows, np.minimum(middle, size - 1), axis=1)
        passed = (values <= wanted if side == "right" else values < wanted) & (low < high)
        low = np.where(passed, middle + 1, low)
        high = np.where(passed, high, middle)
    return low


def _at_places(tpr: Floats, fpr: Floats, places: Places) -> Points:
    return Points(
        np.take_along_axis(tpr, places, axis=1), np.take_along_axis(fpr, places, axis=1), places
    )


def _mixed(
    before: Places, after: Places, along: Floats, wanted: Floats, tpr: Floats, fpr: Floats
) -> Points:
    """Points on the segments between two vertices, where `along` has the values wanted."""
    start = np.take_along_axis(along, before, axis=1)
    run = np.take_along_axis(along, after, axis=1) - start
    weight = np.divide(wanted - start, run, out=np.zeros_like(run), where=run > SLACK)
    weight = np.clip(weight, 0.0, 1.0)
    exact = np.where(weight > 1 - SLACK, after, np.where(weight < SLACK, before, BETWEEN))
    kept = []
    for rate in (tpr, fpr):
        first, second, own = (
            np.take_along_axis(rate, places, axis=1)
            for places in (before, after, np.maximum(exact, 0))
        )
        kept.append(np.where(exact == BETWEEN, first + weight * (second - first), own))
    return Points(kept[0], kept[1], exact)


def asked_points(given: dict[Axis, Any], interpolate: Any, question: str) -> Asked:
    """The one axis that was given, with its values checked."""
    named = [axis for axis, value in given.items() if value is not None]
    if len(named) != 1:
        got = f"got {listed(named)}" if named else "got none"
        raise InputError(
            f"`{question}` needs exactly one of `threshold`, `sensitivity`, `specificity`, `fpr` "
            f"and `alarms`; {got}."
        )
    (axis,) = named
    if checks.flag(interpolate, "interpolate") and axis == "threshold":
        raise InputError("`interpolate` has no meaning with `threshold`: every threshold counts.")
    values = np.array([_checked(axis, value) for value in _listed(given[axis], axis)])
    if not len(values):
        raise InputError(f"`{axis}` is empty; at least one value is needed.")
    return Asked(axis, values, interpolate)


def _listed(values: Any, axis: str) -> list[Any]:
    if isinstance(values, (str, bytes, dict, set, frozenset)):
        raise InputError(f"`{axis}` must be a number or a sequence of them; got {shown(values)}.")
    try:
        return list(values)
    except TypeError:
        return [values]


def _checked(axis: Axis, value: Any) -> float:
    if axis == "threshold":
        infinite = isinstance(value, (float, np.floating)) and np.isinf(value)
        return float(value) if infinite else checks.real(value, axis)
    if axis == "alarms":
        return checks.not_negative(value, axis)
    return checks.rate(value, axis)


def in_shares(asked: Asked, total: float) -> Asked:
    """Alarms as shares of the cases: below 1 they are, from 1 on they were numbers."""
    if asked.axis != "alarms":
        return asked
    shares = np.where(asked.values < 1, asked.values, asked.values / total)
    return Asked("alarms", shares, asked.interpolate)


def places_of_thresholds(data: Tally, asked: Asked) -> Places:
    """How many distinct scores are called positive at each threshold asked for."""
    if asked.axis != "threshold":
        return np.empty(0, np.intp)
    scores = np.asarray(data.scores, np.float64)
    if data.direction == "lower":
        return np.searchsorted(scores, asked.values, side="right")
    return len(scores) - np.searchsorted(scores[::-1], asked.values, side="left")


def found_points(data: Tally, asked: Asked, share: float) -> Points:
    """The points on the curve of a tally."""
    places = places_of_thresholds(data, asked)
    if asked.axis == "threshold":  # what lies between the points is not looked at
        tp, fp = (np.where(places > 0, sums[places - 1], 0) for sums in (data.tp, data.fp))
        return Points(tp / data.n_pos, fp / data.n_neg, places)
    fpr, tpr = roc_rates(data)
    points = asked.on(tpr[None, :], fpr[None, :], places, share)
    return Points(*(values[0] for values in points))
