"""Where a curve, or each of many resampled ones, has the rate that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats, Places
from rocwise.binary.curves.empirical import rates_from_zero
from rocwise.errors import InputError, listed, shown
from rocwise.primitives.tallies import Tally

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
        rows = [self._on_one(t, f, share) for t, f in zip(tpr, fpr, strict=True)]
        return Points(*(np.stack(column) for column in zip(*rows, strict=True)))

    def _on_one(self, tpr: Floats, fpr: Floats, share: float) -> Points:
        if self.axis == "sensitivity":
            return self._reaching(tpr, fpr)
        along = share * tpr + (1 - share) * fpr if self.axis == "alarms" else fpr
        limits = 1 - self.values if self.axis == "specificity" else self.values
        return self._within(along, limits, tpr, fpr)

    def _reaching(self, tpr: Floats, fpr: Floats) -> Points:
        """The fewest false alarms with at least the sensitivity, then the most hits with them."""
        first = np.searchsorted(tpr, self.values - SLACK)
        if self.interpolate:
            before = np.maximum(first - 1, 0)
            return _mixed(before, first, tpr, self.values, tpr, fpr)
        best = np.searchsorted(fpr, fpr[first] + SLACK, side="right") - 1
        return Points(tpr[best], fpr[best], best)

    def _within(self, along: Floats, limits: Floats, tpr: Floats, fpr: Floats) -> Points:
        """The most hits within a limit, then the fewest false alarms with them."""
        last = np.maximum(np.searchsorted(along, limits + SLACK, side="right") - 1, 0)
        if self.interpolate:
            after = np.minimum(last + 1, len(tpr) - 1)
            return _mixed(last, after, along, limits, tpr, fpr)
        best = np.searchsorted(tpr, tpr[last] - SLACK)
        return Points(tpr[best], fpr[best], best)


def _at_places(tpr: Floats, fpr: Floats, places: Places) -> Points:
    return Points(
        np.take_along_axis(tpr, places, axis=1), np.take_along_axis(fpr, places, axis=1), places
    )


def _mixed(
    before: Places, after: Places, along: Floats, wanted: Floats, tpr: Floats, fpr: Floats
) -> Points:
    """Points on the segments between two vertices, where `along` has the values wanted."""
    run = along[after] - along[before]
    weight = np.divide(wanted - along[before], run, out=np.zeros_like(run), where=run > SLACK)
    weight = np.clip(weight, 0.0, 1.0)
    exact = np.where(weight > 1 - SLACK, after, np.where(weight < SLACK, before, BETWEEN))
    mixed = [rate[before] + weight * (rate[after] - rate[before]) for rate in (tpr, fpr)]
    ends = [rate[np.maximum(exact, 0)] for rate in (tpr, fpr)]
    kept = [np.where(exact == BETWEEN, m, e) for m, e in zip(mixed, ends, strict=True)]
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
    sign = 1.0 if data.direction == "higher" else -1.0
    rising = -sign * np.asarray(data.scores, np.float64)
    return np.searchsorted(rising, -sign * asked.values, side="right")


def found_points(data: Tally, asked: Asked, share: float) -> Points:
    """The points on the curve of a tally."""
    fpr, tpr = rates_from_zero(data)
    points = asked.on(tpr[None, :], fpr[None, :], places_of_thresholds(data, asked), share)
    return Points(*(values[0] for values in points))
