"""Newton's steps to a maximum of the likelihood in one, two or three parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats

MOST_STEPS = 200
CLOSE = 1e-7  # of a step: the error that it leaves is about its square
LONGEST = 2.0  # logarithms and standardised places: farther away the parabola tells nothing
FLAT = 1e-9  # of a score: rounding
FLATTEST = 1e-3  # of curvatures beside the largest: along a flatter line steps are shortened
SADDLE = 1e-9  # of curvatures beside the largest: what is nearer to 0 may be rounding
LEAVING = 0.01  # the shortest step away from a saddle
ROUNDING = 1e-13
STIFFEST = 1e12

Parameters = tuple[float, ...]


class Likelihood(NamedTuple):
    """The log likelihood of a case on average, its derivatives and the observed information.

    Derivatives are by changes that have no unit, such as those of the logarithm of a scale.
    """

    value: float
    score: Floats
    information: Floats


def maximised(
    likelihood: Callable[[Parameters], Likelihood],
    changed: Callable[[Parameters, Floats], Parameters],
    start: Parameters,
) -> Parameters | None:
    """Parameters after the last step; None where steps lead out of the floats, or nowhere.

    A step that loses is taken again, shorter and nearer to the steepest way.
    """
    at, here, ridge = start, likelihood(start), 0.0
    for _ in range(MOST_STEPS):
        if not np.isfinite(here.information).all() or not np.isfinite(here.score).all():
            return None
        step = _step(here, ridge)
        proposed = changed(at, step)
        if np.abs(step).max() < CLOSE:  # by itself, not because it was shortened
            return proposed if ridge <= 1 or np.abs(here.score).max() < FLAT else None
        there = likelihood(proposed)
        if there.value >= here.value - ROUNDING * (1 + abs(here.value)):
            at, here, ridge = proposed, there, ridge / 16 if ridge > CLOSE else 0.0
        elif ridge > STIFFEST:
            return None
        else:
            ridge = max(8 * ridge, FLATTEST)
    return None


def _step(here: Likelihood, ridge: float) -> Floats:
    """Upwards along every axis of the parabola, also where that one bends upwards.

    There a score of 0 is no maximum, as between two equal ones: the step leaves it.
    """
    bends, axes = np.linalg.eigh(here.information)
    upwards = bends < -SADDLE * np.abs(bends).max()
    bends = np.abs(bends)
    bends = np.maximum(bends, FLATTEST * bends.max() if ridge else np.finfo(float).tiny) + ridge
    along = here.score @ axes / bends
    least = np.where(upwards, LEAVING / (1 + ridge), 0.0)
    step = axes @ np.copysign(np.maximum(np.abs(along), least), along)
    return np.asarray(step / max(1.0, np.abs(step).max() / LONGEST))
