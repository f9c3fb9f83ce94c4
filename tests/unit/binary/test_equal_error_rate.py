"""The equal error rate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import rocwise as rw

cases = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=4, max_size=40).filter(
    lambda rows: 0 < sum(y for y, _ in rows) < len(rows)
)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@given(cases)
def test_both_errors_are_equal_there(rows):
    y, s = np.array([y for y, _ in rows], int), np.array([s for _, s in rows], float)
    result = rw.equal_error_rate(y, s, n_resamples=20, rng=1)
    curve = rw.roc(y, s)
    low = np.interp(result.value - 1e-9, curve.fpr, curve.tpr)
    high = np.interp(result.value + 1e-9, curve.fpr, curve.tpr)
    assert low - 1e-6 <= 1 - result.value <= high + 1e-6
    assert result.interval.low < result.interval.high
    turned = rw.equal_error_rate(1 - y, -s, n_resamples=20, rng=1)
    assert turned.value == pytest.approx(result.value)


def test_separated_classes_still_have_an_interval():
    result = rw.equal_error_rate([0] * 10 + [1] * 20, range(30), rng=1)
    assert result.value == 0
    assert result.interval.high > 1 - 0.05 ** (1 / 10)  # no error among ten
    assert "equal error rate 0.00" in repr(result)


def test_it_is_the_bootstrap_of_the_statistic():
    rng = np.random.default_rng(1)
    y = np.arange(200) % 2
    s = y + rng.normal(size=200)
    result = rw.equal_error_rate(y, s, rng=5)
    drawn = rw.bootstrap(y, s, statistic="equal-error-rate", rng=5)
    assert result.standard_error == pytest.approx(drawn.standard_error)
    assert tuple(result.interval) == pytest.approx(tuple(drawn.interval), abs=0.015)
    assert result.interval.method == "Wilson (effective n)"
    assert result.value == pytest.approx(0.31, abs=0.06)  # Phi(-1/2)


def test_its_interval_covers_with_few_positives():
    rng, n, covered = np.random.default_rng(3), 300, 0
    y = np.repeat([1, 0], [5, 50])
    for k in range(n):
        s = rng.normal(size=55) + 2 * y
        covered += norm.cdf(-1) in rw.equal_error_rate(y, s, n_resamples=100, rng=k).interval
    assert covered / n > 0.95 - 3 * np.sqrt(0.95 * 0.05 / n)
