"""Rows of several classes: labels 0..m-1, and for every row one score per class.

A tally has two classes and one score, pairs two classes and several models.
"""

from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, count_of
from rocwise.results import Origin, read_only

SMALLEST, LARGEST = 1e-100, 1e100  # largest scores of rows that are used as they are


@dataclass(frozen=True, slots=True, eq=False)
class ClassRows:
    """Labels and scores of several classes, checked; built by `rocwise.inputs.several_classes`."""

    labels: Places  # the true class of each row, 0..m-1
    scores: Floats  # one column per class; no nan
    weights: Floats | None = None  # weight of each row: finite, not negative, not all zero
    names: tuple[str, ...] = ()  # names of classes or columns; empty: of an array
    classes: tuple[Any, ...] = ()  # labels of the columns; empty: column numbers
    rows: Places | None = None  # row numbers in the user's data, if some were left out
    clusters: Places | None = None  # cluster of each row, from 0; rows of one are not independent
    origin: Origin = field(default_factory=Origin)  # metadata of the data

    def __post_init__(self) -> None:
        for name in ("labels", "scores", "weights", "rows", "clusters"):
            array = getattr(self, name)
            if array is not None:
                object.__setattr__(self, name, read_only(array))

    @property
    def n_classes(self) -> int:
        """Number of classes m, the number of columns; some may have no row."""
        return int(self.scores.shape[1])

    @property
    def class_names(self) -> tuple[str, ...]:
        """What each class is called: its name, or the number of its column."""
        return self.names or tuple(map(str, range(self.n_classes)))

    @property
    def class_sizes(self) -> Floats:
        """Rows of each class, or the sum of their weights."""
        return np.bincount(self.labels, self.weights, minlength=self.n_classes).astype(np.float64)

    def row(self, place: int) -> int:
        """Number of a row in the user's data."""
        return place if self.rows is None else int(self.rows[place])


def checked_scores(y_score: Any, n_classes: int, argument: str = "y_score") -> Floats:
    """New rows for a fitted rule: an (n, m) table of finite numbers that are at least 0."""
    try:
        table = np.asarray(y_score, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        reason = str(problem).rstrip(".")
        raise InputError(f"`{argument}` cannot be read as numbers: {reason}.") from None
    if table.ndim != 2 or table.shape[1] != n_classes:
        raise InputError(
            f"`{argument}` must have one column for each of {n_classes} classes, in their order; "
            f"got an array of shape {table.shape}."
        )
    check_confidences(table, argument)
    return rescaled(table)


def rescaled(table: Floats) -> Floats:
    """Extreme rows times powers of two, near 1, so that a weight times a score stays a number."""
    largest = reduce(np.maximum, table.T, np.zeros(len(table)))  # faster than along short rows
    extreme = (largest > 0) & ((largest < SMALLEST) | (largest > LARGEST))
    if not extreme.any():
        return table
    exponents = np.where(extreme, np.frexp(largest)[1], 0)
    return np.asarray(np.ldexp(table, -exponents[:, None]))


def check_confidences(table: Floats, argument: str, rows: Places | None = None) -> None:
    """An error for confidences that are not finite or negative, which names the first."""
    for bad, (what, end), fix in (
        (~np.isfinite(table), ("value", " not finite"), "confidences must be finite"),
        (
            table < 0,
            ("negative value", ""),
            "confidences must be at least 0; turn log-odds into probabilities first, e.g. with "
            "scipy.special.softmax(y_score, axis=1)",
        ),
    ):
        if bad.any():
            place, column = (int(k) for k in np.argwhere(bad)[0])
            row = place if rows is None else int(rows[place])
            raise InputError(
                f"`{argument}` has {count_of(int(bad.sum()), what)}{end} (first "
                f"{table[place, column]:g} at row {row}, column {column}); {fix}."
            )
