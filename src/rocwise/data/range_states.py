"""Tallies with fewer scores than the data: exact sums, joined over ranges of scores, and bins."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from rocwise import kernels
from rocwise.arrays import Counts, Mask, Places, Scores, Weights
from rocwise.data.smooth_steps import SmoothPlan, SmoothSteps, joined_steps
from rocwise.data.summed_rows import ClusteredSums, ClusterSums
from rocwise.data.tally import Squares, Tally
from rocwise.kernels import PlacementSums
from rocwise.results import Origin

BINS = 2**16  # default; error of partial areas of the curve about 1e-5


def binned(tally: Tally, resolution: int) -> Tally:
    """The same tally in about equal bins, exact at thresholds; pairs within one count one half."""
    pos, neg = tally.pos, tally.neg
    if resolution >= len(pos):
        return tally
    mass = np.cumsum(pos + neg).astype(np.float64)
    last = np.unique(np.minimum(_bin_ends(mass, mass[-1], resolution), len(mass) - 1))
    first = np.concatenate([[0], last[:-1] + 1])
    bin_pos, bin_neg = np.add.reduceat(pos, first), np.add.reduceat(neg, first)
    bound = _mixed_pairs(bin_pos, bin_neg, tally) / 2
    before = 0.0 if tally.origin.exact_area else tally.error_bound  # else it is in `bound`
    squares = tally.squares and Squares(
        np.add.reduceat(tally.squares.pos, first), np.add.reduceat(tally.squares.neg, first)
    )
    return Tally.from_counts(
        tally.scores[last],
        bin_pos,
        bin_neg,
        squares=squares,
        rows=None if tally.rows is None else tally.rows.joined(first),
        origin=replace(tally.origin, error_bound=before + bound, exact_area=False),
    )


def _bin_ends(mass: Weights, total: float, bins: int) -> Places:
    """The first of the rising numbers that reaches each multiple of `total / bins`."""
    return np.searchsorted(mass, _multiples(total, bins))


def _multiples(total: float, bins: int) -> Weights:
    return float(total) * np.arange(1, bins + 1) / bins * (1 - 1e-15)


def _mixed_pairs(bin_pos: Weights, bin_neg: Weights, tally: Tally) -> float:
    """Proportion of the pairs with different scores in one bin, rounded upwards."""
    if tally.weighted:
        before = float(np.dot(tally.pos, tally.neg))
        gained = float(np.dot(bin_pos, bin_neg)) - before
        noise = 4 * len(tally) * np.finfo(np.float64).eps * (gained + before)
        return (max(gained, 0.0) + noise) / (tally.n_pos * tally.n_neg)
    gained_pairs = kernels.table_sums(bin_pos, bin_neg).ties - tally.placement_sums.ties
    return _rounded_up(gained_pairs, int(tally.n_pos) * int(tally.n_neg))


def _rounded_up(pairs: int, total: int) -> float:
    return float(np.nextafter(pairs / total, 1.0)) if pairs else 0.0


@dataclass(frozen=True, slots=True)
class BinPlan:
    """Bins of a range: rows between two multiples of `total / bins` in rising order."""

    bins: int  # bins of all rows
    total: int  # rows of all ranges
    below: int = 0  # rows in the ranges below this one

    def last_positions(self, mass: Counts) -> tuple[Places, bool]:
        """Where each bin of `binned` ends among a range's scores, and whether the last goes on."""
        above = self.total - self.below - int(mass[-1])
        ends = _bin_ends((mass + above).astype(np.float64), self.total, self.bins)
        reached = (_multiples(self.total, self.bins) > above) & (ends < len(mass))
        inside = np.unique(ends[reached])
        continues = not len(inside) or bool(inside[-1] < len(mass) - 1)
        return np.append(inside, len(mass) - 1) if continues else inside, continues


@dataclass(frozen=True, slots=True, eq=False)
class RangeState:
    """Rows of one range of scores, oriented so that higher means positive."""

    sums: PlacementSums  # exact sums of the range, from which AUC and variance follow
    scores: Scores  # lowest score of each bin, descending
    pos: Counts  # positives and negatives in each bin
    neg: Counts
    continues: bool = False  # whether the last bin, the lowest, also has rows of the range below
    steps: SmoothSteps | None = None  # part of the smooth curve in this range

    def tally(
        self,
        origin: Origin | None = None,
        *,
        keep_sums: bool = True,
        clusters: ClusterSums | None = None,
    ) -> Tally:
        """The tally of all bins; with the sums, its AUC and variance are those of the rows."""
        origin = origin or Origin()
        mixed = kernels.table_sums(self.pos, self.neg).ties - self.sums.ties
        bound = _rounded_up(mixed, 2 * self.sums.n_pos * self.sums.n_neg)
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
    return sorted_state(*kernels.sort_by_class(mask, oriented), plan, smooth)


def sorted_state(
    neg: Scores, pos: Scores, plan: BinPlan, smooth: SmoothPlan | None = None
) -> RangeState:
    """The same of the two classes, each ascending and without -0.0."""
    scores, tp, fp = kernels.merge_curves(neg, pos)
    last, continues = plan.last_positions(tp + fp)
    pos_counts, neg_counts = (np.diff(counts[last], prepend=0) for counts in (tp, fp))
    steps = None
    if smooth is not None:
        steps = smooth.steps(scores, np.diff(tp, prepend=0), np.diff(fp, prepend=0), last)
    sums = kernels.placement_sums(neg, pos)
    return RangeState(sums, scores[last], pos_counts, neg_counts, continues, steps)


def tied_state(
    score: float, n_pos: int, n_neg: int, plan: BinPlan, smooth: SmoothPlan | None = None
) -> RangeState:
    """The state of rows that all have the same score, however many they are."""
    p, q = n_pos, n_neg
    _, continues = plan.last_positions(np.array([p + q], np.int64))
    scores, pos, neg = np.array([score]), np.array([p], np.int64), np.array([q], np.int64)
    sums = PlacementSums(p, q, p * q, p * q * q, p * q, q * p * p, p * q)
    steps = None if smooth is None else smooth.steps(scores, pos, neg, np.array([0]))
    return RangeState(sums, scores, pos, neg, continues, steps)


def joined(states: Iterable[RangeState]) -> RangeState:
    """One state of ranges in rising order, each with all its scores above those before it."""
    rising = list(states)
    falling = rising[::-1]
    scores, pos, neg = (
        np.concatenate([getattr(state, name) for state in falling])
        for name in ("scores", "pos", "neg")
    )
    ends = np.cumsum([len(state.scores) for state in falling])
    continues = [state.continues for state in falling]
    firsts = np.ones(len(scores), np.bool_)  # of bins: not where the bin above continues
    firsts[ends[:-1][continues[:-1]]] = False
    first = np.flatnonzero(firsts)
    last = np.append(first[1:], len(scores)) - 1
    steps = [state.steps for state in falling if state.steps is not None]
    return RangeState(
        reduce(kernels.combine, (state.sums for state in rising)),
        scores[last],
        np.add.reduceat(pos, first),
        np.add.reduceat(neg, first),
        rising[0].continues,
        joined_steps(steps, first) if steps else None,
    )
