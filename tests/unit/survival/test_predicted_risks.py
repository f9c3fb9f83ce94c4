"""Brier score, IPA and calibration by a horizon: vectors, two classes, influence, errors."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.survival import predicted_risks
from rocwise.survival.predicted_risks import brier_influence

pytestmark = pytest.mark.filterwarnings("ignore:only .* need about 10")
follow_up, brier, calibration = rw.survival.follow_up, rw.survival.brier, rw.survival.calibration
TIME, EVENT = np.arange(1, 11), [1, 0, 1, 1, 0, 1, 0, 1, 1, 0]
SCORE = np.array([0.9, 0.4, 0.8, 0.3, 0.7, 0.6, 0.2, 0.5, 0.35, 0.1])
RISK = (SCORE - 0.1 + 0.05) / (0.8 + 0.1)


def sample(n=400, seed=1):
    """Calibrated risks by t = 1, with censoring."""
    rng = np.random.default_rng(seed)
    risk = rng.beta(1.5, 2, n).round(2).clip(0.01, 0.99)
    time, end = rng.exponential(-1 / np.log1p(-risk)), rng.exponential(2, n)
    return np.minimum(time, end).round(2), time <= end, risk


def competing(n=90, seed=3):
    rng = np.random.default_rng(seed)
    risk = rng.random(n).round(2).clip(0.01, 0.99)
    time = np.ceil(rng.exponential(1, n) * 8) / 8
    return time, rng.choice([0, 1, 2], n, p=[0.3, 0.5, 0.2]), risk


def test_vectors():
    """riskRegression and scikit-survival: 0.1354475309; pec and by hand: the groups."""
    found = brier(TIME, EVENT, RISK, times=6.5)
    assert found.value[0] == pytest.approx(0.1354475309, abs=1e-9)
    assert found.standard_error[0] == pytest.approx(0.0575509306, abs=1e-9)
    assert found.ipa[0] == pytest.approx(0.4547200851, abs=1e-9)
    assert found.ipa_standard_error[0] == pytest.approx(0.2253258509, abs=1e-9)
    groups = calibration(TIME, EVENT, SCORE, times=6.5, bins=2)
    assert groups.ratio == pytest.approx(0.9484536082, abs=1e-9)
    assert groups.predicted == pytest.approx([0.27, 0.70])
    assert groups.observed == pytest.approx([0.25, 0.70])
    ties = [2, 2, 3, 3, 3, 5, 5, 6, 6, 8, 8, 9], [1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0]
    scores = np.array([5, 3, 4, 4, 2, 3, 5, 2, 4, 3, 1, 2])
    risk = (scores - 1 + 0.05) / (4 + 0.1)
    # riskRegression; scikit-survival weights by G(X) and has 0.1908660165
    assert brier(*ties, risk, times=6).value[0] == pytest.approx(0.1607192431, abs=1e-9)


def test_without_censoring_as_with_two_classes():
    time, _, risk = sample()
    ill = time <= 1
    found = brier(time, np.ones(400), risk, times=1)
    assert found.value[0] == pytest.approx(rw.brier(ill, risk))
    own, plain = calibration(time, np.ones(400), risk, times=1), rw.calibration(ill, risk)
    for name in ("slope", "intercept", "in_the_large"):
        assert getattr(own, name) == pytest.approx(getattr(plain, name), abs=1e-8)
        assert list(getattr(own, f"{name}_interval")) == pytest.approx(
            list(getattr(plain, f"{name}_interval")), abs=0.06
        )
    assert own.observed == pytest.approx(plain.observed)
    assert own.predicted == pytest.approx(plain.predicted)
    assert own.count.tolist() == plain.count.tolist()
    local = rw.calibration(ill, risk, strategy="loess")
    assert own.ici == pytest.approx(local.ece, rel=1e-3)  # bins of rounded masses
    assert 0 < own.e50 < own.e90
    assert own.ratio == pytest.approx(ill.mean() / risk.mean())


def values_of(f, t):
    """All estimates with influence values of one horizon, as (name, value, U)."""
    found = brier_influence(f, "score", t)
    yield "brier", *found.brier[:2]
    yield "ipa", *found.ipa[:2]
    horizon, risk = f.horizon(t), predicted_risks.risks_of(f, "score")
    moved = {}
    original = predicted_risks.standard_error
    predicted_risks.standard_error = lambda _, U: moved.setdefault(len(moved), U)[0] * 0 + 0.1
    try:
        fit = predicted_risks._recalibration(horizon, risk, 0.95)
        ratio = predicted_risks._ratio(horizon, risk, 0.95)
    finally:
        predicted_risks.standard_error = original
    estimates = [fit["intercept"], fit["slope"], fit["in_the_large"], ratio["ratio"]]
    names = "intercept", "slope", "in the large", "ratio"
    yield from zip(names, estimates, moved.values(), strict=True)


@pytest.mark.parametrize("t", [0.5, 1.125])
def test_influence_values_by_differences(t):
    weights = 1 + np.random.default_rng(1).random(90)
    f = follow_up(*competing(), cause=1, sample_weight=weights)
    found = list(values_of(f, t))
    h = 1e-5
    for k in range(0, 90, 4):
        ends = []
        for step in (h, -h):
            moved = f.a.copy()
            moved[k] += step
            ends.append([value for _, value, _ in values_of(f.reweighted(moved), t)])
        for (name, _, U), up, down in zip(found, *ends, strict=True):
            assert (up - down) / (2 * h) == pytest.approx(U[k], abs=2e-6), name
    for name, _, U in found:
        assert f.a @ U == pytest.approx(0, abs=1e-10), name


def test_laws():
    time, event, risk = sample()
    weights = np.random.default_rng(2).integers(1, 4, 400)
    options = {"times": 1, "bins": 5}
    copies = [np.repeat(each, weights) for each in (time, event, risk)]
    heavy = calibration(time, event, risk, sample_weight=weights, **options)
    many = calibration(*copies, **options)
    for name in ("slope", "intercept", "in_the_large", "ratio", "incidence", "ici", "e50", "e90"):
        assert getattr(heavy, name) == pytest.approx(getattr(many, name), abs=1e-7), name
    assert heavy.observed == pytest.approx(many.observed)
    own = brier(time, event, risk, sample_weight=weights, times=[0.5, 1])
    assert own.value == pytest.approx(brier(*copies, times=[0.5, 1]).value)
    plain = brier(time, event, risk, times=1)
    twice = [np.tile(each, 2) for each in (time, event, risk)]
    clustered = brier(*twice, groups=np.tile(np.arange(400), 2), times=1)
    assert clustered.standard_error == pytest.approx(plain.standard_error)
    assert clustered.ipa_standard_error == pytest.approx(plain.ipa_standard_error)
    turned = brier(time, event, 1 - risk, times=1, direction="lower")
    assert turned.value == pytest.approx(plain.value)
    f = follow_up(time, event, {"a": risk, "b": 1 - risk})
    both = brier(f, 1)
    assert both["a"].value == plain.value
    assert both["b"].ipa < 0 < both["a"].ipa
    by_time = calibration(f, [0.5, 1])["a"]
    assert list(by_time.results) == [0.5, 1.0]
    assert by_time[1.0].slope == pytest.approx(calibration(time, event, risk, times=1).slope)


def test_competing_events_are_without_the_event():
    time, event, risk = competing()
    coded = brier(time, event, risk, cause=1, times=1)
    censored = brier(time, np.where(event == 2, 0, event), risk, times=1)
    assert coded.value[0] != pytest.approx(censored.value[0], abs=1e-3)
    assert coded.incidence[0] < censored.incidence[0]


@pytest.mark.filterwarnings("ignore:one case at t = 1 has 24 times the mean weight")
def test_calibrated_risks_and_delayed_entry():
    """Covered by the intervals, also where rows enter late."""
    time, event, risk = sample(4000, seed=6)
    entry = np.random.default_rng(2).random(4000) * 0.5
    late = time > entry
    for found in (
        calibration(time, event, risk, times=1),
        calibration(time[late], event[late], risk[late], entry=entry[late], times=1),
    ):
        assert 1 in found.ratio_interval
        assert 1 in found.slope_interval
        assert 0 in found.intercept_interval
        assert 0 in found.in_the_large_interval
        assert np.mean((found.low <= found.predicted) & (found.predicted <= found.high)) >= 0.8
        assert found.ici < 0.03


def test_what_is_printed_and_made_tables_of():
    time, event, risk = sample()
    text = repr(brier(time, event, risk, times=[0.5, 1]))
    assert len(text.splitlines()) == 2
    assert "IPA" in text
    found = calibration(time, event, risk, times=1)
    assert repr(found).startswith("calibration by t = 1: observed / expected ")
    assert found.to_frame()["count"].sum() == 400
    edge = calibration(time, event, np.where(risk > 0.9, 1.0, risk), times=1)
    assert (edge.slope, edge.slope_interval) == (None, None)
    assert "no slope" in repr(edge)
    assert calibration(time, event, np.full(400, 0.4), times=1).ici is None


def test_few_cases_are_warned_of():
    for function in (brier, calibration):
        with pytest.warns(rw.RocwiseWarning, match="only 4 cases at t = 6.5"):
            function(
                TIME, EVENT, RISK, times=6.5, **({"bins": 2} if function is calibration else {})
            )


def test_a_perfect_forecast_has_an_interval():
    time = np.arange(1, 41)
    found = brier(time, np.ones(40), 1.0 * (time <= 20), times=20)
    assert (found.value[0], found.ipa[0], found.low[0], found.ipa_high[0]) == (0, 1, 0, 1)
    assert 0.05 < found.high[0] < 0.15
    assert found.ipa_low[0] == pytest.approx(1 - found.high[0] / 0.25)


BAD = [
    (brier, {"scores": SCORE * 2, "times": 6.5}, "is 1.8 at row 0; predicted risks"),
    (calibration, {"scores": -SCORE, "times": 6.5}, "is -0.9 at row 0; predicted risks"),
    (brier, {"scores": RISK}, "needs `times`"),
    (brier, {"scores": RISK, "times": 0.5}, "no event by t = 0.5: the first is at 1"),
    (brier, {"scores": RISK, "times": 10}, "followed beyond t = 10"),
    (brier, {"scores": RISK, "times": [2, 2]}, "more than once"),
    (calibration, {"scores": RISK, "times": 8, "bins": 9}, "use fewer `bins`"),
    (calibration, {"scores": 0 * RISK, "times": 6.5}, "all predicted risks are 0"),
    (calibration, {"scores": RISK, "times": 6.5, "bins": 0}, "`bins`"),
]


@pytest.mark.parametrize(("function", "options", "message"), BAD, ids=[m for _, _, m in BAD])
def test_bad_input(function, options, message):
    options = dict(options)
    with pytest.raises(rw.InputError, match=message):
        function(TIME, EVENT, options.pop("scores"), **options)
