"""The thresholds of many groups at once: one sort by group and score, then one pass for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Array, Flags, Floats, Places
from rocwise.binary.thresholds import confusion_cells as outcomes
from rocwise.binary.thresholds.choices import NOWHERE
from rocwise.binary.thresholds.confusion_cells import cells_of
from rocwise.binary.thresholds.rules import NOISE, Rule, RuleTerms, Ties
from rocwise.inputs.clean_rows import ModelRows
from rocwise.primitives.score_columns import in_user_units


@dataclass(frozen=True, slots=True, eq=False)
class GroupTable:
    """Candidate thresholds of every group, one group behind the other, the strictest first.

    Attributes
    ----------
    starts, groups
        Where each group starts, and the group of each candidate. The first candidate of a group
        calls nobody positive; the others are its distinct scores.
    thresholds : ndarray of float
        In the user's units.
    tp, fp
        Positives and negatives called positive there.
    n_pos, n_neg
        Sizes of the classes, by group.
    """

    starts: Places
    groups: Places
    thresholds: Floats
    tp: Amounts
    fp: Amounts
    n_pos: Amounts
    n_neg: Amounts

    @property
    def ends(self) -> Places:
        """Where each group ends."""
        return np.append(self.starts[1:], len(self.groups))

    def rates_at(self, threshold: float, direction: str) -> tuple[Floats, Floats]:
        """FPR and TPR of each group when scores at or beyond one threshold are called positive."""
        sign = 1.0 if direction == "higher" else -1.0
        beyond = sign * self.thresholds >= sign * threshold
        beyond[self.starts] = False
        places = self.starts + np.add.reduceat(beyond.astype(np.intp), self.starts)
        return self.fp[places] / self.n_neg, self.tp[places] / self.n_pos


@dataclass(frozen=True, slots=True, eq=False)
class GroupChoices:
    """What a rule chooses in each group; `places` are within the group, -1 where none will do."""

    places: Places
    thresholds: Floats
    tpr: Floats
    fpr: Floats
    value: Floats


def group_table(rows: ModelRows, codes: Places, n_groups: int) -> GroupTable:
    """From the rows of all groups and the number of each row's group."""
    falling = kernels.argsort(rows.column.oriented)[::-1]
    order = falling[kernels.argsort(codes[falling].astype(np.float64))]
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
    thresholds = np.full(len(own) + n_groups, np.inf if direction == "higher" else -np.inf)
    thresholds[places] = in_user_units(scores[kept] + 0, direction, rows.column.meanings)
    tp, fp = (_cumulated(amounts, places, starts) for amounts in (pos, neg))
    last = starts + sizes
    everywhere = np.repeat(np.arange(n_groups), sizes + 1)
    return GroupTable(starts, everywhere, thresholds, tp, fp, tp[last], fp[last])


def choose_in_groups(table: GroupTable, rule: Rule, terms: RuleTerms, ties: Ties) -> GroupChoices:
    """What `choices.choose` finds in each group, to the last bit."""
    n_pos, n_neg = table.n_pos[table.groups], table.n_neg[table.groups]
    cells = cells_of(table.tp, table.fp, n_pos, n_neg, terms.prevalence)
    values = rule.measure(cells, terms)
    score = -values if rule.smallest else values
    allowed = ~np.isnan(score)
    if rule.limit is not None:
        allowed &= rule.limit.met(cells, terms)
    equal = _largest(score, allowed, table)
    if rule.limit is not None or rule.may_be_beaten:
        equal = _largest(cells.tpr + cells.tnr, equal, table)
    places = _settled(equal, ties, table)
    chosen = table.starts + np.maximum(places, 0)
    there = cells_of(table.tp[chosen], table.fp[chosen], table.n_pos, table.n_neg, terms.prevalence)
    if rule.name == "cost" and terms.costs is not None:
        value = outcomes.expected_cost(there, terms.costs)
    else:
        value = rule.measure(there, terms)
    return GroupChoices(places, table.thresholds[chosen], there.tpr, there.fpr, value)


def _amounts(rows: ModelRows, order: Places, first: Places) -> tuple[Amounts, Amounts]:
    """Positives and negatives at each distinct score of each group, or their sums of weights."""
    positive = rows.mask[order] == 1
    if rows.weights is None and rows.counts is None:
        pos = np.add.reduceat(positive.astype(np.int64), first)
        return pos, np.diff(first, append=len(order)) - pos
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


def _largest(score: Floats, allowed: Flags, table: GroupTable) -> Flags:
    """Where the score is largest among the allowed of its group, up to rounding."""
    held = np.where(allowed, score, -np.inf)
    sizes = np.abs(np.where(allowed & np.isfinite(score), score, 0.0))
    best = np.maximum.reduceat(held, table.starts)
    size = np.maximum.reduceat(sizes, table.starts)
    return np.asarray(allowed & (held >= (best - NOISE * size)[table.groups]))


def _settled(equal: Flags, ties: Ties, table: GroupTable) -> Places:
    """One of the equals of each group: the first (strictest), the last or the middle one."""
    where = np.flatnonzero(equal)
    low, high = (np.searchsorted(where, ends) for ends in (table.starts, table.ends))
    number = high - low
    step = {"strict": 0 * number, "mild": number - 1, "middle": (number + 1) // 2 - 1}[ties]
    found = np.append(where, 0)[low + np.maximum(step, 0)] - table.starts
    return np.where(number > 0, found, NOWHERE)
