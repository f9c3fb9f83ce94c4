"""The loop over time that all filters share."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

import numpy as np

from rocwise.arrays import Flags, Floats, Places
from rocwise.errors import InputError
from rocwise.regression.filters.square_roots import root_of_rows, solve_root
from rocwise.regression.filters.steps import Link, Look, Moves, gain_of

LOG_TWO_PI = math.log(2 * math.pi)


class Step(NamedTuple):
    """Everything one step found, for a batch of series."""

    predicted_mean: Floats
    predicted_spread: Floats
    link: Link  # of the state before the step with the state after it
    look: Look
    mean: Floats
    spread: Floats
    log_density: Floats | float


def walk(
    moves: Moves,
    mean: Floats,
    spread: Floats,
    observed: Floats,
    present: Flags,
) -> Iterator[Step]:
    """Predict, look, update for each time of `observed` (batch, T, d); `present` is (T, d)."""
    counts = present.sum(axis=1).tolist()
    for t in range(observed.shape[1]):
        try:
            foreseen, foreseen_spread, link = moves.predict(mean, spread)
            look = moves.look(foreseen, foreseen_spread)
            mean, spread = foreseen, foreseen_spread
            log_density: Floats | float = 0.0
            if counts[t]:
                columns = None if counts[t] == len(present[t]) else np.flatnonzero(present[t])
                error = observed[:, t] - look.forecast
                gain, log_density = _weigh(look, error, columns)
                mean = mean + (gain @ error[:, :, None])[:, :, 0]
                spread = moves.shrink(spread, gain, look)
        except np.linalg.LinAlgError:
            _explain(mean, t, moves.square_root)
        yield Step(foreseen, foreseen_spread, link, look, mean, spread, log_density)


def ahead(moves: Moves, mean: Floats, spread: Floats) -> Iterator[tuple[Look, Floats, Floats]]:
    """What will be observed 1, 2, ... steps later, with mean and spread of the state then."""
    steps = 0
    while True:
        steps += 1
        try:
            mean, spread, _link = moves.predict(mean, spread)
            look = moves.look(mean, spread)
        except np.linalg.LinAlgError:
            look = None
        if look is None or not (np.isfinite(look.forecast).all() and np.isfinite(look.root).all()):
            raise InputError(
                f"The forecast {steps} steps ahead is not finite, or rounding has used up its "
                "covariance: the model explodes. Ask for fewer steps."
            )
        yield look, mean, spread


def _weigh(look: Look, error: Floats, columns: Places | None) -> tuple[Floats, Floats | float]:
    """Gain and log density of the observation, or of those columns of it that were observed."""
    if columns is None:
        return gain_of(look), _log_density(look.root, error)
    part = Look(
        look.forecast[:, columns],
        root_of_rows(look.root[:, columns].transpose(0, 2, 1)),
        look.cross[:, :, columns],
        None,
    )
    gain = np.zeros_like(look.cross)  # what was not observed moves nothing
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
        f"up. {advice}"
    ) from None


def refuse_infinite(t: int) -> NoReturn:
    """Say where the model left the range of numbers."""
    raise InputError(
        f"The state is no longer finite at row {t} of `y`: `transition` or `observation` "
        "gave an infinity or a nan, or the model explodes."
    )
