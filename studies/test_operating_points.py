"""The study of operating points: sound problems, and a page that holds its tables."""

import numpy as np
import pytest

import rocwise as rw

from . import operating_points as study


def test_samples_of_one_source_share_its_calibration():
    source = study.Source(3, 1)
    first, again, other = source.rows(500), source.rows(500), source.rows(500, part=1)
    assert first[1].tolist() == again[1].tolist()
    assert first[1].tolist() != other[1].tolist()
    means = [np.log(scores).mean(axis=0) for _, scores in (first, other)]
    assert means[0] - means[0].mean() == pytest.approx(means[1] - means[1].mean(), abs=0.5)
    assert source.costs().tolist() == study.Source(3, 1).costs().tolist()


def test_no_method_of_the_family_beats_the_exact_one():
    lines = {line[0]: line for line in study.against_the_optimum(3, 30, 2)}
    assert set(lines) == {*study.METHODS, "sweep", "equal weights"}
    assert lines["sweep"][2:4] == ["+0.0 %", "2 of 2"]
    assert lines["pair-moves"][1] == lines["sweep"][1]
    for name in ("sequential", "passes", "lp", "soft", "genetic"):
        assert float(lines[name][1]) >= float(lines["sweep"][1])


def test_the_cost_that_was_minimised_is_optimistic():
    (line,) = study.held_out(3, (40,), 3)
    there, new, equal = map(float, line[1:])
    assert there < new < equal


@pytest.mark.parametrize("name", study.TABLES)
def test_page_has_its_tables(name):
    text = study.PAGE.read_text(encoding="utf-8")
    (found,) = [part for part in study.MARKED.finditer(text) if part[2] == name]
    assert found[0].count("\n|") >= 6


def test_each_method_is_one_of_the_package():
    y, scores = study.Source(3, 0).rows(20)
    for name in study.METHODS:
        assert study.asked(name, y, scores, study.Source(3, 0).costs()) >= 0
    assert rw.class_weights(y, scores).optimal
