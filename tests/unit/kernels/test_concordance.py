"""Pairs that two markers order alike, against all pairs, on both implementations."""

import numpy as np
import pytest

from rocwise import kernels
from rocwise.kernels.concordance import concordance_sum, marker_ranks


@pytest.fixture(params=["numpy", "compiled"], autouse=True)
def implementation(request, monkeypatch):
    compiled = None
    if request.param == "compiled":
        compiled = pytest.importorskip("rocwise.kernels.compiled._concordance")
    monkeypatch.setattr("rocwise.kernels.concordance._concordance", compiled)


def both_ordered(x1, y1, x2, y2):
    """The count for negatives x and positives y by two markers."""
    mask = np.repeat(np.array([0, 1], np.uint8), [x1.size, y1.size])
    placed = [kernels.placements(mask, np.concatenate(each)) for each in ((x1, y1), (x2, y2))]
    return concordance_sum(*(marker_ranks(mask, each) for each in placed))


def brute(x1, y1, x2, y2):
    def credit(x, y):
        return (x[:, None] < y).astype(np.int64) + (x[:, None] <= y)

    return int((credit(x1, y1) * credit(x2, y2)).sum())


def markers(n_neg, n_pos, decimals, seed=0):
    rng = np.random.default_rng([n_neg, n_pos, seed])
    scores = np.round(rng.normal(size=(2, n_neg + n_pos)), decimals)
    scores[1] += np.round(scores[0], decimals)
    return scores[0, :n_neg], scores[0, n_neg:], scores[1, :n_neg], scores[1, n_neg:]


@pytest.mark.parametrize("sizes", [(1, 1), (1, 5), (7, 1), (2, 2), (63, 64), (200, 333)])
@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_count_agrees_with_all_pairs(sizes, decimals):
    arguments = markers(*sizes, decimals)
    found = both_ordered(*arguments)
    assert type(found) is int
    assert found == brute(*arguments)


def test_one_marker_twice_gives_squared_credits():
    x1, y1, _, _ = markers(40, 30, 1)
    assert both_ordered(x1, y1, x1, y1) == brute(x1, y1, x1, y1)


def test_exchanging_the_markers_changes_nothing():
    x1, y1, x2, y2 = markers(50, 60, 1)
    assert both_ordered(x1, y1, x2, y2) == both_ordered(x2, y2, x1, y1)


def test_turning_both_markers_complements_the_credits():
    x1, y1, x2, y2 = markers(50, 60, 1)
    everything = 4 * x1.size * y1.size
    straight, turned = both_ordered(x1, y1, x2, y2), both_ordered(-x1, -y1, -x2, -y2)
    first = 2 * int(((x1[:, None] < y1) * 1 + (x1[:, None] <= y1)).sum())
    second = 2 * int(((x2[:, None] < y2) * 1 + (x2[:, None] <= y2)).sum())
    assert turned == everything - first - second + straight


@pytest.mark.parametrize("decimals", [1, 12])
def test_many_rows_agree_with_all_pairs(decimals):
    arguments = markers(3_000, 2_000, decimals)
    assert both_ordered(*arguments) == brute(*arguments)


def test_infinities_and_zeros_of_both_signs():
    x1, y1 = np.array([-np.inf, 0.0, -0.0, np.inf]), np.array([0.0, np.inf, -np.inf])
    x2, y2 = np.array([1.0, -0.0, 2.0, 0.0]), np.array([0.0, 2.0, 5e-324])
    assert both_ordered(x1, y1, x2, y2) == brute(x1, y1, x2, y2)


def test_count_beyond_32_bits():
    x, y = np.arange(40_000.0), np.arange(40_000.0) + 40_000
    assert both_ordered(x, y, x, y) == 4 * 40_000**2


@pytest.mark.parametrize(("n_neg", "n_pos"), [(0, 3), (3, 0), (0, 0)])
def test_no_pairs_at_all(n_neg, n_pos):
    x, y = np.arange(float(n_neg)), np.arange(float(n_pos))
    assert both_ordered(x, y, x, y) == 0


def test_markers_must_score_the_same_rows():
    masks = np.array([0, 0, 0, 1], np.uint8), np.array([0, 0, 1, 1], np.uint8)
    first, second = (marker_ranks(mask, kernels.placements(mask, np.arange(4.0))) for mask in masks)
    with pytest.raises(ValueError, match="same rows"):
        concordance_sum(first, second)


@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_ranks_bounds_and_squares(decimals):
    x, y, _, _ = markers(70, 50, decimals)
    mask = np.repeat(np.array([0, 1], np.uint8), [70, 50])
    own = marker_ranks(mask, kernels.placements(mask, np.concatenate([x, y])))
    assert sorted(own.negatives.tolist()) == list(range(70))
    assert own.lower.tolist() == (x[:, None] < y).sum(axis=0).tolist()
    assert own.upper.tolist() == (x[:, None] <= y).sum(axis=0).tolist()
    assert own.squares == brute(x, y, x, y)
