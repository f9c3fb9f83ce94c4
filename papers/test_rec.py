"""Forecasts of filters and of their stacks."""

import numpy as np
import pytest

from papers.rec.forecasts import forecasts, mackey_glass


@pytest.fixture(scope="module")
def clean():
    truth, found = forecasts(mackey_glass(0.0, n=200), 0)
    return {name: np.abs(forecast - truth).mean() for name, forecast in found.items()}


def test_everything_beats_the_mean_on_a_clean_chaotic_series(clean):
    null = clean.pop("null")
    for name, error in clean.items():
        assert error < null, name


def test_filters_are_about_as_good_as_their_network_there(clean):
    for name in ("ekf", "sr-ukf", "sr-cdkf"):
        assert 0.7 * clean["network"] < clean[name] < 1.4 * clean["network"]
