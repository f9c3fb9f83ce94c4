"""Rows with weights, or in clusters: by hand, and the same numbers from both twins."""

import numpy as np
import pytest

from rocwise.kernels.threads import threads
from rocwise.kernels.unlike import plain


def rows(n, seed, *, digits=9, dtype=np.float64):
    """Classes and scores, a whole number and a weight of each row."""
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(size=n), digits).astype(dtype)
    return rng.integers(0, 2, n).astype(np.uint8), scores, rng.integers(0, 40, n), rng.random(n)


def same(found, expected):
    """Whether arrays are equal to the last bit, and of one type."""
    return found.dtype == expected.dtype and found.tobytes() == expected.tobytes()


def test_the_last_of_equal_rows_comes_first(kernels):
    mask, scores = np.array([0, 1, 1, 0], np.uint8), np.array([0.0, 0.5, -0.0, -1.0])
    found = kernels.falling_rows(mask, scores, (np.array([6, 7, 8, 9]),))
    assert found.positive.tolist() == [True, True, False, False]
    assert found.new_score.tolist() == [True, True, False, True]
    assert [str(score) for score in found.scores] == ["0.5", "0.0", "0.0", "-1.0"]
    assert found.columns[0].tolist() == [7, 8, 6, 9]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "digits"), [(1, 9), (700, 1), (9000, 9), (450_000, 2)])
def test_falling_rows_of_both_twins(kernels, n, digits, dtype):
    mask, scores, clusters, weights = rows(n, 1, digits=digits, dtype=dtype)
    expected = plain.falling_rows(mask, scores, (clusters, weights))
    for number in (1, 3):
        with threads(number):
            found = kernels.falling_rows(mask, scores, (clusters, weights))
        pairs = zip((*found[:3], *found.columns), (*expected[:3], *expected.columns), strict=True)
        assert all(same(*pair) for pair in pairs)


def test_columns_of_another_length_or_width_are_refused(kernels):
    mask, scores, clusters, weights = rows(9, 2)
    for columns in ((weights[1:],), (clusters.astype(np.int32),)):
        with pytest.raises(ValueError, match="columns"):
            kernels.falling_rows(mask, scores, columns)
    with pytest.raises(ValueError, match="columns"):
        kernels.by_class(mask == 1, weights[1:])


@pytest.mark.parametrize("n", [5, 250_000])
def test_amounts_go_to_their_class(kernels, n):
    mask, _, counts, weights = rows(n, 3)
    for amounts in (counts, weights):
        found, expected = (ask(mask == 1, amounts) for ask in (kernels.by_class, plain.by_class))
        assert all(same(*pair) for pair in zip(found, expected, strict=True))
        assert same(sum(found), amounts)


def test_influences_by_hand(kernels):
    sums, amounts = np.array([1, 1, 4]), np.array([1, 0, 3])
    for kind in (np.int64, np.float64):
        given = sums.astype(kind), amounts.astype(kind), 4, 0.25, 0.125
        assert kernels.whole_influences(*given, beyond=True).tolist() == [0.625, 0.5, 0.0]
        assert kernels.whole_influences(*given, beyond=False).tolist() == [0.0, 0.0, 0.375]


@pytest.mark.parametrize("beyond", [True, False])
def test_influences_of_both_twins(kernels, beyond):
    _, _, counts, weights = rows(3000, 4)
    for amounts in (counts, weights):
        given = np.cumsum(amounts), amounts, float(amounts.sum()), 0.7, 1e-3
        found, expected = (
            ask(*given, beyond=beyond) for ask in (kernels.whole_influences, plain.whole_influences)
        )
        assert same(found, expected)
        assert (found == 0).any()


def test_numbers_in_the_order_of_first_rows(kernels):
    assert kernels.numbered_in_order(np.array([4, 0, 4, 2]), 5).tolist() == [0, 1, 0, 2]
    codes = rows(5000, 5)[2]
    found = kernels.numbered_in_order(codes, 40)
    assert same(found, plain.numbered_in_order(codes, 40))
    assert len({*zip(codes.tolist(), found.tolist(), strict=True)}) == found.max() + 1 == 40


def test_numbers_without_a_place_are_refused(kernels):
    positive, starts = np.array([True, False]), np.arange(2)
    moved = np.ones(2), np.ones(2)
    for wrong in (np.array([0, 2]), np.array([-1, 0])):
        for ask, given in (
            (kernels.numbered_in_order, (wrong, 2)),
            (kernels.cluster_members, (positive, wrong, 2)),
            (kernels.cluster_sums, (positive, starts, wrong, 2, None, moved)),
        ):
            with pytest.raises(ValueError, match="from 0 to 1"):
                ask(*given)


@pytest.mark.parametrize("n", [50, 300_000])
@pytest.mark.parametrize("weighted", [True, False])
def test_sums_of_clusters_of_both_twins(kernels, n, weighted):
    mask, scores, clusters, weights = rows(n, 6, digits=3)
    falling = plain.falling_rows(mask, scores, (clusters, weights))
    starts, held = np.flatnonzero(falling.new_score), falling.columns[1] if weighted else None
    moved = tuple(np.random.default_rng(7).normal(size=(2, len(starts))))
    given = falling.positive, starts, falling.columns[0], 40, held, moved
    expected = plain.cluster_sums(*given)
    for number in (1, 3):
        with threads(number):
            assert same(kernels.cluster_sums(*given), expected)
    members = kernels.cluster_members(falling.positive, falling.columns[0], 40)
    assert same(members, plain.cluster_members(falling.positive, falling.columns[0], 40))
    assert members.sum() == n
    held = np.ones(n) if held is None else held
    score = np.cumsum(falling.new_score) - 1
    by_row = held * np.where(falling.positive, moved[1][score], moved[0][score])
    assert expected.sum() == pytest.approx(by_row.sum(), abs=1e-9 * n)
