"""Shares and their intervals, against scipy's."""

from decimal import Decimal, localcontext
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import binomtest

import rocwise as rw
from rocwise.inference import proportion_interval
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import (
    METHODS,
    constrained_estimate,
    exact_limits,
    square_and_add,
    tango_limits,
    tango_statistic,
    wilson_limits,
)

PROPORTIONS = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(PROPORTIONS, st.sampled_from([0.5, 0.9, 0.99]))
@pytest.mark.parametrize(
    ("method", "name"), [("wilson", "wilson"), ("clopper-pearson", "exact")], ids=str
)
def test_limits_are_those_of_scipy(method, name, share, level):
    k, n = share
    expected = binomtest(k, n).proportion_ci(level, method=name)
    found = proportion_interval(k, n, level=level, method=method)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.method.lower() == method


@given(st.integers(1, 10**6))
def test_limits_contain_proportions_of_zero_and_one(n):
    low, high = wilson_limits(np.array([0.0, 1.0]), n, 0.95)
    assert low[0] == 0.0
    assert high[1] == 1.0
    assert high[0] == pytest.approx(1 - low[1])


def test_the_mean_of_two_proportions_adds_the_squared_distances():
    (low_1, high_1), (low_2, high_2) = proportion_interval(7, 20), proportion_interval(9, 10)
    found = square_and_add(((0.35, 20), (0.9, 10)), 0.95)
    assert found.value == pytest.approx(0.625)
    assert found.low == pytest.approx(0.625 - np.hypot(0.35 - low_1, 0.9 - low_2) / 2)
    assert found.high == pytest.approx(0.625 + np.hypot(high_1 - 0.35, high_2 - 0.9) / 2)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((3, 2), {}, "`k` must not exceed `n`"),
        ((-1, 2), {}, "`k`"),
        ((1, 2), {"level": 1}, "`level`"),
        ((1, 2), {"method": "wald"}, "`method` must be one of 'wilson', 'wilson-cont"),
    ],
)
def test_invalid_proportions_raise(arguments, options, words):
    with pytest.raises(rw.InputError, match=words):
        proportion_interval(*arguments, **options)


# Newcombe (Stat. Med. 17, 1998, 857-872), table I, methods 3 to 6
NEWCOMBE = {
    "wilson": {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0, 0.1611)},
    "wilson-continuity": {
        (81, 263): (0.2535, 0.3682),
        (15, 148): (0.0598, 0.1644),
        (0, 20): (0, 0.2005),
        (1, 29): (0.0018, 0.1963),
    },
    "clopper-pearson": {(81, 263): (0.2527, 0.3676), (15, 148): (0.0578, 0.1617)},
    "mid-p": {
        (81, 263): (0.2544, 0.3658),
        (15, 148): (0.0601, 0.1581),
        (0, 20): (0, 0.1391),
        (1, 29): (0.0017, 0.1585),
    },
}


@pytest.mark.parametrize("method", NEWCOMBE)
def test_published_limits(method):
    for (k, n), limits in NEWCOMBE[method].items():
        assert tuple(proportion_interval(k, n, method=method)) == pytest.approx(limits, abs=6e-5)


@pytest.mark.parametrize("method", ["clopper-pearson", "jeffreys"])
@pytest.mark.parametrize("level", [0.95, 1 - 1e-9])
def test_limits_of_hits_and_of_failures_are_the_same_at_every_level(method, level):
    """The lower limit comes from the tail itself, so the upper one must not come from 1 - tail."""
    hits = proportion_interval(12, 15, level=level, method=method)
    failures = proportion_interval(3, 15, level=level, method=method)
    assert hits.low == pytest.approx(1 - failures.high, rel=1e-14)
    assert 1 - hits.high == pytest.approx(failures.low, rel=1e-12)


def test_the_other_methods_by_hand():
    from scipy.stats import beta

    z = 1.9599639845400545
    low, high = proportion_interval(7, 20, method="jeffreys")
    assert (low, high) == pytest.approx(beta(7.5, 13.5).ppf([0.025, 0.975]))
    n, share = 20 + z**2, (7 + z**2 / 2) / (20 + z**2)
    reach = z * (share * (1 - share) / n) ** 0.5
    assert tuple(proportion_interval(7, 20, method="agresti-coull")) == pytest.approx(
        (share - reach, share + reach)
    )
    angle = np.arcsin(np.sqrt(7.375 / 20.75))
    ends = np.sin(angle + np.array([-1, 1]) * z / (2 * np.sqrt(20))) ** 2
    assert tuple(proportion_interval(7, 20, method="arcsine")) == pytest.approx(tuple(ends))
    logit = np.log(7 / 13) + np.array([-1, 1]) * z * np.sqrt(1 / 7 + 1 / 13)
    assert tuple(proportion_interval(7, 20, method="logit")) == pytest.approx(
        tuple(1 / (1 + np.exp(-logit)))
    )


@pytest.mark.parametrize("method", METHODS)
def test_every_interval_contains_the_proportion_and_is_equivariant(method):
    for n in (1, 2, 5, 40):
        for k in range(n + 1):
            low, high = proportion_interval(k, n, method=method)
            assert 0 <= low <= k / n <= high <= 1
            mirrored = proportion_interval(n - k, n, method=method)
            assert (1 - high, 1 - low) == pytest.approx(tuple(mirrored), abs=1e-9)
            assert low < high


def upper_in_decimals(k, n, tail):
    """The p at which so few as k of n have the probability `tail`, halved to 50 digits."""
    with localcontext(prec=60):
        low, high = Decimal(0), Decimal(1)
        while high - low > Decimal("1e-50"):
            p = (low + high) / 2
            few = sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1))
            low, high = (p, high) if few > Decimal(tail) else (low, p)
        return low


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12])
@pytest.mark.parametrize(("k", "n"), [(0, 1), (0, 60), (2, 15), (7, 14), (13, 15), (59, 60)])
def test_both_limits_have_all_digits_however_small_the_tail(k, n, level):
    tail = (1 - level) / 2
    low, high = (limit[0] for limit in exact_limits(np.array([float(k)]), float(n), tail))
    expected = upper_in_decimals(k, n, tail)
    assert high == pytest.approx(float(expected), rel=2e-14)
    mirrored, _ = exact_limits(np.array([float(n - k)]), float(n), tail)
    assert mirrored[0] == pytest.approx(float(1 - expected), rel=2e-14)
    assert low < k / n < high or k in (0, n)


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


@pytest.mark.parametrize("n", [1, 2, 7, 20])
def test_zero_is_inside_where_mcnemar_does_not_reject(n):
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
def test_errors(b, c, n):
    with pytest.raises(rw.InputError):
        rw.inference.tango_interval(b, c, n)
