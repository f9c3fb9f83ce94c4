"""How much every case moves the height of the ROC curve at a point.

The sensitivity at a false positive rate f moves by a positive as the share of positives that are
called does, and by a negative as the threshold does: by -ROC'(f) (1 - f) / n_neg if it is called,
by ROC'(f) f / n_neg if it is not. The slope ROC'(f) is that of the curve between the rates that a
threshold with f in the population has in most samples, f plus and minus two standard errors.
"""

from __future__ import annotations

import math

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.binary.curves.parts import height_at
from rocwise.binary.roc import roc_rates
from rocwise.data.tally import Tally

REACH = 2.0  # standard errors of a rate


def point_influence(data: Tally, at: float, *, mirrored: bool) -> tuple[Floats, Floats]:
    """What a positive and a negative at each distinct score add to the height at a rate.

    The rate is an FPR; or, mirrored, 1 - TPR, and the height the specificity there. Both have the
    mean 0 over the cases of their class; sums of their squares are the variance of the height.
    """
    fpr, tpr = roc_rates(data)
    n_across, n_up = float(data.n_neg), float(data.n_pos)
    if mirrored:
        fpr, tpr = 1.0 - tpr[::-1], 1.0 - fpr[::-1]
        n_across, n_up = n_up, n_across
    reach = REACH * math.sqrt(at * (1.0 - at) / n_across)
    low, high = max(at - reach, 0.0), min(at + reach, 1.0)
    rise = height_at(fpr, tpr, high) - height_at(fpr, tpr, low)
    slope = rise / (high - low) if high > low else 0.0
    called = _called(fpr, at)
    up = (called - kernels.dot(np.diff(tpr), called)) / n_up
    across = -slope * (called - at) / n_across
    return (across[::-1], up[::-1]) if mirrored else (up, across)


def _called(rates: Floats, at: float) -> Floats:
    """For each segment, the share of its cases at or before the rate; all on a vertical part."""
    before, after = rates[:-1], rates[1:]
    called = (before <= at + 1e-12).astype(np.float64)
    k = int(np.searchsorted(rates, at + 1e-12, side="right")) - 1
    if k < len(called) and after[k] > before[k]:
        called[k] = min(max((at - before[k]) / (after[k] - before[k]), 0.0), 1.0)
    return called
