"""Confidence bands of the precision over the recall.

At a recall, precision depends on the false positive rate there alone: it is recall / (recall +
odds * FPR), with the odds of a negative. So the band of the whole ROC curve, seen in these
coordinates, is one of the whole precision-recall curve, and holds it exactly as often. At one
recall, the FPR has two sources of error: of the positives, which say at what threshold the recall
is reached, and of the negatives, which say how many of them lie above it; the limits of both are
added (method of variance estimates recovery).
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.bands import Band, Polyline, band, heights
from rocwise.binary.resampling.precision_statistics import (
    ROUNDING,
    rates_at_recalls,
    shares_from_zero,
)
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.intervals.interval_limits import normal_quantile
from rocwise.inference.intervals.proportions import wilson_limits
from rocwise.results import Result, result

PrecisionBandKind = Literal["simultaneous", "pointwise"]
KINDS: tuple[str, ...] = get_args(PrecisionBandKind)
MOST_RECALLS = 200
NO_SPREAD = 1e-12


@result
class PrecisionRecallBand(Result):
    """Lower and upper limits of the precision at recalls, and the observed precision there.

    The precision at a recall is that of the strictest threshold which reaches it. `method` says how
    the limits were made; `seed` is that of the resamples, None where there were none.
    """

    recall: Floats
    precision: Floats
    lower: Floats
    upper: Floats
    kind: str
    level: float
    method: str
    prevalence: float
    n_pos: float
    n_neg: float
    seed: int | None

    def at(self, recall: Any) -> tuple[Floats, Floats]:
        """The limits at recalls: those of the next recall of the band."""
        wanted = np.array([checks.rate(value, "recall") for value in np.atleast_1d(recall)])
        places = np.searchsorted(self.recall, wanted - ROUNDING)
        return self.lower[places], self.upper[places]

    def _columns(self) -> dict[str, Any]:
        names = ("recall", "precision", "lower", "upper")
        return {name: getattr(self, name) for name in names}

    def _sentence(self) -> str:
        return (
            f"{printing.percent(self.level)} {self.kind} band of the precision at "
            f"{printing.count(len(self.recall))} recalls ({self.method}); "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


def precision_band(
    data: Tally, *, kind: str, level: float, n_resamples: int, rng: Any
) -> PrecisionRecallBand:
    """The band of a tally at up to 200 recalls."""
    checks.one_of(kind, "kind", KINDS)
    level, n_resamples = checks.level(level), checks.draws(n_resamples, rng, at_least=2)
    if min(data.effective_sizes) <= 1:
        raise InputError("the band needs at least two cases in each class.")
    steps = max(1, min(int(data.effective_sizes[0]), MOST_RECALLS))
    recalls = np.arange(1, steps + 1) / steps
    seed = None
    if kind == "simultaneous":
        roc = _whole_curve(data, level, n_resamples, checks.seed(rng))
        alarms, seed = _between_edges(roc, recalls), roc.seed
        method = f"from the {roc.kind} band of the ROC curve"
    else:
        alarms, method = _at_each(data, recalls, level), "Wilson limits of both classes added"
    odds = data.n_neg / data.n_pos
    rates = shares_from_zero(data.pos)[None, :], shares_from_zero(data.neg)[None, :]
    tpr, fpr = (rate[0] for rate in rates_at_recalls(*rates, recalls))
    precision = tpr / (tpr + odds * fpr)
    return PrecisionRecallBand(
        recall=recalls,
        precision=precision,
        lower=np.minimum(recalls / (recalls + odds * alarms[1]), precision),
        upper=np.maximum(recalls / (recalls + odds * alarms[0]), precision),
        kind=kind,
        level=level,
        method=method,
        prevalence=data.n_pos / (data.n_pos + data.n_neg),
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        seed=seed,
        origin=data.origin,
    )


def _whole_curve(data: Tally, level: float, n_resamples: int, seed: int) -> Band:
    """The band of the ROC curve; Kolmogorov's where all resamples of separated classes agree."""
    tpr, fpr = shares_from_zero(data.pos), shares_from_zero(data.neg)
    separated = bool(np.all((tpr[1:] >= 1 - NO_SPREAD) | (fpr[1:] <= NO_SPREAD)))
    if separated and data.rows is None:
        return band(data, kind="joint-regions", level=level)
    return band(data, kind="simultaneous", level=level, n_resamples=n_resamples, rng=seed)


def _between_edges(roc: Band, recalls: Floats) -> tuple[Floats, Floats]:
    """The least and the largest FPR at which the band of the ROC curve holds each recall."""
    least = heights(Polyline(roc.upper, roc.fpr), recalls).left
    most = heights(Polyline(roc.lower, roc.fpr), recalls).right
    return least, np.where(recalls > roc.lower[-1], 1.0, most)


def _at_each(data: Tally, recalls: Floats, level: float) -> tuple[Floats, Floats]:
    """Limits of the FPR at which each recall is reached."""
    if data.clustered:
        raise InputError(
            "kind='pointwise' takes rows for independent; with clusters use kind='simultaneous', "
            "whose resamples draw whole clusters."
        )
    n_pos, n_neg = data.effective_sizes
    tpr, fpr = shares_from_zero(data.pos), shares_from_zero(data.neg)
    at = fpr[np.minimum(np.searchsorted(tpr, recalls - ROUNDING), len(tpr) - 1)]
    # Wilson's interval of a TPR holds the recall just when the TPR lies this near to it
    reach = normal_quantile(level) * np.sqrt(recalls * (1 - recalls) / n_pos)
    looser = np.searchsorted(tpr, recalls + reach - ROUNDING)
    beyond = (looser >= len(tpr)) | (recalls >= 1)
    looser_fpr = np.where(beyond, 1.0, fpr[np.minimum(looser, len(tpr) - 1)])
    stricter_fpr = fpr[np.maximum(np.searchsorted(tpr, recalls - reach + ROUNDING) - 1, 0)]
    low, high = wilson_limits(at, n_neg, level)
    down = np.hypot(at - low, np.maximum(at - stricter_fpr, 0.0))
    up = np.hypot(high - at, np.maximum(looser_fpr - at, 0.0))
    return np.maximum(at - down, 0.0), np.minimum(at + up, 1.0)
