"""Intervals of both rates at single thresholds: rectangles around points of the curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, printing
from rocwise.binary.curves.empirical import rates_at
from rocwise.inference.proportions import METHODS, proportion_limits
from rocwise.primitives.tallies import Tally, refuse_weights
from rocwise.results import Result

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RateRegions(Result):
    """Intervals of FPR and TPR at thresholds; each rectangle has level `level` squared.

    The rates hold at each threshold alone: rectangles joined are not a band.
    """

    thresholds: Floats
    fpr: Floats
    tpr: Floats
    fpr_lower: Floats
    fpr_upper: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    level: float
    method: str
    n_pos: float
    n_neg: float

    def _sentence(self) -> str:
        return (
            f"{printing.percent(self.level)} {self.method} intervals of FPR and TPR at "
            f"{printing.count(len(self.thresholds))} thresholds, each alone; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


def threshold_regions(
    data: Tally, *, thresholds: Any = None, method: str = "wilson", level: float = 0.95
) -> RateRegions:
    """Intervals of FPR and TPR at given thresholds (F6.12, F6.13).

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases, without weights.
    thresholds : array, optional
        Cut-offs; all distinct scores without it.
    method : {"wilson", "clopper-pearson"}
        Wilson's interval is right on average, Clopper and Pearson's never too short.
    level : float, default 0.95
        Confidence level of each interval; the rectangle of both has the level squared.

    Returns
    -------
    RateRegions

    Examples
    --------
    >>> import rocwise as rw
    >>> regions = rw.threshold_regions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], thresholds=[0.35])
    >>> regions.tpr_lower.round(3).tolist(), regions.tpr_upper.tolist()
    ([0.342], [1.0])
    """
    checks.one_of(method, "method", METHODS)
    checks.fraction(level, "level")
    refuse_weights(data, "threshold_regions")
    cuts = np.asarray(data.scores if thresholds is None else thresholds, np.float64)
    fpr, tpr = rates_at(data, np.atleast_1d(cuts))
    fpr_limits = proportion_limits(np.rint(fpr * data.n_neg), data.n_neg, level, method)
    tpr_limits = proportion_limits(np.rint(tpr * data.n_pos), data.n_pos, level, method)
    return RateRegions(
        thresholds=np.atleast_1d(cuts),
        fpr=fpr,
        tpr=tpr,
        fpr_lower=fpr_limits[0],
        fpr_upper=fpr_limits[1],
        tpr_lower=tpr_limits[0],
        tpr_upper=tpr_limits[1],
        level=level,
        method=method,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        origin=data.origin,
    )
