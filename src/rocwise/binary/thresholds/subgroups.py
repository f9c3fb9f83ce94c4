"""One threshold per subgroup, beside what one threshold for all does in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.areas.empirical import whole_area
from rocwise.binary.roc import rates_at, warn_of_direction
from rocwise.binary.thresholds.choices import NOWHERE
from rocwise.binary.thresholds.group_choices import choose_in_groups
from rocwise.binary.thresholds.operating_points import OperatingPoint, chosen_point, point_at
from rocwise.binary.thresholds.rules import Rule, RuleName, RuleTerms, Ties, rule_of
from rocwise.binary.thresholds.shared_alarms import shared_alarms
from rocwise.costs import Costs
from rocwise.data.float_scores import refuse_merged
from rocwise.data.tally import Tally
from rocwise.errors import InputError, count_of, shown
from rocwise.inputs.coercion import Direction, Missing
from rocwise.inputs.subgroups import GroupTallies, tallies_by_group
from rocwise.results import MOST_LINES, Result, result
from rocwise.tables import NumberTexts

AlarmLimit = Literal["each", "all"]


@result
class GroupThresholds(Result):
    """The operating point of each subgroup, in the order of `groups`.

    `pooled` is the point chosen on all rows together; `pooled_tpr` and `pooled_fpr` are what its
    threshold does in each group. `alarms` is how many cases are called positive in each group; by
    the rule "max-alarms", `limit` tells whether its limit holds in "each" group or in "all" of
    them together, and then `most_hits` is more than any thresholds find within it.
    """

    groups: tuple[str, ...]
    thresholds: Floats
    tpr: Floats
    fpr: Floats
    value: Floats
    pooled_tpr: Floats
    pooled_fpr: Floats
    n_pos: Array
    n_neg: Array
    rule: str
    pooled: OperatingPoint
    points: Mapping[str, OperatingPoint]
    limit: AlarmLimit | None = None
    most_hits: float | None = None

    @property
    def alarms(self) -> Floats:
        """How many cases are called positive in each group."""
        return np.array([float(point.tp + point.fp) for point in self.points.values()])

    @property
    def limit_words(self) -> str:
        """What the limit of alarms is about: ``at most 50 alarms in each group, 93 in all``."""
        if self.limit is None:
            return ""
        constraint = self.pooled.constraint or 0.0
        what = (
            f"{printing.percent(constraint)} of the cases"
            if constraint < 1
            else printing.counted(constraint, "alarm")
        )
        total = printing.count(float(self.alarms.sum()))
        if self.limit == "each":
            return f"at most {what} in each group, which makes {total} alarms in all"
        found = sum(float(point.tp) for point in self.points.values())
        missed = int(np.floor((self.most_hits or found) - found + 1e-9))
        best = (
            "no thresholds find more positives"
            if missed == 0
            else f"no thresholds find more than {printing.counted(missed, 'further positive')}"
        )
        return f"at most {what} in all groups together: {total} alarms; {best}"

    def __getitem__(self, group: str) -> OperatingPoint:
        return self.points[group]

    def _sentence(self) -> str:
        shown_ones = self.groups[:MOST_LINES]
        texts = [f"{name}: {self.points[name].threshold_text}" for name in shown_ones]
        if more := len(self.groups) - len(shown_ones):
            texts.append(f"... and {count_of(more, 'more group')}; to_frame() has all")
        sign = ">=" if self.origin.direction == "higher" else "<="
        return (
            f"thresholds of {printing.counted(len(self.groups), 'group')} by rule {self.rule!r}, "
            f"positive when score {sign} threshold: {', '.join(texts)}; all together: "
            f"{self.pooled.threshold_text}{'; ' * bool(self.limit)}{self.limit_words}"
        )

    def _columns(self) -> dict[str, Any]:
        names = ("tpr", "fpr", "value", "pooled_tpr", "pooled_fpr", "n_pos", "n_neg")
        columns = {name: getattr(self, name) for name in names}
        return {"group": np.array(self.groups), "threshold": self.thresholds, **columns}

    def _columns_to_read(self) -> Mapping[str, Any]:
        texts = NumberTexts(self.points[name].threshold_text for name in self.groups)
        return {**self._columns(), "threshold": texts}


def threshold_by_group(
    data: Any = None,
    y_score: Any = None,
    groups: Any = None,
    *,
    rule: RuleName = "cost",
    costs: Costs | None = None,
    prevalence: float | None = None,
    constraint: float | None = None,
    beta: float | None = None,
    ties: Ties | None = None,
    limit: AlarmLimit = "each",
    label: str | None = None,
    score: str | None = None,
    pos_label: Any = None,
    direction: Direction = "higher",
    sample_weight: Any = None,
    missing: Missing = "raise",
) -> GroupThresholds:
    """The best threshold of each subgroup of rows.

    Thresholds of small groups are uncertain: ask `answer[group].uncertainty()` before acting on a
    difference between two of them.

    Parameters
    ----------
    data, y_score
        Labels and scores; or a frame or path with `label=` and `score=`.
    groups : array-like or str
        The subgroup of each row, or the name of its column; every group needs both classes.
    rule, costs, prevalence, constraint, beta, ties
        As in `threshold`, the same for all groups.
    limit : {"each", "all"}
        Whether the limit of "max-alarms" holds in each group, or for the alarms of all groups
        together, which then go where they find most positives.
    label, score, pos_label, direction, sample_weight, missing
        As in `tally` and `tally_frame`.

    Returns
    -------
    GroupThresholds
        With `groups`, `thresholds`, `tpr`, `fpr`, `value`; `pooled`, the point of all rows, and
        `pooled_tpr`, `pooled_fpr`, what its threshold does in each group.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, sex = [0, 1, 0, 1], ["f", "f", "m", "m"]
    >>> rw.threshold_by_group(y, [1, 2, 3, 4], sex, rule="youden").thresholds.tolist()
    [2.0, 4.0]
    """
    tally, parts = tallies_by_group(
        "threshold_by_group",
        data,
        y_score,
        groups,
        label=label,
        score=score,
        pos_label=pos_label,
        direction=direction,
        sample_weight=sample_weight,
        missing=missing,
    )
    terms: dict[str, Any] = {
        "rule": rule,
        "costs": costs,
        "prevalence": prevalence,
        "constraint": constraint,
        "beta": beta,
        "ties": ties,
    }
    refuse_merged(tally)
    checks.one_of(limit, "limit", get_args(AlarmLimit))
    if limit == "all" and rule != "max-alarms":
        raise InputError(f"`limit` goes with rule='max-alarms'; got rule={shown(rule)}.")
    if limit == "all" and tally.weighted:
        raise InputError(
            "limit='all' deals whole alarms out to the groups, and weights are no whole alarms; "
            "use limit='each', or one threshold for all rows."
        )
    warn_of_direction(tally, whole_area(tally))
    pooled = chosen_point(tally, **terms)
    if limit == "all":
        return _sharing_alarms(tally, parts, pooled, terms)
    points = PointsWhenAsked(parts, terms)
    chosen, told = rule_of(pooled.rule, pooled.terms), pooled.terms
    if told.own is None:
        answer = _chosen_at_once(tally, points, pooled, chosen, told)
    else:  # a function of the user's may look at all thresholds of a group
        answer = _answer(tally, parts, pooled, points)
    return replace(answer, limit="each") if chosen.name == "max-alarms" else answer


class PointsWhenAsked(Mapping[str, OperatingPoint]):
    """The operating point of each group, made when it is asked for, and kept."""

    parts: GroupTallies
    terms: dict[str, Any]

    def __init__(self, parts: GroupTallies, terms: dict[str, Any]) -> None:
        self.parts, self.terms = parts, terms
        self._made: dict[str, OperatingPoint] = {}

    def __getitem__(self, name: str) -> OperatingPoint:
        if name not in self._made:
            self._made[name] = _point_of(name, self.parts[name], self.terms)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)


def _chosen_at_once(
    data: Tally, points: PointsWhenAsked, pooled: OperatingPoint, rule: Rule, terms: RuleTerms
) -> GroupThresholds:
    """The same as `_answer`, in one pass over all groups, before any point is made."""
    parts = points.parts
    found = choose_in_groups(
        parts.rows,
        parts.codes,
        len(parts),
        rule=rule,
        terms=terms,
        ties=pooled.ties,
        pooled=float(pooled.threshold),
    )
    for k in np.flatnonzero(found.places == NOWHERE).tolist():
        points[parts.names[k]]  # which says what the group lacks
    nobody = pooled.tp + pooled.fp == 0  # also where a score is infinite
    return GroupThresholds(
        groups=parts.names,
        thresholds=found.thresholds,
        tpr=found.tpr,
        fpr=found.fpr,
        value=found.value,
        pooled_tpr=np.zeros(len(parts)) if nobody else found.pooled_tpr,
        pooled_fpr=np.zeros(len(parts)) if nobody else found.pooled_fpr,
        n_pos=found.n_pos,
        n_neg=found.n_neg,
        rule=pooled.rule,
        pooled=pooled,
        points=points,
        origin=data.origin,
    )


def _sharing_alarms(
    data: Tally, parts: GroupTallies, pooled: OperatingPoint, terms: dict[str, Any]
) -> GroupThresholds:
    """The thresholds of groups that share one limit of alarms."""
    constraint = float(terms["constraint"])
    most = constraint * (data.n_pos + data.n_neg) if constraint < 1 else constraint
    tallies = dict(parts)
    shared = shared_alarms(list(tallies.values()), float(most))
    told = {name: terms[name] for name in ("costs", "prevalence", "beta")}
    points = {
        name: point_at(part, "max-alarms", constraint, place, **told)
        for (name, part), place in zip(tallies.items(), shared.places, strict=True)
    }
    answer = _answer(data, tallies, pooled, points)
    return replace(answer, limit="all", most_hits=shared.most_hits)


def _answer(
    data: Tally,
    parts: Mapping[str, Tally],
    pooled: OperatingPoint,
    points: Mapping[str, OperatingPoint],
) -> GroupThresholds:
    chosen = list(points.values())
    there = [rates_at(part, np.array([float(pooled.threshold)])) for part in parts.values()]
    nobody = pooled.tp + pooled.fp == 0  # also where a score is infinite
    return GroupThresholds(
        groups=tuple(points),
        thresholds=np.array([float(point.threshold) for point in chosen]),
        tpr=np.array([point.tpr for point in chosen]),
        fpr=np.array([point.fpr for point in chosen]),
        value=np.array([point.value for point in chosen]),
        pooled_tpr=np.array([0.0 if nobody else tpr[0] for _, tpr in there]),
        pooled_fpr=np.array([0.0 if nobody else fpr[0] for fpr, _ in there]),
        n_pos=np.array([point.n_pos for point in chosen]),
        n_neg=np.array([point.n_neg for point in chosen]),
        rule=pooled.rule,
        pooled=pooled,
        points=points,
        origin=data.origin,
    )


def _point_of(name: str, part: Tally, terms: dict[str, Any]) -> OperatingPoint:
    try:
        return chosen_point(part, **terms)
    except InputError as problem:
        raise InputError(f"group {name!r}: {problem}") from None
