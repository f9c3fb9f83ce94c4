"""Exact sums and the sums of the smooth ROC curve."""

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
    from rocwise.kernels import plain_smoothing

    rng = np.random.default_rng(2)
    neg, pos = np.sort(rng.random(5000)), np.sort(np.round(rng.random(3000), 2))
    assert kernels.smooth_sums(neg, pos, 0.4) == plain_smoothing.smooth_sums(neg, pos, 0.4)
    single = neg.astype(np.float32), pos.astype(np.float32)
    doubled = plain_smoothing.smooth_sums(*(part.astype(np.float64) for part in single), 0.4)
    assert kernels.smooth_sums(*single, 0.4) == doubled
