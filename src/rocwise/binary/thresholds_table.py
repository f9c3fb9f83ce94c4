"""Every usual metric at every threshold, as one table."""

from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, masked_nan
from rocwise.binary.threshold_rules import MEASURES_OF_CELLS, cells_of, expected_cost
from rocwise.costs import Costs, checked_costs
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import Result, result

SHOWN = {
    name: measure
    for name, measure in MEASURES_OF_CELLS.items()
    if name not in ("kappa", "odds_ratio", "chi_square")
}


@by_group
def thresholds(
    data: Any = None,
    y_score: Any = None,
    *,
    costs: Costs | None = None,
    **given: Unpack[TallyOptions],
) -> "ThresholdTable":
    """Compute counts and metrics at every distinct score.

    Parameters
    ----------
    costs : Costs, optional
        Also compute `expected_cost`, per case at the prevalence of the data.

    Returns
    -------
    ThresholdTable
        Result with the arrays `threshold`, `tp`, `fp`, `fn`, `tn`, `sensitivity`, `specificity`,
        `ppv`, `npv`, `accuracy`, `f1`, `mcc`, `youden` and others; ``to_frame()`` has them as
        columns.

    See Also
    --------
    at : Sensitivity, specificity, PPV and NPV at an operating point.
    threshold : Optimal threshold by a criterion.
    roc : Empirical ROC curve.

    Examples
    --------
    >>> import rocwise as rw
    >>> table = rw.thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> table.threshold.tolist(), table.youden.tolist()
    ([0.8, 0.4, 0.35, 0.1], [0.5, 0.0, 0.5, 0.0])
    """
    tally = as_tally("thresholds", data, y_score, given)
    if costs is not None:
        checked_costs(costs)
    cells = cells_of(tally.tp, tally.fp, tally.n_pos, tally.n_neg)
    fn, tn = tally.n_pos - tally.tp, tally.n_neg - tally.fp
    if tally.weighted:  # cumulated weights may miss their total by a rounding error
        fn, tn = np.maximum(fn, 0.0), np.maximum(tn, 0.0)
        fn[-1] = tn[-1] = 0.0
    return ThresholdTable(
        threshold=tally.scores,
        tp=tally.tp,
        fp=tally.fp,
        fn=fn,
        tn=tn,
        **{name: masked_nan(measure(cells)) for name, measure in SHOWN.items()},
        expected_cost=None if costs is None else expected_cost(cells, costs),
        origin=tally.origin,
    )


@result
class ThresholdTable(Result):
    """Counts and metrics at every distinct score, most positive score first.

    `npv` and `lr_negative` are masked where they are undefined (no case is classified negative);
    `mcc` is 0 there by convention. `expected_cost` is None without costs.
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
    expected_cost: Floats | None

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
        """The threshold of a row in the fewest digits that give the same counts."""
        return printing.threshold_text(
            self.threshold,
            checks.whole(row, "row", at_least=0, at_most=len(self.threshold) - 1),
            direction=self.origin.direction,
            categories=self.origin.categories,
        )
