"""Precision and recall at every distinct score."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Unpack

import numpy as np

from rocwise import kernels, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.precision_recall.bands import (
    PrecisionBandKind,
    PrecisionRecallBand,
    precision_band,
)
from rocwise.data.float_scores import refuse_merged
from rocwise.data.tally import Tally
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import row_by_row
from rocwise.results import ASIDE, Result, result


@result
class PrecisionRecallCurve(Result):
    """Precision against recall at every threshold, starting at recall 0 with precision 1."""

    precision: Floats
    recall: Floats
    thresholds: Array
    average_precision: float
    prevalence: float
    n_pos: float
    n_neg: float
    data: Tally = field(metadata=ASIDE)

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        return (
            f"precision-recall curve, average precision "
            f"{printing.rate(self.average_precision, size)} "
            f"at prevalence {printing.rate(self.prevalence, size)}"
        )

    def band(
        self,
        *,
        kind: PrecisionBandKind = "simultaneous",
        level: float = 0.95,
        n_resamples: int = 1000,
        rng: Any = None,
    ) -> PrecisionRecallBand:
        """A confidence band for the precision over the recall.

        Parameters
        ----------
        kind : {"simultaneous", "pointwise"}
            Holds the whole true curve, or the precision at each single recall, in `level` of all
            samples. The first is `band` of the ROC curve, seen in recall and precision; the
            second needs no resamples.
        level, n_resamples, rng
            Confidence level; number and seed of the resamples.

        Returns
        -------
        PrecisionRecallBand
            With `recall`, `precision`, `lower`, `upper`.

        Examples
        --------
        >>> import rocwise as rw
        >>> y, s = [0, 0, 0, 0, 1, 0, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        >>> band = rw.precision_recall(y, s).band(n_resamples=100, rng=1)
        >>> bool((band.lower <= band.precision).all() and (band.precision <= band.upper).all())
        True
        """
        return precision_band(self.data, kind=kind, level=level, n_resamples=n_resamples, rng=rng)


@by_group
def precision_recall(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> PrecisionRecallCurve:
    """Precision and recall at every distinct score.

    At recall 0 nothing is called positive and precision is undefined; the curve starts there
    with precision 1, as is the custom. `average_precision` sums precision over the steps in
    recall, without interpolation; `rw.average_precision` has its interval.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    PrecisionRecallCurve
        Its `band` is the confidence band.

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.precision.round(3).tolist()
    [1.0, 1.0, 0.5, 0.667, 0.5]
    """
    tally = as_tally("precision_recall", data, y_score, given)
    refuse_merged(tally)
    scores, tp, fp = tally.curve_counts()
    precision, recall = on_large_pages(len(tp) + 1), on_large_pages(len(tp) + 1)
    kernels.threshold_measure("ppv", tp, fp, tally.n_pos, tally.n_neg, out=precision[1:])
    kernels.threshold_measure("sensitivity", tp, fp, tally.n_pos, tally.n_neg, out=recall[1:])
    # last, so that all threads share the making of pages
    precision[0], recall[0] = 1.0, 0.0
    thresholds = on_large_pages(
        len(tp) + 1, scores.dtype if scores.dtype.kind == "f" else np.float64
    )
    area = _summed_steps(precision, recall, thresholds)
    row_by_row(np.asarray, scores, out=thresholds[1:])
    thresholds[0] = np.inf if tally.direction == "higher" else -np.inf
    return PrecisionRecallCurve(
        precision=precision,
        recall=recall,
        thresholds=thresholds,
        average_precision=area,
        prevalence=tally.n_pos / (tally.n_pos + tally.n_neg),
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        data=tally,
        origin=tally.origin,
    )


def _summed_steps(precision: Floats, recall: Floats, room: Floats) -> float:
    """Precision times the step in recall, summed; in the room of a column yet to be filled."""
    steps = row_by_row(
        np.subtract,
        recall[1:],
        recall[:-1],
        out=room[1:] if room.dtype == np.float64 else None,
    )
    return kernels.dot(steps, precision[1:])
