"""Areas under part of a curve, and sums of squared influences on them, from whole numbers alone.

Between the two segments of the curve that hold the ends of a part, every segment lies within it
as a whole, so that sums of placements say all of their cases: one pass over the sorted classes
makes them. The other cases have one influence on either side. Nothing is rounded on the way.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import Any, NamedTuple

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Amounts, Array, Floats, Scores
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.kernels.row_formulas import row_by_row, sums_of_rows
from rocwise.plain_values import never_written

ROUNDING = 1e-12  # of rates: what is nearer to the end of a part may be at it


@never_written
@dataclass(frozen=True, slots=True)
class Part:
    """Which part of the area is meant: a range of one of the two rates.

    `axis` is "fpr" or "tpr"; the whole area is `WHOLE`.
    """

    axis: str
    low: float
    high: float

    @property
    def is_whole(self) -> bool:
        """Whether this is the whole area."""
        return self.low == 0.0 and self.high == 1.0

    @property
    def width(self) -> float:
        """How much of the rate it covers, and the area of the perfect curve over it."""
        return self.high - self.low

    @property
    def limits(self) -> tuple[float, float]:
        """Area of the diagonal and of the perfect curve over this range (F1.8)."""
        width = self.high - self.low
        triangle = (self.high**2 - self.low**2) / 2
        return (triangle if self.axis == "fpr" else width - triangle), width

    def standardized(self, value: float) -> float:
        """McClish's scale: 1/2 on the diagonal, 1 for the perfect curve; not clipped (F1.8)."""
        least, most = self.limits
        return 0.5 * (1 + (value - least) / (most - least))

    def __str__(self) -> str:
        return f"{self.axis.upper()} {self.low:g} to {self.high:g}"


WHOLE = Part("fpr", 0.0, 1.0)


def chosen_part(max_fpr: Any, fpr_range: Any, tpr_range: Any) -> Part:
    """The part that the three options of `auc` ask for; at most one may be given."""
    if max_fpr is None and fpr_range is None and tpr_range is None:
        return WHOLE
    if [max_fpr is None, fpr_range is None, tpr_range is None].count(False) > 1:
        raise InputError("give only one of `max_fpr`, `fpr_range` and `tpr_range`.")
    if max_fpr is not None:
        if checks.rate(max_fpr, "max_fpr") == 0:
            raise InputError("`max_fpr` must be above 0; got 0.")
        return Part("fpr", 0.0, checks.within(max_fpr, "max_fpr", checks.SMALLEST_SHARE, 1))
    if fpr_range is not None:
        return Part("fpr", *checks.rate_range(fpr_range, "fpr_range"))
    return Part("tpr", *checks.rate_range(tpr_range, "tpr_range"))


class Stretch(NamedTuple):
    """The vertices of a curve on which a part of its area depends: the first, and all rates."""

    first: int
    fpr: Floats
    tpr: Floats


class ByStretch(NamedTuple):
    """A number for each score of a stretch, and one for all before it, one for all after it."""

    within: Array
    before: float
    after: float


def stretch_of(data: Tally, part: Part) -> Stretch:
    """What a part looks at of the curve of a tally; rates of no other vertex are made."""
    along, total = (data.fp, data.n_neg) if part.axis == "fpr" else (data.tp, data.n_pos)
    vertices = range(len(along) + 1)

    def rate(vertex: int) -> float:
        return float(along[vertex - 1] / total) if vertex else 0.0

    first = max(bisect_left(vertices, part.low - ROUNDING, key=rate) - 1, 0)
    last = min(bisect_right(vertices, part.high + ROUNDING, key=rate), len(along))

    def rates(sums: Amounts, amount: float) -> Floats:
        found = np.zeros(last - first + 1)
        from_origin = int(first == 0)
        vertices = sums[first - 1 + from_origin : last]
        row_by_row(lambda some: some / amount, vertices, out=found[from_origin:])
        return found

    return Stretch(first, rates(data.fp, data.n_neg), rates(data.tp, data.n_pos))


def partial_area(fpr: Floats, tpr: Floats, part: Part) -> float:
    """Area under the polyline over an FPR range (F1.6), or to its right over a TPR range (F1.7)."""
    x, y = (fpr, tpr) if part.axis == "fpr" else (tpr, fpr)
    first, last = _overlap(x, part)
    x, y = x[first : last + 1], y[first : last + 1]

    def add(x0: Floats, x1: Floats, y0: Floats, y1: Floats) -> tuple[float]:
        if part.axis != "fpr":
            y0, y1 = 1.0 - y0, 1.0 - y1
        return (float(kernels.segment_areas(x0, x1, y0, y1, part.low, part.high).sum()),)

    (area,) = sums_of_rows(add, x[:-1], x[1:], y[:-1], y[1:])
    return min(max(area, 0.0), part.high - part.low)  # rounding may leave the range by a bit


def partial_influence(fpr: Floats, tpr: Floats, part: Part) -> tuple[Floats, Floats]:
    """Influence of a positive and of a negative at each distinct score on the partial area.

    With ROC(f) the curve, F(x) the FPR at score x, and [e1, e2] the range,
    a positive at y contributes the length of {f in [e1, e2]: f > F(y)} minus the area, and a
    negative at x contributes ROC(clip F(x)) - ROC(e2) + e2 ROC(e2) - e1 ROC(e1) - area: the curve
    moves sideways where the negative stands. Inside a tie both average over the diagonal segment.
    Over the whole range these are the placements whose variances DeLong's formula adds.

    Returns
    -------
    (positives, negatives) : arrays with one value per distinct score, mean 0 over the cases.
    """
    if part.axis == "tpr":  # mirror the curve: swap the classes and read it from the other end
        mirrored = Part("fpr", 1 - part.high, 1 - part.low)
        of_negatives, of_positives = partial_influence(1 - tpr[::-1], 1 - fpr[::-1], mirrored)
        return of_positives[::-1], of_negatives[::-1]
    first, last = _overlap(fpr, part)  # beyond these segments a case has one influence
    near = _influence_along(fpr[first : last + 1], tpr[first : last + 1], part)
    columns = np.empty((2, len(fpr) - 1))
    for column, influence in zip(columns, near, strict=True):
        column[:first], column[last:] = influence.before, influence.after
        column[first:last] = influence.within
    return columns[0], columns[1]


def influence_within(stretch: Stretch, part: Part) -> tuple[ByStretch, ByStretch]:
    """`partial_influence` at the scores between the vertices of a stretch, and beyond them."""
    if part.axis == "fpr":
        return _influence_along(stretch.fpr, stretch.tpr, part)
    mirrored = Part("fpr", 1 - part.high, 1 - part.low)
    found = _influence_along(1 - stretch.tpr[::-1], 1 - stretch.fpr[::-1], mirrored)
    of_negatives, of_positives = (
        ByStretch(influence.within[::-1], influence.after, influence.before) for influence in found
    )
    return of_positives, of_negatives


def _influence_along(fpr: Floats, tpr: Floats, part: Part) -> tuple[ByStretch, ByStretch]:
    """Of positives and negatives, where the part is a range of the FPR."""
    fpr = _snapped(fpr, part)
    area = partial_area(fpr, tpr, part)
    ends = fpr[:-1], fpr[1:]
    at_low, at_high = (height_at(fpr, tpr, end) for end in (part.low, part.high))
    shift = part.high * at_high - part.low * at_low - area - at_high

    noise = ROUNDING * (part.high - part.low) + 1e-15

    def of_positive(before: Floats, after: Floats) -> Floats:
        return kernels.positive_influences(before, after, part.low, part.high, area, noise)

    def of_negative(a: Floats, b: Floats, before: Floats, after: Floats) -> Floats:
        limits = part.low, part.high, at_low, at_high
        return kernels.negative_influences(a, b, before, after, *limits, shift, noise)

    positives = row_by_row(of_positive, *ends)
    negatives = row_by_row(of_negative, *ends, tpr[:-1], tpr[1:])
    return (
        ByStretch(positives, part.high - part.low - area, -area),
        ByStretch(negatives, at_low + shift, at_high + shift),
    )


def _overlap(rates: Floats, part: Part) -> tuple[int, int]:
    """Vertices between which the curve may have rates of the part, rounding included."""
    first = int(np.searchsorted(rates, part.low - ROUNDING, side="left")) - 1
    last = int(np.searchsorted(rates, part.high + ROUNDING, side="right"))
    return max(first, 0), min(last, len(rates) - 1)


def _snapped(rates: Floats, part: Part) -> Floats:
    """Rates that only rounding keeps from a limit are at it: there the curve may rise at once."""
    rates = rates.copy()
    for limit in (part.low, part.high):
        near = slice(*np.searchsorted(rates, [limit - 2e-12, limit + 2e-12]))
        rates[near] = np.where(np.abs(rates[near] - limit) <= 1e-12, limit, rates[near])
    return rates


def height_at(fpr: Floats, tpr: Floats, f: float) -> float:
    """The curve at f; its top where it is vertical."""
    k = int(np.searchsorted(fpr, f, side="right"))
    if k >= len(fpr):
        return float(tpr[-1])
    share = (f - fpr[k - 1]) / (fpr[k] - fpr[k - 1])
    return float(tpr[k - 1] + share * (tpr[k] - tpr[k - 1]))


class Segment(NamedTuple):
    """From x0 to x1 cases of one class along the curve, and from y0 to y1 of the other up it."""

    x0: int
    y0: int
    x1: int
    y1: int

    def scaled(self, scale: int) -> Segment:
        """In units of 1 / scale."""
        return Segment(*(scale * end for end in self))

    def height(self, x: int) -> int:
        """The curve at x; its top beyond the last score, where the segment has no length."""
        if self.x1 == self.x0:
            return self.y1
        return self.y0 + (x - self.x0) * (self.y1 - self.y0) // (self.x1 - self.x0)

    def area(self, low: int, high: int) -> int:
        """The area below it within a part, in squared units."""
        left, right = max(low, self.x0), min(high, self.x1)
        return (right - left) * self.height((left + right) // 2)

    def passed(self, x: int) -> int:
        """Integral up to x of a ramp that rises from 0 to 1 along the segment."""
        run = self.x1 - self.x0
        inside = min(max(x - self.x0, 0), run)
        return inside * inside // (2 * run) + max(x - self.x1, 0)

    def mean_height(self, low: int, high: int) -> int:
        """Along the segment, where the curve beyond the ends of a part is as high as at them."""
        before, after = max(low - self.x0, 0), max(self.x1 - high, 0)
        beyond = before * self.height(low) + after * self.height(high)
        return (self.area(low, high) + beyond) // (self.x1 - self.x0)


class Ahead(NamedTuple):
    """Cases, and twice the cases of the other class ahead of each, ties half: sum and squares."""

    number: int
    total: int
    squares: int

    def squares_from(self, start: int, step: int) -> int:
        """The sum over the cases of the squares of start + step times what is ahead of each."""
        mixed = 2 * start * self.total + step * self.squares
        return self.number * start * start + step * mixed

    def behind(self, others: int) -> Ahead:
        """The same of what is behind each of them instead, of so many of the other class."""
        total = 2 * others * self.number - self.total
        squares = 4 * others * (others * self.number - self.total) + self.squares
        return Ahead(self.number, total, squares)


class Curve:
    """The curve of a tally without weights, or the same with classes and direction changed.

    Negatives lie along it and positives up it; of the mirrored one, which starts from the lowest
    score, it is the other way round.
    """

    def __init__(self, data: Tally, mirrored: bool) -> None:
        classes = data.oriented_classes
        self._scores = _OfTable(data) if classes is None else _OfClasses(*classes)
        self._mirrored = mirrored
        sizes = int(data.n_neg), int(data.n_pos)
        self.n_along: int
        self.n_up: int
        self.n_along, self.n_up = sizes[::-1] if mirrored else sizes

    def segment_after(self, cases: int) -> Segment:
        """The first that goes beyond so many cases along the curve; beyond all the end itself."""
        if cases == self.n_along:
            return Segment(self.n_along, self.n_up, self.n_along, self.n_up)
        if not self._mirrored:
            return self._scores.of_negative(cases)
        found = self._scores.of_positive(self.n_along - 1 - cases)
        return Segment(
            self.n_along - found.y1,
            self.n_up - found.x1,
            self.n_along - found.y0,
            self.n_up - found.x0,
        )

    def ahead_between(self, first: Segment, last: Segment) -> tuple[Ahead, Ahead]:
        """What is ahead of the cases along, and of those up, the curve between two segments."""
        if self._mirrored:
            n_pos, n_neg = self.n_along, self.n_up
            sums = self._scores.sums(
                (n_neg - last.y0, n_pos - last.x0), (n_neg - first.y1, n_pos - first.x1)
            )
        else:
            sums = self._scores.sums((first.x1, first.y1), (last.x0, last.y0))
        of_pos = Ahead(sums.n_pos, sums.sum_u, sums.sum_u2)  # lower scores are ahead
        of_neg = Ahead(sums.n_neg, sums.sum_v, sums.sum_v2)
        if self._mirrored:
            return of_pos, of_neg
        return of_neg.behind(sums.n_pos), of_pos.behind(sums.n_neg)


Vertex = tuple[int, int]  # negatives and positives before it


class _OfClasses:
    """Segments by the scores of sorted classes."""

    def __init__(self, neg: Scores, pos: Scores) -> None:
        self._neg, self._pos = neg, pos

    def of_negative(self, place: int) -> Segment:
        """The segment of the negative with so many before it."""
        return self._at(self._neg[len(self._neg) - 1 - place])

    def of_positive(self, place: int) -> Segment:
        """The segment of the positive with so many before it."""
        return self._at(self._pos[len(self._pos) - 1 - place])

    def _at(self, score: float) -> Segment:
        classes = self._neg, self._pos
        above = [len(rows) - int(np.searchsorted(rows, score, "right")) for rows in classes]
        until = [len(rows) - int(np.searchsorted(rows, score, "left")) for rows in classes]
        return Segment(*above, *until)

    def sums(self, start: Vertex, stop: Vertex) -> kernels.PlacementSums:
        """Sums of the placements among the cases between two vertices."""
        neg, pos = (
            rows[len(rows) - until : len(rows) - above]
            for rows, above, until in zip((self._neg, self._pos), start, stop, strict=True)
        )
        return kernels.merge_sums(neg, pos, numbers=True)


class _OfTable:
    """Segments by the counts at distinct scores."""

    def __init__(self, data: Tally) -> None:
        self._data = data

    def of_negative(self, place: int) -> Segment:
        """The segment of the negative with so many before it."""
        return self._at(self._data.fp, place)

    def of_positive(self, place: int) -> Segment:
        """The segment of the positive with so many before it."""
        return self._at(self._data.tp, place)

    def _at(self, sums: Amounts, place: int) -> Segment:
        score = int(np.searchsorted(sums, place, "right"))
        fp, tp = self._data.fp, self._data.tp
        before = (int(fp[score - 1]), int(tp[score - 1])) if score else (0, 0)
        return Segment(*before, int(fp[score]), int(tp[score]))

    def sums(self, start: Vertex, stop: Vertex) -> kernels.PlacementSums:
        """Sums of the placements among the cases between two vertices."""
        some = slice(self._scores_until(start), self._scores_until(stop))
        return kernels.table_sums(self._data.pos[some], self._data.neg[some])

    def _scores_until(self, vertex: Vertex) -> int:
        if vertex == (0, 0):
            return 0
        columns = zip((self._data.fp, self._data.tp), vertex, strict=True)
        return 1 + max(int(np.searchsorted(sums, cases)) for sums, cases in columns)


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
