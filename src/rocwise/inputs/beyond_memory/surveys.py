"""What must be known of the labels and scores of a large source before anything is asked of it.

The few distinct labels are cleaned here, by the code that cleans rows; the engine is only told
which of them is which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Counts
from rocwise.engines.requests import MOST_LABELS, Asked, Survey
from rocwise.errors import InputError
from rocwise.inputs.clean_rows import DIRECTIONS, Direction, Missing
from rocwise.inputs.columns.labels import positive_mask
from rocwise.inputs.columns.scores import LARGEST_EXACT_INTEGER, score_column
from rocwise.inputs.columns.vectors import Vector, as_vector
from rocwise.inputs.rows import without_missing
from rocwise.results import Origin

EXACT_KINDS = frozenset(
    ["bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float32", "float64"]
)


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What to ask, and how many rows are left out because something is missing in them."""

    asked: Asked
    n_dropped: int


def surveyed(
    survey: Survey,
    *,
    label: str,
    scores: Sequence[str],
    pos_label: Any,
    direction: Direction,
    missing: Missing,
    complete: tuple[str, ...] = (),
) -> Surveyed:
    """Refuse what cannot be asked; else say which label is positive.

    The survey has looked at `scores` and at the columns that must be `complete` beside them.
    """
    checks.one_of(direction, "direction", DIRECTIONS)
    checks.one_of(missing, "missing", ("raise", "drop"))
    if survey.n_rows == 0:
        raise InputError(f"`{label}` is empty; at least one positive and one negative are needed.")
    raw = survey.labels.columns[label]
    labels = replace(as_vector(raw, label), counts=survey.labels.counts)
    if missing == "raise":
        _refuse_missing(labels, label, survey, [*scores, *complete])
    for name in scores:
        _refuse_unusable(survey, name)
    kept, n_dropped = _kept(labels, survey.unscored)
    present = np.flatnonzero(kept)
    values = replace(labels.kept(kept > 0), counts=kept[present], rows=None)
    mask = positive_mask(values, pos_label, label)
    positive, negative = (raw[present[np.flatnonzero(mask == k)[0]]] for k in (1, 0))
    asked = Asked(
        label=label,
        positive=_plain(positive),
        negative=_plain(negative),
        scores=tuple(scores),
        higher=direction == "higher",
        n_rows=int(kept.sum()),
        complete=complete,
    )
    return Surveyed(asked, n_dropped)


def _kept(labels: Vector, unscored: Counts) -> tuple[Counts, int]:
    """Complete rows of each label, and how many rows are not complete."""
    assert labels.counts is not None
    kept = labels.counts - unscored
    if labels.missing is not None:
        kept = np.where(labels.missing, 0, kept)
    if not kept.any():
        raise InputError("every row has a missing value; nothing is left to analyse.")
    return kept, int(labels.counts.sum() - kept.sum())


def _refuse_missing(labels: Vector, label: str, survey: Survey, scores: Sequence[str]) -> None:
    """Refuse missing values in the words in which rows are refused."""
    without_missing({label: labels}, "raise")
    for name in scores:
        lacking = survey.unscored_by[name]
        if lacking:
            counts = np.array([lacking, survey.n_rows - lacking])
            gaps = Vector(np.zeros(2), np.array([True, False]), counts=counts)
            without_missing({name: gaps}, "raise")


def _refuse_unusable(survey: Survey, name: str) -> None:
    """Refuse scores that are no numbers, or that floats cannot tell apart."""
    kind, ends = survey.kinds[name], survey.ends[name]
    if ends is None or kind in EXACT_KINDS:
        return
    values = as_vector(np.array(ends, dtype=object), name)
    score_column(
        replace(values, counts=np.ones(2, np.int64)), name, direction="higher", origin=Origin()
    )
    if kind == "object" or max(map(abs, ends)) > LARGEST_EXACT_INTEGER:
        raise InputError(
            f"`{name}` holds numbers of more digits than a float64 has, and more rows than fit "
            "into `memory_limit`. Raise `memory_limit`, or cast the column to DOUBLE if the last "
            "digits do not matter."
        )


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def too_many_labels(survey: Survey) -> bool:
    """Whether the survey did not list all labels."""
    assert survey.labels.counts is not None
    return len(survey.labels.counts) >= MOST_LABELS
