"""Comparisons of the three aSAH markers against the values that pROC 1.18.0 prints."""

import numpy as np
import pytest

import rocwise as rw


@pytest.fixture
def asah(data_folder):
    frame = np.genfromtxt(
        data_folder / "asah.csv.gz", delimiter=",", names=True, dtype=None, encoding="utf-8"
    )
    markers = {name: frame[name].astype(float) for name in ("wfns", "s100b", "ndka")}
    return frame["target"], markers


def compared(asah, *names, **options):
    target, markers = asah
    chosen = {name: markers[name] for name in names}
    return rw.compare(rw.pair(target, chosen, pos_label="Poor"), **options)


@pytest.mark.parametrize(
    ("names", "z", "p"),
    [
        (("wfns", "s100b"), 2.20898359144091, 0.0271757822291882),
        (("wfns", "ndka"), 2.79777591868904, 0.00514557970691098),
        (("ndka", "s100b"), -1.39077002573558, 0.164295175223054),
    ],
)
def test_paired_delong(asah, names, z, p):
    result = compared(asah, *names, method="delong")
    assert result.statistic == pytest.approx(z, abs=1e-10)
    assert result.p_value == pytest.approx(p, abs=1e-10)


def test_interval_of_the_difference(asah):
    interval = compared(asah, "wfns", "s100b", method="delong").interval
    assert interval.low == pytest.approx(0.0104061769564846, abs=1e-10)
    assert interval.high == pytest.approx(0.174214419249478, abs=1e-10)


def test_unpaired_delong(asah):
    target, markers = asah
    samples = [rw.tally(target, markers[name], pos_label="Poor") for name in ("wfns", "s100b")]
    with pytest.warns(rw.errors.MisuseWarning, match="seem to be of the same rows"):
        result = rw.compare(*samples, method="delong")
    assert result.statistic == pytest.approx(1.43490640926908, abs=1e-10)
    assert result.p_value == pytest.approx(0.152825378808796, abs=1e-10)


def test_covariances(asah):
    target, markers = asah
    matrix = rw.auc_covariance(rw.pair(target, markers, pos_label="Poor"))
    assert matrix[0, 2] == pytest.approx(-0.000532967856762438, abs=1e-12)
    assert matrix[0, 1] == pytest.approx(0.00119615567376754, abs=1e-12)


def test_three_markers_jointly(asah):
    result = compared(asah, "wfns", "s100b", "ndka", method="delong")
    assert result.statistic == pytest.approx(12.512728282423534, abs=1e-9)
    assert result.df == 2
