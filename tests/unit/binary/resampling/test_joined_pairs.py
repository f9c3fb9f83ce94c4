"""Scores of models joined where nobody tells them apart: the same resamples, value by value."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.curve_bands import benefit_statistic
from rocwise.binary.resampling import binned
from rocwise.binary.resampling.binned import ends_at_rate
from rocwise.binary.resampling.paired import joined_scores, paired_replicates

STATISTICS = {
    "sensitivity": rw.statistics.SensitivityAt(0.9),
    "specificity": rw.statistics.SpecificityAt(0.75),
    "equal errors": rw.statistics.EqualErrorRate(),
}


@pytest.fixture(autouse=True)
def few_are_very_many(monkeypatch):
    """Windows of a curve as narrow as they are of a million rows."""
    monkeypatch.setattr(binned, "MOST_SCORES", 100)
    monkeypatch.setattr(binned, "CHANCE", 1e-6)


def two_models(decimals=9, direction="higher", **more):
    rng = np.random.default_rng(4)
    y = (rng.random(3000) < 0.4).astype(int)
    scores = {
        name: np.round(1 / (1 + np.exp(-rng.normal(y, 1.0))), decimals) for name in ("a", "b")
    }
    if direction == "lower":
        scores = {name: 1 - column for name, column in scores.items()}
    return rw.pair(y, scores, direction=direction, **more)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("decimals", [3, 9])
@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_at_a_rate(name, decimals, direction):
    pairs, statistic = two_models(decimals, direction), STATISTICS[name]
    joined = joined_scores(pairs, lambda data: ends_at_rate(data, statistic))
    assert len(joined.tally("a")) < len(pairs.tally("a")) / 2
    found, expected = (paired_replicates(each, statistic, 200, 5) for each in (joined, pairs))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert np.ptp(expected, axis=0).min() > 0


@pytest.mark.parametrize("decimals", [3, 9])
def test_net_benefits(decimals):
    pairs, statistic = two_models(decimals), benefit_statistic([0.1, 0.25, 0.5, 0.9], None)
    joined = statistic.pairs_drawn_from(pairs)
    assert len(joined.tally("a")) <= 5
    found, expected = (
        paired_replicates(each, statistic.statistic, 200, 5) for each in (joined, pairs)
    )
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_comparisons_say_the_same_with_and_without(monkeypatch):
    pairs = two_models()
    how = {"at_specificity": 0.9, "method": "bootstrap", "n_resamples": 200, "rng": 3}
    joined, exact = (rw.compare(pairs, exact=each, **how) for each in (False, True))
    assert joined.p_value == pytest.approx(exact.p_value, rel=1e-9)
    curves = {"curve": "decision", "n_resamples": 50, "rng": 3}
    short = rw.compare_curves(pairs, **curves)
    monkeypatch.setattr(binned, "MOST_SCORES", 10**6)
    np.testing.assert_allclose(rw.compare_curves(pairs, **curves).lower, short.lower, rtol=1e-12)


@pytest.mark.parametrize(
    "more", [{"sample_weight": np.linspace(1, 2, 3000)}, {"groups": np.arange(3000) // 3}]
)
def test_rows_that_are_not_alike_keep_their_scores(more):
    pairs = two_models(**more)
    assert joined_scores(pairs, lambda data: ends_at_rate(data, STATISTICS["sensitivity"])) is pairs


def test_other_statistics_need_every_score():
    pairs = two_models()
    assert joined_scores(pairs, lambda data: ends_at_rate(data, rw.statistics.Area())) is pairs
