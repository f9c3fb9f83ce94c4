"""What the columns of a table may hold: enough to invent rows like it, and to encode them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Array, Floats
from rocwise.errors import InputError, listed

Columns = list[Array]


@dataclass(frozen=True, slots=True, eq=False)
class Numeric:
    """Any number from `low` to `high`."""

    name: str
    low: float
    high: float

    def sample(self, n_rows: int, rng: np.random.RandomState) -> Array:
        """Numbers drawn uniformly from the range."""
        return rng.uniform(self.low, self.high, n_rows)

    def encode(self, values: Array) -> Floats:
        """The numbers as they are, in one column."""
        return as_numbers(values, self.name)[:, np.newaxis]


@dataclass(frozen=True, slots=True, eq=False)
class Nominal:
    """One of a few values."""

    name: str
    values: Array

    def sample(self, n_rows: int, rng: np.random.RandomState) -> Array:
        """Values drawn uniformly, each as often as the others."""
        return self.values[rng.randint(len(self.values), size=n_rows)]

    def encode(self, values: Array) -> Floats:
        """One column per value, 1 where a row holds it."""
        same = values[:, np.newaxis] == self.values[np.newaxis, :]
        unknown = ~same.any(axis=1)
        if unknown.any():
            row = int(unknown.argmax())
            raise InputError(
                f"column {self.name!r} holds {listed([values[row]])} at row {row}, which did not "
                f"occur when fitting; known are {listed(self.values)}."
            )
        return np.asarray(same, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Attributes:
    """The attributes of a table, in the order of its columns."""

    members: tuple[Numeric | Nominal, ...]

    @classmethod
    def of(cls, columns: Columns, names: Sequence[str], nominal: frozenset[int]) -> Attributes:
        """Ranges of the numeric columns, values of the nominal ones."""
        members: list[Numeric | Nominal] = []
        for place, (values, name) in enumerate(zip(columns, names, strict=True)):
            if place in nominal:
                members.append(Nominal(name, _distinct(values, name)))
            else:
                numbers = as_numbers(values, name)
                members.append(Numeric(name, float(numbers.min()), float(numbers.max())))
        return cls(tuple(members))

    def sample(self, n_rows: int, rng: np.random.RandomState) -> Columns:
        """Columns of rows that never were: every attribute drawn by itself."""
        return [member.sample(n_rows, rng) for member in self.members]

    def encode(self, columns: Columns) -> Floats:
        """A matrix of numbers, nominal attributes one-hot."""
        pairs = zip(self.members, columns, strict=True)
        return np.hstack([member.encode(values) for member, values in pairs])

    @property
    def nominal_names(self) -> list[str]:
        """Names of the nominal attributes."""
        return [member.name for member in self.members if isinstance(member, Nominal)]


def as_numbers(values: Array, name: str) -> Floats:
    """A numeric column, finite everywhere."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"column {name!r} does not hold numbers; name it in `nominal` to take it for nominal."
        ) from None
    bad = ~np.isfinite(numbers)
    if bad.any():
        row = int(bad.argmax())
        raise InputError(f"column {name!r} holds {numbers[row]:g} at row {row}; fill it in first.")
    return numbers


def _distinct(values: Array, name: str) -> Array:
    missing = np.array([value is None or value != value for value in values], dtype=bool)
    if missing.any():
        raise InputError(
            f"column {name!r} has no value at row {int(missing.argmax())}; fill it in first."
        )
    try:
        return np.unique(values)
    except TypeError:  # values that do not compare keep the order in which they came
        return np.array(list(dict.fromkeys(values.tolist())), dtype=object)
