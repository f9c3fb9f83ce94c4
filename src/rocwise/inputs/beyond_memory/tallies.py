"""The tally of rows that do not fit into memory: counted where they are stored, or by ranges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from rocwise import checks
from rocwise.data.amounts.smooth_steps import SmoothPlan
from rocwise.data.mergeable.range_states import BINS
from rocwise.data.tally import Tally
from rocwise.engines import large_source
from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.requests import LargeSource, Survey
from rocwise.errors import InputError
from rocwise.inputs.beyond_memory.surveys import surveyed
from rocwise.inputs.clean_rows import (
    Direction,
    Missing,
    counted_columns,
    of_counts,
    refuse_label_as_score,
    tally_of,
)
from rocwise.inputs.columns.vectors import Vector
from rocwise.results import Origin

MOST_DISTINCT = 10_000_000  # scores that a table in memory may have


def tally_anywhere(
    source: Any,
    smooth: SmoothPlan | None = None,
    *,
    label: str,
    score: str,
    sample_weight: str | None = None,
    pos_label: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
    resolution: int | None = None,
    memory_limit: Any = None,
) -> Tally:
    """The tally of a frame or file, whether its rows fit into memory or not.

    With a plan of a smooth curve, a tally in bins has the steps of that curve too.
    """
    checks.column_names(label=label, score=score, sample_weight=sample_weight)
    refuse_label_as_score(label, [score])
    names = (label, score, sample_weight)
    described: dict[str, Any] = {
        "names": names,
        "pos_label": pos_label,
        "direction": direction,
        "missing": missing,
        "resolution": resolution,
    }
    ask = partial(tally_of, **described)
    large = large_tally(source, ask, smooth, memory_limit=memory_limit, **described)
    return large or of_counts(source, names, sample_weight, ask)


def large_tally(
    source: Any,
    ask: Callable[[dict[str, Vector]], Tally],
    smooth: SmoothPlan | None = None,
    *,
    names: tuple[str, str, str | None],
    pos_label: Any,
    direction: Direction,
    missing: Missing,
    resolution: int | None,
    memory_limit: Any,
) -> Tally | None:
    """A tally without the rows: exact, or in bins with the sums that make its area exact.

    `ask` makes the tally of counted rows. None where the rows fit into memory.
    """
    label, score, weight = names
    wanted = [name for name in names if name is not None]
    memory = checks.memory(memory_limit, "memory_limit")
    with large_source(source, wanted, memory, counting=True) as rows:
        if rows is None:
            return None
        counted = rows.counted(wanted, weight) if rows.few(wanted) else None
        if counted is None:
            survey = rows.survey(label, [score])
            counted = _counted(rows, survey, names)
        if counted is not None:
            tally = ask(counted_columns(counted))
            return tally.with_origin(replace(tally.origin, read_by=rows.read_by))
        if weight is not None:
            raise _weights_need_memory(weight, rows, survey.n_rows)
        found = surveyed(
            survey,
            label=label,
            scores=[score],
            pos_label=pos_label,
            direction=direction,
            missing=missing,
        )
        bins = BINS if resolution is None else checks.whole(resolution, "resolution", at_least=2)
        if smooth is not None:
            smooth = replace(smooth, higher=found.asked.higher) if resolution is None else None
        state = rows.range_state(replace(found.asked, bins=bins, smooth=smooth))
        origin = Origin(
            frame=rows.library,
            direction=direction,
            n_dropped=found.n_dropped,
            name=score,
            read_by=rows.read_by,
        )
    return state.tally(origin, keep_sums=resolution is None)


def _counted(
    rows: LargeSource, survey: Survey, names: tuple[str, str, str | None]
) -> CountedRows | None:
    """Distinct rows, where they are few."""
    label, score, weight = names
    if survey.distinct[score] > MOST_DISTINCT:
        return None
    wanted = [name for name in (label, score, weight) if name is not None]
    return rows.counted(wanted, weight)


def _weights_need_memory(weight: str, rows: LargeSource, n_rows: int) -> InputError:
    return InputError(
        f"`sample_weight` {weight!r} and the scores differ between so many of the {n_rows:,} rows "
        "that equal rows cannot be counted, and sums of weights over ranges of scores would be "
        "rounded differently for every way of cutting them. Round scores and weights (weights to "
        f"multiples of 1/1024) so that equal rows are counted, or {rows.in_memory(n_rows)}."
    )
