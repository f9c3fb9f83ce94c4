"""One step of a filter: predict the state, form the innovation, update with the observation.

Three kinds. The linearised step carries a covariance through Jacobians; the sigma-point step
carries it through deviation rows; the square-root step carries a triangular root and never forms
the covariance itself.
All arrays have a leading axis for the series that are filtered at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from rocwise.arrays import Floats
from rocwise.regression.filters.model_functions import ModelFunction
from rocwise.regression.filters.sigma.sigma_points import SigmaPointRule
from rocwise.regression.filters.square_roots import (
    cholesky,
    downdated_or_rebuilt,
    root_of_rows,
    root_with_triangle,
    rows_of_noise,
    solve_root,
)

FEWEST_BY_PAIRS = 32  # states from which rows are formed pair by pair, not by one product

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


class Image(NamedTuple):
    """What became of the points: mean, deviation rows, and those of the state that was sent.

    A row whose square is subtracted comes apart; only a negative weight of the centre makes one.
    """

    mean: Floats
    rows: Floats
    removed: Floats | None
    state_rows: Floats


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
        self.noise: Floats | None = None if augmented else noise  # what is added to the image
        rows = rows_of_noise(noise)
        self.noise_rows: Floats = np.broadcast_to(
            rows if augmented else root_of_rows(rows).transpose(0, 2, 1), (batch, *rows.shape[1:])
        )
        self.small: tuple[Floats, Floats] | None = None
        if rule.size < FEWEST_BY_PAIRS:  # the rule as two matrices
            offsets = rule.points(np.zeros((1, rule.size)), np.eye(rule.size)[None])
            shift, of_rows = rule.rows_of(np.eye(2 * rule.size + 1)[None])
            self.small = offsets[0], np.concatenate([of_rows[0], shift])

    def __call__(self, mean: Floats, root: Floats) -> Image:
        """The image of the points around means (batch, n); noise that is added is not in it."""
        batch, size = mean.shape
        turned = root.transpose(0, 2, 1)
        if self.augmented:
            turned = _block_diagonal(turned, self.noise_rows)
        if self.small is None:
            points = self.rule.points(mean, turned)
        else:
            points = self.small[0] @ turned
            points[:, :, :size] += mean[:, None, :]
        flat = points.reshape(-1, points.shape[2])
        inputs = (flat[:, :size], flat[:, size:]) if self.augmented else (flat,)
        values = self.function(*inputs).reshape(batch, 2 * self.rule.size + 1, -1)
        centre = values[:, :1]
        values = values - centre  # weights of 1e6 and more would magnify the rounding of Z itself
        if self.small is None:
            shift, rows = self.rule.rows_of(values)
        else:
            combined = self.small[1] @ values
            shift, rows = combined[:, -1], combined[:, :-1]
        removed = None
        if self.rule.centre is not None and self.rule.centre < 0:
            removed, rows = rows[:, -1], rows[:, :-1]
        return Image(centre[:, 0] + shift, rows, removed, turned[:, :, :size])


class SigmaPointStep:
    """Points around the mean are sent through the functions; the covariance is their spread."""

    square_root = False

    def __init__(self, transition: PointTransform, observation: PointTransform) -> None:
        self.transition: PointTransform = transition
        self.observation: PointTransform = observation

    def predict(self, mean: Floats, spread: Floats) -> tuple[Floats, Floats, CrossCovariance]:
        """Mean and covariance of the images of the points."""
        image = self.transition(mean, cholesky(spread))
        covariance = _covariance(image, self.transition.noise)
        return image.mean, covariance, (image.state_rows, image.rows)

    def innovation(self, mean: Floats, spread: Floats) -> Innovation:
        """Points drawn anew around the prediction, as they will be observed."""
        image = self.observation(mean, cholesky(spread))
        root = cholesky(_covariance(image, self.observation.noise))
        return Innovation(image.mean, root, product_of((image.state_rows, image.rows)), None)

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
        image = self.transition(mean, spread)
        if self.transition.augmented:
            root = root_of_rows(image.rows)
        else:
            root = root_with_triangle(self.transition.noise_rows, image.rows)
        return image.mean, _lowered(root, image), (image.state_rows, image.rows)

    def innovation(self, mean: Floats, spread: Floats) -> Innovation:
        """Points drawn anew around the prediction, as they will be observed."""
        image = self.observation(mean, spread)
        rows = image.rows
        if not self.observation.augmented:
            rows = np.concatenate([rows, self.observation.noise_rows], axis=1)
        rows = _folded(rows, image.state_rows.shape[1])
        cross = product_of((image.state_rows, rows))
        root = _lowered(root_of_rows(rows), image)
        return Innovation(image.mean, root, cross, (rows, image))

    def update(self, spread: Floats, gain: Floats, innovation: Innovation) -> Floats:
        """Root of P - K S K'.

        With E the rows of the state and D those of the observation, noise included (where E is
        zero), P - K S K' is the square of E - D K', so that nothing has to be subtracted. Only a
        negative weight makes a downdate necessary.
        """
        rows, image = innovation.detail
        if image.removed is not None:
            return downdated_or_rebuilt(spread, gain @ innovation.root)
        left = rows @ gain.transpose(0, 2, 1)  # the sign of a row does not matter
        left[:, : image.state_rows.shape[1]] -= image.state_rows
        return root_of_rows(left)


def product_of(cross_covariance: CrossCovariance) -> Floats:
    """E'D; rows of D after those of E are of what E knows nothing of: sums of pairs, and noise."""
    first, second = cross_covariance
    return first.transpose(0, 2, 1) @ second[:, : first.shape[1]]


def _covariance(image: Image, noise: Floats | None) -> Floats:
    covariance = image.rows.transpose(0, 2, 1) @ image.rows
    if noise is not None:
        covariance = covariance + noise
    if image.removed is not None:
        covariance = covariance - image.removed[:, :, None] * image.removed[:, None, :]
    return covariance


def _folded(rows: Floats, kept: int) -> Floats:
    """The first rows as they are, and the fewest that have the same square as the others."""
    if kept < FEWEST_BY_PAIRS or rows.shape[1] - kept <= rows.shape[2]:
        return rows
    others = root_of_rows(rows[:, kept:]).transpose(0, 2, 1)
    return np.concatenate([rows[:, :kept], others], axis=1)


def _lowered(root: Floats, image: Image) -> Floats:
    if image.removed is None:
        return root
    return downdated_or_rebuilt(root, image.removed[:, :, None])


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
