"""Exact sums and the sums of the smooth ROC curve."""

import itertools
import math

import numpy as np
import pytest

from oracles.smooth_areas import smooth_area


def test_sums_are_exact(kernels):
    rng = np.random.default_rng(1)
    for scores in (rng.random(1000), np.r_[rng.random(50) * 2.0**-60, 5e-324, 1.0, 0.0]):
        numerator, denominator = kernels.exact_sum(scores)
        assert numerator / denominator == math.fsum(scores.tolist())
        counts = rng.integers(0, 4, len(scores))
        numerator, denominator = kernels.exact_sum(scores, counts)
        assert numerator / denominator == math.fsum(np.repeat(scores, counts).tolist())


@pytest.mark.parametrize("decimals", [1, 2, 16])
@pytest.mark.parametrize("sizes", [(1, 1), (3, 1), (1, 4), (30, 40)])
def test_the_area_agrees_with_all_pairs(kernels, sizes, decimals):
    rng = np.random.default_rng([*sizes, decimals])
    neg, pos = (np.sort(np.round(rng.random(n), decimals)) for n in sizes)
    rise, run, area = kernels.smooth_sums(neg, pos, 0.5)
    y = [0] * len(neg) + [1] * len(pos)
    expected = smooth_area(y, [*neg.tolist(), *pos.tolist()], 0.5)
    assert rise + run == pytest.approx(len(y))
    assert area / (rise * run) == pytest.approx(expected, abs=1e-12)


def test_both_kinds_agree_to_the_last_bit(kernels):
    from rocwise.kernels.plain import smoothing

    rng = np.random.default_rng(2)
    neg, pos = np.sort(rng.random(5000)), np.sort(np.round(rng.random(3000), 2))
    assert kernels.smooth_sums(neg, pos, 0.4) == smoothing.smooth_sums(neg, pos, 0.4)
    single = neg.astype(np.float32), pos.astype(np.float32)
    doubled = smoothing.smooth_sums(*(part.astype(np.float64) for part in single), 0.4)
    assert kernels.smooth_sums(*single, 0.4) == doubled


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("decimals", [1, 3, 16])
def test_single_rows_and_ties_take_the_same_way(kernels, dtype, decimals):
    from rocwise.kernels.plain import smoothing

    rng = np.random.default_rng(decimals)
    for sizes in ((1, 50), (50, 1), (40, 60)):
        neg, pos = (np.sort(rng.random(n).round(decimals)).astype(dtype) for n in sizes)
        for midpoint in (0.0, 0.5, float(pos[0]), 1.0, 2.0):
            expected = smoothing.smooth_sums(neg, pos, midpoint)
            assert kernels.smooth_sums(neg, pos, midpoint) == expected


@pytest.mark.parametrize("sizes", [(150_000, 70_000), (3, 140_000), (140_000, 3)])
def test_long_classes_are_summed_in_stretches(kernels, sizes):
    from rocwise.kernels.plain import smoothing
    from rocwise.kernels.threads import threads

    rng = np.random.default_rng(sizes[0])
    neg, pos = (np.sort(rng.random(n).round(5)) for n in sizes)
    assert len(smoothing.stretches(neg, pos)) > 1
    whole = smoothing._stretch_sums(neg, pos, neg, pos, 0.4)
    for number in (1, 3):
        with threads(number):
            found = kernels.smooth_sums(neg, pos, 0.4)
        assert found == smoothing.smooth_sums(neg, pos, 0.4)
        assert found == pytest.approx(whole, rel=1e-12)


def test_stretches_hold_all_rows_once_and_keep_ties_together():
    from rocwise.kernels.plain.smoothing import STRETCH, stretches

    rng = np.random.default_rng(3)
    for neg_size, pos_size, levels in ((5 * STRETCH, STRETCH, 3), (7, 3 * STRETCH + 1, 10**6)):
        neg, pos = (np.sort(rng.integers(0, levels, n) / 1.0) for n in (neg_size, pos_size))
        found = stretches(neg, pos)[::-1]
        for rows, first, end in ((neg, 0, 1), (pos, 2, 3)):
            parts = [rows[each[first] : each[end]] for each in found]
            assert np.array_equal(np.concatenate(parts), rows)
        held = [np.r_[neg[i:i_end], pos[j:j_end]] for i, i_end, j, j_end in found]
        for lower, upper in itertools.pairwise(held):
            assert lower.max() < upper.min()
        assert len(held) > 1


def test_single_precision_is_summed_exactly(kernels):
    scores = np.random.default_rng(4).random(1000).astype(np.float32)
    numerator, denominator = kernels.exact_sum(scores)
    assert numerator / denominator == math.fsum(scores.tolist())


@pytest.mark.parametrize("size", [1, 2, 3, 2**20 + 5])
def test_long_and_tiny_sums_are_exact(kernels, size):
    from rocwise.kernels.plain import smoothing

    rng = np.random.default_rng(size)
    scores = rng.random(size)
    for column in (scores, scores**40, scores * 2.0**-70, np.exp(-60 * scores), np.ones(size)):
        ours, plain = kernels.exact_sum(column), smoothing.exact_sum(column)
        assert ours[0] * plain[1] == plain[0] * ours[1]
