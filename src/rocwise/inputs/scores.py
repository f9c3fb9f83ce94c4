"""Scores of any kind as floats that can be sorted without losing their order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocwise.errors import InputError, listed
from rocwise.inputs.vectors import Vector
from rocwise.results import Origin
from rocwise.tallies import ScoreColumn

LARGEST_EXACT_INTEGER = 2**53


def score_column(scores: Vector, argument: str, *, direction: str, origin: Origin) -> ScoreColumn:
    """Oriented float scores with what is needed to give them back in the user's units."""
    values, meanings, categories = _as_floats(scores, argument)
    oriented = 0 - values if direction == "lower" else values
    origin = Origin(
        frame=origin.frame,
        direction=direction,
        n_dropped=origin.n_dropped,
        categories=categories,
        name=origin.name or scores.name,
    )
    return ScoreColumn(np.ascontiguousarray(oriented), meanings, origin)


def _as_floats(
    scores: Vector, argument: str
) -> tuple[NDArray[np.floating], NDArray[np.generic] | None, tuple[str, ...]]:
    """Sortable floats, the meaning of positions (if they are positions), category names."""
    values = scores.values
    if scores.categories:
        return _ordered_categories(scores)
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind == "f" and size in (4, 8):
        return values.astype(values.dtype.newbyteorder("="), copy=False), None, ()
    if kind == "f" and size == 2:
        return values.astype(np.float32), None, ()
    if kind in "iub":
        return _integers(values)
    raise InputError(_not_numbers(values, argument))


def _integers(
    values: NDArray[np.generic],
) -> tuple[NDArray[np.floating], NDArray[np.generic] | None, tuple[str, ...]]:
    """Integers as floats; those too large for a float's mantissa are ranked instead."""
    if values.dtype.itemsize == 8:
        low, high = int(values.min()), int(values.max())
        if max(abs(low), abs(high)) > LARGEST_EXACT_INTEGER:
            meanings, positions = np.unique(values, return_inverse=True)
            return positions.astype(np.float64), meanings, ()
    small = values.dtype.itemsize <= 2
    return values.astype(np.float32 if small else np.float64), None, ()


def _ordered_categories(
    scores: Vector,
) -> tuple[NDArray[np.floating], NDArray[np.generic] | None, tuple[str, ...]]:
    """Positions of ordered categories; ascending numbers stand for themselves."""
    try:
        numbers = np.asarray([float(category) for category in scores.categories])
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if len(numbers) and bool(np.all(np.diff(numbers) > 0)):
        return numbers[scores.values], None, ()
    names = tuple(str(category) for category in scores.categories)
    return scores.values.astype(np.float64), None, names


def _not_numbers(values: NDArray[np.generic], argument: str) -> str:
    if values.dtype.kind in "US":
        texts = values.tolist()
        row = next((i for i, text in enumerate(texts) if not _is_number(text)), 0)
        fix = (
            "Convert the column to numbers first."
            if all(map(_is_number, texts[:100]))
            else "Use an ordered categorical if the text is a rating."
        )
        return (
            f"`{argument}` must hold numbers; got text "
            f"(first {listed([texts[row]])} at row {row}). {fix}"
        )
    return f"`{argument}` must hold real numbers; got values of type {values.dtype}."


def _is_number(text: object) -> bool:
    try:
        float(str(text))
    except ValueError:
        return False
    return True
