"""Bands of cost and decision curves, and who wins where."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.cost_bands import winning_ranges
from unit.binary.test_benefits import risks


def test_the_band_of_a_cost_curve():
    y, s = risks(1)
    band = rw.cost_band(y, s, grid=11, n_resamples=300, rng=1)
    np.testing.assert_allclose(band.value, rw.cost_curve(y, s).at(band.x), atol=1e-12)
    assert np.all(band.lower <= band.upper)
    assert np.all((band.lower[3:8] < band.value[3:8] + 0.02) & (band.upper[3:8] > band.value[3:8]))
    again = rw.cost_band(y, s, grid=11, n_resamples=300, rng=1)
    assert np.array_equal(band.lower, again.lower)


def test_limits_are_those_of_resampled_rows():
    y, s = risks(2)
    t = [0.2, 0.4]
    band = rw.decision_band(y, s, thresholds=t, n_resamples=2000, rng=3)
    rng = np.random.default_rng(0)
    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    drawn = []
    for _ in range(1000):
        rows = np.r_[rng.choice(pos, len(pos)), rng.choice(neg, len(neg))]
        chosen, hits = s[rows], y[rows]
        drawn.append(
            [
                (
                    ((chosen >= c) & (hits == 1)).sum()
                    - ((chosen >= c) & (hits == 0)).sum() * c / (1 - c)
                )
                / len(y)
                for c in t
            ]
        )
    spread = np.std(drawn, axis=0)
    for limit, tail in ((band.lower, 0.025), (band.upper, 0.975)):
        assert np.all(np.abs(limit - np.quantile(drawn, tail, axis=0)) < 0.4 * spread)
    expected = rw.decision_curve(y, s, thresholds=t).net_benefit
    np.testing.assert_allclose(band.value, expected, atol=1e-12)
    assert "net benefit at 2 values" in repr(band)


def two_models():
    y, good = risks(3, n=400)
    noise = np.random.default_rng(9).random(400)
    return rw.pair(y, {"good": good, "poor": np.round(0.3 * good + 0.7 * noise, 3)})


def test_differences_of_cost_curves():
    pairs = two_models()
    answer = rw.compare_costs(pairs, grid=21, n_resamples=200, rng=2)
    curves = [rw.cost_curve(pairs.tally(name)) for name in pairs.names]
    gap = curves[0].at(answer.x) - curves[1].at(answer.x)
    np.testing.assert_allclose(answer.difference, gap, atol=1e-12)
    for place in np.linspace(0.005, 0.995, 199):
        winner = next((name for low, high, name in answer.wins if low < place < high), None)
        gap = float(curves[0].at(place) - curves[1].at(place))
        expected = None if abs(gap) < 1e-12 else "good" if gap < 0 else "poor"
        assert winner == expected or abs(gap) < 1e-4
    assert any(name == "good" for _, _, name in answer.certain)
    assert all(name == "good" for _, _, name in answer.certain)
    assert "good wins" in repr(answer)


def test_differences_of_decision_curves():
    pairs = two_models()
    answer = rw.compare_decisions(pairs, thresholds=[0.1, 0.3, 0.5], n_resamples=200, rng=2)
    first, second = (
        rw.decision_curve(pairs.tally(n), thresholds=[0.1, 0.3, 0.5]) for n in pairs.names
    )
    np.testing.assert_allclose(answer.difference, first.net_benefit - second.net_benefit)
    for low, high, name in answer.wins:
        held = (answer.x > low) & (answer.x < high)
        assert np.all((answer.difference[held] > 0) == (name == "good"))
    assert answer.wins
    assert list(answer.to_frame()) == ["x", "difference", "lower", "upper"]


def test_equal_models_never_win():
    y, s = risks(4)
    same = rw.compare_costs(y, {"a": s, "b": s}, n_resamples=20, rng=1)
    assert same.wins == same.certain == ()
    assert "no difference" in repr(same)


def test_ranges_of_crossing_lines():
    knots, gap = np.array([0, 1, 2, 3, 4.0]), np.array([0, 2, -2, 0, 0.0])
    assert winning_ranges(knots, gap, ("up", "down")) == (
        (0.0, 1.5, "up"),
        (1.5, 3.0, "down"),
    )


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ({"a": [0.1, 0.2]}, {}, "two models are compared at a time; got 1"),
        ({"a": [0.1, 0.2], "b": [0.2, 0.3]}, {"groups": [0, 1]}, "weights and groups"),
        ({"a": [0.1, 0.2], "b": [0.2, 0.3]}, {"level": 1}, "`level`"),
        ({"a": [0.1, 0.2], "b": [0.2, 0.3]}, {"n_resamples": 1}, "`n_resamples`"),
    ],
)
def test_refusals(scores, options, message):
    for question in (rw.compare_costs, rw.compare_decisions):
        with pytest.raises(rw.InputError, match=message):
            question([0, 1], scores, **options)


def test_the_grid_is_checked():
    with pytest.raises(rw.InputError, match="`grid`"):
        rw.cost_band([0, 1], [0.1, 0.2], grid=1)
