"""The equal error rate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw

cases = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=4, max_size=40).filter(
    lambda rows: 0 < sum(y for y, _ in rows) < len(rows)
)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@given(cases)
def test_both_errors_are_equal_there(rows):
    y, s = np.array([y for y, _ in rows], int), np.array([s for _, s in rows], float)
    answer = rw.equal_error_rate(y, s, n_resamples=20, rng=1)
    curve = rw.roc(y, s)
    low = np.interp(answer.value - 1e-9, curve.fpr, curve.tpr)
    high = np.interp(answer.value + 1e-9, curve.fpr, curve.tpr)
    assert low - 1e-6 <= 1 - answer.value <= high + 1e-6
    assert answer.interval.low < answer.interval.high
    turned = rw.equal_error_rate(1 - y, -s, n_resamples=20, rng=1)
    assert turned.value == pytest.approx(answer.value)


def test_separated_classes_still_have_an_interval():
    answer = rw.equal_error_rate([0] * 10 + [1] * 20, range(30), rng=1)
    assert answer.value == 0
    assert answer.interval.high == pytest.approx(1 - 0.025 ** (1 / 10))
    assert "equal error rate 0.00" in repr(answer)


def test_it_is_the_bootstrap_of_the_statistic():
    rng = np.random.default_rng(1)
    y = np.arange(200) % 2
    s = y + rng.normal(size=200)
    answer = rw.equal_error_rate(y, s, rng=5)
    drawn = rw.bootstrap(y, s, statistic="equal-error-rate", rng=5)
    assert tuple(answer.interval) == tuple(drawn.interval)
    assert answer.value == pytest.approx(0.31, abs=0.06)  # Phi(-1/2)
