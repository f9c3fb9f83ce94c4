"""What a range of scores has to say of its rows: exact sums, and counts in bins.

Ranges of scores that do not overlap join exactly, so that files, threads and machines can each
look at their own range, and only a few numbers of each travel. The area and its variance lose
nothing; curves and thresholds are known at the bins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from rocwise import kernels
from rocwise.arrays import Counts, Mask, Places, Scores
from rocwise.data.amounts.smooth_steps import SmoothPlan, SmoothSteps, joined_steps
from rocwise.data.mergeable.clustered_sums import ClusteredSums
from rocwise.data.mergeable.exact_sums import ClusterSums
from rocwise.data.tally import Tally
from rocwise.kernels import PlacementSums
from rocwise.results import Origin

BINS = 2**16  # of a tally that is not told its resolution: areas of its curves to about 1e-5


@dataclass(frozen=True, slots=True)
class BinPlan:
    """Which rows share a bin: those between two multiples of `total / bins` in rising order.

    Attributes
    ----------
    bins : int
        Bins of all rows.
    total : int
        Rows of all ranges.
    below : int
        Rows in the ranges below this one.
    """

    bins: int
    total: int
    below: int = 0

    def last_places(self, mass: Counts) -> tuple[Places, bool]:
        """Where each bin ends among distinct scores, most positive first.

        `mass` counts the rows of the range up to each of them, from the most positive score.
        The formula is that of `binned`, so that ranges make the same bins as all rows at once;
        the answer also tells whether the last bin goes on in the range below.
        """
        above = self.total - self.below - int(mass[-1])
        wanted = float(self.total) * np.arange(1, self.bins + 1) / self.bins * (1 - 1e-15)
        cuts = np.searchsorted((mass + above).astype(np.float64), wanted)
        inside = np.unique(cuts[(wanted > above) & (cuts < len(mass))])
        goes_on = not len(inside) or bool(inside[-1] < len(mass) - 1)
        return np.append(inside, len(mass) - 1) if goes_on else inside, goes_on


@dataclass(frozen=True, slots=True, eq=False)
class RangeState:
    """Rows of one range of scores, oriented so that higher means positive.

    Attributes
    ----------
    sums : PlacementSums
        Exact sums of the range by itself, from which area and variance follow.
    scores : ndarray
        Lowest score of each bin, descending.
    pos, neg : ndarray of int64
        Positives and negatives in each bin.
    goes_on : bool
        Whether the last bin, the lowest, also holds rows of the range below.
    steps : SmoothSteps, optional
        What the range adds to the smooth curve, where that was asked for.

    Examples
    --------
    >>> mask = np.array([0, 1, 0, 1], np.uint8)
    >>> low = range_state(mask[:2], np.array([0.1, 0.4]), BinPlan(4, 4))
    >>> high = range_state(mask[2:], np.array([0.7, 0.8]), BinPlan(4, 4, below=2))
    >>> whole = joined([low, high])
    >>> whole.sums.sum_u, whole.tally().scores.tolist()
    (6, [0.8, 0.7, 0.4, 0.1])
    """

    sums: PlacementSums
    scores: Scores
    pos: Counts
    neg: Counts
    goes_on: bool = False
    steps: SmoothSteps | None = None

    def tally(
        self,
        origin: Origin | None = None,
        *,
        keep_sums: bool = True,
        clusters: ClusterSums | None = None,
    ) -> Tally:
        """The tally of all bins; with the sums, its area and variance are those of the rows."""
        origin = origin or Origin()
        pairs = self.sums.n_pos * self.sums.n_neg
        mixed = kernels.table_sums(self.pos, self.neg).ties - self.sums.ties
        bound = float(np.nextafter(mixed / (2 * pairs), 1.0)) if mixed else 0.0
        scores = 0 - self.scores if origin.direction == "lower" else self.scores
        keep = keep_sums and mixed > 0
        return Tally(
            table=(scores, self.pos, self.neg),
            sums=self.sums if keep else None,
            steps=self.steps if keep else None,
            rows=None if clusters is None else ClusteredSums(clusters, self.sums),
            origin=replace(origin, error_bound=bound, exact_area=keep),
        )


def range_state(
    mask: Mask, oriented: Scores, plan: BinPlan, smooth: SmoothPlan | None = None
) -> RangeState:
    """The state of the rows of one range, in any order; there must be at least one."""
    return sorted_state(*kernels.sort_classes(mask, oriented), plan, smooth)


def sorted_state(
    neg: Scores, pos: Scores, plan: BinPlan, smooth: SmoothPlan | None = None
) -> RangeState:
    """The same of the two classes, each ascending and without -0.0."""
    scores, tp, fp = kernels.curve_counts(neg, pos)
    last, goes_on = plan.last_places(tp + fp)
    pos_counts, neg_counts = (np.diff(counts[last], prepend=0) for counts in (tp, fp))
    steps = None
    if smooth is not None:
        steps = smooth.steps(scores, np.diff(tp, prepend=0), np.diff(fp, prepend=0), last)
    sums = kernels.merge_sums(neg, pos)
    return RangeState(sums, scores[last], pos_counts, neg_counts, goes_on, steps)


def tied_state(
    score: float, n_pos: int, n_neg: int, plan: BinPlan, smooth: SmoothPlan | None = None
) -> RangeState:
    """The state of rows that all have the same score, however many they are."""
    p, q = n_pos, n_neg
    _, goes_on = plan.last_places(np.array([p + q], np.int64))
    scores, pos, neg = np.array([score]), np.array([p], np.int64), np.array([q], np.int64)
    return RangeState(
        PlacementSums(p, q, p * q, p * q * q, p * q, q * p * p, p * q),
        scores,
        pos,
        neg,
        goes_on,
        None if smooth is None else smooth.steps(scores, pos, neg, np.array([0])),
    )


def joined(states: Iterable[RangeState]) -> RangeState:
    """One state of ranges in rising order, each with all its scores above those before it."""
    rising = list(states)
    scores, pos, neg = (
        np.concatenate([getattr(state, name) for state in reversed(rising)])
        for name in ("scores", "pos", "neg")
    )
    ends = np.cumsum([len(state.scores) for state in reversed(rising)])
    goes_on = [state.goes_on for state in reversed(rising)]
    firsts = np.ones(len(scores), np.bool_)  # of bins: not where the bin above goes on
    firsts[ends[:-1][goes_on[:-1]]] = False
    first = np.flatnonzero(firsts)
    last = np.append(first[1:], len(scores)) - 1
    steps = [state.steps for state in reversed(rising) if state.steps is not None]
    return RangeState(
        reduce(kernels.combine, (state.sums for state in rising)),
        scores[last],
        np.add.reduceat(pos, first),
        np.add.reduceat(neg, first),
        rising[0].goes_on,
        joined_steps(steps, first) if steps else None,
    )
