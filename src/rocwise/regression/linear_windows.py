"""Windows of a series under a linear model, all at once.

The covariances of a linear model, and so the gains, do not depend on what is observed: they are
found once, by whatever filter, and every window then takes one product a step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.regression.filters.base import StateSpaceFilter
from rocwise.regression.filters.steps import FilterStep, Innovation, gain_of
from rocwise.regression.filters.time_loop import LOG_TWO_PI, steps_over_time
from rocwise.regression.state_space_models import Companion, LinearAutoregression


class Gains(NamedTuple):
    """Gain (p,) and standard deviation of the innovation at each time, and one step beyond."""

    gains: list[Floats]
    deviations: list[float]
    beyond: float


def is_linear(follower: StateSpaceFilter) -> bool:
    """Whether the filter follows a linear autoregression."""
    moving = follower._transition.function
    return isinstance(moving, Companion) and isinstance(moving.model, LinearAutoregression)


def gains_of(
    follower: StateSpaceFilter,
    window: Floats,
    process: Floats | None = None,
    observation: Floats | None = None,
) -> Gains:
    """What the filter learns from a window of this length, with its noises or these (1, n, n)."""
    step, mean, spread = follower._ready(1, process, observation)
    gains, deviations = [], []
    present = np.ones((len(window), 1), dtype=bool)
    for reached in steps_over_time(step, mean, spread, window[None, :, None], present):
        mean, spread = reached.mean, reached.spread
        gains.append(gain_of(reached.innovation)[0, :, 0])
        deviations.append(abs(float(reached.innovation.root[0, 0, 0])))
    beyond = abs(float(innovation_beyond(step, mean, spread).root[0, 0, 0]))
    return Gains(gains, deviations, beyond)


def innovation_beyond(step: FilterStep, mean: Floats, spread: Floats) -> Innovation:
    """What is expected one step after windows; refused where rounding used up the covariance."""
    try:
        mean, spread, _ = step.predict(mean, spread)
        return step.innovation(mean, spread)
    except np.linalg.LinAlgError:
        raise InputError(
            "Rounding has used up the covariance one step after the window. Give larger noises, or "
            "use a square-root filter."
        ) from None


def followed(
    follower: StateSpaceFilter, windows: Floats, found: Gains
) -> tuple[Floats, Floats, Floats]:
    """Forecasts beyond the windows (oldest value first), their deviations, log likelihoods."""
    moving = follower._transition
    mean = np.repeat(follower.initial_mean[None], len(windows), axis=0)
    total = np.zeros(len(windows))
    for t, (gain, deviation) in enumerate(zip(found.gains, found.deviations, strict=True)):
        mean = moving(mean)
        error = windows[:, t] - mean[:, 0]
        total -= 0.5 * (error / deviation) ** 2 + (0.5 * LOG_TWO_PI + np.log(deviation))
        mean = mean + error[:, None] * gain
    return moving(mean)[:, 0], np.full(len(windows), found.beyond), total
