"""Running sums of signed steps, on both implementations, against brute force."""

import numpy as np
import pytest

from rocwise.kernels import losses
from rocwise.kernels.resample import Units, multiplicities

pytestmark = pytest.mark.usefixtures("implementation")
RNG = np.random.default_rng(2)


def test_heights_are_running_sums_where_a_value_ends():
    rows = RNG.permutation(np.repeat(np.arange(30), 2)).astype(np.int32)
    steps = RNG.choice([-1, 1], 60).astype(np.int8)
    ends = np.append(RNG.random(59) < 0.5, True).astype(np.uint8)
    signs = RNG.choice([-1, 1], (9, 30)).astype(np.int8)
    expected = []
    for line in signs.tolist():
        height, best = 0, 0
        for row, step, end in zip(rows.tolist(), steps.tolist(), ends.tolist(), strict=True):
            height += line[row] * step
            best = max(best, abs(height) * end)
        expected.append(best)
    assert losses.largest_heights(signs, rows, steps, ends).tolist() == expected


def test_heights_of_many_rows():
    n = 40_000
    rows = RNG.permutation(np.repeat(np.arange(n), 2)).astype(np.int32)
    steps = np.where(np.arange(2 * n) < n, 1, -1).astype(np.int8)
    ends = (RNG.random(2 * n) < 0.7).astype(np.uint8)
    signs = RNG.choice([-1, 1], (37, n)).astype(np.int8)
    signs[3] = 1  # climbs to 40,000
    heights = np.cumsum(signs[:, rows].astype(np.int64) * steps, axis=1)
    expected = np.abs(heights * ends).max(axis=1)
    assert losses.largest_heights(signs, rows, steps, ends).tolist() == expected.tolist()


def test_shapes_are_checked():
    events = np.arange(3, dtype=np.int32), np.ones(3, np.int8), np.ones(3, np.uint8)
    with pytest.raises(ValueError, match="`signs`"):
        losses.largest_heights(np.ones((1, 2), np.int8), *events)
    with pytest.raises(ValueError, match="`ends`"):
        losses.largest_heights(np.ones((1, 3), np.int8), *events[:2], np.ones(2, np.uint8))


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_means_of_resamples(offset):
    values = RNG.normal(size=50) + offset
    times = multiplicities(Units(np.array([50])), 3, 4, 14)
    drawn = np.array([np.repeat(values, line) for line in times])
    means, errors = losses.resampled_means(values, 3, 4, 14)
    rounding = 1e-15 * np.abs(values).max()  # a mean near 0 is a difference of large sums
    np.testing.assert_allclose(means, drawn.mean(axis=1), rtol=1e-13, atol=rounding)
    np.testing.assert_allclose(errors, drawn.std(axis=1) / np.sqrt(50), rtol=1e-8)
