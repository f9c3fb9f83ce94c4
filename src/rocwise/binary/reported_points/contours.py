"""Contours of the ROC square: where the index A, or the doubt about the area, is the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.results import Result, result

Quantity = Literal["a", "gap"]
USUAL: dict[Quantity, tuple[float, ...]] = {
    "a": (0.55, 0.6, 0.7, 0.8, 0.9, 0.95),
    "gap": (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4),
}
STEPS = 2001


@result
class BoundContours(Result):
    """Lines of equal A, or of equal gap between the bounds; nan in the arrays ends a line."""

    quantity: Quantity
    values: Floats
    fpr: tuple[Floats, ...]
    tpr: tuple[Floats, ...]

    def _sentence(self) -> str:
        name = "the index A" if self.quantity == "a" else "the gap between the bounds of the AUC"
        return f"contours of {name} at {', '.join(f'{value:g}' for value in self.values)}"

    def _columns(self) -> dict[str, Any]:
        sizes = [len(line) for line in self.fpr]
        return {
            "value": np.repeat(self.values, sizes),
            "fpr": np.concatenate(self.fpr),
            "tpr": np.concatenate(self.tpr),
        }


def auc_contours(
    quantity: Quantity = "a", *, values: Sequence[float] | None = None
) -> BoundContours:
    """Contours, above the diagonal, of what one operating point says about the AUC (3.2 to 3.5).

    Parameters
    ----------
    quantity : {"a", "gap"}
        The index A, or the gap between upper and lower bound: how much one point leaves open. The
        gap is largest near (0, 0) and (1, 1), where curves of all areas meet, and 0 on the
        diagonal.
    values : sequence of float, optional
        Where to draw contours: A between 0.5 and 1, the gap between 0 and 0.5.

    Returns
    -------
    BoundContours
        With `values` and one line each in `fpr` and `tpr`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.auc_contours("a", values=[0.8, 0.9])
    contours of the index A at 0.8, 0.9
    """
    checks.one_of(quantity, "quantity", get_args(Quantity))
    low, high = (0.5, 1.0) if quantity == "a" else (0.0, 0.5)
    given = USUAL[quantity] if values is None else np.ravel(np.asarray(values, dtype=object))
    chosen = [checks.real(value, "values") for value in given]
    if not chosen:
        raise InputError("`values` is empty; pass at least one, or leave it out.")
    for value in chosen:
        if not low < value < high:
            raise InputError(f"`values` must lie between {low:g} and {high:g}; got {value:g}.")
    lines = [_mirrored(*_lower_left(quantity, value)) for value in chosen]
    return BoundContours(
        quantity=quantity,
        values=np.array(chosen),
        fpr=tuple(line[0] for line in lines),
        tpr=tuple(line[1] for line in lines),
    )


def _lower_left(quantity: Quantity, value: float) -> tuple[Floats, Floats]:
    """The part of a contour with fpr + tpr <= 1: fpr as a function of tpr, in two formulas."""
    h = np.linspace(0.0, 1.0, STEPS)[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        if quantity == "a":
            top = 0.75 + h / 4 - value
            f = np.where(h < 0.5, top / (0.25 + 1 / (4 * h)), top / (1.25 - h))
        else:
            top = (1 - h) / 2 - value
            f = np.where(h < 0.5, top / (1 / (2 * h) - 0.5), top / (1.5 - 2 * h))
    inside = (f >= 0) & (f <= h) & (f + h <= 1 + 1e-12)
    return np.where(inside, f, np.nan), np.where(inside, h, np.nan)


def _mirrored(f: Floats, h: Floats) -> tuple[Floats, Floats]:
    """The part and its mirror image (1 - tpr, 1 - fpr), where both quantities are the same."""
    return (
        np.concatenate([f, [np.nan], 1 - h[::-1]]),
        np.concatenate([h, [np.nan], 1 - f[::-1]]),
    )
