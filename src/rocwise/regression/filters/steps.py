"""One step of a filter: predict the state, form the innovation, update with the observation.

Three kinds. The linearised step carries a covariance through Jacobians; the sigma-point step
carries it through deviation rows; the square-root step carries a triangular root and never forms
the covariance itself.
All arrays have a leading axis for the series that are filtered at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.regression.filters.model_functions import ModelFunction
from rocwise.regression.filters.sigma.sigma_points import SigmaPointRule
from rocwise.regression.filters.square_roots import (
    cholesky,
    downdated_or_rebuilt,
    root_of_rows,
    rows_of_noise,
    solve_root,
)

FEWEST_SINGLE = 32  # columns from which single entries are picked, not multiplied

CrossCovariance: TypeAlias = tuple[Floats, Floats]
"""Two factors E, D of the covariance E'D of a state with the next; rarely multiplied."""


class Innovation(NamedTuple):
    """The coming observation as predicted, against which the observed one is held.

    Its mean, a root of its covariance, its cross-covariance with the state, and what the update
    of the step that made it needs besides.
    """

    forecast: Floats
    root: Floats
    cross: Floats
    detail: Any


class FilterStep(Protocol):
    """One step of a filter; `spread` is a covariance or a root, as `square_root` says."""

    square_root: bool

    def predict(self, mean: Floats, spread: Floats) -> tuple[Floats, Floats, CrossCovariance]:
        """Mean and spread one step later, and the cross-covariance of both states."""

    def innovation(self, mean: Floats, spread: Floats) -> Innovation:
        """What will be observed."""

    def update(self, spread: Floats, gain: Floats, innovation: Innovation) -> Floats:
        """The spread once the observation is known."""


class LinearisedStep:
    """The Kalman filter on the tangents of the functions (their values, if they are linear)."""

    square_root = False

    def __init__(
        self,
        transition: ModelFunction,
        observation: ModelFunction,
        process_noise: Floats,
        observation_noise: Floats,
        augmented: bool,
    ) -> None:
        self.transition: ModelFunction = transition
        self.observation: ModelFunction = observation
        self.process_noise: Floats = process_noise
        self.observation_noise: Floats = observation_noise
        self.augmented = augmented

    def _tangent(
        self, function: ModelFunction, mean: Floats, noise: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Value, Jacobian by the state, and the noise as it arrives in the value."""
        # copies, as functions of the user may work in place
        if not self.augmented:
            return function(mean.copy()), function.jacobian(mean.copy()), noise
        still = np.zeros((len(mean), noise.shape[-1]))
        both = function.jacobian(mean.copy(), still.copy())
        by_state, by_noise = both[:, :, : mean.shape[1]], both[:, :, mean.shape[1] :]
        arriving = by_noise @ noise @ by_noise.transpose(0, 2, 1)
        return function(mean.copy(), still), by_state, arriving

    def predict(self, mean: Floats, spread: Floats) -> tuple[Floats, Floats, CrossCovariance]:
        """P = A P A' + Q."""
        value, slope, noise = self._tangent(self.transition, mean, self.process_noise)
        turned = slope.transpose(0, 2, 1)
        return value, slope @ (spread @ turned) + noise, (spread, turned)

    def innovation(self, mean: Floats, spread: Floats) -> Innovation:
        """S = H P H' + R."""
        value, slope, noise = self._tangent(self.observation, mean, self.observation_noise)
        cross = spread @ slope.transpose(0, 2, 1)
        root = cholesky(slope @ cross + noise)
        return Innovation(value, root, cross, (slope, noise))

    def update(self, spread: Floats, gain: Floats, innovation: Innovation) -> Floats:
        """Joseph's form of P - K S K': the same, and a sum of squares."""
        slope, noise = innovation.detail
        kept = np.eye(spread.shape[-1]) - gain @ slope
        turned = gain.transpose(0, 2, 1)
        return np.asarray(kept @ spread @ kept.transpose(0, 2, 1) + gain @ noise @ turned)


class PointTransform:
    """Sends the points of a rule through one function; remembers what is the same in each step."""

    def __init__(
        self,
        function: ModelFunction,
        rule: SigmaPointRule,
        noise: Floats,
        augmented: bool,
        batch: int,
    ) -> None:
        self.function: ModelFunction = function
        self.rule: SigmaPointRule = rule
        self.augmented: bool = augmented
        self.noise: Floats = noise
        noise_rows = rows_of_noise(noise)
        if not augmented:  # a singular noise needs no rows of zeros
            noise_rows = noise_rows[:, (noise_rows != 0).any(axis=(0, 2))]
        self.noise_rows: Floats = np.broadcast_to(noise_rows, (batch, *noise_rows.shape[1:]))
        self.n_points: int = len(rule.offsets)
        self.n_rows: int = len(rule.row_weights)
        self.around: Floats = np.concatenate([rule.offsets, rule.input_weights])
        self.single: tuple[Places, Floats] | None = _single_entries(self.around)
        removed = [] if rule.removed_weights is None else [rule.removed_weights]
        self.weights: Floats = np.concatenate([rule.row_weights, rule.mean_weights[None], *removed])

    def __call__(self, mean: Floats, root: Floats) -> tuple[Floats, Floats, Floats | None, Floats]:
        """Mean, deviation rows and subtracted row of the image; deviation rows of the state.

        Added noise is among the deviation rows, after those of the points.
        """
        batch, size = mean.shape
        turned = root.transpose(0, 2, 1)
        if self.augmented:
            turned = _block_diagonal(turned, self.noise_rows)
        if self.single is None:
            around = self.around @ turned
        else:  # the same numbers, without the products with 0
            columns, sizes = self.single
            around = sizes[:, None] * np.ascontiguousarray(turned)[:, columns]
        points = around[:, : self.n_points]
        points[:, :, :size] += mean[:, None, :]
        flat = points.reshape(-1, points.shape[2])
        inputs = (flat[:, :size], flat[:, size:]) if self.augmented else (flat,)
        values = self.function(*inputs).reshape(batch, self.n_points, -1)
        centre = values[:, :1]
        values = values - centre  # weights of 1e6 and more would magnify the rounding of Z itself
        combined = self.weights @ values
        rows = combined[:, : self.n_rows]
        if not self.augmented:
            rows = np.concatenate([rows, self.noise_rows], axis=1)
        return (
            centre[:, 0] + combined[:, self.n_rows],
            rows,
            None if self.rule.removed_weights is None else combined[:, -1],
            around[:, self.n_points :, :size],
        )


def _single_entries(matrix: Floats) -> tuple[Places, Floats] | None:
    """Column and size of the one entry in each row; None for small matrices, and for others."""
    filled = matrix != 0
    if matrix.shape[1] < FEWEST_SINGLE or (filled.sum(axis=1) > 1).any():
        return None
    columns = filled.argmax(axis=1)
    return columns, matrix[np.arange(len(matrix)), columns]


class SigmaPointStep:
    """Points around the mean are sent through the functions; the covariance is their spread."""

    square_root = False

    def __init__(self, transition: PointTransform, observation: PointTransform) -> None:
        self.transition: PointTransform = transition
        self.observation: PointTransform = observation

    def predict(self, mean: Floats, spread: Floats) -> tuple[Floats, Floats, CrossCovariance]:
        """Mean and covariance of the images of the points."""
        sent = self.transition(mean, cholesky(spread))
        centre, rows, removed, state_rows = sent
        return centre, _covariance(rows, removed), (state_rows, rows)

    def innovation(self, mean: Floats, spread: Floats) -> Innovation:
        """Points drawn anew around the prediction, as they will be observed."""
        sent = self.observation(mean, cholesky(spread))
        centre, rows, removed, state_rows = sent
        root = cholesky(_covariance(rows, removed))
        return Innovation(centre, root, product_of((state_rows, rows)), None)

    def update(self, spread: Floats, gain: Floats, innovation: Innovation) -> Floats:
        """P - K S K'."""
        taken = gain @ innovation.root
        return np.asarray(spread - taken @ taken.transpose(0, 2, 1))


class SquareRootStep:
    """The same points; what is carried is the triangular root of the covariance."""

    square_root = True

    def __init__(self, transition: PointTransform, observation: PointTransform) -> None:
        self.transition: PointTransform = transition
        self.observation: PointTransform = observation

    def predict(self, mean: Floats, spread: Floats) -> tuple[Floats, Floats, CrossCovariance]:
        """Mean and root of the images of the points."""
        centre, rows, removed, state_rows = self.transition(mean, spread)
        return centre, _root(rows, removed), (state_rows, rows)

    def innovation(self, mean: Floats, spread: Floats) -> Innovation:
        """Points drawn anew around the prediction, as they will be observed."""
        centre, rows, removed, state_rows = self.observation(mean, spread)
        cross = product_of((state_rows, rows))
        return Innovation(centre, _root(rows, removed), cross, (rows, removed, state_rows))

    def update(self, spread: Floats, gain: Floats, innovation: Innovation) -> Floats:
        """Root of P - K S K'.

        With E the rows of the state and D those of the observation, noise included (where E is
        zero), P - K S K' is the square of E - D K', so that nothing has to be subtracted. Only a
        negative weight makes a downdate necessary.
        """
        rows, removed, state_rows = innovation.detail
        if removed is not None:
            return downdated_or_rebuilt(spread, gain @ innovation.root)
        left = rows @ gain.transpose(0, 2, 1)  # the sign of a row does not matter
        left[:, : state_rows.shape[1]] -= state_rows
        return root_of_rows(left)


def product_of(cross_covariance: CrossCovariance) -> Floats:
    """E'D; rows of D after those of E belong to noise that E knows nothing of."""
    first, second = cross_covariance
    return first.transpose(0, 2, 1) @ second[:, : first.shape[1]]


def _covariance(rows: Floats, removed: Floats | None) -> Floats:
    covariance = rows.transpose(0, 2, 1) @ rows
    return covariance if removed is None else covariance - removed[:, :, None] * removed[:, None, :]


def _root(rows: Floats, removed: Floats | None) -> Floats:
    root = root_of_rows(rows)
    return root if removed is None else downdated_or_rebuilt(root, removed[:, :, None])


def _block_diagonal(first: Floats, second: Floats) -> Floats:
    batch, n, m = len(first), first.shape[1], second.shape[1]
    joined = np.zeros((batch, n + m, n + m))
    joined[:, :n, :n] = first
    joined[:, n:, n:] = second
    return joined


def gain_of(innovation: Innovation) -> Floats:
    """K = Pxy S^-1 by two triangular solves."""
    half = solve_root(innovation.root, innovation.cross.transpose(0, 2, 1))
    return solve_root(innovation.root, half, transposed=True).transpose(0, 2, 1)
