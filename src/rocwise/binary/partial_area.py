"""Areas under part of the ROC curve, and the influence of every score on them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.immutable import never_written

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
    """The part of the three options of `auc`, of which at most one may be given."""
    if max_fpr is None and fpr_range is None and tpr_range is None:
        return WHOLE
    if [max_fpr is None, fpr_range is None, tpr_range is None].count(False) > 1:
        raise InputError("give only one of `max_fpr`, `fpr_range` and `tpr_range`.")
    if max_fpr is not None:
        if checks.rate(max_fpr, "max_fpr") == 0:
            raise InputError("`max_fpr` must be above 0; got 0.")
        return Part("fpr", 0.0, checks.within(max_fpr, "max_fpr", checks.SMALLEST_RATE, 1))
    if fpr_range is not None:
        return Part("fpr", *checks.rate_range(fpr_range, "fpr_range"))
    return Part("tpr", *checks.rate_range(tpr_range, "tpr_range"))


def partial_area(fpr: Floats, tpr: Floats, part: Part) -> float:
    """Area under the polyline over an FPR range (F1.6), or to its right over a TPR range (F1.7)."""
    x, y = (fpr, tpr) if part.axis == "fpr" else (tpr, 1.0 - fpr)
    first, last = _overlap(x, part)
    x, y = x[first : last + 1], y[first : last + 1]
    left, right = np.clip(x[:-1], part.low, part.high), np.clip(x[1:], part.low, part.high)
    middle = ((left + right) / 2 - x[:-1]) / _length(x)
    area = float(np.sum((right - left) * (y[:-1] + np.diff(y) * middle)))
    return min(max(area, 0.0), part.width)  # rounding may leave the range by a bit


def partial_influence(fpr: Floats, tpr: Floats, part: Part) -> tuple[Floats, Floats]:
    """Influence of a positive and of a negative at each distinct score on the partial area.

    With ROC(f) the curve, F(x) the FPR at score x, and [e1, e2] the range, a positive at y
    contributes the length of {f in [e1, e2]: f > F(y)} minus the area, and a negative at x
    contributes ROC(clip F(x)) - ROC(e2) + e2 ROC(e2) - e1 ROC(e1) - area: the curve moves sideways
    there. Inside a tie both average over the diagonal segment.
    """
    if part.axis == "tpr":  # mirror the curve: swap the classes and read it from the other end
        mirrored = Part("fpr", 1 - part.high, 1 - part.low)
        of_negatives, of_positives = partial_influence(1 - tpr[::-1], 1 - fpr[::-1], mirrored)
        return of_positives[::-1], of_negatives[::-1]
    first, last = _overlap(fpr, part)
    positives, negatives = np.empty(len(fpr) - 1), np.empty(len(fpr) - 1)
    fpr, tpr = _snapped(fpr[first : last + 1], part), tpr[first : last + 1]
    low, high, area = part.low, part.high, partial_area(fpr, tpr, part)
    at_low, at_high = np.interp([low, high], fpr, tpr).tolist()  # the top of a vertical part
    before, after, length = fpr[:-1], fpr[1:], _length(fpr)
    inside = _ramp(before, after, length, high) - _ramp(before, after, length, low)
    noise = ROUNDING * part.width + 1e-15
    positives[:first], positives[last:] = part.width - area, -area
    positives[first:last] = without_noise(inside - area, noise)
    left, right = np.clip(before, low, high), np.clip(after, low, high)
    middle = ((left + right) / 2 - before) / length
    total = (right - left) * (tpr[:-1] + middle * np.diff(tpr))
    run = after - before  # 0 where the curve is vertical, which has no negatives
    total += np.clip(low - before, 0.0, run) * at_low + np.clip(after - high, 0.0, run) * at_high
    shift = high * at_high - low * at_low - area - at_high
    negatives[:first], negatives[last:] = at_low + shift, at_high + shift
    negatives[first:last] = without_noise(total / length + shift, noise)
    return positives, negatives


def _ramp(before: Floats, after: Floats, length: Floats, f: float) -> Floats:
    """Integral up to f of a ramp that rises from 0 at `before` to 1 at `after`."""
    inside = np.clip(f - before, 0.0, after - before)
    return inside * inside / (2 * length) + np.maximum(f - after, 0.0)


def _length(x: Floats) -> Floats:
    """Lengths of the segments, 1 for those without any: what is divided by it is 0 there."""
    length = np.diff(x)
    return np.where(length > 0, length, 1.0)


def without_noise(influence: Floats, noise: float) -> Floats:
    """The same array, exactly 0 where only rounding is left: a variance of 0 is seen to be 0."""
    influence *= np.abs(influence) > noise
    return influence


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
