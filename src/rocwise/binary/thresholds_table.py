"""Every usual metric at every threshold, as one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary import threshold_rules as rules
from rocwise.costs import Costs, checked_costs
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import ASIDE, Result, json_safe, read_only, result

COLUMNS = (
    *("threshold", "tp", "fp", "fn", "tn", "sensitivity", "specificity", "ppv", "npv"),
    *("accuracy", "balanced_accuracy", "f1", "mcc", "youden", "lr_positive", "lr_negative"),
    "expected_cost",
)


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
    return ThresholdTable(
        threshold=tally.scores,
        tp=tally.tp,
        fp=tally.fp,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        weighted=tally.weighted,
        costs=costs,
        origin=tally.origin,
    )


@result
class ThresholdTable(Result):
    """Counts and metrics at every distinct score, most positive score first.

    `npv` and `lr_negative` are masked where they are undefined (nobody is called negative);
    `mcc` is 0 there by convention. `expected_cost` is None without costs. A metric is computed
    when it is first used.
    """

    threshold: Array
    tp: Array
    fp: Array
    n_pos: float = field(metadata=ASIDE)
    n_neg: float = field(metadata=ASIDE)
    weighted: bool = field(default=False, metadata=ASIDE)
    costs: Costs | None = field(default=None, metadata=ASIDE)

    @cached_property
    def _cells(self) -> rules.Cells:
        return rules.cells_of(self.tp, self.fp, self.n_pos, self.n_neg)

    @cached_property
    def fn(self) -> Array:
        """Positives called negative."""
        return self._rest(self.n_pos, self.tp)

    @cached_property
    def tn(self) -> Array:
        """Negatives called negative."""
        return self._rest(self.n_neg, self.fp)

    def _rest(self, total: float, called: Array) -> Array:
        rest = total - called
        if self.weighted:  # cumulated weights may miss their total by a rounding error
            rest = np.maximum(rest, 0.0)
            rest[-1] = 0.0
        return read_only(rest)

    @cached_property
    def sensitivity(self) -> Floats:
        """Proportion of the positives that are called positive."""
        return read_only(self._cells.tpr)

    @cached_property
    def specificity(self) -> Floats:
        """Proportion of the negatives that are called negative."""
        return read_only(self._cells.tnr)

    @cached_property
    def ppv(self) -> Floats:
        """Positive predictive value."""
        return read_only(rules.precision(self._cells))

    @cached_property
    def npv(self) -> Floats:
        """Negative predictive value."""
        return _masked(rules.npv(self._cells))

    @cached_property
    def accuracy(self) -> Floats:
        """Proportion of right decisions."""
        return read_only(rules.accuracy(self._cells))

    @cached_property
    def balanced_accuracy(self) -> Floats:
        """Mean of sensitivity and specificity."""
        return read_only((self.sensitivity + self.specificity) / 2)

    @cached_property
    def f1(self) -> Floats:
        """Harmonic mean of precision and recall."""
        return read_only(rules.f_beta(self._cells, 1.0))

    @cached_property
    def mcc(self) -> Floats:
        """Matthews correlation of decision and class."""
        return read_only(rules.mcc(self._cells))

    @cached_property
    def youden(self) -> Floats:
        """Sensitivity plus specificity minus 1."""
        return read_only(self.sensitivity + self.specificity - 1)

    @cached_property
    def lr_positive(self) -> Floats:
        """Likelihood ratio of a positive decision."""
        return _masked(rules.ratio(self._cells.tpr, self._cells.fpr))

    @cached_property
    def lr_negative(self) -> Floats:
        """Likelihood ratio of a negative decision."""
        return _masked(rules.ratio(self._cells.fnr, self._cells.tnr))

    @cached_property
    def expected_cost(self) -> Floats | None:
        """Cost per case at the prevalence of the data; None where no costs are given."""
        costs = self.costs
        if costs is None:
            return None
        total = costs.fp * self.fp + costs.fn * self.fn + costs.tp * self.tp + costs.tn * self.tn
        return read_only(np.asarray(total / (self.n_pos + self.n_neg)))

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

    def _columns(self) -> Mapping[str, Any]:
        columns = {name: getattr(self, name) for name in COLUMNS}
        return {name: column for name, column in columns.items() if column is not None}

    def to_dict(self) -> dict[str, Any]:
        """The table as plain JSON-safe values; infinities and undefined ones become None."""
        plain = super().to_dict()
        metrics = {name: json_safe(getattr(self, name)) for name in COLUMNS if name not in plain}
        return plain | metrics


def _masked(values: Floats) -> Floats:
    """The same numbers, read-only, masked where any are nan."""
    values, undefined = read_only(values), np.isnan(values)
    if not undefined.any():
        return values
    undefined.setflags(write=False)
    masked: Floats = np.ma.masked_array(values, mask=undefined, copy=False)
    return masked
