import numpy as np
import pytest


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
def test_count_agrees_with_all_pairs(kernels, sizes, decimals):
    arguments = markers(*sizes, decimals)
    found = kernels.dominance(*arguments)
    assert type(found) is int
    assert found == brute(*arguments)


def test_one_marker_twice_gives_squared_credits(kernels):
    x1, y1, _, _ = markers(40, 30, 1)
    assert kernels.dominance(x1, y1, x1, y1) == brute(x1, y1, x1, y1)


def test_exchanging_the_markers_changes_nothing(kernels):
    x1, y1, x2, y2 = markers(50, 60, 1)
    assert kernels.dominance(x1, y1, x2, y2) == kernels.dominance(x2, y2, x1, y1)


def test_turning_both_markers_complements_the_credits(kernels):
    x1, y1, x2, y2 = markers(50, 60, 1)
    everything = 4 * x1.size * y1.size
    straight, turned = kernels.dominance(x1, y1, x2, y2), kernels.dominance(-x1, -y1, -x2, -y2)
    first = 2 * int(((x1[:, None] < y1) * 1 + (x1[:, None] <= y1)).sum())
    second = 2 * int(((x2[:, None] < y2) * 1 + (x2[:, None] <= y2)).sum())
    assert turned == everything - first - second + straight


@pytest.mark.parametrize("decimals", [1, 12])
def test_many_rows_agree_with_all_pairs(kernels, decimals):
    arguments = markers(3_000, 2_000, decimals)
    assert kernels.dominance(*arguments) == brute(*arguments)


def test_infinities_and_zeros_of_both_signs(kernels):
    x1, y1 = np.array([-np.inf, 0.0, -0.0, np.inf]), np.array([0.0, np.inf, -np.inf])
    x2, y2 = np.array([1.0, -0.0, 2.0, 0.0]), np.array([0.0, 2.0, 5e-324])
    assert kernels.dominance(x1, y1, x2, y2) == brute(x1, y1, x2, y2)


def test_count_beyond_32_bits(kernels):
    x, y = np.arange(40_000.0), np.arange(40_000.0) + 40_000
    assert kernels.dominance(x, y, x, y) == 4 * 40_000**2


@pytest.mark.parametrize(("n_neg", "n_pos"), [(0, 3), (3, 0), (0, 0)])
def test_no_pairs_at_all(kernels, n_neg, n_pos):
    x, y = np.arange(float(n_neg)), np.arange(float(n_pos))
    assert kernels.dominance(x, y, x, y) == 0


def test_markers_must_score_the_same_rows(kernels):
    x, y = np.zeros(3), np.zeros(4)
    with pytest.raises(ValueError, match="same rows"):
        kernels.dominance(x, y, x[:2], y)
