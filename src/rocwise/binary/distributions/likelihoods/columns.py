"""A sample as it is summed: in a unit in which neither squares nor differences lose digits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats
from rocwise.kernels.row_formulas import row_by_row, sums_of_rows

SOME = 2**13  # rows, evenly spread, that tell where the search of many is to begin
MANY = 4 * SOME


class Moments(NamedTuple):
    """Mean, standard deviation (of n, not n - 1) and kurtosis, which is 3 for a normal sample."""

    mean: float
    deviation: float
    kurtosis: float


class PlaceAndScale(NamedTuple):
    """Where the likelihood is largest, in the unit of a column, and its logarithm for a case."""

    place: float
    scale: float
    likelihood: float


@dataclass(frozen=True, eq=False)
class Column:
    """Numbers centre + unit * z."""

    z: Floats
    centre: float
    unit: float

    @cached_property
    def moments(self) -> Moments:
        """Of z."""
        (total,) = sums_of_rows(lambda z: (z.sum(),), self.z)
        mean = total / len(self.z)

        def powers(z: Floats) -> tuple[float, ...]:
            squares = (z - mean) ** 2
            return squares.sum(), (squares * squares).sum()

        second, fourth = (power / len(self.z) for power in sums_of_rows(powers, self.z))
        kurtosis = fourth / second**2 if second > 0 and second**2 > 0 else math.inf
        return Moments(mean, math.sqrt(second), kurtosis)

    def value(self, z: float) -> float:
        """What stands at this place."""
        return self.centre + self.unit * z

    def few(self) -> Column | None:
        """Some of many rows, where these tell anything."""
        if len(self.z) < MANY:
            return None
        some = Column(self.z[:: len(self.z) // SOME].copy(), self.centre, self.unit)
        return some if some.moments.deviation > 0 else None


def in_own_unit(values: Floats) -> Column:
    """The values from one in their middle, in a power of two: both steps are exact for most."""
    largest = max(abs(float(values.min())), abs(float(values.max())))
    unit = math.ldexp(1.0, math.frexp(largest)[1] - 1)
    centre = float(np.median(values[:: max(1, len(values) // SOME)]))
    middle = centre / unit
    return Column(row_by_row(lambda some: some / unit - middle, values), centre, unit)


@dataclass(frozen=True, eq=False)
class Sample:
    """Values, of which only those above 0 have logarithms."""

    values: Floats

    @cached_property
    def column(self) -> Column:
        """The values as they are summed."""
        return in_own_unit(self.values)

    @cached_property
    def narrow(self) -> bool:
        """Whether the values are alike: then differences have digits that logarithms would lose."""
        return bool(self.values.max() / 2 < self.values.min())

    @cached_property
    def logs(self) -> Column:
        """Their logarithms."""
        if not self.narrow:
            return in_own_unit(row_by_row(np.log, self.values))
        centre = self.column.centre
        offsets = row_by_row(lambda some: np.log1p((some - centre) / centre), self.values)
        return Column(offsets, math.log(centre), 1.0)

    @cached_property
    def mean_log(self) -> float:
        """The mean of the logarithms."""
        return self.logs.value(self.logs.moments.mean)
