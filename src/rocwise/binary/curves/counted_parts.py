"""Areas under part of a curve, and sums of squared influences on them, from whole numbers alone.

Between the two segments of the curve that hold the ends of a part, every segment lies within it
as a whole, so that sums of placements say all of their cases: one pass over the sorted classes
makes them. The other cases have one influence on either side. Nothing is rounded on the way.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm, prod
from typing import NamedTuple

from rocwise.binary.curves.counted_segments import Ahead, Curve, Segment
from rocwise.binary.curves.parts import ROUNDING, Part
from rocwise.data.tally import Tally


class PartSums(NamedTuple):
    """A partial area, and the squared influences on it summed over each class."""

    area: float
    of_positives: float
    of_negatives: float


class _Between(NamedTuple):
    """The segments that hold the ends of a part, and the cases between them along and up."""

    first: Segment
    last: Segment
    along: Ahead
    up: Ahead


class _Scaled(NamedTuple):
    """A part in units of 1 / scale, of which all that is asked of its two segments is a multiple.

    `ends` are the segments, each once; no case has its score where the curve has ended.
    """

    scale: int
    low: int
    high: int
    first: Segment
    last: Segment
    ends: list[Segment]


def part_sums(data: Tally, part: Part) -> PartSums:
    """The area of a part of the curve of a tally without weights, and what its variance needs.

    Made once for each part. An end of the part that only rounding keeps from a vertex is at it
    where influences are told: there the curve may rise at once.

    Examples
    --------
    >>> import rocwise as rw
    >>> part_sums(rw.tally([1, 0, 1, 0], [4, 3, 2, 1]), Part("fpr", 0.0, 0.5))
    PartSums(area=0.25, of_positives=0.125, of_negatives=0.125)
    """
    return data.remembered(("part sums", part), lambda: _part_sums(data, part))


def _part_sums(data: Tally, part: Part) -> PartSums:
    mirrored = part.axis == "tpr"  # the classes change places; it is read from the other end
    curve = Curve(data, mirrored)
    low, high = (_cases_at(limit, curve.n_along) for limit in (part.low, part.high))
    if mirrored:
        low, high = curve.n_along - high, curve.n_along - low
    met_low, met_high = _at_vertex(curve, low), _at_vertex(curve, high)
    between = _between(curve, int(met_low), int(met_high))
    of_up, of_along = _spreads(curve, between, _scaled(between, met_low, met_high))
    if (int(met_low), int(met_high)) != (int(low), int(high)):
        between = _between(curve, int(low), int(high))
    given = _scaled(between, low, high)
    value = _area(between, given) / (given.scale * curve.n_along * curve.n_up)
    return PartSums(value, *((of_along, of_up) if mirrored else (of_up, of_along)))


def _cases_at(rate: float, cases: int) -> Fraction:
    """How many of the cases a rate is: 1 of 10 at 0.1, though the float is a bit above it.

    Examples
    --------
    >>> _cases_at(0.1, 10), _cases_at(0.125, 10)
    (Fraction(1, 1), Fraction(5, 4))
    """
    nearest = round(rate * cases)
    return Fraction(nearest) if nearest / cases == rate else Fraction(rate) * cases


def _at_vertex(curve: Curve, end: Fraction) -> Fraction:
    """The vertex from which only rounding keeps an end, else the end itself."""
    nearest = round(end)
    if abs(end - nearest) > ROUNDING * curve.n_along:
        return end
    is_vertex = curve.segment_after(nearest).x0 == nearest
    return Fraction(nearest) if is_vertex else end


def _between(curve: Curve, low: int, high: int) -> _Between:
    """What lies between the first segments that go beyond so many cases."""
    first, last = curve.segment_after(low), curve.segment_after(high)
    if first == last:
        return _Between(first, last, Ahead(0, 0, 0), Ahead(0, 0, 0))
    return _Between(first, last, *curve.ahead_between(first, last))


def _scaled(between: _Between, low: Fraction, high: Fraction) -> _Scaled:
    """The part between two ends in units of which its heights, areas and means are multiples."""
    first, last, _, _ = between
    ends = [end for end in dict.fromkeys((first, last)) if end.x1 > end.x0]
    runs = prod(end.x1 - end.x0 for end in ends)
    scale = 2 * (lcm(low.denominator, high.denominator) * runs) ** 2
    return _Scaled(
        scale,
        int(low * scale),
        int(high * scale),
        first.scaled(scale),
        last.scaled(scale),
        [end.scaled(scale) for end in ends],
    )


def _area(between: _Between, part: _Scaled) -> int:
    """The area in cases of both classes, in units of 1 / scale."""
    first, _, along, _ = between
    inside = (2 * first.y1 * along.number + along.total) * (part.scale // 2)
    return inside + sum(end.area(part.low, part.high) for end in part.ends) // part.scale


def _spreads(curve: Curve, between: _Between, part: _Scaled) -> tuple[float, float]:
    """Squared influences, as `partial_influence` has them, of the cases up and along the curve.

    Influences are in units of 1 / (scale * n_up) and of 1 / (scale * n_along) until the end.
    """
    n_along, n_up, (first, last, along, up) = curve.n_along, curve.n_up, between
    scale, low, high = part[:3]
    area, at_low, at_high = _area(between, part), part.first.height(low), part.last.height(high)
    shift = (high * at_high - low * at_low) // scale - area - n_along * at_high
    of_up = first.y0 * (n_up * (high - low) - area) ** 2 + (n_up - last.y1) * area**2
    of_along = first.x0 * (n_along * at_low + shift) ** 2
    of_along += (n_along - last.x1) * (n_along * at_high + shift) ** 2
    for end in part.ends:
        passed = end.passed(high) - end.passed(low)
        of_up += (end.y1 - end.y0) // scale * (n_up * passed - area) ** 2
        height = end.mean_height(low, high)
        of_along += (end.x1 - end.x0) // scale * (n_along * height + shift) ** 2
    half = scale // 2
    of_up += up.squares_from(n_up * (high - part.first.x1) - area, -n_up * half)
    of_along += along.squares_from(n_along * part.first.y1 + shift, n_along * half)
    unit = (scale * n_along * n_up) ** 2
    return of_up / unit, of_along / unit
