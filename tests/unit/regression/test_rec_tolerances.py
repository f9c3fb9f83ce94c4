"""Shares within a tolerance and their intervals."""

import numpy as np
import pytest
from scipy.stats import binomtest

import rocwise as rw
from unit.regression.forecast_vectors import C1


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
def test_intervals_are_those_of_proportions(method):
    curve = rw.regression.rec(C1.y, C1.b)
    result = curve.within([0.0, 0.2, 5.0], method=method, level=0.9)
    assert result.hits.tolist() == [1, 3, 6]
    for k, hits in enumerate(result.hits.tolist()):
        expected = binomtest(hits, 6).proportion_ci(
            0.9, method={"wilson": "wilson", "clopper-pearson": "exact"}[method]
        )
        assert (result.lower[k], result.upper[k]) == pytest.approx(tuple(expected), abs=1e-9)


def test_errors_that_miss_the_tolerance_by_rounding_count():
    """|1.7 - 2| is a little more than 0.3 in floating point."""
    assert abs(1.7 - 2) > 0.3
    assert rw.regression.rec([2.0], [1.7]).within(0.3).accuracy.tolist() == [1.0]
    squared = rw.regression.rec([2.0], [1.7], loss="squared")
    assert squared.within(0.09).accuracy.tolist() == [1.0]
    assert squared.within(0.0899).accuracy.tolist() == [0.0]


@pytest.mark.parametrize("tolerance", [-1.0, np.nan, [0.1, np.inf], "wide", [[1.0]], []])
def test_errors(tolerance):
    with pytest.raises(rw.InputError, match="`tolerance` must"):
        rw.regression.rec([1], [2]).within(tolerance)
