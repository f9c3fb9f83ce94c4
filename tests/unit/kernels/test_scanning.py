import numpy as np
import pytest

from rocwise.kernels.threads import threads

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


MANY = 401_003  # shared out among threads


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("rows", [[], [0], [400_999], [150_000, 300_000], [300_000, 401_002]])
@pytest.mark.parametrize("number", [1, 3])
def test_the_first_nan_of_many_rows(kernels, dtype, rows, number):
    scores = np.full(MANY, np.inf, dtype)
    scores[::2] = -np.inf
    scores[rows] = -np.nan
    with threads(number):
        assert kernels.first_nan(scores) == (rows[0] if rows else -1)


@pytest.mark.parametrize("rows", [[], [0], [150_000, 300_000], [300_000, 401_002]])
@pytest.mark.parametrize("number", [1, 3])
def test_many_labels(kernels, rows, number):
    labels = np.arange(MANY) % 3 % 2
    labels[rows] = 5
    with threads(number):
        mask, n_pos, first_bad = kernels.match_labels(labels, 0, 1)
    assert np.array_equal(mask, labels == 1)
    assert n_pos == np.count_nonzero(labels == 1)
    assert first_bad == (rows[0] if rows else -1)


@pytest.mark.parametrize(("dtype", "whole", "digits"), [("f4", "u4", 23), ("f8", "u8", 52)])
def test_every_kind_of_nan_is_one(kernels, dtype, whole, digits):
    infinity, sign = (int(v) for v in np.array([np.inf, -0.0], dtype).view(whole))
    for beyond in (1, 2 ** (digits - 1), 2**digits - 1):
        for bits in (infinity + beyond, infinity + beyond + sign):
            assert kernels.first_nan(np.array([0, bits], whole).view(dtype)) == 1
    numbers = np.array([infinity, infinity + sign, infinity - 1, sign], whole)
    assert kernels.first_nan(numbers.view(dtype)) == -1


@pytest.mark.parametrize(
    "texts", [["b", "a", "b", "", "a\0", "ä"], ["b", None, "b", None], ["x" * 50, "x" * 51]]
)
def test_texts_are_numbered_in_the_order_of_their_first_rows(kernels, texts):
    codes, found = kernels.text_codes(np.array(texts, dtype=object))
    assert [None if code < 0 else found[code] for code in codes] == texts
    assert found == [text for text in dict.fromkeys(texts) if text is not None]


def test_equal_texts_in_objects_of_their_own_are_one(kernels):
    rows = np.random.default_rng(2).integers(0, 700, 5_000)
    texts = np.array([f"text {row}" for row in rows], dtype=object)
    codes, found = kernels.text_codes(texts)
    assert len(found) == len(set(rows.tolist()))
    assert np.array_equal(np.array(found, dtype=object)[codes], texts)


@pytest.mark.parametrize("locked", [True, False])
def test_texts_of_pythons_with_a_lock_and_without(monkeypatch, locked):
    _scanning = pytest.importorskip("rocwise.kernels.compiled._scanning")
    monkeypatch.setattr(_scanning, "LOCKED", locked)
    texts = np.array(["a", None, "b" * 60, "a"], dtype=object)
    codes, found = _scanning.text_codes(texts)
    assert (codes.tolist(), found) == ([0, -1, 1, 0], ["a", "b" * 60])
    assert texts.tolist() == ["a", None, "b" * 60, "a"]


def test_texts_are_read_through_strides(kernels):
    codes, found = kernels.text_codes(np.array(["a", "b", "c", "d"], dtype=object)[::2])
    assert (codes.tolist(), found) == ([0, 1], ["a", "c"])


@pytest.mark.parametrize(
    "objects", [["a", 1], ["a", float("nan")], ["a", b"a"], ["a", np.str_("b")], [None], [["a"]]]
)
def test_whatever_is_not_text_is_left_to_others(kernels, objects):
    array = np.empty(len(objects), dtype=object)
    array[:] = objects
    assert kernels.text_codes(array) is None


def test_more_texts_than_classes_are_left_to_others(kernels):
    texts = np.array([f"text {row}" for row in range(4097)], dtype=object)
    assert kernels.text_codes(texts) is None
    assert len(kernels.text_codes(texts[:-1])[1]) == 4096
