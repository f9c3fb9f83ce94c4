"""Forecasts of filters and of their stacks, and what a step of a filter costs.

`papers/rec` counts the forecasts, for its page and for `docs/guide/kalman-filters.md`. Run
`python -m studies.stacked_filters` for the seconds of a filter on that page.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LinearRegression

from rocwise.estimators import ModelTreeRegressor, StackedFilterRegressor
from rocwise.estimators.regressors import STACKS
from rocwise.regression.filters import SquareRootUnscentedKalmanFilter
from rocwise.regression.forecasting import lag_rows, scaled_differences

ORDER = 6
Series = NDArray[np.float64]


def mackey_glass(noise: float, n: int = 400, delay: float = 30.0, every: int = 6) -> Series:
    """The delay equation of Mackey and Glass, sampled, with noise of this share of its spread."""
    step = 0.1
    lag, skip = round(delay / step), round(every / step)
    x = np.full((n + 100) * skip + lag, 1.2)
    for t in range(lag, len(x) - 1):
        past = x[t - lag]
        x[t + 1] = x[t] + step * (0.2 * past / (1 + past**10) - 0.1 * x[t])
    values = x[lag::skip][100 : 100 + n]
    return np.asarray(values + np.random.default_rng(0).normal(0, noise * values.std(), n))


def lags_of(series: Series) -> tuple[Series, Series, int]:
    """Lags and values of the scaled differences, and where the last quarter begins."""
    values = scaled_differences(series, (len(series) - 1) // 2)[0]
    X, y = lag_rows(values, ORDER)
    return X, y, len(y) - len(values) // 4


def forecasts(
    series: Series, seed: int, filters: str | tuple[Any, ...] = "stack-4"
) -> tuple[Series, dict[str, Series]]:
    """The last quarter of the scaled differences, and one-step forecasts of it by name.

    The first half fits the filters, the third quarter what combines them.
    """
    X, y, cut = lags_of(series)
    stack = StackedFilterRegressor(filters, transition="mlp", random_state=seed)
    stack.fit(X[:cut], y[:cut])
    base, first, names = stack.base_forecasts(X), stack.n_first_rows_, list(stack.filters_)

    def combined(members: Sequence[str], regressor: Any) -> Series:
        columns = [names.index(each) for each in members]
        fitted = clone(regressor).fit(base[first:cut, columns], y[first:cut])
        return np.asarray(fitted.predict(base[cut:, columns]))

    found = {
        "null": np.full(len(y) - cut, y[:cut].mean()),
        "network": stack.model_.predict(X[cut:]),
    }
    found |= {name: base[cut:, names.index(name)] for name in names}
    found |= {name: combined(each, ModelTreeRegressor()) for name, each in STACKS.items()}
    return y[cut:], found | {"linear stack": combined(names, LinearRegression())}


def errors(series: Series, seed: int) -> dict[str, float]:
    """Mean absolute one-step errors by name."""
    truth, found = forecasts(series, seed)
    return {name: float(np.abs(forecast - truth).mean()) for name, forecast in found.items()}


def four_state_filter() -> SquareRootUnscentedKalmanFilter:
    """Four states, one observed value, a nonlinear transition."""
    matrix = 0.9 * np.eye(4) + 0.05 * np.eye(4, k=1)
    return SquareRootUnscentedKalmanFilter(
        lambda x: np.tanh(x @ matrix.T),
        lambda x: x[:, :1],
        process_noise=0.1 * np.eye(4),
        observation_noise=1.0,
        initial_mean=np.zeros(4),
        initial_covariance=np.eye(4),
        vectorized=True,
    )


def speed(n_steps: int) -> str:
    """Seconds for this many steps, and which functions they were spent in."""
    y = np.random.default_rng(0).normal(size=n_steps)
    follower = four_state_filter()
    started, used = time.perf_counter(), time.process_time()
    follower.filter(y)
    wall, cpu = time.perf_counter() - started, time.process_time() - used
    profile = cProfile.Profile()
    profile.runcall(follower.filter, y[: n_steps // 5])
    found: Any = pstats.Stats(profile)
    total = found.total_tt
    parts = sorted(found.stats.items(), key=lambda item: -item[1][2])[:12]
    lines = [f"{n_steps:,} steps: {wall:.2f} s by the clock, {cpu:.2f} s of processor"]
    lines += [f"{100 * part[2] / total:5.1f}%  {Path(k[0]).name}:{k[2]}" for k, part in parts]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the cost of a step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000, help="how many steps to time")
    options = parser.parse_args(arguments)
    sys.stdout.write(f"{speed(options.steps)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
