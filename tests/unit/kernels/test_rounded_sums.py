"""The sum of an array, rounded once: that of `math.fsum`, whatever the numbers are."""

import math

import numpy as np
import pytest

from rocwise import kernels

RNG = np.random.default_rng(5)
NORMAL = RNG.normal(size=100_003)
CASES = {
    "normal": NORMAL,
    "positive": np.abs(NORMAL),
    "whole": RNG.integers(-(2**52), 2**52, 70_000).astype(np.float64),
    "of all sizes": NORMAL * 10.0 ** RNG.integers(-280, 250, len(NORMAL)),
    "cancelling": np.concatenate([NORMAL, -NORMAL[::-1], [1e-300]]),
    "smallest": np.full(40_000, 5e-324),
    "huge": np.array([1e307, 1e307, -1e307, 3.0]),
    "one": np.array([0.1]),
    "none": np.array([]),
    "zeros": np.zeros(5),
    "infinite": np.array([1.0, np.inf]),
}


@pytest.mark.parametrize("name", CASES)
def test_the_sum_is_rounded_once(name):
    values = CASES[name]
    assert kernels.rounded_sum(values) == math.fsum(values.tolist())
    assert kernels.rounded_sum(values[::-1]) == math.fsum(values.tolist())


def test_nan_stays_nan():
    assert math.isnan(kernels.rounded_sum(np.array([1.0, np.nan])))


def test_parts_of_columns_add_up_without_rounding():
    rng = np.random.default_rng(3)
    columns = [rng.normal(size=n) * 10.0 ** rng.integers(-20, 20, n) for n in (5, 70_000, 1)]
    parts = [part for column in columns for part in kernels.exact_parts(column)]
    assert math.fsum(parts) == math.fsum(np.concatenate(columns).tolist())
