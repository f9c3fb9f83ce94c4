"""The measures of a decision at points, and their limits where the threshold was fixed beforehand.

Shares of independent cases have limits of a proportion, by any of its methods. Where the share of
positives is given (`prevalence`), or cases have weights:

- predictive values: the logit of Mercaldo, Lau and Zhou (Stat. Med. 26, 2007, 2170-2183), with
  their z^2/2 added to counts where one is 0;
- accuracy and cost, sums of two independent rates: the limits of both, squared and added
  (Zou and Donner, Stat. Med. 27, 2008, 1693-1702);
- F1 = 2 J / (1 + J), where J = TP / (TP + FP + FN) is a share of independent cases, or, at a given
  prevalence, a ratio whose two limits are added on the log scale;
- likelihood ratios: the log method (Simel, Samsa and Matchar 1991), with 1/2 added to all cells
  where one is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary import threshold_rules as outcomes
from rocwise.binary.threshold_rules import Cells, ratio
from rocwise.costs import Costs
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import proportion_limits, wilson_limits

Limits = tuple[Floats, Floats]
OwnMetric = Callable[[Any, Any, Any, Any], Any]
USUAL = (
    "sensitivity",
    "specificity",
    "ppv",
    "npv",
    "accuracy",
    "f1",
    "lr_positive",
    "lr_negative",
)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What is measured at points: the usual measures, the cost, and metrics of the user's own."""

    costs: Costs | None
    own: Mapping[str, OwnMetric]

    @property
    def names(self) -> tuple[str, ...]:
        """The measures in order."""
        cost = () if self.costs is None else ("expected_cost",)
        return (*USUAL, *cost, *self.own)

    def values(self, cells: Cells) -> Floats:
        """Every measure of every cell, measures first; nan where one is undefined."""
        found: list[Any] = [
            cells.tpr,
            cells.tnr,
            outcomes.precision(cells),
            outcomes.npv(cells),
            outcomes.accuracy(cells),
            outcomes.f_beta(cells, 1.0),
            ratio(cells.tpr, cells.fpr),
            ratio(cells.fnr, cells.tnr),
        ]
        if self.costs is not None:
            found.append(outcomes.expected_cost(cells, self.costs))
        for metric in self.own.values():
            own = metric(cells.tp, cells.fp, cells.fn, cells.tn)
            found.append(np.broadcast_to(np.asarray(own, np.float64), cells.tp.shape))
        return np.array(found)


def fixed_limits(
    cells: Cells,
    sizes: tuple[float, float],
    costs: Costs | None,
    level: float,
    method: str,
    *,
    counted: bool,
) -> dict[str, Limits]:
    """Limits at fixed thresholds; `sizes` are the independent positives and negatives.

    `counted`: cases are whole and the prevalence is their own, so that predictive values and
    accuracy are shares of counted cases too.
    """
    n_pos, n_neg = sizes
    share = float(cells.prevalence)
    shares: dict[str, tuple[Floats, Any]] = {
        "sensitivity": (cells.tpr * n_pos, n_pos),
        "specificity": (cells.tnr * n_neg, n_neg),
    }
    if counted:
        shares |= {
            "ppv": (cells.tp, cells.tp + cells.fp),
            "npv": (cells.tn, cells.tn + cells.fn),
            "accuracy": (cells.tp + cells.tn, cells.n_pos + cells.n_neg),
            "f1": (cells.tp, cells.tp + cells.fp + cells.fn),
        }
    found = _share_limits(shares, level, method)
    sensitivity, specificity = found["sensitivity"], found["specificity"]
    z = normal_quantile(level)
    if counted:
        found["f1"] = _f1_of(found["f1"])
    else:
        found["ppv"] = _predictive(cells.tpr, cells.tnr, share, (n_pos, n_neg), z)
        found["npv"] = _predictive(cells.tnr, cells.tpr, 1 - share, (n_neg, n_pos), z)
        found["accuracy"] = _sum_of_two(
            (share, cells.tpr, sensitivity), (1 - share, cells.tnr, specificity)
        )
        found["f1"] = _f1_of(_jaccard(cells, share, sensitivity, specificity))
    tops, bottoms = np.array([cells.tpr, cells.fnr]), np.array([cells.fpr, cells.tnr])
    ratios = _likelihood_ratios(tops, bottoms, n_pos, n_neg, z)
    found["lr_positive"], found["lr_negative"] = zip(*ratios, strict=True)
    if costs is not None:
        gains = (share * (costs.tp - costs.fn), (1 - share) * (costs.tn - costs.fp))
        constant = share * costs.fn + (1 - share) * costs.fp
        low, high = _sum_of_two(
            (gains[0], cells.tpr, sensitivity), (gains[1], cells.tnr, specificity)
        )
        found["expected_cost"] = constant + low, constant + high
    return found


def _share_limits(
    shares: Mapping[str, tuple[Floats, Any]], level: float, method: str
) -> dict[str, Limits]:
    """Limits of shares, k of n each, at every point; all that is possible where n is 0.

    Shares of as many cases are dealt with together, and by Wilson's method all of them.
    """
    k = np.array([part for part, _ in shares.values()])
    n = np.empty(k.shape)
    for line, (_, whole) in zip(n, shares.values(), strict=True):
        line[:] = whole
    if method == "wilson" and (n > 0).all():
        low, high = wilson_limits(k / n, n, level)
    else:
        low, high = np.zeros(k.shape), np.ones(k.shape)
        for size in np.unique(n[n > 0]).tolist():
            alike = n == size
            low[alike], high[alike] = proportion_limits(k[alike], size, level, method)
    return dict(zip(shares, zip(low, high, strict=True), strict=True))


def _predictive(
    hit: Floats, rejected: Floats, share: float, sizes: tuple[float, float], z: float
) -> Limits:
    """Mercaldo's logit limits of the predictive value of a class with this share."""
    (n1, n0), extra = sizes, z * z / 2
    empty = (np.minimum(hit, 1 - hit) == 0) | (np.minimum(rejected, 1 - rejected) == 0)
    x = np.where(empty, (hit * n1 + extra) / (n1 + 2 * extra), hit)
    y = np.where(empty, (rejected * n0 + extra) / (n0 + 2 * extra), rejected)
    m1, m0 = (np.where(empty, n + 2 * extra, n) for n in (n1, n0))
    centre = np.log(x * share / ((1 - y) * (1 - share)))
    reach = z * np.sqrt((1 - x) / (x * m1) + y / ((1 - y) * m0))
    return _logistic(centre - reach), _logistic(centre + reach)


def _logistic(x: Floats) -> Floats:
    return np.asarray(np.exp(-np.logaddexp(0.0, -x)))


def _sum_of_two(*terms: tuple[float, Floats, Limits]) -> Limits:
    """Limits of a weighted sum of independent rates from theirs, squared and added."""
    value = sum(weight * rate for weight, rate, _ in terms)
    down: Any = 0.0
    up: Any = 0.0
    for weight, rate, (low, high) in terms:
        ends = sorted_ends(weight * low, weight * high)
        down = down + (weight * rate - ends[0]) ** 2
        up = up + (ends[1] - weight * rate) ** 2
    return np.asarray(value - np.sqrt(down)), np.asarray(value + np.sqrt(up))


def sorted_ends(one: Floats, other: Floats) -> Limits:
    """The smaller of both first."""
    return np.minimum(one, other), np.maximum(one, other)


def _jaccard(cells: Cells, share: float, sensitivity: Limits, specificity: Limits) -> Limits:
    """Limits of J = p TPR / (p + (1 - p) FPR), those of both parts added on the log scale."""
    bottom = share + (1 - share) * cells.fpr
    least, most = (share + (1 - share) * (1 - limit) for limit in specificity[::-1])
    value = share * cells.tpr / bottom
    with np.errstate(divide="ignore", invalid="ignore"):
        down = np.hypot(np.log(cells.tpr / sensitivity[0]), np.log(most / bottom))
        up = np.hypot(np.log(sensitivity[1] / cells.tpr), np.log(bottom / least))
        low = np.where(cells.tpr > 0, value * np.exp(-down), 0.0)
        high = np.where(cells.tpr > 0, value * np.exp(up), share * sensitivity[1] / least)
    return low, np.minimum(high, 1.0)


def _f1_of(limits: Limits) -> Limits:
    low, high = (2 * limit / (1 + limit) for limit in limits)
    return low, high


def _likelihood_ratios(
    top: Floats, bottom: Floats, n_top: float, n_bottom: float, z: float
) -> Limits:
    """Log limits of ratios of two independent rates; from 0 or to infinity where one is 0."""
    cells = (top * n_top, (1 - top) * n_top, bottom * n_bottom, (1 - bottom) * n_bottom)
    half = np.where(np.minimum.reduce(cells) < 0.5, 0.5, 0.0)  # mixtures have parts of cases
    m1, m0 = n_top + 2 * half, n_bottom + 2 * half
    x, y = (cells[0] + half) / m1, (cells[2] + half) / m0
    reach = z * np.sqrt((1 - x) / (x * m1) + (1 - y) / (y * m0))
    centre = np.log(x / y)
    low, high = np.exp(centre - reach), np.exp(centre + reach)
    return np.where(top == 0, 0.0, low), np.where(bottom == 0, np.inf, high)
