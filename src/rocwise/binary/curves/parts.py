"""Areas under part of the curve, and the influence of every score on them.

Formula numbers F1.6 to F1.8: partial areas over a range of FPR or of TPR, McClish's scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.kernels.row_formulas import row_by_row
from rocwise.plain_values import never_written


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


def partial_area(fpr: Floats, tpr: Floats, part: Part) -> float:
    """Area under the polyline over an FPR range (F1.6), or to its right over a TPR range (F1.7)."""
    x, y = (fpr, tpr) if part.axis == "fpr" else (tpr, fpr)
    first, last = _overlap(x, part)
    x, y = x[first : last + 1], y[first : last + 1]

    def pieces(x0: Floats, x1: Floats, y0: Floats, y1: Floats) -> Floats:
        """Area of each segment within the part; nan where it has none."""
        if part.axis != "fpr":
            y0, y1 = 1.0 - y0, 1.0 - y1
        low, high = np.maximum(x0, part.low), np.minimum(x1, part.high)
        middle = ((low + high) / 2 - x0) / _or_one(x1 - x0)
        return np.where(high > low, (high - low) * (y0 + (y1 - y0) * middle), np.nan)

    found = row_by_row(pieces, x[:-1], x[1:], y[:-1], y[1:])
    area = float(found[~np.isnan(found)].sum())  # a product of vectors would wake BLAS threads
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
    near_fpr, near_tpr = _snapped(fpr[first : last + 1], part), tpr[first : last + 1]
    area = partial_area(near_fpr, near_tpr, part)
    ends = near_fpr[:-1], near_fpr[1:]
    at_low, at_high = (height_at(near_fpr, near_tpr, end) for end in (part.low, part.high))
    shift = part.high * at_high - part.low * at_low - area - at_high
    positives = np.empty(len(fpr) - 1)
    positives[:first], positives[last:] = part.high - part.low - area, -area

    def of_positive(before: Floats, after: Floats) -> Floats:
        passed = _passed(before, after, part.high)
        if part.low > 0:
            passed = passed - _passed(before, after, part.low)
        return _without_noise(passed - area, part)

    row_by_row(of_positive, *ends, out=positives[first:last])
    negatives = np.empty(len(fpr) - 1)
    negatives[:first], negatives[last:] = at_low + shift, at_high + shift

    def of_negative(a: Floats, b: Floats, low: Floats, high: Floats) -> Floats:
        height = _mean_clipped_height(a, b, low, high, part, at_low, at_high)
        return _without_noise(height + shift, part)

    row_by_row(of_negative, *ends, near_tpr[:-1], near_tpr[1:], out=negatives[first:last])
    return positives, negatives


def _overlap(rates: Floats, part: Part) -> tuple[int, int]:
    """Vertices between which the curve may have rates of the part, rounding included."""
    first = int(np.searchsorted(rates, part.low - 1e-12, side="left")) - 1
    last = int(np.searchsorted(rates, part.high + 1e-12, side="right"))
    return max(first, 0), min(last, len(rates) - 1)


def _snapped(rates: Floats, part: Part) -> Floats:
    """Rates that only rounding keeps from a limit are at it: there the curve may rise at once."""
    rates = rates.copy()
    for limit in (part.low, part.high):
        near = slice(*np.searchsorted(rates, [limit - 2e-12, limit + 2e-12]))
        rates[near] = np.where(np.abs(rates[near] - limit) <= 1e-12, limit, rates[near])
    return rates


def _without_noise(influence: Floats, part: Part) -> Floats:
    """Exactly 0 where only rounding is left, so that a variance of 0 is seen to be 0."""
    noise = 1e-12 * (part.high - part.low) + 1e-15
    return np.where(np.abs(influence) > noise, influence, 0.0)


def _passed(before: Floats, after: Floats, f: float) -> Floats:
    """Integral up to f of a ramp that rises from 0 at `before` to 1 at `after`."""
    run = after - before
    within = np.clip(f - before, 0.0, run)
    return within**2 / (2 * _or_one(run)) + np.maximum(f - after, 0.0)


def _or_one(run: Floats) -> Floats:
    """What to divide by: 1 where a segment does not run, and what is divided is 0 or not read."""
    return np.where(run > 0, run, 1.0)


def height_at(fpr: Floats, tpr: Floats, f: float) -> float:
    """The curve at f; its top where it is vertical."""
    k = int(np.searchsorted(fpr, f, side="right"))
    if k >= len(fpr):
        return float(tpr[-1])
    share = (f - fpr[k - 1]) / (fpr[k] - fpr[k - 1])
    return float(tpr[k - 1] + share * (tpr[k] - tpr[k - 1]))


def _mean_clipped_height(
    a: Floats,
    b: Floats,
    before: Floats,
    after: Floats,
    part: Part,
    at_low: float,
    at_high: float,
) -> Floats:
    """Mean of ROC(clip(u, e1, e2)) for u uniform over the FPR from a to b of each segment."""
    run = b - a
    over = _or_one(run)
    low, high = np.clip(a, part.low, part.high), np.clip(b, part.low, part.high)
    share = ((low + high) / 2 - a) / over
    total = (high - low) * (before + share * (after - before))
    if part.low > 0:
        total = np.clip(part.low - a, 0.0, run) * at_low + total
    return np.asarray((total + np.clip(b - part.high, 0.0, run) * at_high) / over)
