"""ROC curves and rates of censored outcomes at horizons."""

import numpy as np
import pytest

import rocwise as rw
from oracles.survival_loops import DATA, drawn_rows
from rocwise.survival import curves

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")


def follow(rows, **more):
    return rw.survival.follow_up(**{**rows, **more})


def test_published_curves():
    curve = rw.survival.roc(follow(DATA["B"]), 5)
    assert curve.thresholds.tolist() == [np.inf, 5, 4, 3, 2, 1]
    np.testing.assert_allclose(curve.fpr, [0, 0, 0.2, 0.4, 0.8, 1], atol=1e-12)
    tpr = [0, 0.2243589744, 0.7179487179, 1, 1, 1]
    np.testing.assert_allclose(curve.tpr, tpr, atol=1e-9)
    curves = rw.survival.roc(follow(DATA["C"]), [7], controls="all")
    fpr = [0, 0, 0, 0.1492537313, 0.3283582090, 0.5074626866, 0.6417910448, 0.8208955224, 1]
    np.testing.assert_allclose(curves[7].fpr, fpr, atol=1e-9)
    curve = rw.survival.roc(follow(DATA["C"]), 7)
    np.testing.assert_allclose(curve.fpr, [0, 0, 0, 0, 0, 1 / 3, 1 / 3, 2 / 3, 1], atol=1e-12)
    tpr = [0, 0.2195121951, 0.4634146341, 0.4634146341, 0.4634146341, 0.7073170732, 1, 1, 1]
    np.testing.assert_allclose(curve.tpr, tpr, atol=1e-9)


def test_the_area_of_a_curve_is_the_auc():
    f = follow(drawn_rows(80, 1, competing=True))
    for controls in ("survivors", "all"):
        found = rw.survival.roc(f, [0.3, 0.7], controls=controls)
        areas = rw.survival.auc(f, [0.3, 0.7], controls=controls).value
        for t, area in zip((0.3, 0.7), areas, strict=True):
            assert found[t].auc == pytest.approx(area, abs=1e-12)
            assert np.trapezoid(found[t].tpr, found[t].fpr) == pytest.approx(area, abs=1e-12)
    frame = found.to_frame()
    assert set(frame["time"]) == {0.3, 0.7}


PUBLISHED = {
    ("A", 6.5, 0.5, "survivors"): {
        "sensitivity": (0.7554347826, 0.2247924030),
        "specificity": (0.75, 0.2282177323),
        "ppv": (0.7202072539, 0.2444943998),
        "npv": (0.7826086957, 0.2044736073),
        "alarms": (0.4825, 0.1866773620),
    },
    ("C", 7, 4, "survivors"): {
        "sensitivity": (0.7073170732, 0.2465080682),
        "specificity": (0.6666666667, 0.2842676218),
        "ppv": (0.4603174603, 0.2095283904),
        "npv": (0.5333333333, 0.2602210922),
        "alarms": (0.5833333333, 0.1637368752),
    },
    ("C", 7, 4, "all"): {"specificity": (0.4925373134, 0.2142653388)},
}


@pytest.mark.parametrize("case", PUBLISHED)
def test_published_rates(case):
    name, t, threshold, controls = case
    found = rw.survival.at(follow(DATA[name]), t, threshold=threshold, controls=controls)
    for measure, (value, error) in PUBLISHED[case].items():
        assert found.columns[measure][0] == pytest.approx(value, abs=1e-9)
        assert found.columns[f"{measure}_standard_error"][0] == pytest.approx(error, abs=1e-9)


def test_rates_are_those_of_the_weighted_tally():
    f = follow(drawn_rows(90, 3))
    thresholds = [-0.5, 0.2, 1.0]
    found = rw.survival.at(f, [0.4, 0.8], threshold=thresholds)
    assert len(found) == 6
    for k, t in enumerate([0.4] * 3 + [0.8] * 3):
        plain = rw.at(f.tally(t), threshold=thresholds[k % 3])
        for measure in ("sensitivity", "specificity", "ppv", "npv"):
            assert found.columns[measure][k] == pytest.approx(plain.columns[measure][0], abs=1e-12)


@pytest.mark.parametrize("form", ["competing", "entry", "weights"])
def test_influence_values_of_rates_are_derivatives(form):
    rows = drawn_rows(40, 5, competing=form == "competing", entry=form == "entry")
    weights = np.random.default_rng(2).random(40) + 0.5 if form == "weights" else None
    f = follow(rows, sample_weight=weights)
    h = f.horizon(0.6)
    alarm = f.rank("score") >= f.n_scores("score") // 2
    for among, of in ((h.case & alarm, h.case), (h.survivor & ~alarm, ~alarm)):

        def value(other, among=among, of=of):
            masses = other.a * other.horizon(0.6).mass
            return masses[among].sum() / masses[of].sum()

        error = curves._ratio(f, h, among, of, 0.95)[0]
        U = np.empty(40)
        for k in range(40):
            step = np.zeros(40)
            step[k] = 1e-5
            U[k] = value(f.reweighted(f.a + step)) - value(f.reweighted(f.a - step))
        variance = 40 / 39 * ((f.a * U / 2e-5) ** 2).sum()
        assert error == pytest.approx(np.sqrt(variance), abs=1e-8)


def test_a_chosen_threshold_reaches_the_rate():
    f = follow(drawn_rows(200, 7))
    found = rw.survival.at(f, [0.4, 0.8], sensitivity=[0.6, 0.9], n_resamples=200, rng=3)
    assert (found.sensitivity >= np.array([0.6, 0.9, 0.6, 0.9])).all()
    assert np.ma.getmaskarray(found.sensitivity_low).all()
    assert (found.specificity_low < found.specificity).all()
    assert (found.specificity_high > found.specificity).all()
    again = rw.survival.at(f, [0.4, 0.8], threshold=found.threshold)
    np.testing.assert_allclose(again.specificity[[0, 1, 6, 7]], found.specificity, atol=1e-12)
    assert found.seed == 3
    assert "sensitivity at least 0.9" in repr(found)


def test_lower_scores():
    rows = drawn_rows(60, 9)
    up = rw.survival.at(follow(rows), 0.5, threshold=0.3)
    down = rw.survival.at(
        follow(rows, score=-rows["score"], direction="lower"), 0.5, threshold=-0.3
    )
    for measure in curves.MEASURES:
        assert up.columns[measure][0] == down.columns[measure][0]
    assert rw.survival.roc(
        follow(rows, score=-rows["score"], direction="lower"), 0.5
    ).auc == pytest.approx(rw.survival.roc(follow(rows), 0.5).auc)


def test_undefined_rates_are_masked_and_certain_ones_have_width():
    f = follow(DATA["A"])
    found = rw.survival.at(f, 6.5, threshold=[2, 0])
    assert found.ppv.mask.tolist() == [True, False]
    assert found.npv.mask.tolist() == [False, True]
    assert found.sensitivity_high[0] > 0.3
    assert found.specificity_low[0] < 0.7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"times": 4}, "exactly one of"),
        ({"times": 4, "threshold": 0.5, "sensitivity": 0.5}, "exactly one of"),
        ({"times": 0.5, "threshold": 0.5}, "no event by"),
        ({"times": 4, "sensitivity": 1.5}, "between 0 and 1"),
    ],
)
def test_errors(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.survival.at(follow(DATA["A"]), **options)
