"""Where on the ROC convex hull a target is met: always on one connected arc."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.isometrics.lines import Line, MetricTerms, values_at

ON_THE_LINE = 1e-12
SAME_POINT = 1e-9
Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class HullPath:
    """The vertices of a hull from (0, 0) to (1, 1); a place is a vertex's number plus a share.

    The place 2.25 lies on the edge from vertex 2 to vertex 3, a quarter of the way.
    """

    fpr: Floats
    tpr: Floats

    @property
    def last(self) -> float:
        """The place of (1, 1)."""
        return float(len(self.fpr) - 1)

    def point(self, place: float) -> Point:
        """The rates at a place."""
        vertex = min(int(place), len(self.fpr) - 1)
        share = place - vertex
        if share == 0:
            return float(self.fpr[vertex]), float(self.tpr[vertex])
        x, y = self.fpr[vertex : vertex + 2], self.tpr[vertex : vertex + 2]
        return float(x[0] + share * (x[1] - x[0])), float(y[0] + share * (y[1] - y[0]))

    def same(self, one: float, other: float) -> bool:
        """Whether two places are one point within 1e-9."""
        a, b = self.point(one), self.point(other)
        return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= SAME_POINT

    def snapped(self, place: float) -> float:
        """The vertex, where a place differs from it by rounding only."""
        vertex = float(round(place))
        return vertex if self.same(place, vertex) else place

    def vertices_within(self, first: float, last: float) -> list[float]:
        """Both ends and the vertices between them, in order."""
        between = range(int(np.floor(first)) + 1, int(np.ceil(last)))
        return list(dict.fromkeys([first, *map(float, between), last]))


@dataclass(frozen=True, slots=True)
class Arc:
    """Places of the hull, from `first` to `last`, at which a metric is at least its target.

    `cut_first` and `cut_last` say whether the isometric crosses the hull at that end.
    """

    first: float
    last: float
    cut_first: bool
    cut_last: bool


def arc_above(hull: HullPath, line: Line) -> Arc | None:
    """The arc on or above an isometric; None when the metric never reaches its target.

    (0, 0), where nobody is called positive, does not meet a target for positives by itself, nor
    does (1, 1) one for negatives.
    """
    excess = line.excess(hull.fpr, hull.tpr)
    inside = np.flatnonzero(excess >= -ON_THE_LINE)
    if not len(inside):
        return None
    i, j = int(inside[0]), int(inside[-1])
    first, last = float(i), float(j)
    if i > 0 and excess[i] > ON_THE_LINE:
        first = hull.snapped(i - 1 + _zero(excess[i - 1], excess[i]))
    if j < hull.last and excess[j] > ON_THE_LINE:
        last = hull.snapped(j + _zero(excess[j], excess[j + 1]))
    never_called = 0.0 if line.metric.endswith("+") else hull.last
    if hull.same(first, last) and hull.same(first, never_called):
        return None
    cut_first = i > 0 or excess[0] <= ON_THE_LINE
    cut_last = j < hull.last or excess[-1] <= ON_THE_LINE
    return Arc(first, last, bool(cut_first), bool(cut_last))


def _zero(before: float, after: float) -> float:
    """Where between 0 and 1 a linear function with these end values is 0."""
    return float(before / (before - after))


def largest_value(hull: HullPath, metric: str, terms: MetricTerms) -> float:
    """The largest value of a metric on the hull, which some vertex has."""
    values = np.ma.masked_array(values_at(metric, hull.fpr, hull.tpr, terms))
    return float(values.max())
