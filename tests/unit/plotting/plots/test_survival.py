"""Plots of censored outcomes: what is drawn, with which numbers."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.plotting.spec import Band, Line, Points, Whiskers
from unit.plotting.drawn_results import layers, recorded

RNG = np.random.default_rng(5)
SCORE = RNG.normal(size=200)
TIME, END = RNG.exponential(np.exp(-SCORE)), RNG.uniform(0.2, 4, 200)
ROWS = rw.survival.follow_up(
    np.minimum(TIME, END), TIME <= END, {"marker": SCORE, "noise": RNG.normal(size=200)}
)
TIMES = [2, 0.5, 1]


@pytest.fixture(scope="module")
def areas():
    return rw.survival.auc(ROWS, TIMES, band=True, rng=1)


def test_auc_over_time_in_order_of_time(areas):
    found = areas["marker"]
    spec = recorded(found).spec
    (line,) = [each for each in layers(spec, Line) if each.role == "model" and not each.muted]
    assert line.x.tolist() == [0.5, 1, 2]
    assert line.y.tolist() == found.value[[1, 2, 0]].tolist()
    (band,) = layers(spec, Band)
    assert band.lower.tolist() == found.band_low[[1, 2, 0]].tolist()
    assert spec.table[0] == ("time", "0.5", "1", "2")
    against = rw.survival.auc(ROWS, TIMES, controls="all")["marker"]
    assert [recorded(each).spec.table[2][0] for each in (found, against)] == ["at risk", "controls"]
    assert spec.table[2][1:] == tuple(str(int(found.n_controls[k])) for k in (1, 2, 0))


def test_two_models_share_axes_and_numbers_at_risk(areas):
    spec = recorded(areas).spec
    assert len({each.slot for each in layers(spec, Line) if each.role == "model"}) == 2
    assert len(spec.table) == 3


def test_without_band_pointwise_limits_and_one_time_is_a_row(areas):
    plain = rw.survival.auc(ROWS, TIMES)["marker"]
    (band,) = layers(recorded(plain).spec, Band)
    assert band.upper.tolist() == plain.high[[1, 2, 0]].tolist()
    one = recorded(rw.survival.auc(ROWS, 1)).spec
    assert one.x.title.startswith("AUC by t = 1")
    assert len(layers(one, Whiskers)) == 2
    assert areas["noise"].times.tolist() == TIMES


def test_calibration_and_concordance():
    risk = 1 - np.exp(-np.exp(SCORE))
    found = rw.survival.calibration(ROWS.time, ROWS.status, risk[ROWS.order], times=1, bins=5)
    spec = recorded(found).spec
    (points,) = layers(spec, Points)
    assert points.y.tolist() == found.observed.tolist()
    assert spec.x.title == "Predicted risk by t = 1"
    index = recorded(rw.survival.concordance(ROWS)).spec
    assert index.x.title.startswith("Concordance (Uno)")
    assert len(layers(index, Whiskers)) == 2


def test_rates_and_brier_scores():
    found = rw.survival.at(ROWS, TIMES, threshold=0.0)
    spec = recorded(found["marker"]).spec
    assert spec.rows == 12
    assert "specificity by t = 0.5" in [tick.text for tick in spec.y.ticks]
    risk = 1 - np.exp(-np.exp(SCORE))[ROWS.order]
    scores = rw.survival.brier(ROWS.time, ROWS.status, {"a": risk, "b": risk / 2}, TIMES)
    spec = recorded(scores).spec
    lines = [each.label for each in layers(spec, Line) if each.label]
    assert lines == ["null model", "a", "b"]
    one = recorded(rw.survival.brier(ROWS.time, ROWS.status, risk, 1)).spec
    assert one.x.title == "Brier score by t = 1 (95% CI)"


def test_curves_of_several_times_and_of_models():
    curves = rw.survival.roc(ROWS, TIMES)["marker"]
    entries = [each.label for each in layers(recorded(curves).spec, Line) if each.label]
    assert entries == [f"AUC {curves[t].auc:.3f} by t = {t:g}" for t in (2.0, 0.5, 1.0)]
    models = recorded(rw.survival.roc(ROWS, 1)).spec
    assert [each.label[:6] for each in layers(models, Line) if each.label] == ["marker", "noise,"]


def test_differences_over_time_and_as_rows():
    found = rw.survival.compare(ROWS, TIMES, band=True, rng=1)
    spec = recorded(found).spec
    (line,) = [each for each in layers(spec, Line) if each.role == "model"]
    assert line.y.tolist() == found.difference[[1, 2, 0]].tolist()
    assert line.label == "marker − noise"
    (band,) = [each for each in layers(spec, Band) if len(each.x)]
    assert band.lower.tolist() == found.band_low[[1, 2, 0]].tolist()
    for one in (
        rw.survival.compare(ROWS, 1),
        rw.survival.compare(ROWS, measure="concordance"),
    ):
        assert layers(recorded(one).spec, Whiskers)[0].high.tolist() == one.high.tolist()
    three = rw.survival.follow_up(
        np.minimum(TIME, END), TIME <= END, {k: SCORE**k for k in (1, 2, 3)}
    )
    rows = recorded(rw.survival.compare(three, [1, 2], rng=1)).spec
    assert len(layers(rows, Whiskers)[0].low) == 6
    assert "1 − 2, t = 1" in [tick.text for tick in rows.y.ticks]
