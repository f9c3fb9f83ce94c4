"""Surfaces of the least cost, and the volume under them."""

import numpy as np
import pytest
from scipy.integrate import dblquad

import rocwise as rw
from rocwise.binary.abstention_surface import trivial_volume

Y = [0, 0, 1, 0, 1, 0, 1, 1]
M = [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]


def rows(seed, n=60):
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, (rng.random(n - 2) < 0.4).astype(int)]
    return y, np.round(rng.normal(0.8 * y), 1)


@pytest.mark.parametrize(
    ("prevalence", "volume"), [(None, 0.1076388889), (0.5, 0.1076388889), (0.2, 0.1034722222)]
)
def test_volume_vectors(prevalence, volume):
    assert rw.abstention_surface(Y, M, prevalence=prevalence).volume == pytest.approx(
        volume, abs=1e-9
    )


def test_trivial_volumes():
    assert trivial_volume(0.5) == pytest.approx(0.2083333333, abs=1e-10)
    assert trivial_volume(0.2) == pytest.approx(0.1583333333, abs=1e-10)
    assert trivial_volume(0) == trivial_volume(1) == 0  # always negative, always positive
    for prior in (0.1, 0.7):
        cost = dblquad(lambda nu, mu, p=prior: min(mu * (1 - p), p, nu), 0, 1, 0, 1, epsabs=1e-7)
        assert trivial_volume(prior) == pytest.approx(cost[0], abs=1e-6)


def test_grid_vectors():
    surface = rw.abstention_surface(Y, M, grid=11)
    assert surface.cost[10, 1] == pytest.approx(0.0625, abs=1e-12)
    assert (surface.lower[10, 1], surface.upper[10, 1]) == pytest.approx((-0.5, 0.55))
    assert surface.cost[5, 2] == pytest.approx(0.1125, abs=1e-12)
    assert (surface.lower[5, 2], surface.upper[5, 2]) == pytest.approx((-0.5, 0.0))
    assert surface.rate[8, 6] == 0
    assert surface.lower[8, 6] == surface.upper[8, 6] == -0.5


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("prevalence", [None, 0.15, 0.9])
def test_the_closed_form_is_the_integral(seed, prevalence):
    """The trapezoidal rule, which is too low for a concave surface, closes in on it by h^2."""
    data = rows(seed)
    exact = rw.abstention_surface(*data, prevalence=prevalence).volume
    coarse, fine = (
        rw.abstention_surface(*data, grid=grid, prevalence=prevalence, method="grid").volume
        for grid in (61, 481)
    )
    assert 0 < exact - coarse < 1e-4
    assert 0 < exact - fine < (exact - coarse) / 40  # 8 times as many points: 64 at best


def test_differences():
    first, second = rw.abstention_surface(*rows(1)), rw.abstention_surface(*rows(2))
    difference = first.difference(second)
    np.testing.assert_array_equal(np.asarray(difference), first.cost - second.cost)
    assert difference.volume == first.volume - second.volume
    assert np.all(np.abs(difference + second.cost - first.cost) < 1e-15)
    assert difference[3, 4] == first.cost[3, 4] - second.cost[3, 4]
    assert difference.shape == (101, 101)
    np.testing.assert_array_equal(second.difference(first).cost, -difference.cost)
    assert len(difference.to_frame()["difference"]) == 101**2
    assert "first is cheaper on" in repr(difference)


def test_versus_trivial():
    surface = rw.abstention_surface(Y, M, grid=5)
    against = surface.versus_trivial()
    mu, nu = surface.mu[:, None], surface.nu[None, :]
    trivial = np.minimum(np.minimum(mu * 0.5, 0.5), nu)
    np.testing.assert_allclose(against.cost, surface.cost - trivial, atol=1e-15)
    assert against.volume == pytest.approx(0.1076388889 - 0.2083333333, abs=1e-9)
    useless = rw.abstention_surface([0, 1, 0, 1], [1, 1, 1, 1], grid=5).versus_trivial()
    assert np.all(np.abs(useless.cost) < 1e-15)
    assert useless.volume == pytest.approx(0, abs=1e-15)


def test_errors():
    surface = rw.abstention_surface(Y, M, grid=5)
    with pytest.raises(rw.InputError, match="same `grid`"):
        surface.difference(rw.abstention_surface(Y, M, grid=6))
    with pytest.raises(rw.InputError, match="AbstentionSurface"):
        surface.difference(3)
    for options, words in (
        ({"grid": 1}, "grid"),
        ({"grid": 2.5}, "grid"),
        ({"prevalence": -0.1}, "prevalence"),
        ({"method": "monte-carlo"}, "method"),
    ):
        with pytest.raises(rw.InputError, match=words):
            rw.abstention_surface(Y, M, **options)
