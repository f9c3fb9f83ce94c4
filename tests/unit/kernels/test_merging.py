from functools import reduce
from itertools import pairwise

import numpy as np
import pytest

from rocwise.kernels import PlacementSums, combine
from rocwise.kernels.plain import merging
from rocwise.kernels.plain.merging import exact_sum
from rocwise.kernels.threads import threads as limited

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
# without one of the classes there are no rates, and no caller asks for them
WITH_RATES = [name for name, classes in CLASSES.items() if all(classes)]


def brute_state(pos_counts, neg_counts):
    """State of a table (descending) from Python integers, score by score."""
    total = PlacementSums()
    for p, q in zip(reversed(pos_counts), reversed(neg_counts), strict=True):
        total = combine(total, PlacementSums(p, q, p * q, p * q * q, p * q, q * p * p, p * q))
    return total


def brute_table(neg, pos):
    scores = sorted({*neg, *pos}, reverse=True)
    return scores, [pos.count(s) for s in scores], [neg.count(s) for s in scores]


@pytest.fixture(params=CLASSES)
def classes(request):
    return tuple([float(s) for s in part] for part in CLASSES[request.param])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sums_of_small_classes(kernels, classes, dtype):
    arrays = [np.array(part, dtype) for part in classes]
    neg, pos = (part.tolist() for part in arrays)
    _, pos_counts, neg_counts = brute_table(neg, pos)
    expected = brute_state(pos_counts, neg_counts)
    found = kernels.merge_sums(*arrays)
    assert found == expected
    assert all(type(value) is int for value in found)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_table_and_curve_of_small_classes(kernels, classes, dtype):
    arrays = [np.array(part, dtype) for part in classes]
    scores, pos_counts, neg_counts = brute_table(*(part.tolist() for part in arrays))
    curve = kernels.curve_counts(*arrays)
    assert [part.dtype for part in curve] == [np.dtype(dtype), np.int64, np.int64]
    assert curve[0].tolist() == scores
    assert curve[1].tolist() == np.cumsum(pos_counts).tolist()
    assert curve[2].tolist() == np.cumsum(neg_counts).tolist()
    table = np.array(pos_counts, np.int64), np.array(neg_counts, np.int64)
    assert kernels.table_sums(*table) == brute_state(pos_counts, neg_counts)


@pytest.mark.parametrize("classes", WITH_RATES, indirect=True)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_rates_of_small_classes(kernels, classes, dtype):
    arrays = [np.array(part, dtype) for part in classes]
    scores, pos_counts, neg_counts = brute_table(*(part.tolist() for part in arrays))
    thresholds, tpr, fpr, doubled = kernels.curve_rates(*arrays)
    assert thresholds.dtype == np.dtype(dtype)
    assert thresholds.tolist() == [np.inf, *scores]
    n_neg, n_pos = (len(part) for part in arrays)
    assert tpr.tolist() == [0.0, *(np.cumsum(pos_counts) / n_pos).tolist()]
    assert fpr.tolist() == [0.0, *(np.cumsum(neg_counts) / n_neg).tolist()]
    assert doubled == brute_state(pos_counts, neg_counts).sum_u


@pytest.mark.parametrize("cells", [1, 2, 5])
@pytest.mark.parametrize("count", [10**6, 10**8, 3 * 10**9, 2**40])
def test_large_counts_stay_exact(kernels, cells, count):
    pos = [count + 7 * cell for cell in range(cells)]
    neg = [2 * count - 3 * cell for cell in range(cells)]
    expected = brute_state(pos, neg)
    assert expected.sum_u2 > 2**63 or count == 10**6
    assert kernels.table_sums(np.array(pos), np.array(neg)) == expected


def test_random_tables_with_mixed_sizes_stay_exact(kernels):
    rng = np.random.default_rng(11)
    for _ in range(20):
        pos, neg = (10 ** rng.uniform(0, 9, (2, 50))).astype(np.int64)
        assert kernels.table_sums(pos, neg) == brute_state(pos.tolist(), neg.tolist())


def test_many_rows_need_more_than_64_bits(kernels):
    half = 2_100_000
    neg, pos = np.arange(half, dtype=float), np.arange(half, dtype=float) + 0.5
    # the positive above negative k has u = 2 * (k + 1), the negative above positive k v = 2 * k
    up_to = half * (half + 1) * (2 * half + 1) // 6
    expected = PlacementSums(
        half,
        half,
        half * (half + 1),
        4 * up_to,
        half * (half - 1),
        4 * (up_to - half**2),
        0,
    )
    assert expected.sum_u2 > 2**63
    assert kernels.merge_sums(neg, pos) == expected


def test_long_runs_of_ties_across_blocks(kernels):
    neg = np.repeat([0.0, 1.0, 2.0], [3, 1_500_000, 5])
    pos = np.repeat([1.0, 2.0, 3.0], [1_200_000, 4, 9])
    expected = brute_state([9, 4, 1_200_000, 0], [0, 5, 1_500_000, 3])
    assert kernels.merge_sums(neg, pos) == expected


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("decimals", [0, 2, 9])
def test_blocks_and_threads_never_change_the_sums(monkeypatch, threads, decimals):
    compiled = pytest.importorskip(
        "rocwise.kernels.compiled.merging",
        reason="the compiled kernels are not built",
        exc_type=ImportError,
    )
    rng = np.random.default_rng(decimals)
    neg = np.sort(np.round(rng.normal(size=3_000), decimals))
    pos = np.sort(np.round(rng.normal(size=2_000), decimals))
    expected = compiled.merge_sums(neg, pos, threads=1)
    monkeypatch.setattr(compiled, "BLOCK_ROWS", 64)
    assert compiled.merge_sums(neg, pos, threads=threads) == expected


def test_state_of_ranges_is_the_state_of_all_rows(kernels):
    rng = np.random.default_rng(5)
    neg, pos = np.sort(rng.integers(0, 50, 400) / 7), np.sort(rng.integers(5, 60, 300) / 7)
    cuts = [-np.inf, 1.0, 2.0, 5.0, np.inf]
    states = [
        kernels.merge_sums(neg[(neg >= low) & (neg < high)], pos[(pos >= low) & (pos < high)])
        for low, high in pairwise(cuts)
    ]
    assert reduce(combine, states) == kernels.merge_sums(neg, pos)


@pytest.mark.parametrize("name", ["merge_sums", "curve_counts", "curve_rates"])
def test_nan_is_looked_for_unless_classes_are_known_to_be_numbers(kernels, name):
    rng = np.random.default_rng(6)
    neg, pos = kernels.sort_classes((rng.random(500) < 0.5).astype(np.uint8), rng.random(500))
    ask = getattr(kernels, name)
    for looked, known in zip(ask(neg, pos), ask(neg, pos, numbers=True), strict=True):
        assert np.array_equal(looked, known)
    spoiled = np.append(neg, np.nan)
    with pytest.raises(ValueError, match="nan"):
        ask(spoiled, pos)
    ask(spoiled, pos, numbers=True)  # garbage, but no crash


def test_tables_of_different_length_are_refused(kernels):
    with pytest.raises(ValueError):
        kernels.table_sums(np.array([1, 2]), np.array([1]))


@pytest.mark.parametrize("bits", [1, 20, 31, 40, 62])
def test_exact_sum_agrees_with_python_integers(bits):
    rng = np.random.default_rng(bits)
    factors = rng.integers(0, 2**bits, (3, 200))
    expected = sum(a * b * c for a, b, c in zip(*factors.tolist(), strict=True))
    assert exact_sum(*factors) == expected


@pytest.mark.parametrize("decimals", [0, 2, 9])
def test_halves_of_a_long_curve_join_without_a_gap(decimals, monkeypatch):
    compiled = pytest.importorskip("rocwise.kernels.compiled.merging")
    monkeypatch.setattr(compiled, "ROWS_PER_THREAD", 10)
    rng = np.random.default_rng(decimals)
    neg, pos = (np.sort(np.round(rng.normal(size=n), decimals)) for n in (3000, 2000))
    expected = merging.curve_rates(neg, pos)
    for threads in (1, 2, 5):
        found = compiled.curve_rates(neg, pos, threads=threads)
        for one, other in zip(found, expected, strict=True):
            assert np.array_equal(one, other)
        counted = compiled.curve_counts(neg, pos, threads=threads)
        for one, other in zip(counted, merging.curve_counts(neg, pos), strict=True):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("shift", [-3.0, 0.0, 3.0])
@pytest.mark.parametrize("sizes", [(300, 200), (200, 300), (500, 1)])
@pytest.mark.parametrize("threads", [2, 3, 7])
def test_classes_apart_are_shared_out_too(monkeypatch, shift, sizes, threads):
    compiled = pytest.importorskip("rocwise.kernels.compiled.merging")
    monkeypatch.setattr(compiled, "ROWS_PER_THREAD", 50)
    monkeypatch.setattr(compiled, "CUTS_PER_PART", 8)
    rng = np.random.default_rng(5)
    neg, pos = np.sort(rng.random(sizes[0])), np.sort(rng.random(sizes[1])) + shift
    expected = merging.curve_counts(neg, pos)
    for found, wanted in zip(
        compiled.curve_counts(neg, pos, threads=threads), expected, strict=True
    ):
        assert np.array_equal(found, wanted)
    ranges = compiled._ranges(neg, pos, threads)
    assert sum(i_end - i + j_end - j for i, i_end, j, j_end in ranges) == sum(sizes)
    if shift == 0.0 and min(sizes) > 1:
        rows = [i_end - i + j_end - j for i, i_end, j, j_end in ranges]
        assert max(rows) < 1.3 * sum(sizes) / threads


def test_threads_share_a_long_table(kernels):
    rng = np.random.default_rng(8)
    pos, neg = rng.integers(0, 3, (2, 250_000))
    with limited(3):
        shared = kernels.table_sums(pos, neg)
    with limited(1):
        assert kernels.table_sums(pos, neg) == shared
    assert (
        kernels.table_sums(pos[::-1], neg[::-1]).sum_u == 2 * pos.sum() * neg.sum() - shared.sum_u
    )
