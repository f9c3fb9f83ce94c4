import numpy as np
import pytest

LABEL_TYPES = [bool, "i1", "i2", "i4", "i8", "u1", "u2", "u8", "f2", "f4", "f8"]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("row", [0, 1, 4095, 4096, 9999])
def test_first_nan_is_found(kernels, dtype, row):
    scores = np.linspace(-1, 1, 10_000).astype(dtype)
    scores[row] = np.nan
    scores[9_999] = np.nan
    assert kernels.first_nan(scores) == row


@pytest.mark.parametrize("scores", [[], [1.0], [np.inf, -np.inf, 0.0, 5e-324]])
def test_no_nan_gives_minus_one(kernels, scores):
    assert kernels.first_nan(np.array(scores)) == -1


def test_nan_is_found_through_strides(kernels):
    scores = np.zeros(20)
    scores[[3, 8]] = np.nan
    assert kernels.first_nan(scores[::2]) == 4


@pytest.mark.parametrize("dtype", LABEL_TYPES)
def test_labels_become_a_mask(kernels, dtype):
    labels = np.array([0, 1, 1, 0, 1], dtype)
    mask, n_pos, first_bad = kernels.match_labels(labels, 0, 1)
    assert mask.dtype == np.uint8
    assert mask.tolist() == [0, 1, 1, 0, 1]
    assert (n_pos, first_bad) == (3, -1)


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "f4", "f8"])
def test_classes_may_be_any_two_numbers(kernels, dtype):
    mask, n_pos, first_bad = kernels.match_labels(np.array([2, -1, -1, 2, 2], dtype), 2, -1)
    assert mask.tolist() == [0, 1, 1, 0, 0]
    assert (n_pos, first_bad) == (2, -1)


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u1", "f4", "f8"])
@pytest.mark.parametrize("row", [0, 17, 4096, 9_000])
def test_first_row_of_neither_class_is_named(kernels, dtype, row):
    labels = np.tile(np.array([0, 1], dtype), 5_000)
    labels[row] = 7
    labels[9_999] = 9
    mask, n_pos, first_bad = kernels.match_labels(labels, 0, 1)
    assert first_bad == row
    assert n_pos == mask.sum() == np.count_nonzero(labels == 1)


def test_nan_label_belongs_to_neither_class(kernels):
    assert kernels.match_labels(np.array([0.0, 1.0, np.nan]), 0, 1)[2] == 2


@pytest.mark.parametrize(("negative", "positive"), [(0, 0.5), (0, 300), (0, -300), (0, 1e30)])
def test_a_class_outside_the_labels_type_matches_no_row(kernels, negative, positive):
    mask, n_pos, first_bad = kernels.match_labels(np.array([0, 1, 44], "i1"), negative, positive)
    assert mask.tolist() == [0, 0, 0]
    assert (n_pos, first_bad) == (0, 1)


def test_large_integers_are_compared_exactly(kernels):
    labels = np.array([2**53, 2**53 + 1], np.int64)
    mask, n_pos, first_bad = kernels.match_labels(labels, 2**53, 2**53 + 1)
    assert mask.tolist() == [0, 1]
    assert (n_pos, first_bad) == (1, -1)


def test_labels_are_matched_through_strides_and_byte_orders(kernels):
    labels = np.array([0, 9, 1, 9, 1, 9], ">i4")
    mask, n_pos, first_bad = kernels.match_labels(labels[::2], 0, 1)
    assert mask.tolist() == [0, 1, 1]
    assert (n_pos, first_bad) == (2, -1)


def test_no_rows_at_all(kernels):
    mask, n_pos, first_bad = kernels.match_labels(np.array([], np.int64), 0, 1)
    assert mask.size == 0
    assert (n_pos, first_bad) == (0, -1)
