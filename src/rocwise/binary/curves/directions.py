"""Do the scores point the other way? Said only where chance does not explain it."""

from __future__ import annotations

import math

from rocwise.data.tally import Tally
from rocwise.errors import warn_below_half
from rocwise.inference.intervals.interval_limits import normal_quantile

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


def _cases(data: Tally) -> tuple[float, float]:
    if data.squares is None:
        return float(data.n_pos), float(data.n_neg)
    of_positives, of_negatives = data.squares.totals
    return float(data.n_pos**2 / of_positives), float(data.n_neg**2 / of_negatives)
