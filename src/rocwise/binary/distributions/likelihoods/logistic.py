"""The logistic distribution: with y = (x - m) / s its density is 1 / (4 s cosh(y / 2)**2)."""

from __future__ import annotations

import math

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.distributions.likelihoods.columns import Column, PlaceAndScale
from rocwise.binary.distributions.likelihoods.newton_steps import (
    Likelihood,
    Parameters,
    maximised,
)
from rocwise.kernels.row_formulas import sums_of_rows


def logistic_fit(column: Column) -> PlaceAndScale | None:
    """Of many rows from where some of them have theirs."""
    some = column.few()
    near = None if some is None else _climbed(some, _by_moments(some))
    found = None if near is None else _climbed(column, near)
    if found is None:
        found = _climbed(column, _by_moments(column))
    if found is None:
        return None
    return PlaceAndScale(found[0], found[1], _likelihood(column.z, found).value)


def _by_moments(column: Column) -> Parameters:
    return column.moments.mean, column.moments.deviation * math.sqrt(3) / math.pi


def _climbed(column: Column, start: Parameters) -> Parameters | None:
    if not start[1] > 0:
        return None
    return maximised(lambda at: _likelihood(column.z, at), scaled_and_shifted, start)


def scaled_and_shifted(at: Parameters, step: Floats) -> Parameters:
    """Place and scale after a step, which is told in scales and as a logarithm."""
    return at[0] + at[1] * float(step[0]), at[1] * math.exp(step[1])


def _likelihood(z: Floats, at: Parameters) -> Likelihood:
    place, scale = at

    def add(z: Floats) -> tuple[float, ...]:
        y = (z - place) / scale
        far = np.abs(y)
        small = np.exp(-far)
        value = far + 2 * np.log(1 + small)
        pull = np.copysign((1 - small) / (1 + small), y)
        bend = (1 - pull * pull) / 2
        by_place, pulled = bend * y, pull * y
        return (
            *(value.sum(), pull.sum(), pulled.sum()),
            *(bend.sum(), by_place.sum(), (by_place * y).sum()),
        )

    value, pull, pulled, bend, leaning, spread = (total / len(z) for total in sums_of_rows(add, z))
    across = leaning + pull
    return Likelihood(
        -value - math.log(scale),
        np.array([pull, pulled - 1]),
        np.array([[bend, across], [across, spread + pulled]]),
    )
