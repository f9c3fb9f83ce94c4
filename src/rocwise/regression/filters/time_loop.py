"""The loop over time that all filters share."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

import numpy as np

from rocwise.arrays import Flags, Floats, Places
from rocwise.errors import InputError
from rocwise.regression.blas_threads import one_thread_for_small_products
from rocwise.regression.filters.square_roots import root_of_rows, solve_root
from rocwise.regression.filters.steps import CrossCovariance, FilterStep, Innovation, gain_of

LOG_TWO_PI = math.log(2 * math.pi)


class StepResult(NamedTuple):
    """Everything one step found, for a batch of series."""

    predicted_mean: Floats
    predicted_spread: Floats
    cross_covariance: CrossCovariance  # of the state before the step with the state after it
    innovation: Innovation
    mean: Floats
    spread: Floats
    log_density: Floats | float


def steps_over_time(
    step: FilterStep,
    mean: Floats,
    spread: Floats,
    observed: Floats,
    present: Flags,
) -> Iterator[StepResult]:
    """Predict, form the innovation and update, for each time.

    `observed` is (batch, T, d), and `present` (T, d) says what of it was observed.
    """
    counts = present.sum(axis=1).tolist()
    with one_thread_for_small_products(mean.shape[1]):
        for t in range(observed.shape[1]):
            columns = None if counts[t] == len(present[t]) else np.flatnonzero(present[t])
            try:
                found = _step_taken(step, mean, spread, observed[:, t], counts[t], columns)
            except np.linalg.LinAlgError:
                _explain(mean, t, step.square_root)
            mean, spread = found.mean, found.spread
            yield found


def _step_taken(
    step: FilterStep,
    mean: Floats,
    spread: Floats,
    observed: Floats,
    count: int,
    columns: Places | None,
) -> StepResult:
    """One time: of the values (batch, d) `count` were observed, those in `columns` or all."""
    foreseen, foreseen_spread, cross_covariance = step.predict(mean, spread)
    innovation = step.innovation(foreseen, foreseen_spread)
    mean, spread = foreseen, foreseen_spread
    log_density: Floats | float = 0.0
    if count:
        error = observed - innovation.forecast
        gain, log_density = _gain_and_log_density(innovation, error, columns)
        mean = mean + (gain @ error[:, :, None])[:, :, 0]
        spread = step.update(spread, gain, innovation)
    return StepResult(
        foreseen, foreseen_spread, cross_covariance, innovation, mean, spread, log_density
    )


def steps_ahead(
    step: FilterStep, mean: Floats, spread: Floats
) -> Iterator[tuple[Innovation, Floats, Floats]]:
    """What will be observed 1, 2, ... steps later, with mean and spread of the state then."""
    steps = 0
    while True:
        steps += 1
        try:
            mean, spread, _cross_covariance = step.predict(mean, spread)
            innovation = step.innovation(mean, spread)
        except np.linalg.LinAlgError:
            innovation = None
        if innovation is None or not (
            np.isfinite(innovation.forecast).all() and np.isfinite(innovation.root).all()
        ):
            raise InputError(
                f"The forecast {steps} steps ahead is not finite, or rounding has used up its "
                "covariance: the model explodes. Ask for fewer steps."
            )
        yield innovation, mean, spread


def _gain_and_log_density(
    innovation: Innovation, error: Floats, columns: Places | None
) -> tuple[Floats, Floats | float]:
    """Gain and log density of the observation, or of those columns of it that were observed."""
    if columns is None:
        return gain_of(innovation), _log_density(innovation.root, error)
    part = Innovation(
        innovation.forecast[:, columns],
        root_of_rows(innovation.root[:, columns].transpose(0, 2, 1)),
        innovation.cross[:, :, columns],
        None,
    )
    gain = np.zeros_like(innovation.cross)  # what was not observed moves nothing
    gain[:, :, columns] = gain_of(part)
    return gain, _log_density(part.root, error[:, columns])


def _log_density(root: Floats, error: Floats) -> Floats | float:
    if root.shape == (1, 1, 1):  # the usual case, without the overhead of arrays
        deviation = root.item()
        scaled = error.item() / deviation
        return -0.5 * (scaled * scaled + LOG_TWO_PI) - math.log(deviation)
    scaled_error = solve_root(root, error[:, :, None])[:, :, 0]
    squares = np.einsum("bi,bi->b", scaled_error, scaled_error)
    logs = np.log(np.abs(np.einsum("bii->bi", root))).sum(axis=1)
    return np.asarray(-0.5 * (squares + error.shape[1] * LOG_TWO_PI) - logs)


def _explain(mean: Floats, t: int, square_root: bool) -> NoReturn:
    if not np.isfinite(mean).all():
        refuse_infinite(t)
    advice = "Larger noises help." if square_root else "The square-root filters keep it definite."
    raise InputError(
        f"The covariance is no longer positive definite at row {t} of `y`: rounding has used it "
        f"up, as where `initial_covariance` is much larger than the noises. {advice}"
    ) from None


def refuse_infinite(t: int) -> NoReturn:
    """Say where the model left the range of numbers."""
    raise InputError(
        f"The state is no longer finite at row {t} of `y`: `transition` or `observation` gave an "
        "infinity or a nan, the model explodes, or what it starts from (`initial_mean`, "
        "`initial_covariance`) or adds (`offset`) is too large for a number."
    )
