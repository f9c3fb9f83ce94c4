"""Models on the same rows, or over clusters of them, where the rows do not fit into memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rocwise import checks
from rocwise.data.mergeable.range_states import RangeState
from rocwise.data.mergeable.summed_pairs import SummedPairs
from rocwise.engines import large_source
from rocwise.engines.requests import Asked, LargeSource
from rocwise.errors import InputError
from rocwise.inputs.beyond_memory.surveys import surveyed
from rocwise.inputs.clean_rows import Direction, Missing
from rocwise.results import Origin


def large_pairs(
    source: Any,
    *,
    label: str,
    scores: Sequence[str],
    groups: str | None,
    weights: str | None,
    pos_label: Any,
    direction: Direction,
    missing: Missing,
    memory_limit: Any,
) -> SummedPairs | None:
    """Tallies of the models and sums over the rows of all; None where the rows fit."""
    wanted = [label, *scores, *(name for name in (groups, weights) if name is not None)]
    with large_source(source, wanted, checks.memory(memory_limit, "memory_limit")) as rows:
        if rows is None:
            return None
        survey = rows.survey(label, [*scores] if groups is None else [*scores, groups])
        if weights is not None:
            raise _weights_need_rows(rows, survey.n_rows)
        found = surveyed(
            survey,
            label=label,
            scores=scores,
            pos_label=pos_label,
            direction=direction,
            missing=missing,
            complete=() if groups is None else (groups,),
        )
        asked = found.asked
        origin = Origin(
            frame=rows.library,
            direction=direction,
            n_dropped=found.n_dropped,
            read_by=rows.read_by,
        )
        clusters = None if groups is None else rows.cluster_sums(asked, groups)
        if clusters is not None:
            origin = replace(origin, n_clusters=clusters.n_clusters)
        tallies = {
            name: _state(rows, asked, name).tally(
                replace(origin, name=name),
                clusters=None if clusters is None else clusters.only(model),
            )
            for model, name in enumerate(scores)
        }
        by_row = clusters is None and len(scores) > 1
        sums = rows.pair_sums(asked) if by_row else clusters
        return SummedPairs(tallies, sums=sums, origin=origin)


def _weights_need_rows(rows: LargeSource, n_rows: int) -> InputError:
    """What to ask instead, where weights have no sums that add up over ranges of scores."""
    return InputError(
        "`sample_weight` is counted with equal rows of one model only: ask `auc` of each model "
        "without `groups`, scores and weights rounded (weights to multiples of 1/1024), or "
        f"{rows.in_memory(n_rows)}."
    )


def _state(rows: LargeSource, asked: Asked, name: str) -> RangeState:
    """One model over the rows that lack no score of any."""
    others = tuple(other for other in asked.scores if other != name)
    return rows.range_state(replace(asked, scores=(name,), complete=(*asked.complete, *others)))
