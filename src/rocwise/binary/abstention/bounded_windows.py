"""Abstaining within bounds: the least cost at limited abstention, and the other way round."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.binary.abstention.normalised_costs import share_of_positives
from rocwise.binary.abstention.priced_windows import (
    CumulativeCosts,
    PricedWindows,
    cumulative_costs,
)
from rocwise.binary.abstention.windows import Window, window_result
from rocwise.binary.roc import hull_counts
from rocwise.costs import Costs, checked_costs, refuse_free_errors
from rocwise.data.tally import Tally
from rocwise.errors import InputError, shown
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import result

CostPer = Literal["decided", "case"]
WITHIN = 1e-12  # a bound that is missed by rounding only is kept


@result
class BoundedWindow(Window):
    """The best window within a bound; `expected_cost` is the cost of its decisions per case.

    `decided_cost` is the cost per decided case, None when no case is decided. Gains are negative.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *Window.frame_fields,
        "decided_cost",
        "max_abstention",
        "max_cost",
        "per",
    )
    decided_cost: float | None
    max_abstention: float | None
    max_cost: float | None
    per: CostPer

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        cost = "" if self.decided_cost is None else f", {self.decided_cost:.4g} per decided case"
        bound = (
            f"at most {_amount(self.max_abstention)} undecided"
            if self.max_abstention is not None
            else f"a cost of at most {self.max_cost:g} per "
            f"{'decided case' if self.per == 'decided' else 'case'}"
        )
        return (
            f"{self.rule}: {printing.rate(self.abstention_rate, size)} of the cases undecided "
            f"({printing.count(self.n_undecided)} here){cost}, "
            f"{self.cost_without_abstaining:.4g} without abstaining (bound: {bound}); "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


def _amount(bound: float) -> str:
    """A bound on undecided cases in words; up to 1 it is a share."""
    return f"{bound:g} of the cases" if bound <= 1 else printing.counted(bound, "case")


@by_group
def abstain_within(
    data: Any = None,
    y_score: Any = None,
    *,
    costs: Costs,
    max_abstention: float | None = None,
    max_cost: float | None = None,
    per: CostPer = "decided",
    prevalence: float | None = None,
    **given: Unpack[TallyOptions],
) -> BoundedWindow:
    """The window with the least cost at a limited abstention, or the other way round.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`: the
        scored cases.
    costs : Costs
        Of the two errors, costlier than the right decision, which is free or a gain (negative);
        undecided cases cost nothing: a bound takes the place of `abstain`. Costs(fp=1, fn=1)
        makes the cost an error rate.
    max_abstention : float or int
        At most so many cases may be left undecided; the cost is made least. Up to 1 it is a
        share of the cases, above 1 a number of cases among as many as there are in the data.
    max_cost : float
        The cost may be at most this (negative: a gain); the abstention is made least.
    per : {"decided", "case"}
        Whether the cost is a mean over the decided cases or over all.
    prevalence : float, optional
        The share of positives where the rule will be used; that of the data without it.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    BoundedWindow
        As `abstain` gives, with `decided_cost`, the cost per decided case.

    References
    ----------
    Pietraszek, "Optimizing abstaining classifiers using ROC analysis", ICML 2005.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, score = [0, 0, 1, 0, 1, 0, 1, 1], [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
    >>> window = rw.abstain_within(y, score, costs=rw.Costs(fp=1, fn=1), max_abstention=0.25)
    >>> window.lower, window.upper, window.abstention_rate, round(window.decided_cost, 4)
    (-0.5, 0.0, 0.25, 0.1667)
    """
    tally = as_tally("abstain_within", data, y_score, given)
    _check_costs(costs)
    checks.one_of(per, "per", get_args(CostPer))
    if (max_abstention is None) == (max_cost is None):
        raise InputError("pass `max_abstention` or `max_cost`: one of the two, not both.")
    share = share_of_positives(tally, prevalence)
    sums = cumulative_costs(tally, costs, share)
    decided = per == "decided"
    if max_abstention is not None:
        window = cheapest(sums, _share_of_cases(max_abstention, tally), decided)
    else:
        gains = min(costs.tp, costs.tn) < 0
        bound = (checks.real if gains else checks.not_negative)(max_cost, "max_cost")
        window = least_abstention(sums, bound, decided) or _refuse(sums, bound, decided)
    return _result(tally, sums, window, costs, share, (max_abstention, max_cost), per)


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


def cheapest(sums: CumulativeCosts, bound: float, decided: bool) -> tuple[int, int]:
    """The window with the least cost and an abstention of at most `bound`.

    The cost per decided case is a ratio; it is made least by Dinkelbach's iteration, each round
    of which charges an undecided case the least ratio found so far.
    """
    reach = bound + WITHIN
    best = sums.single, sums.single
    windows = None
    if not decided:
        windows = PricedWindows(sums, reach, 0.0)
        best = windows.cheapest()
    least = sums.cost(*best, decided)
    while decided:
        windows = PricedWindows(sums, reach, least)
        found = windows.cheapest()
        if sums.decided(*found) <= 0 or sums.cost(*found, decided) >= least - WITHIN * abs(least):
            break
        best, least = found, sums.cost(*found, decided)
    return least_abstention(sums, least, decided, at_most=bound, windows=windows) or best


def least_abstention(
    sums: CumulativeCosts,
    bound: float,
    decided: bool,
    at_most: float | None = None,
    windows: PricedWindows | None = None,
) -> tuple[int, int] | None:
    """The window with the least abstention and a cost of at most `bound`; the cheapest of those.

    For every lower threshold that has any the first upper one that keeps the bound; None when
    there is none but to decide nothing. Where one is known that leaves `at_most` undecided, only
    those are looked at that leave no more. `windows` may be some that were looked at before.
    """
    share = math.inf if at_most is None else at_most + 3 * WITHIN
    windows = PricedWindows(sums, share, bound if decided else 0.0, windows)
    low, high = windows.keeping(bound, WITHIN * sums.scale)
    rate = sums.weight[high] - sums.weight[low]
    allowed = rate < 1 - WITHIN if decided else np.ones(len(low), dtype=bool)
    if at_most is not None and not (rate[allowed] <= at_most + 2 * WITHIN).any():
        return least_abstention(sums, bound, decided, windows=windows)
    if not allowed.any():
        return None
    low, high, rate = low[allowed], high[allowed], rate[allowed]
    tied = rate <= rate.min() + WITHIN
    low, high = low[tied], high[tied]
    best = int(np.argmin(np.round(sums.below[low] + sums.above[high], 14)))
    return int(low[best]), int(high[best])


def _refuse(sums: CumulativeCosts, bound: float, decided: bool) -> tuple[int, int]:
    least = sums.cost(*cheapest(sums, 1.0, decided), decided)
    within_reach = math.ceil(least * 1e6 - 1e-6) / 1e6
    whom = "the decided ones cost" if decided else "a case costs"
    raise InputError(
        f"`max_cost` = {bound:g} is unattainable: however many cases are left undecided, {whom} "
        f"at least {least:.6g}{' each' if decided else ' on average'}. "
        f"Ask for max_cost={within_reach:g} or more."
    )


def _check_costs(costs: Any) -> None:
    refuse_free_errors(checked_costs(costs), "abstain_within")
    if costs.abstain is not None:
        raise InputError(
            "`costs.abstain` has no place in `abstain_within`, where a bound stands for it; "
            "leave it out, or use `abstain`."
        )
    if max(costs.tp, costs.tn) > 0:
        raise InputError(
            "undecided cases cost nothing in `abstain_within`, so that right decisions must be "
            "free or a gain (tp <= 0 and tn <= 0), else deciding never pays; got "
            f"tp={costs.tp:g} and tn={costs.tn:g}. Use `abstain`, which takes the cost of not "
            "deciding."
        )


def _result(
    data: Tally,
    sums: CumulativeCosts,
    window: tuple[int, int],
    costs: Costs,
    share: float,
    bounds: tuple[float | None, float | None],
    per: CostPer,
) -> BoundedWindow:
    low, high = window
    _, hull_tp, hull_fp = hull_counts(data)
    decided = sums.decided(low, high)
    return window_result(
        data,
        BoundedWindow,
        alarms=(len(data) - low, len(data) - high),
        prevalence=share,
        hull_fpr=hull_fp / data.n_neg,
        hull_tpr=hull_tp / data.n_pos,
        expected_cost=sums.cost(low, high, False),
        decided_cost=sums.cost(low, high, True) if decided > 0 else None,
        cost_without_abstaining=sums.cost(sums.single, sums.single, False),
        max_abstention=bounds[0],
        max_cost=bounds[1],
        per=per,
        costs=costs,
    )
