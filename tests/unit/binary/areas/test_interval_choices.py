import json

import numpy as np
import pytest

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.binary.auc import METHODS


def test_all_methods_stand_side_by_side():
    answer = rw.auc_intervals(tally_of(SAMPLES["C"]), rng=1)
    assert list(answer.method) == list(METHODS)
    for name, low, high in zip(answer.method, answer.low, answer.high, strict=True):
        alone = rw.auc(tally_of(SAMPLES["C"]), method=str(name), rng=1).interval
        assert (low, high) == (alone.low, alone.high)
    assert (answer.low < answer.value).all()
    assert answer.recommended == "wilson"
    assert "10 cases" in answer.advice
    json.dumps(answer.to_dict())
    assert len(answer.to_frame()["low"]) == len(METHODS)


def binormal(n, shift, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rw.tally(y, rng.normal(size=n) + shift * y)


@pytest.mark.parametrize(
    ("n", "shift", "trusted"),
    [(400, 1.0, "delong"), (400, 2.6, "wilson"), (20, 1.0, "wilson")],
)
def test_the_advice_follows_size_and_area(n, shift, trusted):
    answer = rw.auc_intervals(binormal(n, shift), rng=0, n_resamples=100)
    assert answer.recommended == trusted
    assert repr(answer).endswith(answer.advice)
    place = list(answer.method).index(trusted)
    assert rw.auc(binormal(n, shift)).interval.method == answer.used[place]


def test_separated_classes_have_valid_intervals_by_every_method():
    answer = rw.auc_intervals([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], rng=0)
    assert answer.value == 1.0
    assert (answer.low < 1.0).all()
    assert answer.recommended == "wilson"


def test_one_case_in_a_class_is_left_to_the_bound():
    answer = rw.auc_intervals([0, 0, 0, 0, 1], [1, 2, 3, 5, 4], rng=0)
    assert answer.recommended == "hoeffding"
    assert set(answer.used) == {"Hoeffding bound", "Newcombe score"}


def test_the_advice_is_that_of_the_negated_scores():
    for n, shift in ((400, 2.6), (20, 1.0)):
        y = np.arange(n) % 2
        scores = np.random.default_rng(0).normal(size=n) + shift * y
        advised = [rw.auc_intervals(y, s, rng=0).recommended for s in (scores, -scores)]
        assert advised[0] == advised[1]


def test_weighted_data_show_the_methods_that_take_weights():
    weighted = rw.tally([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 2, 1, 2])
    shown = ["delong", "wilson", "logit", "score", "bootstrap"]
    assert list(rw.auc_intervals(weighted).method) == shown


def test_both_bootstraps_rest_on_one_set_of_draws(monkeypatch):
    from rocwise.binary import auc as intervals

    drawn = []
    real = intervals.replicates
    monkeypatch.setattr(
        intervals, "replicates", lambda *args, **given: drawn.append(1) or real(*args, **given)
    )
    y, s = [0, 0, 0, 0, 1, 1, 1, 1] * 3, list(range(24))
    rw.auc_intervals(y, s, n_resamples=50, rng=1)
    assert len(drawn) == 1
    alone = rw.auc(y, s, method="bca", n_resamples=50, rng=1).interval
    both = rw.auc_intervals(y, s, n_resamples=50, rng=1)
    place = both.method.tolist().index("bca")
    assert (both.low[place], both.high[place]) == (alone.low, alone.high)
