"""Intervals of both rates at single thresholds: rectangles around points of the curve."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Amounts, Floats
from rocwise.binary.curves.empirical import rates_at
from rocwise.binary.curves.kept_data import AboutData
from rocwise.data.float_scores import float_scores
from rocwise.data.unweighted import refuse_weights
from rocwise.inference.intervals.proportions import METHODS, ProportionMethod, proportion_limits
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.row_formulas import row_by_row
from rocwise.results import ASIDE, json_safe, read_only, result

LIMITS = ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper")


@result
class RateRegions(AboutData):
    """Intervals of FPR and TPR at thresholds; each rectangle has level `level` squared.

    The rates hold at each threshold alone: rectangles joined are not a band. `fp` and `tp` are
    the negatives and positives at or beyond each threshold.
    """

    thresholds: Floats
    fpr_lower: Floats
    fpr_upper: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    level: float
    method: ProportionMethod
    n_pos: float
    n_neg: float
    fp: Amounts = field(metadata=ASIDE)
    tp: Amounts = field(metadata=ASIDE)

    @cached_property
    def fpr(self) -> Floats:
        """False positive rate at each threshold, made of the counts when first asked for."""
        return read_only(row_by_row(lambda some: some / self.n_neg, self.fp))

    @cached_property
    def tpr(self) -> Floats:
        """True positive rate, likewise."""
        return read_only(row_by_row(lambda some: some / self.n_pos, self.tp))

    def _columns(self) -> dict[str, Any]:
        return {"thresholds": self.thresholds, "fpr": self.fpr, "tpr": self.tpr} | {
            name: getattr(self, name) for name in LIMITS
        }

    def to_dict(self) -> dict[str, Any]:
        """The answer with its rates as plain JSON-safe values."""
        rates: dict[str, Any] = json_safe({"fpr": self.fpr, "tpr": self.tpr})
        told: dict[str, Any] = {}
        for name, value in super().to_dict().items():
            told[name] = value
            if name == "thresholds":  # the rates stand before their limits, as in the table
                told |= rates
        return told

    def _sentence(self) -> str:
        return (
            f"{printing.percent(self.level)} {self.method} intervals of FPR and TPR at "
            f"{printing.counted(len(self.thresholds), 'threshold')}, each alone; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def threshold_regions(
    data: Any = None,
    y_score: Any = None,
    *,
    thresholds: Any = None,
    method: ProportionMethod = "wilson",
    level: float = 0.95,
    **given: Unpack[TallyOptions],
) -> RateRegions:
    """Intervals of FPR and TPR at given thresholds (F6.12, F6.13).

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`. Weights are
        refused.
    thresholds : array, optional
        Cut-offs; all distinct scores without it.
    method : {"wilson", "clopper-pearson"}
        Wilson's interval is right on average, Clopper and Pearson's never too short.
    level : float, default 0.95
        Confidence level of each interval; the rectangle of both has the level squared.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `direction`,
        `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    RateRegions

    Examples
    --------
    >>> from rocwise.binary.bands import threshold_regions
    >>> regions = threshold_regions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], thresholds=[0.35])
    >>> regions.tpr_lower.round(3).tolist(), regions.tpr_upper.tolist()
    ([0.342], [1.0])
    """
    tally = as_tally("threshold_regions", data, y_score, given)
    checks.one_of(method, "method", METHODS)
    level = checks.level(level)
    refuse_weights(
        tally,
        "threshold_regions",
        why="its regions are exact for counts of independent cases",
        instead="use `at` with threshold=, whose intervals take weights and clusters",
    )
    tally = tally.merged()
    scores = float_scores(tally.scores)
    if thresholds is None:
        cuts, alarms, hits = scores, tally.fp, tally.tp
    else:
        cuts = np.atleast_1d(checks.numbers(thresholds, "thresholds", infinite=True, most=1))
        fpr, tpr = rates_at(tally, cuts)
        alarms, hits = np.rint(fpr * tally.n_neg), np.rint(tpr * tally.n_pos)
    fpr_limits = proportion_limits(alarms, tally.n_neg, level, method)
    tpr_limits = proportion_limits(hits, tally.n_pos, level, method)
    return RateRegions(
        thresholds=cuts,
        fpr_lower=fpr_limits[0],
        fpr_upper=fpr_limits[1],
        tpr_lower=tpr_limits[0],
        tpr_upper=tpr_limits[1],
        level=level,
        method=method,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        fp=alarms,
        tp=hits,
        data=tally,
        origin=tally.origin,
    )
