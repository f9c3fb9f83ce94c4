"""Tango's interval: printed values, closed forms, and the constrained estimate by a grid."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocwise as rw
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import constrained_estimate, tango_limits, tango_statistic


@pytest.mark.parametrize(
    ("b", "c", "n", "level", "expected"),
    [
        (6, 16, 161, 0.95, (-0.1240234325, -0.005433395732)),
        (3, 0, 3, 0.95, (-0.1229940635, 1)),
        (1, 7, 21, 0.95, (-0.5172322764, -0.02600303248)),
        (0, 0, 21, 0.95, (-0.1546390189, 0.1546390189)),
        (10, 0, 10, 0.95, (0.4449344003, 1)),
        (0, 3, 50, 0.95, (-0.1621709169, 0.01562845508)),
        (40, 20, 160, 0.9, (0.04626724436, 0.2030348029)),
    ],
)
def test_printed_intervals(b, c, n, level, expected):
    interval = rw.inference.tango_interval(b, c, n, level=level)
    assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-9)


def test_statistic_and_estimate():
    assert constrained_estimate(3, 5, 20, 0.1) == pytest.approx(0.163716393, abs=1e-9)
    assert tango_statistic(3, 5, 20, 0.1) == pytest.approx(-1.384368521, abs=1e-9)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 12), st.floats(-0.95, 0.95))
def test_estimate_is_the_constrained_maximum(b, c, rest, delta):
    n = b + c + rest
    low, high = max(0.0, -delta), (1 - delta) / 2
    grid = np.linspace(low, high, 20001)[1:-1]
    value = (
        stats.binom.logpmf(0, 0, 0.5)
        + b * np.log(grid + delta) + c * np.log(grid) + rest * np.log(1 - 2 * grid - delta)
    )  # fmt: skip
    best = grid[np.argmax(value)]
    assert constrained_estimate(b, c, n, delta) == pytest.approx(best, abs=2 * (high - low) / 20000)


@given(st.integers(1, 200), st.sampled_from([0.8, 0.95, 0.99]))
def test_closed_forms(n, level):
    z2 = normal_quantile(level) ** 2
    none = rw.inference.tango_interval(0, 0, n, level=level)
    assert tuple(none) == pytest.approx((-z2 / (n + z2), z2 / (n + z2)), abs=1e-12)
    every = rw.inference.tango_interval(n, 0, n, level=level)
    assert tuple(every) == pytest.approx(((n - z2) / (n + z2), 1), abs=1e-12)


@given(st.integers(0, 15), st.integers(0, 15), st.integers(0, 15))
def test_swapping_the_errors_mirrors_the_interval(b, c, rest):
    n = max(b + c + rest, 1)
    one, other = rw.inference.tango_interval(b, c, n), rw.inference.tango_interval(c, b, n)
    assert tuple(one) == pytest.approx((-other.high, -other.low), abs=1e-12)
    assert one.low <= (b - c) / n <= one.high


@given(st.floats(0, 20), st.floats(0, 20), st.floats(0, 20), st.floats(0.5, 0.999))
def test_one_pair_of_counts_has_the_digits_of_many(b, c, rest, level):
    n = max(b + c + rest, 1e-3)
    low, high = tango_limits(np.array([b]), np.array([c]), n, normal_quantile(level))
    assert tuple(rw.inference.tango_interval(b, c, n, level=level)) == (low[0], high[0])


@pytest.mark.parametrize("n", [1, 2, 7, 20])
def test_zero_is_inside_when_mcnemar_says_so(n):
    """F7.2: the shortcut of the confident segment, for all b and c."""
    z = normal_quantile(0.95)
    b, c = (column.ravel().astype(float) for column in np.meshgrid(range(n + 1), range(n + 1)))
    kept = b + c <= n
    b, c = b[kept], c[kept]
    low, high = tango_limits(b, c, n, z)
    inside = (low <= 1e-12) & (high >= -1e-12)
    assert inside.tolist() == ((b - c) ** 2 <= z * z * (b + c)).tolist()


@pytest.mark.parametrize(
    ("b", "c", "n"), [(-1, 0, 5), (0, -1, 5), (3, 3, 5), (0, 0, 0), (1, 1, "x")]
)
def test_refusals(b, c, n):
    with pytest.raises(rw.InputError):
        rw.inference.tango_interval(b, c, n)
