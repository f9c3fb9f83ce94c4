"""The study of operating points: sound problems, and a page that holds what is kept."""

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
    for seed in range(2):
        found = {one.method: one.cost for one in study.solved(study.Problem(3, 30, seed))}
        assert set(found) == {*study.METHODS, "sweep", "equal weights"}
        assert found["pair-moves"] == pytest.approx(found["sweep"], abs=1e-12)
        for name in ("sequential", "passes", "lp", "soft", "genetic"):
            assert found[name] >= found["sweep"] - 1e-12


def test_the_cost_that_was_minimised_is_optimistic():
    found = [one for seed in range(3) for one in study.held_out(study.Problem(3, 40, seed))]
    (line,) = study.held_out_table(found).splitlines()[2:]
    there, new, equal = map(float, line.strip("| ").split(" | ")[1:])
    assert there < new < equal


def test_a_kept_problem_is_counted_again_to_the_last_digit():
    kept = {one.cell: one for one in study.STUDY.kept["held_out"]}
    (again,) = study.held_out(study.WHOLE_HELD[7])
    assert again == kept[again.cell]


def test_each_method_is_one_of_the_package():
    y, scores = study.Source(3, 0).rows(20)
    for name in study.METHODS:
        assert study.asked(name, y, scores, study.Source(3, 0).costs()) >= 0
    assert rw.multiclass.class_weights(y, scores).optimal
