"""Areas: the specification's values, the edges, the step area."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import rocwise as rw
from oracles.brute_force import kernel, variances
from oracles.spec_samples import P1, P2, Q1, Q2, SAMPLES, tally_of
from rocwise.binary.auc import METHODS
from rocwise.inference.effective_sizes import sized_area


@pytest.mark.parametrize(
    ("sample", "area"),
    [
        (SAMPLES["A"], 0.9166666667),
        (SAMPLES["B"], 0.75),
        (SAMPLES["C"], 0.7083333333),
        (P1, 0.8571428571),
        (P2, 0.8125),
        (Q1, 0.8333333333),
        (Q2, 0.7083333333),
    ],
)
def test_areas_of_the_specification(sample, area):
    assert rw.auc(tally_of(sample)).value == pytest.approx(area, abs=1e-9)
    assert rw.roc(tally_of(sample)).auc == rw.auc(tally_of(sample)).value
    assert float(rw.auc(tally_of(sample))) == rw.auc(tally_of(sample)).value


@pytest.mark.parametrize(
    ("outcomes", "area", "perfect", "value"),
    [
        ("++-+-+", 5, 8, 0.625),
        ("-++-", 2, 4, 0.5),
        ("+--++", 2, 6, 0.3333333333),
    ],
)
def test_komareks_step_areas(outcomes, area, perfect, value):
    y = [sign == "+" for sign in outcomes]
    result = rw.step_area(y, range(len(y), 0, -1))
    assert (result.area, result.perfect_area) == (area, perfect)
    assert result.value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    ("ties", "value"), [("pessimistic", 0.65), ("simultaneous", 0.75), ("optimistic", 0.85)]
)
def test_ties_in_step_areas(ties, value):
    result = rw.step_area(tally_of(SAMPLES["B"]), ties=ties)
    assert result.value == pytest.approx(value, abs=1e-9)
    assert repr(result).endswith(f"ties {ties}")


def test_step_areas_take_known_ties_and_no_weights():
    with pytest.raises(rw.InputError, match="`ties` must be one of 'simultaneous', 'optimistic'"):
        rw.step_area([0, 1], [0, 1], ties="random")
    with pytest.raises(
        rw.InputError, match="`step_area` has no weighted version, since it counts squares"
    ):
        rw.step_area([0, 1], [0, 1], sample_weight=[1, 1])


def test_the_sentence():
    assert repr(rw.auc(tally_of(SAMPLES["A"]))) == (
        "AUC 0.92 (95% CI 0.39 to 1.00, Wilson (effective n)); 3 positives, 4 negatives"
    )
    assert repr(rw.auc(tally_of(SAMPLES["A"]), method="delong")) == (
        "AUC 0.92 (95% CI 0.69 to 1.00, DeLong); 3 positives, 4 negatives"
    )
    assert repr(rw.auc(tally_of(SAMPLES["C"]), level=0.9, method="logit")) == (
        "AUC 0.71 (90% CI 0.49 to 0.86, logit DeLong); 10 positives, 12 negatives"
    )


def test_weighted_areas_of_separated_classes_are_exactly_1():
    y, s, w = [1, 0, 1], [2, 0, 1], [313.70589544652586, 0.001, 199.0]
    assert rw.auc(y, s, sample_weight=w).value == 1.0
    assert rw.roc(y, s, sample_weight=w).auc == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "`level` must lie strictly between 0 and 1; got 95."),
        ({"level": "0.95"}, "`level` must be a number; got '0.95'."),
        ({"method": "wald"}, "`method` must be one of 'auto', 'delong'"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(rw.InputError) as caught:
        rw.auc([0, 1], [0, 1], **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("sample", "method", "level", "low", "high"),
    [
        ("A", "delong", 0.95, 0.6856826959, 1.0),
        ("C", "delong", 0.95, 0.4811486808, 0.9355179858),
        ("A", "logit", 0.95, 0.3484419409, 0.9955997565),
        ("C", "logit", 0.95, 0.4471118613, 0.879420436),
        ("C", "logit", 0.90, 0.4911128746, 0.8593810458),
    ],
)
def test_values_of_the_specification(sample, method, level, low, high):
    interval = rw.auc(tally_of(SAMPLES[sample]), method=method, level=level).interval
    assert interval.low == pytest.approx(low, abs=1e-9)
    assert interval.high == pytest.approx(high, abs=1e-9)
    assert interval.level == level
    assert interval.method == {"delong": "DeLong", "logit": "logit DeLong"}[method]


EDGES = {
    "perfect": ([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], 1.0),
    "worst": ([1, 1, 1, 0, 0], [1, 2, 3, 4, 5], 0.0),
    "constant": ([0, 0, 0, 1, 1], [1, 1, 1, 1, 1], 0.5),
    "one positive": ([0, 0, 0, 1], [1, 2, 4, 3], 2 / 3),
    "one negative": ([0, 1, 1, 1], [3, 1, 4, 5], 2 / 3),
    "one positive, best": ([0, 0, 0, 1], [1, 2, 3, 4], 1.0),
    "one of each": ([0, 1], [0, 1], 1.0),
    "one of each, tied": ([0, 1], [1, 1], 0.5),
    "one positive, worst": ([1, 0, 0, 0], [1, 2, 3, 4], 0.0),
}


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@pytest.mark.parametrize("method", ["delong", "logit"])
@pytest.mark.parametrize("weights", [None, 1.0, 136.12223351649533])
@pytest.mark.parametrize(("y", "s", "area"), EDGES.values(), ids=EDGES)
def test_at_the_edges_the_interval_is_valid_and_named(y, s, area, weights, method):
    sample_weight = None if weights is None else [weights] * len(y)
    result = rw.auc(y, s, method=method, sample_weight=sample_weight)
    assert result.value == pytest.approx(area, abs=1e-15)
    assert result.value in result.interval
    assert 0.0 <= result.interval.low < result.interval.high <= 1.0
    assert result.interval.high - result.interval.low > 0.2  # few cases give little information
    assert result.interval.method not in ("", "DeLong", "logit DeLong")
    assert result.interval.method in repr(result)


@pytest.mark.parametrize("method", ["hanley-mcneil", "jackknife", "exact-bootstrap", "unbiased"])
def test_wald_intervals_of_other_variances(method):
    tally = tally_of(SAMPLES["C"])
    result = rw.auc(tally, method=method)
    error = math.sqrt(rw.auc_variance(tally, method=method))
    assert result.standard_error == pytest.approx(error, rel=1e-12)
    reach = norm.ppf(0.975) * error
    assert tuple(result.interval) == pytest.approx(
        (result.value - reach, min(1.0, result.value + reach)), abs=1e-12
    )
    if method != "jackknife":  # which is one of any statistic
        whole_only = f"method='{method}' is defined for the full AUC"
        with pytest.raises(rw.InputError, match=whole_only):
            rw.auc(tally, method=method, max_fpr=0.2)
    with pytest.raises(rw.InputError, match=f"weights are not supported by method='{method}'"):
        rw.auc([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 2, 3, 4], method=method)


def sample(n_pos, n_neg, shift, seed=0):
    y = np.repeat([1, 0], [n_pos, n_neg])
    return y, np.random.default_rng(seed).normal(size=len(y)) + shift * y


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "shift", "expected"),
    [
        (100, 400, 3.0, "Wilson (effective n)"),  # AUC about 0.98
        (12, 400, 1.0, "Wilson (effective n)"),
        (1, 50, 1.0, "Hoeffding bound"),
    ],
)
def test_the_default_is_wilsons_interval(n_pos, n_neg, shift, expected):
    y, s = sample(n_pos, n_neg, shift)
    assert rw.auc(y, s).interval.method == expected


def test_with_many_cases_the_default_is_delongs_interval():
    y, s = sample(2000, 4000, 1.0)
    expected = rw.auc(y, s, method="delong").interval
    assert tuple(rw.auc(y, s).interval) == pytest.approx(tuple(expected), abs=3e-4)


def test_wilson_by_the_parts_of_delongs_variance():
    y, s = sample(6, 15, 1.2)
    H = (s[y == 1][:, None] > s[y == 0]).astype(float)
    parts = [(H.mean(1).var(ddof=1) / 6, 6), (H.mean(0).var(ddof=1) / 15, 15)]
    area = sized_area(H.mean(), parts[0][0] + parts[1][0], parts, 6)
    interval = rw.auc(y, s, method="wilson").interval
    assert tuple(interval) == pytest.approx(area.limits(0.025), abs=1e-12)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(2, 12), st.booleans())
def test_wilson_is_mirrored_by_negation_and_blind_to_units(seed, n_pos, n_neg, ties):
    y, s = sample(n_pos, n_neg, 1.0, seed)
    s = np.round(s) if ties else s
    low, high = rw.auc(y, s, method="wilson").interval
    assert 0.0 <= low < high <= 1.0
    assert rw.auc(y, s).value in rw.auc(y, s).interval
    turned = rw.auc(y, -s, method="wilson").interval
    assert tuple(turned) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    weighted = rw.auc(y, s, sample_weight=np.full(len(y), 7.25), method="wilson").interval
    assert tuple(weighted) == pytest.approx((low, high), abs=1e-9)
    alone = rw.auc(y, s, groups=np.arange(len(y)), method="wilson").interval
    assert tuple(alone) == pytest.approx((low, high), abs=1e-9)


def test_wilson_of_a_partial_area_is_of_its_proportion():
    y, s = sample(30, 60, 1.5)
    part = rw.auc(y, s, max_fpr=0.2)
    assert part.interval.method == "Wilson (effective n)"
    assert 0.0 <= part.interval.low < part.value < part.interval.high <= 0.2
    whole = rw.auc(y, s, fpr_range=(0, 1), method="wilson").interval
    assert tuple(whole) == pytest.approx(tuple(rw.auc(y, s, method="wilson").interval), abs=1e-12)


VARIANCES = ("delong", "jackknife", "exact-bootstrap", "unbiased", "hanley-mcneil")


@pytest.mark.parametrize(
    ("sample", "values"),
    [
        ("A", (0.01388888889, 0.01686507937, 0.01331018519, 0.006944444444, 0.01647853958)),
        ("B", (0.03, 0.03462962963, 0.024875, 0.02708333333, 0.03107142857)),
        ("C", (0.01343574635, 0.01414643257, 0.01280613426, 0.01267887205, 0.01307284154)),
    ],
)
def test_values_of_the_specification_of_variances(sample, values):
    tally = tally_of(SAMPLES[sample])
    for method, value in zip(VARIANCES, values, strict=True):
        assert rw.auc_variance(tally, method=method) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("sample", [*SAMPLES.values(), P1], ids=[*SAMPLES, "P1"])
def test_values_are_those_of_the_matrix_of_all_pairs(sample):
    H = kernel(*sample)
    for method, value in variances(H, H).items():
        assert rw.auc_variance(tally_of(sample), method=method) == pytest.approx(value, rel=1e-12)


def test_constant_scores_have_no_variance():
    tally = rw.tally([0, 0, 0, 1, 1], [1] * 5)
    for method in ("delong", "jackknife", "exact-bootstrap"):
        assert rw.auc_variance(tally, method=method) == 0.0


@pytest.mark.parametrize("method", ["delong", "jackknife", "unbiased"])
@pytest.mark.parametrize(("y", "name"), [([0, 0, 1], "positive"), ([1, 1, 0], "negative")])
def test_one_case_in_a_class_is_not_enough(method, y, name):
    with pytest.raises(rw.InputError) as caught:
        rw.auc_variance(y, [1, 2, 3], method=method)
    assert str(caught.value) == (
        f"method={method!r} needs at least two {name}s; got 1. "
        "The variance is undefined for one case."
    )


@pytest.mark.parametrize("weight", [1.0, 136.12223351649533])
def test_one_weighted_case_in_a_class_is_not_enough_either(weight):
    with pytest.raises(rw.InputError, match="at least two positives"):
        rw.auc_variance([0, 0, 1], [1, 2, 3], sample_weight=[1, 1, weight], method="delong")


@pytest.mark.parametrize("method", ["jackknife", "exact-bootstrap", "unbiased", "hanley-mcneil"])
def test_weights_raise_with_the_name(method):
    with pytest.raises(rw.InputError) as caught:
        rw.auc_variance([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 2, 1, 2], method=method)
    assert str(caught.value) == (
        f"weights are not supported by method={method!r}; "
        "use method='delong', whose influence functions take them."
    )


def test_the_weighted_variance_counts_each_squared_weight():
    # by hand: influence functions of the area, squared weights, Kish's n / (n - 1)
    y = np.array([0, 0, 0, 1, 1, 1])
    s = np.array([1.0, 3.0, 2.0, 2.5, 3.0, 4.0])
    w = np.array([1.0, 2.0, 3.0, 2.0, 1.0, 1.5])
    H, a, b = kernel(s[y == 0], s[y == 1]), w[y == 0], w[y == 1]
    area = a @ H @ b / (a.sum() * b.sum())
    rows, columns = H @ b / b.sum() - area, a @ H / a.sum() - area
    variance = 0.0
    for weights, influence in ((a, rows), (b, columns)):
        n = weights.sum() ** 2 / (weights**2).sum()
        variance += n / (n - 1) * (weights**2 @ influence**2) / weights.sum() ** 2
    result = rw.auc(y, s, sample_weight=w)
    assert result.value == pytest.approx(area, rel=1e-14)
    assert result.standard_error**2 == pytest.approx(variance, rel=1e-12)
    assert rw.auc_variance(y, s, sample_weight=w, method="delong") == pytest.approx(variance)


def test_unknown_methods_raise():
    with pytest.raises(rw.InputError, match="`method` must be one of 'delong', 'jackknife'"):
        rw.auc_variance([0, 1], [0, 1], method="bootstrap")


RNG = np.random.default_rng(7)
CLUSTERS = 40
GROUPS = np.repeat(np.arange(CLUSTERS), 4)
Y = RNG.integers(0, 2, len(GROUPS))
SCORE = (RNG.normal(size=CLUSTERS)[GROUPS] + RNG.normal(size=len(GROUPS)) + Y).round(1)
PARTS = [{}, {"max_fpr": 0.3}, {"fpr_range": (0.1, 0.4)}, {"tpr_range": (0.7, 1.0)}]


def by_obuchowski(y, s, groups):
    """The formula with the kernel of all pairs spelled out."""
    kernel = (s[y == 1][:, None] > s[y == 0]) + 0.5 * (s[y == 1][:, None] == s[y == 0])
    M, N = kernel.shape
    area = kernel.mean()
    V = np.bincount(groups[y == 1], kernel.mean(axis=1) - area, minlength=CLUSTERS) / M
    U = np.bincount(groups[y == 0], kernel.mean(axis=0) - area, minlength=CLUSTERS) / N
    n_clusters = [len(np.unique(groups[y == k])) for k in (1, 0)]
    own = sum(n / (n - 1) * (x @ x) for n, x in zip(n_clusters, (V, U), strict=True))
    return own + 2 * CLUSTERS / (CLUSTERS - 1) * (U @ V)


def test_the_variance_is_obuchowskis():
    expected = by_obuchowski(Y, SCORE, GROUPS)
    assert rw.auc_variance(Y, SCORE, groups=GROUPS, method="delong") == pytest.approx(expected)
    assert rw.auc(Y, SCORE, groups=GROUPS).standard_error == pytest.approx(expected**0.5)
    assert rw.test_auc(Y, SCORE, groups=GROUPS).standard_error == pytest.approx(expected**0.5)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("clustered", [False, True])
def test_jackknife_leaves_out_cases_or_clusters(part, clustered):
    """Each area recomputed from the remaining rows."""
    groups = GROUPS if clustered else np.arange(len(Y))
    units = np.unique(groups)
    values = np.array(
        [rw.auc(Y[groups != unit], SCORE[groups != unit], **part).value for unit in units]
    )
    n = len(units)
    expected = ((n - 1) / n * np.square(values - values.mean()).sum()) ** 0.5
    options = {"groups": GROUPS} if clustered else {}
    found = rw.auc(Y, SCORE, method="jackknife", **part, **options)
    assert found.standard_error == pytest.approx(expected, rel=1e-9)
    assert found.interval.method == "cluster-robust " * clustered + "jackknife"
    if not part:
        variance = rw.auc_variance(Y, SCORE, method="jackknife", **options)
        assert variance == pytest.approx(expected**2, rel=1e-9)


@pytest.mark.parametrize("part", PARTS)
def test_rows_repeated_within_clusters_add_no_information(part):
    again = np.repeat(np.arange(len(Y)), 3)
    once = rw.auc(Y, SCORE, groups=np.arange(len(Y)), **part)
    robust = rw.auc(Y[again], SCORE[again], groups=again, **part)
    assert robust.standard_error == pytest.approx(once.standard_error, rel=1e-9)
    assert list(robust.interval) == pytest.approx(list(once.interval), rel=1e-9)
    assert once.standard_error == pytest.approx(rw.auc(Y, SCORE, **part).standard_error, rel=1e-9)


def test_intervals_by_all_methods_use_clusters():
    shown = rw.auc_intervals(Y, SCORE, groups=GROUPS, n_resamples=50, rng=1)
    assert list(shown.method) == ["delong", "wilson", "logit", "score", "bootstrap"]
    plain = rw.auc_intervals(Y, SCORE, n_resamples=50, rng=1)
    assert shown.high[0] - shown.low[0] > plain.high[0] - plain.low[0]


@pytest.mark.parametrize("method", ["bca", "unbiased", "hanley-mcneil"])
def test_methods_without_clusters_raise(method):
    with pytest.raises(rw.InputError, match="groups are not supported by"):
        rw.auc(Y, SCORE, groups=GROUPS, method=method)
    with pytest.raises(rw.InputError, match="cluster-robust"):
        rw.test_auc(Y, SCORE, groups=GROUPS, method="wilcoxon")


def test_one_cluster_of_a_class_raises():
    groups = np.where(Y == 1, 0, 1 + np.arange(len(Y)))
    with pytest.raises(rw.InputError, match="1 cluster with a positive row"):
        rw.auc(Y, SCORE, groups=groups)


def test_all_methods_are_compared():
    result = rw.auc_intervals(tally_of(SAMPLES["C"]), rng=1)
    assert list(result.method) == list(METHODS)
    for name, low, high in zip(result.method, result.low, result.high, strict=True):
        alone = rw.auc(tally_of(SAMPLES["C"]), method=str(name), rng=1).interval
        assert (low, high) == (alone.low, alone.high)
    assert (result.low < result.value).all()
    assert result.recommended == "wilson"
    json.dumps(result.to_dict())
    assert len(result.to_frame()["low"]) == len(METHODS)


def binormal(n, shift, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rw.tally(y, rng.normal(size=n) + shift * y)


def test_the_advice_is_the_default():
    result = rw.auc_intervals(binormal(20, 1.0), rng=0, n_resamples=100)
    assert repr(result).endswith(result.advice)
    place = list(result.method).index(result.recommended)
    assert rw.auc(binormal(20, 1.0)).interval.method == result.used[place]


def test_separated_classes_have_valid_intervals_by_every_method():
    result = rw.auc_intervals([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], rng=0)
    assert result.value == 1.0
    assert (result.low < 1.0).all()
    assert result.recommended == "wilson"


def test_one_case_in_a_class_is_left_to_the_bound():
    result = rw.auc_intervals([0, 0, 0, 0, 1], [1, 2, 3, 5, 4], rng=0)
    assert result.recommended == "hoeffding"
    assert set(result.used) == {"Hoeffding bound", "Newcombe score"}


def test_weighted_data_show_the_methods_that_take_weights():
    weighted = rw.tally([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 2, 1, 2])
    shown = ["delong", "wilson", "logit", "score", "bootstrap"]
    assert list(rw.auc_intervals(weighted).method) == shown
