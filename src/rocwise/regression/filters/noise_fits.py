"""Noise covariances that make a series most likely, by search or among a grid."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from rocwise import checks, progress
from rocwise.arrays import Flags, Floats
from rocwise.errors import InputError, shown
from rocwise.regression.filters import model_checks
from rocwise.regression.filters.kalman import REPORT_EVERY, StateSpaceFilter
from rocwise.regression.filters.steps import steps_over_time
from rocwise.results import Result, result

PROCESS_FACTORS, OBSERVATION_FACTORS = (0.25, 0.5, 1.0), (1e-3, 1e-2, 0.1, 0.5)  # of the grid
START_FACTORS = (1e-4, 1e-2, 1.0, 1e2)
WIDEST = 20.0  # the search stays within factors exp(-20) to exp(20) of the noises given
_STEPS = np.linspace(-1, 1, 33)
PROFILE_FACTORS = 10.0 ** (2 * _STEPS * np.abs(_STEPS))  # 1/100 to 100, closest around 1
SMALLEST_FACTOR = 1e-30
NO_LOSS = 1e-4  # of log likelihood, which is negligible
DIFFERENCE = 1e-4  # of the logarithms, for the slope of the likelihood
NoiseSearch = Literal["likelihood", "grid"]


@result
class NoiseFit(Result):
    """Maximum likelihood estimates of the noise covariances.

    Attributes
    ----------
    process_noise, observation_noise : ndarray (L, L), (d, d)
    log_likelihood : float
    method : {"likelihood", "grid"}
    negligible : tuple of str
        Noises without which the series is as likely.
    factors : ndarray (k,)
        From 1/100 to 100.
    process_profile, observation_profile : ndarray (k,)
        Log likelihood with that multiple of one noise, the other as found.
    n_evaluations : int
        Evaluated pairs of noises.
    filter : StateSpaceFilter
        The filter with these noises.
    """

    process_noise: Floats
    observation_noise: Floats
    log_likelihood: float
    method: str
    negligible: tuple[str, ...]
    factors: Floats
    process_profile: Floats
    observation_profile: Floats
    plausible_drop: ClassVar[float] = 1.92  # half of the 95% point of chi-squared, 1 degree
    n_evaluations: int
    filter: StateSpaceFilter

    def profile_drops(self) -> dict[str, Floats]:
        """Each profile less the largest log likelihood; nan where a noise is impossible."""
        profiles = {
            "process noise": self.process_profile,
            "observation noise": self.observation_profile,
        }
        return {
            name: np.where(np.isfinite(values), values - self.log_likelihood, np.nan)
            for name, values in profiles.items()
        }

    def _sentence(self) -> str:
        how = "best of a grid" if self.method == "grid" else "maximum likelihood"
        nothing = "".join(f"; {name} is negligible" for name in self.negligible)
        return (
            f"Noises by {how}: process {_words(self.process_noise)}, observation "
            f"{_words(self.observation_noise)}, log likelihood {self.log_likelihood:.4f}{nothing}"
        )


def _words(covariance: Floats) -> str:
    return "(" + ", ".join(f"{value:.4g}" for value in np.diag(covariance)) + ")"


def log_likelihoods(
    model: StateSpaceFilter,
    series: Floats,
    present: Flags,
    process: Floats,
    observation: Floats,
    report: progress.Report,
) -> Floats:
    """Log likelihoods (c,) of independent series (n, T, d) under c pairs of noises, or -inf."""
    n_pairs, n = len(process), len(series)
    noises = np.repeat(process, n, axis=0), np.repeat(observation, n, axis=0)
    total = np.zeros(n_pairs * n)
    try:
        with np.errstate(all="ignore"):
            ready = model._ready(len(total), *noises)
            steps = steps_over_time(*ready, np.tile(series, (n_pairs, 1, 1)), present)
            for t, step in enumerate(steps):
                total += step.log_density
                if t % REPORT_EVERY == 0:
                    report(t / len(present))
    except InputError:
        if n_pairs == 1:
            return np.array([-np.inf])
        pairs = zip(process[:, None], observation[:, None], strict=True)
        alone = [log_likelihoods(model, series, present, *pair, report) for pair in pairs]
        return np.concatenate(alone)
    report(1.0)
    sums = total.reshape(n_pairs, n).sum(axis=1)
    return np.where(np.isfinite(sums), sums, -np.inf)


def fit_noise(
    model: StateSpaceFilter,
    y: Any,
    *,
    method: NoiseSearch = "likelihood",
    separate: bool = False,
    process_factors: Sequence[float] | None = None,
    observation_factors: Sequence[float] | None = None,
    missing: model_checks.MissingValues = "raise",
    progress: bool | Callable[[float], None] = True,
) -> NoiseFit:
    """Estimate the noise covariances of a filter by maximum likelihood.

    Parameters
    ----------
    model : StateSpaceFilter
        Filter, whose noise covariances are the starting point and are multiplied by factors.
    y : array-like of shape (T, d) or (T,)
        Observations.
    method : {"likelihood", "grid"}, default "likelihood"
        Optimize the logarithms of the factors, or evaluate every pair of the given factors.
    separate : bool, default False
        Whether to use one factor for each state and each observed variable, in place of one for
        each noise; correlations are kept.
    process_factors : sequence of float, optional
        Factors of the process noise for "grid"; by default (0.25, 0.5, 1).
    observation_factors : sequence of float, optional
        Factors of the observation noise for "grid"; by default (0.001, 0.01, 0.1, 0.5).
    missing : {"raise", "skip"}, default "raise"
        What to do with missing observations; "skip" predicts without an update.
    progress : bool or callable, default True
        Whether to show the progress of each pass over the series, or a function that receives the
        completed fraction.

    Returns
    -------
    NoiseFit
        Result with `process_noise`, `observation_noise`, `log_likelihood` and `filter`.

    See Also
    --------
    regression.filters.KalmanFilter : Linear Kalman filter.
    regression.forecasting.series_filter : Filter of a noisy autoregression.

    Examples
    --------
    >>> from rocwise.regression.filters import KalmanFilter, fit_noise
    >>> y = np.cumsum(np.random.default_rng(1).normal(size=200)) * 0.3
    >>> level = KalmanFilter(1.0, 1.0, process_noise=1.0, observation_noise=1.0,
    ...                      initial_mean=0.0, initial_covariance=10.0)
    >>> fit_noise(level, y, method="grid").process_noise.tolist()
    [[0.25]]
    """
    checks.one_of(method, "method", get_args(NoiseSearch))
    if not isinstance(model, StateSpaceFilter):
        raise InputError(f"`model` must be a filter; got {shown(model, 60)}.")
    separate = checks.flag(separate, "separate")
    checks.reported(progress)
    observed, present = model_checks.observations(y, model.n_observed, missing)
    likelihood = _LikelihoodOfFactors(model, observed, present, separate, progress)
    if method == "grid":
        best = likelihood.best_of(
            _factors(process_factors, "process_factors", PROCESS_FACTORS),
            _factors(observation_factors, "observation_factors", OBSERVATION_FACTORS),
        )
    else:
        best = _searched(likelihood)
    value = float(likelihood(best[None])[0])
    if not np.isfinite(value):
        raise InputError("No noises were found under which the filter can follow `y`.")
    process, observation = likelihood.noises(best[None])
    process_profile, observation_profile = likelihood.profiles(best)
    return NoiseFit(
        process_noise=process[0],
        observation_noise=observation[0],
        log_likelihood=value,
        method=method,
        negligible=likelihood.negligible(best) if method == "likelihood" else (),
        factors=PROFILE_FACTORS,
        process_profile=process_profile,
        observation_profile=observation_profile,
        n_evaluations=likelihood.n_evaluations,
        filter=model.with_noise(process[0], observation[0]),
    )


def _factors(values: Any, argument: str, default: tuple[float, ...]) -> Floats:
    factors = checks.numbers(default if values is None else values, argument)
    low, high = SMALLEST_FACTOR, 1 / SMALLEST_FACTOR
    if factors.ndim != 1 or not factors.size or not low <= factors.min() <= factors.max() <= high:
        raise InputError(
            f"`{argument}` must be a list of numbers from {low:g} to {high:g}; got {shown(values)}."
        )
    return factors


class _LikelihoodOfFactors:
    """The log likelihood as a function of the logarithms of the factors."""

    def __init__(
        self,
        model: StateSpaceFilter,
        observed: Floats,
        present: Flags,
        separate: bool,
        shown: bool | Callable[[float], None],
    ) -> None:
        self.model, self.observed, self.present = model, observed, present
        self.n_process = len(model.process_noise) if separate else 1
        self.n_observation = len(model.observation_noise) if separate else 1
        self.n_evaluations = self.n_passes = 0
        self.shown = shown

    def best_of(self, process: Iterable[float], observation: Iterable[float]) -> Floats:
        """Logarithms of the best pair of factors, each for all its directions."""
        pairs = np.array(list(itertools.product(process, observation)))
        logs = np.log(np.repeat(pairs, [self.n_process, self.n_observation], axis=1))
        return np.asarray(logs[int(np.argmax(self(logs)))])

    def noises(self, logs: Floats) -> tuple[Floats, Floats]:
        """Covariances (c, L, L) and (c, d, d)."""
        halves = np.exp(logs / 2)
        first, second = halves[:, : self.n_process], halves[:, self.n_process :]
        process = first[:, :, None] * self.model.process_noise * first[:, None, :]
        observation = second[:, :, None] * self.model.observation_noise * second[:, None, :]
        return process, observation

    def profiles(self, logs: Floats) -> tuple[Floats, Floats]:
        """Log likelihoods over multiples of one noise, the other as it is."""
        k = len(PROFILE_FACTORS)
        tried = np.tile(logs, (2 * k, 1))
        tried[:k, : self.n_process] += np.log(PROFILE_FACTORS)[:, None]
        tried[k:, self.n_process :] += np.log(PROFILE_FACTORS)[:, None]
        found = self(tried)
        return found[:k], found[k:]

    def negligible(self, logs: Floats) -> tuple[str, ...]:
        """Noises without which the series is as likely."""
        without = np.tile(logs, (3, 1))
        without[1, : self.n_process] = without[2, self.n_process :] = -WIDEST
        best, *others = self(without)
        names = ("process_noise", "observation_noise")
        pairs = zip(names, others, strict=True)
        return tuple(name for name, value in pairs if value > best - NO_LOSS)

    def __call__(self, logs: Floats) -> Floats:
        self.n_evaluations += len(logs)
        self.n_passes += 1
        report = progress.reporter(self.shown, f"noises of the filter, pass {self.n_passes}")
        noises = self.noises(logs)
        return log_likelihoods(self.model, self.observed[None], self.present, *noises, report)

    def negative_with_slope(self, logs: Floats) -> tuple[float, Floats]:
        """Minus the log likelihood, and its slope by central differences."""
        shifts = DIFFERENCE * np.eye(len(logs))
        values = self(np.concatenate([logs[None], logs + shifts, logs - shifts]))
        if not np.isfinite(values).all():
            return 1e300, np.zeros(len(logs))
        up, down = np.split(values[1:], 2)
        return -float(values[0]), (down - up) / (2 * DIFFERENCE)


def _searched(likelihood: _LikelihoodOfFactors) -> Floats:
    """The best of a coarse grid, then uphill by quasi-Newton steps."""
    from scipy.optimize import minimize

    start = likelihood.best_of(START_FACTORS, START_FACTORS)
    found = minimize(
        likelihood.negative_with_slope,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(-WIDEST, WIDEST)] * len(start),
        options={"ftol": 1e-12, "gtol": 1e-6},
    )
    return np.asarray(found.x)
