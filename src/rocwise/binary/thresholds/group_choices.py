"""The thresholds of many groups at once: all thresholds of some groups in one pass, by turns."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from rocwise.arrays import Amounts, Flags, Floats, Places
from rocwise.binary.thresholds import confusion_cells as outcomes
from rocwise.binary.thresholds.choices import NOWHERE
from rocwise.binary.thresholds.confusion_cells import cells_of
from rocwise.binary.thresholds.group_tables import GroupTable, of_group_tables
from rocwise.binary.thresholds.rules import NOISE, Rule, RuleTerms, Ties
from rocwise.inputs.clean_rows import ModelRows


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
    n_pos, n_neg = table.spread(table.n_pos), table.spread(table.n_neg)
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


def _largest(score: Floats, allowed: Flags, table: GroupTable) -> Flags:
    """Where the score is largest among the allowed of its group, up to rounding."""
    finite = allowed & np.isfinite(score)
    if finite.all():
        best = np.maximum.reduceat(score, table.starts)
        size = np.maximum(np.abs(best), np.abs(np.minimum.reduceat(score, table.starts)))
    else:
        best = np.maximum.reduceat(np.where(allowed, score, -np.inf), table.starts)
        size = np.maximum.reduceat(np.where(finite, np.abs(score), 0.0), table.starts)
    return np.asarray(allowed & (score >= table.spread(best - NOISE * size)))


def _settled(equal: Flags, ties: Ties, table: GroupTable) -> Places:
    """One of the equals of each group: the first (strictest), the last or the middle one."""
    where = np.flatnonzero(equal)
    low, high = (np.searchsorted(where, ends) for ends in (table.starts, table.ends))
    number = high - low
    step = {"strict": 0 * number, "mild": number - 1, "middle": (number + 1) // 2 - 1}[ties]
    found = np.append(where, 0)[low + np.maximum(step, 0)] - table.starts
    return np.where(number > 0, found, NOWHERE)
