"""Groups of rows that do not fit into memory: counted rows of each, or the sums of its area."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.data.mergeable.exact_sums import GroupSums
from rocwise.data.mergeable.range_states import RangeState
from rocwise.data.tally import Tally
from rocwise.engines import large_source
from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.requests import LargeSource, Survey
from rocwise.errors import InputError
from rocwise.inputs.beyond_memory.made_when_asked import MadeWhenAsked
from rocwise.inputs.beyond_memory.surveys import surveyed
from rocwise.inputs.clean_rows import Direction, Missing, counted_columns
from rocwise.inputs.rows import without_missing
from rocwise.inputs.subgroups import GroupedColumns, refuse_group
from rocwise.kernels import PlacementSums
from rocwise.results import Origin

MOST_COUNTED = 10_000_000  # distinct rows of label, score and group
OF_SUMS = ("auc", "auc_variance", "test_auc", "step_area")  # need no curve
OPTIONS_OF_SUMS = {"method", "level", "null", "alternative", "ties"}
NOT_OF_SUMS = ("bootstrap", "bca", "exact", "wilcoxon")


def large_groups(
    source: Any,
    question: str,
    asked_for: Mapping[str, Any],
    *,
    label: str,
    score: str,
    by: str,
    sample_weight: str | None = None,
    pos_label: Any,
    direction: Direction,
    missing: Missing = "raise",
    resolution: int | None,
    memory_limit: Any,
) -> Mapping[Any, Tally] | None:
    """The tally of each group, groups sorted; None where the rows fit into memory."""
    checks.column_names(label=label, score=score, by=by, sample_weight=sample_weight)
    wanted = [name for name in (label, score, by, sample_weight) if name is not None]
    memory = checks.memory(memory_limit, "memory_limit")
    with large_source(source, wanted, memory, counting=True) as rows:
        if rows is None:
            return None
        counted = rows.counted(wanted, sample_weight) if rows.few(wanted) else None
        if counted is None:
            survey = rows.survey(label, [score, by])
            counted = _counted(rows, survey, wanted, (score, by, sample_weight))
        if counted is not None:
            columns, n_dropped = without_missing(counted_columns(counted), missing)
            split = GroupedColumns(columns, n_dropped, label, score, sample_weight, None, by)
            tallies = split.tallies(pos_label, direction, resolution)
            return {
                name: tally.with_origin(replace(tally.origin, read_by=rows.read_by))
                for name, tally in tallies.items()
            }
        _refuse_curves(question, asked_for, sample_weight)
        found = surveyed(
            survey,
            label=label,
            scores=[score],
            pos_label=pos_label,
            direction=direction,
            missing=missing,
            complete=(by,),
        )
        sums = rows.group_sums(found.asked, by)
        origin = Origin(
            frame=rows.library,
            direction=direction,
            n_dropped=found.n_dropped,
            name=score,
            read_by=rows.read_by,
        )
    return _tallies(sums, by, origin)


def _counted(
    rows: LargeSource, survey: Survey, wanted: list[str], names: tuple[str, str, str | None]
) -> CountedRows | None:
    """Distinct rows, where they are few."""
    score, by, weight = names
    if max(survey.distinct[score], survey.distinct[by]) > MOST_COUNTED:
        return None
    return rows.counted(wanted, weight)


def _refuse_curves(question: str, asked_for: Mapping[str, Any], weight: str | None) -> None:
    """Refuse what needs more of a group than its sums."""
    given = {name for name, value in asked_for.items() if value is not None}
    method = str(asked_for.get("method", "auto"))
    fits = question in OF_SUMS and given <= OPTIONS_OF_SUMS and method not in NOT_OF_SUMS
    if fits and weight is None:
        return
    raise InputError(
        f"`by` of more rows than `memory_limit` holds, with this many distinct scores, answers for "
        f"whole areas without weights and without resampling ({', '.join(OF_SUMS)}). Raise "
        "`memory_limit`, or round the scores so that equal rows can be counted."
    )


def _tallies(sums: GroupSums, by: str, origin: Origin) -> MadeWhenAsked[Tally]:
    """A tally for each group, all rows in one bin, with the sums that make its area exact."""
    names = np.asarray(sums.groups).tolist()
    columns = [sums.columns[name] for name in PlacementSums._fields]
    n_pos, n_neg = columns[:2]
    one_class = np.flatnonzero((n_pos == 0) | (n_neg == 0))
    if len(one_class):
        k = int(one_class[0])
        refuse_group(names[k], by, int(n_pos[k]), int(n_pos[k] + n_neg[k]))

    def tally(place: int) -> Tally:
        placed = PlacementSums(*(int(column[place]) for column in columns))
        pos, neg = np.array([placed.n_pos]), np.array([placed.n_neg])
        return RangeState(placed, np.array([-np.inf]), pos, neg).tally(origin)

    return MadeWhenAsked(names, tally, sums.columns)
