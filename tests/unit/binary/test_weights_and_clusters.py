"""Weights and clusters in everything that resamples a tally: laws that tie them to plain rows."""

import numpy as np
import pytest

import rocwise as rw

RNG = np.random.default_rng(41)
N = 80
Y = RNG.integers(0, 2, N)
SCORE = np.round(1 / (1 + np.exp(-RNG.normal(size=N) - Y)), 2)
COSTS = rw.Costs(fp=1, fn=2, abstain=0.3)
DRAWN = {"n_resamples": 60, "rng": 1}


def threshold(y, s, **given):
    result = rw.threshold(y, s, costs=rw.Costs(fp=1, fn=2), **given).uncertainty(**DRAWN)
    return [result.replicates, result.out_of_bag, result.low, result.high]


def abstain(y, s, **given):
    result = rw.abstain(y, s, costs=COSTS, **given).uncertainty(**DRAWN)
    return [list(result.lower), list(result.expected_cost), list(result.abstention_rate)]


def cost_band(y, s, **given):
    result = rw.cost_curve(y, s, **given).band(**DRAWN)
    return [result.lower, result.upper]


def decision_band(y, s, **given):
    result = rw.decision_curve(y, s, **given).band(**DRAWN)
    return [result.lower, result.upper]


def pointwise(y, s, **given):
    result = rw.band(y, s, kind="pointwise", **DRAWN, **given)
    return [result.lower, result.upper]


def simultaneous(y, s, **given):
    result = rw.band(y, s, kind="simultaneous", stratified=True, **DRAWN, **given)
    return [result.at(np.linspace(0, 1, 21))[0], result.at(np.linspace(0, 1, 21))[1]]


def future(y, s, **given):
    result = rw.band(y, s, kind="future", stratified=True, **DRAWN, **given)
    return [np.array(result.dx)]


def differences(y, s, **given):
    scores = {"a": s, "b": s**2}
    result = rw.compare_curves(y, scores, curve="decision", **DRAWN, **given)
    return [result.lower, result.upper]


CALLS = [
    threshold,
    abstain,
    cost_band,
    decision_band,
    pointwise,
    simultaneous,
    future,
    differences,
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("given", [{"groups": np.arange(N)}, {"sample_weight": np.full(N, 2.0)}])
def test_clusters_of_one_row_and_equal_weights_are_plain_rows(call, given):
    if call is abstain:  # plain tallies leave out expected numbers of equal scores, rows whole rows
        jitter = np.arange(N) / (10 * N)  # so: no equal scores
        plain, other = call(Y, SCORE / 2 + jitter), call(Y, SCORE / 2 + jitter, **given)
    else:
        plain, other = call(Y, SCORE), call(Y, SCORE, **given)
    for one, two in zip(plain, other, strict=True):
        np.testing.assert_allclose(np.asarray(two, float), np.asarray(one, float), atol=1e-9)


@pytest.mark.parametrize("call", CALLS)
def test_copies_of_rows_in_one_cluster_add_no_information(call):
    again = np.repeat(np.arange(N), 3)
    clustered = call(Y[again], SCORE[again], groups=again)
    rows = call(Y, SCORE, groups=np.arange(N))
    for one, two in zip(rows, clustered, strict=True):
        np.testing.assert_allclose(np.asarray(two, float), np.asarray(one, float), atol=1e-9)


@pytest.mark.parametrize("call", CALLS)
def test_rows_of_weight_0_are_none(call):
    more = np.concatenate([Y, [0, 1]]), np.concatenate([SCORE, [0.999, 0.001]])
    weights = np.concatenate([1 + np.arange(N) % 3, [0, 0]]).astype(float)
    here = call(*more, sample_weight=weights)
    there = call(Y, SCORE, sample_weight=weights[:-2])
    for one, two in zip(there, here, strict=True):
        np.testing.assert_allclose(np.asarray(two, float), np.asarray(one, float), atol=1e-12)
