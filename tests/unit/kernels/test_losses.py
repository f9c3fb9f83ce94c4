"""Swapped and drawn losses, on both implementations, against brute force."""

import numpy as np
import pytest

from rocwise.kernels.plain import losses
from rocwise.kernels.plain.blocks import counts_of_rows
from rocwise.kernels.plain.resampling import POSITIVE, row_counts

RNG = np.random.default_rng(2)


@pytest.mark.parametrize("rows", [1, 2, 5, 12, 15, 64, 71, 1001])
def test_sums_have_the_signs_of_their_line(kernels, rows):
    values = RNG.normal(size=rows)
    signs = RNG.choice([-1, 1], (7, rows)).astype(np.int8)
    expected = [sum(s * v for s, v in zip(line, values, strict=True)) for line in signs.tolist()]
    octets = np.packbits(signs > 0, axis=1)
    np.testing.assert_allclose(kernels.signed_sums(octets, values), expected, atol=1e-12)
    octets[:, -1] ^= (1 << -rows % 8) - 1  # bits beyond the last value mean nothing
    np.testing.assert_allclose(kernels.signed_sums(octets, values), expected, atol=1e-12)


def test_heights_are_running_sums_where_a_value_ends(kernels):
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
    assert kernels.largest_heights(signs, rows, steps, ends).tolist() == expected


@pytest.mark.parametrize("lines", [1, 16, 37])
@pytest.mark.parametrize("same", [False, True])
def test_heights_of_many_rows_and_lines(kernels, lines, same):
    """Lines are walked side by side in 16 bits, unless heights outgrow them."""
    n = 40_000
    rows = RNG.permutation(np.repeat(np.arange(n), 2)).astype(np.int32)
    steps = (np.where(np.arange(2 * n) < n, 1, -1) if same else RNG.choice([-1, 1], 2 * n)).astype(
        np.int8
    )
    ends = (RNG.random(2 * n) < 0.7).astype(np.uint8)
    signs = RNG.choice([-1, 1], (lines, n)).astype(np.int8)
    if same:
        signs[lines // 2] = 1  # climbs to 40,000
    heights = np.cumsum(signs[:, rows].astype(np.int64) * steps, axis=1)
    expected = np.abs(heights * ends).max(axis=1)
    assert kernels.largest_heights(signs, rows, steps, ends).tolist() == expected.tolist()
    assert same == (expected.max() > 2**15)


@pytest.mark.parametrize(("n", "same"), [(1, False), (137, False), (40_000, True)])
def test_heights_of_words_are_those_of_their_bits(kernels, n, same):
    rows = RNG.permutation(np.repeat(np.arange(n), 2)).astype(np.int32)
    steps = np.where(np.arange(2 * n) < n, 1, -1).astype(np.int8)
    ends = (RNG.random(2 * n) < 0.7).astype(np.uint8)
    words = RNG.integers(0, 2**16, (3, n), dtype=np.uint16)
    if same:
        words[1] &= 0xFFFE  # the first line of the second word climbs beyond 16 bits
    signs = np.array(
        [1 - 2 * ((word >> bit) & 1).astype(np.int64) for word in words for bit in range(16)]
    )
    expected = np.abs(np.cumsum(signs[:, rows] * steps, axis=1) * ends).max(axis=1)
    assert kernels.swapped_heights(words, rows, steps, ends).tolist() == expected.tolist()
    assert same == (expected.max() > 2**15)


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_moments_of_drawn_values(kernels, offset):
    values = RNG.normal(size=50) + offset
    drawn = RNG.integers(0, 50, (6, 81))
    rounding = 1e-15 * np.abs(values).max()  # a mean near 0 is a difference of large sums
    means, errors = kernels.drawn_moments(drawn, values)
    np.testing.assert_allclose(means, values[drawn].mean(axis=1), rtol=1e-13, atol=rounding)
    np.testing.assert_allclose(errors, values[drawn].std(axis=1) / 9, rtol=1e-9)
    means, errors = kernels.resample_moments(values, 3, 4, 14)
    times = row_counts(3, 4, 14, POSITIVE, 50)
    again = np.array([np.repeat(values, line) for line in times])
    np.testing.assert_allclose(means, again.mean(axis=1), rtol=1e-13, atol=rounding)
    np.testing.assert_allclose(errors, again.std(axis=1) / np.sqrt(50), rtol=1e-8)


@pytest.mark.parametrize("n", [16_384, 16_384 + 256 + 7])
def test_moments_of_many_rows_are_those_of_counts_drawn_by_blocks(kernels, n):
    values = RNG.normal(size=n) + 3.0
    times = counts_of_rows(11, 2, 21, n)  # more than the 16 that look at a block together
    assert (times.sum(axis=1) == n).all()
    means, errors = kernels.resample_moments(values, 11, 2, 21)
    again = np.array([np.repeat(values, line) for line in times])
    np.testing.assert_allclose(means, again.mean(axis=1), rtol=1e-13)
    np.testing.assert_allclose(errors, again.std(axis=1) / np.sqrt(n), rtol=1e-9)


def test_rows_drawn_by_blocks_have_the_spread_of_rows_drawn_one_by_one():
    """Counts of a block of 256 and of single rows: mean and variance of the multinomial."""
    n, resamples = 2_000, 2_000
    times = counts_of_rows(5, 0, resamples, n)
    assert abs(times.var() - (1 - 1 / n)) < 5 * np.sqrt(3 / times.size)
    of_block, share = times[:, 256:512].sum(axis=1), 256 / n
    spread = n * share * (1 - share)
    assert abs(of_block.mean() - 256) < 4 * np.sqrt(spread / resamples)
    assert abs(of_block.var() / spread - 1) < 4 * np.sqrt(2 / resamples)
    apart = np.cov(times[:, 3], times[:, 1_999])[0, 1]
    assert abs(apart + 1 / n) < 4 / np.sqrt(resamples)


def test_distances_are_those_of_the_drawn_distribution(kernels):
    counts = np.array([3, 1, 1, 7, 2, 1])
    value = np.repeat(np.arange(6), counts)
    times = row_counts(5, 0, 20, POSITIVE, 15)
    expected = [
        max(abs((np.repeat(value, line) <= v).sum() - (value <= v).sum()) for v in range(6))
        for line in times
    ]
    assert kernels.largest_distances(counts, 5, 0, 20).tolist() == expected


@pytest.mark.parametrize("values", [31, 32, 33, 65, 1000])
def test_distances_of_many_values(kernels, values):
    """32 values are passed over together where none is the farthest."""
    counts = np.random.default_rng(values).integers(1, 3, values)
    upto = np.cumsum(counts)
    times = row_counts(5, 0, 20, POSITIVE, int(upto[-1]))
    expected = np.abs(np.cumsum(times, axis=1, dtype=np.int64)[:, upto - 1] - upto).max(axis=1)
    assert kernels.largest_distances(counts, 5, 0, 20).tolist() == expected.tolist()


def test_wrong_shapes_are_refused():
    compiled = pytest.importorskip("rocwise.kernels.compiled.losses")
    octets = np.full((2, 2), 255, np.uint8)
    for module in (compiled, losses):
        assert module.signed_sums(octets, np.ones(9)).tolist() == [9.0, 9.0]
        for wrong in (octets[:, :1], octets[0], octets.astype(np.int8)):
            with pytest.raises(ValueError, match="a bit for each of 9 values"):
                module.signed_sums(wrong, np.ones(9))
    with pytest.raises(ValueError, match="places from 0 to 1"):
        compiled.drawn_moments(np.array([[0, 2]]), np.ones(2))
    told = np.arange(3, dtype=np.int32), np.ones(3, np.int8), np.ones(3, np.uint8)
    with pytest.raises(ValueError, match="uint16 lines of 3"):
        compiled.swapped_heights(np.zeros((1, 2), np.uint16), *told)
