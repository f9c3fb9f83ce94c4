"""Thresholds that other packages print in their documentation.

`suicide`: the README of R's cutpointr (metric sum_sens_spec, also by gender). `s100b`: the figure
"0.205 (0.806, 0.634)" of R's pROC, whose thresholds lie midway between scores.
"""

import pytest

import rocwise as rw
from rocwise.engines import columns_of


@pytest.fixture(scope="module")
def suicide(data_folder):
    columns, _ = columns_of(str(data_folder / "suicide.csv.gz"), ["target", "dsi", "gender"])
    return columns


def test_cutpointr_on_all_cases(suicide):
    point = rw.threshold(suicide["target"], suicide["dsi"], rule="youden", pos_label="yes")
    assert point.threshold == 2
    assert (point.tp, point.fp, point.fn, point.tn) == (32, 68, 4, 428)
    assert point.value + 1 == pytest.approx(1.75179, abs=5e-6)
    assert point.accuracy == pytest.approx(0.864662, abs=5e-7)
    assert point.prevalence == pytest.approx(0.0676692, abs=5e-8)


def test_cutpointr_by_gender(suicide):
    columns = suicide["target"], suicide["dsi"]
    result = rw.threshold(*columns, by=suicide["gender"], rule="youden", pos_label="yes")
    female, male = result["female"], result["male"]
    assert result.thresholds.tolist() == [2, 3]
    assert (female.tp, female.fp, female.fn, female.tn) == (25, 43, 2, 322)
    assert (male.tp, male.fp, male.fn, male.tn) == (7, 20, 2, 111)
    assert (result.value + 1).round(4).tolist() == [1.8081, 1.6251]


@pytest.mark.parametrize("rule", ["youden", "closest"])
def test_proc_on_s100b(data_folder, rule):
    data = rw.tally(data_folder / "asah.csv.gz", label="target", score="s100b", pos_label="Poor")
    point = rw.threshold(data, rule=rule)
    below = max(score for score in data.scores if score < point.threshold)
    assert (below + point.threshold) / 2 == pytest.approx(0.205)
    assert round(point.specificity, 3) == 0.806
    assert round(point.sensitivity, 3) == 0.634
