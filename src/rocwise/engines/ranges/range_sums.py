"""From sorted runs of two classes to the state of all rows, one range of scores at a time."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Array, Scores
from rocwise.data.amounts.smooth_steps import SmoothPlan
from rocwise.data.mergeable.range_states import (
    BinPlan,
    RangeState,
    joined,
    sorted_state,
    tied_state,
)
from rocwise.engines.ranges.side_by_side import each_piece
from rocwise.engines.ranges.sorted_runs import SortedColumn, SortedRuns
from rocwise.kernels import sort_classes
from rocwise.progress import Report

NEG, POS = 0, 1
Places = list[tuple[int, int]]  # of each run: where a class starts and stops


class Range(NamedTuple):
    """Rows between two cut values, or all rows at one: where they are in each run."""

    tied_at: float | None
    negatives: Places
    positives: Places
    below: int

    @property
    def sizes(self) -> tuple[int, int]:
        """Negatives and positives."""
        neg, pos = (
            sum(stop - start for start, stop in places)
            for places in (self.negatives, self.positives)
        )
        return neg, pos


def state_of_runs(
    runs: SortedRuns,
    bins: int,
    rows_at_once: int,
    report: Report,
    smooth: SmoothPlan | None = None,
) -> RangeState:
    """The state of all rows of runs whose columns are negatives and positives.

    A range has about `rows_at_once` rows; rows tied at a cut value are counted, never read, so
    that no number of ties makes a range too large.
    """
    ranges = _ranges(runs, rows_at_once)
    total = sum(map(sum, (found.sizes for found in ranges)))
    sizes = [sum(found.sizes) for found in ranges]
    settled = None if smooth is None else settled_by_runs(runs, smooth, rows_at_once)

    def state(found: Range) -> RangeState:
        plan = BinPlan(bins, total, found.below)
        if found.tied_at is not None:
            return tied_state(found.tied_at, *found.sizes[::-1], plan, settled)
        return sorted_state(*_sorted(runs, found), plan, settled)

    return joined(each_piece(state, ranges, sizes=sizes, report=report))


def settled_by_runs(runs: SortedRuns, smooth: SmoothPlan, rows_at_once: int) -> SmoothPlan:
    """The plan of a smooth curve with its ends and its midpoint, from all scores of the runs."""
    columns = [(k, column) for run in runs.runs for k, column in enumerate(run) if column.size]
    lowest = min(float(column.part(0, 1)[0]) for _, column in columns)
    highest = max(float(column.part(column.size - 1, column.size)[0]) for _, column in columns)
    plan = smooth.within(lowest, highest)

    def total(piece: tuple[int, SortedColumn, int]) -> Fraction:
        _, column, start = piece
        return plan.total(column.part(start, min(start + rows_at_once, column.size)))

    def totals() -> tuple[Fraction, Fraction]:
        pieces = [
            (k, column, start)
            for k, column in columns
            for start in range(0, column.size, rows_at_once)
        ]
        sums = [Fraction(0), Fraction(0)]
        for (k, *_), part in zip(pieces, each_piece(total, pieces), strict=True):
            sums[k] += part
        return sums[NEG], sums[POS]

    n_neg, n_pos = (sum(column.size for k, column in columns if k == own) for own in (NEG, POS))
    return plan.settled(totals, (n_neg, n_pos))


def cut_values(columns: list[SortedColumn], rows_at_once: int) -> Array:
    """Values between which there are about so many rows, or fewer."""
    step = max(1, rows_at_once // (2 * max(1, len(columns))))
    marks = np.sort(np.concatenate([column.every(step) for column in columns]))
    per_range = max(1, rows_at_once // step)
    return np.unique(marks[per_range - 1 :: per_range])


def _ranges(runs: SortedRuns, rows_at_once: int) -> list[Range]:
    """Open ranges between the cut values, and those of the cut values, in rising order."""
    cuts = cut_values([column for run in runs.runs for column in run], rows_at_once)
    places = [[_places(run[k], cuts) for run in runs.runs] for k in (NEG, POS)]
    found, below = [], 0
    for number in range(2 * len(cuts) + 1):
        tied = float(cuts[number // 2]) if number % 2 else None
        own = [[of_run[number] for of_run in of_class] for of_class in places]
        piece = Range(tied, own[NEG], own[POS], below)
        if sum(piece.sizes):
            found.append(piece)
            below += sum(piece.sizes)
    return found


def _places(column: SortedColumn, cuts: Array) -> Places:
    """Where each range starts and stops in one column."""
    inner = [column.place(value, side) for value in cuts for side in ("left", "right")]
    return list(pairwise([0, *inner, column.size]))


def _sorted(runs: SortedRuns, found: Range) -> tuple[Scores, Scores]:
    """Both classes of a range, each sorted."""
    parts = []
    for k, places in ((NEG, found.negatives), (POS, found.positives)):
        parts += [
            run[k].part(start, stop)
            for run, (start, stop) in zip(runs.runs, places, strict=True)
            if stop > start
        ]
    n_neg, n_pos = found.sizes
    scores = np.concatenate(parts)
    mask = np.repeat(np.array([0, 1], np.uint8), [n_neg, n_pos])
    return sort_classes(mask, scores)
