"""Long computations warn beforehand, with a remedy; short and limited ones do not."""

import warnings

import numpy as np
import pytest

import rocwise as rw
from rocwise.regression import comparisons

RNG = np.random.default_rng(8)


def class_rows(n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    return RNG.integers(0, m, n), RNG.dirichlet(np.ones(m), n)


@pytest.mark.parametrize(("method", "m"), [("pair-moves", 10), ("lp", 3)])
def test_weights_that_take_minutes_warn_before_the_search(method, m):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # raised before anything is searched
        with pytest.raises(rw.RocwiseWarning, match="`time_limit`"):
            rw.multiclass.class_weights(*class_rows(20_000, m), method=method)


@pytest.mark.parametrize("method", ["pair-moves", "lp", "passes", "auto"])
def test_short_searches_are_silent(method):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rw.multiclass.class_weights(*class_rows(300, 4), method=method)


@pytest.mark.parametrize("method", ["pair-moves", "lp"])
def test_a_limit_is_enough(method):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rw.multiclass.class_weights(*class_rows(20_000, 10), method=method, time_limit=0.2)


def forecasts(models: int, n: int = 60) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    y = RNG.normal(size=n)
    return y, {f"m{k}": y + RNG.normal(size=n) for k in range(models)}


def test_many_models_warn_after_the_first_pair(monkeypatch):
    monkeypatch.setattr(comparisons, "LONG", 0.0)
    with pytest.warns(rw.RocwiseWarning, match="4 models, 6 pairs of which will take about"):
        rw.regression.compare(*forecasts(4), n_resamples=200, rng=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rw.regression.compare(
            *forecasts(2), n_resamples=200, rng=1
        )  # nothing is left after one pair


def test_few_models_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rw.regression.compare(*forecasts(4), n_resamples=200, rng=1)


def test_progress_goes_once_through_all_pairs():
    seen = []
    rw.regression.compare(*forecasts(4), n_resamples=200, rng=1, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[0] <= 1 / 6
    assert seen[-1] == 1.0
