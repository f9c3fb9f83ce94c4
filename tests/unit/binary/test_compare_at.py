"""Two models at the same points."""

import numpy as np
import pytest
from scipy.stats import norm

import rocwise as rw

RNG = np.random.default_rng(3)
Y = (RNG.random(200) < 0.4).astype(int)
NOISE = RNG.normal(size=200)
A = np.round(Y + NOISE, 1)
B = np.round(0.6 * Y + 0.7 * NOISE + 0.7 * RNG.normal(size=200), 1)
PAIRS = rw.pair(Y, {"a": A, "b": B})


def row(found, measure, asked=0):
    table = found.table
    places = np.flatnonzero(table["measure"] == measure)
    return {name: column[places[asked]] for name, column in table.items()}


def test_sensitivities_at_a_threshold_have_tangos_interval_and_mcnemars_test():
    found = row(rw.compare_at(PAIRS, threshold=0.5, rng=1), "sensitivity")
    a, b = (scores[Y == 1] >= 0.5 for scores in (A, B))
    only_a, only_b = (a & ~b).sum(), (b & ~a).sum()
    expected = rw.inference.tango_interval(only_a, only_b, Y.sum())
    assert found["difference"] == pytest.approx(a.mean() - b.mean())
    assert (found["low"], found["high"]) == pytest.approx(tuple(expected))
    z = (only_a - only_b) / np.sqrt(only_a + only_b)
    assert found["p_value"] == pytest.approx(2 * norm.sf(abs(z)))


def test_at_a_specificity_it_is_the_bootstrap_of_compare():
    found = row(
        rw.compare_at(PAIRS, specificity=[0.8, 0.9], interpolate=True, rng=1), "sensitivity", 1
    )
    other = rw.compare(PAIRS, at_specificity=0.9, rng=1)
    assert found["difference"] == pytest.approx(other.difference)
    assert found["p_value"] == pytest.approx(other.p_value)
    assert found["a"] == pytest.approx(other.estimates["a"])


def test_a_model_compared_with_itself():
    twins = rw.pair(Y, {"a": A, "b": A})
    table = rw.compare_at(twins, threshold=[0.5, 1.0], costs=rw.Costs(1, 5), rng=1).table
    assert set(table["difference"]) == {0.0}
    assert set(table["p_value"]) == {1.0}
    assert "expected_cost" in table["measure"]


def test_weights_and_clusters_are_drawn_with_their_rows():
    weights, twice = Y + 1.0, np.repeat(np.arange(200), Y + 1)
    models = {"a": A, "b": B}
    found = rw.compare_at(Y, models, sample_weight=weights, threshold=0.5, n_resamples=100, rng=1)
    copied = rw.compare_at(Y[twice], {"a": A[twice], "b": B[twice]}, threshold=0.5, rng=1)
    np.testing.assert_allclose(found.table["difference"], copied.table["difference"])
    assert set(found.table["method"]) == {"paired bootstrap of rows with their weights"}
    pairs = np.tile(np.arange(200), 2)
    doubled = {"a": np.tile(A, 2), "b": np.tile(B, 2)}
    options = {"threshold": 0.5, "n_resamples": 400, "rng": 1}
    clustered = rw.compare_at(np.tile(Y, 2), doubled, groups=pairs, **options)
    once = rw.compare_at(PAIRS, **options)
    assert row(clustered, "ppv")["method"] == "paired bootstrap of whole clusters"
    # copies of rows say nothing new: the interval of PPV is about as wide as without them
    wide, plain = (row(each, "ppv") for each in (clustered, once))
    assert wide["high"] - wide["low"] == pytest.approx(plain["high"] - plain["low"], rel=0.15)


def test_refusals():
    with pytest.raises(rw.InputError, match="compares two models; got 3"):
        rw.compare_at(Y, {"a": A, "b": B, "c": A}, threshold=1)
    with pytest.raises(rw.InputError, match="`compare_at` needs exactly one of"):
        rw.compare_at(PAIRS)


@pytest.mark.parametrize(
    ("models", "more", "message"),
    [
        (("asked", "b"), {}, "a model cannot be called 'asked'"),
        (("a", "p_value"), {}, "a model cannot be called 'p_value'"),
        (("a", "b"), {"groups": np.zeros(4, int)}, "`groups` must name at least two clusters"),
        (("a", "b"), {"n_resamples": 10**9}, "`n_resamples` must be at most"),
    ],
)
def test_what_cannot_be_told_is_refused(models, more, message):
    scores = {name: [1, 2, 3, 4] for name in models}
    with pytest.raises(rw.InputError, match=message):
        rw.compare_at([0, 0, 1, 1], scores, threshold=2, **more)
