"""What windows cost when an undecided case has a price, for all lower and upper thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats, Places
from rocwise.binary.abstention.range_minima import BLOCK, RangeMinima
from rocwise.costs import Costs
from rocwise.data.tally import Tally
from rocwise.kernels.cuts.plain import Priced
from rocwise.kernels.row_formulas import row_by_row


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
