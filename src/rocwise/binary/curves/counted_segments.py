"""Segments of a curve of counts, found in the sorted classes or in a table, and sums over them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Scores
from rocwise.data.tally import Tally


class Segment(NamedTuple):
    """From x0 to x1 cases of one class along the curve, and from y0 to y1 of the other up it."""

    x0: int
    y0: int
    x1: int
    y1: int

    def scaled(self, scale: int) -> Segment:
        """In units of 1 / scale."""
        return Segment(*(scale * end for end in self))

    def height(self, x: int) -> int:
        """The curve at x; its top beyond the last score, where the segment has no length."""
        if self.x1 == self.x0:
            return self.y1
        return self.y0 + (x - self.x0) * (self.y1 - self.y0) // (self.x1 - self.x0)

    def area(self, low: int, high: int) -> int:
        """The area below it within a part, in squared units."""
        left, right = max(low, self.x0), min(high, self.x1)
        return (right - left) * self.height((left + right) // 2)

    def passed(self, x: int) -> int:
        """Integral up to x of a ramp that rises from 0 to 1 along the segment."""
        run = self.x1 - self.x0
        inside = min(max(x - self.x0, 0), run)
        return inside * inside // (2 * run) + max(x - self.x1, 0)

    def mean_height(self, low: int, high: int) -> int:
        """Along the segment, where the curve beyond the ends of a part is as high as at them."""
        before, after = max(low - self.x0, 0), max(self.x1 - high, 0)
        beyond = before * self.height(low) + after * self.height(high)
        return (self.area(low, high) + beyond) // (self.x1 - self.x0)


class Ahead(NamedTuple):
    """Cases, and twice the cases of the other class ahead of each, ties half: sum and squares."""

    number: int
    total: int
    squares: int

    def squares_from(self, start: int, step: int) -> int:
        """The sum over the cases of the squares of start + step times what is ahead of each."""
        mixed = 2 * start * self.total + step * self.squares
        return self.number * start * start + step * mixed

    def behind(self, others: int) -> Ahead:
        """The same of what is behind each of them instead, of so many of the other class."""
        total = 2 * others * self.number - self.total
        squares = 4 * others * (others * self.number - self.total) + self.squares
        return Ahead(self.number, total, squares)


class Curve:
    """The curve of a tally without weights, or the same with classes and direction changed.

    Negatives lie along it and positives up it; of the mirrored one, which starts from the lowest
    score, it is the other way round.
    """

    def __init__(self, data: Tally, mirrored: bool) -> None:
        classes = data.oriented_classes
        self._scores = _OfTable(data) if classes is None else _OfClasses(*classes)
        self._mirrored = mirrored
        sizes = int(data.n_neg), int(data.n_pos)
        self.n_along: int
        self.n_up: int
        self.n_along, self.n_up = sizes[::-1] if mirrored else sizes

    def segment_after(self, cases: int) -> Segment:
        """The first that goes beyond so many cases along the curve; beyond all the end itself."""
        if cases == self.n_along:
            return Segment(self.n_along, self.n_up, self.n_along, self.n_up)
        if not self._mirrored:
            return self._scores.of_negative(cases)
        found = self._scores.of_positive(self.n_along - 1 - cases)
        return Segment(
            self.n_along - found.y1,
            self.n_up - found.x1,
            self.n_along - found.y0,
            self.n_up - found.x0,
        )

    def ahead_between(self, first: Segment, last: Segment) -> tuple[Ahead, Ahead]:
        """What is ahead of the cases along, and of those up, the curve between two segments."""
        if self._mirrored:
            n_pos, n_neg = self.n_along, self.n_up
            sums = self._scores.sums(
                (n_neg - last.y0, n_pos - last.x0), (n_neg - first.y1, n_pos - first.x1)
            )
        else:
            sums = self._scores.sums((first.x1, first.y1), (last.x0, last.y0))
        of_pos = Ahead(sums.n_pos, sums.sum_u, sums.sum_u2)  # lower scores are ahead
        of_neg = Ahead(sums.n_neg, sums.sum_v, sums.sum_v2)
        if self._mirrored:
            return of_pos, of_neg
        return of_neg.behind(sums.n_pos), of_pos.behind(sums.n_neg)


Vertex = tuple[int, int]  # negatives and positives before it


class _OfClasses:
    """Segments by the scores of sorted classes."""

    def __init__(self, neg: Scores, pos: Scores) -> None:
        self._neg, self._pos = neg, pos

    def of_negative(self, place: int) -> Segment:
        """The segment of the negative with so many before it."""
        return self._at(self._neg[len(self._neg) - 1 - place])

    def of_positive(self, place: int) -> Segment:
        """The segment of the positive with so many before it."""
        return self._at(self._pos[len(self._pos) - 1 - place])

    def _at(self, score: float) -> Segment:
        classes = self._neg, self._pos
        above = [len(rows) - int(np.searchsorted(rows, score, "right")) for rows in classes]
        until = [len(rows) - int(np.searchsorted(rows, score, "left")) for rows in classes]
        return Segment(*above, *until)

    def sums(self, start: Vertex, stop: Vertex) -> kernels.PlacementSums:
        """Sums of the placements among the cases between two vertices."""
        neg, pos = (
            rows[len(rows) - until : len(rows) - above]
            for rows, above, until in zip((self._neg, self._pos), start, stop, strict=True)
        )
        return kernels.merge_sums(neg, pos, numbers=True)


class _OfTable:
    """Segments by the counts at distinct scores."""

    def __init__(self, data: Tally) -> None:
        self._data = data

    def of_negative(self, place: int) -> Segment:
        """The segment of the negative with so many before it."""
        return self._at(self._data.fp, place)

    def of_positive(self, place: int) -> Segment:
        """The segment of the positive with so many before it."""
        return self._at(self._data.tp, place)

    def _at(self, sums: Amounts, place: int) -> Segment:
        score = int(np.searchsorted(sums, place, "right"))
        fp, tp = self._data.fp, self._data.tp
        before = (int(fp[score - 1]), int(tp[score - 1])) if score else (0, 0)
        return Segment(*before, int(fp[score]), int(tp[score]))

    def sums(self, start: Vertex, stop: Vertex) -> kernels.PlacementSums:
        """Sums of the placements among the cases between two vertices."""
        some = slice(self._scores_until(start), self._scores_until(stop))
        return kernels.table_sums(self._data.pos[some], self._data.neg[some])

    def _scores_until(self, vertex: Vertex) -> int:
        if vertex == (0, 0):
            return 0
        columns = zip((self._data.fp, self._data.tp), vertex, strict=True)
        return 1 + max(int(np.searchsorted(sums, cases)) for sums, cases in columns)
