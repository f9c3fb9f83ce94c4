"""Do the scores point the other way? Said only where chance does not explain it."""

from __future__ import annotations

import math

from rocwise import kernels
from rocwise.binary.areas.whole_areas import whole_area
from rocwise.errors import warn_below_half
from rocwise.inference.intervals.interval_limits import normal_quantile
from rocwise.primitives.tallies import Tally

LEVEL = 0.95


def warn_of_direction(data: Tally, area: float) -> None:
    """Warn when the area lies clearly below one half, by the rank sum test of Wilcoxon.

    Where scores say nothing, its standard error is sqrt((n_pos + n_neg + 1)/(12 n_pos n_neg));
    with weights, effective numbers of cases count.
    """
    n_pos, n_neg = _cases(data)
    error = math.sqrt((n_pos + n_neg + 1) / (12 * n_pos * n_neg))
    if area + normal_quantile(LEVEL) * error < 0.5:
        warn_below_half(area, data.direction)


def area_of_curve(data: Tally) -> float:
    """The area of a tally whose curve is needed anyway: its rows are not merged again for it.

    >>> area_of_curve(Tally.from_sorted([1.0, 2.0], [2.0, 3.0]))
    0.875
    """
    if data.weighted or data.oriented_classes is None:
        return whole_area(data)
    pairs = int(data.n_pos) * int(data.n_neg)
    return data.remembered(
        "area of the curve", lambda: kernels.doubled_area(data.tp, data.fp) / (2 * pairs)
    )


def _cases(data: Tally) -> tuple[float, float]:
    if data.squares is None:
        return float(data.n_pos), float(data.n_neg)
    of_positives, of_negatives = data.squares.totals
    return float(data.n_pos**2 / of_positives), float(data.n_neg**2 / of_negatives)
