"""Values of the public data sets and of scikit-learn's examples, as published with them."""

import csv

import pytest

import rocwise as rw


@pytest.fixture(scope="module")
def marker(data_folder):
    """A tally of one marker of the aSAH data: outcome Poor is positive, higher means poor."""
    path = data_folder / "asah.csv.gz"
    return lambda name: rw.tally(path, label="target", score=name, pos_label="Poor")


@pytest.mark.parametrize(
    ("name", "area", "variance"),
    [
        ("wfns", 0.823678861788618, 0.00146991470882363),
        ("ndka", 0.611957994579946, 0.0031908105493913),
        ("s100b", 0.7313685636856369, 0.00266868245717244),
    ],
)
def test_areas_and_variances_of_asah(marker, name, area, variance):
    tally = marker(name)
    assert (tally.n_pos, tally.n_neg) == (41, 72)
    assert rw.auc(tally).value == pytest.approx(area, abs=1e-12)
    assert rw.auc_variance(tally, method="delong") == pytest.approx(variance, abs=1e-12)
    assert rw.auc(tally).standard_error ** 2 == pytest.approx(variance, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "low", "high", "tolerance"),
    [
        ("ndka", 0.501244999271703, 0.722670989888189, 1e-12),
        ("wfns", 0.7485348878, 0.8988228358, 1e-10),
    ],
)
def test_intervals_of_asah(marker, name, low, high, tolerance):
    interval = rw.auc(marker(name), method="delong").interval
    assert interval.low == pytest.approx(low, abs=tolerance)
    assert interval.high == pytest.approx(high, abs=tolerance)
    assert (interval.level, interval.method) == (0.95, "DeLong")


@pytest.mark.parametrize(
    ("part", "area"),
    [
        ({"max_fpr": 0.1}, 0.0334417344173442),
        ({"fpr_range": (0.1, 0.2)}, 0.0598373983739837),
        ({"tpr_range": (0.9, 1.0)}, 0.0400999322493225),
        ({"max_fpr": 0.1, "standardize": True}, 0.649693339038653),
    ],
)
def test_partial_areas_of_asah(marker, part, area):
    assert rw.auc(marker("wfns"), **part).value == pytest.approx(area, abs=1e-12)


def test_youden_point_of_s100b(marker):
    table = rw.thresholds(marker("s100b"))
    best = int(table.youden.argmax())
    assert 0.19 < table.threshold[best] <= 0.22
    assert 0.19 < float(table.threshold_text(best)) <= 0.22
    assert (table.tp[best], table.fp[best], table.tn[best], table.fn[best]) == (26, 14, 58, 15)


def test_area_of_suicide(data_folder):
    with (data_folder / "MANIFEST.csv").open(newline="") as lines:
        rows = {row["abbreviations"]: row for row in csv.DictReader(lines)}
    positive = rows["suicide"]["positive_label"]
    path = data_folder / rows["suicide"]["file"]
    result = rw.auc(path, label="target", score="dsi", pos_label=positive)
    assert result.value == pytest.approx(0.9237791218637993, abs=1e-12)


def test_examples_of_scikit_learn():
    assert rw.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).value == 0.75
    partial = rw.auc([0, 0, 1, 1], [0.1, 0, 0.1, 0.01], max_fpr=0.3, standardize=True)
    assert partial.value == pytest.approx(0.5, abs=1e-12)
