"""Distinct values and their codes, as numpy finds them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rocwise import kernels

KINDS = (np.int64, np.int8, np.uint8, np.uint64, np.bool_, np.float64, np.float32)


@given(st.sampled_from(KINDS).flatmap(lambda kind: hnp.arrays(kind, st.integers(0, 30))))
def test_as_numpy_has_it(values):
    names, codes = kernels.distinct(values)
    expected, of_rows = np.unique(values, return_inverse=True)
    assert names.dtype == expected.dtype
    np.testing.assert_array_equal(names, expected)
    np.testing.assert_array_equal(codes, of_rows)


@pytest.mark.parametrize(
    "values",
    [
        np.array(["b", "a", "b"]),
        np.array([2**60, 2**60 + 1, 2**60], dtype=np.int64),
        np.array([0, 2**60], dtype=np.uint64),
        np.array([-(2**62), 2**62]),
        np.array([1.5, np.nan, 1.5]),
        np.array([np.inf, -np.inf, 0.0, -0.0]),
    ],
)
def test_values_that_need_care(values):
    names, codes = kernels.distinct(values)
    expected, of_rows = np.unique(values, return_inverse=True)
    np.testing.assert_array_equal(names, expected)
    np.testing.assert_array_equal(codes, of_rows)


@given(st.sampled_from(KINDS).flatmap(lambda kind: hnp.arrays(kind, st.integers(0, 30))))
def test_rising_as_numpy_has_it(values):
    found, expected = kernels.rising(values), np.unique(values)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@given(hnp.arrays(np.intp, st.integers(0, 30), elements=st.integers(0, 9)))
def test_numbers_in_use(codes):
    assert kernels.numbers_used(codes) == len(set(codes.tolist()))


@given(
    hnp.arrays(np.float64, st.integers(0, 40), elements=st.floats(allow_nan=False)),
    st.sampled_from([np.float32, np.float64]),
)
def test_ascending_as_numpy_has_it(values, dtype):
    with np.errstate(over="ignore"):
        values = values.astype(dtype)
    np.testing.assert_array_equal(kernels.ascending(values), np.sort(values))
