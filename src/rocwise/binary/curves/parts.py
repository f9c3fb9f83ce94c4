"""Areas under part of the curve, and the influence of every score on them.

Formula numbers F1.6 to F1.8: partial areas over a range of FPR or of TPR, McClish's scale.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Amounts, Array, Floats
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
