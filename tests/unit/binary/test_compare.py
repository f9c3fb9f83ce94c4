import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocwise as rw
from oracles.brute_force import kernel, variances
from oracles.spec_samples import P1, P2, P3, Q1, Q2, pairs_of, tally_of


def random_pairs(seed, n=60, k=2, ties=False):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    scores = rng.normal(size=(k, n)) + y
    if ties:
        scores = np.round(scores * 2)
    return y, {f"m{j}": row for j, row in enumerate(scores)}


def test_paired_delong_of_sample_p():
    result = rw.compare(pairs_of(a=P1, b=P2), method="delong")
    assert result.statistic == pytest.approx(0.6259321407, abs=1e-9)
    assert result.p_value == pytest.approx(0.531359452, abs=1e-9)
    assert result.interval.low == pytest.approx(-0.09514608558, abs=1e-9)
    assert result.interval.high == pytest.approx(0.1844317999, abs=1e-9)
    assert result.estimates["a"] == pytest.approx(0.8571428571, abs=1e-9)
    assert result.difference == pytest.approx(0.8571428571 - 0.8125, abs=1e-9)


def test_unpaired_statistic_of_sample_p():
    result = rw.compare(tally_of(P1), tally_of(P2), method="delong")
    assert result.statistic == pytest.approx(0.2931771627, abs=1e-9)
    assert result.df > 0
    assert result.method == "unpaired DeLong"


@pytest.mark.parametrize(
    ("method", "p_variance", "q_variance"),
    [
        ("delong", 0.005086856171, 0.1041666667),
        ("jackknife", 0.00547853566, 0.1257440476),
        ("exact-bootstrap", 0.00577253781, 0.08029513889),
        ("unbiased", 0.003268494898, 0.09201388889),
    ],
)
def test_variance_of_the_difference(method, p_variance, q_variance):
    p = rw.compare(pairs_of(a=P1, b=P2), method=method)
    q = rw.compare(pairs_of(a=Q1, b=Q2), method=method)
    assert p.standard_error**2 == pytest.approx(p_variance, abs=1e-9)
    assert q.standard_error**2 == pytest.approx(q_variance, abs=1e-9)


@pytest.mark.parametrize(
    ("method", "covariance", "unpaired"),
    [
        ("delong", 0.009050048591, 0.02318695335),
        ("jackknife", 0.009785660296, 0.02504985625),
        ("exact-bootstrap", 0.008222485423, 0.02221750866),
        ("unbiased", 0.008503401361, 0.02027529762),
    ],
)
def test_covariance_and_unpaired_variance_of_sample_p(method, covariance, unpaired):
    assert rw.auc_covariance(pairs_of(a=P1, b=P2), method=method)[0, 1] == pytest.approx(
        covariance, abs=1e-9
    )
    result = rw.compare(tally_of(P1), tally_of(P2), method=method)
    assert result.standard_error**2 == pytest.approx(unpaired, abs=1e-9)


def test_three_curves_jointly():
    result = rw.compare(pairs_of(a=P1, b=P2, c=P3), method="delong")
    assert result.statistic == pytest.approx(0.5419474255, abs=1e-9)
    assert result.df == 2
    assert result.p_value == pytest.approx(0.7626365438, abs=1e-9)
    assert result.difference is None
    covariance = rw.auc_covariance(pairs_of(a=P1, b=P2, c=P3))
    expected = [0.000425170068, 0.001328656463, 0.009034863946]
    np.testing.assert_allclose(covariance[2], expected, atol=1e-9)
    rows = result.pairwise
    assert list(rows["first"]) == ["a", "a", "b"]
    alone = rw.compare(pairs_of(a=P1, b=P2), method="delong")
    assert rows["p_value"][0] == pytest.approx(alone.p_value, abs=1e-12)
    assert rows["low"][0] == pytest.approx(alone.interval.low, abs=1e-12)
    assert (rows["p_adjusted"] >= rows["p_value"]).all()


def test_identical_models_give_p_one():
    result = rw.compare(pairs_of(a=P1, b=P1))
    assert (result.difference, result.statistic, result.p_value) == (0.0, 0.0, 1.0)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.booleans())
def test_covariances_equal_the_matrix_definition(seed, ties):
    y, scores = random_pairs(seed, n=18, ties=ties)
    pairs = rw.pair(y, scores)
    H, G = (kernel(s[~y], s[y]) for s in scores.values())
    for method, expected in variances(H, G).items():
        found = rw.auc_covariance(pairs, method=method)
        assert found[0, 1] == pytest.approx(expected, abs=1e-12)
        assert found[0, 0] == pytest.approx(variances(H, H)[method], abs=1e-12)
        assert found[0, 0] == pytest.approx(
            rw.auc_variance(pairs.tally("m0"), method=method), abs=1e-12
        )


@given(st.integers(0, 10**6))
def test_swapping_the_models_flips_the_sign_only(seed):
    y, scores = random_pairs(seed)
    one = rw.compare(rw.pair(y, scores))
    two = rw.compare(rw.pair(y, dict(reversed(scores.items()))))
    assert one.difference == pytest.approx(-two.difference, abs=1e-15)
    assert one.p_value == pytest.approx(two.p_value, abs=1e-12)
    assert one.interval.low == pytest.approx(-two.interval.high, abs=1e-12)


@given(st.integers(0, 10**6))
def test_one_sided_p_values_add_to_one(seed):
    pairs = rw.pair(*random_pairs(seed))
    tails = [rw.compare(pairs, alternative=side).p_value for side in ("greater", "less")]
    assert sum(tails) == pytest.approx(1.0, abs=1e-12)
    assert rw.compare(pairs).p_value == pytest.approx(2 * min(tails), abs=1e-12)


def test_clusters_of_one_row_are_nearly_delong_and_pure_clusters_follow_the_formula():
    y, scores = random_pairs(4, n=30)
    groups = np.repeat(np.arange(15), 2)
    found = rw.auc_covariance(rw.pair(y, scores, groups=groups))
    expected = clustered_by_definition(y, list(scores.values()), groups)
    np.testing.assert_allclose(found, expected, atol=1e-14)
    alone = rw.auc_covariance(rw.pair(y, scores, groups=np.arange(30)))
    np.testing.assert_allclose(alone, rw.auc_covariance(rw.pair(y, scores)), rtol=1e-10)


def clustered_by_definition(y, rows, groups):
    """Obuchowski's estimator written out cluster by cluster."""
    M, N = y.sum(), (~y).sum()
    kernels = [kernel(s[~y], s[y]) for s in rows]
    labels = np.unique(groups)
    n_groups, I10 = len(labels), len(np.unique(groups[y]))
    I01 = len(np.unique(groups[~y]))
    V = np.zeros((len(rows), n_groups))
    U = np.zeros((len(rows), n_groups))
    for k, H in enumerate(kernels):
        for c, label in enumerate(labels):
            V[k, c] = (H.mean(0) - H.mean())[groups[y] == label].sum()
            U[k, c] = (H.mean(1) - H.mean())[groups[~y] == label].sum()
    return (
        I10 / (I10 - 1) * V @ V.T / M**2
        + I01 / (I01 - 1) * U @ U.T / N**2
        + n_groups / (n_groups - 1) * (U @ V.T + V @ U.T) / (N * M)
    )


def test_non_inferiority_and_equivalence_move_the_null():
    pairs = pairs_of(a=P1, b=P2)
    plain = rw.compare(pairs, method="delong")
    margin = 0.2
    result = rw.compare(pairs, alternative="non-inferior", margin=margin, method="delong")
    z = (plain.difference + margin) / plain.standard_error
    assert result.statistic == pytest.approx(z, abs=1e-12)
    both = rw.compare(pairs, alternative="equivalent", margin=margin, method="delong")
    assert both.p_value >= result.p_value
    # equivalence at 5% is the 90% interval inside the margins
    inner = rw.compare(pairs, level=1 - 2 * both.p_value, method="delong")
    assert inner.interval.high == pytest.approx(margin, abs=1e-9)


@pytest.mark.parametrize(
    "part",
    [{"at_sensitivity": 0.8}, {"at_specificity": 0.8}, {"max_fpr": 0.2}, {"tpr_range": (0.8, 1)}],
)
def test_points_and_parts_are_compared_by_the_bootstrap(part):
    y, scores = random_pairs(6, n=300)
    scores["m0"] = scores["m0"] + 1.5 * y
    pairs = rw.pair(y, scores)
    result = rw.compare(pairs, n_resamples=300, rng=1, **part)
    assert result.method == "paired bootstrap, t distribution"
    assert result.difference > 0
    df = min(y.sum(), 300 - y.sum()) - 1
    assert result.df == df
    z = result.difference / result.standard_error
    assert result.p_value == pytest.approx(2 * stats.t.sf(z, df))
    assert result.p_value < 0.01
    reach = stats.t.ppf(0.975, df) * result.standard_error
    limits = result.difference - reach, result.difference + reach
    assert tuple(result.interval) == pytest.approx(limits)
    other = rw.tally(y[::-1], scores["m1"][::-1])  # as of other rows
    unpaired = rw.compare(pairs.tally("m0"), other, n_resamples=300, rng=1, **part)
    assert unpaired.method == "unpaired bootstrap, t distribution"
    assert unpaired.difference == pytest.approx(result.difference, abs=1e-12)


@pytest.mark.parametrize("method", ["bootstrap", "influence"])
@pytest.mark.parametrize("part", [{"at_specificity": 0.8}, {"max_fpr": 0.2}])
def test_without_variance_it_is_the_sign_test_of_the_smaller_class(part, method):
    def compared(k, *more):
        y = np.repeat([1, 0], [k, 30])
        up, down = (np.where(y == 1, value, np.arange(k + 30)) for value in (99.0, -99.0))
        scores = {"up": up, "down": down} | dict.fromkeys(more, down)
        return rw.compare(y, scores, method=method, n_resamples=50, rng=1, **part)

    for k in (2, 5, 6, 9):
        result = compared(k)
        largest = part.get("max_fpr", 1.0)
        assert result.difference == pytest.approx(largest)
        assert result.p_value == pytest.approx(stats.binomtest(k, k).pvalue)
        # the limits of the proportion of cases in favour, Clopper and Pearson's, as a difference
        low = stats.binomtest(k, k).proportion_ci().low
        assert tuple(result.interval) == pytest.approx((largest * (2 * low - 1), largest))
        assert "sign test" in result.method
    assert compared(4, "third").p_value > 0.05
    y, up = np.repeat([1, 0], [5, 30]), np.full(5, 99.0)
    both = {"a": np.append(up, np.arange(30)), "b": np.append(up, -np.arange(30))}
    same = rw.compare(y, both, method=method, n_resamples=50, rng=1, **part)
    assert (same.difference, same.p_value) == (0.0, 1.0)
    reach = largest * (1 - 0.025 ** (1 / 5))  # none of five cases differs
    assert tuple(same.interval) == pytest.approx((-reach, reach))
    with pytest.raises(rw.InputError, match=r"needs (at least )?two"):
        compared(1)


def test_partial_areas_of_few_positives_keep_their_level():
    rng, n, rejected = np.random.default_rng(4), 400, 0
    y = np.repeat([1, 0], [10, 10])
    for k in range(n):
        base = rng.normal(size=20)
        noise = np.sqrt(0.75) * rng.normal(size=20)
        scores = {"a": base + 1.2 * y, "b": 0.5 * base + noise + 1.2 * y}
        rejected += rw.compare(y, scores, max_fpr=0.2, n_resamples=100, rng=k).p_value < 0.05
    assert rejected / n < 0.05 + 3 * np.sqrt(0.05 * 0.95 / n)


@pytest.mark.parametrize("method", ["permutation", "permutation-asymptotic", "venkatraman"])
def test_rank_tests_of_three_models_raise_and_name_the_joint_test(method):
    with pytest.raises(rw.InputError, match="delong"):
        rw.compare(pairs_of(a=P1, b=P2, c=P3), method=method)


def test_permutation_values_of_sample_p():
    result = rw.compare(pairs_of(a=P1, b=P2), method="permutation", transform="none")
    assert result.p_value == pytest.approx(0.57421875, abs=1e-12)
    assert result.statistic == pytest.approx(0.6622661785, abs=1e-9)
    assert result.standard_error**2 == pytest.approx(0.004544005102, abs=1e-9)
    assert result.interval is None
    asymptotic = rw.compare(pairs_of(a=P1, b=P2), method="permutation-asymptotic")
    assert asymptotic.p_value == pytest.approx(0.4816834408, abs=1e-9)


def test_venkatraman_of_sample_q():
    result = rw.compare(pairs_of(a=Q1, b=Q2), method="venkatraman", ties="midrank")
    assert (result.statistic, result.p_value) == (3, 0.828125)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "delong", "max_fpr": 0.1}, "method='bootstrap'"),
        ({"method": "nonsense"}, "`method` must be one of"),
        ({"margin": 0.1}, "non-inferior"),
        ({"alternative": "equivalent"}, "needs `margin`"),
        ({"alternative": "non-inferior", "margin": -1}, "above 0"),
        ({"method": "permutation", "alternative": "equivalent", "margin": 0.1}, "delong"),
        ({"method": "venkatraman", "alternative": "less"}, "two-sided"),
        ({"max_fpr": 0.1, "at_sensitivity": 0.9}, "at most one"),
        ({"level": 1.0}, "`level`"),
    ],
)
def test_wrong_combinations_raise_with_the_name(options, words):
    with pytest.raises(rw.InputError, match=words):
        rw.compare(pairs_of(a=P1, b=P2), **options)


def test_wrong_data_raise():
    with pytest.raises(rw.InputError, match="at least two models"):
        rw.compare(pairs_of(a=P1))
    with pytest.raises(rw.InputError, match="Pairs"):
        rw.compare(tally_of(P1), tally_of(P2), method="permutation")
    with pytest.raises(rw.InputError, match="two tallies"):
        rw.compare(tally_of(P1))
    grouped = rw.pair([0, 1] * 4, {"a": range(8), "b": range(8)}, groups=[0, 0, 1, 1, 2, 2, 3, 3])
    with pytest.raises(rw.InputError, match="groups are not supported"):
        rw.compare(grouped, method="jackknife")


def test_a_negative_variance_raises():
    found = None
    for seed in range(3000):
        rng = np.random.default_rng(seed)
        scores = {"a": rng.integers(0, 3, 6), "b": rng.integers(0, 3, 6)}
        pairs = rw.pair([0, 0, 0, 1, 1, 1], scores)
        C = rw.auc_covariance(pairs, method="unbiased")
        if C[0, 0] + C[1, 1] - 2 * C[0, 1] < -1e-6:
            found = pairs
            break
    assert found is not None
    with pytest.raises(rw.InputError, match="negative variance"):
        rw.compare(found, method="unbiased")


def test_a_margin_without_variance_raises():
    with pytest.raises(rw.InputError, match="shows none"):
        rw.compare(pairs_of(a=P1, b=P1), alternative="non-inferior", margin=0.05, method="delong")


def test_clusters_are_named_in_the_method():
    y, scores = random_pairs(4, n=30)
    result = rw.compare(rw.pair(y, scores, groups=np.repeat(np.arange(15), 2)))
    assert result.method == "paired cluster-robust DeLong, t distribution"


def test_separated_clusters_fall_back_on_the_number_of_clusters():
    y, scores = np.repeat([0, 1], 8), np.arange(16)
    groups = np.repeat(np.arange(8), 2)
    clustered = rw.auc(y, scores, groups=groups).interval
    alone = rw.auc([0] * 4 + [1] * 4, range(8)).interval
    assert (clustered.low, clustered.high) == (alone.low, alone.high)


@pytest.mark.parametrize("shift", [0.5, 3.0])
@pytest.mark.parametrize(
    "method", ["auto", "delong", "wilson", "jackknife", "bootstrap", "permutation", "venkatraman"]
)
def test_every_model_has_the_interval_of_auc(method, shift):
    y, scores = random_pairs(9, n=90)
    scores["m0"] = scores["m0"] + shift * y
    pairs = rw.pair(y, scores)
    result = rw.compare(pairs, method=method, n_resamples=100, rng=1)
    for name in pairs.names:
        expected = rw.auc(pairs.tally(name)).interval
        assert tuple(result.intervals[name]) == pytest.approx(tuple(expected), abs=1e-12)
        assert result.intervals[name].method == expected.method
    other = rw.tally(y[::-1], scores["m1"][::-1])  # as of other rows
    unpaired = rw.compare(pairs.tally("m0"), other, method="delong")
    found = np.array([*map(tuple, unpaired.intervals.values())])
    expected = [tuple(rw.auc(pairs.tally(name)).interval) for name in pairs.names]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("part", [{"max_fpr": 0.2}, {"at_specificity": 0.8}])
def test_parts_and_points_have_intervals_within_their_range(part):
    y, scores = random_pairs(6, n=40)
    scores["m0"] = scores["m0"] + 4 * y
    result = rw.compare(rw.pair(y, scores), n_resamples=100, rng=1, **part)
    top = part.get("max_fpr", 1.0)
    for name, interval in result.intervals.items():
        assert 0.0 <= interval.low <= result.estimates[name] <= interval.high <= top


def test_two_tallies_of_the_same_rows_warn_that_they_seem_paired():
    y, scores = random_pairs(9, n=90)
    frame = pd.DataFrame({"y": y, **scores})
    of_columns = [rw.tally(frame, label="y", score=name) for name in ("m0", "m1")]
    of_arrays = [rw.tally(y, scores[name]) for name in ("m0", "m1")]
    weighted = [rw.tally(y, scores[name], sample_weight=y + 1.0) for name in ("m0", "m1")]
    pairs = rw.pair(y, scores)
    for two in (of_columns, of_arrays, weighted, map(pairs.tally, pairs.names)):
        with pytest.warns(rw.errors.MisuseWarning, match="seem to be of the same rows"):
            unpaired = rw.compare(*two, method="delong")
    paired = rw.compare(y, scores, method="delong")
    assert unpaired.difference == pytest.approx(paired.difference, abs=1e-12)
    # rows in another order, or sorted by class, show nothing
    rw.compare(of_arrays[0], rw.tally(y[::-1], scores["m1"][::-1]))
    by_class = np.argsort(y)
    rw.compare(*(rw.tally(y[by_class], scores[name][by_class]) for name in ("m0", "m1")))


def test_the_default_is_delongs_test_with_student_quantiles():
    """Degrees of freedom by hand: Satterthwaite's over 4a(1-a), at most k(k-1)/2."""
    y, scores = random_pairs(10, n=30)
    found = rw.compare(rw.pair(y, scores))
    delong = rw.compare(rw.pair(y, scores), method="delong")
    assert found.method == "paired DeLong, t distribution"
    assert found.standard_error == delong.standard_error
    above = [s[y == 1][:, None] > s[y == 0] for s in scores.values()]
    gaps = above[0].astype(float) - above[1]
    m, n = gaps.shape
    parts = [(gaps.mean(1).var(ddof=1) / m, m), (gaps.mean(0).var(ddof=1) / n, n)]
    df = sum(v for v, _ in parts) ** 2 / sum(v**2 / (k - 1) for v, k in parts)
    k, mean = min(m, n), np.mean(above)
    a = (k * mean + 0.5) / (k + 1)
    assert found.df == pytest.approx(min(df / (4 * a * (1 - a)), k * (k - 1) / 2), rel=1e-9)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(delong.statistic), found.df), rel=1e-9)


@given(st.integers(0, 10**6), st.integers(2, 15), st.integers(2, 40))
def test_p_value_and_interval_of_the_default_agree(seed, n_pos, n_neg):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    scores = {name: rng.normal(size=len(y)) + shift * y for name, shift in (("a", 2), ("b", 0))}
    found = rw.compare(y, scores)
    assert (found.p_value < 0.05) == (0 not in found.interval)
    assert -1 <= found.interval.low <= found.difference <= found.interval.high <= 1


def test_power_of_the_default_is_that_of_delongs_test():
    """50 positives, 500 negatives, AUC 0.97 against 0.95: about one half."""
    rng = np.random.default_rng(21)
    y = np.repeat([1, 0], [50, 500])
    rejected = {"auto": 0, "delong": 0}
    for _ in range(200):
        first, other = rng.normal(size=(2, 550))
        second = 0.8 * first + 0.6 * other
        scores = {"a": first + 2.66 * y, "b": second + 2.326 * y}
        for method in rejected:
            rejected[method] += rw.compare(y, scores, method=method).p_value < 0.05
    assert rejected["auto"] >= 0.9 * rejected["delong"] > 60


def test_separated_models_may_be_compared_within_a_margin():
    y = np.repeat([0, 1], 10)
    pairs = rw.pair(y, {"a": np.arange(20), "b": np.arange(20) ** 2})
    result = rw.compare(pairs, alternative="non-inferior", margin=0.05)
    assert result.p_value > 0.05  # ten cases of each class give little power
    assert result.interval.low < -0.05


def test_unpaired_models_have_names():
    first, second = tally_of(P1), tally_of(P2)
    result = rw.compare(first, second, names=("new", "old"))
    assert list(result.estimates) == list(result.intervals) == ["new", "old"]
    for names in ("ab", ("a",), ("a", "a"), (1, 2)):
        with pytest.raises(rw.InputError, match="two different texts"):
            rw.compare(first, second, names=names)
    with pytest.raises(rw.InputError, match="two tallies"):
        rw.compare(pairs_of(a=P1, b=P2), names=("a", "b"))


@pytest.mark.parametrize("method", ["delong", "venkatraman", "permutation"])
def test_comparisons_have_the_sizes_of_the_classes(method):
    pairs = pairs_of(a=P1, b=P2)
    result = rw.compare(pairs, method=method, rng=1, n_resamples=50).to_dict()
    assert (result["n_pos"], result["n_neg"]) == (pairs.n_pos, pairs.n_neg)
    first, second = tally_of(P1), rw.tally([0, 0, 0, 1, 1], [1, 2, 4, 3, 5])
    if method != "permutation":
        result = rw.compare(first, second, method=method, rng=1, n_resamples=50).to_dict()
        assert result["n_pos"] == {"first": first.n_pos, "second": 2}
        assert result["n_neg"] == {"first": first.n_neg, "second": 3}


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_two_areas_of_one_have_no_variance(method):
    scores = {"a": [1, 2, 3, 4, 5, 6], "b": [1, 2, 2.5, 4, 5, 6]}
    found = rw.compare([0, 0, 0, 1, 1, 1], scores, method=method, n_resamples=50, rng=1)
    assert (found.difference, found.standard_error, found.p_value) == (0.0, 0.0, 1.0)
    assert "this sample shows no variance of the difference: p and interval are unreliable" in repr(
        found
    )


def test_by_default_two_areas_of_one_have_an_interval():
    scores = {"a": [1, 2, 3, 4, 5, 6], "b": [1, 2, 2.5, 4, 5, 6]}
    found = rw.compare([0, 0, 0, 1, 1, 1], scores)
    assert found.interval.low < -0.2 < 0.2 < found.interval.high


class TestPartialAreasByInfluences:
    @staticmethod
    def pairs(n=4000, **given):
        rng = np.random.default_rng(6)
        y = (rng.random(n) < 0.4).astype(int)
        shared = rng.normal(size=n)
        scores = {name: np.round(shared + rng.normal(size=n) + y, 1) for name in ("a", "b")}
        return rw.pair(y, scores, **given)

    @pytest.mark.parametrize(
        "part", [{"max_fpr": 0.2}, {"fpr_range": (0.1, 0.4)}, {"tpr_range": (0.7, 1.0)}]
    )
    def test_errors_are_those_of_the_bootstrap(self, part):
        pairs = self.pairs()
        by_formula = rw.compare(pairs, method="influence", **part)
        drawn = rw.compare(pairs, method="bootstrap", n_resamples=2000, rng=1, **part)
        assert by_formula.difference == pytest.approx(drawn.difference, abs=1e-12)
        assert by_formula.standard_error == pytest.approx(drawn.standard_error, rel=0.07)

    @pytest.mark.parametrize("what", ["groups", "sample_weight"])
    def test_clusters_and_weights(self, what):
        rng = np.random.default_rng(1)
        given = rng.integers(0, 1500, 4000) if what == "groups" else rng.uniform(0.5, 2, 4000)
        pairs = self.pairs(**{what: given})
        by_formula = rw.compare(pairs, max_fpr=0.2, method="influence")
        drawn = rw.compare(pairs, max_fpr=0.2, method="bootstrap", n_resamples=600, rng=1)
        assert by_formula.standard_error == pytest.approx(drawn.standard_error, rel=0.12)

    def test_many_cases_make_it_the_default(self):
        few, many = self.pairs(1500), self.pairs(20_000)
        drawn = rw.compare(few, max_fpr=0.2, n_resamples=50, rng=1)
        assert drawn.method == "paired bootstrap, t distribution"
        assert rw.compare(many, max_fpr=0.2).method == "paired influence functions"

    def test_independent_samples(self):
        first, second = (self.pairs(n).tally("a") for n in (4000, 3000))
        by_formula = rw.compare(first, second, max_fpr=0.2, method="influence")
        drawn = rw.compare(first, second, max_fpr=0.2, method="bootstrap", rng=1)
        assert by_formula.standard_error == pytest.approx(drawn.standard_error, rel=0.07)


def test_independent_samples_of_clusters_are_described():
    rng = np.random.default_rng(0)

    def sample(n, size):
        y = rng.integers(0, 2, n)
        return rw.tally(y, rng.normal(y), groups=np.arange(n) // size)

    for method, words in (("delong", "unpaired cluster-robust DeLong"), ("wilson", "unpaired")):
        found = rw.compare(sample(200, 4), sample(300, 3), method=method)
        assert found.method.startswith(words)
        assert found.origin.n_clusters == 150
        assert str(found).endswith("150 clusters")
