"""The four outcomes of a decision at many thresholds at once, and the rates made of them.

Every function works element by element, so one table serves one curve, many resampled curves, or
one threshold in many samples. Internally nan stands for "undefined"; it never leaves the package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.costs import Costs
from rocwise.data.immutable import made_once
from rocwise.kernels.columns.plain import matthews


@dataclass(frozen=True, eq=False)
class Cells:
    """Outcomes at thresholds, as counts among the cases of the data; made when asked for.

    Attributes
    ----------
    hits, alarms
        Cases of the data called positive in each class.
    n_pos, n_neg
        Sizes of the classes in the data.
    other_prevalence
        The share of positives that the counts are for; None: that of the data.
    """

    hits: Floats
    alarms: Floats
    n_pos: Any
    n_neg: Any
    other_prevalence: float | None = None

    @property
    def prevalence(self) -> Any:
        """The share of positives that the counts are for."""
        own = self.other_prevalence
        return self.n_pos / (self.n_pos + self.n_neg) if own is None else own

    @made_once
    def tpr(self) -> Floats:
        """Share of the positives called positive, which no prevalence changes."""
        return np.asarray(self.hits / self.n_pos)

    @made_once
    def fpr(self) -> Floats:
        """Share of the negatives called positive."""
        return np.asarray(self.alarms / self.n_neg)

    @made_once
    def fnr(self) -> Floats:
        """Share of the positives called negative."""
        return np.asarray(_rest(self.n_pos, self.hits) / self.n_pos)

    @made_once
    def tnr(self) -> Floats:
        """Share of the negatives called negative."""
        return np.asarray(_rest(self.n_neg, self.alarms) / self.n_neg)

    @made_once
    def tp(self) -> Floats:
        """Positives called positive; at another prevalence, those expected of as many cases."""
        return self.hits if self.other_prevalence is None else self.tpr * self._expected[0]

    @made_once
    def fp(self) -> Floats:
        """Negatives called positive."""
        return self.alarms if self.other_prevalence is None else self.fpr * self._expected[1]

    @made_once
    def fn(self) -> Floats:
        """Positives called negative."""
        if self.other_prevalence is None:
            return _rest(self.n_pos, self.hits)
        return np.asarray(self.fnr * self._expected[0])

    @made_once
    def tn(self) -> Floats:
        """Negatives called negative."""
        if self.other_prevalence is None:
            return _rest(self.n_neg, self.alarms)
        return np.asarray(self.tnr * self._expected[1])

    @property
    def _expected(self) -> tuple[Any, Any]:
        """Positives and negatives among as many cases at the other prevalence."""
        share, total = self.prevalence, self.n_pos + self.n_neg
        return share * total, (1 - share) * total


def _rest(total: Any, called: Floats) -> Floats:
    return np.asarray(np.maximum(total - called, 0.0))  # weights may round below 0


def cells_of(tp: Any, fp: Any, n_pos: Any, n_neg: Any, prevalence: float | None = None) -> Cells:
    """All cells from the cases called positive in each class.

    >>> float(cells_of(3, 1, 4, 6, prevalence=0.1).tp)  # of 10 cases, 1 is positive
    0.75
    """
    hits, alarms = np.asarray(tp, dtype=np.float64), np.asarray(fp, dtype=np.float64)
    return Cells(hits, alarms, n_pos, n_neg, prevalence)


def ratio(top: Any, bottom: Any) -> Floats:
    """Top / bottom; nan for 0 / 0, infinite for anything else over 0."""
    top, bottom = np.asarray(top, np.float64), np.asarray(bottom, np.float64)
    if top.shape != bottom.shape:
        top, bottom = np.broadcast_arrays(top, bottom)
    value = np.where(top == 0, np.nan, np.inf)
    np.divide(top, bottom, out=value, where=bottom > 0)
    return value


def precision(cells: Cells) -> Floats:
    """Positives among the cases called positive."""
    return ratio(cells.tp, cells.tp + cells.fp)


def npv(cells: Cells) -> Floats:
    """Negatives among the cases called negative."""
    return ratio(cells.tn, cells.tn + cells.fn)


def accuracy(cells: Cells) -> Floats:
    """Share of right decisions."""
    return np.asarray((cells.tp + cells.tn) / (cells.n_pos + cells.n_neg))


def f_beta(cells: Cells, beta: float) -> Floats:
    """The F measure: recall counts `beta` times as much as precision."""
    weight = beta * beta
    hits = (1 + weight) * cells.tp
    return ratio(hits, hits + weight * cells.fn + cells.fp)


def mcc(cells: Cells) -> Floats:
    """Matthews' correlation of decision and truth."""
    return matthews(cells.tp, cells.fp, cells.fn, cells.tn)


def kappa(cells: Cells) -> Floats:
    """Cohen's kappa of decision and truth."""
    tp, fp, fn, tn = cells.tp, cells.fp, cells.fn, cells.tn
    by_chance = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    return np.asarray(2 * (tp * tn - fn * fp) / by_chance)


def odds_ratio(cells: Cells) -> Floats:
    """The diagnostic odds ratio with one half added to each count, which keeps it finite."""
    hits, misses = cells.tpr * cells.n_pos + 0.5, cells.fnr * cells.n_pos + 0.5
    alarms, rejections = cells.fpr * cells.n_neg + 0.5, cells.tnr * cells.n_neg + 0.5
    return np.asarray((hits / misses) * (rejections / alarms))


def chi_square(cells: Cells) -> Floats:
    """Pearson's statistic of the fourfold table, without correction: n times mcc squared."""
    return np.asarray((cells.n_pos + cells.n_neg) * mcc(cells) ** 2)


def called_positive(cells: Cells) -> Floats:
    """Share of the cases that are called positive."""
    return np.asarray((cells.tp + cells.fp) / (cells.n_pos + cells.n_neg))


def expected_cost(cells: Cells, costs: Costs) -> Floats:
    """Cost per case, in the units of the costs."""
    share = cells.prevalence
    of_positives = costs.fn * cells.fnr + costs.tp * cells.tpr
    of_negatives = costs.fp * cells.fpr + costs.tn * cells.tnr
    return np.asarray(share * of_positives + (1 - share) * of_negatives)


def avoidable_cost(cells: Cells, costs: Costs) -> Floats:
    """What the errors cost beyond right decisions: the same order as the expected cost.

    Its two terms are never negative, so no digits cancel when gains and costs are large.
    """
    share = cells.prevalence
    of_positives = share * (costs.fn - costs.tp) * cells.fnr
    return np.asarray(of_positives + (1 - share) * (costs.fp - costs.tn) * cells.fpr)
