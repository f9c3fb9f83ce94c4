"""Candidate thresholds of many groups: rows are brought together, then some groups sorted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Array, Counts, Floats, Places
from rocwise.data.score_columns import in_user_units
from rocwise.inputs.clean_rows import ModelRows
from rocwise.kernels.row_formulas import SHARED_STEP, run_models
from rocwise.kernels.threads import thread_limit

Answer = TypeVar("Answer")
ROWS_AT_ONCE = 2**15  # of whole groups, or some more: their tables stay in a near cache


@dataclass(frozen=True, slots=True, eq=False)
class GroupTable:
    """Candidate thresholds of every group, one group behind the other, the strictest first.

    Attributes
    ----------
    starts
        Where each group starts. The first candidate of a group calls nobody positive; the others
        are its distinct scores.
    thresholds : ndarray of float
        In the user's units.
    tp, fp
        Positives and negatives called positive there.
    n_pos, n_neg
        Sizes of the classes, by group.
    """

    starts: Places
    thresholds: Floats
    tp: Amounts
    fp: Amounts
    n_pos: Amounts
    n_neg: Amounts

    @property
    def ends(self) -> Places:
        """Where each group ends."""
        return np.append(self.starts[1:], len(self.thresholds))

    def spread(self, values: Array) -> Array:
        """A number of each group, at each of its candidates."""
        return np.repeat(values, self.ends - self.starts)

    def held(self, places: Places) -> tuple[Places, Places]:
        """Where the rising places of each group start among all, and how many there are."""
        starts, ends = (np.searchsorted(places, bounds) for bounds in (self.starts, self.ends))
        return starts, ends - starts

    def rates_at(self, threshold: float, direction: str) -> tuple[Floats, Floats]:
        """FPR and TPR of each group when scores at or beyond one threshold are called positive."""
        reaches = np.greater_equal if direction == "higher" else np.less_equal
        beyond = reaches(self.thresholds, threshold)
        beyond[self.starts] = False
        places = self.starts + np.add.reduceat(beyond, self.starts, dtype=np.intp)
        return self.fp[places] / self.n_neg, self.tp[places] / self.n_pos


def of_group_tables(
    ask: Callable[[GroupTable], Answer], rows: ModelRows, codes: Places, n_groups: int
) -> list[Answer]:
    """Ask tables of some groups each, one after the other: together they are of all groups.

    `codes` has the number of each row's group.
    """
    if rows.weights is None and rows.counts is None:
        held = kernels.grouped_scores(codes, rows.mask, rows.column.oriented, n_groups)
        bounds = held.bounds[::2]

        def of_some(first: int, last: int) -> Answer:
            return ask(_counted_table(rows, kernels.group_curves(held, first, last)))

    else:
        order, bounds = kernels.rows_by_group(codes, n_groups)

        def of_some(first: int, last: int) -> Answer:
            own = order[bounds[first] : bounds[last]]
            return ask(_weighted_table(rows.part(own), codes[own] - first, last - first))

    return run_models(of_some, _runs_of_groups(bounds), len(codes))


def _runs_of_groups(bounds: Counts) -> list[tuple[int, int]]:
    """Runs of groups that have as many rows as are looked at together."""
    at_once = ROWS_AT_ONCE if thread_limit() == 1 else SHARED_STEP
    starts = np.searchsorted(bounds[:-1], np.arange(0, bounds[-1], at_once))
    return list(pairwise(np.unique(np.append(starts, len(bounds) - 1)).tolist()))


def _counted_table(rows: ModelRows, curves: kernels.GroupCurves) -> GroupTable:
    """From the curves of rows that count once each."""
    scores, tp, fp, starts = curves
    direction = rows.column.origin.direction
    scores[starts] = scores[starts + 1]  # infinity has no meaning where scores stand for others
    thresholds = in_user_units(scores, direction, rows.column.meanings).astype(
        np.float64, copy=False
    )
    thresholds[starts] = _beyond(direction)
    sizes = np.diff(starts, append=len(scores))
    last = starts + sizes - 1
    return GroupTable(starts, thresholds, tp, fp, tp[last], fp[last])


def _weighted_table(rows: ModelRows, codes: Places, n_groups: int) -> GroupTable:
    """From rows that carry weights, or stand for several, and the number of each row's group."""
    falling = kernels.argsort(rows.column.oriented)[::-1]
    order = falling[kernels.rows_by_group(codes[falling], n_groups)[0]]
    scores, groups = rows.column.oriented[order], codes[order]
    first = np.flatnonzero(
        np.concatenate([[True], (groups[1:] != groups[:-1]) | (scores[1:] != scores[:-1])])
    )
    pos, neg = _amounts(rows, order, first)
    kept = first[(pos > 0) | (neg > 0)]
    if len(kept) < len(first):  # scores of which no row has any weight
        pos, neg = (amounts[(pos > 0) | (neg > 0)] for amounts in (pos, neg))
    own = groups[kept]
    sizes = np.bincount(own, minlength=n_groups)
    starts = np.concatenate([[0], np.cumsum(sizes + 1)[:-1]])
    places = np.arange(len(own)) + own + 1
    direction = rows.column.origin.direction
    thresholds = np.full(len(own) + n_groups, _beyond(direction))
    thresholds[places] = in_user_units(scores[kept] + 0, direction, rows.column.meanings)
    tp, fp = (_cumulated(amounts, places, starts) for amounts in (pos, neg))
    last = starts + sizes
    return GroupTable(starts, thresholds, tp, fp, tp[last], fp[last])


def _amounts(rows: ModelRows, order: Places, first: Places) -> tuple[Amounts, Amounts]:
    """Sums of weights of positives and negatives at each distinct score of each group."""
    positive = rows.mask[order] == 1
    times: Any = np.ones(len(order), np.int64) if rows.counts is None else rows.counts
    held = (times if rows.weights is None else times * rows.weights)[order]
    pos, neg = (np.add.reduceat(np.where(own, held, 0), first) for own in (positive, ~positive))
    return pos, neg


def _cumulated(amounts: Amounts, places: Places, starts: Places) -> Amounts:
    """Sums from the start of each group on, 0 in front."""
    held: Array = np.zeros(len(amounts) + len(starts), amounts.dtype)
    held[places] = amounts
    if held.dtype.kind == "i":
        total = np.cumsum(held)
        before = total[starts]  # what earlier groups hold: nothing is added at a start
        return np.asarray(total - np.repeat(before, np.diff(starts, append=len(held))))
    for part in np.split(held, starts[1:]):  # weights round, and each group for itself
        np.cumsum(part, out=part)
    return held


def _beyond(direction: str) -> float:
    """The threshold that calls nobody positive."""
    return np.inf if direction == "higher" else -np.inf
