"""Weighted and clustered rows of ordered classes, against copies, `auc` and brute force."""

import itertools
import math

import numpy as np
import pytest

import rocwise as rw

RNG = np.random.default_rng(11)
N = 66
GROUPS = RNG.integers(0, 20, N)
STAGE = np.clip(np.round(1 + RNG.normal(size=20)[GROUPS] + RNG.normal(size=N)), 0, 2).astype(int)
SCORE = np.round(STAGE + RNG.normal(size=20)[GROUPS] + RNG.normal(size=N), 1)
WEIGHTS = RNG.integers(0, 4, N)
MEASURES = ("volume", "consecutive", "pairwise", "pairs")
TIES = ("credit", "strict")


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("measure", MEASURES)
def test_weights_are_copies(measure, ties):
    again = np.repeat(np.arange(N), WEIGHTS)
    weighted = rw.ordinal.auc(STAGE, SCORE, sample_weight=WEIGHTS, measure=measure, ties=ties)
    copied = rw.ordinal.auc(STAGE[again], SCORE[again], measure=measure, ties=ties)
    assert weighted.value == pytest.approx(copied.value, rel=1e-12)
    thirds = rw.ordinal.auc(STAGE, SCORE, sample_weight=WEIGHTS / 3, measure=measure, ties=ties)
    assert thirds.value == pytest.approx(weighted.value, rel=1e-12)
    assert thirds.standard_error == pytest.approx(weighted.standard_error, rel=1e-9)
    assert repr(weighted).endswith(f"weights of {np.count_nonzero(WEIGHTS)} rows")


@pytest.mark.parametrize("ties", TIES)
def test_the_weighted_volume_is_the_mean_credit_of_weighted_chains(ties):
    rows = np.flatnonzero(WEIGHTS)[:24]
    y, s, w = STAGE[rows], SCORE[rows], WEIGHTS[rows]
    total = credit = 0.0
    for chain in itertools.product(*(np.flatnonzero(y == k) for k in range(3))):
        a, b, c = s[list(chain)]
        earned = 0.0
        if a <= b <= c:
            run = 3 if a == b == c else 2 if a == b or b == c else 1
            earned = 1 / math.factorial(run) if ties == "credit" else float(run == 1)
        weight = np.prod(w[list(chain)])
        total, credit = total + weight, credit + weight * earned
    answer = rw.ordinal.auc(y, s, sample_weight=w, ties=ties)
    assert answer.value == pytest.approx(credit / total, rel=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("given", [{"sample_weight": np.full(N, 2.5)}, {"groups": np.arange(N)}])
def test_equal_weights_and_clusters_of_one_row_change_no_interval(measure, given):
    plain = rw.ordinal.auc(STAGE, SCORE, measure=measure)
    same = rw.ordinal.auc(STAGE, SCORE, measure=measure, **given)
    assert same.standard_error == pytest.approx(plain.standard_error, rel=1e-10)
    assert same.interval.low == pytest.approx(plain.interval.low, rel=1e-9)


@pytest.mark.parametrize("given", [{"sample_weight": 1.0 + WEIGHTS}, {"groups": GROUPS}])
def test_two_classes_have_the_standard_error_of_auc(given):
    y = (STAGE > 0).astype(int)
    here, there = rw.ordinal.auc(y, SCORE, **given), rw.auc(y, SCORE, method="delong", **given)
    assert here.value == pytest.approx(there.value, rel=1e-12)
    assert here.standard_error == pytest.approx(there.standard_error, rel=1e-9)


@pytest.mark.parametrize("measure", ["volume", "pairs"])
@pytest.mark.parametrize("what", ["weights", "groups", "both"])
def test_the_bootstrap_of_rows_with_weights_and_of_clusters_agrees_with_influences(measure, what):
    given = {"sample_weight": 1.0 + WEIGHTS} if what != "groups" else {}
    given |= {"groups": GROUPS} if what != "weights" else {}
    drawn = rw.ordinal.auc(STAGE, SCORE, measure=measure, method="bootstrap", rng=1, **given)
    influence = rw.ordinal.auc(STAGE, SCORE, measure=measure, **given)
    assert drawn.standard_error == pytest.approx(influence.standard_error, rel=0.2)
    assert ("clusters" in drawn.interval.method) == (what != "weights")
    assert ("weights" in drawn.interval.method) == (what != "groups")


def test_rows_repeated_within_clusters_tell_nothing_new():
    again = np.repeat(np.arange(N), 4)
    once = rw.ordinal.auc(STAGE, SCORE).standard_error
    naive = rw.ordinal.auc(STAGE[again], SCORE[again]).standard_error
    robust = rw.ordinal.auc(STAGE[again], SCORE[again], groups=again).standard_error
    assert robust == pytest.approx(once, rel=1e-9)
    assert naive < 0.6 * robust
    scores = {"a": SCORE[again], "b": -SCORE[again] + 3 * STAGE[again]}
    both = rw.ordinal.compare(STAGE[again], scores, groups=again)
    plain = rw.ordinal.compare(STAGE, {name: values[::4] for name, values in scores.items()})
    assert both.standard_error == pytest.approx(plain.standard_error, rel=1e-9)
    assert both.method == "paired cluster-robust effective-size Wilson"


def test_a_measure_clearly_below_chance_is_warned_of_and_nothing_is_turned_round():
    words = np.array(["low", "mid", "high"])[STAGE]
    with pytest.warns(rw.errors.DirectionWarning, match=r"VUS is .*\(high < mid < low, and higher"):
        answer = rw.ordinal.auc(words, SCORE, order=["high", "mid", "low"])
    assert answer.value < 1 / 6
    with pytest.warns(rw.errors.DirectionWarning, match="and lower scores mean a higher class"):
        rw.ordinal.auc(STAGE, SCORE, direction="lower", measure="pairs")
    few = [2, 1, 0, 1]  # below chance, but so may anything be
    assert rw.ordinal.auc([0, 0, 1, 2], few).value < 1 / 6


def test_the_warning_is_rare_by_chance():
    """One-sided at 2.5 %: of 300 scores that know nothing about 7 or 8 are warned of."""
    warned = 0
    for seed in range(300):
        noise = np.random.default_rng(seed).normal(size=60)
        try:
            rw.ordinal.auc(np.arange(60) % 3, noise, measure="pairs")
        except rw.errors.DirectionWarning:
            warned += 1
    assert warned <= 17  # 4 standard errors above


@pytest.mark.parametrize("method", ["plug-in", "unbiased"])
def test_variances_of_equal_rows_refuse_weights_and_name_others(method):
    answer = rw.ordinal.auc(STAGE, SCORE, sample_weight=1.0 + WEIGHTS, method=method)
    with pytest.raises(rw.InputError, match="use method='delong' or 'bootstrap'"):
        _ = answer.interval


def test_a_class_in_one_cluster_has_no_interval():
    answer = rw.ordinal.auc(STAGE, SCORE, groups=np.where(STAGE == 2, 99, GROUPS))
    assert not answer.has_interval
    with pytest.raises(rw.InputError, match="at least two clusters of every class"):
        _ = answer.standard_error


@pytest.mark.parametrize("given", [{"groups": GROUPS}, {"sample_weight": 1.0 + WEIGHTS}])
@pytest.mark.parametrize("measure", ["volume", "pairs"])
def test_the_test_against_chance_agrees_with_the_interval(given, measure):
    rng = np.random.default_rng(4)
    for shift in (0.0, 0.3, 0.6, 1.5):
        score = rng.normal(size=N) + shift * STAGE
        interval = rw.ordinal.auc(STAGE, score, measure=measure, **given).interval
        found = rw.ordinal.null_test(STAGE, score, measure=measure, **given)
        assert (found.p_value < 0.05) == (not interval.low <= found.chance <= interval.high)
        assert found.method == interval.method
    assert found.method in repr(found)


def test_rows_repeated_within_clusters_do_not_lower_p_values():
    again = np.repeat(np.arange(N), 4)
    once = rw.ordinal.null_test(STAGE, SCORE, groups=np.arange(N), alternative="greater")
    robust = rw.ordinal.null_test(STAGE[again], SCORE[again], groups=again, alternative="greater")
    naive = rw.ordinal.null_test(STAGE[again], SCORE[again], alternative="greater")
    assert robust.p_value == pytest.approx(once.p_value, rel=1e-6)
    assert naive.p_value < robust.p_value
    assert rw.ordinal.null_test(STAGE, SCORE).method == "variance under chance"


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("measure", MEASURES)
def test_distinct_scores_have_the_resamples_of_rows_that_weigh_one(measure, ties):
    """Rows are drawn alike, whether they are counted in one loop or replicate by replicate."""
    scores = np.random.default_rng(8).normal(size=(2, N)) + STAGE
    told = {"measure": measure, "ties": ties, "method": "bootstrap", "rng": 4, "n_resamples": 200}
    plain = rw.ordinal.compare(STAGE, dict(zip("ab", scores, strict=True)), **told)
    given = {"sample_weight": np.ones(N)}
    held = rw.ordinal.compare(STAGE, dict(zip("ab", scores, strict=True)), **told, **given)
    assert plain.standard_error == pytest.approx(held.standard_error, rel=1e-10)
