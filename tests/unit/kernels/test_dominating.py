import numpy as np
import pytest

from rocwise.kernels.dominating.plain import Standing
from rocwise.kernels.threads import threads


def dominance(kernels, x1, y1, x2, y2):
    """The count for negatives x and positives y by two markers."""
    mask = np.repeat(np.array([0, 1], np.uint8), [x1.size, y1.size])
    placed = [kernels.placements(mask, np.concatenate(each)) for each in ((x1, y1), (x2, y2))]
    return kernels.dominance(*(kernels.standing(mask, each) for each in placed))


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
    found = dominance(kernels, *arguments)
    assert type(found) is int
    assert found == brute(*arguments)


def test_one_marker_twice_gives_squared_credits(kernels):
    x1, y1, _, _ = markers(40, 30, 1)
    assert dominance(kernels, x1, y1, x1, y1) == brute(x1, y1, x1, y1)


def test_exchanging_the_markers_changes_nothing(kernels):
    x1, y1, x2, y2 = markers(50, 60, 1)
    assert dominance(kernels, x1, y1, x2, y2) == dominance(kernels, x2, y2, x1, y1)


def test_turning_both_markers_complements_the_credits(kernels):
    x1, y1, x2, y2 = markers(50, 60, 1)
    everything = 4 * x1.size * y1.size
    straight, turned = dominance(kernels, x1, y1, x2, y2), dominance(kernels, -x1, -y1, -x2, -y2)
    first = 2 * int(((x1[:, None] < y1) * 1 + (x1[:, None] <= y1)).sum())
    second = 2 * int(((x2[:, None] < y2) * 1 + (x2[:, None] <= y2)).sum())
    assert turned == everything - first - second + straight


@pytest.mark.parametrize("decimals", [1, 12])
def test_many_rows_agree_with_all_pairs(kernels, decimals):
    arguments = markers(3_000, 2_000, decimals)
    assert dominance(kernels, *arguments) == brute(*arguments)


def test_infinities_and_zeros_of_both_signs(kernels):
    x1, y1 = np.array([-np.inf, 0.0, -0.0, np.inf]), np.array([0.0, np.inf, -np.inf])
    x2, y2 = np.array([1.0, -0.0, 2.0, 0.0]), np.array([0.0, 2.0, 5e-324])
    assert dominance(kernels, x1, y1, x2, y2) == brute(x1, y1, x2, y2)


def test_count_beyond_32_bits(kernels):
    x, y = np.arange(40_000.0), np.arange(40_000.0) + 40_000
    assert dominance(kernels, x, y, x, y) == 4 * 40_000**2


@pytest.mark.parametrize(("n_neg", "n_pos"), [(0, 3), (3, 0), (0, 0)])
def test_no_pairs_at_all(kernels, n_neg, n_pos):
    x, y = np.arange(float(n_neg)), np.arange(float(n_pos))
    assert dominance(kernels, x, y, x, y) == 0


def test_labels_other_than_two_are_refused(kernels):
    with pytest.raises(ValueError, match="0 or 1"):
        kernels.standing(np.array([0, 2], np.uint8), np.array([0, 0]))


def test_markers_must_score_the_same_rows(kernels):
    masks = np.array([0, 0, 0, 1], np.uint8), np.array([0, 0, 1, 1], np.uint8)
    first, second = (
        kernels.standing(mask, kernels.placements(mask, np.arange(4.0))) for mask in masks
    )
    with pytest.raises(ValueError, match="same rows"):
        kernels.dominance(first, second)


@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_standings_tell_ranks_and_bounds(kernels, decimals):
    """Ranks order either class, and bounds count the negatives below and up to each positive."""
    x, y, _, _ = markers(70, 50, decimals)
    mask = np.repeat(np.array([0, 1], np.uint8), [70, 50])
    own = kernels.standing(mask, kernels.placements(mask, np.concatenate([x, y])))
    neg_rank, pos_rank = own.rank[:70], own.rank[70:] - 70
    for ranks in (neg_rank, pos_rank):
        assert sorted(ranks.tolist()) == list(range(ranks.size))
    assert own.lower[pos_rank].tolist() == (x[:, None] < y).sum(axis=0).tolist()
    assert own.upper[pos_rank].tolist() == (x[:, None] <= y).sum(axis=0).tolist()
    above = x[:, None] > x
    apart = ((x[:, None, None] >= y) & (y >= x[:, None])).any(axis=2)
    assert (neg_rank[:, None] > neg_rank)[above & apart].all()
    assert own.squares == brute(x, y, x, y)
    assert (own.upper is own.lower) == (decimals == 12)


@pytest.mark.parametrize(("n_neg", "n_pos"), [(0, 3), (3, 0), (0, 0), (1, 1), (70, 50), (900, 4)])
@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_standings_tell_sums_of_placements(kernels, n_neg, n_pos, decimals):
    x, y, _, _ = markers(n_neg, n_pos, decimals)
    mask = np.repeat(np.array([0, 1], np.uint8), [n_neg, n_pos])
    own = kernels.standing(mask, kernels.placements(mask, np.concatenate([x, y])))
    found = kernels.standing_sums(own)
    assert found == kernels.merge_sums(np.sort(x), np.sort(y))
    assert all(type(each) is int for each in found)


def test_sums_of_squares_beyond_64_bits(kernels):
    bound = np.full(8, 2**31 - 1, np.int32)
    found = kernels.standing_sums(Standing(np.empty(8, np.int32), bound, bound))
    assert (found.sum_u, found.sum_u2) == (8 * (2**32 - 2), 8 * (2**32 - 2) ** 2)


@pytest.mark.parametrize("placed", [[0, 3, 0], [-1, 2, 2], [0, 2, 5], [0, 0, 1]])
def test_what_are_no_placements_is_refused(kernels, placed):
    with pytest.raises(ValueError, match="placement"):
        kernels.standing(np.array([0, 0, 1], np.uint8), np.array(placed))


def test_placements_of_other_rows_are_refused(kernels):
    with pytest.raises(ValueError, match="shape"):
        kernels.standing(np.array([0, 1], np.uint8), np.zeros(3, np.int64))


def test_threads_share_the_queries(kernels, monkeypatch):
    """However the queries are cut, the count is that of all of them."""
    from rocwise.kernels.dominating import compiled

    monkeypatch.setattr(compiled, "ROWS_PER_THREAD", 50)
    arguments = markers(900, 700, 1)
    for number in (1, 2, 5):
        with threads(number):
            assert dominance(kernels, *arguments) == brute(*arguments)
