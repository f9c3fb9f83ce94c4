import numpy as np
import pytest

from rocwise.kernels.plain import merging, sorting
from unit.kernels.test_sorting import SHAPES, rows

LABEL_TYPES = [bool, "i1", "u1", "i4", "i8", "f8"]
Y, S = np.array([0, 1, 0, 1, 1]), np.array([0.1, 0.4, 0.4, -0.0, np.inf])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [16, 65, 300, 1024])
def test_classes_and_sums_are_those_of_the_kernels_for_any_rows(kernels, shape, size, dtype):
    mask, scores = rows(shape, size, dtype)
    assert_sorted_and_summed(kernels.few_rows(mask.astype(np.int64), scores), mask, scores)


def assert_sorted_and_summed(answer, mask, scores):
    neg, pos, sums = answer
    assert_sorted(neg, pos, mask, scores)
    assert sums == merging.merge_sums(neg, pos)
    assert type(sums) is type(merging.merge_sums(neg, pos))


def assert_sorted(neg, pos, mask, scores):
    for found, expected in zip((neg, pos), sorting.sort_classes(mask, scores), strict=True):
        assert found.dtype == scores.dtype
        assert np.array_equal(found, expected)
        assert not np.signbit(found[found == 0.0]).any()
        assert not found.flags.writeable


@pytest.mark.parametrize("dtype", LABEL_TYPES)
def test_labels_of_any_usual_type(kernels, dtype):
    neg, pos, sums = kernels.few_rows(Y.astype(dtype), S)
    assert (neg.tolist(), pos.tolist()) == ([0.1, 0.4], [0.0, 0.4, np.inf])
    assert (sums.n_pos, sums.n_neg, sums.sum_u, sums.ties) == (3, 2, 7, 1)


def test_classes_cannot_be_written_to(kernels):
    neg, pos, _ = kernels.few_rows(Y, S)
    assert not neg.flags.writeable
    assert not pos.flags.writeable


@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        (Y.tolist(), S),
        (Y, S.tolist()),
        (Y, None),
        (Y[:4], S),
        (Y[:0], S[:0]),
        (Y[:, None], S),
        (Y, S[:, None]),
        (np.array(1), S),
        (Y.astype("U1"), S),
        (Y.astype(object), S),
        (Y.astype(">i8"), S),
        (Y, S.astype(">f8")),
        (Y, S.astype("f2")),
        (Y, np.arange(5)),
        (Y, np.repeat(S, 2)[::2]),
        (np.repeat(Y, 2)[::2], S),
        (2 * Y - 1, S),
        (Y + 0.5, S),
        (np.where(Y == 1, 1.0, np.nan), S),
        (np.zeros(5, int), S),
        (np.ones(5, int), S),
        (Y, np.where(S > 1, np.nan, S)),
        (np.ma.array(Y, mask=Y == 0), S),
        (Y, np.ma.array(S)),
        (np.tile(Y, 205), np.tile(S, 205)),
    ],
)
def test_whatever_is_not_plain_is_left_to_others(kernels, labels, scores):
    assert kernels.few_rows(labels, scores) is None
