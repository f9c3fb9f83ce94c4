"""Measures of ordered classes have their expected values."""

import numpy as np
import pytest

from papers.ordinal import simulations as study

# Expected volume, consecutive and pairwise mean of classes k ~ N(k d, 1).
KNOWN = {
    (2, 1): (0.760250, 0.760250, 0.760250),
    (3, 0.5): (0.337237, 0.699207, 0.678859),
    (3, 1): (0.536152, 0.840800, 0.813950),
    (3, 2): (0.843012, 0.959506, 0.946787),
    (3, 3): (0.966106, 0.991521, 0.988698),
    (4, 1): (0.369272, 0.890979, 0.851084),
    (4, 2): (0.770860, 0.975055, 0.959894),
    (5, 0.5): (0.073987, 0.796182, 0.746591),
    (5, 1): (0.252368, 0.921682, 0.876882),
    (5, 3): (0.933075, 0.996466, 0.993218),
}


@pytest.mark.parametrize(("setting", "known"), KNOWN.items())
def test_expected_values(setting, known):
    np.testing.assert_allclose(list(study.expected(*setting).values()), known, atol=6e-7)


@pytest.mark.parametrize("setting", [(2, 0.0), (3, 0.5), (4, 1.0), (5, 3.0)])
def test_runs_average_to_what_is_expected(setting):
    values = study.simulated(*setting)
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    gaps = values.mean(axis=0) - list(study.expected(*setting).values())
    assert np.all(np.abs(gaps) < 4.5 * errors)


def test_no_shift_is_chance():
    for r, factorial in ((2, 2), (3, 6), (4, 24), (5, 120)):
        found = study.expected(r, 0.0)
        assert found["volume"] == pytest.approx(1 / factorial, abs=1e-8)
        assert found["consecutive"] == found["pairwise"] == 0.5


def test_more_classes_lower_the_volume_and_lift_the_averages():
    for d in (0.25, 1.0, 3.0):
        found = [study.expected(r, d) for r in (2, 3, 4, 5)]
        assert np.all(np.diff([each["volume"] for each in found]) < 0)
        for name in ("consecutive", "pairwise"):
            assert np.all(np.diff([each[name] for each in found]) > 0)
        assert all(each["consecutive"] >= each["pairwise"] - 1e-12 for each in found)


def test_the_gap_of_the_averages_does_not_always_grow():
    """Printed as general, but from shift 2 on the gap stays where it is."""
    gaps = {
        d: [
            study.expected(r, d)["consecutive"] - study.expected(r, d)["pairwise"]
            for r in (3, 4, 5)
        ]
        for d in (0.5, 2.0)
    }
    assert np.all(np.diff(gaps[0.5]) > 0)
    assert gaps[2.0][2] < gaps[2.0][1]
    assert study.expected(5, 5.0)["volume"] > 0.998


def test_random_rankings_agree_only_in_part():
    values = study.random_rankings(150, seed=1)
    np.testing.assert_allclose(values[:, 2], values[:, 3], atol=1e-12)  # pairwise and pairs
    assert 0.7 < np.corrcoef(values[:, 0], values[:, 1])[0, 1] < 0.92
    assert np.corrcoef(values[:, 1], values[:, 2])[0, 1] > 0.99
