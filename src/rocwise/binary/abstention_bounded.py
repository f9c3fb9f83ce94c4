"""Abstaining within bounds: the least cost at limited abstention, and the other way round."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Floats, Places
from rocwise.binary.abstention import Window, share_of_positives, window_result
from rocwise.binary.roc import hull_counts
from rocwise.costs import Costs, checked_costs, refuse_free_errors
from rocwise.data.tally import Tally
from rocwise.errors import InputError, shown
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.cuts.plain import Priced
from rocwise.kernels.row_formulas import row_by_row
from rocwise.results import result

BLOCK_BITS = 8
BLOCK = 1 << BLOCK_BITS  # places of which `kernels.least_sums` tells the least


class RangeMinima:
    """The least values of ranges of a list.

    A range over several blocks ends one of them and begins another; the blocks in between are
    covered by two overlapping runs of a power of 2.

    Parameters
    ----------
    values : callable
        What makes the values of a slice, or of an array of places.
    size : int
        How many places there are.
    least : ndarray of float64
        The least of every block of 256 places.

    Examples
    --------
    >>> values = np.array([3.0, 1.0, 2.0])
    >>> minima = RangeMinima(lambda some: values[some], 3, np.array([1.0]))
    >>> minima.least(np.array([0, 2]), np.array([2, 2])).tolist()
    [1.0, 2.0]
    """

    def __init__(
        self, values: Callable[[slice | Places], Floats], size: int, least: Floats
    ) -> None:
        self.values: Callable[[slice | Places], Floats] = values
        self.size: int = size
        self._runs: Floats = _least_of_runs(least)
        lengths = np.maximum(np.arange(self._runs.shape[1]), 1).astype(np.float64)
        self._powers: Places = np.frexp(lengths)[1] - 1

    def of_blocks(self, first: Places, last: Places) -> Floats:
        """The least of the blocks first[q] to last[q], both included."""
        power = self._powers[last - first + 1]
        ends = self._runs[power, first], self._runs[power, last + 1 - (1 << power)]
        return np.asarray(np.minimum(*ends))

    def least(self, first: Places, last: Places) -> Floats:
        """The least of the values from first[q] to last[q], both included; no range is empty."""
        low, high = first >> BLOCK_BITS, last >> BLOCK_BITS
        blocks = np.unique(np.concatenate([low, high]))
        table = self._made(blocks)
        at_low, at_high = np.searchsorted(blocks, low), np.searchsorted(blocks, high)
        onwards = np.minimum.accumulate(table[:, ::-1], axis=1)[:, ::-1]
        upto = np.minimum.accumulate(table, axis=1)
        found = np.minimum(onwards[at_low, first % BLOCK], upto[at_high, last % BLOCK])
        between = np.flatnonzero(high - low > 1)
        inside = self.of_blocks(low[between] + 1, high[between] - 1)
        found[between] = np.minimum(found[between], inside)
        short = np.flatnonzero(low == high)
        if len(short):
            moved = (at_low[short] - low[short]) * BLOCK
            places = first[short] + moved, last[short] + moved
            found[short] = _least_in_short_ranges(table.ravel(), *places)
        return found

    def first_at_most(self, start: Places, limit: Floats) -> Places:
        """The first place from start[q] on whose value is at most limit[q]; there must be one.

        >>> values = np.array([3.0, 1.0, 2.0])
        >>> minima = RangeMinima(lambda some: values[some], 3, np.array([1.0]))
        >>> minima.first_at_most(np.array([0, 2]), np.array([1.5, 2.0])).tolist()
        [1, 2]
        """
        block = start >> BLOCK_BITS
        found = self._first_in_block(block, start % BLOCK, limit)
        later = np.flatnonzero(found >= (block + 1) * BLOCK)
        if len(later):
            block = first_at_most(self._runs[0], block[later] + 1, limit[later])
            found[later] = self._first_in_block(block, np.zeros_like(block), limit[later])
        return found

    def _first_in_block(self, block: Places, start: Places, limit: Floats) -> Places:
        """The same from places within blocks on; something beyond its block where it has none."""
        asked = np.zeros(self._runs.shape[1], np.bool_)
        asked[block] = True
        blocks = np.flatnonzero(asked)
        first = (np.cumsum(asked) - 1)[block] * BLOCK  # where each is among those that are made
        place = first_at_most(self._made(blocks).ravel(), first + start, limit)
        return np.asarray(block * BLOCK + place - first)

    def _made(self, blocks: Places) -> Floats:
        """The values of some blocks, (blocks, places); infinite beyond the end."""
        places = (blocks[:, None] * BLOCK + np.arange(BLOCK)).ravel()
        made = np.full(len(places), np.inf)
        inside = places < self.size
        made[inside] = self.values(places[inside])
        return made.reshape(-1, BLOCK)


def _least_of_runs(values: Floats) -> Floats:
    """Row k: the least of 2**k values from each place on, as far as there are so many."""
    rows = [np.append(values, np.inf)]
    while 2 ** len(rows) <= len(values):
        longer, size = rows[-1].copy(), 2 ** (len(rows) - 1)
        longer[:-size] = np.minimum(rows[-1][:-size], rows[-1][size:])
        rows.append(longer)
    return np.stack(rows)


def _least_in_short_ranges(values: Floats, first: Places, last: Places) -> Floats:
    """The same in n log(length) steps: each round, in which blocks double, answers a length."""
    answer = np.empty(len(first))
    level = np.frexp((last - first + 1).astype(np.float64))[1] - 1
    blocks = values
    for power in range(int(level.max()) + 1):
        asked = np.flatnonzero(level == power)
        size = 1 << power
        answer[asked] = np.minimum(blocks[first[asked]], blocks[last[asked] - size + 1])
        if len(blocks) > size:
            blocks = np.minimum(blocks[:-size], blocks[size:])
    return answer


def first_at_most(values: Floats, start: Places, limit: Floats) -> Places:
    """The first place from start[q] on whose value is at most limit[q]; len(values) if none.

    Blocks of powers of 2 are skipped while their least value is above the limit, first ever
    larger ones, then ever smaller ones inside the first that was not skipped.

    >>> first_at_most(np.array([3.0, 1.0, 2.0]), np.array([0, 2]), np.array([1.5, 1.5])).tolist()
    [1, 3]
    """
    tree = _least_of_blocks(values)
    top = len(tree) - 1
    place = start.astype(np.intp)
    stopped = np.full(len(place), -1)
    for power in range(top):
        odd = np.flatnonzero((stopped < 0) & ((place >> power) & 1 == 1))
        skipped = tree[power][place[odd] >> power] > limit[odd]
        stopped[odd[~skipped]] = power
        place[odd[skipped]] += 1 << power
    absent = (stopped < 0) & (
        (place > 0) | (tree[top][0] > limit)
    )  # nothing left, or no such value
    stopped[stopped < 0] = top
    for power in range(top - 1, -1, -1):
        asked = np.flatnonzero(~absent & (stopped > power))
        skipped = tree[power][place[asked] >> power] > limit[asked]
        place[asked[skipped]] += 1 << power
    place[absent] = len(values)
    return place


def _least_of_blocks(values: Floats) -> list[Floats]:
    """The least value of every block of 1, 2, 4, ... places; places that are missing are inf."""
    size = 1 << int(np.ceil(np.log2(max(len(values), 1))))
    tree = [np.concatenate([values, np.full(size - len(values), np.inf)])]
    while len(tree[-1]) > 1:
        tree.append(np.minimum(tree[-1][::2], tree[-1][1::2]))
    return tree


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
        block = int(np.argmin(kernels.least_sums(self.below, self.above, 1.0)))
        some = slice(block * BLOCK, (block + 1) * BLOCK)
        return block * BLOCK + int(np.argmin(self.below[some] + self.above[some]))

    def decided(self, low: int, high: int) -> float:
        """The share of cases that a window decides."""
        return float(1 - (self.weight[high] - self.weight[low]))

    def cost(self, low: int, high: int, decided: bool) -> float:
        """The cost of a window's decisions, per decided case or per case."""
        cost = float(self.below[low] + self.above[high])
        return cost / self.decided(low, high) if decided else cost


def cumulative_costs(data: Tally, costs: Costs, prevalence: float) -> CumulativeCosts:
    """The sums of a tally, in the units of the costs."""
    pos, neg = prevalence, 1 - prevalence
    priced = Priced(
        below=(costs.fn * pos, costs.tn * neg),
        above=(costs.tp * pos, costs.fp * neg),
        weight=(pos, neg),
    )
    below, above, weight = kernels.window_costs(data.tp, data.fp, (data.n_pos, data.n_neg), priced)
    scale = (costs.fn - costs.tp) * pos + (costs.fp - costs.tn) * neg
    return CumulativeCosts(below, above, weight, scale)


class PricedWindows:
    """Windows that leave at most a share of the cases undecided, each of which costs a price.

    What a window costs is the sum of its lower and its upper threshold's part. Most thresholds are
    passed over by blocks: with the least of the upper parts that are within reach of any of them,
    the least of the lower ones is too much. What is known of the blocks of `others` at the same
    price is not made again.
    """

    def __init__(
        self,
        sums: CumulativeCosts,
        share: float,
        price: float,
        others: PricedWindows | None = None,
    ) -> None:
        self.sums: CumulativeCosts = sums
        self.share: float = share
        self.price: float = price
        self.size: int = len(sums.weight)
        if others is None or others.price != price:
            least = kernels.least_sums(sums.above, sums.weight, price)
            self.uppers: RangeMinima = RangeMinima(self.upper, self.size, least)
            self.lowest: Floats = kernels.least_sums(sums.below, sums.weight, -price)
        else:
            self.uppers, self.lowest = others.uppers, others.lowest
        firsts = np.arange(0, self.size, BLOCK)
        lasts = self.reach(np.minimum(firsts + BLOCK, self.size) - 1)
        self.within_reach: Floats = self.uppers.of_blocks(firsts // BLOCK, lasts // BLOCK)

    def lower(self, some: slice | Places) -> Floats:
        """The part of lower thresholds."""
        return np.asarray(self.sums.below[some] - self.price * self.sums.weight[some])

    def upper(self, some: slice | Places) -> Floats:
        """The part of upper thresholds."""
        return np.asarray(self.sums.above[some] + self.price * self.sums.weight[some])

    def reach(self, low: Places) -> Places:
        """The last upper threshold, for lower ones, that leaves at most the share undecided."""
        weight = self.sums.weight
        return np.searchsorted(weight, weight[low] + self.share, side="right") - 1

    def least_upper(self, low: Places) -> Floats:
        """The least part of the upper thresholds within reach of lower ones."""
        return row_by_row(lambda some: self.uppers.least(some, self.reach(some)), low)

    def places_of(self, blocks: Places) -> Places:
        """The lower thresholds in some blocks."""
        places = (blocks[:, None] * BLOCK + np.arange(BLOCK)).ravel()
        return places[places < self.size]

    def cheapest(self) -> tuple[int, int]:
        """The first of the cheapest windows."""
        bounds = self.lowest + self.within_reach
        tried = self.places_of(np.array([np.argmin(bounds)]))
        reached = (self.lower(tried) + self.least_upper(tried)).min()
        lows = self.places_of(np.flatnonzero(bounds <= reached))
        low = int(lows[np.argmin(self.lower(lows) + self.least_upper(lows))])
        last = int(self.reach(np.array([low]))[0])
        return low, low + int(np.argmin(self.upper(slice(low, last + 1))))

    def keeping(self, bound: float, slack: float) -> tuple[Places, Places]:
        """Lower thresholds of windows that cost at most `bound`, and their first upper ones."""
        most = bound - self.lowest + slack  # what is left for an upper threshold
        lows = self.places_of(np.flatnonzero(self.within_reach <= most))
        left = bound - self.lower(lows) + slack
        kept = self.least_upper(lows) <= left
        low, left = lows[kept], left[kept]
        if not len(low):
            return low, low
        return low, self.uppers.first_at_most(low, left)


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
