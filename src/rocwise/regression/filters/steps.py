"""One step of a filter, and the loop over time of all filters.

Triangular roots of covariances are computed by QR, never from the covariance itself. A sigma-point
rule gives *deviation rows*: D with D'D the covariance of the image, and E with E'D its covariance
with the state. Points come in pairs on either side of the mean. Rows are formed of the difference
and of the sum of each pair, so that E is the transposed root itself, and zero for the sums.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeAlias

import numpy as np

from rocwise import checks
from rocwise.arrays import Flags, Floats
from rocwise.errors import InputError, RocwiseWarning, shown, warn

ROUNDING = float(np.finfo(np.float64).eps)
DIFFERENCE_STEP = 1e-4  # of the central differences, relative where the state is above 1
LOG_TWO_PI = math.log(2 * math.pi)
STATES_WITHOUT_THREADS = range(24, 400)  # whose products are so short that threads slow them down


class LostDefinitenessWarning(RocwiseWarning):
    """Rounding made a covariance indefinite; it was rebuilt from its clipped eigenvalues."""


def root_of_rows(rows: Floats) -> Floats:
    """Lower triangles T with T T' = rows' rows, for rows (batch, m, n); diagonals of any sign."""
    batch, height, width = rows.shape
    if height < width:
        rows = np.concatenate([rows, np.zeros((batch, width - height, width))], axis=1)
    return np.asarray(np.linalg.qr(rows, mode="r")).transpose(0, 2, 1)


def cholesky(covariance: Floats) -> Floats:
    """Lower triangles of definite covariances (batch, n, n)."""
    return np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)


def positive_diagonal(roots: Floats) -> Floats:
    """The same triangles with columns turned so that no diagonal is negative."""
    return np.asarray(roots * np.copysign(1.0, np.einsum("...ii->...i", roots))[..., None, :])


def downdated_or_rebuilt(root: Floats, columns: Floats) -> Floats:
    """Roots T chol(I - P P') of T T' - C C', with T P = C; failures are rebuilt, with a warning."""
    scaled = np.linalg.pinv(root) @ columns
    inner = np.eye(root.shape[1]) - scaled @ scaled.transpose(0, 2, 1)
    failed = np.linalg.eigvalsh(inner)[:, 0] <= 0
    inner[failed] = np.eye(root.shape[1])
    lowered = root @ cholesky(inner)
    if failed.any():
        wanted = root[failed] @ root[failed].transpose(0, 2, 1)
        removed = columns[failed] @ columns[failed].transpose(0, 2, 1)
        values, vectors = np.linalg.eigh(wanted - removed)
        floor = values[:, -1:].clip(min=np.finfo(np.float64).tiny) * values.shape[1] * ROUNDING
        kept = np.sqrt(np.maximum(values, floor))[:, :, None]
        lowered[failed] = root_of_rows(kept * vectors.transpose(0, 2, 1))
        warn(
            "A covariance was no longer positive definite after the update; it was rebuilt from "
            "its eigenvalues, clipped at rounding error. Weights that are not negative "
            "(alpha=1, beta=2, kappa=0) never need this.",
            LostDefinitenessWarning,
        )
    return lowered


def solve_root(root: Floats, right: Floats, *, transposed: bool = False) -> Floats:
    """Solve T x = b, or T' x = b, for lower triangles T (batch, n, n)."""
    if root.shape[1] == 1:
        return right / root
    return np.asarray(np.linalg.solve(root.swapaxes(1, 2) if transposed else root, right))


def one_blas_thread(n_states: int) -> AbstractContextManager[Any]:
    """Limit numerical libraries to one thread where products are too short for more."""
    if n_states not in STATES_WITHOUT_THREADS:
        return nullcontext()
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    limited: AbstractContextManager[Any] = threadpool_limits(1, user_api="blas")
    return limited


@dataclass(frozen=True)
class SigmaPointRule:
    """Positions of the points of a state, the mean first, and weights of their images."""

    size: int
    distance: float
    weight: float  # in the mean of the image, of each point but the first
    of_difference: float  # factor of differences of pairs of images in the rows
    of_sum: float
    center: float | None = None  # weight of the squared row of the first point, if it has one

    def points(self, mean: Floats, turned: Floats) -> Floats:
        """The points (batch, 2n + 1, n) around means (batch, L), entries after L being noise."""
        offsets = self.distance * turned
        around = np.concatenate([np.zeros_like(turned[:, :1]), offsets, -offsets], axis=1)
        around[:, :, : mean.shape[1]] += mean[:, None, :]
        return around

    def rows_of(self, images: Floats) -> tuple[Floats, Floats]:
        """Mean of images less the first, and their rows, that of the center last."""
        above, below = images[:, 1 : self.size + 1], images[:, self.size + 1 :]
        differences, sums = self.of_difference * (above - below), above + below
        shift = self.weight * sums.sum(axis=1)
        if self.center is None:  # sums are relative to the image of the mean
            return shift, np.concatenate([differences, self.of_sum * sums], axis=1)
        sums = self.of_sum * (sums - 2.0 * shift[:, None])
        row = math.sqrt(abs(self.center)) * shift[:, None]
        return shift, np.concatenate([differences, sums, row], axis=1)


class ModelFunction:
    """A function of the user: states (n, L), and noises (n, q) if it takes them, to (n, width)."""

    def __init__(
        self,
        function: Callable[..., Any],
        argument: str,
        *,
        vectorized: bool,
        jacobian: Callable[..., Any] | None = None,
    ) -> None:
        for name, given in ((argument, function), (f"{argument}_jacobian", jacobian)):
            if name != argument and given is None:
                continue  # differences replace derivatives
            if not callable(given):
                raise InputError(f"`{name}` must be a function; got {type(given).__name__}.")
            if isinstance(given, type):
                raise InputError(f"`{name}` must be a function; got the class {shown(given)}.")
        vectorized = checks.flag(vectorized, "vectorized")
        self.function: Callable[..., Any] = function
        self.jacobian_function: Callable[..., Any] | None = jacobian
        self.argument: str = argument
        self.vectorized: bool = vectorized
        self.width: int | None = None  # the filter sets it
        self._jacobian_by_state: bool | None = None if vectorized else True  # None: not yet known

    def measure(self, *inputs: Floats) -> int:
        """Set `width` to the number of values that the function returns, by calling it once."""
        states = inputs if self.vectorized else [each[0] for each in inputs]
        try:
            first = self._real(self.function(*states))
        except InputError:
            raise
        except (TypeError, ValueError) as problem:
            raise self._no_numbers(problem) from problem
        if first.ndim > 1 + self.vectorized or (self.vectorized and first.shape[:1] != (1,)):
            self._raise_shape(first.shape, (1, "d") if self.vectorized else ("d",))
        self.width = max(first.size, 1)
        return self.width

    def __call__(self, *inputs: Floats) -> Floats:
        """Values for each row of the inputs."""
        n, width = len(inputs[0]), self.width
        if self.vectorized:
            values = self._real(self.function(*inputs))
            if values.shape == (n, width):
                return values
            if width == 1 and values.shape == (n,):
                return values[:, None]
            self._raise_shape(values.shape, (n, width))
        found = [self.function(*row) for row in zip(*inputs)]  # noqa: B905
        arrays = [self._real(value) for value in found]
        for value in arrays:
            if value.shape != (width,) and not (width == 1 and value.shape == ()):
                self._raise_shape(value.shape, (width,))
        return np.array(arrays).reshape(n, -1)

    def _real(self, values: Any, part: str = "") -> Floats:
        """Returned values as floats; numpy would keep the real part of complex numbers."""
        try:
            array = np.asarray(values)
            if array.dtype.kind != "c":
                return np.asarray(array, dtype=np.float64)
        except (TypeError, ValueError) as problem:
            raise self._no_numbers(problem, part) from problem
        raise InputError(
            f"`{self.argument}{part}` must return real numbers; it returned complex ones."
        )

    def _no_numbers(self, problem: Exception, part: str = "") -> InputError:
        return InputError(
            f"`{self.argument}{part}` must be a function of a state that gives numbers; calling it "
            f"raised {type(problem).__name__}: {problem}."
        )

    def _raise_shape(self, shape: tuple[int, ...], wanted: tuple[Any, ...]) -> None:
        words = ", ".join(map(str, wanted)) + ("," if len(wanted) == 1 else "")
        hint = " for the states it was given" if self.vectorized else " for one state"
        raise InputError(
            f"`{self.argument}` must return an array of shape ({words}){hint}; "
            f"it returned the shape {shape}."
        )

    def jacobian(self, *inputs: Floats) -> Floats:
        """Derivatives by all inputs, side by side: (n, width, L) or (n, width, L + q)."""
        n, size = len(inputs[0]), sum(each.shape[1] for each in inputs)
        if self.jacobian_function is None:
            return self._differences(*inputs)
        if self._jacobian_by_state is None:
            self._jacobian_by_state = not self._takes_many_states(*inputs)
        if self._jacobian_by_state:
            rows = zip(*inputs)  # noqa: B905
            found = self._real([self.jacobian_function(*row) for row in rows], "_jacobian")
        else:
            found = self._real(self.jacobian_function(*inputs), "_jacobian")
        shape = (n, self.width, size)
        if found.shape != shape and not (found.size == n == found.shape[0] and shape == (n, 1, 1)):
            raise InputError(
                f"`{self.argument}_jacobian` must return an array of shape {shape[1:]} for one "
                f"state; it returned the shape {found.shape[1:]}."
            )
        return found.reshape(n, -1, size)

    def _takes_many_states(self, *inputs: Floats) -> bool:
        """Whether the Jacobian function turns (k, L) into (k, width, .), tried on equal states."""
        assert self.jacobian_function is not None and self.width is not None
        size = sum(each.shape[1] for each in inputs)
        k = size + self.width + 1  # unlike every other length, so that no shape fits by chance
        try:
            found = np.shape(self.jacobian_function(*(each[:1].repeat(k, 0) for each in inputs)))
        except (IndexError, TypeError, ValueError):  # as of a function of one state
            return False
        return found == (k, self.width, size) or (
            self.width == size == 1 and found in {(k,), (k, 1)}
        )

    def _differences(self, *inputs: Floats) -> Floats:
        """Central differences at two steps, combined so that their cubic error cancels."""
        near, far = (self._central_differences(k * DIFFERENCE_STEP, *inputs) for k in (1, 2))
        return np.asarray((4 * near - far) / 3)

    def _central_differences(self, step: float, *inputs: Floats) -> Floats:
        together = np.concatenate(inputs, axis=1)
        n, size = together.shape
        shifts = (step * np.maximum(1.0, np.abs(together)))[:, None, :] * np.eye(size)
        points = np.concatenate([together[:, None] + shifts, together[:, None] - shifts], axis=1)
        taken = np.einsum("nii->ni", points[:, :size]) - np.einsum("nii->ni", points[:, size:])
        flat = points.reshape(-1, size)
        cut = inputs[0].shape[1]
        parts = (flat,) if len(inputs) == 1 else (flat[:, :cut], flat[:, cut:])
        values = self(*parts).reshape(n, 2, size, -1)
        return np.asarray(((values[:, 0] - values[:, 1]) / taken[:, :, None]).transpose(0, 2, 1))


class Innovation(NamedTuple):
    """The predicted observation: mean, root of its covariance, cross-covariance with the state."""

    forecast: Floats
    root: Floats
    cross: Floats
    detail: Any


@dataclass(frozen=True, eq=False)
class LinearizedStep:
    """The Kalman filter on the tangents of the functions; its dispersion is a covariance."""

    square_root: ClassVar[bool] = False
    transition: ModelFunction
    observation: ModelFunction
    process_noise: Floats
    observation_noise: Floats
    augmented: bool

    def _tangent(
        self, function: ModelFunction, mean: Floats, noise: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Value, Jacobian by the state, and covariance of the noise in the value."""
        # copies, as functions of the user may work in place
        if not self.augmented:
            return function(mean.copy()), function.jacobian(mean.copy()), noise
        still = np.zeros((len(mean), noise.shape[-1]))
        both = function.jacobian(mean.copy(), still.copy())
        by_state, by_noise = both[:, :, : mean.shape[1]], both[:, :, mean.shape[1] :]
        in_value = by_noise @ noise @ by_noise.transpose(0, 2, 1)
        return function(mean.copy(), still), by_state, in_value

    def predict(self, mean: Floats, dispersion: Floats) -> tuple[Floats, Floats, Floats]:
        """Mean, P = A P A' + Q, and the cross-covariance of the states before and after."""
        value, slope, noise = self._tangent(self.transition, mean, self.process_noise)
        cross = dispersion @ slope.transpose(0, 2, 1)
        return value, slope @ cross + noise, cross

    def innovation(self, mean: Floats, dispersion: Floats) -> Innovation:
        """S = H P H' + R."""
        value, slope, noise = self._tangent(self.observation, mean, self.observation_noise)
        cross = dispersion @ slope.transpose(0, 2, 1)
        root = cholesky(slope @ cross + noise)
        return Innovation(value, root, cross, (slope, noise))

    def update(self, dispersion: Floats, gain: Floats, innovation: Innovation) -> Floats:
        """Joseph's form of P - K S K': the same, and a sum of squares."""
        slope, noise = innovation.detail
        kept = np.eye(dispersion.shape[-1]) - gain @ slope
        turned = gain.transpose(0, 2, 1)
        return np.asarray(kept @ dispersion @ kept.transpose(0, 2, 1) + gain @ noise @ turned)


class Image(NamedTuple):
    """The image of the points: mean, deviation rows with those of the noise, those of the state."""

    mean: Floats
    rows: Floats
    removed: Floats | None
    state_rows: Floats

    def cross_covariance(self) -> Floats:
        """E'D with the state; E is zero for the rows of D after its own."""
        rows = self.rows[:, : self.state_rows.shape[1]]
        return np.asarray(self.state_rows.transpose(0, 2, 1) @ rows)


class PointTransform:
    """Sends the points of a rule through one function."""

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
        values, vectors = np.linalg.eigh(noise)  # which may be singular
        rows = np.sqrt(values.clip(min=0.0))[..., :, None] * vectors.swapaxes(-1, -2)
        self.noise_rows: Floats = np.broadcast_to(
            rows if augmented else root_of_rows(rows).transpose(0, 2, 1), (batch, *rows.shape[1:])
        )

    def __call__(self, mean: Floats, root: Floats) -> Image:
        """The image of the points around means (batch, n)."""
        batch, size = mean.shape
        turned = root.transpose(0, 2, 1)
        if self.augmented:
            turned = _block_diagonal(turned, self.noise_rows)
        points = self.rule.points(mean, turned)
        flat = points.reshape(-1, points.shape[2])
        inputs = (flat[:, :size], flat[:, size:]) if self.augmented else (flat,)
        values = self.function(*inputs).reshape(batch, 2 * self.rule.size + 1, -1)
        center = values[:, :1]
        values = values - center  # weights of 1e6 and more would magnify the rounding of Z itself
        shift, rows = self.rule.rows_of(values)
        removed = None
        if self.rule.center is not None and self.rule.center < 0:
            removed, rows = rows[:, -1:], rows[:, :-1]
        if not self.augmented:
            rows = np.concatenate([rows, self.noise_rows], axis=1)
        return Image(center[:, 0] + shift, rows, removed, turned[:, :, :size])


@dataclass(frozen=True, eq=False)
class SigmaPointStep:
    """Mean and covariance of sigma points sent through the functions."""

    square_root: ClassVar[bool] = False
    transition: PointTransform
    observation: PointTransform

    def root_of(self, dispersion: Floats) -> Floats:
        """Triangular roots of the covariances."""
        return cholesky(dispersion)

    def dispersion_of(self, image: Image) -> Floats:
        """Covariances of the images."""
        covariance = image.rows.transpose(0, 2, 1) @ image.rows
        if image.removed is not None:
            covariance = covariance - image.removed.transpose(0, 2, 1) @ image.removed
        return np.asarray(covariance)

    def predict(self, mean: Floats, dispersion: Floats) -> tuple[Floats, Floats, Floats]:
        """Mean and dispersion of the images, and the cross-covariance of both states."""
        image = self.transition(mean, self.root_of(dispersion))
        return image.mean, self.dispersion_of(image), image.cross_covariance()

    def innovation(self, mean: Floats, dispersion: Floats) -> Innovation:
        """New points around the prediction, sent through the observation."""
        image = self.observation(mean, self.root_of(dispersion))
        root = self.root_of(self.dispersion_of(image))
        return Innovation(image.mean, root, image.cross_covariance(), image)

    def update(self, dispersion: Floats, gain: Floats, innovation: Innovation) -> Floats:
        """P - K S K'."""
        taken = gain @ innovation.root
        return np.asarray(dispersion - taken @ taken.transpose(0, 2, 1))


class SquareRootStep(SigmaPointStep):
    """The same with the triangular root of the covariance as dispersion."""

    square_root = True

    def root_of(self, dispersion: Floats) -> Floats:
        """The dispersion itself."""
        return dispersion

    def dispersion_of(self, image: Image) -> Floats:
        """Roots of the covariances of the images."""
        root = root_of_rows(image.rows)
        if image.removed is None:
            return root
        return downdated_or_rebuilt(root, image.removed.transpose(0, 2, 1))

    def update(self, dispersion: Floats, gain: Floats, innovation: Innovation) -> Floats:
        """Root of P - K S K', the square of the rows E - D K'; negative weights downdate it."""
        image = innovation.detail
        if image.removed is not None:
            return downdated_or_rebuilt(dispersion, gain @ innovation.root)
        left = image.rows @ gain.transpose(0, 2, 1)  # the sign of a row does not matter
        left[:, : image.state_rows.shape[1]] -= image.state_rows
        return root_of_rows(left)


def _block_diagonal(first: Floats, second: Floats) -> Floats:
    batch, n, m = len(first), first.shape[1], second.shape[1]
    joined = np.zeros((batch, n + m, n + m))
    joined[:, :n, :n] = first
    joined[:, n:, n:] = second
    return joined


FilterStep: TypeAlias = LinearizedStep | SigmaPointStep


class StepResult(NamedTuple):
    """Results of one step for a batch of series."""

    predicted_mean: Floats
    predicted_dispersion: Floats
    cross_covariance: Floats  # of the state before the step with the state after it
    innovation: Innovation
    mean: Floats
    dispersion: Floats
    log_density: Floats


def steps_over_time(
    step: FilterStep, mean: Floats, dispersion: Floats, observed: Floats, present: Flags
) -> Iterator[StepResult]:
    """Predict, form the innovation and update, for each time of (batch, T, d)."""
    with one_blas_thread(mean.shape[1]):
        for t in range(observed.shape[1]):
            try:
                found = _step_taken(step, mean, dispersion, observed[:, t], present[t])
            except np.linalg.LinAlgError:
                _explain(mean, t, step.square_root)
            mean, dispersion = found.mean, found.dispersion
            yield found


def _step_taken(
    step: FilterStep, mean: Floats, dispersion: Floats, observed: Floats, present: Flags
) -> StepResult:
    """One time; `present` (d,) marks which of the values (batch, d) were observed."""
    mean, dispersion, cross_covariance = step.predict(mean, dispersion)
    innovation = step.innovation(mean, dispersion)
    predicted, log_density = (mean, dispersion), np.zeros(len(mean))
    if present.any():
        error = observed - innovation.forecast
        gain, log_density = _gain_and_log_density(innovation, error, present)
        mean = mean + (gain @ error[:, :, None])[:, :, 0]
        dispersion = step.update(dispersion, gain, innovation)
    return StepResult(*predicted, cross_covariance, innovation, mean, dispersion, log_density)


def steps_ahead(
    step: FilterStep, mean: Floats, dispersion: Floats
) -> Iterator[tuple[Innovation, Floats, Floats]]:
    """Predicted observation, mean and dispersion of the state 1, 2, ... steps later."""
    for steps in count(1):
        try:
            mean, dispersion, _ = step.predict(mean, dispersion)
            innovation = step.innovation(mean, dispersion)
            finite = bool(
                np.isfinite(innovation.forecast).all() & np.isfinite(innovation.root).all()
            )
        except np.linalg.LinAlgError:
            finite = False
        if not finite:
            raise InputError(
                f"The forecast {steps} steps ahead is not finite, or its covariance is lost to "
                "rounding: the model is unstable. Use fewer steps."
            )
        yield innovation, mean, dispersion


def _gain_and_log_density(
    innovation: Innovation, error: Floats, present: Flags
) -> tuple[Floats, Floats]:
    """Gain K = Pxy S^-1 by two triangular solves, and log density, of the observed columns."""
    root, columns = innovation.root, slice(None) if present.all() else present
    if columns is present:
        root = root_of_rows(root[:, present].transpose(0, 2, 1))
        error = error[:, present]
    half = solve_root(root, innovation.cross[:, :, columns].transpose(0, 2, 1))
    gain = np.zeros_like(innovation.cross)  # what was not observed moves nothing
    gain[:, :, columns] = solve_root(root, half, transposed=True).transpose(0, 2, 1)
    scaled_error = solve_root(root, error[:, :, None])[:, :, 0]
    squares = np.einsum("bi,bi->b", scaled_error, scaled_error)
    logs = np.log(np.abs(np.einsum("bii->bi", root))).sum(axis=1)
    return gain, np.asarray(-0.5 * (squares + error.shape[1] * LOG_TWO_PI) - logs)


def _explain(mean: Floats, t: int, square_root: bool) -> NoReturn:
    if not np.isfinite(mean).all():
        raise_not_finite(t)
    advice = "Larger noises help." if square_root else "The square-root filters keep it definite."
    raise InputError(
        f"The covariance is no longer positive definite at row {t} of `y`: it is lost to "
        f"rounding, as where `initial_covariance` is much larger than the noises. {advice}"
    ) from None


def raise_not_finite(t: int) -> NoReturn:
    """Raise an error that names the row where the state is no longer finite."""
    raise InputError(
        f"The state is no longer finite at row {t} of `y`: `transition` or `observation` gave an "
        "infinity or a nan, the model explodes, or what it starts from (`initial_mean`, "
        "`initial_covariance`) or adds (`offset`) is too large for a number."
    )


def smoothed_backwards(
    mean: Floats,
    covariance: Floats,
    predicted_mean: Floats,
    predicted: Floats,
    cross_covariance: Floats,
) -> tuple[Floats, Floats]:
    """Means and covariances given the whole series, by pseudo-inverses where singular."""
    gains = cross_covariance @ np.linalg.pinv(predicted, hermitian=True)
    means, covariances = mean.copy(), covariance.copy()
    # what stays unknown even when the next state is known; a sum of squares in exact arithmetic
    remaining = covariance[:-1] - gains[1:] @ predicted[1:] @ gains[1:].swapaxes(-1, -2)
    for t in range(len(mean) - 2, -1, -1):
        gain = gains[t + 1]
        means[t] += gain @ (means[t + 1] - predicted_mean[t + 1])
        smoothed = remaining[t] + gain @ covariances[t + 1] @ gain.T
        covariances[t] = (smoothed + smoothed.T) / 2
    return means, covariances
