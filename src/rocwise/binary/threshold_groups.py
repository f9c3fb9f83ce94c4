"""Thresholds of subgroups, with one constraint on the positive predictions of all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from rocwise import printing
from rocwise.arrays import Array, Floats, Places
from rocwise.binary.convex_hull import upper_hull
from rocwise.data.tally import Tally
from rocwise.errors import InputError, count_of
from rocwise.results import MOST_LINES, GroupResults, json_safe, result

if TYPE_CHECKING:
    from rocwise.binary.threshold import OperatingPoint

AlarmLimit = Literal["each", "all"]
MOST_CELLS = 200_000_000  # thresholds times alarms that are tried one by one: about a second


@result
class GroupThresholds(GroupResults[Any]):
    """Operating points of subgroups: ``result[group]`` is that of a group.

    Attributes
    ----------
    groups : tuple
        The groups, sorted; the arrays are in their order.
    thresholds, tpr, fpr, value, n_pos, n_neg, alarms : ndarray
        Of the threshold of each group; `alarms` are the cases predicted positive.
    pooled : OperatingPoint
        The point chosen on all rows together.
    pooled_tpr, pooled_fpr : ndarray
        Rates of the pooled threshold in each group.
    limit : {"each", "all"} or None
        With rule "max-alarms": whether the constraint is for each group or for all together.
    most_hits : float or None
        With limit "all": the largest possible number of true positives within it.
    """

    pooled: "OperatingPoint"
    limit: AlarmLimit | None = None
    most_hits: float | None = None

    @property
    def thresholds(self) -> Array:
        """Threshold of each group."""
        return self._each("threshold")

    @property
    def tpr(self) -> Array:
        """Sensitivity in each group at its threshold."""
        return self._each("tpr")

    @property
    def fpr(self) -> Array:
        """1 - specificity in each group at its threshold."""
        return self._each("fpr")

    @property
    def value(self) -> Array:
        """Measure of the rule in each group at its threshold."""
        return self._each("value")

    @property
    def n_pos(self) -> Array:
        """Positives of each group."""
        return self._each("n_pos")

    @property
    def n_neg(self) -> Array:
        """Negatives of each group."""
        return self._each("n_neg")

    @classmethod
    def _with_pooled(cls, pool: Callable[[], Any], **fields: Any) -> "GroupThresholds":
        """The points of groups and that of all rows; one limit for all is divided here."""
        pooled = pool()
        if pooled.rule != "max-alarms":
            return cls(pooled=pooled, **fields)
        if not pooled.terms.shared_limit:
            return cls(pooled=pooled, limit="each", **fields)
        return cls(pooled=pooled, **fields)._sharing_alarms()

    def _sharing_alarms(self) -> "GroupThresholds":
        """The same with one limit of positive predictions for all groups."""
        data, constraint = self.pooled.data, self.pooled.constraint or 0.0
        if data.weighted:
            raise InputError(
                "limit='all' divides a number of cases among the groups and does not support "
                "weights; use limit='each', or one threshold for all rows."
            )
        most = constraint * (data.n_pos + data.n_neg) if constraint < 1 else constraint
        points = self.defined
        places, most_hits = shared_alarms([p.data for p in points.values()], float(most))
        moved = {
            name: point._at_place(place)
            for (name, point), place in zip(points.items(), places, strict=True)
        }
        return replace(self, results=self.results | moved, limit="all", most_hits=most_hits)

    def _each(self, name: str) -> Array:
        """An attribute of every group, masked for a group without a result."""
        return _masked([getattr(point, name, None) for point in self.results.values()])

    @property
    def rule(self) -> str:
        """Name of the rule."""
        return self.pooled.rule

    @property
    def alarms(self) -> Floats:
        """Cases classified positive in each group."""
        return (self._each("tp") + self._each("fp")).astype(np.float64)

    @property
    def pooled_tpr(self) -> Floats:
        """Sensitivity of the pooled threshold in each group."""
        return self._pooled_rates("tp", "n_pos")

    @property
    def pooled_fpr(self) -> Floats:
        """1 - specificity of the pooled threshold in each group."""
        return self._pooled_rates("fp", "n_neg")

    def _pooled_rates(self, sums: str, total: str) -> Floats:
        anyone = self.pooled.tp + self.pooled.fp > 0  # no positive also where a score is infinite

        def rate(point: Any) -> float | None:
            part = getattr(point, "data", None)
            if part is None:
                return None
            n = _called(part, self.pooled.threshold) if anyone else 0
            return float(getattr(part, sums)[n - 1] / getattr(part, total)) if n else 0.0

        return _masked([rate(point) for point in self.results.values()])

    @property
    def limit_words(self) -> str:
        """The constraint as text: ``at most 5 positive predictions in each group, 9 in total``."""
        if self.limit is None:
            return ""
        constraint = self.pooled.constraint or 0.0
        what = (
            f"{printing.percent(constraint)} of the cases"
            if constraint < 1
            else printing.counted(constraint, "positive prediction")
        )
        total = printing.count(float(self.alarms.sum()))
        if self.limit == "each":
            return f"at most {what} in each group, {total} in total"
        found = float(self._each("tp").sum())
        missed = int(np.floor((self.most_hits or found) - found + 1e-9))
        best = (
            "the largest possible number of true positives"
            if missed == 0
            else f"at most {printing.counted(missed, 'further true positive')} possible"
        )
        return f"at most {what} in all groups together, {total} in total; {best}"

    def _sentence(self) -> str:
        shown = self.groups[:MOST_LINES]
        texts = [
            f"{name}: {getattr(self.results[name], 'threshold_text', 'no result')}"
            for name in shown
        ]
        if more := len(self.groups) - len(shown):
            texts.append(f"... and {count_of(more, 'more group')}; to_frame() has all")
        sign = ">=" if self.origin.direction == "higher" else "<="
        return (
            f"thresholds of {printing.counted(len(self.groups), 'group')} by rule {self.rule!r}, "
            f"positive when score {sign} threshold: {', '.join(texts)}; all together: "
            f"{self.pooled.threshold_text}{'; ' * bool(self.limit)}{self.limit_words}"
        )

    def _columns(self) -> Mapping[str, Any]:
        return {**super()._columns(), **self._pooled_columns()}

    def _columns_to_read(self) -> Mapping[str, Any]:
        return {**super()._columns_to_read(), **self._pooled_columns()}

    def _pooled_columns(self) -> dict[str, Any]:
        return {"pooled_tpr": self.pooled_tpr, "pooled_fpr": self.pooled_fpr}

    def to_dict(self) -> dict[str, Any]:
        """All points as plain JSON-safe values."""
        names = ("groups", "thresholds", "tpr", "fpr", "value", "n_pos", "n_neg")
        arrays = {name: getattr(self, name) for name in names} | self._pooled_columns()
        plain: dict[str, Any] = json_safe(arrays)
        return super().to_dict() | plain


def _masked(values: list[Any]) -> Array:
    """Values as an array, masked where there is none."""
    absent = [value is None for value in values]
    if not any(absent):
        return np.array(values)
    filled = [0.0 if value is None else value for value in values]
    masked: Array = np.ma.masked_array(filled, mask=absent)
    return masked


def _called(data: Tally, threshold: Any) -> int:
    """How many distinct scores are predicted positive at a threshold."""
    reaches = np.greater_equal if data.direction == "higher" else np.less_equal
    return int(np.count_nonzero(reaches(data.scores, threshold)))


class Candidates(NamedTuple):
    """The thresholds of a group that find more than every stricter one; the first finds none."""

    places: Places
    alarms: Places
    hits: Places


def shared_alarms(groups: Sequence[Tally], limit: float) -> tuple[list[int], float]:
    """Positive scores of each group that find the most positives within a limit; the most hits.

    By dynamic programming over the groups; for more than `MOST_CELLS` by edges of their convex
    hulls, and the linear program, which may stop inside an edge, is the upper bound.
    """
    candidates = [_candidates(group) for group in groups]
    room = int(min(np.floor(limit), sum(int(each.alarms[-1]) for each in candidates)))
    size = sum(len(each.places) for each in candidates) * (room + 1)
    exact = size <= MOST_CELLS
    picked, bound = (_all_divisions if exact else _by_hull_edges)(candidates, room)
    chosen = list(zip(candidates, picked, strict=True))
    hits = float(sum(int(each.hits[k]) for each, k in chosen))
    return [int(each.places[k]) for each, k in chosen], hits if exact else max(bound, hits)


def _candidates(group: Tally) -> Candidates:
    hits = np.append(0, group.tp).astype(np.intp)
    alarms = hits + np.append(0, group.fp).astype(np.intp)
    places = np.append(0, np.flatnonzero(np.diff(hits) > 0) + 1)
    return Candidates(places, alarms[places], hits[places])


def _all_divisions(candidates: list[Candidates], room: int) -> tuple[list[int], float]:
    """The best combination, by the most true positives for every number of predictions."""
    best = np.zeros(room + 1, dtype=np.intp)
    taken: list[Places] = []
    for group in candidates:
        now, which = best.copy(), np.zeros(room + 1, dtype=np.intp)
        for k in range(1, int(np.searchsorted(group.alarms, room, side="right"))):
            used = int(group.alarms[k])
            tried = best[: room + 1 - used] + group.hits[k]
            better = tried > now[used:]
            now[used:][better], which[used:][better] = tried[better], k
        best, taken = now, [*taken, which]
    left, picked = room, []
    for group, which in zip(reversed(candidates), reversed(taken), strict=True):
        picked.append(int(which[left]))
        left -= int(group.alarms[picked[-1]])
    return picked[::-1], float(best[-1])


def _by_hull_edges(candidates: list[Candidates], room: int) -> tuple[list[int], float]:
    """Hull edges by precision while they fit, then single thresholds; and the bound."""
    edges = sorted(
        (edge for group, each in enumerate(candidates) for edge in _edges(group, each)),
        reverse=True,
    )
    picked, left, bound, rest = [0] * len(candidates), room, 0.0, float(room)
    for slope, group, end, alarms in edges:
        bound, rest = bound + slope * min(alarms, rest), rest - min(alarms, rest)
        here = candidates[group]
        wanted = int(here.alarms[end] - here.alarms[picked[group]])
        if wanted <= left:
            picked[group], left = end, left - wanted
    for group, here in enumerate(candidates):  # what is left goes to thresholds inside an edge
        now = int(here.alarms[picked[group]])
        end = int(np.searchsorted(here.alarms, now + left, side="right")) - 1
        picked[group], left = end, left - (int(here.alarms[end]) - now)
    return picked, bound


def _edges(group: int, candidates: Candidates) -> list[tuple[float, int, int, int]]:
    """Edges of the upper hull: precision, group, candidate at the end, its predictions."""
    hull = upper_hull(candidates.alarms[1:], candidates.hits[1:])
    runs, rises = np.diff(candidates.alarms[hull]), np.diff(candidates.hits[hull])
    return [
        (float(rise / run), group, int(end), int(run))
        for end, run, rise in zip(hull[1:], runs, rises, strict=True)
    ]
