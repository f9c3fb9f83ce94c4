"""The six filters: common parts, then one class for each rule of the step."""

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from itertools import islice
from typing import Any, ClassVar, Self, get_args

import numpy as np

from rocwise import checks, progress
from rocwise.arrays import Flags, Floats
from rocwise.errors import InputError, count_of, shown
from rocwise.regression.filters import model_checks
from rocwise.regression.filters.model_checks import MissingValues, NoiseForm
from rocwise.regression.filters.results import FilterResult, SmoothedStates, StateForecast
from rocwise.regression.filters.steps import (
    FilterStep,
    LinearizedStep,
    ModelFunction,
    PointTransform,
    SigmaPointRule,
    SigmaPointStep,
    SquareRootStep,
    StepResult,
    cholesky,
    one_blas_thread,
    positive_diagonal,
    raise_not_finite,
    smoothed_backwards,
    steps_ahead,
    steps_over_time,
)

REPORT_EVERY = 2000  # steps between two reports of progress


@dataclass(eq=False, repr=False)
class StateSpaceFilter:
    """Base of the six filters; see `KalmanFilter` and its siblings."""

    name: ClassVar[str] = "filter"
    _carries_root: ClassVar[bool] = False  # a triangular root, in place of a covariance
    transition: Any
    observation: Any
    _: KW_ONLY
    process_noise: Any
    observation_noise: Any
    initial_mean: Any
    initial_covariance: Any

    def _prepare(
        self, transition: ModelFunction, observation: ModelFunction, noise: str = "additive"
    ) -> None:
        """Check the model and measure the widths of its functions."""
        self.initial_mean = model_checks.state(self.initial_mean)
        self.n_states: int = len(self.initial_mean)
        self.initial_covariance = model_checks.covariance(
            self.initial_covariance, "initial_covariance", self.n_states, definite=True
        )
        self.augmented: bool = checks.one_of(noise, "noise", get_args(NoiseForm)) == "augmented"
        self._transition, self._observation = transition, observation
        given = np.shape(self.observation_noise)
        self._set_noise(self.process_noise, self.observation_noise)
        transition.width = self.n_states
        transition(*self._first_inputs(self.process_noise))
        width = observation.measure(*self._first_inputs(self.observation_noise))
        if not self.augmented and width != len(self.observation_noise):
            raise InputError(
                f"`observation_noise` must have the shape ({width}, {width}), as `observation` "
                f"gives {width} values; got {given}."
            )
        self.n_observed: int = width

    def _first_inputs(self, noise: Floats) -> tuple[Floats, ...]:
        """The first state, and none of the noise where the functions take it."""
        start = self.initial_mean[None].copy()
        return (start, np.zeros((1, len(noise)))) if self.augmented else (start,)

    def _set_noise(self, process_noise: Any, observation_noise: Any) -> None:
        size = None if self.augmented else len(self.initial_mean)
        self.process_noise = model_checks.covariance(
            process_noise, "process_noise", size, definite=False
        )
        self.observation_noise = model_checks.covariance(
            observation_noise, "observation_noise", None, definite=True
        )

    def with_noise(self, process_noise: Any, observation_noise: Any) -> Self:
        """The same filter with other noises."""
        changed = copy.copy(self)
        changed._set_noise(process_noise, observation_noise)
        for argument in ("process_noise", "observation_noise"):
            new, old = getattr(changed, argument).shape, getattr(self, argument).shape
            if new != old:
                raise InputError(f"`{argument}` must keep its shape {old}; got {new}.")
        return changed

    def _step(self, batch: int, process: Floats, observation: Floats) -> FilterStep:
        return LinearizedStep(
            self._transition, self._observation, process, observation, self.augmented
        )

    def _ready(
        self, batch: int, process: Floats | None = None, observation: Floats | None = None
    ) -> tuple[FilterStep, Floats, Floats]:
        """The step for a batch of series, with our noises or these (batch, n, n), and the start."""
        step = self._step(
            batch,
            self.process_noise[None] if process is None else process,
            self.observation_noise[None] if observation is None else observation,
        )
        dispersion = self.initial_covariance
        if step.square_root:
            dispersion = cholesky(dispersion)
        mean = np.repeat(self.initial_mean[None], batch, axis=0)
        return step, mean, np.repeat(dispersion[None], batch, axis=0)

    def filter(
        self,
        y: Any,
        *,
        missing: MissingValues = "raise",
        progress: bool | Callable[[float], None] = True,
    ) -> FilterResult:
        """Filter a series: forecast each observation, then update the state.

        Parameters
        ----------
        y : array_like (T, d), or (T,) when one value is observed
        missing : {"raise", "skip"}
            What to do about nan. "skip": a row of nan is predicted and not updated; of a row with
            some nan the other values are used. Missing values add nothing to the likelihood.
        progress : bool or callable
            Whether to show progress on the terminal, or a function of the fraction done.
        """
        checks.reported(progress)
        observed, present = model_checks.observations(y, self.n_observed, missing)
        with one_blas_thread(self.n_states):
            steps = self._steps(observed, present, progress)
            dispersion = _stacked(steps, "dispersion")
            innovations = [step.innovation for step in steps]
            return FilterResult(
                forecast=_stacked(innovations, "forecast"),
                forecast_covariance=_squared(_stacked(innovations, "root")),
                mean=_stacked(steps, "mean"),
                covariance=self._covariances(dispersion),
                log_likelihood=_log_likelihood(steps),
                observed=observed if present.all() else np.ma.MaskedArray(observed, mask=~present),
                covariance_factor=positive_diagonal(dispersion) if self._carries_root else None,
                method=self.name,
            )

    def _steps(
        self, observed: Floats, present: Flags, shown: bool | Callable[[float], None]
    ) -> list[StepResult]:
        """The results of all steps."""
        report = progress.reporter(shown, f"{self.name} filter")
        steps: list[StepResult] = []
        for t, step in enumerate(steps_over_time(*self._ready(1), observed[None], present)):
            found = (step.innovation.forecast, step.innovation.root, step.mean, step.dispersion)
            if not all(np.isfinite(values).all() for values in found):
                raise_not_finite(t)
            steps.append(step)
            if t % REPORT_EVERY == 0:
                report(t / len(observed))
        report(1.0)
        return steps

    def _covariances(self, dispersion: Floats) -> Floats:
        if self._carries_root:
            return _squared(dispersion)
        return (dispersion + dispersion.swapaxes(-1, -2)) / 2

    def smooth(self, y: Any, *, missing: MissingValues = "raise") -> SmoothedStates:
        """States given the whole series: Rauch, Tung and Striebel's pass backwards.

        For the sigma-point filters the covariances of successive states come from the points
        (the unscented form of the pass). `y` and `missing` are as in `filter`.
        """
        observed, present = model_checks.observations(y, self.n_observed, missing)
        with one_blas_thread(self.n_states):
            steps = self._steps(observed, present, True)
            filtered = _stacked(steps, "mean")
            mean, covariance = smoothed_backwards(
                filtered,
                self._covariances(_stacked(steps, "dispersion")),
                _stacked(steps, "predicted_mean"),
                self._covariances(_stacked(steps, "predicted_dispersion")),
                _stacked(steps, "cross_covariance"),
            )
        return SmoothedStates(
            mean=mean,
            covariance=covariance,
            filtered_mean=filtered,
            log_likelihood=_log_likelihood(steps),
            method=self.name,
        )

    def forecast(self, result: FilterResult, *, steps: int, every: bool = False) -> StateForecast:
        """Forecasts 1 to `steps` steps beyond a filtered series.

        With `every=True`, forecasts `steps` steps ahead from each time of the series instead.
        """
        steps = checks.size(steps, "steps", bytes_each=16 * self.n_states**2)
        every = checks.flag(every, "every")
        if not isinstance(result, FilterResult):
            raise InputError(f"`result` must be what `filter` returned; got {shown(result, 60)}.")
        start = slice(None) if every else slice(-1, None)
        if result.mean.shape[1] != self.n_states:
            raise InputError(
                f"`result` has {result.mean.shape[1]} states and the filter {self.n_states}; "
                "pass what this filter's own `filter` returned."
            )
        mean, covariance = np.array(result.mean[start]), np.array(result.covariance[start])
        step = self._ready(len(mean))[0]
        dispersion = covariance
        if step.square_root:
            factor = result.covariance_factor
            dispersion = cholesky(covariance) if factor is None else np.array(factor[start])
        found = list(islice(steps_ahead(step, mean, dispersion), steps))
        innovations, means, dispersions = zip(*(found[-1:] if every else found), strict=True)
        last = len(result.mean) - 1
        return StateForecast(
            steps=np.full(len(mean), steps) if every else np.arange(1, steps + 1),
            origin_time=np.arange(len(mean)) if every else np.full(steps, last),
            forecast=_stacked(innovations, "forecast"),
            forecast_covariance=_squared(_stacked(innovations, "root")),
            mean=np.concatenate(means),
            covariance=self._covariances(np.concatenate(dispersions)),
            method=self.name,
            history=result.observed,
        )

    def __repr__(self) -> str:
        noise = "augmented" if self.augmented else "additive"
        states = count_of(self.n_states, "state")
        return f"{self.name} filter: {states}, {self.n_observed} observed, {noise} noise"


@dataclass(eq=False, repr=False)
class FunctionFilter(StateSpaceFilter):
    """Base of the filters whose model is two functions of the user."""

    transition: Callable[..., Any]
    observation: Callable[..., Any]
    _: KW_ONLY
    noise: NoiseForm = "additive"
    vectorized: bool = False

    def __post_init__(self) -> None:
        """Check the model."""
        functions = [
            ModelFunction(
                getattr(self, argument),
                argument,
                vectorized=self.vectorized,
                jacobian=getattr(self, f"{argument}_jacobian", None),
            )
            for argument in ("transition", "observation")
        ]
        self._prepare(functions[0], functions[1], self.noise)


def _stacked(steps: Sequence[Any], name: str) -> Floats:
    """A field of the results of all steps, each of a batch of one."""
    return np.concatenate([getattr(step, name) for step in steps])


def _log_likelihood(steps: list[StepResult]) -> float:
    return float(_stacked(steps, "log_density").sum())


def _squared(roots: Floats) -> Floats:
    return np.asarray(roots @ roots.swapaxes(-1, -2))


@dataclass(eq=False, repr=False, kw_only=True)
class KalmanFilter(StateSpaceFilter):
    """Exact filter of x -> A x + offset + v, y = H x + n with Gaussian noises.

    Parameters
    ----------
    transition : array_like (L, L)
        The matrix A.
    observation : array_like (d, L)
        The matrix H.
    process_noise, observation_noise : array_like (L, L), (d, d)
        Covariances Q of v and R of n. Numbers are allowed where the size is 1, here and below.
    initial_mean, initial_covariance : array_like (L,), (L, L)
        The state one step before the first observation.
    offset : array_like (L,), optional
        Constant of the transition; 0 without it.

    References
    ----------
    R. E. Kalman (1960), A new approach to linear filtering and prediction problems.

    Examples
    --------
    >>> level = KalmanFilter(1.0, 1.0, process_noise=0.1, observation_noise=0.5,
    ...                      initial_mean=0.0, initial_covariance=10.0)
    >>> found = level.filter([1.1, 0.9, 1.4, 1.2])
    >>> found
    Kalman: 4 times, 1 state; mean absolute error 0.4319, log likelihood -4.8937
    >>> level.forecast(found, steps=2).forecast.round(3).tolist()
    [[1.17], [1.17]]
    """

    name = "Kalman"
    offset: Any = None

    def __post_init__(self) -> None:
        """Check the model."""
        size = len(model_checks.state(self.initial_mean))
        matrix = model_checks.matrix(self.transition, "transition", (size, size))
        view = model_checks.matrix(self.observation, "observation", (None, size))
        shift = np.zeros(size) if self.offset is None else model_checks.state(self.offset, "offset")
        if len(shift) != size:
            raise InputError(f"`offset` must have {size} numbers, one per state; got {len(shift)}.")
        self._prepare(
            _linear_function(matrix, shift, "transition"),
            _linear_function(view, np.zeros(len(view)), "observation"),
        )


def _linear_function(matrix: Floats, shift: Floats, argument: str) -> ModelFunction:
    jacobian = partial(_linear_jacobian, matrix)
    values = partial(_linear_values, matrix, shift)
    return ModelFunction(values, argument, vectorized=True, jacobian=jacobian)


def _linear_values(matrix: Floats, shift: Floats, states: Floats) -> Floats:
    return np.asarray(states @ matrix.T + shift)


def _linear_jacobian(matrix: Floats, states: Floats) -> Floats:
    return np.broadcast_to(matrix, (len(states), *matrix.shape))


@dataclass(eq=False, repr=False, kw_only=True)
class ExtendedKalmanFilter(FunctionFilter):
    """Kalman filter of x -> f(x) + v, y = h(x) + n on the tangents of f and h.

    Parameters
    ----------
    transition, observation : callable
        The functions f, from x (L,) to (L,), and h, from x (L,) to (d,).
    process_noise, observation_noise, initial_mean, initial_covariance : array_like
        As in `KalmanFilter`.
    noise : {"additive", "augmented"}
        "augmented": the functions take the noise as a second argument, f(x, v) and h(x, n), and
        do with it what they like; `process_noise` is (q, q) for v (q,), and Jacobians are
        (L, L + q) and (d, L + r).
    vectorized : bool
        Whether the functions take (k, L) and return (k, L), (k, d); Jacobians may take either
        (k, L), returning (k, ., .), or one state x (L,).
    transition_jacobian, observation_jacobian : callable, optional
        From x to (L, L) and (d, L); central differences without them.

    References
    ----------
    A. H. Jazwinski (1970), Stochastic Processes and Filtering Theory.

    Examples
    --------
    >>> import numpy as np
    >>> pendulum = ExtendedKalmanFilter(
    ...     lambda x: [x[0] + 0.1 * x[1], x[1] - 0.981 * np.sin(x[0])], lambda x: [np.sin(x[0])],
    ...     process_noise=0.001 * np.eye(2), observation_noise=0.1,
    ...     initial_mean=[1.0, 0.0], initial_covariance=np.eye(2))
    >>> pendulum.filter([0.9, 0.7, 0.6, 0.2]).forecast[:, 0].round(3).tolist()
    [0.841, 0.839, 0.659, 0.427]
    """

    name = "extended Kalman"
    transition_jacobian: Callable[..., Any] | None = None
    observation_jacobian: Callable[..., Any] | None = None


class SigmaPointFilter(FunctionFilter):
    """Base of the unscented and the central-difference filters."""

    def _rule(self, size: int) -> SigmaPointRule:
        raise NotImplementedError

    def _step(self, batch: int, process: Floats, observation: Floats) -> FilterStep:
        transforms = []
        for function, noise in ((self._transition, process), (self._observation, observation)):
            size = self.n_states + (noise.shape[-1] if self.augmented else 0)
            transforms.append(
                PointTransform(function, self._rule(size), noise, self.augmented, batch)
            )
        return (SquareRootStep if self._carries_root else SigmaPointStep)(*transforms)


@dataclass(eq=False, repr=False, kw_only=True)
class UnscentedKalmanFilter(SigmaPointFilter):
    """Filter of x -> f(x) + v, y = h(x) + n by the unscented transform.

    Parameters
    ----------
    transition, observation : callable
        The functions f, from x (L,) to (L,), and h, from x (L,) to (d,).
    process_noise, observation_noise, initial_mean, initial_covariance : array_like
        As in `KalmanFilter`.
    noise : {"additive", "augmented"}
        "augmented": the functions take the noise as a second argument, f(x, v) and h(x, n), and
        sigma points are drawn for it too, so that L counts its dimensions.
    vectorized : bool
        Whether the functions take (k, L) and return (k, L), (k, d).
    alpha, beta, kappa : float
        With lambda = alpha² (L + kappa) - L, the points lie sqrt(L + lambda) standard deviations
        away. The defaults give no negative weight.

    Notes
    -----
    The points are redrawn around the prediction before the observation is forecast.

    References
    ----------
    S. J. Julier and J. K. Uhlmann (2004), Unscented filtering and nonlinear estimation.

    Examples
    --------
    >>> import numpy as np
    >>> growth = UnscentedKalmanFilter(
    ...     lambda x: x + 0.5 * x * (1 - x), lambda x: x,
    ...     process_noise=0.001, observation_noise=0.02, initial_mean=0.1, initial_covariance=0.01)
    >>> growth.filter([0.2, 0.17, 0.3, 0.35]).forecast[:, 0].round(3).tolist()
    [0.14, 0.236, 0.28, 0.388]
    """

    name = "unscented Kalman"
    alpha: float = 1.0
    beta: float = 2.0
    kappa: float = 0.0

    def __post_init__(self) -> None:
        """Check the model and the three parameters."""
        super().__post_init__()
        for argument in ("alpha", "beta", "kappa"):
            setattr(self, argument, checks.real(getattr(self, argument), argument))
        if self.alpha <= 0:
            raise InputError(f"`alpha` must be positive; got {self.alpha:g}.")
        checks.within(self.alpha, "alpha", 1e-100, 1e100)  # its square is a divisor
        if self.n_states + self.kappa <= 0:
            raise InputError(
                f"`kappa` must be above -{self.n_states} with {self.n_states} states, so that "
                f"L + lambda > 0; got {self.kappa:g}."
            )

    def _rule(self, size: int) -> SigmaPointRule:
        """The scaled transform: lambda = alpha² (size + kappa) - size."""
        scaled = self.alpha * self.alpha * (size + self.kappa)  # size + lambda
        first = 1 - size / scaled  # lambda / (size + lambda)
        half = math.sqrt(1 / scaled) / 2  # root of the weight of a point, half for each of a pair
        return SigmaPointRule(
            size=size,
            distance=math.sqrt(scaled),
            weight=1 / (2 * scaled),
            of_difference=half,
            of_sum=half,
            center=first + 1 - self.alpha * self.alpha + self.beta,
        )


class SquareRootUnscentedKalmanFilter(UnscentedKalmanFilter):
    """The unscented Kalman filter that carries a triangular root of the covariance.

    The results are those of `UnscentedKalmanFilter`; the covariance cannot lose its definiteness
    to rounding.

    Parameters
    ----------
    transition, observation : callable
        The functions f, from x (L,) to (L,), and h, from x (L,) to (d,).
    process_noise, observation_noise, initial_mean, initial_covariance : array_like
        As in `KalmanFilter`.
    noise : {"additive", "augmented"}
        As in `UnscentedKalmanFilter`.
    vectorized : bool
        Whether the functions take (k, L) and return (k, L), (k, d).
    alpha, beta, kappa : float
        As in `UnscentedKalmanFilter`.

    References
    ----------
    R. van der Merwe and E. A. Wan (2001), The square-root unscented Kalman filter for state and
    parameter-estimation.

    Examples
    --------
    >>> growth = SquareRootUnscentedKalmanFilter(
    ...     lambda x: x + 0.5 * x * (1 - x), lambda x: x,
    ...     process_noise=0.001, observation_noise=0.02, initial_mean=0.1, initial_covariance=0.01)
    >>> growth.filter([0.2, 0.17, 0.3, 0.35]).forecast[:, 0].round(3).tolist()
    [0.14, 0.236, 0.28, 0.388]
    """

    name = "square-root unscented Kalman"
    _carries_root = True


@dataclass(eq=False, repr=False, kw_only=True)
class CentralDifferenceKalmanFilter(SigmaPointFilter):
    """Filter of x -> f(x) + v, y = h(x) + n by Stirling's interpolation.

    Parameters
    ----------
    transition, observation : callable
        The functions f, from x (L,) to (L,), and h, from x (L,) to (d,).
    process_noise, observation_noise, initial_mean, initial_covariance : array_like
        As in `KalmanFilter`.
    noise : {"additive", "augmented"}
        "augmented": the functions take the noise as a second argument, f(x, v) and h(x, n), and
        sigma points are drawn for it too. Where the noise is only added, both give the same.
    vectorized : bool
        Whether the functions take (k, L) and return (k, L), (k, d).
    step : float
        How many standard deviations away the points lie; sqrt(3) fits Gaussian states.

    References
    ----------
    M. Nørgaard, N. K. Poulsen and O. Ravn (2000), New developments in state estimation for
    nonlinear systems.

    Examples
    --------
    >>> growth = CentralDifferenceKalmanFilter(
    ...     lambda x: x + 0.5 * x * (1 - x), lambda x: x,
    ...     process_noise=0.001, observation_noise=0.02, initial_mean=0.1, initial_covariance=0.01)
    >>> growth.filter([0.2, 0.17, 0.3, 0.35]).forecast[:, 0].round(3).tolist()
    [0.14, 0.236, 0.28, 0.388]
    """

    name = "central-difference Kalman"
    step: float = 3**0.5

    def __post_init__(self) -> None:
        """Check the model and the step."""
        super().__post_init__()
        self.step = checks.real(self.step, "step")
        if self.step < 1:
            raise InputError(
                f"`step` must be at least 1 (sqrt(3) fits Gaussian states); got {self.step:g}."
            )

    def _rule(self, size: int) -> SigmaPointRule:
        """First and second differences over `step` standard deviations."""
        squared = self.step * self.step
        return SigmaPointRule(
            size=size,
            distance=self.step,
            weight=1 / (2 * squared),
            of_difference=1 / (2 * self.step),  # sqrt(c1)
            of_sum=math.sqrt(squared - 1) / (2 * squared),  # sqrt(c2)
        )


class SquareRootCentralDifferenceKalmanFilter(CentralDifferenceKalmanFilter):
    """The central-difference Kalman filter that carries a triangular root of the covariance.

    The results are those of `CentralDifferenceKalmanFilter`; the covariance cannot lose its
    definiteness to rounding, as nothing is ever subtracted.

    Parameters
    ----------
    transition, observation : callable
        The functions f, from x (L,) to (L,), and h, from x (L,) to (d,).
    process_noise, observation_noise, initial_mean, initial_covariance : array_like
        As in `KalmanFilter`.
    noise : {"additive", "augmented"}
        As in `CentralDifferenceKalmanFilter`.
    vectorized : bool
        Whether the functions take (k, L) and return (k, L), (k, d).
    step : float
        As in `CentralDifferenceKalmanFilter`.

    References
    ----------
    R. van der Merwe (2004), Sigma-Point Kalman Filters for Probabilistic Inference in Dynamic
    State-Space Models.

    Examples
    --------
    >>> growth = SquareRootCentralDifferenceKalmanFilter(
    ...     lambda x: x + 0.5 * x * (1 - x), lambda x: x,
    ...     process_noise=0.001, observation_noise=0.02, initial_mean=0.1, initial_covariance=0.01)
    >>> growth.filter([0.2, 0.17, 0.3, 0.35]).forecast[:, 0].round(3).tolist()
    [0.14, 0.236, 0.28, 0.388]
    """

    name = "square-root central-difference Kalman"
    _carries_root = True
