import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.inference.intervals import newcombe_limits


@pytest.mark.parametrize("method", ["delong", "jackknife", "exact-bootstrap", "unbiased"])
def test_the_statistic_is_the_distance_in_standard_errors(method):
    tally = tally_of(SAMPLES["C"])
    answer = rw.test_auc(tally, null=0.6, method=method)
    error = math.sqrt(rw.auc_variance(tally, method=method))
    assert answer.statistic == pytest.approx((rw.auc(tally).value - 0.6) / error, abs=1e-12)
    assert answer.p_value == pytest.approx(2 * norm.sf(abs(answer.statistic)), abs=1e-12)
    assert answer.p_value == pytest.approx(
        2
        * min(
            rw.test_auc(tally, null=0.6, method=method, alternative=a).p_value
            for a in ("greater", "less")
        ),
        abs=1e-12,
    )


@given(st.floats(0.05, 0.95), st.integers(2, 40), st.integers(2, 40), st.floats(0.8, 0.99))
def test_the_score_interval_holds_the_values_that_the_score_test_accepts(area, n_pos, n_neg, level):
    low, high = newcombe_limits(area, n_pos, n_neg, level)
    assert 0 <= low < area < high <= 1
    z = norm.ppf((1 + level) / 2)
    for edge in (low, high):
        if 0 < edge < 1:
            average = (n_pos + n_neg) / 2 - 1
            spread = 1 + average * (1 - edge) / (2 - edge) + average * edge / (1 + edge)
            variance = edge * (1 - edge) * spread / (n_pos * n_neg)
            assert abs(area - edge) == pytest.approx(z * math.sqrt(variance), rel=1e-6)


def test_logit_scale():
    tally = tally_of(SAMPLES["C"])
    A, error = rw.auc(tally).value, rw.auc(tally).standard_error
    answer = rw.test_auc(tally, null=0.6, method="logit")
    expected = (math.log(A / (1 - A)) - math.log(0.6 / 0.4)) / (error / (A * (1 - A)))
    assert answer.statistic == pytest.approx(expected, abs=1e-12)
    interval = rw.auc(tally, method="logit").interval
    edge = rw.test_auc(tally, null=interval.low, method="logit")
    assert edge.p_value == pytest.approx(0.05, abs=1e-9)


def test_separated_classes_are_tested_by_the_score():
    answer = rw.test_auc([0, 0, 0, 1, 1], [1, 2, 3, 4, 5])
    assert answer.method == "score"
    assert 0 < answer.p_value < 1
    assert "score" in repr(answer)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"null": 1.0}, "`null`"),
        ({"alternative": "x"}, "`alternative`"),
        ({"method": "x"}, "`method`"),
    ],
)
def test_wrong_options(options, words):
    with pytest.raises(rw.InputError, match=words):
        rw.test_auc([0, 1, 0, 1], [1, 2, 3, 4], **options)


def test_rejections_under_the_null_are_near_the_level():
    rng = np.random.default_rng(7)
    y = np.arange(120) % 2 == 0
    rejected = [rw.test_auc(y, rng.normal(size=120)).p_value < 0.05 for _ in range(1500)]
    assert 0.03 < np.mean(rejected) < 0.075


def test_one_case_in_a_class_is_tested_by_hoeffdings_bound_which_agrees_with_the_interval():
    y, scores = [0] * 30 + [1], [*range(30), 40]
    answer = rw.test_auc(y, scores)
    assert answer.method == "hoeffding"
    edge = rw.auc(y, scores).interval.low
    assert rw.test_auc(y, scores, null=edge).p_value == pytest.approx(0.05, abs=1e-9)
    assert rw.test_auc(y, scores, null=0.9, alternative="less").p_value == 1.0
