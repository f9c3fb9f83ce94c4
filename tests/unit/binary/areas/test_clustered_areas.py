"""Areas of clustered rows: from tallies that know their clusters, whole and in part."""

import numpy as np
import pytest

import rocwise as rw

RNG = np.random.default_rng(7)
CLUSTERS = 40
GROUPS = np.repeat(np.arange(CLUSTERS), 4)
Y = RNG.integers(0, 2, len(GROUPS))
SCORE = (RNG.normal(size=CLUSTERS)[GROUPS] + RNG.normal(size=len(GROUPS)) + Y).round(1)
WEIGHTS = RNG.uniform(0.5, 2, len(GROUPS))
PARTS = [{}, {"max_fpr": 0.3}, {"fpr_range": (0.1, 0.4)}, {"tpr_range": (0.7, 1.0)}]


def by_obuchowski(y, s, groups):
    """The formula with the kernel of all pairs spelled out."""
    kernel = (s[y == 1][:, None] > s[y == 0]) + 0.5 * (s[y == 1][:, None] == s[y == 0])
    M, N = kernel.shape
    area = kernel.mean()
    V = np.bincount(groups[y == 1], kernel.mean(axis=1) - area, minlength=CLUSTERS) / M
    U = np.bincount(groups[y == 0], kernel.mean(axis=0) - area, minlength=CLUSTERS) / N
    held = [len(np.unique(groups[y == k])) for k in (1, 0)]
    own = sum(n / (n - 1) * (x @ x) for n, x in zip(held, (V, U), strict=True))
    return own + 2 * CLUSTERS / (CLUSTERS - 1) * (U @ V)


def test_the_variance_is_obuchowskis():
    expected = by_obuchowski(Y, SCORE, GROUPS)
    assert rw.auc_variance(Y, SCORE, groups=GROUPS, method="delong") == pytest.approx(expected)
    assert rw.auc(Y, SCORE, groups=GROUPS).standard_error == pytest.approx(expected**0.5)
    assert rw.test_auc(Y, SCORE, groups=GROUPS).standard_error == pytest.approx(expected**0.5)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_a_tally_and_the_rows_themselves_agree(weights):
    given = {"groups": GROUPS, "sample_weight": weights}
    matrix = rw.auc_covariance(rw.pair(Y, {"a": SCORE}, **given))
    answer = rw.auc(rw.tally(Y, SCORE, **given))
    assert answer.standard_error**2 == pytest.approx(matrix[0, 0], rel=1e-9)
    assert list(answer.interval) == list(rw.auc(Y, SCORE, **given).interval)
    assert answer.interval.method.startswith("cluster-robust")


@pytest.mark.parametrize("part", PARTS)
def test_rows_repeated_within_clusters_tell_nothing_new(part):
    again = np.repeat(np.arange(len(Y)), 3)
    once = rw.auc(Y, SCORE, groups=np.arange(len(Y)), **part)
    robust = rw.auc(Y[again], SCORE[again], groups=again, **part)
    assert robust.standard_error == pytest.approx(once.standard_error, rel=1e-9)
    assert list(robust.interval) == pytest.approx(list(once.interval), rel=1e-9)
    assert once.standard_error == pytest.approx(rw.auc(Y, SCORE, **part).standard_error, rel=1e-9)


@pytest.mark.parametrize("part", PARTS)
def test_the_bootstrap_of_clusters_agrees(part):
    robust = rw.auc(Y, SCORE, groups=GROUPS, **part).standard_error
    drawn = rw.auc(Y, SCORE, groups=GROUPS, method="bootstrap", rng=1, **part)
    assert drawn.standard_error == pytest.approx(robust, rel=0.12)
    assert "whole clusters" in drawn.interval.method


def test_intervals_side_by_side_know_of_clusters():
    shown = rw.auc_intervals(Y, SCORE, groups=GROUPS, n_resamples=50, rng=1)
    assert list(shown.method) == ["delong", "wilson", "logit", "score", "bootstrap"]
    assert "clusters in the smaller class" in shown.advice
    plain = rw.auc_intervals(Y, SCORE, n_resamples=50, rng=1)
    assert shown.high[0] - shown.low[0] > plain.high[0] - plain.low[0]


@pytest.mark.parametrize("method", ["bca", "unbiased", "hanley-mcneil"])
def test_methods_without_clusters_say_so(method):
    with pytest.raises(rw.InputError, match="groups are not supported by"):
        rw.auc(Y, SCORE, groups=GROUPS, method=method)
    with pytest.raises(rw.InputError, match="cluster-robust"):
        rw.test_auc(Y, SCORE, groups=GROUPS, method="wilcoxon")


def test_one_cluster_of_a_class_is_refused():
    groups = np.where(Y == 1, 0, 1 + np.arange(len(Y)))
    with pytest.raises(rw.InputError, match="1 cluster with a positive row"):
        rw.auc(Y, SCORE, groups=groups)
