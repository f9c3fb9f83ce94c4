"""Rows and curves of groups: both twins, any number of threads, against a look at each group."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.kernels import row_formulas
from rocwise.kernels.compiled import sorting


@pytest.fixture(params=["ties", "continuous", "infinite", "few groups", "empty groups"])
def given(request):
    """Codes, classes, scores and the number of groups."""
    rng = np.random.default_rng(5)
    groups = {"few groups": 2, "empty groups": 9000}.get(request.param, 40)
    codes, mask = rng.integers(0, groups, 6000), rng.integers(0, 2, 6000).astype(np.uint8)
    scores = rng.normal(size=6000)
    if request.param == "ties":
        scores = np.round(scores, 1)  # 0.0 and -0.0 too
    if request.param == "infinite":
        scores[::7], scores[::5] = np.inf, -np.inf
    return codes, mask, scores, groups


def test_rows_come_by_group_in_their_order(kernels, given):
    codes, _, _, groups = given
    order, bounds = kernels.rows_by_group(codes, groups)
    assert bounds[0] == 0
    assert bounds[-1] == len(codes)
    for k in range(min(groups, 50)):
        assert order[bounds[k] : bounds[k + 1]].tolist() == np.flatnonzero(codes == k).tolist()


def test_classes_are_counted_in_each_group(kernels, given):
    codes, mask, _, groups = given
    counted = kernels.class_sizes(codes, mask, groups)
    assert counted.shape == (groups, 2)
    for positive in (0, 1):
        own = np.bincount(codes[mask == positive], minlength=groups)
        assert counted[:, positive].tolist() == own.tolist()


def test_each_curve_is_that_of_its_group(kernels, given):
    codes, mask, scores, groups = given
    held = kernels.grouped_scores(codes, mask, scores, groups)
    first, last = groups // 3, min(groups, groups // 3 + 30)
    found = kernels.group_curves(held, first, last)
    ends = [*found.starts[1:].tolist(), len(found.scores)]
    for k, start, stop in zip(range(first, last), found.starts.tolist(), ends, strict=True):
        own, positive = scores[codes == k], mask[codes == k] == 1
        distinct = np.unique(own)[::-1]
        assert found.scores[start:stop].tolist() == [np.inf, *distinct.tolist()]
        for counts, rows in ((found.tp, own[positive]), (found.fp, own[~positive])):
            above = [int((rows >= score).sum()) for score in distinct]
            assert counts[start:stop].tolist() == [0, *above]
    assert not np.signbit(found.scores[found.scores == 0]).any()


@pytest.mark.parametrize("number", [1, 3])
def test_threads_and_long_groups_change_nothing(kernels, given, monkeypatch, number):
    codes, mask, scores, groups = given
    sizes = kernels.class_sizes(codes, mask, groups)
    rows = kernels.rows_by_group(codes, groups)
    curves = kernels.group_curves(kernels.grouped_scores(*given), 0, groups)
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 700)
    if kernels.name == "compiled":
        monkeypatch.setattr("rocwise.kernels.groups.compiled.ROWS_FOR_NUMPY", 65)
        assert sorting.ROWS_FOR_NUMPY > 65
    with rw.threads(number):
        again = kernels.rows_by_group(codes, groups)
        assert np.array_equal(kernels.class_sizes(codes, mask, groups), sizes)
        held = kernels.grouped_scores(codes, mask, scores, groups)
        redrawn = kernels.group_curves(held, 0, groups)
    for made, wanted in zip((*again, *redrawn), (*rows, *curves), strict=True):
        assert np.array_equal(made, wanted)


def test_no_rows(kernels):
    order, bounds = kernels.rows_by_group(np.zeros(0, np.int64), 3)
    assert (order.tolist(), bounds.tolist()) == ([], [0, 0, 0, 0])


@pytest.mark.parametrize("wrong", [-1, 2, 2**40])
@pytest.mark.parametrize("place", [0, 2])
def test_other_codes_are_refused(kernels, wrong, place):
    codes = np.array([0, 1, 0])
    codes[place] = wrong
    with pytest.raises(ValueError, match="`codes` must be a column of whole numbers"):
        kernels.rows_by_group(codes, 2)
    with pytest.raises(ValueError, match="`codes` must be a column of whole numbers"):
        kernels.class_sizes(codes, np.zeros(3, np.uint8), 2)
    with pytest.raises(ValueError, match="`codes` must be a column of whole numbers"):
        kernels.grouped_scores(codes, np.zeros(3, np.uint8), np.zeros(3), 2)


def test_columns_of_unlike_length_are_refused(kernels):
    with pytest.raises(ValueError, match="columns of 3 and 2 rows"):
        kernels.class_sizes(np.zeros(3, np.int64), np.zeros(2, np.uint8), 1)
    with pytest.raises(ValueError, match="columns of 3 and 2 and 3 rows"):
        kernels.grouped_scores(np.zeros(3, np.int64), np.zeros(2, np.uint8), np.zeros(3), 1)
