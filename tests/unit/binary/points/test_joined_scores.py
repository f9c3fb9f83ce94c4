"""Scores joined to cells: the same measures in every resample, the same spread of all of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from rocwise import kernels
from rocwise.binary.points import joined_scores
from rocwise.binary.points.joined_scores import (
    ends_of_cells,
    pairs_with_joined_scores,
    with_joined_scores,
)
from rocwise.binary.points.measures import Measured
from rocwise.binary.points.places import Asked
from rocwise.binary.points.resampled import PointMeasures
from rocwise.binary.resampling.binned import coarsened
from rocwise.binary.resampling.paired import paired_replicates
from rocwise.binary.resampling.replicates import replicates

N = 30_000
RESAMPLES = 1500
RNG = np.random.default_rng(11)
Y = (RNG.random(N) < 0.3).astype(int)
SHARED = RNG.normal(size=N)
A, B = (shift * Y + 0.7 * SHARED + 0.7 * RNG.normal(size=N) for shift in (1.2, 0.9))
FEW_WEIGHTS = RNG.choice([0.5, 1.0, 3.0], N)
WEIGHTS = RNG.gamma(1.0, size=N)
GROUPS = RNG.integers(0, 1500, N)
UNLIKE = {
    "plain": {},
    "few weights": {"sample_weight": FEW_WEIGHTS},
    "weights": {"sample_weight": WEIGHTS},
    "clusters": {"groups": GROUPS},
    "both": {"sample_weight": WEIGHTS, "groups": GROUPS},
}


def measures(axis, values, *, interpolate=False):
    return PointMeasures(Asked(axis, np.array(values), interpolate), Measured(None, {}), None)


AT_THRESHOLDS = measures("threshold", [0.2, 1.0])


def assert_same_spread(found, expected):
    """Means, standard errors and limits within 5 standard errors of their Monte Carlo difference.

    That of a standard error follows from the fourth moment; a limit must have its tail of the other
    draws beyond it, within the error of two such shares.
    """
    found, expected = (draws.reshape(len(draws), -1) for draws in (found, expected))
    size, spread = len(expected), expected.std(axis=0)
    spread = np.where(spread > 0, spread, 1e-12)
    error = 5 * np.sqrt(2 / size)
    assert (abs(found.mean(axis=0) - expected.mean(axis=0)) <= error * spread).all()
    fourth = (((expected - expected.mean(axis=0)) / spread) ** 4).mean(axis=0)
    of_spread = error * spread * np.sqrt(np.maximum(fourth - 1, 0) / 4)
    assert (abs(found.std(axis=0) - expected.std(axis=0)) <= of_spread + 1e-12).all()
    slack = error * np.sqrt(0.025 * 0.975)
    for tail in (0.025, 0.975):
        limit = np.quantile(found, tail, axis=0, method="inverted_cdf")
        assert ((expected < limit - 1e-12).mean(axis=0) <= tail + slack).all()
        assert ((expected <= limit + 1e-12).mean(axis=0) >= tail - slack).all()


@pytest.mark.parametrize("what", UNLIKE)
def test_one_model_at_thresholds_has_the_spread_of_every_row(what):
    data = rw.tally(Y, A, **UNLIKE[what])
    joined = with_joined_scores(data, AT_THRESHOLDS)
    assert len(joined) == 3
    found, rows = (
        replicates(each, AT_THRESHOLDS, n_resamples=RESAMPLES, seed=5) for each in (joined, data)
    )
    if what in ("plain", "few weights"):
        assert_same_spread(found, rows)
    else:  # the same rows or clusters are drawn
        np.testing.assert_allclose(found, rows, rtol=1e-9)


@pytest.mark.parametrize("what", UNLIKE)
def test_two_models_at_thresholds_have_the_spread_of_every_row(what):
    pairs = rw.pair(Y, {"a": A, "b": B}, **UNLIKE[what])
    joined = pairs_with_joined_scores(pairs, AT_THRESHOLDS)
    found, rows = (
        paired_replicates(each, AT_THRESHOLDS, RESAMPLES, seed=5) for each in (joined, pairs)
    )
    if what in ("plain", "few weights"):
        assert_same_spread(found, rows)
        assert_same_spread(found[:, 0] - found[:, 1], rows[:, 0] - rows[:, 1])
    else:
        np.testing.assert_allclose(found, rows, rtol=1e-9)


AT_RATES = [
    measures("specificity", [0.9]),
    measures("sensitivity", [0.8]),
    measures("fpr", [0.002, 0.1]),
    measures("alarms", [0.1]),
    measures("alarms", [0.1], interpolate=True),
    measures("specificity", [0.9], interpolate=True),
]


@pytest.mark.parametrize("plan", AT_RATES)
@pytest.mark.parametrize("positives", [0.3, 0.002])
def test_a_point_at_a_rate_is_that_of_every_row_in_every_resample(plan, positives, monkeypatch):
    monkeypatch.setattr(joined_scores, "MOST_SCORES", 1000)
    rng = np.random.default_rng(4)
    y = (rng.random(20_000) < positives).astype(int)
    data = rw.tally(y, rng.normal(size=20_000) + y)
    ends = ends_of_cells(data, plan)
    assert len(ends) < len(data) / 3
    of_rows, of_cells = plan.of_counts(data), plan.of_counts(coarsened(data, ends))
    for b in range(40):
        drawn = kernels.resample_counts(data.pos, data.neg, 1, b, b + 1)
        cells = [np.diff(np.cumsum(c, axis=1)[:, ends], prepend=0) for c in drawn]
        np.testing.assert_allclose(of_cells(*cells), of_rows(*drawn), rtol=1e-9)


@pytest.mark.parametrize("plan", AT_RATES[:4])
def test_rates_have_the_spread_of_every_row(plan, monkeypatch):
    monkeypatch.setattr(joined_scores, "MOST_SCORES", 1000)
    data, pairs = rw.tally(Y, A), rw.pair(Y, {"a": A, "b": B})
    joined = with_joined_scores(data, plan)
    assert len(joined) < len(data)
    assert_same_spread(
        *(replicates(each, plan, n_resamples=RESAMPLES, seed=5) for each in (joined, data))
    )
    both = pairs_with_joined_scores(pairs, plan)
    assert len(both.tally("b")) < len(pairs.tally("b"))
    found, rows = (paired_replicates(each, plan, RESAMPLES, seed=5) for each in (both, pairs))
    assert_same_spread(found[:, 0] - found[:, 1], rows[:, 0] - rows[:, 1])


@pytest.mark.parametrize("what", UNLIKE)
def test_threads_change_nothing(what):
    options = {"threshold": [0.2, 1.0], "n_resamples": 300, "rng": 1}
    models = {"a": A, "b": B}
    two = rw.compare_at(Y, models, **options, **UNLIKE[what])
    with rw.threads(1):
        one = rw.compare_at(Y, models, **options, **UNLIKE[what])
    assert one.table["low"].tolist() == two.table["low"].tolist()
    data = rw.tally(Y, A, **UNLIKE[what])
    two = rw.at(data, method="bootstrap", **options)
    with rw.threads(1):
        one = rw.at(data, method="bootstrap", **options)
    assert one.ppv_low.tolist() == two.ppv_low.tolist()


ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 3)),
    min_size=4,
    max_size=40,
).filter(lambda rows: {row[0] for row in rows if row[3]} == {0, 1})


@settings(max_examples=80)
@given(
    ROWS,
    st.lists(st.sampled_from([-5.0, -1.5, 0.0, 1.0, 9.0, np.inf]), min_size=1),
    st.sampled_from(["higher", "lower"]),
    st.booleans(),
)
def test_cells_recount_to_the_confusion_counts(rows, thresholds, direction, weighted):
    y, a, b, weights = (np.array(column) for column in zip(*rows, strict=True))
    held = weights if weighted else np.ones(len(y))
    beside = {"sample_weight": weights} if weighted else {}
    pairs = rw.pair(y, {"a": a, "b": b}, direction=direction, **beside)
    plan = measures("threshold", thresholds)
    joined = pairs_with_joined_scores(pairs, plan)
    for name, scores in (("a", a), ("b", b)):
        expected = []
        for threshold in thresholds:
            called = scores >= threshold if direction == "higher" else scores <= threshold
            expected.append([held[called & (y == label)].sum() for label in (1, 0)])
        cells = with_joined_scores(pairs.tally(name), plan)
        for data in (cells, joined.tally(name)):
            assert len(data) <= len(set(thresholds)) + 1
            table = rw.at(data, threshold=thresholds, method="wilson")
            found = np.column_stack([table.tp, table.fp])
            np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("asked", [{"fpr": 0.5}, {"specificity": 0.5}, {"alarms": 0.5}])
def test_points_between_two_others_in_a_run_that_goes_on_beyond_the_window(asked):
    n = 140_000
    y, score = np.zeros(n, int), np.arange(n, dtype=float)
    y[:100] = y[-100:] = 1
    between, beside = (
        rw.at(y, score, interpolate=each, n_resamples=200, rng=1, **asked).to_frame()
        for each in (True, False)
    )
    for limit in ("sensitivity_low", "sensitivity_high"):
        assert between[limit][0] == pytest.approx(beside[limit][0], abs=0.01)


def test_scores_without_weight_are_no_cells():
    y, small = np.tile([0, 1], 50), np.arange(100) // 4
    weight = np.where(small >= 20, 0.0, 1.0)
    large = 2**60 + small * 1024  # held by their places
    found, expected = (
        rw.compare_at(
            y, {"a": score, "b": score}, sample_weight=weight, threshold=at, n_resamples=20, rng=1
        )
        for score, at in ((large, 2**60 + 10240), (small, 10))
    )
    np.testing.assert_array_equal(found.table["a"], expected.table["a"])
    assert found.table["a"][:2].tolist() == [0.5, 0.5]
