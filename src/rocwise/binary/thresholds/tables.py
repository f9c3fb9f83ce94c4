"""Every usual metric at every threshold, as one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.thresholds.confusion_cells import matthews
from rocwise.costs import Costs, checked_costs
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import Result, result


@result
class ThresholdTable(Result):
    """Counts and metrics at every distinct score, most positive score first.

    `npv` and `lr_negative` are masked where they are undefined (nobody is called negative);
    `mcc` is 0 there by convention.
    """

    threshold: Array
    tp: Array
    fp: Array
    fn: Array
    tn: Array
    sensitivity: Floats
    specificity: Floats
    ppv: Floats
    npv: Floats
    accuracy: Floats
    balanced_accuracy: Floats
    f1: Floats
    mcc: Floats
    youden: Floats
    lr_positive: Floats
    lr_negative: Floats
    expected_cost: Floats | None = None

    def __len__(self) -> int:
        return len(self.threshold)

    def _sentence(self) -> str:
        sign = ">=" if self.origin.direction == "higher" else "<="
        best = int(np.argmax(self.youden))
        return (
            f"table of {printing.counted(len(self), 'threshold')} (positive when score {sign} "
            f"threshold); largest Youden index {self.youden[best]:.3f} at "
            f"{self.threshold_text(best)}"
        )

    @property
    def observed_scores(self) -> Array:
        """The distinct scores, the most positive first."""
        return self.threshold

    def threshold_text(self, row: int) -> str:
        """How the threshold of a row is printed: in the fewest digits that recount the same."""
        return printing.threshold_text(
            self.threshold,
            checks.whole(row, "row", at_least=0, at_most=len(self.threshold) - 1),
            direction=self.origin.direction,
            categories=self.origin.categories,
        )

    def _columns(self) -> Mapping[str, Any]:
        return {name: column for name, column in super()._columns().items() if column is not None}


@by_group
def thresholds(
    data: Any = None,
    y_score: Any = None,
    *,
    costs: Costs | None = None,
    **given: Unpack[TallyOptions],
) -> ThresholdTable:
    """Counts and metrics at every distinct score.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`: the
        scored cases.
    costs : Costs, optional
        Adds `expected_cost`, the cost per case at the prevalence of the data.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    ThresholdTable

    Examples
    --------
    >>> import rocwise as rw
    >>> table = rw.thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> table.youden.tolist()
    [0.5, 0.0, 0.5, 0.0]
    """
    tally = as_tally("thresholds", data, y_score, given)
    if costs is not None:
        checked_costs(costs)
    tp, fp = tally.tp, tally.fp
    fn, tn = tally.n_pos - tp, tally.n_neg - fp
    if tally.weighted:  # cumulated weights may miss their total by a rounding error
        fn, tn = np.maximum(fn, 0.0), np.maximum(tn, 0.0)
        fn[-1] = tn[-1] = 0.0
    total = tally.n_pos + tally.n_neg
    sensitivity, specificity = tp / tally.n_pos, tn / tally.n_neg
    cost = None
    if costs is not None:
        cost = (costs.fp * fp + costs.fn * fn + costs.tp * tp + costs.tn * tn) / total
    return ThresholdTable(
        threshold=tally.scores,
        tp=tp,
        fp=fp,
        fn=fn,
        tn=tn,
        sensitivity=sensitivity,
        specificity=specificity,
        ppv=tp / (tp + fp),
        npv=_ratio(tn, tn + fn),
        accuracy=(tp + tn) / total,
        balanced_accuracy=(sensitivity + specificity) / 2,
        f1=2 * tp / (2 * tp + fp + fn),
        mcc=matthews(tp, fp, fn, tn),
        youden=sensitivity + specificity - 1,
        lr_positive=_likelihood_ratio(sensitivity, fp / tally.n_neg),
        lr_negative=_likelihood_ratio(fn / tally.n_pos, specificity),
        expected_cost=cost,
        origin=tally.origin,
    )


def _ratio(top: Array, bottom: Array) -> Floats:
    """Top / bottom, masked where both are 0."""
    value = np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom > 0)
    masked: Floats = np.ma.masked_array(value, mask=bottom == 0)
    return masked


def _likelihood_ratio(top: Floats, bottom: Floats) -> Floats:
    """Top / bottom; infinite over 0, masked where it is 0 / 0."""
    ratio = np.full(len(top), np.inf)
    np.divide(top, bottom, out=ratio, where=bottom > 0)
    undefined = (top == 0) & (bottom == 0)
    if not undefined.any():
        return ratio
    masked: Floats = np.ma.masked_array(np.where(undefined, np.nan, ratio), mask=undefined)
    return masked
