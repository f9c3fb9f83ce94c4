"""One threshold per subgroup, beside what one threshold for all does in each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Amounts, Array, Counts, Flags, Floats, Places
from rocwise.binary import threshold_rules as outcomes
from rocwise.binary.auc import whole_area
from rocwise.binary.roc import rates_at, warn_of_direction
from rocwise.binary.threshold import OperatingPoint, chosen_point, point_at
from rocwise.binary.threshold_rules import (
    NOISE,
    NOWHERE,
    Rule,
    RuleName,
    RuleTerms,
    Ties,
    cells_of,
    rule_of,
)
from rocwise.costs import Costs
from rocwise.data.float_scores import refuse_merged
from rocwise.data.score_columns import in_user_units
from rocwise.data.tally import Tally
from rocwise.errors import InputError, count_of, shown
from rocwise.inputs.clean_rows import ModelRows
from rocwise.inputs.coercion import Direction, Missing
from rocwise.inputs.subgroups import GroupTallies, tallies_by_group
from rocwise.kernels.row_formulas import SHARED_STEP, run_models
from rocwise.kernels.threads import thread_limit
from rocwise.results import MOST_LINES, Result, result
from rocwise.tables import NumberTexts

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


@dataclass(frozen=True, slots=True, eq=False)
class GroupChoices:
    """What a rule chooses in each group; `places` are within the group, -1 where none will do.

    `pooled_tpr` and `pooled_fpr` are what one threshold for all does there.
    """

    places: Places
    thresholds: Floats
    tpr: Floats
    fpr: Floats
    value: Floats
    pooled_tpr: Floats
    pooled_fpr: Floats
    n_pos: Amounts
    n_neg: Amounts


def choose_in_groups(
    rows: ModelRows,
    codes: Places,
    n_groups: int,
    *,
    rule: Rule,
    terms: RuleTerms,
    ties: Ties,
    pooled: float,
) -> GroupChoices:
    """What `choices.choose` finds in each group, to the last bit; `codes` has each row's group."""
    direction = rows.column.origin.direction

    def chosen(table: GroupTable) -> GroupChoices:
        return _chosen(table, rule, terms, ties, table.rates_at(pooled, direction))

    found = of_group_tables(chosen, rows, codes, n_groups)
    return GroupChoices(
        *(np.concatenate([getattr(some, each.name) for some in found]) for each in fields(found[0]))
    )


def _chosen(
    table: GroupTable, rule: Rule, terms: RuleTerms, ties: Ties, pooled: tuple[Floats, Floats]
) -> GroupChoices:
    """The choices in the groups of one table; `pooled` are FPR and TPR of one threshold for all."""
    n_pos, n_neg = (table.spread(size.astype(np.float64)) for size in (table.n_pos, table.n_neg))
    cells = cells_of(table.tp, table.fp, n_pos, n_neg, terms.prevalence)
    values = rule.measure(cells, terms)
    score = -values if rule.smallest else values
    allowed = None if rule.limit is None else rule.limit.met(cells, terms)
    equal = _largest(score, allowed, table)
    if rule.limit is not None or rule.may_be_beaten:
        rates = cells_of(table.tp[equal], table.fp[equal], n_pos[equal], n_neg[equal])
        equal = _largest_among(rates.tpr + rates.tnr, equal, table)
    places = _settled(equal, ties, table)
    chosen = table.starts + np.maximum(places, 0)
    there = cells_of(table.tp[chosen], table.fp[chosen], table.n_pos, table.n_neg, terms.prevalence)
    if rule.name == "cost" and terms.costs is not None:
        value = outcomes.expected_cost(there, terms.costs)
    else:
        value = rule.measure(there, terms)
    pooled_fpr, pooled_tpr = pooled
    return GroupChoices(
        places,
        table.thresholds[chosen],
        there.tpr,
        there.fpr,
        value,
        pooled_tpr,
        pooled_fpr,
        table.n_pos,
        table.n_neg,
    )


def _largest(score: Floats, allowed: Flags | None, table: GroupTable) -> Places:
    """Where the score is largest among the allowed of its group, up to rounding."""
    best, least = (each.reduceat(score, table.starts) for each in (np.maximum, np.minimum))
    if allowed is None and (np.isfinite(best) & np.isfinite(least)).all():  # nan would be an end
        size = np.maximum(np.abs(best), np.abs(least))
        return np.flatnonzero(score >= table.spread(best - NOISE * size))
    defined = ~np.isnan(score) if allowed is None else allowed & ~np.isnan(score)
    finite = defined & np.isfinite(score)
    best = np.maximum.reduceat(np.where(defined, score, -np.inf), table.starts)
    size = np.maximum.reduceat(np.where(finite, np.abs(score), 0.0), table.starts)
    return np.flatnonzero(defined & (score >= table.spread(best - NOISE * size)))


def _largest_among(score: Floats, places: Places, table: GroupTable) -> Places:
    """The same for finite scores at some places, those of a group behind those of another."""
    starts, numbers = table.held(places)
    starts, numbers = starts[numbers > 0], numbers[numbers > 0]
    best = np.maximum.reduceat(score, starts)
    size = np.maximum.reduceat(np.abs(score), starts)
    return places[score >= np.repeat(best - NOISE * size, numbers)]


def _settled(equal: Places, ties: Ties, table: GroupTable) -> Places:
    """One of the equals of each group: the first (strictest), the last or the middle one."""
    starts, number = table.held(equal)
    step = {"strict": 0 * number, "mild": number - 1, "middle": (number + 1) // 2 - 1}[ties]
    found = np.append(equal, 0)[starts + np.maximum(step, 0)] - table.starts
    return np.where(number > 0, found, NOWHERE)


MOST_CELLS = 200_000_000  # thresholds times alarms that are tried one by one: about a second


@dataclass(frozen=True, slots=True)
class SharedAlarms:
    """Which threshold each group gets, and how far the choice may be from the best.

    Attributes
    ----------
    places
        For each group, how many of its distinct scores are called positive.
    hits
        Positives found in all groups together.
    most_hits
        No thresholds find more within the limit; equal to `hits` where all were tried.
    """

    places: tuple[int, ...]
    hits: float
    most_hits: float


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """The thresholds of a group that find more than every stricter one; the first finds none."""

    places: Places
    alarms: Places
    hits: Places


def shared_alarms(groups: Sequence[Tally], limit: float) -> SharedAlarms:
    """Thresholds of all groups that find the most positives with `limit` alarms in all.

    Up to `MOST_CELLS` every division of the alarms among the groups is tried, one group after the
    other. Beyond, stretches of the groups' convex hulls are taken by positives per alarm, and
    the linear programme, which may stop inside a stretch, bounds what could be found.
    """
    choices = [_choices(group) for group in groups]
    room = int(min(np.floor(limit), sum(int(each.alarms[-1]) for each in choices)))
    size = sum(len(each.places) for each in choices) * (room + 1)
    chosen, bound = (_every, None) if size <= MOST_CELLS else (_by_stretches, True)
    picked, most = chosen(choices, room)
    hits = sum(int(each.hits[k]) for each, k in zip(choices, picked, strict=True))
    places = tuple(int(each.places[k]) for each, k in zip(choices, picked, strict=True))
    return SharedAlarms(places, float(hits), float(hits) if bound is None else max(most, hits))


def _choices(group: Tally) -> Choices:
    """What is worth choosing: a threshold that finds no more than a stricter one is not."""
    hits = np.concatenate([[0], group.tp]).astype(np.intp)
    alarms = hits + np.concatenate([[0], group.fp]).astype(np.intp)
    places = np.concatenate([[0], np.flatnonzero(np.diff(hits) > 0) + 1])
    return Choices(places, alarms[places], hits[places])


def _every(choices: list[Choices], room: int) -> tuple[list[int], float]:
    """The best of all combinations, by the most hits for every number of alarms used so far."""
    best = np.zeros(room + 1, dtype=np.intp)
    taken: list[Places] = []
    for group in choices:
        now, which = best.copy(), np.zeros(room + 1, dtype=np.intp)
        for k in range(1, int(np.searchsorted(group.alarms, room, side="right"))):
            used = int(group.alarms[k])
            tried = best[: room + 1 - used] + group.hits[k]
            better = tried > now[used:]
            now[used:][better], which[used:][better] = tried[better], k
        best, taken = now, [*taken, which]
    left, picked = room, []
    for group, which in zip(reversed(choices), reversed(taken), strict=True):
        picked.append(int(which[left]))
        left -= int(group.alarms[picked[-1]])
    return picked[::-1], float(best[-1])


def _by_stretches(choices: list[Choices], room: int) -> tuple[list[int], float]:
    """Hull edges by positives per alarm while they fit, then single thresholds; and the bound."""
    edges = sorted(
        (edge for group, each in enumerate(choices) for edge in _edges(group, each)), reverse=True
    )
    picked, left, bound, rest = [0] * len(choices), room, 0.0, float(room)
    for slope, group, end, alarms in edges:
        bound, rest = bound + slope * min(alarms, rest), rest - min(alarms, rest)
        here = choices[group]
        wanted = int(here.alarms[end] - here.alarms[picked[group]])
        if wanted <= left:
            picked[group], left = end, left - wanted
    for group, here in enumerate(choices):  # what is left goes to thresholds inside a stretch
        now = int(here.alarms[picked[group]])
        end = int(np.searchsorted(here.alarms, now + left, side="right")) - 1
        picked[group], left = end, left - (int(here.alarms[end]) - now)
    return picked, bound


def _edges(group: int, choices: Choices) -> list[tuple[float, int, int, int]]:
    """Edges of the upper hull: hits per alarm, the group, the choice at its end, its alarms."""
    alarms, hits = choices.alarms.astype(np.float64), choices.hits.astype(np.float64)
    hull = [0]
    for place in range(1, len(alarms)):
        while len(hull) > 1 and _turns_up(alarms, hits, hull[-2], hull[-1], place):
            hull.pop()
        hull.append(place)
    return [
        (float((hits[b] - hits[a]) / (alarms[b] - alarms[a])), group, b, int(alarms[b] - alarms[a]))
        for a, b in pairwise(hull)
    ]


def _turns_up(alarms: Floats, hits: Floats, first: int, middle: int, last: int) -> bool:
    """Whether the middle of three points lies on or below the line through the others."""
    run, rise = alarms[last] - alarms[first], hits[last] - hits[first]
    return bool((hits[middle] - hits[first]) * run <= (alarms[middle] - alarms[first]) * rise)


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
