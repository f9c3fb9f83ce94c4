"""Choosing among thresholds: many of them are looked at by steps."""

import numpy as np
import pytest

from rocwise.binary.thresholds.choices import _largest
from rocwise.kernels.threads import threads


@pytest.mark.parametrize("kind", ["plain", "infinite", "none allowed", "below all others"])
@pytest.mark.parametrize("rows", [20_000, 300_000])
def test_many_thresholds_are_told_as_few_are(kind, rows):
    rng = np.random.default_rng(rows)
    score = np.round(rng.normal(size=rows), 3)
    score[rng.integers(0, rows, 50)] = score.max() * (1 - 1e-15)  # equal up to rounding
    allowed = rng.random(rows) < 0.7
    if kind == "infinite":
        score[rng.integers(0, rows, 5)] = -np.inf
        score[rng.integers(0, rows, 5)] = np.nan
        allowed &= ~np.isnan(score)
    elif kind == "none allowed":
        allowed[:] = False
    elif kind == "below all others":
        allowed = score < -3
    expected = _largest(score[None, :], allowed[None, :])[0]
    assert expected.any() == (kind != "none allowed")
    for number in (1, 2):
        with threads(number):
            np.testing.assert_array_equal(_largest(score, allowed), expected)
