"""The cheapest cut, runner_up of a class, and cells of three alternatives: against brute force."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.kernels import cuts

KINDS = ["plain", "ties", "huge", "zeros", "near", "falling", "vast"]
SIZES = [0, 1, 2, 7, 50, 1000]


def drawn(n, kind, seed=0):
    """Scores of a class, losses, and two lots of runner_up."""
    rng = np.random.default_rng([n, KINDS.index(kind), seed])
    own, own_losses = rng.random(n), rng.random(n)
    first, second = rng.random((2, n)), rng.random((2, n))
    if kind == "ties":
        own, first, second = (np.round(each * 6) / 6 for each in (own, first, second))
    if kind == "huge":
        first[0] = np.exp(100 * rng.normal(size=n))
    if kind == "zeros":
        for scores in (own, first[0], second[0]):
            scores[rng.random(n) < 0.3] = 0
    if kind == "near":  # groups of values that count as one
        own = 1 + 1e-13 * rng.integers(0, 5, n)
        first[0], second[0] = rng.integers(1, 20, n), 0
    if kind == "falling":  # a clear best cut amid many rows
        ratios = first[0] / own
        own_losses = first[1] + np.sign(ratios - 0.8) * rng.random(n)
        second[0] = 0
    if kind == "vast":  # ratios from the smallest numbers to the largest
        first[0], own = 10.0 ** rng.uniform(-150, 150, n), 10.0 ** rng.uniform(-150, 150, n)
    return own, own_losses, first, second


def best_by_hand(values, changes):
    """Every cut between groups of values, tried one by one."""
    ordered = sorted(v for v in set(values.tolist()) if v < np.inf)
    groups = [
        (low, high)
        for low, high in zip([-np.inf, *ordered], [*ordered, np.inf], strict=True)
        if low == -np.inf or high > low * (1 + 1e-12)
    ]
    sums = [changes[values <= low].sum() for low, _ in groups]
    lowest = min(sums)
    tolerance = 1e-12 * np.abs(changes[values < np.inf]).sum()
    place = next(k for k, total in enumerate(sums) if total <= lowest + tolerance)
    return groups[place], sums[place]


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", SIZES)
def test_the_cut_is_the_cheapest_of_all(n, kind):
    for seed in range(3):
        own, own_losses, first, second = drawn(n, kind, seed)
        _, table = cuts.decision_ratios(own, own_losses, first, second)
        found = cuts.cheapest_cut(*table)
        neighbors, change = best_by_hand(*table)
        assert (found.below, found.above) == neighbors
        assert found.change == pytest.approx(change, rel=1e-9, abs=1e-12)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("kind", KINDS)
def test_ratios_and_costs_by_definition(kind):
    own, own_losses, first, second = drawn(200, kind)
    cost, (ratios, changes) = cuts.decision_ratios(own, own_losses, first, second)
    expected = 0.0
    for i in range(200):
        runner_up, loss = max((first[0, i], first[1, i]), (second[0, i], second[1, i]))
        if first[0, i] == second[0, i]:
            loss = first[1, i]
        assert changes[i] == own_losses[i] - loss
        always = own[i] > 0 and not runner_up / own[i] > 0
        assert ratios[i] == (np.inf if always or own[i] == 0 else runner_up / own[i])
        expected += own_losses[i] if always else loss
    assert cost == pytest.approx(expected)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("own_first", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_the_better_of_rivals(kind, own_first):
    own, own_losses, runner_up, _ = drawn(1001, kind)
    runner_up[0, ::3] = own[::3] * 0.9  # ties
    wins = own * 0.9 >= runner_up[0] if own_first else own * 0.9 > runner_up[0]
    expected = np.where(wins, [own * 0.9, own_losses], runner_up)
    found = cuts.better_class(runner_up, own, 0.9, own_losses, own_first=own_first)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.usefixtures("implementation")
def test_columns_that_do_not_fit_raise():
    with pytest.raises(ValueError, match="one entry for each"):
        cuts.cheapest_cut(np.ones(3), np.ones(2))
    with pytest.raises(ValueError, match="at least 0"):
        cuts.cheapest_cut(np.array([-1.0, 2.0]), np.ones(2))
    for place in (0, 1):
        columns = np.ones((2, 3))
        columns[place, 1] = np.nan
        with pytest.raises(rw.InputError, match="nan"):
            cuts.cheapest_cut(*columns)
    with pytest.raises(ValueError, match="runners-up must be"):
        cuts.better_class(np.ones((2, 2)), np.ones(3), 1.0, np.ones(3), own_first=True)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("zeros", [[0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0]])
def test_zeros_next_to_a_cut_have_no_sign(zeros):
    above_both = cuts.cheapest_cut(np.array([*zeros, 3.0]), np.array([-1.0, -1.0, 5.0]))
    below_both = cuts.cheapest_cut(np.array([*zeros, 3.0]), np.array([1.0, 1.0, 5.0]))
    assert (above_both.below, below_both.above) == (0, 0)
    assert not np.signbit([above_both.below, below_both.above]).any()


def arrangement(n, seed, decimals=12, infinite=0.0):
    rng = np.random.default_rng([n, seed])
    first, second, crossing = np.round(rng.normal(size=(3, n)), decimals)
    for line, signs in ((first, (-np.inf, np.inf)), (second, (-np.inf, np.inf))):
        hit = rng.random(n) < infinite
        line[hit] = rng.choice(signs, hit.sum())
    crossing[rng.random(n) < infinite] = rng.choice((-np.inf, np.inf))
    crossing.sort()
    return first, second, crossing, rng.integers(0, 9, (3, n)).astype(float)


def points_of(first, second, crossing, losses, rng):
    """Costs at random points of the plane, called row by row."""
    for _ in range(400):
        d, t = rng.normal(scale=2, size=2)
        before = crossing > d
        limit = np.where(before, first, second + d)
        called = np.where(t > limit, 0, np.where(before, 1, 2))
        yield losses[called, np.arange(len(first))].sum()


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("n", [1, 2, 3, 10, 60])
@pytest.mark.parametrize("infinite", [0.0, 0.2])
def test_no_point_of_the_plane_is_cheaper(n, infinite):
    rng = np.random.default_rng(n)
    for seed in range(4):
        arguments = arrangement(n, seed, infinite=infinite)
        cost, strip, x, y = cuts.cheapest_cell(
            *arguments, strips=(0, n + 1), tolerance=1e-9, bound=np.inf
        )
        assert strip >= 0
        assert x >= 0
        assert y >= 0
        assert cost <= min(points_of(*arguments, rng)) + 1e-9


@pytest.mark.usefixtures("implementation")
def test_parts_make_the_whole():
    arguments = arrangement(30, 4)
    options = {"tolerance": 1e-9}
    whole = cuts.cheapest_cell(*arguments, strips=(0, 31), bound=np.inf, **options)
    best = (np.inf, -1, -1, -1)
    for begin in range(0, 31, 4):
        strips = (begin, min(begin + 4, 31))
        found = cuts.cheapest_cell(*arguments, strips=strips, bound=best[0], **options)
        best = found if found[1] >= 0 else best
    assert best == whole
