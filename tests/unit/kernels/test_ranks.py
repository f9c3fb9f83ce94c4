from functools import reduce
from itertools import pairwise

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

CLASSES = {
    "apart": ([1, 2, 3], [4, 5]),
    "reversed": ([4, 5], [1, 2, 3]),
    "tied": ([1, 1, 2, 2, 2, 3], [1, 2, 2, 4, 4]),
    "constant": ([7] * 5, [7] * 3),
    "one each": ([1], [2]),
    "no positives": ([1, 2, 2], []),
    "no negatives": ([], [3, 3, 4]),
    "infinite": ([-np.inf, -np.inf, 0, np.inf], [-np.inf, 0, 0, np.inf, np.inf]),
    "denormal": ([-5e-324, 0, 5e-324], [0, 5e-324, 1e-323]),
}


@pytest.fixture(params=["numpy", "compiled"])
def implementation(request, monkeypatch):
    """Both implementations; the compiled one is skipped where absent."""
    if request.param == "numpy":
        monkeypatch.setattr(ranks, "_ranks", None)
    elif ranks._ranks is None:
        pytest.skip("the compiled kernels are not built")


def brute_sums(pos_counts, neg_counts):
    """Sums of a table (descending) from Python integers, score by score."""
    total = PlacementSums()
    for p, q in zip(reversed(pos_counts), reversed(neg_counts), strict=True):
        total = combine(total, PlacementSums(p, q, p * q, p * q * q, p * q, q * p * p, p * q))
    return total


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", CLASSES)
def test_small_classes(implementation, name, dtype):
    arrays = [np.array(part, dtype) for part in CLASSES[name]]
    neg, pos = (part.tolist() for part in arrays)
    scores = sorted({*neg, *pos}, reverse=True)
    counts = [pos.count(s) for s in scores], [neg.count(s) for s in scores]
    found = placement_sums(*arrays)
    assert found == table_sums(*map(np.array, counts)) == brute_sums(*counts)
    assert all(type(value) is int for value in found)
    curve = merge_curves(*arrays)
    assert [part.dtype for part in curve] == [np.dtype(dtype), np.int64, np.int64]
    assert curve[0].tolist() == scores
    assert [part.tolist() for part in curve[1:]] == [np.cumsum(each).tolist() for each in counts]


def test_sums_follow_their_definition(implementation):
    neg, pos = [1, 2, 2, 4], [2, 3, 4]
    u = [sum(2 * (x < y) + (x == y) for x in neg) for y in pos]
    v = [sum(2 * (y < x) + (x == y) for y in pos) for x in neg]
    ties = sum(x == y for x in neg for y in pos)
    squares = sum(k * k for k in u), sum(k * k for k in v)
    found = placement_sums(np.array(neg, float), np.array(pos, float))
    assert found == PlacementSums(3, 4, sum(u), squares[0], sum(v), squares[1], ties)


@pytest.mark.parametrize("count", [10**6, 3 * 10**9, 2**40])
def test_large_counts_stay_exact(count):
    pos = [count + 7 * cell for cell in range(5)]
    neg = [2 * count - 3 * cell for cell in range(5)]
    assert table_sums(np.array(pos), np.array(neg)) == brute_sums(pos, neg)


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


def test_sums_of_ranges_combine():
    rng = np.random.default_rng(5)
    neg, pos = np.sort(rng.integers(0, 50, 400) / 7), np.sort(rng.integers(5, 60, 300) / 7)
    parts = [
        placement_sums(neg[(neg >= low) & (neg < high)], pos[(pos >= low) & (pos < high)])
        for low, high in pairwise([-np.inf, 1.0, 2.0, 5.0, np.inf])
    ]
    total = placement_sums(neg, pos)
    assert reduce(combine, parts) == total
    assert combine(parts[0], reduce(lambda a, b: combine(a, b), parts[1:])) == total
    assert combine(PlacementSums(), total) == combine(total, PlacementSums()) == total


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
