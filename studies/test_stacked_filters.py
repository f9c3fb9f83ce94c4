"""A quick look at the study of stacked filters."""

import pytest

from studies.stacked_filters import errors, mackey_glass, main


@pytest.fixture(scope="module")
def clean():
    return errors(mackey_glass(0.0, n=200), 0)


def test_everything_beats_the_mean_on_a_clean_chaotic_series(clean):
    null = clean.pop("null")
    for name, error in clean.items():
        assert error < null, name


def test_filters_are_about_as_good_as_their_network_there(clean):
    for name in ("ekf", "sr-ukf", "sr-cdkf"):
        assert 0.7 * clean["network"] < clean[name] < 1.4 * clean["network"]


def test_speed_is_told_with_its_parts(capsys):
    assert main(["--steps", "500"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("500 steps: ")
    assert "steps.py:" in told
