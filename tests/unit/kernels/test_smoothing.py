"""Exact sums and the sums of the smooth ROC curve."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import rocwise as rw
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


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_points_add_up_what_each_score_moves(kernels, kind):
    from rocwise.kernels.plain import smoothing

    rng = np.random.default_rng(3)
    scores = np.sort(rng.random(500))[::-1]
    pos, neg = rng.integers(0, 4, (2, 500)).astype(kind)
    middle = float(scores[200])  # a score at the midpoint counts as high
    x, y = kernels.smooth_points(scores, pos, neg, middle)
    up = np.arange(500) <= 200
    theta = np.where(up, scores, 1 - scores)
    assert y == pytest.approx(np.cumsum(np.r_[0, pos * theta + neg * (1 - theta)]), abs=1e-11)
    assert x + y == pytest.approx(np.cumsum(np.r_[0, pos + neg]), abs=1e-11)
    for ours, plain in zip((x, y), smoothing.smooth_points(scores, pos, neg, middle), strict=True):
        np.testing.assert_array_equal(ours, plain)
    mixed = kernels.smooth_points(scores, pos.astype(np.float64), neg.astype(np.int64), middle)
    np.testing.assert_array_equal(mixed, (x, y))
    sums = np.cumsum(pos), np.cumsum(neg)
    np.testing.assert_array_equal(
        kernels.smooth_points(scores, *sums, middle, cumulated=True), (x, y)
    )


def test_points_are_the_same_whoever_adds_them_up(kernels):
    from rocwise.kernels.plain import smoothing

    rng = np.random.default_rng(4)
    scores = np.sort(rng.random(600_000))[::-1]
    pos, neg = rng.integers(0, 3, (2, 600_000))
    expected = smoothing.smooth_points(scores, pos, neg, 0.4)
    for number in (1, 2, 3):
        with rw.threads(number):
            found = kernels.smooth_points(scores, pos, neg, 0.4)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("sizes", [(150_000, 70_000), (3, 140_000), (140_000, 3)])
def test_long_classes_are_summed_in_stretches(kernels, sizes):
    from rocwise.kernels.plain import smoothing
    from rocwise.kernels.threads import threads

    rng = np.random.default_rng(sizes[0])
    neg, pos = (np.sort(rng.random(n).round(5)) for n in sizes)
    expected = smoothing.smooth_sums(neg, pos, 0.4)
    for number in (1, 3):
        with threads(number):
            assert kernels.smooth_sums(neg, pos, 0.4) == expected


@pytest.mark.parametrize("kind", ["single rows", "some ties", "many ties", "units", "float32"])
@pytest.mark.parametrize("sizes", [(700, 600), (90, 2000), (2000, 90), (1500, 2)])
def test_stretches_side_by_side_take_the_same_way(kernels, monkeypatch, sizes, kind):
    from rocwise.kernels.plain import smoothing

    whole = smoothing.STRETCH
    rng = np.random.default_rng(sizes[0])
    dtype = np.float32 if kind == "float32" else np.float64
    decimals = {"some ties": 3, "many ties": 1, "float32": 4}.get(kind, 16)
    neg, pos = (np.sort(rng.random(n).round(decimals)).astype(dtype) for n in sizes)
    scores = (5 * neg - 3, 5 * pos - 3) if kind == "units" else (neg, pos)
    units = (neg, pos) if kind == "units" else None
    for midpoint in (-1.0, 0.2, 0.5, 1.0, 2.0):
        monkeypatch.setattr(smoothing, "STRETCH", 100)
        found = kernels.smooth_sums(*scores, midpoint, units)
        assert found == smoothing.smooth_sums(*scores, midpoint, units)
        monkeypatch.setattr(smoothing, "STRETCH", whole)
        assert found == pytest.approx(smoothing.smooth_sums(*scores, midpoint, units), rel=1e-13)


@pytest.mark.parametrize("midpoint", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("sizes", [(40, 60), (60, 40)])
def test_small_moves_keep_their_digits(kernels, sizes, midpoint):
    """Scores so close to 0 and 1 that one kind of moves is next to nothing, or both are large."""
    rng = np.random.default_rng(7)
    low, high = (np.sort(rng.random(n) * 1e-9) for n in sizes)
    for neg, pos in ((low, 1 - high[::-1]), (1 - low[::-1], high), (low, high)):
        y = [0] * len(neg) + [1] * len(pos)
        rise, run, area = kernels.smooth_sums(neg, pos, midpoint)
        scores = [Fraction(score) for score in (*neg.tolist(), *pos.tolist())]
        right = [s if (s >= midpoint) != bool(c) else 1 - s for c, s in zip(y, scores, strict=True)]
        assert run == pytest.approx(float(sum(right)), rel=1e-14)
        assert rise == pytest.approx(float(len(y) - sum(right)), rel=1e-14)
        expected = float(smooth_area(y, scores, Fraction(midpoint)))
        assert area / (rise * run) == pytest.approx(expected, abs=1e-14)


def test_stretches_hold_all_rows_once_and_keep_ties_together():
    from rocwise.kernels.plain.smoothing import STRETCH, stretches

    rng = np.random.default_rng(3)
    for neg_size, pos_size, levels in ((5 * STRETCH, STRETCH, 3), (7, 3 * STRETCH + 1, 10**6)):
        neg, pos = (np.sort(rng.integers(0, levels, n) / levels) for n in (neg_size, pos_size))
        cuts, middle = stretches(neg, pos, (neg, pos), 0.5)
        held = [
            np.concatenate([rows[i:j] for rows, (i, j) in zip((neg, pos), bounds, strict=True)])
            for bounds in zip(*map(itertools.pairwise, cuts), strict=True)
        ]
        assert sum(map(len, held)) == neg_size + pos_size
        assert all((rows < 0.5).all() for rows in held[:middle])
        assert all((rows >= 0.5).all() for rows in held[middle:])
        held = [rows for rows in held if len(rows)]
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
    mixed = np.where(rng.random(size) < 0.5, -0.0, scores**2000)  # among others below 2**-1022
    alike = (np.ones(size), np.zeros(size), np.full(size, 5e-324), 0.5 + scores / 4)
    for column in (scores, scores**40, np.exp(-60 * scores), mixed, np.sort(scores), *alike):
        ours, plain = kernels.exact_sum(column), smoothing.exact_sum(column)
        assert ours[0] * plain[1] == plain[0] * ours[1]
