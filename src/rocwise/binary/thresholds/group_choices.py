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
