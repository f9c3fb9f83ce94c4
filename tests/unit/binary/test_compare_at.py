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


def row(found, measure, requested=0):
    table = found.table
    places = np.flatnonzero(table["measure"] == measure)
    return {name: column[places[requested]] for name, column in table.items()}


def test_sensitivities_at_a_threshold_have_tangos_interval_and_mcnemars_test():
    found = row(rw.compare_at(PAIRS, threshold=0.5, rng=1), "sensitivity")
    a, b = (scores[Y == 1] >= 0.5 for scores in (A, B))
    only_a, only_b = (a & ~b).sum(), (b & ~a).sum()
    expected = rw.inference.tango_interval(only_a, only_b, Y.sum())
    assert found["difference"] == pytest.approx(a.mean() - b.mean())
    assert (found["low"], found["high"]) == pytest.approx(tuple(expected))
    z = (only_a - only_b) / np.sqrt(only_a + only_b)
    assert found["p_value"] == pytest.approx(2 * norm.sf(abs(z)))


@pytest.mark.parametrize(
    ("given", "free"), [("specificity", "sensitivity"), ("sensitivity", "specificity")]
)
def test_at_a_rate_it_is_the_bootstrap_of_compare_and_the_point_of_at(given, free):
    result = rw.compare_at(PAIRS, **{given: [0.8, 0.9]}, rng=1)
    found = row(result, free, 1)
    other = rw.compare(PAIRS, **{f"at_{given}": 0.9}, rng=1)
    assert found["difference"] == pytest.approx(other.difference)
    assert found["p_value"] == pytest.approx(other.p_value)
    assert (found["low"], found["high"]) == pytest.approx(tuple(other.interval))
    for name in "ab":
        at = rw.at(PAIRS.tally(name), **{given: 0.9}, n_resamples=20, rng=1)
        assert found[name] == pytest.approx(other.estimates[name]) == at.columns[free][0]
        assert at.estimand == result.estimand == other.estimand
    assert result.estimand == f"point of the ROC curve with exactly this {given}"
    assert result.estimand in str(result)
    assert result.estimand in result.to_dict().values()
    assert given not in result.table["measure"]  # fixed, not estimated


def test_bootstrap_rows_are_students_t_and_the_sign_test():
    y = np.repeat([1, 0], [7, 40])
    noise = np.random.default_rng(1).normal(size=47)
    models = {"up": np.where(y == 1, 9.0, noise), "down": np.where(y == 1, -9.0, noise)}
    signs = rw.compare_at(y, models, fpr=0.2, rng=1).table
    assert signs["p_value"] == pytest.approx(2 * 0.5**7)
    assert set(signs["method"]) == {"sign test"}
    low = 2 * 0.025 ** (1 / 7) - 1  # of the proportion of cases in favour, Clopper and Pearson's
    assert signs["low"][0] == pytest.approx(low)  # of the sensitivity
    models["down"] = np.where(y == 1, 0.5 * np.arange(47), noise)
    table = rw.compare_at(y, models, fpr=0.2, rng=1).table
    inside = (table["low"] <= 0) & (table["high"] >= 0)
    assert ((table["p_value"] >= 0.05) == inside).all()
    assert set(table["method"]) == {"paired bootstrap, t distribution"}
    with pytest.raises(rw.InputError, match="`compare_at` needs two cases of each class"):
        rw.compare_at(y[6:], {name: s[6:] for name, s in models.items()}, fpr=0.2)


def test_measures_of_few_positives_keep_their_level():
    rng, n, rejected = np.random.default_rng(8), 300, 0
    y = np.repeat([1, 0], [5, 50])
    for k in range(n):
        scores = {name: rng.normal(size=55) + 1.2 * y for name in "ab"}
        table = rw.compare_at(y, scores, fpr=0.2, n_resamples=100, rng=k).table
        rejected = rejected + (table["p_value"] < 0.05)
    assert (rejected / n < 0.05 + 3 * np.sqrt(0.05 * 0.95 / n)).all()


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
    words = "paired bootstrap of rows with their weights, t distribution"
    assert set(found.table["method"]) == {words}
    pairs = np.tile(np.arange(200), 2)
    doubled = {"a": np.tile(A, 2), "b": np.tile(B, 2)}
    options = {"threshold": 0.5, "n_resamples": 400, "rng": 1}
    clustered = rw.compare_at(np.tile(Y, 2), doubled, groups=pairs, **options)
    once = rw.compare_at(PAIRS, **options)
    assert row(clustered, "ppv")["method"].startswith("paired bootstrap of whole clusters")
    # copies of rows add no information: the interval of PPV is about as wide as without them
    wide, plain = (row(each, "ppv") for each in (clustered, once))
    assert wide["high"] - wide["low"] == pytest.approx(plain["high"] - plain["low"], rel=0.15)


def test_errors():
    with pytest.raises(rw.InputError, match="compares two models; got 3"):
        rw.compare_at(Y, {"a": A, "b": B, "c": A}, threshold=1)
    with pytest.raises(rw.InputError, match="`compare_at` needs exactly one of"):
        rw.compare_at(PAIRS)


@pytest.mark.parametrize(
    ("models", "more", "message"),
    [
        (("requested", "b"), {}, "a model cannot be called 'requested'"),
        (("a", "p_value"), {}, "a model cannot be called 'p_value'"),
        (("a", "b"), {"groups": np.zeros(4, int)}, "needs two clusters with rows"),
        (("a", "b"), {"n_resamples": 10**9}, "`n_resamples` must be at most"),
    ],
)
def test_undefined_comparisons_raise(models, more, message):
    scores = {name: [1, 2, 3, 4] for name in models}
    with pytest.raises(rw.InputError, match=message):
        rw.compare_at([0, 0, 1, 1], scores, threshold=2, **more)
