"""Which rows are positive."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Codes
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.vectors import Vector


def positive_mask(labels: Vector, pos_label: Any, argument: str) -> Codes:
    """1 for every positive row; needs exactly two distinct labels, both present.

    Without `pos_label`, the labels must be 0/1, -1/1 or booleans, and 1 (True) is positive.
    """
    if labels.categories:
        named = np.asarray(labels.categories)[labels.values]
        labels = replace(labels, values=named, categories=())
    if pos_label is None:
        mask, n_pos = _usual_labels(labels.values, argument)
    else:
        mask, n_pos = _declared_labels(labels.values, pos_label, argument)
    if n_pos == 0 or n_pos == len(mask):
        absent = "positive" if n_pos == 0 else "negative"
        only = labels.values[0]
        raise InputError(
            f"`{argument}` has no {absent} example, so ROC is undefined: "
            f"all {labels.n_rows():,} labels are {listed([only])}."
        )
    return mask


def _usual_labels(values: Array, argument: str) -> tuple[Codes, int]:
    """0/1, -1/1 or booleans."""
    if values.dtype.kind not in "biuf":
        raise InputError(_which_is_positive(values, argument))
    contiguous = np.ascontiguousarray(values)
    for negative in (0, -1):
        if negative < 0 and values.dtype.kind in "bu":
            break
        mask, n_pos, first_bad = kernels.match_labels(contiguous, negative, 1)
        if first_bad < 0:
            return mask, n_pos
    raise InputError(_which_is_positive(values, argument))


def _declared_labels(values: Array, pos_label: Any, argument: str) -> tuple[Codes, int]:
    if np.ndim(pos_label) != 0:
        raise InputError(f"`pos_label` must be one label; got {shown(pos_label, 60)}.")
    is_positive = np.asarray(values == pos_label)
    n_pos = int(np.count_nonzero(is_positive))
    if n_pos == 0:
        raise InputError(
            f"`pos_label` {shown(pos_label)} does not occur in `{argument}`, which holds "
            f"{listed(_distinct(values))}, so there is no positive example."
        )
    others = values[~is_positive]
    if len(others) and not bool(np.all(others == others[0])):
        distinct = _distinct(values)
        raise InputError(
            f"`{argument}` must hold two classes; got {len(distinct):,} distinct labels: "
            f"{listed(distinct)}. Keep two of them, or map the others to one negative label."
        )
    return is_positive.view(np.uint8), n_pos


def _which_is_positive(values: Array, argument: str) -> str:
    distinct = _distinct(values)
    if len(distinct) > 2:
        return (
            f"`{argument}` must hold two classes, as 0/1, -1/1 or booleans; got {len(distinct):,} "
            f"distinct labels: {listed(distinct)}. Keep two of them and name the positive one "
            "with pos_label=."
        )
    return (
        f"`{argument}` holds {listed(distinct)}, which does not say which class is positive. "
        f"Pass pos_label={listed(distinct[-1:])} (or the other)."
    )


def _distinct(values: Array) -> list[Any]:
    try:
        return list(np.unique(values))
    except TypeError:  # mixed types do not sort
        return list(dict.fromkeys(values.tolist()))
