"""Indices of signal detection."""

import math

import pytest
from scipy.stats import norm

import rocwise as rw

COUNTS = ("hits", "n_signal", "false_alarms", "n_noise")
VECTORS = {  # d', c, beta, ln beta, B''
    (0.15, 0.75): (1.71092314, 0.1809718196, 1.362919205, 0.3096288739, 0.1904761905),
    (0.1, 0.6): (1.534898669, 0.5141022312, 2.201402881, 0.7890948302, 0.4545454545),
    (0.4, 0.3): (-0.2710534096, 0.3888738079, 0.8999594506, -0.1054055715, 0.06666666667),
}


@pytest.mark.parametrize("point", VECTORS)
def test_vectors(point):
    found = rw.signal_detection(*point)
    values = (found.d_prime, found.criterion, found.beta, found.ln_beta, found.b_double_prime)
    assert values == pytest.approx(VECTORS[point], abs=1e-9)
    bounds = rw.auc_bounds(*point)
    assert (found.a, found.b) == (bounds.a, bounds.b)
    f, h = point
    assert found.beta == pytest.approx(norm.pdf(norm.ppf(h)) / norm.pdf(norm.ppf(f)), abs=1e-9)


def a_prime(f, h):
    return rw.signal_detection(f, h).a_prime


def test_a_prime_is_the_mean_of_two_triangles_not_of_the_bounds():
    for f, h in ((0.2, 0.8), (0.1, 0.3), (0.6, 0.9)):
        triangles = (1 - f / (2 * h), 1 - (1 - h) / (2 * (1 - f)))
        assert a_prime(f, h) == pytest.approx(sum(triangles) / 2, abs=1e-12)
        bounds = rw.auc_bounds(f, h)
        assert abs(a_prime(f, h) - bounds.a) > 1e-3
        assert max(triangles) <= bounds.upper + 1e-12
    assert a_prime(0.8, 0.2) == pytest.approx(1 - a_prime(0.2, 0.8))


def test_smiths_index_replaces_the_upper_bound_by_the_larger_polygon():
    for f, h in ((0.2, 0.8), (0.1, 0.3), (0.6, 0.9), (0.2, 0.95)):
        upper = max(1 - f / (2 * h), 1 - (1 - h) / (2 * (1 - f)))
        found = rw.signal_detection(f, h)
        assert found.a_double_prime == pytest.approx((upper + (1 + h - f) / 2) / 2, abs=1e-12)
        assert (found.a_double_prime < found.a - 1e-3) == (f < 0.5 < h)  # where Smith erred
        mirrored = rw.signal_detection(h, f).a_double_prime
        assert mirrored == pytest.approx(1 - found.a_double_prime, abs=1e-12)
    assert rw.signal_detection(0.3, 0.3).a_double_prime == 0.5


def test_counts_are_corrected():
    found = rw.signal_detection(hits=20, n_signal=20, false_alarms=0, n_noise=20)
    assert (found.tpr, found.fpr) == (20.5 / 21, 0.5 / 21)
    assert found.d_prime == pytest.approx(norm.ppf(20.5 / 21) - norm.ppf(0.5 / 21))
    assert rw.signal_detection(hits=5, n_signal=9, false_alarms=3, n_noise=7).tpr == 0.55


def test_extreme_rates():
    perfect = rw.signal_detection(0, 1)
    assert perfect.d_prime == math.inf
    assert (perfect.a_prime, perfect.a) == (1.0, 1.0)
    for name in ("criterion", "beta", "ln_beta"):  # the two infinities cancel
        with pytest.raises(rw.InputError, match=rf"^{name} is not defined at `fpr` 0 and `tpr` 1"):
            getattr(perfect, name)
        assert perfect.indices()[name] is perfect.to_dict()[name] is None
    strict = rw.signal_detection(0, 0.5)
    assert (strict.d_prime, strict.criterion, strict.beta) == (math.inf, math.inf, math.inf)
    worst = rw.signal_detection(1, 0)
    assert (worst.d_prime, worst.a_prime, worst.a) == (-math.inf, 0.0, 0.0)
    assert "criterion undefined" in repr(perfect)
    assert rw.signal_detection(0.5, 1).criterion == -math.inf
    for rate in (0, 1):
        with pytest.raises(rw.InputError, match="pass the counts"):
            rw.signal_detection(rate, rate)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((5, 4, 1, 3), "`hits` must not be larger than `n_signal`; got 5 and 4"),
        ((1, 4, -1, 3), "`false_alarms` must be an integer of at least 0"),
        ((1, 4, 1, 0), "`n_noise` must be an integer of at least 1"),
    ],
)
def test_errors(counts, message):
    with pytest.raises(rw.InputError, match=message):
        rw.signal_detection(**dict(zip(COUNTS, counts, strict=True)))


def test_rates_or_counts():
    for given in (
        {},
        {"fpr": 0.1},
        {"hits": 3, "n_signal": 5},
        {"fpr": 0.1, "tpr": 0.2, "hits": 1},
    ):
        with pytest.raises(rw.InputError, match=r"`(fpr|tpr)`"):
            rw.signal_detection(**given)


@pytest.mark.parametrize("n_points", [1, 2.5, b"x", 10**15])
def test_numbers_of_points_that_make_no_curve(n_points):
    with pytest.raises(rw.InputError, match="`n_points` must be"):
        rw.signal_detection(0.2, 0.7).curve(n_points)
