"""Cuts into ordered classes with least cost, and the surface of three classes."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from oracles.ordinal_samples import B1
from rocwise.ordinal import surfaces


def least_cost(y, f, costs, prior):
    """Try every way to cut."""
    y, f = np.asarray(y), np.asarray(f, float)
    r = len(costs)
    cuts = [*np.unique(f), np.inf]
    best = np.inf
    for chosen in combinations_with_replacement(cuts, r - 1):
        called = (f[:, None] >= np.array(chosen)).sum(axis=1)
        cost = sum(prior[k] * np.mean(costs[k][called[y == k]]) for k in range(r))
        best = min(best, cost)
    return best


@st.composite
def problems(draw):
    r = draw(st.integers(2, 4))
    extra = draw(st.lists(st.integers(0, r - 1), min_size=0, max_size=6))
    y = [*range(r), *extra]
    f = draw(st.lists(st.integers(0, 5), min_size=len(y), max_size=len(y)))
    costs = np.array(draw(st.lists(st.integers(0, 9), min_size=r * r, max_size=r * r)), float)
    costs = costs.reshape(r, r)
    np.fill_diagonal(costs, 0)
    return y, f, costs


@settings(max_examples=60)
@given(problems())
def test_no_cuts_cost_less(problem):
    y, f, costs = problem
    result = rw.ordinal.thresholds(y, f, costs=costs)
    priors = np.bincount(y) / len(y)
    assert result.cost == pytest.approx(least_cost(y, f, costs, priors), abs=1e-12)
    called = result.predict(np.array(f, float))
    assert np.mean([costs[a, b] for a, b in zip(y, called, strict=True)]) == (
        pytest.approx(result.cost, abs=1e-12)
    )
    assert result.thresholds.tolist() == sorted(result.thresholds)
    recounted = np.zeros_like(result.confusion)
    np.add.at(recounted, (y, called), 1)
    assert np.array_equal(recounted, result.confusion)


def test_priors_move_the_cuts():
    y, f = [0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6]
    even = rw.ordinal.thresholds(y, f)
    rare = rw.ordinal.thresholds(y, f, prior=[0.95, 0.05])
    costs = np.array([[0, 1], [1, 0]], float)
    assert rare.cost == pytest.approx(least_cost(y, f, costs, [0.95, 0.05]))
    assert rare.thresholds[0] > even.thresholds[0]
    with pytest.raises(rw.InputError, match="add up to 1"):
        rw.ordinal.thresholds(y, f, prior=[0.5, 0.6])


def test_cuts_of_falling_scores_are_in_the_user_units():
    y, f = [1, 1, 2, 2, 3, 3], np.array([1, 2, 3, 5, 4, 6])
    up = rw.ordinal.thresholds(y, f)
    down = rw.ordinal.thresholds(y, -f, direction="lower")
    assert down.thresholds.tolist() == (-up.thresholds).tolist()
    assert down.predict(-f).tolist() == up.predict(f).tolist()
    assert "<= -3" in repr(down)


def test_cuts_of_integers_too_long_for_floats():
    scores = np.array([2**60 + k for k in range(6)])
    cuts = rw.ordinal.thresholds([0, 0, 1, 1, 2, 2], scores)
    assert cuts.thresholds.tolist() == [2**60 + 2, 2**60 + 4]
    assert cuts.predict(scores).tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ([[0, 1], [1, 0]], "3 by 3 matrix"),
        ([[0, 1, 1], [1, 1, 1], [1, 1, 0]], r"0 on its diagonal.*costs\[1, 1\] = 1"),
        ([[0, -1, 1], [1, 0, 1], [1, 1, 0]], "at least 0"),
        ("cheap", "must contain numbers"),
    ],
)
def test_invalid_costs(costs, words):
    with pytest.raises(rw.InputError, match=words):
        rw.ordinal.thresholds(*B1, costs=costs)


def test_predict_raises_for_what_is_no_score():
    cuts = rw.ordinal.thresholds(*B1)
    with pytest.raises(rw.InputError, match="missing value at row 1"):
        cuts.predict([1.0, np.nan])
    with pytest.raises(rw.InputError, match="one column"):
        cuts.predict([[1.0]])


def test_a_class_that_never_pays_is_never_called():
    costs = [[0, 9, 1], [0, 0, 0], [1, 9, 0]]
    result = rw.ordinal.thresholds([0, 1, 2], [1, 2, 3], costs=costs)
    assert result.cost == 0.0
    one = rw.ordinal.thresholds([0, 0, 0, 1], [1, 2, 4, 3], costs=[[0, 9], [1, 0]])
    assert one.thresholds.tolist() == [np.inf]
    assert "never" in repr(one)
    assert one.to_dict()["thresholds"] == [None]


SURFACE = {
    (3, 5.5): (2 / 3, 2 / 3, 0.75),
    (2.5, 6): (1 / 3, 2 / 3, 0.5),
    (-np.inf, 2): (0, 1 / 3, 1),
}


def test_points_of_the_surface():
    surface = rw.ordinal.surface(*B1)
    assert len(surface.b1) == 66
    assert np.all(surface.b1 <= surface.b2)
    for (low, high), expected in SURFACE.items():
        place = np.flatnonzero((surface.b1 == low) & (surface.b2 == high))
        found = [rates[place[0]] for rates in (surface.tpr1, surface.tpr2, surface.tpr3)]
        assert len(place) == 1
        np.testing.assert_allclose(found, expected, atol=1e-12)
    assert "volume 0.44" in repr(surface)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 6), min_size=3, max_size=9), st.integers(0, 10**6))
def test_volume_under_the_staircase_is_the_strict_volume(f, seed):
    y = np.r_[0, 1, 2, np.random.default_rng(seed).integers(0, 3, len(f) - 3)]
    surface = rw.ordinal.surface(y, f)
    n1, n3 = np.sum(y == 0), np.sum(y == 2)
    x = (np.arange(n1) + 0.5) / n1  # heights are constant between the steps of the rates
    z = (np.arange(n3) + 0.5) / n3
    heights = surface.height(x[:, None], z[None, :])
    assert heights.mean() == pytest.approx(surface.volume, abs=1e-12)
    assert surface.volume == rw.ordinal.auc(y, f, ties="strict").value


def test_surfaces_that_cannot_be():
    with pytest.raises(rw.InputError, match="three classes"):
        rw.ordinal.surface([0, 1], [1, 2])
    with pytest.raises(rw.InputError, match="direction"):
        rw.ordinal.surface(*B1, direction="lower")


def best_by_brute_force(y, f, x, z):
    """The largest proportion of the middle class over all pairs of cuts that reach both rates."""
    cuts = [-np.inf, *np.unique(f)]
    one, two, three = (f[y == k] for k in range(3))
    lower = [cut for cut in cuts if np.mean(one <= cut) >= x - 1e-12]
    upper = [cut for cut in cuts if np.mean(three > cut) >= z - 1e-12]
    return max((np.mean((two > b1) & (two <= b2)) for b1 in lower for b2 in upper), default=0.0)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 9), st.floats(0, 1), st.floats(0, 1))
def test_heights_are_the_best_of_all_pairs_of_cuts(seed, levels, x, z):
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, 2, rng.integers(0, 3, 15)]
    f = rng.integers(0, levels, len(y)).astype(float)
    assert rw.ordinal.surface(y, f).height(x, z) == pytest.approx(best_by_brute_force(y, f, x, z))


def thinned_at(y, f, cuts, weight=None):
    """The surface as it is when more than so many cuts are too many."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(surfaces, "MOST_POINTS", 0)
        patched.setattr(surfaces.telling_cuts, "__defaults__", (cuts,))
        return rw.ordinal.surface(y, f, sample_weight=weight)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(4, 60), st.sampled_from([3, 40, 1000]), st.booleans())
def test_the_stated_error_of_a_thinned_surface_is_its_error(seed, cuts, levels, weighted):
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, 2, rng.choice(3, 97, p=rng.dirichlet([1, 1, 1]))]
    f = rng.integers(0, levels, 100) + (levels // 3) * y.astype(float)
    weight = rng.integers(1, 4, 100) if weighted else None
    whole = rw.ordinal.surface(y, f, sample_weight=weight)
    few = thinned_at(y, f, cuts, weight)
    assert few.n_cuts_kept <= cuts
    assert few.n_cuts == whole.n_cuts == len(np.unique(f)) + 1
    assert few.volume == whole.volume
    x, z = np.unique(whole.tpr1)[:, None], np.unique(whole.tpr3)[None, :]  # every step there is
    short = whole.height(x, z) - few.height(x, z)
    assert short.min() >= -1e-12
    assert short.max() <= few.height_error + 1e-12
    if few.height_error <= whole.height(x, z).max() / 4:  # one of both losses has room
        assert short.max() >= few.height_error / 2 - 1e-12


def test_many_scores_are_thinned_with_a_note():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 10_000)
    f = y + rng.normal(size=10_000)
    surface = rw.ordinal.surface(y, f)
    assert surface.n_cuts == 10_001
    assert 3_500 <= surface.n_cuts_kept <= 4_000
    assert 0 < surface.height_error < 2 / 1_999
    assert len(surface.b1) == surface.n_cuts_kept * (surface.n_cuts_kept + 1) / 2
    assert "of 10,001 cuts kept, heights at most 0.00" in repr(surface)
    lower, middle, upper = (np.sort(f[y == k]) for k in range(3))
    b1, b2 = lower[int(0.8 * len(lower))], upper[int(0.2 * len(upper))]
    exact = np.mean((middle > b1) & (middle < b2))  # 80% of both others, to a case
    assert exact - 0.002 < surface.height(0.8, 0.8) < exact + 0.002
    few_in_the_middle = np.where(np.arange(10_000) < 9_990, 2 * (y > 0), 1)
    assert "heights are exact" in repr(rw.ordinal.surface(few_in_the_middle, f))


def test_rows_that_are_there_many_times_leave_equal_cuts_equal():
    y = np.array([0, 1, 0, 1, 2, 1, 2, 0, 1, 2, 1])
    f = np.array([2.0, 2.0, 3.0, 1.0, 3.0, 0.0, 2.0, 1.0, 0.0, 2.0, 1.0])
    many = rw.ordinal.thresholds(np.repeat(y, 100_000), np.repeat(f, 100_000))
    assert np.array_equal(many.thresholds, rw.ordinal.thresholds(y, f).thresholds)
