"""Who wins where: differences of cost and decision curves."""

import numpy as np
import pytest

import rocwise as rw
from unit.binary.test_decision_curves import risks


def two_models():
    y, good = risks(3, n=400)
    noise = np.random.default_rng(9).random(400)
    return rw.pair(y, {"good": good, "poor": np.round(0.3 * good + 0.7 * noise, 3)})


def test_differences_of_cost_curves():
    pairs = two_models()
    result = rw.compare_curves(pairs, grid=21, n_resamples=200, rng=2)
    curves = [rw.cost_curve(pairs.tally(name)) for name in pairs.names]
    gap = curves[0].at(result.x) - curves[1].at(result.x)
    np.testing.assert_allclose(result.difference, gap, atol=1e-12)
    for place in np.linspace(0.005, 0.995, 199):
        winner = next((name for low, high, name in result.wins if low < place < high), None)
        gap = float(curves[0].at(place) - curves[1].at(place))
        expected = None if abs(gap) < 1e-12 else "good" if gap < 0 else "poor"
        assert winner == expected or abs(gap) < 1e-4
    assert any(name == "good" for _, _, name in result.certain)
    assert all(name == "good" for _, _, name in result.certain)
    assert "good is better" in repr(result)


def test_differences_of_decision_curves():
    pairs = two_models()
    result = rw.compare_curves(
        pairs, curve="decision", thresholds=[0.1, 0.3, 0.5], n_resamples=200, rng=2
    )
    first, second = (
        rw.decision_curve(pairs.tally(n), thresholds=[0.1, 0.3, 0.5]) for n in pairs.names
    )
    np.testing.assert_allclose(result.difference, first.net_benefit - second.net_benefit)
    for low, high, name in result.wins:
        inside = (result.x > low) & (result.x < high)
        assert np.all((result.difference[inside] > 0) == (name == "good"))
    assert result.wins
    assert list(result.to_frame()) == ["x", "difference", "lower", "upper"]


def test_equal_models_never_win():
    y, s = risks(4)
    same = rw.compare_curves(y, {"a": s, "b": s}, n_resamples=20, rng=1)
    assert same.wins == same.certain == ()
    assert "no difference" in repr(same)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ({"a": [0.1, 0.2]}, {}, "two models are compared at a time; got 1"),
        ({"a": [0.1, 0.2], "b": [0.2, 0.3]}, {"level": 1}, "`level`"),
        ({"a": [0.1, 0.2], "b": [0.2, 0.3]}, {"n_resamples": 1}, "`n_resamples`"),
    ],
)
def test_errors(scores, options, message):
    for curve in ("cost", "decision"):
        with pytest.raises(rw.InputError, match=message):
            rw.compare_curves([0, 1], scores, curve=curve, **options)


@pytest.mark.parametrize("curve", ["cost", "decision"])
def test_few_cases_settle_nothing(curve):
    def certain(k):
        y = np.repeat([1, 0], [k, 20])
        exact = {"a": np.where(y == 1, 0.9, 0.1), "b": np.where(y == 1, 0.1, 0.9)}
        options = {} if curve == "cost" else {"thresholds": [0.3, 0.5]}
        return rw.compare_curves(y, exact, curve=curve, n_resamples=50, rng=1, **options).certain

    assert certain(5) == ()  # the sign test of five: p = 0.0625
    assert certain(6)
    with pytest.raises(rw.InputError, match="`compare_curves` needs two cases of each class"):
        certain(1)
    scores = {"a": [0.1, 0.2, 0.6, 0.7], "b": [0.1, 0.6, 0.2, 0.7]}
    with pytest.raises(rw.InputError, match="needs two clusters with rows of each class"):
        rw.compare_curves([0, 0, 1, 1], scores, groups=[1, 1, 1, 1], rng=1)


def test_net_benefit_jumps_between_the_thresholds_given():
    """Straight lines between the thresholds given would give the whole range to `a`."""
    y = [0, 0, 1, 1]
    pairs = rw.pair(y, {"a": [0.1, 0.2, 0.6, 0.7], "b": [0.1, 0.45, 0.6, 0.7]})
    result = rw.compare_curves(
        pairs, curve="decision", thresholds=[0.3, 0.5], n_resamples=20, rng=1
    )
    assert result.difference == pytest.approx([0.25 * 3 / 7, 0.0])
    assert result.wins == ((0.3, 0.45, "a"),)
    single = rw.compare_curves(pairs, curve="decision", thresholds=[0.3], n_resamples=20, rng=1)
    assert single.wins == ((0.3, 0.3, "a"),)
    equal = rw.compare_curves(pairs, curve="decision", thresholds=[0.5], n_resamples=20, rng=1)
    assert equal.wins == ()


@pytest.mark.parametrize("prevalence", [None, 0.1, 0.9])
@pytest.mark.parametrize("seed", range(4))
def test_winning_ranges_of_decisions_by_brute_force(seed, prevalence):
    y, s = risks(seed, n=60)
    rng = np.random.default_rng(seed)
    pairs = rw.pair(y, {"a": s, "b": np.round(np.clip(s + rng.normal(0, 0.2, 60), 0, 1), 2)})
    result = rw.compare_curves(
        pairs, curve="decision", thresholds=[0.05, 0.8], prevalence=prevalence, n_resamples=2, rng=1
    )
    assert all(low < high for low, high, _ in result.wins)
    places = np.linspace(0.05, 0.8, 1202)[1:-1]  # off every score, which have two decimals
    first, second = (
        rw.decision_curve(pairs.tally(n), thresholds=places, prevalence=prevalence).net_benefit
        for n in pairs.names
    )
    for place, gap in zip(places, first - second, strict=True):
        winner = next((name for low, high, name in result.wins if low < place < high), None)
        assert winner == (None if abs(gap) < 1e-12 else "a" if gap > 0 else "b")
    assert result.wins


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"curve": "roc"}, "`curve` must be one of 'cost', 'decision'; got 'roc'"),
        ({"thresholds": [0.2]}, "`thresholds` has no meaning with curve='cost'"),
        ({"prevalence": 0.2}, "`prevalence` has no meaning with curve='cost'"),
        ({"curve": "decision", "grid": 11}, "`grid` has no meaning with curve='decision'"),
    ],
)
def test_options_of_the_other_curve(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.compare_curves(two_models(), **options)
