"""Every usual metric at every threshold, as one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Floats
from rocwise.costs import Costs, checked_costs
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.long_arrays import beside_nothing
from rocwise.kernels.row_formulas import row_by_row
from rocwise.results import ASIDE, Result, json_safe, read_only, result

COLUMNS = (
    *("threshold", "tp", "fp", "fn", "tn", "sensitivity", "specificity", "ppv", "npv"),
    *("accuracy", "balanced_accuracy", "f1", "mcc", "youden", "lr_positive", "lr_negative"),
    "expected_cost",
)
METRICS = COLUMNS[COLUMNS.index("fn") : COLUMNS.index("expected_cost")]  # what is made of tp and fp


@result
class ThresholdTable(Result):
    """Counts and metrics at every distinct score, most positive score first.

    `npv` and `lr_negative` are masked where they are undefined (nobody is called negative);
    `mcc` is 0 there by convention. `expected_cost` is None without costs. A metric is computed
    when it is asked for, so that a table of millions of thresholds takes little room.
    """

    threshold: Array
    tp: Array
    fp: Array
    n_pos: float = field(metadata=ASIDE)
    n_neg: float = field(metadata=ASIDE)
    weighted: bool = field(default=False, metadata=ASIDE)
    costs: Costs | None = field(default=None, metadata=ASIDE)

    @cached_property
    def fn(self) -> Array:
        """Positives called negative."""
        return self._made("fn")

    @cached_property
    def tn(self) -> Array:
        """Negatives called negative."""
        return self._made("tn")

    @cached_property
    def sensitivity(self) -> Floats:
        """Share of the positives that are called positive."""
        return self._made("sensitivity")

    @cached_property
    def specificity(self) -> Floats:
        """Share of the negatives that are called negative."""
        return self._made("specificity")

    @cached_property
    def ppv(self) -> Floats:
        """Share of positives among the cases called positive."""
        return self._made("ppv")

    @cached_property
    def npv(self) -> Floats:
        """Share of negatives among the cases called negative."""
        return self._made("npv")

    @cached_property
    def accuracy(self) -> Floats:
        """Share of right decisions."""
        return self._made("accuracy")

    @cached_property
    def balanced_accuracy(self) -> Floats:
        """Mean of sensitivity and specificity."""
        return self._made("balanced_accuracy")

    @cached_property
    def f1(self) -> Floats:
        """Harmonic mean of precision and recall."""
        return self._made("f1")

    @cached_property
    def mcc(self) -> Floats:
        """Matthews' correlation of decision and class."""
        return self._made("mcc")

    @cached_property
    def youden(self) -> Floats:
        """Sensitivity plus specificity minus 1."""
        return self._made("youden")

    @cached_property
    def lr_positive(self) -> Floats:
        """Likelihood ratio of a positive decision."""
        return self._made("lr_positive")

    @cached_property
    def lr_negative(self) -> Floats:
        """Likelihood ratio of a negative decision."""
        return self._made("lr_negative")

    def _made(self, name: str, place: Floats | None = None) -> Array:
        """A metric, in its place if it has one."""
        if name in ("fn", "tn"):
            return self._missed(name, place)
        out = kernels.threshold_measure(name, self.tp, self.fp, self.n_pos, self.n_neg, out=place)
        return _masked(out) if name in ("npv", "lr_positive", "lr_negative") else read_only(out)

    def _missed(self, name: str, place: Floats | None) -> Array:
        total, called = (self.n_pos, self.tp) if name == "fn" else (self.n_neg, self.fp)
        kind = called.dtype
        out = None if place is None else place.view(kind)
        rest = row_by_row(lambda some: total - some, called, dtype=kind, out=out)
        if self.weighted:  # cumulated weights may miss their total by a rounding error
            np.maximum(rest, 0.0, out=rest)
            rest[-1] = 0.0
        return read_only(rest)

    @cached_property
    def expected_cost(self) -> Floats | None:
        """Cost per case at the prevalence of the data; None where no costs are given."""
        costs = self.costs
        if costs is None:
            return None
        each, total = (costs.fp, costs.fn, costs.tp, costs.tn), self.n_pos + self.n_neg

        def per_case(fp: Array, fn: Array, tp: Array, tn: Array) -> Floats:
            return np.asarray((each[0] * fp + each[1] * fn + each[2] * tp + each[3] * tn) / total)

        return read_only(row_by_row(per_case, self.fp, self.fn, self.tp, self.tn))

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
        missing = [name for name in METRICS if name not in self.__dict__]
        # in one block: in memory of its own each would have a large page that it does not fill
        for name, place in zip(missing, beside_nothing((len(missing), len(self))), strict=True):
            self.__dict__[name] = self._made(name, place)
        columns = {name: getattr(self, name) for name in COLUMNS}
        return {name: column for name, column in columns.items() if column is not None}

    def to_dict(self) -> dict[str, Any]:
        """The table as plain JSON-safe values; infinities and undefined ones become None."""
        plain = super().to_dict()
        metrics = {name: json_safe(getattr(self, name)) for name in COLUMNS if name not in plain}
        return plain | metrics


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


def _masked(ratio: Floats) -> Floats:
    """The same numbers, read-only, masked where they are nan; without a mask where none is."""
    values, undefined = read_only(ratio), row_by_row(np.isnan, ratio, dtype=np.bool_)
    if not undefined.any():
        return values
    undefined.setflags(write=False)
    masked: Floats = np.ma.masked_array(values, mask=undefined, copy=False)
    return masked
