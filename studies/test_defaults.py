"""The study of defaults: known truths, counts that go on, and their charts."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import rocwise as rw

from . import defaults
from . import populations as pop
from .default_counts import Count, Entry, asked, place, run
from .kept_counts import read_records

COUNTS = read_records(defaults.COUNTS, Count)


def rng():
    return np.random.default_rng(1)


def test_scores_have_their_areas():
    y, s = pop.one(rng(), 40_000, 40_000, 0.8, 3)
    assert roc_auc_score(y, s) == pytest.approx(0.8, abs=0.01)
    y, s = pop.one(rng(), 40_000, 40_000, 0.8)
    assert roc_auc_score(y, pop.levels(s)) == pytest.approx(pop.area_of_levels(0.8), abs=0.01)
    y, s = pop.one(rng(), 20_000, 80_000, 0.8)
    expected = average_precision_score(y, s)
    assert pop.average_precision(0.8, 0.2) == pytest.approx(expected, abs=0.01)
    y, (s,), _ = pop.one_class_clusters(rng(), 20_000, 20_000, 2, 1, 0.8)
    assert roc_auc_score(y, s) == pytest.approx(0.8, abs=0.01)
    y, s, weights = pop.sampled_by_score(rng(), 60_000, 60_000, 0.8, 10)
    assert roc_auc_score(y, s, sample_weight=weights) == pytest.approx(0.8, abs=0.01)


def test_models_are_correlated():
    y, scores = pop.several(rng(), 10_000, 10_000, (0.6, 0.9), 0.8)
    for s, area in zip(scores.values(), (0.6, 0.9), strict=True):
        assert roc_auc_score(y, s) == pytest.approx(area, abs=0.01)
    negatives = [s[y == 0] for s in scores.values()]
    assert np.corrcoef(negatives)[0, 1] == pytest.approx(0.8, abs=0.02)


def test_probabilities_are_right_and_volumes_are_shares_in_order():
    y, p, _ = pop.calibrated(rng(), 20_000, 5)
    for low in (0.2, 0.5, 0.7):
        inside = (low <= p) & (p < low + 0.1)
        assert y[inside].mean() == pytest.approx(p[inside].mean(), abs=0.02)
    a, b, c = rng().normal(size=(3, 200_000)) + np.array([[0], [1], [2]])
    assert pop.volume(1.0) == pytest.approx(np.mean((a < b) & (b < c)), abs=0.005)


def test_measures_are_those_of_counts():
    found = pop.measures(0.75, 0.9, 0.4)
    y, alarm = np.repeat([1, 1, 0, 0], [30, 10, 6, 54]), np.repeat([1, 0, 1, 0], [30, 10, 6, 54])
    table = rw.at(y, alarm, threshold=0.5)
    for name, value in found.items():
        assert value == pytest.approx(getattr(table, name)[0])


def coin(generator):
    drawn = generator.random()
    if drawn > 0.9:
        raise rw.InputError("`y` is too short.")
    return {"heads": drawn < 0.45, "tails": drawn >= 0.45}


COIN = Entry("coin", "coverage", "fair", 10, coin, 1000)


def test_a_run_that_was_stopped_goes_on_to_the_same_counts(tmp_path):
    whole = run([COIN], tmp_path / "whole.csv", quick=False)
    run([COIN], tmp_path / "parts.csv", quick=True)
    parts = run([COIN], tmp_path / "parts.csv", quick=False)
    assert whole == parts == read_records(tmp_path / "parts.csv", Count)
    heads, tails = whole
    assert heads.samples == 1000
    assert heads.refused == tails.refused == 1000 - heads.hits - tails.hits > 0
    share = heads.hits / (1000 - heads.refused)
    assert heads.percent == pytest.approx(100 * share, abs=0.006)
    error = 100 * math.sqrt(share * (1 - share) / (1000 - heads.refused))
    assert heads.standard_error == pytest.approx(error, abs=0.02)


def test_no_answers_leave_no_share():
    entry = replace(COIN, ask=lambda _: coin(type("High", (), {"random": lambda _: 1.0})()))
    assert asked(entry, 0, 5) == {}


def test_every_entry_can_be_asked_and_has_a_name_of_its_own():
    assert len({place(one) for one in defaults.ENTRIES}) == len(defaults.ENTRIES)
    small = [one for one in defaults.ENTRIES if one.smallest <= 50]
    first = {one.default: one for one in reversed(small)}
    for entry in first.values():
        assert asked(entry, 0, 1), entry.default


def test_the_command_writes_counts_and_charts(tmp_path):
    path = tmp_path / "counts.csv"
    options = ["--only", "sample_size, one AUC", "--counts", str(path), "--quick"]
    assert defaults.main(options) == 0
    assert len(read_records(path, Count)) == 4
    assert (tmp_path / "counts-power.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_every_entry_has_been_counted():
    assert {place(one) for one in COUNTS} == {place(one) for one in defaults.ENTRIES}
