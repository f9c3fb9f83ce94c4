"""Variances of one area: the specification's values and the edges."""

import numpy as np
import pytest

import rocwise as rw
from oracles.brute_force import kernel, variances
from oracles.spec_samples import P1, SAMPLES, tally_of

METHODS = ("delong", "jackknife", "exact-bootstrap", "unbiased", "hanley-mcneil")


@pytest.mark.parametrize(
    ("sample", "values"),
    [
        ("A", (0.01388888889, 0.01686507937, 0.01331018519, 0.006944444444, 0.01647853958)),
        ("B", (0.03, 0.03462962963, 0.024875, 0.02708333333, 0.03107142857)),
        ("C", (0.01343574635, 0.01414643257, 0.01280613426, 0.01267887205, 0.01307284154)),
    ],
)
def test_values_of_the_specification(sample, values):
    tally = tally_of(SAMPLES[sample])
    for method, value in zip(METHODS, values, strict=True):
        assert rw.auc_variance(tally, method=method) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("sample", [*SAMPLES.values(), P1], ids=[*SAMPLES, "P1"])
def test_values_are_those_of_the_matrix_of_all_pairs(sample):
    H = kernel(*sample)
    for method, value in variances(H, H).items():
        assert rw.auc_variance(tally_of(sample), method=method) == pytest.approx(value, rel=1e-12)


def test_deleting_one_case_at_a_time_gives_both_jackknives():
    x, y = SAMPLES["B"]
    N, M = len(x), len(y)
    whole = kernel(x, y)
    without_x = [np.delete(whole, i, axis=0).mean() for i in range(N)]
    without_y = [np.delete(whole, j, axis=1).mean() for j in range(M)]

    def spread(values):
        return ((np.array(values) - np.mean(values)) ** 2).sum()

    two_sample = (N - 1) / N * spread(without_x) + (M - 1) / M * spread(without_y)
    one_sample = (N + M - 1) / (N + M) * spread([*without_x, *without_y])
    tally = tally_of((x, y))
    assert rw.auc_variance(tally, method="delong") == pytest.approx(two_sample, rel=1e-12)
    assert rw.auc_variance(tally, method="jackknife") == pytest.approx(one_sample, rel=1e-12)


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
def test_weights_are_refused_by_name(method):
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
    answer = rw.auc(y, s, sample_weight=w)
    assert answer.value == pytest.approx(area, rel=1e-14)
    assert answer.standard_error**2 == pytest.approx(variance, rel=1e-12)
    assert rw.auc_variance(y, s, sample_weight=w, method="delong") == pytest.approx(variance)


def test_unknown_methods_are_refused():
    with pytest.raises(rw.InputError, match="`method` must be one of 'delong', 'jackknife'"):
        rw.auc_variance([0, 1], [0, 1], method="bootstrap")
