"""Long arrays begin on a large page; the others are numpy's own."""

import pickle

import numpy as np
import pytest

from rocwise.kernels.long_arrays import LARGE_PAGE, beside_nothing, on_large_pages


@pytest.mark.parametrize("shape", [0, 1, 1000, (2, 3), 150_000, (3, 0)])
def test_short_arrays_are_plain(shape):
    made = on_large_pages(shape, np.int64)
    assert (made.shape, made.dtype) == (np.empty(shape).shape, np.int64)
    assert made.base is None


@pytest.mark.parametrize("shape", [10**6, (2, 500_000), 2**18, (3, 10**6)])
@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_long_arrays_begin_and_end_with_large_pages(shape, dtype):
    made = on_large_pages(shape, dtype)
    made[...] = 7
    assert (made.shape, made.dtype) == (np.empty(shape).shape, dtype)
    assert made.flags.c_contiguous
    assert made.flags.writeable
    assert made.ctypes.data % LARGE_PAGE == 0
    memory = made
    while memory.base is not None:
        memory = memory.base
    end = memory.ctypes.data + memory.nbytes
    assert made.ctypes.data + -(-made.nbytes // LARGE_PAGE) * LARGE_PAGE <= end
    assert memory.nbytes <= 1.25 * made.nbytes + LARGE_PAGE
    copied = pickle.loads(pickle.dumps(made))
    assert copied.nbytes == made.nbytes
    assert (copied == 7).all()


def test_an_array_that_would_waste_a_large_page_is_plain():
    assert on_large_pages(2**18 + 1, np.float64).base is None


@pytest.mark.parametrize("rows", [0, 5, 2_200_000])
@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_a_table_beside_nothing_is_like_any_other(rows, platform, monkeypatch):
    monkeypatch.setattr("sys.platform", platform)
    made = beside_nothing((2, rows), np.int64)
    made[...] = 7
    assert (made.shape, made.dtype) == ((2, rows), np.int64)
    assert made.sum() == 14 * rows
