"""Abstention within a bound: the least cost at limited abstention, and the other way round.

Pietraszek, "Optimizing abstaining classifiers using ROC analysis", ICML 2005.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats, Places
from rocwise.binary.abstention_windows import share_of_positives, window_fields
from rocwise.binary.roc import hull_counts
from rocwise.costs import Costs, check_costly_errors, checked_costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, shown

CostPer = Literal["decided", "case"]
WITHIN = 1e-12  # a bound that is missed by rounding only is kept


def bounded_window(
    data: Tally,
    costs: Costs,
    *,
    max_abstention: float | None,
    max_cost: float | None,
    per: CostPer,
    prevalence: float | None,
) -> dict[str, Any]:
    """Fields of the best window within a bound; see `abstain`."""
    _check_costs(costs)
    checks.one_of(per, "per", get_args(CostPer))
    if max_abstention is not None and max_cost is not None:
        raise InputError("pass `max_abstention` or `max_cost`: one of the two, not both.")
    p = share_of_positives(data, prevalence)
    sums = cumulative_costs(data, costs, p)
    decided = per == "decided"
    if max_abstention is not None:
        low, high = cheapest(sums, _share_of_cases(max_abstention, data), decided)
    else:
        gains = min(costs.tp, costs.tn) < 0
        bound = (checks.real if gains else checks.not_negative)(max_cost, "max_cost")
        found = least_abstention(sums, bound, decided)
        if found is None:
            raise _unattainable(sums, bound, decided)
        low, high = found
    _, hull_tp, hull_fp = hull_counts(data)
    return {
        **window_fields(data, (len(data) - low, len(data) - high), p),
        "hull_fpr": hull_fp / data.n_neg,
        "hull_tpr": hull_tp / data.n_pos,
        "expected_cost": sums.cost(low, high, False),
        "decided_cost": sums.cost(low, high, True) if sums.decided(low, high) > 0 else None,
        "cost_without_abstaining": sums.cost(sums.single, sums.single, False),
        "max_abstention": max_abstention,
        "max_cost": max_cost,
        "per": per,
        "costs": costs,
    }


def _check_costs(costs: Any) -> None:
    check_costly_errors(checked_costs(costs), "abstain")
    if costs.abstain is not None:
        raise InputError(
            "`costs.abstain` has no meaning with `max_abstention` or `max_cost`, which stand for "
            "it; leave out one of them."
        )
    if max(costs.tp, costs.tn) > 0:
        raise InputError(
            "undecided cases cost nothing with `max_abstention` or `max_cost`, so that right "
            "decisions must be free or a gain (tp <= 0 and tn <= 0), else deciding never pays; "
            f"got tp={costs.tp:g} and tn={costs.tn:g}. Use `costs.abstain`, the cost of not "
            "deciding."
        )


def _share_of_cases(bound: Any, data: Tally) -> float:
    """The bound on undecided cases as a share; above 1 it counts cases."""
    number = checks.not_negative(bound, "max_abstention")
    if number <= 1:
        return number
    if not number.is_integer():
        raise InputError(
            "`max_abstention` must be a share from 0 to 1, or a whole number of cases above 1; "
            f"got {shown(bound)}."
        )
    return min(number / float(data.n_pos + data.n_neg), 1.0)


@dataclass(frozen=True, eq=False)
class CumulativeCosts:
    """Cumulated costs and weights below every threshold, from 'call nothing negative' on.

    A window (i, j) calls the lowest i distinct scores negative, which costs `below[i]`, and those
    above the lowest j positive, which costs `above[j]`; `weight[j] - weight[i]` is its abstention,
    which costs nothing: (5.2) to (5.4) with an abstention of cost 0. `scale` is what all errors
    would cost more than all right decisions.
    """

    below: Floats
    above: Floats
    weight: Floats
    scale: float

    @cached_property
    def single(self) -> int:
        """The threshold that decides all cases at the least cost."""
        return int(np.argmin(self.below + self.above))

    def decided(self, low: int, high: int) -> float:
        """The proportion of cases that a window decides."""
        return float(1 - (self.weight[high] - self.weight[low]))

    def cost(self, low: int, high: int, decided: bool) -> float:
        """The cost of a window's decisions, per decided case or per case."""
        cost = float(self.below[low] + self.above[high])
        return cost / self.decided(low, high) if decided else cost

    def priced(self, price: float) -> tuple[Floats, Floats]:
        """Costs of lower and of upper thresholds when each undecided case has a price."""
        return self.below - price * self.weight, self.above + price * self.weight

    def last_within(self, share: float) -> Places:
        """The last upper threshold of each lower one that leaves at most `share` undecided."""
        return np.searchsorted(self.weight, self.weight + share, side="right") - 1


def cumulative_costs(data: Tally, costs: Costs, prevalence: float) -> CumulativeCosts:
    """The sums of a tally, in the units of the costs."""
    p, q = prevalence, 1 - prevalence
    missed = _below(data.tp, data.n_pos)  # positives and negatives below each threshold
    cleared = _below(data.fp, data.n_neg)
    return CumulativeCosts(
        below=costs.fn * p * missed + costs.tn * q * cleared,
        above=costs.fp * q * (1 - cleared) + costs.tp * p * (1 - missed),
        weight=p * missed + q * cleared,
        scale=(costs.fn - costs.tp) * p + (costs.fp - costs.tn) * q,
    )


def _below(called: Any, total: float) -> Floats:
    """Proportion of a class below each threshold, from none to all of it."""
    rates = np.append(1 - called[::-1] / total, 1.0)
    rates[0] = 0.0  # sums of weights may miss their total by rounding
    return rates


def _cheapest_at(sums: CumulativeCosts, share: float, price: float) -> tuple[int, int]:
    """The first of the cheapest windows that leave at most `share` undecided, at a price each."""
    lower, upper = sums.priced(price)
    last = sums.last_within(share)
    low = int(np.argmin(lower + range_minima(minima_table(upper), last)))
    return low, low + int(np.argmin(upper[low : last[low] + 1]))


def cheapest(sums: CumulativeCosts, bound: float, decided: bool) -> tuple[int, int]:
    """The window with the least cost and an abstention of at most `bound`.

    The cost per decided case is a ratio, minimized by Dinkelbach's iteration: each round charges
    an undecided case the least ratio found so far.
    """
    if not decided:
        best = _cheapest_at(sums, bound + WITHIN, 0.0)
        least = sums.cost(*best, decided)
        return least_abstention(sums, least, decided, at_most=bound) or best
    best = sums.single, sums.single
    least = sums.cost(*best, decided)
    while True:
        found = _cheapest_at(sums, bound + WITHIN, least)
        if sums.decided(*found) <= 0 or sums.cost(*found, decided) >= least - WITHIN * abs(least):
            return least_abstention(sums, least, decided, at_most=bound) or best
        best, least = found, sums.cost(*found, decided)


def least_abstention(
    sums: CumulativeCosts, bound: float, decided: bool, at_most: float | None = None
) -> tuple[int, int] | None:
    """The window with the least abstention and a cost of at most `bound`; the cheapest of those.

    None where only a window without decisions costs so little. `at_most` is the abstention of a
    window that is known to cost no more.
    """
    share = math.inf if at_most is None else at_most + 3 * WITHIN
    lower, upper = sums.priced(bound if decided else 0.0)
    left, table = bound - lower + WITHIN * sums.scale, minima_table(upper)
    low = np.flatnonzero(range_minima(table, sums.last_within(share)) <= left)
    high = first_at_most(table, low, left[low])
    rate = sums.weight[high] - sums.weight[low]
    allowed = rate < 1 - WITHIN if decided else np.ones(len(low), dtype=bool)
    if at_most is not None and not (rate[allowed] <= at_most + 2 * WITHIN).any():
        return least_abstention(sums, bound, decided)
    if not allowed.any():
        return None
    low, high, rate = low[allowed], high[allowed], rate[allowed]
    tied = rate <= rate.min() + WITHIN
    low, high = low[tied], high[tied]
    best = int(np.argmin(np.round(sums.below[low] + sums.above[high], 14)))
    return int(low[best]), int(high[best])


def _unattainable(sums: CumulativeCosts, bound: float, decided: bool) -> InputError:
    least = sums.cost(*cheapest(sums, 1.0, decided), decided)
    attainable = math.ceil(least * 1e6 - 1e-6) / 1e6
    whom = "the decided ones cost" if decided else "a case costs"
    return InputError(
        f"`max_cost` = {bound:g} is unattainable: however many cases are left undecided, {whom} "
        f"at least {least:.6g}{' each' if decided else ' on average'}. "
        f"Use max_cost={attainable:g} or more."
    )


def minima_table(values: Floats) -> Floats:
    """Row k: the least of 2**k neighboring values from each place on; places beyond are inf."""
    rows, size = [np.append(values, np.inf)], 1
    while size < len(values):
        row = rows[-1].copy()
        row[:-size] = np.minimum(row[:-size], rows[-1][size:])
        rows.append(row)
        size *= 2
    return np.array(rows)


def range_minima(table: Floats, last: Places) -> Floats:
    """The least value from each place to last[place]: two overlapping ranges of a power of 2."""
    first = np.arange(len(last))
    power = np.frexp((last - first + 1).astype(np.float64))[1] - 1
    return np.asarray(np.minimum(table[power, first], table[power, last - (1 << power) + 1]))


def first_at_most(table: Floats, start: Places, limit: Floats) -> Places:
    """The first place from start[q] on whose value is at most limit[q]; one beyond all if none.

    Ranges of ever smaller powers of 2 are skipped while their least value is above the limit.
    """
    place, end = start.copy(), table.shape[1] - 1
    for power in reversed(range(len(table))):
        place = np.minimum(place + ((table[power, place] > limit) << power), end)
    return place
