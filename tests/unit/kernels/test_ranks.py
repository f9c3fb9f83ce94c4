import numpy as np
import pytest

from rocwise.kernels import ranks
from rocwise.kernels.ranks import (
    PlacementSums,
    combine,
    exact_sum,
    merge_curves,
    placement_sums,
    table_sums,
)
from rocwise.kernels.threads import threads


def brute_sums(pos_counts, neg_counts):
    """Sums of a table (descending) from Python integers, score by score."""
    total = PlacementSums()
    for p, q in zip(reversed(pos_counts), reversed(neg_counts), strict=True):
        total = combine(total, PlacementSums(p, q, p * q, p * q * q, p * q, q * p * p, p * q))
    return total


def test_many_rows_need_more_than_64_bits(implementation):
    half = 2_100_000
    neg, pos = np.arange(half, dtype=float), np.arange(half, dtype=float) + 0.5
    # the positive above negative k has u = 2 * (k + 1), the negative above positive k v = 2 * k
    up_to = half * (half + 1) * (2 * half + 1) // 6
    sums = half * (half + 1), 4 * up_to, half * (half - 1), 4 * (up_to - half**2)
    assert sums[1] > 2**63
    assert placement_sums(neg, pos) == PlacementSums(half, half, *sums, 0)


def test_long_runs_of_ties(implementation):
    neg = np.repeat([0.0, 1.0, 2.0], [3, 1_500_000, 5])
    pos = np.repeat([1.0, 2.0, 3.0], [1_200_000, 4, 9])
    expected = brute_sums([9, 4, 1_200_000, 0], [0, 5, 1_500_000, 3])
    assert placement_sums(neg, pos) == expected


@pytest.mark.parametrize("decimals", [0, 2, 9])
@pytest.mark.parametrize("shift", [-9.0, 0.0, 9.0])
@pytest.mark.parametrize("number", [1, 2, 5])
def test_results_do_not_depend_on_ranges(monkeypatch, number, decimals, shift):
    rng = np.random.default_rng(decimals)
    neg = np.sort(np.round(rng.normal(size=3_000), decimals))
    pos = np.sort(np.round(rng.normal(size=2_000), decimals)) + shift
    expected = placement_sums(neg, pos), *merge_curves(neg, pos)
    monkeypatch.setattr(ranks, "ROWS_PER_THREAD", 10)
    monkeypatch.setattr(ranks, "FEW_ROWS", 0)
    monkeypatch.setattr(ranks, "BLOCK_ROWS", 64)
    with threads(number):
        found = placement_sums(neg, pos), *merge_curves(neg, pos)
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one, other)


def test_sums_far_beyond_128_bits_stay_exact():
    lower, upper = PlacementSums(n_neg=10**30), PlacementSums(n_pos=3)
    assert combine(lower, upper).sum_u2 == 3 * 4 * 10**60


def test_tables_of_different_length_raise():
    with pytest.raises(ValueError, match="shape"):
        table_sums(np.array([1, 2]), np.array([1]))


@pytest.mark.parametrize("bits", [1, 31, 40, 62])
def test_exact_sum_agrees_with_python_integers(bits):
    factors = np.random.default_rng(bits).integers(0, 2**bits, (3, 200))
    expected = sum(a * b * c for a, b, c in zip(*factors.tolist(), strict=True))
    assert exact_sum(*factors) == expected
